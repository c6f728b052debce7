/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts, host sets and blocks. Jobs are handled in mirror_jobs.c. */
#include "plugins/agent/mirror.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* --- hosts ------------------------------------------------------------------------ */

static void forget_extras(struct lxfw_known_hosts *hosts)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		free(hosts->extras[i]);
		hosts->extras[i] = NULL;
	}
}

static void clear_hosts(struct lxfw_known_hosts *hosts)
{
	forget_extras(hosts);
	for (int32_t i = 0; i < hosts->count; i++)
		free(hosts->host[i].name);
	free(hosts->host);
	memset(hosts, 0, sizeof(*hosts));
}

/* Names that come this much later are fetched into the cache. */
#define AHEAD 8

/* Compares the recorded hosts by name and index. */
static bool same_hosts(const struct lxfw_known_hosts *hosts,
		       const char *const *names, int32_t count)
{
	if (hosts->count != count)
		return false;
	for (int32_t i = 0; i < count; i++) {
		if (i + AHEAD < count) {
			__builtin_prefetch(hosts->host[i + AHEAD].name);
			__builtin_prefetch(names[i + AHEAD]);
		}
		if (strcmp(hosts->host[i].name, names[i]) != 0)
			return false;
	}
	return true;
}

static bool take_over_hosts(struct lxfw_known_hosts *hosts,
			    const char *const *names, int32_t count)
{
	clear_hosts(hosts);
	if (count <= 0)
		return true;
	hosts->host = calloc((size_t)count, sizeof(*hosts->host));
	if (!hosts->host)
		return false;
	hosts->count = count;
	for (int32_t i = 0; i < count; i++) {
		hosts->host[i].name = strdup(names[i]);
		if (!hosts->host[i].name) {
			clear_hosts(hosts);
			return false;
		}
	}
	return true;
}

int lxfw_mirror_hosts(struct lxfw_agent *agent, const char *const *names,
		      int32_t count)
{
	struct lxfw_known_hosts *hosts = &agent->hosts;

	if (same_hosts(hosts, names, count))
		return 1;
	/* A model of other hosts is useless. */
	if (hosts->count)
		agent->rebuild = true;
	if (!take_over_hosts(hosts, names, count)) {
		agent->events.failed = true;
		return -1;
	}
	return 0;
}

void lxfw_mirror_host(struct lxfw_agent *agent, int32_t index, bool up,
		      const struct lxfw_resources *total, uint32_t sockets,
		      int64_t weight, int64_t boot)
{
	struct lxfw_known_host *host = &agent->hosts.host[index];

	if (host->told && host->up == up && host->weight == weight &&
	    host->boot == boot && host->sockets == sockets &&
	    memcmp(&host->total, total, sizeof(*total)) == 0)
		return;
	if (memcmp(&host->total, total, sizeof(*total)) != 0)
		agent->hosts.resized++;
	agent->hosts.socket_changes += host->sockets != sockets;
	host->total = *total;
	host->sockets = sockets;
	host->weight = weight;
	host->boot = boot;
	host->up = up;
	host->told = true;
	agent->hosts.changes++;
	lxfw_events_host(&agent->events, index, up, total, agent->hosts.gpus, sockets, weight,
			 boot, host->name);
}

void lxfw_mirror_extra(struct lxfw_agent *agent, int32_t index, const char *name)
{
	char **known = &agent->hosts.extras[index];

	if (*known && strcmp(*known, name) == 0)
		return;
	free(*known);
	*known = strdup(name);
	if (!*known)
		agent->events.failed = true;
	else
		lxfw_events_extra(&agent->events, index, name);
}

int64_t lxfw_mirror_boot(const struct lxfw_agent *agent, const int32_t *hosts,
			 int32_t count)
{
	int64_t most = 0;

	for (int32_t i = 0; i < count; i++) {
		if (hosts[i] < agent->hosts.count &&
		    agent->hosts.host[hosts[i]].boot > most)
			most = agent->hosts.host[hosts[i]].boot;
	}
	return most;
}

int64_t lxfw_mirror_most_boot(const struct lxfw_agent *agent)
{
	int64_t most = 0;

	for (int32_t i = 0; i < agent->hosts.count; i++) {
		const struct lxfw_known_host *host = &agent->hosts.host[i];

		if (host->up && host->boot > most)
			most = host->boot;
	}
	return most;
}

void lxfw_mirror_set(struct lxfw_agent *agent, int32_t id, const int32_t *hosts,
		     int32_t count)
{
	lxfw_events_host_set(&agent->events, id, hosts, count);
}

/* --- blocks ----------------------------------------------------------------------- */

uint32_t lxfw_shares_hash(const struct lxfw_share *shares, int32_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)count;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_resources *amount = &shares[i].amount;
		uint64_t words[3] = {
			(uint64_t)shares[i].host << 32 |
				(uint32_t)amount->procs,
			(uint64_t)amount->memory_mb, 0,
		};

		for (int extra = 0; extra < LXFW_EXTRAS_MAX; extra++)
			words[2] = words[2] * 31 +
				   (uint32_t)amount->extras[extra];
		words[2] ^= (uint64_t)shares[i].sockets << 32;
		for (int word = 0; word < 3; word++)
			hash = (hash ^ words[word]) *
			       UINT64_C(0x9e3779b97f4a7c15);
	}
	return (uint32_t)(hash >> 32);
}

static struct lxfw_known_block *find_block(struct lxfw_agent *agent, uint64_t id)
{
	/* They are mostly reported in the same order as before. */
	for (size_t i = 0; i < agent->block_count; i++) {
		size_t at = (agent->next_block + i) % agent->block_count;

		if (agent->blocks[at].id == id) {
			agent->next_block = at + 1;
			return &agent->blocks[at];
		}
	}
	return NULL;
}

static struct lxfw_known_block *enter_block(struct lxfw_agent *agent, uint64_t id)
{
	struct lxfw_known_block *block = find_block(agent, id);

	if (block)
		return block;
	if (LXFW_GROW(agent->blocks, agent->block_size, agent->block_count + 1)) {
		agent->events.failed = true;
		return NULL;
	}
	block = &agent->blocks[agent->block_count++];
	*block = (struct lxfw_known_block){ .id = id };
	return block;
}

void lxfw_mirror_block(struct lxfw_agent *agent, uint64_t id, int64_t start,
		       int64_t end, const struct lxfw_share *shares, int32_t count)
{
	uint32_t hash = lxfw_shares_hash(shares, count);
	struct lxfw_known_block *block;

	if (count <= 0 || end <= start)
		return;
	block = enter_block(agent, id);
	if (!block)
		return;
	block->seen = agent->pass;
	if (block->start == start && block->end == end && block->hash == hash)
		return;
	block->start = start;
	block->end = end;
	block->hash = hash;
	lxfw_events_block(&agent->events, id, start, end, shares, count);
}

void lxfw_mirror_passing_block(struct lxfw_agent *agent, uint64_t id,
			       int64_t seconds, const struct lxfw_share *shares,
			       int32_t count)
{
	struct lxfw_known_block *block = find_block(agent, id);
	int64_t start = agent->clock, end = start + seconds;

	if (block && count >= 0 && block->end > start + seconds / 2 &&
	    block->hash == lxfw_shares_hash(shares, count)) {
		block->seen = agent->pass;
		return;
	}
	lxfw_mirror_block(agent, id, start, end, shares, count);
}

void lxfw_mirror_sweep_blocks(struct lxfw_agent *agent)
{
	for (size_t i = 0; i < agent->block_count;) {
		struct lxfw_known_block *block = &agent->blocks[i];

		if (block->seen == agent->pass) {
			i++;
			continue;
		}
		if (block->end > agent->clock)
			lxfw_events_block(&agent->events, block->id,
					  block->start, block->end, NULL, 0);
		*block = agent->blocks[--agent->block_count];
	}
}

/* --- the complete state ----------------------------------------------------------- */

void lxfw_mirror_continue(struct lxfw_agent *agent)
{
	lxfw_agent_tick(agent);
	agent->slice++;
	agent->unfinished = false;
	agent->counts.jobs = 0;
	agent->look_again = LXFW_NEVER;
}

void lxfw_mirror_begin(struct lxfw_agent *agent)
{
	lxfw_agent_tick(agent);
	agent->pass++;
	agent->slice = 0;
	agent->unfinished = false;
	memset(&agent->counts, 0, sizeof(agent->counts));
	agent->had_room = agent->new_room;
	agent->new_room = false;
	agent->new_chances = false;
	agent->forgiven = 0;
	agent->look_again = LXFW_NEVER;
}

void lxfw_mirror_forget(struct lxfw_agent *agent)
{
	for (int32_t i = 0; i < agent->hosts.count; i++)
		agent->hosts.host[i].told = false;
	forget_extras(&agent->hosts);
	lxfw_aside_forget(&agent->asides);
	agent->block_count = 0;
	for (size_t i = 0; i < agent->jobs.count; i++) {
		struct lxfw_known_job *known = agent->jobs.jobs[i];

		lxfw_known_unreserve(known);
		known->state = LXFW_KNOWN_NOT;
		known->requeued = 0;
		known->refused_until = 0;
	}
}

void lxfw_mirror_destroy(struct lxfw_agent *agent)
{
	clear_hosts(&agent->hosts);
	free(agent->blocks);
	agent->blocks = NULL;
	agent->block_count = agent->block_size = 0;
}
