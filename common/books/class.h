/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting jobs with equal requests. */
#ifndef LXFW_BOOKS_CLASS_H
#define LXFW_BOOKS_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"

struct lxfw_class {
	struct lxfw_request request;	/* id and submit are 0 */
	struct lxfw_resources sum;	/* of all its pieces or hosts */
	double intercept;	/* of the policy's line, without the priorities that
				   the workload manager gives its jobs */
	int32_t head, tail;		/* jobs by priority, then by time of
					   submission and by id */
	int64_t bypassed;	/* how often all its jobs were */
	int32_t host;		/* of suspended jobs that are there; -1: others */
	bool alone;		/* of one job: it is on further hosts, too, or so the
				   order wants it */
	int32_t next;			/* in its hash chain or free slots */
	int32_t position;		/* in `heads` */
	uint64_t unserved;	/* `gains` when no quantum could be had */
	uint64_t judged;	/* `machine` when `possible` was found out */
	bool possible;		/* fits when all hosts are empty */
	bool unordered;		/* its jobs are to be put in order before a pass */
	/* Private to classes.c: its job class, or -1, and its neighbours on
	   the list of that. */
	int32_t job_class, job_class_next, job_class_previous;
};

/* What a pass asks first about a class and the job at its head. The heads of all
   classes lie side by side, a cache line each: a pass reads all of them, and of most
   classes nothing else. */
struct lxfw_head {
	double intercept, slope;	/* priority = intercept + slope * wait */
	int64_t submit, bypassed;	/* of the job, with its delay */
	int64_t estimate;
	uint64_t failed;	/* `gains` when last found unable to start */
	int32_t tier;
	int32_t procs;		/* in all */
	int32_t class;
	bool uneven;		/* some job of the class was bypassed more often
				   than one that has waited longer */
	bool blocked;		/* in this pass: none of its jobs that are left can
				   start at any time */
};

#endif
