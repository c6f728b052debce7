/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/pools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/site.h"
#include "plugins/pbs/text.h"

/* --- reading -------------------------------------------------------------------------- */

static bool is_counted(const struct lxfw_pbs_kind *kind)
{
	if (!kind || !lxfw_pbs_is_countable(kind->type))
		return false;
	return kind->place >= 0 || kind->place == LXFW_PBS_PROCS ||
	       kind->place == LXFW_PBS_MEMORY || kind->place == LXFW_PBS_POOLED;
}

/* Returns NULL if memory ran out. */
static struct lxfw_pbs_pool *add(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_kind *kind,
				 const char *queue)
{
	struct lxfw_pbs_pool pool = {
		.resource = strdup(kind->name), .queue = queue ? strdup(queue) : NULL,
		.type = kind->type,
	};

	if (pool.resource && (!queue || pool.queue) &&
	    LXFW_GROW(pools->pool, pools->size, pools->count + 1) == 0 &&
	    asprintf(&pool.name, "pool:%s%s%s", kind->name, queue ? "@" : "",
		     queue ? queue : "") >= 0) {
		pools->pool[pools->count] = pool;
		return &pools->pool[pools->count++];
	}
	free(pool.resource);
	free(pool.queue);
	return NULL;
}

bool lxfw_pbs_pools_set(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_kinds *kinds,
			const char *queue, const char *resource, const char *value)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(kinds, resource);
	struct lxfw_pbs_pool *pool;
	int64_t has;

	if (!is_counted(kind) || !lxfw_pbs_amount(kind->type, value, false, &has))
		return true;
	pool = add(pools, kind, queue);
	if (pool)
		pool->has = has > INT32_MAX ? INT32_MAX : (int32_t)has;
	return pool != NULL;
}

int lxfw_pbs_pools_measured(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_kinds *kinds,
			    const char *resource, struct lxfw_pbs_pool **found)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(kinds, resource);

	*found = NULL;
	if (!kind || !lxfw_pbs_is_countable(kind->type))
		return 0;
	for (size_t i = 0; i < pools->count && !*found; i++) {
		if (!pools->pool[i].queue && strcmp(pools->pool[i].resource, resource) == 0)
			*found = &pools->pool[i];
	}
	if (!*found)
		*found = add(pools, kind, NULL);
	if (!*found)
		return -1;
	(*found)->measured = true;
	return 1;
}

bool lxfw_pbs_pools_above(const struct lxfw_pbs_kinds *kinds, const char *resource,
			  const char *value, const char **unit)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(kinds, resource);
	int64_t has;

	if (!is_counted(kind) || !lxfw_pbs_amount(kind->type, value, false, &has) || has <= INT32_MAX)
		return false;
	*unit = lxfw_pbs_unit(kind);
	return true;
}

void lxfw_pbs_pools_clear(struct lxfw_pbs_pools *pools)
{
	for (size_t i = 0; i < pools->count; i++) {
		free(pools->pool[i].name);
		free(pools->pool[i].resource);
		free(pools->pool[i].queue);
	}
	free(pools->pool);
	memset(pools, 0, sizeof(*pools));
}

/* --- what jobs need --------------------------------------------------------------------- */

int32_t lxfw_pbs_pool_need(const struct lxfw_pbs_pool *pool, const struct lxfw_pbs_job *job)
{
	int64_t amount = 0;

	if (pool->queue && (!job->queue || strcmp(pool->queue, job->queue) != 0))
		return 0;
	for (size_t i = 0; i < job->wide_count; i++) {
		if (strcmp(job->wide[i].name, pool->resource) == 0 &&
		    !lxfw_pbs_amount(pool->type, job->wide[i].value, true, &amount))
			return -1;
	}
	return amount > INT32_MAX ? -1 : (int32_t)amount;
}

void lxfw_pbs_pools_use(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_job *job)
{
	for (size_t i = 0; i < pools->count; i++) {
		int32_t need = lxfw_pbs_pool_need(&pools->pool[i], job);

		if (need > 0)
			pools->pool[i].used += need;
	}
}

const struct lxfw_pbs_pool *lxfw_pbs_pools_lack(const struct lxfw_pbs_pools *pools,
						const struct lxfw_pbs_job *job)
{
	for (size_t i = 0; i < pools->count; i++) {
		const struct lxfw_pbs_pool *pool = &pools->pool[i];
		int32_t need = lxfw_pbs_pool_need(pool, job);

		if (need < 0 || (need > 0 && pool->used > (int64_t)pool->has - need))
			return pool;
	}
	return NULL;
}

bool lxfw_pbs_pools_request(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    struct lxfw_request *request, struct lxfw_error *why)
{
	for (size_t i = 0; i < site->pools.count; i++) {
		const struct lxfw_pbs_pool *pool = &site->pools.pool[i];
		int32_t need = lxfw_pbs_pool_need(pool, job);

		if (need == 0)
			continue;
		if (need < 0 || (need > pool->has && !pool->measured)) {
			lxfw_error_set(why, need < 0 ? "its amount cannot be read or is too large: " :
				       pool->queue ? "it requests more than its queue has of " :
						     "it requests more than the server has of ");
			lxfw_error_add(why, pool->resource);
			return false;
		}
		if (request->pool_count == LXFW_POOLS_MAX) {
			lxfw_error_set(why, "it requests too many resources of the server and its queue");
			return false;
		}
		request->pools[request->pool_count++] = (struct lxfw_pool_need){
			.pool = site->host_count + (int32_t)i, .amount = need,
		};
		request->no_quantum = true;
	}
	return true;
}

/* --- what jobs have --------------------------------------------------------------------- */

int32_t lxfw_pbs_pools_share(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			     struct lxfw_share **shares, size_t *size, int32_t count)
{
	for (size_t i = 0; count > 0 && i < site->pools.count; i++) {
		int32_t need = lxfw_pbs_pool_need(&site->pools.pool[i], job);

		if (need <= 0)
			continue;
		if (LXFW_GROW(*shares, *size, (size_t)count + 1))
			return -1;
		(*shares)[count++] = (struct lxfw_share){
			.host = site->host_count + (int32_t)i, .amount.extras = { need },
		};
	}
	return count;
}

struct search {
	const struct lxfw_pbs_site *site;
	bool found;
};

static bool look_for_host(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct search *search = context;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(search->site, name);

	(void)amount;
	search->found |= vnode && vnode->in >= 0;
	return !search->found;
}

/* Whether the library has shares of the job. */
static bool is_known(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job)
{
	struct search search = { .site = site };

	if (job->record && job->vnodes)
		(void)lxfw_pbs_vnodes_read(job->vnodes, &site->kinds, look_for_host, &search);
	return search.found;
}

int32_t lxfw_pbs_pool_total(const struct lxfw_pbs_site *site, const struct lxfw_pbs_pool *pool)
{
	int64_t total = pool->has;

	for (size_t i = 0; i < site->job_count; i++) {
		const struct lxfw_pbs_job *job = &site->job[i];
		int32_t need = lxfw_pbs_holds(job) ? lxfw_pbs_pool_need(pool, job) : 0;

		if (need > 0 && !is_known(site, job))
			total -= need;
	}
	return total < 0 ? 0 : (int32_t)total;
}
