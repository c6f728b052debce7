/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs are mixed, and their parts (mixed.h), kept from look to look: to find them takes several
 * looks at all hosts. Jobs that request the same share them. All are found again if the vnodes,
 * queues or resources of the site differ, and those of jobs that cannot be represented after
 * LXFW_PBS_DECIDE_SECONDS, as sets may be free then.
 *
 * The work of a look is bounded, so that jobs with many chunks do not keep the daemon from starting
 * others. What is beyond that waits for a later look. If a user waits who has not had his turn, those
 * who had theirs wait until he had his.
 */
#ifndef LXFW_PBS_DECIDED_H
#define LXFW_PBS_DECIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/pbs/mixed.h"

#define LXFW_PBS_DECIDE_SECONDS 60

/* Most work of a look, in chunks times hosts, beyond that of the first job: about a second. */
#define LXFW_PBS_DECIDE_MOST 400000

struct lxfw_pbs_decided {
	bool is_mixed;
	bool later;		/* it is not known yet whether it is; count is 0 */
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
	int64_t most;		/* work of a look; 0: LXFW_PBS_DECIDE_MOST */
	int64_t work;		/* of this look */
	bool later;		/* jobs wait for a later look */
	uint64_t *served;	/* users that had their turn */
	size_t served_count, served_size;
	bool unserved;		/* one waits in this look that had none */
	bool turns;		/* one did in the look before */
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
