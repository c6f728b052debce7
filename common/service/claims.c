/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/service/claims.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/decision.h"
#include "common/books/overrun.h"
#include "common/service/runner.h"
#include "common/util/grow.h"

void lxfw_quantum_claim(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			struct lxfw_quantum *quantum)
{
	struct lxfw_share *own = quanta->shares;
	struct lxfw_job *job = &sched->jobs[quantum->job];

	memcpy(own, quantum->shares,
	       (size_t)quantum->share_count * sizeof(*own));
	for (int32_t i = 0; i < quantum->victim_count; i++) {
		int32_t node = sched->jobs[quantum->victims[i].job].claim, at = 0;

		/* both ascending by host */
		for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
			const struct lxfw_release *preempted =
				&sched->profile.releases.nodes[node];

			if (preempted->host < 0)
				continue;
			while (at < quantum->share_count &&
			       own[at].host < preempted->host)
				at++;
			if (at == quantum->share_count ||
			    own[at].host != preempted->host)
				continue;
			own[at].amount.procs -= preempted->amount.procs;
			if (own[at].amount.procs < 0)
				own[at].amount.procs = 0;
		}
	}
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, own, quantum->share_count,
				      job->expected_end);
}

static void end_changed(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	lxfw_profile_run_until(&sched->profile, job->claim, job->expected_end);
	lxfw_expiry_add(sched, index);
	if (lxfw_profile_disturbed(&sched->profile, job->claim))
		sched->disturbed = true;
}

void lxfw_quantum_move_end(struct lxfw_sched *sched, int32_t index, int64_t seconds)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (job->expected_end == LXFW_NEVER || seconds == 0)
		return;
	job->due = lxfw_time_add(job->due, seconds);
	job->expected_end = lxfw_time_add(job->expected_end, seconds);
	end_changed(sched, index);
}

void lxfw_quantum_set_end(struct lxfw_sched *sched, int32_t index, int64_t end)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (job->expected_end == LXFW_NEVER || end == job->expected_end)
		return;
	job->due = job->expected_end = end;
	end_changed(sched, index);
}

int32_t lxfw_quantum_shares_of(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			       int32_t index, bool procs)
{
	struct lxfw_share *shares = quanta->shares;
	int32_t node = sched->jobs[index].claim, count = 0;

	for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
		const struct lxfw_release *release =
			&sched->profile.releases.nodes[node];

		if (release->host < 0)
			continue;
		shares[count].host = release->host;
		shares[count].sockets = release->sockets;
		shares[count].amount = release->amount;
		if (!procs)
			shares[count].amount.procs = 0;
		count++;
	}
	return count;
}

int lxfw_quantum_shares_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	if (LXFW_GROW(quanta->shares, quanta->shares_size,
		      (size_t)sched->profile.host_count))
		return -1;
	return 0;
}

int32_t lxfw_quantum_new(struct lxfw_quanta *quanta, int32_t shares, size_t victims)
{
	struct lxfw_quantum *quantum;
	int32_t slot = 0;

	while ((size_t)slot < quanta->quantum_count && quanta->quanta[slot].used)
		slot++;
	if (LXFW_GROW(quanta->quanta, quanta->quanta_size, (size_t)slot + 1))
		return -1;
	quantum = &quanta->quanta[slot];
	*quantum = (struct lxfw_quantum){
		.job = -1,
		.shares = malloc((size_t)shares * sizeof(*quantum->shares)),
		.share_count = shares,
		.victims = malloc((victims + 1) * sizeof(*quantum->victims)),
	};
	if ((size_t)slot == quanta->quantum_count)
		quanta->quantum_count++;
	if (quantum->shares && quantum->victims)
		return slot;
	free(quantum->shares);
	free(quantum->victims);
	*quantum = (struct lxfw_quantum){ .job = -1 };
	errno = ENOMEM;
	return -1;
}

void lxfw_quantum_free(struct lxfw_quantum *quantum)
{
	free(quantum->shares);
	free(quantum->victims);
	*quantum = (struct lxfw_quantum){ .job = -1 };
}

int lxfw_quantum_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       size_t victims, int32_t count)
{
	size_t shares = (size_t)sched->profile.host_count * victims;

	return lxfw_actions_ready(sched, victims + 1, shares + (size_t)count) <
			       0 ||
			       lxfw_expiry_ready(sched, victims + 1) < 0 ||
			       lxfw_profile_ready_run(&sched->profile, count) < 0 ||
			       lxfw_runner_ready(sched, quanta) < 0 ||
			       lxfw_quantum_shares_ready(sched, quanta) < 0 ?
		       -1 : 0;
}

void lxfw_quantum_go_on(const struct lxfw_sched *sched, struct lxfw_job *job,
			int64_t since)
{
	job->paused += sched->now - since;
	job->continued = sched->now;
}
