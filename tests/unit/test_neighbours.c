/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Neighbours: objective, choice and balancing by hand, the graphs, and random worlds that are
 * audited after each step, with late and lost messages.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "common/grid/neighbours.h"
#include "common/model/time.h"
#include "sim-frontend/grid/exchange.h"

#define NODES 12
#define JOBS 300

/* Nodes of 8 processors and 8 MB at the usual speed, and waiting jobs. */
struct scene {
	struct lxfw_nodes nodes;
	struct lxfw_node list[4];
	struct lxfw_node_job jobs[8];
	struct lxfw_node_view views[4];
	bool asked[4];
	int32_t count;
};

static const int32_t all_nodes[] = { 0, 1, 2, 3 };

static void started(void *context, int32_t job, int64_t seconds)
{
	(void)context;
	(void)job;
	(void)seconds;
}

static void set_scene(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	for (int i = 0; i < 4; i++)
		scene->list[i] = (struct lxfw_node){ .procs = 8, .memory = 8, .speed = 1000 };
	scene->nodes = (struct lxfw_nodes){
		.rules = { .time = 1000, .preempts = true }, .nodes = scene->list,
		.jobs = scene->jobs, .node_count = 4, .started = started,
	};
	lxfw_nodes_begin(&scene->nodes, 8);
}

/* A job that waits at a node for SECONDS of work. */
static int32_t wait_at(struct scene *scene, int32_t node, int32_t procs, int32_t memory,
		       int64_t seconds)
{
	int32_t job = scene->count++;

	scene->jobs[job] = (struct lxfw_node_job){
		.procs = procs, .memory = memory, .work = seconds * 1000,
		.estimate = seconds * 1000, .node = -1,
	};
	lxfw_nodes_enter(&scene->nodes, job, node, 0);
	return job;
}

/* The other nodes as the neighbours of node 0. */
static struct lxfw_neighbours look(struct scene *scene)
{
	for (int32_t i = 0; i < 4; i++)
		lxfw_node_view(&scene->nodes, i, &scene->views[i]);
	return (struct lxfw_neighbours){
		.nodes = &all_nodes[1], .views = &scene->views[1], .asked = &scene->asked[1],
		.count = 3,
	};
}

/* Half of the processors and a quarter of the memory: BM 2/3, FM 5/8. */
static void objective_by_hand(void **state)
{
	const struct lxfw_node_view empty = { .free_procs = 8, .free_memory = 8 };
	const struct lxfw_node_job job = { .procs = 4, .memory = 2 };
	struct lxfw_node node = { .procs = 8, .memory = 8, .speed = 1000 };

	(void)state;
	assert_int_equal(lxfw_node_objective(&node, &empty, &job), 416666666);
	node.speed = 2000;
	assert_int_equal(lxfw_node_objective(&node, &empty, &job), 208333333);
	node.memory = 0;	/* BM 1, FM 1/2 */
	assert_int_equal(lxfw_node_objective(&node, &empty, &job), 250000000);
	node.procs = 3;
	assert_true(lxfw_node_objective(&node, &empty, &job) == INT64_MAX);
}

/* It goes where it fits, least is free after it, and the first waiting job is longer. */
static void push_by_hand(void **state)
{
	struct scene scene;
	struct lxfw_neighbours neighbours;

	(void)state;
	set_scene(&scene);
	wait_at(&scene, 0, 2, 2, 100);
	scene.list[1].free_procs = 4;
	scene.list[2].free_procs = scene.list[2].free_memory = 3;
	scene.list[3].free_procs = scene.list[3].free_memory = 1;
	neighbours = look(&scene);
	assert_int_equal(lxfw_push_to(&scene.nodes, 0, &neighbours), 1);
	assert_true(lxfw_push_accepts(&scene.nodes, 2, &scene.jobs[0]));
	assert_false(lxfw_push_accepts(&scene.nodes, 3, &scene.jobs[0]));
	scene.asked[2] = true;
	assert_int_equal(lxfw_push_to(&scene.nodes, 0, &neighbours), 0);
	wait_at(&scene, 1, 8, 8, 50);	/* shorter, of higher priority */
	neighbours = look(&scene);
	assert_int_equal(lxfw_push_to(&scene.nodes, 0, &neighbours), -1);
	assert_false(lxfw_push_accepts(&scene.nodes, 1, &scene.jobs[0]));
	scene.asked[2] = false;
	scene.nodes.rules.stays = true;
	assert_int_equal(lxfw_push_to(&scene.nodes, 0, &neighbours), 1);
	scene.jobs[0].ran = 1;
	assert_int_equal(lxfw_push_to(&scene.nodes, 0, &neighbours), -1);
}

/* The closest priority above the own one; of equal ones the longest queue; of its jobs the one
   that fits best, not the first. */
static void pull_by_hand(void **state)
{
	struct scene scene;
	struct lxfw_neighbours neighbours;
	struct lxfw_node_view view;

	(void)state;
	set_scene(&scene);
	neighbours = look(&scene);
	assert_int_equal(lxfw_pull_from(&scene.nodes, 0, &neighbours), -1);
	wait_at(&scene, 1, 2, 2, 100);
	wait_at(&scene, 2, 2, 2, 200);
	wait_at(&scene, 3, 1, 1, 200);
	wait_at(&scene, 3, 3, 3, 400);
	wait_at(&scene, 3, 5, 5, 300);
	neighbours = look(&scene);
	assert_int_equal(lxfw_pull_from(&scene.nodes, 0, &neighbours), 2);
	scene.list[0].free_procs = scene.list[0].free_memory = 4;
	lxfw_node_view(&scene.nodes, 0, &view);
	assert_int_equal(lxfw_pull_gives(&scene.nodes, 3, 0, &view), 3);
	wait_at(&scene, 0, 8, 8, 150);
	assert_int_equal(lxfw_pull_from(&scene.nodes, 0, &neighbours), 0);
	scene.list[0].free_procs = 0;
	assert_int_equal(lxfw_pull_from(&scene.nodes, 0, &neighbours), -1);
}

/* Node 0 has a load of 8/8. A job of 3/8 goes to a neighbour without load: loads 5/8 and 3/8.
   All moves there have the same sum, the one of 4/8 has the smallest larger load. */
static void balance_by_hand(void **state)
{
	struct scene scene;
	struct lxfw_neighbours neighbours;
	struct lxfw_node_view view;
	int32_t job = -1;

	(void)state;
	set_scene(&scene);
	wait_at(&scene, 0, 1, 1, 100);
	wait_at(&scene, 0, 3, 3, 200);
	wait_at(&scene, 0, 4, 4, 300);
	wait_at(&scene, 1, 1, 1, 10);
	wait_at(&scene, 2, 6, 1, 400);
	neighbours = look(&scene);
	assert_int_equal(lxfw_node_load(&scene.list[0], &scene.views[0], NULL, 0), 1000000);
	assert_int_equal(lxfw_balance_to(&scene.nodes, 0, &neighbours, &job), 2);
	assert_int_equal(job, 2);
	assert_true(lxfw_balance_accepts(&scene.nodes, 3, &scene.jobs[2], 1000000));
	assert_false(lxfw_balance_accepts(&scene.nodes, 3, &scene.jobs[2], 500000));
	assert_false(lxfw_balance_accepts(&scene.nodes, 1, &scene.jobs[2], 1000000));
	lxfw_node_view(&scene.nodes, 3, &view);
	assert_int_equal(lxfw_balance_gives(&scene.nodes, 0, 3, &view), 2);
	/* Node 0 is not the one that requests; with a load of 1/8 it would be. */
	assert_int_equal(lxfw_balance_from(&scene.nodes, 0, &neighbours), -1);
	for (int32_t i = 1; i < 3; i++)
		lxfw_nodes_leave(&scene.nodes, i);
	wait_at(&scene, 3, 2, 1, 400);
	neighbours = look(&scene);
	assert_int_equal(lxfw_balance_from(&scene.nodes, 0, &neighbours), 1);
	wait_at(&scene, 2, 8, 8, 500);
	neighbours = look(&scene);
	assert_int_equal(lxfw_balance_to(&scene.nodes, 0, &neighbours, &job), -1);
}

/* --- graphs ------------------------------------------------------------------------------- */

static void check_graph(const struct lxfw_graph *graph, uint32_t most)
{
	for (int32_t i = 0; i < graph->nodes; i++) {
		assert_true(graph->first[i + 1] - graph->first[i] <= most);
		for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
			assert_int_not_equal(graph->to[e], i);
			assert_int_equal(graph->to[graph->back[e]], i);
			assert_int_equal(graph->back[graph->back[e]], e);
			if (e > graph->first[i])
				assert_true(graph->to[e - 1] < graph->to[e]);
		}
	}
	assert_int_equal(graph->first[graph->nodes], graph->count);
}

static void graphs_of_all_sizes(void **state)
{
	uint64_t random = unit_seed("graphs");
	struct lxfw_node nodes[70];
	struct lxfw_graph graph;

	(void)state;
	for (int32_t i = 0; i < 70; i++)
		nodes[i] = (struct lxfw_node){
			.procs = 1 << unit_between(&random, 0, 3),
			.memory = 1 << unit_between(&random, 0, 3),
			.speed = (int32_t)unit_between(&random, 1, 4) * 500,
		};
	for (int32_t count = 1; count <= 70; count++) {
		assert_int_equal(lxfw_graph_can(&graph, nodes, count), 0);
		check_graph(&graph, 4);
		if (count == 64)
			assert_int_equal(graph.count, 4 * 64);
		lxfw_graph_clear(&graph);
		assert_int_equal(lxfw_graph_ring(&graph, count), 0);
		check_graph(&graph, 2);
		if (count > 2)
			assert_int_equal(graph.count, 2 * count);
		lxfw_graph_clear(&graph);
	}
}

/* --- random worlds ------------------------------------------------------------------------ */

struct world {
	struct lxfw_node nodes[NODES];
	struct lxfw_node_job jobs[JOBS];
	int64_t works[JOBS];
	int32_t homes[JOBS];
	int64_t steps;
};

/* No node is over its resources; each job is in one list at most, and no work is lost. */
static void audit(void *context, const struct lxfw_nodes *nodes, int64_t now)
{
	struct world *world = context;
	int seen[JOBS] = { 0 };

	world->steps++;
	for (int32_t i = 0; i < nodes->node_count; i++) {
		const struct lxfw_node *node = &nodes->nodes[i];
		int64_t procs = 0, memory = 0, queued = 0;
		int32_t running = 0, waiting = 0;

		for (int32_t j = node->first_running; j >= 0; j = nodes->jobs[j].next) {
			procs += nodes->jobs[j].procs;
			memory += nodes->jobs[j].memory;
			running++;
			seen[j]++;
			assert_int_equal(nodes->jobs[j].node, i);
			assert_int_equal(nodes->jobs[j].state, LXFW_NODE_JOB_RUNNING);
		}
		for (int32_t j = node->first_waiting; j >= 0; j = nodes->jobs[j].next) {
			queued += nodes->jobs[j].procs;
			waiting++;
			seen[j]++;
			assert_int_equal(nodes->jobs[j].node, i);
			assert_int_equal(nodes->jobs[j].state, LXFW_NODE_JOB_WAITING);
		}
		assert_true(procs <= node->procs && memory <= node->memory);
		assert_int_equal(node->free_procs, node->procs - procs);
		assert_int_equal(node->free_memory, node->memory - memory);
		assert_int_equal(node->running, running);
		assert_int_equal(node->waiting, waiting);
		assert_int_equal(node->queued_procs, queued);
	}
	for (int32_t j = 0; j < JOBS; j++) {
		const struct lxfw_node_job *job = &nodes->jobs[j];
		bool here = job->state == LXFW_NODE_JOB_WAITING ||
			    job->state == LXFW_NODE_JOB_RUNNING;

		assert_int_equal(seen[j], here);
		assert_true(job->state == LXFW_NODE_JOB_ENDED || job->work > 0);
		assert_true(job->submit <= now || !here);
	}
}

static void make_world(struct world *world, uint64_t *random)
{
	int64_t now = 0;

	world->steps = 0;
	for (int i = 0; i < NODES; i++)
		world->nodes[i] = (struct lxfw_node){
			.procs = i ? 1 << unit_between(random, 0, 3) : 8,
			.memory = i ? 1 << unit_between(random, 0, 3) : 8,
			.speed = (int32_t)unit_between(random, 1, 4) * 500,
		};
	for (int i = 0; i < JOBS; i++) {
		struct lxfw_node_job *job = &world->jobs[i];

		now += unit_between(random, 0, 9);
		*job = (struct lxfw_node_job){
			.submit = now, .procs = 1 << unit_between(random, 0, 3),
			.memory = (int32_t)unit_between(random, 0, 8),
			.work = unit_between(random, 1, 200000),
			.estimate = unit_between(random, 1, 200000),
		};
		world->works[i] = job->work;
		world->homes[i] = (int32_t)unit_between(random, 0, NODES - 1);
		while (!lxfw_node_can_run(&world->nodes[world->homes[i]], job))
			world->homes[i] = (world->homes[i] + 1) % NODES;
	}
}

/* Every job ends, with as much work as it had: the rest of its work after its last start is
   what it did then. */
static void check_end(const struct world *world, const struct lxfw_exchange *exchange)
{
	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_node_job *job = &world->jobs[i];
		const struct lxfw_exchange_job *result = &exchange->results[i];
		int64_t last = result->end - job->since;
		int32_t speed = world->nodes[job->node].speed;

		assert_int_equal(job->state, LXFW_NODE_JOB_ENDED);
		assert_true(result->end != LXFW_NEVER);
		assert_int_equal(last, (job->work + speed - 1) / speed);
		assert_true(result->preemptions > 0 || job->work == world->works[i]);
		assert_true(job->ran * 2000 >= world->works[i]);
		assert_true(lxfw_exchange_wait(exchange, (size_t)i) >= 0);
	}
}

static void random_worlds(void **state)
{
	uint64_t random = unit_seed("worlds");
	struct world world;
	int64_t moves = 0, lost = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct lxfw_graph graph;
		struct lxfw_exchange exchange = {
			.nodes = world.nodes, .jobs = world.jobs, .job_count = JOBS,
			.homes = world.homes, .graph = &graph, .stepped = audit,
			.context = &world,
			.rules = {
				.wait = (int32_t)unit_between(&random, 0, 2) * 500,
				.time = 1000, .interval = 5, .preempts = true,
				.stays = unit_between(&random, 0, 3) == 0,
			},
			.options = {
				.push = unit_between(&random, 0, 3) > 0,
				.pull = unit_between(&random, 0, 3) > 0,
				.balance = unit_between(&random, 0, 1),
				.interval = unit_between(&random, 1, 10),
				.delay = unit_between(&random, 0, 3) * unit_between(&random,
										    0, 9),
				.loss = (int32_t)unit_between(&random, 0, 3) * 3000,
				.seed = (uint64_t)i,
			},
		};

		make_world(&world, &random);
		if (i % 3 == 0)
			assert_int_equal(lxfw_graph_ring(&graph, NODES), 0);
		else
			assert_int_equal(lxfw_graph_can(&graph, world.nodes, NODES), 0);
		assert_int_equal(lxfw_exchange_run(&exchange), 0);
		check_end(&world, &exchange);
		assert_true(world.steps > JOBS / 4);
		moves += exchange.moves;
		lost += exchange.lost;
		lxfw_exchange_clear(&exchange);
		lxfw_graph_clear(&graph);
	}
	assert_true(moves > 1000 && lost > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objective_by_hand), cmocka_unit_test(push_by_hand),
		cmocka_unit_test(pull_by_hand), cmocka_unit_test(balance_by_hand),
		cmocka_unit_test(graphs_of_all_sizes), cmocka_unit_test(random_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
