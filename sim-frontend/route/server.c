/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/route/address.h"
#include "sim-frontend/route/credential.h"
#include "sim-frontend/util/text.h"

#define CLIENTS 768
#define OF_PEER 256		/* of them, of a user or an address */
#define TICK 1000		/* milliseconds */
#define SOON 20			/* milliseconds until a question without an answer is tried again */
#define AT_ONCE 5000		/* microseconds for questions between two looks at connections */
#define PATIENCE 10000000	/* microseconds for a question and its answer */
#define FIXED 100		/* microseconds that a question costs besides its answer */

struct client {
	int file;		/* -1: none */
	int64_t since;		/* microsecond */
	uint64_t number;	/* of those that were welcomed, in their order */
	struct lxfw_route_account *account;
	struct lxfw_route_peer peer;
	char *text;
	size_t length;
	bool complete;		/* it has asked */
	bool sealed;		/* by munge, and not opened yet */
	bool later;		/* it is tried again in the next round */
	char word[LXFW_ROUTE_WORD];	/* of its credential; "": none */
};

struct house {
	const struct lxfw_route_server *server;
	struct lxfw_route_peers *peers;
	struct client *clients;
	uint64_t number;
	int64_t now;
};

static int64_t clock_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int lxfw_route_listen(struct lxfw_route_server *server, const char *at,
		      struct lxfw_error *error)
{
	if (*at != '/' && !server->trusted && !lxfw_route_credentials()) {
		lxfw_error_format(error, "%.80s: lxfw was built without munge and cannot know who "
				  "asks, expected a socket or --trusted-network", at);
		return -1;
	}
	server->listener = lxfw_route_open(at, true, error);
	server->local = *at == '/';
	server->path = server->local ? at : NULL;
	if (server->listener >= 0 && server->path && lstat(at, &server->about))
		server->path = NULL;
	return server->listener < 0 ? -1 : 0;
}

static void drop(struct client *client)
{
	close(client->file);
	free(client->text);
	client->account->clients--;
	*client = (struct client) { .file = -1 };
}

/* --- answers ------------------------------------------------------------------------ */

/* An answer is shorter than any buffer of a socket, so that it is sent at once or never. */
static void send_answer(const struct house *house, struct client *client, const char *answer)
{
	char sealed[LXFW_ROUTE_CREDENTIAL];
	struct lxfw_error error;

	if (*client->word) {
		if (lxfw_route_answer_seal(house->server->munge, client->word, answer,
					   client->peer.user, sealed, &error))
			return;
		answer = sealed;
	}
	if (send(client->file, answer, strlen(answer), MSG_NOSIGNAL) > 0)
		shutdown(client->file, SHUT_WR);
}

static void reply(const struct house *house, struct client *client)
{
	char question[LXFW_ROUTE_CREDENTIAL], answer[LXFW_ROUTE_ANSWER];

	memcpy(question, client->text, client->length + 1);
	if (strlen(question) == client->length &&
	    !house->server->answer(house->server->context, &client->peer, question, answer)) {
		client->later = true;
		return;
	}
	if (strlen(client->text) == client->length)
		send_answer(house, client, answer);
	drop(client);
}

/* From now on the connection is one of that account, if it may have one more. */
static void move(struct client *client, struct lxfw_route_account *account)
{
	client->account->clients--;
	client->account = account;
	account->clients++;
}

static void open_question(struct house *house, struct client *client)
{
	char text[LXFW_ROUTE_QUESTION];
	struct lxfw_route_account *account;
	struct lxfw_error error;
	uid_t user;

	client->text[client->length - 1] = '\0';
	if (lxfw_route_question_open(house->server->munge, client->text, client->word, text, &user,
				     &error) ||
	    !lxfw_route_question_ends(text, strlen(text))) {
		drop(client);
		return;
	}
	account = lxfw_route_account_of_user(house->peers, user, house->now);
	if (account->clients >= OF_PEER) {
		drop(client);
		return;
	}
	move(client, account);
	client->peer = (struct lxfw_route_peer) { true, user };
	client->length = strlen(text);
	memcpy(client->text, text, client->length + 1);
	client->sealed = false;
}

/* The next question to be answered, or credential to be opened: of the account that owes least, the
   oldest; NULL: none. A credential is opened whatever its address owes: it may be of any user. */
static struct client *choose(const struct house *house, bool sealed)
{
	struct client *best = NULL;
	int64_t least = 0;

	for (int i = 0; i < CLIENTS; i++) {
		struct client *client = &house->clients[i];
		int64_t owed;

		if (client->file < 0 || !client->complete || client->later ||
		    client->sealed != sealed ||
		    !(sealed || lxfw_route_account_may(client->account, house->now)))
			continue;
		owed = lxfw_route_account_owes(client->account, house->now);
		if (best && (owed > least || (owed == least && client->number > best->number)))
			continue;
		best = client;
		least = owed;
	}
	return best;
}

static void serve(struct house *house, struct client *client)
{
	struct lxfw_route_account *account = client->account;
	/* What munged does costs time, too. */
	clockid_t id = client->sealed ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
	int64_t begun = clock_of(id);

	if (client->sealed)
		open_question(house, client);
	else
		reply(house, client);
	house->now = clock_of(CLOCK_MONOTONIC);
	lxfw_route_account_charge(account, FIXED + clock_of(id) - begun, house->now);
}

/* Opens credentials and answers questions in turns. Returns whether there are more. */
static bool answer_some(struct house *house)
{
	int64_t end = house->now + AT_ONCE;
	struct client *client, *sealed;

	do {
		sealed = choose(house, true);
		if (sealed)
			serve(house, sealed);
		client = choose(house, false);
		if (client)
			serve(house, client);
	} while ((sealed || client) && house->now < end);
	return sealed || client;
}

/* --- connections -------------------------------------------------------------------- */

/* Whether it was accepted as the question of a client who may ask in this way. */
static bool take_question(const struct house *house, struct client *client)
{
	bool network = !house->server->local;

	client->text[client->length] = '\0';
	if (network && lxfw_route_credentials() &&
	    lxfw_route_credential_begins(client->text, client->length)) {
		client->complete = client->sealed =
			lxfw_route_credential_ends(client->text, client->length);
		return !client->complete || lxfw_route_credential_is_plain(client->text);
	}
	if (network && !house->server->trusted)
		return false;
	client->complete = lxfw_route_question_ends(client->text, client->length);
	return client->length <= LXFW_ROUTE_QUESTION;
}

static void hear(const struct house *house, struct client *client)
{
	while (client->file >= 0 && !client->complete) {
		ssize_t got = recv(client->file, client->text + client->length,
				   LXFW_ROUTE_CREDENTIAL - 1 - client->length, 0);

		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		client->length += got > 0 ? (size_t)got : 0;
		if (got <= 0 || !take_question(house, client) ||
		    (!client->complete && client->length == LXFW_ROUTE_CREDENTIAL - 1))
			drop(client);
	}
}

/* The connection to be ended for another one of ACCOUNT, or with NULL, of the account with most
   connections: the oldest of those that are COMPLETE or not. */
static struct client *find_last(const struct house *house, const struct lxfw_route_account *account,
				bool complete)
{
	struct client *last = NULL;

	for (int i = 0; i < CLIENTS; i++) {
		struct client *client = &house->clients[i];

		if (client->file < 0 || client->complete != complete ||
		    (account && client->account != account))
			continue;
		if (!last || client->account->clients > last->account->clients ||
		    (client->account->clients == last->account->clients &&
		     client->number < last->number))
			last = client;
	}
	return last;
}

/* Ends the oldest connection without a complete question: each is heard before. Returns a place, or
   NULL. */
static struct client *make_room(const struct house *house, const struct lxfw_route_account *account)
{
	struct client *last;

	do {
		last = find_last(house, account, false);
		if (!last)
			return NULL;
		hear(house, last);
	} while (last->file >= 0 && last->complete);
	if (last->file >= 0)
		drop(last);
	return last;
}

/* Returns a place for a connection of ACCOUNT, or NULL. */
static struct client *place_for(const struct house *house, const struct lxfw_route_account *account)
{
	struct client *place;

	if (account->clients >= OF_PEER)
		return make_room(house, account);
	for (int i = 0; i < CLIENTS; i++) {
		if (house->clients[i].file < 0)
			return &house->clients[i];
	}
	place = make_room(house, NULL);
	if (place)
		return place;
	place = find_last(house, NULL, true);
	if (!place || place->account->clients <= account->clients + 1)
		return NULL;
	drop(place);
	return place;
}

static void welcome_one(struct house *house, int file, const struct sockaddr *address)
{
	struct client new = { .file = file, .since = house->now, .number = house->number++ };
	struct client *client;

	if (house->server->local)
		lxfw_route_peer_of(file, &new.peer);
	new.account = new.peer.known ?
		      lxfw_route_account_of_user(house->peers, new.peer.user, house->now) :
		      lxfw_route_account_of_address(house->peers, address, house->now);
	client = place_for(house, new.account);
	new.text = client ? malloc(LXFW_ROUTE_CREDENTIAL) : NULL;
	if (!new.text) {
		close(file);
		return;
	}
	new.account->clients++;
	*client = new;
	hear(house, client);
}

/* Takes those who wait to be heard, and hears each at once: most have sent their question. */
static void welcome(struct house *house)
{
	for (int i = 0; i < CLIENTS; i++) {
		struct sockaddr_storage address = { 0 };
		struct sockaddr *any = (struct sockaddr *)&address;
		socklen_t length = sizeof(address);
		int file = accept4(house->server->listener, any, &length,
				   SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (file < 0)
			return;
		welcome_one(house, file, any);
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

/* --- the loop ------------------------------------------------------------------------ */

static void hear_all(struct house *house, const struct pollfd *wait)
{
	for (int i = 0; i < CLIENTS; i++) {
		struct client *client = &house->clients[i];

		if (client->file >= 0 && wait[i].fd == client->file && wait[i].revents)
			hear(house, client);
		if (client->file >= 0 && house->now > client->since + PATIENCE)
			drop(client);
		client->later = false;
	}
}

/* How long to wait for the next event, milliseconds. */
static int time_left(const struct house *house, bool busy)
{
	int left = TICK;

	for (int i = 0; i < CLIENTS && !busy; i++) {
		const struct client *client = &house->clients[i];

		/* A user who owes too much, or an answer that is not known yet. */
		if (client->file >= 0 && client->complete)
			left = SOON;
	}
	return busy ? 0 : left;
}

/* One round. Returns 0, or -1 with errno set. */
static int round_of(struct house *house, bool *busy)
{
	struct pollfd wait[CLIENTS + 1 + LXFW_ROUTE_FILES];
	int files[LXFW_ROUTE_FILES] = { -1, -1, -1, -1 };

	*busy |= house->server->tick(house->server->context, files);
	for (int i = 0; i < CLIENTS; i++)
		wait[i] = (struct pollfd) {
			.fd = house->clients[i].complete ? -1 : house->clients[i].file,
			.events = POLLIN,
		};
	wait[CLIENTS] = (struct pollfd) { .fd = house->server->listener, .events = POLLIN };
	for (int i = 0; i < LXFW_ROUTE_FILES; i++)
		wait[CLIENTS + 1 + i] = (struct pollfd) { .fd = files[i], .events = POLLIN };
	if (poll(wait, CLIENTS + 1 + LXFW_ROUTE_FILES, time_left(house, *busy)) < 0 &&
	    errno != EINTR)
		return -1;
	house->now = clock_of(CLOCK_MONOTONIC);
	hear_all(house, wait);
	*busy = answer_some(house);
	if (wait[CLIENTS].revents) {
		welcome(house);
		*busy = answer_some(house);
	}
	return 0;
}

int lxfw_route_serve(struct lxfw_route_server *server, const volatile int *stop,
		     struct lxfw_error *error)
{
	struct house house = {
		.server = server, .peers = calloc(1, sizeof(*house.peers)),
		.clients = malloc(CLIENTS * sizeof(*house.clients)),
	};
	bool ready = house.peers && house.clients, busy = false;
	int result = ready ? 0 : lxfw_error_system(error, "lxfw route");

	for (int i = 0; i < CLIENTS && ready; i++)
		house.clients[i] = (struct client) { .file = -1 };
	while (!*stop && result == 0) {
		if (round_of(&house, &busy))
			result = lxfw_error_system(error, "poll");
	}
	for (int i = 0; i < CLIENTS && ready; i++) {
		if (house.clients[i].file >= 0)
			drop(&house.clients[i]);
	}
	free(house.peers);
	free(house.clients);
	close(server->listener);
	remove_name(server);
	return result;
}
