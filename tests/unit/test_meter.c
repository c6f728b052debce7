/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of the agent. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/agent/meter_text.h"
#include "plugins/agent/setup.h"
#include "tests/unit/fake_wlm.h"
#include "tests/unit/unit.h"

static char folder[] = "/tmp/lxfw-meter-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static struct lxfw_agent agent;

/* The answer to the start of a job with this reservation, whose first decision was number
   FIRST and that was expected to start at EXPECTED. */
static void answer(int64_t reserved, uint32_t first, int64_t expected, int64_t until,
		   enum lxfw_answer given)
{
	struct lxfw_known_job known = {
		.reserved_start = reserved, .first_decision = first,
		.first_expected = expected,
	};
	struct lxfw_action action = { .until = until };

	lxfw_meter_answer(&agent, &known, &action, given);
}

static void starts_have_labels(void **state)
{
	(void)state;
	agent = (struct lxfw_agent){ .clock = 1000, .decisions = 7 };
	answer(0, 7, 0, LXFW_NEVER, LXFW_DONE);
	answer(0, 6, 0, LXFW_NEVER, LXFW_DONE);
	answer(0, 6, 0, LXFW_NEVER, LXFW_LATER);
	answer(970, 6, 940, LXFW_NEVER, LXFW_DONE);	/* kept; 60 s */
	answer(969, 6, 939, LXFW_NEVER, LXFW_DONE);	/* late; 61 s */
	answer(2000, 6, 87401, LXFW_NEVER, LXFW_DONE);	/* earlier; more than a day */
	answer(0, 6, 0, 1060, LXFW_DONE);
	answer(0, 6, 0, LXFW_NEVER, LXFW_UNFIT);
	assert_int_equal(agent.meter.starts[LXFW_START_AT_ONCE], 1);
	assert_int_equal(agent.meter.starts[LXFW_START_UNRESERVED], 2);
	assert_int_equal(agent.meter.starts[LXFW_START_RESERVED], 3);
	assert_int_equal(agent.meter.starts[LXFW_START_QUANTUM], 1);
	assert_int_equal(agent.meter.answers[LXFW_UNFIT], 1);
	assert_int_equal(agent.meter.answers[LXFW_LATER], 1);
	assert_int_equal(agent.meter.kept, 2);
	assert_int_equal(agent.meter.late, 1);
	assert_int_equal(agent.meter.errors[0], 1);
	assert_int_equal(agent.meter.errors[1], 1);
	assert_int_equal(agent.meter.errors[5], 1);
	assert_int_equal(agent.meter.error_sum, 60 + 61 + 86401);
}

static void reservations_and_requeues_count(void **state)
{
	struct lxfw_known_job known = {
		.request = { .id = 1, .unit.procs = 4, .count = 2 },
	};

	(void)state;
	agent = (struct lxfw_agent){ .clock = 1000 };
	lxfw_meter_reserve(&agent, &known, 500);
	assert_int_equal(agent.meter.postponed, 0);
	known.reserved_start = 500;
	lxfw_meter_reserve(&agent, &known, 400);
	assert_int_equal(agent.meter.postponed, 0);
	lxfw_meter_reserve(&agent, &known, 500);
	assert_int_equal(agent.meter.postponed, 0);
	lxfw_meter_reserve(&agent, &known, 501);
	assert_int_equal(agent.meter.postponed, 1);
	assert_int_equal(known.first_expected, 500);
	lxfw_meter_requeue(&agent, &known);	/* its start is unknown */
	assert_int_equal(agent.meter.lost, 0);
	known.began = 940;
	lxfw_meter_requeue(&agent, &known);
	assert_int_equal(agent.meter.lost, 60 * 8);
	/* The clock was set back. */
	known.began = 1001;
	lxfw_meter_requeue(&agent, &known);
	assert_int_equal(agent.meter.lost, 60 * 8);
	/* The request of the job was never read. */
	known.began = 940;
	known.request.id = 0;
	lxfw_meter_requeue(&agent, &known);
	assert_int_equal(agent.meter.lost, 60 * 8);
	assert_int_equal(agent.meter.requeues, 4);
}

/* Each value belongs to the family that was declared last, and no family has none. */
static void check_families(const char *text)
{
	char family[100] = "", name[100];
	bool has_values = true;

	for (const char *line = text; *line && strcmp(line, "# EOF\n") != 0;
	     line = strchr(line, '\n') + 1) {
		size_t length;

		if (sscanf(line, "# TYPE %99s", name) == 1) {
			assert_true(has_values);
			strcpy(family, name);
			has_values = false;
			continue;
		}
		length = strlen(family);
		if (sscanf(line, "# HELP %99s", name) == 1 ||
		    sscanf(line, "# UNIT %99s", name) == 1) {
			assert_string_equal(name, family);
			continue;
		}
		has_values = true;
		if (!length || strncmp(line, family, length) != 0 || !strchr("_{ ", line[length]))
			fail_msg("%.60s is in the family %s", line, family);
	}
	assert_true(has_values);
}

/* Fails if the text of the metrics does not have the line. */
static void has_line(const char *line)
{
	char whole[200];
	size_t length;
	char *text = lxfw_meter_text(&agent, &length);

	assert_non_null(text);
	assert_int_equal(strlen(text), length);
	check_families(text);
	snprintf(whole, sizeof(whole), "\n%s\n", line);
	if (!strstr(text, whole))
		fail_msg("no line %s in %s", line, text);
	free(text);
}

static void a_start_is_noted(void **state)
{
	struct lxfw_known_job known = {
		.first_expected = 900, .request = { .id = 1, .unit.procs = 4, .count = 2 },
	};
	const struct lxfw_action action = { .until = LXFW_NEVER };

	(void)state;
	agent = (struct lxfw_agent){ .clock = 1000, .journal.descriptor = -1 };
	lxfw_meter_answer(&agent, &known, &action, LXFW_DONE);
	/* Work is lost from here on, and the next forecast is that of the next start. */
	agent.clock = 1010;
	lxfw_meter_requeue(&agent, &known);
	assert_int_equal(agent.meter.lost, 10 * 8);
	lxfw_meter_expect(&known, 1020);
	lxfw_meter_expect(&known, 9999);
	agent.clock = 100000;
	lxfw_meter_answer(&agent, &known, &action, LXFW_LATER);
	assert_int_equal(agent.meter.error_sum, 100 + 98980);
	has_line("lxfw_forecast_error_seconds_bucket{le=\"600.0\"} 1");
	has_line("lxfw_forecast_error_seconds_bucket{le=\"86400.0\"} 1");
	has_line("lxfw_forecast_error_seconds_bucket{le=\"+Inf\"} 2");
	has_line("lxfw_forecast_error_seconds_count 2");
	has_line("lxfw_lost_processor_seconds_total 80");
	has_line("lxfw_starts_total{label=\"unreserved\"} 0");
	has_line("lxfw_starts_total{label=\"at_once\"} 2");
}

/* A group does not start after all: refusals count, its starts do not. */
static void a_group_is_taken_back(void **state)
{
	struct lxfw_known_job known = { .first_expected = 900, .reserved_start = 1000 };
	struct lxfw_known_job late = { .first_expected = 900, .reserved_start = 10 };
	const struct lxfw_action action = { .until = LXFW_NEVER };
	struct lxfw_meter before;

	(void)state;
	agent = (struct lxfw_agent){ .clock = 1000 };
	agent.meter.starts[LXFW_START_QUANTUM] = 3;
	agent.meter.errors[2] = 7;
	before = agent.meter;
	lxfw_meter_answer(&agent, &known, &action, LXFW_DONE);
	lxfw_meter_answer(&agent, &late, &action, LXFW_LATER);
	lxfw_meter_answer(&agent, &late, &action, LXFW_UNFIT);
	lxfw_meter_take_back(&agent.meter, &before);
	assert_int_equal(agent.meter.answers[LXFW_UNFIT], 1);
	agent.meter.answers[LXFW_UNFIT] = 0;
	assert_memory_equal(&agent.meter, &before, sizeof(before));
}

static void passes_add_up(void **state)
{
	(void)state;
	agent = (struct lxfw_agent){ .clock = 1000, .journal.descriptor = -1 };
	for (int i = 0; i < 2; i++) {
		agent.counts = (struct lxfw_pass_counts){
			.sync_us = 1000, .decide_us = 2000, .act_us = 3000,
			.cpu_us = 4000, .events = 5,
		};
		lxfw_meter_pass(&agent, i ? LXFW_PASS_REBUILD : LXFW_PASS_COMPLETE);
	}
	has_line("lxfw_pass_seconds_total{part=\"look\"} 0.002000");
	has_line("lxfw_pass_seconds_total{part=\"decide\"} 0.004000");
	has_line("lxfw_pass_seconds_total{part=\"act\"} 0.006000");
	has_line("lxfw_last_pass_seconds{part=\"act\"} 0.003000");
	has_line("lxfw_pass_processor_seconds_total 0.008000");
	has_line("lxfw_events_total 10");
	has_line("lxfw_passes_total{end=\"complete\"} 1");
	has_line("lxfw_last_pass_end{end=\"complete\"} 0");
	has_line("lxfw_last_pass_end{end=\"rebuild\"} 1");
	has_line("lxfw_last_pass_timestamp_seconds 1000");
}

/* Each number is that of its name. */
static void numbers_have_names(void **state)
{
	(void)state;
	agent = (struct lxfw_agent){
		.clock = 1000, .journal = { .descriptor = 0, .length = 17 },
		.decision = { .running = 18, .waiting = 19 },
		.total = { .passes = 20, .rebuilds = 21, .starts = 22, .refusals = 23,
			   .offers = 24, .longest_lock_us = 25000, .lock_us = 26000,
			   .decide_us = 27000 },
		.counts = { .sync_us = 28000, .decide_us = 29000, .act_us = 30000 },
		.meter = { .kept = 31, .late = 32, .postponed = 33, .suspensions = 34,
			   .resumptions = 35, .requeues = 36, .lost = 37 },
	};
	agent.params.policy = lxfw_policy_by_name("sjf", 3);
	agent.meter.answers[LXFW_DEFERRED] = 102;
	agent.meter.answers[LXFW_BUSY] = 103;
	agent.meter.answers[LXFW_REFUSED] = 104;
	agent.meter.answers[LXFW_UNFIT] = 105;
	agent.meter.answers[LXFW_GONE] = 106;
	has_line("lxfw_policy_info{name=\"sjf\"} 1");
	has_line("lxfw_journal_bytes 17");
	has_line("lxfw_running_jobs 18");
	has_line("lxfw_rebuilds_total 21");
	has_line("lxfw_starts_total{label=\"other\"} 24");
	has_line("lxfw_longest_lock_seconds 0.025000");
	has_line("lxfw_last_pass_seconds{part=\"look\"} 0.028000");
	has_line("lxfw_last_pass_seconds{part=\"decide\"} 0.029000");
	has_line("lxfw_last_pass_seconds{part=\"act\"} 0.030000");
	has_line("lxfw_reservations_kept_total 31");
	has_line("lxfw_reservations_late_total 32");
	has_line("lxfw_reservations_postponed_total 33");
	has_line("lxfw_suspensions_total 34");
	has_line("lxfw_resumptions_total 35");
	has_line("lxfw_requeues_total 36");
	has_line("# UNIT lxfw_longest_lock_seconds seconds");
	has_line("lxfw_refusals_total{reason=\"deferred\"} 102");
	has_line("lxfw_refusals_total{reason=\"cleaning_up\"} 103");
	has_line("lxfw_refusals_total{reason=\"not_permitted\"} 104");
	has_line("lxfw_refusals_total{reason=\"does_not_fit\"} 105");
	has_line("lxfw_refusals_total{reason=\"changed\"} 106");
	has_line("lxfw_shadow 0");
	agent.wlm = &agent.shadow;
	has_line("lxfw_shadow 1");
	agent.journal.descriptor = -1;
	has_line("lxfw_journal_bytes 0");
}

/* Sets the contents of PATH. */
static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const char *expected)
{
	char text[1024];
	FILE *file = fopen(path, "r");
	size_t length;

	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static ino_t number_of(const char *path)
{
	struct stat status;

	assert_int_equal(stat(path, &status), 0);
	return status.st_ino;
}

static int open_descriptors(void)
{
	int count = 0;

	for (int i = 0; i < 100; i++)
		count += fcntl(i, F_GETFD) >= 0;
	return count;
}

/* The gauge is set in the last file, from outside of the agent. */
static void lets_go(void **state)
{
	struct lxfw_meter meter = { 0 };
	int descriptors = open_descriptors();
	char path[64];
	ino_t before;

	(void)state;
	snprintf(path, sizeof(path), "%s/go.prom", folder);
	agent = (struct lxfw_agent){ .clock = 1000 };
	agent.journal.descriptor = -1;
	has_line("lxfw_let_go{reason=\"stalled\"} 0");
	has_line("lxfw_let_go{reason=\"ended\"} 0");
	lxfw_meter_let_go(&meter, LXFW_LET_GO_STALLED);
	lxfw_meter_set(&meter, path, (int)strlen(path));
	put_file(path, "# TYPE lxfw_x gauge\nlxfw_let_go{reason=\"stalled\"} 0\n"
		       "lxfw_let_go{reason=\"ended\"} 0\nlxfw_x 0\n# EOF\n");
	lxfw_meter_let_go(&meter, LXFW_LET_GO_STALLED);
	expect_file(path, "# TYPE lxfw_x gauge\nlxfw_let_go{reason=\"stalled\"} 1\n"
			  "lxfw_let_go{reason=\"ended\"} 0\nlxfw_x 0\n# EOF\n");
	/* It is not written again. */
	before = number_of(path);
	lxfw_meter_let_go(&meter, LXFW_LET_GO_STALLED);
	assert_true(number_of(path) == before);
	/* There is none. */
	assert_int_equal(unlink(path), 0);
	lxfw_meter_let_go(&meter, LXFW_LET_GO_ENDED);
	expect_file(path, "# TYPE lxfw_let_go gauge\n"
			  "# HELP lxfw_let_go 1 if the workload manager schedules by itself, for the reason.\n"
			  "lxfw_let_go{reason=\"stalled\"} 0\n"
			  "lxfw_let_go{reason=\"ended\"} 1\n"
			  "# TYPE lxfw_last_pass_timestamp_seconds gauge\n"
			  "# HELP lxfw_last_pass_timestamp_seconds Time of the last pass; 0: there was none.\n"
			  "lxfw_last_pass_timestamp_seconds 0\n# EOF\n");
	/* An empty file is as none. */
	put_file(path, "");
	lxfw_meter_let_go(&meter, LXFW_LET_GO_ENDED);
	assert_true(number_of(path) > 0);
	assert_false(meter.complained);
	/* Another file is not replaced. */
	put_file(path, "letters\n");
	lxfw_meter_let_go(&meter, LXFW_LET_GO_ENDED);
	expect_file(path, "letters\n");
	assert_true(meter.complained);
	assert_int_equal(unlink(path), 0);
	/* A FIFO is not waited for. */
	meter.complained = false;
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(60);
	lxfw_meter_let_go(&meter, LXFW_LET_GO_ENDED);
	alarm(0);
	assert_true(meter.complained);
	assert_int_equal(open_descriptors(), descriptors);
	assert_int_equal(unlink(path), 0);
	lxfw_meter_clear(&meter);
}

/* Each job of the queue is in one state, and in all ages that it has reached. */
static void queue_by_state_and_age(void **state)
{
	const int64_t clock = 1000000;
	struct lxfw_known_job jobs[] = {
		{ .state = LXFW_KNOWN_RUNNING, .submit = 1 },
		{ .state = LXFW_KNOWN_WAITING, .submit = clock - 3600,
		  .reserved_start = clock + 5 },
		{ .state = LXFW_KNOWN_WAITING, .submit = clock - 3599,
		  .refused_until = clock + 1, .reserved_start = clock + 5 },
		{ .state = LXFW_KNOWN_WAITING, .submit = clock, .refused_until = clock,
		  .estimated_start = clock + 5 },
		{ .state = LXFW_KNOWN_WAITING, .submit = clock - 604800 },
		{ .state = LXFW_KNOWN_NOT, .submit = 1 },
		{ .state = LXFW_KNOWN_WAITING, .submit = 0 },	/* unknown */
	};
	struct lxfw_known_job *all[] = {
		&jobs[0], &jobs[1], &jobs[2], &jobs[3], &jobs[4], &jobs[5], &jobs[6],
	};

	(void)state;
	agent = (struct lxfw_agent){ .clock = clock, .journal.descriptor = -1 };
	agent.jobs.jobs = all;
	agent.jobs.count = 7;
	has_line("lxfw_waiting_jobs{state=\"reserved\"} 1");
	has_line("lxfw_waiting_jobs{state=\"expected\"} 1");
	has_line("lxfw_waiting_jobs{state=\"refused\"} 1");
	has_line("lxfw_waiting_jobs{state=\"unknown\"} 2");
	has_line("lxfw_waiting_jobs{state=\"outside\"} 1");
	has_line("lxfw_waiting_jobs_by_age{seconds=\"0\"} 5");
	has_line("lxfw_waiting_jobs_by_age{seconds=\"3600\"} 2");
	has_line("lxfw_waiting_jobs_by_age{seconds=\"86400\"} 1");
	has_line("lxfw_waiting_jobs_by_age{seconds=\"604800\"} 1");
}

/* Whatever happens, all starts have a label, and each pass has one end. */
static void all_starts_and_passes_count(void **state)
{
	static struct fake fake;
	uint64_t seed = unit_seed("meter"), started = 0;

	(void)state;
	for (uint64_t i = 0; i < 50; i++) {
		memset(&fake, 0, sizeof(fake));
		fake.random = seed + i;
		strcpy(fake.folder, folder);
		fake_begin(&fake);
		for (int step = 0; step < 300 && !fake.wrong[0]; step++) {
			const struct lxfw_meter *meter = &fake.agent.meter;
			uint64_t starts = 0;

			fake_step(&fake);
			for (int j = 0; j < LXFW_START_LABELS; j++)
				starts += meter->starts[j];
			if (starts != fake.agent.total.starts ||
			    meter->answers[LXFW_DONE] + meter->answers[LXFW_LATER] != starts ||
			    meter->suspensions > fake.counts.suspensions ||
			    meter->resumptions > fake.counts.resumptions ||
			    meter->requeues > fake.counts.requeues)
				fail_msg("seed %llu", (unsigned long long)(seed + i));
			started += starts;
		}
		fake_finish(&fake);
		fake_end(&fake);
	}
	assert_true(started > 0);
}

/* Write the file of a pass at this time. */
static void pass_at(int64_t clock)
{
	agent.clock = clock;
	lxfw_meter_pass(&agent, LXFW_PASS_COMPLETE);
}

static bool file_has(const char *path, const char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");
	bool has = file && getdelim(&text, &size, '\0', file) > 0 && strstr(text, line);

	if (file)
		fclose(file);
	free(text);
	return has;
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static bool has_file(const char *path)
{
	return access(path, F_OK) == 0;
}

/* Each second of four minutes, jobs come in a pass or not. The file has what a pass counted
   at most this many seconds later, and is not written without need. */
#define BEHIND_MOST 3

static void file_is_not_behind(void **state)
{
	char path[64], line[80];
	uint64_t counted = 0, written = 0;
	int64_t since = 0;
	struct stat first, second;

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	agent = (struct lxfw_agent){ .journal.descriptor = -1 };
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	for (int64_t now = 1000; now < 1240; now++) {
		if (now < 1010 || now % 30 == 0 || now % 7 == 0) {
			pass_at(now);
			since = counted == written ? now : since;
			counted++;
		} else {
			lxfw_meter_between(&agent, now);
		}
		snprintf(line, sizeof(line), "lxfw_passes_total{end=\"complete\"} %d",
			 (int)counted);
		if (file_has(path, line))
			written = counted;
		if (written < counted)
			assert_in_range(now - since, 0, BEHIND_MOST - 1);
	}
	/* No pass: the file is not replaced. */
	lxfw_meter_between(&agent, 1300);
	assert_int_equal(stat(path, &first), 0);
	lxfw_meter_between(&agent, 1400);
	assert_int_equal(stat(path, &second), 0);
	assert_int_equal(first.st_ino, second.st_ino);
	unlink(path);
	lxfw_meter_between(&agent, 1500);
	assert_false(has_file(path));
	lxfw_meter_clear(&agent.meter);
}

static void file_is_written_when_due(void **state)
{
	char path[64], fresh[80];
	struct stat status;

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	agent = (struct lxfw_agent){ .journal.descriptor = -1 };
	pass_at(1000);
	assert_false(has_file(path));
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1000);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
	assert_false(has_file(fresh));
	unlink(path);
	pass_at(1002);
	assert_false(has_file(path));
	pass_at(1003);
	assert_true(has_file(path));
	unlink(path);
	pass_at(500);	/* the clock was set back */
	assert_true(has_file(path));
	/* A device or a link is not replaced. */
	unlink(path);
	assert_int_equal(symlink("/dev/null", path), 0);
	pass_at(550);
	assert_true(agent.meter.complained);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	pass_at(555);
	pass_at(570);
	assert_true(agent.meter.complained);
	assert_int_equal(lstat(path, &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	unlink(path);
	/* Neither is a file of another kind. */
	write_text(path, "LXFWjnl");
	pass_at(585);
	assert_true(agent.meter.complained);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 7);
	write_text(path, "");
	pass_at(600);
	assert_false(agent.meter.complained);
	/* A link, a FIFO or a directory in its place is not followed and does not block. */
	assert_int_equal(mkfifo(fresh, 0600), 0);
	pass_at(650);
	assert_true(agent.meter.complained);
	unlink(fresh);
	assert_int_equal(symlink(path, fresh), 0);
	pass_at(700);
	assert_true(agent.meter.complained);
	unlink(fresh);
	pass_at(800);
	assert_false(agent.meter.complained);
	unlink(path);
	lxfw_meter_set(&agent.meter, NULL, 0);
	pass_at(900);
	assert_false(has_file(path));
	lxfw_meter_clear(&agent.meter);
}

static const char *step;

static void note_step(void *loop, const char *name)
{
	(void)loop;
	step = name;
}

/* A stall is reported with the step that takes long. */
static void writing_is_a_step(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	agent = (struct lxfw_agent){ .journal.descriptor = -1, .step = note_step };
	step = NULL;
	pass_at(1000);
	assert_null(step);
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1000);
	assert_string_equal(step, "writing the metrics");
	step = NULL;
	pass_at(1001);
	assert_null(step);
	unlink(path);
	lxfw_meter_clear(&agent.meter);
}

/* A reconfiguration with the same path changes nothing. Another file is written at once. */
static void path_may_change(void **state)
{
	char path[64], other[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	snprintf(other, sizeof(other), "%s/metric", folder);
	agent = (struct lxfw_agent){ .journal.descriptor = -1 };
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1000);
	assert_true(has_file(path));
	unlink(path);
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1001);
	assert_false(has_file(path));
	/* Its name is a part of the other one. */
	lxfw_meter_set(&agent.meter, path, (int)strlen(other));
	pass_at(1002);
	assert_true(has_file(other));
	assert_false(has_file(path));
	unlink(other);
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1003);
	assert_true(has_file(path));
	assert_false(has_file(other));
	unlink(path);
	lxfw_meter_clear(&agent.meter);
}

/* The link is not followed, also if it leads to metrics. */
static void links_are_not_followed(void **state)
{
	const char *const text = "# TYPE lxfw_x gauge\n";
	char path[64], other[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	agent = (struct lxfw_agent){ .journal.descriptor = -1 };
	write_text(other, text);
	assert_int_equal(symlink(other, path), 0);
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1000);
	assert_true(agent.meter.complained);
	agent.meter.complained = false;
	lxfw_meter_let_go(&agent.meter, LXFW_LET_GO_ENDED);
	assert_true(agent.meter.complained);
	expect_file(other, text);
	unlink(path);
	unlink(other);
	lxfw_meter_clear(&agent.meter);
}

/* A full disk: the old file stays, nothing else is left, and this is said once. */
static void full_disk(void **state)
{
	struct rlimit before, small;
	char path[64], fresh[80];
	struct stat status;
	off_t size;

	(void)state;
	snprintf(path, sizeof(path), "%s/metrics", folder);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	agent = (struct lxfw_agent){ .journal.descriptor = -1 };
	lxfw_meter_set(&agent.meter, path, (int)strlen(path));
	pass_at(1000);
	assert_int_equal(stat(path, &status), 0);
	size = status.st_size;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 100;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	pass_at(1100);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(agent.meter.complained);
	assert_false(has_file(fresh));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, size);
	pass_at(1200);
	assert_false(agent.meter.complained);
	unlink(path);
	lxfw_meter_clear(&agent.meter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(starts_have_labels),
		cmocka_unit_test(reservations_and_requeues_count),
		cmocka_unit_test(a_start_is_noted),
		cmocka_unit_test(a_group_is_taken_back),
		cmocka_unit_test(passes_add_up),
		cmocka_unit_test(numbers_have_names),
		cmocka_unit_test(lets_go),
		cmocka_unit_test(queue_by_state_and_age),
		cmocka_unit_test(all_starts_and_passes_count),
		cmocka_unit_test(file_is_not_behind),
		cmocka_unit_test(file_is_written_when_due),
		cmocka_unit_test(writing_is_a_step),
		cmocka_unit_test(path_may_change),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
