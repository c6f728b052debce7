/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/simulation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* The scheduler's job ids are positions in the trace plus one, since the job numbers
   of a trace may repeat. */
#define JOB_ID(position) ((uint64_t)(position) + 1)
#define POSITION(id) ((size_t)(id) - 1)

int64_t lxfw_simulation_run_time(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job)
{
	if (options->overrun == LXFW_OVERRUN_KILL && job->run > job->limit)
		return job->limit;
	return job->run;
}

int64_t lxfw_simulation_estimate(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job)
{
	int64_t run;
	double scaled;

	if (options->estimates == LXFW_ESTIMATES_REQUESTED)
		return job->limit;
	run = lxfw_simulation_run_time(options, job);
	if (options->estimates == LXFW_ESTIMATES_EXACT)
		return run;
	scaled = ceil((double)run * options->factor);
	return scaled < 1e15 ? (int64_t)scaled : (int64_t)1e15;
}

const struct lxfw_estimate_of *lxfw_simulation_known(const struct lxfw_simulation *sim,
						     size_t position)
{
	const struct lxfw_learned *learned = sim->options->learned;

	return learned && learned->jobs[position].traits.limit > 0 ?
	       &learned->jobs[position] : NULL;
}

int64_t lxfw_simulation_estimate_at(const struct lxfw_simulation *sim, size_t position)
{
	const struct lxfw_trace_job *job = &sim->trace->jobs[position];
	int64_t seconds;

	if (!sim->expected || !lxfw_simulation_known(sim, position))
		return lxfw_simulation_estimate(sim->options, job);
	seconds = lxfw_estimate_seconds(sim->expected[position].work,
					sim->options->learned->speed);
	return seconds < job->limit ? seconds : job->limit;
}

int64_t lxfw_simulation_ran(const struct lxfw_simulation *sim, size_t position)
{
	int64_t run = lxfw_simulation_run_time(sim->options,
					       &sim->trace->jobs[position]);

	if (sim->left_over)
		run -= sim->left_over[position];
	return run > 0 ? run : 1;
}

/* Returns whether the job fits on the empty cluster. TOLD, or NULL, counts why not. */
static bool holds(const struct lxfw_cluster *cluster, bool one_host,
		  const struct lxfw_trace *trace, const struct lxfw_trace_job *job,
		  struct lxfw_needs_told *told)
{
	struct lxfw_request request = { 0 };
	const struct lxfw_need *need = lxfw_trace_need(trace, (size_t)(job - trace->jobs));

	if (job->procs > cluster->procs) {
		if (told)
			told->lacking[LXFW_NEEDS_PROCS]++;
		return false;
	}
	if (!lxfw_simulation_licensed(cluster, need, told))
		return false;
	lxfw_simulation_request(cluster, one_host, job, need, &request);
	if (told)
		lxfw_simulation_tell(cluster, job, need, &request, told);
	return lxfw_simulation_holds(cluster, &request);
}

static bool is_not_refused(void *context, const struct lxfw_trace_job *job)
{
	(void)context;
	return job->min_procs >= 0;
}

int lxfw_simulation_fit_adaptive(struct lxfw_trace *trace,
				 const struct lxfw_cluster *cluster, bool refuse,
				 size_t *wide)
{
	size_t refused;

	*wide = 0;
	for (size_t i = 0; i < trace->count; i++) {
		struct lxfw_trace_job *job = &trace->jobs[i];

		if (job->min_procs == 0 || holds(cluster, true, trace, job, NULL))
			continue;
		job->min_procs = refuse ? -1 : 0;
		++*wide;
	}
	return refuse ? lxfw_trace_filter(trace, is_not_refused, NULL,
					  &refused) : 0;
}

struct fit {
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	bool one_host;
};

static bool fits(void *context, const struct lxfw_trace_job *job)
{
	const struct fit *fit = context;

	return holds(fit->cluster, fit->one_host || job->min_procs > 0, fit->trace,
		     job, fit->trace->needs ? &fit->trace->needs->told : NULL);
}

int lxfw_simulation_fit(struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster, bool one_host,
			size_t *too_large)
{
	struct fit fit = { trace, cluster, one_host };

	if (trace->needs) {
		trace->needs->told.unlike = 0;
		memset(trace->needs->told.lacking, 0, sizeof(trace->needs->told.lacking));
	}
	return lxfw_trace_filter(trace, fits, &fit, too_large);
}

struct fit_classes {
	const struct lxfw_cluster *cluster;
	const struct lxfw_job_classes *classes;
	const struct lxfw_simulation_options *options;
};

static bool fits_classes(void *context, const struct lxfw_trace_job *job)
{
	const struct fit_classes *fit = context;
	struct lxfw_request request = {
		.estimate = lxfw_simulation_estimate(fit->options, job),
	};
	int32_t job_class;

	lxfw_simulation_request(fit->cluster, true, job, NULL, &request);
	job_class = lxfw_job_class_of(fit->classes, &request);
	for (int32_t i = 0; job_class >= 0 && i < fit->cluster->count; i++) {
		const struct lxfw_host_rules *rules =
			lxfw_job_classes_rules(fit->classes, i);

		if (rules &&
		    lxfw_job_class_runs(fit->classes, rules, job_class) &&
		    lxfw_resources_fit(&request.unit,
				       &fit->cluster->hosts[i].total))
			return true;
	}
	return false;
}

int lxfw_simulation_fit_classes(struct lxfw_trace *trace,
				const struct lxfw_cluster *cluster,
				const struct lxfw_job_classes *classes,
				const struct lxfw_simulation_options *options,
				size_t *left_out)
{
	struct fit_classes fit = { cluster, classes, options };

	return lxfw_trace_filter(trace, fits_classes, &fit, left_out);
}

/* The components of a heterogeneous job start together, on different hosts. */
static void set_group(const struct lxfw_simulation *sim, size_t position,
		      struct lxfw_request *request)
{
	const struct lxfw_need *need = lxfw_trace_need(sim->trace, position);
	int32_t count = need && need->het ?
		lxfw_id_map_get(&sim->groups, (uint64_t)need->het) : 0;

	if (count < 2 || count > LXFW_GROUP_MAX || count > sim->cluster->count)
		return;
	request->group = (uint64_t)need->het;
	request->group_count = count;
	request->no_quantum = true;
}

/* Returns whether there is a next submission, with its job and its time. */
static bool next_job(struct lxfw_simulation *sim, size_t *position, int64_t *time)
{
	if (sim->feedback.of)
		return lxfw_feedback_next(&sim->feedback, position, time);
	if (sim->next == sim->trace->count)
		return false;
	*position = lxfw_trace_at(sim->trace, sim->next++);
	*time = sim->trace->jobs[*position].submit;
	return true;
}

static bool is_sooner(void *context)
{
	struct lxfw_simulation *sim = context;

	return lxfw_feedback_sooner(&sim->feedback);
}

static int next_submission(void *context, struct lxfw_request *request,
			   int64_t *time)
{
	struct lxfw_simulation *sim = context;
	const struct lxfw_trace_job *job;
	bool one_host = lxfw_simulation_one_host(sim->options);
	size_t position;

	if (!next_job(sim, &position, time))
		return 0;
	job = &sim->trace->jobs[position];
	*request = (struct lxfw_request) {
		.id = JOB_ID(position), .submit = *time,
		.estimate = lxfw_simulation_estimate(sim->options, job),
	};
	if (sim->options->mixed) {
		request->rigid = job->min_procs == 0;
		request->min_procs = job->min_procs;
	}
	lxfw_simulation_request(sim->cluster, one_host || request->min_procs > 0,
				job, lxfw_trace_need(sim->trace, position),
				request);
	set_group(sim, position, request);
	lxfw_simulation_license(sim->options->params.policy, lxfw_trace_need(sim->trace, position),
				request);
	return 1;
}

/* The estimate is that of this moment. */
static void job_submitted(void *context, struct lxfw_request *request)
{
	struct lxfw_simulation *sim = context;
	size_t position = POSITION(request->id);
	const struct lxfw_estimate_of *of = lxfw_simulation_known(sim, position);

	if (!of)
		return;
	lxfw_estimator_expect(&sim->estimator, of, &sim->expected[position]);
	request->estimate = lxfw_simulation_estimate_at(sim, position);
}

static void job_left(void *context, uint64_t id, int64_t now)
{
	struct lxfw_simulation *sim = context;
	const struct lxfw_estimate_of *of = lxfw_simulation_known(sim, POSITION(id));
	int64_t run = lxfw_simulation_run_time(sim->options,
					       &sim->trace->jobs[POSITION(id)]);

	if (sim->feedback.of)
		lxfw_feedback_ended(&sim->feedback, POSITION(id), sim->ends[POSITION(id)], now);
	if (of && lxfw_estimator_learn(&sim->estimator, of, (double)run *
				       sim->options->learned->speed / LXFW_RAN_SPEED))
		sim->learning_failed = true;
}

static int add_span(struct lxfw_simulation *sim, int32_t first, int32_t count)
{
	if (sim->span_count == sim->span_size) {

		if (sim->span_count >= UINT32_MAX) {	/* limit of spans_at */
			errno = ENOMEM;
			return -1;
		}
		if (LXFW_GROW(sim->spans, sim->span_size, sim->span_count + 1))
			return -1;
	}
	sim->spans[sim->span_count++] = (struct lxfw_span) { first, count };
	return 0;
}

static int keep_hosts(struct lxfw_simulation *sim, size_t position,
		      const struct lxfw_action *action)
{
	int32_t i = 0, hosts = action->count;

	while (hosts > 0 && action->shares[hosts - 1].host >= sim->cluster->count)
		hosts--;	/* a license */
	sim->spans_at[position] = (uint32_t)sim->span_count;
	while (i < hosts) {
		int32_t first = action->shares[i].host, count = 1;

		while (i + count < hosts &&
		       action->shares[i + count].host == first + count)
			count++;
		if (add_span(sim, first, count))
			return -1;
		i += count;
	}
	return add_span(sim, 0, -1);
}

/* Returns the time from a start to the end overhead, or LXFW_NEVER if there is none or the
   job does not run at the speed of its request. */
static int64_t length_of(const struct lxfw_simulation *sim, size_t position,
			 const struct lxfw_action *action, int64_t run)
{
	int64_t procs = 0;

	if (sim->options->end_overhead == 0)
		return LXFW_NEVER;

	for (int32_t i = 0; i < action->count; i++)
		procs += action->shares[i].amount.procs;
	return procs == sim->trace->jobs[position].procs &&
	       !lxfw_policy_has(sim->options->params.policy, LXFW_TRAIT_ADAPTIVE) ?
	       run : LXFW_NEVER;
}

static int64_t job_started(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error)
{
	struct lxfw_simulation *sim = context;
	const struct lxfw_simulation_options *options = sim->options;
	size_t position = POSITION(action->job);
	int64_t run = lxfw_simulation_run_time(options,
					       &sim->trace->jobs[position]);

	sim->starts[position] = action->start + options->start_overhead;
	if (sim->interruptions)
		lxfw_interruptions_start(&sim->interruptions[position], action->start,
					 length_of(sim, position, action,
						   options->start_overhead + run));
	if (!sim->preemptions)	/* otherwise job_ended() sets it */
		sim->ends[position] = sim->starts[position] + run;
	if (sim->spans_at && keep_hosts(sim, position, action)) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	return options->start_overhead + options->end_overhead + run;
}

static int64_t used_memory(void *context, uint64_t id)
{
	const struct lxfw_simulation *sim = context;

	return sim->trace->jobs[POSITION(id)].used_memory_kb;
}

/* Returns the latest time to which the plugin moves the end of an adaptive job. */
static int64_t most_time(void *context, uint64_t id)
{
	const struct lxfw_simulation *sim = context;
	const struct lxfw_simulation_options *options = sim->options;
	const struct lxfw_trace_job *job = &sim->trace->jobs[POSITION(id)];

	if (!sim->left_over || job->min_procs == 0)
		return LXFW_NEVER;
	return options->start_overhead + options->end_overhead +
	       options->max_stretch * job->limit;
}

static void job_cut_off(void *context, uint64_t id, int64_t left)
{
	struct lxfw_simulation *sim = context;

	sim->left_over[POSITION(id)] = left;
	sim->cut_off++;
}

static void job_interrupted(void *context, const struct lxfw_action *action)
{
	struct lxfw_simulation *sim = context;
	size_t position = POSITION(action->job);
	struct lxfw_interruptions *of = &sim->interruptions[position];

	switch (action->type) {
	case LXFW_ACTION_SUSPEND:
		sim->preemptions[position] += lxfw_interruptions_suspend(
			of, action->start, &sim->ends[position]);
		break;
	case LXFW_ACTION_RESUME:
		lxfw_interruptions_resume(of, action->start);
		break;
	case LXFW_ACTION_REQUEUE:
		sim->requeues[position]++;
		sim->starts[position] = LXFW_NEVER;
		sim->ends[position] = LXFW_NEVER;
		sim->preemptions[position] +=
			lxfw_interruptions_requeue(of, action->start);
		break;
	default:
		break;
	}
}

static void job_ended(void *context, uint64_t id, int64_t now)
{
	struct lxfw_simulation *sim = context;
	size_t position = POSITION(id);

	if (!sim->interruptions || !sim->interruptions[position].over)
		sim->ends[position] = now - sim->options->end_overhead;
}

/* Job classes follow the hosts. */
static const struct lxfw_event *next_classes(struct lxfw_simulation *sim)
{
	if (!sim->classes || sim->classes_told)
		return NULL;
	sim->classes_told = true;
	sim->event.type = LXFW_EVENT_JOB_CLASSES;
	sim->event.job_classes = sim->classes;
	return &sim->event;
}

/* Partitions are reported if some jobs have requirements. */
static const struct lxfw_event *next_set(struct lxfw_simulation *sim)
{
	const struct lxfw_cluster_set *set;

	if (!sim->trace->need_of || sim->next_set == sim->cluster->set_count)
		return NULL;
	set = &sim->cluster->sets[sim->next_set];
	sim->event.type = LXFW_EVENT_HOST_SET;
	sim->event.host_set.id = sim->next_set++;
	sim->event.host_set.count = set->count;
	sim->event.host_set.hosts = set->hosts;
	return &sim->event;
}

/* All reservations are known from the beginning. */
static const struct lxfw_event *next_block(struct lxfw_simulation *sim)
{
	if (sim->next_block == sim->cluster->block_count)
		return NULL;
	lxfw_cluster_block_event(sim->cluster, sim->next_block++,
				 &sim->event);
	return &sim->event;
}

/* Beginnings and ends of outages. */
static const struct lxfw_event *next_change(struct lxfw_simulation *sim)
{
	if (sim->next_change == sim->cluster->change_count)
		return NULL;
	lxfw_cluster_change_event(sim->cluster, sim->next_change++,
				  &sim->event);
	return &sim->event;
}

/* Returns events that follow those of all hosts. */
static const struct lxfw_event *next_of_hosts(struct lxfw_simulation *sim)
{
	const struct lxfw_event *event =
		lxfw_cluster_extra_event(sim->cluster, &sim->next_extra, &sim->event) ?
			&sim->event : next_set(sim);

	event = event ? event : next_classes(sim);
	event = event ? event : next_block(sim);
	return event ? event : next_change(sim);
}

/* The hosts exist from the first submission on. */
static const struct lxfw_event *next_host(void *context)
{
	struct lxfw_simulation *sim = context;
	int32_t host = sim->next_host;

	if (host == sim->cluster->count + sim->cluster->license_count)
		return next_of_hosts(sim);
	sim->next_host++;
	lxfw_cluster_host_event(sim->cluster, host, &sim->event);
	return &sim->event;
}

static void tell_progress(void *context, size_t done)
{
	struct lxfw_simulation *sim = context;

	if (sim->progress)
		sim->progress(done, sim->trace->count);
}

static bool is_told_to_stop(void *context)
{
	struct lxfw_simulation *sim = context;

	return sim->learning_failed || (sim->stop && sim->stop());
}

static void show_decision(void *context, int64_t now,
			  const struct lxfw_decision *decision)
{
	struct lxfw_simulation *sim = context;

	if (sim->observe)
		sim->observe(sim->observer, now, decision);
}

static int stepped(void *context, const struct lxfw_run_moment *moment,
		   struct lxfw_error *error)
{
	struct lxfw_simulation *sim = context;

	return sim->stepped ? sim->stepped(sim->observer, moment, error) : 0;
}

static bool may_cut_off(const struct lxfw_simulation_options *options)
{
	return options->mixed && options->max_stretch > 0 &&
	       options->overrun == LXFW_OVERRUN_KILL;
}

/* Count the components of heterogeneous jobs, if the policy can start groups. */
static int count_groups(struct lxfw_simulation *sim)
{
	const struct lxfw_policy_type *policy =
		lxfw_params_policy(&sim->options->params);

	if (!sim->trace->need_of || !policy || !lxfw_policy_type_groups(policy))
		return 0;
	for (size_t i = 0; i < sim->trace->count; i++) {
		uint64_t het = (uint64_t)lxfw_trace_need(sim->trace, i)->het;
		int32_t count = het ? lxfw_id_map_get(&sim->groups, het) : 0;

		if (het && count > 0)
			lxfw_id_map_set(&sim->groups, het, count + 1);
		else if (het && lxfw_id_map_add(&sim->groups, het, 1) < 0)
			return -1;
	}
	return 0;
}

static int prepare(struct lxfw_simulation *sim)
{
	size_t count = sim->trace->count;

	sim->starts = malloc((count + 1) * sizeof(*sim->starts));
	sim->ends = malloc((count + 1) * sizeof(*sim->ends));
	if (!sim->starts || !sim->ends)
		return -1;
	if (sim->options->keep_hosts) {
		sim->spans_at = calloc(count + 1, sizeof(*sim->spans_at));
		if (!sim->spans_at)
			return -1;
	}
	if (lxfw_params_interrupt(&sim->options->params)) {
		sim->preemptions = calloc(count + 1, sizeof(*sim->preemptions));
		sim->requeues = calloc(count + 1, sizeof(*sim->requeues));
		sim->interruptions = calloc(count + 1,
					    sizeof(*sim->interruptions));
		if (!sim->preemptions || !sim->requeues || !sim->interruptions)
			return -1;
	}
	if (may_cut_off(sim->options)) {
		sim->left_over = calloc(count + 1, sizeof(*sim->left_over));
		if (!sim->left_over)
			return -1;
	}
	if (sim->options->learned) {
		sim->expected = calloc(count + 1, sizeof(*sim->expected));
		if (!sim->expected || lxfw_estimator_copy(&sim->estimator,
						&sim->options->learned->before))
			return -1;
	}
	if (count_groups(sim) < 0)
		return -1;
	if (sim->options->feedback && sim->options->feedback->jobs &&
	    lxfw_feedback_begin(&sim->feedback, sim->options->feedback, sim->trace))
		return -1;
	for (size_t i = 0; i < count; i++) {
		sim->starts[i] = LXFW_NEVER;
		sim->ends[i] = LXFW_NEVER;
	}
	sim->event = (struct lxfw_event) {
		.type = LXFW_EVENT_HOST,
		.time = count ? sim->trace->jobs[lxfw_trace_at(sim->trace,
							       0)].submit : 0,
		.host.up = true,
	};
	return 0;
}

static int name_stuck(const struct lxfw_simulation *sim,
		      struct lxfw_error *error)
{
	for (size_t i = 0; i < sim->trace->count; i++) {
		size_t position = lxfw_trace_at(sim->trace, i);
		const struct lxfw_trace_job *job = &sim->trace->jobs[position];
		bool started = sim->starts[position] != LXFW_NEVER;

		if (started && (sim->result.waiting > 0 ||
				sim->ends[position] != LXFW_NEVER))
			continue;
		lxfw_error_format(error, "job %lld (%d processors, %lld MB, "
			"submitted at %lld) can never %s: no events remain "
			"and %zu jobs wait", (long long)job->number,
			(int)job->procs, (long long)lxfw_job_memory_mb(job),
			(long long)lxfw_simulation_submit(sim, position), started ? "end" : "start",
			sim->result.waiting);
		break;
	}
	errno = EDEADLK;
	return -1;
}

int lxfw_simulation_run(struct lxfw_simulation *sim,
			struct lxfw_journal_writer *journal,
			struct lxfw_error *error)
{
	bool learns = sim->options->learned, feeds = sim->options->feedback;
	const struct lxfw_world world = {
		.submitted = learns ? job_submitted : NULL,
		.left = learns || feeds ? job_left : NULL,
		.sooner = feeds ? is_sooner : NULL,
		.context = sim, .submission = next_submission,
		.started = job_started, .used_memory = used_memory,
		.most = most_time, .cut_off = job_cut_off,
		.interrupted = job_interrupted, .ended = job_ended,
		.speedup = &sim->options->speedup, .other = next_host,
		.decided = show_decision, .stepped = stepped,
		.progress = tell_progress,
		.stop = is_told_to_stop,
		.priorities = sim->options->priorities,
	};

	int failed = prepare(sim);

	if (!failed)
		failed = lxfw_engine_run(&world, &sim->options->params, sim->options->pass,
					 journal, &sim->result, error);
	else
		sim->learning_failed = true;
	lxfw_estimator_clear(&sim->estimator);
	if (sim->learning_failed) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	if (failed)
		return errno == EDEADLK ? name_stuck(sim, error) : -1;
	/* jobs that were suspended and never resumed */
	if (sim->result.ended < sim->trace->count)
		return name_stuck(sim, error);
	return 0;
}

char *lxfw_simulation_hosts(const struct lxfw_simulation *sim, size_t job)
{
	const struct lxfw_span *span;
	const char **names;
	size_t count = 0;
	char *list;

	if (!sim->spans_at)
		return strdup("");
	for (span = &sim->spans[sim->spans_at[job]]; span->count > 0; span++)
		count += (size_t)span->count;
	names = malloc((count + 1) * sizeof(*names));
	if (!names)
		return NULL;
	count = 0;
	for (span = &sim->spans[sim->spans_at[job]]; span->count > 0; span++) {
		for (int32_t i = 0; i < span->count; i++)
			names[count++] = lxfw_cluster_host_name(sim->cluster,
							span->first + i);
	}
	list = lxfw_hostlist_compress(names, count);
	free(names);
	return list;
}

void lxfw_simulation_clear(struct lxfw_simulation *sim)
{
	int saved = errno;

	free(sim->starts);
	free(sim->ends);
	free(sim->preemptions);
	free(sim->requeues);
	free(sim->interruptions);
	free(sim->left_over);
	free(sim->expected);
	lxfw_feedback_run_clear(&sim->feedback);
	lxfw_estimator_clear(&sim->estimator);
	free(sim->spans_at);
	free(sim->spans);
	lxfw_id_map_clear(&sim->groups);
	*sim = (struct lxfw_simulation) { 0 };
	errno = saved;
}
