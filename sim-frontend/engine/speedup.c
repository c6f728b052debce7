/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/speedup.h"

#include <stdlib.h>
#include <string.h>

/* Parses a number from MIN to MAX at *TEXT and moves *TEXT past it. */
static int take_number(const char **text, double min, double max, double *value)
{
	char *end;
	size_t length = strspn(*text, "0123456789.");

	if (length == 0)
		return -1;
	*value = strtod(*text, &end);
	if (end != *text + length || *value < min || *value > max)
		return -1;
	*text = end;
	return 0;
}

int lxfw_speedup_parse(struct lxfw_speedup *speedup, const char *text)
{
	struct lxfw_speedup read = { .kind = LXFW_SPEEDUP_LINEAR };

	if (strcmp(text, "linear") == 0) {
		text += 6;
	} else if (strncmp(text, "amdahl:", 7) == 0) {
		read.kind = LXFW_SPEEDUP_AMDAHL;
		text += 7;
		if (take_number(&text, 0, 1, &read.serial))
			return -1;
	} else if (strncmp(text, "downey:", 7) == 0) {
		read.kind = LXFW_SPEEDUP_DOWNEY;
		text += 7;
		if (take_number(&text, 1, 1e6, &read.parallelism) ||
		    *text++ != ',' ||
		    take_number(&text, 0, 1e6, &read.variance))
			return -1;
	} else {
		return -1;
	}
	if (*text != '\0')
		return -1;
	*speedup = read;
	return 0;
}

static double downey(double a, double sigma, double n)
{
	if (sigma <= 1) {
		if (n <= a)
			return a * n / (a + sigma / 2 * (n - 1));
		if (n <= 2 * a - 1)
			return a * n / (sigma * (a - 0.5) +
					n * (1 - sigma / 2));
		return a;
	}
	if (n <= a + a * sigma - sigma)
		return n * a * (sigma + 1) / (sigma * (n + a - 1) + a);
	return a;
}

/* Returns S(n) of a curve for n >= 1. */
static double speed(const struct lxfw_speedup *speedup, double n)
{
	if (speedup->kind == LXFW_SPEEDUP_AMDAHL)
		return 1 / (speedup->serial + (1 - speedup->serial) / n);
	return downey(speedup->parallelism, speedup->variance, n);
}

int64_t lxfw_speedup_full(const struct lxfw_speedup *speedup,
			  int64_t requested)
{
	if (!speedup || speedup->kind == LXFW_SPEEDUP_LINEAR)
		return requested;
	return LXFW_SPEEDUP_UNIT;
}

int64_t lxfw_speedup_rate(const struct lxfw_speedup *speedup, int64_t procs,
			  int64_t requested)
{
	int64_t full = lxfw_speedup_full(speedup, requested), rate;

	if (procs <= 0)
		return 0;
	if (procs >= requested)
		return full;
	if (!speedup || speedup->kind == LXFW_SPEEDUP_LINEAR)
		return procs;
	rate = (int64_t)(speed(speedup, (double)procs) /
			 speed(speedup, (double)requested) * (double)full + 0.5);
	if (rate > full)
		rate = full;
	return rate > 0 ? rate : 1;
}

int64_t lxfw_speedup_beyond(const struct lxfw_speedup *speedup, int64_t procs,
			    int64_t requested)
{
	int64_t full = lxfw_speedup_full(speedup, requested), rate;

	if (!speedup || speedup->kind == LXFW_SPEEDUP_LINEAR)
		return procs;
	rate = (int64_t)(speed(speedup, (double)procs) /
			 speed(speedup, (double)requested) * (double)full + 0.5);
	return rate > full ? rate : full;
}
