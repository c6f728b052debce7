/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The digits at *AT, which moves behind them. */
static bool digits(const char **at, int64_t *number)
{
	char *end;
	long long value;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	value = strtoll(*at, &end, 10);
	if (errno)
		return false;
	*at = end;
	*number = value;
	return true;
}

bool lxfw_pbs_number(const char *text, int64_t *number)
{
	int64_t value;

	if (!digits(&text, &value) || *text)
		return false;
	*number = value;
	return true;
}

bool lxfw_pbs_integer(const char *text, int64_t *number)
{
	bool negative = *text == '-';

	if (!lxfw_pbs_number(text + negative, number))
		return false;
	if (negative)
		*number = -*number;
	return true;
}

bool lxfw_pbs_thousandths(const char *text, bool up, int64_t *number)
{
	int64_t value = 0, unit = 1000;

	if (*text != '.' && !digits(&text, &value))
		return false;
	if (value >= INT64_MAX / 1000 || (*text == '.' && !isdigit((unsigned char)text[1])))
		return false;
	value *= 1000;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++) {
			unit /= 10;
			if (unit)
				value += unit * (*text - '0');
			else if (up && *text != '0') {
				value++;
				up = false;
			}
		}
	}
	if (*text)
		return false;
	*number = value;
	return true;
}

/* The power of 1024 of a prefix of a unit, or -1. */
static int power_of(char prefix)
{
	static const char prefixes[] = "kmgtp";
	const char *at = prefix ? strchr(prefixes, tolower((unsigned char)prefix)) : NULL;

	return at ? (int)(at - prefixes) + 1 : -1;
}

bool lxfw_pbs_size(const char *text, int64_t *kb)
{
	int64_t value;
	int power = 0;

	if (!digits(&text, &value))
		return false;
	if (power_of(*text) > 0)
		power = power_of(*text++);
	if (*text == 'w' || *text == 'W') {
		if (value > INT64_MAX / 8)
			return false;
		value *= 8;
		text++;
	} else if (*text == 'b' || *text == 'B') {
		text++;
	}
	if (*text)
		return false;
	if (power == 0) {
		*kb = value / 1024 + (value % 1024 != 0);
		return true;
	}
	for (; power > 1; power--) {
		if (value > INT64_MAX / 1024)
			return false;
		value *= 1024;
	}
	*kb = value;
	return true;
}

bool lxfw_pbs_duration(const char *text, int64_t *seconds)
{
	int64_t total = 0, part;

	for (int parts = 0; ; parts++) {
		if (parts == 3 || !digits(&text, &part) ||
		    total > (INT64_MAX - part) / 60)
			return false;
		total = total * 60 + part;
		if (*text != ':')
			break;
		text++;
	}
	if (*text == '.' && isdigit((unsigned char)text[1])) {
		text++;
		if (!digits(&text, &part))
			return false;
	}
	if (*text)
		return false;
	*seconds = total;
	return true;
}

bool lxfw_pbs_truth(const char *text, bool *value)
{
	static const char *const words[] = { "false", "f", "n", "0", "true", "t", "y", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0) {
			*value = i >= 4;
			return true;
		}
	}
	return false;
}

bool lxfw_pbs_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list && *list) {
		size_t item;

		list += strspn(list, " ,");
		item = strcspn(list, ",");
		if (item == length && strncmp(list, name, length) == 0 && length)
			return true;
		list += item;
	}
	return false;
}
