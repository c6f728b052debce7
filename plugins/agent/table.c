/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/table.h"

#include <stdlib.h>
#include <string.h>

static size_t home(const struct lxfw_job_table *table, uint64_t id)
{
	/* Fibonacci hashing. The number of slots is a power of two. */
	return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) &
	       (table->slot_count - 1);
}

/* Returns the slot of ID, or the free slot where it belongs. */
static size_t slot_of(const struct lxfw_job_table *table, uint64_t id)
{
	size_t slot = home(table, id);

	while (table->slots[slot] &&
	       table->jobs[table->slots[slot] - 1]->id != id)
		slot = (slot + 1) & (table->slot_count - 1);
	return slot;
}

static int grow_slots(struct lxfw_job_table *table)
{
	size_t count = table->slot_count ? 2 * table->slot_count : 1024;
	uint32_t *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -1;
	free(table->slots);
	table->slots = slots;
	table->slot_count = count;
	for (size_t i = 0; i < table->count; i++)
		slots[slot_of(table, table->jobs[i]->id)] = (uint32_t)i + 1;
	return 0;
}

struct lxfw_known_job *lxfw_table_find(const struct lxfw_job_table *table,
				 uint64_t id)
{
	size_t slot;

	if (table->slot_count == 0)
		return NULL;
	slot = slot_of(table, id);
	return table->slots[slot] ? table->jobs[table->slots[slot] - 1] : NULL;
}

struct lxfw_known_job *lxfw_table_enter(struct lxfw_job_table *table, uint64_t id)
{
	struct lxfw_known_job *job = lxfw_table_find(table, id);

	if (job)
		return job;
	if (2 * (table->count + 1) > table->slot_count && grow_slots(table) < 0)
		return NULL;
	if (table->count == table->size) {
		size_t size = table->size ? 2 * table->size : 512;
		void *jobs = realloc(table->jobs, size * sizeof(*table->jobs));

		if (!jobs)
			return NULL;
		table->jobs = jobs;
		table->size = size;
	}
	job = calloc(1, sizeof(*job) + table->own_size);
	if (!job)
		return NULL;
	job->id = id;
	table->slots[slot_of(table, id)] = (uint32_t)table->count + 1;
	table->jobs[table->count++] = job;
	return job;
}

/* Frees SLOT and closes the gap in its probe sequence. */
static void free_slot(struct lxfw_job_table *table, size_t slot)
{
	size_t mask = table->slot_count - 1, next = slot;

	for (;;) {
		size_t start;

		table->slots[slot] = 0;
		do {
			next = (next + 1) & mask;
			if (!table->slots[next])
				return;
			start = home(table,
				     table->jobs[table->slots[next] - 1]->id);
			/* An entry whose home lies after the gap stays. */
		} while (((next - start) & mask) < ((next - slot) & mask));
		table->slots[slot] = table->slots[next];
		slot = next;
	}
}

void lxfw_known_unreserve(struct lxfw_known_job *known)
{
	free(known->reserved_hosts);
	free(known->reserved_nodes);
	known->reserved_hosts = NULL;
	known->reserved_nodes = NULL;
	known->reserved_count = 0;
	known->reserved_start = 0;
}

bool lxfw_known_ask(struct lxfw_known_job *known, int64_t now,
		    const struct lxfw_share *shares, int32_t count)
{
	lxfw_known_unask(known);
	known->asked = now > 0 ? now : 1;
	known->asked_shares = malloc((size_t)count * sizeof(*shares) + 1);
	if (!known->asked_shares)
		return false;
	memcpy(known->asked_shares, shares, (size_t)count * sizeof(*shares));
	known->asked_count = count;
	return true;
}

void lxfw_known_unask(struct lxfw_known_job *known)
{
	free(known->asked_shares);
	known->asked_shares = NULL;
	known->asked_count = 0;
	known->asked = 0;
}

void lxfw_table_remove(struct lxfw_job_table *table, size_t index)
{
	struct lxfw_known_job *job = table->jobs[index];
	size_t last = table->count - 1;

	free_slot(table, slot_of(table, job->id));
	if (index != last) {
		size_t slot = slot_of(table, table->jobs[last]->id);

		table->slots[slot] = (uint32_t)index + 1;
		table->jobs[index] = table->jobs[last];
	}
	table->count = last;
	lxfw_known_unreserve(job);
	lxfw_known_unask(job);
	free(job);
}

void lxfw_table_destroy(struct lxfw_job_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		lxfw_known_unreserve(table->jobs[i]);
		lxfw_known_unask(table->jobs[i]);
		free(table->jobs[i]);
	}
	free(table->jobs);
	free(table->slots);
	*table = (struct lxfw_job_table){ .own_size = table->own_size };
}
