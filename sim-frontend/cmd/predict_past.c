/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_past.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/explain.h"
#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/predict/array_rest.h"
#include "sim-frontend/util/random.h"

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- when jobs waited --------------------------------------------------------------- */

/* A look through the journal before it is replayed. */
struct look {
	int64_t until, first, last;	/* of submissions */
	bool over;
	struct lxfw_id_map waiting;	/* jobs */
	int64_t depth;
	struct depth {
		int64_t time, waiting;	/* jobs that wait from then on */
	} *depths;
	size_t count, size;
};

static int add_depth(struct look *look, int64_t time, int64_t change)
{
	look->depth += change;
	if (look->count > 0 && look->depths[look->count - 1].time == time) {
		look->depths[look->count - 1].waiting = look->depth;
		return 0;
	}
	if (LXFW_GROW(look->depths, look->size, look->count + 1))
		return -1;
	look->depths[look->count++] = (struct depth) { time, look->depth };
	return 0;
}

static int enters(struct look *look, uint64_t job, int64_t time)
{
	if (lxfw_id_map_get(&look->waiting, job) >= 0)
		return 0;
	return lxfw_id_map_add(&look->waiting, job, 1) || add_depth(look, time, 1) ? -1 : 0;
}

static int leaves(struct look *look, uint64_t job, int64_t time)
{
	if (lxfw_id_map_get(&look->waiting, job) < 0)
		return 0;
	lxfw_id_map_remove(&look->waiting, job);
	return add_depth(look, time, -1);
}

static int look_at_event(struct look *look, const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
		if (look->first == LXFW_NEVER)
			look->first = event->time;
		look->last = event->time;
		return enters(look, event->request->id, event->time);
	case LXFW_EVENT_JOB_REFUSED:	/* in a trial, each start */
		return enters(look, event->refused.id, event->time);
	case LXFW_EVENT_JOB_RUN:
		return leaves(look, event->run.id, event->time);
	case LXFW_EVENT_JOB_END:
		return leaves(look, event->end.id, event->time);
	default:
		return 0;
	}
}

static int look_at(void *context, const struct lxfw_record *record)
{
	struct look *look = context;

	if (record->kind == LXFW_RECORD_DECIDE || record->kind == LXFW_RECORD_EVENT)
		look->over |= (record->kind == LXFW_RECORD_EVENT ? record->event.time :
			       record->now) > look->until;
	if (look->over)
		return 0;
	if (record->kind == LXFW_RECORD_EVENT)
		return look_at_event(look, &record->event);
	if (record->kind == LXFW_RECORD_ACTION && record->action.type == LXFW_ACTION_START)
		return leaves(look, record->action.job, record->action.start);
	return 0;
}

/* --- moments ------------------------------------------------------------------------ */

/* How long jobs waited between BEGIN and END of the span in DEPTHS, seconds. */
static int64_t span(const struct look *look, size_t at, int64_t from, int64_t *begin)
{
	int64_t end = at + 1 < look->count ? look->depths[at + 1].time : look->last;

	*begin = look->depths[at].time > from ? look->depths[at].time : from;
	if (end > look->last)
		end = look->last;
	return look->depths[at].waiting > 0 && end > *begin ? end - *begin : 0;
}

/* As measured with 150 to 10,000 waiting jobs. */
double lxfw_predict_cost(double waiting)
{
	return 1e-6 * waiting * sqrt(waiting);
}

/* Moments at which jobs wait: one at random in each of COUNT equal parts of that time. Returns
   the estimated processor time of a future at each. */
static double draw(struct lxfw_moments *moments, const struct look *look, int64_t from,
		   size_t count)
{
	double all = 0, over = 0, cost = 0, at;
	struct lxfw_random random;
	int64_t begin;

	moments->count = 0;
	if (count == 0)
		return 0;
	lxfw_random_seed(&random, moments->seed, count);
	for (size_t i = 0; i < look->count; i++)
		all += (double)span(look, i, from, &begin);
	at = all / (double)count * lxfw_random_uniform(&random);
	for (size_t i = 0; i < look->count && all > 0; i++) {
		double length = (double)span(look, i, from, &begin);

		while (moments->count < count && at < over + length) {
			moments->times[moments->count++] = begin + (int64_t)(at - over);
			cost += lxfw_predict_cost((double)look->depths[i].waiting);
			at = all / (double)count * ((double)moments->count +
						    lxfw_random_uniform(&random));
		}
		over += length;
	}
	return cost;
}

static int choose(struct lxfw_predict_past *past, const struct look *look,
		  const struct lxfw_predict_plan *plan)
{
	struct lxfw_moments *moments = &past->moments;
	int64_t from = look->first;
	double cost;

	if (look->first == LXFW_NEVER || look->last <= look->first || plan->count == 0)
		return 0;
	from += (int64_t)(plan->begin * (double)(look->last - look->first));
	if (plan->last > 0 && from < look->last - plan->last)
		from = look->last - plan->last;
	moments->times = calloc(plan->count, sizeof(*moments->times));
	if (!moments->times)
		return out_of_memory();
	cost = draw(moments, look, from, plan->count) * moments->futures;
	if (cost > plan->budget)
		draw(moments, look, from,
		     (size_t)((double)plan->count * plan->budget / cost));
	return 0;
}

int lxfw_predict_find(struct lxfw_predict_past *past, const struct lxfw_predict_plan *plan)
{
	char *paths[] = { (char *)past->journal };
	struct look look = { .until = past->until, .first = LXFW_NEVER };
	struct lxfw_journal_reach reach;
	struct lxfw_error error;
	int status = lxfw_journals_find(&past->journals, paths, 1, past->alone) ?
		     LXFW_EXIT_BAD : 0;

	/* What is wrong with a file is said when it is replayed. */
	for (size_t i = 0; i < past->journals.count && status == 0 && plan->count > 0 &&
	     !look.over; i++) {
		if (lxfw_journal_read(past->journals.paths[i], look_at, &look, &reach, &error))
			break;
	}
	if (status == 0)
		status = choose(past, &look, plan);
	lxfw_id_map_clear(&look.waiting);
	free(look.depths);
	return status;
}

/* --- the journal -------------------------------------------------------------------- */

/* Whether the futures follow the scheduler of the moment. In a trial another one starts the jobs,
   which is modelled if it has its own priorities. */
static bool can_predict(const struct lxfw_sched *sched)
{
	const struct lxfw_params *params = lxfw_sched_params(sched);

	return (params->shadow != LXFW_SHADOW_ON || lxfw_params_site(params)) &&
	       !lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) &&
	       !lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE) &&
	       !lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS);
}

/* In a trial: the jobs that the scheduler would have started wait. */
static int reach_in_trial(struct lxfw_predict_past *past, const struct lxfw_sched *sched,
			  int64_t time)
{
	struct lxfw_sched *copy = lxfw_replayer_after_trial(sched);
	int failed;

	if (!copy) {
		lxfw_error_set(&past->error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	past->moments.array_tasks = past->replay.names.count == 0 ? LXFW_ARRAY_TASKS : 0;
	failed = lxfw_moments_until(&past->moments, time, copy, &past->past, &past->error);
	lxfw_sched_destroy(copy);
	return failed;
}

/* Predict at the moments before TIME. */
static int reach(struct lxfw_predict_past *past, const struct lxfw_sched *sched, int64_t time)
{
	const struct lxfw_moments *moments = &past->moments;

	if (!sched || !can_predict(sched) || moments->next >= moments->count ||
	    moments->times[moments->next] >= time)
		return 0;
	if (lxfw_sched_params(sched)->shadow == LXFW_SHADOW_ON)
		return reach_in_trial(past, sched, time);
	return lxfw_moments_until(&past->moments, time, sched, &past->past, &past->error);
}

static int see_segment(void *context)
{
	struct lxfw_predict_past *past = context;

	lxfw_past_segment(&past->past);
	lxfw_known_hosts_clear(&past->hosts);
	return 0;
}

static int see_event(void *context, struct lxfw_replayer *replay,
		     const struct lxfw_event *event)
{
	struct lxfw_predict_past *past = context;

	if (reach(past, replay->sched, event->time) ||
	    lxfw_known_hosts_see(&past->hosts, event))
		return -1;
	lxfw_moments_event(&past->moments, event);
	return lxfw_past_event(&past->past, event);
}

static int see_decision(void *context, struct lxfw_replayer *replay)
{
	struct lxfw_predict_past *past = context;
	int64_t now = replay->recorded.now;

	if (reach(past, replay->sched, now))
		return -1;
	for (size_t i = 0; i < replay->recorded.count; i++) {
		lxfw_moments_action(&past->moments, &replay->recorded.actions[i], now);
		lxfw_past_action(&past->past, &replay->recorded.actions[i], now);
	}
	return 0;
}

int lxfw_predict_read(struct lxfw_predict_past *past)
{
	const struct lxfw_replayer_hooks hooks = {
		.context = past, .segment = see_segment, .event = see_event,
		.decision = see_decision,
	};
	struct lxfw_error error;
	int status = 0;

	past->replay.hooks = &hooks;
	past->replay.until = past->until;
	for (size_t i = 0; i < past->journals.count && status == 0 && !past->replay.over; i++) {
		if (lxfw_replayer_file(&past->replay, past->journals.paths[i], &error) == 0)
			continue;
		if (*past->error.text)
			status = lxfw_cmd_bad(&past->error);
		else
			status = lxfw_replayer_bad(&past->replay, &error);
	}
	past->replay.hooks = NULL;
	return status;
}

void lxfw_predict_past_clear(struct lxfw_predict_past *past)
{
	lxfw_journals_clear(&past->journals);
	lxfw_moments_clear(&past->moments);
	lxfw_known_hosts_clear(&past->hosts);
	lxfw_past_clear(&past->past);
	lxfw_replayer_clear(&past->replay);
}
