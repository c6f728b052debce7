/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * route [MUNGE [JOBS]]: how many questions a second a server of `lxfw route` answers, and how long one
 * client waits beside 200 connections of another user that ask at once, again and again, each time for
 * something else. The cluster has 1,000 nodes of 8 processors, 8,000 or JOBS jobs, most of which wait, and a pass
 * every second. At a socket, over a trusted network, where both have the same address and are one peer,
 * and with munge, if the socket of munged is given.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/params/params.h"
#include "sim-frontend/route/address.h"
#include "sim-frontend/route/ask.h"
#include "sim-frontend/route/credential.h"
#include "sim-frontend/route/forecast.h"
#include "sim-frontend/route/server.h"

#define HOSTS 1000
#define LOADERS 4
#define HOSTILE 200
#define SECONDS 5
#define ASKED 200
#define EVIL 54321		/* a user, if root runs this */

static struct lxfw_sched *sched;
static struct lxfw_known_hosts hosts;
static struct lxfw_slurm_partition partition = {
	.name = "all", .nodes = "n[0-999]", .is_default = true, .default_time = 3600,
};
static const struct lxfw_slurm_partitions partitions = { .list = &partition, .count = 1 };
static struct lxfw_route_forecast *forecast;
static const char *munge;
static int jobs = 8000;
static volatile int stop;

static void die(const char *what)
{
	fprintf(stderr, "route: %s\n", what);
	exit(1);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void apply(struct lxfw_event *event)
{
	struct lxfw_error error;

	if (lxfw_sched_apply(sched, event, &error) < 0)
		die(error.text);
}

static void make_cluster(void)
{
	struct lxfw_decision decision;
	struct lxfw_params params;

	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	sched = lxfw_sched_create(&params);
	for (int i = 0; i < HOSTS; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .host = { .index = i, .up = true },
		};
		char name[20];

		snprintf(name, sizeof(name), "n%d", i);
		event.host.name = name;
		event.host.total.procs = 8;
		apply(&event);
		if (lxfw_known_hosts_see(&hosts, &event))
			die("out of memory");
	}
	srand(1);
	for (int i = 0; i < jobs; i++) {
		struct lxfw_request request = {
			.id = (uint64_t)i + 1, .estimate = 60 * (1 + rand() % 1440),
			.shape = LXFW_SHAPE_ANYWHERE, .unit.procs = 1,
			.count = 1 + (rand() % 8 ? rand() % 16 : rand() % (4 * HOSTS)),
		};

		apply(&(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_SUBMIT, .request = &request,
		});
	}
	if (lxfw_sched_decide(sched, 0, &decision))
		die("out of memory");
	printf("%zu jobs run, %zu wait\n", decision.running, decision.waiting);
	forecast = lxfw_route_forecast_create();
}

static bool tick(void *context, int files[LXFW_ROUTE_FILES])
{
	static double changed;

	(void)context, (void)files;
	if (now() > changed + 1) {
		changed = now();
		lxfw_route_forecast_changed(forecast);
	}
	return lxfw_route_forecast_work(forecast, sched, &hosts, &partitions, (int64_t)now(),
					0.002) > 0;
}

static bool answer(void *context, const struct lxfw_route_peer *peer, char *text,
		   char line[LXFW_ROUTE_ANSWER])
{
	static struct lxfw_route_question question;
	struct lxfw_route_answer to = { 0 };
	struct lxfw_error error;

	(void)context, (void)peer;
	if (lxfw_route_question_read(&question, text, &error))
		die(error.text);
	if (lxfw_route_forecast_answer(forecast, sched, &hosts, &partitions, (int64_t)now(),
				       &question, &to))
		die("out of memory");
	lxfw_route_answer_write(&to, line);
	return true;
}

static void take_signal(int number)
{
	(void)number;
	stop = 1;
}

static pid_t serve(const char *at, bool trusted)
{
	struct lxfw_route_server server = {
		.answer = answer, .tick = tick, .trusted = trusted, .munge = munge,
	};
	struct sigaction end = { .sa_handler = take_signal };
	struct lxfw_error error;
	pid_t child;

	if (lxfw_route_listen(&server, at, &error))
		die(error.text);
	child = fork();
	if (child == 0) {
		sigaction(SIGTERM, &end, NULL);
		_exit(lxfw_route_serve(&server, &stop, &error) ? 1 : 0);
	}
	close(server.listener);
	return child;
}

/* Writes a question, different for each NUMBER, with as many jobs that were routed. */
static const char *make_question(int number, int routed)
{
	static char text[LXFW_ROUTE_QUESTION];
	int length = snprintf(text, sizeof(text), "lxfw-route 1\nstart -n %d -t %d\n",
			      1 + number * 7 % 4000, 1 + number % 3000);

	for (int i = 0; i < routed; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "routed 0 -n %d -t %d\n", 1 + (i * 6 + number) % 4000,
				   1440 - number % 100);
	snprintf(text + length, sizeof(text) - (size_t)length, "end\n");
	return text;
}

static bool ask(const struct lxfw_route_conf *conf, int number, int routed)
{
	const char *questions[] = { make_question(number, routed) };
	struct lxfw_route_said said;
	struct lxfw_error error;

	return lxfw_route_ask(conf, questions, &said, &error) == 0 && said.answered;
}

static pid_t hostile_process(const struct lxfw_route_conf *conf)
{
	struct pollfd files[HOSTILE];
	struct lxfw_error error;
	pid_t child = fork();

	if (child != 0)
		return child;
	if (getuid() == 0 && setuid(EVIL))
		die("setuid");
	for (int i = 0; i < HOSTILE; i++)
		files[i].fd = -1;
	for (int number = 0;; number++) {
		for (int i = 0; i < HOSTILE; i++) {
			const char *text = make_question(number * HOSTILE + i, LXFW_ROUTE_ROUTED);
			char sealed[LXFW_ROUTE_CREDENTIAL], word[LXFW_ROUTE_WORD];

			if (files[i].fd >= 0)
				continue;
			if (munge && *conf->list[0].at != '/' &&
			    lxfw_route_word(word, &error) == 0 &&
			    lxfw_route_question_seal(munge, word, text, sealed, &error) == 0)
				text = sealed;
			files[i] = (struct pollfd) {
				.fd = lxfw_route_open(conf->list[0].at, false, &error),
				.events = POLLIN,
			};
			if (files[i].fd >= 0 &&
			    send(files[i].fd, text, strlen(text), MSG_NOSIGNAL) < 0)
				files[i].events = 0;
		}
		poll(files, HOSTILE, 100);
		for (int i = 0; i < HOSTILE; i++) {
			if (files[i].fd < 0 || !files[i].revents)
				continue;
			close(files[i].fd);
			files[i].fd = -1;
		}
	}
}

static int by_length(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* How long one client waits. */
static void measure_waits(const struct lxfw_route_conf *conf, const char *beside)
{
	const struct timespec pause = { .tv_nsec = 40000000 };
	double waits[ASKED];
	int answered = 0;

	for (int i = 0; i < ASKED; i++) {
		double begun = now();

		answered += ask(conf, i, 1);
		waits[i] = 1000 * (now() - begun);
		nanosleep(&pause, NULL);
	}
	qsort(waits, ASKED, sizeof(*waits), by_length);
	printf("  %s: %d of %d answered, median %.1f ms, 95 %% %.1f ms, longest %.1f ms\n", beside,
	       answered, ASKED, waits[ASKED / 2], waits[ASKED * 95 / 100], waits[ASKED - 1]);
}

/* Ends a process. Returns the seconds of processor time that it has used. */
static double end(pid_t child)
{
	struct rusage used;

	kill(child, SIGTERM);
	if (wait4(child, NULL, 0, &used) != child)
		die("wait4");
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Questions a second, of several clients; their users differ, so that none owes too much. */
static void measure_load(const struct lxfw_route_conf *conf, pid_t server)
{
	double begun = now(), passed, used;
	int pipes[2], count, total = 0;

	if (pipe(pipes))
		die("pipe");
	for (int i = 0; i < LOADERS; i++) {
		if (fork() != 0)
			continue;
		if (getuid() == 0 && setuid(EVIL + 1 + (uid_t)i))
			die("setuid");
		for (count = 0; now() < begun + SECONDS; count++) {
			if (!ask(conf, count * LOADERS + i, count % 4))
				count--;
		}
		_exit(write(pipes[1], &count, sizeof(count)) != sizeof(count));
	}
	for (int i = 0; i < LOADERS; i++) {
		if (read(pipes[0], &count, sizeof(count)) != sizeof(count))
			die("read");
		total += count;
		wait(NULL);
	}
	passed = now() - begun;
	used = end(server);
	printf("  %.0f questions a second, with %.0f %% of a core: %.2f ms for each, with the tables\n",
	       total / passed, 100 * used / passed, 1000 * used / total);
}

static void measure(const char *name, const char *at, bool trusted)
{
	static struct lxfw_route_conf conf;
	pid_t server = serve(at, trusted), hostile;

	conf = (struct lxfw_route_conf) {
		.count = 1, .answer = 10, .trusted = trusted, .munge = (char *)munge,
		.list[0].at = (char *)at,
	};
	printf("%s:\n", name);
	fflush(stdout);
	ask(&conf, 0, 0);
	measure_waits(&conf, "alone");
	hostile = hostile_process(&conf);
	measure_waits(&conf, "beside 200 hostile connections");
	end(hostile);
	end(server);
	server = serve(at, trusted);
	ask(&conf, 0, 0);
	measure_load(&conf, server);
	fflush(stdout);
}

int main(int count, char **words)
{
	char path[100];

	munge = count > 1 && *words[1] ? words[1] : NULL;
	if (count > 2)
		jobs = atoi(words[2]);
	make_cluster();
	snprintf(path, sizeof(path), "/tmp/lxfw-bench-%ld", (long)getpid());
	measure("at a socket", path, false);
	measure("over a trusted network", "127.0.0.1:47399", true);
	if (munge && lxfw_route_credentials())
		measure("with munge", "127.0.0.1:47397", false);
	return 0;
}
