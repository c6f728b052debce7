/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the waiting jobs of a schedule lacked over time, judged on the hosts that each of
 * them could use (room.h). Jobs that run are on the hosts that were recorded, or on those
 * that the scheduler would have chosen.
 */
#ifndef LXFW_METRICS_LACKS_H
#define LXFW_METRICS_LACKS_H

#include "sim-frontend/metrics/passed.h"
#include "sim-frontend/metrics/room.h"
#include "sim-frontend/metrics/timeline.h"

struct lxfw_lacks_input {
	const struct lxfw_stay *stays;
	const struct lxfw_passed *passed;	/* parallel to the stays */
	size_t count;
	const struct lxfw_timeline *timeline;	/* of the stays */
	const struct lxfw_room_machine *machine;
	int64_t grace;		/* seconds in which a scheduler may not have noticed yet that
				   there is room */
};

/*
 * A job is *free to start* if it fits and no order of the jobs explains its wait: all
 * waiting jobs fit together, or for longer than the grace time each job that may use the same
 * hosts fits, so that a scheduler would have started one of them. A job that fits on hosts which
 * those that do not fit cannot use is free, too. Jobs that are being passed are left out.
 */
struct lxfw_lacks {
	int64_t (*seconds)[LXFW_LACKS];	/* by stay: of its wait */
	int64_t *unhindered;	/* by stay: seconds in which it was free to start */
	bool *all_free;		/* by stretch: jobs wait, and all were free to start all the
				   time */
	int64_t *smallest;	/* by stretch: processors of the smallest waiting job
				   that would have fitted, or INT64_MAX */
};

/* Returns whether a job was passed by later ones for a time. */
bool lxfw_is_passed(const struct lxfw_stay *stay, const struct lxfw_passed *passed);

/* Returns 0, or -1 with errno ENOMEM and *LACKS empty. */
int lxfw_lacks_find(struct lxfw_lacks *lacks, const struct lxfw_lacks_input *input);

void lxfw_lacks_clear(struct lxfw_lacks *lacks);

#endif
