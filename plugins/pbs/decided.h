/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs are mixed, and their parts (mixed.h), kept from look to look: to find them takes several
 * looks at all hosts. Jobs that request the same share them. All are found again if the vnodes,
 * queues or resources of the site differ, and those of jobs that cannot be represented after
 * LXFW_PBS_DECIDE_SECONDS, as sets may be free then.
 */
#ifndef LXFW_PBS_DECIDED_H
#define LXFW_PBS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/pbs/mixed.h"

#define LXFW_PBS_DECIDE_SECONDS 60

struct lxfw_pbs_decided {
	bool is_mixed;
	int count;		/* number of parts; 0: the library cannot represent it */
	struct lxfw_error why;	/* of 0 */
	struct lxfw_pbs_mixed mixed;
	char *key;		/* what the job requests */
	int64_t made;
	bool used;		/* since the last look */
};

struct lxfw_pbs_decisions {
	struct lxfw_pbs_decided **decided;
	size_t count, size;
	struct lxfw_id_map by_hash;	/* index in `decided` */
	uint64_t site;		/* hash of the site for which they are */
	bool checked;		/* in this look */
};

/* Called in each look, before jobs, at second NOW: drops what is too old or was not used. */
void lxfw_pbs_decisions_begin(struct lxfw_pbs_decisions *decisions, int64_t now);
void lxfw_pbs_decisions_clear(struct lxfw_pbs_decisions *decisions);

/* Returns what holds for JOB, or NULL if memory ran out. It is valid until the next call. */
const struct lxfw_pbs_decided *lxfw_pbs_decide(struct lxfw_pbs_decisions *decisions,
					       const struct lxfw_pbs_site *site,
					       struct lxfw_pbs_sets *sets,
					       const struct lxfw_pbs_job *job, int64_t now);

#endif
