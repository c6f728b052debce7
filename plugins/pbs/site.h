/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site as the server reports it: vnodes, queues, reservations and jobs. The vnodes with the
 * same `host` are one host of the library: a chunk may be distributed over them.
 *
 * The readers of libpbs's lists (calls.h) call lxfw_pbs_site_begin(), then the other
 * functions for each object, and lxfw_pbs_site_end().
 */
#ifndef LXFW_PBS_SITE_H
#define LXFW_PBS_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/util/id_map.h"
#include "plugins/pbs/above.h"
#include "plugins/pbs/barred.h"
#include "plugins/pbs/book.h"
#include "plugins/pbs/job.h"
#include "plugins/pbs/kinds.h"
#include "plugins/pbs/limits.h"
#include "plugins/pbs/pools.h"
#include "plugins/pbs/records.h"
#include "plugins/pbs/resv.h"
#include "plugins/pbs/sched.h"

/* What a job has alone while it runs. */
enum lxfw_pbs_exclusion {
	LXFW_PBS_SHARED,	/* nothing */
	LXFW_PBS_VNODES,	/* its vnodes */
	LXFW_PBS_HOSTS,		/* all vnodes of its hosts */
};

struct lxfw_pbs_vnode {
	char *name, *host, *queue, *partition, *sharing, *state;
	struct lxfw_pbs_property *property;	/* resources that are not counted */
	size_t property_count, property_size;
	struct lxfw_resources total;	/* memory is rounded down */
	struct lxfw_resources assigned;	/* in use, as the server counts it; read only if it hides
					   jobs */
	/* Set by lxfw_pbs_site_end(). */
	int32_t in;		/* index of its host; -1: not of this scheduler */
	bool up;		/* jobs may start on it */
	/* Of `sharing`: what a job on it has alone that requests neither excl nor shared. */
	enum lxfw_pbs_exclusion excludes;
	bool forces;		/* other jobs too, force_ */
	bool ignores;		/* no job has it alone, ignore_excl */
	/* Set by lxfw_pbs_use(). */
	struct lxfw_resources used;
	int32_t users;		/* jobs that run on it */
	int32_t owners;		/* those that have it alone */
};

struct lxfw_pbs_place;

struct lxfw_pbs_queue {
	char *name, *partition;
	char *node_group_key;	/* names of resources, separated by commas; NULL: unset */
	bool execution, started, has_nodes;
	int64_t priority;
	struct lxfw_pbs_property *chunk;	/* default_chunk */
	size_t chunk_count, chunk_size;
	int32_t later;		/* execution queues that are after it if these are in turn; set by
				   lxfw_pbs_site_end() */
	struct lxfw_pbs_limits limits;
};

struct lxfw_pbs_host {
	const char *name;
	int32_t first, count;	/* its vnodes in site->by_host */
	struct lxfw_resources total;	/* of all its vnodes */
};

struct lxfw_pbs_site {
	struct lxfw_pbs_kinds kinds;	/* kept from look to look */
	struct lxfw_pbs_records records;	/* likewise */
	struct lxfw_pbs_book book;	/* likewise */
	struct lxfw_pbs_bars bars;	/* likewise, while the hosts are the same */
	struct lxfw_pbs_above above;	/* likewise */
	struct lxfw_pbs_sched sched;	/* the scheduler, read before the site */
	enum lxfw_pbs_queue_order queue_order;	/* set by the caller */
	bool preempts;		/* jobs are preempted by tier; likewise */
	struct lxfw_pbs_vnode *vnode;
	size_t vnode_count, vnode_size;
	struct lxfw_pbs_queue *queue;
	size_t queue_count, queue_size;
	struct lxfw_pbs_resv *resv;
	size_t resv_count, resv_size;
	struct lxfw_pbs_resv *old_resv;	/* of the look before, until the end of this one */
	size_t old_resv_count, old_resv_size;
	struct lxfw_pbs_job *job;
	size_t job_count, job_size;
	struct lxfw_id_map by_record;	/* index in `job` */
	int32_t *by_name;	/* vnodes in order of their names */
	int32_t *by_host;	/* vnodes in order of their hosts */
	struct lxfw_pbs_host *host;
	int32_t host_count;
	struct lxfw_pbs_limits limits;	/* of the server */
	bool node_group_enable;
	char *node_group_key;	/* as that of a queue */
	struct lxfw_pbs_sums sums;
	bool keeps_procs;	/* a suspended job keeps its processors: the server has
				   restrict_res_to_release_on_suspend, without ncpus */
	bool binds_vnodes;	/* a vnode takes only jobs of its queue */
	bool counts_eligible;	/* the server has eligible_time_enable */
	bool hides_jobs;	/* users see only their own: query_other_jobs is false */
	int64_t depth;		/* backfill_depth; -1: unset */
	struct lxfw_pbs_property *chunk;	/* default_chunk of the server */
	size_t chunk_count, chunk_size;
	bool has_runjob_hook;	/* a hook of the server may refuse the start of a job */
	char *formula;		/* job_sort_formula of the server, which has precedence over that of
				   the scheduler; NULL: none */
	struct lxfw_pbs_pools pools;
	bool failed;		/* memory ran out */
};

/* SITE must be zeroed before the first call. */
void lxfw_pbs_site_begin(struct lxfw_pbs_site *site);
/* Add an object; return it, or NULL if memory ran out. It is valid until the next call. */
struct lxfw_pbs_vnode *lxfw_pbs_site_vnode(struct lxfw_pbs_site *site, const char *name);
struct lxfw_pbs_queue *lxfw_pbs_site_queue(struct lxfw_pbs_site *site, const char *name);
struct lxfw_pbs_resv *lxfw_pbs_site_resv(struct lxfw_pbs_site *site, const char *name);
struct lxfw_pbs_job *lxfw_pbs_site_job(struct lxfw_pbs_site *site, const char *id);
/* The attributes that lxfw_pbs_vnode_set() uses, ended by NULL; the first one, resources_assigned,
   is of use only if the server hides jobs. */
extern const char *const lxfw_pbs_vnode_attributes[];

/* Set an attribute of the object. Attributes that are not used are ignored. */
void lxfw_pbs_vnode_set(struct lxfw_pbs_site *site, struct lxfw_pbs_vnode *vnode,
			const char *name, const char *resource, const char *value);
void lxfw_pbs_queue_set(struct lxfw_pbs_site *site, struct lxfw_pbs_queue *queue,
			const char *name, const char *resource, const char *value);
/* Sets an attribute of the server. */
void lxfw_pbs_server_set(struct lxfw_pbs_site *site, const char *name, const char *resource,
			 const char *value);
/* Ends the reading: finds the hosts, numbers the jobs, and computes what they use. Returns
   false if memory ran out. */
bool lxfw_pbs_site_end(struct lxfw_pbs_site *site);
void lxfw_pbs_site_clear(struct lxfw_pbs_site *site);

/* Returns the formula that orders jobs, or NULL. */
static inline const char *lxfw_pbs_site_formula(const struct lxfw_pbs_site *site)
{
	return site->formula ? site->formula : site->sched.formula;
}

/* Return the object, or NULL. */
struct lxfw_pbs_vnode *lxfw_pbs_site_find_vnode(const struct lxfw_pbs_site *site,
						const char *name);
struct lxfw_pbs_queue *lxfw_pbs_site_find_queue(const struct lxfw_pbs_site *site,
						const char *name);
struct lxfw_pbs_job *lxfw_pbs_site_find_job(const struct lxfw_pbs_site *site,
					    uint32_t record);
struct lxfw_pbs_job *lxfw_pbs_site_find_id(const struct lxfw_pbs_site *site, const char *id);
struct lxfw_pbs_resv *lxfw_pbs_site_find_resv_of(const struct lxfw_pbs_site *site,
						 const char *queue);

/* Returns true if the job runs, or is suspended or ending. */
static inline bool lxfw_pbs_holds(const struct lxfw_pbs_job *job)
{
	return job->state == 'R' || job->state == 'E' || job->state == 'S';
}

/* Returns true if the job has its processors. */
static inline bool lxfw_pbs_has_procs(const struct lxfw_pbs_site *site,
				      const struct lxfw_pbs_job *job)
{
	return job->state != 'S' || site->keeps_procs;
}

/* Tasks of an array that wait are jobs of their own here, at most these at a time. */
#define LXFW_PBS_TASKS_MAX 50

/* What the job has alone on any of its vnodes; if it has none, what it requests. */
enum lxfw_pbs_exclusion lxfw_pbs_exclusion(const struct lxfw_pbs_site *site,
					   const struct lxfw_pbs_job *job);

enum lxfw_pbs_exclusion lxfw_pbs_requested_exclusion(const struct lxfw_pbs_place *place);

/* What a job of this place has alone that is on the vnode. */
enum lxfw_pbs_exclusion lxfw_pbs_exclusion_on(const struct lxfw_pbs_vnode *vnode,
					      const struct lxfw_pbs_place *place);

/* Returns true if a job that has this alone may be on the vnode beside those that run. */
bool lxfw_pbs_is_open(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		      enum lxfw_pbs_exclusion exclusion);

/* Adds what the job uses to its vnodes (TIMES 1), or removes it (-1). If PROCS is false, its
   processors are free, as those of a suspended job are. */
void lxfw_pbs_use(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job, int times,
		  bool procs);

/* Computes the shares of COUNT hosts that "exec_vnode" TEXT names, in ascending order. WHOLE:
   all processors of each host. Vnodes that are not in the model are left out. Returns the
   number of shares, or -1 with errno set: ENOMEM, or EINVAL if TEXT is not an exec_vnode.
   *SHARES grows as necessary. */
int32_t lxfw_pbs_shares(const struct lxfw_pbs_site *site, const char *text, bool whole,
			struct lxfw_share **shares, size_t *size);

#endif
