/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/step.h"

#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* From 26.05 on, jobs are named by a number only where this is asked for. */
#define SLURM_BACKWARD_COMPAT
#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

#include "src/common/slurm_xlator.h"
#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/xmalloc.h"

/* One job can be many records: the tasks of an array, parts of a
   heterogeneous job. */
static const slurm_job_info_t *find(const job_info_msg_t *jobs, uint32_t job)
{
	uint32_t i;

	for (i = 0; i < jobs->record_count; i++)
		if (jobs->job_array[i].job_id == job)
			return &jobs->job_array[i];
	return NULL;
}

static enum lxfw_share_answer take(const slurm_job_info_t *job,
				   const char *node, struct lxfw_node_share *share)
{
	const struct job_resources *has;
	struct lxfw_node_share read = { 0 };
	bitoff_t core, cores;

	if (!job || (job->job_state & JOB_STATE_BASE) != JOB_RUNNING)
		return LXFW_SHARE_NONE;
	has = job->job_resrcs;
	if (!has || has->nhosts != 1 || !has->nodes || !has->cpus ||
	    !has->core_bitmap || strcmp(has->nodes, node) != 0)
		return LXFW_SHARE_NONE;
	cores = bit_size(has->core_bitmap);
	for (core = 0; core < cores && core < LXFW_CPU_LIMIT; core++)
		if (bit_test(has->core_bitmap, core))
			lxfw_cpus_add(&read.cores, (unsigned)core);
	read.processors = has->cpus[0];
	if (read.processors == 0 || lxfw_cpus_count(&read.cores) == 0)
		return LXFW_SHARE_NONE;
	*share = read;
	return LXFW_SHARE_READ;
}

enum lxfw_share_answer lxfw_step_load_share(uint32_t job, const char *node,
					    struct lxfw_node_share *share)
{
	enum lxfw_share_answer answer;
	job_info_msg_t *jobs = NULL;

	if (slurm_load_job(&jobs, job, SHOW_DETAIL) != SLURM_SUCCESS) {
		/* The controller is there, and has forgotten the job. */
		if (errno == ESLURM_INVALID_JOB_ID)
			return LXFW_SHARE_NONE;
		return LXFW_SHARE_AWAY;
	}
	answer = take(find(jobs, job), node, share);
	slurm_free_job_info_msg(jobs);
	return answer;
}

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores,
			   struct lxfw_cpus *cpus)
{
	/* A symbol of the program, not of a library: it may not be there. */
	int (*map)(char *cores_text, char **cpus_text) =
		(int (*)(char *, char **))dlsym(RTLD_DEFAULT,
						"xcpuinfo_abs_to_mac");
	char text[LXFW_CPU_LIST_TEXT], *mapped = NULL;
	int result;

	if (!map) {
		errno = ENOSYS;
		return -1;
	}
	if (lxfw_cpus_format(cores, text, sizeof(text)) < 0)
		return -1;
	if (map(text, &mapped) != SLURM_SUCCESS || !mapped) {
		xfree(mapped);
		errno = EINVAL;
		return -1;
	}
	result = lxfw_cpus_parse(cpus, mapped);
	xfree(mapped);
	if (result == 0 && lxfw_cpus_count(cpus) == 0) {
		errno = EINVAL;
		result = -1;
	}
	return result;
}
