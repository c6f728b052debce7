/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What jobs need of a machine of several kinds of hosts besides processors, memory and
 * time: a partition, so many hosts, GPUs, whole hosts.
 *
 * In a log this is a text, words with commas between:
 *
 *   nodes=N             the hosts that the job had
 *   least-nodes=N       the fewest that it asked for, where that is told
 *   gres/KIND=N         of the whole job, as in Slurm's TRES; gres/KIND:TYPE=N
 *   node-memory         its memory was asked for by host
 *   exclusive           it had its hosts for itself
 *   qos=NAME, reservation=NAME
 *
 * A trace in the Standard Workload Format has these texts in header comments,
 * "; Request: 3 nodes=2,gres/gpu=8", and in column 14 the number of a job's text. Few
 * texts serve many jobs. On a cluster each, together with a job's partitions, becomes
 * a struct lxfw_need, once.
 */
#ifndef LXFW_TRACE_NEEDS_H
#define LXFW_TRACE_NEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/names.h"

/* The longest text, with its NUL; what does not fit is left out of it. */
#define LXFW_NEEDS_TEXT 240

/* What a job needs, by the indices of a cluster. */
struct lxfw_need {
	int32_t hosts;		/* that it had; 0 = not known */
	int32_t least_hosts;	/* that it asked for; 0 = not known */
	int32_t extras[LXFW_EXTRAS_MAX];	/* of the whole job */
	bool host_memory, exclusive;
	uint8_t set_count;	/* partitions; 0 = every host */
	int32_t sets[LXFW_HOST_SETS_MAX];
	/* of its partitions: */
	int32_t tier;		/* the highest */
	int64_t max_time, default_time;	/* s; 0 = none */
	int32_t min_hosts, max_hosts;	/* 0 = none */
	/* what there is to tell of a job that needs this */
	bool elsewhere;		/* its partition is none of the cluster's */
	bool more_sets;		/* it has more partitions than are looked at */
	bool not_counted;	/* it asks for GRES that no host has */
	bool reserved;		/* it was in a reservation of the cluster's */
};

/* Numbers of jobs, for messages. */
struct lxfw_needs_told {
	size_t partitioned;	/* in partitions of the cluster */
	size_t elsewhere;	/* in others: they may run on every host */
	size_t more_sets;	/* in more than LXFW_HOST_SETS_MAX: the first count */
	size_t not_counted;	/* ask for GRES that no host has */
	size_t too_long;	/* with a limit above MaxTime: kept as they are */
	size_t too_many, too_few;	/* above MaxNodes, below MinNodes: kept */
	size_t reserved;	/* in a reservation: left out */
	char elsewhere_name[60], not_counted_name[60];	/* the first */
};

struct lxfw_needs {
	struct lxfw_names keys;
	struct lxfw_need *needs;	/* by position in `keys` */
	size_t size;
	struct lxfw_needs_told told;
};

/* The text of what ACCOUNT needs into TEXT, of LXFW_NEEDS_TEXT bytes; its length. */
size_t lxfw_needs_text(const struct lxfw_account *account, char *text);

/* The position in NEEDS of what a job of PARTITIONS, "a,b", with TEXT needs on CLUSTER,
   which is the same in all calls; either may be empty. -1 with errno ENOMEM. */
int32_t lxfw_needs_find(struct lxfw_needs *needs,
			const struct lxfw_cluster *cluster,
			struct lxfw_slice partitions, struct lxfw_slice text);

/* Count a job that needs this and has a limit of LIMIT s. */
void lxfw_needs_count(struct lxfw_needs *needs, const struct lxfw_need *need,
		      int64_t limit);

/* The limit of a job that told none and ran RUN s: its partition's, else RUN. NEED may
   be NULL. */
int64_t lxfw_need_limit(const struct lxfw_need *need, int64_t run);

/* Whether CLUSTER has anything that jobs could differ in. */
bool lxfw_needs_matter(const struct lxfw_cluster *cluster);

/* Tell NOTE what there is to tell of the jobs in LOG, a sentence each. */
void lxfw_needs_tell(const struct lxfw_needs_told *told,
		     void (*note)(const char *log, const char *sentence),
		     const char *log);

/* {0} is empty. Keeps errno. */
void lxfw_needs_clear(struct lxfw_needs *needs);

#endif
