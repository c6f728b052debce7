/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/odd.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/text.h"

int lxfw_odd_add(struct lxfw_odd *odd, const struct lxfw_input *input, long line,
		 const char *format, ...)
{
	char what[500];
	va_list arguments;

	if (line == 0)
		line = lxfw_input_line_number(input);
	if (odd->count == 0)
		odd->line = line;
	if (odd->count < LXFW_ODD_EXAMPLES) {
		va_start(arguments, format);
		vsnprintf(what, sizeof(what), format, arguments);
		va_end(arguments);
		lxfw_error_at(&odd->examples[odd->count], lxfw_input_path(input), line,
			      "%s", what);
	}
	odd->count++;
	return LXFW_ODD_RECORD;
}

void lxfw_odd_merge(struct lxfw_odd *odd, const struct lxfw_odd *from)
{
	if (odd->count == 0)
		odd->line = from->line;
	for (size_t i = 0; i < from->count && i < LXFW_ODD_EXAMPLES &&
			   odd->count + i < LXFW_ODD_EXAMPLES; i++)
		odd->examples[odd->count + i] = from->examples[i];
	odd->count += from->count;
}

int lxfw_odd_judge(const struct lxfw_odd *odd, size_t records, size_t left,
		   struct lxfw_error *error)
{
	bool many = records >= LXFW_ODD_LONG && odd->count > records / LXFW_ODD_SHARE;
	char examples[1200] = "", quoted[700];
	size_t used = 0;

	if (odd->count == 0 || (left > 0 && !many))
		return 0;
	if (odd->count == 1)
		return lxfw_error_format(error, "%s", odd->examples[0].text);
	for (size_t i = 1; i < odd->count && i < LXFW_ODD_EXAMPLES; i++) {
		const char *text = odd->examples[i].text;

		used += (size_t)snprintf(examples + used, sizeof(examples) - used, "; %s",
					 lxfw_text_quote(quoted, 500, text, strlen(text)));
	}
	return lxfw_error_format(error, "%s; %zu of %zu records cannot be read, expected "
				 "at most a tenth%s",
				 lxfw_text_quote(quoted, sizeof(quoted), odd->examples[0].text,
						 strlen(odd->examples[0].text)),
				 odd->count, records, examples);
}
