/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/held.h"

#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

void lxfw_holds_drop_one(struct lxfw_holds *holds, int at)
{
	FREE_NULL_BITMAP(holds->hold[at].nodes);
	holds->count--;
	memmove(&holds->hold[at], &holds->hold[at + 1],
		(size_t)(holds->count - at) * sizeof(*holds->hold));
}

void lxfw_holds_drop(struct lxfw_holds *holds)
{
	while (holds->count > 0)
		lxfw_holds_drop_one(holds, holds->count - 1);
}

const struct lxfw_node_hold *lxfw_holds_find(const struct lxfw_bridge *bridge,
					uint32_t job_id)
{
	for (int i = 0; i < bridge->holds.count; i++) {
		if (bridge->holds.hold[i].job_id == job_id)
			return &bridge->holds.hold[i];
	}
	return NULL;
}

void lxfw_holds_spare(const struct lxfw_bridge *bridge, uint32_t job_id,
		      int64_t start, int64_t seconds, bitstr_t *nodes)
{
	for (int i = 0; i < bridge->holds.count; i++) {
		const struct lxfw_node_hold *hold = &bridge->holds.hold[i];

		if (hold->job_id == job_id)
			return;		/* later holds give way to this job */
		if (hold->start < start + seconds)
			bit_and_not(nodes, hold->nodes);
	}
}

bool lxfw_holds_is_due(const struct lxfw_bridge *bridge, uint32_t job_id)
{
	const struct lxfw_node_hold *hold = lxfw_holds_find(bridge, job_id);

	return hold && (hold->start <= bridge->agent.clock || bridge->agent.new_room ||
			bridge->agent.had_room);
}

int64_t lxfw_holds_wake(const struct lxfw_bridge *bridge)
{
	int64_t wake = LXFW_NEVER;

	for (int i = 0; i < bridge->holds.count; i++) {
		int64_t due = bridge->holds.hold[i].start;

		if (due <= bridge->agent.clock)
			due = bridge->agent.clock + 1;
		if (due < wake)
			wake = due;
	}
	return wake;
}
