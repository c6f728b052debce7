/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values and functions of Yahyapour 2002, section 6.3. */
#include "common/grid/market.h"

const char *const lxfw_market_values[LXFW_MARKET_VALUES] = {
	[LXFW_MARKET_PROCS] = "NumberOfProcessors",
	[LXFW_MARKET_RUN] = "RunTime",
	[LXFW_MARKET_START] = "StartTime",
	[LXFW_MARKET_END] = "EndTime",
	[LXFW_MARKET_SUBMIT] = "SubmitTime",
	[LXFW_MARKET_UNDER] = "under",
	[LXFW_MARKET_OVER] = "over",
	[LXFW_MARKET_LEFT_RIGHT] = "left_right",
	[LXFW_MARKET_LEFT_RIGHT_REL] = "left_right_rel",
	[LXFW_MARKET_UTILIZATION] = "utilization",
	[LXFW_MARKET_COST] = "JobCost",
	[LXFW_MARKET_HOPS] = "Hops",
	[LXFW_MARKET_SITES] = "Sites",
};

const struct lxfw_market_function lxfw_market_machines[] = {
	{ "MF1", "(NumberOfProcessors*RunTime+over+under+left_right)*(1-left_right_rel)" },
	{ "MF2", "NumberOfProcessors*RunTime+over+under+left_right" },
	{ "MF3", "(NumberOfProcessors*RunTime+over+under)*(1-left_right_rel)" },
	{ "MF4", "(NumberOfProcessors*RunTime+left_right)*(1-left_right_rel)" },
	{ "MF5", "(NumberOfProcessors*RunTime+over+left_right)*(1-left_right_rel)" },
	{ "MF6", "(NumberOfProcessors*RunTime+under+left_right)*(1-left_right_rel)" },
	{ NULL, NULL },
};

const struct lxfw_market_function lxfw_market_utilities[] = {
	{ "UF1", "-StartTime" },
	{ "UF2", "-JobCost" },
	{ "UF3", "-(StartTime+JobCost)" },
	{ "UF4", "-(StartTime+2*JobCost)" },
	{ "UF5", "-(2*StartTime+JobCost)" },
	{ NULL, NULL },
};
