/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels of tiers, for preemption by tier. */
#include "common/params/params.h"

int32_t lxfw_params_level(const struct lxfw_params *params, int32_t tier)
{
	int64_t tiers = params->preempt_tiers, from = tier + tiers / 2;

	if (tiers <= 0)
		return tier;
	return (int32_t)(from >= 0 ? from / tiers : -((tiers - 1 - from) / tiers));
}

int32_t lxfw_params_level_end(const struct lxfw_params *params, int32_t tier)
{
	int64_t tiers = params->preempt_tiers, end;

	if (tiers <= 0)
		return tier;
	end = (lxfw_params_level(params, tier) + INT64_C(1)) * tiers - tiers / 2 - 1;
	return end > INT32_MAX ? INT32_MAX : (int32_t)end;
}
