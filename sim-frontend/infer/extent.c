/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines how long outages lasted: while a job could have been started and was not,
   or while other starts delayed the first job of the queue. */
#include "sim-frontend/infer/ahead.h"
#include "sim-frontend/infer/capacity.h"

/* The extent of an outage so far. */
struct extent {
	int64_t begin, end;
};

static void look_at(struct lxfw_ahead *ahead, int64_t procs,
		    const struct lxfw_outage *outage, struct extent *extent)
{
	const struct lxfw_sweep *sweep = ahead->sweep;

	bool could;

	if (sweep->now < outage->begin || sweep->until == sweep->now)
		return;
	could = lxfw_ahead_can(ahead, procs);
	if (!could && !ahead->delayed)
		return;
	if (sweep->now < extent->begin)
		extent->begin = sweep->now;
	if (!could && sweep->now > extent->end)
		extent->end = sweep->now;
	if (could && sweep->until > extent->end)
		extent->end = sweep->until;
}

int lxfw_extent_find(struct lxfw_inferred *inferred,
		     const struct lxfw_capacity_input *input)
{
	struct lxfw_sweep *sweep = input->sweep;
	struct lxfw_ahead ahead;

	lxfw_sweep_rewind(sweep);
	if (lxfw_ahead_begin(&ahead, sweep))
		return -1;
	for (size_t i = 0; i < inferred->outage_count; i++) {
		struct lxfw_outage *outage = &inferred->outages[i];
		struct extent extent = { outage->known, outage->known_end };

		while (lxfw_sweep_next(sweep)) {
			lxfw_ahead_follow(&ahead);
			look_at(&ahead, input->procs, outage, &extent);
			if (sweep->until >= outage->end)
				break;
		}
		if (outage->begin < extent.begin - input->grace)
			outage->begin = extent.begin - input->grace;
		outage->end = extent.end;
	}
	lxfw_ahead_end(&ahead);
	return 0;
}
