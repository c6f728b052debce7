/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data files of the figures. Each block is preceded by its name in a comment and
   followed by two empty lines, as gnuplot's `index "NAME"` requires. */
#include "sim-frontend/experiment/plots.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/experiment/spread.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/workload/ncsa_o2k.h"

/* Most statements of this file are such calls. */
#define put lxfw_plots_put

#define HOUR 3600.0
#define DAY INT64_C(86400)

/* Number of bins of half an order of magnitude: the first is up to a tenth of a
   minute, the last from about 22 days on. */
#define BINS 13

/* Minimum number of jobs for a point of a curve. */
#define POINT_MIN 10

/* Office hours of a workday, when arrivals peak. */
#define PEAK_FROM 9
#define PEAK_UNTIL 19

static const struct lxfw_run *run_at(const struct lxfw_experiment *experiment,
				     int month, int seed,
				     enum lxfw_contender contender)
{
	return &experiment->runs[lxfw_experiment_at(experiment, month, seed,
						    contender)];
}

static bool in_month(const struct lxfw_experiment_month *month,
		     const struct lxfw_trace_job *job)
{
	return job->submit >= month->from && job->submit < month->until;
}

/* ---- figure 1 ------------------------------------------------------------------ */

static int weekday_of(const struct lxfw_experiment_month *month, int64_t submit)
{
	return (int)((month->weekday + (submit - month->from) / DAY) % 7);
}

static int put_arrivals(const struct lxfw_experiment *experiment,
			struct lxfw_output *output)
{
	const struct lxfw_experiment_month *month =
		&experiment->months[lxfw_plots_month(experiment, 5)];
	static const char *const names[] = { "Sunday", "Monday", "Tuesday",
		"Wednesday", "Thursday", "Friday", "Saturday" };
	double counts[7][24] = { 0 };
	double days[7] = { 0 };
	/* if the weekdays of a log are unknown, all days are combined */
	bool known = month->weekday >= 0;

	for (int64_t time = month->from; time < month->until; time += DAY)
		days[known ? weekday_of(month, time) : 0]++;
	for (int i = 0; i < experiment->seeds; i++) {
		const struct lxfw_trace *trace = &month->traces[i];

		for (size_t j = 0; j < trace->count; j++) {
			int64_t submit = trace->jobs[j].submit;

			if (in_month(month, &trace->jobs[j]))
				counts[known ? weekday_of(month, submit) : 0]
				      [(submit - month->from) % DAY / 3600]++;
		}
	}
	put(output, "# month %s\n# hour, jobs per hour: mean over the weekday's "
	    "days and the seeds\n\n", month->name);
	for (int i = known ? 1 : 0; i < (known ? 6 : 1); i++) {
		put(output, "# %s\n", known ? names[i] : "all");
		for (int hour = 0; hour < 24; hour++)
			put(output, "%d %.3f\n", hour, counts[i][hour] /
			    (days[i] * experiment->seeds));
		put(output, "\n\n");
	}
	return 0;
}

/* ---- figure 2 ------------------------------------------------------------------ */

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* Returns whether the submission is in the peak hours of a workday. */
static bool at_peak(const struct lxfw_experiment_month *month, int64_t submit)
{
	int64_t hour = (submit - month->from) % DAY / 3600;

	return weekday_of(month, submit) % 6 != 0 && hour >= PEAK_FROM &&
	       hour < PEAK_UNTIL;
}

static size_t take_runs(const struct lxfw_experiment *experiment,
			const struct lxfw_experiment_month *month, int class,
			int64_t *runs)
{
	size_t count = 0;

	for (int i = 0; i < experiment->seeds; i++) {
		const struct lxfw_trace *trace = &month->traces[i];

		for (size_t j = 0; j < trace->count; j++) {
			const struct lxfw_trace_job *job = &trace->jobs[j];

			if (in_month(month, job) &&
			    at_peak(month, job->submit) &&
			    lxfw_ncsa_o2k_class_of(job) == class)
				runs[count++] = job->run;
		}
	}
	return count;
}

/* Allocates space for a value of each job of a month, over all seeds. */
static int64_t *month_room(const struct lxfw_experiment *experiment, int month)
{
	size_t jobs = 1;

	for (int i = 0; i < experiment->seeds; i++)
		jobs += experiment->months[month].traces[i].count;
	return malloc(jobs * sizeof(int64_t));
}

static int put_run_times(const struct lxfw_experiment *experiment,
			 struct lxfw_output *output)
{
	int number = lxfw_plots_month(experiment, 5);
	const struct lxfw_experiment_month *month =
		&experiment->months[number];
	int64_t *runs = month_room(experiment, number);

	if (!runs)
		return -1;
	put(output, "# month %s, workdays from %d to %d o'clock\n# run time in "
	    "minutes, per cent of the class's jobs that run no longer\n\n",
	    month->name, PEAK_FROM, PEAK_UNTIL);
	for (int class = 0; class < LXFW_NCSA_O2K_CLASSES; class++) {
		size_t count = take_runs(experiment, month, class, runs);
		/* a curve of some hundred points is sufficient */
		size_t step = count / 200 + 1;

		qsort(runs, count, sizeof(*runs), compare_times);
		put(output, "# %s\n", lxfw_ncsa_o2k_class_name(class));
		for (size_t i = step - 1; i < count; i += step)
			put(output, "%.4f %.3f\n", (double)runs[i] / 60,
			    100 * (double)(i + 1) / (double)count);
		if (count == 0)
			put(output, "NaN NaN\n");
		put(output, "\n\n");
	}
	free(runs);
	return 0;
}

/* ---- figure 3 ------------------------------------------------------------------ */

static double class_wait(const struct lxfw_experiment *experiment, int month,
			 int class)
{
	double sum = 0, count = 0;

	for (int i = 0; i < experiment->seeds; i++) {
		const struct lxfw_run *run = run_at(experiment, month, i,
						    LXFW_NCSA_LSF);

		for (size_t j = 0; j < run->trace->count; j++) {
			const struct lxfw_trace_job *job = &run->trace->jobs[j];

			if (!in_month(&experiment->months[month], job) ||
			    lxfw_ncsa_o2k_class_of(job) != class)
				continue;
			sum += (double)run->waits[j] / HOUR;
			count++;
		}
	}
	return count > 0 ? sum / count : NAN;
}

static int put_classes(const struct lxfw_experiment *experiment,
		       struct lxfw_output *output)
{
	put(output, "# class, average wait in hours under NCSA-LSF*, all "
	    "seeds\n\n");
	for (int i = 0; i < experiment->month_count; i++) {
		put(output, "# %s\n", experiment->months[i].name);
		for (int class = 0; class < LXFW_NCSA_O2K_CLASSES; class++) {
			double wait = class_wait(experiment, i, class);

			put(output, "%d %s ", class,
			    lxfw_ncsa_o2k_class_name(class));
			put(output, isnan(wait) ? "NaN\n" : "%.5f\n", wait);
		}
		put(output, "\n\n");
	}
	return 0;
}

/* ---- figure 4 ------------------------------------------------------------------ */

static int put_longest(const struct lxfw_experiment *experiment,
		       struct lxfw_output *output)
{
	int month = lxfw_plots_month(experiment, 3);
	const struct lxfw_run *run = run_at(experiment, month, 0,
					    LXFW_NCSA_LSF);
	const struct lxfw_experiment_month *of = &experiment->months[month];
	double p95 = experiment->tallies[lxfw_experiment_at(experiment, month,
		0, LXFW_NCSA_LSF)].values[LXFW_GROUP_ALL][LXFW_TALLY_P95];

	put(output, "# month %s, first seed, NCSA-LSF*\n# run time in "
	    "minutes, wait in hours, of the 5 %% of jobs that wait longest\n", of->name);
	for (size_t i = 0; i < run->trace->count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];
		double wait = (double)run->waits[i] / HOUR;

		if (in_month(of, job) && wait > p95)
			put(output, "%.4f %.4f\n", (double)job->run / 60, wait);
	}
	put(output, "NaN NaN\n");
	return 0;
}

/* ---- by run time --------------------------------------------------------------- */

/* Returns the upper end of a bin in minutes. */
static double bin_end(int bin)
{
	return bin == BINS - 1 ? INFINITY : pow(10, bin / 2.0 - 1);
}

/* Returns the position of its point. */
static double bin_middle(int bin)
{
	return pow(10, bin / 2.0 - 1.25);
}

static int bin_of(int64_t run)
{
	int bin = 0;

	while ((double)run / 60 > bin_end(bin))
		bin++;
	return bin;
}

/* Writes the mean, 95th percentile and maximum of waits in hours and the mean slowdown
   of a bin, unless it has too few jobs. */
static void put_bin(const struct lxfw_experiment *experiment, int month,
		    enum lxfw_contender contender, int bin, int64_t *waits,
		    struct lxfw_output *output)
{
	double sum = 0, slowdown = 0;
	size_t count = 0;

	for (int i = 0; i < experiment->seeds; i++) {
		const struct lxfw_run *run = run_at(experiment, month, i,
						    contender);

		for (size_t j = 0; j < run->trace->count; j++) {
			const struct lxfw_trace_job *job = &run->trace->jobs[j];

			if (!in_month(&experiment->months[month], job) ||
			    bin_of(job->run) != bin)
				continue;
			waits[count++] = run->waits[j];
			sum += (double)run->waits[j];
			slowdown += (double)(run->waits[j] + job->run) /
				    (double)job->run;
		}
	}
	if (count < POINT_MIN)
		return;
	put(output, "%.4f %.5f %.5f %.5f %.5f %zu\n", bin_middle(bin),
	    sum / (double)count / HOUR,
	    (double)lxfw_percentile(waits, count, 95) / HOUR,
	    (double)lxfw_percentile(waits, count, 100) / HOUR,
	    slowdown / (double)count, count);
}

static int put_run_time_blocks(const struct lxfw_experiment *experiment,
			       int month, struct lxfw_output *output)
{
	int64_t *waits = month_room(experiment, month);

	if (!waits)
		return -1;
	put(output, "# month %s, all seeds, ranges of run time of half a factor "
	    "of ten\n# run time in minutes, average, 95th percentile, maximum "
	    "wait in hours, average slowdown, jobs\n\n",
	    experiment->months[month].name);
	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		enum lxfw_contender contender = (enum lxfw_contender)i;

		put(output, "# %s\n", lxfw_contender_text(contender)->key);
		for (int bin = 0; bin < BINS && experiment->takes_part[i]; bin++)
			put_bin(experiment, month, contender, bin, waits,
				output);
		put(output, "NaN NaN NaN NaN NaN 0\n\n\n");
	}
	free(waits);
	return 0;
}

static int put_by_run_time_january(const struct lxfw_experiment *experiment,
				   struct lxfw_output *output)
{
	return put_run_time_blocks(experiment, lxfw_plots_month(experiment, 3),
				   output);
}

static int put_by_run_time_november(const struct lxfw_experiment *experiment,
				    struct lxfw_output *output)
{
	return put_run_time_blocks(experiment, lxfw_plots_month(experiment, 1),
				   output);
}

/* ---- by month ------------------------------------------------------------------ */

/* Writes the median, minimum and maximum over the seeds. */
static void put_spread(const struct lxfw_experiment *experiment, int month,
		       enum lxfw_contender contender,
		       enum lxfw_tally_measure measure,
		       struct lxfw_output *output)
{
	double values[LXFW_SEEDS_MAX];
	struct lxfw_spread spread;

	for (int i = 0; i < experiment->seeds; i++)
		values[i] = experiment->tallies[lxfw_experiment_at(experiment,
			month, i, contender)].values[LXFW_GROUP_ALL][measure];
	spread = lxfw_spread_of(values, experiment->seeds);
	if (spread.count == 0)
		put(output, " NaN NaN NaN");
	else
		put(output, " %.5f %.5f %.5f", spread.median, spread.least,
		    spread.most);
}

static int put_by_month(const struct lxfw_experiment *experiment,
			struct lxfw_output *output)
{
	put(output, "# number and name of the month; median, least, most over "
	    "the seeds of\n# average, 95th percentile, maximum wait in hours, "
	    "average slowdown\n\n");
	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		enum lxfw_contender contender = (enum lxfw_contender)i;

		put(output, "# %s\n", lxfw_contender_text(contender)->key);
		for (int j = 0; j < experiment->month_count; j++) {
			if (!experiment->takes_part[i])
				continue;
			put(output, "%d \"%s\"", j, experiment->months[j].name);
			for (int k = LXFW_TALLY_MEAN; k <= LXFW_TALLY_SLOWDOWN;
			     k++)
				put_spread(experiment, j, contender,
					   (enum lxfw_tally_measure)k, output);
			put(output, "\n");
		}
		if (!experiment->takes_part[i])
			put(output, "NaN none\n");
		put(output, "\n\n");
	}
	return 0;
}

/* --- all figures ------------------------------------------------------------------ */

static const struct {
	const char *name;
	bool o2k, lsf;		/* requires the O2K's classes, NCSA-LSF* */
	int (*put)(const struct lxfw_experiment *experiment,
		   struct lxfw_output *output);
} files[] = {
	{ "arrivals.dat", false, false, put_arrivals },
	{ "run-times.dat", true, false, put_run_times },
	{ "classes.dat", true, true, put_classes },
	{ "longest-waits.dat", false, true, put_longest },
	{ "by-run-time-5.dat", false, false, put_by_run_time_january },
	{ "by-run-time-9.dat", false, false, put_by_run_time_november },
	{ "by-month.dat", false, false, put_by_month },
};

int lxfw_plots_data(const struct lxfw_experiment *experiment,
		    const char *directory, struct lxfw_error *error)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct lxfw_output *output;

		if ((files[i].o2k && !experiment->synthetic) ||
		    (files[i].lsf && !experiment->takes_part[LXFW_NCSA_LSF]))
			continue;
		output = lxfw_plots_open(directory, files[i].name, error);
		if (!output)
			return -1;
		if (files[i].put(experiment, output)) {
			lxfw_output_abort(output);
			lxfw_error_set(error, "out of memory");
			errno = ENOMEM;
			return -1;
		}
		if (lxfw_output_commit(output, error))
			return -1;
	}
	return 0;
}
