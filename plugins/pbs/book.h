/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs as the server last reported them, so that a look reads only those that have changed.
 * calls.c makes such a look in two steps:
 *
 *   1. state, substate and mtime of all jobs: lxfw_pbs_book_seen() finds the changed ones,
 *      lxfw_pbs_book_sweep() drops those that are gone
 *   2. all attributes of jobs with the mtime of the oldest change, or a later one:
 *      lxfw_pbs_book_put(), lxfw_pbs_book_set()
 *
 * The server sets a job's mtime, in seconds, whenever it saves the job: at each change of its
 * state or its attributes. A job with the latest mtime seen may change again in that second. It
 * counts as changed in the next look. The server does not save an array when its waiting tasks
 * change. Arrays are always read. Resources used are not saved either and may be old here.
 * eligible_time of the server grows while a job is eligible, and so it does here.
 *
 * A book that may be wrong is not valid, and all jobs are read: at first, after each failure,
 * and LXFW_PBS_BOOK_SECONDS after the last time.
 */
#ifndef LXFW_PBS_BOOK_H
#define LXFW_PBS_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/pbs/select.h"

#define LXFW_PBS_BOOK_SECONDS 60

struct lxfw_pbs_site;

struct lxfw_pbs_entry {
	char *id;
	char *text;		/* name, resource, value, name... each with its null byte */
	size_t length, size;
	struct lxfw_pbs_parsed parsed;	/* the select, when it has been used */
	int64_t mtime;
	uint64_t read_us;	/* lxfw_now_us() at which `text` was read */
	int substate;
	char state;
	bool array, seen;
};

struct lxfw_pbs_book {
	struct lxfw_pbs_entry *entry;
	size_t count, size;
	struct lxfw_id_map by_hash;	/* hash of the id: index */
	int64_t latest, before;	/* mtime: the latest of this look, of looks before */
	uint64_t read_us;	/* likewise, at which all jobs were read */
	bool valid;
};

/* Empties the book. It is not valid then. */
void lxfw_pbs_book_clear(struct lxfw_pbs_book *book);
/* Begins a look. Returns false if all jobs must be read; the book is empty then. */
bool lxfw_pbs_book_begin(struct lxfw_pbs_book *book);
/* Ends a look that has succeeded. */
void lxfw_pbs_book_end(struct lxfw_pbs_book *book);

/* Notes that the server has the job. Returns false if it is new or may have changed, as an
   array always may. */
bool lxfw_pbs_book_seen(struct lxfw_pbs_book *book, const char *id, char state, int substate,
			int64_t mtime);
/* Drops the jobs that have not been seen in this look. */
void lxfw_pbs_book_sweep(struct lxfw_pbs_book *book);
/* Returns an empty entry for the job, in place of an old one; or NULL if memory ran out or
   another job has the same hash. It is valid until the next call. */
struct lxfw_pbs_entry *lxfw_pbs_book_put(struct lxfw_pbs_book *book, const char *id);
/* Adds an attribute. Returns false if memory ran out. */
bool lxfw_pbs_book_set(struct lxfw_pbs_book *book, struct lxfw_pbs_entry *entry,
		       const char *name, const char *resource, const char *value);
/* The resources of the site have changed: selects are read again. */
void lxfw_pbs_book_forget_selects(struct lxfw_pbs_book *book);
/* Adds all jobs to SITE, which must not use them any more when the next look begins. */
void lxfw_pbs_book_show(const struct lxfw_pbs_book *book, struct lxfw_pbs_site *site);

#endif
