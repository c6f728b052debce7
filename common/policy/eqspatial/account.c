/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of EQspatial's jobs by state and host, and the processor time that each job
   lacks. */
#include "common/policy/eqspatial/private.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/place/place.h"
#include "common/util/grow.h"

static const struct lxfw_eq_list empty = { -1, -1 };

const char lxfw_eq_name[] = "eqspatial";

struct lxfw_equipartition *lxfw_eq_make(void)
{
	struct lxfw_equipartition *eq = calloc(1, sizeof(*eq));

	if (!eq) {
		errno = ENOMEM;
		return NULL;
	}
	eq->reported = eq->nowhere = empty;
	eq->wake = LXFW_NEVER;
	return eq;
}

int lxfw_eq_ready(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	if (LXFW_GROW(eq->jobs, eq->jobs_size, sched->jobs_used))
		return -1;
	if (LXFW_GROW(eq->hosts, eq->hosts_size, (size_t)sched->profile.host_count))
		return -1;
	for (; eq->host_count < sched->profile.host_count; eq->host_count++) {
		eq->hosts[eq->host_count] = (struct lxfw_eq_host){
			.running = empty,
			.assigned = empty,
			.counted = empty,
			.level = -1,
			.repartitioned = INT64_MIN,
			.look = LXFW_NEVER,
		};
	}
	return lxfw_place_ready(sched);
}

/* --- lists --------------------------------------------------------------------- */

static struct lxfw_eq_list *list_of(struct lxfw_equipartition *eq,
				    const struct lxfw_eq_job *job)
{
	switch (job->state) {
	case LXFW_EQ_COUNTED:
		return job->host < 0 ? &eq->nowhere :
				       &eq->hosts[job->host].counted;
	case LXFW_EQ_ASSIGNED:
		return &eq->hosts[job->host].assigned;
	case LXFW_EQ_RUNNING:
		return &eq->hosts[job->host].running;
	case LXFW_EQ_REPORTED:
		return &eq->reported;
	case LXFW_EQ_NONE:
	case LXFW_EQ_ASIDE:
		break;
	}
	return NULL;
}

static bool is_on_host(const struct lxfw_eq_job *job)
{
	return job->state == LXFW_EQ_ASSIGNED || job->state == LXFW_EQ_RUNNING;
}

/* Insert a job in the order of placement; it is nearly always the last one. */
static void insert(struct lxfw_equipartition *eq, struct lxfw_eq_list *list,
		   int32_t index)
{
	struct lxfw_eq_job *job = &eq->jobs[index];
	int32_t after = list->last;

	while (is_on_host(job) && after >= 0 &&
	       eq->jobs[after].placed > job->placed)
		after = eq->jobs[after].previous;
	job->previous = after;
	job->next = after >= 0 ? eq->jobs[after].next : list->first;
	if (job->next >= 0)
		eq->jobs[job->next].previous = index;
	else
		list->last = index;
	if (after >= 0)
		eq->jobs[after].next = index;
	else
		list->first = index;
}

static void take_out(struct lxfw_equipartition *eq, struct lxfw_eq_list *list,
		     const struct lxfw_eq_job *job)
{
	if (job->previous >= 0)
		eq->jobs[job->previous].next = job->next;
	else
		list->first = job->next;
	if (job->next >= 0)
		eq->jobs[job->next].previous = job->previous;
	else
		list->last = job->previous;
}

static void count_on_host(struct lxfw_eq_host *host,
			  const struct lxfw_eq_job *job, int sign)
{
	host->held += sign * (int64_t)job->procs;
	host->count += sign;
	host->asked += sign * (int64_t)job->asked;
	host->min_procs += sign * (int64_t)job->min_procs;
	if (job->state == LXFW_EQ_RUNNING)
		host->running_count += sign;
	if (job->catching_up)
		host->catching_up += sign;
	host->changed = true;
	host->level = -1;
}

void lxfw_eq_enter(struct lxfw_sched *sched, int32_t index,
		   enum lxfw_eq_state state, int32_t at)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	struct lxfw_eq_job *job = &eq->jobs[index];
	struct lxfw_eq_list *list;

	job->state = state;
	job->host = at;
	list = list_of(eq, job);
	if (list)
		insert(eq, list, index);
	if (is_on_host(job))
		count_on_host(&eq->hosts[at], job, 1);
}

void lxfw_eq_leave(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	struct lxfw_eq_job *job = &eq->jobs[index];
	struct lxfw_eq_list *list = list_of(eq, job);

	lxfw_eq_settle(sched, index, 0);
	if (list)
		take_out(eq, list, job);
	if (is_on_host(job))
		count_on_host(&eq->hosts[job->host], job, -1);
	job->state = LXFW_EQ_NONE;
}

void lxfw_eq_hold(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[index];

	lxfw_eq_of(sched)->hosts[job->host].held += procs - job->procs;
	job->procs = procs;
}

/* --- progress -------------------------------------------------------------------- */

void lxfw_eq_settle(struct lxfw_sched *sched, int32_t index, int32_t rate)
{
	struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[index];
	int64_t most = LXFW_TIME_MAX, change = 0, elapsed;

	elapsed = sched->now - job->since;
	if (job->rate > 0)
		change = elapsed < most / job->rate ? elapsed * job->rate : most;
	else if (job->rate < 0)
		change = elapsed < most / -job->rate ? elapsed * job->rate : -most;
	/* Both are within LXFW_TIME_MAX, so the sum cannot overflow. */
	job->lacks += change;
	if (job->lacks > most)
		job->lacks = most;
	if (job->lacks < 0)
		job->lacks = 0;
	job->since = sched->now;
	job->rate = rate;
}

int32_t lxfw_eq_total(const struct lxfw_sched *sched, const struct lxfw_eq_host *host,
		      int32_t index)
{
	int64_t total = (int64_t)lxfw_profile_free(&sched->profile, index)->procs + host->held;

	return total < 0 ? 0 : total > INT32_MAX ? INT32_MAX : (int32_t)total;
}
