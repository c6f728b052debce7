/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports waiting jobs to the agent. */
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* --- the request ------------------------------------------------------------------------ */

int lxfw_pbs_tell_set(struct lxfw_pbs *pbs, int32_t id)
{
	struct lxfw_pbs_set *set = &pbs->sets.set[id];

	if (set->told)
		return 0;
	/* Ids are consecutive in the library. */
	for (int32_t i = 0; i <= id; i++) {
		set = &pbs->sets.set[i];
		if (!set->told)
			lxfw_mirror_set(&pbs->agent, i, set->hosts, set->count);
		set->told = true;
	}
	return 0;
}

/* True if the colon-separated LIST has NAME. */
static bool names(const char *list, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	while (list && *list) {
		size_t item = strcspn(list, ":");

		if (item == length && strncmp(list, name, length) == 0)
			return true;
		list += item + (list[item] == ':');
	}
	return false;
}

/* Memory in a quantum is not less than requested. A job that cannot be requeued must be
   suspended at its end. */
static bool may_serve(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		      const struct lxfw_request *request)
{
	const struct lxfw_params *params = &pbs->agent.params;

	if (pbs->site.keeps_procs || names(pbs->unserved, job->queue) ||
	    (pbs->most_procs > 0 && lxfw_request_sum(request).procs > pbs->most_procs))
		return false;
	return lxfw_request_sum(request).memory_mb <= params->quantum_mem &&
	       (job->rerunable || params->quantum_end == LXFW_QUANTUM_SUSPEND);
}

/* A job that can be shortened ends when jobs of its queue must. */
static void shorten(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		    struct lxfw_request *request)
{
	int64_t end = lxfw_pbs_must_end(&pbs->calendar, job->queue, pbs->agent.clock);
	int64_t left = end - pbs->agent.clock;

	if (!request->min_estimate || end == LXFW_NEVER || left >= request->estimate ||
	    left < request->min_estimate)
		return;
	request->estimate = left;
	if (request->min_estimate == left)
		request->min_estimate = 0;
}

int32_t lxfw_pbs_present_tier(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	struct lxfw_known_job *known = lxfw_table_find(&pbs->agent.jobs,
						       lxfw_pbs_id(job->number, job->task));
	bool considered = pbs->considered && strcmp(pbs->considered, job->id) == 0;

	/* It has left its nodes again, or its start was refused. */
	if (known && job->state == 'Q' && !considered && !lxfw_pbs_own(known)->asked)
		lxfw_pbs_own(known)->operated = false;
	if (considered || (known && lxfw_pbs_own(known)->operated))
		return LXFW_PBS_TIER_MOST;
	return lxfw_pbs_tier(&pbs->site, job, lxfw_pbs_share_conditions(pbs, job));
}

int lxfw_pbs_make_request(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			  struct lxfw_request *request, struct lxfw_error *why)
{
	int rc = lxfw_pbs_request(&pbs->site, &pbs->sets, job, request, why);

	if (rc < 0)
		pbs->agent.events.failed = true;
	if (rc <= 0)
		return rc;
	shorten(pbs, job, request);
	request->id = lxfw_pbs_id(job->number, job->task);
	request->submit = job->eligible ? job->eligible : job->queued;
	request->tier = lxfw_pbs_present_tier(pbs, job);
	if (request->pool_count && !lxfw_policy_groups(pbs->agent.params.policy)) {
		lxfw_error_set(why, "the policy cannot start jobs that request resources of the server");
		return 0;
	}
	/* Others would be suspended again and again without use. */
	request->no_quantum |= !may_serve(pbs, job, request) || job->refused;
	request->exclusive |= job->alone;
	return lxfw_pbs_tell_set(pbs, request->host_sets[0] + request->more_sets) < 0 ? -1 : 1;
}

/* --- the whole -------------------------------------------------------------------------- */

/* A job that is pending soon after the daemon started it: the server or a node refused it, unless
   the connection was lost, and the start with it. */
static void note_failure(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			 struct lxfw_pbs_own *own)
{
	int64_t now = pbs->agent.clock;

	if (!own->asked)
		return;
	if (own->asked_on != pbs->link.number) {
		own->asked = 0;
		return;
	}
	if (now - own->asked < 120 && !own->requeued) {
		lxfw_pbs_put_off(pbs, own);
		lxfw_log_info("%s was not started: the server or a node refused it; again in %lld s",
			      job->id, (long long)(own->retry - now));
	} else {
		own->failures = 0;
	}
	own->asked = 0;
}

/* Why a job must not be started at present. */
struct kept {
	const char *why;	/* NULL: it may be */
	enum lxfw_reason reason;
	enum lxfw_limited limited;
};

/* Returns why the job must not be started at present. Its wait is not counted as eligible
   while its user, group or project runs as much as it may. */
static struct kept held_back(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_limit *limit;
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(&pbs->site, job->queue);
	const char *why;

	if (!queue->started)
		return (struct kept){ "its queue is stopped", LXFW_REASON_QUEUE_STOPPED, 0 };
	why = lxfw_pbs_closed(&pbs->calendar, job->queue, pbs->agent.clock,
			      job->walltime_min > 0 ? job->walltime_min :
						      lxfw_pbs_estimate(job));
	if (why)
		return (struct kept){ why, LXFW_REASON_CLOSED, 0 };
	limit = lxfw_pbs_limited(&pbs->site, job);
	if (limit && limit->kind != 'o')
		job->accrues = LXFW_PBS_ACCRUES_INELIGIBLE;
	if (!limit)
		return (struct kept){ NULL, LXFW_REASON_NONE, 0 };
	return (struct kept){ "a limit of running jobs has been reached", LXFW_REASON_LIMIT,
			      lxfw_pbs_limited_by(limit) };
}

bool lxfw_pbs_follows_site(const struct lxfw_pbs *pbs)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(&pbs->agent.params);

	return policy && policy->order.site && !policy->order.line;
}

/* queue_rank is a time in microseconds; older releases number jobs. */
#define RANK_LEAST (INT64_C(1) << 48)

/* Seconds by which the place of the job differs from that of its submit time in SUBMIT: pbs_sched
   orders jobs by the time at which they came to their queue, also if they were held then, and as
   qorder(1B) has changed that. */
static int64_t delay_of(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			int64_t submit)
{
	int64_t delay = job->rank / 1000000 - submit;

	if (!lxfw_pbs_follows_site(pbs) || job->rank < RANK_LEAST)
		return 0;
	return delay > LXFW_DELAY_MAX ? LXFW_DELAY_MAX :
	       delay < -LXFW_DELAY_MAX ? -LXFW_DELAY_MAX : delay;
}

/* The library cannot have the job, as WHY says unless memory ran out. */
static void leave_out(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, int rc,
		      const struct lxfw_error *why)
{
	if (rc < 0)
		pbs->agent.events.failed = true;
	if (rc == 0 && !job->odd)
		job->odd = strdup(why->text);
	if (rc == 0)
		lxfw_pbs_aside(pbs, job, LXFW_REASON_REQUEST, 0, 0);
	pbs->agent.counts.leftovers++;
}

/* The library does not have the job at present. */
static void hold_back(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, const struct kept *kept)
{
	job->held_back = strdup(kept->why);
	lxfw_pbs_aside(pbs, job, kept->reason, kept->limited, 0);
	pbs->agent.counts.leftovers++;
}

static void report(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		   struct lxfw_waiting *waiting, bool mixed)
{
	struct lxfw_known_job *known;

	waiting->delay = delay_of(pbs, job, waiting->request.submit);
	known = lxfw_mirror_waiting(&pbs->agent, waiting);
	if (!known)
		return;
	note_failure(pbs, job, lxfw_pbs_own(known));
	lxfw_pbs_own(known)->requeued = lxfw_pbs_own(known)->started = 0;
	lxfw_pbs_own(known)->mixed = mixed;
}

/* --- mixed jobs --------------------------------------------------------------------------- */

/* Sets the request of a part: that of the job, but for what it uses and where. */
static int request_part(struct lxfw_pbs *pbs, const struct lxfw_pbs_mixed *mixed,
			const struct lxfw_pbs_job *job, int32_t index,
			struct lxfw_request *request, struct lxfw_error *why)
{
	uint64_t whole = lxfw_pbs_id(job->number, job->task);
	uint64_t id = lxfw_pbs_part_id(whole, index);
	struct lxfw_known_job *known = lxfw_table_find(&pbs->agent.jobs, id);
	struct lxfw_pbs_job part = lxfw_pbs_part_of(mixed, job, index);
	int rc;

	if (!id) {
		lxfw_error_set(why, "its number in its array is too large for a task with different chunks");
		return 0;
	}
	if (known)
		lxfw_pbs_bar(pbs, lxfw_pbs_own(known), &part);
	rc = lxfw_pbs_make_request(pbs, &part, request, why);
	if (rc == 0 && part.barred) {
		part.barred = 0;
		part.barred_now = false;
		rc = lxfw_pbs_make_request(pbs, &part, request, why);
	}
	if (rc <= 0 || mixed->count == 1)
		return rc;
	request->id = id;
	request->group = whole;
	request->group_count = mixed->count;
	request->no_quantum = true;
	request->min_estimate = 0;
	return 1;
}

/* All parts are reported, or none. */
static void show_parts(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job,
		       const struct lxfw_pbs_mixed *mixed, struct lxfw_waiting *waiting)
{
	struct lxfw_request *requests = calloc((size_t)mixed->count, sizeof(*requests));
	struct lxfw_error why;
	int rc = requests ? 1 : -1;

	lxfw_error_set(&why, "the policy cannot start jobs whose chunks differ so much");
	if (mixed->count > 1 && !lxfw_policy_groups(pbs->agent.params.policy))
		rc = 0;
	for (int32_t i = 0; i < mixed->count && rc > 0; i++)
		rc = request_part(pbs, mixed, job, i, &requests[i], &why);
	if (rc <= 0)
		leave_out(pbs, job, rc, &why);
	for (int32_t i = 0; i < mixed->count && rc > 0; i++) {
		waiting->request = requests[i];
		waiting->request.tier = requests[0].tier;	/* by all that the job requests */
		report(pbs, job, waiting, true);
	}
	pbs->agent.counts.jobs += rc > 0;
	free(requests);
}

static void show_mixed(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job,
		       struct lxfw_waiting *waiting, const struct lxfw_pbs_decided *decided)
{
	if (decided && decided->count > 0)
		show_parts(pbs, job, &decided->mixed, waiting);
	else
		leave_out(pbs, job, decided ? 0 : -1, decided ? &decided->why : NULL);
}

/* --- all waiting jobs --------------------------------------------------------------------- */

void lxfw_pbs_show_waiting(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	struct lxfw_waiting waiting = {
		.record = job->record, .again = job->runs > 0,
	};
	const struct lxfw_pbs_decided *decided;
	struct lxfw_known_job *known;
	struct lxfw_error why;
	struct kept kept;
	int rc;

	job->accrues = LXFW_PBS_ACCRUES_ELIGIBLE;
	kept = held_back(pbs, job);
	if (!kept.why && !lxfw_pbs_rank(pbs, job, &waiting.priority)) {
		kept.why = "the value of job_sort_formula is not above job_sort_formula_threshold";
		kept.reason = LXFW_REASON_PRIORITY;
		job->accrues = LXFW_PBS_ACCRUES_INELIGIBLE;
	}
	if (kept.why) {
		hold_back(pbs, job, &kept);
		return;
	}
	decided = lxfw_pbs_decided_of(pbs, job);
	if (decided && decided->later) {
		kept.why = "its different chunks have not been examined yet";
		kept.reason = LXFW_REASON_LATER;
		hold_back(pbs, job, &kept);
		return;
	}
	if (!decided || decided->is_mixed) {
		show_mixed(pbs, job, &waiting, decided);
		return;
	}
	lxfw_error_set(&why, "");
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	if (known)
		lxfw_pbs_bar(pbs, lxfw_pbs_own(known), job);
	rc = lxfw_pbs_make_request(pbs, job, &waiting.request, &why);
	if (rc <= 0) {
		leave_out(pbs, job, rc, &why);
		return;
	}
	report(pbs, job, &waiting, false);
	pbs->agent.counts.jobs++;
}
