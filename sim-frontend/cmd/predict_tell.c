/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --tell: forecasts in the admin comments of jobs. */
#include <stdio.h>

#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/predict/comments.h"

static void print(const struct lxfw_comments_done *done, size_t count, size_t absent)
{
	printf("%zu forecasts: %zu comments written, %zu left for the next round, %zu good "
	       "enough, %zu removed, %zu refused; %zu jobs have comments of others, %zu do "
	       "not wait any more\n", count, done->written, done->left, done->kept,
	       done->removed, done->refused, done->foreign, absent);
	fflush(stdout);
}

/* Comments of jobs that are not named on the command line are not removed. */
static void keep_others(struct lxfw_comments *comments)
{
	for (size_t i = 0; i < comments->count; i++)
		comments->jobs[i].foreign |= !comments->jobs[i].expected;
}

int lxfw_predict_tell(const struct lxfw_predict_arguments *arguments,
		      const struct lxfw_live *live, const struct lxfw_expected *jobs,
		      size_t count)
{
	struct lxfw_comments comments = { 0 };
	struct lxfw_comments_done done;
	struct lxfw_error error;
	size_t absent = 0;
	int failed = lxfw_comments_read(&comments, &error);

	for (size_t i = 0; i < count && !failed; i++) {
		struct lxfw_told told;

		lxfw_told_make(&told, live, &jobs[i]);
		absent += !lxfw_comments_expect(&comments, jobs[i].request.id, &told);
	}
	if (!failed && arguments->only_named)
		keep_others(&comments);
	if (!failed) {
		failed = lxfw_comments_write(&comments, (size_t)arguments->most, &done,
					     &error);
		print(&done, count, absent);
	}
	lxfw_comments_clear(&comments);
	return failed ? lxfw_cmd_bad(&error) : lxfw_cmd_finish(LXFW_EXIT_DONE);
}
