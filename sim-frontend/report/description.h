/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The characteristics of a workload as text or JSON. */
#ifndef LXFW_REPORT_DESCRIPTION_H
#define LXFW_REPORT_DESCRIPTION_H

#include <stdio.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/workload/character.h"
#include "sim-frontend/workload/ncsa_o2k_check.h"
#include "sim-frontend/workload/partition_demand.h"

struct lxfw_description {
	const char *trace;			/* path of the trace */
	const struct lxfw_character *character;
	const struct lxfw_class_scheme *classes;
	int64_t procs;				/* of the machine; 0: unknown */
	int64_t memory_mb;			/* of the machine; 0: unknown */
	const struct lxfw_ncsa_o2k_check *check;	/* NULL for other traces */
	struct lxfw_partition_demands partitions;	/* may be empty */
};

/* Returns AMOUNT seconds in per cent of CAPACITY in the period of the jobs, or -1 if that is
   0. */
double lxfw_description_demand(const struct lxfw_description *description, double amount,
			       int64_t capacity);


void lxfw_description_print(const struct lxfw_description *description,
			    FILE *out);

/* Prints JSON or CSV, see util/json_out.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_description_print_json(const struct lxfw_description *description,
				enum lxfw_format format, FILE *out);

/* Returns the demand in per cent of the machine's capacity in SECONDS, or -1 if its
   processors or memory are unknown. */
double lxfw_description_proc_demand(const struct lxfw_description *description,
				    const struct lxfw_job_group *group,
				    int64_t seconds);
double lxfw_description_memory_demand(const struct lxfw_description *description,
				      const struct lxfw_job_group *group,
				      int64_t seconds);

/* Formats "1000 s - 10000 s" for a class of times and "17-32" for one of sizes. A SIZE
   of 48 is sufficient. */
const char *lxfw_description_time(int group, char *name, size_t size);
const char *lxfw_description_size(int group, char *name, size_t size);

#endif
