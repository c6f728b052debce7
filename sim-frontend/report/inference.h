/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was inferred from a log, and what it does to the simulated waits: as text and
   as JSON. */
#ifndef LXFW_REPORT_INFERENCE_H
#define LXFW_REPORT_INFERENCE_H

#include <stdio.h>

#include <json-c/json.h>

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/util/output.h"

/* Mean waits of the jobs that started in both, s. */
struct lxfw_inference {
	struct lxfw_inferred inferred;
	const char *asked;	/* "all", "outages,limits", of --infer */
	double measured;
	double without, with;	/* simulated; the same where nothing was found */
};

/* Whether anything was found that is simulated. */
bool lxfw_inference_any(const struct lxfw_inference *inference);

/* "3, 36.0h in all, 128 processors on the mean of it", and that more cannot be told if so,
   to TEXT of SIZE bytes; TEXT. */
#define LXFW_INFERENCE_TEXT 200
const char *lxfw_inference_outages(const struct lxfw_inferred *inferred,
				   const struct lxfw_recorded *recorded, char *text,
				   size_t size);

/* RECORDED is what it was inferred from. */
void lxfw_inference_print(const struct lxfw_inference *inference,
			  const struct lxfw_recorded *recorded, FILE *out);

/* A sentence or two of a page's paragraph. */
void lxfw_inference_page(const struct lxfw_inference *inference,
			 struct lxfw_output *output);

/* NULL with errno ENOMEM. */
struct json_object *lxfw_inference_json(const struct lxfw_inference *inference,
					const struct lxfw_recorded *recorded);

#endif
