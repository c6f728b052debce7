/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/decisions.h"

void lxfw_grid_decisions_begin(struct lxfw_output *output)
{
	lxfw_output_text(output, "time,job_id,action,sites,rule,value,unit,other_site,"
			 "other_value\n");
}

void lxfw_grid_parts_text(struct lxfw_output *output, const struct lxfw_sites *sites,
			  const struct lxfw_grid_part *parts, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		lxfw_output_format(output, "%s%s:%d", i > 0 ? "+" : "",
				   sites->list[parts[i].site].name, (int)parts[i].procs);
}

/* Rules contain commas. */
static void put_reason(struct lxfw_output *output, const struct lxfw_sites *sites,
		       const struct lxfw_grid_reason *reason)
{
	if (!reason || !reason->rule) {
		lxfw_output_text(output, ",,,,");
		return;
	}
	lxfw_output_format(output, "\"%s\",", reason->rule);
	if (*reason->unit)
		lxfw_output_integer(output, reason->value);
	lxfw_output_format(output, ",%s,", reason->unit);
	if (reason->other >= 0) {
		lxfw_output_text(output, sites->list[reason->other].name);
		lxfw_output_text(output, ",");
		lxfw_output_integer(output, reason->other_value);
	} else {
		lxfw_output_text(output, ",");
	}
}

void lxfw_grid_decision(struct lxfw_output *output, const struct lxfw_sites *sites,
			int64_t time, int64_t job, const char *action,
			const struct lxfw_grid_part *parts, int32_t count,
			const struct lxfw_grid_reason *reason)
{
	lxfw_output_integer(output, time);
	lxfw_output_text(output, ",");
	lxfw_output_integer(output, job);
	lxfw_output_format(output, ",%s,", action);
	lxfw_grid_parts_text(output, sites, parts, count);
	lxfw_output_text(output, ",");
	put_reason(output, sites, reason);
	lxfw_output_text(output, "\n");
}
