/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes of waiting jobs with equal requests. */
#ifndef LXFW_BOOKS_CLASS_H
#define LXFW_BOOKS_CLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/model/time.h"

struct lxfw_class {
	struct lxfw_request request;	/* id and submit are 0 */
	struct lxfw_resources sum;	/* resources of all pieces or hosts */
	double intercept;	/* of the policy's line, without the workload manager's
				   priorities of the jobs */
	int32_t head, tail;		/* jobs by priority, then submit time, then id */
	int64_t bypassed;	/* number of times that all jobs of the class were
				   bypassed */
	int32_t host;		/* host of suspended jobs; -1: not suspended */
	bool alone;		/* the class has one job only, because it keeps several
				   hosts or the order requires it */
	int32_t next;			/* in the hash chain, or in the list of free
					   slots */
	int32_t position;		/* index in `heads` */
	uint64_t unserved;	/* `gains` when no quantum was possible */
	uint64_t collected;	/* the collection of a pass in which a job of it was a candidate */
	uint64_t sifted;	/* the pass in which the policy's `sift` found its job */
	uint64_t judged;	/* `machine` when `possible` was determined */
	bool possible;		/* the request fits when all hosts are empty */
	bool unordered;		/* the jobs are to be sorted before a pass */
	/* Private to policy/classes: the job class or -1, and the neighbours in the list
	   of that job class. */
	int32_t job_class, job_class_next, job_class_previous;
};

/* An interval, seconds. */
struct lxfw_span {
	int64_t from, until;
};

#define LXFW_NO_SPAN ((struct lxfw_span){ LXFW_NEVER, INT64_MIN })

/* Where resources became free that jobs of a class may be able to use (pass/opening.h). */
struct lxfw_opened {
	struct lxfw_span now, before;	/* the hull of all openings since the beginning of
					   the pass `opened_in`, and between the passes
					   `opened_before` and `opened_in` */
	/* In pass `searched_in` a reservation of the class, with the start
	   `searched_start`, was examined. Until the next pass, no reservation of the class
	   with this start or a later one can move to a start before `searched_until`. */
	uint64_t searched_in;
	int64_t searched_start, searched_until;
};

/* The fields of a class that a pass reads first, for the job at its head. The heads of
   all classes are in one array, a cache line each. A pass reads all heads, and of most
   classes nothing else. */
struct lxfw_head {
	double intercept, slope;	/* priority = intercept + slope * wait */
	int64_t submit, bypassed;	/* of the job, including its delay */
	int64_t estimate;	/* the shortest run time with which a job may start */
	uint64_t failed;	/* `gains` when the head was last found unable to start */
	int32_t tier;
	int32_t procs;		/* of the whole request */
	int32_t class;
	bool uneven;		/* a job of the class was bypassed more often than one
				   that has waited longer */
	bool blocked;		/* in this pass: no remaining job of the class can start
				   at any time */
	bool roomy;		/* private to pass/cycle.c: a job of the class may have room now */
};

#endif
