/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A verdict in a table, in JSON and on a page. */
#ifndef LXFW_REPORT_VERDICT_TEXT_H
#define LXFW_REPORT_VERDICT_TEXT_H

#include <stdio.h>

#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/util/output.h"

struct json_object;

/* Prints "verdict: good for decisions", the reasons and the next step on separate
   lines, and an empty line. */
void lxfw_verdict_print(const struct lxfw_verdict *verdict, FILE *out);

/* Returns {"level", "reasons", "next"}, or NULL with errno ENOMEM. */
struct json_object *lxfw_verdict_json(const struct lxfw_verdict *verdict);

/* Writes a box with the verdict. */
void lxfw_verdict_page(const struct lxfw_verdict *verdict,
		       struct lxfw_output *output);

#endif
