/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists users and classes of jobs that wait longer or shorter in the simulation than
   measured. */
#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/differences.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/user_gains.h"

static bool waits_of(const void *context, size_t at, double waits[2])
{
	const struct lxfw_comparison_report *report = context;
	const struct lxfw_recorded_job *job = &report->recorded->jobs[at];
	int64_t submit = lxfw_recorded_since(job);

	if (!lxfw_recorded_in_both(job))
		return false;
	waits[0] = (double)(job->start - submit);
	waits[1] = (double)(job->simulated - submit);
	return true;
}

static void put_classes(const struct lxfw_comparison_rows *by, const char *caption,
			struct lxfw_output *output)
{
	struct lxfw_difference rows[32];
	size_t count = by->count < 32 ? by->count : 32;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_comparison_row *row = &by->rows[i];

		rows[i] = (struct lxfw_difference) {
			.name = row->name,
			.jobs = row->side[LXFW_MEASURED].jobs,
			.before = row->side[LXFW_MEASURED].mean_wait,
			.after = row->side[LXFW_SIMULATED].mean_wait,
		};
	}
	lxfw_differences(output, caption, by->title, lxfw_page_sides, rows, count);
}

int lxfw_page_who(const struct lxfw_comparison_report *report,
		  struct lxfw_output *output)
{
	lxfw_page_section(output, "who", "Shorter and longer waits by group");
	lxfw_output_text(output, "<p>Simulated compared with measured waits. "
		"If the simulated policy is not the site's own, this shows "
		"which jobs it would serve better or worse, subject to the "
		"verdict above.</p>\n<div class=\"pair\">\n");
	put_classes(&report->by[LXFW_BY_RUN], "Mean wait by run time", output);
	put_classes(&report->by[LXFW_BY_SIZE], "Mean wait by processors", output);
	lxfw_output_text(output, "</div>\n");
	return lxfw_user_gains_recorded(output, lxfw_page_sides, report->recorded, waits_of,
					report);
}
