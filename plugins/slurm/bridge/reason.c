/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/reason.h"

#include <string.h>

/* As Slurm's main scheduler describes it. */
static const char nodes_lost[] =
	"Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions";

/* DESCRIPTION may be NULL. */
static void set_reason(job_record_t *job, enum job_state_reason reason,
		       const char *description)
{
	if (job->state_reason == reason &&
	    xstrcmp(job->state_desc, description) == 0)
		return;
	job->state_reason = reason;
	xfree(job->state_desc);
	job->state_desc = xstrdup(description);
}

struct lxfw_stated_reason lxfw_reason_take(job_record_t *job)
{
	struct lxfw_stated_reason before = { job->state_reason, job->state_desc };

	job->state_desc = NULL;
	return before;
}

void lxfw_reason_back(job_record_t *job, const struct lxfw_stated_reason *before)
{
	job->state_reason = before->reason;
	xfree(job->state_desc);
	job->state_desc = before->description;
}

static bool named_nodes_are_up(const job_record_t *job)
{
	const bitstr_t *named = job->details->req_node_bitmap;

	return !named || bit_super_set((bitstr_t *)named, avail_node_bitmap);
}

/* Returns true if as many nodes as the job requires are up in its partition. */
static bool enough_nodes_are_up(const job_record_t *job)
{
	return job->part_ptr && job->part_ptr->node_bitmap &&
	       bit_overlap(job->part_ptr->node_bitmap, avail_node_bitmap) >=
		       (int)job->details->min_nodes;
}

void lxfw_reason_renew(job_record_t *job)
{
	if (job->state_reason == WAIT_LICENSES ||
	    job->state_reason == WAIT_CLEANING)
		set_reason(job, WAIT_NO_REASON, NULL);
}

/* Slurm sets ReqNodeNotAvail for a job that is submitted while its nodes are down. */
void lxfw_reason_nodes_back(job_record_t *job)
{
	bool lost = job->state_reason == WAIT_NODE_NOT_AVAIL ||
		    (job->state_reason == WAIT_RESOURCES && job->state_desc &&
		     strcmp(job->state_desc, nodes_lost) == 0);

	if (lost && named_nodes_are_up(job) && enough_nodes_are_up(job))
		set_reason(job, WAIT_NO_REASON, NULL);
}

void lxfw_say_no_room(job_record_t *job)
{
	if (job->state_reason == WAIT_NO_REASON ||
	    job->state_reason == WAIT_PRIORITY)
		set_reason(job, WAIT_RESOURCES, NULL);
}

/* A job that is held with that reason has priority 0. */
void lxfw_reason_not_final(job_record_t *job)
{
	if (job->state_reason == FAIL_BAD_CONSTRAINTS && job->priority != 0)
		set_reason(job, WAIT_RESOURCES, NULL);
}

void lxfw_say_behind(job_record_t *job)
{
	if (job->state_reason == WAIT_NO_REASON ||
	    job->state_reason == WAIT_RESOURCES)
		set_reason(job, WAIT_PRIORITY, NULL);
}

void lxfw_say_licenses(job_record_t *job)
{
	set_reason(job, WAIT_LICENSES, NULL);
}

void lxfw_say_maintenance(job_record_t *job)
{
	set_reason(job, WAIT_NODE_NOT_AVAIL, "ReqNodeNotAvail, Reserved for maintenance");
}

static void clear_future(bitstr_t *nodes)
{
	int last = bit_fls(nodes);

	for (int i = bit_ffs(nodes); i >= 0 && i <= last; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (!node || IS_NODE_FUTURE(node))
			bit_clear(nodes, i);
	}
}

void lxfw_say_not_available(job_record_t *job)
{
	const bitstr_t *wanted = job->details->req_node_bitmap;
	bitstr_t *lost;
	char *names, *description = NULL;

	if (!wanted && job->part_ptr)
		wanted = job->part_ptr->node_bitmap;
	/* A partition may be without nodes. */
	lost = wanted ? bit_copy((bitstr_t *)wanted) : bit_alloc(node_record_count);
	bit_and_not(lost, avail_node_bitmap);
	clear_future(lost);
	names = bitmap2node_name(lost);
	if (bit_ffs(lost) >= 0)
		xstrfmtcat(description, "ReqNodeNotAvail, UnavailableNodes:%s", names);
	else
		xstrfmtcat(description, "ReqNodeNotAvail, May be reserved for other job");
	set_reason(job, WAIT_NODE_NOT_AVAIL, description);
	xfree(description);
	xfree(names);
	FREE_NULL_BITMAP(lost);
}

void lxfw_say_no_nodes(job_record_t *job)
{
	lxfw_reason_nodes_back(job);
	if (!named_nodes_are_up(job))
		lxfw_say_not_available(job);
	else if (!enough_nodes_are_up(job))
		set_reason(job, WAIT_RESOURCES, nodes_lost);
	else
		lxfw_say_no_room(job);
}
