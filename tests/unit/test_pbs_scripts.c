/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that print how much is left of a resource: how they run, and what jobs get. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/agent/clock.h"
#include "plugins/pbs/scripts.h"
#include "tests/unit/pbs_scene.h"

/* Longest that a test waits for a script, and that one may run, if it is to end by itself. */
#define LONG_US UINT64_C(60000000)

static struct lxfw_pbs_scripts scripts;

/* --- files ---------------------------------------------------------------------------- */

/* The path of a file of the scene's folder. */
static const char *path_of(const char *name)
{
	static char path[300];

	snprintf(path, sizeof(path), "%s/%s", pbs_scene_folder, name);
	return path;
}

static void write_file(const char *name, mode_t mode, const char *text)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path_of(name), mode), 0);
}

static int end(void **state)
{
	lxfw_pbs_scripts_clear(&scripts);
	(void)unlink(path_of("script"));
	(void)unlink(path_of("left"));
	(void)unlink(path_of("go"));
	(void)unlink(path_of("sched_config"));
	return pbs_scene_end(state);
}

/* --- one script ----------------------------------------------------------------------- */

static void add_script(struct lxfw_pbs_scripts *old)
{
	char text[400];

	snprintf(text, sizeof(text), "lic !%s left", path_of("script"));
	assert_int_equal(lxfw_pbs_scripts_add(&scripts, old, text), 1);
}

/* Runs a script with this body and returns the line that it printed. */
static const char *line_of(const char *body, uint64_t limit_us)
{
	struct lxfw_pbs_scripts none = { 0 };
	char text[400];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", body);
	write_file("script", 0755, text);
	lxfw_pbs_scripts_clear(&scripts);
	add_script(&none);
	lxfw_pbs_script_run(&scripts.script[0], 7);
	assert_false(lxfw_pbs_scripts_take(&scripts, LONG_US, limit_us));
	assert_int_equal(scripts.script[0].pid, 0);
	return scripts.script[0].line;
}

static void texts(void **state)
{
	static const char *const invalid[] = {
		"", "lic", "lic !", "lic ! ", " !/x", "lic /x", "lic, /x",
	};
	struct lxfw_pbs_scripts none = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
		assert_false(lxfw_pbs_script_is_valid(invalid[i]));
		assert_int_equal(lxfw_pbs_scripts_add(&scripts, &none, invalid[i]), 0);
	}
	assert_int_equal(lxfw_pbs_scripts_add(&scripts, &none, "lic !/a/b c d"), 1);
	assert_string_equal(scripts.script[0].resource, "lic");
	assert_string_equal(scripts.script[0].command, "/a/b c d");
}

static void lines(void **state)
{
	(void)state;
	assert_string_equal(line_of("echo 12; echo 13", LONG_US), "12");
	assert_int_equal(scripts.script[0].line_used, 7);
	assert_string_equal(line_of("printf '5\\r\\n'", LONG_US), "5");
	assert_string_equal(line_of("printf 3", LONG_US), "3");
	assert_string_equal(line_of("echo $1", LONG_US), "left");
	/* What it prints after that is not kept. */
	assert_string_equal(line_of("echo 8; head -c 100000 /dev/zero", LONG_US), "8");
	/* Nor does the daemon read for ever. */
	assert_string_equal(line_of("echo 9; for i in 1 2 3 4 5 6; do cat /dev/zero & done; exec cat /dev/zero", 100000), "9");
	/* Its input is empty. */
	assert_string_equal(line_of("read x || echo none", LONG_US), "none");
}

/* A script that has ended has its result at once, however little it printed. */
static void short_line(void **state)
{
	struct lxfw_pbs_scripts none = { 0 };
	siginfo_t info;

	(void)state;
	write_file("script", 0755, "#!/bin/sh\nprintf 3\n");
	add_script(&none);
	lxfw_pbs_script_run(&scripts.script[0], 7);
	assert_int_equal(waitid(P_PID, (id_t)scripts.script[0].pid, &info, WEXITED | WNOWAIT), 0);
	assert_false(lxfw_pbs_scripts_take(&scripts, 0, LONG_US));
	assert_string_equal(scripts.script[0].line, "3");
}

/* A process that a script has started keeps its output open. It ends with the script, and the lock
   that it has with it. */
static void descendants(void **state)
{
	char body[700];
	int file;

	(void)state;
	snprintf(body, sizeof(body), "exec 3>%s; flock 3; sleep 1000 & echo 4", path_of("left"));
	assert_string_equal(line_of(body, 200000), "4");
	file = open(path_of("left"), O_RDWR);
	assert_true(file >= 0);
	alarm(60);
	assert_int_equal(flock(file, LOCK_EX), 0);
	alarm(0);
	close(file);
}

static void failures(void **state)
{
	(void)state;
	assert_string_equal(line_of("exit 1", LONG_US), "");
	assert_int_equal(pbs_scene_logged("has printed nothing; nothing is left"), 1);
	assert_string_equal(line_of("printf %070d 1", LONG_US), "");
	assert_int_equal(pbs_scene_logged("has printed a line that is too long"), 1);
	assert_string_equal(line_of("sleep 1000; echo 1", 1000), "");
	assert_int_equal(pbs_scene_logged("has taken too long"), 1);
	/* Logged once until it has printed an amount. */
	lxfw_pbs_script_run(&scripts.script[0], 0);
	assert_false(lxfw_pbs_scripts_take(&scripts, LONG_US, 1000));
	assert_int_equal(pbs_scene_logged("has taken too long"), 1);
}

static void insecure(void **state)
{
	(void)state;
	(void)line_of("echo 1", LONG_US);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(chmod(path_of("script"), i ? 0757 : 0775), 0);
		lxfw_pbs_script_run(&scripts.script[0], 0);
		assert_int_equal(scripts.script[0].pid, 0);
		assert_string_equal(scripts.script[0].line, "");
	}
	assert_int_equal(chmod(path_of("script"), 0755), 0);
	assert_int_equal(chmod(pbs_scene_folder, 0777), 0);
	lxfw_pbs_script_run(&scripts.script[0], 0);
	assert_int_equal(scripts.script[0].pid, 0);
	assert_int_equal(chmod(pbs_scene_folder, 0700), 0);
	assert_int_equal(unlink(path_of("script")), 0);
	lxfw_pbs_script_run(&scripts.script[0], 0);
	assert_int_equal(scripts.script[0].pid, 0);
	assert_int_equal(pbs_scene_logged("could be changed by others"), 1);
}

/* One that was killed and still exists, as a hanging file system can cause, does not hold up the
   daemon, and no other run begins. */
static void not_gone(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	(void)line_of("echo 1", LONG_US);
	alarm(60);
	scripts.script[0].killed = pid;
	for (int i = 0; i < 2; i++) {
		lxfw_pbs_script_run(&scripts.script[0], 0);
		assert_int_equal(scripts.script[0].pid, 0);
		assert_string_equal(scripts.script[0].line, "");
	}
	assert_int_equal(pbs_scene_logged("has not ended yet"), 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	while (scripts.script[0].killed)
		lxfw_pbs_script_run(&scripts.script[0], 0);
	alarm(0);
	assert_false(lxfw_pbs_scripts_take(&scripts, LONG_US, LONG_US));
	assert_string_equal(scripts.script[0].line, "1");
}

/* A script that runs is for a later look, and stays when others are added. */
static void slow(void **state)
{
	struct lxfw_pbs_scripts old;
	pid_t pid;

	(void)state;
	(void)line_of("echo 1", LONG_US);
	write_file("script", 0755, "#!/bin/sh\nexec sleep 1000\n");
	lxfw_pbs_script_run(&scripts.script[0], 0);
	pid = scripts.script[0].pid;
	assert_true(pid > 0);
	assert_true(lxfw_pbs_scripts_take(&scripts, 0, LONG_US));
	old = scripts;
	scripts = (struct lxfw_pbs_scripts){ 0 };
	assert_int_equal(lxfw_pbs_scripts_add(&scripts, &old, "other !/x"), 1);
	add_script(&old);
	lxfw_pbs_scripts_clear(&old);
	assert_int_equal(scripts.script[1].pid, pid);
	assert_string_equal(scripts.script[1].line, "1");
	assert_true(lxfw_pbs_scripts_take(&scripts, 0, LONG_US));
	lxfw_pbs_scripts_clear(&scripts);
	assert_int_equal(kill(pid, 0), -1);
}

/* --- jobs ------------------------------------------------------------------------------ */

static void begin_scene(void)
{
	char text[700];
	int length;

	length = snprintf(text, sizeof(text), "#!/bin/sh\ncat %s\n", path_of("left"));
	assert_true(length > 0);
	write_file("script", 0755, text);
	snprintf(text, sizeof(text),
		 "server_dyn_res: lic\nserver_dyn_res: \"lic !%s\"\nserver_dyn_res: \"switch !%s\"\n",
		 path_of("script"), path_of("script"));
	write_file("sched_config", 0644, text);
	fake_pbs.priv = pbs_scene_folder;
	pbs_scene_connect();
}

/* The script prints LEFT in the next pass. */
static void set_left(const char *left)
{
	write_file("left", 0644, left);
	if (pbs.scripts.count)
		pbs.scripts.script[0].ended_us = 0;
}

static struct fake_pbs_job *submit(int licenses)
{
	struct fake_pbs_job *job = pbs_scene_submit(1);

	job->lic = licenses;
	return job;
}

/* A pass in which the script has ended. */
static void pass(void)
{
	pbs_scene_pass();
	if (lxfw_pbs_scripts_take(&pbs.scripts, LONG_US, LONG_US))
		fail_msg("the script does not end");
	pbs_scene_pass();
}

static void jobs(void **state)
{
	struct fake_pbs_job *first, *second, *third;

	(void)state;
	begin_scene();
	/* No job waits for it: it does not run. */
	set_left("2\n");
	pass();
	assert_int_equal(pbs.scripts.count, 2);
	assert_true(pbs.scripts.script[0].began_us == 0);
	assert_int_equal(pbs_scene_logged("sched_config:1: this line is left out"), 1);
	assert_int_equal(pbs_scene_logged("measures what is no number or size"), 1);
	first = submit(2);
	second = submit(1);
	third = submit(5);
	pass();
	assert_int_equal(first->state, 'R');
	assert_int_equal(second->state, 'Q');
	/* The first job has taken its licenses meanwhile. */
	set_left("0\n");
	pass();
	assert_int_equal(second->state, 'Q');
	/* A license has been returned from outside. */
	set_left("1\n");
	pass();
	assert_int_equal(second->state, 'R');
	assert_int_equal(third->state, 'Q');
	assert_non_null(strstr(third->comment, "waits for resources"));
	/* What cannot be read is nothing. */
	set_left("many\n");
	pass();
	assert_int_equal(pbs_scene_logged("has not printed an amount"), 1);
	assert_int_equal(third->state, 'Q');
	set_left("5.9\n");
	pass();
	assert_int_equal(third->state, 'R');
}

/* A job ends while the script runs, which may print what is left before that or after it. */
static void ends_meanwhile(void **state)
{
	struct fake_pbs_job *first, *second, *third;
	char text[700];

	(void)state;
	begin_scene();
	snprintf(text, sizeof(text), "#!/bin/sh\nuntil test -e %s/go; do sleep 0.01; done\ncat %s/left\n",
		 pbs_scene_folder, pbs_scene_folder);
	write_file("script", 0755, text);
	write_file("go", 0644, "");
	set_left("2\n");
	first = submit(2);
	pass();
	assert_int_equal(first->state, 'R');
	/* It runs again. Its last result is of the time before the first job. */
	(void)unlink(path_of("go"));
	set_left("0\n");
	second = submit(2);
	third = submit(2);
	pbs_scene_pass();
	assert_true(pbs.scripts.script[0].pid != 0);
	assert_int_equal(second->state, 'Q');
	first->state = 'F';
	first->vnodes[0] = '\0';
	pbs_scene_pass();
	assert_int_equal(second->state + third->state, 'Q' + 'R');
	/* The second job has not taken its licenses yet. */
	write_file("left", 0644, "2\n");
	write_file("go", 0644, "");
	if (lxfw_pbs_scripts_take(&pbs.scripts, LONG_US, LONG_US))
		fail_msg("the script does not end");
	(void)unlink(path_of("go"));
	pbs_scene_pass();
	assert_int_equal(second->state + third->state, 'Q' + 'R');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(lines, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(short_line, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(descendants, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(failures, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(insecure, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(not_gone, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(slow, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(jobs, pbs_scene_begin, end),
		cmocka_unit_test_setup_teardown(ends_meanwhile, pbs_scene_begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
