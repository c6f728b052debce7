/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/decided.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/hash.h"

/* --- the site ----------------------------------------------------------------------------- */

static uint64_t add_amount(uint64_t hash, const struct lxfw_resources *amount)
{
	hash = lxfw_pbs_hash_number(hash, amount->procs);
	hash = lxfw_pbs_hash_number(hash, amount->memory_mb);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		hash = lxfw_pbs_hash_number(hash, amount->extras[i]);
	return hash;
}

static uint64_t add_vnode(uint64_t hash, const struct lxfw_pbs_vnode *vnode)
{
	hash = lxfw_pbs_hash_text(hash, vnode->name);
	hash = lxfw_pbs_hash_text(hash, vnode->host);
	hash = lxfw_pbs_hash_text(hash, vnode->queue);
	hash = lxfw_pbs_hash_number(hash, vnode->in);
	hash = lxfw_pbs_hash_number(hash, vnode->up | vnode->forces << 1 | vnode->ignores << 2);
	hash = lxfw_pbs_hash_number(hash, vnode->excludes);
	hash = add_amount(hash, &vnode->total);
	for (size_t i = 0; i < vnode->property_count; i++) {
		hash = lxfw_pbs_hash_text(hash, vnode->property[i].name);
		hash = lxfw_pbs_hash_text(hash, vnode->property[i].value);
	}
	return hash;
}

/* All that the parts of jobs depend on. */
static uint64_t hash_of(const struct lxfw_pbs_site *site)
{
	uint64_t hash = LXFW_PBS_HASH;

	for (size_t i = 0; i < site->vnode_count; i++)
		hash = add_vnode(hash, &site->vnode[i]);
	for (size_t i = 0; i < site->queue_count; i++) {
		hash = lxfw_pbs_hash_text(hash, site->queue[i].name);
		hash = lxfw_pbs_hash_text(hash, site->queue[i].partition);
		hash = lxfw_pbs_hash_text(hash, site->queue[i].node_group_key);
		hash = lxfw_pbs_hash_number(hash, site->queue[i].has_nodes);
	}
	for (size_t i = 0; i < site->kinds.count; i++) {
		hash = lxfw_pbs_hash_text(hash, site->kinds.kind[i].name);
		hash = lxfw_pbs_hash_number(hash, site->kinds.kind[i].type);
		hash = lxfw_pbs_hash_number(hash, site->kinds.kind[i].place);
		hash = lxfw_pbs_hash_number(hash, site->kinds.kind[i].first);
	}
	for (size_t i = 0; i < site->pools.count; i++) {
		hash = lxfw_pbs_hash_text(hash, site->pools.pool[i].name);
		hash = lxfw_pbs_hash_number(hash, site->pools.pool[i].measured ? -1 :
							       site->pools.pool[i].has);
	}
	hash = lxfw_pbs_hash_text(hash, site->node_group_key);
	return lxfw_pbs_hash_number(hash, site->node_group_enable | site->sched.do_not_span_psets << 1 |
				site->sched.only_explicit_psets << 2);
}

/* --- entries ------------------------------------------------------------------------------ */

/* What the job requests, as far as its parts depend on it. */
static char *key_of(const struct lxfw_pbs_job *job)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	if (!file)
		return NULL;
	fprintf(file, "%s|%s|%s|%s", job->queue ? job->queue : "", job->place ? job->place : "",
		job->user ? job->user : "", job->select ? job->select : "");
	for (size_t i = 0; i < job->wide_count; i++)
		fprintf(file, "|%s=%s", job->wide[i].name, job->wide[i].value);
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static void forget(struct lxfw_pbs_decided *decided)
{
	lxfw_pbs_mixed_clear(&decided->mixed);
	free(decided->key);
	free(decided);
}

static void forget_all(struct lxfw_pbs_decisions *decisions)
{
	for (size_t i = 0; i < decisions->count; i++)
		forget(decisions->decided[i]);
	free(decisions->decided);
	lxfw_id_map_clear(&decisions->by_hash);
	decisions->decided = NULL;
	decisions->count = decisions->size = 0;
}

void lxfw_pbs_decisions_clear(struct lxfw_pbs_decisions *decisions)
{
	forget_all(decisions);
	free(decisions->served);
	memset(decisions, 0, sizeof(*decisions));
}

/* The last entry takes its place. */
static void drop(struct lxfw_pbs_decisions *decisions, size_t index)
{
	struct lxfw_pbs_decided *last = decisions->decided[decisions->count - 1];

	lxfw_id_map_remove(&decisions->by_hash,
			   lxfw_pbs_hash_text(LXFW_PBS_HASH, decisions->decided[index]->key));
	forget(decisions->decided[index]);
	decisions->count--;
	if (index == decisions->count)
		return;
	decisions->decided[index] = last;
	lxfw_id_map_set(&decisions->by_hash, lxfw_pbs_hash_text(LXFW_PBS_HASH, last->key), (int32_t)index);
}

void lxfw_pbs_decisions_begin(struct lxfw_pbs_decisions *decisions, int64_t now)
{
	for (size_t i = 0; i < decisions->count;) {
		struct lxfw_pbs_decided *decided = decisions->decided[i];
		bool old = now < decided->made || now - decided->made >= LXFW_PBS_DECIDE_SECONDS;

		if (!decided->used || (old && decided->is_mixed && decided->count == 0)) {
			drop(decisions, i);
			continue;
		}
		decided->used = false;
		i++;
	}
	decisions->checked = false;
	decisions->work = 0;
	decisions->later = false;
	if (!decisions->unserved)
		decisions->served_count = 0;
	decisions->turns = decisions->unserved;
	decisions->unserved = false;
}

/* Adds an empty entry, which owns KEY. Returns NULL if memory ran out. */
static struct lxfw_pbs_decided *add(struct lxfw_pbs_decisions *decisions, char *key)
{
	struct lxfw_pbs_decided *decided = calloc(1, sizeof(*decided));

	if (!decided || decisions->count >= INT32_MAX ||
	    LXFW_GROW(decisions->decided, decisions->size, decisions->count + 1) ||
	    lxfw_id_map_add(&decisions->by_hash, lxfw_pbs_hash_text(LXFW_PBS_HASH, key),
			    (int32_t)decisions->count) < 0) {
		free(decided);
		free(key);
		return NULL;
	}
	decided->key = key;
	decisions->decided[decisions->count++] = decided;
	return decided;
}

static void check_site(struct lxfw_pbs_decisions *decisions, const struct lxfw_pbs_site *site)
{
	uint64_t hash;

	if (decisions->checked)
		return;
	hash = hash_of(site);
	if (hash != decisions->site)
		forget_all(decisions);
	decisions->site = hash;
	decisions->checked = true;
}

/* --- turns -------------------------------------------------------------------------------- */

static bool is_served(const struct lxfw_pbs_decisions *decisions, uint64_t user)
{
	for (size_t i = 0; i < decisions->served_count; i++) {
		if (decisions->served[i] == user)
			return true;
	}
	return false;
}

/* Whether a decision of that WORK for the user is one of this look. Returns 1, 0, or -1 if memory
   ran out. */
static int may_decide(struct lxfw_pbs_decisions *decisions, uint64_t user, int64_t work)
{
	int64_t most = decisions->most ? decisions->most : LXFW_PBS_DECIDE_MOST;
	bool served = is_served(decisions, user);

	if ((served && decisions->turns) ||
	    (decisions->work > 0 && work > most - decisions->work)) {
		decisions->later = true;
		decisions->unserved |= !served;
		return 0;
	}
	decisions->work += work;
	if (served)
		return 1;
	if (LXFW_GROW(decisions->served, decisions->served_size, decisions->served_count + 1))
		return -1;
	decisions->served[decisions->served_count++] = user;
	return 1;
}

const struct lxfw_pbs_decided *lxfw_pbs_decide(struct lxfw_pbs_decisions *decisions,
					       const struct lxfw_pbs_site *site,
					       struct lxfw_pbs_sets *sets,
					       const struct lxfw_pbs_job *job, int64_t now)
{
	static const struct lxfw_pbs_decided not_mixed, later = { .later = true };
	int64_t work = lxfw_pbs_mixed_work(site, job);
	struct lxfw_pbs_decided *decided;
	int32_t index;
	char *key;
	int rc;

	if (work == 0)
		return &not_mixed;
	check_site(decisions, site);
	key = key_of(job);
	if (!key)
		return NULL;
	index = lxfw_id_map_get(&decisions->by_hash, lxfw_pbs_hash_text(LXFW_PBS_HASH, key));
	if (index >= 0 && strcmp(decisions->decided[index]->key, key) == 0) {
		free(key);
		decisions->decided[index]->used = true;
		return decisions->decided[index];
	}
	rc = may_decide(decisions, lxfw_pbs_sets_owner(job->user), work);
	if (rc <= 0) {
		free(key);
		return rc < 0 ? NULL : &later;
	}
	if (index >= 0)
		drop(decisions, (size_t)index);
	decided = add(decisions, key);
	if (!decided)
		return NULL;
	decided->made = now;
	decided->used = true;
	decided->is_mixed = lxfw_pbs_is_mixed(site, sets, job);
	if (decided->is_mixed)
		decided->count = lxfw_pbs_mixed(site, sets, job, &decided->mixed, &decided->why);
	if (decided->count >= 0)
		return decided;
	drop(decisions, decisions->count - 1);
	return NULL;
}
