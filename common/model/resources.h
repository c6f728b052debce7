/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a host has and a job asks for: processors, memory in MB, and counted
 * extras (GPUs by type and the like). The meaning of each extra is the
 * adapter's business; the library only counts them.
 *
 * Amounts may become negative in a host's free resources when a workload
 * manager gave out more than the host has; nothing fits there until it has
 * recovered.
 */
#ifndef LXFW_MODEL_RESOURCES_H
#define LXFW_MODEL_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#define LXFW_EXTRAS_MAX 5

/* Memory of a host whose memory is not counted. Anything from here on means
   so, and is left out of the cluster's mean memory per processor. */
#define LXFW_MEMORY_UNLIMITED ((int64_t)1 << 50)

struct lxfw_resources {
	int64_t memory_mb;
	int32_t procs;
	int32_t extras[LXFW_EXTRAS_MAX];
};

static inline bool lxfw_resources_fit(const struct lxfw_resources *need,
				      const struct lxfw_resources *available)
{
	bool fits = need->procs <= available->procs &&
		    need->memory_mb <= available->memory_mb;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		fits &= need->extras[i] <= available->extras[i];
	return fits;
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

/* Component-wise minimum of *LOW and AMOUNT into *LOW. */
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

/* How many of UNIT fit into AVAILABLE at once; 0 or more, at most MOST. */
int32_t lxfw_resources_count(const struct lxfw_resources *unit,
			     const struct lxfw_resources *available,
			     int32_t most);

/* A part of one host given to, or held for, a job. */
struct lxfw_share {
	int32_t host;
	struct lxfw_resources amount;
};

#endif
