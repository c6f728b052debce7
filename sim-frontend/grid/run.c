/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/market.h"
#include "common/util/grow.h"
#include "sim-frontend/grid/clocks.h"
#include "sim-frontend/grid/decisions.h"
#include "sim-frontend/util/text.h"

#define JOB_ID(position) ((uint64_t)(position) + 1)
#define POSITION(id) ((size_t)(id) - 1)

struct simulation;

/* A site and its engine. */
struct place {
	struct simulation *simulation;
	const struct lxfw_site *site;
	int32_t index;
	struct lxfw_world world;
	struct lxfw_engine *engine;
	int32_t next_host;
	struct lxfw_event event;	/* that of the next host */
};

/* A part of a job that has ended, and that the broker does not know of yet. */
struct left {
	int32_t site;
	uint64_t job;
};

struct simulation {
	struct lxfw_grid_run *run;
	struct place *places;
	struct lxfw_grid_clocks clocks;	/* when each engine has its next event */
	struct lxfw_grid_site *sites;
	struct lxfw_grid_cluster *clusters;
	struct lxfw_grid grid;
	struct lxfw_grid_world world;
	int32_t *overheads;	/* per mille, by position */
	struct lxfw_grid_expect expect;
	struct left *left;
	size_t left_count, left_size;
	bool left_failed;	/* no memory for `left` */
	size_t next;		/* submissions so far */
	int64_t now;
	struct lxfw_error *error;
};

int64_t lxfw_grid_run_time(const struct lxfw_grid_run *run, size_t position)
{
	return lxfw_simulation_run_time(run->options, &run->trace->jobs[position]);
}

static int out_of_memory(struct simulation *simulation)
{
	lxfw_error_set(simulation->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* Call after each change of the engine of a site. */
static void note_next(struct simulation *simulation, int32_t index)
{
	lxfw_grid_clocks_set(&simulation->clocks, index,
			     lxfw_engine_next(simulation->places[index].engine));
}

/* --- the world of a site ----------------------------------------------------------------- */

static const struct lxfw_event *next_host(void *context)
{
	struct place *place = context;

	if (place->next_host == place->site->cluster.count)
		return NULL;
	lxfw_cluster_host_event(&place->site->cluster, place->next_host++, &place->event);
	return &place->event;
}

static const struct lxfw_grid_part *part_at(const struct lxfw_grid_run *run, size_t position,
					    int32_t site)
{
	const struct lxfw_grid_part *part = &run->parts[run->parts_at[position]];

	while (part->site != site)
		part++;
	return part;
}

static int32_t kind_of(const struct lxfw_grid_run *run, size_t position)
{
	return run->kinds ? run->kinds[position] : 0;
}

/* The run time of a job at a site, or of a part of it there. */
static int64_t seconds_at(const struct simulation *simulation, size_t position, int32_t site)
{
	const struct lxfw_grid_run *run = simulation->run;
	int32_t place = run->places[position] < 0 ? site : run->places[position];

	if (run->times)
		return lxfw_grid_times_at(run->times, kind_of(run, position), place);
	return lxfw_grid_part_seconds(&simulation->grid, lxfw_grid_run_time(run, position),
				      run->trace->jobs[position].procs,
				      part_at(run, position, site),
				      simulation->overheads[position]);
}

/* All parts of a job start at the same time. */
static int64_t job_started(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error)
{
	struct place *place = context;
	struct simulation *simulation = place->simulation;
	struct lxfw_grid_run *run = simulation->run;
	size_t position = POSITION(action->job);
	int64_t seconds;

	if (run->part_counts[position] > 1 && run->starts[position] != LXFW_NEVER &&
	    run->starts[position] != action->start) {
		lxfw_error_format(error, "parts of job %"PRId64" start at different times, "
				  "%"PRId64" and %"PRId64, run->trace->jobs[position].number,
				  run->starts[position], action->start);
		return -1;
	}
	run->starts[position] = action->start;
	seconds = seconds_at(simulation, position, place->index);
	run->part_seconds[part_at(run, position, place->index) - run->parts] = seconds;
	return seconds;
}

/* --- estimates ----------------------------------------------------------------------------- */

/* The estimate of a job at a site, at the usual speed; -1: at any. */
static int64_t estimate_at(const struct simulation *simulation, size_t position, int32_t site)
{
	const struct lxfw_grid_run *run = simulation->run;
	const struct lxfw_trace_job *job = &run->trace->jobs[position];

	if (!lxfw_grid_expect_knows(&simulation->expect, position))
		return lxfw_simulation_estimate(run->options, job);
	return lxfw_learned_seconds(lxfw_grid_expect_at(&simulation->expect, position, site),
				    job->limit, LXFW_RAN_SPEED);
}

static int64_t estimate(void *context, uint64_t id, int32_t site)
{
	return estimate_at(context, POSITION(id), site);
}

/* Judges the estimate of a job that ended at a site, on all processors that it requests, and
   learns from it. */
static int learn_estimate(struct simulation *simulation, size_t position, int32_t site)
{
	struct lxfw_grid_run *run = simulation->run;
	const struct lxfw_trace_job *job = &run->trace->jobs[position];
	const struct lxfw_grid_part *part = &run->parts[run->parts_at[position]];
	int32_t speed = simulation->sites[site].speed;
	int64_t seconds;

	if (!lxfw_grid_expect_knows(&simulation->expect, position) ||
	    run->part_counts[position] != 1 || part->procs != job->procs)
		return 0;
	seconds = run->part_seconds[run->parts_at[position]];
	if (lxfw_accuracies_add(&run->accuracies,
			   lxfw_grid_expect_at(&simulation->expect, position, site),
			   lxfw_grid_seconds(estimate_at(simulation, position, site), speed, 0),
			   lxfw_grid_seconds(job->limit, speed, 0), seconds))
		return -1;
	return lxfw_grid_expect_learn(&simulation->expect, position, site,
				      (double)seconds * speed / LXFW_GRID_SPEED);
}

/* --- the jobs of a site ---------------------------------------------------------------------- */

/* A job at several sites that are no cluster teaches nothing. */
static int learn(struct simulation *simulation, const struct place *place, size_t position)
{
	const struct lxfw_grid_run *run = simulation->run;
	int32_t at = run->places[position];
	bool first = run->parts[run->parts_at[position]].site == place->index;

	if (!run->history || !first || (at < 0 && run->part_counts[position] > 1))
		return 0;
	return lxfw_grid_history_learn(run->history, kind_of(run, position),
				  at < 0 ? place->index : at,
				  run->ends[position] - run->starts[position]);
}

static void job_left(void *context, uint64_t job, int64_t now)
{
	struct place *place = context;
	struct simulation *simulation = place->simulation;

	simulation->run->ends[POSITION(job)] = now;
	if (learn(simulation, place, POSITION(job)) ||
	    learn_estimate(simulation, POSITION(job), place->index) ||
	    LXFW_GROW(simulation->left, simulation->left_size, simulation->left_count + 1)) {
		simulation->left_failed = true;
		return;
	}
	simulation->left[simulation->left_count++] = (struct left){ place->index, job };
}

/* Interrupted jobs begin again, or continue. */
static void job_interrupted(void *context, const struct lxfw_action *action)
{
	struct place *place = context;

	if (action->type == LXFW_ACTION_REQUEUE)
		place->simulation->run->starts[POSITION(action->job)] = LXFW_NEVER;
}

static int open_place(struct simulation *simulation, int32_t index, int64_t first)
{
	const struct lxfw_grid_run *run = simulation->run;
	struct place *place = &simulation->places[index];
	struct lxfw_error reason = { "" };

	*place = (struct place){
		.simulation = simulation, .site = &run->sites->list[index], .index = index,
		.world = {
			.context = place, .started = job_started, .left = job_left,
			.interrupted = job_interrupted, .other = next_host,
		},
		.event = { .type = LXFW_EVENT_HOST, .time = first, .host.up = true },
	};
	place->engine = lxfw_engine_open(&place->world, &place->site->params,
					 run->options->pass,
					 run->journals ? &run->journals[index] : NULL, &reason);
	if (!place->engine)
		return lxfw_error_format(simulation->error, "site %s: %s",
					 place->site->name, reason.text);
	simulation->sites[index] = (struct lxfw_grid_site){
		.name = place->site->name, .sched = lxfw_engine_sched(place->engine),
		.procs = (int32_t)place->site->cluster.procs, .speed = place->site->speed,
	};
	note_next(simulation, index);
	return 0;
}

static int step(struct simulation *simulation, int32_t index)
{
	struct place *place = &simulation->places[index];
	struct lxfw_error reason = { "" };

	if (lxfw_engine_step(place->engine, simulation->now, &reason) == 0) {
		note_next(simulation, index);
		return simulation->left_failed ? out_of_memory(simulation) : 0;
	}
	return lxfw_error_format(simulation->error, "site %s: %s", place->site->name,
				 reason.text);
}

/* --- the world of the broker --------------------------------------------------------------- */

static bool make_request(void *context, uint64_t id, const struct lxfw_grid_part *part,
			 int64_t seconds, struct lxfw_request *request)
{
	const struct simulation *simulation = context;
	const struct lxfw_trace *trace = simulation->run->trace;
	const struct lxfw_cluster *cluster =
		&simulation->run->sites->list[part->site].cluster;
	struct lxfw_trace_job job = trace->jobs[POSITION(id)];

	if (simulation->run->times &&
	    seconds_at(simulation, POSITION(id), part->site) == 0)
		return false;
	/* A part has its share of the memory; a molded job keeps all of it. */
	if (part->procs < job.procs && !simulation->run->broker->molds)
		job.memory_kb = job.memory_kb / job.procs * part->procs;
	job.procs = part->procs;
	*request = (struct lxfw_request){ .id = id, .submit = job.submit,
					  .estimate = seconds };
	lxfw_simulation_request(cluster, false, &job, NULL, request);
	return lxfw_simulation_holds(cluster, request);
}

/* Reports what the broker does with a job, and with which reason. */
static void report(struct simulation *simulation, size_t position, const char *action)
{
	const struct lxfw_grid_run *run = simulation->run;
	struct lxfw_grid_reason *reason = &simulation->grid.reason;

	if (run->decisions)
		lxfw_grid_decision(run->decisions, run->sites, simulation->now,
				   run->trace->jobs[position].number, action,
				   &run->parts[run->parts_at[position]],
				   run->part_counts[position], reason);
	*reason = (struct lxfw_grid_reason){ 0 };
}

static int keep_parts(struct simulation *simulation, size_t position,
		      const struct lxfw_grid_part *parts, int32_t count)
{
	struct lxfw_grid_run *run = simulation->run;

	if (run->part_count + (size_t)count > UINT32_MAX ||
	    LXFW_GROW(run->parts, run->part_size, run->part_count + (size_t)count) ||
	    LXFW_GROW(run->part_seconds, run->seconds_size, run->part_count + (size_t)count))
		return out_of_memory(simulation);
	run->parts_at[position] = (uint32_t)run->part_count;
	run->part_counts[position] = count;
	memcpy(&run->parts[run->part_count], parts, (size_t)count * sizeof(*parts));
	run->part_count += (size_t)count;
	return 0;
}

static int send_part(struct simulation *simulation, uint64_t id,
		     const struct lxfw_grid_part *part, int64_t seconds)
{
	struct place *place = &simulation->places[part->site];
	const struct lxfw_grid_run *run = simulation->run;
	const struct lxfw_trace_job *job = &run->trace->jobs[POSITION(id)];
	struct lxfw_request request;

	if (!make_request(simulation, id, part, seconds, &request))
		return lxfw_error_format(simulation->error, "site %s: job %"PRId64" does not "
					 "fit on the empty site", place->site->name,
					 job->number);
	if (lxfw_engine_submit(place->engine, &request, simulation->now))
		return out_of_memory(simulation);
	note_next(simulation, part->site);
	return run->broker->blind ? 0 : step(simulation, part->site);
}

static int send(void *context, uint64_t id, const struct lxfw_grid_part *parts, int32_t count,
		int32_t overhead)
{
	struct simulation *simulation = context;
	const struct lxfw_grid_run *run = simulation->run;
	bool whole = count == 1 && parts->procs == run->trace->jobs[POSITION(id)].procs;
	int64_t expected = estimate_at(simulation, POSITION(id), whole ? parts->site : -1);

	simulation->overheads[POSITION(id)] = overhead;
	if (keep_parts(simulation, POSITION(id), parts, count))
		return -1;
	report(simulation, POSITION(id), "send");
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_grid_part *part =
			&run->parts[run->parts_at[POSITION(id)] + (uint32_t)i];
		int64_t seconds = lxfw_grid_part_seconds(&simulation->grid, expected,
			run->trace->jobs[POSITION(id)].procs, part, overhead);

		if (send_part(simulation, id, part, seconds))
			return -1;
	}
	return 0;
}

/* Keeps the parts of a job at a place. */
static int keep_place(struct simulation *simulation, size_t position, int32_t place)
{
	const struct lxfw_grid_run *run = simulation->run;
	const struct lxfw_sites *sites = run->sites;
	const struct lxfw_grid_cluster *cluster = place < sites->count ? NULL :
		&simulation->clusters[place - sites->count];
	int32_t count = cluster ? cluster->count : 1;
	struct lxfw_grid_part *parts = malloc((size_t)count * sizeof(*parts));
	int failed;

	if (!parts)
		return out_of_memory(simulation);
	for (int32_t i = 0; i < count; i++) {
		int32_t site = cluster ? cluster->sites[i] : place;

		parts[i] = (struct lxfw_grid_part){
			site, cluster ? simulation->sites[site].procs :
					run->trace->jobs[position].procs,
		};
	}
	failed = keep_parts(simulation, position, parts, count);
	free(parts);
	return failed;
}

static int run_at(void *context, uint64_t id, int32_t place, int64_t seconds)
{
	struct simulation *simulation = context;
	struct lxfw_grid_run *run = simulation->run;

	run->places[POSITION(id)] = place;
	if (keep_place(simulation, POSITION(id), place))
		return -1;
	report(simulation, POSITION(id), "run");
	for (int32_t i = 0; i < run->part_counts[POSITION(id)]; i++) {
		if (send_part(simulation, id,
			      &run->parts[run->parts_at[POSITION(id)] + (uint32_t)i], seconds))
			return -1;
	}
	return 0;
}

/* The clock of a site is brought to this time before the job is withdrawn. */
static int recall(void *context, uint64_t id)
{
	struct simulation *simulation = context;
	struct lxfw_grid_run *run = simulation->run;
	size_t position = POSITION(id);

	for (int32_t i = 0; i < run->part_counts[position]; i++) {
		int32_t site = run->parts[run->parts_at[position] + (uint32_t)i].site;

		if (step(simulation, site) ||
		    lxfw_engine_withdraw(simulation->places[site].engine, id,
					 simulation->error) || step(simulation, site))
			return -1;
	}
	simulation->grid.reason = (struct lxfw_grid_reason){
		.rule = "a job of high priority takes its place", .unit = "", .other = -1,
	};
	report(simulation, position, "stop");
	run->starts[position] = LXFW_NEVER;
	run->part_counts[position] = 0;
	run->places[position] = -1;
	run->recalls[position]++;
	return 0;
}

/* --- the clock ------------------------------------------------------------------------------ */

static int64_t next_submission(const struct simulation *simulation)
{
	const struct lxfw_trace *trace = simulation->run->trace;

	if (simulation->next == trace->count)
		return LXFW_NEVER;
	return trace->jobs[lxfw_trace_at(trace, simulation->next)].submit;
}

static int64_t next_time(struct simulation *simulation)
{
	int64_t next = next_submission(simulation);
	int64_t wake = lxfw_grid_wake(&simulation->grid);
	int64_t due = lxfw_grid_clocks_next(&simulation->clocks);

	if (wake < next)
		next = wake;
	return due < next ? due : next;
}

/* Sets the error of a function of the grid, unless a function of the world has set one. */
static int grid_failed(struct simulation *simulation, size_t position)
{
	const struct lxfw_trace_job *job = &simulation->run->trace->jobs[position];

	if (*simulation->error->text)
		return -1;
	if (errno == EDOM)
		return lxfw_error_format(simulation->error, "job %"PRId64": formula: %s",
					 job->number,
					 simulation->run->params.market->error->text);
	if (errno == EINVAL)
		return lxfw_error_format(simulation->error, "job %"PRId64" (%"PRId32
					 " processors) fits at no site of the broker %s",
					 job->number, job->procs,
					 simulation->run->broker->name);
	return out_of_memory(simulation);
}

static int submit_due(struct simulation *simulation)
{
	const struct lxfw_grid_run *run = simulation->run;

	while (next_submission(simulation) == simulation->now) {
		size_t position = lxfw_trace_at(run->trace, simulation->next++);
		const struct lxfw_trace_job *job = &run->trace->jobs[position];
		struct lxfw_grid_job submitted = {
			.id = JOB_ID(position), .home = run->homes[position],
			.procs = job->procs, .submit = job->submit,
			.kind = kind_of(run, position),
			.priority = run->priorities ? run->priorities[position] :
						      LXFW_GRID_MEDIUM,
		};

		if (lxfw_grid_expect_knows(&simulation->expect, position))
			lxfw_grid_expect_submit(&simulation->expect, position);
		submitted.estimate = estimate_at(simulation, position, -1);
		if (lxfw_grid_submitted(&simulation->grid, &submitted, simulation->now))
			return grid_failed(simulation, position);
		if (run->progress && simulation->next % 1024 == 0)
			run->progress(simulation->next, run->trace->count);
	}
	return 0;
}

/* The list may grow while the broker acts. */
static int tell_of_ends(struct simulation *simulation)
{
	for (size_t i = 0; i < simulation->left_count; i++) {
		struct left left = simulation->left[i];

		if (lxfw_grid_ended(&simulation->grid, left.site, left.job, simulation->now))
			return grid_failed(simulation, POSITION(left.job));
	}
	simulation->left_count = 0;
	return 0;
}

static int step_all(struct simulation *simulation)
{
	const struct lxfw_grid_clocks *clocks = &simulation->clocks;

	for (int32_t i = lxfw_grid_clocks_due(clocks, 0, simulation->now); i >= 0;
	     i = lxfw_grid_clocks_due(clocks, i + 1, simulation->now)) {
		if (step(simulation, i))
			return -1;
	}
	return 0;
}

static int pass(struct simulation *simulation)
{
	bool blind = simulation->run->broker->blind;

	if ((blind && submit_due(simulation)) || step_all(simulation) ||
	    tell_of_ends(simulation) || (!blind && submit_due(simulation)))
		return -1;
	if (lxfw_grid_decide(&simulation->grid, simulation->now))
		return grid_failed(simulation, 0);
	return 0;
}

static int check_all_ended(struct simulation *simulation)
{
	const struct lxfw_grid_run *run = simulation->run;

	for (size_t i = 0; i < run->trace->count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];

		if (run->ends[i] != LXFW_NEVER)
			continue;
		errno = EDEADLK;
		lxfw_error_format(simulation->error, "job %"PRId64" (%"PRId32" processors, "
				  "submitted at %"PRId64") can never %s", job->number,
				  job->procs, job->submit,
				  run->starts[i] == LXFW_NEVER ? "start" : "end");
		errno = EDEADLK;
		return -1;
	}
	return 0;
}

static int simulate(struct simulation *simulation)
{
	const struct lxfw_trace *trace = simulation->run->trace;
	int64_t first = trace->count ?
			trace->jobs[lxfw_trace_at(trace, 0)].submit : 0;

	for (int32_t i = 0; i < simulation->run->sites->count; i++) {
		if (open_place(simulation, i, first))
			return -1;
	}
	if (lxfw_grid_begin(&simulation->grid))
		return out_of_memory(simulation);
	while ((simulation->now = next_time(simulation)) != LXFW_NEVER) {
		if (pass(simulation))
			return -1;
	}
	return check_all_ended(simulation);
}

static bool allocate(struct simulation *simulation)
{
	struct lxfw_grid_run *run = simulation->run;
	size_t jobs = run->trace->count + 1, sites = (size_t)run->sites->count;

	run->starts = malloc(jobs * sizeof(*run->starts));
	run->ends = malloc(jobs * sizeof(*run->ends));
	run->parts_at = calloc(jobs, sizeof(*run->parts_at));
	run->part_counts = calloc(jobs, sizeof(*run->part_counts));
	run->places = malloc(jobs * sizeof(*run->places));
	run->recalls = calloc(jobs, sizeof(*run->recalls));
	run->results = calloc(sites, sizeof(*run->results));
	simulation->overheads = calloc(jobs, sizeof(*simulation->overheads));
	simulation->places = calloc(sites, sizeof(*simulation->places));
	simulation->sites = calloc(sites, sizeof(*simulation->sites));
	simulation->clusters = calloc((size_t)run->sites->cluster_count + 1,
				      sizeof(*simulation->clusters));
	if (!run->places || !run->recalls || !simulation->clusters ||
	    lxfw_grid_clocks_begin(&simulation->clocks, run->sites->count))
		return false;
	if (run->learned &&
	    lxfw_grid_expect_begin(&simulation->expect, run->learned, run->trace->count,
				   run->sites->count, run->machines, run->machine_count))
		return false;
	if (!run->starts || !run->ends || !run->parts_at || !run->part_counts ||
	    !run->results || !simulation->overheads || !simulation->places ||
	    !simulation->sites)
		return false;
	for (size_t i = 0; i < run->trace->count; i++)
		run->starts[i] = run->ends[i] = LXFW_NEVER;
	memset(run->places, 0xff, jobs * sizeof(*run->places));	/* -1 */
	for (int32_t i = 0; i < run->sites->cluster_count; i++) {
		const struct lxfw_site_cluster *cluster = &run->sites->clusters[i];

		simulation->clusters[i] = (struct lxfw_grid_cluster){
			.name = cluster->name, .sites = cluster->sites,
			.count = cluster->count,
		};
	}
	return true;
}

static void clear(struct simulation *simulation)
{
	int saved = errno;

	for (int32_t i = 0; simulation->places && i < simulation->run->sites->count; i++) {
		struct lxfw_engine *engine = simulation->places[i].engine;

		if (engine)
			simulation->run->results[i] = *lxfw_engine_result(engine);
		lxfw_engine_close(engine);
	}
	lxfw_grid_clocks_end(&simulation->clocks);
	lxfw_grid_end(&simulation->grid);
	lxfw_grid_expect_end(&simulation->expect);
	free(simulation->overheads);
	free(simulation->places);
	free(simulation->sites);
	free(simulation->clusters);
	free(simulation->left);
	errno = saved;
}

int lxfw_grid_simulate(struct lxfw_grid_run *run, struct lxfw_error *error)
{
	struct simulation simulation = { .run = run, .error = error };
	int result;

	*error->text = '\0';
	if (run->decisions)
		lxfw_grid_decisions_begin(run->decisions);
	simulation.world = (struct lxfw_grid_world){
		.context = &simulation, .request = make_request, .send = send,
		.estimate = run->learned ? estimate : NULL,
		.run = run_at, .recall = recall,
	};
	result = allocate(&simulation) ? 0 : out_of_memory(&simulation);
	simulation.grid = (struct lxfw_grid){
		.broker = run->broker, .world = &simulation.world, .params = run->params,
		.sites = simulation.sites, .site_count = run->sites->count,
		.clusters = simulation.clusters, .cluster_count = run->sites->cluster_count,
		.history = run->history,
	};
	if (result == 0)
		result = simulate(&simulation);
	clear(&simulation);
	return result;
}

void lxfw_grid_run_clear(struct lxfw_grid_run *run)
{
	int saved = errno;

	free(run->starts);
	free(run->ends);
	free(run->parts_at);
	free(run->part_counts);
	free(run->parts);
	free(run->part_seconds);
	free(run->results);
	free(run->places);
	free(run->recalls);
	lxfw_accuracies_clear(&run->accuracies);
	run->places = run->recalls = NULL;
	run->starts = run->ends = NULL;
	run->parts_at = NULL;
	run->part_counts = NULL;
	run->parts = NULL;
	run->results = NULL;
	run->part_seconds = NULL;
	run->part_count = run->part_size = run->seconds_size = 0;
	errno = saved;
}
