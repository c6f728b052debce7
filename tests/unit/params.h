/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters, for tests. */
#ifndef LXFW_TESTS_PARAMS_H
#define LXFW_TESTS_PARAMS_H

#include <string.h>

#include "common/params/params.h"
#include "tests/unit/unit.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void assert_params(const struct lxfw_params *a,
			  const struct lxfw_params *b)
{
	char one[LXFW_PARAMS_TEXT_SIZE], other[LXFW_PARAMS_TEXT_SIZE];

	if (lxfw_params_same(a, b))
		return;
	lxfw_params_text(a, one);
	lxfw_params_text(b, other);
	fail_msg("%s\nis not\n%s", one, other);
}

static inline struct lxfw_params preset(enum lxfw_policy policy)
{
	struct lxfw_params params;

	lxfw_params_preset(&params, policy);
	return params;
}

static inline struct lxfw_params parsed(enum lxfw_policy before, const char *text)
{
	struct lxfw_params params = preset(before);
	struct lxfw_error error = { "" };

	if (lxfw_params_parse(&params, text, NULL, NULL, &error) < 0)
		fail_msg("'%s': %s", text ? text : "(null)", error.text);
	return params;
}

#endif
