/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/wlm.h"

static struct lxfw_known_job *known_of(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	return lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
}

/* --- starting ------------------------------------------------------------------------- */

/* Most starts without an answer. The server thus notices soon that scheduling is switched off,
   and the daemon that the connection is lost. */
#define UNANSWERED_MAX 64

void lxfw_pbs_put_off(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own)
{
	if (own->failures < 8)
		own->failures++;
	own->retry = pbs->agent.clock + (INT64_C(5) << own->failures);
}

/* As pbs_sched, the daemon waits for the answer if a hook may refuse the start. It does also if
   other jobs were suspended for this one, and if the server or a node has refused it before, to log
   the reason. */
static bool wants_answer(const struct lxfw_pbs *pbs, const struct lxfw_pbs_own *own,
			 const struct lxfw_action *action)
{
	const struct lxfw_pbs_site *site = &pbs->site;

	return site->sched.run_wait == LXFW_PBS_WAIT_MORE ||
	       (site->sched.run_wait == LXFW_PBS_WAIT_HOOK && site->has_runjob_hook) ||
	       action->until != LXFW_NEVER || pbs->suspended_in == pbs->agent.decisions ||
	       own->failures > 0 || pbs->unanswered >= UNANSWERED_MAX;
}

int lxfw_pbs_begin(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, char *vnodes, bool answer,
		   struct lxfw_error *why)
{
	const struct lxfw_pbs_pool *lack = lxfw_pbs_pools_lack(&pbs->site.pools, job);

	if (lack) {
		lxfw_error_set(why, "not enough is left of ");
		lxfw_error_add(why, lack->resource);
	}
	if (lack || lxfw_pbs_run(&pbs->link, job->id, vnodes, answer, why) < 0) {
		free(vnodes);
		return -1;
	}
	pbs->unanswered = answer ? 0 : pbs->unanswered + 1;
	free(job->vnodes);
	job->vnodes = vnodes;
	job->state = 'R';
	job->started = lxfw_agent_now(&pbs->agent);
	lxfw_pbs_use(&pbs->site, job, 1, true);
	lxfw_pbs_pools_use(&pbs->site.pools, job);
	lxfw_pbs_sums_clear(&pbs->site.sums);
	pbs->changed = true;
	lxfw_log_debug("%s runs on %s", job->id, vnodes);
	return 0;
}

int64_t lxfw_pbs_run_time(const struct lxfw_known_job *known, const struct lxfw_pbs_job *job,
			  const struct lxfw_action *action)
{
	int64_t most = lxfw_pbs_estimate(job);

	if (action->limit)
		return action->limit;
	return job->walltime_min > 0 && known->request.estimate < most ?
		       known->request.estimate : most;
}

/* The run time is set before the start: the job ends by it. */
static bool limit(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, int64_t seconds,
		  struct lxfw_error *why)
{

	if (job->walltime_min <= 0 || job->walltime == seconds)
		return true;
	if (lxfw_pbs_set_walltime(&pbs->link, job->id, seconds, why) < 0)
		return false;
	job->walltime = seconds;
	return true;
}

/* Returns true if a job on the host is being cleaned up after its requeue. */
static bool is_cleaned(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int32_t host)
{
	int32_t count = lxfw_pbs_shares(&pbs->site, job->vnodes, false, &pbs->others,
					&pbs->others_size);

	for (int32_t i = 0; i < count; i++) {
		if (pbs->others[i].host == host)
			return true;
	}
	return false;
}

bool lxfw_pbs_busy(void *context, const struct lxfw_action *action)
{
	struct lxfw_pbs *pbs = context;

	for (size_t i = 0; i < pbs->agent.jobs.count; i++) {
		struct lxfw_known_job *known = pbs->agent.jobs.jobs[i];
		const struct lxfw_pbs_job *job;

		if (!lxfw_pbs_own(known)->requeued)
			continue;
		job = lxfw_pbs_site_find_job(&pbs->site, known->record);
		for (int32_t j = 0; job && lxfw_pbs_holds(job) && j < action->count; j++) {
			if (is_cleaned(pbs, job, action->shares[j].host))
				return true;
		}
	}
	return false;
}

enum lxfw_answer lxfw_pbs_not_laid(const struct lxfw_pbs_job *job)
{
	if (errno == ENOMEM)
		return LXFW_REFUSED;
	lxfw_log_debug("%s does not fit on the vnodes of its hosts", job->id);
	return errno == EBUSY ? LXFW_UNFIT : LXFW_GONE;
}

/* The layout for a run of SECONDS. The library keeps reserved resources of hosts free, of any of
   their vnodes. */
char *lxfw_pbs_lay(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		   const struct lxfw_action *action, int64_t seconds)
{
	int64_t end = action->start + seconds;
	int32_t count = action->count;
	char *vnodes;
	int error;

	/* Shares of pools are the last. */
	while (count > 0 && action->shares[count - 1].host >= pbs->site.host_count)
		count--;

	lxfw_pbs_use_resvs(pbs, action->start, end, NULL);
	vnodes = lxfw_pbs_layout(&pbs->site, job, action->shares, count);
	error = errno;
	lxfw_pbs_free_resvs(pbs);
	errno = error;
	return vnodes;
}

/* Returns true if the job would run when its queue may not, or into dedicated time. */
static bool is_closed(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		      const struct lxfw_action *action, int64_t seconds)
{
	if (action->until != LXFW_NEVER && action->until - action->start < seconds)
		seconds = action->until - action->start;
	return lxfw_pbs_closed(&pbs->calendar, job->queue, action->start, seconds) ||
	       (lxfw_pbs_class_of(&pbs->calendar, job->queue) != LXFW_PBS_DEDICATED &&
		lxfw_pbs_meets_dedicated(&pbs->calendar, action->start,
					 action->start + seconds));
}

/* Returns true if scheduling has been switched off during this pass, which may take long. */
static bool is_off(struct lxfw_pbs *pbs)
{
	struct lxfw_error why;
	bool scheduling;

	if (pbs->idle || lxfw_now_us() - pbs->read_us < pbs->recheck_us)
		return pbs->idle;
	if (lxfw_pbs_read_scheduling(&pbs->link, pbs->sched, &scheduling, &why) < 0)
		return true;
	pbs->read_us = lxfw_now_us();
	if (scheduling)
		return false;
	lxfw_log_info("scheduling is off: nothing more is started");
	pbs->idle = true;
	return true;
}

enum lxfw_answer lxfw_pbs_may_begin(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
				    const struct lxfw_pbs_job *job,
				    const struct lxfw_action *action, int64_t seconds)
{
	if (pbs->link.lost || lxfw_pbs_own(known)->retry > pbs->agent.clock)
		return LXFW_REFUSED;
	if (pbs->shadow) {
		lxfw_log_info("%s would start", job->id);
		return LXFW_BUSY;
	}
	/* Jobs of this decision may have reached a limit, and an operator's job may have taken
	   the rest of a pool. */
	if (is_off(pbs) || lxfw_pbs_busy(pbs, action) || is_closed(pbs, job, action, seconds) ||
	    lxfw_pbs_limited(&pbs->site, job) || lxfw_pbs_pools_lack(&pbs->site.pools, job))
		return LXFW_BUSY;
	return LXFW_DONE;
}

enum lxfw_answer lxfw_pbs_launch(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own,
				 struct lxfw_pbs_job *job, const struct lxfw_action *action,
				 char *vnodes, int64_t seconds)
{
	struct lxfw_error why;

	if (!limit(pbs, job, seconds, &why)) {
		free(vnodes);
		lxfw_log_error("%s: its run time cannot be set: %s", job->id, why.text);
		return LXFW_REFUSED;
	}
	if (lxfw_pbs_begin(pbs, job, vnodes, wants_answer(pbs, own, action), &why) < 0) {
		lxfw_log_info("%s cannot start: %s", job->id, why.text);
		lxfw_pbs_tell_failure(pbs, job, why.text);
		lxfw_pbs_put_off(pbs, own);
		pbs->changed = true;
		return LXFW_REFUSED;
	}
	own->asked = pbs->agent.clock;
	own->asked_on = pbs->link.number;
	own->started = 0;
	/* The library counts from the time of the decision. */
	job->started = action->start;
	return LXFW_DONE;
}

enum lxfw_answer lxfw_pbs_start(void *context, struct lxfw_known_job *known,
				const struct lxfw_action *action, struct lxfw_run *run)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);
	enum lxfw_answer answer;
	int64_t seconds;
	char *vnodes;

	if (job && lxfw_pbs_own(known)->mixed)
		return lxfw_pbs_start_part(pbs, known, job, action, run);
	if (!job || job->state != 'Q')
		return LXFW_GONE;
	seconds = lxfw_pbs_run_time(known, job, action);
	answer = lxfw_pbs_may_begin(pbs, known, job, action, seconds);
	if (answer != LXFW_DONE)
		return answer;
	vnodes = lxfw_pbs_lay(pbs, job, action, seconds);
	if (!vnodes)
		return lxfw_pbs_not_laid(job);
	answer = lxfw_pbs_launch(pbs, lxfw_pbs_own(known), job, action, vnodes, seconds);
	if (answer != LXFW_DONE)
		return answer;
	lxfw_pbs_fit(lxfw_pbs_own(known));
	return lxfw_pbs_read_run(pbs, known, job, run) ? LXFW_DONE : LXFW_GONE;
}

/* --- suspending ----------------------------------------------------------------------- */

bool lxfw_pbs_must_run(const struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job, bool own_end, struct lxfw_error *why)
{
	const struct lxfw_pbs_own *own = lxfw_pbs_own(known);
	int64_t least = lxfw_params_min_run(&pbs->agent.params) - 1;

	if (!job || job->state != 'R')
		lxfw_error_set(why, "it does not run");
	else if (known->request.group)
		lxfw_error_set(why, "it has just started");
	else if (pbs->shadow)
		lxfw_error_set(why, "nothing is carried out");
	else if (pbs->link.lost)
		lxfw_error_set(why, "the server is not connected");
	else if (pbs->unwritten && job->task >= 0)
		lxfw_error_set(why, "its number could not be written down");
	else if (pbs->site.keeps_procs)
		lxfw_error_set(why, "it would keep its processors: restrict_res_to_release_on_suspend does not have ncpus");
	else if (!own_end && own->resumed && pbs->agent.clock - own->resumed < least)
		lxfw_error_set(why, "it was resumed a short time ago");
	else
		return false;
	return true;
}

void lxfw_pbs_suspended(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			struct lxfw_pbs_job *job)
{
	lxfw_pbs_use(&pbs->site, job, -1, true);
	lxfw_pbs_use(&pbs->site, job, 1, false);
	job->state = 'S';
	job->substate = LXFW_PBS_SUBSTATE_SCHSUSP;
	lxfw_pbs_own(known)->stopped = lxfw_agent_now(&pbs->agent);
	pbs->suspended_in = pbs->agent.decisions;
	pbs->changed = true;
}

/* The answer for a job that was suspended with others. */
static enum lxfw_answer outcome_of(const struct lxfw_pbs_own *own, struct lxfw_error *why)
{
	switch (own->outcome) {
	case 'S':
		return LXFW_DONE;
	case 'Q':
		lxfw_error_set(why, "the server requeued it instead");
		break;
	case 'C':
		lxfw_error_set(why, "the server checkpointed it instead");
		break;
	case 'D':
		lxfw_error_set(why, "it is over");
		break;
	default:
		lxfw_error_set(why, "the server cannot preempt it");
	}
	return LXFW_REFUSED;
}

enum lxfw_answer lxfw_pbs_suspend(void *context, struct lxfw_known_job *known,
				  struct lxfw_preempted *preempted, bool own_end,
				  struct lxfw_error *why)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);
	struct lxfw_pbs_own *own = lxfw_pbs_own(known);

	(void)preempted;
	if (own->batch == pbs->agent.decisions)
		return outcome_of(own, why);
	if (job && pbs->site.preempts && lxfw_pbs_waits_to_resume(job))
		return LXFW_DONE;
	if (lxfw_pbs_must_run(pbs, known, job, own_end, why))
		return LXFW_REFUSED;
	if (lxfw_pbs_suspend_all(pbs, known))
		return outcome_of(own, why);
	if (lxfw_pbs_signal(&pbs->link, job->id, "suspend", why) < 0)
		return LXFW_REFUSED;
	lxfw_pbs_suspended(pbs, known, job);
	return LXFW_DONE;
}

struct room {
	const struct lxfw_pbs_site *site;
	const char *why, *vnode;
	enum lxfw_pbs_exclusion exclusion;
};

static bool has_room(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct room *room = context;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(room->site, name);

	room->vnode = vnode ? vnode->name : NULL;
	room->why = NULL;
	if (!vnode)
		room->why = "a vnode does not exist any more";
	else if (!vnode->up)
		room->why = "this vnode is not available: ";
	else if (vnode->used.procs > vnode->total.procs - amount->procs)
		room->why = "other jobs use the processors of ";
	else if (!lxfw_pbs_is_open(room->site, vnode, room->exclusion))
		room->why = "another job has the whole of ";
	return !room->why;
}

/* The chunks of the job are counted. */
static bool is_within(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct room *room = context;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(room->site, name);

	(void)amount;
	if (!vnode || vnode->used.procs <= vnode->total.procs)
		return true;
	room->vnode = vnode->name;
	room->why = "other jobs use the processors of ";
	return false;
}

/* Several chunks may be on a vnode: after each one, their sum is tested. */
static bool may_resume(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		       struct lxfw_error *why)
{
	struct room room = {
		.site = &pbs->site, .exclusion = lxfw_pbs_exclusion(&pbs->site, job),
	};
	bool procs = lxfw_pbs_has_procs(&pbs->site, job), good;

	lxfw_pbs_use(&pbs->site, job, -1, procs);
	good = job->vnodes && lxfw_pbs_vnodes_read(job->vnodes, &pbs->site.kinds, has_room,
						   &room);
	/* The sum of its chunks on each vnode. */
	lxfw_pbs_use(&pbs->site, job, 1, true);
	good = good && lxfw_pbs_vnodes_read(job->vnodes, &pbs->site.kinds, is_within, &room);
	lxfw_pbs_use(&pbs->site, job, -1, true);
	lxfw_pbs_use(&pbs->site, job, 1, procs);
	if (!good) {
		lxfw_error_set(why, room.why ? room.why : "its vnodes are unknown");
		lxfw_error_add(why, room.why && room.vnode ? room.vnode : "");
	}
	return good;
}

bool lxfw_pbs_waits_to_resume(const struct lxfw_pbs_job *job)
{
	return job->state == 'S' && job->substate == LXFW_PBS_SUBSTATE_SCHSUSP;
}

bool lxfw_pbs_try_resume(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job,
			 struct lxfw_error *why)
{
	struct lxfw_known_job *known;

	if (pbs->shadow || pbs->link.lost) {
		lxfw_error_set(why, "");
		return false;
	}
	if (!lxfw_pbs_waits_to_resume(job)) {
		lxfw_error_set(why, "an operator has suspended it");
		return false;
	}
	if (!may_resume(pbs, job, why) ||
	    lxfw_pbs_signal(&pbs->link, job->id, "resume", why) < 0)
		return false;
	lxfw_pbs_use(&pbs->site, job, -1, lxfw_pbs_has_procs(&pbs->site, job));
	lxfw_pbs_use(&pbs->site, job, 1, true);
	job->state = 'R';
	pbs->changed = true;
	known = known_of(pbs, job);
	if (known && lxfw_pbs_own(known)->stopped) {
		struct lxfw_pbs_own *own = lxfw_pbs_own(known);
		int64_t now = lxfw_agent_now(&pbs->agent);

		if (now > own->stopped)
			own->suspended += now - own->stopped;
		own->stopped = 0;
		own->resumed = now;
	}
	return true;
}

enum lxfw_answer lxfw_pbs_resume(void *context, const struct lxfw_preempted *preempted,
				 struct lxfw_error *why)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, preempted->job_id);

	if (!job)
		return LXFW_GONE;
	return lxfw_pbs_try_resume(pbs, job, why) ? LXFW_DONE : LXFW_DEFERRED;
}

/* --- requeueing ----------------------------------------------------------------------- */

enum lxfw_answer lxfw_pbs_requeue(void *context, uint32_t record, struct lxfw_error *why)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, record);
	struct lxfw_known_job *known;

	if (!job || !lxfw_pbs_holds(job))
		return LXFW_GONE;
	if (pbs->shadow || pbs->link.lost || !job->rerunable) {
		lxfw_error_set(why, job->rerunable ? "the server is not connected" :
			       "it cannot be run again");
		return LXFW_REFUSED;
	}
	if (lxfw_pbs_rerun(&pbs->link, job->id, why) < 0)
		return LXFW_REFUSED;
	pbs->changed = true;
	known = known_of(pbs, job);
	if (known) {
		lxfw_pbs_own(known)->requeued = lxfw_agent_now(&pbs->agent);
		lxfw_pbs_own(known)->asked = 0;
	}
	return LXFW_DONE;
}
