/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in the form of sbatch's options:
 *
 *   -n, --ntasks N		tasks (1)
 *   -c, --cpus-per-task N	processors of a task (1)
 *   -N, --nodes N		number of nodes; each has a task at least
 *   -t, --time T		minutes, M:S, H:M:S, D-H, D-H:M or D-H:M:S; required
 *   --mem SIZE			memory per node, in MB or with a suffix K, M, G or T
 *   --mem-per-cpu SIZE		memory per processor, in place of --mem
 *   -p, --partition N		number of a host set of the journal
 *   --exclusive		on nodes without other jobs
 *   -l LIST			in the form of qsub (request_pbs.h)
 *
 * Of a Slurm without a journal, there are more (request_slurm.h).
 *
 * Values follow as the next word, after "=" or, for one letter, immediately.
 */
#ifndef LXFW_PREDICT_REQUEST_TEXT_H
#define LXFW_PREDICT_REQUEST_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/model/request.h"
#include "common/util/error.h"
#include "sim-frontend/predict/request_after.h"

/* "a,b" */
#define LXFW_REQUEST_PARTITION 128

/* GRES that a request may name, in all. */
#define LXFW_REQUEST_GRES 4
#define LXFW_REQUEST_GRES_NAME 40

/* "a&b" */
#define LXFW_REQUEST_FEATURES 64

/* "a:2,b" */
#define LXFW_REQUEST_LICENSES 80

/* "n[1-4],x7" */
#define LXFW_REQUEST_NODES 128

#define LXFW_REQUEST_NAME 64

enum lxfw_request_per {
	LXFW_REQUEST_PER_JOB,
	LXFW_REQUEST_PER_NODE,
	LXFW_REQUEST_PER_TASK,
};

struct lxfw_request_gres {
	char name[LXFW_REQUEST_GRES_NAME];	/* "gpu", or "gpu:a100" */
	int64_t count;			/* 1 or more */
	enum lxfw_request_per per;
	/* Not read: extras of the library; -1: none. */
	int extra;			/* of the name */
	int kind;			/* of a type: of its kind */
};

struct lxfw_request_text {
	int64_t tasks, cpus, nodes;	/* nodes 0: any */
	int64_t limit;			/* seconds; 0: not given */
	int64_t memory, memory_per_cpu;	/* MB; 0: none */
	int64_t host_set;		/* -1: every host */
	bool all_memory;		/* --mem 0, of its hosts, if `host_memory` is set */
	int64_t tasks_per_node;		/* 0: any */
	struct lxfw_request_gres gres[LXFW_REQUEST_GRES];
	int gres_count;
	char qos[LXFW_REQUEST_NAME], account[LXFW_REQUEST_NAME];	/* "": the usual one */
	char features[LXFW_REQUEST_FEATURES];	/* that its hosts have, or "" */
	char licenses[LXFW_REQUEST_LICENSES];	/* or "" */
	char required[LXFW_REQUEST_NODES], excluded[LXFW_REQUEST_NODES];	/* hosts, or "" */
	int64_t begin;			/* it does not start before, seconds since 1970; 0: now */
	struct lxfw_request_after after[LXFW_REQUEST_AFTERS];	/* the jobs on which it depends */
	int after_count;
	int64_t cpus_per_gpu, memory_per_gpu;	/* MB; 0: not given */
	bool cpus_given;		/* `cpus` is, and not 1 for the want of it */
	bool exclusive;			/* whole nodes without other jobs */
	char place;			/* of -l place: 'p' pack, 's' scatter; 0: any */
	char partition[LXFW_REQUEST_PARTITION];	/* name given in place of a number, or "" */
	/* Not read: of the partition. */
	bool found;			/* `host_set` is that of the partition */
	int32_t more_sets[LXFW_HOST_SETS_MAX - 1];	/* of further partitions */
	int more_set_count;
	int64_t usual_cpus;		/* of each task, if it is more than `cpus` */
	int64_t usual_memory, usual_memory_per_cpu;	/* MB, if none is requested */
	int32_t most_nodes, least_nodes;	/* that the job may have; 0: no bound */
	/* Of `nodes`, those beside the hosts that it requires, and the set of these; 0: none. */
	int64_t nodes_beside;
	int32_t set_beside;
	uint32_t caps;			/* extras that count its processors, as bits */
	int64_t host_memory;		/* MB, of each host; 0: unknown, or it does not count */
	int32_t tier;
	int32_t most_procs;		/* processors of the largest host; 0: unknown */
	int32_t threads;		/* processors of a core, of which jobs have all; 0: one */
};

/* Reads a time of -t. Returns false if it is invalid. */
bool lxfw_request_time(const char *text, int64_t *seconds);

/* As lxfw_request_parse(), but the time limit may be absent, and -p may have a name. */
int lxfw_request_read(struct lxfw_request_text *to, const char *text,
		      struct lxfw_error *error);

/* Likewise, with the options of request_slurm.h. */
int lxfw_request_read_slurm(struct lxfw_request_text *to, const char *text,
			    struct lxfw_error *error);

/* Returns 0, or -1 with errno EINVAL and ERROR set. */
int lxfw_request_parse(struct lxfw_request_text *to, const char *text,
		       struct lxfw_error *error);

/* The request for the scheduler, without id and times of its submission. Returns 0, or -1
   with errno EINVAL and ERROR set if it is too large. */
int lxfw_request_make(const struct lxfw_request_text *from, struct lxfw_request *request,
		      struct lxfw_error *error);

/* The part of a REQUEST that is on hosts beside those that it requires, which starts together with it.
   Returns whether there is one. */
bool lxfw_request_beside(const struct lxfw_request_text *from, const struct lxfw_request *request,
			 struct lxfw_request *beside);

/* Leaves one of PARTS of the tasks, nodes and GRES. Returns false if that is no whole number of each. */
bool lxfw_request_divide(struct lxfw_request_text *request, int parts);

/* Formats it as it is parsed. LXFW_REQUEST_TEXT_SIZE is sufficient for a valid request. */
#define LXFW_REQUEST_TEXT_SIZE 1536

void lxfw_request_format(const struct lxfw_request_text *from, char *text, size_t size);

#endif
