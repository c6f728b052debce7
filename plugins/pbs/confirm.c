/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confirms requested reservations: on vnodes that no other reservation has at that time, and
 * that no running job is expected to use then. Waiting jobs are planned around a reservation
 * once it is confirmed. Each occurrence of a standing reservation has vnodes of its own.
 *
 * Also gives other vnodes to a reservation whose vnodes cannot be used (degraded), and answers
 * changes of reservations.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* What is in use of a vnode. */
struct in_use {
	struct lxfw_resources used;
	int32_t users, owners;
};

static void swap(struct lxfw_pbs_site *site, struct in_use *other)
{
	for (size_t i = 0; i < site->vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &site->vnode[i];
		struct in_use here = { vnode->used, vnode->users, vnode->owners };

		vnode->used = other[i].used;
		vnode->users = other[i].users;
		vnode->owners = other[i].owners;
		other[i] = here;
	}
}

/* Enters running jobs that are expected to end after START, but not those of EXCEPT. */
static void use_by_jobs(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *except,
			int64_t start)
{
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];
		const struct lxfw_known_job *known;

		if (!lxfw_pbs_holds(job) || lxfw_pbs_is_in(job, except))
			continue;
		known = lxfw_table_find(&pbs->agent.jobs,
					lxfw_pbs_id(job->number, job->task));
		if (!known || known->state != LXFW_KNOWN_RUNNING ||
		    known->expected_end > start)
			lxfw_pbs_use(&pbs->site, job, 1, true);
	}
}

bool lxfw_pbs_is_in(const struct lxfw_pbs_job *job, const struct lxfw_pbs_resv *resv)
{
	return resv->queue && job->queue && strcmp(job->queue, resv->queue) == 0;
}

/* Jobs of the present occurrence use its vnodes too, which is not counted twice. */
static void use_occurrence(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
			   const struct lxfw_pbs_occurrence *occurrence, int times)
{
	const struct lxfw_pbs_job as_job = {
		.vnodes = occurrence->nodes, .place = resv->place
	};

	lxfw_pbs_use(&pbs->site, &as_job, times, true);
	for (size_t i = 0; occurrence == resv->occurrence && i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (lxfw_pbs_holds(job) && lxfw_pbs_is_in(job, resv))
			lxfw_pbs_use(&pbs->site, job, -times,
				     lxfw_pbs_has_procs(&pbs->site, job));
	}
}

/* The first of the later occurrences, which are in order and equally long, that ends after TIME. */
static int32_t find_ending(const struct lxfw_pbs_resv *resv, int64_t time)
{
	int32_t low = 1, high = resv->occurrences;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (resv->occurrence[middle].end > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The occurrences that are not over and overlap the time from START to END. */
static void use_resv(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv, int64_t start,
		     int64_t end, int times)
{
	int32_t at = lxfw_pbs_resv_first(resv);

	if (at == 0 && resv->occurrences && resv->occurrence[0].nodes &&
	    resv->occurrence[0].start < end && start < resv->occurrence[0].end)
		use_occurrence(pbs, resv, &resv->occurrence[0], times);
	if (at > 1)
		return;
	for (at = find_ending(resv, start);
	     at < resv->occurrences && resv->occurrence[at].start < end; at++) {
		if (resv->occurrence[at].nodes)
			use_occurrence(pbs, resv, &resv->occurrence[at], times);
	}
}

void lxfw_pbs_use_resvs(struct lxfw_pbs *pbs, int64_t start, int64_t end,
			const struct lxfw_pbs_resv *except, int times)
{
	for (size_t i = 0; i < pbs->site.resv_count; i++) {
		if (&pbs->site.resv[i] != except)
			use_resv(pbs, &pbs->site.resv[i], start, end, times);
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
	struct in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	const struct lxfw_pbs_job as_job = { .select = select, .place = resv->place };
	const char *reason = now ? never(pbs, start, end) : "out of memory";
	char *vnodes;

	if (reason) {
		lxfw_error_set(why, reason);
		free(now);
		return NULL;
	}
	swap(&pbs->site, now);
	use_by_jobs(pbs, resv, start);
	lxfw_pbs_use_resvs(pbs, start, end, resv, 1);
	vnodes = lxfw_pbs_anywhere(pbs, &as_job, why);
	swap(&pbs->site, now);
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
	return vnode && vnode->up && vnode->used.procs <= vnode->total.procs &&
	       vnode->used.memory_mb <= vnode->total.memory_mb &&
	       (vnode->owners == 0 || vnode->users == 1);
}

/* Returns true if the reservation can keep the vnodes NODES at this time. */
static bool can_keep(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv,
		     const char *nodes, int64_t start, int64_t end)
{
	struct in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	const struct lxfw_pbs_job as_job = { .vnodes = (char *)nodes, .place = resv->place };
	bool good;

	if (!now || !nodes || never(pbs, start, end)) {
		free(now);
		return false;
	}
	swap(&pbs->site, now);
	use_by_jobs(pbs, resv, start);
	lxfw_pbs_use_resvs(pbs, start, end, resv, 1);
	lxfw_pbs_use(&pbs->site, &as_job, 1, true);
	good = lxfw_pbs_vnodes_read(nodes, &pbs->site.kinds, has_room, &pbs->site);
	swap(&pbs->site, now);
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

/* Finds the earliest time at which the reservation can begin, and moves it there. */
static char *earliest_room(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
			   struct lxfw_error *why)
{
	int64_t duration = resv->end - resv->start, *times;
	char *vnodes = NULL;
	size_t count = 0;

	times = times_of_release(pbs, &count);
	for (size_t i = 0; i < count && !vnodes; i++) {
		if (i > 0 && times[i] == times[i - 1])
			continue;
		vnodes = room_at(pbs, resv, times[i], times[i] + duration, why);
		if (vnodes) {
			resv->start = times[i];
			resv->end = times[i] + duration;
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

/* The vnodes for all occurrences that are not over, as one text. */
static char *place_all(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
		       struct lxfw_error *why)
{
	int64_t remaining = lxfw_pbs_resv_remaining(resv);
	int64_t *times = NULL;
	char **nodes = NULL, *text = NULL;
	int32_t count, done = 0;

	if (remaining > LXFW_PBS_OCCURRENCES_MAX) {
		lxfw_error_set(why, "it recurs too often");
		return NULL;
	}
	count = (int32_t)remaining;
	times = calloc((size_t)count, sizeof(*times));
	nodes = calloc((size_t)count, sizeof(*nodes));
	lxfw_error_set(why, "its times cannot be computed");
	if (times && nodes && lxfw_pbs_resv_times(resv, times, count) == count) {
		while (done < count) {
			nodes[done] = place_occurrence(pbs, resv, done, times[done], why);
			if (!nodes[done])
				break;
			done++;
		}
	}
	if (done == count) {
		resv->end += times[0] - resv->start;
		resv->start = times[0];
		text = lxfw_pbs_sequence_write(nodes, count);
	}
	lxfw_pbs_sequence_free(nodes, done);
	free(times);
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
			    struct lxfw_error *why)
{
	int64_t begin = resv->start > pbs->agent.clock ? resv->start : pbs->agent.clock;

	lxfw_error_set(why, "jobs run in it");
	if (resv->state == LXFW_PBS_RESV_DELETING_JOBS ||
	    (has_jobs(pbs, resv) && !are_up(pbs, resv->nodes)))
		return NULL;
	if (lxfw_pbs_resv_is_standing(resv))
		return place_all(pbs, resv, why);
	return room_at(pbs, resv, begin, resv->end, why);
}

static char *place_new(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv,
		       struct lxfw_error *why)
{
	if (resv->start >= LXFW_PBS_RESV_EARLIEST && !resv->rule)
		return earliest_room(pbs, resv, why);
	lxfw_error_set(why, "it has no time");
	if (resv->start <= 0 || resv->end <= resv->start)
		return NULL;
	return lxfw_pbs_resv_is_standing(resv) ? place_all(pbs, resv, why) :
						 room_at(pbs, resv, resv->start, resv->end, why);
}

/* --- answers -------------------------------------------------------------------------- */

/* Later reservations of this pass are planned beside it. */
static void enter(struct lxfw_pbs_resv *resv, char *vnodes)
{
	bool all = lxfw_pbs_resv_is_standing(resv) && resv->state != LXFW_PBS_RESV_ALTERED;
	char **nodes;
	int32_t count;

	resv->state = resv->state == LXFW_PBS_RESV_UNCONFIRMED ? LXFW_PBS_RESV_CONFIRMED :
								 resv->state;
	if (!lxfw_pbs_resv_is_standing(resv)) {
		free(resv->nodes);
		resv->nodes = vnodes;
	} else {
		count = lxfw_pbs_sequence_read(vnodes, &nodes);
		if (count > 0) {
			free(resv->nodes);
			resv->nodes = strdup(nodes[0]);
			lxfw_pbs_sequence_free(nodes, count);
		}
		if (all) {
			free(resv->sequence);
			resv->sequence = vnodes;
		} else {
			free(vnodes);
		}
	}
	(void)lxfw_pbs_resv_unroll(resv);
}

/* Answers the server: VNODES are the reservation's, NULL: there are none. */
static void answer(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, char *vnodes)
{
	struct lxfw_error why;
	int rc = lxfw_pbs_confirm_resv(&pbs->link, resv->name, vnodes, vnodes ? resv->start : 0,
				       pbs->site.sched.partition, &why);

	if (rc) {
		if (rc < 0)
			lxfw_log_error("reservation %s: %s", resv->name, why.text);
		else
			lxfw_log_debug("reservation %s has been deleted", resv->name);
		free(vnodes);
		return;
	}
	pbs->changed = true;
	if (!vnodes)
		return;
	lxfw_log_info("reservation %s is confirmed on %s", resv->name, vnodes);
	enter(resv, vnodes);
}

static bool is_mine(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	const char *mine = pbs->site.sched.partition ? pbs->site.sched.partition :
						       LXFW_PBS_DEFAULT_PARTITION;

	return !resv->partition || strcmp(resv->partition, mine) == 0;
}

/* True if the server waits until it tries again to replace vnodes of the reservation. */
static bool is_degraded(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	return (resv->substate == LXFW_PBS_RESV_DEGRADED ||
		resv->substate == LXFW_PBS_RESV_IN_CONFLICT) &&
	       resv->retry > 0 && resv->retry <= pbs->agent.clock;
}

/* Returns true if the reservation waits for an answer. */
static bool waits(const struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	return !pbs->shadow && is_mine(pbs, resv) &&
	       (resv->state == LXFW_PBS_RESV_ALTERED ||
		resv->state == LXFW_PBS_RESV_UNCONFIRMED || is_degraded(pbs, resv));
}

static void confirm(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv)
{
	struct lxfw_error why;
	char *vnodes;

	if (resv->state == LXFW_PBS_RESV_ALTERED)
		vnodes = place_altered(pbs, resv, &why);
	else if (resv->state == LXFW_PBS_RESV_UNCONFIRMED)
		vnodes = place_new(pbs, resv, &why);
	else
		vnodes = place_degraded(pbs, resv, &why);
	if (!vnodes)
		lxfw_log_info(resv->state == LXFW_PBS_RESV_ALTERED ?
			      "the change of reservation %s is refused: %s" :
			      resv->state == LXFW_PBS_RESV_UNCONFIRMED ?
			      "reservation %s is refused: %s" :
			      "reservation %s gets no other vnodes yet: %s", resv->name, why.text);
	answer(pbs, resv, vnodes);
}

/* The next pass begins with the one after the last: one whose answer the server refuses does not
   keep others from theirs. */
void lxfw_pbs_confirm(struct lxfw_pbs *pbs, uint64_t deadline_us)
{
	size_t count = pbs->site.resv_count, first = pbs->next_resv;

	for (size_t i = 0, done = 0; i < count && !pbs->link.lost; i++) {
		size_t at = (first + i) % count;

		if (!waits(pbs, &pbs->site.resv[at]))
			continue;
		if (done++ && lxfw_now_us() >= deadline_us) {
			pbs->changed = true;	/* another pass follows */
			break;
		}
		confirm(pbs, &pbs->site.resv[at]);
		pbs->next_resv = at + 1;
	}
}
