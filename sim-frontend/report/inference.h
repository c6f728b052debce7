/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was inferred from a log, and its effect on the simulated waits, as text and
   JSON. */
#ifndef LXFW_REPORT_INFERENCE_H
#define LXFW_REPORT_INFERENCE_H

#include <stdio.h>

#include <json-c/json.h>

#include "sim-frontend/engine/recorded_shake.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/util/output.h"

/* Waits are means in seconds over the jobs that started in both runs. */
struct lxfw_inference {
	struct lxfw_inferred inferred;
	const char *asked;	/* argument of --infer: "all", "outages,limits" */
	double measured;
	double without, with;	/* simulated; equal if nothing was found */
	struct lxfw_shaken_range change;	/* `with` minus `without` over perturbed
						   copies; unused if nothing was found */
	struct lxfw_shaken_range range;		/* of the simulated mean over them */
	struct lxfw_shaken_range range_without;	/* of `without`; unused if nothing was found */
};

/* Returns whether anything was found that affects the simulation. */
bool lxfw_inference_any(const struct lxfw_inference *inference);

/* Writes a summary such as "3, 36.0h in all, 128 processors on the mean of it" to TEXT
   of SIZE bytes, with a remark if outages could not be determined. Returns TEXT. */
#define LXFW_INFERENCE_TEXT 200
const char *lxfw_inference_outages(const struct lxfw_inferred *inferred,
				   const struct lxfw_recorded *recorded, char *text,
				   size_t size);

/* RECORDED is the log from which it was inferred. */
void lxfw_inference_print(const struct lxfw_inference *inference,
			  const struct lxfw_recorded *recorded, FILE *out);

/* Writes one or two sentences of a paragraph. */
void lxfw_inference_page(const struct lxfw_inference *inference,
			 struct lxfw_output *output);

/* Returns NULL with errno ENOMEM. */
struct json_object *lxfw_inference_json(const struct lxfw_inference *inference,
					const struct lxfw_recorded *recorded);

#endif
