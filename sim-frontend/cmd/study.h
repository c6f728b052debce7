/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `lxfw simulate` does beyond one schedule of a log as it is: several contenders,
 * shaken copies, another load, other estimates, which jobs count.
 */
#ifndef LXFW_CMD_STUDY_H
#define LXFW_CMD_STUDY_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/script/script.h"
#include "sim-frontend/workload/estimates.h"

struct lxfw_study {
	/* Each --policy and each --contender, in their order. */
	struct lxfw_study_contender {
		char name[40];
		const char *policy;	/* of --policy; else NULL */
		const char *params;	/* of --contender; else NULL */
		const char *file;	/* of --policy-file; else NULL */
		struct lxfw_script *script;	/* what lxfw_study_load() made of it */
	} contenders[LXFW_CONTESTANTS_MAX];
	size_t count;
	bool named;			/* some are of --contender */

	int64_t copies;			/* --shake */
	struct lxfw_shake shake;
	const char *of_shake;		/* an option that needs --shake */
	int64_t period;			/* s */
	int64_t threads;
	double load;			/* 0 = as it is */
	struct lxfw_estimate_model model;
	struct lxfw_counting counting;
	bool fairness;
};

/* The values of what can be left out. */
void lxfw_study_begin(struct lxfw_study *study);

/* Values of getopt_long(), and the options that have them. */
enum {
	LXFW_STUDY_CONTENDER = 2048, LXFW_STUDY_SHAKE, LXFW_STUDY_SHAKE_ARRIVALS,
	LXFW_STUDY_SHAKE_RUNS, LXFW_STUDY_PERIOD, LXFW_STUDY_THREADS,
	LXFW_STUDY_LOAD, LXFW_STUDY_WARMUP, LXFW_STUDY_COOLDOWN,
	LXFW_STUDY_THRESHOLD, LXFW_STUDY_FAIRNESS,
};

#define LXFW_STUDY_OPTIONS \
	{ "contender", required_argument, NULL, LXFW_STUDY_CONTENDER }, \
	{ "shake", required_argument, NULL, LXFW_STUDY_SHAKE }, \
	{ "shake-arrivals", required_argument, NULL, LXFW_STUDY_SHAKE_ARRIVALS }, \
	{ "shake-runs", required_argument, NULL, LXFW_STUDY_SHAKE_RUNS }, \
	{ "period", required_argument, NULL, LXFW_STUDY_PERIOD }, \
	{ "threads", required_argument, NULL, LXFW_STUDY_THREADS }, \
	{ "load", required_argument, NULL, LXFW_STUDY_LOAD }, \
	{ "warmup", required_argument, NULL, LXFW_STUDY_WARMUP }, \
	{ "cooldown", required_argument, NULL, LXFW_STUDY_COOLDOWN }, \
	{ "slowdown-threshold", required_argument, NULL, LXFW_STUDY_THRESHOLD }, \
	{ "fairness", no_argument, NULL, LXFW_STUDY_FAIRNESS }

/* Take an option of the table above. 0, also of others; -1 after a message. */
int lxfw_study_option(const struct lxfw_command *command, int option,
		      struct lxfw_study *study);

/* One more contender, called by its policy. Likewise. */
int lxfw_study_policy(const struct lxfw_command *command, const char *policy,
		      struct lxfw_study *study);

/* One more, of a file, called by that. Likewise. */
int lxfw_study_policy_file(const struct lxfw_command *command, const char *path,
			   struct lxfw_study *study);

/* Read the contenders' files, and free what they have become. Likewise. */
int lxfw_study_load(struct lxfw_study *study);
void lxfw_study_clear(struct lxfw_study *study);

/* --estimates model:...; 1 if TEXT is of a model, 0 if not, -1 after a message. */
int lxfw_study_estimates(const struct lxfw_command *command, const char *text,
			 struct lxfw_study *study);

/* Whether the results are those of several, or of copies. */
bool lxfw_study_is_several(const struct lxfw_study *study);

/* The parameters of a contender. 0, or -1 after a message. The second is of one from a
   file, with the keys of TEXT, which may be NULL. */
int lxfw_study_params(const struct lxfw_study *study, size_t contender,
		      struct lxfw_params *params);
int lxfw_study_script_params(const struct lxfw_study_contender *contender,
			     const char *text, struct lxfw_params *params);

/* Give the trace of SCENARIO, which has been read, the load and the estimates that were
   asked for, and say so on stderr. 0, or -1 after a message. */
int lxfw_study_change_trace(const struct lxfw_study *study,
			    struct lxfw_scenario *scenario);

#endif
