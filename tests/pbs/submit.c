/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * submit JOBS VNODES SEED any|fit: submit JOBS batch jobs to the server of pbs.conf over one
 * connection, and print the rate. The workload is that of tests/bench/submit.c, for VNODES
 * vnodes of 4 processors and 8 GB:
 *
 *   60 %  1 to 4 processors of a vnode
 *   30 %  1 to 4 whole vnodes
 *   10 %  1 to VNODES/16 whole vnodes
 *
 * With "fit", all jobs have 1 to 4 processors of one vnode, so that as many jobs as vnodes fit.
 * Run times requested are 30 minutes to 24 hours, memory 500 to 2000 MB per processor.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <pbs_error.h>
#include <pbs_ifl.h>

#define VNODE_PROCS 4

/* A private generator, so that the workload is the same on all systems. */
static uint64_t random_state;

static uint32_t random_up_to(uint32_t most)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((random_state >> 33) % most) + 1;
}

struct request {
	char select[64], place[16], walltime[16];
};

static void ask(struct request *request, uint32_t vnodes, bool fit)
{
	uint32_t kind = fit ? 1 : random_up_to(10), most = vnodes / 16 ? vnodes / 16 : 1;
	uint32_t chunks = 1, procs = VNODE_PROCS;

	if (kind <= 6)
		procs = random_up_to(VNODE_PROCS);
	else
		chunks = random_up_to(kind <= 9 ? 4 : most);
	snprintf(request->select, sizeof(request->select), "%u:ncpus=%u:mem=%umb",
		 (unsigned)chunks, (unsigned)procs, (unsigned)(procs * 500 * random_up_to(4)));
	snprintf(request->place, sizeof(request->place), chunks > 1 ? "scatter" : "free");
	snprintf(request->walltime, sizeof(request->walltime), "%u",
		 (unsigned)((29 + random_up_to(24 * 60 - 29)) * 60));
}

static bool submit_one(int server, const struct request *request, const char *script)
{
	struct attropl list[] = {
		{ .name = "Job_Name", .value = "bench" },
		{ .name = "Output_Path", .value = "/dev/null" },
		{ .name = "Error_Path", .value = "/dev/null" },
		{ .name = "Variable_List", .value = "PBS_O_HOME=/,PBS_O_WORKDIR=/,PBS_O_HOST=localhost" },
		{ .name = "Resource_List", .resource = "select", .value = (char *)request->select },
		{ .name = "Resource_List", .resource = "place", .value = (char *)request->place },
		{ .name = "Resource_List", .resource = "walltime", .value = (char *)request->walltime },
	};
	size_t count = sizeof(list) / sizeof(list[0]);
	bool good;
	char *id;

	for (size_t i = 0; i < count; i++) {
		list[i].op = SET;
		if (!list[i].resource)
			list[i].resource = "";
		/* libpbs may free a value and replace it. */
		list[i].value = strdup(list[i].value);
		list[i].next = i + 1 < count ? &list[i + 1] : NULL;
	}
	id = pbs_submit(server, list, (char *)script, NULL, NULL);
	good = id != NULL;
	for (size_t i = 0; i < count; i++)
		free(list[i].value);
	free(id);
	return good;
}

static long argument(const char *text, long most)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || *end || end == text || value < 1 || value > most) {
		fprintf(stderr, "submit: '%s', expected a number from 1 to %ld\n", text, most);
		exit(2);
	}
	return value;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns false after a message. */
static bool submit_all(long jobs, uint32_t vnodes, bool fit, const char *script)
{
	int server = pbs_connect(NULL);
	struct request request;

	if (server < 0) {
		fprintf(stderr, "submit: no server: error %d\n", pbs_errno);
		return false;
	}
	for (long i = 0; i < jobs; i++) {
		ask(&request, vnodes, fit);
		if (submit_one(server, &request, script))
			continue;
		fprintf(stderr, "submit: job %ld, select=%s: %s\n", i + 1, request.select,
			pbs_geterrmsg(server));
		return false;
	}
	return pbs_disconnect(server) == 0;
}

int main(int argc, char **argv)
{
	char script[] = "/tmp/lxfw-submit.XXXXXX";
	static const char text[] = "#!/bin/sh\nexit 0\n";
	int file;
	long jobs, vnodes;
	double begin;
	bool good;

	if (argc != 5 || (strcmp(argv[4], "any") && strcmp(argv[4], "fit"))) {
		fprintf(stderr, "usage: submit JOBS VNODES SEED any|fit\n");
		return 2;
	}
	jobs = argument(argv[1], 10000000);
	vnodes = argument(argv[2], 1000000);
	random_state = (uint64_t)argument(argv[3], LONG_MAX) * 1000003;
	file = mkstemp(script);
	if (file < 0 || write(file, text, sizeof(text) - 1) != sizeof(text) - 1) {
		fprintf(stderr, "submit: %s: %s\n", script, strerror(errno));
		return 1;
	}
	close(file);
	begin = now();
	good = submit_all(jobs, (uint32_t)vnodes, strcmp(argv[4], "fit") == 0, script);
	unlink(script);
	if (!good)
		return 1;
	printf("%ld jobs in %.1f s: %.0f a second\n", jobs, now() - begin,
	       (double)jobs / (now() - begin));
	return 0;
}
