/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of GRES that hosts have. There may be any number of names; cluster_extras.h says
 * what a simulation makes of them.
 */
#ifndef LXFW_TRACE_CLUSTER_GRES_H
#define LXFW_TRACE_CLUSTER_GRES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An amount of the GRES with this name. */
struct lxfw_gres_amount {
	int32_t name;		/* index in the names of the table */
	int32_t count;
};

/* The GRES of a host, or of several equal ones: some consecutive amounts of the table. */
struct lxfw_gres_range {
	size_t first, count;
};

struct lxfw_gres_table {
	char **names;		/* a type follows its kind */
	int32_t count;
	size_t size;
	struct lxfw_gres_amount *amounts;
	size_t amount_count, amounts_size;
	bool *restricts;	/* by name, after lxfw_cluster_settle(): a type without an
				   extra, to whose hosts jobs are restricted */
};

/*
 * Adds COUNT of a GRES, "gpu" or "gpu:a100", to RANGE. A range that is empty ({0}) begins
 * here; one that is not must be the last one of the table. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_gres_add(struct lxfw_gres_table *table, struct lxfw_gres_range *range,
		  const char *name, size_t length, int64_t count);

/* Returns the index of a name, ignoring case, or -1. */
int32_t lxfw_gres_find(const struct lxfw_gres_table *table, const char *name, size_t length);

/* Returns the amount of the GRES NAME in a range. The amount of a kind excludes its types. */
int32_t lxfw_gres_count(const struct lxfw_gres_table *table,
			const struct lxfw_gres_range *range, int32_t name);

/* Returns whether a GRES of Slurm or a resource of OpenPBS counts GPUs. */
bool lxfw_gres_is_gpu(const char *name);

/* Returns the number of GPUs in a range. */
int64_t lxfw_gres_gpus(const struct lxfw_gres_table *table,
		       const struct lxfw_gres_range *range);

/* Returns whether GPUs of several types, or some without a type, are in a range. */
bool lxfw_gres_gpus_differ(const struct lxfw_gres_table *table,
			   const struct lxfw_gres_range *range);

/* Returns whether two ranges are equal amounts. */
bool lxfw_gres_same(const struct lxfw_gres_table *table, const struct lxfw_gres_range *a,
		    const struct lxfw_gres_range *b);

void lxfw_gres_clear(struct lxfw_gres_table *table);

#endif
