/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pools: resources that the server or a queue has for all hosts together, such as floating
 * licenses. resources_available of the server bounds what all running jobs request, that of a
 * queue what those of the queue request. A resource that is not set there has no bound. For the
 * library, pool I is the host after all hosts and I pools (model/request.h).
 *
 * Jobs that run, are suspended or are ending count.
 */
#ifndef LXFW_PBS_POOLS_H
#define LXFW_PBS_POOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/util/error.h"
#include "plugins/pbs/kinds.h"

struct lxfw_pbs_job;
struct lxfw_pbs_site;

/* Amounts are those of lxfw_pbs_amount(). */
struct lxfw_pbs_pool {
	char *name;		/* of its host: "pool:lic" or "pool:lic@workq" */
	char *resource, *queue;	/* queue NULL: of the server */
	enum lxfw_pbs_type type;
	int32_t has;		/* larger amounts mean the same */
	int64_t used;		/* by all jobs */
	bool measured;		/* a script says how much is left (scripts.h): `has` changes */
};

struct lxfw_pbs_pools {
	struct lxfw_pbs_pool *pool;
	size_t count, size;
};

/* Reads resources_available of the server, or of QUEUE. Resources that are not counted, and
   values that cannot be read, are ignored. Returns false if memory ran out. */
bool lxfw_pbs_pools_set(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_kinds *kinds,
			const char *queue, const char *resource, const char *value);
/* Finds the server's pool of RESOURCE, which is made if it does not exist, and marks it as measured.
   *FOUND is valid until another pool is made. Returns 1; 0 if the resource is unknown, or no
   amount; -1 if memory ran out. */
int lxfw_pbs_pools_measured(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_kinds *kinds,
			    const char *resource, struct lxfw_pbs_pool **found);

/* Returns true if VALUE is above INT32_MAX, the bound, in *UNIT. */
bool lxfw_pbs_pools_above(const struct lxfw_pbs_kinds *kinds, const char *resource,
			  const char *value, const char **unit);
void lxfw_pbs_pools_clear(struct lxfw_pbs_pools *pools);

/* What JOB needs of POOL; 0: nothing; -1 if that cannot be read or is too much. */
int32_t lxfw_pbs_pool_need(const struct lxfw_pbs_pool *pool, const struct lxfw_pbs_job *job);

/* Counts JOB, which runs. */
void lxfw_pbs_pools_use(struct lxfw_pbs_pools *pools, const struct lxfw_pbs_job *job);

/* Returns a pool that has not enough left for JOB to start, or NULL. */
const struct lxfw_pbs_pool *lxfw_pbs_pools_lack(const struct lxfw_pbs_pools *pools,
						const struct lxfw_pbs_job *job);

/* Sets the pools of REQUEST. Returns false with *WHY set if the library cannot represent what
   JOB needs, or the pools never have enough. */
bool lxfw_pbs_pools_request(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    struct lxfw_request *request, struct lxfw_error *why);

/* Appends to COUNT shares of hosts what JOB has of pools. Returns the number of all, or -1 if
   memory ran out. */
int32_t lxfw_pbs_pools_share(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			     struct lxfw_share **shares, size_t *size, int32_t count);

/* What POOL has for jobs that the library knows: without what the others use. A job without a
   number, or on vnodes of other schedulers, is not known. */
int32_t lxfw_pbs_pool_total(const struct lxfw_pbs_site *site, const struct lxfw_pbs_pool *pool);

#endif
