/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of a gres.conf. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "common/model/sockets.h"
#include "sim-frontend/trace/cluster.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "gres";

/* Two nodes with two sockets of four cores and four GPUs, and one without GPUs. */
static void make_cluster(struct lxfw_cluster *cluster)
{
	static const char *const names[] = { "n1", "n2", "n3" };
	const struct lxfw_resources total = { .procs = 8 };
	struct lxfw_error error;

	*cluster = (struct lxfw_cluster) { 0 };
	for (int32_t i = 0; i < 3; i++) {
		FUZZ_CHECK(lxfw_cluster_add(cluster, names[i], &total, &error) == 0);
		cluster->hosts[i].socket_cores = 4;
		FUZZ_CHECK(i == 2 || lxfw_gres_add(&cluster->gres, &cluster->hosts[i].gres, "gpu",
						   3, 4) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_error error = { "" };
	struct lxfw_cluster cluster;

	if (!path)
		return 0;
	make_cluster(&cluster);
	if (lxfw_cluster_read_gres(&cluster, path, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	for (int32_t i = 0; i < cluster.count; i++) {
		uint32_t sockets = cluster.hosts[i].sockets;

		FUZZ_CHECK(sockets == 0 || (i < 2 && lxfw_sockets_sum(sockets) == 4 &&
					    lxfw_sockets_count(sockets) > 1));
	}
	lxfw_cluster_clear(&cluster);
	return 0;
}
