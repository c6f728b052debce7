/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pending jobs a look must read. Reading a job takes microseconds: Slurm determines
 * whether it may start, limits are tested, and its request is made and compared with that
 * of the library. For a job whose record has not changed since it was read, the result is
 * the same unless something else has changed. A look therefore examines records
 * (watch_look.h), but reads only
 *
 *  - jobs that are new, or whose record has changed (watch_mark.h),
 *  - all jobs, if partitions, reservations, the configuration, or the resources or features
 *    of nodes have changed,
 *  - if a job has started, has ended or has been cleaned up since the last look, or if
 *    numbers of licenses have changed: jobs that wait for something other than nodes
 *    (limits, licenses, dependencies), and all jobs if limits are enforced,
 *  - jobs that are passed to Slurm, components of heterogeneous jobs, jobs with a priority
 *    set by hand, with a burst buffer, or that depend on a time after another job's start,
 *  - jobs for which a begin time, the begin of a reservation or a deadline is due, and jobs
 *    that were refused,
 *  - once a second, in turn, an equal part of all others, so that each one is read in
 *    LXFW_WATCH_TURNS seconds, as far as `turn_us` permits; while jobs are pending that a
 *    look does not read, a look is made each second. If fewer than twice `least` jobs are
 *    pending, each look reads all.
 *
 * With settings for which a look needs the complete queue (preemption, bf_max_job_*,
 * reduce_completing_frag), each look reads all jobs.
 *
 * A job is started only if its record, read again at the start, permits it.
 */
#ifndef LXFW_BRIDGE_WATCH_H
#define LXFW_BRIDGE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/slurm/bridge/rank.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* Number of seconds in which each job is read at least once. */
#define LXFW_WATCH_TURNS 32

/* The pending jobs are divided into this number of parts, by their numbers. Jobs with
   consecutive numbers are neighbours in memory: a part has groups of 1 << LXFW_WATCH_GROUP. */
#define LXFW_WATCH_PARTS 32
#define LXFW_WATCH_GROUP 4

/* Defaults of `least`, `most`, `read_us` and `turn_us`. Built with -DLXFW_WATCH_LEAST=0
   -DLXFW_WATCH_MOST=0, a look reads jobs in turn and examines them in parts however few are
   pending, as the live tests can then show. */
#ifndef LXFW_WATCH_LEAST
#define LXFW_WATCH_LEAST 1000
#endif
#ifndef LXFW_WATCH_MOST
#define LXFW_WATCH_MOST 12000
#endif
#define LXFW_WATCH_READ_US 25000
#define LXFW_WATCH_TURN_US 3000

enum lxfw_watch_result {
	LXFW_WATCH_NOTHING,	/* not in the library: it may not start now */
	LXFW_WATCH_WAITING,	/* reported to the library */
	LXFW_WATCH_ALWAYS,	/* to be read in each look */
};

/* A pending job as it was last read. */
struct lxfw_watched {
	job_record_t *job;	/* valid in a look that examined it (`fresh`) */
	uint64_t mark;		/* lxfw_watch_mark(); 0: it must be read */
	uint64_t id;		/* the library's; 0: an array */
	int64_t again;		/* time at which it must be read; INT64_MAX: none */
	uint32_t job_id;
	uint32_t seen;		/* last look in which it was pending */
	uint32_t read;		/* last pass that read it */
	uint32_t due;		/* round in which it has its turn */
	uint32_t tables, runs;	/* struct lxfw_watch, when it was read */
	uint32_t place;		/* for lxfw_mirror_steady() */
	uint16_t records;	/* number of its records in Slurm's queue */
	uint8_t result;		/* enum lxfw_watch_result */
	uint8_t left;		/* why it is left to Slurm (enum lxfw_reason), or 0 */
	bool reported;		/* to the library, when it was read */
	uint64_t aside;		/* the id by which it was reported to wait without the
				   library (aside.h), or 0 */
	bool held, licensed;	/* its priority is 0; it requests licenses */
	bool fresh;		/* this look has examined its record */
};

struct lxfw_job_list {
	job_record_t **job;
	size_t count, size;
};

/* A part of the pending jobs. */
struct lxfw_watch_part {
	time_t examined;	/* the second in which all its records were last examined */
	struct lxfw_computed computed;	/* of its jobs */
};

struct lxfw_watch {
	struct lxfw_watched *job;
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `job` */
	size_t next;		/* index at which the next job is probably found */
	struct lxfw_watch_part part[LXFW_WATCH_PARTS];
	time_t listed;		/* the second in which Slurm's list was last walked; 0:
				   never */
	time_t updated;		/* last_job_update at the last look */
	uint32_t next_unit;	/* the next part to be examined; LXFW_WATCH_PARTS: the list
				   is walked before that */
	int records;		/* number of Slurm's records at the last look */
	uint32_t newest;	/* number of the newest job */
	uint32_t *busy;		/* numbers of jobs that ran, were suspended or were being
				   cleaned up at the last look */
	size_t busy_count, busy_size;
	/* During a look: */
	struct lxfw_job_list all;	/* jobs whose records are examined, in any state */
	struct lxfw_job_list todo;	/* jobs that must be read */
	struct lxfw_job_list turn;	/* those that are read in their turn */
	size_t least;
	size_t most;		/* number of pending jobs, or a quarter of all if those are
				   more, whose records a look examines because some
				   record has changed */
	uint64_t read_us;	/* time under locks for reading jobs; the look is then
				   ended, and continues after a pause */
	uint64_t turn_us;	/* the same for those that are read in their turn; the
				   rest has its turn in the next look */
	bool touched;		/* the examined records may have changed */
	uint32_t turns;		/* of this look */
	uint32_t look;		/* number of looks */
	uint32_t round;		/* number of looks in which jobs had their turn */
	int64_t round_at;	/* second of the last one */
	bool round_now;		/* this look is one */
	uint32_t seen_tables;	/* `tables` when the last look began */
	uint32_t tables;	/* number of changes of partitions, reservations, the
				   configuration, and the resources and features of nodes */
	uint32_t runs;		/* number of changes of the jobs that run or clean up, and of
				   licenses */
	time_t licenses;	/* last_license_update at the last look */
	uint64_t running, running_before;	/* hash of the jobs that run: in this
						   look, in the last one */
	uint32_t resized;	/* agent.hosts.resized at the last look */
	uint32_t read;		/* number of jobs read in this pass */
};

/* Returns the part to which the job belongs. */
static inline uint32_t lxfw_watch_part(uint32_t job_id)
{
	return (job_id >> LXFW_WATCH_GROUP) % LXFW_WATCH_PARTS;
}

/* Notes a job that runs, is suspended or is being cleaned up, or one that is pending. */
void lxfw_watch_runs(struct lxfw_bridge *bridge, const job_record_t *job);
void lxfw_watch_pends(struct lxfw_bridge *bridge, job_record_t *job);

/* When the listed jobs have been noted: keeps the jobs that need not be read as they were
   reported, and lists the others in watch->todo, components of heterogeneous jobs first,
   and in watch->turn. With WHOLE, all are in watch->todo. Forgets jobs that are not pending. */
void lxfw_watch_choose(struct lxfw_bridge *bridge, bool whole);

/* Adds a job to LIST. */
void lxfw_watch_list(struct lxfw_bridge *bridge, struct lxfw_job_list *list,
		     job_record_t *job);

/* Returns the entry of a pending job, or NULL; valid until the next look. */
struct lxfw_watched *lxfw_watch_find(const struct lxfw_watch *watch, uint32_t job_id);

/* Begins and ends the reading of a listed job. In between, the caller sets `records` and
   `result`. KEPT: it is in watch->turn. */
void lxfw_watch_read(struct lxfw_bridge *bridge, const job_record_t *job, bool kept);
void lxfw_watch_was_read(struct lxfw_bridge *bridge, const job_record_t *job);

/* All jobs must be read again. */
void lxfw_watch_forget(struct lxfw_watch *watch);
void lxfw_watch_clear(struct lxfw_watch *watch);

#endif
