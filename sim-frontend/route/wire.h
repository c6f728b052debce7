/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a submit host asks a cluster, and what it answers. Lines of text:
 *
 *   lxfw-route 1
 *   cluster NAME		ClusterName at the server; another server refuses
 *   start OPTIONS		the job, as in predict/request_text.h
 *   queue yes|no		whether it is behind the waiting jobs
 *   routed AGE OPTIONS		a job that was sent there AGE seconds ago; up to 64
 *   end
 *
 * or `job ID` in place of the lines between `cluster` and `end`. The answer is one line:
 *
 *   lxfw-route 1 start WAIT FREE PROCS WORK LIMIT PING PASS ENDED MEAN
 *   lxfw-route 1 no REASON
 *
 * with seconds until the start, processors that are not allocated and all, processor-seconds
 * that wait, the time limit of the job in seconds, and seconds since the controller answered
 * and since its last pass, -1 if not known; and of the user who asks, the number of jobs of this
 * cluster whose run times are known, and their mean in seconds. These two are left out if nothing is
 * known. All times are relative: clocks may differ.
 */
#ifndef LXFW_ROUTE_WIRE_H
#define LXFW_ROUTE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/route/conf.h"

#define LXFW_ROUTE_ROUTED 64		/* most jobs of a question */
#define LXFW_ROUTE_LINE 256		/* bytes of OPTIONS */
#define LXFW_ROUTE_QUESTION (24 << 10)	/* bytes of a question */
#define LXFW_ROUTE_ANSWER 256

struct lxfw_route_routed {
	int64_t age;
	struct lxfw_request_text request;
};

struct lxfw_route_question {
	char cluster[LXFW_ROUTE_NAME];	/* "": not stated */
	uint64_t job;			/* a waiting job; 0: `request` */
	struct lxfw_request_text request;
	bool queue;
	struct lxfw_route_routed routed[LXFW_ROUTE_ROUTED];
	int routed_count;
};

struct lxfw_route_answer {
	bool can;			/* the job can start there */
	int64_t wait, free, procs, work, limit, ping, pass;
	int64_t ended, mean;
	char reason[120];		/* why not */
};

/* Whether the LENGTH bytes of TEXT are a complete question. */
bool lxfw_route_question_ends(const char *text, size_t length);

/* Reads TEXT, which is changed and may be anything. Returns 0, or -1 with errno EINVAL and
   ERROR set. */
int lxfw_route_question_read(struct lxfw_route_question *question, char *text,
			     struct lxfw_error *error);

/* Writes one line with its newline. */
void lxfw_route_answer_write(const struct lxfw_route_answer *answer, char text[LXFW_ROUTE_ANSWER]);

/* A wait and a limit are at most 2^40 seconds, so that they can be added and a limit can be divided
   by a speed. Returns 0, or -1 with errno EINVAL and ERROR set. */
int lxfw_route_answer_read(struct lxfw_route_answer *answer, const char *text,
			   struct lxfw_error *error);

#endif
