/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs a policy that backfills beside one reservation would have started on the
 * whole machine, and the measured schedule did not, from one change to the next. Each
 * such stretch is a denial: processors were missing, or the job was not free to start.
 */
#ifndef LXFW_INFER_DENIALS_H
#define LXFW_INFER_DENIALS_H

#include "sim-frontend/infer/capacity.h"

/* From one change of the schedule to the next. */
struct lxfw_atom {
	int64_t begin, end;
	int64_t in_use;
	size_t denials;		/* position of its first one; the next atom's behind it */
	bool started;		/* jobs at its beginning */
	bool waits;		/* any job */
};

struct lxfw_denials {
	struct lxfw_atom *atoms;	/* and one more behind the last */
	size_t atom_count;
	size_t *jobs;			/* a denial each, in the order of the atoms */
	size_t count, size;
	int64_t *seconds;		/* by job: denied in all */
	bool too_many;			/* more than are kept: none are */
};

/* 0, or -1 with errno ENOMEM and *DENIALS empty. */
int lxfw_denials_find(struct lxfw_denials *denials,
		      const struct lxfw_capacity_input *input);

void lxfw_denials_clear(struct lxfw_denials *denials);

#endif
