/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What suspensions and requeues cost a simulated job. A job that has ended is not suspended:
 * its hosts are then still in use for its end overhead, and a policy that suspends it there
 * delays only the release of the hosts.
 */
#ifndef LXFW_ENGINE_INTERRUPTIONS_H
#define LXFW_ENGINE_INTERRUPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Cost of interruptions of a job, seconds. All 0 at first. */
struct lxfw_interruptions {
	int64_t lost;		/* run time before requeues */
	int64_t suspended;	/* in the last run */
	/* Private. */
	int64_t since;		/* when it started to run, or was suspended */
	int64_t ran;		/* run time before that */
	int64_t length;		/* of a run without its end overhead, or LXFW_NEVER */
	bool stopped;		/* the job is suspended */
	bool over;		/* it had ended when it was suspended */
	uint32_t uncounted;	/* number of suspensions after its end */
};

/* The job starts at NOW, and its end overhead begins when it has run for LENGTH seconds;
   LXFW_NEVER: unknown, or there is none. */
void lxfw_interruptions_start(struct lxfw_interruptions *of, int64_t now, int64_t length);

/* The job is suspended at NOW. Returns true if this is a suspension; otherwise the job had
   ended, and *END is set to the time of its end at the first of these calls. */
bool lxfw_interruptions_suspend(struct lxfw_interruptions *of, int64_t now, int64_t *end);

void lxfw_interruptions_resume(struct lxfw_interruptions *of, int64_t now);

/* The job is requeued at NOW, and had not ended after all. Returns the number of its
   suspensions that lxfw_interruptions_suspend() did not count. */
uint32_t lxfw_interruptions_requeue(struct lxfw_interruptions *of, int64_t now);

#endif
