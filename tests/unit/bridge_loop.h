/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bridge with a simulated controller, for tests that run its passes. */
#ifndef LXFW_TESTS_BRIDGE_LOOP_H
#define LXFW_TESTS_BRIDGE_LOOP_H

#include <string.h>

#include "tests/unit/bridge_pass.h"
#include "tests/unit/unit.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

static inline int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

/* Four nodes of 16 processors and 16,000 MB, in a partition "all". */
static inline void four_nodes(void)
{
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
}

/* Run passes one second apart, and end jobs whose time is over. */
static inline void live(int seconds)
{
	for (int i = 0; i < seconds; i++) {
		fake_pass_seconds(1);
		fake_end_overdue();
		passes(&bridge);
	}
}

#define LOOP(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
