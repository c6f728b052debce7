/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a publication is made of: the queue, running jobs, what squeue shows, the page, the starts
   that a journal has, and the predictions that are kept. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/sched.h"
#include "sim-frontend/cmd/predict_publish.h"
#include "sim-frontend/publish/outlook.h"
#include "sim-frontend/publish/publish.h"
#include "sim-frontend/report/queue.h"

static char folder[] = "/tmp/lxfw-publish-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/file", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

/* --- a scheduler with two running and three waiting jobs ------------------------------ */

static void enter(struct lxfw_sched *sched, struct lxfw_past *past,
		  const struct lxfw_event *event)
{
	struct lxfw_error error;

	if (lxfw_sched_apply(sched, event, &error))
		fail_msg("%s", error.text);
	assert_int_equal(lxfw_past_event(past, event), 0);
}

static void submit(struct lxfw_sched *sched, struct lxfw_past *past, uint64_t id, int64_t time,
		   int procs, int64_t limit)
{
	struct lxfw_request request = {
		.id = id, .submit = time, .estimate = limit, .unit.procs = 1, .count = procs,
		.shape = LXFW_SHAPE_ANYWHERE,
	};
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = time, .request = &request,
	};

	enter(sched, past, &event);
}

static void run(struct lxfw_sched *sched, struct lxfw_past *past, uint64_t id, int64_t time,
		int procs, int64_t limit)
{
	struct lxfw_share share = { .host = 0, .amount.procs = procs };
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .time = time,
		.run = { .id = id, .expected_end = time + limit, .shares = &share, .count = 1 },
	};

	enter(sched, past, &event);
}

/* Job 1 has 3 processors until 7200, job 2 one until 3600; jobs 3, 4 and 5 wait. */
static struct lxfw_sched *make_sched(struct lxfw_past *past)
{
	struct lxfw_params params;
	struct lxfw_sched *sched;
	const struct lxfw_event host = {
		.type = LXFW_EVENT_HOST, .time = 0,
		.host = { .index = 0, .name = "n1", .up = true, .total.procs = 4 },
	};

	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	sched = lxfw_sched_create(&params);
	assert_non_null(sched);
	enter(sched, past, &host);
	submit(sched, past, 1, 0, 3, 7200);
	run(sched, past, 1, 0, 3, 7200);
	submit(sched, past, 2, 0, 1, 3600);
	run(sched, past, 2, 0, 1, 3600);
	for (uint64_t id = 3; id <= 5; id++)
		submit(sched, past, id, (int64_t)id, 4, 600);
	return sched;
}

static void expect(struct lxfw_expected *job, uint64_t id, int64_t start)
{
	*job = (struct lxfw_expected) {
		.request = { .id = id, .submit = (int64_t)id, .estimate = 600, .unit.procs = 1,
			     .count = 4, .shape = LXFW_SHAPE_ANYWHERE },
		.start = start, .low50 = start - 10, .high50 = start + 10, .low90 = start - 60,
		.high90 = LXFW_NEVER, .alternative_to = -1,
	};
}

static void jobs_are_in_order(void **state)
{
	struct lxfw_past past = { 0 };
	struct lxfw_sched *sched = make_sched(&past);
	const struct lxfw_live live = { .sched = sched, .past = &past, .now = 100, .seed = 1 };
	struct lxfw_job_names names = { 0 };
	struct lxfw_kept_jobs kept = { 0 };
	struct lxfw_expected jobs[3];
	struct lxfw_listed listed = { 0 };
	char text[] = "1|1|anna|p,q|0|\n3|3|bob|p|9000|\nodd\n|||||\n"
		      "7|7_[3-9]|eve|r|N/A|\n8|7_2|eve|s|5|\n";
	struct lxfw_publish publish = {
		.live = &live, .names = &names, .kept = &kept, .jobs = jobs, .count = 3,
		.listed = &listed,
	};
	struct lxfw_publication made = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		expect(&jobs[i], 3 + i, 7200 + 600 * (int64_t)i);
	assert_int_equal(lxfw_listed_take(&listed, text), 0);
	assert_int_equal(listed.count, 4);
	assert_true(lxfw_listed_of_several(&listed));
	assert_int_equal(lxfw_publish_make(&publish, &made), 0);
	assert_int_equal(made.count, 5);
	assert_int_equal(made.procs, 4);
	assert_int_equal(made.hosts, 1);
	assert_string_equal(made.jobs[0].name, "3");
	assert_int_equal(made.jobs[0].position, 1);
	assert_int_equal(made.jobs[0].procs, 4);
	assert_int_equal(made.jobs[2].position, 3);
	assert_int_equal(made.jobs[2].times[LXFW_TOLD_START], 8400);
	assert_string_equal(made.jobs[0].partition, "p");
	assert_string_equal(made.jobs[0].user, "");
	/* Running jobs by expected end, which is after now and not beyond the limit. */
	assert_string_equal(made.jobs[3].name, "2");
	assert_string_equal(made.jobs[4].name, "1");
	assert_int_equal(made.jobs[4].procs, 3);
	assert_int_equal(made.jobs[4].latest, 7200);
	for (int i = 3; i < 5; i++)
		assert_true(made.jobs[i].end > 100 && made.jobs[i].end <= made.jobs[i].latest);
	/* Nothing is known of run times: the median is about half of the limit. */
	assert_true(made.jobs[4].end > 1800 && made.jobs[4].end < 5400);
	lxfw_publication_clear(&made);

	publish.users = true;
	assert_int_equal(lxfw_publish_make(&publish, &made), 0);
	assert_string_equal(made.jobs[0].user, "bob");
	lxfw_publication_clear(&made);

	/* A waiting task has the record of its array, a running one its own. */
	assert_string_equal(lxfw_listed_find(&listed, 7 | UINT64_C(5) << 32)->partition, "r");
	assert_string_equal(lxfw_listed_find(&listed, 7 | UINT64_C(3) << 32)->partition, "s");
	assert_string_equal(lxfw_listed_named(&listed, "7_8")->user, "eve");
	assert_string_equal(lxfw_listed_named(&listed, "3")->user, "bob");
	assert_null(lxfw_listed_named(&listed, "4"));
	lxfw_listed_clear(&listed);
	lxfw_sched_destroy(sched);
	lxfw_past_clear(&past);
}

static void the_next_day_is_within_the_machine(void **state)
{
	struct lxfw_past past = { 0 };
	struct lxfw_sched *sched = make_sched(&past);
	const struct lxfw_live live = {
		.sched = sched, .past = &past, .now = 100, .seed = 1, .threads = 1,
	};
	struct lxfw_publication made = { 0 };
	struct lxfw_error error;

	(void)state;
	if (lxfw_outlook(&made, &live, &error))
		fail_msg("%s", error.text);
	assert_int_equal(made.use_count, 49);
	assert_int_equal(made.wait_count, 0);
	assert_int_equal(made.use[0].procs[LXFW_USE_LOW], 4);
	assert_int_equal(made.use[0].procs[LXFW_USE_HIGH], 4);
	for (size_t i = 0; i < made.use_count; i++) {
		const int64_t *procs = made.use[i].procs;

		assert_int_equal(made.use[i].time, 100 + 1800 * (int64_t)i);
		assert_true(procs[0] >= 0 && procs[0] <= procs[1] && procs[1] <= procs[2] &&
			    procs[2] <= 4);
	}
	/* All limits are over. */
	assert_int_equal(made.use[48].procs[LXFW_USE_HIGH], 0);
	lxfw_publication_clear(&made);
	lxfw_sched_destroy(sched);
	lxfw_past_clear(&past);
}

/* --- predictions ------------------------------------------------------------------------ */

static struct lxfw_records *open_records(void)
{
	struct lxfw_error error;
	struct lxfw_records *records = lxfw_records_open(path, &error);

	if (!records && errno == ENOTSUP)
		skip();
	assert_non_null(records);
	return records;
}

/* Of 120 jobs, 50 all over the queue are kept, with what Slurm expects. */
static void predictions_are_kept(void **state)
{
	struct lxfw_live live = { .now = 100 };
	struct lxfw_expected jobs[120];
	char text[] = "120|120|anna|p|9000|\n";
	struct lxfw_listed listed = { 0 };
	const struct lxfw_publish publish = {
		.live = &live, .jobs = jobs, .count = 120, .listed = &listed,
	};
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_records();
	struct lxfw_error error;
	uint64_t most = 0;

	(void)state;
	for (uint64_t i = 0; i < 120; i++)
		expect(&jobs[i], i + 1, 1000);
	assert_int_equal(lxfw_listed_take(&listed, text), 0);
	assert_int_equal(lxfw_publish_keep(&publish, records, &error), 0);
	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	assert_int_equal(promises.count, LXFW_PUBLISH_KEPT);
	for (size_t i = 0; i < promises.count; i++)
		most = promises.list[i].job > most ? promises.list[i].job : most;
	assert_true(most > 115);
	assert_true(promises.list[0].weight == 2.4);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
	lxfw_listed_clear(&listed);
	assert_int_equal(unlink(path), 0);
}

/* What a service published before is listed again while squeue does not answer. */
static void published_jobs_are_listed(void **state)
{
	static const char *const names[] = { "17", "7_3", "15+1", "17", "x" };
	struct lxfw_publication from = { 0 };
	struct lxfw_listed listed = { 0 };
	const struct lxfw_listed_job *job;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct lxfw_publication_job *to = lxfw_publication_add(&from);

		strcpy(to->name, names[i]);
		strcpy(to->user, i == 3 ? "bob" : "anna");
		strcpy(to->partition, "p");
	}
	assert_int_equal(lxfw_listed_published(&listed, &from), 0);
	assert_int_equal(listed.count, 3);
	assert_false(lxfw_listed_of_several(&listed));
	job = lxfw_listed_find(&listed, 16);
	assert_string_equal(job->component, "15+1");
	job = lxfw_listed_find(&listed, lxfw_publication_id("7_3"));
	assert_string_equal(job->partition, "p");
	assert_string_equal(job->component, "");
	assert_int_equal(job->start, 0);
	job = lxfw_listed_find(&listed, 17);
	assert_string_equal(job->user, "anna");
	lxfw_listed_clear(&listed);
	lxfw_publication_clear(&from);
}

/* A job that the journal sees start late has started before the prediction; one that ends without a
   start is gone, as one that the journal does not have. */
static void starts_are_recalled(void **state)
{
	struct lxfw_past past = { 0 };
	struct lxfw_sched *sched = make_sched(&past);
	struct lxfw_live live = { .now = 50 };
	struct lxfw_expected jobs[5];
	struct lxfw_publish publish = { .live = &live, .jobs = jobs, .count = 5 };
	struct lxfw_promises promises = { 0 };
	struct lxfw_records *records = open_records();
	const struct lxfw_event end = { .type = LXFW_EVENT_JOB_END, .time = 60, .end.id = 5 };
	struct lxfw_error error;

	(void)state;
	expect(&jobs[0], 1, 1000);	/* runs since 0 */
	expect(&jobs[1], 3, 1000);	/* starts at 7200 */
	expect(&jobs[2], 4, 1000);	/* waits */
	expect(&jobs[3], 5, 1000);	/* ends */
	expect(&jobs[4], 6, 1000);	/* is not known */
	assert_int_equal(lxfw_publish_keep(&publish, records, &error), 0);
	enter(sched, &past, &end);
	run(sched, &past, 3, 7200, 4, 600);
	assert_int_equal(lxfw_predict_recall(records, &past, &promises), 0);
	assert_int_equal(promises.count, 3);
	assert_int_equal(promises.list[0].job, 1);
	assert_int_equal(promises.list[0].start, 50);
	assert_int_equal(promises.list[1].job, 3);
	assert_int_equal(promises.list[1].start, 7200);
	assert_int_equal(promises.list[2].job, 4);
	assert_true(promises.list[2].start == LXFW_NEVER);
	lxfw_promises_clear(&promises);
	lxfw_records_close(records);
	lxfw_sched_destroy(sched);
	lxfw_past_clear(&past);
	assert_int_equal(unlink(path), 0);
}

/* Predictions of moments near to each other do not replace those of the past. */
static void near_moments_do_not_suffice(void **state)
{
	struct lxfw_live live = { 0 };
	struct lxfw_expected job;
	const struct lxfw_publish publish = { .live = &live, .jobs = &job, .count = 1 };
	struct lxfw_records *records = open_records();
	int64_t now = (int64_t)time(NULL);
	struct lxfw_error error;
	bool enough = true;

	(void)state;
	/* Every 5 minutes for a job that waits for 15 hours. */
	for (int i = 0; i < 180; i++) {
		live.now = now - 60000 + 300 * i;
		expect(&job, 1, now - 60000 + 54000);
		job.request.submit = now - 61000;
		job.view.standing = (struct lxfw_standing) { 300 * i, 54000 - 300 * i, 600 };
		job.view.raw.of[LXFW_HALF].high = job.view.raw.of[LXFW_MOST].high = 54000 - 300 * i;
		assert_int_equal(lxfw_publish_keep(&publish, records, &error), 0);
	}
	assert_int_equal(lxfw_predict_teaches(records, &enough), 0);
	assert_false(enough);
	assert_int_equal(lxfw_predict_teaches(NULL, &enough), 0);
	assert_false(enough);
	lxfw_records_close(records);
	assert_int_equal(unlink(path), 0);
}

/* Any job starts a minute after its prediction. */
static int64_t a_minute_later(const void *context, uint64_t job, int64_t since)
{
	(void)context;
	(void)job;
	return since + 60;
}

/* Adds a prediction for DAYS before NOW. */
static void predict_before(struct lxfw_records *records, int64_t now, int days)
{
	const struct lxfw_live live = { .now = now - days * INT64_C(86400) };
	struct lxfw_expected job;
	const struct lxfw_publish publish = { .live = &live, .jobs = &job, .count = 1 };
	struct lxfw_error error;

	expect(&job, (uint64_t)days, live.now + 60);
	assert_int_equal(lxfw_publish_keep(&publish, records, &error), 0);
	assert_int_equal(lxfw_records_settle(records, a_minute_later, NULL, &error), 0);
}

/* Publishes the state of a journal of `lxfw watch` that was touched at HEARD, and reads it. */
static void publish_heard(const struct lxfw_predict_result *result, struct lxfw_records *records,
			  int64_t heard, struct lxfw_publication *to)
{
	const struct timespec times[2] = { { .tv_sec = heard }, { .tv_sec = heard } };
	const char *names[] = { "journal", "index.html", "queue.json" };
	char files[3][64];
	const struct lxfw_predict_arguments arguments = { .journal = files[0], .publish = folder };
	struct lxfw_error error;
	FILE *journal;

	for (int i = 0; i < 3; i++)
		snprintf(files[i], sizeof(files[i]), "%s/%s", folder, names[i]);
	journal = fopen(files[0], "w");
	assert_non_null(journal);
	assert_int_equal(fclose(journal), 0);
	assert_int_equal(utimensat(AT_FDCWD, files[0], times, 0), 0);
	assert_int_equal(lxfw_predict_publish(&arguments, result, records), 0);
	if (lxfw_publication_read(to, files[2], &error))
		fail_msg("%s", error.text);
	for (int i = 0; i < 3; i++)
		assert_int_equal(unlink(files[i]), 0);
}

static size_t count_promises(struct lxfw_records *records)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_error error;
	size_t count;

	assert_int_equal(lxfw_records_promises(records, &promises, &error), 0);
	count = promises.count;
	lxfw_promises_clear(&promises);
	return count;
}

/* The quality is that of the last 14 days. Of a state that the watch saw an hour ago the time is
   said, and nothing is learned from it. */
static void old_states_are_not_kept(void **state)
{
	const int64_t now = 30 * INT64_C(86400);
	struct lxfw_past past = { 0 };
	struct lxfw_sched *sched = make_sched(&past);
	struct lxfw_live live = {
		.sched = sched, .past = &past, .now = now, .seed = 1, .threads = 1,
	};
	struct lxfw_predict_past from = { .trial = true };
	struct lxfw_expected job;
	const struct lxfw_predict_result result = {
		.live = &live, .from = &from, .jobs = &job, .count = 1,
	};
	struct lxfw_publication to = { 0 };
	struct lxfw_records *records = open_records();

	(void)state;
	/* No squeue and no scontrol. */
	setenv("PATH", folder, 1);
	expect(&job, 3, now + 600);
	predict_before(records, now, 20);
	predict_before(records, now, 10);
	publish_heard(&result, records, now - 60, &to);
	/* Nothing answers now. */
	assert_int_equal(to.time, now - 60);
	assert_int_equal(to.heard, now - 60);
	assert_int_equal(to.quality.predictions, 1);
	assert_int_equal(to.quality.since, now - 10 * INT64_C(86400));
	assert_int_equal(count_promises(records), 3);
	lxfw_publication_clear(&to);

	live.now = now + 300;
	to = (struct lxfw_publication) { 0 };
	publish_heard(&result, records, now - 3600, &to);
	assert_int_equal(to.time, now - 3600);
	assert_int_equal(count_promises(records), 3);
	lxfw_publication_clear(&to);
	lxfw_records_close(records);
	lxfw_sched_destroy(sched);
	lxfw_past_clear(&past);
	assert_int_equal(unlink(path), 0);
}

/* --- the page ---------------------------------------------------------------------------- */

static void names_are_text_on_the_page(void **state)
{
	struct lxfw_publication of = { .time = 1000000, .until = 1001800, .procs = 4, .hosts = 1 };
	struct lxfw_publication_job *job = lxfw_publication_add(&of);
	struct lxfw_starts_cell cell = { .size = 1, .limit = 3600 };
	struct lxfw_starts_partition *partition;
	struct lxfw_output *output;
	struct lxfw_error error;
	char text[100000];
	size_t length;
	FILE *file;

	(void)state;
	assert_non_null(job);
	strcpy(of.cluster, "<cluster>");
	strcpy(job->name, "<s>1");
	strcpy(job->user, "<i>&anna");
	strcpy(job->partition, "\"<u>");
	job->position = 1;
	partition = lxfw_starts_add(&of.starts, "<part>");
	assert_non_null(partition);
	assert_int_equal(lxfw_starts_add_cell(partition, &cell), 0);
	output = lxfw_output_open(path, &error);
	assert_non_null(output);
	assert_int_equal(lxfw_queue_page(&of, output), 0);
	assert_int_equal(lxfw_output_commit(output, &error), 0);
	file = fopen(path, "r");
	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	assert_int_equal(fclose(file), 0);
	assert_null(strstr(text, "<s>1"));
	assert_null(strstr(text, "<i>"));
	assert_null(strstr(text, "<u>"));
	assert_null(strstr(text, "<cluster>"));
	assert_null(strstr(text, "<part>"));
	assert_non_null(strstr(text, "&lt;s&gt;1"));
	assert_non_null(strstr(text, "&lt;i&gt;&amp;anna"));
	assert_non_null(strstr(text, "&lt;part&gt;"));
	lxfw_publication_clear(&of);
	assert_int_equal(unlink(path), 0);
}

/* Users read how often both intervals were right here, however wrong that is. */
static void quality_in_a_sentence(void **state)
{
	struct lxfw_publication_quality quality = {
		.since = 1, .predictions = 1234, .jobs = 56, .error = 720, .near = 0.4,
		.states = { 1000, 1000 }, .inside = { 0.39, 0.83 },
	};
	char text[256];

	(void)state;
	assert_string_equal(lxfw_queue_quality(&quality, text, sizeof(text)),
			    "Of 1234 earlier predictions for 56 jobs, half were wrong by at most 12.0m, "
			    "and 40 % by at most 10 minutes; 39 % of the starts were in the interval of "
			    "50 %, and 83 % in that of 90 %");
	quality.states[0] = quality.states[1] = 0;
	assert_null(strstr(lxfw_queue_quality(&quality, text, sizeof(text)), "interval"));
	quality = (struct lxfw_publication_quality) {
		.since = 1, .predictions = INT64_MAX, .jobs = INT64_MAX, .error = INFINITY, .near = 1,
		.states = { 1, 1 }, .inside = { 1, 1 },
	};
	assert_non_null(strstr(lxfw_queue_quality(&quality, text, sizeof(text)), "in that of 90 %"));
}

/* A service that is an operator, and one from which the jobs of others are hidden while it runs. */
static void hidden_jobs_are_known(void **state)
{
	struct lxfw_sight sight = { 0 };

	(void)state;
	assert_true(lxfw_sight_take(&sight, true, true));
	assert_true(lxfw_sight_take(&sight, true, false));
	sight = (struct lxfw_sight) { 0 };
	assert_false(lxfw_sight_take(&sight, true, false));
	assert_true(lxfw_sight_take(&sight, true, true));
	sight = (struct lxfw_sight) { 0 };
	assert_true(lxfw_sight_take(&sight, false, true));
	/* Its jobs were asked for before that. */
	assert_false(lxfw_sight_take(&sight, true, true));
	assert_false(lxfw_sight_take(&sight, true, false));
	assert_true(lxfw_sight_take(&sight, false, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_jobs_are_listed),
		cmocka_unit_test(jobs_are_in_order),
		cmocka_unit_test(the_next_day_is_within_the_machine),
		cmocka_unit_test(predictions_are_kept),
		cmocka_unit_test(starts_are_recalled),
		cmocka_unit_test(near_moments_do_not_suffice),
		cmocka_unit_test(old_states_are_not_kept),
		cmocka_unit_test(names_are_text_on_the_page),
		cmocka_unit_test(quality_in_a_sentence),
		cmocka_unit_test(hidden_jobs_are_known),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
