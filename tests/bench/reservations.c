/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a decision takes, by the number of reservations: 10,000 waiting jobs and 1,000 hosts of
 * 64 processors, with the mix of jobs of submit.c. Prints the time of the first decision, and
 * the mean and the longest of those after the end of a job each. Arguments: parameters, such
 * as "lxfw_policy=lxfw,lxfw_reservations=1000", one after the other; a number of hosts and of jobs
 * may precede them.
 */
#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/params/policy.h"
#include "common/sched.h"

#define ENDS 30	/* ends of jobs */

static uint64_t drawn = 1;

static int64_t between(int64_t low, int64_t high)
{
	drawn ^= drawn << 13;
	drawn ^= drawn >> 7;
	drawn ^= drawn << 17;
	return low + (int64_t)(drawn % (uint64_t)(high - low + 1));
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void apply(struct lxfw_sched *sched, const struct lxfw_event *event)
{
	struct lxfw_error error;

	if (lxfw_sched_apply(sched, event, &error) == 0)
		return;
	fprintf(stderr, "%s\n", error.text);
	exit(1);
}

static void submit(struct lxfw_sched *sched, uint64_t id, int64_t time, int32_t hosts)
{
	struct lxfw_request job = {
		.id = id, .submit = time, .estimate = between(1, 48) * 1800,
		.shape = LXFW_SHAPE_HOSTS, .count = 1, .unit = { .procs = 64, .memory_mb = 256000 },
	};
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = time, .request = &job,
	};
	int64_t kind = between(1, 10);

	if (kind <= 6) {
		job.shape = LXFW_SHAPE_ANYWHERE;
		job.unit = (struct lxfw_resources){ .procs = 1, .memory_mb = 4000 };
		job.count = (int32_t)between(1, 32);
	} else {
		job.count = (int32_t)between(1, kind <= 9 ? 4 : hosts / 16);
	}
	apply(sched, &event);
}

static struct lxfw_sched *make(const char *text, int32_t hosts)
{
	struct lxfw_params params;
	struct lxfw_error error;
	struct lxfw_sched *sched;

	lxfw_params_default(&params);
	if (lxfw_params_parse(&params, text, NULL, NULL, &error) < 0) {
		fprintf(stderr, "%s\n", error.text);
		exit(2);
	}
	sched = lxfw_sched_create(&params);
	if (!sched)
		exit(1);
	for (int32_t i = 0; i < hosts; i++) {
		const struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host = { .index = i, .up = true,
				  .total = { .procs = 64, .memory_mb = 256000 } },
		};

		apply(sched, &event);
	}
	return sched;
}

static void measure(const char *text, int32_t hosts, int jobs)
{
	struct lxfw_sched *sched = make(text, hosts);
	struct lxfw_decision decision;
	uint64_t *running = malloc((size_t)jobs * sizeof(*running));
	double first = 0, sum = 0, most = 0;
	size_t count = 0;

	if (!running)
		exit(1);
	for (int i = 0; i < jobs; i++)
		submit(sched, (uint64_t)i + 1, 0, hosts);
	for (int i = 0; i <= ENDS; i++) {
		double begin = now(), time;

		if (lxfw_sched_decide(sched, 600 * i, &decision) < 0)
			exit(1);
		time = now() - begin;
		if (i == 0)
			first = time;
		else
			sum += time;
		if (i > 0 && time > most)
			most = time;
		for (size_t j = 0; j < decision.count; j++) {
			if (decision.actions[j].type == LXFW_ACTION_START)
				running[count++] = decision.actions[j].job;
		}
		if (count > 0) {
			size_t at = (size_t)between(0, (int64_t)count - 1);
			const struct lxfw_event end = {
				.type = LXFW_EVENT_JOB_END, .time = 600 * i,
				.end.id = running[at],
			};

			running[at] = running[--count];
			apply(sched, &end);
		}
	}
	printf("%-60s %9.3f s, then %9.3f s (%.3f s)\n", text, first, sum / ENDS, most);
	fflush(stdout);
	free(running);
	lxfw_sched_destroy(sched);
}

int main(int argc, char **argv)
{
	int32_t hosts = 1000;
	int jobs = 10000, at = 1;

	if (argc > 3 && atoi(argv[1]) > 0) {
		hosts = atoi(argv[1]);
		jobs = atoi(argv[2]);
		at = 3;
	}
	for (; at < argc; at++)
		measure(argv[at], hosts, jobs);
	return 0;
}
