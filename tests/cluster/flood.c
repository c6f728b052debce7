/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flood FIRST LAST PARTITIONS tmp|exclude: submit jobs FIRST to LAST of one processor
 * to the controller of $SLURM_CONF. By their requests, no two of the jobs may run on
 * the same set of hosts: job I requests I MB of temporary space, or excludes those of
 * the nodes c1 to c20 whose bit is set in I.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#define NODES 20

static void exclude(char *list, uint32_t number)
{
	char *end = list;

	*end = '\0';
	for (int node = 0; node < NODES; node++) {
		if (number >> node & 1)
			end += sprintf(end, "%sc%d", end == list ? "" : ",",
				       node + 1);
	}
}

static int submit(uint32_t number, char *partitions, int by_space)
{
	static char *environment[] = { "PATH=/usr/bin:/bin", NULL };
	submit_response_msg_t *answer = NULL;
	char list[NODES * 4 + 1];
	job_desc_msg_t job;
	int rc;

	slurm_init_job_desc_msg(&job);
	exclude(list, number);
	if (by_space)
		job.pn_min_tmp_disk = number;
	else
		job.exc_nodes = list;
	job.partition = partitions;
	job.min_cpus = 1;
	job.num_tasks = 1;
	job.time_limit = 1;
	job.name = "flood";
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

static uint32_t number_of(const char *text)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || end == text || value < 1 || value >> NODES) {
		fprintf(stderr, "flood: '%s', expected a number from 1 to %d\n",
			text, (1 << NODES) - 1);
		exit(2);
	}
	return (uint32_t)value;
}

int main(int argc, char **argv)
{
	if (argc != 5 ||
	    (strcmp(argv[4], "tmp") != 0 && strcmp(argv[4], "exclude") != 0)) {
		fprintf(stderr,
			"usage: flood FIRST LAST PARTITIONS tmp|exclude\n");
		return 2;
	}
	slurm_init(NULL);
	for (uint32_t i = number_of(argv[1]); i <= number_of(argv[2]); i++) {
		if (submit(i, argv[3], argv[4][0] == 't') == SLURM_SUCCESS)
			continue;
		fprintf(stderr, "flood: job %u: %s\n", (unsigned int)i,
			slurm_strerror(errno));
		return 1;
	}
	return 0;
}
