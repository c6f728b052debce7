/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of lxfw_pbs_calendar_read(). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"
#include "plugins/agent/log.h"
#include "plugins/pbs/calendar.h"
#include "plugins/pbs/scripts.h"
#include "plugins/pbs/text.h"

#define BOTH 2

/* A year. */
#define SPILL_MAX (INT64_C(366) * 86400)

/* --- sched_config --------------------------------------------------------------------- */

static bool set_prefix(struct lxfw_pbs_calendar *calendar, char **to, const char *value)
{
	free(*to);
	*to = strdup(value);
	calendar->failed |= !*to;
	return true;
}

/* Reads "prime", "non_prime" or "all"; NULL is all. Returns 1, 0, BOTH, or -1. */
static int read_when(const char *text)
{
	static const char *const names[] = { "non_prime", "prime", "all" };

	if (!text)
		return BOTH;
	for (int i = 0; i < 3; i++) {
		if (strcasecmp(text, names[i]) == 0)
			return i;
	}
	return -1;
}

/* Sets TRUTH, and NOT to the opposite if it is not NULL, in one of the times or in both. */
static bool set_truth(bool *truth, bool *not, const char *value, int when)
{
	bool is_true;

	if (when < 0 || !lxfw_pbs_truth(value, &is_true))
		return false;
	for (int i = 0; i < 2; i++) {
		if (when != BOTH && when != i)
			continue;
		truth[i] = is_true;
		if (not)
			not[i] = !is_true;
	}
	return true;
}

static bool set_spill(struct lxfw_pbs_calendar *calendar, const char *value, int when)
{
	int64_t seconds;

	if (!lxfw_pbs_duration(value, &seconds) || seconds > SPILL_MAX)
		return false;
	for (int i = 0; i < 2; i++) {
		if (when == BOTH || when == i)
			calendar->spill[i] = seconds;
	}
	return true;
}

/* The first of the keys matters: "job_priority HIGH". */
static bool set_sort_key(struct lxfw_pbs_calendar *calendar, const char *value, int when)
{
	size_t length = strcspn(value, " \t");
	const char *order = value + length + strspn(value + length, " \t");
	bool is_priority = (length == strlen("job_priority") &&
			    strncmp(value, "job_priority", length) == 0) ||
			   (length == strlen("sort_priority") &&
			    strncmp(value, "sort_priority", length) == 0);
	bool is_high = strcasecmp(order, "HIGH") == 0;

	if (when < 0 || (!is_high && strcasecmp(order, "LOW") != 0))
		return false;
	for (int i = 0; i < 2; i++) {
		if ((when != BOTH && when != i) || calendar->sorted[i])
			continue;
		calendar->sorted[i] = true;
		calendar->by_priority[i] = !is_priority ? 0 : is_high ? 1 : -1;
	}
	return true;
}

static bool add_script(struct lxfw_pbs_calendar *calendar, const char *value)
{
	if (!lxfw_pbs_script_is_valid(value))
		return false;
	if (LXFW_GROW(calendar->script, calendar->script_size, calendar->script_count + 1)) {
		calendar->failed = true;
		return true;
	}
	calendar->script[calendar->script_count] = strdup(value);
	calendar->failed |= !calendar->script[calendar->script_count];
	calendar->script_count += calendar->script[calendar->script_count] != NULL;
	return true;
}

/* The next word of *AT, quoted or not; ends it. NULL at the end. */
static char *word(char **at, const char *ends)
{
	char *begin, *end;

	*at += strspn(*at, " \t");
	if (!**at)
		return NULL;
	if (**at == '"') {
		begin = ++*at;
		end = strchr(begin, '"');
	} else {
		begin = *at;
		end = begin + strcspn(begin, ends);
	}
	if (end && *end) {
		*end = '\0';
		*at = end + 1;
	} else {
		*at = begin + strlen(begin);
	}
	return begin;
}

/* Other keys are the stock scheduler's. */
static bool read_config(struct lxfw_pbs_calendar *calendar, char *line)
{
	char *key = word(&line, ": \t"), *value, *when;

	line += strspn(line, ": \t");
	value = word(&line, " \t");
	when = word(&line, " \t");
	if (!key || !value)
		return true;
	if (strcmp(key, "dedicated_prefix") == 0)
		return set_prefix(calendar, &calendar->dedicated_prefix, value);
	if (strcmp(key, "primetime_prefix") == 0)
		return set_prefix(calendar, &calendar->prime_prefix, value);
	if (strcmp(key, "nonprimetime_prefix") == 0)
		return set_prefix(calendar, &calendar->nonprime_prefix, value);
	if (strcmp(key, "prime_exempt_anytime_queues") == 0)
		return lxfw_pbs_truth(value, &calendar->exempt);
	if (strcmp(key, "resv_confirm_ignore") == 0)
		calendar->ignored = strcmp(value, "dedicated_time") == 0;
	if (strcmp(key, "backfill_prime") == 0)
		return set_truth(calendar->backfill, NULL, value, read_when(when));
	if (strcmp(key, "by_queue") == 0)
		return set_truth(calendar->by_queue, calendar->together, value, read_when(when));
	if (strcmp(key, "preemptive_sched") == 0)
		return set_truth(calendar->preempts, NULL, value, read_when(when));
	if (strcmp(key, "strict_ordering") == 0)
		return set_truth(calendar->strict, NULL, value, read_when(when));
	if (strcmp(key, "job_sort_key") == 0)
		return set_sort_key(calendar, value, read_when(when));
	if (strcmp(key, "round_robin") == 0)
		return set_truth(calendar->round_robin, NULL, value, read_when(when));
	if (strcmp(key, "server_dyn_res") == 0)
		return add_script(calendar, value);
	if (strcmp(key, "prime_spill") == 0)
		return read_when(when) >= 0 && set_spill(calendar, value, read_when(when));
	return true;
}

/* --- dedicated_time ------------------------------------------------------------------- */

static bool to_time(struct tm *tm, int64_t *time)
{
	if (tm->tm_mon < 1 || tm->tm_mon > 12 || tm->tm_mday < 1 || tm->tm_mday > 31 ||
	    tm->tm_year < 0 || tm->tm_year > 9999 || tm->tm_hour < 0 ||
	    tm->tm_hour > 24 || tm->tm_min < 0 || tm->tm_min > 59)
		return false;
	tm->tm_mon--;
	/* Two digits: from 1990 on. */
	if (tm->tm_year < 90)
		tm->tm_year += 100;
	else if (tm->tm_year > 1900)
		tm->tm_year -= 1900;
	tm->tm_isdst = -1;
	*time = mktime(tm);
	return true;
}

static bool read_dedicated(struct lxfw_pbs_calendar *calendar, char *line)
{
	struct tm from = { 0 }, to = { 0 };
	struct lxfw_pbs_gap gap;
	size_t at;

	if (sscanf(line, "%d/%d/%d %d:%d %d/%d/%d %d:%d", &from.tm_mon, &from.tm_mday,
		   &from.tm_year, &from.tm_hour, &from.tm_min, &to.tm_mon, &to.tm_mday,
		   &to.tm_year, &to.tm_hour, &to.tm_min) != 10 ||
	    !to_time(&from, &gap.from) || !to_time(&to, &gap.to) || gap.to <= gap.from)
		return false;
	if (LXFW_GROW(calendar->gap, calendar->gap_size, calendar->gap_count + 1)) {
		calendar->failed = true;
		return true;
	}
	for (at = calendar->gap_count++; at > 0 && calendar->gap[at - 1].from > gap.from; at--)
		calendar->gap[at] = calendar->gap[at - 1];
	calendar->gap[at] = gap;
	return true;
}

/* --- holidays ------------------------------------------------------------------------- */

/* Reads HHMM, "all" or "none": then *MINUTE is -1, and *ALL says which. */
static bool read_clock(const char *text, int32_t *minute, bool *all)
{
	int64_t number;

	*minute = -1;
	*all = text && strcasecmp(text, "all") == 0;
	if (!text || *all || strcasecmp(text, "none") == 0)
		return text != NULL;
	if (!lxfw_pbs_number(text, &number) || number / 100 > 24 || number % 100 > 59)
		return false;
	*minute = (int32_t)(number / 100 * 60 + number % 100);
	return true;
}

static bool set_day(struct lxfw_pbs_day *day, const char *prime, const char *nonprime)
{
	struct lxfw_pbs_day made = { .set = true };
	bool prime_all, nonprime_all;

	if (!read_clock(prime, &made.prime, &prime_all) ||
	    !read_clock(nonprime, &made.nonprime, &nonprime_all))
		return false;
	/* "all all" and "none none" are prime time all day. */
	made.all = prime_all || (made.nonprime < 0 && !nonprime_all);
	made.none = !made.all && (made.prime < 0 || nonprime_all);
	made.prime = made.prime < 0 ? 0 : made.prime;
	made.nonprime = made.nonprime < 0 ? 0 : made.nonprime;
	*day = made;
	return true;
}

static bool read_day(struct lxfw_pbs_calendar *calendar, const char *name, const char *prime,
		     const char *nonprime)
{
	static const char *const days[] = {
		"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"
	};
	bool weekday = strcmp(name, "weekday") == 0;

	for (int i = 0; i < 7; i++) {
		bool is = weekday ? i >= 1 && i <= 5 : strcmp(name, days[i]) == 0;

		if (is && !set_day(&calendar->day[i], prime, nonprime))
			return false;
		if (is && !weekday)
			return true;
	}
	return weekday;
}

static bool read_holiday(struct lxfw_pbs_calendar *calendar, char *line)
{
	char *name = word(&line, " \t"), *first = word(&line, " \t"), *second = word(&line, " \t");
	int64_t number;

	if (!name || strcmp(name, "HOLIDAYFILE_VERSION1") == 0)
		return true;
	if (strcmp(name, "YEAR") == 0) {
		if (!first || !lxfw_pbs_number(first, &number) || number > 9999)
			return false;
		calendar->year = (int32_t)number;
		return true;
	}
	if (!isdigit((unsigned char)*name))
		return read_day(calendar, name, first, second);
	if (!lxfw_pbs_number(name, &number) || number < 1 || number > 366)
		return false;
	calendar->holiday[number] = true;
	return true;
}

/* --- the files ------------------------------------------------------------------------ */

static const struct {
	const char *name, *expected;
	bool (*read)(struct lxfw_pbs_calendar *calendar, char *line);
} files[] = {
	{ "sched_config", "a valid value", read_config },
	{ "dedicated_time", "MM/DD/YYYY HH:MM MM/DD/YYYY HH:MM", read_dedicated },
	{ "holidays", "YEAR NUMBER, DAY PRIME NONPRIME, or a number of a day", read_holiday },
};

#define FILES (sizeof(files) / sizeof(files[0]))

bool lxfw_pbs_calendar_line(struct lxfw_pbs_calendar *calendar, int index, char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '#' || *line == '*' || files[index].read(calendar, line);
}

static void read_file(struct lxfw_pbs_calendar *calendar, const char *folder, size_t index)
{
	char *path = NULL, *line = NULL;
	size_t size = 0;
	FILE *file;

	if (asprintf(&path, "%s/%s", folder, files[index].name) < 0) {
		calendar->failed = true;
		return;
	}
	file = fopen(path, "r");
	for (int number = 1; file && getline(&line, &size, file) > 0; number++) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!lxfw_pbs_calendar_line(calendar, (int)index, line))
			lxfw_log_error("%s:%d: this line is left out: expected %s", path, number,
				       files[index].expected);
	}
	if (file)
		fclose(file);
	free(line);
	free(path);
}

static bool have_changed(const struct lxfw_pbs_calendar *calendar, const char *folder,
			 struct stat *now)
{
	bool changed = false;

	for (size_t i = 0; i < FILES; i++) {
		const struct stat *before = &calendar->files[i];
		char path[4096];
		int length = snprintf(path, sizeof(path), "%s/%s", folder, files[i].name);

		memset(&now[i], 0, sizeof(now[i]));
		if (length < 0 || (size_t)length >= sizeof(path) || stat(path, &now[i]) < 0)
			memset(&now[i], 0, sizeof(now[i]));
		changed |= now[i].st_ino != before->st_ino || now[i].st_size != before->st_size ||
			   now[i].st_mtim.tv_sec != before->st_mtim.tv_sec ||
			   now[i].st_mtim.tv_nsec != before->st_mtim.tv_nsec;
	}
	return changed;
}

bool lxfw_pbs_calendar_read(struct lxfw_pbs_calendar *calendar, const char *folder)
{
	struct stat now[FILES];

	if (!have_changed(calendar, folder, now))
		return false;
	lxfw_pbs_calendar_clear(calendar);
	for (size_t i = 0; i < FILES; i++)
		read_file(calendar, folder, i);
	memcpy(calendar->files, now, sizeof(now));
	if (calendar->failed)
		memset(calendar->files, 0, sizeof(calendar->files));
	return true;
}
