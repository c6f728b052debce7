/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Synthetic workloads have the required characteristics. Tests of distributions use
 * fixed seeds, because with many seeds some tests would fail by chance.
 */
#include <math.h>
#include <string.h>

#include "sim-frontend/trace/job_classes_text.h"
#include "sim-frontend/trace/swf_write.h"
#include "sim-frontend/util/random.h"
#include "sim-frontend/workload/lublin.h"
#include "sim-frontend/workload/ncsa_o2k_check.h"
#include "tests/unit/file.h"

#define DAY INT64_C(86400)

static struct lxfw_trace sized_trace(int month, enum lxfw_ncsa_o2k_sizes sizes,
				     uint64_t seed)
{
	struct lxfw_trace trace = { 0 };

	assert_int_equal(lxfw_ncsa_o2k_generate(&trace, month, sizes, seed), 0);
	return trace;
}

static struct lxfw_trace month_trace(int month, uint64_t seed)
{
	return sized_trace(month, LXFW_NCSA_O2K_LARGE, seed);
}

/* --- random numbers ----------------------------------------------------- */

static void agrees_with_the_c_library(void **state)
{
	struct lxfw_random random;

	(void)state;
	lxfw_random_seed(&random, 1, 0);
	for (int i = 0; i < 100000; i++) {
		double x = 600 * (lxfw_random_uniform(&random) - 0.5);
		double e = exp(x), l = log(e);

		assert_true(fabs(lxfw_random_exp(x) - e) <= 1e-13 * e);
		assert_true(fabs(lxfw_random_log(e) - l) <=
			    1e-15 * (1 + fabs(l)));
	}
	assert_true(lxfw_random_log(1) == 0);
	assert_true(lxfw_random_exp(0) == 1);
	assert_true(fabs(lxfw_random_power(2, 10) - 1024) < 1e-9);
}

/* Check mean and variance of COUNT draws, each with a tolerance of four standard
   errors. */
static void expect_moments(const double *values, int count, double mean,
			   double variance, double fourth)
{
	double sum = 0, square = 0;

	for (int i = 0; i < count; i++)
		sum += values[i];
	sum /= count;
	for (int i = 0; i < count; i++)
		square += (values[i] - sum) * (values[i] - sum);
	square /= count;
	assert_true(fabs(sum - mean) < 4 * sqrt(variance / count));
	assert_true(fabs(square - variance) <
		    4 * sqrt((fourth - variance * variance) / count));
}

static void draws_what_it_says(void **state)
{
	enum { COUNT = 200000 };
	static const double shapes[] = { 0.3, 1, 4.2, 312 };
	static double values[COUNT];
	int seen[7] = { 0 };
	struct lxfw_random random;

	(void)state;
	lxfw_random_seed(&random, 1, 7);
	for (int i = 0; i < COUNT; i++) {
		values[i] = lxfw_random_uniform(&random);
		assert_true(values[i] > 0 && values[i] < 1);
	}
	expect_moments(values, COUNT, 0.5, 1.0 / 12, 1.0 / 80);
	for (int i = 0; i < COUNT; i++)
		values[i] = lxfw_random_normal(&random);
	expect_moments(values, COUNT, 0, 1, 3);
	for (int k = 0; k < 4; k++) {
		double shape = shapes[k];

		for (int i = 0; i < COUNT; i++)
			values[i] = lxfw_random_gamma(&random, shape, 2);
		expect_moments(values, COUNT, 2 * shape, 4 * shape,
			       16 * (3 * shape * shape + 6 * shape));
	}
	for (int i = 0; i < 70000; i++)
		seen[lxfw_random_below(&random, 7)]++;
	for (int i = 0; i < 7; i++)
		assert_in_range(seen[i], 9600, 10400);
}

/* --- the Origin 2000 ---------------------------------------------------- */

static void table_adds_up(void **state)
{
	(void)state;
	for (int m = 0; m < LXFW_NCSA_O2K_MONTHS; m++) {
		const struct lxfw_ncsa_o2k_month *month = lxfw_ncsa_o2k_month(m);
		int jobs = 0, procs = 0, memory = 0;
		double proc_target = 0, memory_target = 0;

		for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
			const struct lxfw_ncsa_o2k_figures *class =
				&month->classes[i];
			double proc = lxfw_ncsa_o2k_proc_target(m, i);
			double mem = lxfw_ncsa_o2k_memory_target(m, i);

			jobs += class->jobs;
			procs += class->proc_demand;
			memory += class->memory_demand;
			proc_target += 100 * proc;
			memory_target += 100 * mem;
			assert_true(lxfw_ncsa_o2k_demand_met(class->proc_demand,
							     100 * proc));
			assert_true(lxfw_ncsa_o2k_demand_met(
					class->memory_demand, 100 * mem));
		}
		assert_int_equal(jobs, month->jobs);
		/* whole per cents, so the sums differ by rounding */
		assert_in_range(procs, month->proc_demand - 2,
				month->proc_demand + 2);
		assert_in_range(memory, month->memory_demand - 2,
				month->memory_demand + 2);
		assert_true(fabs(proc_target - month->proc_demand) < 1e-6);
		assert_true(fabs(memory_target - month->memory_demand) < 1e-6);
		assert_int_equal(lxfw_ncsa_o2k_month_by_name(month->name), m);
	}
	assert_int_equal(lxfw_ncsa_o2k_month_by_name("2000-04"), -1);
	assert_true(lxfw_ncsa_o2k_demand_met(0, 0.5));
	assert_false(lxfw_ncsa_o2k_demand_met(0, 0.51));
	assert_true(lxfw_ncsa_o2k_demand_met(1, 0.5));
	assert_false(lxfw_ncsa_o2k_demand_met(1, 1.51));
	assert_true(lxfw_ncsa_o2k_demand_met(10, 9.01));
	assert_false(lxfw_ncsa_o2k_demand_met(10, 11.1));
}

static void check(const struct lxfw_trace *trace, int month,
		  struct lxfw_ncsa_o2k_check *result)
{
	struct lxfw_character_options options;
	struct lxfw_character character;

	lxfw_ncsa_o2k_character_options(&options, month);
	assert_int_equal(lxfw_character_of(&character, trace, &options), 0);
	lxfw_ncsa_o2k_check_month(result, month, &character, trace);
	lxfw_character_clear(&character);
}

static void expect_sane(const struct lxfw_trace *trace, int month)
{
	int64_t end = LXFW_NCSA_O2K_LEAD + lxfw_ncsa_o2k_month_seconds(month);

	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];

		assert_int_equal(job->number, i + 1);
		assert_in_range(job->submit, i ? job[-1].submit : 0, end - 1);
		assert_in_range(job->run, 1, job->limit);
		assert_int_equal(job->memory_kb % job->procs, 0);
		assert_in_range(job->used_memory_kb, 1, job->memory_kb);
		assert_int_not_equal(lxfw_ncsa_o2k_class_of(job), -1);
	}
}

static void meets_the_paper(void **state)
{
	uint64_t seed = unit_seed("meets_the_paper");

	(void)state;
	for (int round = 0; round < 42; round++) {
		int month = round % LXFW_NCSA_O2K_MONTHS;
		enum lxfw_ncsa_o2k_sizes sizes = round < 36 && round % 12 >= 6 ?
			LXFW_NCSA_O2K_SMALL : LXFW_NCSA_O2K_LARGE;
		/* the first seeds, which users choose, and random ones */
		uint64_t with = round < 36 ? (uint64_t)round / 12 + 1 :
					     unit_random(&seed);
		struct lxfw_trace trace = sized_trace(month, sizes, with);
		struct lxfw_ncsa_o2k_check result;

		expect_sane(&trace, month);
		check(&trace, month, &result);
		for (int i = 0; i < LXFW_NCSA_O2K_FACTS; i++) {
			if (!result.facts[i].met)
				fail_msg("month %d, sizes %d, seed %llu: %s, %g to %g",
					 month, (int)sizes, (unsigned long long)with,
					 result.facts[i].what,
					 result.facts[i].least,
					 result.facts[i].most);
		}
		for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++) {
			if (!result.classes[i].met)
				fail_msg("month %d, seed %llu: %s, %g and %g",
					 month, (unsigned long long)with,
					 lxfw_ncsa_o2k_class_name(i),
					 result.classes[i].proc_demand,
					 result.classes[i].memory_demand);
		}
		assert_true(result.met);
		lxfw_trace_clear(&trace);
	}
}

/* One job less, or a class with a fifth more work, is detected. */
static void sees_a_miss(void **state)
{
	struct lxfw_trace trace = month_trace(2, 1);
	struct lxfw_ncsa_o2k_check result;

	(void)state;
	for (size_t i = 0; i < trace.count; i++) {
		struct lxfw_trace_job *job = &trace.jobs[i];

		if (lxfw_ncsa_o2k_class_of(job) == 2)
			job->run += job->run / 5;
	}
	check(&trace, 2, &result);
	assert_false(result.classes[2].met);
	assert_true(result.classes[3].met);
	assert_true(result.all.met);
	assert_false(result.met);
	trace.count--;
	check(&trace, 2, &result);
	assert_false(result.all.met);
	lxfw_trace_clear(&trace);
}

static uint64_t digest(const struct lxfw_trace *trace)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		const int64_t fields[] = {
			job->submit, job->run, job->limit, job->memory_kb,
			job->used_memory_kb, job->procs,
		};

		for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++)
			hash = (hash ^ (uint64_t)fields[k]) *
			       UINT64_C(0x100000001b3);
	}
	return hash;
}

/* The result is the same to the bit on every machine. A change of the generator changes
   results that others have published, so it must be intended. */
static void repeats_itself(void **state)
{
	struct lxfw_trace one = month_trace(0, 1), same = month_trace(0, 1);
	struct lxfw_trace other = month_trace(0, 2), next = month_trace(1, 1);

	(void)state;
	assert_true(digest(&one) == digest(&same));
	assert_true(digest(&one) != digest(&other));
	assert_true(digest(&one) != digest(&next));
	assert_true(digest(&one) == UINT64_C(0xbe197f8e4c5f2407));
	lxfw_trace_clear(&one);
	lxfw_trace_clear(&same);
	lxfw_trace_clear(&other);
	lxfw_trace_clear(&next);
}

static void appends(void **state)
{
	struct lxfw_trace both = month_trace(3, 5), second = month_trace(4, 5);
	size_t before = both.count;

	(void)state;
	assert_int_equal(lxfw_ncsa_o2k_generate(&both, 4, LXFW_NCSA_O2K_LARGE, 5), 0);
	assert_int_equal(both.count, before + second.count);
	assert_int_equal(both.jobs[before].submit, second.jobs[0].submit);
	assert_int_equal(both.jobs[before].number, before + 1);
	lxfw_trace_clear(&both);
	lxfw_trace_clear(&second);
}

/* The week before the month: as many jobs of each class as in seven days of the month. */
static void leads_in_at_the_same_rate(void **state)
{
	(void)state;
	for (int m = 0; m < LXFW_NCSA_O2K_MONTHS; m++) {
		const struct lxfw_ncsa_o2k_month *month = lxfw_ncsa_o2k_month(m);
		struct lxfw_trace trace = month_trace(m, 3);
		int jobs[LXFW_NCSA_O2K_CLASSES] = { 0 };

		for (size_t i = 0; i < trace.count; i++) {
			if (trace.jobs[i].submit < LXFW_NCSA_O2K_LEAD)
				jobs[lxfw_ncsa_o2k_class_of(&trace.jobs[i])]++;
		}
		for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
			assert_int_equal(jobs[i], (int)(7.0 * month->classes[i].
					 jobs / month->days + 0.5));
		lxfw_trace_clear(&trace);
	}
}

/* Numbers of jobs in hours with the same rate: a Poisson process has a variance equal
 * to its mean. */
static void arrives_in_three_periods(void **state)
{
	/* hours from .. to, of weekdays, of March 2000, which begins on a Wednesday */
	static const int periods[][2] = { { 9, 19 }, { 19, 24 }, { 0, 8 } };
	double means[3];

	(void)state;
	for (int p = 0; p < 3; p++) {
		double sum = 0, square = 0, count = 0;

		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct lxfw_trace trace = month_trace(5, seed);
			int jobs[31 * 24] = { 0 };

			for (size_t i = 0; i < trace.count; i++) {
				int64_t at = trace.jobs[i].submit -
					     LXFW_NCSA_O2K_LEAD;

				if (at >= 0)
					jobs[at / 3600]++;
			}
			for (int i = 0; i < 31 * 24; i++) {
				if ((3 + i / 24) % 7 % 6 == 0 ||
				    i % 24 < periods[p][0] ||
				    i % 24 >= periods[p][1])
					continue;
				sum += jobs[i];
				square += jobs[i] * jobs[i];
				count++;
			}
			lxfw_trace_clear(&trace);
		}
		means[p] = sum / count;
		square = (square / count - means[p] * means[p]) / means[p];
		/* its standard error is the square root of 2 / count */
		assert_true(fabs(square - 1) < 4 * sqrt(2 / count));
	}
	assert_true(means[0] > 1.5 * means[1] && means[1] > 1.5 * means[2]);
}

/* The generator's limits are those of the built-in classes. */
static void knows_the_shipped_classes(void **state)
{
	uint64_t seed = unit_seed("knows_the_shipped_classes");
	struct lxfw_cluster cluster;
	struct lxfw_error error;
	struct lxfw_job_classes *classes;
	int64_t memory = 0;

	(void)state;
	assert_int_equal(lxfw_cluster_read(&cluster, "ncsa-o2k", &error), 0);
	assert_int_equal(cluster.procs, LXFW_NCSA_O2K_PROCS);
	for (int32_t i = 0; i < cluster.count; i++)
		memory += cluster.hosts[i].total.memory_mb;
	assert_int_equal(memory, LXFW_NCSA_O2K_MEMORY_MB);
	classes = lxfw_job_classes_read("ncsa-o2k", &cluster, &error);
	assert_non_null(classes);
	for (int i = 0; i < 20000; i++) {
		int64_t memory_mb = unit_between(&seed, 1, 17 * 1024);
		struct lxfw_trace_job job = {
			.limit = unit_between(&seed, 1, 410) * 3600,
			.procs = (int32_t)unit_between(&seed, 1, 70),
			.memory_kb = memory_mb * 1024,
		};
		struct lxfw_request request = {
			.estimate = job.limit,
			.unit = { .procs = job.procs, .memory_mb = memory_mb },
			.shape = LXFW_SHAPE_HOSTS,
			.count = 1,
		};
		int32_t class = lxfw_job_class_of(classes, &request);

		assert_int_equal(lxfw_ncsa_o2k_class_of(&job), class < 0 ? -1 :
				 4 * lxfw_job_class_size(classes, class) +
				 lxfw_job_class_time(classes, class));
	}
	free(classes);
	lxfw_cluster_clear(&cluster);
}

/* Writing and reading a trace preserves all fields. */
static void survives_the_format(void **state)
{
	struct lxfw_trace trace = month_trace(1, 9), read;
	const char *path = unit_path("month.swf");
	struct lxfw_error error;
	struct lxfw_output *output = lxfw_output_open(path, &error);

	(void)state;
	assert_non_null(output);
	lxfw_swf_write_header(output, "Generator", "lxfw %s", "ncsa-o2k");
	lxfw_swf_write_header(output, "Month", "1999-11");
	for (size_t i = 0; i < trace.count; i++) {
		struct lxfw_swf_record record;

		lxfw_swf_record_of(&record, &trace.jobs[i], 3);
		lxfw_swf_write(output, &record);
	}
	assert_int_equal(lxfw_output_commit(output, &error), 0);
	assert_int_equal(lxfw_trace_read(&read, path, LXFW_MEMORY_KB_PER_PROC,
					 &error), 0);
	assert_int_equal(lxfw_ncsa_o2k_month_of(&read), 1);
	assert_int_equal(read.count, trace.count);
	/* used memory is stored in whole KB per processor */
	assert_true(digest(&read) == digest(&trace));
	lxfw_trace_clear(&read);
	lxfw_trace_clear(&trace);
}

/* --- Lublin and Feitelson ----------------------------------------------- */

#define LUBLIN_JOBS 200000

static struct lxfw_trace lublin_trace(int32_t procs, double load, double factor)
{
	struct lxfw_lublin_options options = {
		.procs = procs, .jobs = LUBLIN_JOBS, .load = load,
		.estimate_factor = factor,
	};
	struct lxfw_trace trace = { 0 };

	assert_int_equal(lxfw_lublin_generate(&trace, &options, 1), 0);
	assert_int_equal(trace.count, LUBLIN_JOBS);
	return trace;
}

static double gamma_density(double x, double shape, double scale)
{
	return exp((shape - 1) * log(x) - x / scale - lgamma(shape) -
		   shape * log(scale));
}

/* The integral of e^(POWER x) times the density, from 0 to TO. */
static double gamma_part(double shape, double scale, double to, double power)
{
	const int steps = 20000;
	double sum = 0;

	for (int i = 0; i < steps; i++) {
		double x = (i + 0.5) * to / steps;

		sum += gamma_density(x, shape, scale) * exp(power * x);
	}
	return sum * to / steps;
}

/* Check a share of COUNT draws with a tolerance of four standard errors. */
static void expect_share(double count, double of, double share)
{
	if (fabs(count / of - share) > 4 * sqrt(share * (1 - share) / of))
		fail_msg("%g of %g, expected a share of %g", count, of, share);
}

/* Return the probability that a parallel job uses more than PROCS processors. */
static double larger(const struct lxfw_lublin *model, int32_t procs,
		     bool rounded)
{
	/* numbers above this round to more than PROCS */
	double edge = rounded ? floor(log2(procs)) + 0.5 : log2(procs + 0.5);
	double first = (model->middle - edge) / (model->middle - model->low);
	double second = (model->high - edge) / (model->high - model->middle);

	first = first < 0 ? 0 : first > 1 ? 1 : first;
	second = second < 0 ? 0 : second > 1 ? 1 : second;
	return model->first_stage * first + (1 - model->first_stage) * second;
}

static void lublin_parameters(void **state)
{
	/* from the paper's table and text: the shapes of both gamma distributions of
	   arrivals, the first hour of a day in half hours */
	const double shape = 8.1737, scale = 3.9631;
	struct lxfw_lublin model;
	double expected[LXFW_LUBLIN_SLOTS], sum = 0;

	(void)state;
	lxfw_lublin_parameters(&model, 128);
	assert_true(model.serial == 0.244 && model.power_of_two == 0.576);
	assert_true(model.low == 0.8 && fabs(model.middle - 4.5) < 1e-12 &&
		    fabs(model.high - 7) < 1e-12 && model.first_stage == 0.86);
	assert_true(model.shape1 == 4.2 && model.scale1 == 0.94);
	assert_true(model.shape2 == 312 && model.scale2 == 0.03);
	assert_true(model.slope == -0.0054 && model.intercept == 0.78);
	assert_true(fabs(model.gap_shape - 10.46048175) < 1e-9);
	assert_true(model.gap_scale == 0.4871);
	for (int i = 11; i < 59; i++) {
		double *slot = &expected[(i - 1) % 48];

		*slot = 0;
		for (int k = 0; k < 1000; k++)
			*slot += gamma_density(i - 0.5 + (k + 0.5) / 1000,
					       shape, scale);
		sum += *slot;
	}
	for (int i = 0; i < LXFW_LUBLIN_SLOTS; i++)
		assert_true(fabs(model.pace[i] - 48 * expected[i] / sum) < 1e-5);
}

static void lublin_sizes(void **state)
{
	struct lxfw_trace trace = lublin_trace(128, 0, 1);
	struct lxfw_lublin model;
	double serial = 0, powers = 0, by_chance = 0, over[8] = { 0 };

	(void)state;
	lxfw_lublin_parameters(&model, 128);
	for (size_t i = 0; i < trace.count; i++) {
		int32_t procs = trace.jobs[i].procs;

		assert_in_range(procs, 1, 128);
		serial += procs == 1;
		powers += procs > 1 && (procs & (procs - 1)) == 0;
		for (int k = 1; k < 7; k++)
			over[k] += procs > 1 << k;
	}
	expect_share(serial, LUBLIN_JOBS, 0.244);
	for (int k = 1; k < 7; k++)
		expect_share(over[k], LUBLIN_JOBS,
			     0.576 * larger(&model, 1 << k, true) +
			     0.18 * larger(&model, 1 << k, false));
	for (int k = 1; k <= 7; k++)
		by_chance += larger(&model, (1 << k) - 1, false) -
			     larger(&model, 1 << k, false);
	expect_share(powers, LUBLIN_JOBS, 0.576 + 0.18 * by_chance);
	lxfw_trace_clear(&trace);
	/* a machine size between two powers of two, and one too small for the stages */
	trace = lublin_trace(100, 0, 1);
	for (size_t i = 0; i < trace.count; i++)
		assert_in_range(trace.jobs[i].procs, 1, 100);
	lxfw_trace_clear(&trace);
	trace = lublin_trace(1, 0, 1);
	for (size_t i = 0; i < trace.count; i++)
		assert_int_equal(trace.jobs[i].procs, 1);
	lxfw_trace_clear(&trace);
	trace = lublin_trace(5, 0, 1);
	serial = 0;
	for (size_t i = 0; i < trace.count; i++) {
		assert_in_range(trace.jobs[i].procs, 1, 5);
		serial += trace.jobs[i].procs == 5;
	}
	assert_true(serial > 0);
	lxfw_trace_clear(&trace);
}

static void lublin_run_times(void **state)
{
	static const int64_t edges[] = { 10, 60, 1000, 10000, 40000 };
	struct lxfw_trace trace = lublin_trace(128, 0, 2.5);
	struct lxfw_lublin model;

	(void)state;
	lxfw_lublin_parameters(&model, 128);
	for (int32_t procs = 1; procs <= 128; procs *= 4) {
		double first = model.slope * procs + model.intercept;
		double all1 = gamma_part(model.shape1, model.scale1, 12, 0);
		double all2 = gamma_part(model.shape2, model.scale2, 12, 0);
		double below[5] = { 0 }, of = 0;

		for (size_t i = 0; i < trace.count; i++) {
			if (trace.jobs[i].procs != procs)
				continue;
			of++;
			for (int k = 0; k < 5; k++)
				below[k] += trace.jobs[i].run < edges[k];
		}
		assert_true(of > 500);
		for (int k = 0; k < 5; k++) {
			double to = log((double)edges[k]);

			expect_share(below[k], of, first *
				gamma_part(model.shape1, model.scale1, to, 0) /
				all1 + (1 - first) *
				gamma_part(model.shape2, model.scale2, to, 0) /
				all2);
		}
	}
	for (size_t i = 0; i < trace.count; i++)
		assert_int_equal(trace.jobs[i].limit,
				 (trace.jobs[i].run * 5 + 1) / 2);
	lxfw_trace_clear(&trace);
}

static void lublin_arrivals(void **state)
{
	struct lxfw_trace trace = lublin_trace(128, 0, 1);
	struct lxfw_lublin model;
	double all, mean, square, pace = 0, jobs = 0, span;

	(void)state;
	lxfw_lublin_parameters(&model, 128);
	all = gamma_part(model.gap_shape, model.gap_scale, model.gap_max, 0);
	mean = gamma_part(model.gap_shape, model.gap_scale, model.gap_max, 1) /
	       all;
	square = gamma_part(model.gap_shape, model.gap_scale, model.gap_max,
			    2) / all;
	span = (double)trace.jobs[trace.count - 1].submit;
	assert_true(fabs(span / LUBLIN_JOBS - mean) <
		    4 * sqrt((square - mean * mean) / LUBLIN_JOBS));
	/* the six busiest hours, and the six least busy */
	for (int i = 0; i < LXFW_LUBLIN_SLOTS; i++)
		pace += model.pace[i];
	assert_true(fabs(pace - LXFW_LUBLIN_SLOTS) < 1e-9);
	pace = 0;
	for (int i = 24; i < 36; i++)
		pace += model.pace[i] / LXFW_LUBLIN_SLOTS;
	for (size_t i = 0; i < trace.count; i++) {
		int64_t slot = trace.jobs[i].submit % DAY / 1800;

		jobs += slot >= 24 && slot < 36;
	}
	/* jobs arrive in clusters: their shares vary more than independent ones */
	assert_true(fabs(jobs / LUBLIN_JOBS - pace) < 0.03);
	assert_true(pace > 0.4);
	lxfw_trace_clear(&trace);
}

static void lublin_load(void **state)
{
	struct lxfw_trace trace = lublin_trace(512, 0.7, 1);
	double work = 0;

	(void)state;
	for (size_t i = 0; i < trace.count; i++) {
		assert_true(i == 0 ||
			    trace.jobs[i].submit >= trace.jobs[i - 1].submit);
		work += (double)trace.jobs[i].run * trace.jobs[i].procs;
	}
	work /= 512 * (double)trace.jobs[trace.count - 1].submit;
	assert_true(fabs(work - 0.7) < 0.007);
	lxfw_trace_clear(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_c_library),
		cmocka_unit_test(draws_what_it_says),
		cmocka_unit_test(table_adds_up),
		cmocka_unit_test(meets_the_paper),
		cmocka_unit_test(sees_a_miss),
		cmocka_unit_test(repeats_itself),
		cmocka_unit_test(appends),
		cmocka_unit_test(leads_in_at_the_same_rate),
		cmocka_unit_test(arrives_in_three_periods),
		cmocka_unit_test(knows_the_shipped_classes),
		cmocka_unit_test(survives_the_format),
		cmocka_unit_test(lublin_parameters),
		cmocka_unit_test(lublin_sizes),
		cmocka_unit_test(lublin_run_times),
		cmocka_unit_test(lublin_arrivals),
		cmocka_unit_test(lublin_load),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
