/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What priorities of a Slurm site depend on: a slurm.conf, or a dump of associations or of
   QOS. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/priority/site.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "multifactor";

static void check_site(struct lxfw_multifactor_site *site)
{
	FUZZ_CHECK(site->procs > 0 && site->nodes > 0);
	FUZZ_CHECK(site->params.calc_period >= 60 && site->params.dampening > 0);
	for (size_t i = 0; i < site->partition_count; i++) {
		const struct lxfw_multifactor_partition *partition = &site->partitions[i];

		FUZZ_CHECK(partition->norm >= 0 && partition->norm <= 1);
		for (int j = 0; j < LXFW_TRES_MAX && partition->billed; j++)
			FUZZ_CHECK(isfinite(partition->billing[j]));
	}
}

static void check_assocs(struct lxfw_assocs *assocs, bool fair_tree)
{
	lxfw_assocs_finish(assocs, fair_tree);
	FUZZ_CHECK(assocs->count > 0 && assocs->items[0].parent == -1);
	for (size_t i = 1; i < assocs->count; i++) {
		const struct lxfw_assoc *item = &assocs->items[i];

		FUZZ_CHECK(item->parent >= 0 && (size_t)item->parent < i);
		FUZZ_CHECK(!*assocs->items[item->parent].user);
		FUZZ_CHECK(item->share_parent >= 0 && (size_t)item->share_parent < i);
		FUZZ_CHECK(isfinite(item->shares_norm) && item->shares_norm >= 0);
		FUZZ_CHECK(item->priority_norm >= 0 && item->priority_norm <= 1);
	}
}

static void check_qos(const struct lxfw_qos_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		FUZZ_CHECK(list->items[i].priority_norm >= 0 &&
			   list->items[i].priority_norm <= 1);
		FUZZ_CHECK(list->items[i].usage_factor >= 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_multifactor_site site;
	struct lxfw_error error = { "" };
	struct lxfw_cluster cluster;

	if (!path)
		return 0;
	FUZZ_CHECK(lxfw_cluster_procs(&cluster, 16, &error) == 0);
	FUZZ_CHECK(lxfw_multifactor_site_begin(&site) == 0);
	if (lxfw_multifactor_site_read(&site, path, &cluster, &error))
		FUZZ_CHECK(*error.text);
	else
		check_site(&site);
	*error.text = '\0';
	if (lxfw_assocs_read(&site.assocs, path, NULL, &error))
		FUZZ_CHECK(*error.text);
	check_assocs(&site.assocs, true);
	check_assocs(&site.assocs, false);
	*error.text = '\0';
	if (lxfw_qos_read(&site.qos, path, &error))
		FUZZ_CHECK(*error.text);
	else
		check_qos(&site.qos);
	lxfw_multifactor_site_clear(&site);
	lxfw_cluster_clear(&cluster);
	return 0;
}
