/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of `lxfw simulate` beyond a single schedule of an unchanged log: several
 * contenders, perturbed copies, another load, other estimates, and which jobs count.
 */
#ifndef LXFW_CMD_STUDY_H
#define LXFW_CMD_STUDY_H

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/experiment/contest.h"
#include "sim-frontend/script/script.h"
#include "sim-frontend/workload/estimates.h"

struct lxfw_study {
	/* One for each --policy and --contender, in order. */
	struct lxfw_study_contender {
		char name[40];
		const char *policy;	/* of --policy; otherwise NULL */
		const char *params;	/* of --contender; otherwise NULL */
		const char *file;	/* of --policy-file; otherwise NULL */
		const char *formula;	/* of --pbs-formula; otherwise NULL */
		struct lxfw_script *script;	/* result of lxfw_study_load() */
	} contenders[LXFW_CONTESTANTS_MAX];
	size_t count;
	bool named;			/* some contenders are from --contender */
	const char *depth;		/* of --pbs-depth, or NULL */

	int64_t copies;			/* number of perturbed copies (--shake) */
	struct lxfw_shake shake;
	const char *of_shake;		/* an option that requires --shake */
	int64_t period;			/* seconds */
	int64_t threads;
	double load;			/* 0: unchanged */
	struct lxfw_estimate_model model;
	struct lxfw_counting counting;
	bool fairness;
};

/* Returns whether a contender is from --pbs-formula. */
bool lxfw_study_has_formula(const struct lxfw_study *study);

/* Sets defaults. */
void lxfw_study_begin(struct lxfw_study *study);

/* Values of getopt_long(), and the options with these values. */
enum {
	LXFW_STUDY_CONTENDER = 2048, LXFW_STUDY_SHAKE, LXFW_STUDY_SHAKE_ARRIVALS,
	LXFW_STUDY_SHAKE_RUNS, LXFW_STUDY_PERIOD, LXFW_STUDY_THREADS,
	LXFW_STUDY_LOAD, LXFW_STUDY_WARMUP, LXFW_STUDY_COOLDOWN,
	LXFW_STUDY_THRESHOLD, LXFW_STUDY_FAIRNESS, LXFW_STUDY_FORMULA,
	LXFW_STUDY_DEPTH,
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
	{ "pbs-formula", required_argument, NULL, LXFW_STUDY_FORMULA }, \
	{ "pbs-depth", required_argument, NULL, LXFW_STUDY_DEPTH }, \
	{ "fairness", no_argument, NULL, LXFW_STUDY_FAIRNESS }

/* Processes an option of the table above. Returns 0, also for other options, or -1
   after a message. */
int lxfw_study_option(const struct lxfw_command *command, int option,
		      struct lxfw_study *study);

/* Adds a contender named after its policy. Returns 0, or -1 after a message. */
int lxfw_study_policy(const struct lxfw_command *command, const char *policy,
		      struct lxfw_study *study);

/* Adds a contender with a policy from a file, named after the file. Returns 0, or -1
   after a message. */
int lxfw_study_policy_file(const struct lxfw_command *command, const char *path,
			   struct lxfw_study *study);

/* Read the files of contenders, and free the results. The first returns 0, or -1 after
   a message. */
int lxfw_study_load(struct lxfw_study *study);
void lxfw_study_clear(struct lxfw_study *study);

/* Parses --estimates model:... Returns 1 if TEXT is a model, 0 if not, or -1 after a
   message. */
int lxfw_study_estimates(const struct lxfw_command *command, const char *text,
			 struct lxfw_study *study);

/* Returns whether the results are of several contenders or of copies. */
bool lxfw_study_is_several(const struct lxfw_study *study);

/* Sets the parameters of a contender. The second function is for a contender from a
   file, with the keys of TEXT, which may be NULL. Return 0, or -1 after a message. */
int lxfw_study_params(const struct lxfw_study *study, size_t contender,
		      struct lxfw_params *params);
int lxfw_study_script_params(const struct lxfw_study_contender *contender,
			     const char *text, struct lxfw_params *params);

/* Applies the requested load and estimates to the trace of SCENARIO, which must have
   been read, and prints a note on stderr. Returns 0, or -1 after a message. */
int lxfw_study_change_trace(const struct lxfw_study *study,
			    struct lxfw_scenario *scenario);

#endif
