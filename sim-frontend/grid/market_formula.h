/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formulas of a market: prices, utilities and budgets. */
#ifndef LXFW_GRID_MARKET_FORMULA_H
#define LXFW_GRID_MARKET_FORMULA_H

#include "common/grid/market.h"

/* What a formula is for: it may name the values of owners, or all. */
enum lxfw_market_use { LXFW_MARKET_PRICE, LXFW_MARKET_UTILITY, LXFW_MARKET_BUDGET };

/* Reads "MF2", "UF1", or a formula of util/formula.h with the functions of
   util/formula_math.h. Returns NULL with errno EINVAL or ENOMEM and ERROR set. Release with
   lxfw_formula_free(). */
struct lxfw_formula *lxfw_market_formula(const char *text, enum lxfw_market_use use,
					 struct lxfw_error *error);

#endif
