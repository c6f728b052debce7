/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a publication: what is written is read, and what is damaged is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/model/time.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/report/queue.h"

static char path[] = "/tmp/lxfw-publication-XXXXXX";

static int make_path(void **state)
{
	int file = mkstemp(path);

	(void)state;
	return file < 0 || close(file) ? -1 : 0;
}

static int remove_path(void **state)
{
	(void)state;
	return unlink(path);
}

static struct lxfw_publication_job *add(struct lxfw_publication *to,
					enum lxfw_publication_state state, const char *name,
					const char *user)
{
	struct lxfw_publication_job *job = lxfw_publication_add(to);

	assert_non_null(job);
	job->state = state;
	strcpy(job->name, name);
	strcpy(job->user, user);
	return job;
}

static void fill(struct lxfw_publication *to)
{
	struct lxfw_publication_job *job;

	strcpy(to->cluster, "alps");
	to->time = 1000000;
	to->heard = 999990;
	to->until = 1001800;
	to->procs = 128;
	to->hosts = 8;
	to->corrected = to->states[0] = true;
	job = add(to, LXFW_PUBLISHED_WAITING, "17_3", "anna");
	job->position = 1;
	job->procs = 64;
	job->limit = 3600;
	job->submit = 990000;
	strcpy(job->partition, "batch");
	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		job->times[i] = 1000100 + i;
	job->times[LXFW_TOLD_HIGH90] = LXFW_NEVER;
	job = add(to, LXFW_PUBLISHED_KEPT, "18", "");
	job->reason = LXFW_REASON_HELD_BY_USER;
	strcpy(job->said, "JobHeldUser");
	job = add(to, LXFW_PUBLISHED_RUNNING, "19", "bob");
	job->start = 995000;
	job->end = 1000500;
	job->latest = 1001000;
	to->use = calloc(2, sizeof(*to->use));
	to->waits = calloc(1, sizeof(*to->waits));
	assert_non_null(to->use);
	assert_non_null(to->waits);
	to->use_count = 2;
	assert_int_equal(lxfw_publication_note(to, "a note"), 0);
	to->use[1] = (struct lxfw_publication_use) { 1001800, { 10, 64, 128 } };
	to->wait_count = 1;
	to->waits[0] = (struct lxfw_publication_wait) { 1000000, 60, LXFW_NEVER, 31 };
	to->quality = (struct lxfw_publication_quality) {
		.since = 900000, .predictions = 40, .jobs = 12, .error = 61.5, .near = 0.75,
		.states = { 40, 20 }, .inside = { 0.5, 0.9 }, .both = 3, .error_of_both = 1,
		.near_of_both = 1, .error_of_manager = 7200, .near_of_manager = 0.25,
	};
}

static void assert_same_job(const struct lxfw_publication_job *a,
			    const struct lxfw_publication_job *b)
{
	assert_int_equal(a->state, b->state);
	assert_string_equal(a->name, b->name);
	assert_string_equal(a->user, b->user);
	assert_string_equal(a->partition, b->partition);
	assert_int_equal(a->reason, b->reason);
	assert_string_equal(a->said, b->said);
	assert_int_equal(a->position, b->position);
	assert_int_equal(a->procs, b->procs);
	assert_int_equal(a->limit, b->limit);
	assert_int_equal(a->submit, b->submit);
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->latest, b->latest);
	assert_memory_equal(a->times, b->times, sizeof(a->times));
}

static void what_is_written_is_read(void **state)
{
	struct lxfw_publication from = { 0 }, to = { 0 };
	struct lxfw_error error;
	struct stat about;
	mode_t mask = umask(077);

	(void)state;
	fill(&from);
	assert_int_equal(lxfw_publication_write(&from, path, &error), 0);
	umask(mask);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 07777, 0644);
	if (lxfw_publication_read(&to, path, &error))
		fail_msg("%s", error.text);
	assert_string_equal(to.cluster, "alps");
	assert_int_equal(to.time, from.time);
	assert_int_equal(to.heard, from.heard);
	assert_int_equal(to.until, from.until);
	assert_int_equal(to.procs, 128);
	assert_int_equal(to.hosts, 8);
	assert_true(to.corrected && to.states[0] && !to.states[1]);
	assert_int_equal(to.count, from.count);
	for (size_t i = 0; i < to.count; i++)
		assert_same_job(&from.jobs[i], &to.jobs[i]);
	assert_int_equal(to.note_count, 1);
	assert_string_equal(to.notes[0].text, "a note");
	assert_int_equal(to.use_count, 2);
	assert_memory_equal(to.use, from.use, 2 * sizeof(*to.use));
	assert_int_equal(to.wait_count, 1);
	assert_memory_equal(to.waits, from.waits, sizeof(*to.waits));
	assert_memory_equal(&to.quality, &from.quality, sizeof(to.quality));
	lxfw_publication_clear(&from);
	lxfw_publication_clear(&to);
}

/* Every part of the text that is cut off or changed gives a message or a publication, and no
   names that must not be written to a terminal. */
static void damage_is_refused(void **state)
{
	struct lxfw_publication from = { 0 };
	struct json_object *object;
	char *text;
	size_t length;

	(void)state;
	fill(&from);
	object = lxfw_publication_json(&from);
	assert_non_null(object);
	text = strdup(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	assert_non_null(text);
	length = strlen(text);
	for (size_t i = 0; i < length; i++) {
		struct lxfw_publication to = { 0 };
		struct lxfw_error error = { "" };
		char saved = text[i];

		assert_int_not_equal(lxfw_publication_parse(&to, text, i, "file", &error), 0);
		assert_memory_equal(error.text, "file: ", 6);
		lxfw_publication_clear(&to);
		text[i] = saved == '9' ? '-' : '9';
		(void)lxfw_publication_parse(&to, text, length, "file", &error);
		lxfw_publication_clear(&to);
		text[i] = saved;
	}
	free(text);
	json_object_put(object);
	lxfw_publication_clear(&from);
}

static void refuse(const char *text, const char *words)
{
	struct lxfw_publication to = { 0 };
	struct lxfw_error error = { "" };

	assert_int_not_equal(lxfw_publication_parse(&to, text, strlen(text), "file", &error), 0);
	if (!strstr(error.text, words))
		fail_msg("%s", error.text);
	lxfw_publication_clear(&to);
}

static void bad_values_are_named(void **state)
{
	struct lxfw_publication to = { 0 };
	struct lxfw_error error;
	static const char odd[] = "{\"version\":1,\"waiting\":[{\"job\":\"1\\u001b[2J\"}]}";

	(void)state;
	refuse("[]", "damaged");
	refuse("{}", "version");
	refuse("{\"version\":2}", "version");
	refuse("{\"version\":1,\"time\":\"now\"}", "\"time\"");
	refuse("{\"version\":1,\"time\":-1}", "\"time\"");
	refuse("{\"version\":1,\"time\":1099511627777}", "\"time\"");
	refuse("{\"version\":1,\"running\":[{\"latest_end\":9000000000000000000}]}",
	       "\"latest_end\"");
	refuse("{\"version\":1,\"waiting\":{}}", "\"waiting\"");
	refuse("{\"version\":1,\"waiting\":[7]}", "\"waiting\"");
	refuse("{\"version\":1,\"waiting\":[{\"position\":1}]}", "\"job\"");
	refuse("{\"version\":1,\"running\":[{\"job\":\"\"}]}", "\"job\"");
	refuse("{\"version\":1,\"use\":[{\"low\":1e99}]}", "\"low\"");
	refuse("{\"version\":1,\"notes\":[{\"note\":7}]}", "\"note\"");
	refuse("{\"version\":1,\"quality\":{\"jobs\":true}}", "\"jobs\"");
	assert_int_equal(lxfw_publication_parse(&to, odd, sizeof(odd) - 1, "file", &error), 0);
	assert_string_equal(to.jobs[0].name, "1?[2J");
	assert_true(to.jobs[0].times[LXFW_TOLD_START] == LXFW_NEVER);
	lxfw_publication_clear(&to);
}

/* A reader is not flooded. */
static void notes_are_few(void **state)
{
	struct lxfw_publication of = { 0 };
	char text[2 * LXFW_PUBLICATION_NOTE], *file = NULL;
	struct lxfw_error error;
	size_t size;
	FILE *out = open_memstream(&file, &size);

	(void)state;
	assert_non_null(out);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 2 * LXFW_PUBLICATION_NOTES; i++)
		assert_int_equal(lxfw_publication_note(&of, text), 0);
	assert_int_equal(of.note_count, LXFW_PUBLICATION_NOTES);
	assert_int_equal(strlen(of.notes[0].text), LXFW_PUBLICATION_NOTE - 1);
	lxfw_publication_clear(&of);
	fputs("{\"version\":1,\"notes\":[{\"note\":\"1\\u001b[2J\"}", out);
	for (int i = 0; i < 2 * LXFW_PUBLICATION_NOTES; i++)
		fprintf(out, ",{\"note\":\"%s\"}", text);
	fputs("]}", out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(lxfw_publication_parse(&of, file, strlen(file), "file", &error), 0);
	assert_int_equal(of.note_count, LXFW_PUBLICATION_NOTES);
	assert_string_equal(of.notes[0].text, "1?[2J");
	assert_int_equal(strlen(of.notes[1].text), LXFW_PUBLICATION_NOTE - 1);
	free(file);
	lxfw_publication_clear(&of);
}

static void jobs_are_chosen(void **state)
{
	struct lxfw_publication of = { 0 };
	char *names[] = { "17", "19", "2" }, *arrays[] = { "17_[3-4%1]", "1_[7]" };
	char *components[] = { "15", "15+1", "16", "14" };

	(void)state;
	add(&of, LXFW_PUBLISHED_WAITING, "17_3", "anna");
	add(&of, LXFW_PUBLISHED_WAITING, "17_4", "anna");
	add(&of, LXFW_PUBLISHED_WAITING, "171", "anna");
	add(&of, LXFW_PUBLISHED_RUNNING, "19", "bob");
	add(&of, LXFW_PUBLISHED_WAITING, "15+0", "anna");
	add(&of, LXFW_PUBLISHED_WAITING, "15+1", "anna");
	assert_int_equal(lxfw_publication_lacks(&of, components, 4), 3);
	assert_int_equal(lxfw_publication_id("15+1"), 16);
	assert_int_equal(lxfw_publication_id("17"), 17);
	assert_true(lxfw_publication_id("17_3") == (17 | UINT64_C(4) << 32));
	assert_int_equal(lxfw_publication_id("15+"), 0);
	assert_int_equal(lxfw_publication_id("17_"), 0);
	assert_int_equal(lxfw_publication_id("x"), 0);
	assert_int_equal(lxfw_publication_lacks(&of, names, 3), 2);
	assert_int_equal(lxfw_publication_lacks(&of, names, 2), 2);
	assert_int_equal(lxfw_publication_lacks(&of, arrays, 2), 1);
	assert_int_equal(lxfw_publication_choose(&of, names, 3, NULL), 2);
	assert_int_equal(of.count, 3);
	assert_string_equal(of.jobs[2].name, "19");
	assert_int_equal(lxfw_publication_choose(&of, NULL, 0, "anna"), 0);
	assert_int_equal(of.count, 2);
	assert_int_equal(lxfw_publication_count(&of, LXFW_PUBLISHED_RUNNING), 0);
	lxfw_publication_clear(&of);
}

static void times_are_words(void **state)
{
	char text[2 * LXFW_QUEUE_TIME];
	int64_t day = 86400, noon = 20000 * day + day / 2;

	(void)state;
	assert_string_equal(lxfw_queue_time(noon, noon, text), "now");
	assert_string_equal(lxfw_queue_time(noon + 3600, noon, text), "13:00");
	assert_string_equal(lxfw_queue_time(noon + day, noon, text), "Sat 12:00");
	assert_string_equal(lxfw_queue_time(noon + 7 * day, noon, text), "2024-10-11 12:00");
	assert_string_equal(lxfw_queue_time(LXFW_NEVER, noon, text), "later");
	assert_string_equal(lxfw_queue_span(noon - 5, noon + 60, noon, text), "by 12:01");
	assert_string_equal(lxfw_queue_span(noon + 60, LXFW_NEVER, noon, text), "after 12:01");
	assert_string_equal(lxfw_queue_span(noon + 60, noon + 120, noon, text), "12:01 - 12:02");
	assert_string_equal(lxfw_queue_span(noon, LXFW_NEVER, noon, text), "not known");
	assert_string_equal(lxfw_queue_span(noon - 2, noon, noon, text), "now");
}

static void age_is_noticed(void **state)
{
	struct lxfw_publication of = { .time = 1000, .until = 2800 };

	(void)state;
	assert_false(lxfw_queue_is_old(&of, 2800));
	assert_true(lxfw_queue_is_old(&of, 2801));
	of.heard = 1000;
	of.answers = true;
	assert_false(lxfw_queue_is_old(&of, 1600));
	assert_true(lxfw_queue_is_old(&of, 1601));
	assert_true(lxfw_queue_is_outdated(&of, 1601));
	/* A workload manager that has not answered the last time. */
	of.answers = false;
	assert_false(lxfw_queue_is_old(&of, 1060));
	assert_true(lxfw_queue_is_old(&of, 1061));
	assert_false(lxfw_queue_is_outdated(&of, 1601));
	/* Whether a service renews it. */
	assert_false(lxfw_queue_is_renewed(&of, 1000));
	of.next = 1300;
	assert_true(lxfw_queue_is_renewed(&of, 1899));
	assert_false(lxfw_queue_is_renewed(&of, 1900));
	assert_false(lxfw_queue_is_renewed(&of, 399));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_written_is_read, make_path, remove_path),
		cmocka_unit_test(damage_is_refused),
		cmocka_unit_test(bad_values_are_named),
		cmocka_unit_test(notes_are_few),
		cmocka_unit_test(jobs_are_chosen),
		cmocka_unit_test(times_are_words),
		cmocka_unit_test(age_is_noticed),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
