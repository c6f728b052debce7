/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/request.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/psets.h"

int64_t lxfw_pbs_estimate(const struct lxfw_pbs_job *job)
{
	int64_t estimate = LXFW_PBS_FOREVER;

	if (job->walltime >= 0)
		estimate = job->walltime;
	if (job->walltime_min > 0 && job->walltime_max >= 0)
		estimate = job->walltime_max;
	return estimate < 1 ? 1 : estimate;
}

/* A resource of the whole job for which the library has no form. */
static bool has_others(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		       struct lxfw_error *why)
{
	for (size_t i = 0; i < job->wide_count; i++) {
		const struct lxfw_pbs_kind *kind =
			lxfw_pbs_kind(&site->kinds, job->wide[i].name);

		if (!kind || kind->place != LXFW_PBS_UNKNOWN)
			continue;
		lxfw_error_set(why, "it requests a resource that is not modelled: ");
		lxfw_error_add(why, job->wide[i].name);
		return true;
	}
	return false;
}

static void raise(struct lxfw_resources *most, const struct lxfw_resources *amount)
{
	if (amount->procs > most->procs)
		most->procs = amount->procs;
	if (amount->memory_mb > most->memory_mb)
		most->memory_mb = amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (amount->extras[i] > most->extras[i])
			most->extras[i] = amount->extras[i];
	}
}

/* Adds COUNT chunks. Returns false if the sum is too large. */
static bool add_times(struct lxfw_resources *sum, const struct lxfw_resources *amount,
		      int32_t count)
{
	if ((int64_t)amount->procs * count + sum->procs > INT32_MAX ||
	    amount->memory_mb > (INT64_C(1) << 49) / count ||
	    sum->memory_mb > (INT64_C(1) << 49))
		return false;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if ((int64_t)amount->extras[i] * count + sum->extras[i] > INT32_MAX)
			return false;
		sum->extras[i] += amount->extras[i] * count;
	}
	sum->procs += amount->procs * count;
	sum->memory_mb += amount->memory_mb * count;
	return true;
}

/* Sets the shape of the request. */
static bool shape(const struct lxfw_pbs_job *job, const struct lxfw_pbs_select *select,
		  const struct lxfw_pbs_place *place, struct lxfw_request *request)
{
	struct lxfw_resources sum = { 0 }, most = { 0 };
	bool pack = place->arrangement == LXFW_PBS_PACK || select->total == 1 || job->bundles;

	for (size_t i = 0; i < select->count; i++) {
		raise(&most, &select->chunk[i].need);
		if (pack && !add_times(&sum, &select->chunk[i].need, select->chunk[i].count))
			return false;
	}
	request->unit = pack ? sum : most;
	if (request->unit.procs < 1)
		request->unit.procs = 1;
	request->count = job->bundles ? job->bundles : pack ? 1 : select->total;
	request->shape = pack || place->arrangement != LXFW_PBS_FREE ?
			 LXFW_SHAPE_HOSTS : LXFW_SHAPE_ANYWHERE;
	request->exclusive = place->exclusive;
	return true;
}

/* Returns true if an earlier chunk requires the same. */
static bool is_repeated(const struct lxfw_pbs_select *select, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (strcmp(select->chunk[i].wanted, select->chunk[index].wanted) == 0)
			return true;
	}
	return false;
}

/* What all hosts of the job must have: that which any chunk requires, and that they are not barred.
   The caller frees it. */
static char *wanted_by_all(const struct lxfw_pbs_select *select, const char *only,
			   uint32_t barred)
{
	size_t length = sizeof(":" LXFW_PBS_BARRED "=4294967295:" LXFW_PBS_ONLY "=") +
			(only ? strlen(only) : 0);
	char *all, *end;

	for (size_t i = 0; i < select->count; i++)
		length += strlen(select->chunk[i].wanted) + 1;
	all = end = calloc(length, 1);
	for (size_t i = 0; all && i < select->count; i++) {
		const char *wanted = select->chunk[i].wanted;

		if (!*wanted || is_repeated(select, i))
			continue;
		if (end != all)
			*end++ = ':';
		end = stpcpy(end, wanted);
	}
	if (all && only)
		end += sprintf(end, "%s" LXFW_PBS_ONLY "=%s", end == all ? "" : ":", only);
	if (all && barred)
		sprintf(end, "%s" LXFW_PBS_BARRED "=%" PRIu32, end == all ? "" : ":", barred);
	return all;
}

int32_t lxfw_pbs_suitable(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			  const struct lxfw_pbs_job *job, struct lxfw_share **shares,
			  size_t *size, struct lxfw_error *why)
{
	static const struct lxfw_pbs_queue none = { .name = (char *)"" };
	struct lxfw_pbs_parsed own = { 0 };
	const struct lxfw_pbs_select *select = lxfw_pbs_select_of(
		job->parsed ? job->parsed : &own, job->select, &site->kinds, why);
	char *wanted = NULL;
	int32_t count = 0;

	if (select) {
		lxfw_error_set(why, "out of memory");
		wanted = wanted_by_all(select, job->only, job->barred);
	}
	lxfw_pbs_parsed_clear(&own);
	if (!wanted || LXFW_GROW(*shares, *size, (size_t)site->host_count + 1)) {
		free(wanted);
		return -1;
	}
	for (int32_t i = 0; i < site->host_count; i++) {
		if (lxfw_pbs_suits(site, &site->host[i], queue ? queue : &none, wanted))
			(*shares)[count++].host = i;
	}
	free(wanted);
	return count;
}

static int too_many_sets(struct lxfw_error *why)
{
	lxfw_error_set(why, "too many different requirements of hosts are in use");
	return 0;
}

static int find_set(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		    const struct lxfw_pbs_queue *queue, const char *wanted, uint64_t owner,
		    struct lxfw_request *request, struct lxfw_error *why)
{
	int32_t id = lxfw_pbs_set(sets, site, queue, wanted, owner);

	if (id < 0 && errno != ENOENT)
		return errno == ENOSPC ? too_many_sets(why) : -1;
	if (id < 0 || sets->set[id].count == 0) {
		lxfw_error_set(why, "no host of its queue has what all its chunks require");
		return 0;
	}
	request->host_set_count = 1;
	request->host_sets[0] = id;
	return 1;
}

/* Where a job may run. */
struct where {
	const struct lxfw_pbs_site *site;
	const struct lxfw_pbs_queue *queue;
	const char *wanted;	/* by all its chunks, and that hosts are not barred */
	const char *otherwise;	/* `wanted` without hosts that are barred only for now; NULL: the
				   same */
};

/* Chunks that the host could have if it were free. */
static int32_t pieces_on(const struct where *where, int32_t host,
			 const struct lxfw_request *request)
{
	struct lxfw_resources total = lxfw_pbs_total_for(where->site, &where->site->host[host],
							 where->queue, where->wanted);

	return request->shape == LXFW_SHAPE_HOSTS ?
		       lxfw_resources_fit(&request->unit, &total) :
		       lxfw_request_pieces(request, &total, request->count);
}

/* Whether hosts of the set could have all chunks if they were free. */
static bool fits_ever(const struct where *where, const struct lxfw_pbs_set *set,
		      const struct lxfw_request *request)
{
	int64_t found = 0;

	for (int32_t i = 0; i < set->count && found < request->count; i++)
		found += pieces_on(where, set->hosts[i], request);
	return found >= request->count;
}

/* Vnodes of the host that could have a chunk if they were free. */
static int32_t vnodes_for(const struct where *where, int32_t at,
			  const struct lxfw_request *request)
{
	const struct lxfw_pbs_host *host = &where->site->host[at];
	int32_t count = 0;

	for (int32_t i = 0; i < host->count; i++) {
		const struct lxfw_pbs_vnode *vnode =
			&where->site->vnode[where->site->by_host[host->first + i]];

		count += lxfw_pbs_serves(where->site, vnode, where->queue, where->wanted) &&
			 lxfw_resources_fit(&request->unit, &vnode->total);
	}
	return count;
}

/* Each chunk is on another vnode, and of another host if there are enough of them. Returns false if
   the vnodes could not hold them all. */
static bool scatter_over_vnodes(const struct where *where, const struct lxfw_pbs_set *set,
				struct lxfw_request *request)
{
	int64_t hosts = 0, vnodes = 0;

	for (int32_t i = 0; i < set->count; i++) {
		int32_t count = vnodes_for(where, set->hosts[i], request);

		hosts += count > 0;
		vnodes += count;
	}
	if (hosts < request->count)
		request->shape = LXFW_SHAPE_ANYWHERE;
	return vnodes >= request->count;
}

/* Returns true if jobs on any vnode of the set may have it alone. */
static bool may_exclude(const struct lxfw_pbs_site *site, const struct lxfw_pbs_set *set)
{
	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_pbs_host *host = &site->host[set->hosts[i]];

		for (int32_t j = 0; j < host->count; j++) {
			if (!site->vnode[site->by_host[host->first + j]].ignores)
				return true;
		}
	}
	return false;
}

/* --- placement sets ----------------------------------------------------------------------- */

/* Returns the first of COUNT sets from FIRST on whose hosts could have all chunks, or COUNT. */
static int32_t find_fitting(const struct where *where, const struct lxfw_pbs_sets *sets,
			    int32_t first, int32_t count, const struct lxfw_request *request)
{
	int32_t i = 0;

	while (i < count && !fits_ever(where, &sets->set[first + i], request))
		i++;
	return i;
}

/* Whether a placement set could have all chunks if no hosts were barred for now. */
static bool fits_otherwise(const struct where *where, struct lxfw_pbs_sets *sets,
			   const char *keys, uint64_t owner, const struct lxfw_request *request)
{
	struct where all = *where;
	int32_t first, count;

	if (!where->otherwise)
		return false;
	all.wanted = where->otherwise;
	first = lxfw_pbs_psets(sets, all.site, all.queue, all.wanted, keys, owner, &count);
	return first < 0 || find_fitting(&all, sets, first, count, request) < count;
}

/* The job runs on hosts of one of the sets; or on any, if none of these could ever have it and it
   may span them. */
static int use_groups(const struct where *where, struct lxfw_pbs_sets *sets, const char *keys,
		      uint64_t owner, int32_t first, int32_t count,
		      struct lxfw_request *request, struct lxfw_error *why)
{
	if (find_fitting(where, sets, first, count, request) < count) {
		request->host_sets[0] = first;
		request->more_sets = count - 1;
		return 1;
	}
	if (fits_otherwise(where, sets, keys, owner, request)) {
		lxfw_error_set(why, "its chunks do not fit on vnodes of a placement set now");
		return 0;
	}
	if (!where->site->sched.do_not_span_psets)
		return 1;
	lxfw_error_set(why, "no placement set can hold its chunks");
	return 0;
}

/* A group of one host. */
static int use_host(const struct where *where, const struct lxfw_pbs_set *set,
		    struct lxfw_request *request, struct lxfw_error *why)
{
	bool fits = request->count == 1;

	for (int32_t i = 0; i < set->count && !fits && request->shape == LXFW_SHAPE_ANYWHERE; i++)
		fits = pieces_on(where, set->hosts[i], request) == request->count;
	if (!fits && where->site->sched.do_not_span_psets) {
		lxfw_error_set(why, "no host can hold its chunks");
		return 0;
	}
	if (fits && request->shape == LXFW_SHAPE_ANYWHERE)
		request->max_hosts = 1;
	return 1;
}

static int group(const struct where *where, struct lxfw_pbs_sets *sets, const char *keys,
		 uint64_t owner, struct lxfw_request *request, struct lxfw_error *why)
{
	int32_t first, count;

	if (!*keys)
		return 1;
	if (strcmp(keys, "host") == 0)
		return use_host(where, &sets->set[request->host_sets[0]], request, why);
	/* Each host is in a set. */
	if (request->count == 1 && !where->site->sched.only_explicit_psets)
		return 1;
	first = lxfw_pbs_psets(sets, where->site, where->queue, where->wanted, keys, owner,
			       &count);
	if (first >= 0)
		return use_groups(where, sets, keys, owner, first, count, request, why);
	if (errno == ENOMEM)
		return -1;
	if (errno == ENOSPC)
		return too_many_sets(why);
	lxfw_error_set(why, "hosts have no values of the resource of its placement sets: ");
	lxfw_error_add(why, keys);
	return 0;
}

/* The parts of a job use the same placement set. */
static int use_within(const struct where *where, struct lxfw_pbs_sets *sets,
		      const struct lxfw_pbs_job *job, const char *keys, uint64_t owner,
		      struct lxfw_request *request, struct lxfw_error *why)
{
	int32_t first, count;

	if (!job->within)
		return 1;
	first = lxfw_pbs_psets(sets, where->site, where->queue, where->wanted, keys, owner,
			       &count);
	if (first < 0 && errno == ENOMEM)
		return -1;
	if (first < 0 && errno == ENOSPC)
		return too_many_sets(why);
	for (int32_t i = 0; first >= 0 && i < count; i++) {
		if (strcmp(sets->set[first + i].key, job->within) != 0 ||
		    !fits_ever(where, &sets->set[first + i], request))
			continue;
		request->host_sets[0] = first + i;
		return 1;
	}
	lxfw_error_set(why, "no placement set can hold its chunks");
	return 0;
}

/* --- the whole ---------------------------------------------------------------------------- */

static int make(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		const struct lxfw_pbs_job *job, const struct lxfw_pbs_select *select,
		const char *wanted, const char *otherwise, struct lxfw_request *request,
		struct lxfw_error *why)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	const struct where where = {
		.site = site, .queue = queue, .wanted = wanted, .otherwise = otherwise,
	};
	uint64_t owner = lxfw_pbs_sets_owner(job->user);
	const struct lxfw_pbs_set *set;
	struct lxfw_request check;
	struct lxfw_pbs_place place;
	int rc;

	if (!lxfw_pbs_place_read(&place, job->place, why) || has_others(site, job, why))
		return 0;
	if (!queue) {
		lxfw_error_set(why, "its queue is unknown");
		return 0;
	}
	rc = find_set(site, sets, queue, wanted, owner, request, why);
	if (rc <= 0)
		return rc;
	request->estimate = lxfw_pbs_estimate(job);
	if (job->walltime_min > 0 && job->walltime_min < request->estimate)
		request->min_estimate = job->walltime_min;
	if (!lxfw_pbs_pools_request(site, job, request, why))
		return 0;
	lxfw_error_set(why, "it requests too much");
	if (!shape(job, select, &place, request))
		return 0;
	request->exclusive &= may_exclude(site, &sets->set[request->host_sets[0]]);
	check = *request;
	check.id = check.submit = 1;
	if (!lxfw_request_is_valid(&check))
		return 0;
	set = &sets->set[request->host_sets[0]];
	if (place.arrangement == LXFW_PBS_VSCATTER && !job->bundles &&
	    !scatter_over_vnodes(&where, set, request)) {
		lxfw_error_set(why, "the vnodes of its queue cannot hold its chunks");
		return 0;
	}
	if (!fits_ever(&where, set, request)) {
		lxfw_error_set(why, "the hosts of its queue cannot hold its chunks");
		return 0;
	}
	if (job->part)
		return use_within(&where, sets, job, lxfw_pbs_psets_keys(site, queue, place.group),
				  owner, request, why);
	return group(&where, sets, lxfw_pbs_psets_keys(site, queue, place.group), owner, request,
		     why);
}

int lxfw_pbs_request(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		     const struct lxfw_pbs_job *job, struct lxfw_request *request,
		     struct lxfw_error *why)
{
	struct lxfw_pbs_parsed own = { 0 };
	const struct lxfw_pbs_select *select = lxfw_pbs_select_of(
		job->parsed ? job->parsed : &own, job->select, &site->kinds, why);
	char *wanted = NULL, *otherwise = NULL;
	int rc;

	memset(request, 0, sizeof(*request));
	if (!select)
		rc = errno == ENOMEM ? -1 : 0;
	else if ((wanted = wanted_by_all(select, job->only, job->barred)) == NULL ||
		 (job->barred_now && (otherwise = wanted_by_all(select, job->only, 0)) == NULL))
		rc = -1;
	else
		rc = make(site, sets, job, select, wanted, otherwise, request, why);
	free(wanted);
	free(otherwise);
	lxfw_pbs_parsed_clear(&own);
	return rc;
}

bool lxfw_pbs_pieces(const struct lxfw_pbs_site *site, const struct lxfw_pbs_sets *sets,
		     const struct lxfw_pbs_job *job, const struct lxfw_request *request,
		     int32_t *pieces, bool *fewer)
{
	const struct lxfw_pbs_set *set = &sets->set[request->host_sets[0]];
	struct lxfw_pbs_parsed own = { 0 };
	struct lxfw_pbs_place place;
	struct lxfw_error why;
	const struct lxfw_pbs_select *select = lxfw_pbs_select_of(
		job->parsed ? job->parsed : &own, job->select, &site->kinds, &why);
	char *wanted = select ? wanted_by_all(select, job->only, job->barred) : NULL;
	const struct where where = {
		.site = site, .queue = lxfw_pbs_site_find_queue(site, job->queue),
		.wanted = wanted,
	};

	memset(pieces, 0, (size_t)site->host_count * sizeof(*pieces));
	lxfw_pbs_parsed_clear(&own);
	if (!wanted)
		return false;
	(void)lxfw_pbs_place_read(&place, job->place, &why);
	for (int32_t i = 0; i < set->count; i++) {
		int32_t host = set->hosts[i], number = pieces_on(&where, host, request);

		if (place.arrangement == LXFW_PBS_VSCATTER && !job->bundles) {
			int32_t vnodes = vnodes_for(&where, host, request);

			if (number > vnodes) {
				number = vnodes;
				*fewer |= request->shape == LXFW_SHAPE_ANYWHERE;
			}
		}
		pieces[host] = number;
	}
	free(wanted);
	return true;
}
