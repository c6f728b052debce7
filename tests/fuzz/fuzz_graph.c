/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the neighbours of sites. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "sim-frontend/grid/graph.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "graph";

static void check_graph(const struct lxfw_graph *graph, int32_t nodes)
{
	FUZZ_CHECK(graph->nodes == nodes && graph->count > 0);
	FUZZ_CHECK(graph->first[nodes] == graph->count);
	for (int32_t i = 0; i < nodes; i++) {
		for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
			FUZZ_CHECK(graph->to[e] >= 0 && graph->to[e] < nodes);
			FUZZ_CHECK(graph->to[e] != i);
			FUZZ_CHECK(graph->to[graph->back[e]] == i);
			FUZZ_CHECK(graph->back[graph->back[e]] == e);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const known[] = { "a", "b", "c", "site", "node-1" };
	static const struct lxfw_graph none;
	const char *path = fuzz_file(data, size);
	struct lxfw_names names = { 0 };
	struct lxfw_error error = { "" };
	struct lxfw_graph graph;

	if (!path)
		return 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		(void)lxfw_names_add(&names, known[i], strlen(known[i]));
	if (lxfw_graph_read(&graph, path, &names, &error) < 0) {
		FUZZ_CHECK(error.text[0] != '\0');
		FUZZ_CHECK(memcmp(&graph, &none, sizeof(none)) == 0);
	} else {
		check_graph(&graph, (int32_t)names.count);
		lxfw_graph_clear(&graph);
	}
	lxfw_names_clear(&names);
	return 0;
}
