/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readers of cluster descriptions, as text and as slurm.conf. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/trace/cluster.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "cluster";

static void check_cluster(const struct lxfw_cluster *cluster)
{
	int64_t procs = 0;

	FUZZ_CHECK(cluster->count > 0 && cluster->extra_count >= 0);
	FUZZ_CHECK(cluster->extra_count <= LXFW_EXTRAS_MAX);
	for (int32_t i = 0; i < cluster->count; i++) {
		const struct lxfw_resources *total = &cluster->hosts[i].total;

		FUZZ_CHECK(total->procs >= 0 && total->memory_mb >= 0);
		for (int j = 0; j < LXFW_EXTRAS_MAX; j++)
			FUZZ_CHECK(total->extras[j] >= 0);
		procs += total->procs;
	}
	FUZZ_CHECK(procs == cluster->procs);
	FUZZ_CHECK(lxfw_cluster_find(cluster, lxfw_cluster_host_name(cluster,
					cluster->count - 1)) ==
		   cluster->count - 1);
	for (int32_t i = 0; i < cluster->set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[i];

		for (int32_t j = 0; j < set->count; j++) {
			FUZZ_CHECK(set->hosts[j] >= 0 &&
				   set->hosts[j] < cluster->count);
			FUZZ_CHECK(j == 0 || set->hosts[j] > set->hosts[j - 1]);
		}
	}
}

static void read_description(const char *description)
{
	static const struct lxfw_cluster none;
	struct lxfw_cluster cluster;
	struct lxfw_error error = { "" };

	if (lxfw_cluster_read(&cluster, description, &error) < 0) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&cluster, &none, sizeof(none)) == 0);
		return;
	}
	check_cluster(&cluster);
	lxfw_cluster_clear(&cluster);
}

/* Whether there is a range up to four digits or more, which may be thousands of hosts. */
static bool is_large(const uint8_t *data, size_t size)
{
	size_t digits = 0;
	bool upper = false;

	for (size_t i = 0; i < size; i++) {
		if (data[i] >= '0' && data[i] <= '9') {
			if (upper && ++digits == 4)
				return true;
		} else {
			upper = data[i] == '-';
			digits = 0;
		}
	}
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char prefix[] = "procs=";
	const char *path = fuzz_file(data, size);
	char number[40] = "procs=";

	/* Most of these would only be slow. */
	if (path && (!is_large(data, size) || size % 16 < 2))
		read_description(path);
	if (size > sizeof(prefix) && size < sizeof(number) &&
	    memcmp(data, prefix, sizeof(prefix) - 1) == 0) {
		memcpy(number, data, size);
		number[size] = '\0';
		read_description(number);
	}
	return 0;
}
