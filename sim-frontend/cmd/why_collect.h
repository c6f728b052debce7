/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects what a journal contains of one job while its decisions are repeated, and asks the
 * scheduler at the end why the job still waits.
 */
#ifndef LXFW_CMD_WHY_COLLECT_H
#define LXFW_CMD_WHY_COLLECT_H

#include "common/util/id_map.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/report/why.h"

/* Set `wanted` and `which`, and the rest to 0 but for `why`; release with
   lxfw_why_collect_clear(). */
struct lxfw_why_collect {
	uint64_t wanted;	/* an id or a number in its log */
	int64_t which;		/* which one of several jobs with that number; 0: the
				   last one */
	char *name;		/* the job as it is given, of a look; NULL otherwise */
	struct lxfw_why why;
	size_t tasks;		/* submissions of tasks of the wanted array, or of that of
				   the wanted task */
	/* Internal. */
	int format;		/* of the segment; 0: unknown */
	size_t segments;	/* begun */
	bool later_segment;	/* not the first one */
	bool fresh;		/* no decision was made since its submission */
	bool unseen;		/* not reported yet in this segment */
	int64_t reserved;	/* start of its reservation, or LXFW_NEVER */
	struct lxfw_share *shares;	/* of its reservation, or of its expected start */
	int32_t share_count;
	bool for_pools;		/* it waits for pools alone */
	int64_t continued;	/* time since which it has run */
	int64_t ran;		/* run time before that since its start, seconds */
	int64_t stopped;	/* time of its suspension */
};

/* The hooks of a replayer; their context is the collection. */
int lxfw_why_segment(void *context);
int lxfw_why_event(void *context, struct lxfw_replayer *replay,
		   const struct lxfw_event *event);
int lxfw_why_decision(void *context, struct lxfw_replayer *replay);

/* Adds the time until TIME to that of the reason that keeps the job, if one does. */
void lxfw_why_end_kept(struct lxfw_why *why, int64_t time);

/* Takes the shares of an action as those of its place in the plan. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_why_take_place(struct lxfw_why_collect *collect, const struct lxfw_action *action);

/* Takes an event that concerns the job. Returns 0, or -1 with errno ENOMEM. */
int lxfw_why_take(struct lxfw_why_collect *collect, const struct lxfw_event *event);

/* After the last record: why the job waits, and what would start it sooner. Changes the
   model of the replayer. Returns 0, or -1 with errno ENOMEM. */
int lxfw_why_finish(struct lxfw_why_collect *collect, struct lxfw_replayer *replay);

/* The same for COUNT jobs; BY_ID has their positions in LIST. What would start a job sooner
   is tried for the first CHANGES of them. */
int lxfw_why_finish_all(struct lxfw_why_collect *list, size_t count,
			const struct lxfw_id_map *by_id, size_t changes,
			struct lxfw_replayer *replay);

void lxfw_why_collect_clear(struct lxfw_why_collect *collect);

#endif
