/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of policies. Each policy has a line here, and a file or folder that defines
 * lxfw_policy_NAME. Messages, help, completion and `lxfw params` are derived from the
 * list.
 */
#ifndef LXFW_POLICY_REGISTRY_H
#define LXFW_POLICY_REGISTRY_H

#include "common/params/policy.h"

#define LXFW_POLICIES(policy) \
	LXFW_LINE_POLICIES(policy) \
	LXFW_LIST_POLICIES(policy) \
	LXFW_GANG_POLICIES(policy) \
	LXFW_MOLDABLE_POLICIES(policy) \
	LXFW_PREEMPTING_POLICIES(policy) \
	LXFW_CYCLE_POLICIES(policy)

#define LXFW_LINE_POLICIES(policy) \
	policy(fcfs) \
	policy(easy) \
	policy(conservative) \
	policy(priority) \
	policy(lxfw) \
	policy(sjf) \
	policy(eqspatial) \
	policy(classes) \
	policy(list) \
	policy(site)

/* Those with an order that is a list (order/list.h). */
#define LXFW_LIST_POLICIES(policy) \
	policy(smart_ffia) \
	policy(smart_ffia_strict) \
	policy(smart_nfiw) \
	policy(smart_nfiw_strict) \
	policy(psrs) \
	policy(psrs_strict)

/* Those that preempt jobs by gangs (service/gang.h). */
#define LXFW_GANG_POLICIES(policy) \
	policy(pfcfs1) \
	policy(pfcfs2) \
	policy(pfcfs3)

/* Those that choose the processors of a job at its start (pass/mold.h). */
#define LXFW_MOLDABLE_POLICIES(policy) \
	policy(fcfs_moldable) \
	policy(easy_moldable) \
	policy(priority_moldable)

/* Those that preempt jobs by priority (pass/preemption.h). */
#define LXFW_PREEMPTING_POLICIES(policy) \
	policy(remaining)

/* Those that backfill at intervals (pass/cycle.h). */
#define LXFW_CYCLE_POLICIES(policy) \
	policy(slurm)

/* " fcfs easy ...", as string constants of one line for help. */
#define LXFW_NAME(name) " " #name
#define LXFW_POLICY_LINE_1 LXFW_LINE_POLICIES(LXFW_NAME)
#define LXFW_POLICY_LINE_2 LXFW_LIST_POLICIES(LXFW_NAME)
#define LXFW_POLICY_LINE_3 LXFW_GANG_POLICIES(LXFW_NAME) \
	LXFW_PREEMPTING_POLICIES(LXFW_NAME) LXFW_CYCLE_POLICIES(LXFW_NAME)
#define LXFW_POLICY_LINE_4 LXFW_MOLDABLE_POLICIES(LXFW_NAME)

#define LXFW_DECLARE(name) extern const struct lxfw_policy_type lxfw_policy_##name;
LXFW_POLICIES(LXFW_DECLARE)
#undef LXFW_DECLARE

/* Not in the list: a policy from a file is named by the digest of the file. */
extern const struct lxfw_policy_type lxfw_policy_script;

#endif
