/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/slurm_lines.h"

int lxfw_multifactor_site_begin(struct lxfw_multifactor_site *site)
{
	*site = (struct lxfw_multifactor_site) {
		.params = lxfw_multifactor_defaults, .procs = 1, .nodes = 1,
	};
	lxfw_tres_list_begin(&site->tres);
	return lxfw_assocs_begin(&site->assocs);
}

void lxfw_multifactor_site_clear(struct lxfw_multifactor_site *site)
{
	int saved = errno;

	for (size_t i = 0; i < site->partition_count; i++)
		free(site->partitions[i].name);
	free(site->partitions);
	lxfw_assocs_clear(&site->assocs);
	lxfw_qos_clear(&site->qos);
	*site = (struct lxfw_multifactor_site) { 0 };
	errno = saved;
}

int32_t lxfw_multifactor_partition_find(const struct lxfw_multifactor_site *site,
					struct lxfw_slice name)
{
	for (size_t i = 0; i < site->partition_count; i++) {
		if (lxfw_slice_is(name, site->partitions[i].name))
			return (int32_t)i;
	}
	return -1;
}

int32_t lxfw_multifactor_partition_add(struct lxfw_multifactor_site *site,
				       struct lxfw_slice name)
{
	struct lxfw_multifactor_partition *items;

	if (LXFW_GROW(site->partitions, site->partition_size,
		      site->partition_count + 1))
		return -1;
	items = site->partitions;
	items[site->partition_count] = (struct lxfw_multifactor_partition) {
		.name = strndup(name.at, name.length), .job_factor = 1,
		.max_minutes = UINT32_MAX,
	};
	if (!items[site->partition_count].name)
		return -1;
	return (int32_t)site->partition_count++;
}

void lxfw_multifactor_site_finish(struct lxfw_multifactor_site *site)
{
	uint16_t highest = 1;

	for (size_t i = 0; i < site->partition_count; i++) {
		if (site->partitions[i].job_factor > highest)
			highest = site->partitions[i].job_factor;
	}
	for (size_t i = 0; i < site->partition_count; i++) {
		struct lxfw_multifactor_partition *partition = &site->partitions[i];

		partition->norm = (double)partition->job_factor / (double)highest;
		partition->tres[LXFW_TRES_BILLING] = (uint64_t)lxfw_tres_bill(&site->tres,
			partition->tres, partition->billed ? partition->billing : NULL,
			site->params.flags & LXFW_MULTIFACTOR_MAX_TRES);
	}
	lxfw_qos_finish(&site->qos);
	lxfw_assocs_finish(&site->assocs, lxfw_multifactor_is_fair_tree(&site->params));
}
