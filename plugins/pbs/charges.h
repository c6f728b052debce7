/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs of jobs have been charged for, for fair share. Each evaluation charges them for what
 * they have used since the last one, and jobs that have ended in between for the rest.
 */
#ifndef LXFW_PBS_CHARGES_H
#define LXFW_PBS_CHARGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"

struct lxfw_pbs_charge {
	uint64_t id;
	int64_t started;	/* of the run */
	double used;		/* what it was charged for, with what counts as charged */
	bool seen;
};

struct lxfw_pbs_charges {
	struct lxfw_pbs_charge *charge;
	size_t count, size;
	struct lxfw_id_map by_id;
	int64_t since;		/* time of the first evaluation; 0: there was none */
	int64_t last;		/* of the evaluation before the present one; 0: there was none */
	int64_t now;		/* of the present one */
};

/* Begins an evaluation. */
void lxfw_pbs_charges_begin(struct lxfw_pbs_charges *charges, int64_t now);
/* Returns what job ID, whose run began at STARTED and has used USED by now, is to be charged for.
   What a run has used before the first evaluation may have been charged by another scheduler, and
   counts as charged. 0 as well if memory runs out. */
double lxfw_pbs_charges_due(struct lxfw_pbs_charges *charges, uint64_t id, int64_t started,
			    double used);
/* Forgets the jobs of earlier evaluations that this one has not met. */
void lxfw_pbs_charges_end(struct lxfw_pbs_charges *charges);
void lxfw_pbs_charges_clear(struct lxfw_pbs_charges *charges);

#endif
