/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/recur.h"

#ifdef LXFW_WITH_ICAL

#include <libical/ical.h>

int32_t lxfw_pbs_recur(const char *rule, const char *zone, int64_t start, int64_t *times,
		       int32_t count)
{
	struct icalrecurrencetype recurrence;
	icaltimezone *local;
	icalrecur_iterator *iterator;
	int32_t found = 0;

	icalerror_set_errors_are_fatal(0);
	icalerror_clear_errno();
	local = icaltimezone_get_builtin_timezone(zone);
	recurrence = icalrecurrencetype_from_string(rule);
	if (!local || recurrence.freq == ICAL_NO_RECURRENCE)
		return -1;
	/* A rule is about local times: "at 9 every day". */
	iterator = icalrecur_iterator_new(recurrence, icaltime_from_timet_with_zone(
			(time_t)start, 0, local));
	if (!iterator)
		return -1;
	while (found < count) {
		struct icaltimetype next = icalrecur_iterator_next(iterator);

		if (icaltime_is_null_time(next))
			break;
		times[found++] = icaltime_as_timet_with_zone(next, local);
	}
	icalrecur_iterator_free(iterator);
	return found;
}

#else

int32_t lxfw_pbs_recur(const char *rule, const char *zone, int64_t start, int64_t *times,
		       int32_t count)
{
	(void)rule, (void)zone, (void)start, (void)times, (void)count;
	return -1;
}

#endif
