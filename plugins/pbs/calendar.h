/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dedicated time and prime time, as the files of a scheduler's sched_priv folder say:
 *
 *   sched_config     prefixes of queues, backfill_prime, prime_spill,
 *                    prime_exempt_anytime_queues, by_queue, round_robin, job_sort_key,
 *                    preemptive_sched, strict_ordering
 *   dedicated_time   "MM/DD/YYYY HH:MM MM/DD/YYYY HH:MM", from and to
 *   holidays         YEAR; prime time of each day of the week; days of the year without any
 *
 * In dedicated time, only jobs of dedicated queues run, and they run in no other time. Jobs of
 * prime queues start in prime time, those of nonprime queues in nonprime time. With
 * backfill_prime, no job runs across a change of prime time by more than prime_spill. All times
 * are in the time zone of the process.
 */
#ifndef LXFW_PBS_CALENDAR_H
#define LXFW_PBS_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "common/model/time.h"
#include "plugins/pbs/sched.h"

/* Prime time of a day, in minutes: from `prime` on, until `nonprime`, or the other way
   around if that is earlier. */
struct lxfw_pbs_day {
	bool set, all, none;	/* all: prime time all day; none: none of it */
	int32_t prime, nonprime;
};

struct lxfw_pbs_gap {
	int64_t from, to;
};

/* Changes of prime time that are known in advance. */
#define LXFW_PBS_CHANGES 6

/* What a queue is. */
enum lxfw_pbs_class {
	LXFW_PBS_ANYTIME,
	LXFW_PBS_DEDICATED,
	LXFW_PBS_PRIME,
	LXFW_PBS_NONPRIME,
};

struct lxfw_pbs_calendar {
	char *dedicated_prefix, *prime_prefix, *nonprime_prefix;	/* NULL: none */
	bool backfill[2];	/* backfill_prime in nonprime time, and in prime time */
	int64_t spill[2];	/* seconds that jobs may run into nonprime time, and into
				   prime time */
	bool ignored;		/* reservations may meet dedicated time */
	bool by_queue[2], together[2];	/* in nonprime time, and in prime time: by_queue is true,
					   or false */
	bool round_robin[2];
	bool preempts[2];	/* preemptive_sched */
	bool strict[2];		/* strict_ordering */
	bool sorted[2];		/* there is a job_sort_key */
	int by_priority[2];	/* the first one is job_priority: 1 HIGH, -1 LOW; else 0 */
	bool exempt;		/* backfill_prime leaves out jobs of other queues */
	int32_t year;		/* of the holidays; 0: prime time at all times */
	struct lxfw_pbs_day day[7];	/* from Sunday on */
	bool holiday[367];	/* from 1 on */
	struct lxfw_pbs_gap *gap;	/* dedicated times, ascending */
	size_t gap_count, gap_size;
	char **script;		/* server_dyn_res, valid for lxfw_pbs_scripts_add() */
	size_t script_count, script_size;
	bool failed;		/* memory ran out */
	/* The next changes of prime time after `asked`, ascending. */
	int64_t asked, change[LXFW_PBS_CHANGES];
	int changes;
	struct stat files[3];	/* as last read */
};

/* CALENDAR must be zeroed before the first call. */
void lxfw_pbs_calendar_clear(struct lxfw_pbs_calendar *calendar);

/* Reads the files of FOLDER again if one of them has changed. A file that does not exist is
   empty; a line that cannot be read is logged as FILE:LINE and left out. Returns true if they
   were read. */
bool lxfw_pbs_calendar_read(struct lxfw_pbs_calendar *calendar, const char *folder);

/* Reads a line of file INDEX: 0, sched_config; 1, dedicated_time; 2, holidays. The line is changed.
   Returns false if it cannot be read. */
bool lxfw_pbs_calendar_line(struct lxfw_pbs_calendar *calendar, int index, char *line);

enum lxfw_pbs_class lxfw_pbs_class_of(const struct lxfw_pbs_calendar *calendar,
				      const char *queue);

/* The order of queues at TIME, as pbs_sched has it. Queues of a round robin are those of a
   priority. */
enum lxfw_pbs_queue_order lxfw_pbs_queue_order(const struct lxfw_pbs_calendar *calendar,
					       int64_t time);
/* Returns 1 if jobs of a higher priority (qsub -p) are first at that time, -1 if they are last, or 0
   if their priority does not matter. */
int lxfw_pbs_priority_order(const struct lxfw_pbs_calendar *calendar, int64_t at);

/* Returns true if jobs of a higher level preempt others at that time. */
bool lxfw_pbs_preempts(const struct lxfw_pbs_calendar *calendar, int64_t at);

/* Returns true if strict_ordering is set at that time: jobs that cannot start have reservations. */
bool lxfw_pbs_is_strict(const struct lxfw_pbs_calendar *calendar, int64_t at);
/* Sets what holds without the files of sched_priv: what OpenPBS installs. Prefixes of queues have no
   effect without known prime times. */
void lxfw_pbs_calendar_installed(struct lxfw_pbs_calendar *calendar);

bool lxfw_pbs_is_prime(const struct lxfw_pbs_calendar *calendar, int64_t time);
/* Finds the times at which prime time begins or ends after TIME, the first LXFW_PBS_CHANGES, in
   calendar->change. Returns the first one, or LXFW_NEVER. */
int64_t lxfw_pbs_prime_change(struct lxfw_pbs_calendar *calendar, int64_t time);
/* Returns the time at which jobs that start before change INDEX must end because of
   backfill_prime; or LXFW_NEVER. It does not apply to jobs of other queues if
   calendar->exempt. */
int64_t lxfw_pbs_prime_limit(const struct lxfw_pbs_calendar *calendar, int index);

/* Returns the dedicated time in which TIME is, or the next one; or NULL. */
const struct lxfw_pbs_gap *lxfw_pbs_dedicated(const struct lxfw_pbs_calendar *calendar,
					      int64_t time);
/* Returns true if a dedicated time begins or ends between START and END, or all of it is. */
bool lxfw_pbs_meets_dedicated(const struct lxfw_pbs_calendar *calendar, int64_t start,
			      int64_t end);

/* Returns the time by which a job of the queue must end that starts at TIME; or LXFW_NEVER. A
   dedicated time that begins later does not count, and a change of prime time only for prime and
   nonprime queues: other jobs are planned around them. */
int64_t lxfw_pbs_must_end(struct lxfw_pbs_calendar *calendar, const char *queue, int64_t time);

/* Returns why a job of the queue that runs for SECONDS may not start at TIME; or NULL if it
   may. */
const char *lxfw_pbs_closed(struct lxfw_pbs_calendar *calendar, const char *queue, int64_t time,
			    int64_t seconds);

#endif
