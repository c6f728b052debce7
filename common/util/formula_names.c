/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions and constants of formulas. */
#include <math.h>
#include <string.h>

#include "common/util/formula_code.h"

static double one_bool(double x)
{
	return x != 0;
}

static double one_float(double x)
{
	return x;
}

/* Halves are rounded to even. */
static double one_round(double x)
{
	double whole = floor(x), rest = x - whole;

	return rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0) ? whole + 1 : whole;
}

double formula_max(double x, double y)
{
	return y > x ? y : x;
}

double formula_min(double x, double y)
{
	return y < x ? y : x;
}

/* Those of Python and of its module math that are exact. */
static const struct lxfw_formula_function built_in[] = {
	{ "abs", fabs, NULL }, { "bool", one_bool, NULL }, { "ceil", ceil, NULL },
	{ "fabs", fabs, NULL }, { "float", one_float, NULL }, { "floor", floor, NULL },
	{ "fmod", NULL, fmod }, { "int", trunc, NULL }, { "max", NULL, formula_max },
	{ "min", NULL, formula_min }, { "round", one_round, NULL }, { "sqrt", sqrt, NULL },
	{ "trunc", trunc, NULL },
};

static const struct lxfw_formula_function *
find_in(const struct lxfw_formula_function *functions, size_t count, const char *name,
	int length)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(functions[i].name, name, (size_t)length) == 0 &&
		    functions[i].name[length] == '\0')
			return &functions[i];
	}
	return NULL;
}

const struct lxfw_formula_function *
formula_function(const struct lxfw_formula_names *names, const char *name, int length)
{
	const struct lxfw_formula_function *found =
		find_in(built_in, sizeof(built_in) / sizeof(*built_in), name, length);

	return found ? found : find_in(names->functions, names->function_count, name, length);
}

static const struct { const char *name; double value; } constants[] = {
	{ "False", 0 }, { "True", 1 }, { "e", 2.718281828459045 },
	{ "inf", HUGE_VAL }, { "pi", 3.141592653589793 }, { "tau", 6.283185307179586 },
};

bool formula_constant(const char *name, int length, double *value)
{
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++) {
		if (strncmp(constants[i].name, name, (size_t)length) != 0 ||
		    constants[i].name[length] != '\0')
			continue;
		*value = constants[i].value;
		return true;
	}
	return false;
}
