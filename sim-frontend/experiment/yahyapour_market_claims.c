/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The claims of Yahyapour 2002, section 6.3.3, as tests. The figures themselves have no numbers
 * in the text. Words are translated as in yahyapour_grid_claims.c: better, a ratio below 1;
 * small or no significant differences, 0.8 to 1.25; significantly better, at most 0.8; poor,
 * at least 1.25; about 18 %, at most 25 %.
 */
#include <math.h>

#include "sim-frontend/experiment/yahyapour_market.h"

const char *const lxfw_m_readings[LXFW_M_READINGS] = {
	"run times known", "run times known, any job at several sites",
	"requested times known", "requested times known, allocations exchanged",
};

#define CELL(workload, reading, row, config, metric) \
	{ LXFW_G_##workload * LXFW_M_READINGS + LXFW_M_##reading, LXFW_M_##row, \
	  LXFW_G_##config * LXFW_M_METRICS + LXFW_M_##metric }
#define NONE LXFW_NO_CELL

/* The ratio of two rows, or of two configurations. */
#define ROWS(workload, reading, config, one, other, low, high) \
	{ CELL(workload, reading, one, config, AWRT), \
	  CELL(workload, reading, other, config, AWRT), low, high }
#define CONFIGS(workload, reading, row, one, other, metric, low, high) \
	{ CELL(workload, reading, row, one, metric), \
	  CELL(workload, reading, row, other, metric), low, high }

/* A market against the conventional system that knows the same run times. */
#define BEATS(workload, reading, row, known, config) \
	{ CELL(workload, reading, row, config, AWRT), \
	  CELL(workload, known, CONVENTIONAL, config, AWRT), 0, 1 }
#define BEST(workload, reading) \
	BEATS(workload, reading, BEST, EXACT, M64), \
	BEATS(workload, reading, BEST, EXACT, M64_8), \
	BEATS(workload, reading, BEST, EXACT, M128), \
	BEATS(workload, reading, BEST, EXACT, M256), \
	BEATS(workload, reading, BEST, EXACT, M256_5), \
	BEATS(workload, reading, BEST, EXACT, M384), \
	BEATS(workload, reading, BEST, EXACT, M512)
#define MF1_UF1(reading, known) \
	BEATS(10K, reading, MF1_UF1, known, M128), BEATS(30K, reading, MF1_UF1, known, M128), \
	BEATS(60K, reading, MF1_UF1, known, M128), BEATS(SYN, reading, MF1_UF1, known, M128), \
	BEATS(10K, reading, MF1_UF1, known, M512), BEATS(30K, reading, MF1_UF1, known, M512), \
	BEATS(60K, reading, MF1_UF1, known, M512), BEATS(SYN, reading, MF1_UF1, known, M512)
#define NEAR_512(workload, reading, config, metric) \
	CONFIGS(workload, reading, MF1_UF1, config, M512, metric, 0.8, 1.25)
#define SIMILAR(reading, metric) \
	NEAR_512(SYN, reading, M64, metric), NEAR_512(SYN, reading, M64_8, metric), \
	NEAR_512(SYN, reading, M128, metric), NEAR_512(SYN, reading, M256, metric), \
	NEAR_512(SYN, reading, M256_5, metric), NEAR_512(SYN, reading, M384, metric)
#define BIGGER(reading) \
	CONFIGS(SYN, reading, MF1_UF1, M128, M64_8, AWRT, 0, 1), \
	CONFIGS(SYN, reading, MF1_UF1, M256, M128, AWRT, 0, 1), \
	CONFIGS(SYN, reading, MF1_UF1, M512, M256, AWRT, 0, 1)
#define SITES(reading, row, metric, low, high) \
	{ CELL(SYN, reading, row, M128, metric), NONE, low, high }
#define MF2_BEST(workload, reading) \
	ROWS(workload, reading, M128, MF2_UF3, MF1_UF3, 0, 0.8), \
	ROWS(workload, reading, M128, MF2_UF3, MF3_UF3, 0, 0.8), \
	ROWS(workload, reading, M128, MF2_UF3, MF4_UF3, 0, 0.8), \
	ROWS(workload, reading, M128, MF2_UF3, MF5_UF3, 0, 0.8), \
	ROWS(workload, reading, M128, MF2_UF3, MF6_UF3, 0, 0.8)
#define UF1_BEST(workload, reading) \
	ROWS(workload, reading, M128, MF2_UF1, MF2_UF2, 0, 1), \
	ROWS(workload, reading, M128, MF2_UF1, MF2_UF3, 0, 1), \
	ROWS(workload, reading, M128, MF2_UF1, MF2_UF4, 0, 1), \
	ROWS(workload, reading, M128, MF2_UF1, MF2_UF5, 0, 1)
#define UF3_SECOND(workload, reading) \
	ROWS(workload, reading, M128, MF2_UF3, MF2_UF2, 0, 1), \
	ROWS(workload, reading, M128, MF2_UF3, MF2_UF4, 0, 1), \
	ROWS(workload, reading, M128, MF2_UF3, MF2_UF5, 0, 1)

const struct lxfw_cell_claim lxfw_m_claims[] = {
	{ "6.3.3, figure 6.8", "market_best",
	  "the best market is better than the conventional system in all configurations "
	  "(10_20k, 30_40k)", .conditions = { BEST(10K, EXACT), BEST(30K, EXACT) } },
	{ "6.3.3, figure 6.8", "market_best_2",
	  "the same (60_70k, syn)", .conditions = { BEST(60K, EXACT), BEST(SYN, EXACT) } },
	{ "6.3.3, figure 6.8", "market_best_always",
	  "the same if any job may run at several sites (10_20k, 30_40k)", .conditions = {
		BEST(10K, ALWAYS), BEST(30K, ALWAYS),
	} },
	{ "6.3.3, figure 6.8", "market_best_always_2",
	  "the same (60_70k, syn)", .conditions = { BEST(60K, ALWAYS), BEST(SYN, ALWAYS) } },
	{ "6.3.3, figure 6.9", "mf1_uf1",
	  "MF1/UF1 is better than the conventional system in m128 and m512", .conditions = {
		MF1_UF1(EXACT, EXACT),
	} },
	{ "6.3.3, figure 6.9", "mf1_uf1_always",
	  "the same if any job may run at several sites", .conditions = {
		MF1_UF1(ALWAYS, EXACT),
	} },
	{ "6.3.3, figure 6.9", "mf1_uf1_requested",
	  "the same if only requested times are known", .conditions = {
		MF1_UF1(REQUESTED, REQUESTED),
	} },
	{ "6.3.3, figure 6.9", "mf1_uf1_moved",
	  "the same if allocations are exchanged when jobs end early", .conditions = {
		MF1_UF1(MOVED, REQUESTED),
	} },
	{ "6.3.3, figure 6.10", "m128_near_m512",
	  "with MF1/UF1 the AWRT of m128 and m512 differs little", .conditions = {
		NEAR_512(10K, EXACT, M128, AWRT), NEAR_512(30K, EXACT, M128, AWRT),
		NEAR_512(60K, EXACT, M128, AWRT), NEAR_512(SYN, EXACT, M128, AWRT),
		NEAR_512(10K, ALWAYS, M128, AWRT), NEAR_512(30K, ALWAYS, M128, AWRT),
		NEAR_512(60K, ALWAYS, M128, AWRT), NEAR_512(SYN, ALWAYS, M128, AWRT),
	} },
	{ "6.3.3, figure 6.11", "configurations_awrt",
	  "with MF1/UF1 the AWRT of all configurations does not differ significantly (syn)",
	  .conditions = { SIMILAR(EXACT, AWRT), SIMILAR(ALWAYS, AWRT) } },
	{ "6.3.3, figure 6.11", "configurations_awwt",
	  "neither does the AWWT", .conditions = {
		SIMILAR(EXACT, AWWT), SIMILAR(ALWAYS, AWWT),
	} },
	{ "6.3.3, figure 6.11", "bigger_sites",
	  "bigger sites have a smaller AWRT: m64-8, m128, m256, m512 (syn)", .conditions = {
		BIGGER(EXACT), BIGGER(ALWAYS),
	} },
	{ "6.3.3, figure 6.12", "work_mf1_uf1",
	  "MF1/UF1: the work of the sites differs by about 18 % at most (m128, syn)",
	  .conditions = { SITES(EXACT, MF1_UF1, SPREAD, 0, 0.25) } },
	{ "6.3.3, figure 6.12", "work_mf1_uf2",
	  "MF1/UF2: the work is nearly equally distributed", .conditions = {
		SITES(EXACT, MF1_UF2, SPREAD, 0, 0.1),
	} },
	{ "6.3.3, figure 6.12", "work_mf2_uf2",
	  "MF2/UF2: two sites have about 67 % of the work", .conditions = {
		SITES(EXACT, MF2_UF2, TWO, 0.6, 0.74),
	} },
	{ "6.3.3, figure 6.13", "used_mf1_uf2",
	  "MF1/UF2: all sites are used to less than 29 %", .conditions = {
		SITES(EXACT, MF1_UF2, USED_1, 0, 0.29),
	} },
	{ "6.3.3, figure 6.13", "used_mf1_uf1",
	  "MF1/UF1: to 61 to 77 %", .conditions = {
		SITES(EXACT, MF1_UF1, USED_1, 0, 0.77),
		SITES(EXACT, MF1_UF1, USED_LAST, 0.61, 1),
	} },
	{ "6.3.3, figure 6.13", "used_mf2_uf2",
	  "MF2/UF2: two sites to over 85 %, the others to less than 45 %", .conditions = {
		SITES(EXACT, MF2_UF2, USED_2, 0.85, 1),
		SITES(EXACT, MF2_UF2, USED_3, 0, 0.45),
	} },
	{ "6.3.3, figure 6.14", "only_mf1_uf1",
	  "of these only MF1/UF1 has an acceptable AWRT", .conditions = {
		ROWS(SYN, EXACT, M128, MF1_UF2, MF1_UF1, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF2_UF2, MF1_UF1, 1.25, INFINITY),
	} },
	{ "6.3.3, figure 6.15", "mf2_best",
	  "with UF3, MF2 is significantly better than all others (m128)", .conditions = {
		MF2_BEST(10K, EXACT), MF2_BEST(30K, EXACT), MF2_BEST(60K, EXACT),
		MF2_BEST(SYN, EXACT),
	} },
	{ "6.3.3, figure 6.15", "mf2_best_requested",
	  "the same if only requested times are known (syn)", .conditions = {
		MF2_BEST(SYN, REQUESTED),
	} },
	{ "6.3.3, figure 6.15", "under_poor",
	  "MF1, MF3 and MF6, which contain `under', are poor (syn, against MF4 and MF5)",
	  .conditions = {
		ROWS(SYN, EXACT, M128, MF1_UF3, MF4_UF3, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF3_UF3, MF4_UF3, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF6_UF3, MF4_UF3, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF1_UF3, MF5_UF3, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF3_UF3, MF5_UF3, 1.25, INFINITY),
		ROWS(SYN, EXACT, M128, MF6_UF3, MF5_UF3, 1.25, INFINITY),
	} },
	{ "6.3.3, figure 6.16", "uf1_best",
	  "with MF2, UF1 is the best (m128)", .conditions = {
		UF1_BEST(10K, EXACT), UF1_BEST(30K, EXACT), UF1_BEST(60K, EXACT),
		UF1_BEST(SYN, EXACT),
	} },
	{ "6.3.3, figure 6.16", "uf1_best_requested",
	  "the same if only requested times are known (syn)", .conditions = {
		UF1_BEST(SYN, REQUESTED),
	} },
	{ "6.3.3, figure 6.16", "uf3_second",
	  "and UF3 the second best", .conditions = {
		UF3_SECOND(10K, EXACT), UF3_SECOND(30K, EXACT), UF3_SECOND(60K, EXACT),
		UF3_SECOND(SYN, EXACT),
	} },
};

const int lxfw_m_claim_count = sizeof(lxfw_m_claims) / sizeof(*lxfw_m_claims);
