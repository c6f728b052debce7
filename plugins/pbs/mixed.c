/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/mixed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/bundles.h"
#include "plugins/pbs/mixed_part.h"
#include "plugins/pbs/psets.h"
#include "plugins/pbs/request.h"

/* --- what is decided for a job ------------------------------------------------------------ */

struct deciding {
	const struct lxfw_pbs_site *site;
	struct lxfw_pbs_sets *sets;
	const struct lxfw_pbs_job *job;
	const struct lxfw_pbs_queue *queue;
	const struct lxfw_pbs_select *select;
	struct lxfw_pbs_place place;
	struct lxfw_pbs_mixed *mixed;
	struct lxfw_error *why;
};

/* Sets the request of a part. Returns as lxfw_pbs_request() does. */
static int request_part(const struct deciding *deciding, int32_t index,
			struct lxfw_request *request)
{
	struct lxfw_pbs_job part = lxfw_pbs_part_of(deciding->mixed, deciding->job, index);

	return lxfw_pbs_request(deciding->site, deciding->sets, &part, request, deciding->why);
}

static int set_within(const struct deciding *deciding, const char *within)
{
	free(deciding->mixed->within);
	deciding->mixed->within = within ? strdup(within) : NULL;
	return !within || deciding->mixed->within ? 0 : -1;
}

/* --- kinds -------------------------------------------------------------------------------- */

static bool are_equal(const struct lxfw_pbs_chunk *one, const struct lxfw_pbs_chunk *other)
{
	return lxfw_resources_fit(&one->need, &other->need) &&
	       lxfw_resources_fit(&other->need, &one->need) &&
	       one->memory_kb == other->memory_kb && strcmp(one->wanted, other->wanted) == 0;
}

static int find_kinds(const struct deciding *deciding)
{
	const struct lxfw_pbs_select *select = deciding->select;
	size_t *kind = calloc(select->count + 1, sizeof(*kind));

	deciding->mixed->kind = kind;
	for (size_t i = 0; kind && i < select->count; i++) {
		while (!are_equal(&select->chunk[kind[i]], &select->chunk[i]))
			kind[i]++;
	}
	return kind ? 0 : -1;
}

/* Adds the kind that begins with chunk AT. */
static int add_kind(const struct deciding *deciding, size_t at)
{
	const struct lxfw_pbs_select *select = deciding->select;
	struct lxfw_pbs_part *part = lxfw_pbs_mixed_add(deciding->mixed);
	struct lxfw_pbs_chunk all = select->chunk[at];

	all.count = 0;
	for (size_t i = at; i < select->count; i++)
		all.count += deciding->mixed->kind[i] == at ? select->chunk[i].count : 0;
	return part && lxfw_pbs_part_add(part, &all, at) ? 0 : -1;
}

/* The parts are the kinds. Returns their number, 0 if they find no hosts or are too many, or -1.
   *ALONE is set if one of them finds none even alone, and *SURE if they find hosts in whatever order
   they choose them. */
static int try_kinds(const struct deciding *deciding, bool *alone, bool *sure)
{
	struct lxfw_pbs_mixed *mixed = deciding->mixed;
	struct lxfw_request *requests;
	int rc = 1;

	for (size_t i = 0; i < deciding->select->count; i++) {
		if (mixed->kind[i] != i)
			continue;
		if (mixed->count == LXFW_GROUP_MAX)
			return 0;
		if (add_kind(deciding, i) < 0)
			return -1;
	}
	requests = calloc((size_t)mixed->count + 1, sizeof(*requests));
	for (int32_t i = 0; requests && i < mixed->count && rc > 0; i++)
		rc = request_part(deciding, i, &requests[i]);
	if (!requests)
		rc = -1;
	*alone = rc == 0;
	if (rc > 0)
		rc = lxfw_pbs_fit_together(deciding->site, deciding->sets, deciding->job, mixed,
					   requests, sure);
	free(requests);
	return rc <= 0 ? rc : mixed->count;
}

/* --- bundles ------------------------------------------------------------------------------ */

static void cannot_hold(const struct deciding *deciding)
{
	lxfw_error_set(deciding->why, "the hosts of its queue cannot hold its chunks");
}

/* The parts are bundles, laid out in order number ORDER. Returns their number, which may be too large,
   0 or -1. *SURE as of try_kinds(). */
static int try_order(const struct deciding *deciding, int order, const int32_t *hosts,
		     int32_t count, bool pinned, bool *sure)
{
	struct lxfw_pbs_mixed *mixed = deciding->mixed;
	struct lxfw_request *requests;
	char *within = mixed->within;
	int rc;

	mixed->within = NULL;
	lxfw_pbs_mixed_clear_parts(mixed);
	mixed->within = within;
	rc = lxfw_pbs_bundle(deciding->site, deciding->job, deciding->select, order, hosts, count,
			     pinned, mixed);
	if (rc <= 0 || rc > LXFW_GROUP_MAX)
		return rc;
	requests = calloc((size_t)mixed->count, sizeof(*requests));
	if (!requests)
		return -1;
	for (int32_t i = 0; rc > 0 && i < mixed->count; i++)
		rc = request_part(deciding, i, &requests[i]);
	if (rc > 0 && lxfw_pbs_fit_together(deciding->site, deciding->sets, deciding->job, mixed,
					    requests, sure) <= 0)
		*sure = false;
	free(requests);
	return rc <= 0 ? rc : mixed->count;
}

/* The parts are bundles, laid out in one of several orders. Returns their number, 0 or -1. */
static int try_bundles(const struct deciding *deciding, const int32_t *hosts, int32_t count)
{
	int fitting = -1;
	bool many = false;

	for (int order = 0; order < LXFW_PBS_BUNDLE_ORDERS; order++) {
		bool sure = false;
		int rc = try_order(deciding, order, hosts, count, false, &sure);

		if (rc < 0 || (rc > 0 && rc <= LXFW_GROUP_MAX && sure))
			return rc;
		if (rc > LXFW_GROUP_MAX)
			many = true;
		else if (rc > 0 && fitting < 0)
			fitting = order;
	}
	if (fitting >= 0) {
		bool sure;

		return try_order(deciding, fitting, hosts, count, true, &sure);
	}
	cannot_hold(deciding);
	if (many)
		lxfw_error_add(deciding->why, " in 128 parts, the most that can start together");
	return 0;
}

/* The hosts on which chunks may be, those that are up first: of the placement set, if there is
   one. */
static int32_t find_hosts(const struct deciding *deciding, int32_t *hosts, int32_t set)
{
	int32_t count = 0;

	for (int up = 1; up >= 0; up--) {
		for (int32_t i = 0, at = 0; i < deciding->site->host_count; i++) {
			const struct lxfw_pbs_host *host = &deciding->site->host[i];
			bool is_up = false;

			if (set >= 0) {
				const struct lxfw_pbs_set *of = &deciding->sets->set[set];

				while (at < of->count && of->hosts[at] < i)
					at++;
				if (at == of->count || of->hosts[at] != i)
					continue;
			}
			for (int32_t j = 0; j < host->count; j++)
				is_up |= deciding->site->vnode[deciding->site->by_host[host->first + j]].up;
			if (is_up == up)
				hosts[count++] = i;
		}
	}
	return count;
}

static int try_hosts(const struct deciding *deciding, int32_t set)
{
	int32_t *hosts = calloc((size_t)deciding->site->host_count + 1, sizeof(*hosts));
	int rc = -1;

	if (hosts)
		rc = try_bundles(deciding, hosts, find_hosts(deciding, hosts, set));
	free(hosts);
	return rc;
}

/* --- placement sets ----------------------------------------------------------------------- */

/* Returns the number of parts, 0 or -1. SET: the placement set, with the name WITHIN; -1: none. */
static int try_all(const struct deciding *deciding, int32_t set, const char *within)
{
	bool alone = false, sure = false;
	int kinds, rc;

	lxfw_pbs_mixed_clear_parts(deciding->mixed);
	if (set_within(deciding, within) < 0)
		return -1;
	kinds = try_kinds(deciding, &alone, &sure);
	if (kinds < 0 || alone || (kinds > 0 && sure))
		return kinds;
	rc = try_hosts(deciding, set);
	if (rc != 0 || kinds == 0)
		return rc;
	lxfw_pbs_mixed_clear_parts(deciding->mixed);
	return set_within(deciding, within) < 0 ? -1 : try_kinds(deciding, &alone, &sure);
}

/* All chunks on one host. */
static int try_one_host(const struct deciding *deciding)
{
	int rc = 0;

	for (int32_t i = 0; i < deciding->site->host_count && rc == 0; i++)
		rc = try_bundles(deciding, &i, 1);
	return rc;
}

static int try_sets(const struct deciding *deciding, const char *keys)
{
	uint64_t owner = lxfw_pbs_sets_owner(deciding->job->user);
	int32_t count, first = lxfw_pbs_psets(deciding->sets, deciding->site, deciding->queue, "",
					      keys, owner, &count);
	int rc = 0;

	if (first < 0)
		return errno == ENOMEM ? -1 : 0;
	for (int32_t i = 0; i < count && rc == 0; i++) {
		char *name = strdup(deciding->sets->set[first + i].key);

		rc = name ? try_all(deciding, first + i, name) : -1;
		free(name);
	}
	return rc;
}

static int decide(const struct deciding *deciding)
{
	const char *keys = lxfw_pbs_psets_keys(deciding->site, deciding->queue,
					       deciding->place.group);
	bool one_host = strcmp(keys, "host") == 0;
	int rc = 0;

	if (*keys)
		rc = one_host ? try_one_host(deciding) : try_sets(deciding, keys);
	if (rc != 0)
		return rc;
	rc = try_all(deciding, -1, NULL);
	if (rc <= 0 || !*keys || !deciding->site->sched.do_not_span_psets)
		return rc;
	lxfw_error_set(deciding->why, one_host ? "no host can hold its chunks" :
		       "no placement set can hold its chunks");
	return 0;
}

/* --- the whole ---------------------------------------------------------------------------- */

/* Whether the library may choose hosts that have too few vnodes for the chunks, as these are added
   up. */
static bool lacks_vnodes(const struct lxfw_pbs_site *site, const struct lxfw_pbs_sets *sets,
			 const struct lxfw_pbs_job *job, const struct lxfw_request *request)
{
	int32_t *pieces = calloc((size_t)site->host_count + 1, sizeof(*pieces));
	bool fewer = false;

	if (pieces)
		(void)lxfw_pbs_pieces(site, sets, job, request, pieces, &fewer);
	free(pieces);
	return fewer;
}

/* Sets *DIFFER if the chunks are not all equal and may be on different hosts, and *APART if several
   must be on different vnodes. Returns the number of different chunks. */
static size_t examine(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		    bool *differ, bool *apart)
{
	struct lxfw_pbs_parsed own = { 0 };
	struct lxfw_pbs_place place;
	struct lxfw_error why;
	const struct lxfw_pbs_select *select = lxfw_pbs_select_of(
		job->parsed ? job->parsed : &own, job->select, &site->kinds, &why);
	bool good = select && lxfw_pbs_place_read(&place, job->place, &why);
	size_t count = select ? select->count : 0;

	*differ = good && select->count > 1 && place.arrangement != LXFW_PBS_PACK;
	*apart = good && select->total > 1 && place.arrangement == LXFW_PBS_VSCATTER;
	lxfw_pbs_parsed_clear(&own);
	return count;
}

int64_t lxfw_pbs_mixed_work(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job)
{
	bool differ, apart;
	size_t count = examine(site, job, &differ, &apart);

	return differ || apart ? (int64_t)count * (site->host_count + 1) : 0;
}

bool lxfw_pbs_is_mixed(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		       const struct lxfw_pbs_job *job)
{
	struct lxfw_pbs_job whole = *job;
	struct lxfw_request request;
	struct lxfw_error why;
	bool differ, apart;
	int rc;

	(void)examine(site, job, &differ, &apart);
	if (!differ && !apart)
		return false;
	whole.barred = 0;
	whole.barred_now = false;
	rc = lxfw_pbs_request(site, sets, &whole, &request, &why);
	return (rc == 0 && differ) ||
	       (rc > 0 && apart && lacks_vnodes(site, sets, &whole, &request));
}

int lxfw_pbs_mixed(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		   const struct lxfw_pbs_job *job, struct lxfw_pbs_mixed *mixed,
		   struct lxfw_error *why)
{
	struct lxfw_pbs_parsed own = { 0 };
	struct deciding deciding = {
		.site = site, .sets = sets, .job = job, .mixed = mixed, .why = why,
		.queue = lxfw_pbs_site_find_queue(site, job->queue),
	};
	int rc = 0;

	memset(mixed, 0, sizeof(*mixed));
	deciding.select = lxfw_pbs_select_of(job->parsed ? job->parsed : &own, job->select,
					     &site->kinds, why);
	if (!deciding.select)
		rc = errno == ENOMEM ? -1 : 0;
	else if (!deciding.queue)
		lxfw_error_set(why, "its queue is unknown");
	else if (lxfw_pbs_place_read(&deciding.place, job->place, why))
		rc = find_kinds(&deciding) < 0 ? -1 : decide(&deciding);
	lxfw_pbs_parsed_clear(&own);
	return rc;
}
