/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of questions and answers, one of each per connection. At a socket the system tells who
 * asks; over a network a question is a credential of munge (credential.h), unless the network is
 * trusted. Nothing that a client does delays another one for long:
 *
 * - each question costs little, and they are answered in the order of what their users owe
 *   (peers.h): a user who has asked much comes last, and waits after a second of processor time;
 * - a question that is not complete and answered within some seconds ends its connection, and so does
 *   one that is too long;
 * - a user, or an address whose users are not known yet, has 256 connections, and all together have
 *   768: a further one ends the oldest whose question is not complete, and without such one it is
 *   refused, or ends a connection of the peer who has most.
 */
#ifndef LXFW_ROUTE_SERVER_H
#define LXFW_ROUTE_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "common/util/error.h"
#include "sim-frontend/route/peers.h"
#include "sim-frontend/route/wire.h"

#define LXFW_ROUTE_FILES 4

struct lxfw_route_server {
	int listener;
	bool local;		/* it is a socket */
	const char *path;	/* of a socket, to be removed; or NULL */
	struct stat about;	/* of that socket: another one of its name stays */
	bool trusted;		/* over a network, users need not be known */
	const char *munge;	/* socket of munged; NULL: the usual one */
	/* Answers QUESTION of PEER, which is complete and may be changed. Returns false if the
	   answer is not known yet, and the question is to be asked again. */
	bool (*answer)(void *context, const struct lxfw_route_peer *peer, char *question,
		       char answer[LXFW_ROUTE_ANSWER]);
	/* Called once a second, and before questions are answered. Sets FILES, all of which are -1,
	   to descriptors to wait for. Returns whether it has more to do at once. */
	bool (*tick)(void *context, int files[LXFW_ROUTE_FILES]);
	void *context;
};

/* Listens at HOST:PORT or at the socket /PATH; a socket that no process listens at is
   replaced. Over a network that is not trusted this needs munge. Returns 0, or -1 with errno and
   ERROR set. */
int lxfw_route_listen(struct lxfw_route_server *server, const char *at,
		      struct lxfw_error *error);

/* Serves until *STOP is set by a signal. Returns 0, or -1 with errno and ERROR set. */
int lxfw_route_serve(struct lxfw_route_server *server, const volatile int *stop,
		     struct lxfw_error *error);

#endif
