/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server of questions and answers, one of each per connection. Nothing that a client does
 * delays another one: a question that is not complete within a time ends its connection, and so
 * does one that is too long; if there are too many connections, the oldest one ends.
 */
#ifndef LXFW_ROUTE_SERVER_H
#define LXFW_ROUTE_SERVER_H

#include <sys/stat.h>

#include "common/util/error.h"
#include "sim-frontend/route/wire.h"

struct lxfw_route_server {
	int listener;
	const char *path;	/* of a socket, to be removed; or NULL */
	struct stat about;	/* of that socket: another one of its name stays */
	/* Answers QUESTION, which is complete and may be changed. */
	void (*answer)(void *context, char *question, char answer[LXFW_ROUTE_ANSWER]);
	/* Called once a second, and before questions are answered. Returns a descriptor to
	   wait for, or -1. */
	int (*tick)(void *context);
	void *context;
};

/* Listens at HOST:PORT or at the socket /PATH; a socket that no process listens at is
   replaced. Returns 0, or -1 with errno and ERROR set. */
int lxfw_route_listen(struct lxfw_route_server *server, const char *at,
		      struct lxfw_error *error);

/* Serves until *STOP is set by a signal. Returns 0, or -1 with errno and ERROR set. */
int lxfw_route_serve(struct lxfw_route_server *server, const volatile int *stop,
		     struct lxfw_error *error);

#endif
