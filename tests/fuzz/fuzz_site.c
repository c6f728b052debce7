/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations of a cluster, and the needs of jobs, as text and as Slurm's lists, up to
   the resulting request. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/engine/request.h"
#include "sim-frontend/trace/reservations.h"
#include "sim-frontend/trace/tres.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "site";

static struct lxfw_resources small = {
	.procs = 4, .memory_mb = 4000, .extras = { 2, 1 },
};
static struct lxfw_resources large = { .procs = 64, .memory_mb = 512000 };

/* Three hosts, two partitions, GPUs. */
static void make_cluster(struct lxfw_cluster *cluster)
{
	static char *extras[] = { "gpu", "gpu:a100" };
	static int32_t all[] = { 0, 1, 2 };
	static struct lxfw_cluster_set sets[] = {
		{ .name = "all", .hosts = all, .count = 3 },
		{ .name = "big", .hosts = all + 1, .count = 2,
		  .rules = { .max_hosts = 1, .max_time = 60, .exclusive = true } },
	};

	*cluster = (struct lxfw_cluster) { .memory_bound = true };
	FUZZ_CHECK(lxfw_cluster_add(cluster, "a", &small, NULL) == 0);
	FUZZ_CHECK(lxfw_cluster_add(cluster, "b", &large, NULL) == 0);
	FUZZ_CHECK(lxfw_cluster_add(cluster, "c", &large, NULL) == 0);
	memcpy(cluster->extras, extras, sizeof(extras));
	cluster->extra_count = 2;
	cluster->sets = sets;
	cluster->set_count = 2;
}

static void clear_cluster(struct lxfw_cluster *cluster)
{
	cluster->sets = NULL;
	cluster->set_count = cluster->extra_count = 0;
	lxfw_cluster_clear(cluster);
}

static int take_gres(void *context, struct lxfw_slice name, int64_t count)
{
	const struct lxfw_slice *list = context;

	FUZZ_CHECK(name.length > 0 && count > 0);
	FUZZ_CHECK(name.at >= list->at &&
		   name.at + name.length <= list->at + list->length);
	return 0;
}

static void check_request(const struct lxfw_cluster *cluster,
			  const struct lxfw_need *need, int32_t procs)
{
	const struct lxfw_trace_job job = {
		.procs = procs, .memory_kb = 123456, .limit = 1, .run = 1,
	};
	struct lxfw_request request = { .id = 1, .estimate = 1 };

	lxfw_simulation_request(cluster, false, &job, need, &request);
	if (!lxfw_simulation_holds(cluster, &request))
		return;
	/* The scheduler must accept a request that fits the cluster. */
	FUZZ_CHECK(lxfw_request_is_valid(&request));
	/* GPUs that do not divide the processors round them, if hosts are unlike. */
	FUZZ_CHECK((int64_t)request.unit.procs * request.count == procs ||
		   (need->hosts > 1 && need->gres));
}

/* TEXT is the partitions, a line end, and the needs of the job. */
static void check_needs(const struct lxfw_cluster *cluster, const char *text)
{
	struct lxfw_needs needs = { .size = 0 };
	size_t end = strcspn(text, "\n");
	struct lxfw_slice partitions = { text, end }, rest = { text + end, 0 };
	int32_t at;

	if (text[end] == '\n')
		rest = (struct lxfw_slice) { text + end + 1,
					     strlen(text + end + 1) };
	lxfw_gres_each(rest, 3, take_gres, &rest);
	FUZZ_CHECK(lxfw_tres_count(rest, "node") >= 0);
	at = lxfw_needs_find(&needs, cluster, partitions, rest);
	FUZZ_CHECK(at == 0);
	FUZZ_CHECK(lxfw_needs_find(&needs, cluster, partitions, rest) == 0);
	FUZZ_CHECK(needs.needs[0].set_count <= LXFW_HOST_SETS_MAX);
	lxfw_needs_count(&needs, &needs.needs[0], 100);
	for (int32_t procs = 1; procs < 100; procs = procs * 2 + 1)
		check_request(cluster, &needs.needs[0], procs);
	lxfw_needs_clear(&needs);
}

static void check_reservations(struct lxfw_cluster *cluster, const char *path)
{
	const struct lxfw_reservations_span span = {
		.begin = 0, .end = 86400, .since_1970 = 1735689600,
	};
	struct lxfw_reservations_told told;
	struct lxfw_error error = { "" };

	if (lxfw_reservations_read(cluster, path, &span, &told, &error)) {
		FUZZ_CHECK(error.text[0] != '\0');
		return;
	}
	FUZZ_CHECK(told.taken <= cluster->block_count);
	for (size_t i = 0; i < cluster->block_count; i++) {
		const struct lxfw_cluster_block *block = &cluster->blocks[i];

		FUZZ_CHECK(block->start < block->end);
		FUZZ_CHECK(block->start < span.end && block->end > span.begin);
		FUZZ_CHECK(block->count > 0 && block->count <= cluster->count);
		for (int32_t j = 0; j < block->count; j++)
			FUZZ_CHECK(block->shares[j].amount.procs > 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	char *text = fuzz_text(data, size);
	struct lxfw_cluster cluster;

	make_cluster(&cluster);
	if (path)
		check_reservations(&cluster, path);
	clear_cluster(&cluster);
	make_cluster(&cluster);
	if (text)
		check_needs(&cluster, text);
	clear_cluster(&cluster);
	free(text);
	return 0;
}
