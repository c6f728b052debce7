/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/qos.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/priority/dump.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

enum { NAME, PRIORITY, FACTOR, FLAGS, COLUMNS };

static const struct lxfw_dump_column columns[COLUMNS] = {
	[NAME] = { { "Name" }, true },
	[PRIORITY] = { { "Priority" }, true },
	[FACTOR] = { { "UsageFactor" } },
	[FLAGS] = { { "Flags" } },
};

void lxfw_qos_clear(struct lxfw_qos_list *list)
{
	int saved = errno;

	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct lxfw_qos_list) { 0 };
	errno = saved;
}

int32_t lxfw_qos_find(const struct lxfw_qos_list *list, struct lxfw_slice name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (lxfw_slurm_is(name, list->items[i].name))
			return (int32_t)i;
	}
	return -1;
}

int32_t lxfw_qos_add(struct lxfw_qos_list *list, struct lxfw_slice name)
{
	int32_t found = lxfw_qos_find(list, name);
	struct lxfw_qos *items;

	if (found >= 0)
		return found;
	if (list->count == INT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (LXFW_GROW(list->items, list->size, list->count + 1))
		return -1;
	items = list->items;
	items[list->count] = (struct lxfw_qos) {
		.name = strndup(name.at, name.length), .usage_factor = 1,
	};
	if (!items[list->count].name)
		return -1;
	return (int32_t)list->count++;
}

void lxfw_qos_finish(struct lxfw_qos_list *list)
{
	uint32_t highest = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].priority > highest)
			highest = list->items[i].priority;
	}
	for (size_t i = 0; i < list->count; i++)
		list->items[i].priority_norm = highest ?
			(double)list->items[i].priority / (double)highest : 0;
}

/* Whether a list of flags, separated by commas, has NoReserve. */
static bool has_no_reserve(struct lxfw_slice flags)
{
	static const char flag[] = "NoReserve";
	size_t size = sizeof(flag) - 1;

	for (size_t i = 0; i + size <= flags.length; i++) {
		if ((i == 0 || flags.at[i - 1] == ',') &&
		    (i + size == flags.length || flags.at[i + size] == ',') &&
		    strncasecmp(flags.at + i, flag, size) == 0)
			return true;
	}
	return false;
}

static int take_row(void *context, const struct lxfw_slice *row, struct lxfw_error *wrong)
{
	struct lxfw_qos_list *list = context;
	char quoted[48], text[48], *end;
	int64_t priority = 0;
	double factor = 1;
	int32_t found;

	if (row[NAME].length == 0)
		return lxfw_error_format(wrong, "no name, expected that of a QOS");
	if (row[PRIORITY].length > 0 &&
	    !lxfw_slice_integer(row[PRIORITY], 0, UINT32_MAX - 1, &priority))
		return lxfw_error_format(wrong,
			"priority '%s', expected a number from 0 to %u",
			lxfw_text_quote(quoted, sizeof(quoted), row[PRIORITY].at,
					row[PRIORITY].length), UINT32_MAX - 1);
	if (row[FACTOR].at && row[FACTOR].length > 0) {
		lxfw_text_quote(text, sizeof(text), row[FACTOR].at, row[FACTOR].length);
		factor = strtod(text, &end);
		if (*end || !isfinite(factor) || factor < 0)
			return lxfw_error_format(wrong,
				"usage factor '%s', expected a number from 0 on", text);
	}
	found = lxfw_qos_add(list, row[NAME]);
	if (found < 0)
		return lxfw_error_format(wrong, "out of memory");
	list->items[found].priority = (uint32_t)priority;
	list->items[found].usage_factor = factor;
	list->items[found].no_reserve = has_no_reserve(row[FLAGS]);
	return 0;
}

int lxfw_qos_read(struct lxfw_qos_list *list, const char *path, struct lxfw_error *error)
{
	if (lxfw_dump_read(path, columns, COLUMNS, "what `sacctmgr -P show qos` prints",
			   take_row, list, error))
		return -1;
	lxfw_qos_finish(list);
	return 0;
}
