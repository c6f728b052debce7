/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement rules, which choose among the hosts on which a job fits. Each rule has an
 * entry in the list of params/placement.h, and a file in this folder that defines
 * lxfw_placement_NAME.
 */
#ifndef LXFW_PLACE_RULE_H
#define LXFW_PLACE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/params/placement.h"

struct lxfw_placing;
struct lxfw_request;
struct lxfw_resources;
struct lxfw_sched;

struct lxfw_placement_rule {
	/* Choose hosts for placing->request with lxfw_placing_add(), each host once and
	   in any order. Returns the number of shares, which is placing->found, or 0 if
	   the request does not fit under this rule. */
	int32_t (*choose)(struct lxfw_placing *placing);
	/* The same for kinds of hosts (placing->by_kind), if the request has no fewest
	   number of hosts. The hosts chosen are the same. NULL: there is none. */
	int32_t (*choose_kinds)(struct lxfw_placing *placing);
	/* The level of a host with AVAILABLE resources at the start, 0 or more: hosts of a
	   lower level come first in the order of placement. Hosts of a kind have the same
	   level. NULL: all hosts have the same level. */
	int32_t (*level)(const struct lxfw_placing *placing, int32_t host,
			 const struct lxfw_resources *available);
	/* A lower bound of the levels of hosts on which a piece fits. Not NULL if `level` is
	   not. */
	int32_t (*lowest)(const struct lxfw_sched *sched, const struct lxfw_request *request);
};

/* Whether REQUEST requests GPUs. */
bool lxfw_wants_gpus(const struct lxfw_sched *sched, const struct lxfw_request *request);

/* All rules, in the order of the list. */
extern const struct lxfw_placement_rule *const lxfw_placement_rules[];

#define LXFW_PLACEMENT_DECLARE(name, help) \
	extern const struct lxfw_placement_rule lxfw_placement_##name;
LXFW_PLACEMENTS(LXFW_PLACEMENT_DECLARE, LXFW_PLACEMENT_DECLARE)
#undef LXFW_PLACEMENT_DECLARE

#endif
