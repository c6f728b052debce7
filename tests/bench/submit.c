/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit JOBS NODES SEED: submit JOBS batch jobs to the controller of
 * $SLURM_CONF through libslurm, one after the other, and print how fast it took
 * them. For a cluster of NODES nodes of 64 processors:
 *
 *   60 %  1 to 32 processors
 *   30 %  1 to 4 whole nodes
 *   10 %  1 to NODES/16 whole nodes
 *
 * with limits from 30 minutes to 24 hours and 1000 to 4000 MB a processor. None
 * of them does anything: the nodes are not there.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#define NODE_PROCS 64

/* A generator of our own: the same workload everywhere. */
static uint64_t random_state;

static uint32_t random_up_to(uint32_t most)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % most) + 1;
}

static void ask(job_desc_msg_t *job, uint32_t cluster_nodes)
{
	uint32_t kind = random_up_to(10);
	uint32_t largest = cluster_nodes / 16 ? cluster_nodes / 16 : 1;
	uint32_t nodes;

	if (kind <= 6) {
		job->num_tasks = random_up_to(NODE_PROCS / 2);
		nodes = 1;
	} else {
		nodes = random_up_to(kind <= 9 ? 4 : largest);
		job->num_tasks = nodes * NODE_PROCS;
	}
	job->min_nodes = nodes;
	job->max_nodes = nodes;
	job->min_cpus = job->num_tasks;
	job->time_limit = 29 + random_up_to(24 * 60 - 29);
	job->pn_min_memory = MEM_PER_CPU | (1000 * (uint64_t)random_up_to(4));
}

static int submit_one(uint32_t cluster_nodes)
{
	static char *environment[] = { "PATH=/usr/bin:/bin", NULL };
	submit_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int rc;

	slurm_init_job_desc_msg(&job);
	ask(&job, cluster_nodes);
	job.name = "bench";
	job.script = "#!/bin/sh\nexit 0\n";
	job.environment = environment;
	job.env_size = 1;
	job.work_dir = "/";
	job.std_out = "/dev/null";
	job.std_err = "/dev/null";
	job.user_id = getuid();
	job.group_id = getgid();
	rc = slurm_submit_batch_job(&job, &answer);
	slurm_free_submit_response_response_msg(answer);
	return rc;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long argument(const char *text, long most)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || *end || end == text || value < 1 || value > most) {
		fprintf(stderr, "submit: '%s', expected a number from 1 to %ld\n",
			text, most);
		exit(2);
	}
	return value;
}

int main(int argc, char **argv)
{
	double begin, before, longest = 0;
	long jobs, nodes;

	if (argc != 4) {
		fprintf(stderr, "usage: submit JOBS NODES SEED\n");
		return 2;
	}
	jobs = argument(argv[1], 10000000);
	nodes = argument(argv[2], 1000000);
	random_state = (uint64_t)argument(argv[3], LONG_MAX);
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(22, 5, 0)
	slurm_init(NULL);
#endif
	begin = now();
	before = begin;
	for (long i = 0; i < jobs; i++) {
		double after;

		if (submit_one((uint32_t)nodes) != SLURM_SUCCESS) {
			fprintf(stderr, "submit: job %ld: %s\n", i + 1,
				slurm_strerror(slurm_get_errno()));
			return 1;
		}
		after = now();
		if (after - before > longest)
			longest = after - before;
		before = after;
	}
	printf("%ld jobs in %.1f s: %.0f a second, the slowest took %.3f s\n",
	       jobs, before - begin, (double)jobs / (before - begin), longest);
	return 0;
}
