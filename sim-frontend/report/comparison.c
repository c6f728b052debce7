/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/metrics/metrics.h"

static bool started_in_both(const struct lxfw_recorded_job *job)
{
	return job->start != LXFW_UNKNOWN && job->simulated != LXFW_UNKNOWN;
}

static int64_t measured_wait(const struct lxfw_recorded_job *job)
{
	return job->start - job->request.submit;
}

static int64_t simulated_wait(const struct lxfw_recorded_job *job)
{
	return job->simulated - job->request.submit;
}

static void make_waits(int64_t *values, size_t count, struct lxfw_waits *waits)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	waits->mean = count ? (double)sum / (double)count : 0;
	waits->median = lxfw_percentile(values, count, 50);
	waits->p95 = lxfw_percentile(values, count, 95);
	waits->max = lxfw_percentile(values, count, 100);
}

/* Keep the jobs whose waits differ most, the first of equals. */
static void note_largest(struct lxfw_comparison_report *report,
			 const struct lxfw_recorded_job *job)
{
	int64_t difference = llabs(job->simulated - job->start);
	int at = report->largest_count;

	if (difference == 0)
		return;
	if (at < LXFW_LARGEST)
		report->largest_count++;
	else
		at--;
	if (at == LXFW_LARGEST - 1 && report->largest[at] &&
	    llabs(report->largest[at]->simulated - report->largest[at]->start) >=
	    difference)
		return;
	for (; at > 0 && llabs(report->largest[at - 1]->simulated -
			       report->largest[at - 1]->start) < difference;
	     at--)
		report->largest[at] = report->largest[at - 1];
	report->largest[at] = job;
}

int lxfw_comparison_measure(const struct lxfw_recorded *recorded,
			    struct lxfw_comparison_report *report)
{
	int64_t *values = malloc(2 * (recorded->count + 1) * sizeof(*values));
	int64_t *simulated = values + recorded->count, absolute = 0;

	*report = (struct lxfw_comparison_report) { 0 };
	if (!values)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (!started_in_both(job)) {
			report->not_compared++;
			continue;
		}
		values[report->jobs] = measured_wait(job);
		simulated[report->jobs++] = simulated_wait(job);
		absolute += llabs(job->simulated - job->start);
		report->equal += job->simulated == job->start;
		note_largest(report, job);
	}
	make_waits(values, report->jobs, &report->measured);
	make_waits(simulated, report->jobs, &report->simulated);
	if (report->jobs > 0)
		report->mean_absolute = (double)absolute / (double)report->jobs;
	report->mean_difference = report->simulated.mean ==
				  report->measured.mean ? 0 :
		100 * fabs(report->simulated.mean - report->measured.mean) /
		report->measured.mean;
	free(values);
	return 0;
}

static void print_table(const struct lxfw_comparison_report *report, FILE *out)
{
	const struct lxfw_waits *m = &report->measured, *s = &report->simulated;

	fprintf(out, "policy %s, %zu jobs", report->policy, report->jobs);
	if (report->not_compared > 0)
		fprintf(out, " (%zu that did not start in both left out)",
			report->not_compared);
	fprintf(out, "\noverhead per job: start %lld s, end ",
		(long long)report->overhead.start);
	if (report->overhead.end_known)
		fprintf(out, "%lld s\n", (long long)report->overhead.end);
	else
		fprintf(out, "in the measured run times\n");
	fprintf(out, "\n%-22s%14s%14s%14s\n", "wait in s", "measured",
		"simulated", "difference");
	fprintf(out, "%-22s%14.1f%14.1f%+14.1f  (%.1f %%)\n", "mean", m->mean,
		s->mean, s->mean - m->mean, report->mean_difference);
	fprintf(out, "%-22s%14lld%14lld%+14lld\n", "median",
		(long long)m->median, (long long)s->median,
		(long long)(s->median - m->median));
	fprintf(out, "%-22s%14lld%14lld%+14lld\n", "95th percentile",
		(long long)m->p95, (long long)s->p95,
		(long long)(s->p95 - m->p95));
	fprintf(out, "%-22s%14lld%14lld%+14lld\n", "maximum", (long long)m->max,
		(long long)s->max, (long long)(s->max - m->max));
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

static void print_pairs(const struct lxfw_comparison_report *report, bool json,
			FILE *out)
{
	const struct lxfw_waits *m = &report->measured, *s = &report->simulated;
	const struct {
		const char *key;
		double value;
	} pairs[] = {
		{ "jobs", (double)report->jobs },
		{ "not_compared", (double)report->not_compared },
		{ "start_overhead_s", (double)report->overhead.start },
		{ "end_overhead_s", (double)report->overhead.end },
		{ "measured_mean_wait_s", m->mean },
		{ "measured_median_wait_s", (double)m->median },
		{ "measured_p95_wait_s", (double)m->p95 },
		{ "measured_max_wait_s", (double)m->max },
		{ "simulated_mean_wait_s", s->mean },
		{ "simulated_median_wait_s", (double)s->median },
		{ "simulated_p95_wait_s", (double)s->p95 },
		{ "simulated_max_wait_s", (double)s->max },
		{ "mean_difference_percent", report->mean_difference },
		{ "mean_absolute_difference_s", report->mean_absolute },
		{ "equal_starts", (double)report->equal },
	};
	int count = sizeof(pairs) / sizeof(*pairs);
	char text[32];

	fprintf(out, json ? "{\n  \"policy\": \"%s\"" : "key,value\npolicy,%s",
		report->policy);
	for (int i = 0; i < count; i++) {
		/* JSON knows no infinity: measured waits may all be 0 */
		const char *value = isfinite(pairs[i].value) ?
			lxfw_report_double(pairs[i].value, text, sizeof(text)) :
			json ? "null" : "";

		fprintf(out, json ? ",\n  \"%s\": %s" : "\n%s,%s", pairs[i].key,
			value);
	}
	fputs(json ? "\n}\n" : "\n", out);
}

void lxfw_comparison_print(const struct lxfw_comparison_report *report,
			   enum lxfw_format format, FILE *out)
{
	if (format == LXFW_FORMAT_TABLE)
		print_table(report, out);
	else
		print_pairs(report, format == LXFW_FORMAT_JSON, out);
}

static void put_job(const struct lxfw_recorded_job *job,
		    struct lxfw_output *output)
{
	const int64_t numbers[] = {
		job->number, job->request.submit, job->start, job->simulated,
		measured_wait(job), simulated_wait(job),
		job->simulated - job->start,
	};
	size_t count = sizeof(numbers) / sizeof(*numbers);

	for (size_t i = 0; i < count; i++) {
		lxfw_output_integer(output, numbers[i]);
		lxfw_output_write(output, i + 1 < count ? "," : "\n", 1);
	}
}

void lxfw_comparison_jobs(const struct lxfw_recorded *recorded,
			  struct lxfw_output *output)
{
	lxfw_output_text(output, "job_id,submit,measured_start,simulated_start,"
			 "measured_wait,simulated_wait,difference\n");
	for (size_t i = 0; i < recorded->count; i++) {
		if (started_in_both(&recorded->jobs[i]))
			put_job(&recorded->jobs[i], output);
	}
}
