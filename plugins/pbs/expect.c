/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where waiting jobs are expected to start, which qstat -T and qstat -f show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
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

/* Identifies the hosts; 0 if they are unknown. FNV-1a. */
static uint64_t hash_of(const struct expected *expected)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (int32_t i = 0; i < expected->count; i++)
		hash = (hash ^ (uint32_t)expected->hosts[i]) * UINT64_C(1099511628211);
	return expected->count ? hash | 1 : 0;
}

/* The exec_vnode, or NULL if it is unknown or too long. The caller frees it. */
static char *vnodes_on(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		       const struct expected *expected)
{
	char *vnodes;

	if (!expected->count)
		return NULL;
	vnodes = lxfw_pbs_layout_alone(&pbs->site, job, expected->hosts, expected->count);
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
	struct expected expected = hosts_of(pbs, known);
	uint64_t hash = hash_of(&expected);
	struct lxfw_error why;
	char *vnodes;

	if (start <= 0 ||
	    (llabs(start - job->estimated) < TELL_SECONDS &&
	     (hash == own->written_hosts || pbs->agent.clock - own->written < TELL_SECONDS)) ||
	    pbs->tellings++ >= LXFW_PBS_TELLINGS_MAX)
		return;
	vnodes = vnodes_on(pbs, job, &expected);
	if (lxfw_pbs_set_estimated(&pbs->link, job->id, start,
				   vnodes ? vnodes : own->written_hosts ? "" : NULL, &why) < 0)
		lxfw_log_debug("%s: no expected start: %s", job->id, why.text);
	own->written_hosts = hash;
	own->written = pbs->agent.clock;
	free(vnodes);
}
