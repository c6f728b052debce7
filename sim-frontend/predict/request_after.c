/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/request_after.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/util/text.h"

#define MINUTES_MAX (10 * 366 * 1440)

static const char *const names[] = {
	[LXFW_REQUEST_AFTER_OK] = "afterok", [LXFW_REQUEST_AFTER_ANY] = "afterany",
	[LXFW_REQUEST_AFTER_START] = "after",
};

/* Finds the kind of a word of LENGTH bytes. */
static bool find_kind(const char *word, size_t length, enum lxfw_request_after_kind *kind)
{
	for (int i = 0; i <= LXFW_REQUEST_AFTER_START; i++) {
		if (strlen(names[i]) == length && strncasecmp(word, names[i], length) == 0) {
			*kind = (enum lxfw_request_after_kind)i;
			return true;
		}
	}
	return false;
}

/* "12", "12_3", "12_*", "12+5" of LENGTH bytes. */
static bool take_job(const char *text, size_t length, struct lxfw_request_after *to)
{
	size_t digits = strspn(text, "0123456789"), more;
	int64_t minutes;

	to->task = -1;
	if (digits > length || lxfw_text_integer(text, digits, 1, UINT32_MAX, &to->job))
		return false;
	text += digits;
	length -= digits;
	if (length == 2 && strncmp(text, "_*", 2) == 0)
		return true;
	if (length > 0 && *text == '_') {
		more = strspn(text + 1, "0123456789");
		if (more >= length || lxfw_text_integer(text + 1, more, 0, UINT32_MAX - 2, &to->task))
			return false;
		text += more + 1;
		length -= more + 1;
	}
	if (length == 0)
		return true;
	if (*text != '+' || to->kind != LXFW_REQUEST_AFTER_START ||
	    lxfw_text_integer(text + 1, length - 1, 0, MINUTES_MAX, &minutes))
		return false;
	to->delay = 60 * minutes;
	return true;
}

/* "afterok:12:13" of LENGTH bytes. */
static bool take_jobs(const char *text, size_t length, struct lxfw_request_after *list, int *count)
{
	struct lxfw_request_after after = { .task = -1 };
	size_t word = strcspn(text, ":");

	if (word >= length || !find_kind(text, word, &after.kind))
		return false;
	for (const char *at = text + word + 1, *end = text + length; at <= end;) {
		size_t part = strcspn(at, ":,");

		if (*count == LXFW_REQUEST_AFTERS || !take_job(at, part, &after))
			return false;
		list[(*count)++] = after;
		after.delay = 0;
		at += part + 1;
	}
	return true;
}

bool lxfw_request_after_read(const char *text, struct lxfw_request_after *list, int *count)
{
	*count = 0;
	for (;;) {
		size_t length = strcspn(text, ",");

		if (!take_jobs(text, length, list, count))
			return false;
		text += length;
		if (!*text++)
			return true;
	}
}

void lxfw_request_after_format(const struct lxfw_request_after *list, int count, char *text,
			       size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (int i = 0; i < count && used < size; i++) {
		used += (size_t)snprintf(text + used, size - used, "%s%s:%lld", i > 0 ? "," : "",
					 names[list[i].kind], (long long)list[i].job);
		if (list[i].task >= 0 && used < size)
			used += (size_t)snprintf(text + used, size - used, "_%lld",
						 (long long)list[i].task);
		if (list[i].delay > 0 && used < size)
			used += (size_t)snprintf(text + used, size - used, "+%lld",
						 (long long)(list[i].delay / 60));
	}
}
