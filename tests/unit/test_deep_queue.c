/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pass that looks only at what may start decides as one that looks at everything: the
 * same events are given to two schedulers. The policy of the second has a `considers` that
 * says yes to every job, which rules out ranks and settled reservations, and examines every
 * reservation again whenever resources become free early.
 */
#include <string.h>

#include "common/books/books.h"
#include "common/sched.h"
#include "tests/unit/mini.h"
#include "tests/unit/unit.h"

#define JOBS 150
#define PROCS 32
#define MEMORY 32

static const char *const settings[] = {
	"lxfw_policy=fcfs", "lxfw_policy=easy", "lxfw_policy=conservative",
	"lxfw_policy=sjf", "lxfw_policy=list", "lxfw_policy=site",
	"lxfw_policy=site,lxfw_reservations=all,lxfw_reservation_mode=compress",
	"lxfw_policy=site,lxfw_reservations=3",
	"lxfw_policy=easy,lxfw_reservations=3",
	"lxfw_policy=easy,lxfw_reservations=3,lxfw_reservation_mode=compress",
	"lxfw_policy=easy,lxfw_reservations=all",
	"lxfw_policy=priority,lxfw_ww=0,lxfw_wp=1",
	"lxfw_policy=lxfw,lxfw_reservations=all,lxfw_reservation_mode=compress",
	"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_mode=compress,"
	"lxfw_reservation_age=7",
	"lxfw_policy=site,lxfw_reservations=3,lxfw_reservation_age=30",
	"lxfw_policy=site,lxfw_reservation_age=31536000",
	"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_mode=compress,"
	"lxfw_reservation_window=90",
	"lxfw_policy=site,lxfw_reservations=all,lxfw_reservation_mode=compress,"
	"lxfw_reservation_priority=1",
	"lxfw_policy=easy,lxfw_reservations=all,lxfw_reservation_mode=compress,"
	"lxfw_reservation_priority=1",
};

static bool every_job(const struct lxfw_request *request)
{
	(void)request;
	return true;
}

struct twins {
	struct lxfw_policy_type thorough;
	struct lxfw_sched *quick, *slow;
	struct lxfw_decision decision;	/* of both */
};

static void begin(struct twins *twins, const char *setting)
{
	struct lxfw_params params;
	struct lxfw_error error;

	assert_int_equal(lxfw_params_parse(&params, setting, NULL, NULL,
					   &error), 0);
	twins->quick = lxfw_sched_create(&params);
	twins->slow = lxfw_sched_create(&params);
	assert_non_null(twins->quick);
	assert_non_null(twins->slow);
	twins->thorough = *twins->slow->policy;
	twins->thorough.backfill.considers = every_job;
	twins->slow->policy = &twins->thorough;
}

static void end(struct twins *twins)
{
	lxfw_sched_destroy(twins->quick);
	lxfw_sched_destroy(twins->slow);
}

static int apply(struct twins *twins, const struct lxfw_event *event)
{
	struct lxfw_error error;

	int rc = lxfw_sched_apply(twins->quick, event, &error);

	assert_int_equal(rc, lxfw_sched_apply(twins->slow, event, &error));
	return rc;
}

static void decide(struct twins *twins, int64_t now)
{
	struct lxfw_decision other;

	assert_int_equal(lxfw_sched_decide(twins->quick, now, &twins->decision), 0);
	assert_int_equal(lxfw_sched_decide(twins->slow, now, &other), 0);
	assert_int_equal(twins->decision.count, other.count);
	assert_int_equal(twins->decision.wake, other.wake);
	for (size_t i = 0; i < other.count; i++) {
		const struct lxfw_action *a = &twins->decision.actions[i];
		const struct lxfw_action *b = &other.actions[i];

		assert_int_equal(a->type, b->type);
		assert_int_equal(a->job, b->job);
		assert_int_equal(a->start, b->start);
		assert_int_equal(a->count, b->count);
		assert_int_equal(a->host_set, b->host_set);
		for (int32_t at = 0; at < a->count; at++) {
			assert_int_equal(a->shares[at].host, b->shares[at].host);
			assert_int_equal(a->shares[at].amount.procs,
					 b->shares[at].amount.procs);
		}
	}
}

/* --- many jobs on one machine ------------------------------------------------------ */

struct one_job {
	int64_t submit, run, end;	/* end -1: does not run */
	int64_t cancelled;	/* while it waits; -1: never */
	struct lxfw_request request;
};

static bool gives_up(const struct one_job *job, int64_t now)
{
	return job->cancelled == now && job->end < 0 && job->submit < now;
}

/* Host sets 0 and 1, of which the first has no hosts. */
static void make_sets(struct twins *twins)
{
	static const int32_t machine = 0;

	for (int32_t id = 0; id < 2; id++) {
		const struct lxfw_event event = {
			.type = LXFW_EVENT_HOST_SET,
			.host_set = { .id = id, .count = id, .hosts = &machine },
		};

		assert_int_equal(apply(twins, &event), 0);
	}
}

static void draw(struct one_job jobs[JOBS], uint64_t *random)
{
	bool sets = unit_between(random, 0, 3) == 0;
	bool exact = unit_between(random, 0, 1), alike = unit_between(random, 0, 1);
	bool memory = unit_between(random, 0, 3) == 0;
	int64_t at = 0;

	for (int i = 0; i < JOBS; i++) {
		struct one_job *job = &jobs[i];

		at += unit_between(random, 0, 20) / 4;
		job->submit = at;
		job->end = -1;
		job->request = (struct lxfw_request){
			.id = (uint64_t)i + 1,
			.submit = at - unit_between(random, 0, 30) / 30,
			.estimate = alike ? 20 * unit_between(random, 1, 3) :
					    unit_between(random, 1, 80),
			.shape = LXFW_SHAPE_HOSTS,
			.count = 1,
			.unit.procs = (int32_t)(unit_between(random, 0, 2) ?
				unit_between(random, 1, 6) :
				unit_between(random, 1, PROCS)),
			.tier = unit_between(random, 0, 40) == 0,
		};
		if (memory)
			job->request.unit.memory_mb = unit_between(random, 0, MEMORY);
		if (unit_between(random, 0, 9) == 0)
			job->request.min_estimate = job->request.estimate / 2;
		if (sets && unit_between(random, 0, 1)) {
			job->request.host_sets[1] = 1;
			job->request.host_set_count = 2;
		}
		job->cancelled = unit_between(random, 0, 9) ? -1 :
				 at + unit_between(random, 1, 100);
		job->run = exact ? job->request.estimate :
			   unit_between(random, 1, job->request.estimate +
					job->request.estimate / 16);
	}
}

/* The next time at which something happens, -1 if nothing does. */
static int64_t next_time(const struct one_job jobs[JOBS], int64_t now, int64_t wake)
{
	int64_t next = wake == LXFW_NEVER ? -1 : wake;

	for (int i = 0; i < JOBS; i++) {
		int64_t time = jobs[i].submit > now ? jobs[i].submit : jobs[i].end;

		if (time > now && (next < 0 || time < next))
			next = time;
		time = jobs[i].cancelled;
		if (time > now && jobs[i].end < 0 && (next < 0 || time < next))
			next = time;
	}
	return next;
}

static void enter(struct twins *twins, struct one_job jobs[JOBS], int64_t now)
{
	for (int i = 0; i < JOBS; i++) {
		struct lxfw_event event = { .time = now };

		if (jobs[i].end == now || gives_up(&jobs[i], now)) {
			event.type = LXFW_EVENT_JOB_END;
			event.end.id = jobs[i].request.id;
		} else if (jobs[i].submit == now) {
			event.type = LXFW_EVENT_JOB_SUBMIT;
			event.request = &jobs[i].request;
		} else {
			continue;
		}
		assert_int_equal(apply(twins, &event), 0);
	}
}

/* Resources are set aside for some time. */
static void set_aside(struct twins *twins, int64_t now, uint64_t *random)
{
	const struct lxfw_share share = {
		.amount.procs = (int32_t)unit_between(random, 1, PROCS),
	};
	const struct lxfw_event event = {
		.type = LXFW_EVENT_BLOCK, .time = now,
		.block = { .id = 1, .start = now + unit_between(random, 0, 90),
			   .end = now + unit_between(random, 91, 120),
			   .count = (int32_t)unit_between(random, 0, 1),
			   .shares = &share },
	};

	if (unit_between(random, 0, 60) == 0)
		assert_int_equal(apply(twins, &event), 0);
}

/* Some waiting jobs get another priority from the workload manager, or another delay. */
static void change_priorities(struct twins *twins, const struct one_job jobs[JOBS],
			      int64_t now, uint64_t *random)
{
	for (int i = 0; i < JOBS && unit_between(random, 0, 2) == 0; i++) {
		int at = (int)unit_between(random, 0, JOBS - 1);
		const struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_PRIORITY, .time = now,
			.priority = { (uint64_t)at + 1, unit_between(random, -4, 4),
				      unit_between(random, 0, 3) ?
					      0 : unit_between(random, -9, 9) },
		};

		if (jobs[at].submit <= now && jobs[at].end < 0 &&
		    (jobs[at].cancelled < 0 || jobs[at].cancelled > now))
			assert_int_equal(apply(twins, &event), 0);
	}
}

/* --- trouble on this machine --------------------------------------------------------- */

/* The machine fails, is repaired with other amounts, or has to boot. */
static void change_host(struct twins *twins, int64_t now, uint64_t *random, bool up)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_HOST, .time = now,
		.host = { .index = 0, .up = up,
			  .total = { .procs = PROCS, .memory_mb = 3 * MEMORY },
			  .boot = unit_between(random, 0, 2) ?
				  0 : unit_between(random, 1, 30) },
	};

	assert_int_equal(apply(twins, &event), 0);
}

/* A running job is expected to end at another time, or it is not known when. */
static void correct_end(struct twins *twins, struct one_job *job, int64_t now,
			uint64_t *random)
{
	const struct lxfw_share share = { .amount = job->request.unit };
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .time = now,
		.run = { .id = job->request.id,
			 .expected_end = unit_between(random, 0, 7) ?
				 now + unit_between(random, 1, 100) : LXFW_NEVER,
			 .count = 1, .shares = &share },
	};

	assert_int_equal(apply(twins, &event), 0);
}

/* A waiting job requests something else. */
static void change_request(struct twins *twins, struct one_job *job, int64_t now,
			   uint64_t *random)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_CHANGE, .time = now, .request = &job->request,
	};

	if (unit_between(random, 0, 1))
		job->request.unit.procs = (int32_t)unit_between(random, 1, PROCS);
	else
		job->request.estimate = unit_between(random, 1, 80);
	job->request.min_estimate = 0;
	assert_int_equal(apply(twins, &event), 0);
}

static void trouble(struct twins *twins, struct one_job jobs[JOBS], int64_t now,
		    uint64_t *random)
{
	int at = (int)unit_between(random, 0, JOBS - 1);
	struct one_job *job = &jobs[at];
	bool waits = job->submit <= now && job->end < 0 &&
		     (job->cancelled < 0 || job->cancelled > now);

	switch (unit_between(random, 0, 15)) {
	case 0:
		change_host(twins, now, random, false);
		break;
	case 1:
	case 2:
		change_host(twins, now, random, true);
		break;
	default:
		if (job->end > now)
			correct_end(twins, job, now, random);
		else if (waits)
			change_request(twins, job, now, random);
	}
}

/* A start fails: the job waits again. */
static void refuse(struct twins *twins, struct one_job *job, int64_t now,
		   uint64_t *random)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_REFUSED, .time = now,
		.refused = { job->request.id, now + unit_between(random, 0, 9) },
	};

	assert_int_equal(apply(twins, &event), 0);
	job->end = -1;
}

/* Decide, and start the jobs. Returns whether a start was refused, so that another decision
   is needed. */
static bool start_jobs(struct twins *twins, struct one_job jobs[JOBS], int64_t now,
		       uint64_t *random, bool troubled)
{
	struct one_job *refused = NULL;

	decide(twins, now);
	for (size_t i = 0; i < twins->decision.count; i++) {
		const struct lxfw_action *action = &twins->decision.actions[i];
		struct one_job *job = &jobs[action->job - 1];

		if (action->type != LXFW_ACTION_START)
			continue;
		job->end = now + job->run;
		if (troubled && unit_between(random, 0, 19) == 0)
			refused = job;
	}
	if (refused)
		refuse(twins, refused, now, random);
	return refused;
}

/* With TROUBLED, the machine fails and is changed, starts fail, and ends and requests
   change. */
static void one_machine(struct twins *twins, uint64_t *random, bool troubled)
{
	bool prioritized = unit_between(random, 0, 1);
	bool blocked = unit_between(random, 0, 2) == 0;
	struct one_job jobs[JOBS];
	bool repaired = false;
	int gone = 0;

	draw(jobs, random);
	change_host(twins, 0, random, true);
	make_sets(twins);
	for (int64_t now = 0; now >= 0;
	     now = next_time(jobs, now, twins->decision.wake)) {
		enter(twins, jobs, now);
		if (troubled && now < jobs[JOBS - 1].submit)
			trouble(twins, jobs, now, random);
		else if (troubled && !repaired) {
			change_host(twins, now, random, true);
			repaired = true;
		}
		if (prioritized)
			change_priorities(twins, jobs, now, random);
		if (blocked)
			set_aside(twins, now, random);
		while (start_jobs(twins, jobs, now, random, troubled))
			;
	}
	for (int i = 0; i < JOBS; i++)
		gone += jobs[i].end >= 0 || jobs[i].cancelled >= 0;
	assert_int_equal(gone, JOBS);
}

static void test_one_machine(void **state)
{
	uint64_t random = unit_seed("one machine");

	(void)state;
	for (int world = 0; world < 300; world++) {
		struct twins twins;

		begin(&twins, settings[(size_t)world %
				       (sizeof(settings) / sizeof(*settings))]);
		one_machine(&twins, &random, world / 16 % 2);
		end(&twins);
	}
}

/* --- several hosts, with trouble ----------------------------------------------------- */

static void test_hosts(void **state)
{
	uint64_t seed = unit_seed("hosts");

	(void)state;
	for (uint64_t world = 0; world < 300; world++) {
		struct lxfw_event event;
		struct twins twins;
		static struct mini mini;

		begin(&twins, settings[world % (sizeof(settings) /
						sizeof(*settings))]);
		mini_begin(&mini, seed + world, 100, twins.quick->params.policy,
			   MINI_NO_SERVICE);
		while (mini_next(&mini, &event)) {
			/* They would undo what makes one thorough. */
			if (event.type == LXFW_EVENT_PARAMS)
				continue;
			apply(&twins, &event);
			decide(&twins, mini.now);
			mini_take(&mini, &twins.decision);
		}
		end(&twins);
	}
}

/* --- jobs that are too young for a reservation ----------------------------------------- */

static void submit(struct twins *twins, uint64_t id, int32_t procs)
{
	const struct lxfw_request request = {
		.id = id, .estimate = 100, .shape = LXFW_SHAPE_HOSTS, .count = 1,
		.unit.procs = procs,
	};
	const struct lxfw_event event = { .type = LXFW_EVENT_JOB_SUBMIT, .request = &request };

	assert_int_equal(apply(twins, &event), 0);
}

/* Jobs that need more than is free are not examined, as behind the last reservation. */
static void test_too_young(void **state)
{
	const struct lxfw_event ends = { .type = LXFW_EVENT_JOB_END, .end.id = 2 };
	struct twins twins;
	uint64_t random = 1;

	(void)state;
	begin(&twins, "lxfw_policy=site,lxfw_reservation_age=31536000");
	change_host(&twins, 0, &random, true);
	submit(&twins, 1, PROCS - 2);
	submit(&twins, 2, 2);
	decide(&twins, 0);
	assert_int_equal(twins.decision.count, 2);
	for (int32_t procs = 3; procs <= PROCS; procs++)
		submit(&twins, (uint64_t)procs, procs);
	decide(&twins, 0);
	assert_int_equal(apply(&twins, &ends), 0);
	decide(&twins, 0);
	assert_int_equal(twins.quick->head_count, PROCS - 2);
	/* The first one of all is. */
	for (size_t i = 0; i < twins.quick->head_count; i++)
		assert_int_equal(twins.quick->heads[i].failed == twins.quick->gains,
				 twins.quick->heads[i].procs == 3);
	assert_int_equal(twins.decision.wake, 31536000);
	end(&twins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_machine),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_too_young),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
