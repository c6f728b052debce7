/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expected starts of jobs as text, JSON or CSV. */
#ifndef LXFW_REPORT_EXPECTED_H
#define LXFW_REPORT_EXPECTED_H

#include <stdio.h>

#include "sim-frontend/predict/live.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/util/format.h"

/* What is said if moments of other machines count, see predict/remaining.h. */
#define LXFW_EXPECTED_ELSEWHERE \
	"intervals are partly those of other machines: too little is known of this one yet"

struct lxfw_expected_table {
	const struct lxfw_live *live;
	struct lxfw_live_machine machine;
	const struct lxfw_job_names *names;
	const struct lxfw_expected *jobs;
	size_t count, waiting;
	bool dates;		/* print local dates instead of seconds */
};

void lxfw_expected_text(const struct lxfw_expected_table *table, FILE *out);

/* Prints JSON or CSV, see util/json_out.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_expected_json(const struct lxfw_expected_table *table, enum lxfw_format format,
		       FILE *out);

/* The same of the waiting jobs of a publication. JSON lacks how it was made. */
void lxfw_expected_published(const struct lxfw_publication *publication, FILE *out);
int lxfw_expected_published_json(const struct lxfw_publication *publication,
				 enum lxfw_format format, FILE *out);

#endif
