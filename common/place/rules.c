/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/place/rule.h"

#define ADDRESS(name, help) &lxfw_placement_##name,
const struct lxfw_placement_rule *const lxfw_placement_rules[] = {
	LXFW_PLACEMENTS(ADDRESS, ADDRESS)
};
