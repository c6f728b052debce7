/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a comparison that has been measured. */
#include "sim-frontend/report/comparison.h"

double lxfw_comparison_unexplained(const struct lxfw_comparison_report *report)
{
	const struct lxfw_unexplained *all = &report->unexplained[LXFW_MEASURED];
	double seconds = 0;

	for (int part = LXFW_WAIT_PASSED; part < LXFW_WAIT_PARTS; part++)
		seconds += all->parts[part].seconds;
	return all->wait_seconds > 0 ? seconds / all->wait_seconds : 0;
}

double lxfw_comparison_part(const struct lxfw_comparison_report *report,
			    enum lxfw_side side, enum lxfw_wait_part part)
{
	const struct lxfw_unexplained *all = &report->unexplained[side];

	return all->jobs ? all->parts[part].seconds / (double)all->jobs : 0;
}

bool lxfw_comparison_shows(const struct lxfw_comparison_report *report,
			   enum lxfw_wait_part part)
{
	return part < LXFW_WAIT_MEMORY || part > LXFW_WAIT_AWAY ||
	       report->unexplained[LXFW_MEASURED].parts[part].seconds > 0 ||
	       report->unexplained[LXFW_SIMULATED].parts[part].seconds > 0;
}

double lxfw_comparison_row_figure(const struct lxfw_comparison_row *row,
				  enum lxfw_comparison_figure figure)
{
	const struct lxfw_metrics *simulated = &row->side[LXFW_SIMULATED];

	switch (figure) {
	case LXFW_FIGURE_MEAN:
		return simulated->mean_wait;
	case LXFW_FIGURE_MEDIAN:
		return (double)simulated->median_wait;
	case LXFW_FIGURE_P95:
		return (double)simulated->p95_wait;
	case LXFW_FIGURE_MAX:
		return (double)simulated->max_wait;
	default:
		return simulated->mean_bounded_slowdown;
	}
}

double lxfw_comparison_figure(const struct lxfw_comparison_report *report,
			      enum lxfw_comparison_figure figure)
{
	const struct lxfw_waits *simulated = &report->simulated;

	switch (figure) {
	case LXFW_FIGURE_MEAN:
		return simulated->mean;
	case LXFW_FIGURE_MEDIAN:
		return (double)simulated->median;
	case LXFW_FIGURE_P95:
		return (double)simulated->p95;
	case LXFW_FIGURE_MAX:
		return (double)simulated->max;
	case LXFW_FIGURE_BOUNDED:
		return report->side[LXFW_SIMULATED].mean_bounded_slowdown;
	case LXFW_FIGURE_SLOWDOWN:
		return report->side[LXFW_SIMULATED].mean_slowdown;
	default:
		return report->utilization[LXFW_SIMULATED];
	}
}

const char *lxfw_comparison_figure_key(enum lxfw_comparison_figure figure)
{
	static const char *const keys[LXFW_FIGURES] = {
		"mean_wait_s", "median_wait_s", "p95_wait_s", "max_wait_s",
		"mean_bounded_slowdown", "mean_slowdown", "utilization",
	};

	return keys[figure];
}
