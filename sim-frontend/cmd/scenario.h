/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What subcommands that simulate a trace have in common: the trace, the machine,
 * and how jobs are seen.
 */
#ifndef LXFW_CMD_SCENARIO_H
#define LXFW_CMD_SCENARIO_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/site.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/adaptive.h"

struct lxfw_scenario {
	/* given */
	const char *path;		/* of the trace */
	const char *machine;		/* --cluster, or NULL: by the trace's header */
	const char *reservations;	/* a file, or NULL */
	struct lxfw_site_shape shape;
	enum lxfw_trace_memory memory;
	struct lxfw_simulation_options options;
	/* Which jobs are adaptive, with `options.mixed`; and whether those that ask
	   for more than one host are not taken: lxfw_eq_multi_node=refuse. */
	struct lxfw_adaptive adaptive;
	bool refuse_wide;
	/* Have the owners of jobs read; and the machine's own time per start
	   estimated from the measured waits, if the caller does so by default, or
	   the user asks for it: --start-overhead estimated. Another value of that
	   option ends it. */
	bool with_owners, estimate_start, estimate_asked;
	/* Have outages inferred from the measured waits, as `lxfw compare` does with the
	   parameters in the options: `infer` is 0 or LXFW_INFER_OUTAGES; and those of the
	   file OUTAGES, or NULL. The cluster has them as changes. */
	unsigned infer;
	bool infer_asked;
	const char *outages;

	/* loaded */
	struct lxfw_trace trace;
	struct lxfw_cluster cluster;
};

/* Values of getopt_long(), and the options that have them. */
enum {
	LXFW_SCENARIO_CLUSTER = 1024, LXFW_SCENARIO_SHAPE, LXFW_SCENARIO_MEMORY,
	LXFW_SCENARIO_ESTIMATES, LXFW_SCENARIO_OVERRUN, LXFW_SCENARIO_PASS,
	LXFW_SCENARIO_SPEEDUP, LXFW_SCENARIO_START_OVERHEAD,
	LXFW_SCENARIO_END_OVERHEAD, LXFW_SCENARIO_RESERVATIONS,
	LXFW_SCENARIO_INFER, LXFW_SCENARIO_OUTAGES,
};

#define LXFW_SCENARIO_OPTIONS \
	{ "cluster", required_argument, NULL, LXFW_SCENARIO_CLUSTER }, \
	{ "reservations", required_argument, NULL, LXFW_SCENARIO_RESERVATIONS }, \
	{ "shape", required_argument, NULL, LXFW_SCENARIO_SHAPE }, \
	{ "memory", required_argument, NULL, LXFW_SCENARIO_MEMORY }, \
	{ "estimates", required_argument, NULL, LXFW_SCENARIO_ESTIMATES }, \
	{ "overrun", required_argument, NULL, LXFW_SCENARIO_OVERRUN }, \
	{ "pass", required_argument, NULL, LXFW_SCENARIO_PASS }, \
	{ "start-overhead", required_argument, NULL, \
	  LXFW_SCENARIO_START_OVERHEAD }, \
	{ "end-overhead", required_argument, NULL, LXFW_SCENARIO_END_OVERHEAD }, \
	{ "infer", required_argument, NULL, LXFW_SCENARIO_INFER }, \
	{ "outages", required_argument, NULL, LXFW_SCENARIO_OUTAGES }

/* Take an option of the table above, or --speedup; others are passed over. 0, or -1
   after a message. */
int lxfw_scenario_option(const struct lxfw_command *command, int option,
			 struct lxfw_scenario *scenario);

/* Read the machine, if one is given. 0, or -1 after a message. */
int lxfw_scenario_machine(struct lxfw_scenario *scenario);

/* Then, with the parameters in the options, the trace: which of its jobs are adaptive;
   those that the machine cannot hold are left out, and counted on stderr. 0, or -1
   after a message. */
int lxfw_scenario_trace(const struct lxfw_command *command,
			struct lxfw_scenario *scenario);

/* The trace with its measured waits, if it has any, as `lxfw compare` takes it; to be
   cleared. 1, 0 if it has none, -1 after a message. */
int lxfw_scenario_recorded(struct lxfw_scenario *scenario,
			   struct lxfw_recorded *recorded);

void lxfw_scenario_clear(struct lxfw_scenario *scenario);

#endif
