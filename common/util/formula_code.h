/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A formula as steps of a machine with a stack of doubles; private to formula.c, which
 * writes them, formula_run.c, which executes them, and formula_names.c.
 */
#ifndef LXFW_UTIL_FORMULA_CODE_H
#define LXFW_UTIL_FORMULA_CODE_H

#include <stdint.h>

#include "common/util/formula.h"

/* Doubles on the stack. */
#define FORMULA_STACK_MAX 256

enum formula_op {
	FORMULA_NUMBER,		/* push `number` */
	FORMULA_VALUE,		/* push the value with index `index` */
	FORMULA_NEGATE,
	FORMULA_NOT,
	FORMULA_ADD,		/* the operators replace the two topmost values */
	FORMULA_SUBTRACT,
	FORMULA_MULTIPLY,
	FORMULA_DIVIDE,
	FORMULA_FLOOR_DIVIDE,
	FORMULA_REMAINDER,
	FORMULA_COMPARE,	/* by `how` */
	FORMULA_CHAIN,		/* a, b: leave b if a HOW b, otherwise leave 0 and jump */
	FORMULA_AND,		/* jump if the topmost value is 0, otherwise remove it */
	FORMULA_OR,		/* jump if it is not 0, otherwise remove it */
	FORMULA_UNLESS,		/* remove the topmost value; jump if it was 0 */
	FORMULA_JUMP,
	FORMULA_ONE,		/* call `one` */
	FORMULA_TWO,		/* call `two` */
};

enum formula_comparison {
	FORMULA_LESS, FORMULA_LESS_EQUAL, FORMULA_MORE, FORMULA_MORE_EQUAL,
	FORMULA_EQUAL, FORMULA_NOT_EQUAL, FORMULA_NO_COMPARISON,
};

struct formula_step {
	uint8_t op;		/* enum formula_op */
	uint8_t how;		/* enum formula_comparison */
	uint32_t column;	/* in the text, from 1 */
	union {
		double number;
		size_t index;
		size_t jump;	/* number of steps to skip; never backward */
		double (*one)(double x);
		double (*two)(double x, double y);
	};
};

struct lxfw_formula {
	struct formula_step *steps;
	size_t count, size;
};

/* Returns the function NAME[0..LENGTH), or NULL. */
const struct lxfw_formula_function *
formula_function(const struct lxfw_formula_names *names, const char *name, int length);

/* Those of two arguments that may have more. */
double formula_max(double x, double y);
double formula_min(double x, double y);

/* Whether NAME[0..LENGTH) is a constant, which is then *VALUE. */
bool formula_constant(const char *name, int length, double *value);

#endif
