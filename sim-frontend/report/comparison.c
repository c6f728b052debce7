/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a comparison as text and CSV. */
#include "sim-frontend/report/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/report/overhead_text.h"
#include "sim-frontend/report/shaken_text.h"
#include "sim-frontend/report/verdict_text.h"
#include "sim-frontend/util/letters.h"

/* Number of rows in tables of queues or users; JSON has all rows. */
#define ROWS_SHOWN 12

static int64_t measured_wait(const struct lxfw_recorded_job *job)
{
	return job->start - lxfw_recorded_since(job);
}

static int64_t simulated_wait(const struct lxfw_recorded_job *job)
{
	return job->simulated - lxfw_recorded_since(job);
}

static void print_head(const struct lxfw_comparison_report *report, FILE *out)
{
	char text[LXFW_OVERHEAD_TEXT];

	lxfw_verdict_print(&report->verdict, out);
	if (report->verdict_of_recorded)
		fprintf(out, "The verdict concerns the simulation with the "
			"recorded parameters.\n");
	fprintf(out, "policy %s, %zu jobs", report->policy, report->jobs);
	if (report->not_compared > report->no_end)
		fprintf(out, " (left out: %zu that did not start in both)",
			report->not_compared - report->no_end);
	putc('\n', out);
	if (report->no_end > 0)
		fprintf(out, "not compared: %zu job%s no end in the log\n",
			report->no_end, report->no_end == 1 ? " has" : "s have");
	if (report->assumed)
		fprintf(out, "assumed: %s\n", report->assumed);
	if (report->recorded->kept > 0)
		fprintf(out, "not eligible for a time, which is no part of their waits: %zu\n",
			report->recorded->kept);
	if (report->recorded->left > 0)
		fprintf(out, "left to the workload manager: %zu\n", report->recorded->left);
	if (report->cancelled > 0)
		fprintf(out, "cancelled or held before they started: %zu, %s\n",
			report->cancelled, report->recorded->cancelled ==
			LXFW_CANCELLED_UNTIL ? "simulated until they were "
					       "cancelled" :
			"not simulated");
	fprintf(out, "overhead per job: start %lld s",
		(long long)report->overhead.start);
	if (!report->overhead.start_given)
		fprintf(out, " (%s)",
			lxfw_overhead_text(&report->overhead.estimate, text,
					   sizeof(text)));
	fprintf(out, ", end ");
	if (report->overhead.end_known)
		fprintf(out, "%lld s\n", (long long)report->overhead.end);
	else
		fprintf(out, "included in the measured run times\n");
}

static const char *range_text(const struct lxfw_comparison_report *report,
			      enum lxfw_comparison_figure figure, int decimals, char *text)
{
	return lxfw_shaken_text(&report->ranges[figure], decimals, text, LXFW_SHAKEN_TEXT);
}

static void print_fractions(const struct lxfw_comparison_report *report, const char *label,
			    double measured, enum lxfw_comparison_figure figure, int digits,
			    FILE *out)
{
	double simulated = lxfw_comparison_figure(report, figure);
	char text[LXFW_SHAKEN_TEXT];

	fprintf(out, "%-22s%14.*f%14.*f%+14.*f%s\n", label, digits, measured,
		digits, simulated, digits, simulated - measured,
		range_text(report, figure, digits, text));
}

static void print_wait(const struct lxfw_comparison_report *report, const char *label,
		       int64_t measured, enum lxfw_comparison_figure figure, FILE *out)
{
	int64_t simulated = (int64_t)lxfw_comparison_figure(report, figure);
	char text[LXFW_SHAKEN_TEXT];

	fprintf(out, "%-22s%14lld%14lld%+14lld%s\n", label, (long long)measured,
		(long long)simulated, (long long)(simulated - measured),
		range_text(report, figure, 0, text));
}

static void print_all_jobs(const struct lxfw_comparison_report *report,
			   FILE *out)
{
	const struct lxfw_waits *m = &report->measured, *s = &report->simulated;
	const struct lxfw_shaken_range *range = &report->ranges[LXFW_FIGURE_MEAN];
	const struct lxfw_metrics *measured = &report->side[LXFW_MEASURED];

	fprintf(out, "\n%-22s%14s%14s%14s\n", "wait in s", "measured",
		"simulated", "difference");
	fprintf(out, "%-22s%14.1f%14.1f%+14.1f  (%+.1f %%)\n", "mean", m->mean,
		s->mean, s->mean - m->mean, report->mean_difference);
	if (range->copies > 0)
		fprintf(out, "%-36s%.1f to %.1f in %d copies\n",
			"  range over perturbed copies", range->low, range->high,
			range->copies);
	print_wait(report, "median", m->median, LXFW_FIGURE_MEDIAN, out);
	print_wait(report, "95th percentile", m->p95, LXFW_FIGURE_P95, out);
	print_wait(report, "maximum", m->max, LXFW_FIGURE_MAX, out);
	if (measured->jobs > 0) {
		print_fractions(report, "mean slowdown", measured->mean_slowdown,
				LXFW_FIGURE_SLOWDOWN, 2, out);
		print_fractions(report, "mean bounded slowdown",
				measured->mean_bounded_slowdown, LXFW_FIGURE_BOUNDED, 2, out);
		print_fractions(report, "utilization", report->utilization[LXFW_MEASURED],
				LXFW_FIGURE_UTILIZATION, 3, out);
	}
	fprintf(out, "\nper job: %zu of %zu start at the same second, mean "
		"absolute difference %.1f s\n", report->equal, report->jobs,
		report->mean_absolute);
	for (int i = 0; i < report->largest_count; i++) {
		const struct lxfw_recorded_job *job = report->largest[i];

		fprintf(out, "  job %-12lld measured %lld s, simulated %lld s "
			"(%+lld)\n", (long long)job->number,
			(long long)measured_wait(job),
			(long long)simulated_wait(job),
			(long long)(job->simulated - job->start));
	}
}

/* --- groups --------------------------------------------------------------------- */

static void print_pair(double measured, double simulated, FILE *out)
{
	char text[32];

	fprintf(out, "%8s", lxfw_format_span(measured, text, sizeof(text)));
	fprintf(out, "%7s", lxfw_format_span(simulated, text, sizeof(text)));
}

static void print_number(double value, int width, FILE *out)
{
	fprintf(out, "%*.*f", width, value < 99.95 ? 1 : 0, value);
}

/* The ranges of the simulated figures, below them. */
static void print_row_ranges(const struct lxfw_comparison_row *row, FILE *out)
{
	char text[LXFW_SHAKEN_TEXT];

	if (row->ranges[LXFW_FIGURE_MEAN].copies == 0)
		return;
	fprintf(out, "%-14s%8s", "  range", "");
	for (int i = 0; i < LXFW_FIGURE_BOUNDED; i++)
		fprintf(out, "%15s", lxfw_shaken_spans(&row->ranges[i], text, sizeof(text)));
	fprintf(out, "%15s\n", lxfw_shaken_numbers(&row->ranges[LXFW_FIGURE_BOUNDED], text,
						   sizeof(text)));
}

static void print_row(const struct lxfw_comparison_row *row, FILE *out)
{
	const struct lxfw_metrics *m = &row->side[LXFW_MEASURED];
	const struct lxfw_metrics *s = &row->side[LXFW_SIMULATED];

	int bytes = lxfw_letters_fit(row->name, 14);

	fprintf(out, "%-*.*s%8zu", lxfw_letters_width(row->name, bytes, 14), bytes, row->name,
		m->jobs);
	print_pair(m->mean_wait, s->mean_wait, out);
	print_pair((double)m->median_wait, (double)s->median_wait, out);
	print_pair((double)m->p95_wait, (double)s->p95_wait, out);
	print_pair((double)m->max_wait, (double)s->max_wait, out);
	print_number(m->mean_bounded_slowdown, 8, out);
	print_number(s->mean_bounded_slowdown, 7, out);
	putc('\n', out);
	print_row_ranges(row, out);
}

static void print_rows(const struct lxfw_comparison_rows *rows, size_t most,
		       FILE *out)
{
	static const char *const columns[] = {
		"mean wait", "median wait", "95th perc.", "longest wait",
		"slowdown",
	};

	if (rows->count == 0)
		return;
	fprintf(out, "\n%-14s%8s", "by", "");
	for (int i = 0; i < 5; i++)
		fprintf(out, "%15s", columns[i]);
	fprintf(out, "\n%-14s%8s", rows->title, "jobs");
	for (int i = 0; i < 5; i++)
		fprintf(out, "%8s%7s", "meas.", "sim.");
	putc('\n', out);
	for (size_t i = 0; i < rows->count && i < most; i++)
		print_row(&rows->rows[i], out);
	if (rows->count > most)
		fprintf(out, "(%zu more, see --json)\n", rows->count - most);
}

/* --- waits that the log does not explain ------------------------------------------ */

static void print_part(const struct lxfw_comparison_report *report,
		       enum lxfw_wait_part part, FILE *out)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	char text[2][32], range[LXFW_SHAKEN_TEXT];

	fprintf(out, "  %-34s%8s%10s%8.1f %%%10zu", lxfw_wait_part_name(part),
		lxfw_format_span(lxfw_comparison_part(report, LXFW_MEASURED,
						      part), text[0], 32),
		lxfw_format_span(lxfw_comparison_part(report, LXFW_SIMULATED,
						      part), text[1], 32),
		m->wait_seconds > 0 ?
		100 * m->parts[part].seconds / m->wait_seconds : 0,
		m->parts[part].jobs);
	if (*lxfw_shaken_spans(&report->part_ranges[part], range, sizeof(range)))
		fprintf(out, "%18s", range);
	putc('\n', out);
}

static const char *moment_name(const struct lxfw_comparison_report *report,
			       int64_t time, char *name, size_t size)
{
	const struct lxfw_calendar *calendar = &report->recorded->calendar;
	struct lxfw_moment moment;
	char day[32];

	lxfw_calendar_moment(calendar, time, &moment);
	snprintf(name, size, "%s %02d:%02d",
		 lxfw_calendar_day_name(calendar, moment.day, day, sizeof(day)),
		 (int)(moment.second / 3600), (int)(moment.second / 60 % 60));
	return name;
}

static void print_pauses(const struct lxfw_comparison_report *report, FILE *out)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	char begin[64], length[32];

	if (m->pause_count == 0)
		return;
	fprintf(out, "\nno job was started although jobs were submitted and "
		"processors were free: %zu times, %s in total\n", m->pause_count,
		lxfw_format_span(m->pause_seconds, length, sizeof(length)));
	for (size_t i = 0; i < m->pauses_kept; i++) {
		const struct lxfw_pause *pause = &m->pauses[i];

		fprintf(out, "  %s for %s: %lld of %lld processors free, %d "
			"jobs waited\n",
			moment_name(report, pause->begin, begin, sizeof(begin)),
			lxfw_format_span((double)(pause->end - pause->begin),
					 length, sizeof(length)),
			(long long)pause->free,
			(long long)report->recorded->procs, (int)pause->waiting);
	}
	if (m->pauses_kept < m->pause_count)
		fprintf(out, "  (the %zu longest)\n", m->pauses_kept);
}

static void print_unexplained(const struct lxfw_comparison_report *report,
			      FILE *out)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	double share = lxfw_comparison_unexplained(report);
	bool ranged = report->part_ranges[LXFW_WAIT_FULL].copies > 0;

	fprintf(out, "\n%-34s%10s%10s%10s%10s%s\n", "mean wait by cause", "measured",
		"simulated", "", "jobs over", ranged ? "        simulated," : "");
	fprintf(out, "%-34s%10s%10s%10s%10s%s\n", "", "", "", "measured", "10 min",
		ranged ? "             range" : "");
	for (int part = 0; part < LXFW_WAIT_PASSED; part++) {
		if (lxfw_comparison_shows(report, (enum lxfw_wait_part)part))
			print_part(report, (enum lxfw_wait_part)part, out);
	}
	fprintf(out, "not explained by the log:\n");
	for (int part = LXFW_WAIT_PASSED; part < LXFW_WAIT_PARTS; part++)
		print_part(report, (enum lxfw_wait_part)part, out);
	fprintf(out, "%.1f %% of the measured wait is not explained by the "
		"log: jobs that had room were\nnot started, or "
		"later jobs that requested no less started first.\n", 100 * share);
	print_pauses(report, out);
	if (m->level_days > 0)
		fprintf(out, "\nprocessors unused all day although waiting "
			"jobs would have fitted:\n%zu of %zu days, %.1f "
			"processors on average on these days\n", m->level_days,
			m->days, m->level_proc_seconds /
			(86400 * (double)m->level_days));
	if (m->over_share > 0)
		fprintf(out, "\naccording to the log, jobs held more than the "
			"%lld processors for %.2f %% of the time, at most "
			"%lld\n",
			(long long)report->recorded->procs, 100 * m->over_share,
			(long long)m->most_held);
}

static void print_table(const struct lxfw_comparison_report *report, FILE *out)
{
	print_head(report, out);
	print_all_jobs(report, out);
	if (report->instead)
		lxfw_instead_print(report->instead, out);
	if (report->inference)
		lxfw_inference_print(report->inference, report->recorded, out);
	if (report->side[LXFW_MEASURED].jobs == 0)
		return;
	print_rows(&report->by[LXFW_BY_RUN], LXFW_RUN_BINS, out);
	print_rows(&report->by[LXFW_BY_SIZE], LXFW_SIZE_CLASSES, out);
	print_rows(&report->by[LXFW_BY_QUEUE], ROWS_SHOWN, out);
	print_rows(&report->by[LXFW_BY_OWNER], ROWS_SHOWN, out);
	print_rows(&report->by[LXFW_BY_SPAN], ROWS_SHOWN + 2, out);
	print_unexplained(report, out);
}

/* --- CSV ------------------------------------------------------------------------ */

static void print_pairs(const struct lxfw_comparison_report *report, FILE *out)
{
	const struct lxfw_waits *m = &report->measured, *s = &report->simulated;
	const struct lxfw_shaken_range *range = &report->ranges[LXFW_FIGURE_MEAN];
	const struct {
		const char *key;
		double value;
	} pairs[] = {
		{ "jobs", (double)report->jobs },
		{ "not_compared", (double)report->not_compared },
		{ "cancelled_jobs", (double)report->cancelled },
		{ "jobs_without_end", (double)report->no_end },
		{ "start_overhead_s", (double)report->overhead.start },
		{ "end_overhead_s", (double)report->overhead.end },
		{ "measured_mean_wait_s", m->mean },
		{ "measured_median_wait_s", (double)m->median },
		{ "measured_p95_wait_s", (double)m->p95 },
		{ "measured_max_wait_s", (double)m->max },
		{ "simulated_mean_wait_s", s->mean },
		{ "simulated_mean_low_s", range->copies ? range->low : NAN },
		{ "simulated_mean_high_s", range->copies ? range->high : NAN },
		{ "simulated_copies", range->copies },
		{ "simulated_median_wait_s", (double)s->median },
		{ "simulated_p95_wait_s", (double)s->p95 },
		{ "simulated_max_wait_s", (double)s->max },
		{ "mean_difference_percent", report->mean_difference },
		{ "mean_absolute_difference_s", report->mean_absolute },
		{ "equal_starts", (double)report->equal },
	};
	int count = sizeof(pairs) / sizeof(*pairs);
	char text[32];

	fprintf(out, "key,value\nverdict,%s\npolicy,%s",
		lxfw_verdict_key(report->verdict.level), report->policy);
	for (int i = 0; i < count; i++)
		fprintf(out, "\n%s,%s", pairs[i].key, !isfinite(pairs[i].value) ?
			"" : lxfw_format_double(pairs[i].value, text,
						sizeof(text)));
	putc('\n', out);
	for (int i = LXFW_FIGURE_MEDIAN; i < LXFW_FIGURES && range->copies > 0; i++) {
		const char *key = lxfw_comparison_figure_key((enum lxfw_comparison_figure)i);

		fprintf(out, "simulated_low_%s,%s\n", key,
			lxfw_format_double(report->ranges[i].low, text, sizeof(text)));
		fprintf(out, "simulated_high_%s,%s\n", key,
			lxfw_format_double(report->ranges[i].high, text, sizeof(text)));
	}
	if (report->instead)
		lxfw_instead_pairs(report->instead, out);
}

int lxfw_comparison_print(const struct lxfw_comparison_report *report,
			  enum lxfw_format format, FILE *out)
{
	if (format == LXFW_FORMAT_JSON)
		return lxfw_comparison_print_json(report, out);
	if (format == LXFW_FORMAT_TABLE)
		print_table(report, out);
	else
		print_pairs(report, out);
	return 0;
}

static void put_numbers(const int64_t *numbers, size_t count,
			struct lxfw_output *output)
{
	for (size_t i = 0; i < count; i++) {
		lxfw_output_integer(output, numbers[i]);
		lxfw_output_write(output, i + 1 < count ? "," : "\n", 1);
	}
}

/* INSTEAD is the start under other parameters, or NULL. */
static void put_job(const struct lxfw_recorded_job *job, const int64_t *instead,
		    struct lxfw_output *output)
{
	const int64_t submit = lxfw_recorded_since(job);
	const int64_t numbers[] = {
		job->number, submit, job->start, job->simulated, measured_wait(job),
		simulated_wait(job), job->simulated - job->start,
		instead ? *instead : 0, instead ? *instead - submit : 0,
	};
	const size_t count = sizeof(numbers) / sizeof(*numbers);

	put_numbers(numbers, instead ? count : count - 2, output);
}

void lxfw_comparison_jobs(const struct lxfw_comparison_report *report,
			  struct lxfw_output *output)
{
	const struct lxfw_recorded *recorded = report->recorded;
	const int64_t *instead = report->instead ? report->instead->starts : NULL;

	lxfw_output_text(output, "job_id,submit,measured_start,simulated_start,"
			 "measured_wait,simulated_wait,difference");
	lxfw_output_text(output, instead ? ",instead_start,instead_wait\n" : "\n");
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (lxfw_recorded_in_both(job) &&
		    (!instead || instead[i] != LXFW_UNKNOWN))
			put_job(job, instead ? &instead[i] : NULL, output);
	}
}
