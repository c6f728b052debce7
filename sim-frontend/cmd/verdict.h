/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict on simulations of a scenario's trace, before something is searched by
   them. */
#ifndef LXFW_CMD_VERDICT_H
#define LXFW_CMD_VERDICT_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/metrics/verdict.h"

/* How near a simulation of the loaded scenario, with its parameters, comes to the
   measured waits; LXFW_VERDICT_NONE where there are none. 0, or -1 after a message. */
int lxfw_verdict_of(struct lxfw_scenario *scenario,
		    struct lxfw_verdict *verdict);

/* Say on stderr why nothing is searched; the exit status. */
int lxfw_verdict_refuse(const struct lxfw_scenario *scenario,
			const struct lxfw_verdict *verdict);

#endif
