/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A formula and its value, and a file with one. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <math.h>

#include "common/util/formula.h"
#include "common/util/formula_math.h"
#include "sim-frontend/script/script.h"

const char fuzz_name[] = "formula";

static const char *const value_names[] = { "eligible_time", "walltime", "ncpus" };

static void check_file(const char *text)
{
	struct lxfw_error error = { "" };
	struct lxfw_script *script = lxfw_script_of_formula("file", text, &error);

	FUZZ_CHECK(script || error.text[0] != '\0');
	lxfw_script_free(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct lxfw_formula_names names = {
		value_names, 3, lxfw_formula_math, LXFW_FORMULA_MATH_COUNT,
	};
	static const double values[][3] = { { 0, 0, 0 }, { 1e9, 1, 3 }, { -7, 1e-9, 1e300 } };
	struct lxfw_formula *formula;
	struct lxfw_error error = { "" };
	char *text = fuzz_text(data, size);

	if (!text)
		return 0;
	formula = lxfw_formula_read(text, &names, &error);
	if (!formula) {
		FUZZ_CHECK(errno == EINVAL);
		FUZZ_CHECK(error.text[0] != '\0' && !strchr(error.text, '\n'));
	}
	for (int i = 0; formula && i < 3; i++) {
		double result = 0;

		if (lxfw_formula_evaluate(formula, values[i], &result, &error))
			FUZZ_CHECK(errno == EDOM);
		FUZZ_CHECK(!isnan(result));
	}
	lxfw_formula_free(formula);
	check_file(text);
	free(text);
	return 0;
}
