/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/whatif.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The range of the difference is that of the futures, widened by this factor about the median.
   Measured in doc/whatif.md: 90 % of the true differences are within it then. */
#define WIDER 1.7

/* If this share of the futures agrees, the direction is likely. */
#define LIKELY 0.9

/* Seconds. A smaller difference is none. */
#define LEAST_DIFFERENCE 0.5

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int ascending_double(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static const struct lxfw_snapshot_job *job_of(const struct lxfw_whatif_table *table,
					      size_t index)
{
	return &table->whatif->file->state.jobs[table->result->jobs[index].index];
}

/* Sorts COUNT numbers in place. */
static int64_t median(int64_t *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), ascending);
	return numbers[(count - 1) / 2];
}

/* The index of the bound of 90 % of COUNT sorted numbers. */
static size_t bound(size_t count, bool upper)
{
	size_t from = (size_t)floor(0.05 * (double)count);

	return upper ? count - 1 - from : from;
}

/* Sets the differences of the futures in which the job starts in both. NUMBERS has room
   for all futures. */
static void compare(const struct lxfw_whatif_job *job, size_t futures, int64_t *numbers,
		    struct lxfw_whatif_row *row)
{
	size_t count = 0;

	for (size_t i = 0; i < futures; i++) {
		if (job->now[i] != LXFW_NEVER && job->then[i] != LXFW_NEVER)
			numbers[count++] = job->then[i] - job->now[i];
	}
	row->comparable = count > 0 && 2 * count >= futures;
	if (!row->comparable)
		return;
	row->difference = median(numbers, count);
	row->low = numbers[bound(count, false)];
	row->high = numbers[bound(count, true)];
}

static void name_of(const struct lxfw_whatif_table *table, size_t index, char *text,
		    size_t size)
{
	const struct lxfw_snapshot_file *file = table->whatif->file;
	const char *name = file->job_names ? file->job_names[index] : NULL;
	uint64_t id = file->state.jobs[index].request.id;

	if (name && *name)
		snprintf(text, size, "%s", name);
	else if (id >> 32)
		snprintf(text, size, "%" PRIu64 "_%" PRIu64, id & UINT32_MAX, (id >> 32) - 1);
	else
		snprintf(text, size, "%" PRIu64, id);
}

int lxfw_whatif_row(const struct lxfw_whatif_table *table, size_t index,
		    struct lxfw_whatif_row *row)
{
	const struct lxfw_whatif_job *job = &table->result->jobs[index];
	const struct lxfw_request *request = &job_of(table, index)->request;
	size_t futures = (size_t)table->result->futures;
	int64_t *numbers = calloc(futures, sizeof(*numbers));

	if (!numbers) {
		errno = ENOMEM;
		return -1;
	}
	*row = (struct lxfw_whatif_row) {
		.procs = lxfw_request_sum(request).procs, .limit = request->estimate,
		.waited = table->whatif->file->state.now - request->submit,
	};
	name_of(table, job->index, row->name, sizeof(row->name));
	for (int side = 0; side < LXFW_WHATIF_SIDES; side++) {
		for (size_t i = 0; i < futures; i++)
			numbers[i] = side == LXFW_SIDE_NOW ? job->now[i] : job->then[i];
		row->start[side] = median(numbers, futures);
	}
	compare(job, futures, numbers, row);
	free(numbers);
	return 0;
}

/* --- totals ---------------------------------------------------------------------------- */

/* Adds the jobs of future FUTURE, and returns their mean wait. */
static double add(const struct lxfw_whatif_table *table, int side, size_t future,
		  struct lxfw_whatif_totals *totals)
{
	static const int64_t within[] = { 3600, 4 * 3600, 24 * 3600 };
	const struct lxfw_whatif_result *result = table->result;
	int64_t now = table->whatif->file->state.now;
	double wait = 0;

	for (size_t i = 0; i < result->count; i++) {
		const struct lxfw_whatif_job *job = &result->jobs[i];
		int64_t start = side == LXFW_SIDE_NOW ? job->now[future] : job->then[future];
		int64_t end = start == LXFW_NEVER ? now + table->whatif->horizon : start;

		totals->late += start == LXFW_NEVER;
		for (int j = 0; j < 3; j++)
			totals->started[j] += start != LXFW_NEVER && start - now <= within[j];
		wait += (double)(end - job_of(table, i)->request.submit);
	}
	return result->count > 0 ? wait / (double)result->count : 0;
}

static void machine(const struct lxfw_snapshot *state, struct lxfw_whatif_figures *figures)
{
	figures->hosts = state->host_count;
	for (size_t i = 0; i < state->host_count; i++)
		figures->procs += state->hosts[i].up ? state->hosts[i].total.procs : 0;
	for (size_t i = 0; i < state->job_count; i++)
		figures->running += state->jobs[i].state >= LXFW_SNAPSHOT_RUNNING;
}

/* The members of totals, to sum and to sort them. */
#define TOTALS 6

static void list_totals(const struct lxfw_whatif_totals *totals, double *values)
{
	values[0] = totals->wait;
	values[1] = totals->late;
	values[2] = totals->utilization;
	for (int i = 0; i < 3; i++)
		values[3 + i] = totals->started[i];
}

static void set_totals(struct lxfw_whatif_totals *totals, const double *values)
{
	totals->wait = values[0];
	totals->late = values[1];
	totals->utilization = values[2];
	for (int i = 0; i < 3; i++)
		totals->started[i] = values[3 + i];
}

/* Sets the means of a side and the bounds of 90 %, of VALUES by member and future. */
static void find_totals(struct lxfw_whatif_figures *figures, int side, size_t futures,
			double *values)
{
	double mean[TOTALS] = { 0 }, low[TOTALS], high[TOTALS];

	for (int k = 0; k < TOTALS; k++) {
		double *of = values + (size_t)k * futures;

		for (size_t i = 0; i < futures; i++)
			mean[k] += of[i];
		mean[k] /= (double)futures;
		qsort(of, futures, sizeof(*of), ascending_double);
		low[k] = of[bound(futures, false)];
		high[k] = of[bound(futures, true)];
	}
	set_totals(&figures->of[side], mean);
	set_totals(&figures->low_of[side], low);
	set_totals(&figures->high_of[side], high);
}

/* Moves a bound of the futures away from their median. What is submitted, and how long jobs
   run, differs less between futures than between a forecast and what comes. */
static double widened(const struct lxfw_whatif_table *table, double bound, double middle)
{
	return table->whatif->submissions ? middle + WIDER * (bound - middle) : bound;
}

/* Sorts DIFFERENCES of the mean waits. */
static void find_difference(const struct lxfw_whatif_table *table, double *differences,
			    struct lxfw_whatif_figures *figures)
{
	size_t futures = (size_t)table->result->futures;
	double middle;

	qsort(differences, futures, sizeof(*differences), ascending_double);
	middle = differences[(futures - 1) / 2];
	figures->low = widened(table, differences[bound(futures, false)], middle);
	figures->high = widened(table, differences[bound(futures, true)], middle);
	for (size_t i = 0; i < futures; i++) {
		figures->shorter += differences[i] < -LEAST_DIFFERENCE;
		figures->longer += differences[i] > LEAST_DIFFERENCE;
	}
}

/* The means of the jobs that are submitted in the futures. */
static void find_arrivals(const struct lxfw_whatif_table *table, int side,
			  struct lxfw_whatif_figures *figures)
{
	const struct lxfw_future_arrivals *arrivals = table->result->arrivals[side];
	double count = 0, wait = 0;

	for (int i = 0; i < table->result->futures; i++) {
		count += (double)arrivals[i].count;
		wait += arrivals[i].wait;
	}
	figures->submitted = count / table->result->futures;
	figures->submitted_wait[side] = count > 0 ? wait / count : 0;
}

int lxfw_whatif_figures(const struct lxfw_whatif_table *table,
			struct lxfw_whatif_figures *figures)
{
	size_t futures = (size_t)table->result->futures;
	double *values = calloc((TOTALS + 1) * futures, sizeof(*values)), all;
	double *differences = values + TOTALS * futures;

	*figures = (struct lxfw_whatif_figures) { 0 };
	if (!values) {
		errno = ENOMEM;
		return -1;
	}
	machine(&table->whatif->file->state, figures);
	all = (double)figures->procs * (double)table->whatif->horizon;
	for (int side = 0; side < LXFW_WHATIF_SIDES; side++) {
		for (size_t i = 0; i < futures; i++) {
			struct lxfw_whatif_totals totals = { 0 };
			double one[TOTALS];

			totals.wait = add(table, side, i, &totals);
			totals.utilization = all > 0 ? table->result->busy[side][i] / all : 0;
			differences[i] += side == LXFW_SIDE_NOW ? -totals.wait : totals.wait;
			list_totals(&totals, one);
			for (int k = 0; k < TOTALS; k++)
				values[(size_t)k * futures + i] = one[k];
		}
		find_totals(figures, side, futures, values);
		find_arrivals(table, side, figures);
	}
	find_difference(table, differences, figures);
	free(values);
	return 0;
}

/* --- words ------------------------------------------------------------------------------- */

const char *lxfw_whatif_time(const struct lxfw_whatif_table *table, int64_t time, char *text,
			     size_t size)
{
	time_t seconds = (time_t)time;
	struct tm tm;

	if (time == LXFW_NEVER)
		return "later";
	if (!table->dates || !localtime_r(&seconds, &tm) ||
	    strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(text, size, "%" PRId64, time);
	return text;
}

const char *lxfw_whatif_difference(double seconds, char *text, size_t size)
{
	char span[32];

	if (fabs(seconds) < 0.5)
		return "0";
	snprintf(text, size, "%c%s", seconds < 0 ? '-' : '+',
		 lxfw_format_span(fabs(seconds), span, sizeof(span)));
	return text;
}

const char *lxfw_whatif_run_times(const struct lxfw_whatif_table *table, char *text,
				  size_t size)
{
	const struct lxfw_whatif *whatif = table->whatif;

	if (whatif->run_times == LXFW_RUN_TIMES_PREDICTED)
		snprintf(text, size, "drawn from those of %zu earlier jobs, in %d futures",
			 whatif->file->ran_count, whatif->futures);
	else
		snprintf(text, size, "%s", whatif->run_times == LXFW_RUN_TIMES_KNOWN ?
			 "as given, others the requested times" :
			 "the requested times; most jobs end earlier, so starts are late");
	return text;
}

const char *lxfw_whatif_submissions(const struct lxfw_whatif_table *table, char *text,
				    size_t size)
{
	const struct lxfw_whatif *whatif = table->whatif;

	if (whatif->submissions)
		snprintf(text, size, "jobs are submitted as on earlier days, drawn from %zu "
			 "submissions", whatif->file->submitted_count);
	else
		snprintf(text, size, "no job is submitted");
	return text;
}

const char *lxfw_whatif_direction(const struct lxfw_whatif_table *table,
				  const struct lxfw_whatif_figures *figures, char *text,
				  size_t size)
{
	size_t futures = (size_t)table->result->futures;
	bool longer = figures->longer > figures->shorter;
	bool sure = figures->low > 0 || figures->high < 0;
	bool likely = (double)(longer ? figures->longer : figures->shorter) >=
		      LIKELY * (double)futures;

	text[0] = '\0';
	if (!table->result->changed || table->result->futures == 1)
		return text;
	snprintf(text, size, "The mean wait is shorter with the change in %zu of %zu futures, and "
		 "longer in %zu: %s%s.", figures->shorter, futures, figures->longer,
		 !sure && !likely ? "whether it becomes shorter or longer is not known" :
		 sure ? "it becomes " : "it probably becomes ",
		 !sure && !likely ? "" : longer ? "longer" : "shorter");
	return text;
}
