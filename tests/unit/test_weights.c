/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Weights of hosts: the lightest that fit are used. */
#include "tests/unit/scene.h"

#define HOSTS 8
#define WORLDS 400

static void weighted(struct scene *scene, int32_t index, int32_t procs, int32_t gpus,
		     int64_t weight)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = procs;
	event.host.total.memory_mb = 1000;
	event.host.total.extras[0] = gpus;
	event.host.weight = weight;
	apply(scene, &event);
}

/* The paper's rule alone would fill host 0, which has the fewest processors. */
static void test_lightest_first(void **state)
{
	struct lxfw_request job = request(9, 0, 4, 0, 100);
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	weighted(&scene, 0, 4, 0, 10);
	weighted(&scene, 1, 8, 0, 0);
	weighted(&scene, 2, 6, 0, 0);
	weighted(&scene, 3, 8, 0, -1);
	submit(&scene, 1, 4, 0, 100);
	submit(&scene, 2, 4, 0, 100);
	submit(&scene, 3, 4, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 3);
	assert_int_equal(host_of(&scene, 2), 3);
	assert_int_equal(host_of(&scene, 3), 2);	/* by the rule among 1 and 2 */
	/* two hosts: the light one and, of the heavy ones, what the rule takes */
	job.count = 3;
	submit_request(&scene, &job);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 9), 100);
	action = action_of(&scene, LXFW_ACTION_RESERVE, 9);
	for (int32_t i = 0; i < 3; i++)
		assert_int_equal(action->shares[i].host, i + 1);
	finish(&scene);
}

/* A host that takes another weight, or goes down. */
static void test_changes(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	weighted(&scene, 0, 4, 0, 0);
	weighted(&scene, 1, 4, 0, 1);
	submit(&scene, 1, 1, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	weighted(&scene, 0, 4, 0, 2);
	submit(&scene, 2, 1, 0, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	event.host.index = 1;
	event.host.weight = 1;
	apply(&scene, &event);
	submit(&scene, 3, 1, 0, 100);
	decide(&scene, 2);
	assert_int_equal(host_of(&scene, 3), 0);
	event.host.weight = LXFW_HOST_WEIGHT_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

/* A job waits no longer because of weights: where the light hosts are reserved or busy,
   it starts on the heavy one at once. */
static void test_no_wait(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	weighted(&scene, 0, 4, 0, 0);
	weighted(&scene, 1, 4, 0, 100);
	submit(&scene, 1, 4, 0, 10);
	submit(&scene, 2, 4, 0, 10);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	assert_int_equal(host_of(&scene, 2), 1);
	finish(&scene);
}

static void test_spare_gpus(void **state)
{
	struct lxfw_request job = request(4, 0, 1, 0, 100);
	struct scene scene;

	(void)state;
	for (int on = 0; on < 2; on++) {
		begin(&scene, on ? "lxfw_policy=easy,lxfw_spare_gpus=on" :
				   "lxfw_policy=easy");
		weighted(&scene, 0, 2, 4, 0);
		weighted(&scene, 1, 4, 0, 5);
		weighted(&scene, 2, 4, 2, 7);
		submit(&scene, 1, 1, 0, 100);
		decide(&scene, 0);
		assert_int_equal(host_of(&scene, 1), on ? 1 : 0);
		/* one with a GPU goes by weight alone */
		job.unit.extras[0] = 1;
		submit_request(&scene, &job);
		decide(&scene, 1);
		assert_int_equal(host_of(&scene, 4), 0);
		/* host 1 has three processors left in either case */
		submit(&scene, 2, 3, 0, 100);
		decide(&scene, 2);
		assert_int_equal(host_of(&scene, 2), 1);
		submit(&scene, 3, 1, 0, 100);
		decide(&scene, 3);
		assert_int_equal(host_of(&scene, 3), on ? 0 : 1);
		finish(&scene);
	}
}

/* --- random worlds ---------------------------------------------------------------- */

struct machine {
	int32_t count, procs[HOSTS], extras[HOSTS];
	int64_t weight[HOSTS];
	bool up[HOSTS];
	const char *rule, *params;
};

static void make(struct machine *machine, uint64_t *random)
{
	static const char *const rules[] = { "paper", "gpus", "stock", "worst" };

	machine->count = (int32_t)unit_between(random, 1, HOSTS);
	for (int32_t i = 0; i < machine->count; i++) {
		machine->procs[i] = (int32_t)unit_between(random, 1, 6);
		machine->extras[i] = unit_between(random, 0, 2) == 0;
		machine->weight[i] = unit_between(random, -1, 2);
		machine->up[i] = unit_between(random, 0, 7) != 0;
	}
	machine->rule = rules[unit_between(random, 0, 3)];
	machine->params = unit_between(random, 0, 1) ?
		"lxfw_policy=easy,lxfw_spare_gpus=on" : "lxfw_policy=easy";
}

/* Ask for hosts among those of SET; with weights or, as if there were none, without. */
static int32_t ask(const struct machine *machine, const struct lxfw_request *asked,
		   unsigned set, bool weights, int64_t *start, unsigned *chosen)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	struct lxfw_request job = *asked;
	const struct lxfw_share *shares;
	int32_t members[HOSTS], found;
	char params[100];
	struct scene scene;

	snprintf(params, sizeof(params), "%s,lxfw_placement=%s",
		 weights ? machine->params : "lxfw_policy=easy", machine->rule);
	begin(&scene, params);
	for (int32_t i = 0; i < machine->count; i++) {
		struct lxfw_event host = { .type = LXFW_EVENT_HOST };

		host.host.index = i;
		host.host.up = machine->up[i];
		host.host.total.procs = machine->procs[i];
		host.host.total.extras[0] = machine->extras[i];
		host.host.gpus = 1;
		host.host.weight = weights ? machine->weight[i] : 0;
		apply(&scene, &host);
		if (set >> i & 1)
			members[event.host_set.count++] = i;
	}
	event.host_set.hosts = members;
	apply(&scene, &event);
	job.host_set_count = 1;
	found = start ? lxfw_sched_forecast(scene.sched, &job, start, &shares) :
			lxfw_sched_place(scene.sched, &job, &shares);
	assert_true(found >= 0);
	*chosen = 0;
	for (int32_t i = 0; i < found; i++)
		*chosen |= 1u << shares[i].host;
	finish(&scene);
	return found;
}

/* The weight of a host, one with extras after all others where these are spared. */
static int64_t level_of(const struct machine *machine,
			const struct lxfw_request *job, int32_t host)
{
	bool last = strstr(machine->params, "spare") && !job->unit.extras[0] &&
		    machine->extras[host];

	return machine->weight[host] + (last ? 100 : 0);
}

/* The rule on the lightest hosts that it finds a place on, without weights there. */
static void test_lightest_of_all(void **state)
{
	uint64_t random = 1;
	int heavier = 0;

	(void)state;
	for (int i = 0; i < WORLDS; i++) {
		struct lxfw_request job = request(1, 0, 1, 0, 10);
		unsigned set, chosen, expected = 0, any;
		struct machine machine;
		int64_t start = 0;
		int32_t found;

		make(&machine, &random);
		set = (unsigned)unit_between(&random, 0, (1 << machine.count) - 1);
		job.shape = (uint8_t)unit_between(&random, LXFW_SHAPE_HOSTS,
						  LXFW_SHAPE_ANYWHERE);
		job.unit.procs = (int32_t)unit_between(&random, 1, 3);
		job.unit.extras[0] = unit_between(&random, 0, 4) == 0;
		job.count = (int32_t)unit_between(&random, 1, 5);
		for (int64_t level = -1; level <= 102 && expected == 0; level++) {
			unsigned light = 0;

			for (int32_t j = 0; j < machine.count; j++) {
				if (level_of(&machine, &job, j) <= level)
					light |= set & 1u << j;
			}
			ask(&machine, &job, light, false, NULL, &expected);
		}
		found = ask(&machine, &job, set, true, NULL, &chosen);
		assert_int_equal(chosen, expected);
		assert_int_equal(found > 0,
				 ask(&machine, &job, set, false, NULL, &any) > 0);
		heavier += chosen != any;
		ask(&machine, &job, set, true, &start, &any);
		assert_int_equal(any, chosen);
		assert_int_equal(start, found > 0 ? 0 : LXFW_NEVER);
	}
	assert_true(heavier > WORLDS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lightest_first),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_no_wait),
		cmocka_unit_test(test_spare_gpus),
		cmocka_unit_test(test_lightest_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
