/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `lxfw route --serve` in a process of its own, with a journal of two nodes and four jobs, and with
 * programs in place of those of Slurm. Jobs 1 and 2 run, 3 and 4 wait; squeue says that job 3 is of
 * user ROUTE_OWNER. SlurmUser is ROUTE_SLURM.
 */
#ifndef LXFW_TESTS_ROUTE_WORLD_H
#define LXFW_TESTS_ROUTE_WORLD_H

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "common/explain.h"
#include "common/journal/journal.h"
#include "sim-frontend/cmd/route.h"
#include "sim-frontend/route/ask.h"
#include "tests/unit/file.h"
#include "tests/unit/scene.h"

#define ROUTE_OWNER 12345
#define ROUTE_OTHER 12346
#define ROUTE_SLURM 12347

static inline void write_program(const char *name, const char *text)
{
	assert_int_equal(chmod(unit_file(name, text), 0755), 0);
}

static inline void write_programs(void)
{
	char path[500], text[500];

	assert_int_equal(mkdir(unit_path("bin"), 0755), 0);
	assert_int_equal(chmod(unit_directory, 0755), 0);
	write_program("bin/scontrol", "#!/bin/sh\n"
		      "case $* in\n"
		      "ping) echo 'Slurmctld(primary) at here is UP' ;;\n"
		      "'show config') echo 'ClusterName             = alpha'\n"
		      "    echo 'SlurmUser               = slurm(12347)' ;;\n"
		      "*) echo 'PartitionName=all Default=YES State=UP Nodes=n[0-1] "
		      "MaxTime=1-00:00:00 DefaultTime=01:00:00' ;;\n"
		      "esac\n");
	snprintf(text, sizeof(text), "#!/bin/sh\necho run >>%s/runs\ncat %s/owners\n",
		 unit_directory, unit_directory);
	write_program("bin/squeue", text);
	unit_file("owners", "3 12345\n17_[1-4] 12346\n x\n4294967295 9999999999\n");
	snprintf(path, sizeof(path), "%s/bin:%s", unit_directory, getenv("PATH"));
	assert_int_equal(setenv("PATH", path, 1), 0);
}

static inline void note(struct scene *scene, struct lxfw_buffer *buffer, struct lxfw_event *event)
{
	apply(scene, event);
	assert_int_equal(lxfw_journal_put_event(buffer, event), 0);
}

/* Returns the path of a journal. */
static inline const char *write_journal(void)
{
	struct lxfw_buffer buffer = { .bytes = malloc(LXFW_JOURNAL_MAGIC_SIZE) };
	const char *path = unit_path("journal");
	struct scene scene;
	FILE *file;

	assert_non_null(buffer.bytes);
	memcpy(buffer.bytes, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE);
	buffer.length = buffer.size = LXFW_JOURNAL_MAGIC_SIZE;
	begin(&scene, "lxfw_policy=easy");
	scene.now = time(NULL);
	note(&scene, &buffer, &(struct lxfw_event) {
		.type = LXFW_EVENT_PARAMS, .params = lxfw_sched_params(scene.sched),
	});
	for (int32_t i = 0; i < 2; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .host = { .index = i, .up = true, .name = i ? "n1" : "n0" },
		};

		event.host.total.procs = 4;
		note(&scene, &buffer, &event);
	}
	for (uint64_t i = 1; i <= 4; i++) {
		struct lxfw_request request = {
			.id = i, .submit = scene.now, .estimate = i == 3 ? 7777 : 10000,
			.unit.procs = 4, .count = 1, .shape = LXFW_SHAPE_HOSTS,
		};

		note(&scene, &buffer, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_SUBMIT, .request = &request,
		});
	}
	assert_int_equal(lxfw_sched_decide(scene.sched, scene.now, &scene.decision), 0);
	assert_int_equal(lxfw_journal_put_decision(&buffer, scene.now, &scene.decision), 0);
	finish(&scene);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(buffer.bytes, 1, buffer.length, file), buffer.length);
	assert_int_equal(fclose(file), 0);
	free(buffer.bytes);
	return path;
}

/* Starts a server. */
static inline pid_t start_server(const struct lxfw_route_arguments *arguments)
{
	pid_t server = fork();

	assert_true(server >= 0);
	if (server == 0) {
		alarm(120);
		_exit(lxfw_route_serving(arguments));
	}
	return server;
}

static inline void end_process(pid_t process)
{
	assert_int_equal(kill(process, SIGTERM), 0);
	assert_int_equal(waitpid(process, NULL, 0), process);
}

/* Asks as a user, in a process that is this one's child if that is another one. */
static inline struct lxfw_route_said ask_as(uid_t user, const struct lxfw_route_conf *conf,
					    const char *lines)
{
	struct lxfw_route_said said = { 0 };
	char text[400];
	const char *const questions[] = { text };
	struct lxfw_error error;
	int pipes[2], status;
	pid_t child;

	snprintf(text, sizeof(text), "lxfw-route 1\n%s\nend\n", lines);
	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (user != getuid() && setuid(user))
			_exit(1);
		if (lxfw_route_ask(conf, questions, &said, &error))
			_exit(2);
		_exit(write(pipes[1], &said, sizeof(said)) != sizeof(said));
	}
	close(pipes[1]);
	assert_int_equal(read(pipes[0], &said, sizeof(said)), sizeof(said));
	close(pipes[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	return said;
}

/* Waits until the server answers. */
static inline void await_server(const struct lxfw_route_conf *conf)
{
	const struct timespec step = { .tv_nsec = 20000000 };
	struct lxfw_route_said said;

	for (int i = 0; i < 3000; i++) {
		said = ask_as(getuid(), conf, "start -n 1");
		if (said.answered && said.answer.can)
			return;
		nanosleep(&step, NULL);
	}
	fail_msg("no answer: %s %s", said.problem, said.answer.reason);
}

#endif
