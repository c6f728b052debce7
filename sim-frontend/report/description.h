/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The character of a workload as text or JSON. */
#ifndef LXFW_REPORT_DESCRIPTION_H
#define LXFW_REPORT_DESCRIPTION_H

#include <stdio.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/workload/character.h"
#include "sim-frontend/workload/ncsa_o2k_check.h"

struct lxfw_description {
	const char *trace;			/* its path */
	const struct lxfw_character *character;
	const struct lxfw_class_scheme *classes;
	int64_t procs;				/* of the machine; 0 = not known */
	int64_t memory_mb;			/* likewise */
	const struct lxfw_ncsa_o2k_check *check;	/* NULL for other traces */
};

void lxfw_description_print(const struct lxfw_description *description,
			    FILE *out);

/* As JSON, or as CSV, see util/json_out.h. 0, or -1 with errno ENOMEM. */
int lxfw_description_print_json(const struct lxfw_description *description,
				enum lxfw_format format, FILE *out);

/* Per cent of what the machine can give in so many seconds; -1 if its processors or
   memory are not known. */
double lxfw_description_proc_demand(const struct lxfw_description *description,
				    const struct lxfw_job_group *group,
				    int64_t seconds);
double lxfw_description_memory_demand(const struct lxfw_description *description,
				      const struct lxfw_job_group *group,
				      int64_t seconds);

/* "1000 s - 10000 s" of a group of times, "17-32" of one of sizes; SIZE 48 is
   enough. */
const char *lxfw_description_time(int group, char *name, size_t size);
const char *lxfw_description_size(int group, char *name, size_t size);

#endif
