/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/idle_hosts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* Seconds between the times at which the schedule is examined, and their largest number. */
#define STEP_LEAST INT64_C(1800)
#define TIMES_MOST 8192

/* The shortest time, unless the requested times are longer, and the shortest one with evidence. */
#define IDLE_LEAST INT64_C(86400)
#define EVIDENCE_LEAST INT64_C(21600)

/* The fewest jobs that waited for the hosts, and users of these. */
#define JOBS_LEAST 5
#define USERS_LEAST 2

/* Unlike waiting jobs that are examined at a time. */
#define LOOK_MOST 64

/* A gap between the jobs of a host. */
struct gap {
	int64_t begin, end;
	int64_t seconds;		/* of evidence */
	size_t jobs, next_job;		/* number of those that waited for the host, and the
					   index after the last one that was counted */
	int32_t host, user, users;
};

struct host {
	struct lxfw_resources total, free;
	int32_t running;
	size_t gap, gap_end;		/* the present gap and the end of those of the host */
};

struct set {
	const int32_t *hosts;
	int32_t count;
};

struct change {
	int64_t time;
	size_t job;
	bool starts;
};

struct work {
	const struct lxfw_recorded *recorded;
	struct lxfw_idle_list *list;
	int64_t grace, step, now;
	int64_t least;			/* the shortest time of a gap */
	struct host *hosts;
	size_t host_count, hosts_size;
	struct set *sets;
	size_t set_count, sets_size;
	struct change *changes;
	size_t change_count, next_change;
	struct gap *gaps;
	size_t gap_count, gaps_size;
	size_t *waiting;
	size_t waiting_count, next_job;
	int32_t *fitting;		/* hosts on which a job fits */
};

/* --- the machine ---------------------------------------------------------------- */

static int see_host(struct work *work, const struct lxfw_event *event)
{
	size_t index = (size_t)event->host.index;

	if (index > work->host_count ||
	    LXFW_GROW(work->hosts, work->hosts_size, work->host_count + 1))
		return index > work->host_count ? 0 : -1;
	if (index == work->host_count) {
		work->hosts[work->host_count++] = (struct host) { .running = 0 };
		work->hosts[index].total = work->hosts[index].free = event->host.total;
	}
	return 0;
}

static int see_set(struct work *work, const struct lxfw_event *event)
{
	size_t index = (size_t)event->host_set.id;

	if (index > work->set_count ||
	    LXFW_GROW(work->sets, work->sets_size, work->set_count + 1))
		return index > work->set_count ? 0 : -1;
	if (index == work->set_count)
		work->set_count++;
	work->sets[index] = (struct set) { event->host_set.hosts, event->host_set.count };
	return 0;
}

static int list_machine(struct work *work)
{
	int failed = 0;

	for (size_t i = 0; i < work->recorded->event_count && !failed; i++) {
		const struct lxfw_event *event = &work->recorded->events[i].event;

		if (event->type == LXFW_EVENT_HOST)
			failed = see_host(work, event);
		else if (event->type == LXFW_EVENT_HOST_SET)
			failed = see_set(work, event);
	}
	return failed;
}

static const struct lxfw_share *shares_of(const struct work *work, size_t job, int32_t *count)
{
	const struct lxfw_recorded_job *of = &work->recorded->jobs[job];

	*count = of->share_count;
	return work->recorded->shares + of->first_share;
}

/* --- gaps ------------------------------------------------------------------------ */

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->starts != b->starts)
		return a->starts ? 1 : -1;
	return (a->job > b->job) - (a->job < b->job);
}

/* The starts and ends of jobs on known hosts. Sets *SPAN to the time from the first submission to
   the last start. */
static int list_changes(struct work *work, int64_t *span)
{
	const struct lxfw_recorded *recorded = work->recorded;
	int64_t first = INT64_MAX, last = INT64_MIN;

	work->changes = malloc((2 * recorded->count + 1) * sizeof(*work->changes));
	if (!work->changes)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (job->start == LXFW_UNKNOWN || job->end == LXFW_UNKNOWN ||
		    job->end <= job->start)
			continue;
		first = job->seen < first ? job->seen : first;
		last = job->start > last ? job->start : last;
		if (job->share_count == 0)
			continue;
		work->changes[work->change_count++] = (struct change) { job->start, i, true };
		work->changes[work->change_count++] = (struct change) { job->end, i, false };
	}
	qsort(work->changes, work->change_count, sizeof(*work->changes), by_time);
	*span = last > first ? last - first : 0;
	work->now = first;
	return 0;
}

static int add_gap(struct work *work, int32_t host, int64_t begin, int64_t end)
{
	if (end - begin < work->least)
		return 0;
	if (LXFW_GROW(work->gaps, work->gaps_size, work->gap_count + 1))
		return -1;
	work->gaps[work->gap_count++] = (struct gap) {
		.begin = begin, .end = end, .host = host, .user = -1,
	};
	return 0;
}

static int ascending_time(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Hosts may be kept for a job until others reach their limits: only gaps are examined that are half
   as long again as 95 % of the requested times. */
static int find_least(struct work *work)
{
	size_t count = work->recorded->count;
	int64_t *limits = malloc((count + 1) * sizeof(*limits));

	if (!limits)
		return -1;
	for (size_t i = 0; i < count; i++)
		limits[i] = work->recorded->jobs[i].request.estimate;
	if (count > 1)
		qsort(limits, count, sizeof(*limits), ascending_time);
	work->least = IDLE_LEAST;
	if (count > 0 && limits[(count - 1) * 95 / 100] > IDLE_LEAST / 3 * 2)
		work->least = limits[(count - 1) * 95 / 100] / 2 * 3;
	free(limits);
	return 0;
}

static int by_host(const void *left, const void *right)
{
	const struct gap *a = left, *b = right;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

static int list_gaps(struct work *work)
{
	int64_t *idle = malloc((work->host_count + 1) * sizeof(*idle));
	int failed = idle ? 0 : -1;

	for (size_t i = 0; i < work->host_count && idle; i++)
		idle[i] = INT64_MIN;
	for (size_t i = 0; i < work->change_count && !failed; i++) {
		const struct change *change = &work->changes[i];
		int32_t count;
		const struct lxfw_share *shares = shares_of(work, change->job, &count);

		for (int32_t k = 0; k < count && !failed; k++) {
			int32_t host = shares[k].host;
			int32_t *running;

			if ((size_t)host >= work->host_count)
				continue;
			running = &work->hosts[host].running;
			if (change->starts && (*running)++ == 0 && idle[host] != INT64_MIN)
				failed = add_gap(work, host, idle[host], change->time);
			else if (!change->starts && --*running == 0)
				idle[host] = change->time;
		}
	}
	free(idle);
	if (work->gap_count > 1)
		qsort(work->gaps, work->gap_count, sizeof(*work->gaps), by_host);
	for (size_t i = 0; i < work->gap_count; i++) {
		struct host *host = &work->hosts[work->gaps[i].host];

		if (host->gap_end == 0)
			host->gap = i;
		host->gap_end = i + 1;
	}
	return failed;
}

/* --- the schedule ------------------------------------------------------------------ */

/* Applies what happens until now. */
static void follow(struct work *work)
{
	while (work->next_change < work->change_count &&
	       work->changes[work->next_change].time <= work->now) {
		const struct change *change = &work->changes[work->next_change++];
		int32_t count;
		const struct lxfw_share *shares = shares_of(work, change->job, &count);

		for (int32_t k = 0; k < count; k++) {
			struct lxfw_resources *free;

			if ((size_t)shares[k].host >= work->host_count)
				continue;
			free = &work->hosts[shares[k].host].free;
			if (change->starts)
				lxfw_resources_subtract(free, &shares[k].amount);
			else
				lxfw_resources_add(free, &shares[k].amount);
		}
	}
}

/* Keeps the jobs that have waited for a step and wait for longer than the grace time. Jobs are in
   order of `seen`. */
static void follow_queue(struct work *work)
{
	const struct lxfw_recorded *recorded = work->recorded;
	size_t kept = 0;

	while (work->next_job < recorded->count &&
	       recorded->jobs[work->next_job].seen <= work->now - work->step)
		work->waiting[work->waiting_count++] = work->next_job++;
	for (size_t i = 0; i < work->waiting_count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[work->waiting[i]];

		if (job->start != LXFW_UNKNOWN && job->start > work->now + work->grace)
			work->waiting[kept++] = work->waiting[i];
	}
	work->waiting_count = kept;
}

/* Returns the gap of the host that contains the present time, or NULL. */
static struct gap *gap_at(struct work *work, int32_t index)
{
	struct host *host = &work->hosts[index];

	while (host->gap < host->gap_end && work->gaps[host->gap].end <= work->now)
		host->gap++;
	return host->gap < host->gap_end && work->gaps[host->gap].begin + work->step <= work->now ?
	       &work->gaps[host->gap] : NULL;
}

/* Returns the units of the request that fit on the host now, up to MOST. */
static int32_t fit_on(const struct work *work, int32_t index,
		      const struct lxfw_request *request, int32_t most)
{
	struct lxfw_resources left = work->hosts[index].free;

	lxfw_resources_subtract(&left, &request->per_host);
	if (left.memory_mb < 0 ||
	    (request->exclusive && left.procs < work->hosts[index].total.procs))
		return 0;
	return lxfw_resources_count(&request->unit, &left, most);
}

/*
 * Lists the hosts of one set on which a part of the job fits. Returns their number if the job
 * fits and all of them are in a gap, otherwise 0.
 */
static int32_t list_fitting(struct work *work, const struct lxfw_request *request,
			    const struct set *set)
{
	int32_t most = request->shape == LXFW_SHAPE_HOSTS ? 1 : request->count;
	int64_t units = 0;
	int32_t count = 0;
	int32_t all = set ? set->count : (int32_t)work->host_count;

	for (int32_t i = 0; i < all; i++) {
		int32_t host = set ? set->hosts[i] : i;
		int32_t fit = fit_on(work, host, request, most);

		if (fit == 0)
			continue;
		if (!gap_at(work, host))
			return 0;
		units += fit;
		work->fitting[count++] = host;
	}
	return units >= request->count ? count : 0;
}

static void note(struct work *work, size_t job, int32_t count)
{
	int32_t user = work->recorded->jobs[job].user;

	for (int32_t i = 0; i < count; i++) {
		struct gap *gap = gap_at(work, work->fitting[i]);

		/* a job waits for many steps; those that wait are in their order at each */
		if (job >= gap->next_job) {
			gap->jobs++;
			gap->next_job = job + 1;
		}
		if (gap->users == 0 || (gap->user != user && gap->users < USERS_LEAST))
			gap->users++;
		gap->user = user;
	}
}

/* A gap has evidence for the step if a job waits for it. */
static void examine(struct work *work, bool *seen)
{
	const struct lxfw_request *last = NULL;
	int32_t count = 0;
	int looked = 0;

	memset(seen, 0, work->host_count);
	for (size_t i = 0; i < work->waiting_count && looked <= LOOK_MOST; i++) {
		size_t job = work->waiting[i];
		const struct lxfw_request *request = &work->recorded->jobs[job].request;
		size_t set = request->host_set_count > 0 ? (size_t)request->host_sets[0] : 0;

		/* a request of several partitions is rare */
		if (request->host_set_count > 1 || request->more_sets > 0 ||
		    (request->host_set_count > 0 && set >= work->set_count))
			continue;
		looked += !last || !lxfw_request_asks_same(last, request);
		if (!last || !lxfw_request_asks_same(last, request))
			count = list_fitting(work, request, request->host_set_count > 0 ?
							    &work->sets[set] : NULL);
		last = request;
		note(work, job, count);
		for (int32_t k = 0; k < count; k++) {
			int32_t host = work->fitting[k];

			if (!seen[host])
				gap_at(work, host)->seconds += work->step;
			seen[host] = true;
		}
	}
}

/* --- the result -------------------------------------------------------------------- */

static bool is_evident(const struct gap *gap)
{
	return gap->seconds >= EVIDENCE_LEAST && gap->jobs >= JOBS_LEAST &&
	       gap->users >= USERS_LEAST;
}

static int by_begin(const void *left, const void *right)
{
	const struct gap *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

/* Returns whether the gap has most of its time in common with the group. */
static bool belongs(const struct lxfw_idle_hosts *group, const struct gap *gap)
{
	int64_t begin = group->begin > gap->begin ? group->begin : gap->begin;
	int64_t end = group->end < gap->end ? group->end : gap->end;

	return end - begin >= (gap->end - gap->begin) * 4 / 5 &&
	       end - begin >= (group->end - group->begin) * 4 / 5;
}

static int add_to_group(struct work *work, const struct gap *gap)
{
	struct lxfw_idle_list *list = work->list;
	struct lxfw_idle_hosts *group = NULL;
	int32_t *hosts;

	for (size_t i = 0; i < list->count && !group; i++) {
		if (belongs(&list->groups[i], gap))
			group = &list->groups[i];
	}
	if (!group) {
		if (LXFW_GROW(list->groups, list->size, list->count + 1))
			return -1;
		group = &list->groups[list->count++];
		*group = (struct lxfw_idle_hosts) { gap->begin, gap->end, NULL, 0 };
	}
	hosts = realloc(group->hosts, ((size_t)group->count + 1) * sizeof(*hosts));
	if (!hosts)
		return -1;
	group->hosts = hosts;
	hosts[group->count++] = gap->host;
	group->begin = gap->begin > group->begin ? gap->begin : group->begin;
	group->end = gap->end < group->end ? gap->end : group->end;
	return 0;
}

static int ascending(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

static int make_groups(struct work *work)
{
	size_t kept = 0;

	for (size_t i = 0; i < work->gap_count; i++) {
		if (is_evident(&work->gaps[i]))
			work->gaps[kept++] = work->gaps[i];
	}
	if (kept > 1)
		qsort(work->gaps, kept, sizeof(*work->gaps), by_begin);
	for (size_t i = 0; i < kept; i++) {
		if (add_to_group(work, &work->gaps[i]))
			return -1;
	}
	for (size_t i = 0; i < work->list->count; i++)
		qsort(work->list->groups[i].hosts, (size_t)work->list->groups[i].count,
		      sizeof(int32_t), ascending);
	return 0;
}

static int find(struct work *work)
{
	int64_t span, end;
	bool *seen;

	if (list_machine(work) || find_least(work) || list_changes(work, &span) ||
	    list_gaps(work))
		return -1;
	work->step = span / TIMES_MOST > STEP_LEAST ? span / TIMES_MOST : STEP_LEAST;
	work->waiting = malloc((work->recorded->count + 1) * sizeof(*work->waiting));
	work->fitting = malloc((work->host_count + 1) * sizeof(*work->fitting));
	seen = malloc(work->host_count + 1);
	end = work->now + span;
	if (!work->waiting || !work->fitting || !seen) {
		free(seen);
		return -1;
	}
	for (; work->gap_count > 0 && work->now <= end; work->now += work->step) {
		follow(work);
		follow_queue(work);
		examine(work, seen);
	}
	free(seen);
	return make_groups(work);
}

int lxfw_idle_hosts_find(struct lxfw_idle_list *list, const struct lxfw_recorded *recorded,
			 int64_t grace)
{
	struct work work = { .recorded = recorded, .list = list, .grace = grace };
	int failed;

	*list = (struct lxfw_idle_list) { NULL, 0, 0 };
	if (recorded->share_count == 0)
		return 0;
	failed = find(&work);
	free(work.hosts);
	free(work.sets);
	free(work.changes);
	free(work.gaps);
	free(work.waiting);
	free(work.fitting);
	if (failed) {
		lxfw_idle_hosts_clear(list);
		errno = ENOMEM;
	}
	return failed;
}

void lxfw_idle_hosts_clear(struct lxfw_idle_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->groups[i].hosts);
	free(list->groups);
	*list = (struct lxfw_idle_list) { NULL, 0, 0 };
}
