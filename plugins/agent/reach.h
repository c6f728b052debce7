/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many jobs have reservations. The time of a decision grows with the square of their number,
 * and depends on the hosts, the jobs and the processor. Up to LXFW_REACH_FIRST are always made,
 * if lxfw_reservations is not less. Further ones, up to LXFW_REACH_MOST, are made as long as
 * decisions are fast: the number doubles when enough decisions were, and is halved after a slow
 * one.
 */
#ifndef LXFW_AGENT_REACH_H
#define LXFW_AGENT_REACH_H

#include <stddef.h>
#include <stdint.h>

#define LXFW_REACH_FIRST 200
#define LXFW_REACH_MOST 10000

/* Microseconds of processor time. A number that doubles may take four times as long. */
#define LXFW_REACH_FAST_US 100000
#define LXFW_REACH_SLOW_US 1000000

/* Number of fast decisions before the number doubles, and seconds after a slow one. */
#define LXFW_REACH_DECISIONS 20
#define LXFW_REACH_RETRY 600

/* {0}, then lxfw_reach_set(). */
struct lxfw_reach {
	int32_t wanted;		/* lxfw_reservations */
	int32_t most;		/* largest number, by the time of decisions */
	int32_t fast;		/* number of fast decisions in a row since `most` changed */
	int64_t not_before;	/* `most` does not grow before this time */
};

/* Set lxfw_reservations; return the number that is made now. What was learnt remains. */
int32_t lxfw_reach_set(struct lxfw_reach *reach, int32_t wanted);

/* A decision for WAITING jobs at time NOW took US. Returns the number that is made from now
   on. */
int32_t lxfw_reach_decided(struct lxfw_reach *reach, uint64_t us, size_t waiting, int64_t now);

#endif
