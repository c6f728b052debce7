/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/tres.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

static const char units[] = "KMGTP";

void lxfw_tres_list_begin(struct lxfw_tres_list *list)
{
	static const char *const fixed[] = {
		[LXFW_TRES_CPU] = "cpu", [LXFW_TRES_MEM] = "mem",
		[LXFW_TRES_ENERGY] = "energy", [LXFW_TRES_NODE] = "node",
		[LXFW_TRES_BILLING] = "billing", [LXFW_TRES_FS_DISK] = "fs/disk",
		[LXFW_TRES_VMEM] = "vmem", [LXFW_TRES_PAGES] = "pages",
	};

	*list = (struct lxfw_tres_list) { .count = LXFW_TRES_FIXED };
	for (int i = 0; i < LXFW_TRES_FIXED; i++)
		strcpy(list->names[i], fixed[i]);
}

/* Returns the item of TEXT that begins at *AT, and moves *AT past the following comma.
   Returns false at the end. Empty items are skipped. */
static bool next_item(struct lxfw_slice text, size_t *at, struct lxfw_slice *item)
{
	while (*at < text.length && text.at[*at] == ',')
		++*at;
	if (*at >= text.length)
		return false;
	item->at = text.at + *at;
	item->length = 0;
	while (*at < text.length && text.at[*at] != ',') {
		++*at;
		item->length++;
	}
	return true;
}

int lxfw_tres_find(const struct lxfw_tres_list *list, struct lxfw_slice name)
{
	for (int i = 0; i < list->count; i++) {
		if (lxfw_slurm_is(name, list->names[i]))
			return i;
	}
	return -1;
}

int lxfw_tres_list_add(struct lxfw_tres_list *list, struct lxfw_slice text,
		       struct lxfw_error *wrong)
{
	struct lxfw_slice item;
	char quoted[60];
	size_t at = 0;

	while (next_item(text, &at, &item)) {
		if (lxfw_tres_find(list, item) >= 0)
			continue;
		if (item.length >= sizeof(list->names[0]))
			return lxfw_error_format(wrong,
				"TRES '%s', expected at most %zu characters",
				lxfw_text_quote(quoted, sizeof(quoted), item.at,
						item.length),
				sizeof(list->names[0]) - 1);
		if (list->count == LXFW_TRES_MAX)
			return lxfw_error_format(wrong,
				"more TRES than expected, at most %d",
				LXFW_TRES_MAX - LXFW_TRES_FIXED);
		memcpy(list->names[list->count++], item.at, item.length);
	}
	return 0;
}

static bool counts_in_mb(const char *name)
{
	return strcasecmp(name, "mem") == 0 || strncasecmp(name, "bb/", 3) == 0;
}

/* Returns the size of a UNIT of a TRES, in the unit of amounts: 0 for a smaller unit,
   -1 if it is not a unit. */
static double unit_size(const char *name, char unit)
{
	const char *found = strchr(units, unit & ~0x20);
	int steps;

	if (!found || !*found)
		return -1;
	steps = (int)(found - units) + 1 - (counts_in_mb(name) ? 2 : 0);
	return steps > 0 ? ldexp(1, 10 * steps) : 0;
}

/* Parses NAME=NUMBER[UNIT] of ITEM. *TRES is the index of the name, -1 if unknown. */
static int read_item(const struct lxfw_tres_list *list, struct lxfw_slice item,
		     int *tres, double *number, char *unit)
{
	const char *equals = memchr(item.at, '=', item.length);
	char text[64], *end;
	size_t length;

	if (!equals)
		return -1;
	length = item.length - (size_t)(equals + 1 - item.at);
	if (length == 0 || length >= sizeof(text))
		return -1;
	memcpy(text, equals + 1, length);
	text[length] = '\0';
	*number = strtod(text, &end);
	if (end == text || !isfinite(*number) || (*end && end[1]))
		return -1;
	*unit = *end;
	*tres = lxfw_tres_find(list, (struct lxfw_slice) {
			item.at, (size_t)(equals - item.at) });
	return 0;
}

static int wrong_item(struct lxfw_error *wrong, struct lxfw_slice item,
		      const char *expected)
{
	char quoted[60];

	return lxfw_error_format(wrong, "'%s', expected %s",
		lxfw_text_quote(quoted, sizeof(quoted), item.at, item.length), expected);
}

int lxfw_tres_weights(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      double *weights, struct lxfw_error *wrong)
{
	struct lxfw_slice item;
	size_t at = 0;

	for (int i = 0; i < LXFW_TRES_MAX; i++)
		weights[i] = 0;
	while (next_item(text, &at, &item)) {
		double number, size;
		int tres;
		char unit;

		if (read_item(list, item, &tres, &number, &unit))
			return wrong_item(wrong, item, "TRES=WEIGHT");
		if (tres < 0)
			return wrong_item(wrong, item,
				"a TRES that each site has or that AccountingStorageTRES names");
		if (unit) {
			size = unit_size(list->names[tres], unit);
			if (size < 0)
				return wrong_item(wrong, item,
						  "K, M, G, T or P behind the weight");
			/* Slurm ignores units smaller than that of the amounts. */
			if (size > 0)
				number /= size;
		}
		weights[tres] = number;
	}
	return 0;
}

int lxfw_tres_amounts(const struct lxfw_tres_list *list, struct lxfw_slice text,
		      uint64_t *amounts, struct lxfw_error *wrong)
{
	struct lxfw_slice item;
	size_t at = 0;

	for (int i = 0; i < LXFW_TRES_MAX; i++)
		amounts[i] = 0;
	while (next_item(text, &at, &item)) {
		double number, size = 1;
		int tres;
		char unit;

		if (read_item(list, item, &tres, &number, &unit) || number < 0)
			return wrong_item(wrong, item, "TRES=AMOUNT");
		if (tres < 0)
			continue;
		if (unit)
			size = unit_size(list->names[tres], unit);
		if (size < 0)
			return wrong_item(wrong, item,
					  "K, M, G, T or P behind the amount");
		/* a unit smaller than that of the amounts: "1024K" of memory is 1 MB */
		if (size == 0)
			size = (unit & ~0x20) == 'K' && counts_in_mb(list->names[tres]) ?
			       1.0 / 1024 : 1;
		number *= size;
		if (number >= ldexp(1, 62))
			return wrong_item(wrong, item, "an amount below 2^62");
		amounts[tres] = (uint64_t)number;
	}
	return 0;
}

double lxfw_tres_bill(const struct lxfw_tres_list *list, const uint64_t *amounts,
		      const double *weights, bool most)
{
	double of_node = 0, of_all = 0;

	if (!weights)
		return (double)amounts[LXFW_TRES_CPU];
	for (int i = 0; i < list->count; i++) {
		double cost = (double)amounts[i] * weights[i];
		bool node = i == LXFW_TRES_CPU || i == LXFW_TRES_MEM ||
			    i == LXFW_TRES_NODE ||
			    strncasecmp(list->names[i], "gres/", 5) == 0;

		if (i == LXFW_TRES_BILLING)
			continue;
		if (most && node)
			of_node = cost > of_node ? cost : of_node;
		else
			of_all += cost;
	}
	return of_node + of_all;
}
