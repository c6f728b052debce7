/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The choice of a cluster for a job, by the rules of the brokers of common/grid/share.c. It
 * depends on the offers of the clusters only; of equal offers the first one is chosen.
 */
#ifndef LXFW_ROUTE_CHOICE_H
#define LXFW_ROUTE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* What a cluster says of a job. Times are seconds from now on: clocks may differ. */
struct lxfw_route_offer {
	bool usable;		/* the job can start there */
	int64_t wait;		/* until it starts */
	int64_t run;		/* expected run time there */
	int64_t free, procs;	/* processors that are not allocated, and all */
	int64_t work;		/* of waiting jobs, processor-seconds */
};

struct lxfw_route_rule {
	const char *name;
	/* Whether A is better than B. */
	bool (*better)(const struct lxfw_route_offer *a, const struct lxfw_route_offer *b);
};

/* Returns NULL if there is none of this name. Names are numbered from 0; NULL: no more. */
const struct lxfw_route_rule *lxfw_route_rule_find(const char *name);
const char *lxfw_route_rule_name(int number);

/* Returns the index of the best usable offer, or -1. */
int lxfw_route_best(const struct lxfw_route_rule *rule, const struct lxfw_route_offer *offers,
		    int count);

/* Seconds by which a waiting job would be better off with OFFER than with HERE: it ends
   earlier. Negative: later. */
int64_t lxfw_route_gain(const struct lxfw_route_offer *here,
			const struct lxfw_route_offer *offer);

#endif
