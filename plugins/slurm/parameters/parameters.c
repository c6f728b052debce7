/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/parameters/parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "common/util/nearest.h"

#define DIGITS_MAX 18
#define VALUE_MAX 24

static bool name_is(const struct lxfw_parameter_item *item, const char *name)
{
	return strlen(name) == item->name && strncasecmp(item->at, name, item->name) == 0;
}

const struct lxfw_parameter *lxfw_parameter_find(const char *name, size_t length)
{
	const struct lxfw_parameter_item item = { .at = name, .name = length };

	for (size_t i = 0; i < lxfw_parameter_count; i++) {
		if (name_is(&item, lxfw_parameters[i].name))
			return &lxfw_parameters[i];
	}
	return NULL;
}

const char *lxfw_parameter_elsewhere(const char *name, size_t length)
{
	const struct lxfw_parameter_item item = { .at = name, .name = length };

	for (size_t i = 0; i < lxfw_parameters_moved_count; i++) {
		if (name_is(&item, lxfw_parameters_moved[i].name))
			return lxfw_parameters_moved[i].key;
	}
	return NULL;
}

const char *lxfw_parameter_nearest(const char *name, size_t length)
{
	const char *nearest = lxfw_params_nearest(name, (int)length);
	int distance = nearest ? 1 : lxfw_edits_likely(length) + 1;

	for (size_t i = 0; i < lxfw_parameter_count; i++) {
		int here = lxfw_edits(name, length, lxfw_parameters[i].name, distance);

		if (here < distance) {
			distance = here;
			nearest = lxfw_parameters[i].name;
		}
	}
	return nearest;
}

/* --- items ------------------------------------------------------------------------ */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool lxfw_parameters_next(const char **text, struct lxfw_parameter_item *item)
{
	while (**text) {
		const char *at = *text, *equals;
		size_t length = strcspn(at, ",");

		*text += length + (at[length] == ',');
		while (length > 0 && is_blank(*at))
			at++, length--;
		while (length > 0 && is_blank(at[length - 1]))
			length--;
		if (length == 0)
			continue;
		equals = memchr(at, '=', length);
		*item = (struct lxfw_parameter_item){
			.at = at, .length = length,
			.name = equals ? (size_t)(equals - at) : length,
		};
		return true;
	}
	return false;
}

static bool find_item(const char *text, const char *name, struct lxfw_parameter_item *item)
{
	while (lxfw_parameters_next(&text, item)) {
		if (name_is(item, name))
			return true;
	}
	return false;
}

bool lxfw_parameters_has(const char *text, const char *name)
{
	struct lxfw_parameter_item item;

	return find_item(text, name, &item);
}

/* Reads the number behind the '=' of ITEM. */
static bool read_number(const struct lxfw_parameter_item *item, int64_t *number)
{
	const char *digit = item->at + item->name + 1, *end = item->at + item->length;

	if (digit >= end || end - digit > DIGITS_MAX)
		return false;
	for (*number = 0; digit < end; digit++) {
		if (*digit < '0' || *digit > '9')
			return false;
		*number = *number * 10 + (*digit - '0');
	}
	return true;
}

int64_t lxfw_parameters_number(const char *text, const char *name, int64_t otherwise)
{
	struct lxfw_parameter_item item;
	int64_t number;

	return find_item(text, name, &item) && read_number(&item, &number) ? number :
									    otherwise;
}

/* --- keys instead of items -------------------------------------------------------- */

static enum lxfw_policy policy_of(const char *text)
{
	struct lxfw_params params;
	int length;
	const char *name = lxfw_params_value(text, "lxfw_policy", &length);

	lxfw_params_default(&params);
	return name ? lxfw_policy_by_name(name, length) : params.policy;
}

/* Writes the value of ROW's key into VALUE. Returns why there is none, or NULL. */
static const char *key_value(const char *text, const struct lxfw_parameter *row,
			     int64_t number, char *value)
{
	const struct lxfw_key *key = lxfw_key_find(row->key, strlen(row->key));
	enum lxfw_policy policy = policy_of(text);
	int64_t converted;
	int length;

	if (lxfw_params_value(text, row->key, &length))
		return "the lxfw_* key is given";
	if (!policy || !lxfw_key_means(key, policy, NULL))
		return "not with this policy";
	if (number > INT64_MAX / row->unit)
		return "too large";
	length = snprintf(value, VALUE_MAX, "%" PRId64, number * row->unit);
	return lxfw_key_number(key, value, length, &converted) ? NULL : "too large";
}

char *lxfw_parameters_translate(const char *text)
{
	char *out = NULL, value[VALUE_MAX];
	size_t size;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		return NULL;
	fputs(text, to);
	for (size_t i = 0; i < lxfw_parameter_count; i++) {
		const struct lxfw_parameter *row = &lxfw_parameters[i];
		struct lxfw_parameter_item item;
		int64_t number;

		if (row->use == LXFW_PARAMETER_READ && row->key &&
		    find_item(text, row->name, &item) && read_number(&item, &number) &&
		    !key_value(text, row, number, value))
			fprintf(to, ",%s=%s", row->key, value);
	}
	if (fclose(to) == 0)
		return out;
	free(out);
	return NULL;
}

/* --- items without effect --------------------------------------------------------- */

const char *lxfw_parameter_idle(const char *text, const struct lxfw_parameter_item *item,
				const struct lxfw_parameter *row)
{
	char value[VALUE_MAX];
	int64_t number;

	if (row->use == LXFW_PARAMETER_NONE)
		return row->why;
	if (row->use != LXFW_PARAMETER_READ || row->unit == 0)
		return NULL;
	if (!read_number(item, &number))
		return "expected a whole number";
	return row->key ? key_value(text, row, number, value) : NULL;
}

char *lxfw_parameters_idle(const char *text)
{
	const char *rest = text, *before = "", *why;
	struct lxfw_parameter_item item;
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		return NULL;
	while (lxfw_parameters_next(&rest, &item)) {
		const struct lxfw_parameter *row = lxfw_parameter_find(item.at, item.name);

		why = row ? lxfw_parameter_idle(text, &item, row) : NULL;
		if (!why)
			continue;
		fprintf(to, "%s%.*s (%s%s%s)", before, (int)item.length, item.at, why,
			row->use == LXFW_PARAMETER_NONE && row->key ? "; similar: " : "",
			row->use == LXFW_PARAMETER_NONE && row->key ? row->key : "");
		before = ", ";
	}
	if (fclose(to) == 0)
		return out;
	free(out);
	return NULL;
}

/* --- unknown items ---------------------------------------------------------------- */

static bool is_unknown(const struct lxfw_parameter_item *item)
{
	return !(item->name >= 4 && strncasecmp(item->at, "lxfw", 4) == 0) &&
	       !lxfw_parameter_find(item->at, item->name) &&
	       !lxfw_parameter_elsewhere(item->at, item->name);
}

char *lxfw_parameters_unknown(const char *text)
{
	const char *before = "", *nearest;
	struct lxfw_parameter_item item;
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		return NULL;
	while (lxfw_parameters_next(&text, &item)) {
		if (!is_unknown(&item))
			continue;
		nearest = lxfw_parameter_nearest(item.at, item.name);
		fprintf(to, "%s%.*s%s%s%s", before, (int)item.length, item.at,
			nearest ? " (did you mean " : "", nearest ? nearest : "",
			nearest ? "?)" : "");
		before = ", ";
	}
	if (fclose(to) == 0)
		return out;
	free(out);
	return NULL;
}
