/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of Python's module math that formulas may use, beside those of
 * util/formula.h. Their last bits can differ from one C library to another. They are in a
 * header, because the policy library itself must not use them.
 */
#ifndef LXFW_UTIL_FORMULA_MATH_H
#define LXFW_UTIL_FORMULA_MATH_H

#include <math.h>

#include "common/util/formula.h"

static inline double lxfw_formula_log_base(double x, double base)
{
	return log(x) / log(base);
}

static const struct lxfw_formula_function lxfw_formula_math[] = {
	{ "acos", acos, NULL },
	{ "asin", asin, NULL },
	{ "atan", atan, NULL },
	{ "atan2", NULL, atan2 },
	{ "cos", cos, NULL },
	{ "cosh", cosh, NULL },
	{ "erf", erf, NULL },
	{ "exp", exp, NULL },
	{ "expm1", expm1, NULL },
	{ "hypot", NULL, hypot },
	{ "log", log, lxfw_formula_log_base },
	{ "log10", log10, NULL },
	{ "log1p", log1p, NULL },
	{ "log2", log2, NULL },
	{ "pow", NULL, pow },
	{ "sin", sin, NULL },
	{ "sinh", sinh, NULL },
	{ "tan", tan, NULL },
	{ "tanh", tanh, NULL },
};

#define LXFW_FORMULA_MATH_COUNT \
	(sizeof(lxfw_formula_math) / sizeof(*lxfw_formula_math))

#endif
