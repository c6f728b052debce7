/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where waiting jobs are expected to start, which qstat -T and qstat -f show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/hash.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* The least change of an expected start that is written to the server, and the least time between
   changes of hosts that are: each one makes the server report the job again. */
#define TELL_SECONDS 60

/* Longest exec_vnode that is written, in bytes: the server keeps it with the job. */
#define VNODES_MOST 65536

/* The hosts where a job is expected to start, ascending. */
struct expected {
	const int32_t *hosts;
	int32_t count;		/* 0: unknown */
};

static struct expected hosts_of(const struct lxfw_pbs *pbs, const struct lxfw_known_job *known)
{
	struct expected expected = {
		.hosts = known->reserved_start ? known->reserved_hosts : known->estimated_hosts,
		.count = known->reserved_start ? known->reserved_count : known->estimated_count,
	};

	if (!expected.hosts)
		expected.count = 0;
	/* Pools are the last. */
	while (expected.count > 0 &&
	       expected.hosts[expected.count - 1] >= pbs->site.host_count)
		expected.count--;
	return expected;
}

/* The jobs of the library that KNOWN is one of, or the only one (mixed.h). */
static int32_t parts_of(const struct lxfw_known_job *known)
{
	return known->request.group ? known->request.group_count : 1;
}

static struct expected hosts_of_part(const struct lxfw_pbs *pbs,
				     const struct lxfw_known_job *known, int32_t index)
{
	const struct lxfw_known_job *part =
		lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_part_id(known->id, index));

	return part ? hosts_of(pbs, part) : (struct expected){ 0 };
}

/* Identifies the hosts; 0 if they are unknown. */
static uint64_t hash_of(const struct lxfw_pbs *pbs, const struct lxfw_known_job *known)
{
	uint64_t hash = LXFW_PBS_HASH;

	for (int32_t i = 0; i < parts_of(known); i++) {
		struct expected expected = i ? hosts_of_part(pbs, known, i) :
					       hosts_of(pbs, known);

		if (!expected.count)
			return 0;
		for (int32_t j = 0; j < expected.count; j++)
			hash = lxfw_pbs_hash_number(hash, expected.hosts[j]);
	}
	return hash | 1;
}

/* The exec_vnode of a part, or NULL. */
static char *part_on(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *part,
		     const struct expected *expected)
{
	char *all = NULL;

	if (!expected->count || expected->count < part->bundles)
		return NULL;
	if (!part->bundles)
		return lxfw_pbs_layout_alone(&pbs->site, part, expected->hosts, expected->count);
	for (int32_t i = 0; i < part->bundles; i++) {
		all = lxfw_pbs_add_chunks(all, lxfw_pbs_layout_alone(&pbs->site, part,
								     &expected->hosts[i], 1));
		if (!all)
			return NULL;
	}
	return all;
}

/* The exec_vnode of a mixed job, or NULL. */
static char *mixed_on(struct lxfw_pbs *pbs, const struct lxfw_known_job *known,
		      const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_decided *decided = lxfw_pbs_decided_of(pbs, job);
	char **text = NULL, *all = NULL;

	if (decided && decided->is_mixed && decided->count == parts_of(known))
		text = calloc((size_t)decided->count, sizeof(*text));
	for (int32_t i = 0; text && i < decided->count; i++) {
		struct lxfw_pbs_job part = lxfw_pbs_part_of(&decided->mixed, job, i);
		struct expected expected = hosts_of_part(pbs, known, i);

		text[i] = part_on(pbs, &part, &expected);
	}
	if (text)
		all = lxfw_pbs_mixed_join(&pbs->site, job, &decided->mixed, text);
	for (int32_t i = 0; text && i < decided->count; i++)
		free(text[i]);
	free(text);
	return all;
}

/* The exec_vnode, or NULL if it is unknown or too long. The caller frees it. */
static char *vnodes_on(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job)
{
	struct expected expected = hosts_of(pbs, known);
	char *vnodes;

	if (!expected.count)
		return NULL;
	vnodes = lxfw_pbs_own(known)->mixed ? mixed_on(pbs, known, job) :
		lxfw_pbs_layout_alone(&pbs->site, job, expected.hosts, expected.count);
	if (vnodes && strlen(vnodes) > VNODES_MOST) {
		free(vnodes);
		vnodes = NULL;
	}
	return vnodes;
}

void lxfw_pbs_tell_time(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			const struct lxfw_pbs_job *job)
{
	int64_t start = known->reserved_start ? known->reserved_start : known->estimated_start;
	struct lxfw_pbs_own *own = lxfw_pbs_own(known);
	uint64_t hash = hash_of(pbs, known);
	struct lxfw_error why;
	char *vnodes;

	if (start <= 0 ||
	    (llabs(start - job->estimated) < TELL_SECONDS &&
	     (hash == own->written_hosts || pbs->agent.clock - own->written < TELL_SECONDS)) ||
	    pbs->tellings++ >= LXFW_PBS_TELLINGS_MAX)
		return;
	vnodes = vnodes_on(pbs, known, job);
	if (lxfw_pbs_set_estimated(&pbs->link, job->id, start,
				   vnodes ? vnodes : own->written_hosts ? "" : NULL, &why) < 0)
		lxfw_log_debug("%s: no expected start: %s", job->id, why.text);
	own->written_hosts = hash;
	own->written = pbs->agent.clock;
	free(vnodes);
}
