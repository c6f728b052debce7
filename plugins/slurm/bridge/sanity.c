/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "plugins/slurm/bridge/sanity.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define XMALLOC_MAGIC 0x42

static bool complain(const char *plugin, const char *what)
{
	char release[16];

	error("%s: %s not as in the headers of Slurm %s that this plugin was built with: it does nothing. Build it against the headers of the running controller.",
	      plugin, what, lxfw_compat_release(release, sizeof(release)));
	return false;
}

/* Slurm's allocator stores a magic number and the size before each object. */
static bool has_size(const void *record, size_t size)
{
	const size_t *front = (const size_t *)record - 2;

	return front[0] == XMALLOC_MAGIC && front[1] == size;
}

/* Returns true if a variable of the controller has the size that the headers imply. */
static bool variable_has_size(const void *variable, size_t size)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(variable, &info, (void **)&symbol, RTLD_DL_SYMENT) ||
	    !symbol || info.dli_saddr != variable)
		return true;	/* cannot be checked */
	return symbol->st_size == 0 || symbol->st_size == size;
}

static bool check_nodes(const char *plugin)
{
	for (int i = 0; i < node_record_count; i++) {
		node_record_t *node = node_record_table_ptr[i];

		if (!node)
			continue;
		if (!has_size(node, sizeof(*node)))
			return complain(plugin, "node records are");
		if (node->magic != NODE_MAGIC || node->index != (uint32_t)i ||
		    !node->name || find_node_record(node->name) != node)
			return complain(plugin, "node records are");
	}
	return true;
}

static bool check_partitions(const char *plugin)
{
	lxfw_slurm_iterator each;
	part_record_t *part;
	bool good = true;

	if (!part_list)
		return true;
	each = list_iterator_create(part_list);
	while (good && (part = list_next(each)) != NULL)
		good = has_size(part, sizeof(*part)) &&
		       part->magic == PART_MAGIC && part->name &&
		       find_part_record(part->name) == part;
	list_iterator_destroy(each);
	return good || complain(plugin, "partition records are");
}

bool lxfw_sanity_check(const char *plugin, const char *configured,
		       const char *type)
{
	if (!variable_has_size(&slurm_conf, sizeof(slurm_conf)) ||
	    !configured || strcmp(configured, type) != 0)
		return complain(plugin, "the configuration record is");
	if (!variable_has_size(&slurmctld_diag_stats,
			       sizeof(slurmctld_diag_stats)))
		return complain(plugin, "the statistics record is");
	if (!variable_has_size(&slurmctld_config, sizeof(slurmctld_config)))
		return complain(plugin, "the record of threads is");
	return check_nodes(plugin) && check_partitions(plugin);
}

bool lxfw_sanity_check_job(const char *plugin, const job_record_t *job)
{
	if (job->magic != JOB_MAGIC || !has_size(job, sizeof(*job)))
		return complain(plugin, "job records are");
	if (job->details && (job->details->magic != DETAILS_MAGIC ||
			     !has_size(job->details, sizeof(*job->details))))
		return complain(plugin, "details of job records are");
	if (job->part_ptr && (job->part_ptr->magic != PART_MAGIC))
		return complain(plugin, "job records are");
	if (job->job_resrcs &&
	    !has_size(job->job_resrcs, sizeof(*job->job_resrcs)))
		return complain(plugin, "resources of job records are");
	return true;
}
