/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/market_formula.h"

#include <string.h>

#include "common/util/formula_math.h"

static const char *by_name(const struct lxfw_market_function *functions, const char *text)
{
	for (; functions->name; functions++) {
		if (strcmp(functions->name, text) == 0)
			return functions->formula;
	}
	return text;
}

struct lxfw_formula *lxfw_market_formula(const char *text, enum lxfw_market_use use,
					 struct lxfw_error *error)
{
	const struct lxfw_formula_names names = {
		.values = lxfw_market_values,
		.value_count = use == LXFW_MARKET_PRICE ? LXFW_MARKET_OWNER_VALUES :
							  LXFW_MARKET_VALUES,
		.functions = lxfw_formula_math, .function_count = LXFW_FORMULA_MATH_COUNT,
	};

	if (use == LXFW_MARKET_PRICE)
		text = by_name(lxfw_market_machines, text);
	else if (use == LXFW_MARKET_UTILITY)
		text = by_name(lxfw_market_utilities, text);
	return lxfw_formula_read(text, &names, error);
}
