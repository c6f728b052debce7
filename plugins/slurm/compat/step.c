/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/step.h"

#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

/* Since 26.05 headers identify jobs by number only if this is defined. */
#define SLURM_BACKWARD_COMPAT
#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"

#include "src/common/slurm_xlator.h"
#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/list.h"
#include "src/common/slurm_protocol_api.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/common/xmalloc.h"

static const slurm_job_info_t *find(const job_info_msg_t *told, uint32_t job)
{
	uint32_t i;

	for (i = 0; i < told->record_count; i++)
		if (told->job_array[i].job_id == job)
			return &told->job_array[i];
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

/*
 * libslurm can request information about one job or all jobs. The message has a field
 * for a list of jobs (22.05 to 26.05, slurm_protocol_defs.h), so all jobs of a node are
 * requested at once. libslurm's request for one job also costs two messages, since it
 * requests the federation first.
 */
static job_info_msg_t *load(const struct lxfw_job_share *jobs, size_t count)
{
	job_info_request_msg_t request = {
		.show_flags = SHOW_DETAIL | SHOW_ALL | SHOW_LOCAL,
		.job_ids = list_create(NULL),
	};
	slurm_msg_t question, answer;
	bool answered;
	size_t i;

	for (i = 0; i < count; i++)
		list_append(request.job_ids, (void *)&jobs[i].job);
	slurm_msg_t_init(&question);
	slurm_msg_t_init(&answer);
	question.msg_type = REQUEST_JOB_INFO;
	question.data = &request;
	answered = slurm_send_recv_controller_msg(&question, &answer,
						  NULL) >= 0;
	list_destroy(request.job_ids);
	if (answered && answer.msg_type == RESPONSE_JOB_INFO)
		return answer.data;
	if (answered)
		slurm_free_msg_data(answer.msg_type, answer.data);
	/* Slurm's error numbers are not errno values: the controller is not available
	   or refuses. */
	errno = answered ? EPROTO : EHOSTUNREACH;
	return NULL;
}

int lxfw_step_load_shares(const char *node, struct lxfw_job_share *jobs,
			  size_t count)
{
	job_info_msg_t *told = load(jobs, count);
	size_t i;

	if (!told)
		return -1;
	/* Jobs that the controller has purged are not in its response. */
	for (i = 0; i < count; i++)
		jobs[i].answer = take(find(told, jobs[i].job), node,
				      &jobs[i].share);
	slurm_free_job_info_msg(told);
	return 0;
}

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores,
			   struct lxfw_cpus *cpus)
{
	/* The symbol belongs to the program, not to a library, and may be missing. */
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
