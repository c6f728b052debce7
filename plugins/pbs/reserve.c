/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reservations have of the vnodes in a time: of each vnode the most that those have that are
 * under way at once. Two that follow each other may have the same processors.
 */
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/wlm.h"

void lxfw_pbs_use_swap(struct lxfw_pbs_site *site, struct lxfw_pbs_in_use *other)
{
	for (size_t i = 0; i < site->vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &site->vnode[i];
		struct lxfw_pbs_in_use here = { vnode->used, vnode->users, vnode->owners };

		vnode->used = other[i].used;
		vnode->users = other[i].users;
		vnode->owners = other[i].owners;
		other[i] = here;
	}
}

bool lxfw_pbs_is_in(const struct lxfw_pbs_job *job, const struct lxfw_pbs_resv *resv)
{
	return resv->queue && job->queue && strcmp(job->queue, resv->queue) == 0;
}

/* --- the occurrences of a time ------------------------------------------------------------ */

static bool add(struct lxfw_pbs_peaks *peaks, const struct lxfw_pbs_resv *resv,
		const struct lxfw_pbs_occurrence *occurrence)
{
	if (!lxfw_pbs_held(occurrence))
		return true;
	if (LXFW_GROW(peaks->by_start, peaks->by_start_size, peaks->count + 1) ||
	    LXFW_GROW(peaks->by_end, peaks->by_end_size, peaks->count + 1))
		return false;
	peaks->by_start[peaks->count] = (struct lxfw_pbs_reserved){
		.resv = resv, .occurrence = occurrence,
	};
	peaks->by_end[peaks->count] = peaks->by_start[peaks->count];
	peaks->count++;
	return true;
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

/* Adds the occurrences that are not over and overlap the time from START to END. */
static bool add_all(struct lxfw_pbs_peaks *peaks, const struct lxfw_pbs_resv *resv, int64_t start,
		    int64_t end)
{
	int32_t at = lxfw_pbs_resv_first(resv);
	bool good = true;

	if (at == 0 && resv->occurrences && resv->occurrence[0].start < end &&
	    start < resv->occurrence[0].end)
		good = add(peaks, resv, &resv->occurrence[0]);
	if (at > 1)
		return good;
	for (at = find_ending(resv, start);
	     good && at < resv->occurrences && resv->occurrence[at].start < end; at++)
		good = add(peaks, resv, &resv->occurrence[at]);
	return good;
}

/* --- the most of them --------------------------------------------------------------------- */

/* Jobs of the present occurrence use its vnodes too, which is not counted twice. */
static void use(struct lxfw_pbs *pbs, const struct lxfw_pbs_reserved *reserved, int times)
{
	const struct lxfw_pbs_resv *resv = reserved->resv;
	const struct lxfw_pbs_job as_job = {
		.vnodes = (char *)lxfw_pbs_held(reserved->occurrence), .place = resv->place
	};

	lxfw_pbs_use(&pbs->site, &as_job, times, true);
	for (size_t i = 0; reserved->occurrence == resv->occurrence && i < pbs->site.job_count;
	     i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (lxfw_pbs_holds(job) && lxfw_pbs_is_in(job, resv))
			lxfw_pbs_use(&pbs->site, job, -times,
				     lxfw_pbs_has_procs(&pbs->site, job));
	}
}

static int by_start(const void *a, const void *b)
{
	const struct lxfw_pbs_reserved *one = a, *other = b;
	int64_t first = one->occurrence->start, second = other->occurrence->start;

	return (first > second) - (first < second);
}

static int by_end(const void *a, const void *b)
{
	const struct lxfw_pbs_reserved *one = a, *other = b;
	int64_t first = one->occurrence->end, second = other->occurrence->end;

	return (first > second) - (first < second);
}

static void raise(struct lxfw_pbs_in_use *peak, const struct lxfw_pbs_vnode *vnode)
{
	if (vnode->used.procs > peak->used.procs)
		peak->used.procs = vnode->used.procs;
	if (vnode->used.memory_mb > peak->used.memory_mb)
		peak->used.memory_mb = vnode->used.memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (vnode->used.extras[i] > peak->used.extras[i])
			peak->used.extras[i] = vnode->used.extras[i];
	}
	if (vnode->users > peak->users)
		peak->users = vnode->users;
	if (vnode->owners > peak->owners)
		peak->owners = vnode->owners;
}

/* All vnodes of the host: a reservation may have the whole of it. */
static bool raise_host(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct lxfw_pbs *pbs = context;
	const struct lxfw_pbs_site *site = &pbs->site;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(site, name);
	const struct lxfw_pbs_host *host;

	(void)amount;
	if (!vnode || vnode->in < 0)
		return true;
	host = &site->host[vnode->in];
	for (int32_t i = 0; i < host->count; i++) {
		int32_t at = site->by_host[host->first + i];

		raise(&pbs->peaks.peak[at], &site->vnode[at]);
	}
	return true;
}

/* Follows the occurrences in time, with nothing else in use. */
static void find_peaks(struct lxfw_pbs *pbs)
{
	struct lxfw_pbs_peaks *peaks = &pbs->peaks;
	size_t ended = 0;

	qsort(peaks->by_start, peaks->count, sizeof(*peaks->by_start), by_start);
	qsort(peaks->by_end, peaks->count, sizeof(*peaks->by_end), by_end);
	for (size_t i = 0; i < peaks->count; i++) {
		const struct lxfw_pbs_occurrence *next = peaks->by_start[i].occurrence;

		while (peaks->by_end[ended].occurrence->end <= next->start)
			use(pbs, &peaks->by_end[ended++], -1);
		use(pbs, &peaks->by_start[i], 1);
		(void)lxfw_pbs_vnodes_read(lxfw_pbs_held(next), &pbs->site.kinds, raise_host,
					   pbs);
	}
}

static void add_peaks(struct lxfw_pbs *pbs, int times)
{
	for (size_t i = 0; i < pbs->site.vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &pbs->site.vnode[i];
		const struct lxfw_pbs_in_use *peak = &pbs->peaks.peak[i];

		if (times > 0)
			lxfw_resources_add(&vnode->used, &peak->used);
		else
			lxfw_resources_subtract(&vnode->used, &peak->used);
		vnode->users += times * peak->users;
		vnode->owners += times * peak->owners;
	}
}

/* Collects the occurrences. Returns false if memory ran out. */
static bool collect(struct lxfw_pbs *pbs, int64_t start, int64_t end,
		    const struct lxfw_pbs_resv *except)
{
	struct lxfw_pbs_peaks *peaks = &pbs->peaks;
	size_t vnodes = pbs->site.vnode_count;

	for (size_t i = 0; i < pbs->site.resv_count; i++) {
		if (&pbs->site.resv[i] != except &&
		    !add_all(peaks, &pbs->site.resv[i], start, end))
			return false;
	}
	if (!peaks->count)
		return true;
	if (LXFW_GROW(peaks->now, peaks->now_size, vnodes + 1) ||
	    LXFW_GROW(peaks->peak, peaks->peak_size, vnodes + 1))
		return false;
	memset(peaks->now, 0, vnodes * sizeof(*peaks->now));
	memset(peaks->peak, 0, vnodes * sizeof(*peaks->peak));
	return true;
}

void lxfw_pbs_use_resvs(struct lxfw_pbs *pbs, int64_t start, int64_t end,
			const struct lxfw_pbs_resv *except)
{
	struct lxfw_pbs_peaks *peaks = &pbs->peaks;

	peaks->count = 0;
	if (!collect(pbs, start, end, except)) {
		pbs->agent.events.failed = true;
		peaks->count = 0;
	}
	if (!peaks->count)
		return;
	lxfw_pbs_use_swap(&pbs->site, peaks->now);
	find_peaks(pbs);
	lxfw_pbs_use_swap(&pbs->site, peaks->now);
	add_peaks(pbs, 1);
}

void lxfw_pbs_free_resvs(struct lxfw_pbs *pbs)
{
	if (pbs->peaks.count)
		add_peaks(pbs, -1);
	pbs->peaks.count = 0;
}

void lxfw_pbs_peaks_clear(struct lxfw_pbs_peaks *peaks)
{
	free(peaks->by_start);
	free(peaks->by_end);
	free(peaks->now);
	free(peaks->peak);
	memset(peaks, 0, sizeof(*peaks));
}
