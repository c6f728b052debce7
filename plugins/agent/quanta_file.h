/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of suspensions and quanta, and their file in StateSaveLocation. The file
 * consists of lines of text, so that an administrator can restore jobs without the
 * plugin, and a checksum.
 *
 *   lxfw-quanta 1
 *   lent JOB priority PRIORITY for ID
 *   served JOB id ID until UNTIL submit SUBMIT accrue ACCRUE cut CUT
 *   requeued JOB began START
 *   victim JOB suspended TIMES
 *   victims COUNT
 *   end CHECKSUM
 *
 * A file without the "victims" line was written by a release that did not count
 * suspensions, or before all suspensions were counted.
 */
#ifndef LXFW_AGENT_QUANTA_FILE_H
#define LXFW_AGENT_QUANTA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A job that was suspended for another one or its quantum, or after its own quantum. */
struct lxfw_preempted {
	uint32_t job_id;	/* number of its job record */
	uint32_t priority;	/* priority to restore: suspension clears it */
	uint64_t served;	/* the library's id of the job it was suspended for;
				   its own id if it was suspended after its quantum */
	bool planned;		/* about to be suspended */
	bool waits;		/* it waits in the library's queue, which may give its
				   processors to any job until `resume` is set */
	bool counted;		/* the planned suspension is counted in lxfw_victim */
	bool resume;		/* to be resumed as soon as possible */
	bool said;		/* the reason for the delay has been logged */
	int64_t resumed;	/* time of the last resume message to its nodes; 0:
				   not resumed */
	int tellings;		/* number of resume messages sent since it was
				   resumed */
	bool tell;		/* send another one at the end of this pass */
	int64_t over;		/* time at which it was found not suspended any more
				   without the plugin's doing; else 0 */
};

/* A job that has or had a quantum. Kept until the job has ended. */
struct lxfw_served {
	uint32_t job_id;	/* number of its job record, of its array's record
				   while it is part of that */
	uint64_t id;		/* the library's */
	int64_t until;		/* end of its quantum; 0: it is over, and the job
				   runs or is pending as any other */
	int64_t submit, accrue;	/* times from which it waits, kept over its requeue;
				   accrue is 0 once the job record has it again */
	bool planned;		/* about to be started */
	bool cut;		/* it was given less memory than requested */
	bool waited;		/* it was requeued by the agent or found pending after its
				   last start by the agent; not in the file */
};

/* A job that was requeued, or is about to be. Kept until the workload manager has saved
   that: if it dies before, the job runs according to its record, and on no node. */
struct lxfw_requeued {
	uint32_t job_id;	/* number of its job record */
	int64_t began;		/* start of the run that was ended; 0: unknown, since the
				   requeue was only planned */
	int64_t at;		/* time of the requeue; 0: by an earlier process. Not in
				   the file */
	bool planned;		/* about to be requeued; not in the file */
};

/* The number of preemptions of a job since its start, or LXFW_SUSPENSIONS_UNKNOWN. Kept
   until the job has ended or is pending again. */
struct lxfw_victim {
	uint32_t job_id;	/* number of its job record */
	int32_t suspensions;	/* 1 or more */
};

struct lxfw_quanta_books {
	struct lxfw_preempted *preempted;
	size_t preempted_count, preempted_size;
	struct lxfw_served *served;
	size_t served_count, served_size;
	struct lxfw_requeued *requeued;
	size_t requeued_count, requeued_size;
	struct lxfw_victim *victims;
	size_t victim_count, victim_size;
	bool uncounted;		/* preempted jobs may be missing in `victims` */
	char *path;		/* of the file; NULL until it has been read */
	bool dirty;		/* the file must be written */
	bool acted;		/* job records must be saved before the file; also
				   set by changes of shares */
	bool unwritten;		/* writing failed: no quantum may begin */
	bool complained;
	uint64_t broken;	/* the library's id of the job for whose start or
				   resumption a preemption failed; else 0 */
	bool busy;		/* it failed only because hosts of that start are being
				   cleaned up */
	bool end_all;		/* all quanta and preemptions must end */
	bool tell;		/* entries with `tell` set exist */
};

/* Return a new entry, zeroed except for its job, or NULL when memory runs out. */
struct lxfw_preempted *lxfw_preempted_enter(struct lxfw_quanta_books *books,
				  uint32_t job_id);
struct lxfw_served *lxfw_served_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id);

struct lxfw_requeued *lxfw_requeued_enter(struct lxfw_quanta_books *books,
					  uint32_t job_id);

struct lxfw_victim *lxfw_victim_enter(struct lxfw_quanta_books *books,
				      uint32_t job_id);

/* Remove entry INDEX. The order of the others is preserved. */
void lxfw_preempted_remove(struct lxfw_quanta_books *books, size_t index);
void lxfw_served_remove(struct lxfw_quanta_books *books, size_t index);
void lxfw_requeued_remove(struct lxfw_quanta_books *books, size_t index);
void lxfw_victim_remove(struct lxfw_quanta_books *books, size_t index);

/* Return the entry of a job, or NULL. Entries are valid until the next change. */
struct lxfw_preempted *lxfw_preempted_find(const struct lxfw_quanta_books *books,
				 uint32_t job_id);
struct lxfw_served *lxfw_served_find(const struct lxfw_quanta_books *books,
				     uint64_t id);
struct lxfw_requeued *lxfw_requeued_find(const struct lxfw_quanta_books *books,
					 uint32_t job_id);
struct lxfw_victim *lxfw_victim_find(const struct lxfw_quanta_books *books,
				     uint32_t job_id);

/* Allocates memory to count the job's next suspension. Returns false if memory runs
   out. */
bool lxfw_victim_ready(struct lxfw_quanta_books *books, uint32_t job_id);

/* lxfw_victim_count() counts a preemption before it is carried out; call
   lxfw_victim_ready() first. lxfw_victim_uncount() reverses that if the job of LENT was
   not suspended. */
void lxfw_victim_count(struct lxfw_quanta_books *books, struct lxfw_preempted *preempted);
void lxfw_victim_uncount(struct lxfw_quanta_books *books, struct lxfw_preempted *preempted);

/*
 * Writes the records to books->path atomically and synchronizes the file. Returns 0, or
 * -1 with errno set.
 */
int lxfw_quanta_write(const struct lxfw_quanta_books *books);

/*
 * Reads books->path into BOOKS, which must be empty. A missing file counts as empty. Of
 * a damaged file, the valid lines are read. Clears books->uncounted only if the file
 * lists all preempted jobs. Returns 0, or -1 with errno set (EBADMSG if the file is
 * damaged).
 */
int lxfw_quanta_read(struct lxfw_quanta_books *books);

/* Frees and zeroes BOOKS. */
void lxfw_quanta_clear(struct lxfw_quanta_books *books);

#endif
