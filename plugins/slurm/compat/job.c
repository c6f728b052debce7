/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of compat.h that the select plugin uses, too. */
#include "plugins/slurm/compat/compat.h"

#include <stdio.h>

/* Since 25.11 the flags have names of their own; their meaning is the same. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
#define GIVES(what) (slurm_conf.select_type_param & SELECT_##what)
#else
#define GIVES(what) (slurm_conf.select_type_param & CR_##what)
#endif

char *lxfw_compat_release(char *text, size_t size)
{
	snprintf(text, size, "%d.%02d.%d",
		 SLURM_VERSION_MAJOR(SLURM_VERSION_NUMBER),
		 SLURM_VERSION_MINOR(SLURM_VERSION_NUMBER),
		 SLURM_VERSION_MICRO(SLURM_VERSION_NUMBER));
	return text;
}

bool lxfw_compat_memory_counts(void)
{
	return GIVES(MEMORY);
}

bool lxfw_compat_gives_threads(void)
{
	return GIVES(CPU);
}

bool lxfw_compat_gives_sockets(void)
{
	return GIVES(SOCKET);
}

bool lxfw_compat_is_exclusive(const job_record_t *job)
{
	/* A set of flags since 24.05, an enumeration before. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	if (job->details->whole_node & WHOLE_NODE_REQUIRED)
		return true;
#else
	if (job->details->whole_node == WHOLE_NODE_REQUIRED)
		return true;
#endif
	return job->part_ptr && job->part_ptr->max_share == 0;
}

uint32_t lxfw_compat_max_nodes(const job_record_t *job)
{
#ifdef JOB_IMPLICIT_MAX_NODES
	if (job->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return 0;
#endif
	return job->details->max_nodes;
}

bool lxfw_compat_least_loaded(const job_record_t *job)
{
	return job->part_ptr->flags & PART_FLAG_LLN || GIVES(LLN);
}

bool lxfw_compat_topology(const job_record_t *job)
{
	const char *plugin = slurm_conf.topology_plugin;

	if (!plugin || xstrstr(plugin, "none") || xstrstr(plugin, "default") ||
	    xstrstr(plugin, "flat"))
		return false;
	return job->req_switch ||
	       !xstrcasestr(slurm_conf.topology_param, "TopoOptional");
}

bool lxfw_compat_is_expedited(const job_record_t *job)
{
	/* Since 25.11 a failed job may be requeued in this way. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	return IS_JOB_EXPEDITING(job);
#else
	(void)job;
	return false;
#endif
}

bool lxfw_compat_needs_blocks(const job_record_t *job)
{
	/* Since 24.05 a job may request whole blocks of the topology, or segments of them. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	const lxfw_slurm_details *details = job->details;

	return IS_JOB_WHOLE_TOPO(job) ||
	       (details->segment_size && details->segment_size != NO_VAL16);
#else
	(void)job;
	return false;
#endif
}
