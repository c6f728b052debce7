/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs whose start is not predicted, by what keeps them. */
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/queue.h"
#include "sim-frontend/report/why_words.h"

void lxfw_queue_put_kept(const struct lxfw_publication_job *job, FILE *out)
{
	if (job->reason == LXFW_REASON_OTHER && *job->said)
		fprintf(out, "Slurm says: %s", job->said);
	else
		lxfw_why_put_reason(job->reason, LXFW_LIMITED_UNKNOWN, out);
}

/* By what is printed of them. */
static int by_cause(const void *left, const void *right)
{
	const struct lxfw_publication_job *a = *(const struct lxfw_publication_job *const *)left;
	const struct lxfw_publication_job *b = *(const struct lxfw_publication_job *const *)right;

	if (a->reason != b->reason)
		return (a->reason > b->reason) - (a->reason < b->reason);
	return a->reason == LXFW_REASON_OTHER ? strcmp(a->said, b->said) : 0;
}

int lxfw_queue_kept(const struct lxfw_publication *publication, struct lxfw_queue_kept **kept,
		    size_t *count)
{
	const struct lxfw_publication_job **jobs = calloc(publication->count + 1, sizeof(*jobs));
	size_t all = 0;

	*count = 0;
	*kept = calloc(publication->count + 1, sizeof(**kept));
	if (!jobs || !*kept) {
		free(jobs);
		free(*kept);
		*kept = NULL;
		return -1;
	}
	for (size_t i = 0; i < publication->count; i++) {
		if (publication->jobs[i].state == LXFW_PUBLISHED_KEPT)
			jobs[all++] = &publication->jobs[i];
	}
	qsort(jobs, all, sizeof(*jobs), by_cause);
	for (size_t i = 0; i < all; i++) {
		if (i == 0 || by_cause(&jobs[i - 1], &jobs[i]) != 0)
			(*kept)[(*count)++].first = jobs[i];
		(*kept)[*count - 1].jobs++;
	}
	free(jobs);
	return 0;
}
