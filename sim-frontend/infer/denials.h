/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the jobs that a policy with backfill beside one reservation would have started on
 * the whole machine and that the measured schedule did not start, from each change to the
 * next. Each such period of a job is a denial: processors were missing, or the job was
 * not eligible.
 */
#ifndef LXFW_INFER_DENIALS_H
#define LXFW_INFER_DENIALS_H

#include "sim-frontend/infer/capacity.h"

/* The period from one change of the schedule to the next. */
struct lxfw_atom {
	int64_t begin, end;
	int64_t in_use;
	size_t denials;		/* index of its first denial; the next atom's first
				   denial follows its last */
	bool started;		/* jobs were started at its beginning */
	bool waits;		/* at least one job waits */
};

struct lxfw_denials {
	struct lxfw_atom *atoms;	/* with one additional entry at the end */
	size_t atom_count;
	size_t *jobs;			/* one entry per denial, in the order of the
					   atoms */
	size_t count, size;
	int64_t *seconds;		/* by job: total time denied */
	bool too_many;			/* there were more than the limit: none are
					   stored */
};

/* Returns 0, or -1 with errno ENOMEM and *DENIALS empty. */
int lxfw_denials_find(struct lxfw_denials *denials,
		      const struct lxfw_capacity_input *input);

void lxfw_denials_clear(struct lxfw_denials *denials);

#endif
