/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/weights.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "common/util/grow.h"

int lxfw_weights_ready(struct lxfw_sched *sched, int32_t host)
{
	struct lxfw_weights *weights = &sched->weights;

	if (LXFW_GROW(weights->of, weights->of_size, (size_t)host + 1))
		return -1;
	return LXFW_GROW(weights->boot, weights->boot_size, (size_t)host + 1) ?
		       -1 : 0;
}

/* Hosts of a kind have the same boot time. */
static uint64_t tag_of(int64_t boot)
{
	return boot ? lxfw_kinds_hash((uint64_t)boot << 32) : 0;
}

void lxfw_weights_set(struct lxfw_sched *sched, int32_t host, int64_t weight,
		      int64_t boot)
{
	lxfw_kinds_tag(&sched->profile, host,
		       tag_of(boot) - tag_of(sched->weights.boot[host]));
	sched->weights.of[host] = weight;
	sched->weights.boot[host] = boot;
	sched->weights.stale = true;
}

static bool has_extras(const struct lxfw_resources *amount)
{
	bool any = false;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		any |= amount->extras[i] > 0;
	return any;
}

static int by_weight(const void *a, const void *b)
{
	const struct lxfw_weighted *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return (x->host > y->host) - (x->host < y->host);
}

/* The weight of a host in an order. Extras weigh more than any two weights differ. */
static int64_t weight_in(const struct lxfw_sched *sched,
			 enum lxfw_weights_order order, int32_t host)
{
	int64_t weight = sched->weights.of[host];

	if (order == LXFW_EXTRAS_LAST &&
	    has_extras(&sched->profile.hosts[host].total))
		weight += 2 * LXFW_HOST_WEIGHT_MAX + 1;
	return weight;
}

static int make_order(struct lxfw_sched *sched, enum lxfw_weights_order order)
{
	struct lxfw_weights *weights = &sched->weights;
	int32_t count = sched->profile.host_count;
	bool several = false;

	for (int32_t i = 1; i < count && !several; i++)
		several = weight_in(sched, order, i) != weight_in(sched, order, 0);
	weights->orders[order].several = several;
	if (!several)
		return 0;
	if (LXFW_GROW(weights->orders[order].hosts, weights->orders[order].size,
		      (size_t)count) ||
	    LXFW_GROW(weights->members, weights->members_size,
		      ((size_t)count + 63) / 64))
		return -1;
	for (int32_t i = 0; i < count; i++)
		weights->orders[order].hosts[i] = (struct lxfw_weighted){
			weight_in(sched, order, i), i
		};
	qsort(weights->orders[order].hosts, (size_t)count,
	      sizeof(*weights->orders[order].hosts), by_weight);
	return 0;
}

int lxfw_weights_update(struct lxfw_sched *sched)
{
	if (!sched->weights.stale)
		return 0;
	sched->weights.most_boot = 0;
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (sched->profile.hosts[i].up &&
		    sched->weights.boot[i] > sched->weights.most_boot)
			sched->weights.most_boot = sched->weights.boot[i];
	}
	if (make_order(sched, LXFW_BY_WEIGHT) < 0 ||
	    make_order(sched, LXFW_EXTRAS_LAST) < 0)
		return -1;
	sched->weights.differ = sched->weights.orders[LXFW_BY_WEIGHT].several ||
				sched->weights.orders[LXFW_EXTRAS_LAST].several;
	sched->weights.stale = false;
	return 0;
}

const struct lxfw_weighted *lxfw_weights_for(const struct lxfw_sched *sched,
					     const struct lxfw_request *request)
{
	enum lxfw_weights_order order = LXFW_BY_WEIGHT;

	if (sched->params.spare_gpus == LXFW_SPARE_GPUS_ON &&
	    !has_extras(&request->unit) && !has_extras(&request->per_host))
		order = LXFW_EXTRAS_LAST;
	return sched->weights.orders[order].several ?
		       sched->weights.orders[order].hosts : NULL;
}

int64_t lxfw_weights_boot_of(const struct lxfw_weights *weights,
			     const struct lxfw_share *shares, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		if (weights->boot[shares[i].host] > 0)
			return weights->most_boot;
	}
	return 0;
}

void lxfw_weights_clear(struct lxfw_weights *weights)
{
	free(weights->of);
	free(weights->boot);
	free(weights->members);
	for (int i = 0; i < LXFW_WEIGHTS_ORDERS; i++)
		free(weights->orders[i].hosts);
}
