/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates formulas. */
#include "common/util/formula_code.h"

#include <errno.h>
#include <math.h>

static int fail(struct lxfw_error *error, const struct formula_step *step, const char *what)
{
	lxfw_error_set(error, "column ");
	lxfw_error_add_number(error, step->column);
	lxfw_error_add(error, ": ");
	lxfw_error_add(error, what);
	errno = EDOM;
	return -1;
}

static double compare(uint8_t how, double a, double b)
{
	switch (how) {
	case FORMULA_LESS:
		return a < b;
	case FORMULA_LESS_EQUAL:
		return a <= b;
	case FORMULA_MORE:
		return a > b;
	case FORMULA_MORE_EQUAL:
		return a >= b;
	case FORMULA_EQUAL:
		return a == b;
	default:
		return a != b;
	}
}

/* a - b * floor(a / b), computed as Python does: the remainder is exact, and the quotient
   follows from it. */
static double floor_divide(double a, double b, double *remainder)
{
	double rest = fmod(a, b), quotient = (a - rest) / b, whole;

	if (rest != 0 && (rest < 0) != (b < 0)) {
		rest += b;
		quotient -= 1;
	}
	*remainder = rest;
	whole = floor(quotient);
	return quotient - whole > 0.5 ? whole + 1 : whole;
}

/* Replaces *A by the result of an operator with *A and B. */
static int operate(const struct formula_step *step, double *a, double b,
		   struct lxfw_error *error)
{
	double rest;

	switch (step->op) {
	case FORMULA_ADD:
		*a += b;
		return 0;
	case FORMULA_SUBTRACT:
		*a -= b;
		return 0;
	case FORMULA_MULTIPLY:
		*a *= b;
		return 0;
	case FORMULA_COMPARE:
		*a = compare(step->how, *a, b);
		return 0;
	default:
		break;
	}
	if (b == 0)
		return fail(error, step, "division by zero");
	if (step->op == FORMULA_DIVIDE) {
		*a /= b;
		return 0;
	}
	if (!isfinite(*a) || !isfinite(b))
		return fail(error, step, "division of an infinite value");
	*a = floor_divide(*a, b, &rest);
	if (step->op == FORMULA_REMAINDER)
		*a = rest;
	return 0;
}

/* Checks the result of a function of finite or infinite arguments. */
static int check_result(const struct formula_step *step, double result, bool finite,
			struct lxfw_error *error)
{
	if (isnan(result))
		return fail(error, step, "argument outside the domain of the function");
	if (finite && !isfinite(result))
		return fail(error, step, "result too large");
	return 0;
}

/* Executes a step that does not jump. TOP is the number of values on STACK. */
static int execute(const struct formula_step *step, const double *values, double *stack,
		   size_t *top, struct lxfw_error *error)
{
	double *last = stack + *top - 1;
	bool finite;

	switch (step->op) {
	case FORMULA_NUMBER:
		stack[(*top)++] = step->number;
		return 0;
	case FORMULA_VALUE:
		stack[(*top)++] = values[step->index];
		return 0;
	case FORMULA_NEGATE:
		*last = -*last;
		return 0;
	case FORMULA_NOT:
		*last = *last == 0;
		return 0;
	case FORMULA_ONE:
		finite = isfinite(*last);
		*last = step->one(*last);
		return check_result(step, *last, finite, error);
	case FORMULA_TWO:
		(*top)--;
		finite = isfinite(last[-1]) && isfinite(last[0]);
		last[-1] = step->two(last[-1], last[0]);
		return check_result(step, last[-1], finite, error);
	default:
		(*top)--;
		return operate(step, last - 1, last[0], error);
	}
}

/* Executes a step that may jump. Returns the number of steps to skip. */
static size_t branch(const struct formula_step *step, double *stack, size_t *top)
{
	double *last = stack + *top - 1;
	bool jumps = true;

	switch (step->op) {
	case FORMULA_JUMP:
		break;
	case FORMULA_UNLESS:
		jumps = *last == 0;
		(*top)--;
		break;
	case FORMULA_CHAIN:
		jumps = compare(step->how, last[-1], last[0]) == 0;
		last[-1] = jumps ? 0 : last[0];
		(*top)--;
		break;
	default:
		jumps = (*last != 0) == (step->op == FORMULA_OR);
		if (!jumps)
			(*top)--;
		break;
	}
	return jumps ? step->jump : 0;
}

int lxfw_formula_evaluate(const struct lxfw_formula *formula, const double *values,
			  double *result, struct lxfw_error *error)
{
	double stack[FORMULA_STACK_MAX];
	size_t top = 0;

	for (size_t i = 0; i < formula->count; i++) {
		const struct formula_step *step = &formula->steps[i];

		if (step->op >= FORMULA_CHAIN && step->op <= FORMULA_JUMP)
			i += branch(step, stack, &top);
		else if (execute(step, values, stack, &top, error))
			return -1;
	}
	if (isnan(stack[0]))
		return fail(error, &formula->steps[0], "the result is not a number");
	*result = stack[0];
	return 0;
}

bool lxfw_formula_uses(const struct lxfw_formula *formula, size_t name)
{
	for (size_t i = 0; i < formula->count; i++) {
		if (formula->steps[i].op == FORMULA_VALUE &&
		    formula->steps[i].index == name)
			return true;
	}
	return false;
}
