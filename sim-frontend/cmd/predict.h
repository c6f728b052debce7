/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two tasks of `lxfw predict`. */
#ifndef LXFW_CMD_PREDICT_H
#define LXFW_CMD_PREDICT_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/priorities.h"
#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/predict/live.h"
#include "sim-frontend/predict/starts_grid.h"

#define LXFW_PREDICT_REQUESTS 16

struct lxfw_publication;

struct lxfw_predict_arguments {
	enum lxfw_format format;
	int64_t seed, futures, threads;	/* futures 0: the default of the task */
	/* --evaluate */
	const char *evaluate;		/* the log, or NULL */
	bool measured;
	bool live;			/* at random moments, from the journal */
	bool look;			/* from the state at each alone */
	int64_t sample;
	double warmup;			/* per cent */
	const char *policy, *params;
	const char *cases, *calibration_out;	/* files, or NULL */
	struct lxfw_scenario scenario;
	struct lxfw_cmd_priorities priorities;
	/* --journal */
	const char *journal;		/* or NULL */
	bool alone, dates;
	enum lxfw_now_of of;		/* what is read without a journal */
	int64_t at, before;		/* LXFW_NEVER: not given */
	const char *calibration;	/* a file, or NULL */
	const char *requests[LXFW_PREDICT_REQUESTS];
	size_t request_count;
	const char *history;		/* a file, or NULL */
	bool usual_history;		/* it is that of the environment */
	const char *machine;		/* of it; NULL: the only one */
	const char *learn[LXFW_PREDICT_REQUESTS];	/* logs */
	size_t learn_count;
	bool owners;
	bool now;			/* the journal is of a look (now.h): the owners are known,
					   and without `history` and `learn` the run times of this
					   user's jobs are learned */
	int64_t moments;		/* also of --live */
	bool moments_given;
	const char *starts_out, *starts;	/* files, or NULL */
	const char *publish;		/* a folder, or NULL */
	bool users;			/* publish their names */
	struct lxfw_publication *queue;	/* filled with the jobs instead of any output, or
					   NULL */
	bool tell, only_named;		/* only_named: jobs are arguments */
	int64_t most;			/* comments that are written per round */
	int64_t every;			/* seconds; 0: once */
};

/* Returns an exit status. */
int lxfw_predict_evaluate(const struct lxfw_command *command,
			  struct lxfw_predict_arguments *arguments);

/* Number of futures for the present state, and how far they look, seconds. */
#define LXFW_PREDICT_FUTURES 50
#define LXFW_PREDICT_HORIZON (INT64_C(14) * 86400)

/* --evaluate --live, of a scenario that is loaded. Returns an exit status. */
int lxfw_predict_moments(const struct lxfw_predict_arguments *arguments);

/* NAMES are the jobs of the command line; none: all waiting jobs. */
int lxfw_predict_live(const struct lxfw_command *command,
		      const struct lxfw_predict_arguments *arguments, char **names,
		      int count);

/*
 * --history, --learn: the experience of the logs, of the data base, which is only read, and of
 * PAST replaces that of PAST. NOW is the time of the state.
 * Returns an exit status.
 */
int lxfw_predict_history(const struct lxfw_predict_arguments *arguments,
			 struct lxfw_past *past, int64_t now);

/* --tell: write the forecasts of COUNT waiting jobs to their admin comments. Returns an
   exit status. */
int lxfw_predict_tell(const struct lxfw_predict_arguments *arguments,
		      const struct lxfw_live *live, const struct lxfw_expected *jobs,
		      size_t count);

/* --starts-out: write the table of starts. SCHED is live->sched, which is changed. Returns
   an exit status. */
int lxfw_predict_starts(const struct lxfw_predict_arguments *arguments,
			const struct lxfw_live *live, struct lxfw_sched *sched,
			const struct lxfw_known_hosts *hosts);

/* --starts: print the expected starts of requests from a table. Returns an exit status. */
int lxfw_predict_look_up(const struct lxfw_predict_arguments *arguments);

#endif
