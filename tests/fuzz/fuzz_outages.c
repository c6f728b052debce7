/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of outages: lines of text, and the events of sacctmgr. */
#include "tests/fuzz/fuzz.h"

#include "sim-frontend/infer/outages_file.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "outages";

#define HOSTS 4
#define PROCS 8

static void check_outages(const struct lxfw_outages *outages, bool named)
{
	for (size_t i = 0; i < outages->count; i++) {
		const struct lxfw_outage *outage = &outages->outages[i];

		FUZZ_CHECK(outage->given && outage->begin < outage->end);
		FUZZ_CHECK(i == 0 || outages->outages[i - 1].end <= outage->begin);
		FUZZ_CHECK(outage->procs >= 0 && outage->procs <= HOSTS * PROCS);
		FUZZ_CHECK(outage->host_count >= 0 && outage->host_count <= HOSTS);
		FUZZ_CHECK(named || outage->host_count == 0);
		for (int32_t j = 0; j < outage->host_count; j++) {
			FUZZ_CHECK(outage->hosts[j] >= 0 && outage->hosts[j] < HOSTS);
			FUZZ_CHECK(j == 0 || outage->hosts[j] > outage->hosts[j - 1]);
		}
	}
}

/* With the names of hosts, or only with a number of processors. */
static void make_cluster(struct lxfw_cluster *cluster, bool named)
{
	static const char *const names[HOSTS] = { "n1", "n2", "n3", "gpu" };
	const struct lxfw_resources total = { .procs = PROCS };
	struct lxfw_error error = { "" };

	*cluster = (struct lxfw_cluster) { 0 };
	for (int i = 0; named && i < HOSTS; i++)
		FUZZ_CHECK(lxfw_cluster_add(cluster, names[i], &total, &error) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lxfw_outages none;
	const char *path = fuzz_file(data, size);
	bool named = size % 2 == 0;
	struct lxfw_recorded_job job = { .seen = 1000 };
	const struct lxfw_recorded recorded = {
		.jobs = &job, .count = 1, .procs = HOSTS * PROCS,
		.calendar = {
			.known = size % 4 < 2, .begin = size % 4 < 2 ? 1735689600 : 0,
			.offset = 3600, .zone = "UTC+1",
		},
	};
	struct lxfw_cluster cluster;
	struct lxfw_outages outages;
	struct lxfw_error error = { "" };

	if (!path)
		return 0;
	make_cluster(&cluster, named);
	if (lxfw_outages_read(&outages, path, &cluster, &recorded, &error)) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&outages, &none, sizeof(none)) == 0);
	} else {
		check_outages(&outages, named);
		lxfw_outages_clear(&outages);
	}
	lxfw_cluster_clear(&cluster);
	return 0;
}
