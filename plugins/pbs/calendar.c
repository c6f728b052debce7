/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/calendar.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Days in which a change of prime time is searched for: a year, because of holidays. */
#define SEARCH_DAYS 370

/* Seconds for which it is known that there is none. */
#define ASKED_SECONDS 86400

void lxfw_pbs_calendar_clear(struct lxfw_pbs_calendar *calendar)
{
	free(calendar->dedicated_prefix);
	free(calendar->prime_prefix);
	free(calendar->nonprime_prefix);
	free(calendar->gap);
	for (size_t i = 0; i < calendar->script_count; i++)
		free(calendar->script[i]);
	free(calendar->script);
	memset(calendar, 0, sizeof(*calendar));
}

static bool begins(const char *name, const char *prefix)
{
	return prefix && *prefix && strncmp(name, prefix, strlen(prefix)) == 0;
}

enum lxfw_pbs_class lxfw_pbs_class_of(const struct lxfw_pbs_calendar *calendar,
				      const char *queue)
{
	if (!queue)
		return LXFW_PBS_ANYTIME;
	if (begins(queue, calendar->dedicated_prefix))
		return LXFW_PBS_DEDICATED;
	if (begins(queue, calendar->prime_prefix))
		return LXFW_PBS_PRIME;
	return begins(queue, calendar->nonprime_prefix) ? LXFW_PBS_NONPRIME : LXFW_PBS_ANYTIME;
}

/* --- prime time ----------------------------------------------------------------------- */

bool lxfw_pbs_is_prime(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	time_t seconds = (time_t)at;
	const struct lxfw_pbs_day *day;
	struct tm tm;
	int32_t minute;

	if (calendar->year == 0)
		return true;
	localtime_r(&seconds, &tm);
	day = &calendar->day[tm.tm_wday];
	minute = tm.tm_hour * 60 + tm.tm_min;
	if (calendar->holiday[tm.tm_yday + 1] || day->none)
		return false;
	if (!day->set || day->all)
		return true;
	if (day->prime < day->nonprime)
		return minute >= day->prime && minute < day->nonprime;
	return day->prime > day->nonprime && (minute >= day->prime || minute < day->nonprime);
}

/* The time MINUTE of the day that is DAYS after that of AT. */
static int64_t time_of(int64_t at, int days, int32_t minute)
{
	time_t seconds = (time_t)at;
	struct tm tm;

	localtime_r(&seconds, &tm);
	tm.tm_mday += days;
	tm.tm_hour = minute / 60;
	tm.tm_min = minute % 60;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

static int compare_times(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return (one > other) - (one < other);
}

/* It changes at the beginning of a day or at one of the day's two times. */
static int64_t find_change(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	bool prime = lxfw_pbs_is_prime(calendar, at);

	if (calendar->year == 0)
		return LXFW_NEVER;
	for (int i = 0; i < SEARCH_DAYS; i++) {
		time_t noon = (time_t)time_of(at, i, 720);
		const struct lxfw_pbs_day *day;
		int64_t times[3];
		struct tm tm;

		localtime_r(&noon, &tm);
		day = &calendar->day[tm.tm_wday];
		times[0] = time_of(at, i, 0);
		times[1] = time_of(at, i, day->prime);
		times[2] = time_of(at, i, day->nonprime);
		qsort(times, 3, sizeof(times[0]), compare_times);
		for (int j = 0; j < 3; j++) {
			if (times[j] > at && lxfw_pbs_is_prime(calendar, times[j]) != prime)
				return times[j];
		}
	}
	return LXFW_NEVER;
}

int64_t lxfw_pbs_prime_change(struct lxfw_pbs_calendar *calendar, int64_t at)
{
	bool known = calendar->asked && at >= calendar->asked &&
		     (calendar->changes ? at < calendar->change[0] :
					  at < calendar->asked + ASKED_SECONDS);
	int64_t next = at;

	if (!known) {
		calendar->asked = at;
		calendar->changes = 0;
		while (calendar->changes < LXFW_PBS_CHANGES &&
		       (next = find_change(calendar, next)) != LXFW_NEVER)
			calendar->change[calendar->changes++] = next;
	}
	return calendar->changes ? calendar->change[0] : LXFW_NEVER;
}

int64_t lxfw_pbs_prime_limit(const struct lxfw_pbs_calendar *calendar, int index)
{
	bool prime;

	if (index >= calendar->changes)
		return LXFW_NEVER;
	prime = !lxfw_pbs_is_prime(calendar, calendar->change[index]);
	if (!calendar->backfill[prime])
		return LXFW_NEVER;
	return calendar->change[index] + calendar->spill[!prime];
}

/* --- the order of jobs ----------------------------------------------------------------- */

enum lxfw_pbs_queue_order lxfw_pbs_queue_order(const struct lxfw_pbs_calendar *calendar,
					       int64_t at)
{
	bool prime = lxfw_pbs_is_prime(calendar, at);

	if (calendar->round_robin[prime])
		return LXFW_PBS_QUEUES_BY_PRIORITY;
	return calendar->by_queue[prime] ? LXFW_PBS_QUEUES_IN_TURN :
	       calendar->together[prime] ? LXFW_PBS_QUEUES_TOGETHER :
					   LXFW_PBS_QUEUES_BY_PRIORITY;
}

bool lxfw_pbs_preempts(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	return calendar->preempts[lxfw_pbs_is_prime(calendar, at)];
}

bool lxfw_pbs_is_strict(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	return calendar->strict[lxfw_pbs_is_prime(calendar, at)];
}

void lxfw_pbs_calendar_installed(struct lxfw_pbs_calendar *calendar)
{
	for (int i = 0; i < 2; i++) {
		calendar->by_queue[i] = calendar->preempts[i] = true;
		calendar->together[i] = false;
	}
}

int lxfw_pbs_priority_order(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	return calendar->by_priority[lxfw_pbs_is_prime(calendar, at)];
}

/* --- dedicated time ------------------------------------------------------------------- */

const struct lxfw_pbs_gap *lxfw_pbs_dedicated(const struct lxfw_pbs_calendar *calendar,
					      int64_t at)
{
	for (size_t i = 0; i < calendar->gap_count; i++) {
		if (calendar->gap[i].to > at)
			return &calendar->gap[i];
	}
	return NULL;
}

bool lxfw_pbs_meets_dedicated(const struct lxfw_pbs_calendar *calendar, int64_t start,
			      int64_t end)
{
	for (size_t i = 0; i < calendar->gap_count; i++) {
		const struct lxfw_pbs_gap *gap = &calendar->gap[i];

		if (start < gap->to && gap->from < end && (start < gap->from || gap->to < end))
			return true;
	}
	return false;
}

/* --- queues --------------------------------------------------------------------------- */

static bool is_dedicated(const struct lxfw_pbs_calendar *calendar, int64_t at)
{
	const struct lxfw_pbs_gap *gap = lxfw_pbs_dedicated(calendar, at);

	return gap && gap->from <= at;
}

int64_t lxfw_pbs_must_end(struct lxfw_pbs_calendar *calendar, const char *queue, int64_t at)
{
	enum lxfw_pbs_class class = lxfw_pbs_class_of(calendar, queue);
	int64_t end = LXFW_NEVER, limit;

	if (class == LXFW_PBS_DEDICATED && is_dedicated(calendar, at))
		end = lxfw_pbs_dedicated(calendar, at)->to;
	if (class != LXFW_PBS_PRIME && class != LXFW_PBS_NONPRIME)
		return end;
	(void)lxfw_pbs_prime_change(calendar, at);
	limit = lxfw_pbs_prime_limit(calendar, 0);
	return limit < end ? limit : end;
}

const char *lxfw_pbs_closed(struct lxfw_pbs_calendar *calendar, const char *queue, int64_t at,
			    int64_t seconds)
{
	enum lxfw_pbs_class class = lxfw_pbs_class_of(calendar, queue);
	bool dedicated = is_dedicated(calendar, at), prime = lxfw_pbs_is_prime(calendar, at);

	if (class == LXFW_PBS_DEDICATED && !dedicated)
		return lxfw_pbs_dedicated(calendar, at) ?
			       "its queue waits for dedicated time" :
			       "its queue waits for dedicated time, and none is planned";
	if (class != LXFW_PBS_DEDICATED && dedicated)
		return "it is dedicated time";
	if (class == LXFW_PBS_PRIME && !prime)
		return "its queue waits for prime time";
	if (class == LXFW_PBS_NONPRIME && prime)
		return calendar->year ? "its queue waits for nonprime time" :
			"its queue waits for nonprime time, and the holidays file has none";
	if (at + seconds <= lxfw_pbs_must_end(calendar, queue, at))
		return NULL;
	return class == LXFW_PBS_DEDICATED ? "it would run beyond the dedicated time" :
					     "it would run across a change of prime time";
}
