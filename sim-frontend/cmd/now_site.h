/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look at the Slurm that runs (lxfw-watch(1)) in the folder of a site, so that the commands of users
 * need not look themselves: its journal, which has no users, and its partitions.
 */
#ifndef LXFW_CMD_NOW_SITE_H
#define LXFW_CMD_NOW_SITE_H

#include "common/util/error.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/watch/watch.h"

#define LXFW_SITE_LOOK "look"
#define LXFW_SITE_PARTITIONS "partitions"

/* Opens a watch with the temporary JOURNAL, and looks. PREPARE, or NULL, is called before. Returns
   NULL with ERROR set. */
struct lxfw_watch *lxfw_now_look(const char *journal, struct lxfw_watch_texts *texts, int64_t now,
				 void (*prepare)(struct lxfw_watch *watch),
				 struct lxfw_error *error);

/* What a look knows beside its files. {0} is empty. */
struct lxfw_now_told {
	struct lxfw_watch_said *said;	/* see lxfw_watch_said() */
	size_t count;
};

/* Looks, and writes both files for all users. Sets *TOLD, of which `said` is to be freed, adds what
   readers must know to the notes of PUBLICATION, and sets the time of its look. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_now_site_write(const char *folder, struct lxfw_now_told *told,
			struct lxfw_publication *publication, struct lxfw_error *error);

/* The files of a look. {0} is empty. */
struct lxfw_now_site {
	char *journal;
	size_t length;
	int64_t time;			/* of the look, seconds since 1970 */
	struct lxfw_watch_partition *partitions;	/* `with` by the index in `wanted` */
	size_t count;
	struct lxfw_watch_gres *gres;
	size_t gres_count;
	struct lxfw_watch_wanted *wanted;	/* hosts with one feature each */
	int wanted_count;
	bool all_wanted;		/* the nodes have no other features */
};

void lxfw_now_site_clear(struct lxfw_now_site *site);

/* Reads both files, of the same look also while they are written. Returns 0, or -1. */
int lxfw_now_site_read(const char *journal, const char *partitions, struct lxfw_now_site *to);

/* Reads the text of the file of partitions to an empty *TO. DIGEST is that of the journal of the
   same look, SHA-256 in hexadecimal. Returns 0, or -1 with errno set: EINVAL if it is not such a
   file, and *TO is empty. */
#define LXFW_NOW_DIGEST 65
int lxfw_now_site_parse(const char *text, struct lxfw_now_site *to, char digest[LXFW_NOW_DIGEST]);

/* Sets *INDEX to that of WANTED, or to -1 if no node is such. Returns whether that is known. */
bool lxfw_now_site_wanted(const struct lxfw_now_site *site, const struct lxfw_watch_wanted *wanted,
			  int *index);

#endif
