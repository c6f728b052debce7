/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All brokers of common/grid on random grids. Each site is one host under EASY. Of every job that a
 * broker sends:
 *
 *   it was submitted, and is sent once, or again after it was recalled
 *   its parts are at different sites, and have all its processors, and the overhead of its parts
 *   no site has more in use than it has
 *   a job at several sites, and every job of a broker with a queue of its own, starts at once
 *
 * After each event, the jobs submitted are those that ended, run, wait at a site, or wait at the
 * broker. The first one that waits at a broker with a queue waits because it does not fit. In the
 * end, all have ended.
 */
#include <errno.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "common/grid/market.h"
#include "common/model/time.h"
#include "common/params/params.h"
#include "common/util/formula.h"
#include "tests/unit/unit.h"

#define SITES 4
#define JOBS 30
#define NEVER LXFW_NEVER

enum job_state { FUTURE, AT_BROKER, AT_SITES, OVER };

struct job {
	struct lxfw_grid_job job;
	enum job_state state;
	int64_t run;			/* at the usual speed */
	int64_t seconds;		/* of run(); 0: it was sent by send() */
	int32_t overhead, count;
	struct lxfw_grid_part parts[SITES];
	int64_t start, ends[SITES];	/* NEVER: not yet */
	bool over[SITES];
};

static struct {
	uint64_t random;
	const struct lxfw_broker *broker;
	struct lxfw_grid grid;
	struct lxfw_grid_site sites[SITES];
	int32_t used[SITES], site_count;
	struct job jobs[JOBS];
	bool estimates;		/* sites have estimates of their own */
	int job_count, sent, recalled, split, clustered;
	int64_t now;
} world;

static int64_t roll(int64_t low, int64_t high)
{
	return unit_between(&world.random, low, high);
}

static struct job *find(uint64_t id)
{
	assert_true(id >= 1 && id <= (uint64_t)world.job_count);
	return &world.jobs[id - 1];
}

/* Seconds at a site, by the definitions of grid.h. */
static int64_t seconds_of(const struct job *job, int64_t run, const struct lxfw_grid_part *part,
			  int32_t overhead)
{
	int64_t speed = world.sites[part->site].speed;

	if (world.broker->molds)
		run = (run * job->job.procs + part->procs - 1) / part->procs;
	return (run * (1000 + overhead) + speed - 1) / speed;
}

/* The estimate of a job for a part of it; that of a site is for all processors of the job. */
static int64_t estimate_of(const struct job *job, const struct lxfw_grid_part *part)
{
	if (!world.estimates || part->procs != job->job.procs)
		return job->job.estimate;
	return 1 + (job->job.estimate - 1) / (part->site + 1);
}

/* --- sites ---------------------------------------------------------------------------------- */

static void apply(int32_t site, const struct lxfw_event *event)
{
	struct lxfw_error error;

	if (lxfw_sched_apply(world.sites[site].sched, event, &error))
		fail_msg("site %d: %s", site, error.text);
}

static void start_part(struct job *job, int32_t site)
{
	int32_t at = 0;

	while (job->parts[at].site != site)
		at++;
	assert_int_equal(job->state, AT_SITES);
	assert_int_equal(job->ends[at], NEVER);
	assert_true(job->start == NEVER || job->start == world.now);
	job->start = world.now;
	job->ends[at] = world.now + (job->seconds ? (job->seconds < job->run ? job->seconds : job->run) :
				     seconds_of(job, job->run, &job->parts[at], job->overhead));
	world.used[site] += job->parts[at].procs;
	assert_true(world.used[site] <= world.sites[site].procs);
}

static void decide(int32_t site)
{
	struct lxfw_decision decision;

	assert_int_equal(lxfw_sched_decide(world.sites[site].sched, world.now, &decision), 0);
	for (size_t i = 0; i < decision.count; i++) {
		if (decision.actions[i].type == LXFW_ACTION_START)
			start_part(find(decision.actions[i].job), site);
	}
}

static struct lxfw_request request_of(const struct job *job, const struct lxfw_grid_part *part,
				      int64_t seconds)
{
	return (struct lxfw_request){
		.id = job->job.id, .submit = job->job.submit, .estimate = seconds,
		.unit.procs = part->procs, .count = 1, .shape = LXFW_SHAPE_HOSTS,
	};
}

/* --- the world of the broker ---------------------------------------------------------------- */

static bool request(void *context, uint64_t id, const struct lxfw_grid_part *part,
		    int64_t seconds, struct lxfw_request *to)
{
	const struct job *job = find(id);

	(void)context;
	if (seconds != seconds_of(job, estimate_of(job, part), part, 0) &&
	    seconds != seconds_of(job, estimate_of(job, part), part, world.grid.params.overhead))
		fail_msg("%s asks for %lld s", world.broker->name, (long long)seconds);
	*to = request_of(job, part, seconds);
	return part->procs <= world.sites[part->site].procs;
}

static void submit(struct job *job)
{
	bool queues = world.broker->ended != NULL;

	job->state = AT_SITES;
	job->start = NEVER;
	for (int32_t i = 0; i < job->count; i++) {
		const struct lxfw_grid_part *part = &job->parts[i];
		struct lxfw_request at = request_of(job, part, job->seconds ? job->seconds :
			seconds_of(job, estimate_of(job, part), part, job->overhead));
		const struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .time = world.now, .request = &at,
		};

		job->ends[i] = NEVER;
		job->over[i] = false;
		apply(part->site, &event);
		decide(part->site);
		if ((queues || job->count > 1) && job->ends[i] == NEVER)
			fail_msg("%s: job %d is sent, and does not start", world.broker->name,
				 (int)job->job.id);
	}
	world.sent++;
}

static int send(void *context, uint64_t id, const struct lxfw_grid_part *parts, int32_t count,
		int32_t overhead)
{
	struct job *job = find(id);
	int32_t procs = 0;

	(void)context;
	assert_int_equal(job->state, AT_BROKER);
	assert_true(count == 1 || (world.broker->splits && count > 1 && count <= SITES));
	assert_int_equal(overhead, count > 1 ? world.grid.params.overhead : 0);
	for (int32_t i = 0; i < count; i++) {
		assert_true(parts[i].procs > 0 && parts[i].site >= 0 &&
			    parts[i].site < world.site_count);
		for (int32_t j = 0; j < i; j++)
			assert_int_not_equal(parts[i].site, parts[j].site);
		procs += parts[i].procs;
	}
	assert_true(world.broker->molds || procs == job->job.procs);
	if (world.broker == &lxfw_broker_local)
		assert_int_equal(parts->site, job->job.home);
	memcpy(job->parts, parts, (size_t)count * sizeof(*parts));
	job->count = count;
	job->overhead = overhead;
	job->seconds = 0;
	world.split += count > 1;
	submit(job);
	return 0;
}

static int run(void *context, uint64_t id, int32_t place, int64_t seconds)
{
	struct job *job = find(id);
	const struct lxfw_grid_cluster *cluster = place < world.site_count ? NULL :
		&world.grid.clusters[place - world.site_count];

	(void)context;
	assert_int_equal(job->state, AT_BROKER);
	assert_true(seconds >= 1);
	job->count = cluster ? cluster->count : 1;
	job->seconds = seconds;
	job->overhead = 0;
	for (int32_t i = 0; i < job->count; i++) {
		int32_t site = cluster ? cluster->sites[i] : place;

		job->parts[i] = (struct lxfw_grid_part){
			site, cluster ? world.sites[site].procs : job->job.procs,
		};
	}
	world.clustered += cluster != NULL;
	submit(job);
	return 0;
}

static void leave(const struct job *job, int32_t part)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_END, .time = world.now, .end.id = job->job.id,
	};

	world.used[job->parts[part].site] -= job->parts[part].procs;
	apply(job->parts[part].site, &event);
	decide(job->parts[part].site);
}

static int recall(void *context, uint64_t id)
{
	struct job *job = find(id);

	(void)context;
	assert_int_equal(job->state, AT_SITES);
	assert_int_not_equal(job->job.priority, LXFW_GRID_HIGH);
	for (int32_t i = 0; i < job->count; i++) {
		if (!job->over[i])
			leave(job, i);
	}
	job->state = AT_BROKER;
	world.recalled++;
	return 0;
}

static int64_t estimate(void *context, uint64_t id, int32_t site)
{
	const struct job *job = find(id);
	const struct lxfw_grid_part part = { site, job->job.procs };

	(void)context;
	return estimate_of(job, &part);
}

static const struct lxfw_grid_world operations = {
	.request = request, .send = send, .run = run, .recall = recall,
};
static const struct lxfw_grid_world with_estimates = {
	.request = request, .send = send, .run = run, .recall = recall, .estimate = estimate,
};

/* --- what holds after each event -------------------------------------------------------------- */

static void check_site(int32_t site)
{
	struct lxfw_sched_state state;
	size_t waiting = 0, running = 0;

	for (int i = 0; i < world.job_count; i++) {
		const struct job *job = &world.jobs[i];

		for (int32_t j = 0; job->state == AT_SITES && j < job->count; j++) {
			if (job->parts[j].site != site || job->over[j])
				continue;
			waiting += job->ends[j] == NEVER;
			running += job->ends[j] != NEVER;
		}
	}
	lxfw_sched_state(world.sites[site].sched, &state);
	assert_int_equal(state.waiting, waiting);
	assert_int_equal(state.running, running);
	assert_int_equal(state.procs - state.free, world.used[site]);
}

/* Whether the first job that waits at a broker with a queue could start. */
static bool could_start(const struct job *job)
{
	int32_t all = 0, most = 0;

	for (int32_t i = 0; i < world.site_count; i++) {
		int32_t free = world.sites[i].procs - world.used[i];

		all += free;
		most = free > most ? free : most;
	}
	if (world.broker->molds)
		return all > 0 && world.grid.params.threshold == 0;
	return most >= job->job.procs || (world.broker->splits && all >= job->job.procs);
}

static void check(void)
{
	bool queue = !world.grid.params.market && !world.broker->wake && world.broker->ended;

	for (int32_t i = 0; i < world.site_count; i++)
		check_site(i);
	for (int i = 0; queue && i < world.job_count; i++) {
		if (world.jobs[i].state != AT_BROKER)
			continue;
		if (could_start(&world.jobs[i]))
			fail_msg("%s: job %d could start", world.broker->name, i + 1);
		break;
	}
}

/* --- random grids ------------------------------------------------------------------------------- */

static void open_sites(void)
{
	static const int32_t speeds[] = { 500, 1000, 1000, 1500 };
	struct lxfw_params params;

	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	world.site_count = (int32_t)roll(2, SITES);
	for (int32_t i = 0; i < world.site_count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST, .time = 0, .host.up = true };

		world.sites[i] = (struct lxfw_grid_site){
			.name = "site", .sched = lxfw_sched_create(&params),
			.procs = (int32_t)roll(2, 8), .speed = speeds[roll(0, 3)],
		};
		assert_non_null(world.sites[i].sched);
		event.host.total.procs = world.sites[i].procs;
		event.host.total.memory_mb = 1000;
		event.host.name = "host";
		apply(i, &event);
	}
}

/* Every job fits at its home; some are too wide for any site, if the broker splits them. */
static void make_jobs(bool wide)
{
	int64_t time = 0;
	int32_t all = 0;

	for (int32_t i = 0; i < world.site_count; i++)
		all += world.sites[i].procs;
	world.job_count = (int)roll(1, JOBS);
	for (int i = 0; i < world.job_count; i++) {
		struct job *job = &world.jobs[i];
		int32_t home = (int32_t)roll(0, world.site_count - 1);

		time += roll(0, 1) * roll(0, 30);
		job->job = (struct lxfw_grid_job){
			.id = (uint64_t)i + 1, .home = home, .submit = time,
			.procs = (int32_t)roll(1, wide && roll(0, 3) == 0 ? all :
					       world.sites[home].procs),
			.estimate = roll(1, 80), .kind = (int32_t)roll(0, 2),
			.priority = (int32_t)roll(0, LXFW_GRID_PRIORITIES - 1),
		};
		job->run = roll(0, 2) ? roll(1, job->job.estimate) : job->job.estimate;
	}
}

/* --- the clock ------------------------------------------------------------------------------------ */

static int64_t next_time(void)
{
	int64_t next = lxfw_grid_wake(&world.grid);

	for (int i = 0; i < world.job_count; i++) {
		const struct job *job = &world.jobs[i];

		if (job->state == FUTURE && job->job.submit < next)
			next = job->job.submit;
		for (int32_t j = 0; job->state == AT_SITES && j < job->count; j++) {
			if (!job->over[j] && job->ends[j] < next)
				next = job->ends[j];
		}
	}
	return next;
}

static void end_due(struct job *job)
{
	for (int32_t i = 0; job->state == AT_SITES && i < job->count; i++) {
		bool all = true;

		if (job->over[i] || job->ends[i] > world.now)
			continue;
		job->over[i] = true;
		leave(job, i);
		for (int32_t j = 0; j < job->count; j++)
			all &= job->over[j];
		if (all)
			job->state = OVER;
		assert_int_equal(lxfw_grid_ended(&world.grid, job->parts[i].site, job->job.id,
						 world.now), 0);
	}
}

static void pass(void)
{
	for (int i = 0; i < world.job_count; i++)
		end_due(&world.jobs[i]);
	for (int i = 0; i < world.job_count; i++) {
		struct job *job = &world.jobs[i];

		if (job->state != FUTURE || job->job.submit != world.now)
			continue;
		job->state = AT_BROKER;
		if (lxfw_grid_submitted(&world.grid, &job->job, world.now))
			fail_msg("%s: job %d: %s", world.broker->name, i + 1, strerror(errno));
	}
	assert_int_equal(lxfw_grid_decide(&world.grid, world.now), 0);
}

static void play(void)
{
	int64_t next;

	assert_int_equal(lxfw_grid_begin(&world.grid), 0);
	while ((next = next_time()) != NEVER) {
		assert_true(next > world.now);
		world.now = next;
		pass();
		check();
	}
	for (int i = 0; i < world.job_count; i++) {
		if (world.jobs[i].state != OVER)
			fail_msg("%s: job %d is in state %d at the end", world.broker->name,
				 i + 1, world.jobs[i].state);
	}
	lxfw_grid_end(&world.grid);
	for (int32_t i = 0; i < world.site_count; i++)
		lxfw_sched_destroy(world.sites[i].sched);
}

/* --- markets ----------------------------------------------------------------------------------- */

static struct lxfw_formula *formula(const char *text, size_t values)
{
	const struct lxfw_formula_names names = {
		.values = lxfw_market_values, .value_count = values,
	};
	struct lxfw_error error;
	struct lxfw_formula *read = lxfw_formula_read(text, &names, &error);

	if (!read)
		fail_msg("%s", error.text);
	return read;
}

/* What all jobs cost by processors and estimates. */
static double cost_of_all(void)
{
	double sum = 0;

	for (int i = 0; i < world.job_count; i++) {
		const struct job *job = &world.jobs[i];

		for (int32_t j = 0; j < job->count; j++)
			sum += (double)job->parts[j].procs *
			       (double)seconds_of(job, job->job.estimate, &job->parts[j],
						  job->overhead);
	}
	return sum;
}

static void play_market(void)
{
	bool simple = roll(0, 1);
	struct lxfw_formula *machine = formula(
		simple ? "NumberOfProcessors*RunTime" : lxfw_market_machines[roll(0, 5)].formula,
		LXFW_MARKET_OWNER_VALUES);
	struct lxfw_formula *utility = formula(lxfw_market_utilities[roll(0, 4)].formula,
					       LXFW_MARKET_VALUES);
	const struct lxfw_formula *machines[SITES] = { machine, machine, machine, machine };
	struct lxfw_market_counts counts;
	struct lxfw_error error;
	struct lxfw_market market = {
		.machines = machines, .utility = utility, .hops = (int32_t)roll(0, SITES),
		.delay = roll(0, 1) * roll(1, 10), .live = NEVER, .reserved = NEVER,
		.split = (enum lxfw_market_split)roll(0, 2), .reschedules = roll(0, 1),
		.limits = { (int32_t)roll(1, 20), (int32_t)roll(1, 8), (int32_t)roll(1, 3) },
		.counts = &counts, .error = &error,
	};

	world.grid.params.market = &market;
	make_jobs(market.split != LXFW_MARKET_SPLIT_NEVER && market.hops > 0);
	play();
	assert_int_equal(counts.requests, world.job_count);
	assert_true(counts.offers >= (size_t)world.job_count);
	assert_true(!simple || counts.price == cost_of_all());
	assert_true(counts.refused <= counts.messages);
	if (market.hops <= 1)
		assert_int_equal(counts.messages, (counts.requests + counts.repeated) *
				 (size_t)(market.hops * (world.site_count - 1)));
	assert_true(counts.expired == 0 && (market.reschedules || counts.moved == 0));
	lxfw_formula_free(machine);
	lxfw_formula_free(utility);
}

/* --- all brokers --------------------------------------------------------------------------------- */

/* Kinds of jobs take some time on the cluster of the first two sites. */
static void know(struct lxfw_grid_history *history)
{
	for (int32_t kind = 0; kind < 3; kind++) {
		if (roll(0, 2))
			assert_int_equal(lxfw_grid_history_know(history, kind, world.site_count,
								roll(1, 60)), 0);
	}
}

static void play_one(const struct lxfw_broker *broker, uint64_t seed)
{
	static const int32_t members[] = { 0, 1 };
	static const struct lxfw_grid_cluster cluster = { "c", members, 2 };
	struct lxfw_grid_history history = { 0 };
	int sent = world.sent, recalled = world.recalled, split = world.split,
	    clustered = world.clustered;

	memset(&world, 0, sizeof(world));
	world.sent = sent;
	world.recalled = recalled;
	world.split = split;
	world.clustered = clustered;
	world.random = seed;
	world.now = -1;
	world.broker = broker;
	world.estimates = roll(0, 2) == 0 && broker != &lxfw_broker_market;
	open_sites();
	world.grid = (struct lxfw_grid){
		.broker = broker, .world = world.estimates ? &with_estimates : &operations,
		.sites = world.sites,
		.site_count = world.site_count,
		.params = {
			.overhead = (int32_t)(roll(0, 1) * roll(0, 500)),
			.quantum = (int32_t)(roll(0, 1) * roll(1, 40)),
			.preemptions = (int32_t)roll(0, 2),
			.threshold = (int32_t)(roll(0, 1) * roll(50, 120)),
		},
	};
	if (broker == &lxfw_broker_pjs) {
		know(&history);
		world.grid.clusters = &cluster;
		world.grid.cluster_count = 1;
		world.grid.history = &history;
	}
	if (broker == &lxfw_broker_market) {
		play_market();
	} else {
		make_jobs(broker->splits && !world.grid.cluster_count);
		play();
	}
	lxfw_grid_history_clear(&history);
}

static void random_grids(void **state)
{
	uint64_t seed = unit_seed("grids"), cases = unit_cases(60, 600);

	(void)state;
	for (int i = 0; lxfw_brokers[i]; i++) {
		for (uint64_t j = 0; j < cases; j++)
			play_one(lxfw_brokers[i], seed + 1000 * j);
	}
	printf("# %d jobs sent, %d recalled, %d at several sites, %d on clusters\n", world.sent,
	       world.recalled, world.split, world.clustered);
	assert_true(world.sent > 0 && (cases < 60 || (world.recalled > 0 && world.split > 0 &&
						      world.clustered > 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_grids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
