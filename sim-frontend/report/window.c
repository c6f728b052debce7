/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selects the window of the schedules to show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/window.h"

#include "sim-frontend/util/text.h"

#define DAY INT64_C(86400)

/* Days with this fraction of the highest utilization are candidates. */
#define FULL_SHARE 0.95

/* Maximum number of days examined. */
#define DAYS_MAX 100000

/* Returns the first second of the day of TIME. */
static int64_t midnight(const struct lxfw_window_of *of, int64_t time)
{
	struct lxfw_moment moment;

	lxfw_calendar_moment(of->calendar, time, &moment);
	return time - moment.second;
}

static int parse_time(const struct lxfw_window_of *of,
		      const char *text, int64_t *time)
{
	if (lxfw_calendar_parse(of->calendar, text, of->begin, time) == 0)
		return 0;
	if (lxfw_text_duration(text, time))
		return -1;
	*time += of->begin;
	return 0;
}

int lxfw_window_parse(const struct lxfw_window_of *of,
		      const char *text, struct lxfw_window *window,
		      struct lxfw_error *error)
{
	const char *comma = strchr(text, ',');
	char first[40], quoted[60];

	if (comma && (size_t)(comma - text) < sizeof(first)) {
		memcpy(first, text, (size_t)(comma - text));
		first[comma - text] = '\0';
		if (parse_time(of, first, &window->from) == 0 &&
		    parse_time(of, comma + 1, &window->until) == 0) {
			if (window->from < window->until &&
			    window->from <= of->end &&
			    window->until > of->begin)
				return 0;
			return lxfw_error_format(error, "--window '%s' is not "
				"within the log, or ends before it begins",
				lxfw_text_quote(quoted, sizeof(quoted), text,
						strlen(text)));
		}
	}
	return lxfw_error_format(error, "--window '%s', expected FROM,TO, "
		"each %sa duration after the first submission",
		lxfw_text_quote(quoted, sizeof(quoted), text, strlen(text)),
		of->calendar->known ? "2026-01-31T12:00 or " : "");
}

/* Utilization and starts between FROM and UNTIL. */
struct day {
	int64_t from, until;
	double used;		/* processor-seconds in use */
	int64_t started;	/* number of jobs */
};

static void look_at_day(const struct lxfw_window_of *of,
			struct day *day)
{
	const struct lxfw_timeline *timeline = of->timeline;
	int64_t procs = of->procs;
	size_t i = lxfw_timeline_at(timeline, day->from + 1);

	day->used = 0;
	day->started = 0;
	for (i = i > 0 ? i - 1 : 0; i + 1 < timeline->count; i++) {
		const struct lxfw_stretch *stretch = &timeline->stretches[i];
		int64_t begin = stretch->begin, end = stretch[1].begin;

		if (begin >= day->until)
			break;
		if (begin >= day->from)
			day->started += stretch->started;
		begin = begin > day->from ? begin : day->from;
		end = end < day->until ? end : day->until;
		if (end > begin)
			day->used += (double)(end - begin) *
				     (double)(stretch->held < procs ?
					      stretch->held : procs);
	}
}

/* Advances to the next day of the calendar. Returns false after the last day. */
static bool next_day(const struct lxfw_window_of *of,
		     struct day *day, int *count)
{
	day->from = *count ? day->until : midnight(of, of->begin);
	day->until = midnight(of, day->from + DAY + DAY / 12);
	if (day->until <= day->from)
		day->until = day->from + DAY;
	if (*count > 0 && (day->from >= of->end || *count == DAYS_MAX))
		return false;
	++*count;
	look_at_day(of, day);
	return true;
}

void lxfw_window_busiest(const struct lxfw_window_of *of,
			 struct lxfw_window *window)
{
	double fullest = 0;
	int64_t most = -1;
	struct day day;

	for (int count = 0; next_day(of, &day, &count); ) {
		if (day.used > fullest)
			fullest = day.used;
	}
	for (int count = 0; next_day(of, &day, &count); ) {
		if (day.used < FULL_SHARE * fullest || day.started <= most)
			continue;
		most = day.started;
		*window = (struct lxfw_window) { day.from, day.until };
	}
}
