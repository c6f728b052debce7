/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/tally.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/workload/ncsa_o2k.h"

#define HOUR 3600.0

/* Minimum number of jobs for measures of a range of run time, and of a class. */
#define GROUP_MIN 20
#define CLASS_MIN 5

/* Bound of the bounded slowdown as in metrics.h, seconds. */
#define BOUND 10

static const struct {
	const char *name, *key;
} measures[LXFW_TALLY_MEASURES] = {
	[LXFW_TALLY_MEAN] = { "average wait, h", "mean_wait_h" },
	[LXFW_TALLY_P95] = { "95th percentile wait, h", "p95_wait_h" },
	[LXFW_TALLY_MAX] = { "maximum wait, h", "max_wait_h" },
	[LXFW_TALLY_SLOWDOWN] = { "average slowdown", "mean_slowdown" },
	[LXFW_TALLY_BOUNDED] = { "average bounded slowdown",
				 "mean_bounded_slowdown" },
	[LXFW_TALLY_AT_ONCE] = { "share placed at once", "placed_at_once" },
	[LXFW_TALLY_HELD] = { "share of processor time held idle",
			      "held_idle" },
	[LXFW_TALLY_TOP_GROUPS] = { "run time ranges in the longest 5 % waits",
				    "ranges_in_longest" },
	[LXFW_TALLY_CLASSES] = { "share of classes waiting 1 to 100 h",
				 "classes_in_hours" },
	[LXFW_TALLY_PROC_DEMAND] = { "processor demand", "proc_demand" },
	[LXFW_TALLY_LARGE_DEMAND] = { "processor demand of large jobs",
				      "large_proc_demand" },
	[LXFW_TALLY_SHORT_OF_1H] = { "under a minute, of requests over 1 h",
				     "short_of_1h" },
	[LXFW_TALLY_SHORT_OF_10H] = { "under a minute, of requests over 10 h",
				      "short_of_10h" },
};

static const struct {
	const char *name, *key;
	int64_t longest;		/* seconds */
} groups[LXFW_GROUPS] = {
	[LXFW_GROUP_ALL] = { "all jobs", "all", INT64_MAX },
	[LXFW_GROUP_TO_1M] = { "jobs up to 1 min", "to_1m", 60 },
	[LXFW_GROUP_TO_10M] = { "jobs of 1 to 10 min", "to_10m", 600 },
	[LXFW_GROUP_TO_100M] = { "jobs of 10 to 100 min", "to_100m", 6000 },
	[LXFW_GROUP_TO_1000M] = { "jobs of 100 to 1000 min", "to_1000m",
				  60000 },
	[LXFW_GROUP_LONGEST] = { "jobs over 1000 min", "over_1000m",
				 INT64_MAX },
	[LXFW_GROUP_OVER_1M] = { "jobs over 1 min", "over_1m", INT64_MAX },
};

const char *lxfw_tally_measure_name(enum lxfw_tally_measure measure)
{
	return measures[measure].name;
}

const char *lxfw_tally_measure_key(enum lxfw_tally_measure measure)
{
	return measures[measure].key;
}

const char *lxfw_tally_group_name(enum lxfw_tally_group group)
{
	return groups[group].name;
}

const char *lxfw_tally_group_key(enum lxfw_tally_group group)
{
	return groups[group].key;
}

enum lxfw_tally_group lxfw_tally_group(int64_t run)
{
	int group = LXFW_GROUP_TO_1M;

	while (run > groups[group].longest)
		group++;
	return (enum lxfw_tally_group)group;
}

static bool within(const struct lxfw_tally_input *input, size_t job)
{
	return input->trace->jobs[job].submit >= input->from &&
	       input->trace->jobs[job].submit < input->until;
}

static bool belongs(enum lxfw_tally_group group, int64_t run)
{
	if (group == LXFW_GROUP_ALL)
		return true;
	if (group == LXFW_GROUP_OVER_1M)
		return run > groups[LXFW_GROUP_TO_1M].longest;
	return lxfw_tally_group(run) == group;
}

static double divide(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

/* WAITS is a buffer for the waits of the group. */
static void make_group(struct lxfw_tally *tally,
		       const struct lxfw_tally_input *input,
		       enum lxfw_tally_group group, int64_t *waits)
{
	double *values = tally->values[group];
	double sum = 0, slowdown = 0, bounded = 0;
	size_t count = 0;

	for (size_t i = 0; i < input->trace->count; i++) {
		double run = (double)input->trace->jobs[i].run;
		double wait = (double)input->waits[i];
		double part;

		if (!within(input, i) ||
		    !belongs(group, input->trace->jobs[i].run))
			continue;
		waits[count++] = input->waits[i];
		sum += wait;
		slowdown += (wait + run) / run;
		part = (wait + run) / (run > BOUND ? run : BOUND);
		bounded += part > 1 ? part : 1;
	}
	tally->jobs[group] = count;
	if (count < (group == LXFW_GROUP_ALL ? 1 : GROUP_MIN))
		return;
	values[LXFW_TALLY_MEAN] = sum / (double)count / HOUR;
	values[LXFW_TALLY_P95] =
		(double)lxfw_percentile(waits, count, 95) / HOUR;
	values[LXFW_TALLY_MAX] =
		(double)lxfw_percentile(waits, count, 100) / HOUR;
	values[LXFW_TALLY_SLOWDOWN] = slowdown / (double)count;
	values[LXFW_TALLY_BOUNDED] = bounded / (double)count;
}

/* Computes the measures that are for all jobs only. P95 is their 95th percentile wait
   in hours. */
static void make_shares(struct lxfw_tally *tally,
			const struct lxfw_tally_input *input)
{
	double *values = tally->values[LXFW_GROUP_ALL];
	bool found[LXFW_GROUPS] = { false };
	size_t at_once = 0;
	int ranges = 0;

	for (size_t i = 0; i < input->trace->count; i++) {
		if (!within(input, i))
			continue;
		at_once += input->at_once[i];
		if ((double)input->waits[i] / HOUR >= values[LXFW_TALLY_P95])
			found[lxfw_tally_group(input->trace->jobs[i].run)] =
				true;
	}
	for (int group = LXFW_GROUP_TO_1M; group <= LXFW_GROUP_LONGEST; group++)
		ranges += found[group];
	values[LXFW_TALLY_TOP_GROUPS] = ranges;
	values[LXFW_TALLY_AT_ONCE] = divide((double)at_once,
				(double)tally->jobs[LXFW_GROUP_ALL]);
	values[LXFW_TALLY_HELD] = input->held;
}

static void make_demands(struct lxfw_tally *tally,
			 const struct lxfw_tally_input *input)
{
	double *values = tally->values[LXFW_GROUP_ALL];
	double room = (double)input->procs *
		      (double)(input->until - input->from);
	double demand = 0, asked[2] = { 0 }, brief[2] = { 0 };

	for (size_t i = 0; i < input->trace->count; i++) {
		const struct lxfw_trace_job *job = &input->trace->jobs[i];

		if (!within(input, i))
			continue;
		demand += (double)job->procs * (double)job->run;
		for (int j = 0; j < 2; j++) {
			if (job->limit <= (j ? 36000 : 3600))
				continue;
			asked[j]++;
			brief[j] += job->run < 60;
		}
	}
	values[LXFW_TALLY_PROC_DEMAND] = demand / room;
	values[LXFW_TALLY_SHORT_OF_1H] = divide(brief[0], asked[0]);
	values[LXFW_TALLY_SHORT_OF_10H] = divide(brief[1], asked[1]);
}

static void make_classes(struct lxfw_tally *tally,
			 const struct lxfw_tally_input *input)
{
	double *values = tally->values[LXFW_GROUP_ALL];
	double waits[LXFW_NCSA_O2K_CLASSES] = { 0 }, large = 0;
	double jobs[LXFW_NCSA_O2K_CLASSES] = { 0 }, counted = 0, hours = 0;

	for (size_t i = 0; i < input->trace->count; i++) {
		const struct lxfw_trace_job *job = &input->trace->jobs[i];
		int class = lxfw_ncsa_o2k_class_of(job);

		if (!within(input, i) || class < 0)
			continue;
		jobs[class]++;
		waits[class] += (double)input->waits[i] / HOUR;
		if (class >= LXFW_NCSA_O2K_CLASSES * 2 / 3)
			large += (double)job->procs * (double)job->run;
	}
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
		if (jobs[i] < CLASS_MIN)
			continue;
		counted++;
		hours += waits[i] / jobs[i] >= 1 && waits[i] / jobs[i] < 100;
	}
	values[LXFW_TALLY_CLASSES] = divide(hours, counted);
	values[LXFW_TALLY_LARGE_DEMAND] = large / ((double)input->procs *
				(double)(input->until - input->from));
}

int lxfw_tally_make(struct lxfw_tally *tally,
		    const struct lxfw_tally_input *input)
{
	int64_t *waits = malloc((input->trace->count + 1) * sizeof(*waits));

	if (!waits) {
		errno = ENOMEM;
		return -1;
	}
	for (int group = 0; group < LXFW_GROUPS; group++) {
		for (int i = 0; i < LXFW_TALLY_MEASURES; i++)
			tally->values[group][i] = NAN;
		make_group(tally, input, (enum lxfw_tally_group)group, waits);
	}
	free(waits);
	if (tally->jobs[LXFW_GROUP_ALL] == 0)
		return 0;
	make_shares(tally, input);
	make_demands(tally, input);
	if (input->classes)
		make_classes(tally, input);
	return 0;
}
