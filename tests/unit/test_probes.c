/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests whose futures have a common beginning start when they do in futures of their own. */
#include "tests/unit/scene.h"

#include "common/books/books.h"
#include "sim-frontend/predict/future.h"

#define BEGIN 100000
#define PROBES 6
#define FUTURES 3
#define PROBE(number) (UINT64_C(0x00000000effffff0) + (number))

static struct scene *scene;

static struct lxfw_request random_request(uint64_t *random, uint64_t id)
{
	struct lxfw_request job = request(id, BEGIN, 1, 0, 60 * unit_between(random, 1, 300));
	int64_t kind = unit_between(random, 0, 9);

	job.unit.memory_mb = 10 * unit_between(random, 1, 40);
	if (kind < 6) {
		job.unit.procs = (int32_t)unit_between(random, 1, 8);
	} else if (kind < 8) {
		job.shape = LXFW_SHAPE_ANYWHERE;
		job.count = (int32_t)unit_between(random, 1, 24);
	} else {
		job.exclusive = kind == 9;
		job.unit.procs = (int32_t)unit_between(random, 1, 4);
		job.count = (int32_t)unit_between(random, 1, 3);
	}
	return job;
}

static void submit_ranked(const struct lxfw_request *job, int64_t priority)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_PRIORITY, .priority.id = job->id,
		.priority.priority = priority,
	};

	submit_request(scene, job);
	apply(scene, &event);
}

static void make_scene(uint64_t *random, int64_t hosts, int64_t waiting)
{
	static const char *const params[] = {
		"lxfw_policy=site,lxfw_reservations=1,lxfw_reservation_mode=dynamic",
		"lxfw_policy=site,lxfw_reservations=3,lxfw_reservation_mode=dynamic",
		"lxfw_policy=site,lxfw_reservations=20,lxfw_reservation_mode=dynamic",
		"lxfw_policy=site,lxfw_reservations=3,lxfw_reservation_mode=compress",
	};

	begin(scene, params[unit_between(random, 0, 15) % 4 * (unit_between(random, 0, 3) > 0)]);
	scene->now = BEGIN;
	for (int32_t i = 0; i < hosts; i++)
		host_with(scene, i, 8, 1000);
	for (int64_t i = 0; i < waiting; i++) {
		const struct lxfw_request job = random_request(random, (uint64_t)i + 1);

		submit_ranked(&job, unit_between(random, 1, 1000));
		if (i == hosts)
			decide(scene, BEGIN);
	}
	scene->now = BEGIN + unit_between(random, 0, 3000);
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	(void)context;
	*to = (struct lxfw_traits) { .limit = request->estimate, .procs = request->unit.procs };
}

static void find_starts(const struct lxfw_request *probes, int64_t priority, int fork_before,
			int64_t starts[PROBES * FUTURES])
{
	struct lxfw_experience experience = { 0 };
	const struct lxfw_known known = { .experience = &experience, .traits = traits };
	uint64_t ids[PROBES];
	const struct lxfw_futures futures = {
		.sched = scene->sched, .now = scene->now, .known = &known, .count = FUTURES,
		.threads = 1, .seed = (uint64_t)priority, .horizon = 1000000, .watched = ids,
		.watched_count = PROBES, .probes = probes, .probe_count = PROBES,
		.candidate_priority = priority, .fork_before = fork_before,
	};
	struct lxfw_error error;

	for (int i = 0; i < PROBES; i++)
		ids[i] = probes[i].id;
	if (lxfw_futures_run(&futures, starts, &error))
		fail_msg("%s", error.text);
	lxfw_experience_clear(&experience);
}

static void compare(uint64_t seed)
{
	uint64_t random = seed;
	struct lxfw_request probes[PROBES];
	int64_t together[PROBES * FUTURES], apart[PROBES * FUTURES], priority;

	make_scene(&random, unit_between(&random, 2, 12), unit_between(&random, 100, 250));
	for (int i = 0; i < PROBES; i++) {
		probes[i] = random_request(&random, PROBE((uint64_t)i));
		if (i > 0 && unit_between(&random, 0, 2) > 0) {
			probes[i] = probes[i - 1];
			probes[i].id = PROBE((uint64_t)i);
			probes[i].estimate = probes[i].estimate / 2 + 1;
		}
	}
	/* Mostly behind nearly all others, as what is submitted last. */
	priority = unit_between(&random, 1, unit_between(&random, 0, 2) > 0 ? 50 : 1000);
	/* Forked late, some would have got a reservation before. */
	find_starts(probes, priority, seed % 2 ? 0 : 1, together);
	find_starts(probes, priority, -1, apart);
	for (int i = 0; i < PROBES * FUTURES; i++) {
		if (together[i] != apart[i])
			fail_msg("seed %llu, request %d, future %d: starts at %lld, expected %lld",
				 (unsigned long long)seed, i / FUTURES, i % FUTURES,
				 (long long)together[i], (long long)apart[i]);
	}
	finish(scene);
}

static void start_as_apart(void **state)
{
	uint64_t seed = unit_seed("probes");
	uint64_t scenes = unit_cases(40, 1000);

	(void)state;
	for (uint64_t i = 0; i < scenes; i++)
		compare(seed + i);
}

int main(void)
{
	static struct scene only;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start_as_apart),
	};

	scene = &only;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
