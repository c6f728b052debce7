/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/job_classes_text.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/ncsa_o2k.h"

#define DAY INT64_C(86400)

/* Length of a period if the calendar of a log is unknown. */
#define SPAN (30 * DAY)

/* With fewer calendar months, periods are used, which cover more of a log. */
#define MONTHS_FEW 3

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static struct lxfw_experiment_month *
add_month(struct lxfw_experiment *experiment)
{
	size_t count = (size_t)experiment->month_count;
	struct lxfw_experiment_month *month;

	if (LXFW_GROW(experiment->months, experiment->months_size, count + 1))
		return NULL;
	month = &experiment->months[count];
	*month = (struct lxfw_experiment_month) {
		.number = -1, .weekday = -1,
		.traces = calloc((size_t)experiment->seeds,
				 sizeof(*month->traces)),
	};
	if (!month->traces)
		return NULL;
	experiment->month_count++;
	return month;
}

static void clear_months(struct lxfw_experiment *experiment)
{
	for (int i = 0; i < experiment->month_count; i++) {
		for (int j = 0; j < experiment->seeds; j++)
			lxfw_trace_clear(&experiment->months[i].traces[j]);
		free(experiment->months[i].traces);
	}
	experiment->month_count = 0;
}

/* ---- the O2K ----------------------------------------------------------------- */

int lxfw_experiment_o2k(struct lxfw_experiment *experiment, unsigned int months,
			enum lxfw_ncsa_o2k_sizes sizes, uint64_t first_seed,
			int seeds,
			struct lxfw_error *error)
{
	experiment->workload = "ncsa-o2k";
	experiment->synthetic = true;
	experiment->one_host = true;
	experiment->first_seed = first_seed;
	experiment->seeds = seeds;
	if (lxfw_cluster_read(&experiment->cluster, "ncsa-o2k", error))
		return -1;
	experiment->classes = lxfw_job_classes_read("ncsa-o2k",
						    &experiment->cluster, error);
	if (!experiment->classes)
		return -1;
	for (int i = 0; i < LXFW_CONTENDERS; i++)
		experiment->takes_part[i] = true;
	for (int i = 0; i < LXFW_NCSA_O2K_MONTHS; i++) {
		struct lxfw_experiment_month *month;

		if (!(months & 1U << i))
			continue;
		month = add_month(experiment);
		if (!month)
			return out_of_memory(error);
		snprintf(month->name, sizeof(month->name), "%s",
			 lxfw_ncsa_o2k_month_name(i));
		month->number = i;
		month->weekday = lxfw_ncsa_o2k_month(i)->weekday;
		month->from = LXFW_NCSA_O2K_LEAD;
		month->until = month->from + lxfw_ncsa_o2k_month_seconds(i);
		for (int j = 0; j < seeds; j++) {
			if (lxfw_ncsa_o2k_generate(&month->traces[j], i, sizes,
						   first_seed + (uint64_t)j))
				return out_of_memory(error);
		}
	}
	return 0;
}

/* ---- a log ------------------------------------------------------------------- */

struct window {
	int64_t from, until;
};

static bool in_window(const struct window *window,
		      const struct lxfw_trace_job *job)
{
	return job->submit >= window->from && job->submit < window->until;
}

/* Copies the jobs of the log submitted within a window. */
static int copy_jobs(const struct lxfw_trace *log, const struct window *window,
		     struct lxfw_trace *trace)
{
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++)
		count += in_window(window, &log->jobs[i]);
	trace->jobs = malloc((count + 1) * sizeof(*trace->jobs));
	if (!trace->jobs)
		return -1;
	trace->size = count + 1;
	for (size_t i = 0; i < log->count; i++) {
		const struct lxfw_trace_job *job =
			&log->jobs[lxfw_trace_at(log, i)];

		if (in_window(window, job))
			trace->jobs[trace->count++] = *job;
	}
	return 0;
}

static int add_window(struct lxfw_experiment *experiment,
		      const struct lxfw_trace *log, int64_t from, int64_t until,
		      const char *name)
{
	struct window window = { from - LXFW_MONTH_LEAD, until };
	struct lxfw_experiment_month *month = add_month(experiment);

	if (!month || copy_jobs(log, &window, &month->traces[0]))
		return -1;
	month->from = from;
	month->until = until;
	snprintf(month->name, sizeof(month->name), "%s", name);
	return 0;
}

/* Returns the first midnight of the month after that of TIME, in Unix time. */
static int64_t next_month(int64_t time)
{
	time_t now = (time_t)time;
	struct tm date = { 0 };

	gmtime_r(&now, &date);
	date = (struct tm) { .tm_year = date.tm_year, .tm_mon = date.tm_mon + 1,
			     .tm_mday = 1 };
	return (int64_t)timegm(&date);
}

static int add_calendar(struct lxfw_experiment *experiment,
			const struct lxfw_trace *log, int64_t local,
			const struct window *all)
{
	int64_t month = next_month(local + all->from + LXFW_MONTH_LEAD - 1);

	for (;;) {
		int64_t next = next_month(month);
		time_t begin = (time_t)month;
		struct tm date = { 0 };
		char name[16] = "";

		if (next - local > all->until)
			return 0;
		gmtime_r(&begin, &date);
		strftime(name, sizeof(name), "%Y-%m", &date);
		if (add_window(experiment, log, month - local,
			       next - local, name))
			return -1;
		experiment->months[experiment->month_count - 1].weekday =
			date.tm_wday;
		month = next;
	}
}

static int add_spans(struct lxfw_experiment *experiment,
		     const struct lxfw_trace *log, const struct window *all)
{
	int64_t from = all->from + LXFW_MONTH_LEAD;

	for (; from + SPAN <= all->until; from += SPAN) {
		char name[48];

		snprintf(name, sizeof(name), "day %lld",
			 (long long)((from - all->from) / DAY));
		if (add_window(experiment, log, from, from + SPAN, name))
			return -1;
	}
	return 0;
}

static int64_t header_number(const struct lxfw_trace *log, const char *key,
			     int64_t least)
{
	const char *text = lxfw_trace_header(log, key);
	int64_t number;

	if (!text || lxfw_text_integer(text, strlen(text), least,
				       INT64_C(1) << 40, &number))
		return 0;
	return number;
}

/* Returns the beginning of the log in local standard time, converted as if it were
   UTC; 0 if unknown. */
static int64_t local_start(const struct lxfw_trace *log)
{
	int64_t time = header_number(log, "UnixStartTime", 1);

	return time ? time + header_number(log, "TimeZone", -DAY) : 0;
}

static int add_months(struct lxfw_experiment *experiment,
		      const struct lxfw_trace *log)
{
	size_t last = lxfw_trace_at(log, log->count - 1);
	struct window all = {
		log->jobs[lxfw_trace_at(log, 0)].submit,
		log->jobs[last].submit + 1,
	};
	int64_t start = local_start(log);

	/* the times of a log may themselves be Unix times */
	if ((start > 0 || all.from > 10 * 365 * DAY) &&
	    add_calendar(experiment, log, start, &all))
		return -1;
	if (experiment->month_count >= MONTHS_FEW)
		return 0;
	clear_months(experiment);
	if (add_spans(experiment, log, &all))
		return -1;
	if (experiment->month_count > 0)
		return 0;
	if (all.until - all.from > 2 * LXFW_MONTH_LEAD)
		all.from += LXFW_MONTH_LEAD;
	return add_window(experiment, log, all.from, all.until, "all");
}

int lxfw_experiment_log(struct lxfw_experiment *experiment, const char *name,
			const struct lxfw_trace *trace,
			struct lxfw_cluster *cluster, bool one_host,
			struct lxfw_error *error)
{
	experiment->workload = name;
	experiment->one_host = one_host;
	experiment->seeds = 1;
	experiment->cluster = *cluster;
	*cluster = (struct lxfw_cluster) { 0 };
	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		const struct lxfw_contender_text *text =
			lxfw_contender_text((enum lxfw_contender)i);

		experiment->takes_part[i] = !text->classes &&
			(!text->one_host || one_host ||
			 experiment->cluster.count == 1);
	}
	if (trace->count == 0)
		return lxfw_error_format(error, "%s: no jobs remain to "
						"simulate",
					 name);
	return add_months(experiment, trace) ? out_of_memory(error) : 0;
}

/* ---- runs -------------------------------------------------------------------- */

static int prepare_run(struct lxfw_experiment *experiment, int month, int seed,
		       enum lxfw_contender contender, struct lxfw_error *error)
{
	struct lxfw_experiment_month *in = &experiment->months[month];
	const struct lxfw_contender_text *text = lxfw_contender_text(contender);
	struct lxfw_run *run = &experiment->runs[
		lxfw_experiment_at(experiment, month, seed, contender)];

	run->trace = &in->traces[seed];
	run->cluster = &experiment->cluster;
	run->options.one_host = experiment->one_host;
	snprintf(run->label, sizeof(run->label), "%s, %s", in->name,
		 text->name);
	if (text->classes) {
		run->classes = experiment->classes;
		run->from = in->from;
		run->until = in->until;
	}
	return lxfw_params_parse(&run->options.params, text->params, NULL, NULL,
				 error);
}

typedef int each_fn(struct lxfw_experiment *experiment, int month, int seed,
		    enum lxfw_contender contender, struct lxfw_error *error);

static int for_each(struct lxfw_experiment *experiment, each_fn *function,
		    struct lxfw_error *error)
{
	for (int i = 0; i < experiment->month_count; i++) {
		for (int j = 0; j < experiment->seeds; j++) {
			for (int k = 0; k < LXFW_CONTENDERS; k++) {
				if (experiment->takes_part[k] &&
				    function(experiment, i, j,
					     (enum lxfw_contender)k, error))
					return -1;
			}
		}
	}
	return 0;
}

static int tally_run(struct lxfw_experiment *experiment, int month, int seed,
		     enum lxfw_contender contender, struct lxfw_error *error)
{
	size_t at = lxfw_experiment_at(experiment, month, seed, contender);
	const struct lxfw_experiment_month *in = &experiment->months[month];
	const struct lxfw_run *run = &experiment->runs[at];
	struct lxfw_tally_input input = {
		.trace = run->trace, .waits = run->waits,
		.at_once = run->at_once, .held = run->held,
		.procs = experiment->cluster.procs,
		.from = in->from, .until = in->until,
		.classes = experiment->synthetic,
	};

	return lxfw_tally_make(&experiment->tallies[at], &input) ?
	       out_of_memory(error) : 0;
}

/* Leaves out jobs that do not fit on the machine and would never start. */
static int fit_traces(struct lxfw_experiment *experiment,
		      struct lxfw_error *error)
{
	for (int i = 0; i < experiment->month_count; i++) {
		for (int j = 0; j < experiment->seeds; j++) {
			struct lxfw_trace *trace =
				&experiment->months[i].traces[j];
			size_t left_out;

			if (lxfw_simulation_fit(trace, &experiment->cluster,
						experiment->one_host,
						&left_out))
				return out_of_memory(error);
			experiment->too_large += left_out;
		}
	}
	return 0;
}

/* Executes the runs of the selected contenders, moved together, and moves them back. */
static int run_all(struct lxfw_experiment *experiment, int threads,
		   void (*progress)(size_t done, size_t all),
		   struct lxfw_error *error)
{
	size_t all = lxfw_experiment_at(experiment, experiment->month_count, 0,
					LXFW_NCSA_LSF);
	struct lxfw_run *list = malloc((all + 1) * sizeof(*list));
	size_t count = 0;
	int result, saved;

	if (!list)
		return out_of_memory(error);
	for (size_t i = 0; i < all; i++) {
		if (experiment->runs[i].trace)
			list[count++] = experiment->runs[i];
	}
	result = lxfw_runs_carry_out(list, count, threads, progress, error);
	saved = errno;
	count = 0;
	for (size_t i = 0; i < all; i++) {
		if (experiment->runs[i].trace)
			experiment->runs[i] = list[count++];
	}
	free(list);
	errno = saved;
	return result;
}

int lxfw_experiment_run(struct lxfw_experiment *experiment, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error)
{
	size_t all = lxfw_experiment_at(experiment, experiment->month_count, 0,
					LXFW_NCSA_LSF);

	experiment->runs = calloc(all + 1, sizeof(*experiment->runs));
	experiment->tallies = calloc(all + 1, sizeof(*experiment->tallies));
	if (!experiment->runs || !experiment->tallies)
		return out_of_memory(error);
	if (fit_traces(experiment, error) ||
	    for_each(experiment, prepare_run, error) ||
	    run_all(experiment, threads, progress, error))
		return -1;
	return for_each(experiment, tally_run, error);
}

void lxfw_experiment_clear(struct lxfw_experiment *experiment)
{
	size_t all = lxfw_experiment_at(experiment, experiment->month_count, 0,
					LXFW_NCSA_LSF);
	int saved = errno;

	if (experiment->runs)
		lxfw_runs_clear(experiment->runs, all);
	free(experiment->runs);
	free(experiment->tallies);
	clear_months(experiment);
	free(experiment->months);
	free(experiment->classes);
	lxfw_cluster_clear(&experiment->cluster);
	*experiment = (struct lxfw_experiment) { 0 };
	errno = saved;
}
