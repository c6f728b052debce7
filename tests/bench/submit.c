/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit JOBS NODES SEED CLIENTS any|fit: submit JOBS batch jobs to the controller of
 * $SLURM_CONF through libslurm, from CLIENTS concurrent processes, and print the rate.
 * Each process submits one job after the other. The workload is made for a cluster of
 * NODES nodes of 64 processors:
 *
 *   60 %  1 to 32 processors
 *   30 %  1 to 4 whole nodes
 *   10 %  1 to NODES/16 whole nodes
 *
 * With "fit", all jobs have 1 to 32 processors, so that as many jobs as nodes fit.
 *
 * Time limits are 30 minutes to 24 hours; memory is 1000 to 4000 MB per processor. No
 * job does any work, because the nodes do not exist.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#define NODE_PROCS 64

/* A private generator, so that the workload is the same on all systems. */
static uint64_t random_state;

static bool all_fit;

static uint32_t random_up_to(uint32_t most)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % most) + 1;
}

static void ask(job_desc_msg_t *job, uint32_t cluster_nodes)
{
	uint32_t kind = all_fit ? 1 : random_up_to(10);
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

/* Submit JOBS jobs. Return the longest time of one submission in seconds, or -1 after
 * printing a message. */
static double submit_all(long jobs, uint32_t cluster_nodes)
{
	double before = now(), longest = 0;

	for (long i = 0; i < jobs; i++) {
		double after;

		if (submit_one(cluster_nodes) != SLURM_SUCCESS) {
			fprintf(stderr, "submit: job %ld: %s\n", i + 1,
				slurm_strerror(errno));
			return -1;
		}
		after = now();
		if (after - before > longest)
			longest = after - before;
		before = after;
	}
	return longest;
}

/* Run one client, and write its longest time to the pipe TO. */
static void be_client(long jobs, uint32_t cluster_nodes, int to)
{
	double longest = submit_all(jobs, cluster_nodes);

	_exit(write(to, &longest, sizeof(longest)) != sizeof(longest) ||
	      longest < 0);
}

/* Return the longest time of all clients, or -1. */
static double run_clients(long jobs, uint32_t cluster_nodes, uint64_t seed,
			  long clients)
{
	double longest = 0, one;
	int ends[2], status;

	if (pipe(ends) < 0)
		return -1;
	for (long i = 0; i < clients; i++) {
		pid_t child = fork();

		if (child < 0)
			return -1;
		random_state = seed * 1000003 + (uint64_t)i;
		if (child == 0)
			be_client(jobs / clients + (i < jobs % clients),
				  cluster_nodes, ends[1]);
	}
	close(ends[1]);
	while (read(ends[0], &one, sizeof(one)) == sizeof(one)) {
		if (one > longest)
			longest = one;
	}
	close(ends[0]);
	while (wait(&status) > 0) {
		if (status != 0)
			longest = -1;
	}
	return longest;
}

int main(int argc, char **argv)
{
	long jobs, nodes, seed, clients;
	double begin, seconds, longest;

	if (argc != 6 || (strcmp(argv[5], "any") && strcmp(argv[5], "fit"))) {
		fprintf(stderr, "usage: submit JOBS NODES SEED CLIENTS any|fit\n");
		return 2;
	}
	all_fit = strcmp(argv[5], "fit") == 0;
	jobs = argument(argv[1], 10000000);
	nodes = argument(argv[2], 1000000);
	seed = argument(argv[3], LONG_MAX);
	clients = argument(argv[4], 1000);
	slurm_init(NULL);
	begin = now();
	longest = run_clients(jobs, (uint32_t)nodes, (uint64_t)seed, clients);
	if (longest < 0)
		return 1;
	seconds = now() - begin;
	printf("%ld jobs from %ld clients in %.1f s: %.0f a second, the slowest took %.3f s\n",
	       jobs, clients, seconds, (double)jobs / seconds, longest);
	return 0;
}
