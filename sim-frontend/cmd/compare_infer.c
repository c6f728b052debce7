/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/compare_infer.h"

#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/scenario_outages.h"
#include "sim-frontend/util/text.h"

static const struct {
	const char *name;
	unsigned kind;
} kinds_by_name[] = {
	{ "all", LXFW_INFER_ALL },
	{ "none", 0 },
	{ "outages", LXFW_INFER_OUTAGES },
	{ "holds", LXFW_INFER_HOLDS },
	{ "limits", LXFW_INFER_LIMITS },
};

int lxfw_compare_infer_kinds(const struct lxfw_command *command, const char *text,
			     unsigned *kinds)
{
	size_t count = sizeof(kinds_by_name) / sizeof(*kinds_by_name);

	*kinds = 0;
	for (const char *at = text; ; at++) {
		size_t length = strcspn(at, ","), i = 0;

		while (i < count &&
		       (strlen(kinds_by_name[i].name) != length ||
			strncmp(kinds_by_name[i].name, at, length) != 0))
			i++;
		if (i == count)
			return lxfw_cmd_misuse(command, "--infer '%.40s', "
				"expected all, none, or some of "
				"outages,holds,limits", text);
		if (kinds_by_name[i].kind == 0 && (at > text || at[length]))
			return lxfw_cmd_misuse(command, "--infer '%.40s', "
				"expected none alone", text);
		*kinds |= kinds_by_name[i].kind;
		at += length;
		if (!*at)
			return 0;
	}
}

int lxfw_compare_outages(struct lxfw_comparison *comparison,
			 struct lxfw_outages *outages, const char *path,
			 const struct lxfw_cluster *cluster)
{
	if (comparison->recorded->has_params) {
		if (path)
			lxfw_cmd_note("a journal contains its own hosts: "
				      "--outages is ignored");
		comparison->infer_asked = NULL;
		return 0;
	}
	if (!path) {
		if (comparison->infer == 0)
			comparison->infer_asked = NULL;
		return 0;
	}
	if (lxfw_cmd_outages(outages, path, cluster, comparison->recorded))
		return -1;
	comparison->outages = outages->outages;
	comparison->outage_count = outages->count;
	comparison->outages_from = outages->from;
	comparison->outages_until = outages->until;
	if (!comparison->infer_asked || comparison->infer == 0)
		comparison->infer_asked = "none, --outages";
	return 0;
}

/* Computes the mean waits of the jobs that started in both runs. */
static void mean_waits(const struct lxfw_recorded *recorded, double *measured,
		       double *simulated)
{
	double sums[2] = { 0, 0 };
	size_t count = 0;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (job->start == LXFW_UNKNOWN || job->simulated == LXFW_UNKNOWN)
			continue;
		sums[0] += (double)(job->start - job->request.submit);
		sums[1] += (double)(job->simulated - job->request.submit);
		count++;
	}
	*measured = count > 0 ? sums[0] / (double)count : 0;
	*simulated = count > 0 ? sums[1] / (double)count : 0;
}

int lxfw_compare_infer(struct lxfw_comparison *comparison,
		       const struct lxfw_params *params,
		       struct lxfw_inference *inference,
		       struct lxfw_error *error)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	const struct lxfw_infer_input input = {
		.params = params, .longest = lxfw_overhead_longest(&comparison->overhead),
		.kinds = comparison->infer,
		.given = comparison->outages, .given_count = comparison->outage_count,
		.given_from = comparison->outages_from,
		.given_until = comparison->outages_until,
	};

	*inference = (struct lxfw_inference) { .asked = comparison->infer_asked };
	mean_waits(recorded, &inference->measured, &inference->without);
	inference->with = inference->without;
	if (lxfw_infer(&inference->inferred, recorded, &input))
		return lxfw_error_system(error, "recorded or inferred outages");
	return 0;
}

int lxfw_compare_apply(struct lxfw_comparison *comparison,
		       const struct lxfw_params *params,
		       struct lxfw_inference *inference,
		       struct lxfw_error *error)
{
	struct lxfw_recorded *recorded = comparison->recorded;
	struct lxfw_engine_result result;

	if (lxfw_infer_apply(&inference->inferred, recorded))
		return lxfw_error_system(error, "recorded or inferred outages");
	if (lxfw_recorded_simulate(recorded, params, &comparison->overhead,
				   &result, error))
		return -1;
	mean_waits(recorded, &inference->measured, &inference->with);
	return 0;
}
