/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A month is generated class by class. Within a class, sizes, requests and fractions are
 * drawn first. Two exponents remain: one bends all run times of the class between their
 * bounds, the other all memory requests. They are determined so that the class has its
 * demands. A bent uniform number on a logarithmic scale leaves jobs in every order of
 * magnitude, unlike truncation or scaling.
 */
#include "sim-frontend/workload/ncsa_o2k.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/util/random.h"

#define HOUR INT64_C(3600)
#define GB_KB (INT64_C(1024) * 1024)

/* Requested memory per processor is a multiple of this. */
#define STEP_MB 4
#define SERIAL_BIG_MB 512
/* Fraction of the small serial jobs that request more. Together with the serial jobs
   that are in a larger class because of their memory, it is half of all serial jobs. */
#define SERIAL_BIG 0.45
/* The same with small sizes, where more serial jobs are in larger classes: fitted so that
   the share is within its bounds for seeds 1 to 3, not for every seed. */
#define SERIAL_BIG_IF_SMALL 0.335

/* Section 3, in per cent: jobs under a minute; long requests for which a short one
   would have been sufficient (over 50); jobs that use less than a tenth of the
   requested memory. */
#define SHORT_LEAST 15
#define SHORT_MOST 20
#define FITS_SHORT_REQUEST 55
#define LOW_MEMORY_LEAST 25
#define LOW_MEMORY_MOST 35
/* Jobs under a minute use less memory: this percentage uses less than a tenth of the
   request, and this fraction uses a gigabyte or more. */
#define SHORT_LOW_MEMORY 45
#define SHORT_BUT_LARGE 0.02

/* The skew of the first draw of middle and large jobs if they are small: the smallest of
   1, 2, 4 and 8 with which over 99 per cent of the jobs are placed at once under
   EQspatial in most months. */
#define SMALL_SKEW 8

#define TRIES 40
#define BISECTIONS 40
#define EXPONENT_MAX 64.0

enum { VST, ST, MT, LT };
enum { SJ, MJ, LJ };

struct draft {
	int64_t limit;			/* requested time, seconds */
	int64_t run_min, run_max, run;	/* seconds */
	double run_at;			/* position between them, before bending */
	double run_bend;		/* additional exponent of this job */
	int32_t procs;
	int32_t memory_min, memory_max, memory;	/* steps of STEP_MB per processor */
	double memory_at;
	bool is_short;
	int64_t used_kb;		/* per processor */
};

/* A class of a month, or of the week before it. */
struct population {
	struct lxfw_random random;
	int time, size;
	enum lxfw_ncsa_o2k_sizes sizes;
	struct draft *drafts;
	size_t count;
	double proc_demand;		/* processor-seconds */
	double memory_demand;		/* MB-seconds */
};

struct choice {
	int64_t value;
	int weight;
};

/* Lists begin with small numbers of processors, so that a skewed draw moves along the
   list. In the larger sizes, the small numbers are those of jobs with much memory. */
static const struct choice sizes_sj[] = {
	{ 1, 44 }, { 2, 12 }, { 3, 2 }, { 4, 17 }, { 5, 1 }, { 6, 3 }, { 7, 1 },
	{ 8, 20 }, { 0, 0 },
};
static const struct choice sizes_mj[] = {
	{ 1, 12 }, { 2, 5 }, { 4, 9 }, { 6, 1 }, { 8, 10 }, { 9, 1 }, { 10, 4 },
	{ 12, 10 }, { 14, 2 }, { 15, 1 }, { 16, 45 }, { 0, 0 },
};
static const struct choice sizes_lj[] = {
	{ 1, 4 }, { 2, 2 }, { 4, 4 }, { 8, 7 }, { 12, 2 }, { 16, 13 }, { 20, 4 },
	{ 24, 6 }, { 28, 1 }, { 32, 34 }, { 40, 2 }, { 48, 4 }, { 50, 1 },
	{ 60, 1 }, { 64, 15 }, { 0, 0 },
};
static const struct choice *const proc_choices[] = { sizes_sj, sizes_mj, sizes_lj };

/* Hours. Most are round, and many are the maximum of their class. */
static const struct choice requests_vst[] = {
	{ 1, 16 }, { 2, 20 }, { 3, 12 }, { 4, 8 }, { 5, 44 }, { 0, 0 },
};
static const struct choice requests_st[] = {
	{ 6, 3 }, { 8, 5 }, { 10, 14 }, { 12, 8 }, { 15, 3 }, { 20, 10 },
	{ 24, 14 }, { 30, 6 }, { 40, 6 }, { 48, 6 }, { 50, 25 }, { 0, 0 },
};
static const struct choice requests_mt[] = {
	{ 60, 4 }, { 72, 6 }, { 80, 3 }, { 96, 4 }, { 100, 22 }, { 120, 6 },
	{ 150, 10 }, { 168, 4 }, { 180, 2 }, { 200, 39 }, { 0, 0 },
};
static const struct choice requests_lt[] = {
	{ 240, 8 }, { 250, 6 }, { 300, 24 }, { 336, 2 }, { 350, 4 },
	{ 400, 56 }, { 0, 0 },
};
static const struct choice *const requests[] = {
	requests_vst, requests_st, requests_mt, requests_lt,
};

/* Relative arrival rates by hour: low at night, intermediate in the morning and the
   evening, high in between. Weekends have the same three periods at a lower level. */
static const int weekday_rates[24] = {
	4, 4, 4, 4, 4, 4, 4, 4, 10, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 10, 10, 10, 10, 10,
};
static const int weekend_rates[24] = {
	3, 3, 3, 3, 3, 3, 3, 3, 3, 5, 5, 8,
	8, 8, 8, 8, 8, 8, 8, 5, 5, 5, 5, 5,
};

/* Returns the value at FRACTION (0 to 1) of the cumulative weights. */
static int64_t pick(const struct choice *choices, double fraction)
{
	int all = 0;
	double left;

	for (const struct choice *c = choices; c->weight; c++)
		all += c->weight;
	left = fraction * all;
	for (; choices[1].weight; choices++) {
		left -= choices->weight;
		if (left < 0)
			break;
	}
	return choices->value;
}

static double between(struct lxfw_random *random, double low, double high)
{
	return low + (high - low) * lxfw_random_uniform(random);
}

/* Returns LEAST to MOST per cent of COUNT, or, if there is no integer in this range,
   the one closest to the middle. */
static size_t share(struct lxfw_random *random, size_t count, size_t least,
		    size_t most)
{
	size_t from = (count * least + 99) / 100, to = count * most / 100;

	if (from > to)
		return (count * (least + most) + 100) / 200;
	return from + lxfw_random_below(random, to - from + 1);
}

/* Returns a number between MIN (AT = 0) and MAX (AT = 1) on a logarithmic scale. */
static double on_scale(double min, double max, double at)
{
	return min * lxfw_random_power(max / min, at);
}

static void draw_run(struct population *population, struct draft *draft,
		     bool fits_short_request)
{
	struct lxfw_random *random = &population->random;

	draft->limit = pick(requests[population->time],
			    lxfw_random_uniform(random)) * HOUR;
	/* some of the very short jobs request less than an hour */
	if (population->time == VST && !draft->is_short &&
	    lxfw_random_uniform(random) < 0.15)
		draft->limit = (int64_t)lxfw_random_below(random, 2) ? 1800 : 900;
	draft->run_min = draft->is_short ? 1 : 60;
	draft->run_max = draft->is_short ? 59 : draft->limit;
	if (population->time == LT && !draft->is_short) {
		if (fits_short_request)
			draft->run_max = lxfw_ncsa_o2k_time_limit(ST);
		else
			draft->run_min = lxfw_ncsa_o2k_time_limit(ST);
	}
	draft->run_at = lxfw_random_uniform(random);
	/* larger jobs run longer */
	draft->run_bend = 1 / (1 + 0.4 * lxfw_random_log(draft->procs));
}

/* Sets the range of memory that a job of this class and number of processors may
   request. */
static void draw_memory(struct population *population, struct draft *draft)
{
	struct lxfw_random *random = &population->random;
	int64_t max = lxfw_ncsa_o2k_memory_limit(population->size), min = 0;

	/* with few processors, the memory makes it a larger job */
	if (population->size > SJ &&
	    draft->procs <= lxfw_ncsa_o2k_proc_limit(population->size - 1))
		min = lxfw_ncsa_o2k_memory_limit(population->size - 1);
	if (population->size == SJ && draft->procs == 1) {
		if (lxfw_random_uniform(random) <
		    (population->sizes == LXFW_NCSA_O2K_SMALL ?
			     SERIAL_BIG_IF_SMALL : SERIAL_BIG))
			min = SERIAL_BIG_MB;
		else
			max = SERIAL_BIG_MB;
	}
	draft->memory_min = (int32_t)(min / draft->procs / STEP_MB + 1);
	draft->memory_max = (int32_t)(max / draft->procs / STEP_MB);
	if (min == 0 && draft->memory_max >= 4)
		draft->memory_min = draft->procs == 1 ? 4 : 2;
	/* some long jobs request much memory, short jobs little */
	draft->memory_at = lxfw_random_uniform(random);
	if (draft->is_short)
		draft->memory_at *= 0.7;
	else if (lxfw_random_uniform(random) < 0.35)
		draft->memory_at = draft->run_at;
}

/* Draws all except run times and memory. SKEW above 1 prefers few processors. */
static void draw(struct population *population, double skew)
{
	struct lxfw_random *random = &population->random;
	size_t count = population->count;
	size_t short_left = share(random, count, SHORT_LEAST, SHORT_MOST);
	size_t fits_left = count * FITS_SHORT_REQUEST / 100 + 1;

	fits_left = fits_left > short_left ? fits_left - short_left : 0;
	for (size_t i = 0; i < count; i++) {
		struct draft *draft = &population->drafts[i];
		double at = lxfw_random_power(lxfw_random_uniform(random), skew);
		bool fits = false;
		uint64_t which = lxfw_random_below(random, count - i);

		*draft = (struct draft) {
			.procs = (int32_t)pick(proc_choices[population->size], at),
		};
		if (which < short_left) {
			draft->is_short = true;
			short_left--;
		} else if (which < short_left + fits_left) {
			fits = true;
			fits_left--;
		}
		draw_run(population, draft, fits);
		draw_memory(population, draft);
	}
}

static double bend_run(struct population *population, double exponent)
{
	double demand = 0;

	for (size_t i = 0; i < population->count; i++) {
		struct draft *draft = &population->drafts[i];
		double at = draft->run_at;

		if (!draft->is_short)
			at = lxfw_random_power(at, exponent * draft->run_bend);
		draft->run = (int64_t)on_scale((double)draft->run_min,
					       (double)draft->run_max, at);
		demand += (double)draft->run * draft->procs;
	}
	return demand;
}

static double bend_memory(struct population *population, double exponent)
{
	double demand = 0;

	for (size_t i = 0; i < population->count; i++) {
		struct draft *draft = &population->drafts[i];
		double at = lxfw_random_power(draft->memory_at, exponent);

		draft->memory = (int32_t)(on_scale(draft->memory_min,
						   draft->memory_max, at) + 0.5);
		demand += (double)draft->run * draft->procs * draft->memory *
			  STEP_MB;
	}
	return demand;
}

/*
 * Bends by the exponent that meets DEMAND. The demand decreases as the exponent grows.
 * Returns 0. If no exponent meets it, returns -1 if the smallest one gives too little, or
 * 1 if the largest one gives too much, and applies that exponent.
 */
static int meet(double bend(struct population *, double),
		struct population *population, double demand)
{
	double low = 1 / EXPONENT_MAX, high = EXPONENT_MAX;

	if (bend(population, low) < demand)
		return -1;
	if (bend(population, high) > demand)
		return 1;
	bend(population, low);
	for (int i = 0; i < BISECTIONS; i++) {
		double middle = sqrt(low * high), reached;

		reached = bend(population, middle);
		if (reached > demand)
			low = middle;
		else
			high = middle;
		if (fabs(reached - demand) < 0.002 * demand)
			break;
	}
	return 0;
}

/*
 * Draws until run times and memory requests meet the demands. For the few jobs of the
 * week before, this may be impossible; the last attempt is then used.
 */
static void meet_demands(struct population *population)
{
	double skew = population->sizes == LXFW_NCSA_O2K_SMALL &&
		      population->size != SJ ? SMALL_SKEW : 1;

	for (int i = 0; i < TRIES; i++) {
		int run, memory;

		draw(population, skew);
		run = meet(bend_run, population, population->proc_demand);
		memory = meet(bend_memory, population,
			      population->memory_demand);
		if (run == 0 && memory == 0)
			return;
		/* more processors increase the processor time; fewer allow longer run
		   times, and therefore more memory demand */
		if (run != 0 ? run < 0 : memory > 0)
			skew *= 0.85;
		else
			skew *= 1.2;
	}
}

/* Returns whether a job that uses less than a gigabyte necessarily uses less than a
   tenth of its request. */
static bool is_surely_low(const struct draft *draft)
{
	return draft->is_short &&
	       (int64_t)draft->memory * STEP_MB * 1024 * draft->procs >
	       GB_KB / 10 * 95;
}

/* Returns the peak of the memory used as a fraction of the request. */
static double draw_used_part(struct lxfw_random *random,
			     const struct draft *draft, bool low)
{
	double gigabyte = 0.95 * (double)GB_KB /
		((double)draft->memory * STEP_MB * 1024 * draft->procs);
	double most = 1, part;

	if (draft->is_short &&
	    lxfw_random_uniform(random) >= SHORT_BUT_LARGE)
		most = gigabyte < 1 ? gigabyte : 1;
	if (low) {
		part = between(random, 0.005, 0.099);
		return part < most ? part : most;
	}
	part = between(random, 0.101, most);
	/* long jobs have had time to use it */
	if (draft->run > HOUR) {
		double other = between(random, 0.101, most);

		part = part > other ? part : other;
	}
	return part;
}

static void draw_used(struct population *population)
{
	struct lxfw_random *random = &population->random;
	size_t low = share(random, population->count, LOW_MEMORY_LEAST,
			   LOW_MEMORY_MOST);
	/* for short jobs, [1], and others: the number left, and the number left with
	   low memory use */
	size_t left[2] = { 0, 0 }, low_left[2], sure = 0;

	for (size_t i = 0; i < population->count; i++) {
		left[population->drafts[i].is_short]++;
		sure += is_surely_low(&population->drafts[i]);
	}
	low_left[1] = left[1] * SHORT_LOW_MEMORY / 100;
	low_left[1] = low_left[1] < sure ? sure : low_left[1];
	low_left[1] = low_left[1] > low ? low : low_left[1];
	low_left[0] = low - low_left[1];
	left[1] -= sure;
	low_left[1] -= low_left[1] < sure ? low_left[1] : sure;
	for (size_t i = 0; i < population->count; i++) {
		struct draft *draft = &population->drafts[i];
		int kind = draft->is_short;
		bool is_low = is_surely_low(draft);

		if (!is_low) {
			is_low = lxfw_random_below(random, left[kind]--) <
				 low_left[kind];
			low_left[kind] -= is_low;
		}
		draft->used_kb = (int64_t)((double)draft->memory * STEP_MB *
			1024 * draw_used_part(random, draft, is_low));
	}
}

/* Draws a second of DAYS days according to the arrival rates. The first day is
   WEEKDAY. */
static int64_t draw_submit(struct lxfw_random *random, int weekday, int days)
{
	int64_t all = 0, at;

	for (int day = 0; day < days; day++) {
		for (int hour = 0; hour < 24; hour++)
			all += ((weekday + day) % 7 % 6 ? weekday_rates :
				weekend_rates)[hour];
	}
	at = (int64_t)lxfw_random_below(random, (uint64_t)(all * HOUR));
	for (int hour = 0;; hour++) {
		const int *rates = (weekday + hour / 24) % 7 % 6 ?
			weekday_rates : weekend_rates;
		int rate = rates[hour % 24];

		if (at < rate * HOUR)
			return hour * HOUR + at / rate;
		at -= rate * HOUR;
	}
}

static int append(struct lxfw_trace *trace, struct population *population,
		  int weekday, int days, int64_t begin)
{
	if (LXFW_GROW(trace->jobs, trace->size, trace->count + population->count))
		return -1;
	for (size_t i = 0; i < population->count; i++) {
		const struct draft *draft = &population->drafts[i];

		trace->jobs[trace->count++] = (struct lxfw_trace_job) {
			.submit = begin + draw_submit(&population->random,
						      weekday, days),
			.run = draft->run,
			.limit = draft->limit,
			.wait = -1,
			.memory_kb = (int64_t)draft->memory * STEP_MB * 1024 *
				     draft->procs,
			.used_memory_kb = draft->used_kb * draft->procs,
			.procs = draft->procs,
		};
	}
	return 0;
}

/* Adds one class of the month (WEEK false) or of the seven days before it. */
static int add_class(struct lxfw_trace *trace, int number,
		     enum lxfw_ncsa_o2k_sizes sizes, uint64_t seed, int class,
		     bool week)
{
	const struct lxfw_ncsa_o2k_month *month = lxfw_ncsa_o2k_month(number);
	const struct lxfw_ncsa_o2k_figures *figures = &month->classes[class];
	double seconds = (double)lxfw_ncsa_o2k_month_seconds(number);
	double part = week ? 7.0 / month->days : 1;
	struct population population = {
		.time = class % 4, .size = class / 4, .sizes = sizes,
		.count = (size_t)(figures->jobs * part + 0.5),
		.proc_demand = lxfw_ncsa_o2k_proc_target(number, class) * part *
			       LXFW_NCSA_O2K_PROCS * seconds,
		.memory_demand = lxfw_ncsa_o2k_memory_target(number, class) *
				 part * LXFW_NCSA_O2K_MEMORY_MB * seconds,
	};
	int result = 0;

	if (population.count == 0)
		return 0;
	lxfw_random_seed(&population.random, seed,
			 (uint64_t)(number * 2 + week) *
			 LXFW_NCSA_O2K_CLASSES + (uint64_t)class);
	population.drafts = calloc(population.count, sizeof(struct draft));
	if (!population.drafts)
		return -1;
	meet_demands(&population);
	draw_used(&population);
	if (week)
		result = append(trace, &population, month->weekday, 7, 0);
	else
		result = append(trace, &population, month->weekday, month->days,
				LXFW_NCSA_O2K_LEAD);
	free(population.drafts);
	return result;
}

/* By submit time, then by class, which `number` holds until jobs are numbered. */
static int by_submit(const void *left, const void *right)
{
	const struct lxfw_trace_job *a = left, *b = right;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

int lxfw_ncsa_o2k_generate(struct lxfw_trace *trace, int month,
			   enum lxfw_ncsa_o2k_sizes sizes, uint64_t seed)
{
	size_t before = trace->count;

	for (int i = 0; i < 2 * LXFW_NCSA_O2K_CLASSES; i++) {
		if (add_class(trace, month, sizes, seed, i / 2, i % 2 == 0)) {
			trace->count = before;
			return -1;
		}
	}
	for (size_t i = before; i < trace->count; i++)
		trace->jobs[i].number = (int64_t)i;
	qsort(trace->jobs + before, trace->count - before, sizeof(*trace->jobs),
	      by_submit);
	for (size_t i = before; i < trace->count; i++)
		trace->jobs[i].number = (int64_t)(i + 1);
	return 0;
}
