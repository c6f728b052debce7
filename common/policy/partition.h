/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dividing the processors of one host among the jobs on it: the arithmetic of
 * EQspatial (Chiang and Vernon 2001, sections 2.5 and 4.4), apart from any books.
 *
 * Jobs stand in the order of their placement. A running job never has less than
 * one processor, even where there are fewer processors than running jobs; of the
 * others the first get one each while there are any.
 */
#ifndef LXFW_POLICY_PARTITION_H
#define LXFW_POLICY_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_partner {
	int32_t asked;		/* the most that it uses, 1 or more */
	int32_t has;		/* before */
	int32_t procs;		/* what it gets */
	bool running;
	bool full;		/* is to have what it asked for */
};

/* Divide TOTAL processors among the first COUNT PARTNERS as equally as what they
   asked for allows. What does not divide goes to those that have more than the
   others get, so that fewer of them change, then to the first. `full` is passed
   over. */
void lxfw_partition_equally(struct lxfw_partner *partners, int32_t count,
			    int32_t total);

/* The same, but first those that are to have all they asked for get it, one after
   the other, as far as each of all others keeps one. */
void lxfw_partition(struct lxfw_partner *partners, int32_t count, int32_t total);

#endif
