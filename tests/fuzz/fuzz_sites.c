/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the sites of a grid. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/grid/sites.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "sites";

static void check_sites(const struct lxfw_sites *sites)
{
	FUZZ_CHECK(sites->count > 0 && sites->count <= LXFW_SITES_MAX);
	for (int32_t i = 0; i < sites->count; i++) {
		const struct lxfw_site *site = &sites->list[i];

		FUZZ_CHECK(site->name[0] != '\0' && !strpbrk(site->name, ",:+\" \n"));
		FUZZ_CHECK(lxfw_sites_find(sites, site->name) == i);
		FUZZ_CHECK(site->cluster.count > 0 && site->cluster.procs >= 0);
		FUZZ_CHECK(site->speed >= 1 && site->speed <= 1000000);
	}
	FUZZ_CHECK(lxfw_sites_procs(sites) >= lxfw_sites_largest(sites));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lxfw_sites none;
	const char *path = fuzz_file(data, size);
	struct lxfw_error error = { "" };
	struct lxfw_sites sites;

	if (!path)
		return 0;
	if (lxfw_sites_read(&sites, path, &error) < 0) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&sites, &none, sizeof(none)) == 0);
		return 0;
	}
	check_sites(&sites);
	lxfw_sites_clear(&sites);
	return 0;
}
