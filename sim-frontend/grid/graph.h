/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Graphs of neighbours. Edges have no direction. A file has lines
 *
 *   NAME NEIGHBOUR [NEIGHBOUR ...]
 *
 * of names of nodes; '#' begins a comment, and edges may be repeated.
 */
#ifndef LXFW_GRID_GRAPH_H
#define LXFW_GRID_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "common/grid/node.h"
#include "common/util/error.h"
#include "sim-frontend/trace/names.h"

struct lxfw_graph_edge {
	int32_t from, to;
};

/* {0} is empty. The edges of node I are at first[I] to first[I + 1] - 1, in the order of
   `to`; each edge is there in both directions, the other one at `back`. */
struct lxfw_graph {
	int32_t nodes;
	uint32_t *first;
	int32_t *to;
	uint32_t *back;
	uint32_t count;
	struct lxfw_graph_edge *edges;	/* before the others are made */
	size_t edge_count, edge_size;
};

/* The following return 0, or -1 with errno ENOMEM and *GRAPH empty. */

/* No neighbours. */
int lxfw_graph_none(struct lxfw_graph *graph, int32_t nodes);

/* Two neighbours each, the previous and the next one. */
int lxfw_graph_ring(struct lxfw_graph *graph, int32_t nodes);

/* At most four neighbours each, with similar resources, as in a content-addressable network
   of two dimensions: nodes are sorted by processors and memory into columns, and each column
   by speed; neighbours are the previous and the next one of the column, and those at the same
   place of the columns beside it. The first and the last are neighbours too. */
int lxfw_graph_can(struct lxfw_graph *graph, const struct lxfw_node *nodes, int32_t count);

/* Reads a file. Returns 0, or -1 with errno and ERROR set and *GRAPH empty. */
int lxfw_graph_read(struct lxfw_graph *graph, const char *path, const struct lxfw_names *names,
		    struct lxfw_error *error);

/* The same for edges from the first site of a line to the others only. `back` is not set. */
int lxfw_graph_read_directed(struct lxfw_graph *graph, const char *path,
			     const struct lxfw_names *names, struct lxfw_error *error);

void lxfw_graph_clear(struct lxfw_graph *graph);

#endif
