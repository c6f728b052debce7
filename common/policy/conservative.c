/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conservative backfill: by submit time, with a reservation for every waiting job, by the
   preset of lxfw_reservations. */
#include "common/policy/registry.h"

const struct lxfw_policy_type lxfw_policy_conservative = {
	.name = "conservative",
	.code = LXFW_POLICY_CONSERVATIVE,
	.keys = LXFW_KEYS_QUANTUM | LXFW_KEYS_PLACING,
	.preset = "lxfw_reservations=all,lxfw_reservation_mode=compress",
	.no_reservations = " reserves for every job",
	.no_mode = " keeps the start times that it gives",
	.traits = LXFW_TRAIT_RESERVES_ALL,
	.order = { .name = "submit time" },
};
