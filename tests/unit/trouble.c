/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disturbances of a scheduler on a real cluster. */
#include <string.h>

#include "tests/unit/world.h"

static void set_host(struct world *world, int32_t host, bool up)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_HOST,
		.host = { .index = host, .up = up, .total = world->total[host] },
	};

	world->up[host] = up;
	world_apply(world, &event);
}

static void end_job(struct world *world, struct world_job *job)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_END };

	event.end.id = job->request.id;
	world_apply(world, &event);
}

/* A host fails: its jobs are requeued. */
static void fail_host(struct world *world, int32_t host)
{
	set_host(world, host, false);
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];
		bool hit = false;

		if (job->state != WORLD_RUNNING)
			continue;
		for (int32_t j = 0; j < job->share_count; j++)
			hit |= job->shares[j].host == host;
		if (!hit)
			continue;
		end_job(world, job);
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT,
			.request = &job->request,
		};
		world_apply(world, &event);
		job->state = WORLD_WAITING;
	}
}

static void refuse_starts(struct world *world)
{
	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job = &world->jobs[i];
		struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };

		if (job->state != WORLD_RUNNING || !job->started_in_this_pass ||
		    unit_between(&world->random, 0, 1))
			continue;
		event.refused.id = job->request.id;
		event.refused.until =
			world->now + unit_between(&world->random, 1, 30);
		world_apply(world, &event);
		job->refused_until = event.refused.until;
		job->state = WORLD_WAITING;
	}
}

static struct world_job *any_job(struct world *world, enum world_job_state state)
{
	int32_t at = (int32_t)unit_between(&world->random, 0,
					   world->job_count - 1);

	for (int32_t i = 0; i < world->job_count; i++) {
		struct world_job *job =
			&world->jobs[(at + i) % world->job_count];

		if (job->state == state)
			return job;
	}
	return NULL;
}

static void change_limit(struct world *world)
{
	struct world_job *job = any_job(world, WORLD_RUNNING);
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };

	if (!job)
		return;
	job->due = world->now + unit_between(&world->random, 1, 300);
	job->expected_end = job->due;
	event.run.id = job->request.id;
	event.run.expected_end = job->expected_end;
	event.run.count = job->share_count;
	event.run.shares = job->shares;
	world_apply(world, &event);
}

static void change_request(struct world *world)
{
	struct world_job *job = any_job(world, WORLD_WAITING);
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };

	if (!job)
		return;
	job->request.estimate = unit_between(&world->random, 1, 300);
	job->run = job->request.estimate;
	event.request = &job->request;
	world_apply(world, &event);
}

static void cancel(struct world *world)
{
	struct world_job *job = any_job(world, WORLD_WAITING);

	if (!job)
		return;
	end_job(world, job);
	job->state = WORLD_ENDED;
}

/* An administrator starts a waiting job where there is room. */
static void start_by_hand(struct world *world)
{
	struct world_job *job = any_job(world, WORLD_WAITING);
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	int32_t host;

	if (!job || job->request.shape != LXFW_SHAPE_HOSTS ||
	    job->request.count > 1 || !world_fits(world, job, world->now, true))
		return;
	for (host = 0; host < world->host_count; host++) {
		uint32_t before = world->set_members[0];
		struct world_job only = *job;
		bool fits;

		/* A host set with this host only. */
		only.request.host_set_count = 1;
		only.request.host_sets[0] = 0;
		world->set_members[0] = 1u << host;
		fits = world_fits(world, &only, world->now, true);
		world->set_members[0] = before;
		if (fits)
			break;
	}
	if (host == world->host_count)
		return;
	job->share_count = 1;
	job->shares[0] = (struct lxfw_share){ .host = host, .amount = job->request.unit };
	if (job->request.exclusive)
		job->shares[0].amount.procs = world->total[host].procs;
	job->state = WORLD_RUNNING;
	job->announced = false;
	job->start = world->now;
	job->end = world->now + job->run;
	job->due = job->expected_end = world->now + job->request.estimate;
	event.run.id = job->request.id;
	event.run.expected_end = job->expected_end;
	event.run.count = 1;
	event.run.shares = job->shares;
	world_apply(world, &event);
}

static void set_block(struct world *world, int32_t index, bool lift)
{
	struct world_block *block = &world->blocks[index];
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct lxfw_share share = {
		.host = block->host,
		.amount = world->total[block->host],
	};

	event.block.id = (uint64_t)index + 1;
	event.block.start = block->start;
	event.block.end = block->end;
	event.block.count = lift ? 0 : 1;
	event.block.shares = &share;
	world_apply(world, &event);
	if (lift)
		block->end = 0;
}

static void change_params(struct world *world)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };

	lxfw_params_preset(&world->params,
			   (enum lxfw_policy)unit_between(&world->random,
							  LXFW_POLICY_FCFS,
							  LXFW_POLICY_SJF));
	event.params = &world->params;
	world_apply(world, &event);
}

void world_trouble(struct world *world)
{
	int32_t host = (int32_t)unit_between(&world->random, 0,
					     world->host_count - 1);
	int32_t index = (int32_t)unit_between(&world->random, 0,
					      WORLD_BLOCKS - 1);

	switch (unit_between(&world->random, 0, 19)) {
	case 0:
		fail_host(world, host);
		break;
	case 1:
	case 2:
		set_host(world, host, true);
		break;
	case 3:
	case 4:
		refuse_starts(world);
		break;
	case 5:
		change_limit(world);
		break;
	case 6:
		change_request(world);
		break;
	case 7:
		cancel(world);
		break;
	case 8:
		start_by_hand(world);
		break;
	case 9:
		world->blocks[index].host = host;
		world->blocks[index].start =
			world->now + unit_between(&world->random, -5, 60);
		world->blocks[index].end =
			world->now + unit_between(&world->random, 61, 150);
		set_block(world, index, false);
		break;
	case 10:
		set_block(world, index, true);
		break;
	case 11:
		change_params(world);
		break;
	default:
		break;
	}
}

void world_repair(struct world *world)
{
	for (int32_t i = 0; i < world->host_count; i++)
		set_host(world, i, true);
	for (int32_t i = 0; i < WORLD_BLOCKS; i++)
		set_block(world, i, true);
}
