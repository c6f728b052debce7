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
};

/* Jobs that are being passed are left out. */
struct lxfw_lacks {
	int64_t (*seconds)[LXFW_LACKS];	/* by stay: of its wait */
	bool *all_fit;		/* by stretch: jobs wait, and would have fitted together */
	int64_t *smallest;	/* by stretch: processors of the smallest waiting job
				   that would have fitted, or INT64_MAX */
};

/* Returns whether a job was passed by later ones for a time. */
bool lxfw_is_passed(const struct lxfw_stay *stay, const struct lxfw_passed *passed);

/* Returns 0, or -1 with errno ENOMEM and *LACKS empty. */
int lxfw_lacks_find(struct lxfw_lacks *lacks, const struct lxfw_lacks_input *input);

void lxfw_lacks_clear(struct lxfw_lacks *lacks);

#endif
