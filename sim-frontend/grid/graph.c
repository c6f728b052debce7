/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/graph.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/grid/lines.h"
#include "sim-frontend/util/text.h"

#define EDGES_MAX ((size_t)UINT32_MAX)

void lxfw_graph_clear(struct lxfw_graph *graph)
{
	int saved = errno;

	free(graph->first);
	free(graph->to);
	free(graph->back);
	free(graph->edges);
	*graph = (struct lxfw_graph){ 0 };
	errno = saved;
}

/* Adds an edge in one direction. */
static int add_edge(struct lxfw_graph *graph, int32_t from, int32_t to)
{
	if (graph->edge_count + 1 > EDGES_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (LXFW_GROW(graph->edges, graph->edge_size, graph->edge_count + 1))
		return -1;
	graph->edges[graph->edge_count++] = (struct lxfw_graph_edge){ from, to };
	return 0;
}

/* Adds an edge in both directions. */
static int join(struct lxfw_graph *graph, int32_t a, int32_t b)
{
	if (a == b)
		return 0;
	return add_edge(graph, a, b) ? -1 : add_edge(graph, b, a);
}

static int by_nodes(const void *one, const void *other)
{
	const struct lxfw_graph_edge *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void remove_repeated(struct lxfw_graph *graph)
{
	size_t kept = 0;

	for (size_t i = 0; i < graph->edge_count; i++) {
		if (i == 0 || by_nodes(&graph->edges[i], &graph->edges[kept - 1]) != 0)
			graph->edges[kept++] = graph->edges[i];
	}
	graph->edge_count = kept;
}

/* The edges of each node in the order of the other end: the edges from all nodes to one are
   met in the order in which that one has its own. */
static void find_back(struct lxfw_graph *graph, uint32_t *next)
{
	memcpy(next, graph->first, (size_t)graph->nodes * sizeof(*next));
	for (uint32_t i = 0; i < graph->count; i++)
		graph->back[i] = next[graph->to[i]]++;
}

/* Makes the lists of the nodes from the edges. */
static int finish(struct lxfw_graph *graph)
{
	size_t nodes = (size_t)graph->nodes;
	uint32_t *next = malloc((nodes + 1) * sizeof(*next));

	if (graph->edge_count > 0)
		qsort(graph->edges, graph->edge_count, sizeof(*graph->edges), by_nodes);
	remove_repeated(graph);
	graph->count = (uint32_t)graph->edge_count;
	graph->first = calloc(nodes + 1, sizeof(*graph->first));
	graph->to = malloc((graph->edge_count + 1) * sizeof(*graph->to));
	graph->back = malloc((graph->edge_count + 1) * sizeof(*graph->back));
	if (!next || !graph->first || !graph->to || !graph->back) {
		free(next);
		lxfw_graph_clear(graph);
		errno = ENOMEM;
		return -1;
	}
	for (uint32_t i = 0; i < graph->count; i++) {
		graph->first[graph->edges[i].from + 1]++;
		graph->to[i] = graph->edges[i].to;
	}
	for (size_t i = 0; i < nodes; i++)
		graph->first[i + 1] += graph->first[i];
	find_back(graph, next);
	free(next);
	free(graph->edges);
	graph->edges = NULL;
	graph->edge_count = graph->edge_size = 0;
	return 0;
}

int lxfw_graph_none(struct lxfw_graph *graph, int32_t nodes)
{
	*graph = (struct lxfw_graph){ .nodes = nodes };
	return finish(graph);
}

int lxfw_graph_ring(struct lxfw_graph *graph, int32_t nodes)
{
	*graph = (struct lxfw_graph){ .nodes = nodes };
	for (int32_t i = 0; i < nodes; i++) {
		if (join(graph, i, (i + 1) % nodes)) {
			lxfw_graph_clear(graph);
			return -1;
		}
	}
	return finish(graph);
}

/* --- a network of two dimensions --------------------------------------------------------- */

/* A node of the network. */
struct place {
	const struct lxfw_node *node;
	int32_t index;
};

static int compare(int32_t a, int32_t b)
{
	return (a > b) - (a < b);
}

static int by_amounts(const void *one, const void *other)
{
	const struct place *a = one, *b = other;
	int order = compare(a->node->procs, b->node->procs);

	if (order == 0)
		order = compare(a->node->memory, b->node->memory);
	return order ? order : compare(a->index, b->index);
}

static int by_speed(const void *one, const void *other)
{
	const struct place *a = one, *b = other;
	int order = compare(a->node->speed, b->node->speed);

	return order ? order : compare(a->index, b->index);
}

/* The columns have HEIGHT nodes each, the last one fewer. */
static int join_places(struct lxfw_graph *graph, const struct place *places, int32_t height)
{
	for (int32_t i = 0; i < graph->nodes; i++) {
		int32_t column = i / height * height, row = i - column;
		int32_t end = column + height < graph->nodes ? column + height : graph->nodes;
		int32_t below = i + 1 < end ? i + 1 : column;
		int32_t beside = i + height < graph->nodes ? i + height : row;

		if (join(graph, places[i].index, places[below].index) ||
		    join(graph, places[i].index, places[beside].index))
			return -1;
	}
	return 0;
}

int lxfw_graph_can(struct lxfw_graph *graph, const struct lxfw_node *nodes, int32_t count)
{
	struct place *places = malloc(((size_t)count + 1) * sizeof(*places));
	int32_t height = 1;
	int failed;

	*graph = (struct lxfw_graph){ .nodes = count };
	if (!places)
		return -1;
	while ((int64_t)height * height < count)
		height++;
	for (int32_t i = 0; i < count; i++)
		places[i] = (struct place){ &nodes[i], i };
	qsort(places, (size_t)count, sizeof(*places), by_amounts);
	for (int32_t i = 0; i < count; i += height)
		qsort(&places[i], (size_t)(count - i < height ? count - i : height),
		      sizeof(*places), by_speed);
	failed = join_places(graph, places, height);
	free(places);
	if (failed) {
		lxfw_graph_clear(graph);
		return -1;
	}
	return finish(graph);
}

/* --- a file ---------------------------------------------------------------------------------- */

struct reader {
	const char *path;
	long line;
	const struct lxfw_names *names;
	struct lxfw_graph *graph;
	struct lxfw_error *error;
	bool directed;
};

/* Returns the index of the node, or -1. */
static int32_t find(const struct reader *reader, const char *word)
{
	int32_t node = lxfw_names_find(reader->names, word, strlen(word));
	char quoted[48];

	if (node < 0)
		lxfw_error_at(reader->error, reader->path, reader->line,
			      "no site '%s', expected names of sites",
			      lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word)));
	return node;
}

static int out_of_memory(const struct reader *reader)
{
	lxfw_error_set(reader->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static int read_line(void *context, long line, char *text)
{
	struct reader *reader = context;
	int32_t from = -1, to = -1;
	char *rest = NULL;

	reader->line = line;
	for (char *word = strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest)) {
		to = find(reader, word);
		if (to < 0)
			return -1;
		if (from < 0) {
			from = to;
			to = -1;
			continue;
		}
		if (from == to)
			return lxfw_error_at(reader->error, reader->path, reader->line,
					     "a site is its own neighbour, expected other "
					     "sites");
		if (reader->directed ? add_edge(reader->graph, from, to) :
				       join(reader->graph, from, to))
			return out_of_memory(reader);
	}
	if (from >= 0 && to < 0)
		return lxfw_error_at(reader->error, reader->path, reader->line,
				     "one site, expected a site and its neighbours");
	return 0;
}

static int read_file(struct lxfw_graph *graph, const char *path, const struct lxfw_names *names,
		     bool directed, struct lxfw_error *error)
{
	struct reader reader = { .path = path, .names = names, .graph = graph,
				 .error = error, .directed = directed };
	int result;

	*graph = (struct lxfw_graph){ .nodes = (int32_t)names->count };
	result = lxfw_lines_read(path, read_line, &reader, error);
	if (result == 0 && graph->edge_count == 0)
		result = lxfw_error_at(error, path, 0, "no neighbours, expected lines NAME "
				       "NEIGHBOUR ...");
	if (result == 0 && finish(graph))
		result = out_of_memory(&reader);
	if (result)
		lxfw_graph_clear(graph);
	return result;
}

int lxfw_graph_read(struct lxfw_graph *graph, const char *path, const struct lxfw_names *names,
		    struct lxfw_error *error)
{
	return read_file(graph, path, names, false, error);
}

int lxfw_graph_read_directed(struct lxfw_graph *graph, const char *path,
			     const struct lxfw_names *names, struct lxfw_error *error)
{
	return read_file(graph, path, names, true, error);
}
