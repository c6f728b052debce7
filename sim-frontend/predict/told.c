/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/told.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define FORMAT "%Y-%m-%dT%H:%M"
#define TIME_SIZE 32
#define LATER "later"

/* A time is rewritten if it changed by more than this share of the time until it. */
#define SHARE 10

void lxfw_told_make(struct lxfw_told *told, const struct lxfw_live *live,
		    const struct lxfw_expected *job)
{
	*told = (struct lxfw_told) {
		.times = { job->start, job->low50, job->high50, job->low90, job->high90 },
		.at = live->now, .corrected = live->remaining != NULL,
	};
}

static const char *put_time(int64_t time, char text[TIME_SIZE])
{
	time_t seconds = (time_t)time;
	struct tm tm;

	if (time == LXFW_NEVER || !localtime_r(&seconds, &tm) ||
	    strftime(text, TIME_SIZE, FORMAT, &tm) == 0)
		snprintf(text, TIME_SIZE, LATER);
	return text;
}

void lxfw_told_format(const struct lxfw_told *told, char text[LXFW_TOLD_SIZE])
{
	char times[LXFW_TOLD_TIMES][TIME_SIZE], at[TIME_SIZE];

	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		put_time(told->times[i], times[i]);
	snprintf(text, LXFW_TOLD_SIZE, "lxfw: expected start %s, %s50 %% %s to %s, 90 %% %s to "
		 "%s, forecast of %s", times[LXFW_TOLD_START],
		 told->corrected ? "" : "uncorrected ", times[LXFW_TOLD_LOW50],
		 times[LXFW_TOLD_HIGH50], times[LXFW_TOLD_LOW90], times[LXFW_TOLD_HIGH90],
		 put_time(told->at, at));
}

/* --- reading ---------------------------------------------------------------------- */

static bool take_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) != 0)
		return false;
	*text += length;
	return true;
}

static bool take_time(const char **text, int64_t *time)
{
	struct tm tm = { .tm_isdst = -1 };
	const char *end;

	*time = LXFW_NEVER;
	if (take_word(text, LATER))
		return true;
	end = strptime(*text, FORMAT, &tm);
	if (!end)
		return false;
	*text = end;
	*time = (int64_t)mktime(&tm);
	return true;
}

bool lxfw_told_parse(struct lxfw_told *told, const char *text)
{
	char again[LXFW_TOLD_SIZE];
	const char *at = text;

	*told = (struct lxfw_told) { .corrected = true };
	if (!take_word(&at, "lxfw: expected start ") ||
	    !take_time(&at, &told->times[LXFW_TOLD_START]) || !take_word(&at, ", "))
		return false;
	told->corrected = !take_word(&at, "uncorrected ");
	if (!take_word(&at, "50 % ") || !take_time(&at, &told->times[LXFW_TOLD_LOW50]) ||
	    !take_word(&at, " to ") || !take_time(&at, &told->times[LXFW_TOLD_HIGH50]) ||
	    !take_word(&at, ", 90 % ") || !take_time(&at, &told->times[LXFW_TOLD_LOW90]) ||
	    !take_word(&at, " to ") || !take_time(&at, &told->times[LXFW_TOLD_HIGH90]) ||
	    !take_word(&at, ", forecast of ") || !take_time(&at, &told->at))
		return false;
	if (*at)
		return false;
	/* strptime() accepts more than one form of a number. */
	lxfw_told_format(told, again);
	return strlen(again) == strlen(text);
}

static bool time_differs(int64_t old, int64_t new, int64_t now)
{
	int64_t change, left;

	if (old == LXFW_NEVER || new == LXFW_NEVER)
		return old != new;
	/* A text has whole minutes: those of two times a second apart may differ by one. */
	new -= new % 60;
	change = old > new ? old - new : new - old;
	left = new > now ? new - now : 0;
	return change > 60 && change > left / SHARE;
}

bool lxfw_told_differs(const struct lxfw_told *old, const struct lxfw_told *new)
{
	for (int i = 0; i < LXFW_TOLD_TIMES; i++) {
		/* A bound that is the time of the forecast moves on with it. */
		if (i != LXFW_TOLD_START && old->times[i] <= old->at &&
		    new->times[i] <= new->at)
			continue;
		if (time_differs(old->times[i], new->times[i], new->at))
			return true;
	}
	return old->corrected != new->corrected;
}
