/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups in a pass. FIRST is the first job of a complete group (books/group.h). Its jobs
 * start together, or have one reservation together: a start at the same time, each on
 * hosts of its own.
 *
 * Jobs are placed one after the other, so an early one may take a host that a later one
 * needs. The jobs with the fewest hosts to choose from are therefore placed first, and a
 * job that finds no hosts is moved to the front for another try. A reservation is kept if
 * a new search finds only a later start.
 *
 * The effort is bounded, because users choose the number of jobs: the longer a search
 * takes, the fewer times are tried, so that the start found may be later than the earliest
 * one. In one decision, searches begin only until a number of placements is reached. Groups
 * that are left out have their turn in the next decisions, before the others have another
 * one. The library does not know whose jobs they are, so turns are taken by groups, not by
 * users.
 */
#ifndef LXFW_PASS_GROUP_H
#define LXFW_PASS_GROUP_H

#include "common/books/books.h"

/* Whether hosts are found for all jobs when all hosts are empty. Returns 1, 0, or -1 with
   errno ENOMEM. Must be called once for the present hosts before the functions below. */
int lxfw_group_possible(struct lxfw_sched *sched, int32_t first);

/* Start all jobs if they fit now and the group is not left out. Returns 1, 0, or -1 with errno ENOMEM. */
int32_t lxfw_group_start(struct lxfw_sched *sched, int32_t first);

/* Whether lxfw_group_start() has left out the group in this decision. */
bool lxfw_group_left_out(const struct lxfw_sched *sched, int32_t first);

/* Whether lxfw_group_earliest() may be called in this decision. */
bool lxfw_group_may_search(struct lxfw_sched *sched, int32_t first);

/* Choose hosts for the earliest start, *START, of a group without a hold. Returns 1, 0 if
   none was found, or -1 with errno ENOMEM. */
int lxfw_group_earliest(struct lxfw_sched *sched, int32_t first, int64_t *start);

/* Reserve the hosts that were chosen. Returns 1, or -1 with errno ENOMEM. */
int lxfw_group_reserve(struct lxfw_sched *sched, int32_t first);

#endif
