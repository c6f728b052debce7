/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static job classes with limits and priorities per host: what the NCSA's
 * scheduler on the Origin 2000 was configured with (Chiang and Vernon 2001,
 * section 2.1, tables 1 and 2), as data that any site can give.
 *
 * A job belongs to a time class, the first whose limits hold it, and to a size
 * class likewise; both together are its job class ("vst_sj"). Hosts form groups with
 * the same rules. A job runs on one host.
 *
 * The limit of jobs per user of table 2 is left out: requests name no user, and the
 * paper's simulations have none.
 */
#ifndef LXFW_MODEL_JOB_CLASSES_H
#define LXFW_MODEL_JOB_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

#define LXFW_TIME_CLASSES_MAX 16
#define LXFW_SIZE_CLASSES_MAX 16
#define LXFW_CLASS_NAME_SIZE 32		/* with its NUL */

/* Where a class or a group of hosts has no limit. */
#define LXFW_NO_TIME_LIMIT INT64_MAX
#define LXFW_NO_MEMORY_LIMIT INT64_MAX
#define LXFW_NO_COUNT_LIMIT INT32_MAX

struct lxfw_time_class {
	char name[LXFW_CLASS_NAME_SIZE];	/* printable, no blanks */
	int64_t cpu_per_proc;	/* most CPU time per processor, s; 1 or more */
	int64_t run_time;	/* most run time, s; 1 or more */
	int64_t reserve_wait;	/* a job that has waited so long, s, may get a
				   special reservation; LXFW_NO_TIME_LIMIT =
				   none ever does */
	int32_t running_most;	/* jobs of the class that may run at once on all
				   hosts together; 0 or more */
};

struct lxfw_size_class {
	char name[LXFW_CLASS_NAME_SIZE];
	int32_t procs;		/* most processors, 1 or more */
	int64_t memory_mb;	/* most memory, MB, 0 or more */
};

/* The rules of a group of hosts. */
struct lxfw_host_rules {
	/* Jobs of each size class that may run on one of the hosts at once. */
	int32_t running_most[LXFW_SIZE_CLASSES_MAX];
	/* The size classes that run there, highest priority first. */
	int32_t order[LXFW_SIZE_CLASSES_MAX];
	int32_t order_count;
	/* Of each time class: a lower rank comes first, equal ones are first come
	   first served among them; -1 = does not run there. */
	int32_t rank[LXFW_TIME_CLASSES_MAX];
};

struct lxfw_job_classes {
	int32_t time_count, size_count;		/* 1 or more each */
	struct lxfw_time_class times[LXFW_TIME_CLASSES_MAX];
	struct lxfw_size_class sizes[LXFW_SIZE_CLASSES_MAX];
	int32_t rules_count, host_count;
	const struct lxfw_host_rules *rules;
	/* Of each host by its index, its rules; -1 = no job runs there, and so
	   it is of hosts beyond the last. */
	const int32_t *rules_of;
};

/* Whether every field is in its range, and the limits of classes ascend: none is
   below the same limit of the class before. */
bool lxfw_job_classes_valid(const struct lxfw_job_classes *classes);

/* A copy in one piece of memory, to be freed with free(); NULL with errno ENOMEM. */
struct lxfw_job_classes *
lxfw_job_classes_copy(const struct lxfw_job_classes *classes);

/* Bytes of such a copy, for who has the memory already; and make it there. */
size_t lxfw_job_classes_size(const struct lxfw_job_classes *classes);
struct lxfw_job_classes *
lxfw_job_classes_copy_to(void *to, const struct lxfw_job_classes *classes);

/*
 * The class of a job: its time class * size_count + its size class; or -1 when it is
 * beyond every class or asks for several hosts. Such a job never starts under the
 * policy: an adapter looks for them before and tells its user.
 *
 * A request has one time, the run time that it asks for, which is held to be both its
 * run time and its CPU time per processor. Pieces that may be anywhere are taken
 * together, for the job runs on one host.
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

/* The rules of HOST, or NULL where no job runs. */
static inline const struct lxfw_host_rules *
lxfw_job_classes_rules(const struct lxfw_job_classes *classes, int32_t host)
{
	if (host >= classes->host_count || classes->rules_of[host] < 0)
		return NULL;
	return &classes->rules[classes->rules_of[host]];
}

/* Whether jobs of a class may ever run under RULES (not NULL). */
bool lxfw_job_class_runs(const struct lxfw_job_classes *classes,
			 const struct lxfw_host_rules *rules, int32_t job_class);

#endif
