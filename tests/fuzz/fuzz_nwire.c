/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests, resources and offers of a market, and the offers for them. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/grid/request.h"

const char fuzz_name[] = "nwire";

static void check_offers(const struct lxfw_grid_request *request)
{
	for (size_t i = 0; i < request->count; i++) {
		const struct lxfw_grid_offer *offer = &request->offers[i];

		FUZZ_CHECK(offer->count > 0 && offer->start < offer->end);
		FUZZ_CHECK(offer->start >= request->at && isfinite(offer->price) &&
			   isfinite(offer->utility));
		FUZZ_CHECK(i == 0 || offer->utility <= request->offers[i - 1].utility);
		for (int32_t j = 0; j < offer->count; j++) {
			const struct lxfw_grid_part *part = &offer->parts[j];

			FUZZ_CHECK(part->site >= 0 && part->site < request->sites->count);
			FUZZ_CHECK(part->procs > 0 && part->procs <=
				   request->sites->list[part->site].cluster.procs);
		}
	}
}

/* All objects, keys and values are within the file, and each node is after what it needs. */
static void check_file(const struct lxfw_nwire *nwire)
{
	FUZZ_CHECK(nwire->object_count > 0 && nwire->key_count >= nwire->object_count);
	for (size_t i = 0; i < nwire->node_count; i++) {
		const struct lxfw_nwire_node *node = &nwire->nodes[i];

		FUZZ_CHECK(node->left < (int32_t)nwire->node_count &&
			   node->right < (int32_t)nwire->node_count);
		FUZZ_CHECK(node->left != (int32_t)i && node->right != (int32_t)i);
		FUZZ_CHECK(node->place.line > 0 && node->place.column > 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lxfw_nwire none;
	struct lxfw_grid_request request = {
		.path = "request", .options = LXFW_GRID_MARKET_USUAL,
	};
	struct lxfw_sites sites = { 0 };
	struct lxfw_error error = { "" };
	struct lxfw_nwire nwire;

	if (lxfw_nwire_parse(&nwire, (const char *)data, size, "request", &error) < 0) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&nwire, &none, sizeof(none)) == 0);
		return 0;
	}
	check_file(&nwire);
	FUZZ_CHECK(lxfw_sites_add(&sites, "here", 4, &error) == 0);
	FUZZ_CHECK(lxfw_sites_add(&sites, "there", 16, &error) == 0);
	request.nwire = &nwire;
	request.sites = &sites;
	error.text[0] = '\0';
	if (lxfw_grid_request_run(&request, &error) < 0)
		FUZZ_CHECK(error.text[0] != '\0');
	else
		check_offers(&request);
	lxfw_grid_request_clear(&request);
	lxfw_sites_clear(&sites);
	lxfw_nwire_clear(&nwire);
	return 0;
}
