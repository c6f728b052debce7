/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passes over Slurm's bridge, without a time limit. */
#ifndef LXFW_TESTS_BRIDGE_PASS_H
#define LXFW_TESTS_BRIDGE_PASS_H

#include "plugins/agent/pass.h"
#include "plugins/agent/setup.h"
#include "plugins/slurm/bridge/bridge.h"
#include "tests/unit/fake_ctld.h"

/* The next bridges read jobs that have not changed in turn, and examine records in parts,
   however few are pending (watch.h). */
static bool in_turn;

/* Return false if the pass ended early; the next one may succeed. */
static inline bool one_pass(struct lxfw_bridge *bridge)
{
	uint64_t before = bridge->agent.total.passes;

	(void)lxfw_agent_pass(&bridge->agent);
	return bridge->agent.total.passes > before && !bridge->agent.rebuild;
}

/* Make passes until none has more to do at this time. */
static inline void passes(struct lxfw_bridge *bridge)
{
	for (int i = 0; i < 5; i++) {
		one_pass(bridge);
		if (!bridge->agent.stale && !bridge->agent.rebuild)
			break;
	}
}

/* Let this many seconds pass, with passes in each of them. Jobs end when they are due. */
static inline void passes_for(struct lxfw_bridge *bridge, int seconds)
{
	for (int i = 0; i < seconds; i++) {
		fake_pass_seconds(1);
		fake_end_overdue();
		passes(bridge);
	}
}

static inline void bridge_start(struct lxfw_bridge *bridge)
{
	struct lxfw_params params;

	memset(bridge, 0, sizeof(*bridge));
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	lxfw_bridge_init(bridge, &params);
	if (in_turn)
		bridge->watch.least = bridge->watch.most = 0;
}

#endif
