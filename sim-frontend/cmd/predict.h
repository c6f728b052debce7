/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two tasks of `lxfw predict`. */
#ifndef LXFW_CMD_PREDICT_H
#define LXFW_CMD_PREDICT_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/scenario.h"

struct lxfw_predict_arguments {
	enum lxfw_format format;
	int64_t seed, futures, threads;	/* futures 0: the default of the task */
	/* --evaluate */
	const char *evaluate;		/* the log, or NULL */
	bool measured;
	int64_t sample;
	double warmup;			/* per cent */
	const char *policy, *params;
	const char *cases, *calibration_out;	/* files, or NULL */
	struct lxfw_scenario scenario;
};

/* Returns an exit status. */
int lxfw_predict_evaluate(const struct lxfw_command *command,
			  struct lxfw_predict_arguments *arguments);

#endif
