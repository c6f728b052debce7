/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/neighbours.h"

#define WHOLE 1000000

void lxfw_node_view(const struct lxfw_nodes *nodes, int32_t index, struct lxfw_node_view *view)
{
	const struct lxfw_node *node = &nodes->nodes[index];

	*view = (struct lxfw_node_view){
		.free_procs = node->free_procs, .free_memory = node->free_memory,
		.waiting = node->waiting,
		.rank = node->waiting ? nodes->jobs[node->first_waiting].rank : INT64_MIN,
		.queued_procs = node->queued_procs, .queued_memory = node->queued_memory,
	};
}

/* `most` is not above `sum`: no product exceeds 2e15. */
int64_t lxfw_node_objective(const struct lxfw_node *node, const struct lxfw_node_view *view,
			    const struct lxfw_node_job *job)
{
	int64_t procs, memory = 0, most, sum;
	int resources = node->memory ? 2 : 1;

	if (!lxfw_node_can_run(node, job) || job->procs > view->free_procs ||
	    (node->memory && job->memory > view->free_memory))
		return INT64_MAX;
	procs = ((int64_t)node->procs - view->free_procs + job->procs) * WHOLE / node->procs;
	if (node->memory)
		memory = ((int64_t)node->memory - view->free_memory + job->memory) * WHOLE /
			 node->memory;
	most = procs > memory ? procs : memory;
	sum = procs + memory;
	if (sum == 0)		/* less than a millionth of the node */
		return (int64_t)WHOLE * 1000 * 1000 / node->speed;
	return most * (resources * (int64_t)WHOLE - sum) * 1000 / sum / resources * 1000 /
	       node->speed;
}

static bool may_move(const struct lxfw_nodes *nodes, int32_t job)
{
	return !nodes->rules.stays || nodes->jobs[job].ran == 0;
}

/* --- PUSH and PULL ------------------------------------------------------------------------- */

int32_t lxfw_push_to(const struct lxfw_nodes *nodes, int32_t index,
		     const struct lxfw_neighbours *neighbours)
{
	int32_t first = nodes->nodes[index].first_waiting, best = -1;
	int64_t least = INT64_MAX;

	if (first < 0 || !may_move(nodes, first))
		return -1;
	for (int32_t i = 0; i < neighbours->count; i++) {
		const struct lxfw_node *to = &nodes->nodes[neighbours->nodes[i]];
		int64_t objective;

		if (neighbours->asked[i] ||
		    neighbours->views[i].rank >= nodes->jobs[first].rank)
			continue;
		objective = lxfw_node_objective(to, &neighbours->views[i],
						&nodes->jobs[first]);
		if (objective < least) {
			least = objective;
			best = i;
		}
	}
	return best;
}

bool lxfw_push_accepts(const struct lxfw_nodes *nodes, int32_t index,
		       const struct lxfw_node_job *job)
{
	const struct lxfw_node *node = &nodes->nodes[index];

	return lxfw_node_can_run(node, job) && lxfw_node_has_room(node, job) &&
	       (node->waiting == 0 || nodes->jobs[node->first_waiting].rank < job->rank);
}

int32_t lxfw_pull_from(const struct lxfw_nodes *nodes, int32_t index,
		       const struct lxfw_neighbours *neighbours)
{
	const struct lxfw_node_view *best = NULL;
	const struct lxfw_node *node = &nodes->nodes[index];
	int64_t own = node->waiting ? nodes->jobs[node->first_waiting].rank : INT64_MIN;

	for (int32_t i = 0; i < neighbours->count && node->free_procs > 0; i++) {
		const struct lxfw_node_view *view = &neighbours->views[i];

		if (neighbours->asked[i] || view->waiting == 0 || view->rank <= own)
			continue;
		if (!best || view->rank < best->rank ||
		    (view->rank == best->rank && view->waiting > best->waiting))
			best = view;
	}
	return best ? (int32_t)(best - neighbours->views) : -1;
}

int32_t lxfw_pull_gives(const struct lxfw_nodes *nodes, int32_t index, int32_t to,
			const struct lxfw_node_view *view)
{
	int64_t least = INT64_MAX;
	int32_t best = -1;

	for (int32_t i = nodes->nodes[index].first_waiting; i >= 0; i = nodes->jobs[i].next) {
		int64_t objective;

		if (!may_move(nodes, i))
			continue;
		objective = lxfw_node_objective(&nodes->nodes[to], view, &nodes->jobs[i]);
		if (objective < least) {
			least = objective;
			best = i;
		}
	}
	return best;
}

/* --- queue balancing ----------------------------------------------------------------------- */

int64_t lxfw_node_load(const struct lxfw_node *node, const struct lxfw_node_view *view,
		       const struct lxfw_node_job *job, int sign)
{
	int64_t procs = view->queued_procs + (sign ? sign * (int64_t)job->procs : 0);
	int64_t memory = view->queued_memory + (sign ? sign * (int64_t)job->memory : 0);

	procs = procs * WHOLE / node->procs;
	memory = node->memory ? memory * WHOLE / node->memory : 0;
	return procs > memory ? procs : memory;
}

/* A move of a job from a node with the load FROM. */
struct move {
	int64_t from, sum, larger;	/* the last two after the move */
};

/* Loads after the move of the job; returns whether the larger one becomes less. */
static bool consider(const struct lxfw_node *one, const struct lxfw_node_view *one_view,
		     const struct lxfw_node *other, const struct lxfw_node_view *other_view,
		     const struct lxfw_node_job *job, struct move *move)
{
	int64_t from = lxfw_node_load(one, one_view, job, -1);
	int64_t to = lxfw_node_load(other, other_view, job, 1);

	if (!lxfw_node_can_run(other, job) || other_view->rank >= job->rank)
		return false;
	move->sum = from + to;
	move->larger = from > to ? from : to;
	return move->larger < move->from;
}

static bool is_better(const struct move *a, const struct move *b)
{
	return a->sum != b->sum ? a->sum < b->sum : a->larger < b->larger;
}

/* The job of the node that is best moved to TO; -1: none. *BEST is that of another node
   before, or has the sum INT64_MAX. */
static int32_t best_job(const struct lxfw_nodes *nodes, int32_t index,
			const struct lxfw_node_view *own, int32_t to,
			const struct lxfw_node_view *view, struct move *best)
{
	const struct lxfw_node *node = &nodes->nodes[index];
	struct move move = { .from = lxfw_node_load(node, own, NULL, 0) };
	int32_t job = -1;

	for (int32_t i = node->first_waiting; i >= 0; i = nodes->jobs[i].next) {
		if (nodes->jobs[i].rank <= view->rank)
			break;
		if (may_move(nodes, i) &&
		    consider(node, own, &nodes->nodes[to], view, &nodes->jobs[i], &move) &&
		    is_better(&move, best)) {
			*best = move;
			job = i;
		}
	}
	return job;
}

int32_t lxfw_balance_to(const struct lxfw_nodes *nodes, int32_t index,
			const struct lxfw_neighbours *neighbours, int32_t *job)
{
	struct move best = { .sum = INT64_MAX };
	struct lxfw_node_view own;
	int32_t to = -1;
	int64_t load;

	lxfw_node_view(nodes, index, &own);
	load = lxfw_node_load(&nodes->nodes[index], &own, NULL, 0);
	for (int32_t i = 0; i < neighbours->count && load > 0; i++) {
		if (lxfw_node_load(&nodes->nodes[neighbours->nodes[i]], &neighbours->views[i],
				   NULL, 0) > load)
			return -1;
	}
	for (int32_t i = 0; i < neighbours->count && load > 0; i++) {
		int32_t found;

		if (neighbours->asked[i])
			continue;
		found = best_job(nodes, index, &own, neighbours->nodes[i],
				 &neighbours->views[i], &best);
		if (found >= 0) {
			*job = found;
			to = i;
		}
	}
	return to;
}

bool lxfw_balance_accepts(const struct lxfw_nodes *nodes, int32_t index,
			  const struct lxfw_node_job *job, int64_t load)
{
	struct lxfw_node_view view;

	lxfw_node_view(nodes, index, &view);
	return lxfw_node_can_run(&nodes->nodes[index], job) && view.rank < job->rank &&
	       lxfw_node_load(&nodes->nodes[index], &view, job, 1) < load;
}

static bool is_more_capable(const struct lxfw_node *a, const struct lxfw_node *b)
{
	return a->procs > b->procs || a->memory > b->memory || a->speed > b->speed;
}

int32_t lxfw_balance_from(const struct lxfw_nodes *nodes, int32_t index,
			  const struct lxfw_neighbours *neighbours)
{
	const struct lxfw_node *node = &nodes->nodes[index];
	int64_t load, most = 0;
	int32_t from = -1;
	bool any = false;
	struct lxfw_node_view own;

	lxfw_node_view(nodes, index, &own);
	load = lxfw_node_load(node, &own, NULL, 0);
	for (int32_t i = 0; i < neighbours->count && load > 0; i++) {
		const struct lxfw_node *other = &nodes->nodes[neighbours->nodes[i]];
		int64_t others = lxfw_node_load(other, &neighbours->views[i], NULL, 0);

		if (!is_more_capable(other, node)) {
			any = true;
			if (others < load)
				return -1;
		}
		if (!neighbours->asked[i] && others > load && others > most) {
			most = others;
			from = i;
		}
	}
	return any ? from : -1;
}

int32_t lxfw_balance_gives(const struct lxfw_nodes *nodes, int32_t index, int32_t to,
			   const struct lxfw_node_view *view)
{
	struct move best = { .sum = INT64_MAX };
	struct lxfw_node_view own;

	lxfw_node_view(nodes, index, &own);
	return best_job(nodes, index, &own, to, view, &best);
}
