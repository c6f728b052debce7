/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_neighbours.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/grid.h"
#include "sim-frontend/report/neighbours.h"
#include "sim-frontend/util/text.h"

#define EXPECTED_MOVES "a list of none, push, pull and push+pull, the last three also with " \
		       "+balance"
#define INTERVAL_USUAL 5	/* seconds, of the paper */

struct task {
	struct lxfw_grid_neighbours *given;
	struct lxfw_node *nodes;
	struct lxfw_node_job *jobs;
	int64_t *runs;			/* at the usual speed */
	struct lxfw_graph graph;
	struct lxfw_node_rules rules;
	int64_t interval;
	int32_t slowest;		/* least speed of a node */
	struct lxfw_neighbours_result results[LXFW_GRID_MOVES_MOST];
	size_t done;
};

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- options ------------------------------------------------------------------------------ */

/* "push+pull" */
static bool parse_moves(const char *text, size_t length, struct lxfw_grid_moves *moves)
{
	static const struct { const char *name; struct lxfw_grid_moves moves; } names[] = {
		{ "none", { false, false, false } },
		{ "push", { true, false, false } },
		{ "pull", { false, true, false } },
		{ "push+pull", { true, true, false } },
		{ "push+balance", { true, false, true } },
		{ "pull+balance", { false, true, true } },
		{ "push+pull+balance", { true, true, true } },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i].name) == length &&
		    strncmp(names[i].name, text, length) == 0) {
			*moves = names[i].moves;
			return true;
		}
	}
	return false;
}

int lxfw_grid_neighbours_moves(const struct lxfw_command *command, const char *text,
			       struct lxfw_grid_neighbours *to)
{
	to->move_count = 0;
	for (const char *at = text;; at++) {
		size_t length = strcspn(at, ",");

		if (to->move_count == LXFW_GRID_MOVES_MOST ||
		    !parse_moves(at, length, &to->moves[to->move_count]))
			return lxfw_cmd_bad_value(command, "moves", text, EXPECTED_MOVES);
		to->move_count++;
		at += length;
		if (*at == '\0')
			return 0;
	}
}

static void name_moves(const struct lxfw_grid_moves *moves, char *to, size_t size)
{
	snprintf(to, size, "%s%s%s%s", moves->push ? "push" : "",
		 moves->push && moves->pull ? "+" : "", moves->pull ? "pull" :
		 moves->push ? "" : "none", moves->balance ? "+balance" : "");
}

/* --- sites -------------------------------------------------------------------------------- */

static int bad_site(const struct lxfw_site *site, const char *what)
{
	lxfw_cmd_note("site %s: %s", site->name, what);
	return LXFW_EXIT_BAD;
}

/* Thousandths; -1: there are more digits, or the weight is too large. */
static int32_t weight_of(double weight)
{
	double thousandths = weight * 1000;

	if (thousandths > LXFW_NODE_WEIGHT_MAX || thousandths != (double)(int32_t)thousandths)
		return -1;
	return (int32_t)thousandths;
}

/* The rules of all nodes are those of the first site. */
static int take_rules(struct task *task, const struct lxfw_site *site)
{
	const struct lxfw_params *params = &site->params;

	task->interval = params->interval > 0 ? params->interval : INTERVAL_USUAL;
	task->rules.stays = task->given->stay;
	if (site->usual) {
		task->rules.time = 1000;
		task->rules.preempts = true;
		task->interval = task->rules.interval = INTERVAL_USUAL;
		return 0;
	}
	if (params->policy == lxfw_policy_by_name("list", 4)) {
		task->rules.wait = 1000;
		return 0;
	}
	if (params->policy != lxfw_policy_by_name("remaining", 9))
		return bad_site(site, "with --graph the policy must be remaining or list");
	task->rules.preempts = true;
	task->rules.interval = params->interval;
	task->rules.wait = weight_of(params->rem_wait);
	task->rules.time = weight_of(params->rem_time);
	if (task->rules.wait < 0 || task->rules.time < 0)
		return bad_site(site, "lxfw_rem_wait and lxfw_rem_time, expected at most 1000 "
				"and no more than three digits after the point with --graph");
	if (params->rem_frees != LXFW_REM_FREES_ALL || params->rem_min_run != 0)
		return bad_site(site, "expected lxfw_rem_frees=all,lxfw_rem_min_run=0 with "
				"--graph");
	return 0;
}

static int take_site(struct task *task, int32_t index)
{
	const struct lxfw_site *site = &task->given->sites->list[index];
	const struct lxfw_params *params = &site->params;
	const struct lxfw_params *first = &task->given->sites->list[0].params;
	const struct lxfw_resources *total = &site->cluster.hosts[0].total;
	int64_t memory = site->cluster.memory_bound ? total->memory_mb : 0;

	if (site->cluster.count != 1)
		return bad_site(site, "several hosts, expected one with --graph");
	if (params->policy != first->policy || params->rem_wait != first->rem_wait ||
	    params->rem_time != first->rem_time || params->interval != first->interval ||
	    params->rem_frees != first->rem_frees ||
	    params->rem_min_run != first->rem_min_run)
		return bad_site(site, "other policy or parameters than the first site, "
				"expected the same with --graph");
	if (memory > INT32_MAX)
		return bad_site(site, "expected less than 2 PB of memory");
	if (index == 0 || site->speed < task->slowest)
		task->slowest = site->speed;
	task->nodes[index] = (struct lxfw_node){
		.procs = total->procs, .memory = (int32_t)memory, .speed = site->speed,
	};
	return 0;
}

static int take_sites(struct task *task)
{
	const struct lxfw_sites *sites = task->given->sites;

	task->nodes = calloc((size_t)sites->count, sizeof(*task->nodes));
	if (!task->nodes)
		return out_of_memory();
	if (take_rules(task, &sites->list[0]))
		return LXFW_EXIT_BAD;
	for (int32_t i = 0; i < sites->count; i++) {
		if (take_site(task, i))
			return LXFW_EXIT_BAD;
	}
	return 0;
}

static int make_graph(struct task *task)
{
	const char *kind = task->given->graph;
	int32_t count = task->given->sites->count;
	struct lxfw_error error;
	int failed;

	if (strcmp(kind, "none") == 0)
		failed = lxfw_graph_none(&task->graph, count);
	else if (strcmp(kind, "2nn") == 0)
		failed = lxfw_graph_ring(&task->graph, count);
	else if (strcmp(kind, "can") == 0)
		failed = lxfw_graph_can(&task->graph, task->nodes, count);
	else if (lxfw_graph_read(&task->graph, kind, &task->given->sites->names, &error))
		return lxfw_cmd_bad(&error);
	else
		return 0;
	return failed ? out_of_memory() : 0;
}

/* --- jobs ----------------------------------------------------------------------------------- */

/* The first node from the home on, in the order of the sites, on which the job fits; -1:
   none. */
static int32_t capable_from(const struct task *task, const struct lxfw_node_job *job,
			    int32_t home)
{
	for (int32_t i = 0, at = home; i < task->given->sites->count; i++) {
		if (lxfw_node_can_run(&task->nodes[at], job))
			return at;
		at = at + 1 < task->given->sites->count ? at + 1 : 0;
	}
	return -1;
}

static int bad_job(const struct task *task, size_t position, const char *what)
{
	lxfw_cmd_note("%s: job %"PRId64": %s", task->given->path,
		      task->given->trace->jobs[position].number, what);
	return LXFW_EXIT_BAD;
}

/* Sets what the caller sets of a job. */
static int take_job(struct task *task, size_t position)
{
	const struct lxfw_trace_job *from = &task->given->trace->jobs[position];
	int64_t run = lxfw_simulation_run_time(task->given->options, from);
	int64_t estimate = lxfw_simulation_estimate(task->given->options, from);
	int64_t memory = lxfw_job_memory_mb(from);

	if (from->submit < 0 || from->submit > LXFW_NODE_TIME_MAX || memory > INT32_MAX ||
	    lxfw_grid_seconds(run, task->slowest, 0) > LXFW_NODE_TIME_MAX ||
	    lxfw_grid_seconds(estimate, task->slowest, 0) > LXFW_NODE_TIME_MAX)
		return bad_job(task, position, "the submit time, a run time or the memory is "
			       "too large or negative for --graph");
	task->runs[position] = run;
	task->jobs[position] = (struct lxfw_node_job){
		.submit = from->submit, .procs = from->procs, .memory = (int32_t)memory,
		.work = run * LXFW_GRID_SPEED, .estimate = estimate * LXFW_GRID_SPEED,
	};
	return 0;
}

static int take_jobs(struct task *task)
{
	const struct lxfw_trace *trace = task->given->trace;
	size_t moved = 0;

	free(task->jobs);
	free(task->runs);
	task->jobs = calloc(trace->count + 1, sizeof(*task->jobs));
	task->runs = calloc(trace->count + 1, sizeof(*task->runs));
	if (!task->jobs || !task->runs || trace->count > INT32_MAX)
		return out_of_memory();
	for (size_t i = 0; i < trace->count; i++) {
		int32_t *home = &task->given->homes[i], at;

		if (take_job(task, i))
			return LXFW_EXIT_BAD;
		at = capable_from(task, &task->jobs[i], *home);
		if (at < 0)
			return bad_job(task, i, "it fits on no empty site");
		moved += at != *home;
		*home = at;
	}
	if (moved > 0)
		lxfw_cmd_note("%s: %zu jobs do not fit at their homes, and are submitted at "
			      "the next site on which they fit", task->given->path, moved);
	return 0;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static int write_jobs(const struct task *task, const struct lxfw_exchange *exchange)
{
	struct lxfw_output *output;

	if (!task->given->jobs_out)
		return 0;
	output = lxfw_grid_outputs_open(task->given->outputs, LXFW_GRID_FILE_JOBS,
					task->given->jobs_out);
	if (!output)
		return LXFW_EXIT_BAD;
	lxfw_neighbours_jobs_csv(exchange, task->given->trace, task->given->sites, task->runs,
				 output);
	return 0;
}

static int write_page(const struct task *task, const struct lxfw_neighbours_about *about)
{
	struct lxfw_output *output;

	if (!task->given->report)
		return 0;
	output = lxfw_grid_outputs_open(task->given->outputs, LXFW_GRID_FILE_PAGE,
					task->given->report);
	if (!output)
		return LXFW_EXIT_BAD;
	lxfw_neighbours_page(about, task->results, task->done, task->given->path, output);
	return 0;
}

static int run_moves(struct task *task, const struct lxfw_grid_moves *moves)
{
	const struct lxfw_grid_neighbours *given = task->given;
	struct lxfw_neighbours_result *result = &task->results[task->done];
	struct lxfw_exchange exchange = {
		.nodes = task->nodes, .jobs = task->jobs, .job_count = given->trace->count,
		.order = given->trace->order, .homes = given->homes, .graph = &task->graph,
		.rules = task->rules, .progress = show_progress,
		.options = {
			.push = moves->push, .pull = moves->pull, .balance = moves->balance,
			.interval = task->interval, .delay = given->delay, .loss = given->loss,
			.seed = (uint64_t)given->seed,
		},
	};
	int status = 0;

	name_moves(moves, result->moves, sizeof(result->moves));
	if (lxfw_exchange_run(&exchange) || lxfw_exchange_measure(&exchange, &result->metrics))
		status = out_of_memory();
	else
		status = write_jobs(task, &exchange);
	task->done++;
	lxfw_exchange_clear(&exchange);
	return status;
}

static int run_all(struct task *task)
{
	const struct lxfw_grid_moves usual = { .push = true, .pull = true };
	struct lxfw_grid_neighbours *given = task->given;
	const struct lxfw_neighbours_about about = {
		.graph = given->graph, .sites = given->sites, .edges = task->graph.count,
		.links = &task->graph,
	};

	if (given->move_count == 0)
		given->moves[given->move_count++] = usual;
	for (size_t i = 0; i < given->move_count; i++) {
		if ((i > 0 && take_jobs(task)) || run_moves(task, &given->moves[i]))
			return LXFW_EXIT_BAD;
	}
	lxfw_cmd_progress_end();
	if (write_page(task, &about) || lxfw_grid_outputs_commit(given->outputs))
		return LXFW_EXIT_BAD;
	if (lxfw_neighbours_print(&about, task->results, task->done, given->format, stdout))
		return out_of_memory();
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

int lxfw_grid_neighbours_run(struct lxfw_grid_neighbours *neighbours)
{
	struct task task = { .given = neighbours };
	int status = LXFW_EXIT_BAD;

	if (take_sites(&task) == 0 && make_graph(&task) == 0 && take_jobs(&task) == 0)
		status = run_all(&task);
	for (size_t i = 0; i < task.done; i++)
		lxfw_exchange_metrics_clear(&task.results[i].metrics);
	free(task.nodes);
	free(task.jobs);
	free(task.runs);
	lxfw_graph_clear(&task.graph);
	return status;
}
