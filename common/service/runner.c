/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running jobs that are neither served nor suspended, and the times at which they may be
   preempted. */
#include "common/service/runner.h"

#include "common/books/books.h"
#include "common/util/grow.h"

int lxfw_runner_ready(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;

	(void)sched;
	if (LXFW_GROW(quanta->runners, quanta->runners_size,
		      quanta->runner_count + 1))
		return -1;
	return 0;
}

static int64_t procs_of(const struct lxfw_sched *sched, int32_t claim)
{
	int64_t procs = 0;

	for (; claim >= 0; claim = sched->profile.releases.nodes[claim].next) {
		const struct lxfw_release *release =
			&sched->profile.releases.nodes[claim];

		if (release->host >= 0)
			procs += release->amount.procs;
	}
	return procs;
}

/* Record that the job was suspended or resumed by others. */
static void note_stop(struct lxfw_sched *sched, struct lxfw_job *job,
		      int64_t procs)
{
	bool stopped = procs == 0;

	if (stopped == job->stopped)
		return;
	job->stopped = stopped;
	if (stopped)
		job->ran += sched->now - job->continued;
	else
		job->paused += sched->now - job->continued;
	job->continued = sched->now;
}

void lxfw_runner_add(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	struct lxfw_job *job = &sched->jobs[index];
	int64_t procs = procs_of(sched, job->claim);
	int64_t submit = job->request.submit;

	/* The hosts of an exclusive job are not used by other jobs. The jobs of a group
	   run at the same time. */
	if (job->quantum >= 0 || job->runner >= 0 ||
	    job->request.exclusive || job->group >= 0)
		return;
	note_stop(sched, job, procs);
	/* Nothing else may be known of a job that was first seen running. */
	if ((job->request.estimate == 0 && submit == 0) || submit > job->start)
		submit = job->start;
	job->runner = (int32_t)quanta->runner_count++;
	quanta->runners[job->runner] = (struct lxfw_runner){
		.submit = submit, .continued = job->continued, .ran = job->ran,
		.paused = job->paused, .id = job->request.id, .procs = procs,
		.job = index, .suspensions = job->suspensions,
	};
}

void lxfw_runner_resized(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	const struct lxfw_job *job = &sched->jobs[index];

	if (job->runner >= 0)
		quanta->runners[job->runner].procs =
			procs_of(sched, job->claim);
}

void lxfw_runner_remove(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			int32_t index)
{
	int32_t at = sched->jobs[index].runner;
	struct lxfw_runner last;

	if (at < 0)
		return;
	last = quanta->runners[--quanta->runner_count];
	quanta->runners[at] = last;
	sched->jobs[last.job].runner = at;
	sched->jobs[index].runner = -1;
}

/* The total run time after which a job may be suspended for another quantum without
   exceeding victim_share; rounded up. */
static int64_t run_for_share(const struct lxfw_params *params,
			     const struct lxfw_runner *runner)
{
	return lxfw_time_scale(lxfw_time_add(runner->paused, params->quantum),
			       (int32_t)(100 - params->victim_share),
			       (int32_t)params->victim_share);
}

int64_t lxfw_runner_share_kept_at(const struct lxfw_sched *sched,
				  const struct lxfw_runner *runner)
{
	return lxfw_time_add(runner->continued - runner->ran,
			     run_for_share(&sched->params, runner));
}
