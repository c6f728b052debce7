/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The claims in the order of the paper. */
#include "sim-frontend/experiment/claims.h"

#include <math.h>

/* Months of the paper. */
enum {
	OCT = 1, NOV = 2, DEC = 4, JAN = 8, FEB = 16, MAR = 32,
	ALL_MONTHS = 63,
};

/* The terms of claims.h as bounds. */
#define BETTER		-INFINITY, 1.0
#define NOT_BETTER	1.0, INFINITY
#define WELL_BELOW	-INFINITY, 0.80
#define GREATLY		-INFINITY, 0.50
#define SIMILAR		0.80, 1.25
#define HARMLESS	-INFINITY, 1.10
#define COMPETITIVE	-INFINITY, 1.50
#define EXTREME		2.0, INFINITY
#define SLIGHTLY	0.80, 1.0

/* Half the width of the range of a difference between nearly the same figures. */
#define NEAR_HOURS	0.25
#define NEAR_MAXIMUM	24.0
#define NEAR_SLOWDOWN	5.0

#define MEASURE(measure, policy, reference, bounds) \
	{ LXFW_TALLY_##measure, LXFW_GROUP_ALL, LXFW_##policy, \
	  LXFW_##reference, bounds }
#define GROUP(measure, group, policy, reference, bounds) \
	{ LXFW_TALLY_##measure, LXFW_GROUP_##group, LXFW_##policy, \
	  LXFW_##reference, bounds }
#define DIFFERENCE(measure, policy, reference, most) \
	{ LXFW_TALLY_##measure, LXFW_GROUP_ALL, LXFW_##policy, \
	  LXFW_##reference, -(most), most, .difference = true }
#define BOUNDS(low, high) low, high
#define LXFW_NONE LXFW_CONTENDERS

const struct lxfw_claim lxfw_claims[] = {
	/* ---- section 2 ---- */
	{
		.section = "2.2", .key = "more_reservations",
		.text = "more than one reservation does not improve "
			"Priority-bf",
		.conditions = {
			MEASURE(MEAN, PRIORITY_4, PRIORITY_BF,
				BOUNDS(0.90, INFINITY)),
			MEASURE(P95, PRIORITY_4, PRIORITY_BF,
				BOUNDS(0.90, INFINITY)),
		},
		.condition_count = 2,
	},
	/* ---- section 3 ---- */
	{
		.section = "3", .key = "demand",
		.text = "jobs demand 80 to 90 % of the machine (table 4: 75 to "
			"89 %)",
		.synthetic_only = true,
		.conditions = {
			MEASURE(PROC_DEMAND, FCFS_BF, NONE, BOUNDS(0.74, 0.91)),
		},
		.condition_count = 1,
	},
	{
		.section = "3", .key = "large_demand",
		.text = "large jobs demand over 30 % of it in four months",
		.synthetic_only = true, .at_least = 4,
		.conditions = {
			MEASURE(LARGE_DEMAND, FCFS_BF, NONE,
				BOUNDS(0.30, INFINITY)),
		},
		.condition_count = 1,
	},
	{
		.section = "2.4", .key = "short_requests",
		.text = "12-33 % of the jobs that ask for over an hour end "
			"within a minute, 11-42 % of those that ask for ten",
		.synthetic_only = true,
		.conditions = {
			MEASURE(SHORT_OF_1H, FCFS_BF, NONE, BOUNDS(0.12, 0.33)),
			MEASURE(SHORT_OF_10H, FCFS_BF, NONE,
				BOUNDS(0.11, 0.42)),
		},
		.condition_count = 2,
	},
	/* ---- section 4.1 ---- */
	{
		.section = "4.1", .key = "lsf_hours",
		.text = "NCSA-LSF*: most classes wait hours or tens of hours on "
			"average, the longest wait is hundreds of hours",
		.conditions = {
			MEASURE(CLASSES, NCSA_LSF, NONE, BOUNDS(0.5, 1)),
			MEASURE(MAX, NCSA_LSF, NONE, BOUNDS(100, 1000)),
		},
		.condition_count = 2,
	},
	{
		.section = "4.1", .key = "lsf_scatter",
		.text = "NCSA-LSF*: the longest 5 % of the waits are scattered "
			"over all run times",
		.conditions = {
			MEASURE(TOP_GROUPS, NCSA_LSF, NONE, BOUNDS(5, 5)),
		},
		.condition_count = 1,
	},
	{
		.section = "4.1", .key = "lsf_short_waits",
		.text = "NCSA-LSF*: jobs of under a minute wait over 50 hours "
			"(January)",
		.months = JAN,
		.conditions = {
			GROUP(MAX, TO_1M, NCSA_LSF, NONE, BOUNDS(50, INFINITY)),
		},
		.condition_count = 1,
	},
	{
		.section = "4.1", .key = "lsf_varies",
		.text = "NCSA-LSF* differs more from month to month than the "
			"other policies (largest less smallest month)",
		.statistic = LXFW_RANGE,
		.conditions = {
			MEASURE(MEAN, NCSA_LSF, FCFS_BF, NOT_BETTER),
			MEASURE(MEAN, NCSA_LSF, PRIORITY_BF, NOT_BETTER),
			MEASURE(MEAN, NCSA_LSF, LXFW_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, FCFS_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, PRIORITY_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, LXFW_BF, NOT_BETTER),
		},
		.condition_count = 6,
	},
	{
		.section = "4.1", .key = "lsf_varies_relative",
		.text = "the same, relative to the mean of the months",
		.statistic = LXFW_DEVIATION,
		.conditions = {
			MEASURE(MEAN, NCSA_LSF, FCFS_BF, NOT_BETTER),
			MEASURE(MEAN, NCSA_LSF, PRIORITY_BF, NOT_BETTER),
			MEASURE(MEAN, NCSA_LSF, LXFW_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, FCFS_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, PRIORITY_BF, NOT_BETTER),
			MEASURE(P95, NCSA_LSF, LXFW_BF, NOT_BETTER),
		},
		.condition_count = 6,
	},
	{
		.section = "2.1, 4.1", .key = "lsf_idle",
		.text = "NCSA-LSF*: under 4 % of the processor time is idle for "
			"special reservations",
		.conditions = {
			MEASURE(HELD, NCSA_LSF, NONE, BOUNDS(0, 0.04)),
		},
		.condition_count = 1,
	},
	/* ---- section 4.2 ---- */
	{
		.section = "4.2", .key = "fcfs_like_priority",
		.text = "FCFS-bf and Priority-bf are close to each other",
		.conditions = {
			MEASURE(MEAN, FCFS_BF, PRIORITY_BF, SIMILAR),
			MEASURE(P95, FCFS_BF, PRIORITY_BF, SIMILAR),
			MEASURE(MAX, FCFS_BF, PRIORITY_BF, SIMILAR),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "fcfs_below_lsf",
		.text = "FCFS-bf waits significantly less than NCSA-LSF*",
		.conditions = {
			MEASURE(MEAN, FCFS_BF, NCSA_LSF, WELL_BELOW),
			MEASURE(P95, FCFS_BF, NCSA_LSF, WELL_BELOW),
			MEASURE(MAX, FCFS_BF, NCSA_LSF, WELL_BELOW),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "priority_below_lsf",
		.text = "Priority-bf waits significantly less than NCSA-LSF*",
		.conditions = {
			MEASURE(MEAN, PRIORITY_BF, NCSA_LSF, WELL_BELOW),
			MEASURE(P95, PRIORITY_BF, NCSA_LSF, WELL_BELOW),
			MEASURE(MAX, PRIORITY_BF, NCSA_LSF, WELL_BELOW),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "lxfw_better",
		.text = "LXF&W-bf is better than Priority-bf but for the "
			"maximum wait",
		.conditions = {
			MEASURE(MEAN, LXFW_BF, PRIORITY_BF, BETTER),
			MEASURE(P95, LXFW_BF, PRIORITY_BF, BETTER),
			MEASURE(SLOWDOWN, LXFW_BF, PRIORITY_BF, BETTER),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "sjf_better",
		.text = "SJF-bf is better than Priority-bf but for the maximum "
			"wait",
		.conditions = {
			MEASURE(MEAN, SJF_BF, PRIORITY_BF, BETTER),
			MEASURE(P95, SJF_BF, PRIORITY_BF, BETTER),
			MEASURE(SLOWDOWN, SJF_BF, PRIORITY_BF, BETTER),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "lxfw_significant",
		.text = "LXF&W-bf: average and 95th percentile are significantly "
			"below those of Priority-bf",
		.conditions = {
			MEASURE(MEAN, LXFW_BF, PRIORITY_BF, WELL_BELOW),
			MEASURE(P95, LXFW_BF, PRIORITY_BF, WELL_BELOW),
		},
		.condition_count = 2,
	},
	{
		.section = "4.2", .key = "short_first_maximum",
		.text = "the maximum wait is not better under LXF&W-bf and "
			"SJF-bf than under Priority-bf",
		.conditions = {
			MEASURE(MAX, LXFW_BF, PRIORITY_BF, NOT_BETTER),
			MEASURE(MAX, SJF_BF, PRIORITY_BF, NOT_BETTER),
		},
		.condition_count = 2,
	},
	{
		.section = "4.2", .key = "sjf_above_lxfw",
		.text = "SJF-bf is better than LXF&W-bf in most cases "
			"(months and measures)",
		.most_cases = true,
		.conditions = {
			MEASURE(MEAN, SJF_BF, LXFW_BF, BETTER),
			MEASURE(P95, SJF_BF, LXFW_BF, BETTER),
			MEASURE(SLOWDOWN, SJF_BF, LXFW_BF, BETTER),
		},
		.condition_count = 3,
	},
	{
		.section = "4.2", .key = "sjf_halves_slowdown",
		.text = "SJF-bf more than halves the slowdown of FCFS-bf in "
			"February",
		.months = FEB,
		.conditions = {
			MEASURE(SLOWDOWN, SJF_BF, FCFS_BF, GREATLY),
		},
		.condition_count = 1,
	},
	{
		.section = "4.2", .key = "sjf_does_not_halve",
		.text = "but not in the other months",
		.months = ALL_MONTHS & ~FEB, .synthetic_only = true,
		.conditions = {
			MEASURE(SLOWDOWN, SJF_BF, FCFS_BF,
				BOUNDS(0.50, INFINITY)),
		},
		.condition_count = 1,
	},
	{
		.section = "4.2", .key = "sjf_starves",
		.text = "SJF-bf starves jobs: extreme maximum wait (February)",
		.months = FEB,
		.conditions = {
			MEASURE(MAX, SJF_BF, PRIORITY_BF, EXTREME),
			MEASURE(MAX, SJF_BF, LXFW_BF, EXTREME),
		},
		.condition_count = 2,
	},
	{
		.section = "4.2, 5", .key = "lxfw_starves_nobody",
		.text = "LXF&W-bf is starvation-free: maximum wait near that of "
			"Priority-bf",
		.conditions = {
			MEASURE(MAX, LXFW_BF, PRIORITY_BF, COMPETITIVE),
		},
		.condition_count = 1,
	},
	/* ---- section 4.3 ---- */
	{
		.section = "4.3", .key = "short_jobs_wait",
		.text = "under backfill even short jobs wait tens of hours at "
			"most",
		.conditions = {
			GROUP(MAX, TO_1M, FCFS_BF, NONE, BOUNDS(10, 100)),
			GROUP(MAX, TO_1M, PRIORITY_BF, NONE, BOUNDS(10, 100)),
			GROUP(MAX, TO_1M, LXFW_BF, NONE, BOUNDS(10, 100)),
		},
		.condition_count = 3,
	},
	{
		.section = "4.3", .key = "immediate_slowdown",
		.text = "immediate service greatly improves the average slowdown",
		.conditions = {
			MEASURE(SLOWDOWN, IMMEDIATE, LXFW_BF, GREATLY),
		},
		.condition_count = 1,
	},
	{
		.section = "4.3, 5", .key = "immediate_short",
		.text = "and the wait of jobs that are done in the quantum",
		.conditions = {
			GROUP(MEAN, TO_1M, IMMEDIATE, LXFW_BF, GREATLY),
		},
		.condition_count = 1,
	},
	{
		.section = "4.3", .key = "immediate_harmless",
		.text = "immediate service harms neither 95th percentile nor "
			"average nor maximum wait",
		.conditions = {
			MEASURE(P95, IMMEDIATE, LXFW_BF, HARMLESS),
			MEASURE(MEAN, IMMEDIATE, LXFW_BF, HARMLESS),
			MEASURE(MAX, IMMEDIATE, LXFW_BF, HARMLESS),
		},
		.condition_count = 3,
	},
	{
		.section = "4.3", .key = "immediate_p95",
		.text = "immediate service reduces the 95th percentile wait "
			"slightly in two months",
		.at_least = 2,
		.conditions = {
			MEASURE(P95, IMMEDIATE, LXFW_BF, SLIGHTLY),
		},
		.condition_count = 1,
	},
	{
		.section = "4.3", .key = "immediate_longer",
		.text = "jobs over a minute: similar wait and slowdown by run "
			"time with and without immediate service",
		.conditions = {
			GROUP(MEAN, TO_10M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(MEAN, TO_100M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(MEAN, TO_1000M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(MEAN, LONGEST, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(SLOWDOWN, TO_10M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(SLOWDOWN, TO_100M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(SLOWDOWN, TO_1000M, IMMEDIATE, LXFW_BF, SIMILAR),
			GROUP(SLOWDOWN, LONGEST, IMMEDIATE, LXFW_BF, SIMILAR),
		},
		.condition_count = 8,
	},
	{
		.section = "4.3, 5", .key = "immediate_spares_longer",
		.text = "jobs over a minute are not harmed by immediate service",
		.conditions = {
			GROUP(MEAN, OVER_1M, IMMEDIATE, LXFW_BF, HARMLESS),
			GROUP(P95, OVER_1M, IMMEDIATE, LXFW_BF, HARMLESS),
			GROUP(SLOWDOWN, OVER_1M, IMMEDIATE, LXFW_BF, HARMLESS),
		},
		.condition_count = 3,
	},
	{
		.section = "4.3", .key = "soon_between",
		.text = "a quantum as soon as processors are free (soon) is in "
			"between: better than none, and immediate service is "
			"significantly better",
		.conditions = {
			MEASURE(SLOWDOWN, SOON, LXFW_BF, BETTER),
			MEASURE(SLOWDOWN, IMMEDIATE, SOON, WELL_BELOW),
		},
		.condition_count = 2,
	},
	/* ---- section 4.4 ---- */
	{
		.section = "4.4", .key = "eq_interval",
		.text = "EQspatial-5m has nearly the performance of EQspatial-0m",
		.conditions = {
			DIFFERENCE(MEAN, EQ_5M, EQ_0M, NEAR_HOURS),
			DIFFERENCE(P95, EQ_5M, EQ_0M, NEAR_HOURS),
			DIFFERENCE(MAX, EQ_5M, EQ_0M, NEAR_MAXIMUM),
			DIFFERENCE(SLOWDOWN, EQ_5M, EQ_0M, NEAR_SLOWDOWN),
		},
		.condition_count = 4,
	},
	{
		.section = "4.4, 5", .key = "eq_p95",
		.text = "EQspatial: 95th percentile wait significantly below "
			"LXF&W-bf with immediate service, also of jobs over a "
			"minute",
		.conditions = {
			MEASURE(P95, EQ_5M, IMMEDIATE, WELL_BELOW),
			GROUP(P95, OVER_1M, EQ_5M, IMMEDIATE, WELL_BELOW),
		},
		.condition_count = 2,
	},
	{
		.section = "4.4", .key = "eq_high_load",
		.text = "the differences between the two are larger in the "
			"months of high load (December, February)",
		.statistic = LXFW_HIGH_LOAD, .synthetic_only = true,
		.conditions = {
			MEASURE(MEAN, EQ_5M, IMMEDIATE, NOT_BETTER),
			MEASURE(P95, EQ_5M, IMMEDIATE, NOT_BETTER),
		},
		.condition_count = 2,
	},
	{
		.section = "4.4", .key = "eq_at_once",
		.text = "EQspatial places more than 99 % of the jobs for full "
			"execution when they arrive",
		.conditions = {
			MEASURE(AT_ONCE, EQ_5M, NONE, BOUNDS(0.99, 1)),
		},
		.condition_count = 1,
	},
	{
		.section = "4.4", .key = "eq_maximum",
		.text = "EQspatial-5m: extremely high maximum wait in February "
			"and March",
		.months = FEB | MAR,
		.conditions = {
			MEASURE(MAX, EQ_5M, IMMEDIATE, EXTREME),
		},
		.condition_count = 1,
	},
	{
		.section = "4.4, 5", .key = "eq_cure",
		.text = "full allocation after 50 hours cures it",
		.months = FEB | MAR,
		.conditions = {
			MEASURE(MAX, EQ_50H, EQ_5M, WELL_BELOW),
		},
		.condition_count = 1,
	},
	{
		.section = "4.4", .key = "eq_trade",
		.text = "which is a trade of maximum against 95th percentile",
		.conditions = {
			MEASURE(P95, EQ_50H, EQ_5M, NOT_BETTER),
		},
		.condition_count = 1,
	},
	{
		.section = "4.4", .key = "eq_minutes",
		.text = "jobs of one to ten minutes have a lower slowdown under "
			"EQspatial (the quantum might be tuned for them)",
		.conditions = {
			GROUP(SLOWDOWN, TO_10M, EQ_5M, IMMEDIATE, BETTER),
		},
		.condition_count = 1,
	},
	{
		.section = "4.4, 5", .key = "immediate_competitive",
		.text = "LXF&W-bf with immediate service is competitive with "
			"EQspatial in average and maximum wait and slowdown",
		.conditions = {
			MEASURE(MEAN, IMMEDIATE, EQ_5M, COMPETITIVE),
			MEASURE(MAX, IMMEDIATE, EQ_5M, COMPETITIVE),
			MEASURE(SLOWDOWN, IMMEDIATE, EQ_5M, COMPETITIVE),
		},
		.condition_count = 3,
	},
};

const int lxfw_claim_count = sizeof(lxfw_claims) / sizeof(*lxfw_claims);
