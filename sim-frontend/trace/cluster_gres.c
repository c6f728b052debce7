/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/cluster_gres.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"

/* --- the table ------------------------------------------------------------------ */

int32_t lxfw_gres_find(const struct lxfw_gres_table *table, const char *name, size_t length)
{
	for (int32_t i = 0; i < table->count; i++) {
		if (strlen(table->names[i]) == length &&
		    strncasecmp(table->names[i], name, length) == 0)
			return i;
	}
	return -1;
}

static int32_t find_or_add(struct lxfw_gres_table *table, const char *name, size_t length)
{
	int32_t at = lxfw_gres_find(table, name, length);

	if (at >= 0)
		return at;
	if (LXFW_GROW(table->names, table->size, (size_t)table->count + 1))
		return -1;
	table->names[table->count] = strndup(name, length);
	return table->names[table->count] ? table->count++ : -1;
}

static int32_t limited(int64_t count)
{
	return count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

int lxfw_gres_add(struct lxfw_gres_table *table, struct lxfw_gres_range *range,
		  const char *name, size_t length, int64_t count)
{
	const char *colon = memchr(name, ':', length);
	int32_t at;

	if (colon && find_or_add(table, name, (size_t)(colon - name)) < 0)
		return -1;
	at = find_or_add(table, name, length);
	if (at < 0 || LXFW_GROW(table->amounts, table->amounts_size,
				table->amount_count + 1))
		return -1;
	for (size_t i = range->first; i < range->first + range->count; i++) {
		struct lxfw_gres_amount *amount = &table->amounts[i];

		if (amount->name != at)
			continue;
		amount->count = limited(amount->count + count);
		return 0;
	}
	if (range->count == 0)
		range->first = table->amount_count;
	table->amounts[table->amount_count++] =
		(struct lxfw_gres_amount) { at, limited(count) };
	range->count++;
	return 0;
}

int32_t lxfw_gres_count(const struct lxfw_gres_table *table,
			const struct lxfw_gres_range *range, int32_t name)
{
	for (size_t i = range->first; i < range->first + range->count; i++) {
		if (table->amounts[i].name == name)
			return table->amounts[i].count;
	}
	return 0;
}

bool lxfw_gres_is_gpu(const char *name)
{
	return strcasecmp(name, "gpu") == 0 || strncasecmp(name, "gpu:", 4) == 0 ||
	       strcmp(name, "ngpus") == 0;
}

int64_t lxfw_gres_gpus(const struct lxfw_gres_table *table,
		       const struct lxfw_gres_range *range)
{
	int64_t gpus = 0;

	for (size_t i = range->first; i < range->first + range->count; i++) {
		if (lxfw_gres_is_gpu(table->names[table->amounts[i].name]))
			gpus += table->amounts[i].count;
	}
	return gpus;
}

bool lxfw_gres_gpus_differ(const struct lxfw_gres_table *table,
			   const struct lxfw_gres_range *range)
{
	int types = 0;

	for (size_t i = range->first; i < range->first + range->count; i++)
		types += lxfw_gres_is_gpu(table->names[table->amounts[i].name]);
	return types > 1;
}

bool lxfw_gres_same(const struct lxfw_gres_table *table, const struct lxfw_gres_range *a,
		    const struct lxfw_gres_range *b)
{
	if (a->count != b->count)
		return false;
	return a->count == 0 || a->first == b->first ||
	       memcmp(&table->amounts[a->first], &table->amounts[b->first],
		      a->count * sizeof(*table->amounts)) == 0;
}

void lxfw_gres_clear(struct lxfw_gres_table *table)
{
	for (int32_t i = 0; i < table->count; i++)
		free(table->names[i]);
	free(table->names);
	free(table->amounts);
	free(table->restricts);
	*table = (struct lxfw_gres_table) { NULL };
}
