/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: partitioning of a host's processors. */
#include "common/policy/eqspatial/private.h"

#include "common/books/books.h"
#include "common/books/run.h"
#include "common/place/place.h"
#include "common/service/service.h"
#include "common/util/grow.h"

/* Whether the job has run for lxfw_eq_full_after, so that it gets all requested
   processors. */
static bool is_long(const struct lxfw_sched *sched, const struct lxfw_eq_job *job)
{
	int64_t after = sched->params.eq_full_after;

	return after > 0 && job->state == LXFW_EQ_RUNNING &&
	       sched->now - job->started >= after;
}

/* Whether the job gets all requested processors. A job that has caught up does not. */
static bool is_privileged(const struct lxfw_sched *sched,
			  const struct lxfw_eq_job *job)
{
	return job->catching_up || is_long(sched, job);
}

/* Collect the jobs of a host in the order of placement, with room for one more: the
   running jobs, and as many assigned jobs as can get a processor. Returns their number,
   or -1 with errno ENOMEM. */
static int32_t gather(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	const struct lxfw_eq_host *host = &eq->hosts[index];
	int32_t a = host->running.first, b = host->assigned.first, count = 0;
	int32_t places = lxfw_eq_total(sched, host, index) - host->running_count;

	if (LXFW_GROW(eq->partners, eq->partners_size, (size_t)host->count + 1))
		return -1;
	if (LXFW_GROW(eq->members, eq->members_size, (size_t)host->count + 1))
		return -1;
	while (a >= 0 || b >= 0) {
		bool running = b < 0 || (a >= 0 && eq->jobs[a].placed <
							  eq->jobs[b].placed);
		int32_t *next = running ? &a : &b;
		const struct lxfw_eq_job *job = &eq->jobs[*next];

		if (!running && places-- <= 0 && job->procs == 0) {
			b = -1;
			continue;
		}
		eq->members[count] = *next;
		eq->partners[count++] = (struct lxfw_partner){
			.asked = job->asked,
			.min_procs = job->min_procs,
			.has = job->procs,
			.running = running,
			.full = is_privileged(sched, job),
		};
		*next = job->next;
	}
	return count;
}

int32_t lxfw_eq_part_of(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	struct lxfw_eq_host *host = &eq->hosts[index];
	int32_t total = lxfw_eq_total(sched, host, index), count;

	if (host->level < 0 || host->level_of != total) {
		count = gather(sched, index);
		if (count < 0)
			return -1;
		eq->partners[count] = (struct lxfw_partner){
			.asked = INT32_MAX,
		};
		lxfw_partition_equally(eq->partners, count + 1, total);
		host->level = eq->partners[count].procs;
		host->level_of = total;
	}
	return procs < host->level ? procs : host->level;
}

int64_t lxfw_eq_due(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];

	/* A host with more processors allocated than it has is repartitioned at once. */
	if (host->repartitioned == INT64_MIN ||
	    lxfw_profile_free(&sched->profile, index)->procs < 0)
		return sched->now;
	return lxfw_time_add(host->repartitioned,
			     sched->params.eq_min_interval);
}

/* --- starts and resizes ------------------------------------------------------------- */

static int start(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[index];
	int32_t host = job->host;
	struct lxfw_request request =
		lxfw_request_simplest(sched, &sched->jobs[index].request);

	request.unit.procs = procs;
	sched->found[0] = (struct lxfw_share){ .host = host, .amount = request.unit };
	/* This also releases the claim of the assigned job. */
	if (lxfw_job_start(sched, index, 1, job->host_set, LXFW_NEVER) < 0)
		return -1;
	job->procs = procs;
	job->started = sched->now;
	lxfw_eq_enter(sched, index, LXFW_EQ_RUNNING, host);
	return 0;
}

static int resize(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	if (lxfw_job_resize(sched, index, procs) < 0)
		return -1;
	lxfw_eq_hold(sched, index, procs);
	return 0;
}

/* An assigned job that cannot start yet holds no processors. */
static void give_back(struct lxfw_sched *sched, int32_t index)
{
	lxfw_profile_resize(&sched->profile,
			    lxfw_eq_of(sched)->jobs[index].claim, 0,
			    LXFW_NEVER);
	lxfw_eq_hold(sched, index, 0);
}

/* Change every job to its computed processors. Jobs that release processors come first,
   so that the host never allocates more than it has. */
static int repartition(struct lxfw_sched *sched, int32_t index, int32_t count)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	bool resized = false;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_partner *partner = &eq->partners[i];

		if (!partner->running && partner->procs == 0)
			give_back(sched, eq->members[i]);
		if (!partner->running ||
		    partner->procs >= eq->jobs[eq->members[i]].procs)
			continue;
		if (resize(sched, eq->members[i], partner->procs) < 0)
			return -1;
		resized = true;
	}
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_partner *partner = &eq->partners[i];
		int32_t member = eq->members[i];

		if (!partner->running && partner->procs > 0) {
			if (start(sched, member, partner->procs) < 0)
				return -1;
		} else if (partner->running &&
			   partner->procs > eq->jobs[member].procs) {
			if (resize(sched, member, partner->procs) < 0)
				return -1;
			resized = true;
		}
	}
	if (resized)
		eq->hosts[index].repartitioned = sched->now;
	return 0;
}

/* Start the assigned jobs that have enough processors. */
static int start_assigned(struct lxfw_sched *sched, int32_t count)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	for (int32_t i = 0; i < count; i++) {
		int32_t member = eq->members[i];

		if (!eq->partners[i].running &&
		    eq->jobs[member].procs >= eq->jobs[member].min_procs &&
		    start(sched, member, eq->jobs[member].procs) < 0)
			return -1;
	}
	return 0;
}

/* --- computing a partition
   ----------------------------------------------------------- */

/* Update what the jobs that catch up still lack. */
static void settle(struct lxfw_sched *sched, struct lxfw_eq_host *host,
		   int32_t first)
{
	struct lxfw_eq_job *jobs = lxfw_eq_of(sched)->jobs;

	for (int32_t i = first; i >= 0 && host->catching_up > 0;
	     i = jobs[i].next) {
		if (!jobs[i].catching_up)
			continue;
		lxfw_eq_settle(sched, i, 0);
		if (jobs[i].lacks > 0)
			continue;
		jobs[i].catching_up = false;
		host->catching_up--;
	}
}

/* Compute the processors of every job out of TOTAL, and its equal share. Returns whether
   the processors of a job differ from what it has. */
static bool work_out(struct lxfw_sched *sched, int32_t total, int32_t count)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	bool full = false, differs = false;

	lxfw_partition_equally(eq->partners, count, total);
	for (int32_t i = 0; i < count; i++) {
		eq->jobs[eq->members[i]].equal = eq->partners[i].procs;
		full |= eq->partners[i].full;
	}
	if (full)
		lxfw_partition(eq->partners, count, total);
	for (int32_t i = 0; i < count; i++)
		differs |= eq->partners[i].procs !=
			   eq->jobs[eq->members[i]].procs;
	return differs;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Set the rates at which jobs make progress, and the time of the next change. */
static void go_on(struct lxfw_sched *sched, struct lxfw_eq_host *host,
		  int32_t count)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	int64_t after = sched->params.eq_full_after;

	host->extra = 0;
	host->look = LXFW_NEVER;
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_eq_job *job = &eq->jobs[eq->members[i]];
		int32_t extra = job->procs - job->equal;

		if (after > 0 && job->state == LXFW_EQ_RUNNING &&
		    !is_long(sched, job))
			host->look = earlier(host->look,
					     lxfw_time_add(job->started, after));
		if (!job->catching_up)
			continue;
		lxfw_eq_settle(sched, eq->members[i], -extra);
		if (extra <= 0)
			continue;
		host->extra += extra;
		host->look = earlier(host->look,
				     sched->now + (job->lacks - 1) / extra + 1);
	}
}

/* Set the rates of jobs whose virtual progress is counted on the host. Returns 0, or -1
   with errno ENOMEM. */
static int recount(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	eq->hosts[index].level = -1;
	for (int32_t i = eq->hosts[index].counted.first; i >= 0;
	     i = eq->jobs[i].next) {
		int32_t part = lxfw_eq_part_of(sched, index, eq->jobs[i].asked);

		if (part < 0)
			return -1;
		lxfw_eq_settle(sched, i, part);
	}
	return 0;
}

int lxfw_eq_clear(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];
	int32_t left = lxfw_eq_total(sched, host, index) - procs, count;

	settle(sched, host, host->running.first);
	settle(sched, host, host->assigned.first);
	count = gather(sched, index);
	if (count < 0)
		return -1;
	work_out(sched, left > 0 ? left : 0, count);
	if (repartition(sched, index, count) < 0)
		return -1;
	go_on(sched, host, count);
	/* The rest of the pass partitions the remaining processors. */
	host->changed = true;
	host->level = -1;
	return 0;
}

int lxfw_eq_divide(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];
	bool differs;
	int32_t count;

	settle(sched, host, host->running.first);
	settle(sched, host, host->assigned.first);
	count = gather(sched, index);
	if (count < 0)
		return -1;
	differs = work_out(sched, lxfw_eq_total(sched, host, index), count);
	if (differs && lxfw_eq_due(sched, index) <= sched->now &&
	    !lxfw_service_on_host(sched, index)) {
		if (repartition(sched, index, count) < 0)
			return -1;
		differs = false;
	} else if (start_assigned(sched, count) < 0) {
		return -1;
	}
	go_on(sched, host, count);
	if (recount(sched, index) < 0)
		return -1;
	host->changed = differs;
	return 0;
}
