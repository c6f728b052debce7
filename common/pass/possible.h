/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the jobs of a class could start if no other job ran. The answer is kept in the
 * class until hosts or host sets change. All classes are then judged again, and with many
 * hosts a judgement is slow, so the answers for requests of the same amounts are shared:
 * classes often differ in their estimates only.
 */
#ifndef LXFW_PASS_POSSIBLE_H
#define LXFW_PASS_POSSIBLE_H

#include "common/books/books.h"

/* The same as lxfw_is_possible(), without the answer in the class. */
int lxfw_judge_possible(struct lxfw_sched *sched, struct lxfw_class *class);

/* Whether the jobs of a class could start if no other job ran: 1 or 0, or -1 with errno
   ENOMEM. */
static inline int lxfw_is_possible(struct lxfw_sched *sched, struct lxfw_class *class)
{
	return class->judged == sched->machine ? class->possible :
						 lxfw_judge_possible(sched, class);
}

#endif
