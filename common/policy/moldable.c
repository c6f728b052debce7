/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FCFS, EASY and Priority-backfill with jobs that are moldable at their start
 * (pass/mold.h): Huang's adaptive processor allocation. The paper has a queue in the order
 * of submission; its allocation does not depend on the order or the backfill.
 *
 * With backfill, only the processors that reservations leave are used: no job is scaled
 * down, or up, at the cost of a reservation.
 *
 * On a cluster only marked jobs are moldable, and they are not scaled up: a job is
 * certain to use more processors than it requests only in a simulation.
 */
#include "common/order/order.h"
#include "common/pass/mold.h"
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_fcfs_moldable = {
	.name = "fcfs_moldable",
	.code = 20,
	.keys = LXFW_KEYS_MOLD | LXFW_KEYS_PLACING,
	.no_reservations = " lets no job overtake",
	.traits = LXFW_TRAIT_MOLDABLE | LXFW_TRAIT_IN_ORDER,
	.order = { .name = "submit time" },
	.backfill = { .reservations = 1, .in_order = true,
		      .make_room = lxfw_mold_down, .grow = lxfw_mold_up },
};

const struct lxfw_policy_type lxfw_policy_easy_moldable = {
	.name = "easy_moldable",
	.code = 21,
	.keys = LXFW_KEYS_MOLD | LXFW_KEYS_RESERVATIONS | LXFW_KEYS_RESERVATION_MODE |
		LXFW_KEYS_PLACING,
	.traits = LXFW_TRAIT_MOLDABLE,
	.order = { .name = "submit time" },
	.backfill = { .make_room = lxfw_mold_down, .grow = lxfw_mold_up },
};

const struct lxfw_policy_type lxfw_policy_priority_moldable = {
	.name = "priority_moldable",
	.code = 22,
	.keys = LXFW_KEYS_MOLD | LXFW_KEYS_WEIGHTS | LXFW_KEYS_RESERVATIONS |
		LXFW_KEYS_RESERVATION_MODE | LXFW_KEYS_PLACING,
	.preset = "lxfw_ww=1,lxfw_wx=5,lxfw_wp=0.2",
	.traits = LXFW_TRAIT_MOLDABLE | LXFW_TRAIT_WEIGHTS,
	.order = { .name = "weights", .line = lxfw_line_weights,
		   .site = lxfw_site_weight },
	.backfill = { .make_room = lxfw_mold_down, .grow = lxfw_mold_up },
};
