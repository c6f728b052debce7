/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/scenario_outages.h"

#include "sim-frontend/infer/infer.h"
#include "sim-frontend/report/inference.h"

int lxfw_cmd_outages(struct lxfw_outages *outages, const char *path,
		     const struct lxfw_cluster *cluster,
		     const struct lxfw_recorded *recorded)
{
	struct lxfw_error error;

	if (lxfw_outages_read(outages, path, cluster, recorded, &error))
		return lxfw_cmd_bad(&error), -1;
	if (outages->unknown > 0)
		lxfw_cmd_note("%s: %zu records left out: their nodes are not "
			      "in the cluster", path, outages->unknown);
	if (outages->count == 0)
		lxfw_cmd_note("%s: no outages recorded; 'sacctmgr show event' "
			      "lists only those since yesterday, unless start= "
			      "is given", path);
	return 0;
}

static void note(const struct lxfw_scenario *scenario,
		 const struct lxfw_inferred *inferred,
		 const struct lxfw_recorded *recorded)
{
	char text[LXFW_INFERENCE_TEXT];

	lxfw_cmd_note("%s: outages (%s%s): %s", scenario->path,
		      scenario->infer ? "--infer outages" : "--infer none",
		      scenario->outages ? ", --outages" : "",
		      lxfw_inference_outages(inferred, recorded, text,
					     sizeof(text)));
}

int lxfw_scenario_outages(struct lxfw_scenario *scenario,
			  struct lxfw_recorded *recorded,
			  const struct lxfw_overhead *overhead)
{
	struct lxfw_outages outages = { 0 };
	struct lxfw_infer_input input = {
		.params = &scenario->options.params,
		.longest = lxfw_overhead_longest(overhead),
		.kinds = scenario->infer,
	};
	struct lxfw_inferred inferred = { 0 };
	int failed;

	if (scenario->infer == 0 && !scenario->outages)
		return 0;
	if (scenario->outages &&
	    lxfw_cmd_outages(&outages, scenario->outages, &scenario->cluster,
			     recorded))
		return -1;
	input.given = outages.outages;
	input.given_count = outages.count;
	input.given_from = outages.from;
	input.given_until = outages.until;
	failed = lxfw_infer(&inferred, recorded, &input) ||
		 lxfw_infer_change_cluster(&inferred, recorded,
					   &scenario->cluster);
	if (failed)
		lxfw_cmd_note("out of memory");
	else
		note(scenario, &inferred, recorded);
	lxfw_inferred_clear(&inferred);
	lxfw_outages_clear(&outages);
	return failed ? -1 : 0;
}
