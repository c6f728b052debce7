/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formulas: expressions of numbers and named values, with the syntax and the results of
 * Python 3. Some workload managers order jobs by one.
 *
 *   2.5, .5, 1e3, True, pi, e, tau     numbers; digits of at most 15 places
 *   + - * / // % **                    as in Python: / is exact, // rounds down, % has the
 *                                      sign of the divisor, ** binds to the right
 *   < <= > >= == !=  and or not        1 or 0; a < b < c; the operand that decides
 *   X if CONDITION else Y
 *   abs bool ceil fabs float floor fmod int max min round sqrt trunc
 *
 * Functions that are not exact, such as exp and pow, come from the caller
 * (util/formula_math.h has them), and so do the names of values. All values are doubles:
 * whole numbers above 2^53 are rounded. A name of a constant hides a value of that name.
 *
 * A formula does not change after it was read. Several threads may evaluate it.
 */
#ifndef LXFW_UTIL_FORMULA_H
#define LXFW_UTIL_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

/* Bytes of a formula, and levels of operators and parentheses within others. */
#define LXFW_FORMULA_LENGTH_MAX 65536
#define LXFW_FORMULA_DEPTH_MAX 200

struct lxfw_formula;

/* A function of one argument, of two, or of either number. A result that is not a number,
   or infinite while all arguments are finite, is an error of the evaluation. */
struct lxfw_formula_function {
	const char *name;
	double (*one)(double x);		/* NULL: not with one argument */
	double (*two)(double x, double y);	/* NULL: not with two */
};

/* What a formula may name. */
struct lxfw_formula_names {
	const char *const *values;
	size_t value_count;
	const struct lxfw_formula_function *functions;	/* "pow" is also ** */
	size_t function_count;
};

/* Reads TEXT. NAMES is needed until the return only, except for the code of its functions.
   Returns NULL with errno EINVAL and ERROR set, "column N: what is wrong, expected what",
   or with errno ENOMEM. Release with lxfw_formula_free(). */
struct lxfw_formula *lxfw_formula_read(const char *text,
				       const struct lxfw_formula_names *names,
				       struct lxfw_error *error);

/* FORMULA may be NULL. */
void lxfw_formula_free(struct lxfw_formula *formula);

/* Computes *RESULT from the values of the names, in their order; they are finite. Returns
   0, or -1 with errno EDOM and ERROR set, "column N: what is wrong": a division by 0, a
   function outside its domain, an overflow, or a result that is not a number. */
int lxfw_formula_evaluate(const struct lxfw_formula *formula, const double *values,
			  double *result, struct lxfw_error *error);

/* Whether the formula contains the name with this index. */
bool lxfw_formula_uses(const struct lxfw_formula *formula, size_t name);

#endif
