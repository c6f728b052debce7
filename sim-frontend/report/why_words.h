/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, reasons (common/model/reason.h) and resources in words, for `lxfw why`. */
#ifndef LXFW_REPORT_WHY_WORDS_H
#define LXFW_REPORT_WHY_WORDS_H

#include <stdio.h>

#include "common/model/reason.h"
#include "common/model/request.h"
#include "sim-frontend/report/why.h"
#include "sim-frontend/trace/extra_names.h"

/* Prints a time: seconds, or a local date; "never". */
void lxfw_why_put_time(const struct lxfw_why *why, int64_t second, FILE *out);

/* Prints a time as "45s", "12:05" or "3-04:05:06", as in Slurm. */
void lxfw_why_put_span(int64_t seconds, FILE *out);

/* Prints "in 2:00:00, at 1234". */
void lxfw_why_put_distance(const struct lxfw_why *why, int64_t second, FILE *out);

/* Prints a reason: "its user holds it", "a limit of its QOS on processors is reached". */
void lxfw_why_put_reason(enum lxfw_reason reason, enum lxfw_limited limited, FILE *out);

/* Whether it is known why the job waits, as Slurm says it, and that is more than that it waits for its
   turn or for room. */
bool lxfw_why_has_said(const struct lxfw_why *why);

/* Prints that, if it is so, and what would help. */
void lxfw_why_put_said(const struct lxfw_why *why, FILE *out);

/* What ends a reason of LXFW_REASONS_INELIGIBLE: "its user or an operator releases it". NULL: that
   is clear from the reason. */
const char *lxfw_why_end(enum lxfw_reason reason);

/* Prints the amounts of a request, ", 2 GPUs a100". NAMES may be NULL. */
void lxfw_why_put_extras(const struct lxfw_resources *sum,
			 const struct lxfw_extra_names *names, FILE *out);

/* Whether there seems to be room for the job, and Slurm, which has considered it, plans it for later. */
bool lxfw_why_is_planned_later(const struct lxfw_why *why);

/* Whether there seems to be room for the job, and Slurm does not consider it. */
bool lxfw_why_is_passed_over(const struct lxfw_why *why);

#endif
