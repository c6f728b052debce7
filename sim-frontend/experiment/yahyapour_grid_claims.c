/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures and claims of Yahyapour 2002, section 5.7.3, as tests with bounds that were
 * fixed before the simulations. Words are translated as in yahyapour_claims.c: improves, a
 * ratio below 1; near, 0.8 to 1.25. The figures themselves have no numbers in the text.
 */
#include <math.h>

#include "sim-frontend/experiment/yahyapour_grid.h"

const char *const lxfw_g_splits[LXFW_G_SPLITS] = {
	"own", "largest", "max64", "org",
};

const int lxfw_g_thesis_several[LXFW_G_OVERHEADS][LXFW_G_WORKLOADS] = {
	{ 539, 431, 840, 774 }, { 543, 436, 850, 769 }, { 582, 448, 928, 827 },
	{ 572, 490, 917, 906 }, { 583, 546, 946, 946 }, { 601, 567, 951, 1042 },
	{ 622, 521, 979, 1026 }, { 637, 523, 1036, 1063 }, { 647, 534, 1106, 1012 },
	{ 673, 597, 1008, 1181 }, { 755, 579, 1029, 1188 }, { 748, 578, 1086, 1233 },
	{ 746, 638, 1114, 1177 },
};

const double lxfw_g_thesis_work[LXFW_G_OVERHEADS][LXFW_G_WORKLOADS] = {
	{ 22.19, 23.97, 34.01, 40.75 }, { 22.87, 25.09, 36.36, 41.21 },
	{ 24.71, 27.21, 37.28, 46.85 }, { 25.30, 28.24, 38.97, 47.95 },
	{ 26.05, 31.36, 40.43, 46.91 }, { 29.40, 31.93, 41.02, 52.81 },
	{ 29.11, 30.84, 44.53, 53.62 }, { 30.24, 31.01, 44.38, 54.01 },
	{ 31.21, 32.82, 48.10, 56.01 }, { 33.22, 37.20, 45.87, 59.77 },
	{ 37.15, 34.18, 46.25, 59.99 }, { 37.87, 36.05, 49.81, 62.72 },
	{ 41.46, 39.17, 52.38, 60.46 },
};

/* A cell. P is the overhead in per cent. */
#define CELL(workload, split, row, config, metric) \
	{ LXFW_G_##workload * LXFW_G_SPLITS + LXFW_G_##split, row, \
	  LXFW_G_##config * LXFW_G_METRICS + LXFW_G_##metric }
#define ROW(workload, split, row, config) \
	CELL(workload, split, LXFW_G_##row, config, AWRT)
#define MULTI(workload, split, p, config) \
	CELL(workload, split, LXFW_G_MULTI + (p) / 5, config, AWRT)
#define JOBS(workload, p) CELL(workload, ORG, LXFW_G_MULTI + (p) / 5, M128, SEVERAL)
#define WORK(workload, p) CELL(workload, ORG, LXFW_G_MULTI + (p) / 5, M128, WORK)
#define WAIT(workload, split, row, config) \
	CELL(workload, split, row, config, AWWT)
#define NONE LXFW_NO_CELL

/* Job sharing against local scheduling in one configuration with all workloads. */
#define SHARES(config, row, high) \
	{ ROW(10K, OWN, row, config), ROW(10K, OWN, LOCAL, config), 0, high }, \
	{ ROW(30K, OWN, row, config), ROW(30K, OWN, LOCAL, config), 0, high }, \
	{ ROW(60K, OWN, row, config), ROW(60K, OWN, LOCAL, config), 0, high }, \
	{ ROW(SYN, OWN, row, config), ROW(SYN, OWN, LOCAL, config), 0, high }

/* The same with one queue: over a half better. */
#define GAINS(workload) \
	{ ROW(workload, LARGEST, CENTRAL, M128), ROW(workload, OWN, LOCAL, M128), 0, 0.5 }

/* Multi-site computing against job sharing with one queue. */
#define SPLITS(workload, p, config, high) \
	{ MULTI(workload, LARGEST, p, config), ROW(workload, LARGEST, CENTRAL, config), 0, \
	  high }

/* One configuration against another. */
#define BETTER(workload, p, one, other) \
	{ MULTI(workload, ORG, p, one), MULTI(workload, ORG, p, other), 0, 1 }
#define SHARED_BETTER(workload, one, other) \
	{ ROW(workload, MAX64, CENTRAL, one), ROW(workload, MAX64, CENTRAL, other), 0, 1 }
#define NEAR_512(workload, config) \
	{ ROW(workload, MAX64, CENTRAL, config), ROW(workload, MAX64, CENTRAL, M512), 0, 1.2 }

const struct lxfw_cell_claim lxfw_g_claims[] = {
	{ "5.7.3", "sharing_improves",
	  "job sharing improves the AWRT in all configurations and workloads (queues at the "
	  "sites)", .conditions = {
		SHARES(M64, SHARING, 1), SHARES(M64_8, SHARING, 1), SHARES(M128, SHARING, 1),
		SHARES(M256, SHARING, 1), SHARES(M256_5, SHARING, 1),
	} },
	{ "5.7.3", "sharing_improves_queue",
	  "job sharing improves the AWRT in all configurations and workloads (one queue)",
	  .conditions = {
		SHARES(M64, CENTRAL, 1), SHARES(M64_8, CENTRAL, 1), SHARES(M128, CENTRAL, 1),
		SHARES(M256, CENTRAL, 1), SHARES(M256_5, CENTRAL, 1),
	} },
	{ "5.7.3, figure 5.5", "sharing_halves",
	  "in m128 the improvement is over 50 % (synthetic workload)", .conditions = {
		GAINS(SYN),
	} },
	{ "5.7.3, figure 5.7", "sharing_halves_others",
	  "the results are similar in the other workloads", .conditions = {
		GAINS(10K), GAINS(30K), GAINS(60K),
	} },
	{ "5.7.3, figure 5.5", "multi_site_near_512",
	  "multi-site computing without overhead is near one site of 512 processors",
	  .conditions = {
		{ MULTI(SYN, LARGEST, 0, M128), ROW(SYN, LARGEST, LOCAL, M512), 0.8, 1.25 },
		{ MULTI(10K, LARGEST, 0, M128), ROW(10K, LARGEST, LOCAL, M512), 0.8, 1.25 },
		{ MULTI(30K, LARGEST, 0, M128), ROW(30K, LARGEST, LOCAL, M512), 0.8, 1.25 },
		{ MULTI(60K, LARGEST, 0, M128), ROW(60K, LARGEST, LOCAL, M512), 0.8, 1.25 },
	} },
	{ "5.7.3, figure 5.5", "multi_site_25",
	  "multi-site computing is better than job sharing up to an overhead of about 25 %",
	  .conditions = {
		SPLITS(SYN, 0, M128, 1), SPLITS(SYN, 5, M128, 1), SPLITS(SYN, 10, M128, 1),
		SPLITS(SYN, 15, M128, 1), SPLITS(SYN, 20, M128, 1), SPLITS(SYN, 25, M128, 1),
		SPLITS(10K, 25, M128, 1), SPLITS(30K, 25, M128, 1), SPLITS(60K, 25, M128, 1),
	} },
	{ "5.7.3, figure 5.8", "wide_jobs",
	  "unchanged wide jobs increase the AWRT by 10 to 20 % at most", .conditions = {
		{ MULTI(10K, ORG, 0, M128), MULTI(10K, LARGEST, 0, M128), 0, 1.2 },
		{ MULTI(30K, ORG, 0, M128), MULTI(30K, LARGEST, 0, M128), 0, 1.2 },
		{ MULTI(60K, ORG, 0, M128), MULTI(60K, LARGEST, 0, M128), 0, 1.2 },
		{ MULTI(SYN, ORG, 0, M128), MULTI(SYN, LARGEST, 0, M128), 0, 1.2 },
	} },
	{ "5.7.3, figure 5.9", "equal_sites_size",
	  "the AWRT decreases from m64-8 over m128 to m256 (60_70k)", .conditions = {
		BETTER(60K, 0, M128, M64_8), BETTER(60K, 0, M256, M128),
		BETTER(60K, 30, M128, M64_8), BETTER(60K, 30, M256, M128),
		BETTER(60K, 60, M128, M64_8), BETTER(60K, 60, M256, M128),
	} },
	{ "5.7.3, figure 5.9", "equal_sites_better",
	  "equal sites are better than unequal ones", .most = true, .conditions = {
		BETTER(10K, 50, M64_8, M64), BETTER(10K, 50, M256, M256_5),
		BETTER(30K, 50, M64_8, M64), BETTER(30K, 50, M256, M256_5),
		BETTER(60K, 50, M64_8, M64), BETTER(60K, 50, M256, M256_5),
		BETTER(SYN, 50, M64_8, M64), BETTER(SYN, 50, M256, M256_5),
	} },
	{ "5.7.3, figure 5.9", "m64_small_overhead",
	  "m64 and m64-8 are similar up to an overhead of 35 % (60_70k)", .conditions = {
		{ MULTI(60K, ORG, 0, M64), MULTI(60K, ORG, 0, M64_8), 0.8, 1.25 },
		{ MULTI(60K, ORG, 20, M64), MULTI(60K, ORG, 20, M64_8), 0.8, 1.25 },
		{ MULTI(60K, ORG, 35, M64), MULTI(60K, ORG, 35, M64_8), 0.8, 1.25 },
	} },
	{ "5.7.3, figure 5.9", "m64_large_overhead",
	  "beyond that m64 is at least 25 % worse (60_70k)", .conditions = {
		{ MULTI(60K, ORG, 40, M64), MULTI(60K, ORG, 40, M64_8), 1.25, INFINITY },
		{ MULTI(60K, ORG, 50, M64), MULTI(60K, ORG, 50, M64_8), 1.25, INFINITY },
		{ MULTI(60K, ORG, 60, M64), MULTI(60K, ORG, 60, M64_8), 1.25, INFINITY },
	} },
	{ "5.7.3, figure 5.10", "better_than_512",
	  "without overhead m128, m256 and m384 are better than m512 (60_70k)",
	  .conditions = {
		BETTER(60K, 0, M128, M512), BETTER(60K, 0, M256, M512),
		BETTER(60K, 0, M384, M512),
	} },
	{ "table 5.3", "several_jobs",
	  "4 to 12 % of the jobs run at several sites of m128", .conditions = {
		{ JOBS(10K, 0), NONE, 0.04, 0.125 }, { JOBS(10K, 60), NONE, 0.04, 0.125 },
		{ JOBS(30K, 0), NONE, 0.04, 0.125 }, { JOBS(30K, 60), NONE, 0.04, 0.125 },
		{ JOBS(60K, 0), NONE, 0.04, 0.125 }, { JOBS(60K, 60), NONE, 0.04, 0.125 },
		{ JOBS(SYN, 0), NONE, 0.04, 0.125 }, { JOBS(SYN, 60), NONE, 0.04, 0.125 },
	} },
	{ "table 5.3", "several_jobs_grow",
	  "from an overhead of 0 to 60 % their number grows by at least 30 %", .conditions = {
		{ JOBS(10K, 60), JOBS(10K, 0), 1.3, INFINITY },
		{ JOBS(30K, 60), JOBS(30K, 0), 1.3, INFINITY },
		{ JOBS(60K, 60), JOBS(60K, 0), 1.3, INFINITY },
		{ JOBS(SYN, 60), JOBS(SYN, 0), 1.3, INFINITY },
	} },
	{ "table 5.4", "several_work",
	  "22 to 63 % of the work is in jobs at several sites of m128", .conditions = {
		{ WORK(10K, 0), NONE, 0.22, 0.63 }, { WORK(10K, 60), NONE, 0.22, 0.63 },
		{ WORK(30K, 0), NONE, 0.22, 0.63 }, { WORK(30K, 60), NONE, 0.22, 0.63 },
		{ WORK(60K, 0), NONE, 0.22, 0.63 }, { WORK(60K, 60), NONE, 0.22, 0.63 },
		{ WORK(SYN, 0), NONE, 0.22, 0.63 }, { WORK(SYN, 60), NONE, 0.22, 0.63 },
	} },
	{ "table 5.4", "several_work_grows",
	  "their share grows by at least 50 %", .conditions = {
		{ WORK(10K, 60), WORK(10K, 0), 1.5, INFINITY },
		{ WORK(30K, 60), WORK(30K, 0), 1.5, INFINITY },
		{ WORK(60K, 60), WORK(60K, 0), 1.5, INFINITY },
		{ WORK(SYN, 60), WORK(SYN, 0), 1.5, INFINITY },
	} },
	{ "5.7.3, figure 5.13", "shared_near_512",
	  "job sharing is within 20 % of one site in all configurations but m64",
	  .conditions = {
		NEAR_512(10K, M64_8), NEAR_512(10K, M128), NEAR_512(10K, M256),
		NEAR_512(10K, M256_5), NEAR_512(10K, M384), NEAR_512(30K, M64_8),
		NEAR_512(30K, M128), NEAR_512(30K, M256), NEAR_512(30K, M256_5),
		NEAR_512(30K, M384), NEAR_512(60K, M64_8), NEAR_512(60K, M128),
		NEAR_512(60K, M256), NEAR_512(60K, M256_5), NEAR_512(60K, M384),
	} },
	{ "5.7.3, figure 5.13", "shared_m64_worse",
	  "the AWRT of job sharing is higher in m64 than in m64-8", .conditions = {
		SHARED_BETTER(10K, M64_8, M64), SHARED_BETTER(30K, M64_8, M64),
		SHARED_BETTER(60K, M64_8, M64), SHARED_BETTER(SYN, M64_8, M64),
	} },
	{ "5.7.3, figure 5.14", "backlog",
	  "the AWWT of multi-site computing is about two hours or more (60_70k)",
	  .conditions = {
		{ WAIT(60K, ORG, LXFW_G_MULTI, M64_8), NONE, 6000, INFINITY },
		{ WAIT(60K, ORG, LXFW_G_MULTI, M128), NONE, 6000, INFINITY },
		{ WAIT(60K, ORG, LXFW_G_MULTI, M256), NONE, 6000, INFINITY },
		{ WAIT(60K, ORG, LXFW_G_MULTI, M512), NONE, 6000, INFINITY },
	} },
	{ "5.7.3, figure 5.15", "shared_backlog",
	  "the AWWT of job sharing is 45 minutes or more", .conditions = {
		{ WAIT(10K, MAX64, LXFW_G_CENTRAL, M512), NONE, 2700, INFINITY },
		{ WAIT(30K, MAX64, LXFW_G_CENTRAL, M512), NONE, 2700, INFINITY },
		{ WAIT(60K, MAX64, LXFW_G_CENTRAL, M512), NONE, 2700, INFINITY },
		{ WAIT(SYN, MAX64, LXFW_G_CENTRAL, M512), NONE, 2700, INFINITY },
	} },
};

const int lxfw_g_claim_count = sizeof(lxfw_g_claims) / sizeof(*lxfw_g_claims);
