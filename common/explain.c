/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/explain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/params/policy.h"
#include "common/place/place.h"

/* The sort key of a job in the queue at NOW. */
static struct lxfw_candidate candidate_at(const struct lxfw_sched *sched, int32_t index,
					  int64_t now)
{
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_class *class = &sched->classes[job->class];
	const struct lxfw_head *head = lxfw_head_of(sched, class);
	struct lxfw_candidate candidate = lxfw_candidate_of(sched, index);

	/* Its priority was set since the last pass, which has not ordered the class yet. */
	if (class->unordered && class->head == index)
		candidate.priority += class->intercept + lxfw_own_term(sched, job) -
				      head->intercept;
	candidate.priority += head->slope * ((double)now - (double)sched->now);
	candidate.aged = lxfw_is_aged(sched, candidate.submit, now);
	return candidate;
}

/* Compares by the members of lxfw_queued and, for jobs of equal priority, by submission. */
struct sorted {
	struct lxfw_candidate candidate;
	struct lxfw_queued queued;
};

static int compare(const void *one, const void *other)
{
	const struct sorted *a = one, *b = other;

	return lxfw_candidate_before(&a->candidate, &b->candidate) ? -1 :
	       lxfw_candidate_before(&b->candidate, &a->candidate) ? 1 : 0;
}

static struct lxfw_terms terms_of(const struct lxfw_sched *sched, int32_t index,
				  int64_t now, double priority)
{
	const struct lxfw_params *params = &sched->params;
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_class *class = &sched->classes[job->class];
	double waited = ((double)now - (double)lxfw_job_since(job)) / 3600;
	double estimate = (double)class->request.estimate / 3600;
	struct lxfw_terms terms = { 0 };
	double procs = (double)class->sum.procs, memory = 0;

	if (sched->mean_memory > 0)
		memory = (double)class->sum.memory_mb / sched->mean_memory;
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_WEIGHTS)) {
		terms.wait = params->ww * waited;
		terms.expansion = params->wx * (1 + waited / estimate);
		terms.procs = params->wp * procs;
		terms.memory = params->wm * memory;
		terms.larger = params->wpe * (procs > memory ? procs : memory);
	}
	terms.bypassed = params->wbypass * (double)(class->bypassed + job->bypassed);
	terms.site = sched->site * (double)job->priority;
	terms.other = priority - terms.bypassed - terms.site;
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_WEIGHTS))
		terms.other = 0;
	return terms;
}

int32_t lxfw_sched_queue(const struct lxfw_sched *sched, int64_t now,
			 struct lxfw_queued **queue)
{
	struct sorted *sorted = malloc((sched->jobs_used + 1) * sizeof(*sorted));
	int32_t count = 0;

	*queue = malloc((sched->jobs_used + 1) * sizeof(**queue));
	if (!sorted || !*queue) {
		free(sorted);
		free(*queue);
		*queue = NULL;
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		struct sorted *entry = &sorted[count];

		if (job->state != LXFW_JOB_WAITING)
			continue;
		entry->candidate = candidate_at(sched, (int32_t)i, now);
		entry->queued = (struct lxfw_queued){
			.job = job->request.id,
			.tier = job->request.tier,
			.aged = entry->candidate.aged,
			.priority = entry->candidate.priority,
			.terms = terms_of(sched, (int32_t)i, now,
					  entry->candidate.priority),
			.reserved = job->reservation < 0 ? LXFW_NEVER :
				    sched->reservations[job->reservation].start,
		};
		count++;
	}
	qsort(sorted, (size_t)count, sizeof(*sorted), compare);
	for (int32_t i = 0; i < count; i++)
		(*queue)[i] = sorted[i].queued;
	free(sorted);
	return count;
}

/* The index of a job in the queue, or -1. */
static int32_t find(const struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	return index >= 0 && sched->jobs[index].state == LXFW_JOB_WAITING ? index : -1;
}

bool lxfw_sched_precedes(const struct lxfw_sched *sched, int64_t now, uint64_t a,
			 uint64_t b)
{
	int32_t one = find(sched, a), other = find(sched, b);
	struct lxfw_candidate first, second;

	if (one < 0 || other < 0)
		return false;
	first = candidate_at(sched, one, now);
	second = candidate_at(sched, other, now);
	return lxfw_candidate_before(&first, &second);
}

const struct lxfw_params *lxfw_sched_params(const struct lxfw_sched *sched)
{
	return &sched->params;
}

/* The mean of the processors of the hosts on which the job may run; 0: there are none. */
static double procs_of_host(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	double procs = 0;
	int32_t hosts = 0;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];

		if (!host->up || host->total.procs < request->unit.procs ||
		    !lxfw_host_allowed(sched, request, 0, i))
			continue;
		procs += host->total.procs;
		hosts++;
	}
	return hosts > 0 ? procs / hosts : 0;
}

int64_t lxfw_sched_occupies(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	int64_t procs = lxfw_request_sum(request).procs;
	double each = request->exclusive ? procs_of_host(sched, request) : 0, hosts = request->count;

	if (each <= 0)
		return procs;
	if (request->shape == LXFW_SHAPE_ANYWHERE) {
		hosts = ceil((double)procs / each);
		if (hosts < request->min_hosts)
			hosts = request->min_hosts;
	}
	return hosts * each > (double)procs ? (int64_t)(hosts * each + 0.5) : procs;
}
