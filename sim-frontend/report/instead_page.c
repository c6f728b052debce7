/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/instead.h"

#include <math.h>

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/report/user_gains.h"

static const char *const sides[LXFW_INSTEAD_SIDES] = { "present", "instead" };

/* The change is stated if it is not NULL. */
static void put_card(struct lxfw_output *output, const char *title, const char *present,
		     const char *instead, const double *change)
{
	lxfw_page_card_begin(output, title);
	lxfw_output_format(output, "<p class=\"m\"><b>%s</b> present</p>\n"
			   "<p class=\"s\"><b>%s</b> instead</p>\n", present, instead);
	if (change) {
		lxfw_output_text(output, "<p class=\"soft\">");
		lxfw_page_change(output, *change, "%");
		lxfw_output_text(output, "</p>");
	}
	lxfw_page_card_end(output);
}

static void put_wait(struct lxfw_output *output, const char *title, double present,
		     double instead, bool credible)
{
	double change = lxfw_page_change_of(present, instead);
	char text[LXFW_INSTEAD_SIDES][32];

	put_card(output, title, lxfw_format_span(present, text[0], 32),
		 lxfw_format_span(instead, text[1], 32), credible ? &change : NULL);
}

static void put_cards(const struct lxfw_instead *instead, struct lxfw_output *output)
{
	const struct lxfw_metrics *p = &instead->side[LXFW_PRESENT];
	const struct lxfw_metrics *i = &instead->side[LXFW_INSTEAD];
	double slowdown = lxfw_page_change_of(p->mean_bounded_slowdown,
					      i->mean_bounded_slowdown);
	bool credible = lxfw_instead_credible(instead);
	char text[LXFW_INSTEAD_SIDES][32];

	for (int side = 0; side < LXFW_INSTEAD_SIDES; side++)
		snprintf(text[side], sizeof(text[side]), "%.3g",
			 instead->side[side].mean_bounded_slowdown);
	lxfw_page_cards_begin(output);
	put_wait(output, "Mean wait", p->mean_wait, i->mean_wait, credible);
	put_wait(output, "Median wait", (double)p->median_wait, (double)i->median_wait,
		 credible);
	put_wait(output, "95th percentile wait", (double)p->p95_wait,
		 (double)i->p95_wait, credible);
	put_wait(output, "Longest wait", (double)p->max_wait, (double)i->max_wait, credible);
	put_card(output, "Mean bounded slowdown", text[0], text[1],
		 credible ? &slowdown : NULL);
	lxfw_page_cards_end(output);
}

static bool waits_of(const void *context, size_t at, double waits[2])
{
	const struct lxfw_instead *instead = context;
	const struct lxfw_recorded_job *job = &instead->recorded->jobs[at];
	int64_t submit = lxfw_recorded_since(job);

	if (instead->starts[at] == LXFW_UNKNOWN || job->simulated == LXFW_UNKNOWN ||
	    lxfw_recorded_cancelled(job))
		return false;
	waits[0] = (double)(job->simulated - submit);
	waits[1] = (double)(instead->starts[at] - submit);
	return true;
}

int lxfw_instead_page(const struct lxfw_instead *instead, struct lxfw_output *output)
{
	bool credible = lxfw_instead_credible(instead);
	char text[400];

	lxfw_page_section(output, "instead", "With other parameters instead");
	lxfw_output_text(output, "<p>Both simulated: the present scheduler, and <code>");
	lxfw_html_text(output, instead->params);
	lxfw_output_text(output, "</code>.</p>\n<p><b>");
	lxfw_html_text(output, lxfw_instead_conclusion(instead, text, sizeof(text)));
	lxfw_output_text(output, "</b>");
	if (credible)
		lxfw_output_format(output, " Of %zu jobs, %zu would start earlier and %zu later.",
				   instead->jobs, instead->earlier, instead->later);
	lxfw_output_text(output, "</p>\n");
	put_cards(instead, output);
	/* the changes of users would be conclusions, too */
	if (!credible)
		return 0;
	return lxfw_user_gains_recorded(output, sides, instead->recorded, waits_of, instead);
}
