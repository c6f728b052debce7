/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A policy in a shared object, for policy-file.sh: the widest job first, without
   reservations. */
#include "common/policy/module.h"

static void widest(const struct lxfw_sched *sched, const struct lxfw_class *class,
		   double *intercept, double *slope)
{
	(void)sched;
	(void)slope;
	*intercept = class->sum.procs;
}

#ifndef PRESET
#define PRESET NULL
#endif

#ifdef OTHER_ABI
#undef LXFW_POLICY_MODULE_ABI
#define LXFW_POLICY_MODULE_ABI OTHER_ABI
#endif

LXFW_POLICY_MODULE(
	.name = "widest",
	.preset = PRESET,
	.order = { .name = "width", .line = widest },
	.backfill = { .reservations = LXFW_NO_RESERVATIONS },
);
