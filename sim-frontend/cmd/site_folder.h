/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder in which a site publishes its queue (`lxfw predict --publish`). */
#ifndef LXFW_CMD_SITE_FOLDER_H
#define LXFW_CMD_SITE_FOLDER_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/publish/publication.h"

/* Without LXFW_SITE in the environment. */
#define LXFW_SITE_FOLDER "/var/lib/lxfw/site"

/*
 * Reads the publication of FOLDER, NULL: of the usual one. Returns 1, 0 if the usual folder has
 * none, or -1 after a message. A file of the usual folder that cannot be read is as none, with a
 * note.
 */
int lxfw_cmd_site_read(const char *folder, struct lxfw_publication *publication);

/* Says what is to be known of a publication that was read. */
void lxfw_cmd_site_notes(const struct lxfw_publication *publication);

/* The path of a file in the usual folder. Returns NULL if it is too long. */
const char *lxfw_cmd_site_path(const char *name, char *path, size_t size);

/* Sets the users of a publication that was read from FOLDER, NULL: from the usual one. Returns 0, or
   -1 if they are not published. */
int lxfw_cmd_site_owners(const char *folder, struct lxfw_publication *publication);

#endif
