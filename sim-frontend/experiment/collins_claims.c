/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings of Collins and George 2001 as tests. The bounds were fixed before the first
 * simulation. Words are translated as for the other papers: the same figure, comparable or
 * near is a ratio of 0.8 to 1.25; significantly better or greatly 0.8 or less; better or lower
 * 1 or less; slightly worse 1 to 1.1, marginally 1 to 1.25; a factor of 4 or more is 4 or more.
 * What is so generally holds if it does in more than half of the figures.
 */
#include <math.h>

#include "sim-frontend/experiment/collins.h"

const char *const lxfw_c_mixes[LXFW_C_MIXES] = { "10/10/80", "25/25/50", "50/25/25", "none" };
const char *const lxfw_c_levels[LXFW_C_LEVELS] = { "high", "medium", "low", "all" };
const int lxfw_c_shares[LXFW_C_SHARES] = { 0, 10, 50, 75, 90, 100 };
const int lxfw_c_plan_jobs[LXFW_C_PLANS] = { 5, 50, 100, 250, 500, 1000 };

#define NONE LXFW_NO_CELL
#define ANY INFINITY

/* 5 * (ROW + 1) jobs at time 0. */
#define LIGHT(row, column) { LXFW_C_FIGURE5, row, LXFW_C_##column }
#define SAVES(row) { LIGHT(row, SAVED), NONE, 0, ANY }
#define ALL_LIGHT(macro) \
	macro(0), macro(1), macro(2), macro(3), macro(4), macro(5), macro(6), macro(7), \
	macro(8), macro(9), macro(10), macro(11), macro(12), macro(13), macro(14), macro(15), \
	macro(16), macro(17), macro(18), macro(19)
#define OLB_WORSE(row) { LIGHT(row, OLB), LIGHT(row, SJS), 1.25, ANY }

#define PLANS(share, jobs) { LXFW_C_FIGURE4, share, jobs }

/* JOBS is a multiple of 20, or a position. */
#define AT(mix, level, count, column) \
	{ LXFW_C_FIGURE6, LXFW_C_##mix * LXFW_C_LEVELS + LXFW_C_##level, \
	  (count) * LXFW_C_COLUMNS + LXFW_C_##column }
#define RATIO(mix, level, jobs) AT(mix, level, (jobs) / 20 - 1, RATIO)
#define MEAN(mix, broker) AT(mix, ALL, LXFW_C_COUNTS, broker)
#define MOST(mix, level) AT(mix, level, LXFW_C_COUNTS + 1, RATIO)
#define RATIOS(mix, level, low, high) \
	{ RATIO(mix, level, 40), NONE, low, high }, { RATIO(mix, level, 100), NONE, low, high }, \
	{ RATIO(mix, level, 200), NONE, low, high }, \
	{ RATIO(mix, level, 300), NONE, low, high }, \
	{ RATIO(mix, level, 400), NONE, low, high }, { RATIO(mix, level, 500), NONE, low, high }
#define RARER(jobs) \
	{ RATIO(10, HIGH, jobs), RATIO(25, HIGH, jobs), 0, 1 }, \
	{ RATIO(25, HIGH, jobs), RATIO(50, HIGH, jobs), 0, 1 }

/* RATE is the position. */
#define ARRIVE(mix, level, rate, metric) \
	{ LXFW_C_FIGURE8, LXFW_C_##mix * LXFW_C_LEVELS + LXFW_C_##level, \
	  (rate) * LXFW_C_METRICS + LXFW_C_##metric }
#define TIME(mix, level, rate) ARRIVE(mix, level, rate, TIME)
#define SHARE(mix, level, rate) ARRIVE(mix, level, rate, PARALLEL)
#define FOR_RATES(macro, a, b, c, low, high) \
	macro(a, b, c, 0, low, high), macro(a, b, c, 1, low, high), \
	macro(a, b, c, 2, low, high), macro(a, b, c, 3, low, high), \
	macro(a, b, c, 4, low, high), macro(a, b, c, 5, low, high)
#define LEVELS_TIME(mix, one, other, rate, low, high) \
	{ TIME(mix, one, rate), TIME(mix, other, rate), low, high }
#define LEVELS_SHARE(mix, one, other, rate, low, high) \
	{ SHARE(mix, one, rate), SHARE(mix, other, rate), low, high }
#define MIXES_TIME(one, other, level, rate, low, high) \
	{ TIME(one, level, rate), TIME(other, level, rate), low, high }
#define GROWS(mix, level) { TIME(mix, level, 5), TIME(mix, level, 0), 1, ANY }
#define FALLS(mix, level, high) { SHARE(mix, level, 5), SHARE(mix, level, 0), 0, high }
#define STEPS(mix) \
	{ SHARE(mix, ALL, 1), SHARE(mix, ALL, 0), 0, 1 }, \
	{ SHARE(mix, ALL, 2), SHARE(mix, ALL, 1), 0, 1 }, \
	{ SHARE(mix, ALL, 3), SHARE(mix, ALL, 2), 0, 1 }, \
	{ SHARE(mix, ALL, 4), SHARE(mix, ALL, 3), 0, 1 }, \
	{ SHARE(mix, ALL, 5), SHARE(mix, ALL, 4), 0, 1 }
#define SHARE_LEVELS(mix) \
	LEVELS_SHARE(mix, MEDIUM, HIGH, 2, 0, 1), LEVELS_SHARE(mix, LOW, MEDIUM, 2, 0, 1), \
	LEVELS_SHARE(mix, MEDIUM, HIGH, 3, 0, 1), LEVELS_SHARE(mix, LOW, MEDIUM, 3, 0, 1), \
	LEVELS_SHARE(mix, MEDIUM, HIGH, 4, 0, 1), LEVELS_SHARE(mix, LOW, MEDIUM, 4, 0, 1), \
	LEVELS_SHARE(mix, MEDIUM, HIGH, 5, 0, 1), LEVELS_SHARE(mix, LOW, MEDIUM, 5, 0, 1)

const struct lxfw_cell_claim lxfw_c_claims[] = {
	{ "5.1, figure 4", "plans",
	  "PJS takes two to three times as long as SJS (here: sequential plans, mean over the "
	  "numbers of jobs)", .conditions = {
		{ PLANS(1, LXFW_C_PLANS), NONE, 2, 3 }, { PLANS(2, LXFW_C_PLANS), NONE, 2, 3 },
		{ PLANS(3, LXFW_C_PLANS), NONE, 2, 3 }, { PLANS(4, LXFW_C_PLANS), NONE, 2, 3 },
		{ PLANS(5, LXFW_C_PLANS), NONE, 2, 3 },
	} },
	{ "5.1, figure 4", "plans_share",
	  "the percentage of jobs that may run in parallel has no significant effect on it",
	  .conditions = {
		{ PLANS(5, LXFW_C_PLANS), PLANS(1, LXFW_C_PLANS), 0.8, 1.25 },
		{ PLANS(4, LXFW_C_PLANS), PLANS(2, LXFW_C_PLANS), 0.8, 1.25 },
	} },
	{ "5.2, figure 5", "never_worse", "the performance of PJS is at least that of SJS",
	  .conditions = { ALL_LIGHT(SAVES) } },
	{ "5.2, figure 5", "saves_half", "the savings range up to nearly 50 %", .conditions = {
		{ LIGHT(LXFW_C_LIGHT, SAVED), NONE, 0.4, 0.55 },
	} },
	{ "5.2, figure 5", "light_load",
	  "they are concentrated in regions of light load; with more jobs they are too small to "
	  "be seen", .conditions = { { LIGHT(19, SAVED), NONE, 0, 0.05 } } },
	{ "5.2", "beats_olb", "SJS has excellent performance compared to OLB", .conditions = {
		ALL_LIGHT(OLB_WORSE),
	} },
	{ "5.3, figure 6", "high", "PJS is better than SJS for jobs of high priority",
	  .conditions = {
		RATIOS(10, HIGH, 0, 1), RATIOS(25, HIGH, 0, 1), RATIOS(50, HIGH, 0, 1),
	} },
	{ "5.3, figure 6", "rarer", "the more so, the rarer they are", .conditions = {
		RARER(100), RARER(200), RARER(300), RARER(400),
	} },
	{ "5.3, figure 6 (b)", "rise",
	  "job times of medium priority rise sharply where the jobs of high priority have all "
	  "clusters (10/10/80)", .conditions = { { MOST(10, MEDIUM), NONE, 1.25, ANY } } },
	{ "5.3, figure 6 (b)", "fall",
	  "with more jobs they fall sharply, since jobs of high priority run sequentially",
	  .conditions = { { RATIO(10, MEDIUM, 500), MOST(10, MEDIUM), 0, 0.8 } } },
	{ "5.3, figure 6 (c), (f)", "low", "jobs of low priority are marginally worse with PJS",
	  .conditions = { RATIOS(10, LOW, 1, 1.25), RATIOS(25, LOW, 1, 1.25) }, .most = true },
	{ "5.3, figure 6 (i)", "low_50", "in 50/25/25 they are comparable", .conditions = {
		RATIOS(50, LOW, 0.8, 1.25),
	} },
	{ "5.3, figure 7", "cost_of_priority",
	  "priorities generally make all jobs together slightly worse, by less than 10 %",
	  .conditions = {
		{ MEAN(10, SJS), MEAN(EQUAL, SJS), 1, 1.1 },
		{ MEAN(25, SJS), MEAN(EQUAL, SJS), 1, 1.1 },
		{ MEAN(50, SJS), MEAN(EQUAL, SJS), 1, 1.1 },
		{ MEAN(10, PJS), MEAN(EQUAL, PJS), 1, 1.1 },
		{ MEAN(25, PJS), MEAN(EQUAL, PJS), 1, 1.1 },
		{ MEAN(50, PJS), MEAN(EQUAL, PJS), 1, 1.1 },
	  }, .most = true },
	{ "5.3, figure 7", "same_total", "PJS and SJS do not differ significantly in the total",
	  .conditions = {
		{ MEAN(10, PJS), MEAN(10, SJS), 0.8, 1.25 },
		{ MEAN(25, PJS), MEAN(25, SJS), 0.8, 1.25 },
		{ MEAN(50, PJS), MEAN(50, SJS), 0.8, 1.25 },
		{ MEAN(EQUAL, PJS), MEAN(EQUAL, SJS), 0.8, 1.25 },
	} },
	{ "5.4, figure 8", "preemptive_high",
	  "high priority significantly reduces the mean job time below that of low priority",
	  .conditions = {
		FOR_RATES(LEVELS_TIME, 10, HIGH, LOW, 0, 0.8),
		FOR_RATES(LEVELS_TIME, 25, HIGH, LOW, 0, 0.8),
		FOR_RATES(LEVELS_TIME, 50, HIGH, LOW, 0, 0.8),
	} },
	{ "5.4, figure 8", "preemptive_medium",
	  "medium priority is significantly better than low priority", .conditions = {
		FOR_RATES(LEVELS_TIME, 10, MEDIUM, LOW, 0, 0.8),
		FOR_RATES(LEVELS_TIME, 25, MEDIUM, LOW, 0, 0.8),
		FOR_RATES(LEVELS_TIME, 50, MEDIUM, LOW, 0, 0.8),
	} },
	{ "5.4, figure 8", "rare_high",
	  "at 32 arrivals jobs of high priority take over four times as long in 50/25/25 as in "
	  "10/10/80", .conditions = { { TIME(50, HIGH, 5), TIME(10, HIGH, 5), 4, ANY } } },
	{ "5.4, figure 8", "rate", "job times generally increase with the rate", .conditions = {
		GROWS(10, HIGH), GROWS(10, MEDIUM), GROWS(10, LOW), GROWS(25, HIGH),
		GROWS(25, MEDIUM), GROWS(25, LOW), GROWS(50, HIGH), GROWS(50, MEDIUM),
		GROWS(50, LOW),
	}, .most = true },
	{ "5.4, figure 9 (a)", "cost_of_preemption",
	  "preemption generally makes all jobs together slightly worse", .conditions = {
		FOR_RATES(MIXES_TIME, 10, EQUAL, ALL, 1, 1.1),
		FOR_RATES(MIXES_TIME, 25, EQUAL, ALL, 1, 1.1),
		FOR_RATES(MIXES_TIME, 50, EQUAL, ALL, 1, 1.1),
	  }, .most = true },
	{ "5.4, figure 9 (a)", "slow_arrivals",
	  "at 1 arrival, mixes with more jobs of high priority do better", .conditions = {
		{ TIME(25, ALL, 0), TIME(10, ALL, 0), 0, 1 },
		{ TIME(50, ALL, 0), TIME(25, ALL, 0), 0, 1 },
	} },
	{ "5.4, figure 9 (a)", "fast_arrivals", "the reverse above 8 arrivals", .conditions = {
		{ TIME(10, ALL, 4), TIME(25, ALL, 4), 0, 1 },
		{ TIME(10, ALL, 4), TIME(50, ALL, 4), 0, 1 },
		{ TIME(10, ALL, 5), TIME(25, ALL, 5), 0, 1 },
		{ TIME(10, ALL, 5), TIME(50, ALL, 5), 0, 1 },
	} },
	{ "5.4", "stops", "at 1 arrival jobs of low priority are stopped most often in 10/10/80, "
	  "per job of high priority", .conditions = {
		{ ARRIVE(10, ALL, 0, STOPS), ARRIVE(50, ALL, 0, STOPS), 0.2, ANY },
		{ ARRIVE(10, ALL, 0, STOPS), ARRIVE(25, ALL, 0, STOPS), 0.4, ANY },
	} },
	{ "5.4, figure 9 (b)", "parallelism", "parallelism generally decreases with the rate",
	  .conditions = { STEPS(10), STEPS(25), STEPS(50), STEPS(EQUAL) }, .most = true },
	{ "5.4, figure 9 (b)", "parallelism_halves",
	  "at 32 arrivals it is less than a half of that at 1", .conditions = {
		FALLS(10, ALL, 0.5), FALLS(25, ALL, 0.5), FALLS(50, ALL, 0.5),
		FALLS(EQUAL, ALL, 0.5),
	} },
	{ "5.4, table 1", "parallelism_levels", "it decreases with the priority",
	  .conditions = { SHARE_LEVELS(10), SHARE_LEVELS(25), SHARE_LEVELS(50) } },
	{ "5.4, table 1", "parallelism_alike",
	  "at low rates it is alike for high and medium priority", .conditions = {
		LEVELS_SHARE(10, MEDIUM, HIGH, 0, 0.8, 1.25),
		LEVELS_SHARE(10, MEDIUM, HIGH, 1, 0.8, 1.25),
		LEVELS_SHARE(25, MEDIUM, HIGH, 0, 0.8, 1.25),
		LEVELS_SHARE(50, MEDIUM, HIGH, 0, 0.8, 1.25),
	} },
	{ "5.4, table 1", "parallelism_special",
	  "that of high priority falls faster where there are more such jobs", .conditions = {
		{ SHARE(50, HIGH, 5), SHARE(25, HIGH, 5), 0, 1 },
		{ SHARE(25, HIGH, 5), SHARE(10, HIGH, 5), 0, 1 },
	} },
};

const int lxfw_c_claim_count = sizeof(lxfw_c_claims) / sizeof(*lxfw_c_claims);
