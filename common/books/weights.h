/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights of hosts: hosts of a lower weight are used first. A placement tries the hosts
 * of the lowest weight alone, then those of the next weight with them, and so on, until
 * the job fits (slurm.conf(5), Weight of a node). A job's earliest start does not depend
 * on weights: they say which hosts it gets at that time.
 *
 * A host that is asleep has a boot time. A job on such a host occupies all its hosts for
 * the longest boot time of any host in addition to its run time. Hosts that are up are
 * tried alone first.
 */
#ifndef LXFW_BOOKS_WEIGHTS_H
#define LXFW_BOOKS_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_request;
struct lxfw_share;
struct lxfw_sched;

struct lxfw_weighted {
	int64_t weight;
	int32_t host;
};

/* The orders in which hosts are tried. */
enum lxfw_weights_order {
	LXFW_BY_WEIGHT,
	LXFW_EXTRAS_LAST,	/* hosts with extras after all that have none */
	LXFW_WEIGHTS_ORDERS
};

struct lxfw_weights {
	int64_t *of;		/* of each host, as events have told */
	size_t of_size;
	int64_t *boot;		/* boot time of each host, seconds */
	size_t boot_size;
	int64_t most_boot;	/* the longest of the hosts that are up */
	struct {
		struct lxfw_weighted *hosts;	/* all, ascending by weight, then
						   index; if there are several */
		size_t size;
		bool several;	/* not all weights are the same */
	} orders[LXFW_WEIGHTS_ORDERS];
	uint64_t *members;	/* scratch of a placement: a bit for each host */
	size_t members_size;
	bool differ;		/* in one of the orders there are several */
	bool stale;		/* hosts have changed since the orders were made */
};

/* Make room for the weight of HOST, at most one more than there are. 0, or -1 with
   errno ENOMEM. */
int lxfw_weights_ready(struct lxfw_sched *sched, int32_t host);

/* The host, for which room was made, has this weight and boot time. Its totals may have
   changed. */
void lxfw_weights_set(struct lxfw_sched *sched, int32_t host, int64_t weight,
		      int64_t boot);

/* Recompute the orders if they are stale. Return 0, or -1 with errno ENOMEM. */
int lxfw_weights_update(struct lxfw_sched *sched);

/* The hosts in the order in which they are tried for a request, if weights differ; NULL:
   all at once. */
const struct lxfw_weighted *lxfw_weights_for(const struct lxfw_sched *sched,
					     const struct lxfw_request *request);

/* The boot time in seconds that counts for a job on COUNT shares: 0 if their hosts are all up,
   otherwise the longest of any host. A search counts the same, so that a
   reservation, made again, is possible where it was. */
int64_t lxfw_weights_boot_of(const struct lxfw_weights *weights,
			     const struct lxfw_share *shares, int32_t count);

void lxfw_weights_clear(struct lxfw_weights *weights);

#endif
