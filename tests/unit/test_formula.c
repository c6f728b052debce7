/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas: values, precedence, errors with their columns. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/util/formula.h"
#include "common/util/formula_math.h"

static const char *const value_names[] = { "eligible_time", "walltime", "ncpus", "e" };
static const double values[] = { 600, 3600, 4, 77 };
static const struct lxfw_formula_names names = {
	.values = value_names, .value_count = 4,
	.functions = lxfw_formula_math, .function_count = LXFW_FORMULA_MATH_COUNT,
};

static void gives(const char *text, double expected)
{
	struct lxfw_error error = { "" };
	struct lxfw_formula *formula = lxfw_formula_read(text, &names, &error);
	double result = -1;

	if (!formula)
		fail_msg("%s: %s", text, error.text);
	if (lxfw_formula_evaluate(formula, values, &result, &error))
		fail_msg("%s: %s", text, error.text);
	if (result != expected)
		fail_msg("%s: %.17g, not %.17g", text, result, expected);
	lxfw_formula_free(formula);
}

/* The expected results are those of Python 3. */
static void computes_as_python(void **state)
{
	(void)state;
	gives("1 + 2*3", 7);
	gives("(1 + 2) * 3", 9);
	gives("10 - 4 - 3", 3);
	gives("7 / 2", 3.5);
	gives("7 // 2", 3);
	gives("-7 // 2", -4);
	gives("7 // -2", -4);
	gives("-7 % 3", 2);
	gives("7 % -3", -2);
	gives("7.5 % 2", 1.5);
	gives("450359962737049 // 1", 450359962737049);
	gives("-2 ** 2", -4);
	gives("2 ** 3 ** 2", 512);
	gives("2 ** -1", 0.5);
	gives("--3", 3);
	gives("+3", 3);
	gives(".5 + 5. + 1e3 + 2.5E-1", 1005.75);
	gives("1 < 2", 1);
	gives("1 > 2", 0);
	gives("3 == 3.0", 1);
	gives("3 != 3.0", 0);
	gives("1 < 2 < 3", 1);
	gives("1 < 3 < 2", 0);
	gives("3 < 2 < 1/0", 0);
	gives("1 < 2 < 3 < 2 < 5", 0);
	gives("1 < 2 < 3 < 4 <= 4", 1);
	gives("not 0", 1);
	gives("not 1 == 2", 1);
	gives("0 or 5", 5);
	gives("4 or 1/0", 4);
	gives("4 and 5", 5);
	gives("0 and 1/0", 0);
	gives("1 or 0 and 0", 1);
	gives("0 or 0 or 7 or 8", 7);
	gives("1 and 2 and 0 and 8", 0);
	gives("5 if 1 > 2 else 6", 6);
	gives("5 if 2 > 1 else 1/0", 5);
	gives("1 if 0 else 2 if 0 else 3", 3);
	gives("(1/0 if 0 else 2) + 3", 5);
	gives("10 if 0 or 2 < 3 < 4 else 20", 10);
	gives("100 + (1 if 1 else 2) * 3", 103);
	gives("True + False", 1);
}

static void calls_functions(void **state)
{
	(void)state;
	gives("min(3, 1, 2)", 1);
	gives("max(3, 1 + 4, 2)", 5);
	gives("abs(-3) + fabs(-2)", 5);
	gives("int(-2.7)", -2);
	gives("floor(-2.7)", -3);
	gives("ceil(2.1)", 3);
	gives("round(2.5) + round(3.5)", 6);
	gives("round(-2.5) + round(-3.5)", -6);
	gives("round(2.6)", 3);
	gives("sqrt(16)", 4);
	gives("fmod(-7, 3)", -1);
	gives("bool(5) + float(2)", 3);
	gives("pow(2, 10)", 1024);
	gives("exp(0)", 1);
	gives("log(1)", 0);
	gives("log(8, 2)", 3);
	gives("hypot(3, 4)", 5);
	gives("max(min(1, 2), min(3, 4), 0)", 3);
}

static void knows_names(void **state)
{
	struct lxfw_formula *formula;

	(void)state;
	gives("eligible_time/walltime*ncpus", 600.0 / 3600 * 4);
	gives("  ncpus\t", 4);
	/* the constant of math hides the value */
	gives("e", 2.718281828459045);
	gives("pi * 2 - tau", 0);
	gives("eligible_time if ncpus >= 4 else 0", 600);
	formula = lxfw_formula_read("walltime*2", &names, NULL);
	assert_non_null(formula);
	assert_false(lxfw_formula_uses(formula, 0));
	assert_true(lxfw_formula_uses(formula, 1));
	lxfw_formula_free(formula);
	lxfw_formula_free(NULL);
}

static void refuses(const char *text, const char *expected)
{
	struct lxfw_error error = { "" };

	errno = 0;
	if (lxfw_formula_read(text, &names, &error))
		fail_msg("%s: no error", text);
	assert_int_equal(errno, EINVAL);
	if (strncmp(error.text, expected, strlen(expected)) != 0)
		fail_msg("%s: %s, not %s", text, error.text, expected);
	assert_non_null(strstr(error.text, "expected"));
	assert_null(lxfw_formula_read(text, &names, NULL));
}

static void reports_the_column(void **state)
{
	(void)state;
	refuses("", "column 1: the formula ends, expected a number or a name");
	refuses("1 +", "column 4: the formula ends");
	refuses("1 2", "column 3: unexpected '2', expected an operator or the end");
	refuses("(1", "column 3: the formula ends, expected an operator or ')'");
	refuses("1)", "column 2: unexpected ')'");
	refuses("2*wall", "column 3: unknown name 'wall', expected eligible_time, walltime");
	refuses("ncpus(3)", "column 1: unknown function 'ncpus'");
	refuses("ncpus.real", "column 6: unexpected '.'");
	refuses("import os", "column 1: unknown name 'import'");
	refuses("ncpus; 1", "column 6: unexpected ';'");
	refuses("lambda: 1", "column 1: unexpected 'lambda'");
	refuses("'1'", "column 1: unexpected '''");
	refuses("[1]", "column 1: unexpected '['");
	refuses("1 << 2", "column 4: unexpected '<'");
	refuses("1 & 2", "column 3: unexpected '&'");
	refuses("2x", "column 2: unexpected 'x'");
	refuses("1.2.3", "column 4: unexpected '.'");
	refuses("007", "column 1: an integer begins with 0");
	refuses("1e", "column 3: the formula ends, expected digits");
	refuses("1e23", "column 1: number with too many places");
	refuses("1234567890123456", "column 1: number with too many places");
	refuses("1 if 2", "column 7: the formula ends, expected an operator or 'else'");
	refuses("1 = 2", "column 3: unexpected '='");
	refuses("not", "column 4: the formula ends");
	refuses("min(1)", "column 1: min() with a wrong number of arguments, expected 2 or");
	refuses("sqrt(1, 2)", "column 1: sqrt() with a wrong number of arguments, expected 1");
	refuses("pow(1)", "column 1: pow() with a wrong number of arguments, expected 2");
	refuses("log()", "column 1: log() with a wrong number of arguments, expected 1 or 2");
	refuses("sqrt(1 2)", "column 8: unexpected '2', expected ',' or ')'");
	refuses(".", "column 1: unexpected '.'");
	refuses("1\n+2", "column 2: unexpected '?'");
}

static void needs_pow_for_powers(void **state)
{
	const struct lxfw_formula_names few = { value_names, 4, NULL, 0 };
	struct lxfw_error error;

	(void)state;
	assert_null(lxfw_formula_read("2**3", &few, &error));
	assert_string_equal(error.text, "column 2: unexpected '*', expected another operator");
	assert_null(lxfw_formula_read("exp(3)", &few, &error));
}

/* Repeats PART, and MIDDLE and END once. */
static void deep(const char *part, int count, const char *middle, const char *end,
		 double expected)
{
	size_t each = strlen(part), last = strlen(end);
	char *text = calloc(1, (each + last) * (size_t)count + strlen(middle) + 1);

	assert_non_null(text);
	for (int i = 0; i < count; i++)
		memcpy(text + each * (size_t)i, part, each);
	strcat(text, middle);
	for (int i = 0; i < count; i++)
		strcat(text, end);
	if (isnan(expected))
		refuses(text, "column ");
	else
		gives(text, expected);
	free(text);
}

static void limits_the_depth(void **state)
{
	(void)state;
	deep("(", 90, "7", ")", 7);
	deep("(", 2000, "7", ")", NAN);
	deep("-", 190, "7", "", 7);
	deep("-", 2000, "7", "", NAN);
	deep("not ", 2000, "7", "", NAN);
	deep("1+", 5000, "1", "", 5001);
	deep("1 if 0 else ", 90, "7", "", 7);
	deep("1 if 0 else ", 2000, "7", "", NAN);
	deep("(1+1*1**", 60, "1", ")", 2);
}

static void fails(const char *text, const char *expected)
{
	struct lxfw_error error = { "" };
	struct lxfw_formula *formula = lxfw_formula_read(text, &names, &error);
	double result = 42;

	assert_non_null(formula);
	errno = 0;
	assert_int_equal(lxfw_formula_evaluate(formula, values, &result, &error), -1);
	assert_int_equal(errno, EDOM);
	assert_string_equal(error.text, expected);
	assert_true(result == 42);
	assert_int_equal(lxfw_formula_evaluate(formula, values, &result, NULL), -1);
	lxfw_formula_free(formula);
}

static void reports_failed_evaluations(void **state)
{
	(void)state;
	fails("1/(ncpus-4)", "column 2: division by zero");
	fails("1//0", "column 2: division by zero");
	fails("1%0", "column 2: division by zero");
	fails("inf//2", "column 4: division of an infinite value");
	fails("1 + sqrt(-1)", "column 5: argument outside the domain of the function");
	fails("log(0)", "column 1: result too large");
	fails("exp(1000)", "column 1: result too large");
	fails("10**400", "column 3: result too large");
	fails("(-8)**(1/3)", "column 5: argument outside the domain of the function");
	fails("inf-inf", "column 1: the result is not a number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes_as_python),
		cmocka_unit_test(calls_functions),
		cmocka_unit_test(knows_names),
		cmocka_unit_test(reports_the_column),
		cmocka_unit_test(needs_pow_for_powers),
		cmocka_unit_test(limits_the_depth),
		cmocka_unit_test(reports_failed_evaluations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
