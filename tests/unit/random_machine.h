/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scene with random jobs, of up to six hosts of which some are in host sets. */
#ifndef LXFW_TESTS_RANDOM_MACHINE_H
#define LXFW_TESTS_RANDOM_MACHINE_H

#include "tests/unit/scene.h"

#define HOSTS_MAX 6

struct machine {
	struct scene scene;
	uint64_t random;
	int hosts;
};

static inline int64_t draw(struct machine *machine, int64_t low, int64_t high)
{
	return unit_between(&machine->random, low, high);
}

static inline void set_host_sets(struct machine *machine)
{
	static const int32_t all[HOSTS_MAX] = { 0, 1, 2, 3, 4, 5 };

	for (int32_t id = 0; id < 3 && 2 * id < machine->hosts; id++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };

		event.host_set.id = id;
		event.host_set.hosts = all + id;
		event.host_set.count = machine->hosts - 2 * id;
		apply(&machine->scene, &event);
	}
}

static inline void block(struct machine *machine, uint64_t id, int64_t start, int64_t end)
{
	const struct lxfw_share share = {
		.host = (int32_t)draw(machine, 0, machine->hosts - 1), .amount.procs = 8,
	};
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };

	event.block.id = id;
	event.block.start = start;
	event.block.end = end;
	event.block.count = 1;
	event.block.shares = &share;
	apply(&machine->scene, &event);
}

static inline struct lxfw_request random_job(struct machine *machine, uint64_t id)
{
	struct lxfw_request job =
		request(id, machine->scene.now, (int32_t)draw(machine, 1, 16),
			draw(machine, 0, 3000), draw(machine, 1, 40) * 60);

	if (machine->hosts > 1 && draw(machine, 0, 3) == 0)
		job.count = (int32_t)draw(machine, 1, 3);
	if (draw(machine, 0, 4) == 0)
		job.shape = LXFW_SHAPE_ANYWHERE;
	if (draw(machine, 0, 9) == 0)
		job.exclusive = true;
	job.tier = draw(machine, 0, 9) == 0;
	job.host_set_count = machine->hosts > 1 ? (uint8_t)draw(machine, 0, 2) : 0;
	for (int i = 0; i < job.host_set_count; i++)
		job.host_sets[i] = (int32_t)draw(machine, 0, 1) + i;
	return job;
}

static inline void set_random_priority(struct machine *machine, uint64_t id)
{
	struct lxfw_event priority = {
		.type = LXFW_EVENT_JOB_PRIORITY,
		.priority.id = id,
		.priority.priority = draw(machine, 0, 3) * 1000,
		.priority.delay = draw(machine, 0, 1) * 100,
	};

	apply(&machine->scene, &priority);
}

#endif
