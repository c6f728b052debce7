/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/world.h"

#include <string.h>

#include "common/params/policy.h"

/* --- making one --------------------------------------------------------- */

static void make_hosts(struct world *world)
{
	world->host_count = (int32_t)unit_between(&world->random, 1, WORLD_HOSTS);
	for (int32_t i = 0; i < world->host_count; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host = { .index = i, .up = true },
		};

		world->total[i].procs =
			(int32_t)unit_between(&world->random, 1, 16);
		world->total[i].memory_mb =
			unit_between(&world->random, 1, 8) * 1000;
		world->total[i].extras[0] =
			(int32_t)unit_between(&world->random, 0, 2);
		world->up[i] = true;
		event.host.total = world->total[i];
		world_apply(world, &event);
	}
	for (int32_t set = 0; set < 2; set++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
		int32_t hosts[WORLD_HOSTS], count = 0;

		for (int32_t i = 0; i < world->host_count; i++) {
			if (unit_between(&world->random, 0, 2) == 0)
				continue;
			world->set_members[set] |= 1u << i;
			hosts[count++] = i;
		}
		event.host_set.id = set;
		event.host_set.count = count;
		event.host_set.hosts = hosts;
		world_apply(world, &event);
	}
}

/* Pools have their amounts in the first extra. */
static void make_pools(struct world *world)
{
	world->pool_count = WORLD_POOLS;
	for (int32_t i = 0; i < WORLD_POOLS; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST,
			.host = { .index = world->host_count + i, .up = true },
		};

		event.host.total.extras[0] = (int32_t)unit_between(&world->random, 1, 6);
		world->total[event.host.index] = event.host.total;
		world->up[event.host.index] = true;
		world_apply(world, &event);
	}
}

/* The job needs amounts that its pools have. */
static void use_pools(struct world *world, struct lxfw_request *request)
{
	for (int32_t i = 0; i < world->pool_count; i++) {
		int32_t pool = world->host_count + i;

		if (unit_between(&world->random, 0, 1))
			continue;
		request->no_quantum = true;
		request->pools[request->pool_count++] = (struct lxfw_pool_need){
			.pool = pool,
			.amount = (int32_t)unit_between(&world->random, 1,
							world->total[pool].extras[0]),
		};
	}
}

static bool in_sets(const struct world *world, const struct lxfw_request *request,
		    int32_t host)
{
	if (request->host_set_count == 0)
		return true;
	return world->set_members[request->host_sets[0]] >> host & 1;
}

static int32_t pieces_on(const struct world *world,
			 const struct lxfw_request *request, int32_t host,
			 const struct lxfw_resources *free)
{
	struct lxfw_resources need = request->unit;

	if (!world->up[host] || !in_sets(world, request, host))
		return 0;
	if (request->exclusive) {
		if (free->procs < world->total[host].procs)
			return 0;
		if (need.procs > world->total[host].procs)
			return 0;
	}
	if (request->shape == LXFW_SHAPE_HOSTS)
		return need.procs <= free->procs &&
		       need.memory_mb <= free->memory_mb &&
		       need.extras[0] <= free->extras[0];
	for (int32_t n = request->count; n > 0; n--) {
		if (n * need.procs <= free->procs &&
		    n * need.memory_mb <= free->memory_mb &&
		    n * need.extras[0] <= free->extras[0])
			return n;
	}
	return 0;
}

static bool pieces_suffice(const struct lxfw_request *request,
			   const int32_t pieces[WORLD_HOSTS], int32_t hosts)
{
	int32_t sorted[WORLD_HOSTS], sum = 0, most = hosts;

	memcpy(sorted, pieces, sizeof(sorted));
	for (int32_t i = 0; i < hosts; i++) {
		for (int32_t j = i + 1; j < hosts; j++) {
			if (sorted[j] > sorted[i]) {
				int32_t swap = sorted[i];

				sorted[i] = sorted[j];
				sorted[j] = swap;
			}
		}
	}
	if (request->max_hosts > 0 && request->max_hosts < most)
		most = request->max_hosts;
	for (int32_t i = 0; i < most; i++)
		sum += sorted[i];
	return sum >= request->count;
}

/* Many small pieces, on any hosts. */
static void spread_request(uint64_t *random, struct lxfw_request *request)
{
	request->shape = LXFW_SHAPE_ANYWHERE;
	request->unit.procs = (int32_t)unit_between(random, 1, 2);
	request->count = (int32_t)unit_between(random, 1, 40);
	request->max_hosts = 0;
	request->exclusive = false;
	request->host_set_count = 0;
}

static void make_request(struct world *world, struct lxfw_request *request,
			 const struct world_options *options)
{
	uint64_t *random = &world->random;

	do {
		int32_t pieces[WORLD_HOSTS] = { 0 };
		uint64_t id = request->id;

		*request = (struct lxfw_request){
			.id = id,
			.estimate = unit_between(random, 1, 200),
			.count = (int32_t)unit_between(random, 1, 5),
			.shape = unit_between(random, 0, 1) ?
					 LXFW_SHAPE_HOSTS :
					 LXFW_SHAPE_ANYWHERE,
			.exclusive = unit_between(random, 0, 15) == 0,
			.tier = unit_between(random, 0, 9) == 0,
		};
		request->unit.procs = (int32_t)unit_between(random, 1, 6);
		request->unit.memory_mb = unit_between(random, 0, 3) * 700;
		request->unit.extras[0] = unit_between(random, 0, 5) == 0;
		if (options->procs_alone) {
			request->unit.memory_mb = 0;
			request->unit.extras[0] = 0;
		}
		if (request->shape == LXFW_SHAPE_ANYWHERE &&
		    unit_between(random, 0, 2) == 0)
			request->max_hosts = (int32_t)unit_between(random, 1, 3);
		if (unit_between(random, 0, 3) == 0) {
			request->host_set_count = 1;
			request->host_sets[0] = (int32_t)unit_between(random, 0, 1);
		}
		if (options->spread)
			spread_request(random, request);
		for (int32_t i = 0; i < world->host_count; i++)
			pieces[i] = pieces_on(world, request, i, &world->total[i]);
		if (pieces_suffice(request, pieces, world->host_count))
			return;
	} while (true);
}

static void make_jobs(struct world *world, const struct world_options *options)
{
	int64_t submit = 1000;

	world->job_count = (int32_t)unit_between(&world->random, 1, WORLD_JOBS);
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];

		*job = (struct world_job){ .promised = LXFW_NEVER };
		job->request.id = (uint64_t)i + 1;
		make_request(world, &job->request, options);
		use_pools(world, &job->request);
		if (unit_between(&world->random, 0, 2) == 0 && i > 0) {
			/* Equal requests, so that classes have several members. */
			job->request = world->jobs[i - 1].request;
			job->request.id = (uint64_t)i + 1;
		}
		submit += unit_between(&world->random, 0, 30);
		job->request.submit = submit;
		job->run = unit_between(&world->random, 1, job->request.estimate);
		if (unit_between(&world->random, 0, 2) == 0)
			job->run = job->request.estimate;
		if (options->overruns && unit_between(&world->random, 0, 3) == 0)
			job->run += unit_between(&world->random, 1, 300);
	}
}

void world_make(struct world *world, uint64_t seed, enum lxfw_policy policy,
		const struct world_options *options)
{
	memset(world, 0, sizeof(*world));
	world->random = seed;
	world->reserved = -1;
	world->now = 1000;
	world->decision.wake = LXFW_NEVER;
	lxfw_params_preset(&world->params, policy);
	if (!lxfw_policy_has(policy, LXFW_TRAIT_IN_ORDER) &&
	    policy != LXFW_POLICY_CONSERVATIVE &&
	    unit_between(&world->random, 0, 1))
		world->params.reservations =
			(int32_t)unit_between(&world->random, 1, 6);
	if (options->compress)
		world->params.reservation_mode = LXFW_RESERVATION_COMPRESS;
	if (policy == LXFW_POLICY_PRIORITY && unit_between(&world->random, 0, 1)) {
		world->params.wm = 0.5;
		world->params.wpe = 0.25;
		world->params.wbypass = 0.125;
	}
	world->sched = lxfw_sched_create(&world->params);
	assert_non_null(world->sched);
	make_hosts(world);
	if (options->pools)
		make_pools(world);
	make_jobs(world, options);
}

void world_free(struct world *world)
{
	lxfw_sched_destroy(world->sched);
}

void world_apply(struct world *world, struct lxfw_event *event)
{
	struct lxfw_error error;

	event->time = world->now;
	if (lxfw_sched_apply(world->sched, event, &error) < 0)
		fail_msg("event of type %d: %s", (int)event->type, error.text);
}

/* --- adding up ---------------------------------------------------------- */

/* Return what HOST has free at TIME if the running jobs end as expected. */
static struct lxfw_resources free_at(const struct world *world, int32_t host,
				     int64_t time, bool count_new)
{
	struct lxfw_resources free = world->total[host];

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *job = &world->jobs[i];

		if (job->state != WORLD_RUNNING ||
		    (job->started_in_this_pass && !count_new) ||
		    (time > world->now && job->expected_end <= time))
			continue;
		for (int32_t j = 0; j < job->share_count; j++) {
			if (job->shares[j].host == host)
				lxfw_resources_subtract(&free,
							&job->shares[j].amount);
		}
	}
	return free;
}

static bool pools_suffice(const struct world *world, const struct lxfw_request *request,
			  int64_t time, bool count_new)
{
	for (int i = 0; i < request->pool_count; i++) {
		if (free_at(world, request->pools[i].pool, time, count_new).extras[0] <
		    request->pools[i].amount)
			return false;
	}
	return true;
}

bool world_fits(const struct world *world, const struct world_job *job,
		int64_t start, bool count_new)
{
	int32_t pieces[WORLD_HOSTS] = { 0 };

	if (!pools_suffice(world, &job->request, start, count_new))
		return false;
	/* Running jobs only free resources: a job that fits at its start fits until its
	 * end. */
	for (int32_t i = 0; i < world->host_count; i++) {
		struct lxfw_resources free = free_at(world, i, start, count_new);

		pieces[i] = pieces_on(world, &job->request, i, &free);
	}
	return pieces_suffice(&job->request, pieces, world->host_count);
}

int64_t world_earliest(const struct world *world, const struct world_job *job,
		       bool count_new)
{
	int64_t best = LXFW_NEVER;

	if (world_fits(world, job, world->now, count_new))
		return world->now;
	for (int32_t i = 0; i < world->job_count; i++) {
		int64_t end = world->jobs[i].expected_end;

		if (world->jobs[i].state == WORLD_RUNNING && end > world->now &&
		    end < best && world_fits(world, job, end, count_new))
			best = end;
	}
	return best;
}

static void check_hosts(const struct world *world)
{
	for (int32_t i = 0; i < world->host_count + world->pool_count; i++) {
		struct lxfw_resources free = free_at(world, i, world->now, true);

		assert_true(free.procs >= 0);
		assert_true(free.memory_mb >= 0);
		assert_true(free.extras[0] >= 0);
	}
}

bool world_keeps_promises(const struct world *world)
{
	return world->params.policy != LXFW_POLICY_PRIORITY &&
	       world->params.policy != LXFW_POLICY_LXFW &&
	       !lxfw_policy_type(world->params.policy)->order.list &&
	       ((world->params.reservations == 1 && world->pool_count == 0) ||
		world->params.reservation_mode == LXFW_RESERVATION_COMPRESS);
}

static bool is_announced(const struct world_job *job)
{
	return job->announced && job->state == WORLD_WAITING;
}

/* What reservations hold of a host at TIME. */
static struct lxfw_resources held_at(const struct world *world, int32_t host, int64_t time)
{
	struct lxfw_resources held = { 0 };

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *job = &world->jobs[i];

		if (!is_announced(job) || job->reserved > time ||
		    job->reserved + job->request.estimate <= time)
			continue;
		for (int32_t j = 0; j < job->held_count; j++) {
			if (job->held[j].host == host)
				lxfw_resources_add(&held, &job->held[j].amount);
		}
	}
	return held;
}

static bool delays_no_job(struct world *world, struct world_job *job)
{
	bool harmless = true;

	job->state = WORLD_RUNNING;
	job->expected_end = world->now + job->request.estimate;
	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *other = &world->jobs[i];

		for (int32_t j = 0; is_announced(other) && j < other->held_count; j++) {
			int32_t host = other->held[j].host;
			struct lxfw_resources free =
				free_at(world, host, other->reserved, true);
			struct lxfw_resources held = held_at(world, host, other->reserved);

			harmless &= lxfw_resources_fit(&held, &free);
		}
	}
	job->state = WORLD_WAITING;
	return harmless;
}

static struct lxfw_share pool_share(const struct lxfw_pool_need *need)
{
	return (struct lxfw_share){
		.host = need->pool, .amount = { .extras = { need->amount } },
	};
}

const struct world_job *world_idler(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];

		if (job->state != WORLD_WAITING || job->request.exclusive ||
		    job->request.shape != LXFW_SHAPE_HOSTS ||
		    job->request.count > 1 || job->refused_until > world->now)
			continue;
		for (int32_t host = 0; host < world->host_count; host++) {
			struct lxfw_resources free =
				free_at(world, host, world->now, true);

			if (!pieces_on(world, &job->request, host, &free))
				continue;
			if (!pools_suffice(world, &job->request, world->now, true))
				continue;
			job->share_count = 1;
			job->shares[0] = (struct lxfw_share){
				.host = host, .amount = job->request.unit };
			for (int j = 0; j < job->request.pool_count; j++)
				job->shares[job->share_count++] =
					pool_share(&job->request.pools[j]);
			if (delays_no_job(world, job))
				return job;
		}
	}
	return NULL;
}

/* Jobs that run beyond their expected end are expected to run longer, by the rule that
   the library documents (policy/overrun.c). */
static void extend(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];
		int64_t more = world->now - job->due;

		if (job->state == WORLD_RUNNING && job->expected_end < world->now)
			job->expected_end = world->now + (more < 60 ? 60 : more);
	}
}

/* --- carrying out decisions --------------------------------------------- */

static void digest(struct world *world, uint64_t value)
{
	world->digest = (world->digest ^ value) * 1099511628211u;
}

static void check_shape(const struct world *world, const struct world_job *job)
{
	struct lxfw_resources sum = { 0 };
	int32_t hosts = job->share_count - job->request.pool_count;

	assert_true(hosts >= 1);
	for (int i = 0; i < job->request.pool_count; i++) {
		struct lxfw_share share = pool_share(&job->request.pools[i]);

		assert_int_equal(job->shares[hosts + i].host, share.host);
		assert_memory_equal(&job->shares[hosts + i].amount, &share.amount,
				    sizeof(share.amount));
	}
	for (int32_t i = 0; i < hosts; i++) {
		const struct lxfw_share *share = &job->shares[i];

		assert_true(share->host >= 0 && share->host < world->host_count);
		assert_true(i == 0 || share->host > job->shares[i - 1].host);
		assert_true(world->up[share->host]);
		assert_true(in_sets(world, &job->request, share->host));
		if (job->request.exclusive)
			assert_int_equal(share->amount.procs,
					 world->total[share->host].procs);
		else if (job->request.shape == LXFW_SHAPE_HOSTS)
			assert_memory_equal(&share->amount, &job->request.unit,
					    sizeof(share->amount));
		lxfw_resources_add(&sum, &share->amount);
	}
	if (job->request.max_hosts > 0)
		assert_true(hosts <= job->request.max_hosts);
	if (job->request.shape == LXFW_SHAPE_HOSTS)
		assert_int_equal(hosts, job->request.count);
	else if (!job->request.exclusive)
		assert_int_equal(sum.procs,
				 job->request.unit.procs * job->request.count);
}

/* No job starts that, as far as is known, would still run when part of its hosts is
   blocked. */
static void check_blocks(const struct world *world, const struct world_job *job)
{
	for (int32_t i = 0; i < WORLD_BLOCKS; i++) {
		const struct world_block *block = &world->blocks[i];

		if (block->end <= world->now ||
		    world->now + job->request.estimate <= block->start)
			continue;
		for (int32_t j = 0; j < job->share_count; j++)
			assert_int_not_equal(job->shares[j].host, block->host);
	}
}

static void carry_out(struct world *world, const struct lxfw_action *action)
{
	struct world_job *job;
	int32_t index = (int32_t)action->job - 1;

	assert_in_range(action->job, 1, world->job_count);
	job = &world->jobs[index];
	assert_int_equal(job->state, WORLD_WAITING);
	job->announced = action->type == LXFW_ACTION_RESERVE;
	if (action->type == LXFW_ACTION_RESERVE) {
		assert_true(action->start >= world->now);
		world->reserved = index;
		/* If other jobs can be scheduled before it, only the latest
		 * announcement counts. */
		job->reserved = action->start;
		job->held_count = action->count;
		memcpy(job->held, action->shares,
		       (size_t)action->count * sizeof(job->held[0]));
		if (action->start < job->promised || !world_keeps_promises(world))
			job->promised = action->start;
		return;
	}
	if (world->reserved == index)
		world->reserved = -1;
	if (action->type == LXFW_ACTION_UNRESERVE) {
		job->promised = LXFW_NEVER;
		return;
	}
	assert_int_equal(action->type, LXFW_ACTION_START);
	assert_int_equal(action->start, world->now);
	assert_in_range(action->count, 1, WORLD_ALL);
	job->share_count = action->count;
	memcpy(job->shares, action->shares,
	       (size_t)action->count * sizeof(job->shares[0]));
	check_shape(world, job);
	check_blocks(world, job);
	job->state = WORLD_RUNNING;
	job->start = world->now;
	job->end = world->now + job->run;
	job->due = job->expected_end = world->now + job->request.estimate;
	job->started_in_this_pass = true;
}

/* The maximum number of waiting jobs have an announced reservation, besides those that wait for
   a pool. The loss of all others was announced. */
static void check_announced(const struct world *world)
{
	int32_t announced = 0, most = world->params.reservations;

	if (lxfw_policy_has(world->params.policy, LXFW_TRAIT_IN_ORDER))
		most = 1;
	for (int32_t i = 0; i < world->job_count; i++)
		announced += is_announced(&world->jobs[i]) &&
			     world->jobs[i].request.pool_count == 0;
	assert_true(announced <= most);
}

void world_decide(struct world *world)
{
	int rc;

	for (int32_t i = 0; i < world->job_count; i++) {
		world->jobs[i].started_in_this_pass = false;
		world->jobs[i].announced_before = is_announced(&world->jobs[i]);
	}
	extend(world);
	/* It may have been cancelled, or started by others. */
	if (world->reserved >= 0 &&
	    world->jobs[world->reserved].state != WORLD_WAITING)
		world->reserved = -1;
	rc = lxfw_sched_decide(world->sched, world->now, &world->decision);
	assert_int_equal(rc, 0);
	for (size_t i = 0; i < world->decision.count; i++) {
		const struct lxfw_action *action = &world->decision.actions[i];

		carry_out(world, action);
		check_hosts(world);
		digest(world, action->job);
		digest(world, (uint64_t)action->type);
		digest(world, (uint64_t)action->start);
		for (int32_t j = 0; j < action->count; j++) {
			digest(world, (uint64_t)action->shares[j].host);
			digest(world, (uint64_t)action->shares[j].amount.procs);
		}
		world->actions++;
	}
	check_announced(world);
}

bool world_step(struct world *world)
{
	int64_t next = LXFW_NEVER;

	for (int32_t i = 0; i < world->job_count; i++) {
		const struct world_job *job = &world->jobs[i];

		if (job->state == WORLD_FUTURE && job->request.submit < next)
			next = job->request.submit;
		if (job->state == WORLD_RUNNING && job->end < next)
			next = job->end;
	}
	if (world->decision.wake < next)
		next = world->decision.wake;
	if (next == LXFW_NEVER)
		return false;
	assert_true(next >= world->now);
	world->now = next;
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

		if (job->state != WORLD_RUNNING || job->end != next)
			continue;
		event.end.id = job->request.id;
		world_apply(world, &event);
		job->state = WORLD_ENDED;
	}
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_SUBMIT };

		if (job->state != WORLD_FUTURE || job->request.submit != next)
			continue;
		event.request = &job->request;
		world_apply(world, &event);
		job->state = WORLD_WAITING;
	}
	return true;
}
