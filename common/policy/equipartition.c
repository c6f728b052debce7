/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: equal shares of a host for the jobs on it (Chiang and Vernon 2001,
   section 2.5). */
#include "common/policy/books.h"

int lxfw_equipartition_pass(struct lxfw_sched *sched)
{
	return lxfw_pass(sched);
}

void lxfw_equipartition_left(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
}

int64_t lxfw_equipartition_wake(const struct lxfw_sched *sched)
{
	(void)sched;
	return LXFW_NEVER;
}

void lxfw_equipartition_clear(struct lxfw_sched *sched)
{
	(void)sched;
}
