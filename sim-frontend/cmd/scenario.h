/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation scenario: the trace, the machine and the treatment of jobs. Shared by all
 * subcommands that simulate a trace.
 */
#ifndef LXFW_CMD_SCENARIO_H
#define LXFW_CMD_SCENARIO_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/site.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/adaptive.h"

struct lxfw_scenario {
	/* Set by the caller. */
	const char *path;		/* of the trace */
	const char *machine;		/* --cluster; NULL: by the header of the trace */
	const char *reservations;	/* a file, or NULL */
	struct lxfw_site_shape shape;
	enum lxfw_trace_memory memory;
	struct lxfw_simulation_options options;
	/* Selection of adaptive jobs, with `options.mixed`; and whether adaptive jobs
	   on several hosts are rejected (lxfw_eq_multi_node=refuse). */
	struct lxfw_adaptive adaptive;
	bool refuse_wide;
	/* Read the owners of jobs. Estimate the system overhead per start from the
	   measured waits, by default of the caller or on request (--start-overhead
	   estimated). Another value of that option disables the estimate. */
	bool with_owners, estimate_start, estimate_asked;
	/*
	 * Outages to be simulated: those inferred from the measured waits, with the
	 * parameters in the options as in `lxfw compare` (`infer` is 0 or
	 * LXFW_INFER_OUTAGES), and those of the file OUTAGES, or NULL. They become
	 * changes of the cluster.
	 */
	unsigned infer;
	bool infer_asked;
	const char *outages;

	/* Loaded data. */
	struct lxfw_trace trace;
	struct lxfw_cluster cluster;
};

/* Values of getopt_long(), and the options with these values. */
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

/* Processes an option of the table above, or --speedup; ignores others. Returns 0, or
   -1 after a message. */
int lxfw_scenario_option(const struct lxfw_command *command, int option,
			 struct lxfw_scenario *scenario);

/* Reads the machine, if one is given. Returns 0, or -1 after a message. */
int lxfw_scenario_machine(struct lxfw_scenario *scenario);

/* Reads the trace and selects adaptive jobs, with the parameters in the options. Call
   after lxfw_scenario_machine(). Jobs that do not fit on the machine are left out,
   with a note on stderr. Returns 0, or -1 after a message. */
int lxfw_scenario_trace(const struct lxfw_command *command,
			struct lxfw_scenario *scenario);

/* Reads the trace with its measured waits as `lxfw compare` does. The caller clears
   RECORDED. Returns 1, 0 if there are no measured waits, or -1 after a message. */
int lxfw_scenario_recorded(struct lxfw_scenario *scenario,
			   struct lxfw_recorded *recorded);

void lxfw_scenario_clear(struct lxfw_scenario *scenario);

#endif
