/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random outages as events of random machines: at each time, the hosts have the processors that
 * the outage of that time leaves, counted again, and no event changes nothing. What is inferred
 * from random logs agrees with its definition.
 */
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/infer/infer.h"
#include "tests/unit/unit.h"

#define HOSTS 5
#define OUTAGES 6
#define FIRST 10	/* the time at which hosts appear */
#define LAST 60

static struct lxfw_recorded recorded;
static struct lxfw_outage outages[OUTAGES];
static int32_t named[OUTAGES][HOSTS], totals[HOSTS];
static struct lxfw_inferred inferred;

static void make_machine(uint64_t *random)
{
	int64_t hosts = unit_between(random, 1, HOSTS);

	recorded = (struct lxfw_recorded) { .jobs = NULL };
	for (int32_t i = 0; i < hosts; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST, .time = FIRST };

		totals[i] = (int32_t)unit_between(random, 1, 6);
		event.host.index = i;
		event.host.up = true;
		event.host.total = (struct lxfw_resources) { .procs = totals[i], .memory_mb = 7 };
		assert_int_equal(lxfw_recorded_add_event(&recorded, &event), 0);
	}
}

/* Outages without overlap. Some begin before the machine, some are without end in it, some follow
   each other at once. */
static void make_outages(uint64_t *random)
{
	int64_t at = unit_between(random, FIRST - 10, FIRST + 10);

	inferred = (struct lxfw_inferred) { .outages = outages };
	inferred.outage_count = (size_t)unit_between(random, 0, OUTAGES);
	for (size_t i = 0; i < inferred.outage_count; i++) {
		struct lxfw_outage *outage = &outages[i];

		*outage = (struct lxfw_outage) {
			.begin = at, .end = at + unit_between(random, 1, 9),
			.procs = unit_between(random, 0, 12), .hosts = named[i],
		};
		for (int32_t k = 0; k < (int32_t)recorded.event_count; k++) {
			if (unit_between(random, 0, 3) == 0)
				named[i][outage->host_count++] = k;
		}
		at = outage->end + (unit_between(random, 0, 1) ? unit_between(random, 1, 4) : 0);
	}
}

/* The processors of each host at a time. */
static void expect(int64_t time, int32_t hosts, int32_t *procs)
{
	int64_t left = INT64_MAX;

	memcpy(procs, totals, sizeof(totals));
	for (size_t i = 0; i < inferred.outage_count; i++) {
		if (time < outages[i].begin || time >= outages[i].end)
			continue;
		left = outages[i].procs;
		for (int32_t k = 0; k < outages[i].host_count; k++)
			procs[outages[i].hosts[k]] = 0;
	}
	/* the first hosts keep theirs */
	for (int32_t i = 0; i < hosts; i++) {
		procs[i] = procs[i] < left ? procs[i] : (int32_t)left;
		left -= procs[i];
	}
}

static void check(int32_t hosts)
{
	int32_t now[HOSTS] = { 0 }, expected[HOSTS];
	size_t next = 0;

	for (int64_t time = FIRST; time < LAST + 30; time++) {
		unsigned changed = 0, again = 0;

		for (; next < recorded.event_count &&
		       recorded.events[next].event.time == time; next++) {
			const struct lxfw_event *event = &recorded.events[next].event;
			unsigned bit = 1U << event->host.index;

			assert_int_equal(event->type, LXFW_EVENT_HOST);
			assert_true(event->host.up && event->host.total.memory_mb == 7);
			/* at its appearance, a host may have one outage at once */
			assert_int_not_equal(event->host.total.procs, now[event->host.index]);
			assert_false(again & bit);
			again |= time > FIRST ? bit : changed & bit;
			changed |= bit;
			now[event->host.index] = event->host.total.procs;
		}
		expect(time, hosts, expected);
		for (int32_t i = 0; i < hosts; i++)
			assert_int_equal(now[i], expected[i]);
	}
	assert_int_equal(next, recorded.event_count);
}

static void applies_outages(void **state)
{
	uint64_t random = unit_seed("applies_outages"), cases = unit_cases(500, 20000);

	(void)state;
	for (uint64_t i = 0; i < cases; i++) {
		int32_t hosts;

		make_machine(&random);
		hosts = (int32_t)recorded.event_count;
		make_outages(&random);
		assert_int_equal(lxfw_infer_apply(&inferred, &recorded), 0);
		check(hosts);
		lxfw_recorded_clear(&recorded);
	}
}

/* The changes of the cluster are those events that are not the appearance of a host. */
static void changes_cluster(void **state)
{
	uint64_t random = unit_seed("changes_cluster"), cases = unit_cases(200, 5000);

	(void)state;
	for (uint64_t i = 0; i < cases; i++) {
		struct lxfw_cluster cluster = { .changes = NULL };
		size_t at = 0;
		int32_t hosts;

		make_machine(&random);
		hosts = (int32_t)recorded.event_count;
		make_outages(&random);
		assert_int_equal(lxfw_infer_change_cluster(&inferred, &recorded, &cluster), 0);
		assert_int_equal(cluster.change_count, recorded.event_count - (size_t)hosts);
		for (size_t k = (size_t)hosts; k < recorded.event_count; k++, at++) {
			const struct lxfw_event *event = &recorded.events[k].event;

			assert_int_equal(cluster.changes[at].time, event->time);
			assert_int_equal(cluster.changes[at].host, event->host.index);
			assert_int_equal(cluster.changes[at].procs, event->host.total.procs);
		}
		free(cluster.changes);
		lxfw_recorded_clear(&recorded);
	}
}

/* Held jobs are held until the time that was inferred. */
static void applies_holds(void **state)
{
	struct lxfw_held_job holds[3] = {
		{ 0, LXFW_HELD_NOT }, { 70, LXFW_HELD_LIMIT }, { 80, LXFW_HELD_CHAIN },
	};

	(void)state;
	recorded = (struct lxfw_recorded) { .jobs = NULL };
	for (int i = 0; i < 3; i++)
		assert_non_null(lxfw_recorded_add(&recorded));
	inferred = (struct lxfw_inferred) { .holds = holds, .job_count = 3 };
	assert_int_equal(lxfw_infer_apply(&inferred, &recorded), 0);
	assert_false(recorded.jobs[0].held);
	assert_true(recorded.jobs[1].held && recorded.jobs[1].eligible == 70);
	assert_true(recorded.jobs[2].held && recorded.jobs[2].eligible == 80);
	lxfw_recorded_clear(&recorded);
}

/* --- what is inferred ------------------------------------------------------------- */

#define JOBS 30
#define GRACE 60

/* A log of one host, with times in steps of about 20 s, so that ends and starts are often close. */
static void make_log(uint64_t *random)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	int64_t seen = 0;

	recorded = (struct lxfw_recorded) { .procs = 8 };
	event.host.up = true;
	event.host.total = (struct lxfw_resources) {
		.procs = 8, .memory_mb = LXFW_MEMORY_UNLIMITED };
	assert_int_equal(lxfw_recorded_add_event(&recorded, &event), 0);
	for (int i = 0; i < JOBS; i++) {
		struct lxfw_recorded_job *job = lxfw_recorded_add(&recorded);

		assert_non_null(job);
		seen += 20 * unit_between(random, 0, 15);
		job->request = (struct lxfw_request) {
			.id = (uint64_t)i + 1, .submit = seen, .count = 1, .shape = LXFW_SHAPE_HOSTS,
			.estimate = 20 * unit_between(random, 1, 100),
			.unit.procs = (int32_t)unit_between(random, 1, 4),
		};
		job->seen = seen;
		job->start = seen + 20 * (unit_between(random, 0, 2) ? 0 : unit_between(random, 0, 200));
		job->end = job->start + 20 * unit_between(random, 1, 60) - unit_between(random, 0, 1);
		job->user = (int32_t)unit_between(random, -1, 2);
		if (unit_between(random, 0, 9) == 0)
			job->start = LXFW_UNKNOWN;
		job->queue = -1;
	}
}

/* The last end of another job of the user that was there when the job was submitted, shortly
   before its start. */
static int64_t chain_end(const struct lxfw_recorded_job *job)
{
	int64_t last = LXFW_UNKNOWN;

	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_recorded_job *other = &recorded.jobs[i];

		if (other != job && other->user == job->user && other->start != LXFW_UNKNOWN &&
		    other->end <= job->start && job->start - other->end <= GRACE &&
		    other->end > job->seen && other->end > last)
			last = other->end;
	}
	return last;
}

/* Compares the holds. Adds their numbers to COUNTS. */
static void check_holds(size_t *counts)
{
	size_t held[LXFW_HELD_REASONS] = { 0 }, waited = 0;

	for (int i = 0; i < JOBS; i++) {
		const struct lxfw_recorded_job *job = &recorded.jobs[i];
		const struct lxfw_held_job *hold = &inferred.holds[i];
		int64_t end = job->user >= 0 && job->start != LXFW_UNKNOWN ? chain_end(job) :
									     LXFW_UNKNOWN;

		held[hold->reason]++;
		waited += job->start != LXFW_UNKNOWN && job->start - job->seen >= 600;
		if (hold->reason == LXFW_HELD_NOT)
			assert_int_equal(hold->until, LXFW_UNKNOWN);
		else if (hold->reason == LXFW_HELD_CHAIN)
			assert_int_equal(hold->until, end);
		else if (hold->reason == LXFW_HELD_PASSED)
			assert_true(end <= hold->until && hold->until - job->seen >= 600);
	}
	assert_int_equal(inferred.waited, waited);
	for (int i = 0; i < LXFW_HELD_REASONS; i++) {
		assert_int_equal(inferred.held[i], held[i]);
		counts[i] += held[i];
	}
}

static void finds_chains(void **state)
{
	uint64_t random = unit_seed("finds_chains"), cases = unit_cases(300, 5000);
	size_t counts[LXFW_HELD_REASONS] = { 0 };
	struct lxfw_params params;
	const struct lxfw_infer_input input = {
		.params = &params, .kinds = LXFW_INFER_ALL,
		.given_from = INT64_MAX, .given_until = INT64_MIN,
	};

	(void)state;
	lxfw_params_default(&params);
	for (uint64_t i = 0; i < cases; i++) {
		make_log(&random);
		assert_int_equal(lxfw_infer(&inferred, &recorded, &input), 0);
		assert_true(inferred.processors);
		check_holds(counts);
		lxfw_inferred_clear(&inferred);
		lxfw_recorded_clear(&recorded);
	}
	assert_true(counts[LXFW_HELD_CHAIN] > cases / 10 && counts[LXFW_HELD_PASSED] > cases);
}

/* Results that are not requested are not there. */
static void leaves_out_kinds(void **state)
{
	uint64_t random = unit_seed("leaves_out_kinds");
	struct lxfw_params params;

	(void)state;
	lxfw_params_default(&params);
	for (unsigned kinds = 0; kinds <= LXFW_INFER_ALL; kinds++) {
		const struct lxfw_outage given = { .begin = 100, .end = 200, .given = true };
		const struct lxfw_infer_input input = {
			.params = &params, .kinds = kinds, .given = &given, .given_count = 1,
			.given_from = 0, .given_until = INT64_MAX,
		};

		make_log(&random);
		assert_int_equal(lxfw_infer(&inferred, &recorded, &input), 0);
		/* what records of the machine state is there in any case */
		assert_int_equal(inferred.outage_count, 1);
		assert_true(inferred.outages[0].given && inferred.outages[0].begin == 100);
		for (int i = 0; i < JOBS; i++) {
			enum lxfw_held_reason reason = inferred.holds[i].reason;

			assert_true(reason == LXFW_HELD_NOT || (kinds & (reason == LXFW_HELD_LIMIT ?
				LXFW_INFER_LIMITS : LXFW_INFER_HOLDS)));
		}
		assert_int_equal(inferred.held[LXFW_HELD_PASSED] > 0, (kinds & LXFW_INFER_HOLDS) > 0);
		lxfw_inferred_clear(&inferred);
		lxfw_recorded_clear(&recorded);
	}
}

/* The last user has 30 jobs, of which one runs at a time. Those of another user start at once. */
static void finds_limit(void **state)
{
	enum { MANY = 30, OTHERS = 12 * MANY };
	struct lxfw_params params;
	const struct lxfw_infer_input input = {
		.params = &params, .kinds = LXFW_INFER_ALL,
		.given_from = INT64_MAX, .given_until = INT64_MIN,
	};

	(void)state;
	lxfw_params_default(&params);
	make_log(&(uint64_t) { 1 });
	recorded.count = 0;
	for (int i = 0; i < MANY + OTHERS; i++) {
		struct lxfw_recorded_job *job = lxfw_recorded_add(&recorded);
		bool of_last = i < MANY;

		assert_non_null(job);
		job->request = (struct lxfw_request) {
			.id = (uint64_t)i + 1, .count = 1, .shape = LXFW_SHAPE_HOSTS,
			.estimate = 3600, .unit.procs = 1,
		};
		job->seen = of_last ? 0 : 300 * (i - MANY) + 100;
		job->start = of_last ? i * 3600 : job->seen;
		job->end = job->start + (of_last ? 3600 : 300);
		job->user = of_last;
		job->queue = -1;
	}
	assert_int_equal(lxfw_infer(&inferred, &recorded, &input), 0);
	assert_int_equal(inferred.limit_count, 1);
	assert_int_equal(inferred.limits[0].user, 1);
	assert_int_equal(inferred.limits[0].jobs, 1);
	assert_int_equal(inferred.limits[0].waits, MANY - 1);
	assert_int_equal(inferred.held[LXFW_HELD_LIMIT], MANY - 1);
	for (int i = 1; i < MANY; i++) {
		assert_int_equal(inferred.holds[i].reason, LXFW_HELD_LIMIT);
		assert_int_equal(inferred.holds[i].until, i * 3600);
	}
	lxfw_inferred_clear(&inferred);
	lxfw_recorded_clear(&recorded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(applies_outages),
		cmocka_unit_test(changes_cluster),
		cmocka_unit_test(applies_holds),
		cmocka_unit_test(finds_chains),
		cmocka_unit_test(leaves_out_kinds),
		cmocka_unit_test(finds_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
