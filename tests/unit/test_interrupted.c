/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random workloads under policies that interrupt jobs, run by the simulator. An account
 * computed from the journal alone (audit.h) is compared with the results of the
 * simulator. The seed is printed; LXFW_SEED repeats a run, LXFW_CASES sets the number
 * of cases.
 */
#include <string.h>

#include "common/journal/journal.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/bytes.h"
#include "tests/unit/audit.h"
#include "tests/unit/command.h"

#define JOBS_MOST 60

static const enum lxfw_policy policies[] = {
	LXFW_POLICY_FCFS,     LXFW_POLICY_EASY, LXFW_POLICY_CONSERVATIVE,
	LXFW_POLICY_PRIORITY, LXFW_POLICY_LXFW, LXFW_POLICY_SJF,
	LXFW_POLICY_EQSPATIAL,
};

#define POLICY_COUNT (sizeof(policies) / sizeof(policies[0]))

/* Immediate service: off, soon, preempt; each with both kinds of end. */
#define SERVICES 6

static uint64_t cases(void)
{
	const char *given = getenv("LXFW_CASES");

	return given ? strtoull(given, NULL, 10) : 3000;
}

struct scene {
	uint64_t random;
	struct lxfw_trace_job jobs[JOBS_MOST];
	struct lxfw_trace trace;
	struct lxfw_cluster cluster;
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;
};

static int64_t between(struct scene *scene, int64_t low, int64_t high)
{
	return unit_between(&scene->random, low, high);
}

static bool one_in(struct scene *scene, int64_t number)
{
	return between(scene, 1, number) == 1;
}

static void make_cluster(struct scene *scene)
{
	int32_t count = (int32_t)between(scene, 1, 4);

	for (int32_t i = 0; i < count; i++) {
		struct lxfw_resources total = {
			.procs = (int32_t)between(scene, 1, 16),
			.memory_mb = between(scene, 1, 8) * 500,
		};
		char name[16];

		snprintf(name, sizeof(name), "h%d", (int)i);
		assert_int_equal(lxfw_cluster_add(&scene->cluster, name, &total,
						  NULL), 0);
	}
	scene->cluster.memory_bound = !one_in(scene, 4);
}

static void make_jobs(struct scene *scene)
{
	int64_t submit = 0;

	scene->trace.jobs = scene->jobs;
	scene->trace.count = (size_t)between(scene, 1, JOBS_MOST);
	for (size_t i = 0; i < scene->trace.count; i++) {
		struct lxfw_trace_job *job = &scene->jobs[i];

		submit += one_in(scene, 3) ? 0 : between(scene, 0, 60);
		*job = (struct lxfw_trace_job) {
			.number = (int64_t)i + 1, .submit = submit, .wait = -1,
			.procs = (int32_t)between(scene, 1,
						  one_in(scene, 3) ? 16 : 4),
			.run = between(scene, 1, one_in(scene, 2) ? 60 : 900),
			.memory_kb = between(scene, 0, 6) * 200 * 1024 +
				     between(scene, 0, 2),
			.used_memory_kb = -1,
		};
		job->limit = one_in(scene, 4) ? job->run :
				between(scene, 1, 1000);
		if (one_in(scene, 2))
			job->used_memory_kb = between(scene, 0, 1500) * 1024;
	}
}

static void make_options(struct scene *scene, enum lxfw_policy policy,
			 int service)
{
	struct lxfw_simulation_options *options = &scene->options;
	struct lxfw_params *params = &options->params;

	lxfw_params_preset(params, policy);
	params->quantum_mode = (enum lxfw_quantum_mode)(service / 2);
	params->quantum_end = service % 2 ? LXFW_QUANTUM_SUSPEND :
					    LXFW_QUANTUM_REQUEUE;
	params->quantum = between(scene, 1, 100);
	params->quantum_mem = between(scene, 1, 2000);
	params->quantum_min_run = one_in(scene, 3) ? 0 :
					between(scene, 0, 300);
	if (one_in(scene, 3))
		params->victim_suspensions = between(scene, 1, 3);
	if (one_in(scene, 3))
		params->victim_interval = between(scene, 1, 400);
	if (one_in(scene, 3))
		params->victim_share = between(scene, 1, 100);
	params->eq_min_interval = one_in(scene, 3) ? 0 :
					between(scene, 0, 300);
	if (one_in(scene, 2))
		params->eq_full_after = between(scene, 1, 600);
	if (policy != LXFW_POLICY_FCFS && policy != LXFW_POLICY_CONSERVATIVE &&
	    one_in(scene, 2))
		params->reservations = (int32_t)between(scene, 1, 4);
	if (one_in(scene, 4))
		params->interval = between(scene, 1, 60);
	options->pass = one_in(scene, 3) ? LXFW_PASS_EVENT :
					   LXFW_PASS_TIMESTAMP;
	options->overrun = one_in(scene, 2) ? LXFW_OVERRUN_KILL :
					      LXFW_OVERRUN_EXTEND;
	options->one_host = one_in(scene, 2);
	if (one_in(scene, 4)) {
		options->start_overhead = between(scene, 0, 3);
		options->end_overhead = between(scene, 0, 3);
	}
}

/* Some jobs are adaptive, the others are rigid, on several hosts too. */
static void mix(struct scene *scene)
{
	struct lxfw_simulation_options *options = &scene->options;
	size_t wide;

	if (options->params.policy != LXFW_POLICY_EQSPATIAL || one_in(scene, 3))
		return;
	options->mixed = true;
	options->max_stretch = one_in(scene, 3) ? 0 : between(scene, 1, 4);
	for (size_t i = 0; i < scene->trace.count; i++) {
		struct lxfw_trace_job *job = &scene->jobs[i];

		if (one_in(scene, 2))
			job->min_procs = (int32_t)between(scene, 1, job->procs);
	}
	assert_int_equal(lxfw_simulation_fit_adaptive(&scene->trace,
			&scene->cluster, one_in(scene, 2), &wide), 0);
}

static void make_scene(struct scene *scene, uint64_t seed,
		       enum lxfw_policy policy, int service)
{
	size_t too_large;

	memset(scene, 0, sizeof(*scene));
	scene->random = seed;
	make_cluster(scene);
	make_jobs(scene);
	make_options(scene, policy, service);
	scene->sim.trace = &scene->trace;
	scene->sim.cluster = &scene->cluster;
	scene->sim.options = &scene->options;
	mix(scene);
	assert_int_equal(lxfw_simulation_fit(&scene->trace, &scene->cluster,
		lxfw_simulation_one_host(&scene->options), &too_large), 0);
}

static void strike_scene(struct scene *scene)
{
	lxfw_simulation_clear(&scene->sim);
	lxfw_cluster_clear(&scene->cluster);
}

/* Run the simulation and return the journal; the caller frees it. */
static struct lxfw_bytes run(struct scene *scene)
{
	const char *path = unit_path("journal");
	struct lxfw_error error;
	struct lxfw_output *output = lxfw_output_open(path, &error);
	struct lxfw_journal_writer writer;
	struct lxfw_bytes bytes;

	assert_non_null(output);
	lxfw_journal_writer_begin(&writer, output);
	if (lxfw_simulation_run(&scene->sim, &writer, &error))
		fail_msg("%s", error.text);
	lxfw_journal_writer_end(&writer);
	assert_int_equal(lxfw_output_commit(output, &error), 0);
	assert_int_equal(lxfw_bytes_read(&bytes, path, &error), 0);
	return bytes;
}

static void follow(struct audit *audit, const struct lxfw_bytes *journal)
{
	struct lxfw_record record = { 0 };
	size_t offset = 0;
	int64_t now = 0;

	while (lxfw_journal_get(journal->bytes, journal->length, &offset,
				&record) > 0) {
		if (record.kind == LXFW_RECORD_EVENT)
			audit_event(audit, &record.event);
		else if (record.kind == LXFW_RECORD_DECIDE)
			now = record.now;
		else if (record.kind == LXFW_RECORD_ACTION)
			audit_action(audit, &record.action);
		else if (record.kind == LXFW_RECORD_DECIDED)
			audit_decided(audit, now);
	}
	assert_int_equal(offset, journal->length);
	lxfw_record_clear(&record);
}

/* A job whose memory was reduced for its quantum ends within it only if it used no
 * more. */
static void check_memory(const struct scene *scene, size_t position,
			 const struct audit_job *job)
{
	int64_t memory = 0;

	if (job->now.until == LXFW_NEVER)
		return;
	for (int32_t i = 0; i < job->now.count; i++)
		memory += job->now.shares[i].amount.memory_mb;
	if (memory < job->request.unit.memory_mb * job->request.count)
		assert_true(scene->jobs[position].used_memory_kb <=
			    memory * 1024);
	assert_true(job->end <= job->now.until);
}

/* A job that was killed at its limit has run for its full time; the rest is not counted
 * as run time. */
static void check_cut_off(const struct scene *scene, size_t position,
			  const struct audit_job *job, int64_t work)
{
	const struct lxfw_simulation_options *options = &scene->options;
	const struct lxfw_trace_job *from = &scene->jobs[position];

	assert_int_equal(options->overrun, LXFW_OVERRUN_KILL);
	assert_int_equal(job->now.ran, options->start_overhead +
			 options->end_overhead +
			 options->max_stretch * from->limit);
	assert_int_equal(scene->sim.left_over[position],
			 (work - job->now.done) / from->procs);
}

/* A job that was suspended after its end, in its end overhead: these suspensions do not
   count. */
static void check_over(const struct scene *scene, size_t position,
		       const struct audit_job *job)
{
	const struct lxfw_simulation_options *options = &scene->options;
	const struct lxfw_simulation *sim = &scene->sim;
	int64_t suspended = sim->interruptions[position].suspended;

	assert_true(options->end_overhead > 0);
	assert_int_not_equal(options->params.policy, LXFW_POLICY_EQSPATIAL);
	assert_int_equal(sim->ends[position], sim->starts[position] + suspended +
			 lxfw_simulation_run_time(options, &scene->jobs[position]));
	assert_true(sim->ends[position] <= job->end - options->end_overhead);
	assert_true((int64_t)lxfw_simulation_preemptions(sim, position) <
		    (int64_t)job->now.preemptions);
	assert_true(suspended <= job->now.suspended);
}

static void check_job(const struct scene *scene, size_t position,
		      const struct audit_job *job)
{
	const struct lxfw_simulation_options *options = &scene->options;
	const struct lxfw_trace_job *from = &scene->jobs[position];
	const struct lxfw_simulation *sim = &scene->sim;
	int64_t work = options->start_overhead + options->end_overhead +
		       lxfw_simulation_run_time(options, from);

	assert_int_equal(job->now.state, AUDIT_ENDED);
	assert_int_equal(job->request.rigid, options->mixed && from->min_procs == 0);
	assert_int_equal(job->request.min_procs, from->min_procs);
	/* progress is conserved: the job ends in the second in which its work is done */
	work *= from->procs;
	if (job->now.done < work && sim->left_over && from->min_procs > 0)
		check_cut_off(scene, position, job, work);
	else if (job->now.done < work || job->now.done - job->now.rate >= work)
		fail_msg("job %zu ends with %lld of %lld processor-seconds",
			 position + 1, (long long)job->now.done,
			 (long long)work);
	assert_int_equal(sim->starts[position],
			 job->now.start + options->start_overhead);
	assert_true(sim->starts[position] >= from->submit);
	if (sim->interruptions && sim->interruptions[position].over) {
		check_over(scene, position, job);
		return;
	}
	assert_int_equal(sim->ends[position], job->end - options->end_overhead);
	assert_int_equal(lxfw_simulation_preemptions(sim, position),
			 job->now.preemptions);
	assert_int_equal(lxfw_simulation_requeues(sim, position),
			 job->now.requeues);
	if (sim->interruptions) {
		assert_int_equal(sim->interruptions[position].lost,
				 job->now.lost);
		assert_int_equal(sim->interruptions[position].suspended,
				 job->now.suspended);
	}
	check_memory(scene, position, job);
}

static void case_of(uint64_t number, enum lxfw_policy *policy, int *service)
{
	*policy = policies[number % POLICY_COUNT];
	*service = (int)(number / POLICY_COUNT % SERVICES);
	/* without immediate service only this policy interrupts */
	if (*service < 2)
		*policy = LXFW_POLICY_EQSPATIAL;
}

/* True if shares can be unequal because of requests only: no job waits for memory, is
   preferred after a time, or is repartitioned later. */
static bool all_alike(const struct scene *scene)
{
	const struct lxfw_params *params = &scene->options.params;

	return params->policy == LXFW_POLICY_EQSPATIAL &&
	       !scene->cluster.memory_bound && params->eq_min_interval == 0 &&
	       params->eq_full_after == 0 && !scene->options.mixed;
}

static void accounts_agree(void **state)
{
	uint64_t seed = unit_seed("interrupted jobs");
	struct audit *audit = malloc(sizeof(*audit));
	struct scene *scene = malloc(sizeof(*scene));
	int64_t quanta = 0, preemptions = 0, resumptions = 0, requeues = 0;
	int64_t resizes = 0, alike = 0, mixed = 0, cut_off = 0;

	(void)state;
	assert_non_null(audit);
	assert_non_null(scene);
	for (uint64_t i = 0; i < cases(); i++) {
		struct lxfw_bytes journal;
		enum lxfw_policy policy;
		int service;

		case_of(i, &policy, &service);
		make_scene(scene, seed + i, policy, service);
		memset(audit, 0, sizeof(*audit));
		audit->ends_late = scene->options.pass == LXFW_PASS_EVENT;
		audit->equal = all_alike(scene);
		if (getenv("LXFW_SHOW_CASES"))
			printf("# %llu: %s, service %d\n",
			       (unsigned long long)(seed + i),
			       lxfw_policy_name(policy), service);
		journal = run(scene);
		follow(audit, &journal);
		for (size_t j = 0; j < scene->trace.count; j++)
			check_job(scene, j, &audit->jobs[j + 1]);
		quanta += audit->quanta;
		preemptions += audit->preemptions;
		resumptions += audit->resumptions;
		requeues += audit->requeues;
		resizes += audit->resizes;
		alike += audit->equal;
		mixed += scene->options.mixed;
		cut_off += (int64_t)scene->sim.cut_off;
		free(journal.bytes);
		strike_scene(scene);
	}
	printf("# %lld quanta, %lld preemptions, %lld resumptions, %lld "
	       "requeues, %lld resizes, %lld cases of equal shares, %lld with "
	       "rigid jobs, %lld jobs cut off\n",
	       (long long)quanta, (long long)preemptions,
	       (long long)resumptions, (long long)requeues,
	       (long long)resizes, (long long)alike, (long long)mixed,
	       (long long)cut_off);
	if (cases() >= 1000) {
		assert_true(quanta > 0);
		assert_true(preemptions > 0);
		assert_true(resumptions > 0);
		assert_true(requeues > 0);
		assert_true(resizes > 0);
		assert_true(alike > 0);
		assert_true(mixed > 0);
		assert_true(cut_off > 0);
	}
	free(scene);
	free(audit);
}

static void same_events_same_actions(void **state)
{
	uint64_t seed = unit_seed("same events, same actions");
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (uint64_t i = 0; i < cases() / 10; i++) {
		struct lxfw_bytes first, second;
		enum lxfw_policy policy;
		int service;

		case_of(i, &policy, &service);
		make_scene(scene, seed + i, policy, service);
		first = run(scene);
		strike_scene(scene);
		make_scene(scene, seed + i, policy, service);
		second = run(scene);
		strike_scene(scene);
		assert_int_equal(first.length, second.length);
		assert_memory_equal(first.bytes, second.bytes, first.length);
		free(first.bytes);
		free(second.bytes);
	}
	free(scene);
}

/* Return the journal with other parameters. */
static const char *with_params(const struct lxfw_bytes *journal,
			       const struct lxfw_params *params)
{
	const char *path = unit_path("other");
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0, begin = 0;
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	while (lxfw_journal_get(journal->bytes, journal->length, &offset,
				&record) > 0) {
		buffer.length = 0;
		if (record.kind == LXFW_RECORD_EVENT &&
		    record.event.type == LXFW_EVENT_PARAMS) {
			record.event.params = params;
			assert_int_equal(lxfw_journal_put_event(&buffer,
							&record.event), 0);
			fwrite(buffer.bytes, 1, buffer.length, file);
		} else {
			fwrite(journal->bytes + begin, 1, offset - begin, file);
		}
		begin = offset;
	}
	assert_int_equal(fclose(file), 0);
	free(buffer.bytes);
	lxfw_record_clear(&record);
	return path;
}

/* Choose parameters with which jobs are interrupted at other times. */
static void change(struct scene *scene, struct lxfw_params *params)
{
	params->quantum_min_run += between(scene, 1, 100);
	if (one_in(scene, 2))
		params->victim_suspensions = between(scene, 0, 2);
	if (one_in(scene, 2))
		params->victim_share = between(scene, 0, 50);
	params->eq_min_interval += between(scene, 1, 100);
	if (one_in(scene, 4))
		params->quantum_mode = LXFW_QUANTUM_SOON;
	if (one_in(scene, 4))
		params->quantum = 0;
	if (one_in(scene, 4))
		params->quantum_end = LXFW_QUANTUM_SUSPEND;
}

/* A replay agrees. With other parameters it does not, but the model is corrected by the
   records: every job that ends is in the model. */
static void replays(void **state)
{
	uint64_t seed = unit_seed("replay");
	struct scene *scene = malloc(sizeof(*scene));
	int64_t differing = 0;

	(void)state;
	assert_non_null(scene);
	for (uint64_t i = 0; i < cases() / 10; i++) {
		struct lxfw_params params;
		struct lxfw_bytes journal;
		enum lxfw_policy policy;
		int service;

		case_of(i, &policy, &service);
		make_scene(scene, seed + i, policy, service);
		journal = run(scene);
		assert_int_equal(run_command("replay", "--format=json",
					     unit_path("journal")), 0);
		params = scene->options.params;
		change(scene, &params);
		differing += run_command("replay", "--format=json",
					 with_params(&journal, &params));
		assert_said("\"events_not_taken\": 0,");
		free(journal.bytes);
		strike_scene(scene);
	}
	if (cases() >= 1000)
		assert_true(differing > 0);
	free(scene);
}

/* The journal, read as a measured run and simulated again, gives the same waits. It
   does not contain used memory, passes after each event, and the fractions of a second
   of work of killed jobs. */
static void measures_the_same(void **state)
{
	uint64_t seed = unit_seed("measured runs");
	struct scene *scene = malloc(sizeof(*scene));

	(void)state;
	assert_non_null(scene);
	for (uint64_t i = 0; i < cases() / 10; i++) {
		struct lxfw_bytes journal;
		enum lxfw_policy policy;
		char equal[80];
		int service;

		case_of(i, &policy, &service);
		make_scene(scene, seed + i, policy, service);
		scene->options.pass = LXFW_PASS_TIMESTAMP;
		scene->options.max_stretch = 0;
		for (size_t j = 0; j < scene->trace.count; j++)
			scene->jobs[j].used_memory_kb = -1;
		journal = run(scene);
		snprintf(equal, sizeof(equal),
			 "per job: %zu of %zu start at the same second",
			 scene->trace.count, scene->trace.count);
		if (scene->trace.count > 0) {
			run_command("compare", "--start-overhead=0",
				    unit_path("journal"));
			assert_said(equal);
		}
		free(journal.bytes);
		strike_scene(scene);
	}
	free(scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accounts_agree),
		cmocka_unit_test(same_events_same_actions),
		cmocka_unit_test(replays),
		cmocka_unit_test(measures_the_same),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
