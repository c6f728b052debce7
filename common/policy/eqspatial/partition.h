/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dividing the processors of one host among the jobs on it: the arithmetic of
 * EQspatial (Chiang and Vernon 2001, sections 2.5 and 4.4), apart from any books.
 *
 * Jobs stand in the order of their placement. Each says the fewest processors that it
 * can do with. A running job never has less than one, even where there are fewer
 * processors than running jobs, and its fewest as far as they go round; of the others
 * the first get their fewest, up to the first that cannot have them.
 */
#ifndef LXFW_POLICY_EQSPATIAL_PARTITION_H
#define LXFW_POLICY_EQSPATIAL_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_partner {
	int32_t asked;		/* the most that it uses, 1 or more */
	int32_t min_procs;		/* the fewest; 0: one. At most `asked` */
	int32_t has;		/* before */
	int32_t procs;		/* what it gets */
	bool running;
	bool full;		/* is to have what it asked for */
	bool settled;		/* private */
};

/* Divide TOTAL processors among the first COUNT PARTNERS as equally as what they
   asked for, and the fewest of each, allow. What does not divide goes to those that have more than the
   others get, so that fewer of them change, then to the first. `full` is passed
   over. */
void lxfw_partition_equally(struct lxfw_partner *partners, int32_t count,
			    int32_t total);

/* The same, but first those that are to have all they asked for get it, one after
   the other, as far as each of all others keeps its fewest. */
void lxfw_partition(struct lxfw_partner *partners, int32_t count, int32_t total);

#endif
