/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --starts-out, --starts: a table of expected starts for users who submit. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/predict/starts.h"

/* A table is used for this time at least, and for three rounds, seconds. */
#define VALID 1800

int lxfw_predict_starts(const struct lxfw_predict_arguments *arguments,
			const struct lxfw_live *live, struct lxfw_sched *sched,
			const struct lxfw_known_hosts *hosts)
{
	struct lxfw_slurm_partitions partitions = { 0 };
	struct lxfw_starts starts = { 0 };
	struct lxfw_error error;
	int64_t valid = 3 * arguments->every;
	int failed = lxfw_slurm_partitions_read(&partitions, &error);

	if (!failed)
		failed = lxfw_starts_compute(&starts, live, sched, hosts, &partitions, INFINITY,
					     &error);
	starts.until = starts.time + (valid > VALID ? valid : VALID);
	if (!failed)
		failed = lxfw_starts_write(&starts, arguments->starts_out, &error);
	lxfw_starts_clear(&starts);
	lxfw_slurm_partitions_clear(&partitions);
	return failed ? lxfw_cmd_bad(&error) : LXFW_EXIT_DONE;
}

int lxfw_predict_look_up(const struct lxfw_predict_arguments *arguments)
{
	struct lxfw_starts starts = { 0 };
	int status = LXFW_EXIT_DONE;
	struct lxfw_error error;

	if (lxfw_starts_read(&starts, arguments->starts, &error))
		status = lxfw_cmd_bad(&error);
	for (size_t i = 0; i < arguments->request_count && status != LXFW_EXIT_BAD; i++) {
		struct lxfw_request_text request;
		char line[LXFW_TOLD_SIZE];

		if (lxfw_request_read(&request, arguments->requests[i], &error))
			status = lxfw_cmd_bad(&error);
		else if (!lxfw_starts_find(&starts, request.partition, &request,
					   (int64_t)time(NULL), line, sizeof(line)))
			status = LXFW_EXIT_NO;
		else
			puts(line);
	}
	lxfw_starts_clear(&starts);
	return status == LXFW_EXIT_DONE ? lxfw_cmd_finish(status) : status;
}
