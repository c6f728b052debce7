/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vnodes for reservations: those that no other reservation has at that time, and that no running job
 * is expected to use then. Waiting jobs are planned around a reservation once it is confirmed.
 * Each occurrence of a standing reservation has vnodes of its own.
 *
 * A search that takes long is continued in the next pass, from where it stopped. What has been found
 * is kept free meanwhile, as if it were confirmed: resv->occurrence has it. Before it is confirmed
 * it is tested again, by what is in use then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/clock.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* The expected end of a job that holds vnodes; LXFW_NEVER if it does not run. */
static int64_t end_of(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));

	return known && known->state == LXFW_KNOWN_RUNNING ? known->expected_end : LXFW_NEVER;
}

/* Enters jobs that are expected to end after START, but not those of EXCEPT. */
static void use_by_jobs(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *except,
			int64_t start)
{
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (lxfw_pbs_holds(job) && !lxfw_pbs_is_in(job, except) &&
		    end_of(pbs, job) > start)
			lxfw_pbs_use(&pbs->site, job, 1, true);
	}
}

/* --- vnodes --------------------------------------------------------------------------- */

/* Returns why no reservation can be at this time, or NULL. */
static const char *never(const struct lxfw_pbs *pbs, int64_t start, int64_t end)
{
	if (end > LXFW_TIME_MAX)
		return "its end is too late";
	return !pbs->calendar.ignored && lxfw_pbs_meets_dedicated(&pbs->calendar, start, end) ?
		       "it meets dedicated time" : NULL;
}

/* Returns an exec_vnode for the reservation at this time, which the caller frees; or NULL with
   *WHY set if there is no room then or it cannot be represented. */
static char *room_for(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv, char *select,
		      int64_t start, int64_t end, struct lxfw_error *why)
{
	struct lxfw_pbs_in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	const struct lxfw_pbs_job as_job = { .select = select, .place = resv->place };
	const char *reason = now ? never(pbs, start, end) : "out of memory";
	char *vnodes;

	if (reason) {
		lxfw_error_set(why, reason);
		free(now);
		return NULL;
	}
	lxfw_pbs_use_swap(&pbs->site, now);
	use_by_jobs(pbs, resv, start);
	lxfw_pbs_use_resvs(pbs, start, end, resv);
	vnodes = lxfw_pbs_anywhere(pbs, &as_job, why);
	lxfw_pbs_use_swap(&pbs->site, now);
	free(now);
	return vnodes;
}

static char *room_at(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv, int64_t start,
		     int64_t end, struct lxfw_error *why)
{
	return room_for(pbs, resv, resv->select, start, end, why);
}

static bool is_up(void *context, const char *name, const struct lxfw_resources *amount)
{
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(context, name);

	(void)amount;
	return vnode && vnode->up;
}

static bool are_up(struct lxfw_pbs *pbs, const char *nodes)
{
	return nodes && lxfw_pbs_vnodes_read(nodes, &pbs->site.kinds, is_up, &pbs->site);
}

static bool has_room(void *context, const char *name, const struct lxfw_resources *amount)
{
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(context, name);

	(void)amount;
	return vnode && vnode->up && lxfw_resources_fit(&vnode->used, &vnode->total) &&
	       (vnode->owners == 0 || vnode->users == 1);
}

/* Returns true if the reservation can keep the vnodes NODES at this time. */
static bool can_keep(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
		     const char *nodes, int64_t start, int64_t end)
{
	struct lxfw_pbs_in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	const struct lxfw_pbs_job as_job = { .vnodes = (char *)nodes, .place = resv->place };
	bool good;

	if (!now || !nodes || never(pbs, start, end)) {
		free(now);
		return false;
	}
	lxfw_pbs_use_swap(&pbs->site, now);
	use_by_jobs(pbs, resv, start);
	lxfw_pbs_use_resvs(pbs, start, end, resv);
	lxfw_pbs_use(&pbs->site, &as_job, 1, true);
	good = lxfw_pbs_vnodes_read(nodes, &pbs->site.kinds, has_room, &pbs->site);
	lxfw_pbs_use_swap(&pbs->site, now);
	free(now);
	return good;
}

/* --- requested ones ------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return (one > other) - (one < other);
}

/* Times at which vnodes become free: now, and the ends of jobs and reservations. */
static int64_t *times_of_release(struct lxfw_pbs *pbs, size_t *count)
{
	size_t most = 1 + pbs->agent.jobs.count, n = 0;
	int64_t *times;

	for (size_t i = 0; i < pbs->site.resv_count; i++)
		most += (size_t)pbs->site.resv[i].occurrences;
	times = calloc(most, sizeof(*times));
	if (!times)
		return NULL;
	times[n++] = pbs->agent.clock;
	for (size_t i = 0; i < pbs->agent.jobs.count; i++) {
		if (pbs->agent.jobs.jobs[i]->state == LXFW_KNOWN_RUNNING &&
		    pbs->agent.jobs.jobs[i]->expected_end > pbs->agent.clock)
			times[n++] = pbs->agent.jobs.jobs[i]->expected_end;
	}
	for (size_t i = 0; i < pbs->site.resv_count; i++) {
		const struct lxfw_pbs_resv *resv = &pbs->site.resv[i];

		for (int32_t j = 0; j < resv->occurrences; j++) {
			if (resv->occurrence[j].nodes &&
			    resv->occurrence[j].end > pbs->agent.clock)
				times[n++] = resv->occurrence[j].end;
		}
	}
	qsort(times, n, sizeof(*times), compare_times);
	*count = n;
	return times;
}

/* Finds the earliest time at which the reservation can begin, and moves it there. Times at which it
   could not are not tried again in later passes, but the present is. */
static char *earliest_room(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
			   uint64_t deadline_us, bool *later, struct lxfw_error *why)
{
	int64_t duration = resv->end - resv->start, *times;
	char *vnodes = NULL;
	size_t count = 0, tried = 0;

	times = times_of_release(pbs, &count);
	for (size_t i = 0; i < count && !vnodes; i++) {
		if (i > 0 && (times[i] == times[i - 1] || times[i] <= resv->tried))
			continue;
		if (i > 0 && tried++ && lxfw_now_us() >= deadline_us) {
			*later = true;
			break;
		}
		vnodes = room_at(pbs, resv, times[i], times[i] + duration, why);
		if (vnodes) {
			resv->start = times[i];
			resv->end = times[i] + duration;
		} else if (times[i] > resv->tried) {
			resv->tried = times[i];
		}
	}
	free(times);
	return vnodes;
}

/* The vnodes for an occurrence that begins at START: those that it has, if they can be used. */
static char *place_occurrence(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
			      int32_t index, int64_t start, struct lxfw_error *why)
{
	bool later = index > 0;
	int64_t duration = later && resv->later_duration ? resv->later_duration :
							   resv->end - resv->start;
	char *select = later && resv->later_select ? resv->later_select : resv->select;
	const char *present = index < resv->occurrences ? resv->occurrence[index].nodes : NULL;

	if (present && resv->substate != LXFW_PBS_RESV_IN_CONFLICT && are_up(pbs, present))
		return strdup(present);
	return room_for(pbs, resv, select, start, start + duration, why);
}

/* A job that runs, and its expected end. */
struct ending {
	int64_t end;
	const struct lxfw_pbs_job *job;
};

static int compare_ends(const void *a, const void *b)
{
	const struct ending *one = a, *other = b;

	return (one->end > other->end) - (one->end < other->end);
}

/* Enters the jobs that hold vnodes, but not those of EXCEPT. Returns them in the order of their
   expected ends, or NULL if memory ran out. The caller frees them. */
static struct ending *use_by_all_jobs(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *except,
				      size_t *count)
{
	struct ending *endings = calloc(pbs->site.job_count + 1, sizeof(*endings));

	*count = 0;
	for (size_t i = 0; endings && i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (!lxfw_pbs_holds(job) || lxfw_pbs_is_in(job, except))
			continue;
		endings[(*count)++] = (struct ending){ .job = job, .end = end_of(pbs, job) };
		lxfw_pbs_use(&pbs->site, job, 1, true);
	}
	if (endings)
		qsort(endings, *count, sizeof(*endings), compare_ends);
	return endings;
}

/* Returns true if the vnodes of the occurrence have room for it beside the jobs that are entered
   and other reservations. */
static bool has_room_still(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
			   const struct lxfw_pbs_occurrence *occurrence)
{
	const struct lxfw_pbs_job as_job = {
		.vnodes = occurrence->nodes, .place = resv->place
	};
	bool good;

	lxfw_pbs_use_resvs(pbs, occurrence->start, occurrence->end, resv);
	lxfw_pbs_use(&pbs->site, &as_job, 1, true);
	good = lxfw_pbs_vnodes_read(occurrence->nodes, &pbs->site.kinds, has_room, &pbs->site);
	lxfw_pbs_use(&pbs->site, &as_job, -1, true);
	lxfw_pbs_free_resvs(pbs);
	return good;
}

/* Tests the vnodes that were found, perhaps in earlier passes, by what is in use now. Those that
   cannot be used must be found again. Returns true if all can be used. */
static bool test_found(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv)
{
	struct lxfw_pbs_in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	struct ending *endings = NULL;
	size_t count = 0, ended = 0;
	bool good = true;

	if (!now)
		return false;
	lxfw_pbs_use_swap(&pbs->site, now);
	endings = use_by_all_jobs(pbs, resv, &count);
	/* Occurrences are in order, so that jobs that have ended stay so. */
	for (int32_t i = 0; endings && i < resv->occurrences; i++) {
		struct lxfw_pbs_occurrence *occurrence = &resv->occurrence[i];

		for (; ended < count && endings[ended].end <= occurrence->start; ended++)
			lxfw_pbs_use(&pbs->site, endings[ended].job, -1, true);
		if (!occurrence->found || has_room_still(pbs, resv, occurrence))
			continue;
		occurrence->chosen = occurrence->found = good = false;
		free(occurrence->nodes);
		occurrence->nodes = NULL;
	}
	lxfw_pbs_use_swap(&pbs->site, now);
	free(now);
	good &= endings != NULL;
	free(endings);
	return good;
}

/* The vnodes of all occurrences, as one text. */
static char *all_nodes(const struct lxfw_pbs_resv *resv)
{
	char **nodes = calloc((size_t)resv->occurrences + 1, sizeof(*nodes)), *text = NULL;

	for (int32_t i = 0; nodes && i < resv->occurrences; i++)
		nodes[i] = resv->occurrence[i].nodes;
	if (nodes)
		text = lxfw_pbs_sequence_write(nodes, resv->occurrences);
	free(nodes);
	return text;
}

/* Finds vnodes for the occurrences that have none yet, one at least. Returns false if one has no
   room; sets *LATER if there are more. */
static bool find_more(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, uint64_t deadline_us,
		      bool *later, struct lxfw_error *why)
{
	bool any = false;

	for (int32_t i = 0; i < resv->occurrences; i++) {
		struct lxfw_pbs_occurrence *occurrence = &resv->occurrence[i];
		const char *before = occurrence->nodes;
		char *nodes;

		if (occurrence->chosen)
			continue;
		if (any && lxfw_now_us() >= deadline_us) {
			*later = true;
			return true;
		}
		any = true;
		nodes = place_occurrence(pbs, resv, i, occurrence->start, why);
		if (!nodes)
			return false;
		occurrence->found = !before || strcmp(nodes, before) != 0;
		occurrence->chosen = true;
		if (occurrence->found && !occurrence->held)
			occurrence->held = occurrence->nodes;
		else
			free(occurrence->nodes);
		occurrence->nodes = nodes;
	}
	return true;
}

/* The vnodes for all occurrences that are not over, as one text. */
static char *place_all(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
		       uint64_t deadline_us, bool *later, struct lxfw_error *why)
{
	char *text = NULL;

	lxfw_error_set(why, "it recurs too often");
	if (lxfw_pbs_resv_remaining(resv) > LXFW_PBS_OCCURRENCES_MAX)
		return NULL;
	lxfw_error_set(why, "its times cannot be computed");
	if ((resv->placing || lxfw_pbs_resv_begin(resv)) &&
	    find_more(pbs, resv, deadline_us, later, why)) {
		if (!*later)
			*later = !test_found(pbs, resv);
		if (*later)
			return NULL;
		resv->start = resv->occurrence[0].start;
		resv->end = resv->occurrence[0].end;
		text = all_nodes(resv);
	}
	if (!text)
		(void)lxfw_pbs_resv_unroll(resv);	/* as the server has it */
	return text;
}

/* --- changed and degraded ones -------------------------------------------------------- */

static bool has_jobs(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		if (lxfw_pbs_holds(&pbs->site.job[i]) &&
		    lxfw_pbs_is_in(&pbs->site.job[i], resv))
			return true;
	}
	return false;
}

/* A change concerns the present occurrence. Its jobs stay where they are. */
static char *place_altered(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
			   struct lxfw_error *why)
{
	bool same = !resv->select || !resv->select_before ||
		    strcmp(resv->select, resv->select_before) == 0;
	char *nodes = NULL, *text;

	if (same && can_keep(pbs, resv, resv->nodes, resv->start, resv->end))
		nodes = strdup(resv->nodes);
	else if (has_jobs(pbs, resv))
		lxfw_error_set(why, "jobs run in it");
	else
		nodes = room_at(pbs, resv, resv->start, resv->end, why);
	if (!nodes || !lxfw_pbs_resv_is_standing(resv))
		return nodes;
	text = lxfw_pbs_sequence_write(&nodes, 1);
	free(nodes);
	return text;
}

static char *place_degraded(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
			    uint64_t deadline_us, bool *later, struct lxfw_error *why)
{
	int64_t begin = resv->start > pbs->agent.clock ? resv->start : pbs->agent.clock;

	lxfw_error_set(why, "jobs run in it");
	if (resv->state == LXFW_PBS_RESV_DELETING_JOBS ||
	    (has_jobs(pbs, resv) && !are_up(pbs, resv->nodes)))
		return NULL;
	if (lxfw_pbs_resv_is_standing(resv))
		return place_all(pbs, resv, deadline_us, later, why);
	return room_at(pbs, resv, begin, resv->end, why);
}

static char *place_new(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, uint64_t deadline_us,
		       bool *later, struct lxfw_error *why)
{
	if (resv->start >= LXFW_PBS_RESV_EARLIEST && !resv->rule)
		return earliest_room(pbs, resv, deadline_us, later, why);
	lxfw_error_set(why, "it has no time");
	if (resv->start <= 0 || resv->end <= resv->start)
		return NULL;
	return lxfw_pbs_resv_is_standing(resv) ?
		       place_all(pbs, resv, deadline_us, later, why) :
		       room_at(pbs, resv, resv->start, resv->end, why);
}

char *lxfw_pbs_place_resv(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, uint64_t deadline_us,
			  bool *later, struct lxfw_error *why)
{
	if (resv->state == LXFW_PBS_RESV_ALTERED)
		return place_altered(pbs, resv, why);
	return resv->state == LXFW_PBS_RESV_UNCONFIRMED ?
		       place_new(pbs, resv, deadline_us, later, why) :
		       place_degraded(pbs, resv, deadline_us, later, why);
}
