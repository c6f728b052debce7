/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer: for each line "PROCESSORS MB" of standard input, request these resources on
 * one node from the controller of $SLURM_CONF, to be allocated immediately or not at
 * all. Print the id of the job, or 0 if it cannot start now. The result depends on the
 * selection of nodes only, not on the times of scheduling passes.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

/* Return the job's id, 0 if it cannot start now, or -1 on another error. */
static int64_t offer(uint32_t procs, uint64_t memory)
{
	resource_allocation_response_msg_t *answer = NULL;
	job_desc_msg_t job;
	int64_t id = -1;

	slurm_init_job_desc_msg(&job);
	job.num_tasks = job.min_cpus = procs;
	job.min_nodes = job.max_nodes = 1;
	job.pn_min_memory = memory;
	job.time_limit = 24 * 60;
	job.immediate = 1;
	job.name = "offer";
	job.work_dir = "/";
	job.user_id = getuid();
	job.group_id = getgid();
	if (slurm_allocate_resources(&job, &answer) == SLURM_SUCCESS)
		id = answer->job_id;
	else if (errno == ESLURM_CAN_NOT_START_IMMEDIATELY ||
		 errno == ESLURM_NODES_BUSY)
		id = 0;
	slurm_free_resource_allocation_response_msg(answer);
	return id;
}

int main(void)
{
	unsigned int procs;
	unsigned long long memory;

	slurm_init(NULL);
	while (scanf("%u %llu", &procs, &memory) == 2) {
		int64_t id = offer(procs, memory);

		if (id < 0) {
			fprintf(stderr, "offer: %u processors, %llu MB: %s\n",
				procs, memory,
				slurm_strerror(errno));
			return 1;
		}
		printf("%lld\n", (long long)id);
		fflush(stdout);
	}
	return 0;
}
