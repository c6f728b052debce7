/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/table.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

struct lxfw_known_job *lxfw_table_find(const struct lxfw_job_table *table,
				 uint64_t id)
{
	int32_t index = lxfw_id_map_get(&table->by_id, id);

	return index < 0 ? NULL : table->jobs[index];
}

struct lxfw_known_job *lxfw_table_find_near(const struct lxfw_job_table *table, uint64_t id,
					    uint32_t *place)
{
	int32_t index;

	if (*place < table->count && table->jobs[*place]->id == id)
		return table->jobs[*place];
	index = lxfw_id_map_get(&table->by_id, id);
	if (index < 0)
		return NULL;
	*place = (uint32_t)index;
	return table->jobs[index];
}

struct lxfw_known_job *lxfw_table_enter(struct lxfw_job_table *table, uint64_t id)
{
	struct lxfw_known_job *job = lxfw_table_find(table, id);

	if (job)
		return job;
	if (LXFW_GROW(table->jobs, table->size, table->count + 1))
		return NULL;
	job = calloc(1, sizeof(*job) + table->own_size);
	if (!job)
		return NULL;
	if (lxfw_id_map_add(&table->by_id, id, (int32_t)table->count)) {
		free(job);
		return NULL;
	}
	job->id = id;
	table->jobs[table->count++] = job;
	return job;
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

void lxfw_known_unestimate(struct lxfw_known_job *known)
{
	free(known->estimated_hosts);
	free(known->estimated_nodes);
	known->estimated_hosts = NULL;
	known->estimated_nodes = NULL;
	known->estimated_count = 0;
	known->estimated_start = 0;
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

static void free_job(const struct lxfw_job_table *table, struct lxfw_known_job *job)
{
	if (table->clear_own)
		table->clear_own(job->own);
	lxfw_known_unreserve(job);
	lxfw_known_unestimate(job);
	lxfw_known_unask(job);
	free(job);
}

void lxfw_table_remove(struct lxfw_job_table *table, size_t index)
{
	struct lxfw_known_job *job = table->jobs[index];
	size_t last = table->count - 1;

	lxfw_id_map_remove(&table->by_id, job->id);
	if (index != last) {
		table->jobs[index] = table->jobs[last];
		lxfw_id_map_set(&table->by_id, table->jobs[index]->id,
				(int32_t)index);
	}
	table->count = last;
	free_job(table, job);
}

void lxfw_table_destroy(struct lxfw_job_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free_job(table, table->jobs[i]);
	free(table->jobs);
	lxfw_id_map_clear(&table->by_id);
	*table = (struct lxfw_job_table){
		.own_size = table->own_size, .clear_own = table->clear_own,
	};
}
