/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets of GPUs: their arithmetic, and where jobs are placed. */
#include <stdlib.h>

#include "common/copy.h"
#include "common/model/sockets.h"
#include "common/snapshot.h"
#include "tests/unit/scene.h"

#define GPUS "lxfw_policy=easy,lxfw_placement=gpus"
#define PAPER "lxfw_policy=easy,lxfw_placement=paper"
#define TWO_BY_TWO 0x22
#define TWO_BY_FOUR 0x44
#define WORLDS 500
#define HOSTS 6

/* --- arithmetic --------------------------------------------------------------------- */

static void test_arithmetic(void **state)
{
	(void)state;
	assert_int_equal(lxfw_sockets_sum(0xf0000021), 18);
	assert_int_equal(lxfw_sockets_count(0xf0000021), 3);
	assert_int_equal(lxfw_sockets_free(0x444, 0x351), 0x103);
	assert_int_equal(lxfw_sockets_room(0xe1, 0x2f), 0x1e);
	assert_int_equal(lxfw_sockets_sorted(0x10004020), 0x124);
}

static void test_choose(void **state)
{
	(void)state;
	/* the socket with the fewest that has enough, the first one of several */
	assert_int_equal(lxfw_sockets_choose(0x324, 2), 0x020);
	assert_int_equal(lxfw_sockets_choose(0x222, 1), 0x001);
	assert_int_equal(lxfw_sockets_choose(0x321, 1), 0x001);
	/* all of the fullest, the rest from the tightest */
	assert_int_equal(lxfw_sockets_choose(0x4214, 5), 0x0014);
	assert_int_equal(lxfw_sockets_choose(0x22, 3), 0x12);
	assert_int_equal(lxfw_sockets_choose(0x22, 5), 0x22);
	assert_int_equal(lxfw_sockets_choose(0, 1), 0);
	assert_int_equal(lxfw_sockets_choose(0x22, 0), 0);
}

/* Number of GPUs that are left free on the sockets of CHOSEN. */
static int32_t left_on(uint32_t free, uint32_t chosen)
{
	int32_t left = 0;

	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		if (lxfw_sockets_at(chosen, i) > 0)
			left += lxfw_sockets_at(free, i) - lxfw_sockets_at(chosen, i);
	}
	return left;
}

/* Every choice has the GPUs that were asked for, and no fewer sockets are enough. */
static void test_any_choice(void **state)
{
	uint64_t random = unit_seed("choice");

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint32_t free = (uint32_t)unit_between(&random, 1, UINT32_MAX), sorted, chosen;
		int32_t sum = lxfw_sockets_sum(free), sockets = 0, left;
		int32_t count = (int32_t)unit_between(&random, 1, sum), rest = count;

		chosen = lxfw_sockets_choose(free, count);
		assert_int_equal(lxfw_sockets_sum(chosen), count);
		assert_int_equal(lxfw_sockets_free(chosen, free), 0);
		for (sorted = lxfw_sockets_sorted(free); rest > 0; sockets++)
			rest -= lxfw_sockets_at(sorted, sockets);
		assert_int_equal(lxfw_sockets_count(chosen), sockets);
		assert_int_equal(lxfw_sockets_needed(free, count, &left), sockets ? sockets : 1);
		assert_int_equal(left, left_on(free, chosen));
	}
}

/* --- scenes ------------------------------------------------------------------------- */

static void host_of_gpus(struct scene *scene, int32_t index, int32_t procs, uint32_t sockets)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = procs;
	event.host.total.memory_mb = 1000;
	event.host.total.extras[0] = sockets ? lxfw_sockets_sum(sockets) : 4;
	event.host.total.extras[1] = 4;	/* no GPUs */
	event.host.gpus = 1;
	event.host.sockets = sockets;
	apply(scene, &event);
}

static void submit_gpus(struct scene *scene, uint64_t id, int32_t gpus)
{
	struct lxfw_request job = request(id, scene->now, 1, 0, 9000);

	job.unit.extras[0] = gpus;
	submit_request(scene, &job);
}

/* A job starts at once with COUNT GPUs on HOST, on these SOCKETS. */
static void starts_on(struct scene *scene, uint64_t id, int32_t gpus, int32_t host,
		      uint32_t sockets)
{
	const struct lxfw_action *action;

	submit_gpus(scene, id, gpus);
	decide(scene, scene->now + 1);
	action = action_of(scene, LXFW_ACTION_START, id);
	assert_non_null(action);
	assert_int_equal(action->shares[0].host, host);
	assert_int_equal(action->shares[0].sockets, sockets);
}

/* The workload manager reports on which sockets the GPUs of a job are. */
static void report(struct scene *scene, uint64_t id, int32_t host, int32_t gpus, uint32_t sockets)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	const struct lxfw_share share = {
		.host = host, .sockets = sockets,
		.amount = { .procs = 1, .extras = { gpus } },
	};

	event.run.id = id;
	event.run.expected_end = 9000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

static void end_job(struct scene *scene, uint64_t id)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

	event.end.id = id;
	apply(scene, &event);
}

/* Jobs stay on one socket: one that is in use already, or that of another host. */
static void test_one_socket(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_FOUR);
	host_of_gpus(&scene, 1, 16, TWO_BY_FOUR);
	starts_on(&scene, 1, 1, 0, 0x01);
	starts_on(&scene, 2, 2, 0, 0x02);
	starts_on(&scene, 3, 3, 0, 0x30);
	/* host 0 has one on each socket */
	starts_on(&scene, 4, 2, 1, 0x02);
	starts_on(&scene, 5, 1, 0, 0x01);
	end_job(&scene, 3);
	/* two sockets are necessary, and host 1 has more than enough */
	starts_on(&scene, 6, 5, 1, 0x41);
	starts_on(&scene, 7, 4, 0, 0x40);
	finish(&scene);
}

/* Of two hosts on which a job fits on one socket, the one on whose socket it leaves fewer. */
static void test_whole_sockets(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_TWO);
	host_of_gpus(&scene, 1, 16, TWO_BY_FOUR);
	report(&scene, 1, 1, 3, 0x03);
	starts_on(&scene, 2, 1, 1, 0x01);
	starts_on(&scene, 3, 1, 0, 0x01);
	finish(&scene);
}

/* What is reported replaces what was assumed; a start by others is chosen by the rule. */
static void test_reported(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_TWO);
	host_of_gpus(&scene, 1, 16, TWO_BY_TWO);
	starts_on(&scene, 1, 1, 0, 0x01);
	starts_on(&scene, 2, 1, 0, 0x01);
	report(&scene, 2, 0, 1, 0x10);
	starts_on(&scene, 3, 2, 1, 0x02);
	end_job(&scene, 1);
	starts_on(&scene, 4, 2, 1, 0x20);
	starts_on(&scene, 5, 2, 0, 0x02);
	end_job(&scene, 5);
	report(&scene, 6, 0, 1, 0);	/* the tightest: the second socket */
	starts_on(&scene, 7, 2, 0, 0x02);
	finish(&scene);
}

/* More GPUs than the host has are no reason to forget the others. */
static void test_too_many(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 64, TWO_BY_TWO);
	for (uint64_t id = 1; id <= 12; id++)
		report(&scene, id, 0, 2, 0x02);
	for (uint64_t id = 1; id <= 12; id++)
		end_job(&scene, id);
	starts_on(&scene, 20, 2, 0, 0x02);
	starts_on(&scene, 21, 2, 0, 0x20);
	finish(&scene);
}

/* Pieces that may be anywhere are on one host, and there on one socket. */
static void test_anywhere(void **state)
{
	struct lxfw_request job = request(9, 0, 1, 0, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_TWO);
	host_of_gpus(&scene, 1, 16, TWO_BY_TWO);
	report(&scene, 1, 0, 1, 0x01);
	report(&scene, 2, 0, 1, 0x10);
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.unit.extras[0] = 1;
	job.count = 2;
	submit_request(&scene, &job);
	decide(&scene, 0);
	action = action_of(&scene, LXFW_ACTION_START, 9);
	assert_non_null(action);
	assert_int_equal(action->count, 1);
	assert_int_equal(action->shares[0].host, 1);
	assert_int_equal(action->shares[0].sockets, 0x02);
	finish(&scene);
}

/* A host whose sockets are not known counts as one socket. */
static void test_unknown(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_TWO);
	host_of_gpus(&scene, 1, 16, 0);
	report(&scene, 1, 0, 1, 0x01);
	report(&scene, 2, 0, 1, 0x10);
	starts_on(&scene, 3, 2, 1, 0);
	finish(&scene);
}

/* Other extras than GPUs are on no socket. */
static void test_other_extras(void **state)
{
	const struct lxfw_share share = {
		.host = 0, .amount = { .procs = 1, .extras = { 1, 3 } },
	};
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct scene scene;

	(void)state;
	begin(&scene, GPUS);
	host_of_gpus(&scene, 0, 16, TWO_BY_FOUR);
	event.run.id = 1;
	event.run.expected_end = 9000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	starts_on(&scene, 2, 3, 0, 0x03);
	finish(&scene);
}

/* The other rules choose hosts as if nothing were known. */
static void test_paper(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, PAPER);
	host_of_gpus(&scene, 0, 16, TWO_BY_TWO);
	host_of_gpus(&scene, 1, 16, TWO_BY_TWO);
	report(&scene, 1, 0, 1, 0x01);
	report(&scene, 2, 0, 1, 0x10);
	starts_on(&scene, 3, 2, 0, 0x11);
	finish(&scene);
}

/* --- random worlds ------------------------------------------------------------------ */

/* The host that the rule chooses, by the sockets in use; -1: the job does not fit. */
static int32_t expected(const uint32_t *total, const uint32_t *used, int32_t gpus)
{
	int64_t best = INT64_MAX;
	int32_t host = -1;

	for (int32_t i = 0; i < HOSTS; i++) {
		uint32_t free = lxfw_sockets_free(total[i], used[i]);
		uint32_t chosen = lxfw_sockets_choose(free, gpus);
		int64_t rank = (lxfw_sockets_count(chosen) * INT64_C(1000) +
				left_on(free, chosen)) * 1000 +
			       lxfw_sockets_sum(free);

		/* all hosts have as many free processors and as much memory */
		if (lxfw_sockets_sum(free) >= gpus && rank < best) {
			best = rank;
			host = i;
		}
	}
	return host;
}

static struct lxfw_sched *restored(const struct lxfw_sched *sched)
{
	struct lxfw_snapshot snapshot = { 0 };
	struct lxfw_sched *copy;

	assert_int_equal(lxfw_snapshot_take(&snapshot, sched), 0);
	copy = lxfw_snapshot_restore(&snapshot, NULL, NULL);
	lxfw_snapshot_clear(&snapshot);
	assert_non_null(copy);
	return copy;
}

/* Whether hosts of a kind are examined once or not, in a copy and after a restart. */
static void test_hosts(void **state)
{
	uint64_t random = unit_seed("hosts");
	int chosen = 0;

	(void)state;
	for (int i = 0; i < WORLDS; i++) {
		uint32_t total[HOSTS], used[HOSTS];
		bool same = unit_between(&random, 0, 1);
		struct lxfw_request job = request(1, 0, 1, 0, 100);
		struct lxfw_sched *other;
		const struct lxfw_share *shares;
		struct scene scene;
		int32_t found;

		begin(&scene, GPUS);
		for (int32_t h = 0; h < HOSTS; h++) {
			total[h] = same || unit_between(&random, 0, 1) ? TWO_BY_FOUR : 0x222;
			used[h] = lxfw_sockets_of((int32_t)unit_between(&random, 0, 2), 0) |
				  lxfw_sockets_of((int32_t)unit_between(&random, 0, 2), 1);
			host_of_gpus(&scene, h, 9, total[h]);
		}
		for (int32_t h = 0; h < HOSTS; h++)
			report(&scene, 100 + (uint64_t)h, h, lxfw_sockets_sum(used[h]), used[h]);
		job.unit.extras[0] = (int32_t)unit_between(&random, 1, 5);
		/* nothing is known of a share without GPUs */
		found = lxfw_sched_place(scene.sched, &job, &shares);
		assert_int_equal(found ? shares[0].host : -1,
				 expected(total, used, job.unit.extras[0]));
		chosen += found;
		other = unit_between(&random, 0, 1) ? lxfw_sched_copy(scene.sched) :
						      restored(scene.sched);
		finish(&scene);
		scene.sched = other;
		found = lxfw_sched_place(scene.sched, &job, &shares);
		assert_int_equal(found ? shares[0].host : -1,
				 expected(total, used, job.unit.extras[0]));
		finish(&scene);
	}
	assert_true(chosen > WORLDS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_choose),
		cmocka_unit_test(test_any_choice),
		cmocka_unit_test(test_one_socket),
		cmocka_unit_test(test_whole_sockets),
		cmocka_unit_test(test_reported),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_anywhere),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_other_extras),
		cmocka_unit_test(test_paper),
		cmocka_unit_test(test_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
