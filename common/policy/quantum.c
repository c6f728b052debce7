/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service: a quantum of run time for every job that arrives
   (Chiang and Vernon 2001, section 2.4). */
#include "common/policy/books.h"

int lxfw_quantum_params(struct lxfw_sched *sched)
{
	(void)sched;
	return 0;
}

int lxfw_quantum_arrived(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
	return 0;
}

int lxfw_quantum_ready(struct lxfw_sched *sched)
{
	(void)sched;
	return 0;
}

void lxfw_quantum_running(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
}

int lxfw_quantum_finish(struct lxfw_sched *sched)
{
	(void)sched;
	return 0;
}

int lxfw_quantum_serve(struct lxfw_sched *sched)
{
	(void)sched;
	return 0;
}

void lxfw_quantum_left(struct lxfw_sched *sched, int32_t job)
{
	(void)sched;
	(void)job;
}

bool lxfw_quantum_on_host(const struct lxfw_sched *sched, int32_t host)
{
	(void)sched;
	(void)host;
	return false;
}

int64_t lxfw_quantum_wake(const struct lxfw_sched *sched)
{
	(void)sched;
	return LXFW_NEVER;
}

void lxfw_quantum_clear(struct lxfw_sched *sched)
{
	(void)sched;
}
