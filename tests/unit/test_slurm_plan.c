/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A backfill pass of policy slurm makes the reservations that Slurm makes. The passes were
 * measured: Slurm 22.05.8 on a private cluster of 12 nodes of two processors, select/cons_tres
 * with CR_Core, the main scheduler off. The plan is what DebugFlags=Backfill wrote.
 */
#include "tests/unit/scene.h"

#define HOSTS 12

/* A running job: its expected end, seconds from now on, and processors on nodes n1 to n12. */
struct runs {
	uint64_t id;
	int64_t end;
	const char *procs;
};

/* A waiting job: processors, limit in minutes, and what Slurm planned: the start, seconds from
   now on, and the nodes. */
struct planned {
	uint64_t id;
	int32_t procs;
	int64_t minutes, start;
	const char *hosts;
};

/* A pass: the first jobs that have an id. The last waiting job starts. Otherwise none is left
   for which the reservations before it matter. */
static const struct measured {
	int64_t now;
	struct runs running[16];
	struct planned waiting[16];
} measured[] = {
	/* jobs of all sizes */
	{ 1796008514, {
		{ 1, 2370, "220000000000" },
		{ 2, 3270, "001000000000" },
		{ 3, 3630, "001220000000" },
		{ 4, 3690, "000002000000" },
		{ 5, 5670, "000000100000" },
		{ 6, 7770, "000000120000" },
		{ 7, 11970, "000000002000" },
		{ 8, 17970, "000000000100" },
		{ 9, 390, "000000000020" },
	}, {
		{ 10, 14, 120, 3690, "xxxxxx....x." },
		{ 11, 6, 30, 7770, "......xx...x" },
		{ 12, 1, 600, 0, ".........x.." },
		{ 13, 3, 45, 390, "..........xx" },
		{ 14, 8, 90, 10846, "xxxx........" },
		{ 15, 2, 240, 9526, "...........x" },
		{ 16, 24, 10, 36000, "xxxxxxxxxxxx" },
		{ 17, 4, 15, 2370, "xx.........." },
		{ 18, 5, 20, 10846, "....xx....x." },
		{ 19, 1, 6, 3046, "...........x" },
		{ 20, 1, 45, 3406, "...........x" },
		{ 21, 10, 60, 12046, "....xxxx..x." },
		{ 22, 3, 300, 15646, "....xx......" },
		{ 23, 2, 12, 6106, "...........x" },
		{ 24, 2, 1000, 36586, "...........x" },
		{ 25, 1, 1, 0, "...........x" },
	} },
	/* Short jobs one after the other on a node: the nodes that are reserved do not change
	   where one ends and the next one begins. */
	{ 1796008840, {
		{ 1, 3570, "222222200000" },
		{ 2, 5370, "000000022210" },
		{ 3, 570, "000000000002" },
	}, {
		{ 4, 2, 5, 570, "...........x" },
		{ 5, 2, 7, 860, "...........x" },
		{ 6, 2, 5, 1280, "...........x" },
		{ 7, 2, 8, 1580, "...........x" },
		{ 8, 2, 4, 2060, "...........x" },
		{ 9, 2, 6, 2300, "...........x" },
		{ 10, 4, 5, 3570, "xx.........." },
		{ 11, 2, 3, 2660, "...........x" },
		{ 12, 2, 70, 2840, "...........x" },
		{ 13, 2, 5, 3570, "..x........." },
		{ 14, 4, 9, 3570, "...xx......." },
		{ 15, 1, 1, 0, "..........x." },
	} },
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void run(struct scene *scene, const struct runs *job)
{
	struct lxfw_share shares[HOSTS] = { 0 };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	for (int32_t i = 0; i < HOSTS; i++) {
		if (job->procs[i] == '0')
			continue;
		shares[event.run.count].host = i;
		shares[event.run.count++].amount.procs = job->procs[i] - '0';
	}
	event.run.id = job->id;
	event.run.expected_end = scene->now + job->end;
	event.run.shares = shares;
	apply(scene, &event);
}

static struct lxfw_request anywhere(const struct scene *scene, const struct planned *job)
{
	return (struct lxfw_request) {
		.id = job->id, .submit = scene->now, .estimate = 60 * job->minutes,
		.unit = { .procs = 1 }, .count = job->procs, .shape = LXFW_SHAPE_ANYWHERE,
	};
}

/* What the last decision has for a job, or NULL. */
static const struct lxfw_action *planned_for(const struct scene *scene, uint64_t id)
{
	for (size_t i = 0; i < scene->decision.count; i++) {
		if (scene->decision.actions[i].job == id)
			return &scene->decision.actions[i];
	}
	return NULL;
}

static void check(const struct scene *scene, const struct planned *job)
{
	const struct lxfw_action *action = planned_for(scene, job->id);
	char hosts[HOSTS + 1] = "............";
	int64_t start;

	if (!action)
		fail_msg("job %d is neither started nor reserved for", (int)job->id);
	start = action->type == LXFW_ACTION_START ? scene->now : action->start;
	for (int32_t i = 0; i < action->count; i++)
		hosts[action->shares[i].host] = 'x';
	if (start != scene->now + job->start || strcmp(hosts, job->hosts) != 0)
		fail_msg("job %d: at %d on %s, expected %d on %s", (int)job->id,
			 (int)(start - scene->now), hosts, (int)job->start, job->hosts);
}

static void begin_pass(struct scene *scene, const struct measured *pass, const char *params)
{
	begin(scene, params);
	scene->now = pass->now;
	for (int32_t i = 0; i < HOSTS; i++)
		host_with(scene, i, 2, 1000);
	for (size_t i = 0; i < COUNT(pass->running) && pass->running[i].id; i++)
		run(scene, &pass->running[i]);
}

static void check_pass(const struct measured *pass)
{
	struct scene scene;

	begin_pass(&scene, pass, "lxfw_policy=slurm,lxfw_backfill_interval=0");
	for (size_t i = 0; i < COUNT(pass->waiting) && pass->waiting[i].id; i++) {
		const struct lxfw_request request = anywhere(&scene, &pass->waiting[i]);

		submit_request(&scene, &request);
	}
	decide(&scene, pass->now);
	for (size_t i = 0; i < COUNT(pass->waiting) && pass->waiting[i].id; i++)
		check(&scene, &pass->waiting[i]);
	finish(&scene);
}

static void test_plan(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(measured); i++)
		check_pass(&measured[i]);
}

/* A start beyond the window is not reserved for, so the job behind it has the hosts. */
static void test_window(void **state)
{
	const struct planned wide = { .id = 20, .procs = 24, .minutes = 10 };
	const struct planned small = { .id = 21, .procs = 2, .minutes = 1000 };
	const char *const params[] = {
		"lxfw_policy=slurm,lxfw_backfill_interval=0",
		"lxfw_policy=slurm,lxfw_backfill_interval=0,lxfw_reservation_window=17000",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(params); i++) {
		struct lxfw_request first, second;
		struct scene scene;

		begin_pass(&scene, &measured[0], params[i]);
		first = anywhere(&scene, &wide);
		second = anywhere(&scene, &small);
		submit_request(&scene, &first);
		submit_request(&scene, &second);
		decide(&scene, scene.now);
		assert_int_equal(starts(&scene, small.id), i == 1);
		finish(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
