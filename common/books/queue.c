/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, and the classes of waiting jobs with equal requests. */
#include "common/books/queue.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/observer.h"
#include "common/books/oldest.h"
#include "common/books/reservation.h"
#include "common/profile/kinds.h"
#include "common/util/grow.h"

int32_t lxfw_job_new(struct lxfw_sched *sched, uint64_t id)
{
	int32_t slot = sched->jobs_free;

	if (slot < 0) {
		if (LXFW_GROW(sched->jobs, sched->jobs_size, sched->jobs_used + 1))
			return -1;
		slot = (int32_t)sched->jobs_used;
	}
	if (lxfw_id_map_add(&sched->job_by_id, id, slot) < 0)
		return -1;
	if (slot == sched->jobs_free)
		sched->jobs_free = sched->jobs[slot].next;
	else
		sched->jobs_used++;
	sched->jobs[slot] = (struct lxfw_job){
		.request.id = id,
		.class = -1,
		.next = -1,
		.previous = -1,
		.group = -1,
		.group_next = -1,
		.claim = -1,
		.reservation = -1,
		.quantum = -1,
		.runner = -1,
	};
	return slot;
}

void lxfw_job_free(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	lxfw_observed_forgotten(sched, index);
	lxfw_id_map_remove(&sched->job_by_id, job->request.id);
	if (job->group >= 0)
		lxfw_group_leave(sched, index);
	free(job->kept);
	job->kept = NULL;
	job->state = LXFW_JOB_FREE;
	job->next = sched->jobs_free;
	sched->jobs_free = index;
}

/* --- classes --------------------------------------------------------------- */

static size_t chain_of(const struct lxfw_sched *sched,
		       const struct lxfw_request *request)
{
	uint64_t hash = (uint64_t)request->estimate;

	hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)request->count;
	hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)request->unit.procs;
	hash = hash * 0x9e3779b97f4a7c15u + (uint64_t)request->unit.memory_mb;
	for (int i = 0; i < request->host_set_count; i++)
		hash = hash * 0x9e3779b97f4a7c15u +
		       (uint64_t)request->host_sets[i];
	for (int i = 0; i < request->pool_count; i++)
		hash = hash * 0x9e3779b97f4a7c15u +
		       (uint64_t)request->pools[i].amount;
	hash *= 0x9e3779b97f4a7c15u;
	return (size_t)(hash >> 32) & (sched->class_chain_count - 1);
}

static int rehash(struct lxfw_sched *sched)
{
	size_t count = sched->class_chain_count ? sched->class_chain_count * 2 :
						  64;
	int32_t *chains = malloc(count * sizeof(*chains));

	if (!chains)
		return -1;
	memset(chains, 0xff, count * sizeof(*chains));
	free(sched->class_chains);
	sched->class_chains = chains;
	sched->class_chain_count = count;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_class *class = &sched->classes[sched->heads[i].class];
		size_t chain = chain_of(sched, &class->request);

		class->next = chains[chain];
		chains[chain] = sched->heads[i].class;
	}
	return 0;
}

/* Allocate memory for one more class. Returns 0, or -1 with errno ENOMEM. */
static int class_ready(struct lxfw_sched *sched)
{
	if (sched->head_count >= sched->class_chain_count &&
	    rehash(sched) < 0)
		return -1;
	if (LXFW_GROW(sched->heads, sched->heads_size, sched->head_count + 1))
		return -1;
	if (sched->classes_free >= 0)
		return 0;
	if (LXFW_GROW(sched->classes, sched->classes_size, sched->classes_used + 1))
		return -1;
	if (LXFW_GROW(sched->opened, sched->opened_size, sched->classes_used + 1))
		return -1;
	return sched->ranks.used ?
		       lxfw_ranks_ready(&sched->ranks, sched->classes_used + 1) : 0;
}

/* Set the line of the job at the head. */
static void set_head_line(struct lxfw_sched *sched, const struct lxfw_class *class)
{
	struct lxfw_head *head = lxfw_head_of(sched, class);

	head->intercept = class->intercept;
	if (class->head >= 0)
		head->intercept += lxfw_own_term(sched, &sched->jobs[class->head]);
}

void lxfw_line_set(struct lxfw_sched *sched, struct lxfw_class *class)
{
	const struct lxfw_order *order = &sched->policy->order;
	struct lxfw_head *head = lxfw_head_of(sched, class);

	head->tier = lxfw_tier_in_order(sched, class->request.tier, class->host >= 0);
	sched->sloped -= head->slope != 0;
	class->intercept = 0;
	head->slope = 0;
	if (order->line)
		order->line(sched, class, &class->intercept, &head->slope);
	sched->sloped += head->slope != 0;
	set_head_line(sched, class);
}

static int32_t class_new(struct lxfw_sched *sched,
			 const struct lxfw_request *request, int32_t host,
			 bool alone)
{
	size_t chain = chain_of(sched, request);
	int32_t index = sched->classes_free;
	struct lxfw_class *class;

	if (index >= 0)
		sched->classes_free = sched->classes[index].next;
	else
		index = (int32_t)sched->classes_used++;
	class = &sched->classes[index];
	*class = (struct lxfw_class){
		.request = *request,
		.sum = lxfw_request_sum(request),
		.head = -1,
		.tail = -1,
		.host = host,
		.alone = alone,
		.next = sched->class_chains[chain],
		.position = (int32_t)sched->head_count,
		.job_class = -1,
		.unserved = UINT64_MAX,
	};
	sched->opened[index] = (struct lxfw_opened){
		.now = LXFW_NO_SPAN, .before = LXFW_NO_SPAN,
	};
	class->request.id = 0;
	class->request.submit = 0;
	sched->heads[sched->head_count++] = (struct lxfw_head){
		.estimate = lxfw_request_least(request),
		.failed = UINT64_MAX,
		.tier = request->tier,
		.procs = class->sum.procs,
		.class = index,
	};
	lxfw_line_set(sched, class);
	if (host >= 0) {	/* suspended: memory and extras are allocated already */
		sched->kept_classes++;
		class->sum.memory_mb = 0;
		memset(class->sum.extras, 0, sizeof(class->sum.extras));
	}
	sched->class_chains[chain] = index;
	lxfw_observed_class_made(sched, index);
	return index;
}

static void class_free(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_class *class = &sched->classes[index];
	int32_t *link = &sched->class_chains[chain_of(sched, &class->request)];
	struct lxfw_head last = sched->heads[--sched->head_count];

	lxfw_observed_class_gone(sched, index);
	sched->kept_classes -= class->host >= 0;
	sched->sloped -= lxfw_head_of(sched, class)->slope != 0;
	if (sched->ranks.used)
		lxfw_ranks_remove(&sched->ranks, index);
	while (*link != index)
		link = &sched->classes[*link].next;
	*link = class->next;
	sched->heads[class->position] = last;
	sched->classes[last.class].position = class->position;
	class->next = sched->classes_free;
	sched->classes_free = index;
}

/* Adds a number to a hash. */
static void mix(uint64_t *hash, int64_t number)
{
	*hash = lxfw_kinds_hash(*hash ^ (uint64_t)number);
}

static void mix_resources(uint64_t *hash, const struct lxfw_resources *amount)
{
	mix(hash, amount->procs);
	mix(hash, amount->memory_mb);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		mix(hash, amount->extras[i]);
}

/* A hash of all that decides where a job fits but the number of pieces and the run time. 0: more
   pieces may fit where fewer do not. */
static uint64_t family_of(const struct lxfw_class *class)
{
	const struct lxfw_request *request = &class->request;
	uint64_t hash = 1;

	if (class->host >= 0 || request->group || request->min_hosts > 1)
		return 0;
	mix_resources(&hash, &request->unit);
	mix_resources(&hash, &request->per_host);
	mix(&hash, request->shape);
	mix(&hash, request->exclusive);
	mix(&hash, request->max_hosts);
	for (int i = 0; i < request->host_set_count; i++)
		mix(&hash, request->host_sets[i]);
	mix(&hash, request->more_sets);
	for (int i = 0; i < request->pool_count; i++) {
		mix(&hash, request->pools[i].pool);
		mix(&hash, request->pools[i].amount);
	}
	mix(&hash, request->host_set_count * INT64_C(256) + request->pool_count);
	return hash;
}

/* The fewest processors that a job of the class needs on some host, or 0 if that is not known. */
static int32_t piece_of(const struct lxfw_class *class)
{
	const struct lxfw_request *request = &class->request;
	int32_t pieces = 1;

	if (class->host >= 0 || request->group || request->min_procs > 0)
		return 0;
	if (request->shape != LXFW_SHAPE_HOSTS && request->max_hosts > 0)
		pieces = (request->count - 1) / request->max_hosts + 1;
	return request->unit.procs * pieces;
}

static void rank(struct lxfw_sched *sched, const struct lxfw_head *head)
{
	const struct lxfw_class *class = &sched->classes[head->class];
	struct lxfw_candidate key = lxfw_candidate_of(sched, class->head);

	lxfw_ranks_set(&sched->ranks, &key, head->procs, piece_of(class), head->estimate,
		       family_of(class));
}

int lxfw_queue_rank(struct lxfw_sched *sched)
{
	if (lxfw_ranks_ready(&sched->ranks, sched->classes_used) < 0)
		return -1;
	lxfw_ranks_begin(&sched->ranks);
	for (size_t i = 0; i < sched->head_count; i++)
		rank(sched, &sched->heads[i]);
	return 0;
}

/* Update the head after another job became the first of the class. */
static void head_changed(struct lxfw_sched *sched, const struct lxfw_class *class)
{
	struct lxfw_head *head = lxfw_head_of(sched, class);

	head->submit = lxfw_job_since(&sched->jobs[class->head]);
	head->bypassed = class->bypassed + sched->jobs[class->head].bypassed;
	set_head_line(sched, class);
	if (sched->ranks.used)
		rank(sched, head);
}

/* The class stands for all jobs of the group of INDEX. */
static void sum_group(struct lxfw_sched *sched, struct lxfw_class *class, int32_t index)
{
	struct lxfw_head *head = lxfw_head_of(sched, class);

	lxfw_group_sum(sched, index, &class->sum, &head->estimate);
	head->procs = class->sum.procs;
	lxfw_line_set(sched, class);
}

/* The class of a job. Suspended jobs have classes of their own: jobs on the same single
   host may share one, a job on several hosts is alone. The first job of a group is alone.
   Under some orders every job is. */
static int32_t class_of(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_request *request = &job->request;
	bool alone = sched->policy->order.alone || job->group >= 0 || request->probe ||
		     (job->kept && (job->kept_count > 1 ||
				    sched->policy->backfill.preempts));
	int32_t host = job->kept ? job->kept[0].host : -1, at = -1;

	if (sched->class_chain_count > 0 && !alone)
		at = sched->class_chains[chain_of(sched, request)];
	while (at >= 0 &&
	       (sched->classes[at].alone || sched->classes[at].host != host ||
		!lxfw_request_asks_same(&sched->classes[at].request, request)))
		at = sched->classes[at].next;
	if (at >= 0)
		return at;
	if (class_ready(sched) < 0)
		return -1;
	at = class_new(sched, request, host, alone);
	if (job->group >= 0)
		sum_group(sched, &sched->classes[at], index);
	return at;
}

/* --- the queue --------------------------------------------------------------- */

/* The sort key of a job in its class. The lines of a class are parallel, so it is enough
   to compare them at time 0. */
struct lxfw_class_place {
	bool aged;
	double priority;
	int64_t since;
	uint64_t id;
	int32_t job;
};

static struct lxfw_class_place place_of(const struct lxfw_sched *sched,
				const struct lxfw_head *head, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int64_t since = lxfw_job_since(job);

	return (struct lxfw_class_place){
		.aged = lxfw_is_aged(sched, since, sched->now),
		.priority = lxfw_own_term(sched, job) -
			    head->slope * (double)since,
		.since = since, .id = lxfw_id_key(job->request.id), .job = index,
	};
}

static int compare_places(const void *one, const void *other)
{
	const struct lxfw_class_place *a = one, *b = other;

	if (a->aged != b->aged)
		return a->aged ? -1 : 1;
	if (a->priority != b->priority && !a->aged)
		return a->priority > b->priority ? -1 : 1;
	if (a->since != b->since)
		return a->since < b->since ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Whether the job before JOB was bypassed at least as often, and the job after it at most
   as often. */
static bool is_even(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	if (job->previous >= 0 &&
	    sched->jobs[job->previous].bypassed < job->bypassed)
		return false;
	return job->next < 0 || sched->jobs[job->next].bypassed <= job->bypassed;
}

static void disorder(struct lxfw_sched *sched, struct lxfw_class *class)
{
	class->unordered = true;
	sched->unordered = true;
}

/* The job after which JOB is inserted, or -1. It is nearly always the last one. If jobs
   have priorities of their own the search could be long; the class is then sorted
   later. */
static int32_t find_place(struct lxfw_sched *sched, struct lxfw_class *class,
			  int32_t index)
{
	const struct lxfw_head *head = lxfw_head_of(sched, class);
	struct lxfw_class_place own = place_of(sched, head, index);
	int32_t after = class->tail;

	while (after >= 0) {
		struct lxfw_class_place other = place_of(sched, head, after);

		if (compare_places(&other, &own) < 0)
			break;
		if (sched->site != 0) {
			disorder(sched, class);
			return class->tail;
		}
		after = sched->jobs[after].previous;
	}
	return after;
}

static int enter_class(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	int32_t class_index = class_of(sched, index), after;
	struct lxfw_class *class;

	if (class_index < 0)
		return -1;
	class = &sched->classes[class_index];
	job->bypassed -= class->bypassed;
	after = find_place(sched, class, index);
	job->previous = after;
	job->next = after >= 0 ? sched->jobs[after].next : class->head;
	if (job->next >= 0)
		sched->jobs[job->next].previous = index;
	else
		class->tail = index;
	if (after >= 0)
		sched->jobs[after].next = index;
	else
		class->head = index;
	job->class = class_index;
	job->state = LXFW_JOB_WAITING;
	lxfw_oldest_add(sched, index);
	sched->listed += job->place > 0;
	sched->unlisted += job->place == 0;
	if (class->head == index)
		head_changed(sched, class);
	lxfw_head_of(sched, class)->uneven |= !is_even(sched, job);
	if (sched->arrived_count < LXFW_ARRIVED_MAX)
		sched->arrived[sched->arrived_count] = index;
	if (sched->arrived_count <= LXFW_ARRIVED_MAX)
		sched->arrived_count++;
	lxfw_observed_queued(sched, index);
	return 0;
}

int lxfw_queue_add(struct lxfw_sched *sched, int32_t index)
{
	if (sched->jobs[index].group < 0)
		return enter_class(sched, index);
	sched->jobs[index].state = LXFW_JOB_MEMBER;
	if (!lxfw_group_is_complete(sched, index))
		return 0;
	return enter_class(sched, lxfw_group_first(sched, index));
}

/* Remove a job from its class, or from the list of refused jobs. */
static void leave_list(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	bool refused = job->state == LXFW_JOB_REFUSED;
	int32_t class_index = job->class;
	bool first = false;

	if (!refused) {
		sched->listed -= job->place > 0;
		sched->unlisted -= job->place == 0;
		first = sched->classes[class_index].head == index;
		job->bypassed += sched->classes[class_index].bypassed;
	}
	if (job->previous >= 0)
		sched->jobs[job->previous].next = job->next;
	else if (refused)
		sched->refused = job->next;
	else
		sched->classes[class_index].head = job->next;
	if (job->next >= 0)
		sched->jobs[job->next].previous = job->previous;
	else if (!refused)
		sched->classes[class_index].tail = job->previous;
	job->next = job->previous = job->class = -1;
	if (!refused && sched->classes[class_index].head < 0)
		class_free(sched, class_index);
	else if (first)
		head_changed(sched, &sched->classes[class_index]);
}

/* A job of a group is about to leave it or to change. */
static void withdraw_group(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *first = &sched->jobs[lxfw_group_first(sched, index)];

	if (first->state != LXFW_JOB_WAITING)
		return;
	lxfw_reservation_drop(sched, (int32_t)(first - sched->jobs));
	leave_list(sched, (int32_t)(first - sched->jobs));
	first->state = LXFW_JOB_MEMBER;
	sched->groups.groups[first->group].plan.job_count = 0;
}

void lxfw_queue_remove(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];

	if (job->state == LXFW_JOB_ASSIGNED)	/* in no list */
		lxfw_observed_unassigned(sched, index);
	else if (job->group >= 0 && job->state != LXFW_JOB_REFUSED)
		withdraw_group(sched, index);
	else
		leave_list(sched, index);
}

void lxfw_queue_refuse(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	job->state = LXFW_JOB_REFUSED;
	job->previous = -1;
	job->next = sched->refused;
	if (sched->refused >= 0)
		sched->jobs[sched->refused].previous = index;
	sched->refused = index;
}

int lxfw_queue_readmit(struct lxfw_sched *sched)
{
	int32_t next;

	for (int32_t i = sched->refused; i >= 0; i = next) {
		struct lxfw_job *job = &sched->jobs[i];
		struct lxfw_class *class;

		next = job->next;
		if (job->refused_until > sched->now)
			continue;
		lxfw_queue_remove(sched, i);
		if (lxfw_queue_add(sched, i) < 0) {
			lxfw_queue_refuse(sched, i);
			return -1;
		}
		if (job->state != LXFW_JOB_WAITING)
			continue;
		/* Its class may have been found unable to start before. */
		class = &sched->classes[job->class];
		lxfw_head_of(sched, class)->failed = UINT64_MAX;
		class->unserved = UINT64_MAX;
	}
	return 0;
}

/* --- priorities of the workload manager ---------------------------------------------- */

void lxfw_queue_set_priority(struct lxfw_sched *sched, int32_t index, int64_t priority,
			     int64_t delay)
{
	struct lxfw_job *job = &sched->jobs[index];
	bool changed = job->delay != delay ||
		       (job->priority != priority && sched->site != 0);

	job->priority = priority;
	job->delay = delay;
	if (changed && job->state == LXFW_JOB_WAITING)
		disorder(sched, &sched->classes[job->class]);
}

void lxfw_queue_disorder(struct lxfw_sched *sched)
{
	for (size_t i = 0; i < sched->head_count; i++)
		disorder(sched, &sched->classes[sched->heads[i].class]);
}

/* Link the first COUNT jobs of sched->places in this order. */
static void chain(struct lxfw_sched *sched, struct lxfw_class *class, size_t count)
{
	const struct lxfw_class_place *places = sched->places;
	bool uneven = false;

	for (size_t i = 0; i < count; i++) {
		struct lxfw_job *job = &sched->jobs[places[i].job];

		job->previous = i > 0 ? places[i - 1].job : -1;
		job->next = i + 1 < count ? places[i + 1].job : -1;
	}
	class->head = places[0].job;
	class->tail = places[count - 1].job;
	for (size_t i = 0; i < count; i++)
		uneven |= !is_even(sched, &sched->jobs[places[i].job]);
	lxfw_head_of(sched, class)->uneven = uneven;
	head_changed(sched, class);
}

static int order_class(struct lxfw_sched *sched, struct lxfw_class *class)
{
	const struct lxfw_head *head = lxfw_head_of(sched, class);
	bool ordered = true;
	size_t count = 0;

	for (int32_t i = class->head; i >= 0; i = sched->jobs[i].next) {
		if (LXFW_GROW(sched->places, sched->places_size, count + 1))
			return -1;
		sched->places[count] = place_of(sched, head, i);
		ordered &= count == 0 || compare_places(&sched->places[count - 1],
						       &sched->places[count]) < 0;
		count++;
	}
	if (!ordered)
		qsort(sched->places, count, sizeof(*sched->places), compare_places);
	chain(sched, class, count);
	class->unordered = false;
	sched->settled = false;
	return 0;
}

int lxfw_queue_order(struct lxfw_sched *sched)
{
	/* If jobs with equal requests have priorities of their own, one of them may have
	   become old since the last pass. */
	if (sched->site != 0 && lxfw_age_first(sched) > 0)
		lxfw_queue_disorder(sched);
	if (!sched->unordered)
		return 0;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_class *class = &sched->classes[sched->heads[i].class];

		if (class->unordered && order_class(sched, class) < 0)
			return -1;
	}
	sched->unordered = false;
	return 0;
}
