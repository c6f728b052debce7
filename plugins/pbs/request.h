/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request of a job for the library.
 *
 *   pack                one host with the sum of the chunks
 *   scatter             as many hosts as there are chunks
 *   vscatter            likewise, if that many hosts could hold them; else chunks anywhere, each
 *                       on another vnode
 *   free                chunks anywhere
 *
 * If the chunks differ, each is modelled with the largest amount of each resource that any
 * chunk requests, and wants what any of them wants: the job may start later than necessary, and it
 * gets what it requested. If it can never start so, it is one of several parts (mixed.h). A
 * chunk has one processor at least. A job that needs amounts of pools has `no_quantum`.
 */
#ifndef LXFW_PBS_REQUEST_H
#define LXFW_PBS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/util/error.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/sets.h"
#include "plugins/pbs/site.h"

/*
 * Makes *REQUEST of JOB, all but its id, submit time and tier. A set of hosts is made if necessary.
 * Returns 1; 0 with *WHY set if the library cannot represent the job; or -1 if memory ran
 * out.
 */
int lxfw_pbs_request(const struct lxfw_pbs_site *site, struct lxfw_pbs_sets *sets,
		     const struct lxfw_pbs_job *job, struct lxfw_request *request,
		     struct lxfw_error *why);

/* Sets PIECES[HOST] of each host to the chunks of REQUEST, of JOB, that it could have if it were free;
   0 if it is not in the first host set. Sets *FEWER if the vnodes of a host hold fewer than the
   library expects. Returns false if memory ran out. */
bool lxfw_pbs_pieces(const struct lxfw_pbs_site *site, const struct lxfw_pbs_sets *sets,
		     const struct lxfw_pbs_job *job, const struct lxfw_request *request,
		     int32_t *pieces, bool *fewer);

/* Above the tiers of all levels. */
#define LXFW_PBS_TIER_MOST (INT32_MAX / 2)

/* tiers.c: returns the tier of JOB: its level (sched.h), and within a level its queue by
   site->queue_order. CONDITIONS are those that are due to fair share. */
int32_t lxfw_pbs_tier(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      unsigned conditions);

/* Finds the hosts that have what the chunks of JOB require and that jobs of QUEUE may use; NULL:
   those of no queue. Returns their number and sets the hosts of *SHARES, in ascending order; or
   -1 with *WHY set. */
int32_t lxfw_pbs_suitable(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			  const struct lxfw_pbs_job *job, struct lxfw_share **shares,
			  size_t *size, struct lxfw_error *why);

/*
 * Tests for each of COUNT shares whether the chunks that REQUEST, of JOB, could have of it fit on
 * the vnodes of its host: one chunk, all of a packed job, or any number if they may be anywhere.
 * EVER: as if nothing were in use. Sets MISFITS[i] if they do not. Returns false if memory ran
 * out.
 */
bool lxfw_pbs_misfits(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      const struct lxfw_request *request, const struct lxfw_share *shares,
		      int32_t count, bool ever, bool *misfits);

/* The run time that the job may use, in seconds. */
int64_t lxfw_pbs_estimate(const struct lxfw_pbs_job *job);

/*
 * Distributes the chunks of JOB over the vnodes of COUNT shares: of each host, a chunk gets
 * the vnode on which it fits most tightly, or several vnodes if it fits on none. Returns the
 * exec_vnode, which the caller frees; or NULL with errno set: ENOMEM; EINVAL if the job cannot
 * be read; EBUSY if the vnodes do not have room.
 */
char *lxfw_pbs_layout(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      const struct lxfw_share *shares, int32_t count);

/* The same on all that COUNT hosts have, as if no other job used them: where a job is expected to
   run. */
char *lxfw_pbs_layout_alone(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    const int32_t *hosts, int32_t count);

/* Likewise, but each chunk is on the first of the hosts that has room for it: any chunk may be
   before any other. */
char *lxfw_pbs_layout_first(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			    const struct lxfw_share *shares, int32_t count);

/*
 * Places the chunks of JOB on the first of COUNT hosts that hold them, as if no job used these and
 * all were up: those of select->chunk[ORDER[0]] first. Calls EACH with each index, and the number
 * of its chunks that a host gets. Returns 1, 0 if they do not fit, or -1 with errno set as
 * lxfw_pbs_layout() does.
 */
int lxfw_pbs_spread(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		    const int32_t *hosts, int32_t count, const size_t *order,
		    bool (*each)(void *context, size_t chunk, int32_t host, int32_t number),
		    void *context);

#endif
