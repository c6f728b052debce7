/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/preempt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/serve.h"

/* Says that no job is suspended for another one (lxfw_can_suspend()), if the parameters
   require that. */
static void say_unable(struct lxfw_bridge *bridge)
{
	const struct lxfw_params *params = &bridge->agent.params;
	struct lxfw_preemption *preemption = &bridge->preemption;
	bool serves = lxfw_params_serve(params);
	bool unable = !lxfw_can_suspend() &&
		      (serves || lxfw_params_has(params, LXFW_TRAIT_SUSPENDS));

	if (unable && !preemption->gang_said)
		error("sched/lxfw: no job %s: %s",
		      serves ? "gets a quantum (lxfw_quantum)" :
			       "is suspended for another one (lxfw_policy)",
		      slurm_conf.preempt_mode & PREEMPT_MODE_GANG ?
		      "PreemptMode=GANG suspends and resumes jobs, too" :
		      "SelectType must be select/cons_tres");
	preemption->gang_said = unable;
}

void lxfw_preempt_look(struct lxfw_bridge *bridge)
{
	struct lxfw_preemption *preemption = &bridge->preemption;

	say_unable(bridge);
	preemption->enabled = lxfw_compat_preemption();
	preemption->by_qos = lxfw_compat_preemption_by_qos();
	preemption->count = 0;
	preemption->before = preemption->candidates;
	preemption->candidates = 0;
	preemption->fresh = false;
}

void lxfw_preempt_looked(struct lxfw_bridge *bridge)
{
	struct lxfw_preemption *preemption = &bridge->preemption;

	preemption->fresh = preemption->candidates > preemption->before;
}

/* --- partitions and QOS of pending jobs ------------------------------------------- */

static struct lxfw_preempt_kind *find_kind(const struct lxfw_bridge *bridge,
					   const job_record_t *job)
{
	const struct lxfw_preemption *preemption = &bridge->preemption;

	for (size_t i = 0; i < preemption->count; i++) {
		struct lxfw_preempt_kind *kind = &preemption->kind[i];

		if (kind->part == job->part_ptr && kind->qos == job->qos_ptr)
			return kind;
	}
	return NULL;
}

/* Returns the entry for the job's partition and QOS, or NULL when memory runs out. */
static struct lxfw_preempt_kind *kind_of(struct lxfw_bridge *bridge,
					 const job_record_t *job)
{
	struct lxfw_preemption *preemption = &bridge->preemption;
	struct lxfw_preempt_kind *kind = find_kind(bridge, job);

	if (kind)
		return kind;
	if (LXFW_GROW(preemption->kind, preemption->size, preemption->count + 1)) {
		bridge->agent.events.failed = true;
		return NULL;
	}
	kind = &preemption->kind[preemption->count++];
	*kind = (struct lxfw_preempt_kind){
		.part = job->part_ptr,
		.qos = job->qos_ptr,
		.depth = preemption->by_qos ? lxfw_compat_qos_depth(job) : 0,
	};
	return kind;
}

/* Limit of the tests for one partition and QOS in a look. Each examines all jobs, and
   users can submit many jobs, each with a higher priority than the one before it. */
#define TESTS_MAX 8

/* Returns true if the answer for jobs of KIND with lower priorities is that for JOB, too.
   With PreemptMode=WITHIN, a job may also preempt those of its own QOS that have a lower
   priority. */
static bool is_known(const struct lxfw_bridge *bridge,
		     const struct lxfw_preempt_kind *kind, const job_record_t *job)
{
	return kind->candidates > 0 ||
	       (kind->tests > 0 && (!bridge->preemption.by_qos ||
				    job->priority <= kind->priority));
}

bool lxfw_may_preempt(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_preempt_kind *kind;
	time_t until;

	if (!bridge->preemption.enabled || !job->part_ptr)
		return false;
	kind = kind_of(bridge, job);
	if (!kind)
		return false;
	if (is_known(bridge, kind, job))
		return kind->candidates > 0;
	kind->priority = job->priority;
	/* After the last test, the result of the offer shows whether it may. */
	kind->candidates = kind->tests++ < TESTS_MAX ? lxfw_compat_preemptable(job) : 1;
	bridge->preemption.candidates += kind->candidates;
	until = lxfw_compat_exempt_until(job);
	if (until)
		lxfw_agent_look_again(&bridge->agent, until);
	return kind->candidates > 0;
}

int32_t lxfw_preempt_depth(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	const struct lxfw_preempt_kind *kind;

	if (!bridge->preemption.by_qos || !job->part_ptr)
		return 0;
	kind = find_kind(bridge, job);
	return kind ? kind->depth : lxfw_compat_qos_depth(job);
}

bool lxfw_is_gang_suspended(const job_record_t *job)
{
	/* A job that was suspended by other means has priority 0. */
	return IS_JOB_SUSPENDED(job) && job->priority != 0 &&
	       slurm_conf.preempt_mode & PREEMPT_MODE_GANG;
}

/* --- jobs suspended for a quantum ------------------------------------------------- */

/* Slurm never preempts a job before its start. */
#define LATER_SECONDS (24 * 3600)

void lxfw_spare_suspended(struct lxfw_bridge *bridge)
{
	const struct lxfw_quanta_books *books = &bridge->agent.quanta;
	struct lxfw_preemption *preemption = &bridge->preemption;

	preemption->spared_count = 0;
	if (!preemption->enabled ||
	    LXFW_GROW(preemption->spared, preemption->spared_size,
		      books->preempted_count))
		return;
	for (size_t i = 0; i < books->preempted_count; i++) {
		job_record_t *job = find_job_record(books->preempted[i].job_id);

		if (!job || !IS_JOB_SUSPENDED(job) || !lxfw_compat_grace_time(job))
			continue;
		preemption->spared[preemption->spared_count++] =
			(struct lxfw_spared_job){ job, job->start_time };
		job->start_time = time(NULL) + LATER_SECONDS;
	}
}

void lxfw_spare_no_more(struct lxfw_bridge *bridge)
{
	struct lxfw_preemption *preemption = &bridge->preemption;

	while (preemption->spared_count > 0) {
		struct lxfw_spared_job *one =
			&preemption->spared[--preemption->spared_count];

		one->job->start_time = one->start;
	}
}

void lxfw_preempt_clear(struct lxfw_preemption *preemption)
{
	free(preemption->kind);
	free(preemption->spared);
	memset(preemption, 0, sizeof(*preemption));
}
