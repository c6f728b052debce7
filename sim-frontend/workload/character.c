/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/character.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/statistics.h"

#define MINUTE 60
#define HOUR INT64_C(3600)
#define DAY INT64_C(86400)
#define GB_KB (INT64_C(1024) * 1024)
#define LARGE_SERIAL_KB (INT64_C(512) * 1024)

static void count(struct lxfw_fraction *share, bool is)
{
	share->count += is;
	share->of++;
}

double lxfw_fraction_percent(const struct lxfw_fraction *share)
{
	return share->of ? 100.0 * (double)share->count / (double)share->of : 0;
}

static bool knows_memory(const struct lxfw_trace_job *job)
{
	return job->memory_kb > 0 && job->used_memory_kb >= 0;
}

static void add(struct lxfw_job_group *group, const struct lxfw_trace_job *job)
{
	group->jobs++;
	group->proc_seconds += (double)job->run * job->procs;
	group->mb_seconds += (double)job->run * (double)job->memory_kb / 1024;
	count(&group->under_minute, job->run < MINUTE);
	if (knows_memory(job))
		count(&group->low_memory,
		      job->used_memory_kb < job->memory_kb / 10.0);
}

static int time_group(int64_t seconds)
{
	int64_t most = 1;
	int group = 0;

	while (group < LXFW_TIME_GROUPS - 1 && seconds > most) {
		most *= 10;
		group++;
	}
	return group;
}

static int size_group(int32_t procs)
{
	int group = 0;

	while (group < LXFW_SIZE_GROUPS - 1 && procs > INT64_C(1) << group)
		group++;
	return group;
}

static void add_facts(struct lxfw_character *to,
		      const struct lxfw_trace_job *job)
{
	bool short_run = job->run < MINUTE;

	to->has_requests |= job->limit != job->run;
	to->with_memory += job->memory_kb > 0;
	to->with_used += job->used_memory_kb >= 0;
	if (job->limit > HOUR)
		count(&to->over_hour, short_run);
	if (job->limit > 10 * HOUR)
		count(&to->over_ten_hours, short_run);
	count(&to->tenth, job->run < job->limit / 10.0);
	if (short_run && job->used_memory_kb >= 0)
		count(&to->small, job->used_memory_kb < GB_KB);
	count(&to->serial, job->procs == 1);
	if (job->procs > 1)
		count(&to->power_of_two, (job->procs & (job->procs - 1)) == 0);
	else if (job->memory_kb > 0)
		count(&to->serial_large, job->memory_kb > LARGE_SERIAL_KB);
}

static void add_arrival(struct lxfw_character *to,
			const struct lxfw_moment *moment)
{
	bool weekend = moment->weekday == 0 || moment->weekday == 6;

	to->arrivals[weekend].jobs[moment->second / HOUR]++;
}

/* Allocates classes only for months with jobs, since a trace may have many empty
   months. */
static int make_classes(const struct lxfw_character *to,
			struct lxfw_workload_month *month)
{
	if (!month->classes)
		month->classes = calloc(to->class_count + 1,
					sizeof(*month->classes));
	return month->classes ? 0 : -1;
}

static int add_job(struct lxfw_character *to, int64_t first_month,
		   const struct lxfw_class_scheme *scheme,
		   const struct lxfw_trace_job *job)
{
	int class = scheme->count ? scheme->class_of(scheme->context, job) : -1;
	struct lxfw_workload_month *month;
	struct lxfw_moment moment;

	lxfw_calendar_moment(&to->calendar, job->submit, &moment);
	month = &to->months[moment.month - first_month];
	if (make_classes(to, month))
		return -1;
	add(&to->all, job);
	add(&month->all, job);
	if (class >= 0) {
		add(&to->classes[class], job);
		add(&month->classes[class], job);
	} else {
		to->no_class++;
	}
	add(&to->requests[time_group(job->limit)], job);
	add(&to->runs[time_group(job->run)], job);
	add(&to->sizes[size_group(job->procs)], job);
	add_facts(to, job);
	add_arrival(to, &moment);
	return 0;
}

/* Counts the hours of the day that the trace covers, for arrival rates. Traces of more
   than a century are sampled in steps of several weeks and one hour, so that all hours
   of a week occur. */
static void count_hours(struct lxfw_character *to)
{
	int64_t hours = (to->end - to->begin + HOUR - 1) / HOUR;
	int64_t weeks = hours < 1000000 ? 0 : 1 + hours / (168 * 1000000);
	int64_t step = 1 + 168 * weeks;

	for (int64_t i = 0; i < hours; i += step) {
		struct lxfw_moment moment;
		bool weekend;

		lxfw_calendar_moment(&to->calendar, to->begin + i * HOUR,
				     &moment);
		weekend = moment.weekday == 0 || moment.weekday == 6;
		to->arrivals[weekend].hours[moment.second / HOUR] += step;
	}
}

/* Makes the months from the first to the last and determines how much of each the
   trace covers. */
static int make_months(struct lxfw_character *to, int64_t *first_month)
{
	struct lxfw_moment first, last;
	int64_t begin, end;
	size_t months;

	lxfw_calendar_moment(&to->calendar, to->begin, &first);
	lxfw_calendar_moment(&to->calendar, to->end - 1, &last);
	*first_month = first.month;
	months = (size_t)(last.month - first.month + 1);
	to->months = calloc(months, sizeof(*to->months));
	if (!to->months)
		return -1;
	begin = first.day * DAY + first.second;
	end = last.day * DAY + last.second + 1;
	for (; to->month_count < months; to->month_count++) {
		struct lxfw_workload_month *month = &to->months[to->month_count];
		int64_t from, until;

		month->month = first.month + (int64_t)to->month_count;
		from = lxfw_calendar_first_day(&to->calendar, month->month) * DAY;
		until = lxfw_calendar_first_day(&to->calendar,
						month->month + 1) * DAY;
		month->seconds = (until < end ? until : end) -
				 (from > begin ? from : begin);
	}
	return 0;
}

/* Jobs of the window as pairs of values to be compared. */
struct sample {
	double *x, *y;
	size_t count;
};

enum measure {
	RUN_AND_PROCS, MEMORY_AND_PROCS, USED_AND_RUN, USED_OF_REQUEST, RUN,
	REQUEST, MEMORY, SERIAL_MEMORY,
};

static void take(struct sample *sample, const struct lxfw_trace_job *job,
		 enum measure measure)
{
	double memory = (double)job->memory_kb / 1024, x = 0, y = 0;

	switch (measure) {
	case RUN_AND_PROCS:
		x = (double)job->run;
		y = job->procs;
		break;
	case MEMORY_AND_PROCS:
		x = memory / job->procs;
		y = job->procs;
		break;
	case USED_AND_RUN:
		if (job->used_memory_kb < 0)
			return;
		x = (double)job->used_memory_kb / job->procs;
		y = (double)job->run;
		break;
	case USED_OF_REQUEST:
		x = (double)job->run / (double)job->limit;
		break;
	case RUN:
		x = (double)job->run;
		break;
	case REQUEST:
		x = (double)job->limit;
		break;
	case MEMORY:
	case SERIAL_MEMORY:
		x = memory;
		break;
	}
	if (memory == 0 && (measure == MEMORY_AND_PROCS || measure == MEMORY ||
			    measure == SERIAL_MEMORY))
		return;
	if (measure == SERIAL_MEMORY && job->procs > 1)
		return;
	sample->x[sample->count] = x;
	sample->y[sample->count++] = y;
}

static void take_all(struct sample *sample, const struct lxfw_character *to,
		     const struct lxfw_trace *trace, enum measure measure)
{
	sample->count = 0;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];

		if (job->submit >= to->begin && job->submit < to->end)
			take(sample, job, measure);
	}
}

static int compare_samples(struct lxfw_character *to,
			   const struct lxfw_trace *trace,
			   struct sample *sample)
{
	const struct {
		enum measure measure;
		double *median, *correlation;
	} wanted[] = {
		{ RUN_AND_PROCS, NULL, &to->run_and_procs },
		{ MEMORY_AND_PROCS, NULL, &to->memory_and_procs },
		{ USED_AND_RUN, NULL, &to->used_and_run },
		{ USED_OF_REQUEST, &to->median_used_of_request, NULL },
		{ RUN, &to->median_run, NULL },
		{ REQUEST, &to->median_request, NULL },
		{ MEMORY, &to->median_memory_mb, NULL },
		{ SERIAL_MEMORY, &to->median_serial_memory_mb, NULL },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		take_all(sample, to, trace, wanted[i].measure);
		if (wanted[i].median)
			*wanted[i].median = lxfw_median(sample->x,
							sample->count);
		else if (lxfw_rank_correlation(sample->x, sample->y,
					       sample->count,
					       wanted[i].correlation))
			return -1;
	}
	return 0;
}

static int measure_samples(struct lxfw_character *to,
			   const struct lxfw_trace *trace)
{
	struct sample sample = {
		.x = malloc((to->all.jobs + 1) * sizeof(double)),
		.y = malloc((to->all.jobs + 1) * sizeof(double)),
	};
	int result = sample.x && sample.y ?
		compare_samples(to, trace, &sample) : -1;

	free(sample.x);
	free(sample.y);
	return result;
}

/* Sets the window: from the first to the last submission, or as in the options. */
static void set_window(struct lxfw_character *to,
		       const struct lxfw_trace *trace,
		       const struct lxfw_character_options *options)
{
	to->begin = options->begin;
	to->end = options->end;
	if (to->begin < to->end || trace->count == 0)
		return;
	to->begin = to->end = trace->jobs[0].submit;
	for (size_t i = 1; i < trace->count; i++) {
		int64_t submit = trace->jobs[i].submit;

		to->begin = submit < to->begin ? submit : to->begin;
		to->end = submit > to->end ? submit : to->end;
	}
	to->end++;
}

static int fill(struct lxfw_character *to, const struct lxfw_trace *trace,
		const struct lxfw_character_options *options)
{
	int64_t first_month;

	lxfw_trace_calendar(trace, &to->calendar);
	set_window(to, trace, options);
	if (to->begin == to->end)
		return 0;
	to->class_count = options->classes.count;
	to->classes = calloc(to->class_count + 1, sizeof(*to->classes));
	if (!to->classes || make_months(to, &first_month))
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];

		if (job->submit >= to->begin && job->submit < to->end &&
		    add_job(to, first_month, &options->classes, job))
			return -1;
	}
	count_hours(to);
	return measure_samples(to, trace);
}

int lxfw_character_of(struct lxfw_character *character,
		      const struct lxfw_trace *trace,
		      const struct lxfw_character_options *options)
{
	*character = (struct lxfw_character) { 0 };
	if (fill(character, trace, options)) {
		lxfw_character_clear(character);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

void lxfw_character_clear(struct lxfw_character *character)
{
	for (size_t i = 0; i < character->month_count; i++)
		free(character->months[i].classes);
	free(character->months);
	free(character->classes);
	*character = (struct lxfw_character) { 0 };
}
