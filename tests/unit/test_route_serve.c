/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `lxfw route --serve` tells whom, and what hostile clients cost. */
#include "sim-frontend/route/owners.h"

#include <pwd.h>
#include <sys/socket.h>

#include <errno.h>

#include "sim-frontend/history/ran_file.h"
#include "sim-frontend/predict/slurm_partitions.h"
#include "sim-frontend/route/address.h"
#include "sim-frontend/route/runs.h"
#include "tests/unit/route_world.h"

static struct lxfw_route_conf conf;
static pid_t server;

static bool has_runs;		/* the command can read data bases */

/* Adds jobs of a user to a data base. */
static void add_runs(const char *path, const char *machine, const char *user, int count, int64_t ran)
{
	struct lxfw_ran_added added = { .machine = machine };
	struct lxfw_rans rans = { 0 };
	struct lxfw_error error;

	for (int i = 1; i <= count; i++) {
		struct lxfw_ran job = {
			.number = i * 1000 + ran, .submit = 1000, .end = 1000 + ran + i, .ran = ran,
			.limit = 10000, .procs = 1, .user = lxfw_rans_name(&rans, user, strlen(user)),
			.group = -1, .name = -1, .partition = -1, .machine = -1, .host_set = -1,
		};

		assert_int_equal(lxfw_rans_add(&rans, &job), 0);
	}
	has_runs = lxfw_ran_file_add(&rans, path, &added, &error) == 0;
	assert_true(has_runs || errno == ENOTSUP);
	lxfw_rans_clear(&rans);
}

static int begin_serving(void **state)
{
	static struct lxfw_route_arguments arguments = { .ping = 1 };

	unit_files_begin(state);
	write_programs();
	arguments.history = strdup(unit_path("runs.db"));
	add_runs(arguments.history, "alpha", "root", 3, 100);
	add_runs(arguments.history, "alpha", "daemon", 2, 50);
	add_runs(arguments.history, "alpha", "nobody-here", 2, 70);
	add_runs(arguments.history, "beta", "root", 5, 900);
	if (has_runs)
		assert_int_equal(chmod(arguments.history, 0600), 0);
	arguments.journal = strdup(write_journal());
	arguments.at = strdup(unit_path("socket"));
	conf = (struct lxfw_route_conf) { .count = 1, .answer = 20, .server = "none" };
	conf.list[0].at = strdup(arguments.at);
	server = start_server(&arguments);
	await_server(&conf);
	return 0;
}

static int end_serving(void **state)
{
	end_process(server);
	return unit_files_end(state);
}

static void sees(uid_t user, const char *lines, bool may)
{
	struct lxfw_route_said said = ask_as(user, &conf, lines);

	if (!said.answered || said.answer.can != may)
		fail_msg("user %u, %s: '%s' '%s'", (unsigned)user, lines, said.problem,
			 said.answer.reason);
	if (may && said.answer.limit != 7777)
		fail_msg("user %u: limit %lld", (unsigned)user, (long long)said.answer.limit);
	if (!may)
		assert_string_equal(said.answer.reason, "no such job waits");
}

/* A job is shown to root, SlurmUser and its owner. To all others it is one that is not there. */
static void jobs_are_private(void **state)
{
	(void)state;
	if (getuid() != 0) {
		sees(getuid(), "job 3", false);
		print_message("only root can ask as other users\n");
		return;
	}
	sees(0, "job 3", true);
	sees(ROUTE_SLURM, "job 3", true);
	sees(ROUTE_OWNER, "job 3", true);
	sees(ROUTE_OTHER, "job 3", false);
	sees(ROUTE_OTHER, "job 4", false);
	sees(ROUTE_OTHER, "job 1", false);
	sees(ROUTE_OTHER, "job 99", false);
	sees(ROUTE_OWNER, "job 4", false);
	sees(0, "job 99", false);
	/* All may ask for a job of their own that is not submitted. */
	assert_true(ask_as(ROUTE_OTHER, &conf, "start -n 1").answer.can);
}

/* A question for another cluster has no answer, if the file of clusters has the wrong address. */
static void questions_are_for_this_cluster(void **state)
{
	struct lxfw_route_said said;

	(void)state;
	said = ask_as(getuid(), &conf, "cluster beta\nstart -n 1");
	assert_true(said.answered);
	assert_false(said.answer.can);
	assert_string_equal(said.answer.reason, "this is cluster alpha, not beta");
	said = ask_as(getuid(), &conf, "cluster beta\njob 3");
	assert_string_equal(said.answer.reason, "this is cluster alpha, not beta");
	assert_true(ask_as(getuid(), &conf, "cluster alpha\nstart -n 1").answer.can);
	assert_true(ask_as(getuid(), &conf, "cluster Alpha\nstart -n 1").answer.can);
}

static void knows_runs_of(uid_t user, int64_t ended, int64_t mean)
{
	const struct timespec step = { .tv_nsec = 20000000 };
	struct lxfw_route_said said = ask_as(user, &conf, "start -n 1");

	/* The file is read beside the answers. */
	for (int i = 0; i < 3000 && said.answer.ended != ended; i++) {
		nanosleep(&step, NULL);
		said = ask_as(user, &conf, "start -n 1");
	}
	assert_int_equal(said.answer.ended, ended);
	assert_int_equal(said.answer.mean, mean);
}

/* A user learns the mean of the own jobs on this cluster, from a file that only the server reads. */
static void runs_are_private(void **state)
{
	const struct passwd *daemon = getpwnam("daemon");

	(void)state;
	if (!has_runs || getuid() != 0)
		skip();
	knows_runs_of(0, 3, 100);
	knows_runs_of(ROUTE_OTHER, 0, 0);
	assert_non_null(daemon);
	knows_runs_of(daemon->pw_uid, 2, 50);
}

static void lists_of_runs(void **state)
{
	struct lxfw_route_runs runs = LXFW_ROUTE_RUNS_EMPTY;
	char text[] = "17 3 100\n3 1 0\n\n 5 1 1\n6 \n7 -1 3\n8 0 5\n4294967295 1 1\n12 5\n"
		      "9 5 3 1\n4294967294 2 2147483647\n";
	int64_t ended, mean;

	(void)state;
	assert_int_equal(lxfw_route_runs_take(&runs, text), 0);
	assert_int_equal(runs.count, 3);
	lxfw_route_runs_find(&runs, 17, &ended, &mean);
	assert_int_equal(ended, 3);
	assert_int_equal(mean, 100);
	lxfw_route_runs_find(&runs, 4294967294, &ended, &mean);
	assert_int_equal(ended, 2);
	assert_int_equal(mean, 2147483647);
	lxfw_route_runs_find(&runs, 12, &ended, &mean);
	assert_int_equal(ended, 0);
	assert_int_equal(mean, 0);
	lxfw_route_runs_clear(&runs);
}

/* Jobs that squeue does not show are no reason to run it for each question. */
static void squeue_is_not_run_by_all(void **state)
{
	FILE *file = fopen(unit_path("runs"), "r");
	int64_t begun = time(NULL), passed;
	int runs = 0, before = 0;

	(void)state;
	while (file && fgetc(file) != EOF)
		before++;
	if (file)
		fclose(file);
	for (int i = 0; i < 200; i++)
		ask_as(getuid() ? getuid() : ROUTE_OTHER, &conf, "job 98");
	passed = time(NULL) - begun;
	file = fopen(unit_path("runs"), "r");
	assert_non_null(file);
	while (fgetc(file) != EOF)
		runs++;
	fclose(file);
	assert_in_range(runs / 4, before / 4, before / 4 + passed + 3);
}

static void lists_of_squeue(void **state)
{
	struct lxfw_route_owners owners = { .child.file = -1, .read = INT64_MIN };
	char text[] = "17 0\n3 4294967294\n\n 5\n6 \n7 -1\n8 4294967295\n9_1 5\n12+1 5\n0 5\n10 1 1\n2 7\n";

	(void)state;
	assert_int_equal(lxfw_route_owners_take(&owners, text), 0);
	assert_int_equal(owners.count, 3);
	assert_int_equal(owners.list[0].job, 2);
	assert_int_equal(owners.list[0].user, 7);
	assert_int_equal(owners.list[1].user, 4294967294);
	assert_int_equal(owners.list[2].job, 17);
	lxfw_route_owners_clear(&owners);
}

/* "SlurmUser" of the configuration, and what makes partitions other ones. */
static void slurm_user(void **state)
{
	static const struct {
		const char *config;
		int64_t user;
	} cases[] = {
		{ "SlurmUser               = slurm(64030)\n", 64030 },
		{ "SlurmUserX = a(1)\nSlurmUser = root(0)\nSlurmdUser = x(2)\n", 0 },
		{ "SlurmUser = slurm\n", -1 },
		{ "SlurmUser = slurm(-1)\n", -1 },
		{ "SlurmUser = slurm(4294967295)\n", -1 },
		{ "", -1 },
	};
	struct lxfw_slurm_partitions one = { 0 }, other = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char config[200], list[] = "PartitionName=a State=UP Nodes=n1\n";

		strcpy(config, cases[i].config);
		assert_int_equal(lxfw_slurm_partitions_take(&one, config, list), 0);
		assert_int_equal(one.slurm_user, cases[i].user);
		assert_int_equal(one.count, 1);
		if (i > 0)
			assert_false(lxfw_slurm_partitions_same(&one, &other) &&
				     cases[i].user != cases[i - 1].user);
		assert_true(lxfw_slurm_partitions_same(&one, &one));
		lxfw_slurm_partitions_clear(&other);
		other = one;
		one = (struct lxfw_slurm_partitions) { 0 };
	}
	lxfw_slurm_partitions_clear(&other);
}

/* A user who answers at the socket of a cluster is not believed. */
static void impostor(void **state)
{
	struct lxfw_route_conf other = conf;
	struct lxfw_route_said said;
	struct lxfw_error error;
	int file;

	(void)state;
	if (getuid() != 0)
		return;
	assert_int_equal(chmod(unit_directory, 0777), 0);
	other.list[0].at = strdup(unit_path("false"));
	assert_int_equal(seteuid(ROUTE_OTHER), 0);
	file = lxfw_route_open(other.list[0].at, true, &error);
	assert_true(file >= 0);
	assert_int_equal(seteuid(0), 0);
	said = ask_as(ROUTE_OWNER, &other, "start -n 1");
	assert_false(said.answered);
	assert_non_null(strstr(said.problem, "user 12346 answers, expected root"));
	close(file);
	free(other.list[0].at);
}

/* 200 connections that ask again and again, each time for something else, and 100 that never ask:
   another user is answered. */
static void hostile_clients(void **state)
{
	char question[12000] = "lxfw-route 1\nstart -n 8 -t 1-0\n";
	pid_t hostile = fork();

	(void)state;
	assert_true(hostile >= 0);
	if (hostile == 0) {
		size_t head = strlen(question);
		struct lxfw_error error;
		int files[200];

		if (getuid() == 0 && setuid(ROUTE_OTHER))
			_exit(1);
		alarm(100);
		for (int round = 0;; round++) {
			size_t length = head;

			for (int i = 0; i < LXFW_ROUTE_ROUTED; i++)
				length += (size_t)snprintf(question + length, sizeof(question) - length,
							   "routed 0 -n %d -t %d\n",
							   1 + (i + round) % 8, 1 + round % 500);
			length += (size_t)snprintf(question + length, sizeof(question) - length,
						   "end\n");
			for (int i = 0; i < 200; i++) {
				files[i] = lxfw_route_open(conf.list[0].at, false, &error);
				if (files[i] >= 0 && i % 2)
					(void)!send(files[i], question, length, MSG_NOSIGNAL);
			}
			for (int i = 0; i < 200; i++) {
				if (files[i] >= 0)
					close(files[i]);
			}
		}
	}
	for (int i = 0; i < 50; i++) {
		struct lxfw_route_said said = ask_as(getuid(), &conf, "start -n 1");

		if (!said.answered || !said.answer.can)
			fail_msg("%s %s", said.problem, said.answer.reason);
	}
	end_process(hostile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_squeue),
		cmocka_unit_test(runs_are_private), cmocka_unit_test(lists_of_runs),
		cmocka_unit_test(slurm_user),
		cmocka_unit_test(jobs_are_private),
		cmocka_unit_test(questions_are_for_this_cluster),
		cmocka_unit_test(squeue_is_not_run_by_all),
		cmocka_unit_test(impostor),
		cmocka_unit_test(hostile_clients),
	};

	return cmocka_run_group_tests_name("route_serve", tests, begin_serving, end_serving);
}
