/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/replayer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/explain.h"
#include "common/snapshot.h"
#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/journals.h"

static bool same_amount(const struct lxfw_resources *a,
			const struct lxfw_resources *b)
{
	bool same = a->procs == b->procs && a->memory_mb == b->memory_mb;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		same &= a->extras[i] == b->extras[i];
	return same;
}

static bool same_action(const struct lxfw_action *a, const struct lxfw_action *b)
{
	if (a->type != b->type || a->job != b->job || a->start != b->start ||
	    a->until != b->until || a->limit != b->limit ||
	    a->host_set != b->host_set || a->count != b->count)
		return false;
	for (int32_t i = 0; i < a->count; i++) {
		if (a->shares[i].host != b->shares[i].host ||
		    !same_amount(&a->shares[i].amount, &b->shares[i].amount))
			return false;
	}
	return true;
}

/* Returns the index of the first action in which two decisions differ, -1 if they
   agree. */
static int first_difference(const struct lxfw_recorded_decision *recorded,
			    const struct lxfw_decision *ours)
{
	size_t both = recorded->count < ours->count ? recorded->count :
						      ours->count;

	for (size_t i = 0; i < both; i++) {
		if (!same_action(&recorded->actions[i], &ours->actions[i]))
			return (int)i;
	}
	return recorded->count == ours->count ? -1 : (int)both;
}

static bool concerns(const struct lxfw_action *action, uint64_t job)
{
	return action->job == job && action->type != LXFW_ACTION_RESERVE &&
	       action->type != LXFW_ACTION_UNRESERVE;
}

/* Returns whether both decisions have the same effect on a job, apart from
   reservations. */
static bool same_for_job(const struct lxfw_recorded_decision *recorded,
			 const struct lxfw_decision *ours, uint64_t job)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < recorded->count &&
		       !concerns(&recorded->actions[i], job))
			i++;
		while (j < ours->count && !concerns(&ours->actions[j], job))
			j++;
		if (i == recorded->count || j == ours->count)
			return i == recorded->count && j == ours->count;
		if (!same_action(&recorded->actions[i], &ours->actions[j]))
			return false;
	}
}

/*
 * Changes the scheduler's model to its state after the recorded decision, so that the
 * next decision can be compared: sends events for each job with a different decision.
 * Some of a scheduler's state has no events, such as that a job runs in a quantum. The
 * decision at the end of the quantum then differs as well.
 */
static int put_right(struct lxfw_replayer *replay, const struct lxfw_decision *ours)
{
	const struct lxfw_recorded_decision *recorded = &replay->recorded;
	uint64_t *wrong = malloc((ours->count + recorded->count + 1) *
				 sizeof(*wrong));
	size_t count = 0;
	int result = 0;

	if (!wrong)
		return -1;
	/* OURS refers to data of the scheduler, which the first event invalidates */
	for (size_t i = 0; i < ours->count + recorded->count; i++) {
		const struct lxfw_action *action = i < ours->count ?
			&ours->actions[i] : &recorded->actions[i - ours->count];

		if (concerns(action, action->job) &&
		    !same_for_job(recorded, ours, action->job))
			wrong[count++] = action->job;
	}
	for (size_t i = 0; i < count && result == 0; i++)
		result = lxfw_replay_jobs_tell(&replay->jobs, wrong[i],
					       recorded->now, replay->sched);
	free(wrong);
	return result;
}

static int end_decision(struct lxfw_replayer *replay, int64_t wake)
{
	struct lxfw_recorded_decision *recorded = &replay->recorded;
	struct lxfw_decision ours;
	int at;

	/* the array of shares could move while shares were collected */
	for (size_t i = 0, offset = 0; i < recorded->count; i++) {
		recorded->actions[i].shares = recorded->shares + offset;
		offset += (size_t)recorded->actions[i].count;
	}
	for (size_t i = 0; i < recorded->count; i++) {
		if (lxfw_replay_jobs_action(&replay->jobs,
					    &recorded->actions[i]))
			return -1;
	}
	if (replay->hooks->decision &&
	    replay->hooks->decision(replay->hooks->context, replay))
		return -1;
	if (lxfw_sched_decide(replay->sched, recorded->now, &ours)) {
		if (ours.problem)
			lxfw_error_set(&replay->refused, ours.problem);
		return -1;
	}
	replay->wake = wake;
	replay->decisions++;
	replay->actions += recorded->count;
	at = first_difference(recorded, &ours);
	if (at < 0 && wake == ours.wake) {
		replay->agreeing++;
		return 0;
	}
	if (replay->hooks->differs)
		replay->hooks->differs(replay->hooks->context, replay, &ours, at, wake);
	return at < 0 ? 0 : put_right(replay, &ours);
}

static int keep_action(struct lxfw_replayer *replay, const struct lxfw_action *action)
{
	struct lxfw_recorded_decision *recorded = &replay->recorded;
	struct lxfw_action *actions =
		lxfw_grow(recorded->actions, &recorded->size,
			  recorded->count + 1, sizeof(*actions));
	struct lxfw_share *shares;

	if (!actions)
		return -1;
	recorded->actions = actions;
	if (LXFW_GROW(recorded->shares, recorded->shares_size,
		      recorded->share_count + (size_t)action->count + 1))
		return -1;
	shares = recorded->shares;
	actions[recorded->count++] = *action;
	if (action->count > 0)
		memcpy(shares + recorded->share_count, action->shares,
		       (size_t)action->count * sizeof(*shares));
	recorded->share_count += (size_t)action->count;
	return 0;
}

/* The parameters in a journal identify a policy from a file by its digest. */
static int feed_params(struct lxfw_replayer *replay, const struct lxfw_event *event)
{
	struct lxfw_params params = *event->params;
	struct lxfw_event resolved = *event;

	if (lxfw_script_resolve(replay->script, &params, &replay->refused))
		return -1;
	resolved.params = &params;
	return lxfw_sched_apply(replay->sched, &resolved, NULL);
}

static int feed(struct lxfw_replayer *replay, const struct lxfw_event *event)
{
	int failed;

	replay->events++;
	if (!lxfw_event_is_note(event))
		replay->wake = 0;
	if (lxfw_pool_names_take(&replay->pools, event) ||
	    lxfw_extra_names_take(&replay->extras, event) ||
	    lxfw_kept_jobs_take(&replay->kept, event))
		return -1;
	if (replay->hooks->event &&
	    replay->hooks->event(replay->hooks->context, replay, event))
		return -1;
	if (lxfw_replay_jobs_event(&replay->jobs, event))
		return -1;
	failed = event->type == LXFW_EVENT_PARAMS ? feed_params(replay, event) :
		 lxfw_sched_apply(replay->sched, event, NULL);
	if (failed == 0)
		return 0;
	if (errno == ENOMEM || *replay->refused.text)
		return -1;
	/* rejected then as well, or a consequence of an earlier difference */
	replay->not_taken++;
	return 0;
}

static int begin_segment(struct lxfw_replayer *replay)
{
	struct lxfw_params params;

	lxfw_sched_destroy(replay->sched);
	lxfw_replay_jobs_clear(&replay->jobs);
	lxfw_pool_names_clear(&replay->pools);
	lxfw_extra_names_clear(&replay->extras);
	lxfw_kept_jobs_clear(&replay->kept);
	lxfw_params_default(&params);
	replay->sched = lxfw_sched_create(&params);
	replay->segments++;
	if (replay->hooks->segment &&
	    replay->hooks->segment(replay->hooks->context))
		return -1;
	return replay->sched ? 0 : -1;
}

/* Whether RECORD or one before it is after the time until which records count. */
static bool is_over(struct lxfw_replayer *replay, const struct lxfw_record *record)
{
	int64_t time = record->kind == LXFW_RECORD_EVENT ? record->event.time :
		       record->kind == LXFW_RECORD_DECIDE ? record->now : INT64_MIN;

	replay->over |= time > replay->until;
	return replay->over;
}

int lxfw_replayer_take(struct lxfw_replayer *replay, const struct lxfw_record *record)
{
	if (is_over(replay, record))
		return 0;
	if (lxfw_job_names_take(&replay->names, record))
		return -1;
	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		replay->format = record->format;
		return begin_segment(replay);
	case LXFW_RECORD_EVENT:
		return feed(replay, &record->event);
	case LXFW_RECORD_DECIDE:
		replay->recorded.count = 0;
		replay->recorded.share_count = 0;
		replay->recorded.now = record->now;
		return 0;
	case LXFW_RECORD_ACTION:
		return keep_action(replay, &record->action);
	case LXFW_RECORD_DECIDED:
		return end_decision(replay, record->wake);
	case LXFW_RECORD_NAME:
		break;
	}
	return 0;
}

static int take_record(void *context, const struct lxfw_record *record)
{
	return lxfw_replayer_take(context, record);
}

int lxfw_replayer_file(struct lxfw_replayer *replay, const char *path,
		       struct lxfw_error *error)
{
	struct lxfw_journal_reach reach;
	int result;

	replay->path = path;
	result = lxfw_journal_read(path, take_record, replay, &reach, error);
	if (result == 0)
		lxfw_journals_note(path, &reach);
	return result;
}

int64_t lxfw_replayer_settle(struct lxfw_replayer *replay, int64_t now)
{
	if (!replay->over || !replay->sched || replay->until <= now)
		return now;
	lxfw_sched_advance(replay->sched, replay->until);
	return replay->until;
}

int lxfw_replayer_bad(const struct lxfw_replayer *replay, const struct lxfw_error *error)
{
	if (!*replay->refused.text)
		return lxfw_cmd_bad(error);
	lxfw_cmd_note("%s: %s", replay->path, replay->refused.text);
	return LXFW_EXIT_BAD;
}

void lxfw_replayer_note_trial(const struct lxfw_replayer *replay)
{
	if (replay->sched &&
	    lxfw_sched_params(replay->sched)->shadow == LXFW_SHADOW_ON)
		lxfw_cmd_note("another scheduler starts the jobs of this journal "
			      "(lxfw_shadow=on), the decisions are not carried out");
}

/* A refused job waits until the next decision: it is submitted again. */
static int submit_again(struct lxfw_sched *sched, const struct lxfw_snapshot_job *job,
			int64_t now)
{
	const struct lxfw_event events[] = {
		{ .type = LXFW_EVENT_JOB_END, .time = now, .end.id = job->request.id },
		{ .type = LXFW_EVENT_JOB_SUBMIT, .time = now, .request = &job->request },
		{ .type = LXFW_EVENT_JOB_PRIORITY, .time = now,
		  .priority = { job->request.id, job->priority, job->delay } },
	};
	struct lxfw_error error;
	int failed = 0;

	for (size_t i = 0; i < sizeof(events) / sizeof(*events) && !failed; i++)
		failed = lxfw_sched_apply(sched, &events[i], &error);
	return failed;
}

/* STATE is that of the scheduler. */
static int end_trial(struct lxfw_sched *sched, const struct lxfw_snapshot *state)
{
	int failed = 0;

	for (size_t i = 0; i < state->job_count && !failed; i++) {
		if (state->jobs[i].state == LXFW_SNAPSHOT_REFUSED)
			failed = submit_again(sched, &state->jobs[i], state->now);
	}
	return failed;
}

int lxfw_replayer_end_trial(struct lxfw_replayer *replay)
{
	struct lxfw_snapshot state = { 0 };
	int failed;

	if (!replay->sched || lxfw_sched_params(replay->sched)->shadow != LXFW_SHADOW_ON)
		return 0;
	if (lxfw_snapshot_take(&state, replay->sched))
		return -1;
	failed = end_trial(replay->sched, &state);
	lxfw_snapshot_clear(&state);
	return failed;
}

struct lxfw_sched *lxfw_replayer_after_trial(const struct lxfw_sched *sched)
{
	struct lxfw_snapshot state = { 0 };
	struct lxfw_sched *copy;

	if (lxfw_snapshot_take(&state, sched))
		return NULL;
	copy = lxfw_snapshot_restore(&state, NULL, NULL);
	if (copy && end_trial(copy, &state)) {
		lxfw_sched_destroy(copy);
		copy = NULL;
	}
	lxfw_snapshot_clear(&state);
	return copy;
}

void lxfw_replayer_clear(struct lxfw_replayer *replay)
{
	lxfw_sched_destroy(replay->sched);
	lxfw_replay_jobs_clear(&replay->jobs);
	lxfw_job_names_clear(&replay->names);
	lxfw_pool_names_clear(&replay->pools);
	lxfw_extra_names_clear(&replay->extras);
	lxfw_kept_jobs_clear(&replay->kept);
	free(replay->recorded.actions);
	free(replay->recorded.shares);
}
