/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pbs_text.h"

#include <string.h>

struct lxfw_slice lxfw_pbs_value(struct lxfw_slice text, const char *key)
{
	const char *at = text.at, *end = text.at + text.length;
	size_t size = strlen(key);

	while (at && at < end) {
		const char *found = memmem(at, (size_t)(end - at), key, size);
		struct lxfw_slice value;

		if (!found)
			break;
		at = found + size;
		if ((found > text.at && found[-1] != ' ') || at >= end ||
		    *at != '=')
			continue;
		value.at = ++at;
		while (at < end && *at != ' ')
			at++;
		value.length = (size_t)(at - value.at);
		return value;
	}
	return (struct lxfw_slice) { 0 };
}

int64_t lxfw_pbs_time(struct lxfw_slice text, const char *key)
{
	struct lxfw_slice value = lxfw_pbs_value(text, key);
	const char *point = value.at ? memchr(value.at, '.', value.length) : NULL;
	int64_t time = -1;

	if (point)
		value.length = (size_t)(point - value.at);
	return lxfw_slice_integer(value, 0, LXFW_ACCOUNT_TIME_MAX, &time) ? time : -1;
}

int64_t lxfw_pbs_span(struct lxfw_slice text, const char *key)
{
	struct lxfw_slice value = lxfw_pbs_value(text, key);
	int64_t span;

	if (lxfw_slice_span(value, &span) ||
	    lxfw_slice_integer(value, 0, LXFW_ACCOUNT_TIME_MAX, &span))
		return span;
	return -1;
}

int64_t lxfw_pbs_size(struct lxfw_slice text, const char *key)
{
	int64_t kb;

	return lxfw_slice_size(lxfw_pbs_value(text, key), 1, &kb) ? kb : -1;
}

struct lxfw_slice lxfw_pbs_part(struct lxfw_slice *list, char stop)
{
	struct lxfw_slice part = { list->at, 0 };

	while (part.length < list->length && part.at[part.length] != stop)
		part.length++;
	list->at += part.length;
	list->length -= part.length;
	if (list->length > 0)
		list->at++, list->length--;
	return part;
}

int64_t lxfw_pbs_number_in(struct lxfw_slice chunk, const char *key)
{
	size_t size = strlen(key);
	int64_t number;

	while (chunk.length > 0) {
		struct lxfw_slice item = lxfw_pbs_part(&chunk, ':');

		if (item.length <= size || memcmp(item.at, key, size) != 0)
			continue;
		item.at += size;
		item.length -= size;
		if (lxfw_slice_integer(item, 0, INT32_MAX, &number))
			return number;
	}
	return -1;
}

int64_t lxfw_pbs_size_in(struct lxfw_slice chunk, const char *key)
{
	int64_t kb;

	while (chunk.length > 0) {
		struct lxfw_slice item = lxfw_pbs_part(&chunk, ':');

		if (!lxfw_slice_begins(item, key))
			continue;
		item.at += strlen(key);
		item.length -= strlen(key);
		if (lxfw_slice_size(item, 1, &kb))
			return kb;
	}
	return 0;
}
