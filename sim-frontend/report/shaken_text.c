/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/shaken_text.h"

#include <stdio.h>

#include "sim-frontend/util/format.h"

const char *lxfw_shaken_text(const struct lxfw_shaken_range *range, int decimals, char *text,
			     size_t size)
{
	*text = '\0';
	if (range->copies > 0)
		snprintf(text, size, "  (%.*f to %.*f)", decimals, range->low, decimals,
			 range->high);
	return text;
}

const char *lxfw_shaken_spans(const struct lxfw_shaken_range *range, char *text, size_t size)
{
	char low[32], high[32];

	*text = '\0';
	if (range->copies > 0)
		snprintf(text, size, "%s-%s", lxfw_format_span(range->low, low, sizeof(low)),
			 lxfw_format_span(range->high, high, sizeof(high)));
	return text;
}

static int decimals_of(double value)
{
	return value < 99.95 ? 1 : 0;
}

const char *lxfw_shaken_numbers(const struct lxfw_shaken_range *range, char *text, size_t size)
{
	*text = '\0';
	if (range->copies > 0)
		snprintf(text, size, "%.*f-%.*f", decimals_of(range->low), range->low,
			 decimals_of(range->high), range->high);
	return text;
}

void lxfw_shaken_below(const char *text, struct lxfw_output *output)
{
	if (*text)
		lxfw_output_format(output, "<small>%s</small>", text);
}
