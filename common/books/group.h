/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of jobs that start together. When all jobs of a group wait, the first one, by
 * id, is in a class of its own, and stands for the group in a pass. The other jobs are
 * in no list. While a job is missing, refused or running, no job of its group is in a
 * class.
 */
#ifndef LXFW_BOOKS_GROUP_H
#define LXFW_BOOKS_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/util/id_map.h"

struct lxfw_sched;

/* Hosts of one job of a group: shares AT to AT + COUNT - 1 of its plan. */
struct lxfw_planned {
	int32_t job;
	int32_t eligible;	/* number of hosts that may be considered for it */
	int32_t host_set;	/* index in the request */
	int32_t at, count;
};

/* Hosts of all jobs of a group for a start at the same time. {0} is empty. */
struct lxfw_plan {
	int64_t start;
	struct lxfw_planned *jobs;
	size_t jobs_size;
	int32_t job_count;	/* 0: no plan */
	struct lxfw_share *shares;
	size_t shares_size;
	int32_t share_count;
};

struct lxfw_job_group {
	uint64_t id;
	int32_t first;		/* the first job, by id; in the list of free slots the
				   next one */
	int32_t count;		/* jobs that are known */
	struct lxfw_plan plan;	/* of its reservation */
	int64_t search_again;	/* no start was found; the time of the next search */
	uint64_t searched;	/* `machine` when that was determined */
	uint64_t turn;		/* last decision in which hosts were searched for */
	uint64_t left_out;	/* last decision in which that was not done */
};

/* {0} is empty. */
struct lxfw_job_groups {
	struct lxfw_job_group *groups;
	size_t size, used;
	int32_t free;		/* list of free slots: index + 1, or 0 */
	struct lxfw_id_map by_id;
	size_t jobs;		/* number of jobs in all groups */
	struct lxfw_plan trial;	/* scratch */
	int64_t placements;	/* searches for hosts of one job in this decision */
	int64_t counted;	/* those of them that are limited */
	bool exempt;		/* further ones are not */
	/* Decisions are counted. If one reaches the limit, the next ones belong to the same
	   round, until each group has had its turn. */
	uint64_t decision;
	uint64_t round;		/* the first decision of the round */
	bool unfinished;	/* a group has been left out that had no turn yet */
	uint64_t *taken;	/* scratch, one bit for each host */
	size_t taken_size;
	uint64_t *untaken;	/* scratch: members of a host set that are not taken */
	size_t untaken_size;
	bool placing;		/* a job of a group is placed: hosts in `taken` are not
				   used */
};

void lxfw_job_groups_clear(struct lxfw_job_groups *groups);

/* Begin a decision. */
void lxfw_job_groups_begin(struct lxfw_job_groups *groups);

/* Enter a job, whose request is set and names a group, into the group; returns 0, or -1 with
   errno ENOMEM. And remove a job that is in a group. */
int lxfw_group_join(struct lxfw_sched *sched, int32_t job);
void lxfw_group_leave(struct lxfw_sched *sched, int32_t job);

/* The first job of the group of JOB; JOB itself if it has none. The jobs of a group are
   linked by `group_next`. */
int32_t lxfw_group_first(const struct lxfw_sched *sched, int32_t job);

/* Whether all jobs of the group of JOB are in state LXFW_JOB_MEMBER. */
bool lxfw_group_is_complete(const struct lxfw_sched *sched, int32_t job);

/* The resources of all its jobs, and the shortest estimate. */
void lxfw_group_sum(const struct lxfw_sched *sched, int32_t job,
		    struct lxfw_resources *sum, int64_t *shortest);

#endif
