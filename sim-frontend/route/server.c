/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/route/address.h"
#include "sim-frontend/util/text.h"

#define CLIENTS 64
#define TICK 1000		/* milliseconds */
#define PATIENCE 10		/* seconds for a question */

struct client {
	int file;		/* -1: none */
	int64_t since;		/* second */
	uint64_t number;	/* of those that were welcomed, in their order */
	char *text;
	size_t length;
};

static int64_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

int lxfw_route_listen(struct lxfw_route_server *server, const char *at,
		      struct lxfw_error *error)
{
	server->listener = lxfw_route_open(at, true, error);
	server->path = *at == '/' ? at : NULL;
	if (server->listener >= 0 && server->path && lstat(at, &server->about))
		server->path = NULL;
	return server->listener < 0 ? -1 : 0;
}

static void drop(struct client *client)
{
	close(client->file);
	free(client->text);
	*client = (struct client) { .file = -1 };
}

/* The answer is shorter than any buffer of a socket, so that it is sent at once or never. */
static void reply(const struct lxfw_route_server *server, struct client *client)
{
	char answer[LXFW_ROUTE_ANSWER];

	client->text[client->length] = '\0';
	if (strlen(client->text) == client->length) {
		server->answer(server->context, client->text, answer);
		if (send(client->file, answer, strlen(answer), MSG_NOSIGNAL) > 0)
			shutdown(client->file, SHUT_WR);
	}
	drop(client);
}

static void hear(const struct lxfw_route_server *server, struct client *client)
{
	ssize_t got = recv(client->file, client->text + client->length,
			   LXFW_ROUTE_QUESTION - client->length, 0);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		drop(client);
		return;
	}
	client->length += (size_t)got;
	if (lxfw_route_question_ends(client->text, client->length))
		reply(server, client);
	else if (client->length == LXFW_ROUTE_QUESTION)
		drop(client);
}

/* Returns a place for a client: a free one, or that of the oldest, which is heard before. Those
   who connect without a question thus cost another client no answer. */
static struct client *place(const struct lxfw_route_server *server,
			    struct client clients[CLIENTS])
{
	struct client *oldest = &clients[0];

	for (int i = 0; i < CLIENTS; i++) {
		if (clients[i].file < 0)
			return &clients[i];
		if (clients[i].number < oldest->number)
			oldest = &clients[i];
	}
	hear(server, oldest);
	if (oldest->file >= 0)
		drop(oldest);
	return oldest;
}

/* Takes those who wait to be heard, and hears each at once: most have sent their question. */
static void welcome(const struct lxfw_route_server *server, struct client clients[CLIENTS],
		    uint64_t *number)
{
	for (int i = 0; i < CLIENTS; i++) {
		int file = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct client *client;

		if (file < 0)
			return;
		client = place(server, clients);
		client->text = malloc(LXFW_ROUTE_QUESTION + 1);
		client->file = file;
		client->since = seconds();
		client->number = (*number)++;
		if (client->text)
			hear(server, client);
		else
			drop(client);
	}
}

/* Removes the name of the socket, unless it is another's by now. */
static void remove_name(const struct lxfw_route_server *server)
{
	struct stat about;

	if (server->path && lstat(server->path, &about) == 0 && S_ISSOCK(about.st_mode) &&
	    about.st_dev == server->about.st_dev && about.st_ino == server->about.st_ino)
		unlink(server->path);
}

int lxfw_route_serve(struct lxfw_route_server *server, const volatile int *stop,
		     struct lxfw_error *error)
{
	struct client clients[CLIENTS];
	uint64_t number = 0;
	int result = 0;

	for (int i = 0; i < CLIENTS; i++)
		clients[i] = (struct client) { .file = -1 };
	while (!*stop) {
		struct pollfd wait[CLIENTS + 2];
		int64_t now;

		for (int i = 0; i < CLIENTS; i++)
			wait[i] = (struct pollfd) { .fd = clients[i].file, .events = POLLIN };
		wait[CLIENTS] = (struct pollfd) { .fd = server->listener, .events = POLLIN };
		wait[CLIENTS + 1] = (struct pollfd) {
			.fd = server->tick(server->context), .events = POLLIN,
		};
		if (poll(wait, CLIENTS + 2, TICK) < 0 && errno != EINTR) {
			result = lxfw_error_system(error, "poll");
			break;
		}
		now = seconds();
		for (int i = 0; i < CLIENTS; i++) {
			if (clients[i].file >= 0 && wait[i].fd == clients[i].file &&
			    wait[i].revents)
				hear(server, &clients[i]);
			if (clients[i].file >= 0 && now > clients[i].since + PATIENCE)
				drop(&clients[i]);
		}
		if (wait[CLIENTS].revents)
			welcome(server, clients, &number);
	}
	for (int i = 0; i < CLIENTS; i++) {
		if (clients[i].file >= 0)
			drop(&clients[i]);
	}
	close(server->listener);
	remove_name(server);
	return result;
}
