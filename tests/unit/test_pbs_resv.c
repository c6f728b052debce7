/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations of an OpenPBS server: recurrence rules, and the vnodes of occurrences. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "plugins/pbs/recur.h"
#include "plugins/pbs/resv.h"

/* 27 March 2026, 9:00 in Berlin; summer time begins on the 29th. */
#define FRIDAY_9 1774598400
#define DAY 86400

static bool has_ical(void)
{
	int64_t time;

	if (lxfw_pbs_recur("FREQ=DAILY;COUNT=1", "Europe/Berlin", FRIDAY_9, &time, 1) == 1)
		return true;
	print_message("# skipped: built without libical\n");
	return false;
}

static void recurrence(void **state)
{
	static const int64_t daily[] = {
		FRIDAY_9, FRIDAY_9 + DAY, FRIDAY_9 + 2 * DAY - 3600, FRIDAY_9 + 3 * DAY - 3600
	};
	int64_t times[8];

	(void)state;
	if (!has_ical())
		return;
	/* At the same local time. */
	assert_int_equal(lxfw_pbs_recur("FREQ=DAILY;COUNT=4", "Europe/Berlin", FRIDAY_9, times, 8),
			 4);
	assert_memory_equal(times, daily, sizeof(daily));
	assert_int_equal(lxfw_pbs_recur("FREQ=DAILY;COUNT=4", "Europe/Berlin", FRIDAY_9, times, 2),
			 2);
	assert_int_equal(lxfw_pbs_recur("FREQ=WEEKLY;BYDAY=MO,FR;COUNT=3", "Europe/Berlin",
					FRIDAY_9, times, 8), 3);
	assert_int_equal(times[1], FRIDAY_9 + 3 * DAY - 3600);
	/* The hours of the rule replace that of the start. */
	assert_int_equal(lxfw_pbs_recur("FREQ=DAILY;BYHOUR=10,20;COUNT=2", "Europe/Berlin",
					FRIDAY_9, times, 8), 2);
	assert_int_equal(times[0], FRIDAY_9 + 3600);
	assert_int_equal(lxfw_pbs_recur("FREQ=DAILY;UNTIL=20260328T235959", "Europe/Berlin",
					FRIDAY_9, times, 8), 2);
	assert_int_equal(lxfw_pbs_recur("FREQ=NEVER", "Europe/Berlin", FRIDAY_9, times, 8), -1);
	assert_int_equal(lxfw_pbs_recur("", "Europe/Berlin", FRIDAY_9, times, 8), -1);
	assert_int_equal(lxfw_pbs_recur("FREQ=DAILY;COUNT=4", "Nowhere/At_All", FRIDAY_9, times,
					8), -1);
}

static void sequences(void **state)
{
	static const char *const bad[] = {
		"", "3", "0#", "2#(a){0}", "2#(a){0-2}", "2#(a){0-1}(b){1}", "2#(a){1-0}",
		"2#(a){0,1", "2#(a){0-}", "x#(a){0}", "2#(a)", "9999999999#(a){0}",
	};
	char *text, **nodes = NULL;

	(void)state;
	assert_int_equal(lxfw_pbs_sequence_read("4#(a:ncpus=1){0, 2-3}(b:ncpus=1){1}", &nodes), 4);
	assert_string_equal(nodes[0], "(a:ncpus=1)");
	assert_string_equal(nodes[1], "(b:ncpus=1)");
	assert_string_equal(nodes[2], "(a:ncpus=1)");
	assert_string_equal(nodes[3], "(a:ncpus=1)");
	text = lxfw_pbs_sequence_write(nodes, 4);
	assert_string_equal(text, "4#(a:ncpus=1){0}(b:ncpus=1){1}(a:ncpus=1){2-3}");
	free(text);
	lxfw_pbs_sequence_free(nodes, 4);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (lxfw_pbs_sequence_read(bad[i], &nodes) != -1)
			fail_msg("%s was read", bad[i]);
		assert_int_equal(errno, EINVAL);
	}
}

static void set_standing(struct lxfw_pbs_resv *resv, const char *index, const char *sequence)
{
	lxfw_pbs_resv_set(resv, "reserve_state", NULL, "2");
	lxfw_pbs_resv_set(resv, "reserve_start", NULL, "1774598400");
	lxfw_pbs_resv_set(resv, "reserve_end", NULL, "1774602000");
	lxfw_pbs_resv_set(resv, "resv_nodes", NULL, "(now)");
	lxfw_pbs_resv_set(resv, "reserve_rrule", NULL, "FREQ=DAILY;COUNT=4");
	lxfw_pbs_resv_set(resv, "reserve_timezone", NULL, "Europe/Berlin");
	lxfw_pbs_resv_set(resv, "reserve_count", NULL, "4");
	lxfw_pbs_resv_set(resv, "reserve_index", NULL, index);
	lxfw_pbs_resv_set(resv, "reserve_execvnodes", NULL, sequence);
	assert_true(lxfw_pbs_resv_unroll(resv));
}

static void occurrences(void **state)
{
	struct lxfw_pbs_resv resv = { 0 };

	(void)state;
	if (!has_ical())
		return;
	set_standing(&resv, "0", "4#(a){0}(b){1}(c){2}(d){3}");
	assert_int_equal(lxfw_pbs_resv_remaining(&resv), 4);	/* none has begun */
	set_standing(&resv, "2", "4#(a){0}(b){1}(c){2}(d){3}");
	assert_int_equal(lxfw_pbs_resv_remaining(&resv), 3);
	assert_int_equal(resv.occurrences, 3);
	assert_string_equal(resv.occurrence[0].nodes, "(now)");
	assert_string_equal(resv.occurrence[1].nodes, "(c)");
	assert_string_equal(resv.occurrence[2].nodes, "(d)");
	assert_int_equal(resv.occurrence[1].start, FRIDAY_9 + DAY);
	assert_int_equal(resv.occurrence[1].end, FRIDAY_9 + DAY + 3600);
	/* A sequence that was confirmed later is shorter. */
	set_standing(&resv, "3", "3#(b){0}(c){1}(d){2}");
	assert_int_equal(resv.occurrences, 2);
	assert_string_equal(resv.occurrence[1].nodes, "(d)");
	/* The present one ends; the others stay. */
	assert_int_equal(lxfw_pbs_resv_first(&resv), 0);
	lxfw_pbs_resv_set(&resv, "reserve_state", NULL, "9");
	assert_int_equal(lxfw_pbs_resv_first(&resv), 1);
	lxfw_pbs_resv_set(&resv, "reserve_state", NULL, "7");
	assert_int_equal(lxfw_pbs_resv_first(&resv), 2);
	/* One that was altered: the others are as before. */
	lxfw_pbs_resv_set(&resv, "reserve_standing_revert", "start_time", "1774594800");
	lxfw_pbs_resv_set(&resv, "reserve_standing_revert", "walltime", "00:30:00");
	set_standing(&resv, "1", "4#(a){0-3}");
	assert_int_equal(resv.occurrence[0].start, FRIDAY_9);
	assert_int_equal(resv.occurrence[1].start, FRIDAY_9 - 3600 + DAY);
	assert_int_equal(resv.occurrence[1].end, FRIDAY_9 - 1800 + DAY);
	/* Vnodes that cannot be read are unknown. */
	set_standing(&resv, "1", "nonsense");
	assert_int_equal(resv.occurrences, 4);
	assert_null(resv.occurrence[1].nodes);
	lxfw_pbs_resv_set(&resv, "reserve_timezone", NULL, "Nowhere/At_All");
	assert_true(lxfw_pbs_resv_unroll(&resv));
	assert_true(resv.unknown);
	assert_int_equal(resv.occurrences, 1);
	lxfw_pbs_resv_clear(&resv);
}

/* A reservation that has not changed keeps its occurrences from look to look. */
static void taken(void **state)
{
	struct lxfw_pbs_resv old = { 0 }, resv = { 0 };
	const struct lxfw_pbs_occurrence *occurrence;

	(void)state;
	if (!has_ical())
		return;
	set_standing(&old, "2", "4#(a){0}(b){1}(c){2}(d){3}");
	set_standing(&resv, "2", "4#(a){0}(b){1}(c){2}(d){3}");
	occurrence = old.occurrence;
	assert_true(lxfw_pbs_resv_take(&resv, &old));
	assert_ptr_equal(resv.occurrence, occurrence);
	assert_int_equal(resv.occurrences, 3);
	assert_int_equal(old.occurrences, 0);
	assert_false(lxfw_pbs_resv_take(&old, &old));
	set_standing(&old, "3", "4#(a){0}(b){1}(c){2}(d){3}");
	assert_false(lxfw_pbs_resv_take(&old, &resv));
	set_standing(&old, "2", "4#(a){0}(b){1}(c){2}(a){3}");
	assert_false(lxfw_pbs_resv_take(&old, &resv));
	lxfw_pbs_resv_clear(&old);
	lxfw_pbs_resv_clear(&resv);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recurrence),
		cmocka_unit_test(sequences),
		cmocka_unit_test(occurrences),
		cmocka_unit_test(taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
