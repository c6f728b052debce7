/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves of waiting jobs to another cluster, in a world in which the process that moves them is
 * killed at any call, and controllers die and forget their last seconds: each job starts once.
 */
#include "sim-frontend/route/move.h"
#include "sim-frontend/route/shown.h"

#include <string.h>

#include "tests/unit/unit.h"

#define SETTLE 15
#define GIVE_UP 300
#define SAVED 5			/* seconds that a controller that dies may forget */
#define JOBS 64
#define CLUSTERS 2

static const char *const names[CLUSTERS] = { "alpha", "beta" };

struct change {
	int64_t time;
	enum lxfw_move_seen seen;
};

struct job {
	int cluster;
	int64_t serial;
	struct change changes[256];	/* the last one is the present */
	int count;
};

struct world {
	uint64_t *random;
	int64_t now;
	bool up[CLUSTERS];
	struct job jobs[JOBS];
	int job_count, starts;
	int64_t late;			/* an sbatch without a parent submits then; 0: none */
	struct lxfw_move late_move;
	struct lxfw_move recorded;
	int chance;			/* that a job starts between two calls, per cent */
	int left;			/* calls until the process is killed */
};

static enum lxfw_move_seen present(const struct job *job)
{
	return job->count == 0 ? LXFW_SEEN_ABSENT : job->changes[job->count - 1].seen;
}

static void change(struct world *world, struct job *job, enum lxfw_move_seen seen)
{
	assert_true(job->count < 256);
	job->changes[job->count++] = (struct change) { world->now, seen };
}

static struct job *add(struct world *world, int cluster, int64_t serial, enum lxfw_move_seen seen)
{
	struct job *job = &world->jobs[world->job_count++];

	assert_true(world->job_count < JOBS);
	*job = (struct job) { .cluster = cluster, .serial = serial };
	change(world, job, seen);
	return job;
}

static int find(const char *name)
{
	return strcmp(name, names[0]) == 0 ? 0 : strcmp(name, names[1]) == 0 ? 1 : -1;
}

/* Jobs that wait start with this CHANCE, per cent. */
static void pass_time(struct world *world, int64_t seconds, int chance)
{
	world->now += seconds;
	if (world->late && world->late <= world->now) {
		int cluster = find(world->late_move.new);

		if (world->up[cluster])
			add(world, cluster, world->late_move.next, LXFW_SEEN_HELD);
		world->late = 0;
	}
	for (int i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		if (!world->up[job->cluster] || present(job) != LXFW_SEEN_WAITS ||
		    unit_between(world->random, 0, 99) >= chance)
			continue;
		change(world, job, LXFW_SEEN_STARTED);
		world->starts++;
	}
}

/* Whether the process is alive for one more call; the last one may have its effect. */
static bool alive(struct world *world)
{
	return world->left > 0 && --world->left > 0;
}

static bool has_effect(const struct world *world)
{
	return world->left > 0 || unit_between(world->random, 0, 1);
}

static int64_t call_now(void *context)
{
	return ((struct world *)context)->now;
}

static enum lxfw_move_seen look_at(const struct world *world, const char *name, int64_t serial,
				   int64_t *number)
{
	int cluster = find(name);

	*number = 0;
	if (cluster < 0)
		return LXFW_SEEN_ABSENT;
	if (!world->up[cluster])
		return LXFW_SEEN_UNKNOWN;
	for (int i = 0; i < world->job_count; i++) {
		const struct job *job = &world->jobs[i];

		if (job->cluster != cluster || job->serial != serial || job->count == 0)
			continue;
		*number = i + 1;
		return present(job);
	}
	return LXFW_SEEN_ABSENT;
}

static int call_look(void *context, const struct lxfw_move *move, enum lxfw_move_seen *old,
		     enum lxfw_move_seen *new, int64_t *new_job)
{
	struct world *world = context;
	int64_t number;

	if (!alive(world))
		return -1;
	*old = look_at(world, move->old, move->serial, &number);
	*new = look_at(world, move->new, move->next, new_job);
	return 0;
}

static int call_record(void *context, const struct lxfw_move *move)
{
	struct world *world = context;
	bool lives = alive(world);

	if (lives || (world->left == 0 && has_effect(world)))
		world->recorded = *move;
	world->left -= !lives;
	return lives ? 0 : -1;
}

/* Does something with a job that is known. */
static int act(struct world *world, const char *cluster, int64_t number, enum lxfw_move_seen from,
	       enum lxfw_move_seen to)
{
	struct job *job = number > 0 ? &world->jobs[number - 1] : NULL;
	bool lives = alive(world), effect = lives || (world->left == 0 && has_effect(world));

	pass_time(world, 0, world->chance);	/* what was seen is old */
	world->left -= !lives;
	if (!job || !world->up[find(cluster)] || job->cluster != find(cluster) || !effect)
		return -1;
	if (present(job) == from)
		change(world, job, to);
	else if (to == LXFW_SEEN_CANCELLED && present(job) == LXFW_SEEN_WAITS)
		change(world, job, to);
	else if (to == LXFW_SEEN_CANCELLED && present(job) == LXFW_SEEN_STARTED)
		fail_msg("a job that runs was cancelled");
	return lives ? 0 : -1;
}

static int call_hold(void *context, const char *cluster, int64_t job)
{
	return act(context, cluster, job, LXFW_SEEN_WAITS, LXFW_SEEN_HELD);
}

static int call_release(void *context, const char *cluster, int64_t job)
{
	return act(context, cluster, job, LXFW_SEEN_HELD, LXFW_SEEN_WAITS);
}

static int call_cancel(void *context, const char *cluster, int64_t job)
{
	return act(context, cluster, job, LXFW_SEEN_HELD, LXFW_SEEN_CANCELLED);
}

static int call_submit(void *context, const struct lxfw_move *move)
{
	struct world *world = context;
	bool lives = alive(world), first = world->left == 0;
	int cluster = find(move->new);

	world->left -= !lives;
	if (!lives && first && unit_between(world->random, 0, 1)) {
		/* sbatch continues without its parent. */
		world->late = world->now + unit_between(world->random, 0, GIVE_UP / 3);
		world->late_move = *move;
		return -1;
	}
	if (!lives)
		return -1;
	if (!world->up[cluster])
		return 1;
	add(world, cluster, move->next, LXFW_SEEN_HELD);
	/* The answer may get lost. */
	return unit_between(world->random, 0, 9) == 0 ? -1 : 0;
}

static int call_same(void *context, const struct lxfw_move *move, int64_t new_job)
{
	(void)move;
	(void)new_job;
	return alive(context) ? 1 : -1;
}

static void call_moved(void *context, const struct lxfw_move *move, int64_t new_job)
{
	(void)context;
	(void)move;
	(void)new_job;
}

static void call_stays(void *context, const struct lxfw_move *move)
{
	(void)context;
	(void)move;
}

static struct lxfw_move_calls calls_of(struct world *world)
{
	return (struct lxfw_move_calls) {
		.context = world, .now = call_now, .look = call_look, .record = call_record,
		.hold = call_hold, .release = call_release, .cancel = call_cancel,
		.submit = call_submit, .same = call_same, .moved = call_moved,
		.stays = call_stays,
	};
}

/* A controller dies. What was changed lately may be forgotten, but not a start. */
static void kill_controller(struct world *world, int cluster)
{
	int64_t saved = world->now - unit_between(world->random, 0, SAVED);

	world->up[cluster] = false;
	for (int i = 0; i < world->job_count; i++) {
		struct job *job = &world->jobs[i];

		while (job->cluster == cluster && job->count > 0 &&
		       job->changes[job->count - 1].time > saved &&
		       present(job) != LXFW_SEEN_STARTED)
			job->count--;
	}
}

static void round_of(struct world *world, int calls)
{
	const struct lxfw_move_calls table = calls_of(world);
	struct lxfw_move move = world->recorded;

	world->left = calls;
	if (move.phase == LXFW_MOVE_REST && move.moves < 3 && calls % 3 == 0) {
		int64_t number;
		const char *old = names[*move.old ? find(move.old) : 0];

		if (look_at(world, old, move.serial, &number) == LXFW_SEEN_WAITS)
			lxfw_move_begin(&move, &table, old, number, names[!find(old)]);
		return;
	}
	lxfw_move_go_on(&move, &table, SETTLE, GIVE_UP);
}

static void run_case(uint64_t *random)
{
	static struct world world;
	int chance = (int)unit_between(random, 0, 3);
	bool deaths = unit_between(random, 0, 3), crashes = unit_between(random, 0, 3);

	world = (struct world) { .random = random, .now = 1000, .up = { true, true },
				 .chance = chance };
	add(&world, 0, 0, LXFW_SEEN_WAITS);
	world.now += 100;
	for (int i = 0; i < 40; i++) {
		round_of(&world, crashes ? (int)unit_between(random, 1, 25) : 99);
		pass_time(&world, unit_between(random, 1, 20), chance);
		for (int j = 0; j < CLUSTERS && crashes; j++) {
			if (world.up[j] && unit_between(random, 0, 9) == 0)
				kill_controller(&world, j);
			else if (unit_between(random, 0, 3) == 0)
				world.up[j] = true;
		}
		if (!deaths)
			world.up[0] = world.up[1] = true;
	}
	world.up[0] = world.up[1] = true;
	world.chance = 0;
	for (int i = 0; i < 60; i++) {
		round_of(&world, 1001);
		pass_time(&world, 30, i > 40 ? 100 : 0);
	}
	assert_true(world.recorded.phase == LXFW_MOVE_REST ||
		    world.recorded.phase == LXFW_MOVE_DONE);
	assert_int_equal(world.starts, 1);
}

static void each_job_starts_once(void **state)
{
	uint64_t random = unit_seed("moves");
	const char *given = getenv("LXFW_CASES");
	int cases = given ? atoi(given) : 20000;

	(void)state;
	for (int i = 0; i < cases; i++)
		run_case(&random);
}

/* Without trouble: copied, after SETTLE held and cancelled, after SETTLE released. */
static void a_move_by_hand(void **state)
{
	static struct world world;
	uint64_t random = 1;
	const struct lxfw_move_calls table = calls_of(&world);
	struct lxfw_move move = { 0 };

	(void)state;
	world = (struct world) { .random = &random, .now = 1000, .up = { true, true },
				 .left = 1000 };
	add(&world, 0, 0, LXFW_SEEN_WAITS);
	move.moves = 1;
	lxfw_move_begin(&move, &table, "alpha", 1, "beta");
	assert_int_equal(move.phase, LXFW_MOVE_COPYING);
	assert_int_equal(present(&world.jobs[0]), LXFW_SEEN_WAITS);
	assert_int_equal(present(&world.jobs[1]), LXFW_SEEN_HELD);
	world.now += SETTLE - 1;
	lxfw_move_go_on(&move, &table, SETTLE, GIVE_UP);
	assert_int_equal(move.phase, LXFW_MOVE_COPYING);
	world.now++;
	lxfw_move_go_on(&move, &table, SETTLE, GIVE_UP);
	assert_int_equal(move.phase, LXFW_MOVE_CANCELLING);
	assert_int_equal(present(&world.jobs[0]), LXFW_SEEN_CANCELLED);
	assert_int_equal(present(&world.jobs[1]), LXFW_SEEN_HELD);
	world.now += SETTLE;
	lxfw_move_go_on(&move, &table, SETTLE, GIVE_UP);
	assert_int_equal(move.phase, LXFW_MOVE_ARRIVING);
	assert_int_equal(present(&world.jobs[1]), LXFW_SEEN_WAITS);
	world.now += SETTLE;
	lxfw_move_go_on(&move, &table, SETTLE, GIVE_UP);
	assert_int_equal(move.phase, LXFW_MOVE_REST);
	assert_int_equal(move.serial, 1);
	assert_int_equal(move.moves, 2);
	assert_int_equal(move.job, 2);
	assert_string_equal(move.old, "beta");
	assert_string_equal(move.new, "");
}

/* The user cancels the old job, or it starts: the new one never runs. */
static void an_old_job_that_ends_wins(void **state)
{
	static const enum lxfw_move_seen seen[] = {
		LXFW_SEEN_STARTED, LXFW_SEEN_ENDED, LXFW_SEEN_CANCELLED, LXFW_SEEN_ABSENT,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen); i++) {
		assert_int_equal(lxfw_move_next(LXFW_MOVE_COPYING, seen[i], LXFW_SEEN_HELD, 100,
						SETTLE, GIVE_UP), LXFW_STEP_LEAVE);
		assert_int_equal(lxfw_move_next(LXFW_MOVE_HOLDING, seen[i], LXFW_SEEN_HELD, 100,
						SETTLE, GIVE_UP), i == 0 ?
				 LXFW_STEP_LEAVING : LXFW_STEP_LEAVE);
	}
}

static void changed(const char *old, const char *copy, const char *field)
{
	const char *difference = lxfw_route_shown_difference(old, copy);

	if (!field)
		assert_null(difference);
	else
		assert_string_equal(difference, field);
}

/* A name that looks like fields does not hide a change of the real ones. */
#define NAMED(name, qos) \
	"JobId=27 JobName=" name " UserId=u(1) QOS=" qos " TimeLimit=1 NodeList= NumNodes=2"

static void a_name_hides_nothing(void **state)
{
	(void)state;
	changed(NAMED("a", "low"), NAMED("a", "low"), NULL);
	changed(NAMED("a QOS=high", "low"), NAMED("a QOS=high", "low"), NULL);
	changed(NAMED("a QOS=high", "low"), NAMED("a QOS=high", "high"), "QOS=");
	changed(NAMED("a\n QOS=high", "low"), NAMED("a\n QOS=high", "high"), "QOS=");
	changed(NAMED("a QOS=high", "low"), NAMED("a", "high"), "QOS=");
}

/* As of a job of two nodes in Slurm 22.05 (TRES) and 24.11 (ReqTRES), without most fields. */
#define SHOWN(limit, nodes, resources) \
	"JobId=27 JobName=a UserId=u(1) TimeLimit=" limit " NodeList= NumNodes=" nodes \
	" NumCPUs=8 NumTasks=2 " resources " Features=(null) DelayBoot=00:00:00"

static void a_change_after_the_submission(void **state)
{
	static const char asked[] = SHOWN("01:00:00", "2-4", "TRES=cpu=8,mem=1G,node=2,billing=8");

	(void)state;
	changed(asked, asked, NULL);
	changed(asked, SHOWN("01:00:00", "2-4", "TRES=cpu=8,mem=1G,node=2,billing=80"), NULL);
	changed(asked, SHOWN("02:00:00", "2-4", "TRES=cpu=8,mem=1G,node=2,billing=8"), "TimeLimit=");
	changed(asked, SHOWN("01:00:00", "2-8", "TRES=cpu=8,mem=1G,node=2,billing=8"), "NumNodes=");
	changed(asked, SHOWN("01:00:00", "2-4", "TRES=cpu=8,mem=1G,node=1,billing=8"), "NumNodes=");
	changed(asked, SHOWN("01:00:00", "2-4", "TRES=cpu=8,mem=1G"), "NumNodes=");
	/* Slurm's guess is not a change, nor that it does not show the bound beside it. */
	changed(asked, SHOWN("01:00:00", "2", "TRES=cpu=8,mem=1G,node=2,billing=8"), NULL);
	changed(asked, SHOWN("01:00:00", "3-4", "TRES=cpu=8,mem=1G,node=2,billing=8"), NULL);
	changed(SHOWN("01:00:00", "1", "ReqTRES=cpu=8,node=2,billing=8 AllocTRES=(null)"),
		SHOWN("01:00:00", "2", "ReqTRES=cpu=8,node=2,billing=8 AllocTRES=(null)"), NULL);
	changed(SHOWN("01:00:00", "2", "ReqTRES=cpu=8,node=1,billing=8 AllocTRES=(null)"),
		SHOWN("01:00:00", "2", "ReqTRES=cpu=8,node=2,billing=8 AllocTRES=(null)"),
		"NumNodes=");
}

/* The user cancels the new job, or its controller has lost it, while the old one is held: that one
   is released and stays. Without an answer about the new one, it is released for now. */
static void an_old_job_stays_without_a_new_one(void **state)
{
	static const enum lxfw_move_seen old[] = { LXFW_SEEN_WAITS, LXFW_SEEN_HELD };

	(void)state;
	for (size_t i = 0; i < sizeof(old) / sizeof(*old); i++) {
		assert_int_equal(lxfw_move_next(LXFW_MOVE_CANCELLING, old[i], LXFW_SEEN_CANCELLED,
						100, SETTLE, GIVE_UP), LXFW_STEP_LEAVING);
		assert_int_equal(lxfw_move_next(LXFW_MOVE_CANCELLING, old[i], LXFW_SEEN_ABSENT,
						100, SETTLE, GIVE_UP), LXFW_STEP_LEAVING);
		assert_int_equal(lxfw_move_next(LXFW_MOVE_CANCELLING, old[i], LXFW_SEEN_UNKNOWN,
						100, SETTLE, GIVE_UP), LXFW_STEP_UNHOLD);
		assert_int_equal(lxfw_move_next(LXFW_MOVE_HOLDING, old[i], LXFW_SEEN_CANCELLED,
						100, SETTLE, GIVE_UP), LXFW_STEP_LEAVING);
	}
	assert_int_equal(lxfw_move_next(LXFW_MOVE_CANCELLING, LXFW_SEEN_WAITS, LXFW_SEEN_HELD, 100,
					SETTLE, GIVE_UP), LXFW_STEP_HOLD_OLD);
	assert_int_equal(lxfw_move_next(LXFW_MOVE_CANCELLING, LXFW_SEEN_HELD, LXFW_SEEN_HELD, 100,
					SETTLE, GIVE_UP), LXFW_STEP_CANCEL_OLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_after_the_submission),
		cmocka_unit_test(a_name_hides_nothing),
		cmocka_unit_test(a_move_by_hand),
		cmocka_unit_test(an_old_job_that_ends_wins),
		cmocka_unit_test(an_old_job_stays_without_a_new_one),
		cmocka_unit_test(each_job_starts_once),
	};

	return cmocka_run_group_tests_name("route_move", tests, NULL, NULL);
}
