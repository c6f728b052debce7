/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose the jobs of a publication are, in a file of its own: the page and the queue, which may be
   served to the whole world, do not have users. */
#ifndef LXFW_PUBLISH_OWNED_H
#define LXFW_PUBLISH_OWNED_H

#include "common/util/error.h"
#include "sim-frontend/publish/listed.h"
#include "sim-frontend/publish/publication.h"

#define LXFW_PUBLICATION_OWNERS "owners"

/* Writes the file, which others can read and which is replaced as a whole. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_owned_write(const struct lxfw_publication *publication, const struct lxfw_listed *listed,
		     const char *path, struct lxfw_error *error);

/* Sets the users of all jobs. Returns 0, or -1: there is no such file of the same round, and no user
   is set. */
int lxfw_owned_read(struct lxfw_publication *publication, const char *path);

/* The same for the text of the file. */
int lxfw_owned_take(struct lxfw_publication *publication, const char *text);

#endif
