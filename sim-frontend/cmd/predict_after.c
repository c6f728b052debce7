/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_after.h"

#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"

struct found {
	uint64_t *ids;		/* of all jobs that wait or run */
	size_t id_count;
	struct lxfw_future_after *list;
	size_t count, size;
};

/* Whether a job of the journal is one that a dependency means. */
static bool is_meant(const struct lxfw_replayer *replay, uint64_t job,
		     const struct lxfw_request_after *after)
{
	uint64_t number = (uint64_t)after->job;

	if (after->task >= 0)
		number |= (uint64_t)(after->task + 1) << 32;
	if (job == number)
		return true;
	/* All tasks of an array. */
	return after->task < 0 && replay->names.count == 0 && job > UINT32_MAX &&
	       (job & UINT32_MAX) == number;
}

static int refuse(const struct lxfw_request_after *after, const char *why)
{
	lxfw_cmd_note("request: it depends on job %lld, %s", (long long)after->job, why);
	return LXFW_EXIT_BAD;
}

/* Adds the jobs that one dependency means. Returns 0, or an exit status after a message. */
static int find(const struct lxfw_replayer *replay, const struct lxfw_request_after *after,
		struct found *found)
{
	size_t before = found->count;

	for (size_t i = 0; i < replay->kept.count; i++) {
		if (is_meant(replay, replay->kept.jobs[i].id, after))
			return refuse(after, "whose own start is not predicted; see 'lxfw why'");
	}
	for (size_t i = 0; i < found->id_count; i++) {
		if (!is_meant(replay, found->ids[i], after))
			continue;
		if (LXFW_GROW(found->list, found->size, found->count + 1)) {
			lxfw_cmd_note("out of memory");
			return LXFW_EXIT_BAD;
		}
		found->list[found->count++] = (struct lxfw_future_after) {
			.job = found->ids[i],
			.started = after->kind == LXFW_REQUEST_AFTER_START,
			.delay = after->delay,
		};
	}
	return found->count > before ? 0 :
	       refuse(after, "which neither waits nor runs: whether that is met is not known");
}

int lxfw_predict_after(const struct lxfw_request_text *text, const struct lxfw_replayer *replay,
		       struct lxfw_expected *job)
{
	struct found found = { NULL };
	bool succeeds = false;
	int status = 0;

	if (text->after_count > 0 && lxfw_live_ids(replay->sched, &found.ids, &found.id_count)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	for (int i = 0; i < text->after_count && status == 0; i++) {
		status = find(replay, &text->after[i], &found);
		succeeds |= text->after[i].kind == LXFW_REQUEST_AFTER_OK;
	}
	free(found.ids);
	if (status) {
		free(found.list);
		return status;
	}
	if (succeeds)
		lxfw_cmd_note("request '%s': if a job of its afterok fails, or reaches its time limit, "
			      "it does not start", job->text);
	job->after = found.list;
	job->after_count = found.count;
	return 0;
}

void lxfw_predict_after_clear(struct lxfw_expected *job)
{
	if (job->alternative_to < 0)
		free((void *)job->after);
	job->after = NULL;
}
