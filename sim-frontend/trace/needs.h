/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requirements of jobs on a cluster of different hosts, other than processors, memory and
 * time: partitions, a number of hosts, GPUs, whole hosts.
 *
 * A log states them as text, words separated by commas:
 *
 *   nodes=N             number of hosts that the job had
 *   least-nodes=N       smallest number that it requested, if known
 *   gres/KIND=N         of the whole job, as in Slurm's TRES; gres/KIND:TYPE=N
 *   license/NAME=N      of the whole job
 *   node-memory         memory was requested per host
 *   exclusive           the job had its hosts exclusively
 *   het=N               it was a component of the heterogeneous job N
 *   qos=NAME, reservation=NAME, account=NAME
 *
 * A trace in the Standard Workload Format has these texts in header comments, "; Request:
 * 3 nodes=2,gres/gpu=8", and column 14 is the number of a job's text. Many jobs share a
 * text. For each combination of a text and partitions, one struct lxfw_need is made for a
 * cluster.
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

/* Maximum length of a text, including the NUL. Words that do not fit are omitted. */
#define LXFW_NEEDS_TEXT 240

/* Requirements of a job, with the indices of a cluster. */
struct lxfw_need {
	int32_t hosts;		/* number that the job had; 0: unknown */
	int32_t least_hosts;	/* smallest number requested; 0: unknown */
	int32_t extras[LXFW_EXTRAS_MAX];	/* of the whole job */
	int64_t het;		/* number of its heterogeneous job; 0: none */
	bool host_memory, exclusive;
	uint8_t set_count;	/* number of partitions; 0: every host */
	int32_t sets[LXFW_HOST_SETS_MAX];	/* partitions, or parts of them */
	uint8_t caps;		/* mask of the extras that count its processors on a host
				   (MaxCPUsPerNode, MaxCPUsPerSocket) */
	/* The following are properties of the partitions. */
	int32_t tier;		/* the highest one */
	int64_t max_time, default_time;	/* seconds; 0: none */
	int32_t min_hosts, max_hosts;	/* 0: none */
	uint8_t pool_count;	/* licenses of the cluster that the job had, ascending */
	struct lxfw_pool_need pools[LXFW_POOLS_MAX];
	/* The following are reported to the user. */
	bool partitioned;	/* in a partition of the cluster */
	bool gres;		/* the job requested GRES */
	bool no_extra;		/* the job requested GRES that the hosts have, but that has
				   no extra (cluster_extras.h) */
	bool elsewhere;		/* the job's partition is not in the cluster */
	bool more_sets;		/* the job has more than LXFW_HOST_SETS_MAX partitions */
	bool not_counted;	/* the job requested GRES that no host has */
	bool reserved;		/* the job ran in a reservation of the cluster */
	bool unlicensed;	/* the job had licenses that the cluster does not have, or more
				   than LXFW_POOLS_MAX */
};

/* Why a job does not fit on the hosts, even if they are empty: without its memory or its
   GRES it would, spread over any hosts, in another partition, or nowhere. */
enum lxfw_needs_lack {
	LXFW_NEEDS_MEMORY, LXFW_NEEDS_GRES, LXFW_NEEDS_HOSTS, LXFW_NEEDS_PARTITION,
	LXFW_NEEDS_PROCS, LXFW_NEEDS_LACKS,
};

/* Numbers of jobs, for messages. */
struct lxfw_needs_told {
	size_t jobs;
	size_t with_gres;	/* with a request for GRES */
	size_t partitioned;	/* in partitions of the cluster */
	size_t elsewhere;	/* in other partitions: they may run on every host */
	size_t more_sets;	/* in more than LXFW_HOST_SETS_MAX partitions: the
				   first ones are used */
	size_t not_counted;	/* with a request for GRES that no host has */
	size_t no_extra;	/* with GRES that has no extra */
	size_t too_long;	/* with a limit above MaxTime, which is kept */
	size_t too_many, too_few;	/* with hosts above MaxNodes or below MinNodes,
					   which are kept */
	size_t reserved;	/* in a reservation: left out */
	size_t unlicensed;	/* with licenses that are ignored */
	size_t unlike;		/* spread over their hosts in another way: equal shares
				   do not fit */
	size_t lacking[LXFW_NEEDS_LACKS];	/* left out: too large for the hosts */
	size_t on_down;		/* on nodes that are DOWN in the slurm.conf */
	bool host_gpus;		/* hosts of the cluster have GPUs */
	char down_name[60], no_extra_name[60];
	char unlicensed_name[60];
	char elsewhere_name[60], not_counted_name[60];	/* the first name */
};

struct lxfw_needs {
	struct lxfw_names keys;
	struct lxfw_need *needs;	/* parallel to `keys` */
	size_t size;
	struct lxfw_needs_told told;
};

/* Writes the requirements of ACCOUNT to TEXT, which has LXFW_NEEDS_TEXT bytes. Returns
   the length. */
size_t lxfw_needs_text(const struct lxfw_account *account, char *text);

/* Returns the value of the word KEY=VALUE of such a text; empty if there is none. */
struct lxfw_slice lxfw_needs_word(struct lxfw_slice text, const char *key);

/* Returns the index in NEEDS of the requirements of a job with PARTITIONS, "a,b", and
   TEXT, either of which may be empty. CLUSTER must be the same in all calls. Returns
   -1 with errno ENOMEM. */
int32_t lxfw_needs_find(struct lxfw_needs *needs,
			const struct lxfw_cluster *cluster,
			struct lxfw_slice partitions, struct lxfw_slice text);

/* Sets WANTED, by name in the table, for each GRES in such a TEXT, and for its kind. */
void lxfw_needs_want(const struct lxfw_gres_table *table, struct lxfw_slice text,
		     bool *wanted);

/* Counts a job with these requirements and a time limit of LIMIT seconds. */
void lxfw_needs_count(struct lxfw_needs *needs, const struct lxfw_need *need,
		      int64_t limit);

/* Returns the limit of a job that had none and ran for RUN seconds: that of its
   partition, otherwise RUN. NEED may be NULL. */
int64_t lxfw_need_limit(const struct lxfw_need *need, int64_t run);

/* Returns whether requirements have any effect on CLUSTER: it has several hosts,
   partitions, extras or reservations. */
bool lxfw_needs_matter(const struct lxfw_cluster *cluster);

/* Returns whether hosts have GPUs, but no job of the log has any. */
bool lxfw_needs_hide_gpus(const struct lxfw_needs_told *told);

/* Calls NOTE with a sentence for each fact in TOLD to report about the jobs in LOG. */
void lxfw_needs_tell(const struct lxfw_needs_told *told,
		     void (*note)(const char *log, const char *sentence),
		     const char *log);

/* Frees all entries. {0} is empty. Preserves errno. */
void lxfw_needs_clear(struct lxfw_needs *needs);

#endif
