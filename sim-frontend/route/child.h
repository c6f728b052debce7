/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program whose output is read while other things are done. */
#ifndef LXFW_ROUTE_CHILD_H
#define LXFW_ROUTE_CHILD_H

#include <stddef.h>
#include <sys/types.h>

/* Closes all descriptors but stdin, stdout and stderr. */
void lxfw_route_close_files(void);

/* {.file = -1} is none. */
struct lxfw_route_child {
	pid_t process;		/* 0: none */
	int file;		/* to wait for; -1: none, or all was read */
	char *text;		/* its standard output so far, with a NUL */
	size_t length, size;
};

/* Starts the program, which is searched in PATH, without input and messages. Returns 0, or -1 with
   errno. */
int lxfw_route_child_start(struct lxfw_route_child *child, char *const *arguments);

/* Starts a copy of this process that runs FUNCTION with stdout as its output, without input, and
   exits with what it returns, 0 to 254. It ends with its parent, and has no other descriptors than
   stdout and stderr. Returns as above. */
int lxfw_route_child_fork(struct lxfw_route_child *child, int (*function)(const void *context),
			  const void *context);

/* Reads what there is. Returns -1 while the program runs, or its exit status: 0 to 255, and 255 if it
   was ended or wrote more than 32 MB. */
int lxfw_route_child_read(struct lxfw_route_child *child);

/* Ends the program if it runs, and releases the output. */
void lxfw_route_child_end(struct lxfw_route_child *child);

#endif
