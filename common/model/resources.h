/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resources of a host or a request: processors, memory in MB, and counted extras such as
 * GPUs by type. The adapter assigns a meaning to each extra; the library only counts
 * them.
 *
 * The free resources of a host are negative if the workload manager has allocated more
 * than the host has. No job fits on the host until they are positive again.
 */
#ifndef LXFW_MODEL_RESOURCES_H
#define LXFW_MODEL_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LXFW_EXTRAS_MAX 5

/* Memory of a host on which memory is not counted. Larger values mean the same. Such
   hosts are left out of the cluster's mean memory per processor. */
#define LXFW_MEMORY_UNLIMITED ((int64_t)1 << 50)

struct lxfw_resources {
	int64_t memory_mb;
	int32_t procs;
	int32_t extras[LXFW_EXTRAS_MAX];
};

static inline bool lxfw_resources_fit(const struct lxfw_resources *need,
				      const struct lxfw_resources *available)
{
	bool fits = true;

	if (need->procs > available->procs || need->memory_mb > available->memory_mb)
		return false;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		fits &= need->extras[i] <= available->extras[i];
	return fits;
}

static inline bool lxfw_resources_equal(const struct lxfw_resources *one,
					const struct lxfw_resources *other)
{
	_Static_assert(sizeof(*one) == sizeof(one->memory_mb) + sizeof(one->procs) +
		       sizeof(one->extras), "resources have no padding");
	return memcmp(one, other, sizeof(*one)) == 0;
}

static inline bool lxfw_resources_are_none(const struct lxfw_resources *amount)
{
	bool none = amount->procs == 0 && amount->memory_mb == 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		none &= amount->extras[i] == 0;
	return none;
}

/* Whether an amount has something other than processors. */
static inline bool lxfw_resources_have_more(const struct lxfw_resources *amount)
{
	bool more = amount->memory_mb != 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		more |= amount->extras[i] != 0;
	return more;
}

static inline void lxfw_resources_add(struct lxfw_resources *sum,
				      const struct lxfw_resources *amount)
{
	sum->procs += amount->procs;
	sum->memory_mb += amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		sum->extras[i] += amount->extras[i];
}

static inline void lxfw_resources_subtract(struct lxfw_resources *sum,
					   const struct lxfw_resources *amount)
{
	sum->procs -= amount->procs;
	sum->memory_mb -= amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		sum->extras[i] -= amount->extras[i];
}

/* Set each component of *LOW to the minimum of *LOW and *AMOUNT. */
static inline void lxfw_resources_lower(struct lxfw_resources *low,
					const struct lxfw_resources *amount)
{
	if (amount->procs < low->procs)
		low->procs = amount->procs;
	if (amount->memory_mb < low->memory_mb)
		low->memory_mb = amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (amount->extras[i] < low->extras[i])
			low->extras[i] = amount->extras[i];
	}
}

static inline struct lxfw_resources
lxfw_resources_times(const struct lxfw_resources *unit, int32_t count)
{
	struct lxfw_resources product = {
		.memory_mb = unit->memory_mb * count,
		.procs = unit->procs * count,
	};

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		product.extras[i] = unit->extras[i] * count;
	return product;
}

/* Number of UNITs that fit into AVAILABLE together, from 0 to MOST. */
int32_t lxfw_resources_count(const struct lxfw_resources *unit,
			     const struct lxfw_resources *available,
			     int32_t most);

/* The part of one host that is allocated to, reserved for, or kept by a job. */
struct lxfw_share {
	int32_t host;
	uint32_t sockets;	/* its GPUs by socket (model/sockets.h); 0: unknown */
	struct lxfw_resources amount;
};

#endif
