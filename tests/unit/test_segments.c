/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Journals of several segments and several files, read as one. */
#include <errno.h>
#include <sys/stat.h>

#include "sim-frontend/engine/recorded.h"
#include "tests/unit/command.h"
#include "tests/unit/tape.h"

static void put_run(struct tape *tape, uint64_t id, int64_t time, int32_t procs,
		    int64_t until)
{
	struct lxfw_share share = { .host = 0, .amount.procs = procs };

	put(tape, (struct lxfw_event) {
		.type = LXFW_EVENT_JOB_RUN, .time = time,
		.run = { .id = id, .expected_end = until, .count = 1,
			 .shares = &share, .past.since = 100 } });
}

/* Write three segments to the named files: job 1 runs from 100 to 190, 2 waits for it
   until 190 and runs to 250, 3 runs from 195 on. The second segment begins at 150, the
   third at 200. */
static void write_segments(const char *first, const char *second,
			   const char *third)
{
	struct tape tape;

	begin(&tape);
	put_submit(&tape, 1, 100, 100, 4, 200);
	put_decision(&tape, 100);
	put_submit(&tape, 2, 110, 110, 2, 100);
	put_decision(&tape, 110);
	end(&tape, first);
	begin_at(&tape, 150, NULL);
	put_run(&tape, 1, 150, 4, 310);
	put_submit(&tape, 2, 150, 110, 2, 100);
	put_decision(&tape, 150);
	put_end(&tape, 1, 190);
	put_decision(&tape, 190);
	put_submit(&tape, 3, 195, 195, 2, 100);
	put_decision(&tape, 195);
	end(&tape, second);
	begin_at(&tape, 200, NULL);
	put_run(&tape, 2, 200, 2, 290);
	put_run(&tape, 3, 200, 2, 295);
	put_decision(&tape, 200);
	put_end(&tape, 2, 250);
	put_decision(&tape, 250);
	end(&tape, third);
}

/* Remove the files of other tests. */
static void clean(void)
{
	unit_files_end(NULL);
	assert_int_equal(mkdir(unit_directory, 0700), 0);
}

#define ALL_AGREE "7 of 7 decisions agree"

static void finds_old_segments(void **state)
{
	static const char *const names[][3] = {
		{ "j.20261122T105016Z", "j.20261122T105017Z", "j" },
		{ "j.2", "j.1", "j" },
		{ "j.10", "j.9", "j" },
		{ "j-20261121", "j-20261122", "j" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		clean();
		write_segments(names[i][0], names[i][1], names[i][2]);
		assert_int_equal(run_command("replay", NULL, unit_path("j")),
				 0);
		assert_said(ALL_AGREE);
		assert_said("3 segments");
		assert_int_equal(run_command("journal", "--job=1",
					     unit_path("j")), 0);
		assert_true(strstr(said, "100 ") < strstr(said, "150 "));
		assert_said("190 ");
		assert_int_equal(run_command("replay", "--alone",
					     unit_path("j")), 0);
		assert_said("2 of 2 decisions agree");
		assert_int_equal(run_command("journal", "--alone",
					     unit_path("j")), 0);
		assert_null(strstr(said, "150 "));
	}
}

/* The order of the shell's expansion of j*: the newest file is the first. */
static void sorts_files_by_time(void **state)
{
	(void)state;
	clean();
	write_segments("j.1", "j.2", "j");
	assert_int_equal(run_command("journal", unit_path("j.1"),
				     unit_path("j")), 0);
	assert_true(strstr(said, "100 ") && strstr(said, "200 "));
	assert_true(strstr(said, "100 ") < strstr(said, "200 "));
	/* of several files, only those */
	assert_null(strstr(said, "150 "));
	assert_int_equal(run_command("replay", unit_path("j.2"),
				     unit_path("j")), 0);
	assert_said("5 of 5 decisions agree");
}

static void leaves_out_what_is_no_journal(void **state)
{
	(void)state;
	clean();
	/* files with other names */
	write_segments("j.Z1", "j.1.orig", "jj.1");
	write_segments("j.x", "j1", "j.");
	write_segments("j.2", "j.1", "j");
	unit_file("j.3", "notes");
	unit_file("j.4", "LXFWjnl\1 of another version");
	unit_file("j.5", "");
	unit_gzip_file("j.7.gz", "LXFWjnl\2", 3);
	assert_int_equal(mkdir(unit_path("j.8"), 0700), 0);
	assert_int_equal(run_command("replay", NULL, unit_path("j")), 0);
	assert_said(ALL_AGREE);
	/* but not under the given path */
	assert_int_equal(run_command("replay", unit_path("j.3"),
				     unit_path("j")), 2);
	assert_int_equal(run_command("replay", NULL, unit_path("j.5")), 2);
	/* the file was just created */
	unit_file("j", "");
	assert_int_equal(run_command("replay", NULL, unit_path("j")), 0);
	assert_said("5 of 5 decisions agree");
	assert_int_equal(run_command("compare", NULL, unit_path("j")), 2);
}

static void reads_compressed_segments(void **state)
{
	char command[300];

	(void)state;
	clean();
	write_segments("j.2", "j.1", "j");
	snprintf(command, sizeof(command), "gzip '%s' '%s'", unit_path("j.1"),
		 unit_path("j.2"));
	if (system(command) != 0)
		skip();
	assert_int_equal(run_command("replay", NULL, unit_path("j")), 0);
	assert_said(ALL_AGREE);
}

/* Each segment contains all jobs again, and each job is counted once. Job 3 has no end. */
static void counts_jobs_once(void **state)
{
	struct lxfw_recorded recorded;
	struct lxfw_error error;
	char *paths[3];

	(void)state;
	clean();
	write_segments("j.2", "j.1", "j");
	assert_int_equal(run_command("compare", "--format=json",
				     unit_path("j")), 0);
	assert_said("\"jobs\": 2,");
	assert_said("\"not_compared\": 1,");
	assert_said("\"jobs_without_end\": 1,");
	assert_said("\"equal_starts\": 2");
	assert_said("\"measured_max_wait_s\": 80,");
	assert_int_equal(run_command("replay", "--params=lxfw_policy=fcfs",
				     unit_path("j")), 0);
	assert_said("fcfs");
	paths[0] = (char *)unit_path("j.2");
	paths[1] = (char *)unit_path("j.1");
	paths[2] = (char *)unit_path("j");
	assert_int_equal(lxfw_recorded_from_journal(&recorded, paths, 3, &error),
			 0);
	assert_int_equal(recorded.count, 3);
	assert_int_equal(recorded.jobs[0].start, 100);
	assert_int_equal(recorded.jobs[0].end, 190);
	assert_int_equal(recorded.jobs[1].start, 190);
	assert_int_equal(recorded.jobs[1].end, 250);
	assert_int_equal(recorded.jobs[2].start, 195);
	assert_int_equal(recorded.jobs[2].end, LXFW_UNKNOWN);
	lxfw_recorded_clear(&recorded);
}

/* Running adaptive jobs are recorded with their request, since their share may change.
   A job that was requeued is recorded in the same way, but does not run. */
static void counts_adaptive_jobs_once(void **state)
{
	struct lxfw_recorded recorded;
	struct lxfw_error error;
	struct tape tape;
	char *paths[2];

	(void)state;
	clean();
	begin_at(&tape, 100, "lxfw_policy=eqspatial");
	put_submit(&tape, 1, 100, 100, 2, 200);
	put_submit(&tape, 2, 100, 100, 2, 200);
	put_decision(&tape, 100);
	end(&tape, "j.1");
	begin_at(&tape, 150, "lxfw_policy=eqspatial");
	put_submit(&tape, 1, 150, 100, 2, 200);
	put_run(&tape, 1, 150, 2, 300);
	put_submit(&tape, 2, 150, 100, 2, 200);
	put_decision(&tape, 150);
	put_end(&tape, 1, 190);
	put_decision(&tape, 190);
	end(&tape, "j");
	paths[0] = (char *)unit_path("j.1");
	paths[1] = (char *)unit_path("j");
	assert_int_equal(lxfw_recorded_from_journal(&recorded, paths, 2, &error),
			 0);
	assert_int_equal(recorded.count, 3);
	assert_int_equal(recorded.jobs[0].number, 1);
	assert_int_equal(recorded.jobs[0].start, 100);
	assert_int_equal(recorded.jobs[0].end, 190);
	assert_int_equal(recorded.jobs[1].number, 2);
	assert_int_equal(recorded.jobs[1].end, 150);
	assert_int_equal(recorded.jobs[2].number, 2);
	assert_int_equal(recorded.jobs[2].start, 150);
	lxfw_recorded_clear(&recorded);
}

/* --- truncated records ---------------------------------------------------- */

/* Write the segment of the file NAME behind LENGTH bytes of the file j and ZEROS zero
 * bytes. */
static void append(const char *name, off_t length, off_t zeros)
{
	char bytes[4096];
	FILE *from = fopen(unit_path(name), "r"), *to;
	size_t count;

	assert_int_equal(truncate(unit_path("j"), length), 0);
	assert_int_equal(truncate(unit_path("j"), length + zeros), 0);
	to = fopen(unit_path("j"), "a");
	assert_non_null(from);
	assert_non_null(to);
	count = fread(bytes, 1, sizeof(bytes), from);
	assert_in_range(count, 1, sizeof(bytes) - 1);
	assert_int_equal(fwrite(bytes, 1, count, to), count);
	fclose(from);
	fclose(to);
}

static size_t cut_off(const char *name)
{
	struct lxfw_recorded recorded;
	struct lxfw_error error;
	char *path = (char *)unit_path(name);
	size_t count;

	assert_int_equal(lxfw_recorded_from_journal(&recorded, &path, 1, &error),
			 0);
	count = recorded.cut_off;
	lxfw_recorded_clear(&recorded);
	return count;
}

/* Truncated after any byte, the first segment is read up to there and the second one
   completely. */
static void continues_after_incomplete_records(void **state)
{
	long decisions, before = 5;
	struct stat status;

	(void)state;
	clean();
	write_segments("j", "second", "third");
	assert_int_equal(stat(unit_path("j"), &status), 0);
	for (off_t length = status.st_size; length >= LXFW_JOURNAL_MAGIC_SIZE;
	     length--) {
		for (off_t zeros = 0; zeros <= 40; zeros += 20) {
			/* the truncated bytes may have been zeros */
			if (zeros > 0 && length < status.st_size)
				continue;
			write_segments("j", "second", "third");
			append("second", length, zeros);
			assert_int_equal(run_command("replay", NULL,
						     unit_path("j")), 0);
			decisions = strtol(said, NULL, 10);
			assert_in_range(decisions, 3, before);
			assert_true(decisions == 5 || length < status.st_size);
			before = decisions;
			assert_said("2 segments");
			assert_int_equal(run_command("compare", NULL,
						     unit_path("j")), 0);
		}
	}
	assert_int_equal(before, 3);
	/* the rest of the last record, whose length is known */
	write_segments("j", "second", "third");
	append("second", status.st_size, 0);
	assert_int_equal(cut_off("j"), 0);
	append("second", status.st_size, 20);
	assert_int_equal(cut_off("j"), 20);
	append("second", status.st_size - 1, 0);
	assert_in_range(cut_off("j"), 1, 20);
}

/* The same at the end of the file, which may have been renamed by the next writer. */
static void ends_with_zeros(void **state)
{
	struct stat status;

	(void)state;
	clean();
	write_segments("j", "second", "third");
	assert_int_equal(stat(unit_path("j"), &status), 0);
	assert_int_equal(truncate(unit_path("j"), status.st_size + 100), 0);
	assert_int_equal(run_command("replay", NULL, unit_path("j")), 0);
	assert_said("2 of 2 decisions agree");
	assert_int_equal(cut_off("j"), 100);
}

/* A byte of a complete record is changed: this is not skipped. */
static void passes_over_no_damage(void **state)
{
	struct stat status;
	FILE *file;

	(void)state;
	clean();
	write_segments("j", "second", "third");
	assert_int_equal(stat(unit_path("j"), &status), 0);
	append("second", status.st_size, 0);
	file = fopen(unit_path("j"), "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, status.st_size - 2, SEEK_SET), 0);
	assert_true(fputc('x', file) != EOF);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(run_command("replay", NULL, unit_path("j")), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_old_segments),
		cmocka_unit_test(sorts_files_by_time),
		cmocka_unit_test(leaves_out_what_is_no_journal),
		cmocka_unit_test(reads_compressed_segments),
		cmocka_unit_test(counts_jobs_once),
		cmocka_unit_test(counts_adaptive_jobs_once),
		cmocka_unit_test(continues_after_incomplete_records),
		cmocka_unit_test(ends_with_zeros),
		cmocka_unit_test(passes_over_no_damage),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
