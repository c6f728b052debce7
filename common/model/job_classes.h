/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static job classes with limits and priorities per host, as in the configuration of
 * NCSA's scheduler on the Origin 2000 (Chiang and Vernon 2001, section 2.1, tables 1 and
 * 2). Sites define classes of their own.
 *
 * A job belongs to the first time class and to the first size class whose limits it does
 * not exceed. The two together are its job class ("vst_sj"). Hosts with the same rules
 * form groups. A job runs on one host.
 *
 * The limit of jobs per user of table 2 is not implemented: requests name no user, and
 * the paper's simulations have none.
 */
#ifndef LXFW_MODEL_JOB_CLASSES_H
#define LXFW_MODEL_JOB_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

#define LXFW_TIME_CLASSES_MAX 16
#define LXFW_SIZE_CLASSES_MAX 16
#define LXFW_CLASS_NAME_SIZE 32		/* including the terminating NUL */

/* Value of a limit that does not exist. */
#define LXFW_NO_TIME_LIMIT INT64_MAX
#define LXFW_NO_MEMORY_LIMIT INT64_MAX
#define LXFW_NO_COUNT_LIMIT INT32_MAX

struct lxfw_time_class {
	char name[LXFW_CLASS_NAME_SIZE];	/* printable, without blanks */
	int64_t cpu_per_proc;	/* limit of CPU time per processor, seconds, 1 or more */
	int64_t run_time;	/* limit of run time, seconds, 1 or more */
	int64_t reserve_wait;	/* wait after which a job may get a special reservation,
				   seconds; LXFW_NO_TIME_LIMIT: never */
	int32_t running_most;	/* limit of running jobs of the class on all hosts
				   together, 0 or more */
};

struct lxfw_size_class {
	char name[LXFW_CLASS_NAME_SIZE];
	int32_t procs;		/* limit of processors, 1 or more */
	int64_t memory_mb;	/* limit of memory, MB, 0 or more */
};

/* Rules of a group of hosts. */
struct lxfw_host_rules {
	/* Limit of running jobs of each size class on one host. */
	int32_t running_most[LXFW_SIZE_CLASSES_MAX];
	/* Size classes that run on the hosts, highest priority first. */
	int32_t order[LXFW_SIZE_CLASSES_MAX];
	int32_t order_count;
	/* Rank of each time class: a lower rank comes first; jobs of equal rank are
	   ordered by submit time. -1: the class does not run on the hosts. */
	int32_t rank[LXFW_TIME_CLASSES_MAX];
};

struct lxfw_job_classes {
	int32_t time_count, size_count;		/* 1 or more each */
	struct lxfw_time_class times[LXFW_TIME_CLASSES_MAX];
	struct lxfw_size_class sizes[LXFW_SIZE_CLASSES_MAX];
	int32_t rules_count, host_count;
	const struct lxfw_host_rules *rules;
	/* Index of the rules of each host, by host. -1: no job runs on the host. This
	   also holds for hosts beyond the last one. */
	const int32_t *rules_of;
};

/* Whether every field is in its range and the limits ascend: no limit of a class is below
   the same limit of the class before. */
bool lxfw_job_classes_valid(const struct lxfw_job_classes *classes);

/* A copy in one block of memory, to be freed with free(). NULL with errno ENOMEM. */
struct lxfw_job_classes *
lxfw_job_classes_copy(const struct lxfw_job_classes *classes);

/* Size of such a copy in bytes, and a copy to memory of that size. */
size_t lxfw_job_classes_size(const struct lxfw_job_classes *classes);
struct lxfw_job_classes *
lxfw_job_classes_copy_to(void *to, const struct lxfw_job_classes *classes);

/*
 * The job class of a request: its time class * size_count + its size class. -1 if the
 * request exceeds every class or needs several hosts. Such a job never starts under the
 * policy; the adapter checks for this and reports it.
 *
 * The requested run time is used as run time and as CPU time per processor. The pieces of
 * LXFW_SHAPE_ANYWHERE are added up, since the job runs on one host.
 */
int32_t lxfw_job_class_of(const struct lxfw_job_classes *classes,
			  const struct lxfw_request *request);

static inline int32_t
lxfw_job_class_time(const struct lxfw_job_classes *classes, int32_t job_class)
{
	return job_class / classes->size_count;
}

static inline int32_t
lxfw_job_class_size(const struct lxfw_job_classes *classes, int32_t job_class)
{
	return job_class % classes->size_count;
}

/* The rules of HOST, or NULL if no job runs there. */
static inline const struct lxfw_host_rules *
lxfw_job_classes_rules(const struct lxfw_job_classes *classes, int32_t host)
{
	if (host >= classes->host_count || classes->rules_of[host] < 0)
		return NULL;
	return &classes->rules[classes->rules_of[host]];
}

/* Whether jobs of a class can ever run under RULES (not NULL). */
bool lxfw_job_class_runs(const struct lxfw_job_classes *classes,
			 const struct lxfw_host_rules *rules, int32_t job_class);

#endif
