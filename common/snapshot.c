/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/util/grow.h"

static int no_memory(void)
{
	errno = ENOMEM;
	return -1;
}

void lxfw_snapshot_clear(struct lxfw_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->set_count; i++)
		free(snapshot->sets[i].hosts);
	for (size_t i = 0; i < snapshot->block_count; i++)
		free(snapshot->blocks[i].shares);
	for (size_t i = 0; i < snapshot->job_count; i++)
		free(snapshot->jobs[i].shares);
	for (size_t i = 0; i < snapshot->reservation_count; i++)
		free(snapshot->reservations[i].shares);
	free(snapshot->hosts);
	free(snapshot->sets);
	free(snapshot->blocks);
	free(snapshot->jobs);
	free(snapshot->reservations);
	*snapshot = (struct lxfw_snapshot) { 0 };
}

/* --- from a scheduler --------------------------------------------------------------- */

static int take_hosts(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	size_t count = (size_t)sched->profile.host_count;

	to->hosts = calloc(count + 1, sizeof(*to->hosts));
	if (!to->hosts)
		return no_memory();
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];

		to->hosts[to->host_count++] = (struct lxfw_snapshot_host) {
			host->up, host->total, sched->weights.of[i],
			sched->weights.boot[i], sched->gpus, host->sockets,
		};
	}
	return 0;
}

static int take_sets(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	to->sets = calloc(sched->host_set_count + 1, sizeof(*to->sets));
	if (!to->sets)
		return no_memory();
	for (size_t i = 0; i < sched->host_set_count; i++) {
		const struct lxfw_host_set *from = &sched->host_sets[i];
		struct lxfw_snapshot_set *set = &to->sets[to->set_count];

		set->hosts = calloc((size_t)from->count + 1, sizeof(*set->hosts));
		if (!set->hosts)
			return no_memory();
		to->set_count++;
		for (size_t host = 0; host < 64 * from->words; host++) {
			if (from->members[host / 64] >> (host % 64) & 1)
				set->hosts[set->count++] = (int32_t)host;
		}
	}
	return 0;
}

static struct lxfw_share *copy_shares(const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_share *copy = calloc((size_t)count + 1, sizeof(*copy));

	if (copy && count > 0)
		memcpy(copy, shares, (size_t)count * sizeof(*copy));
	return copy;
}

static int take_blocks(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	to->blocks = calloc(sched->block_count + 1, sizeof(*to->blocks));
	if (!to->blocks)
		return no_memory();
	for (size_t i = 0; i < sched->block_count; i++) {
		const struct lxfw_block *from = &sched->blocks[i];
		struct lxfw_snapshot_block *block = &to->blocks[i];

		block->id = from->id;
		block->start = from->start;
		block->end = from->end;
		block->count = from->count;
		block->shares = copy_shares(from->shares, from->count);
		if (!block->shares)
			return no_memory();
		to->block_count++;
	}
	return 0;
}

static int by_host(const void *one, const void *other)
{
	const struct lxfw_share *a = one, *b = other;

	return (a->host > b->host) - (a->host < b->host);
}

/* The shares of a running job, or those that an interrupted one keeps. */
static int take_shares(struct lxfw_snapshot_job *to, const struct lxfw_sched *sched,
		       const struct lxfw_job *job)
{
	if (job->state != LXFW_JOB_RUNNING) {
		to->count = job->kept_count;
		to->shares = job->kept ? copy_shares(job->kept, job->kept_count) : NULL;
		return job->kept && !to->shares ? no_memory() : 0;
	}
	to->count = lxfw_profile_shares(&sched->profile, job->claim, NULL);
	to->shares = calloc((size_t)to->count + 1, sizeof(*to->shares));
	if (!to->shares)
		return no_memory();
	(void)lxfw_profile_shares(&sched->profile, job->claim, to->shares);
	qsort(to->shares, (size_t)to->count, sizeof(*to->shares), by_host);
	return 0;
}

static enum lxfw_snapshot_state state_of(const struct lxfw_job *job,
					 const struct lxfw_snapshot_job *to)
{
	if (job->state == LXFW_JOB_RUNNING) {
		for (int32_t i = 0; i < to->count; i++) {
			if (to->shares[i].amount.procs != 0)
				return LXFW_SNAPSHOT_RUNNING;
		}
		return LXFW_SNAPSHOT_SUSPENDED;
	}
	if (job->kept)
		return LXFW_SNAPSHOT_INTERRUPTED;
	return job->state == LXFW_JOB_REFUSED ? LXFW_SNAPSHOT_REFUSED :
						LXFW_SNAPSHOT_WAITING;
}

static int take_job(struct lxfw_snapshot_job *to, const struct lxfw_sched *sched,
		    const struct lxfw_job *job)
{
	bool in_class = job->state == LXFW_JOB_WAITING;

	*to = (struct lxfw_snapshot_job) {
		.request = job->request, .priority = job->priority, .delay = job->delay,
		.bypassed = job->bypassed +
			    (in_class ? sched->classes[job->class].bypassed : 0),
		.place = job->place, .announced = job->announced,
		.nowhere = job->nowhere, .served = job->served,
	};
	if (take_shares(to, sched, job))
		return -1;
	to->state = state_of(job, to);
	if (to->state == LXFW_SNAPSHOT_REFUSED)
		to->refused_until = job->refused_until;
	if (job->state != LXFW_JOB_RUNNING)
		return 0;
	to->start = job->start;
	to->continued = job->continued;
	to->ran = job->ran;
	to->paused = job->paused;
	to->suspensions = job->suspensions;
	to->expected_end = job->expected_end;
	to->due = job->due;
	return 0;
}

static int by_id(const void *one, const void *other)
{
	uint64_t a = lxfw_id_key(((const struct lxfw_snapshot_job *)one)->request.id);
	uint64_t b = lxfw_id_key(((const struct lxfw_snapshot_job *)other)->request.id);

	return (a > b) - (a < b);
}

static int take_jobs(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	to->jobs = calloc(sched->jobs_used + 1, sizeof(*to->jobs));
	if (!to->jobs)
		return no_memory();
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		if (job->state == LXFW_JOB_FREE)
			continue;
		if (take_job(&to->jobs[to->job_count], sched, job))
			return -1;
		to->job_count++;
	}
	qsort(to->jobs, to->job_count, sizeof(*to->jobs), by_id);
	return 0;
}

/* A reservation without holds is private to a policy; those of a group have several ends. */
static bool is_carried(const struct lxfw_sched *sched,
		       const struct lxfw_reservation *reservation)
{
	const struct lxfw_job *job = &sched->jobs[reservation->job];

	return reservation->claim >= 0 && job->group < 0 && !job->kept;
}

static int take_reservations(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	const struct lxfw_profile *profile = &sched->profile;

	to->reservations = calloc(sched->reservation_count + 1, sizeof(*to->reservations));
	if (!to->reservations)
		return no_memory();
	for (size_t i = 0; i < sched->reservation_count; i++) {
		const struct lxfw_reservation *from = &sched->reservations[i];
		struct lxfw_snapshot_reservation *one = &to->reservations[i];

		/* The others depend on it, so all are made again. */
		to->disturbed |= !is_carried(sched, from);
		one->job = sched->jobs[from->job].request.id;
		one->start = from->start;
		one->end = from->end;
		one->digest = from->digest;
		one->for_pools = from->for_pools;
		for (int32_t at = from->claim; at >= 0; at = profile->holds[at].next)
			one->count++;
		one->shares = calloc((size_t)one->count + 1, sizeof(*one->shares));
		if (!one->shares)
			return no_memory();
		to->reservation_count++;
		one->count = 0;
		for (int32_t at = from->claim; at >= 0; at = profile->holds[at].next)
			one->shares[one->count++] = lxfw_profile_hold_share(profile, at);
		qsort(one->shares, (size_t)one->count, sizeof(*one->shares), by_host);
	}
	return 0;
}

int lxfw_snapshot_take(struct lxfw_snapshot *to, const struct lxfw_sched *sched)
{
	to->now = to->wake = sched->now;
	to->params = sched->params;
	to->improved_until = sched->improved_until;
	to->freed_until = sched->freed_until;
	to->reservable_at = sched->reservable_at;
	to->disturbed = sched->disturbed;
	to->sooner = sched->sooner;
	to->list_stale = sched->list_stale;
	to->job_classes = sched->job_classes != NULL;
	if (take_hosts(to, sched) == 0 && take_sets(to, sched) == 0 &&
	    take_blocks(to, sched) == 0 && take_jobs(to, sched) == 0 &&
	    take_reservations(to, sched) == 0)
		return 0;
	lxfw_snapshot_clear(to);
	return no_memory();
}

/* --- what is lost -------------------------------------------------------------------- */

static bool has_group_reservation(const struct lxfw_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->job_count; i++) {
		if (snapshot->jobs[i].request.group != 0 && snapshot->jobs[i].announced)
			return true;
	}
	return false;
}

static bool has_state(const struct lxfw_snapshot *snapshot, enum lxfw_snapshot_state state)
{
	for (size_t i = 0; i < snapshot->job_count; i++) {
		if (snapshot->jobs[i].state == state)
			return true;
	}
	return false;
}

const char *lxfw_snapshot_lost(const struct lxfw_snapshot *snapshot, int number)
{
	const struct lxfw_params *params = &snapshot->params;
	const char *lost[8];
	int count = 0;

	if (lxfw_params_serve(params))
		lost[count++] = "immediate service: quanta in progress, and quanta of jobs "
				"to come";
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) ||
	    lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS))
		lost[count++] = "what the policy records of suspended and resized jobs";
	if (has_state(snapshot, LXFW_SNAPSHOT_SUSPENDED) ||
	    has_state(snapshot, LXFW_SNAPSHOT_INTERRUPTED))
		lost[count++] = "when suspended jobs resume";
	if (has_group_reservation(snapshot))
		lost[count++] = "the hosts reserved for heterogeneous jobs: all reservations "
				"are made again";
	if (snapshot->job_classes)
		lost[count++] = "job classes";
	return number < count ? lost[number] : NULL;
}

/* --- to a scheduler ------------------------------------------------------------------ */

static int apply(struct lxfw_sched *sched, const struct lxfw_snapshot *from,
		 struct lxfw_event *event, struct lxfw_error *error)
{
	event->time = from->now;
	return lxfw_sched_apply(sched, event, error);
}

static int restore_machine(struct lxfw_sched *sched, const struct lxfw_snapshot *from,
			   struct lxfw_error *error)
{
	int failed = 0;

	for (size_t i = 0; i < from->host_count && !failed; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .host.index = (int32_t)i,
			.host.up = from->hosts[i].up, .host.total = from->hosts[i].total,
			.host.weight = from->hosts[i].weight,
			.host.boot = from->hosts[i].boot,
			.host.gpus = (uint8_t)from->hosts[i].gpus,
			.host.sockets = from->hosts[i].sockets,
		};

		failed = apply(sched, from, &event, error);
	}
	for (size_t i = 0; i < from->set_count && !failed; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST_SET, .host_set.id = (int32_t)i,
			.host_set.count = from->sets[i].count,
			.host_set.hosts = from->sets[i].hosts,
		};

		failed = apply(sched, from, &event, error);
	}
	for (size_t i = 0; i < from->block_count && !failed; i++) {
		const struct lxfw_snapshot_block *block = &from->blocks[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_BLOCK, .block.id = block->id,
			.block.start = block->start, .block.end = block->end,
			.block.count = block->count, .block.shares = block->shares,
		};

		failed = apply(sched, from, &event, error);
	}
	return failed;
}

static int restore_running(struct lxfw_sched *sched, const struct lxfw_snapshot *from,
			   const struct lxfw_snapshot_job *job, struct lxfw_error *error)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .run.id = job->request.id,
		.run.expected_end = job->expected_end, .run.count = job->count,
		.run.shares = job->shares,
	};
	struct lxfw_job *to;

	if (apply(sched, from, &event, error))
		return -1;
	to = &sched->jobs[lxfw_id_map_get(&sched->job_by_id, job->request.id)];
	if (job->request.estimate > 0)
		to->request = job->request;
	/* The other jobs of its group may have ended. */
	to->request.group = 0;
	to->request.group_count = 0;
	to->priority = job->priority;
	to->delay = job->delay;
	to->bypassed = job->bypassed;
	to->start = job->start;
	to->continued = job->continued;
	to->ran = job->ran;
	to->paused = job->paused;
	to->suspensions = job->suspensions;
	to->due = job->due;
	to->served = job->served;
	return 0;
}

/* The job is in a class without these numbers. It is entered again with them. */
static int set_terms(struct lxfw_sched *sched, int32_t index,
		     const struct lxfw_snapshot_job *job)
{
	int64_t place = sched->policy->order.list ? job->place : 0;

	if (sched->jobs[index].state != LXFW_JOB_WAITING || (!job->bypassed && !place))
		return 0;
	lxfw_queue_remove(sched, index);
	sched->jobs[index].bypassed = job->bypassed;
	sched->jobs[index].place = place;
	return lxfw_queue_add(sched, index);
}

static int restore_waiting(struct lxfw_sched *sched, const struct lxfw_snapshot *from,
			   const struct lxfw_snapshot_job *job, struct lxfw_error *error)
{
	struct lxfw_request request = job->request;
	struct lxfw_event submit = { .type = LXFW_EVENT_JOB_SUBMIT, .request = &request };
	struct lxfw_event priority = {
		.type = LXFW_EVENT_JOB_PRIORITY, .priority.id = request.id,
		.priority.priority = job->priority, .priority.delay = job->delay,
	};
	struct lxfw_event refused = {
		.type = LXFW_EVENT_JOB_REFUSED, .refused.id = request.id,
		.refused.until = job->refused_until,
	};
	int32_t index;

	request.no_quantum = true;
	if (apply(sched, from, &submit, error) ||
	    apply(sched, from, &priority, error))
		return -1;
	index = lxfw_id_map_get(&sched->job_by_id, request.id);
	if (set_terms(sched, index, job))
		return -1;
	sched->jobs[index].announced = job->announced;
	sched->jobs[index].nowhere = job->nowhere;
	if (job->state != LXFW_SNAPSHOT_REFUSED)
		return 0;
	return apply(sched, from, &refused, error);
}

static int restore_jobs(struct lxfw_sched *sched, const struct lxfw_snapshot *from,
			struct lxfw_error *error)
{
	int failed = 0;

	for (size_t i = 0; i < from->job_count && !failed; i++) {
		const struct lxfw_snapshot_job *job = &from->jobs[i];

		failed = job->state >= LXFW_SNAPSHOT_RUNNING ?
			 restore_running(sched, from, job, error) :
			 restore_waiting(sched, from, job, error);
	}
	return failed;
}

/* A hold on more than the hosts have is possible after a host has changed. */
static int restore_reservation(struct lxfw_sched *sched,
			       const struct lxfw_snapshot_reservation *from)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, from->job);
	struct lxfw_job *job = index < 0 ? NULL : &sched->jobs[index];

	if (!job || job->state != LXFW_JOB_WAITING || job->reservation >= 0) {
		errno = EINVAL;
		return -1;
	}
	if (lxfw_reservations_ready(sched) < 0 ||
	    lxfw_profile_ready_hold(&sched->profile, from->count) < 0)
		return -1;
	job->reservation = (int32_t)sched->reservation_count++;
	sched->reservations[job->reservation] = (struct lxfw_reservation) {
		.job = index, .start = from->start, .end = from->end,
		.digest = from->digest, .examined = sched->passes, .class = job->class,
		.aside = -1,
		.claim = lxfw_profile_hold(&sched->profile, from->shares, from->count,
					   from->start, from->end),
	};
	lxfw_reservation_count(sched, job->reservation, from->for_pools);
	return 0;
}

static int restore_rest(struct lxfw_sched *sched, const struct lxfw_snapshot *from)
{
	/* Reservations are not examined as those of a group, which have pass 0. */
	sched->passes = 1;
	sched->disturbed = true;
	if (from->disturbed)
		return 0;
	for (size_t i = 0; i < from->reservation_count; i++) {
		if (restore_reservation(sched, &from->reservations[i]))
			return -1;
	}
	sched->improved_until = from->improved_until;
	sched->freed_until = from->freed_until;
	sched->reservable_at = from->reservable_at;
	sched->sooner = from->sooner;
	sched->disturbed = false;
	if (sched->policy->order.list)
		sched->list_stale = from->list_stale;
	return 0;
}

struct lxfw_sched *lxfw_snapshot_restore(const struct lxfw_snapshot *snapshot,
					 const struct lxfw_params *params,
					 struct lxfw_error *error)
{
	struct lxfw_params chosen = params ? *params : snapshot->params;
	struct lxfw_sched *sched;

	chosen.quantum = 0;
	lxfw_error_set(error, "the state is impossible");
	sched = lxfw_sched_create(&chosen);
	if (sched && restore_machine(sched, snapshot, error) == 0 &&
	    restore_jobs(sched, snapshot, error) == 0 &&
	    (params || restore_rest(sched, snapshot) == 0))
		return sched;
	if (errno == ENOMEM)
		lxfw_error_set(error, "out of memory");
	lxfw_sched_destroy(sched);
	return NULL;
}
