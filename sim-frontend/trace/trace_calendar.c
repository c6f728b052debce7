/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/trace_calendar.h"

#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

#define DAY INT64_C(86400)

/* Ten thousand years. A larger value in a header is not a valid time. */
#define TIME_MAX_SANE INT64_C(315576000000)

static bool header_integer(const struct lxfw_trace *trace, const char *key,
			   int64_t min, int64_t max, int64_t *value)
{
	const char *text = lxfw_trace_header(trace, key);

	/* "3600 # DEPRECATED" occurs */
	return text && lxfw_text_integer(text, strcspn(text, " \t#"), min, max,
					 value) == 0;
}

void lxfw_trace_calendar(const struct lxfw_trace *trace,
			 struct lxfw_calendar *calendar)
{
	const char *name = lxfw_trace_header(trace, "TimeZoneString");

	*calendar = (struct lxfw_calendar) { .zone = "UTC" };
	calendar->known = header_integer(trace, "UnixStartTime", 1,
					 TIME_MAX_SANE, &calendar->begin);
	if (!calendar->known && trace->count > 0)
		calendar->known = lxfw_calendar_is_unix(
			trace->jobs[lxfw_trace_at(trace, 0)].submit);
	if (!calendar->known)
		return;
	if (name && *name && strlen(name) < sizeof(calendar->zone) &&
	    lxfw_zone_set(name)) {
		calendar->zone_rules = true;
		strcpy(calendar->zone, name);
	} else if (header_integer(trace, "TimeZone", -DAY, DAY,
				  &calendar->offset) && calendar->offset != 0) {
		snprintf(calendar->zone, sizeof(calendar->zone), "UTC%+g",
			 (double)calendar->offset / 3600);
	}
}
