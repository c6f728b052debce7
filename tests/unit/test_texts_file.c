/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a look that a site publishes: what is in it comes back, without users. */
#include "sim-frontend/watch/texts_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/watch/job_line.h"
#include "tests/unit/unit.h"

static char path[] = "/tmp/lxfw-texts.XXXXXX";

/* A line of squeue with the reason SAID. */
static void add_job(char *to, const char *said, const char *user, const char *group)
{
	for (int i = 0; i < 32; i++) {
		const char *field = i == LXFW_WATCHED_SAID ? said : i == LXFW_WATCHED_USER ? user :
				    i == LXFW_WATCHED_GROUP ? group : "x";

		strcat(strcat(to, field), "\037");
	}
	strcat(to, "\n");
}

static struct lxfw_watch_texts make(char *jobs)
{
	static char config[] = "ClusterName = a\n", empty[] = "", nodes[] = "NodeName=n1\nNodeName=n2\n";

	return (struct lxfw_watch_texts) {
		.config = config, .nodes = nodes, .partitions = empty, .reservations = empty,
		.licenses = empty, .jobs = jobs, .excluded = empty,
	};
}

static void write_and_read(struct lxfw_watch_texts *texts, struct lxfw_watch_texts *back)
{
	struct lxfw_error error;
	int64_t now = 0;

	assert_int_equal(lxfw_watch_texts_write(texts, 1796090000, path, &error), 0);
	assert_int_equal(lxfw_watch_texts_read(back, &now, path, &error), 0);
	assert_int_equal(now, 1796090000);
}

static void texts_come_back_without_users(void **state)
{
	char jobs[2000] = "", expected[2000] = "";
	struct lxfw_watch_texts texts, back;

	(void)state;
	add_job(jobs, "Resources", "anna", "physics");
	add_job(jobs, "Job is at association (user=anna) limit", "bob", "physics");
	add_job(jobs, "launch failed requeued held", "anna", "users");
	add_job(jobs, "ReqNodeNotAvail, UnavailableNodes:n1", "", "");
	add_job(expected, "Resources", "0", "0");
	add_job(expected, "Other", "1", "0");
	add_job(expected, "launch failed requeued held", "0", "1");
	add_job(expected, "ReqNodeNotAvail, UnavailableNodes:n1", "2", "2");
	texts = make(jobs);
	texts.cut = true;
	write_and_read(&texts, &back);
	assert_string_equal(back.jobs, expected);
	assert_string_equal(back.config, texts.config);
	assert_string_equal(back.nodes, texts.nodes);
	assert_string_equal(back.excluded, "");
	assert_true(back.cut);
	lxfw_watch_texts_clear(&back);
}

/* A reason of any length is no reason to fail, and a line without an end is kept. */
static void odd_jobs_are_kept(void **state)
{
	char jobs[2000] = "", said[500];
	struct lxfw_watch_texts texts = make(jobs), back;

	(void)state;
	memset(said, 'a', sizeof(said) - 1);
	said[sizeof(said) - 1] = '\0';
	add_job(jobs, said, "anna", "a");
	strcat(jobs, "an error of squeue\n\n\037\037\037\037\037anna wrote this");
	write_and_read(&texts, &back);
	assert_null(strstr(back.jobs, "anna"));
	assert_null(strstr(back.jobs, "aaa"));
	assert_non_null(strstr(back.jobs, "an error of squeue\n\n"));
	lxfw_watch_texts_clear(&back);
}

static void other_files_are_refused(void **state)
{
	static const char *const contents[] = {
		"", "x", "lxfw-look 1 5", "lxfw-look 1 5 0\n", "lxfw-look 2 5 0\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n",
		"lxfw-look 1 -5 0\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n",
		"lxfw-look 1 5 0\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n", "lxfw-look 1 5 0\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\nx",
		"lxfw-look 1 5 0\n1\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n", "lxfw-look 1 5 0\n99999999999\n\n",
		"lxfw-look 1 5 0\n-1\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n",
	};
	static const char whole[] = "lxfw-look 1 5 0\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n0\n\n";
	struct lxfw_watch_texts texts;
	int64_t now;

	(void)state;
	assert_int_equal(lxfw_watch_texts_parse(&texts, &now, whole, strlen(whole)), 0);
	lxfw_watch_texts_clear(&texts);
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++) {
		errno = 0;
		assert_int_equal(lxfw_watch_texts_parse(&texts, &now, contents[i], strlen(contents[i])), -1);
		assert_int_equal(errno, EINVAL);
		assert_null(texts.config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_back_without_users),
		cmocka_unit_test(odd_jobs_are_kept),
		cmocka_unit_test(other_files_are_refused),
	};
	int file = mkstemp(path), failed;

	if (file < 0)
		return 99;
	close(file);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
