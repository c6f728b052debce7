/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair share while the daemon runs, with the files of pbs_sched in its sched_priv:
 *
 *   sched_config    fair_share, unknown_shares, fairshare_usage_res, fairshare_entity,
 *                   fairshare_decay_time, fairshare_decay_factor
 *   resource_group  the tree of shares
 *   usage           read at the beginning and when pbsfs has changed it; written when usage has
 *                   changed, so that pbsfs and pbs_sched can use it
 */
#ifndef LXFW_PBS_USAGE_H
#define LXFW_PBS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/pbs/fairshare.h"
#include "plugins/pbs/site.h"

struct lxfw_pbs_usage {
	struct lxfw_pbs_fairshare tree;
	char *folder;		/* sched_priv as it was read; NULL: nothing was */
	int64_t read_at;	/* latest change of the files that were read, in ns */
	bool fair_share;	/* jobs are ordered by it */
	bool dirty;		/* usage differs from the file */
	int64_t unknown_shares;
	char entity[32], resource[256];
	int64_t decay_seconds;	/* 0: never */
	double decay_factor;
};

/* Whether lxfw_pbs_usage_update() would read the files: they were not read or have changed. */
bool lxfw_pbs_usage_is_old(const struct lxfw_pbs_usage *usage, const struct lxfw_pbs_site *site);
/* Reads the files of the scheduler of SITE, if they were not read or have changed. Problems are
   logged once for each change. READ_ONLY: usage.touch stays. Returns false if memory ran out. */
bool lxfw_pbs_usage_update(struct lxfw_pbs_usage *usage, const struct lxfw_pbs_site *site,
			   int64_t now, bool read_only);
/* Decays the usage that is due, and computes factors. */
void lxfw_pbs_usage_compute(struct lxfw_pbs_usage *usage, int64_t now);
/* Writes the usage if it has changed. */
void lxfw_pbs_usage_save(struct lxfw_pbs_usage *usage);
void lxfw_pbs_usage_clear(struct lxfw_pbs_usage *usage);

/* Reads a line of sched_config. Others are ignored. */
void lxfw_pbs_usage_config(struct lxfw_pbs_usage *usage, const char *line);

/* The name of the entity of JOB in NAME, "" if it has none. */
void lxfw_pbs_usage_name(const struct lxfw_pbs_usage *usage, const struct lxfw_pbs_job *job,
			 char *name, size_t size);
/* Its entity, which is valid until the next call; NULL if there is no fair share. */
const struct lxfw_pbs_entity *lxfw_pbs_usage_of(struct lxfw_pbs_usage *usage,
						const struct lxfw_pbs_job *job);

#endif
