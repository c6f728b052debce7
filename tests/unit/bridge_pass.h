/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pass of the bridge, as the plugin's thread makes it (sched-lxfw/agent.c),
   with all the time it wants. */
#ifndef LXFW_TESTS_BRIDGE_PASS_H
#define LXFW_TESTS_BRIDGE_PASS_H

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/quanta.h"
#include "tests/unit/fake_ctld.h"

static inline void work(struct lxfw_bridge *bridge,
			bool (*what)(struct lxfw_bridge *, uint64_t))
{
	bool done = false;

	while (!done) {
		lxfw_bridge_lock();
		done = what(bridge, UINT64_MAX);
		lxfw_bridge_unlock();
	}
}

/* False if the pass ended early; the next one may be better. */
static inline bool one_pass(struct lxfw_bridge *bridge)
{
	bool good;

	lxfw_bridge_prepare(bridge);
	if (!bridge->sched)
		return false;
	lxfw_bridge_lock();
	good = lxfw_bridge_sync(bridge);
	lxfw_bridge_unlock();
	if (!good)
		return false;
	for (int round = 0; round < 100; round++) {
		if (!lxfw_bridge_decide(bridge))
			break;
		work(bridge, lxfw_bridge_act);
		lxfw_bridge_save(bridge);
		if (!bridge->refused_now || bridge->rebuild)
			break;
	}
	if (bridge->leftover_count > 0 && !bridge->rebuild)
		work(bridge, lxfw_bridge_offer);
	if (bridge->quanta.tell)
		work(bridge, lxfw_quanta_tell);
	lxfw_bridge_finish(bridge);
	return !bridge->rebuild;
}

/* A pass, and the next ones while they have something to do at once. */
static inline void passes(struct lxfw_bridge *bridge)
{
	for (int i = 0; i < 5; i++) {
		one_pass(bridge);
		if (!bridge->stale && !bridge->rebuild)
			break;
	}
}

static inline void bridge_start(struct lxfw_bridge *bridge)
{
	struct lxfw_params params;

	memset(bridge, 0, sizeof(*bridge));
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	lxfw_bridge_init(bridge, &params);
}

#endif
