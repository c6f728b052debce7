/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All orders of events, to a depth, of a world of two hosts and four jobs, under each policy: each
 * job is submitted, is cancelled or ends early at any step, a host goes away and comes back, and
 * time passes. After each event there is a decision. No host is ever over its capacity, no job is
 * in two states, and if nothing else happens every job ends: none is suspended or waits for ever.
 * A reservation never becomes later where the policy promises that. Two events of the same time
 * lead to the same decision in either order.
 *
 * `make check` explores five events of each order; `make check-orders` eight, which takes
 * minutes. LXFW_DEPTH=N sets another depth.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "common/policy/registry.h"
#include "common/profile/duration.h"
#include "common/sched.h"

#define HOSTS 2
#define JOBS 4
#define DEPTH_MOST 12
#define OPTIONS_MOST 32
#define ACTIONS_MOST 64
#define BEGIN 1000
/* Decisions until all jobs have ended, if nothing else happens. */
#define PATIENCE 400

enum state { ABSENT, WAITING, RUNNING, SUSPENDED, OVER };

struct job {
	enum state state;
	struct lxfw_request request;
	struct lxfw_share shares[HOSTS];	/* RUNNING and SUSPENDED: what it has */
	int32_t count;
	int64_t length;		/* its run time on the present shares, seconds */
	int64_t since, ran;	/* running since then, after `ran` seconds before that */
	int64_t promised;	/* the last start reserved for it; LXFW_NEVER: none */
};

struct world {
	const struct lxfw_params *params;
	struct lxfw_sched *sched;
	int64_t now, wake;
	bool up;		/* the second host */
	struct job jobs[JOBS];
	uint64_t digest;	/* of the last decision */
};

enum event { SUBMIT, END, CANCEL, HOST, PASS, WAIT };

struct option {
	enum event event;
	int job;
};

/* The order that is explored: the number of the option at each step, and how many there
   were. For messages. */
static struct {
	const char *name;
	int depth, chosen[DEPTH_MOST], options[DEPTH_MOST];
	int steps;
	uint64_t actions[LXFW_ACTION_LAST + 1];	/* number of actions by type */
} order;

static const char *steps_of_order(char *steps, size_t size)
{
	*steps = '\0';
	for (int i = 0; i < order.steps; i++)
		snprintf(steps + strlen(steps), size - strlen(steps), " %d", order.chosen[i]);
	return steps;
}

static void wrong(const struct world *world, const char *what, int job)
{
	char steps[8 * DEPTH_MOST];

	fail_msg("%s, order%s, at %lld: job %d %s", order.name,
		 steps_of_order(steps, sizeof(steps)), (long long)(world->now - BEGIN), job + 1,
		 what);
}

/* --- the world ------------------------------------------------------------------ */

static const struct lxfw_resources host_total = { .procs = 2, .memory_mb = 2 };

static struct lxfw_request request_of(const struct lxfw_params *params, int job)
{
	static const struct lxfw_request requests[JOBS] = {
		{ .estimate = 10, .shape = LXFW_SHAPE_HOSTS, .count = 1,
		  .unit = { .procs = 1, .memory_mb = 1 } },
		{ .estimate = 20, .shape = LXFW_SHAPE_HOSTS, .count = 2,
		  .unit = { .procs = 1, .memory_mb = 1 } },
		{ .estimate = 10, .shape = LXFW_SHAPE_ANYWHERE, .count = 2, .unit = { .procs = 1 } },
		{ .estimate = 5, .shape = LXFW_SHAPE_ANYWHERE, .count = 4, .unit = { .procs = 1 } },
	};
	struct lxfw_request request = requests[job];

	request.id = (uint64_t)job + 1;
	if ((lxfw_params_has(params, LXFW_TRAIT_ONE_HOST) && job == 1) ||
	    (lxfw_params_has(params, LXFW_TRAIT_ONE_HOST | LXFW_TRAIT_ADAPTIVE) && job > 1)) {
		request.shape = LXFW_SHAPE_HOSTS;
		request.unit.procs = 2;
		request.count = 1;
	}
	/* Adaptive jobs run on one host. */
	request.rigid = request.count > 1;
	request.tier = params->preempt_tiers > 0 && job == JOBS - 1;
	return request;
}

static void apply(struct world *world, struct lxfw_event *event)
{
	struct lxfw_error error = { "" };

	event->time = world->now;
	if (lxfw_sched_apply(world->sched, event, &error) < 0)
		wrong(world, error.text, -1);
}

static void tell_host(struct world *world, int32_t host, bool up)
{
	apply(world, &(struct lxfw_event){
		.type = LXFW_EVENT_HOST,
		.host = { .index = host, .up = up, .total = host_total, .name = "n" },
	});
}

static void begin(struct world *world, const struct lxfw_params *params)
{
	*world = (struct world){
		.params = params, .now = BEGIN, .wake = LXFW_NEVER, .up = true,
		.sched = lxfw_sched_create(params),
	};
	assert_non_null(world->sched);
	for (int32_t i = 0; i < HOSTS; i++)
		tell_host(world, i, true);
}

static void end_job(struct world *world, int job)
{
	world->jobs[job].state = OVER;
	world->jobs[job].count = 0;
	apply(world, &(struct lxfw_event){
		.type = LXFW_EVENT_JOB_END, .end.id = (uint64_t)job + 1,
	});
}

static void submit_job(struct world *world, int job)
{
	world->jobs[job] = (struct job){
		.state = WAITING, .request = request_of(world->params, job),
		.promised = LXFW_NEVER,
	};
	world->jobs[job].request.submit = world->now;
	apply(world, &(struct lxfw_event){
		.type = LXFW_EVENT_JOB_SUBMIT, .request = &world->jobs[job].request,
	});
}

/* A host that goes away, or comes back, takes back all promises. */
static void toggle_host(struct world *world)
{
	world->up = !world->up;
	for (int i = 0; i < JOBS; i++)
		world->jobs[i].promised = LXFW_NEVER;
	tell_host(world, 1, world->up);
}

static bool is_there(const struct job *job)
{
	return job->state != ABSENT && job->state != OVER;
}

/* --- decisions --------------------------------------------------------------------- */

static void check_capacity(const struct world *world, int job)
{
	struct lxfw_resources left[HOSTS] = { host_total, host_total };

	for (int i = 0; i < JOBS; i++) {
		for (int32_t j = 0; j < world->jobs[i].count; j++)
			lxfw_resources_subtract(&left[world->jobs[i].shares[j].host],
						&world->jobs[i].shares[j].amount);
	}
	for (int i = 0; i < HOSTS; i++) {
		if (left[i].procs < 0 || left[i].memory_mb < 0)
			wrong(world, "a host is over its capacity", job);
	}
}

static void take_shares(struct world *world, const struct lxfw_action *action, int job)
{
	struct job *own = &world->jobs[job];

	if (action->count < 1 || action->count > HOSTS)
		wrong(world, "has shares of no host, or of too many", job);
	for (int32_t i = 0; i < action->count; i++) {
		if (action->shares[i].host < 0 || action->shares[i].host >= HOSTS ||
		    (i > 0 && action->shares[i].host <= action->shares[i - 1].host))
			wrong(world, "has a share of a strange host", job);
		own->shares[i] = action->shares[i];
	}
	own->count = action->count;
	check_capacity(world, job);
}

/* The run time of a job on what it has; memory does not count. */
static int64_t length_of(const struct job *job)
{
	int32_t asked = job->request.unit.procs * job->request.count, has = 0;

	for (int32_t i = 0; i < job->count; i++)
		has += job->shares[i].amount.procs;
	return has > 0 ? lxfw_time_scale(job->request.estimate, asked, has) :
			 job->request.estimate;
}

static void interrupt(struct world *world, int job, enum state next)
{
	struct job *own = &world->jobs[job];

	own->ran = next == WAITING ? 0 : own->ran + (own->state == RUNNING ?
						     world->now - own->since : 0);
	own->state = next;
	if (next == WAITING)
		own->count = 0;
}

static void start_job(struct world *world, const struct lxfw_action *action, int job)
{
	struct job *own = &world->jobs[job];

	if (own->state != WAITING)
		wrong(world, "starts, but does not wait", job);
	if (world->now > own->promised)
		wrong(world, "starts later than promised", job);
	take_shares(world, action, job);
	for (int32_t i = 0; i < own->count && !world->up; i++) {
		if (own->shares[i].host == 1)
			wrong(world, "starts on a host that is away", job);
	}
	own->state = RUNNING;
	own->since = world->now;
	own->ran = 0;
	own->promised = LXFW_NEVER;
}

/* Whether reservations never become later, as long as jobs end at their estimates at the
   latest. Jobs are considered in the order of submission. */
static bool promises(const struct lxfw_params *params)
{
	return params->policy == LXFW_POLICY_EASY || params->policy == LXFW_POLICY_CONSERVATIVE;
}

static void reserve(struct world *world, const struct lxfw_action *action, int job)
{
	struct job *own = &world->jobs[job];

	if (own->state != WAITING && own->state != SUSPENDED)
		wrong(world, "has a reservation, but does not wait", job);
	if (action->type == LXFW_ACTION_RESERVE && action->start < world->now)
		wrong(world, "has a reservation in the past", job);
	if (!promises(world->params))
		return;
	if (action->type == LXFW_ACTION_UNRESERVE && own->promised != LXFW_NEVER)
		wrong(world, "loses a reservation", job);
	if (action->start > own->promised)
		wrong(world, "has a later reservation than promised", job);
	own->promised = action->type == LXFW_ACTION_RESERVE ? action->start : LXFW_NEVER;
}

static void carry_out(struct world *world, const struct lxfw_action *action)
{
	int job = (int)action->job - 1;
	struct job *own = &world->jobs[job];

	if (job < 0 || job >= JOBS || !is_there(own))
		wrong(world, "is decided on, but is not there", job);
	order.actions[action->type <= LXFW_ACTION_LAST ? action->type : 0]++;
	switch (action->type) {
	case LXFW_ACTION_START:
		start_job(world, action, job);
		break;
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		reserve(world, action, job);
		break;
	case LXFW_ACTION_SUSPEND:
		if (own->state != RUNNING)
			wrong(world, "is suspended, but does not run", job);
		interrupt(world, job, SUSPENDED);
		take_shares(world, action, job);
		break;
	case LXFW_ACTION_RESUME:
		if (own->state != SUSPENDED)
			wrong(world, "is resumed, but was not suspended", job);
		own->state = RUNNING;
		own->since = world->now;
		take_shares(world, action, job);
		break;
	case LXFW_ACTION_REQUEUE:
		if (own->state != RUNNING && own->state != SUSPENDED)
			wrong(world, "is requeued, but is nowhere", job);
		interrupt(world, job, WAITING);
		break;
	case LXFW_ACTION_RESIZE:
		if (own->state != RUNNING)
			wrong(world, "is resized, but does not run", job);
		take_shares(world, action, job);
		break;
	default:
		wrong(world, "has an unknown action", job);
	}
}

/* A digest of the actions, whatever their order. */
static uint64_t digest_of(const struct lxfw_decision *decision)
{
	uint64_t sum = (uint64_t)decision->wake;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		uint64_t one = (uint64_t)action->type * 31 + action->job;

		one = one * 1000003 + (uint64_t)action->start;
		one = one * 1000003 + (uint64_t)action->until;
		for (int32_t j = 0; j < action->count; j++) {
			one = one * 1000003 + (uint64_t)action->shares[j].host;
			one = one * 1000003 + (uint64_t)action->shares[j].amount.procs;
			one = one * 1000003 + (uint64_t)action->shares[j].amount.memory_mb;
		}
		sum += unit_random(&one);
	}
	return sum;
}

static void decide(struct world *world)
{
	struct lxfw_decision decision;
	size_t there = 0;

	assert_int_equal(lxfw_sched_decide(world->sched, world->now, &decision), 0);
	for (size_t i = 0; i < decision.count; i++)
		carry_out(world, &decision.actions[i]);
	for (int i = 0; i < JOBS; i++) {
		struct job *job = &world->jobs[i];

		there += is_there(job);
		if (job->state == RUNNING)
			job->length = length_of(job);
	}
	if (decision.waiting + decision.running != there)
		wrong(world, "the number of jobs differs", -1);
	if (decision.wake <= world->now)
		wrong(world, "the next decision is in the past", -1);
	world->wake = decision.wake;
	world->digest = digest_of(&decision);
}

/* --- time ---------------------------------------------------------------------------- */

static int64_t due_of(const struct job *job)
{
	int64_t due = job->since + job->length - job->ran;

	return due > job->since ? due : job->since + 1;
}

/* The time of the next end or of the next decision. */
static int64_t next_time(const struct world *world)
{
	int64_t next = world->wake;

	for (int i = 0; i < JOBS; i++) {
		const struct job *job = &world->jobs[i];

		if (job->state == RUNNING && due_of(job) < next)
			next = due_of(job);
	}
	return next;
}

/* Time passes until TIME. Jobs end when they are due. */
static void pass_until(struct world *world, int64_t time)
{
	int64_t next;

	while ((next = next_time(world)) <= time) {
		world->now = next > world->now ? next : world->now;
		for (int i = 0; i < JOBS; i++) {
			if (world->jobs[i].state == RUNNING &&
			    due_of(&world->jobs[i]) <= world->now)
				end_job(world, i);
		}
		decide(world);
	}
	world->now = time;
}

/* Nothing else happens: every job ends, but those that are larger than the machine. */
static void drain(struct world *world)
{
	int left = 0;

	if (!world->up) {
		toggle_host(world);
		decide(world);
	}
	for (int i = 0; i < PATIENCE; i++) {
		int64_t next = next_time(world);

		left = -1;
		for (int j = 0; j < JOBS; j++) {
			if (is_there(&world->jobs[j]) &&
			    lxfw_sched_can_start(world->sched, (uint64_t)j + 1) != 0)
				left = j;
		}
		if (left < 0)
			return;
		if (next == LXFW_NEVER)
			break;
		pass_until(world, next);
	}
	wrong(world, world->jobs[left].state == SUSPENDED ? "is suspended for ever" :
							    "waits for ever", left);
}

/* --- orders ---------------------------------------------------------------------------- */

static int options_of(const struct world *world, struct option options[OPTIONS_MOST])
{
	bool used = false;
	int count = 0;

	for (int i = 0; i < JOBS; i++) {
		const struct job *job = &world->jobs[i];

		for (int32_t j = 0; j < job->count; j++)
			used |= job->shares[j].host == 1;
		if (job->state == ABSENT)
			options[count++] = (struct option){ SUBMIT, i };
		if (job->state == RUNNING)
			options[count++] = (struct option){ END, i };
		if (job->state == WAITING)
			options[count++] = (struct option){ CANCEL, i };
	}
	if (!used)
		options[count++] = (struct option){ HOST, -1 };
	if (next_time(world) < LXFW_NEVER)
		options[count++] = (struct option){ WAIT, -1 };
	options[count++] = (struct option){ PASS, -1 };
	return count;
}

static void happen(struct world *world, const struct option *option)
{
	switch (option->event) {
	case SUBMIT:
		submit_job(world, option->job);
		break;
	case END:
	case CANCEL:
		end_job(world, option->job);
		break;
	case HOST:
		toggle_host(world);
		break;
	case WAIT:
		pass_until(world, next_time(world));
		return;
	case PASS:
		pass_until(world, world->now + 3);
		return;
	}
}

/* Follow the chosen options. Jobs are submitted at different times, so that their order is
   known. */
static void follow(struct world *world, const struct lxfw_params *params, int depth)
{
	struct option options[OPTIONS_MOST];

	begin(world, params);
	decide(world);
	for (order.steps = 0; order.steps < depth;) {
		int step = order.steps++;

		order.options[step] = options_of(world, options);
		if (options[order.chosen[step]].event == SUBMIT)
			pass_until(world, world->now + 1);
		happen(world, &options[order.chosen[step]]);
		decide(world);
	}
}

/* Choose the next order. Returns false after the last one. */
static bool next_order(int depth)
{
	for (int i = depth - 1; i >= 0; i--) {
		if (++order.chosen[i] < order.options[i])
			return true;
		order.chosen[i] = 0;
	}
	return false;
}

static bool is_now(const struct option *option)
{
	return option->event != WAIT && option->event != PASS;
}

/* The decision after two events of the same time, of which ONE is the first. */
static uint64_t decide_after(const struct lxfw_params *params, int depth,
			     const struct option *one, const struct option *other)
{
	struct world world;

	follow(&world, params, depth);
	/* A job submitted at the same time may come before those that have reservations. */
	for (int i = 0; i < JOBS; i++)
		world.jobs[i].promised = LXFW_NEVER;
	happen(&world, one);
	happen(&world, other);
	decide(&world);
	lxfw_sched_destroy(world.sched);
	return world.digest;
}

static void fail_pair(const struct option *one, const struct option *other)
{
	static const char *const names[] = {
		[SUBMIT] = "submission", [END] = "end", [CANCEL] = "cancellation",
		[HOST] = "change of the host",
	};
	char steps[8 * DEPTH_MOST];

	fail_msg("%s, order%s: the decision after the %s of job %d and the %s of job %d depends "
		 "on their order", order.name, steps_of_order(steps, sizeof(steps)),
		 names[one->event], one->job + 1, names[other->event], other->job + 1);
}

/* All pairs of events that are possible after the chosen options. */
static void swap_pairs(const struct lxfw_params *params, int depth)
{
	struct option options[OPTIONS_MOST];
	struct world world;
	int count;

	follow(&world, params, depth);
	count = options_of(&world, options);
	lxfw_sched_destroy(world.sched);
	for (int i = 0; i < count; i++) {
		for (int j = i + 1; j < count; j++) {
			if (!is_now(&options[i]) || !is_now(&options[j]))
				continue;
			if (decide_after(params, depth, &options[i], &options[j]) !=
			    decide_after(params, depth, &options[j], &options[i]))
				fail_pair(&options[i], &options[j]);
		}
	}
}

/* --- configurations --------------------------------------------------------------------- */

static uint64_t explore(const struct lxfw_params *params, int depth)
{
	uint64_t count = 0;

	memset(order.chosen, 0, sizeof(order.chosen));
	do {
		struct world world;

		follow(&world, params, depth);
		drain(&world);
		lxfw_sched_destroy(world.sched);
		count++;
	} while (next_order(depth));
	return count;
}

static void explore_pairs(const struct lxfw_params *params, int depth)
{
	memset(order.chosen, 0, sizeof(order.chosen));
	do {
		swap_pairs(params, depth);
	} while (next_order(depth));
}

static int depth_of(int usual)
{
	const char *given = getenv("LXFW_DEPTH");
	int depth = given ? atoi(given) : usual;

	return depth < 1 ? 1 : depth > DEPTH_MOST ? DEPTH_MOST : depth;
}

static void explore_all(const struct lxfw_params *params, const char *name)
{
	int depth = depth_of(5);
	const uint64_t *actions = order.actions;
	unsigned long long orders;

	order.name = name;
	memset(order.actions, 0, sizeof(order.actions));
	orders = explore(params, depth);
	printf("# %s: %llu orders of %d events, %llu starts, %llu suspensions, %llu requeues, "
	       "%llu resizes\n", name, orders, depth,
	       (unsigned long long)actions[LXFW_ACTION_START],
	       (unsigned long long)actions[LXFW_ACTION_SUSPEND],
	       (unsigned long long)actions[LXFW_ACTION_REQUEUE],
	       (unsigned long long)actions[LXFW_ACTION_RESIZE]);
	fflush(stdout);
	explore_pairs(params, depth > 2 ? depth - 2 : 1);
}

/* Times at which the policies act, as short as the jobs of this world. */
static void shorten(struct lxfw_params *params)
{
	params->rem_min_run = params->preempt_min_run = 1;
	params->eq_min_interval = 3;
	params->eq_full_after = 6;
	params->backfill_interval = 4;
	params->pf_delay = params->pf_gang = 2;
}

static void test_policies(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_policy_count; i++) {
		struct lxfw_params params;

		if (lxfw_policies[i]->traits & LXFW_TRAIT_SCRIPT)
			continue;
		lxfw_params_preset(&params, lxfw_policies[i]->code);
		shorten(&params);
		explore_all(&params, lxfw_policies[i]->name);
	}
}

static void test_quanta(void **state)
{
	(void)state;
	for (int mode = 0; mode < 3; mode++) {
		struct lxfw_params params;

		lxfw_params_preset(&params, LXFW_POLICY_LXFW);
		params.quantum = 4;
		params.quantum_min_run = 2;
		params.quantum_mode = mode == 0 ? LXFW_QUANTUM_SOON : LXFW_QUANTUM_PREEMPT;
		if (mode == 2)
			params.quantum_end = LXFW_QUANTUM_SUSPEND;
		explore_all(&params, mode == 0 ? "quantum, soon" : mode == 1 ?
			    "quantum, preempt" : "quantum, preempt, suspend");
	}
}

/* Other reservations of policy lxfw, and of site with preemption between tiers. */
static void test_parameters(void **state)
{
	static const char *const texts[] = {
		"lxfw_policy=lxfw,lxfw_reservations=2",
		"lxfw_policy=lxfw,lxfw_reservations=2,lxfw_reservation_mode=compress",
		"lxfw_policy=lxfw,lxfw_reservations=all,lxfw_reservation_age=3",
		"lxfw_policy=sjf,lxfw_age_first=4",
		"lxfw_policy=site,lxfw_preempt_tiers=2",
		"lxfw_policy=easy,lxfw_placement=worst",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct lxfw_params params;
		struct lxfw_error error = { "" };

		lxfw_params_default(&params);
		if (lxfw_params_parse(&params, texts[i], NULL, NULL, &error) < 0)
			fail_msg("%s: %s", texts[i], error.text);
		shorten(&params);
		explore_all(&params, texts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_quanta),
		cmocka_unit_test(test_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
