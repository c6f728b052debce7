/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict on simulations of a scenario's trace, made before a search. */
#ifndef LXFW_CMD_VERDICT_H
#define LXFW_CMD_VERDICT_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/metrics/verdict.h"

/* Compares a simulation of the loaded scenario, with its parameters, with the measured
   waits. The verdict is LXFW_VERDICT_NONE if there are none. Returns 0, or -1 after a
   message. */
int lxfw_verdict_of(struct lxfw_scenario *scenario,
		    struct lxfw_verdict *verdict);

/* Prints the reason why no search is made. Returns the exit status. */
int lxfw_verdict_refuse(const struct lxfw_scenario *scenario,
			const struct lxfw_verdict *verdict);

#endif
