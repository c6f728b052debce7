/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/doubles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* Returns the index of the job of ACCOUNT, or -1 with errno ENOMEM. */
static int32_t job_of(struct lxfw_doubles *doubles,
		      const struct lxfw_account *account)
{
	char *key = NULL;
	int32_t position;
	int length = asprintf(&key, "%" PRId64 " %" PRId64 " %.*s %.*s",
			      account->submit, account->number,
			      (int)account->id.length,
			      account->id.length ? account->id.at : "",
			      (int)account->cluster.length,
			      account->cluster.length ? account->cluster.at : "");

	if (length < 0) {
		errno = ENOMEM;
		return -1;
	}
	position = lxfw_names_add(&doubles->jobs, key, (size_t)length);
	free(key);
	return position;
}

/* Returns whether RUN and RECORD, which belong to the same job, are the same run. */
static bool same_run(const struct lxfw_double_run *run,
		     const struct lxfw_double_run *record)
{
	if (run->over && record->over)
		return run->start == record->start && run->end == record->end;
	/* a pending record has no start time and matches any run */
	if (!record->over && record->start < 0)
		return true;
	return run->start == record->start || (!run->over && run->start < 0);
}

int lxfw_doubles_look_at(struct lxfw_doubles *doubles, size_t job,
			 const struct lxfw_double_run *record, size_t *earlier)
{
	size_t *first;

	if (LXFW_GROW(doubles->first, doubles->first_size, job + 1))
		return -1;
	first = doubles->first;
	for (size_t at = first[job]; at; at = doubles->runs[at - 1].next) {
		struct lxfw_double_run *run = &doubles->runs[at - 1];

		if (!same_run(run, record))
			continue;
		*earlier = run->where;
		if (run->over || (!record->over && record->start < 0) ||
		    (!record->over && run->start >= 0))
			return LXFW_SIGHT_DOUBLE;
		run->start = record->start;
		run->end = record->end;
		run->over = record->over;
		return LXFW_SIGHT_LATER;
	}
	if (LXFW_GROW(doubles->runs, doubles->size, doubles->count + 1))
		return -1;
	doubles->runs[doubles->count] = *record;
	doubles->runs[doubles->count++].next = first[job];
	first[job] = doubles->count;
	return LXFW_SIGHT_NEW;
}

int lxfw_doubles_look(struct lxfw_doubles *doubles,
		      const struct lxfw_account *account, size_t where,
		      size_t *earlier)
{
	const struct lxfw_double_run record = {
		.start = account->start, .end = account->end,
		.over = account->over, .where = where,
	};
	int32_t job = job_of(doubles, account);

	return job < 0 ? -1 : lxfw_doubles_look_at(doubles, (size_t)job, &record, earlier);
}

void lxfw_doubles_forget(struct lxfw_doubles *doubles)
{
	doubles->count = 0;
	if (doubles->first_size > 0)
		memset(doubles->first, 0, doubles->first_size * sizeof(*doubles->first));
}

void lxfw_doubles_clear(struct lxfw_doubles *doubles)
{
	lxfw_names_clear(&doubles->jobs);
	free(doubles->first);
	free(doubles->runs);
	*doubles = (struct lxfw_doubles) { 0 };
}
