/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at the Slurm that runs (lxfw-watch(1)), and what the service of a site publishes of its look, so that
 * the commands of users need not ask the controller: what Slurm has answered, without users.
 */
#ifndef LXFW_CMD_NOW_SITE_H
#define LXFW_CMD_NOW_SITE_H

#include "common/util/error.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/watch/watch.h"

/* The file in the folder of a site, see texts_file.h. */
#define LXFW_SITE_LOOK "look"

/* Opens a watch with the temporary JOURNAL, and looks. PREPARE, or NULL, is called before; what the look
   notes is printed unless it is QUIET. Returns NULL with ERROR set. */
struct lxfw_watch *lxfw_now_look(const char *journal, struct lxfw_watch_texts *texts, int64_t now,
				 void (*prepare)(struct lxfw_watch *watch), bool quiet,
				 struct lxfw_error *error);

/* What a look knows beside its file. {0} is empty. */
struct lxfw_now_told {
	struct lxfw_watch_said *said;	/* see lxfw_watch_said() */
	size_t count;
};

/* Looks, and writes the file for all users. Sets *TOLD, of which `said` is to be freed, adds what
   readers must know to the notes of PUBLICATION, and sets the time of its look. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_now_site_write(const char *folder, struct lxfw_now_told *told,
			struct lxfw_publication *publication, struct lxfw_error *error);

#endif
