/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is under way of immediate service, and its file in StateSaveLocation:
 * lines of text, so that whoever has to bring jobs back without the plugin can
 * read it, and a checksum of them.
 *
 *   lxfw-quanta 1
 *   lent JOB priority PRIORITY for ID
 *   served JOB id ID until UNTIL submit SUBMIT accrue ACCRUE cut CUT
 *   victim JOB suspended TIMES
 *   victims COUNT
 *   end CHECKSUM
 *
 * A file without the last but one is of a release that did not count suspensions.
 */
#ifndef LXFW_AGENT_QUANTA_FILE_H
#define LXFW_AGENT_QUANTA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A job that we suspended. */
struct lxfw_lent {
	uint32_t job_id;	/* number of its record */
	uint32_t priority;	/* to be had again: suspending takes it */
	uint64_t served;	/* the library's id of whom it makes way for; its
				   own when it was suspended after its quantum */
	bool planned;		/* about to be suspended */
	bool counted;		/* and that is counted already */
	bool resume;		/* to go on as soon as it can */
	bool said;		/* that it cannot */
	int64_t resumed;	/* when its nodes were told last that it goes on.
				   0: it does not */
	int tellings;		/* and how often, until it is certain that they know */
	bool tell;		/* again, at the end of this pass */
	int64_t over;		/* since when it is not suspended any more by anybody
				   else's doing; 0: it is */
};

/* A job that is in its quantum or has had it. Known until it has ended. */
struct lxfw_served {
	uint32_t job_id;	/* number of its record, of the array if
				   still in one */
	uint64_t id;		/* the library's */
	int64_t until;		/* end of its quantum; 0: over, it runs on or waits
				   as any other */
	int64_t submit, accrue;	/* what it waits by, kept over its requeue;
				   accrue is 0 when its record has it again */
	bool planned;		/* about to be started */
	bool cut;		/* has less memory than it asked for */
};

/* A job that was suspended for others since it was started: how often, or
   LXFW_SUSPENSIONS_UNKNOWN. Known until it has ended or waits again. */
struct lxfw_victim {
	uint32_t job_id;	/* number of its record */
	int32_t suspensions;	/* 1 or more */
};

struct lxfw_quanta_books {
	struct lxfw_lent *lent;
	size_t lent_count, lent_size;
	struct lxfw_served *served;
	size_t served_count, served_size;
	struct lxfw_victim *victims;
	size_t victim_count, victim_size;
	bool uncounted;		/* there may be victims that are not among them */
	char *path;		/* of the file; NULL before it was read */
	bool dirty;		/* it is to be written again */
	bool acted;		/* job records are to be saved before that;
				   set by changes of shares, too */
	bool unwritten;		/* that failed: no new quanta */
	bool complained;
	bool broken;		/* a victim of the next start was not suspended */
	bool end_all;		/* what is under way is to end */
	bool tell;		/* there are entries with that */
};

/* A new entry, zeroed but for its job, or NULL when memory runs out. */
struct lxfw_lent *lxfw_lent_enter(struct lxfw_quanta_books *books,
				  uint32_t job_id);
struct lxfw_served *lxfw_served_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id);

struct lxfw_victim *lxfw_victim_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id);

/* Entries keep their order. */
void lxfw_lent_remove(struct lxfw_quanta_books *books, size_t index);
void lxfw_served_remove(struct lxfw_quanta_books *books, size_t index);
void lxfw_victim_remove(struct lxfw_quanta_books *books, size_t index);

struct lxfw_lent *lxfw_lent_find(const struct lxfw_quanta_books *books,
				 uint32_t job_id);
struct lxfw_served *lxfw_served_find(const struct lxfw_quanta_books *books,
				     uint64_t id);
struct lxfw_victim *lxfw_victim_find(const struct lxfw_quanta_books *books,
				     uint32_t job_id);

/* Make room for counting the job's next suspension. False if memory runs out. */
bool lxfw_victim_ready(struct lxfw_quanta_books *books, uint32_t job_id);

/* After that: the job of LENT is about to be suspended for another, which is counted
   before it is done. It was not suspended after all: it is taken back, if it was counted. */
void lxfw_victim_count(struct lxfw_quanta_books *books, struct lxfw_lent *lent);
void lxfw_victim_uncount(struct lxfw_quanta_books *books, struct lxfw_lent *lent);

/*
 * Write the books to books->path, whole or not at all, and onto the disk. Returns
 * 0, or -1 with errno.
 */
int lxfw_quanta_write(const struct lxfw_quanta_books *books);

/*
 * Read books->path into empty BOOKS. A file that is not there is empty; one that
 * is damaged is read as far as it makes sense. Sets books->uncounted unless it tells
 * of all victims. Returns 0, or -1 with errno (EBADMSG: damaged).
 */
int lxfw_quanta_read(struct lxfw_quanta_books *books);

void lxfw_quanta_clear(struct lxfw_quanta_books *books);

#endif
