/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reliability of a difference, and the verdicts derived from it. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/tune/judge.h"

#define SAMPLE 400
#define BLOCKS 20

/* Make jobs of BLOCKS blocks. In THEN every wait is half of that in NOW, except in the
   first UNLUCKY blocks, where it is three times as long. */
static void make_sample(struct lxfw_sample *sample, int32_t *clusters,
			struct lxfw_outcome *now, struct lxfw_outcome *then,
			int unlucky)
{
	*sample = (struct lxfw_sample) {
		.clusters = clusters, .count = SAMPLE, .cluster_count = BLOCKS,
		.seed = 1,
	};
	for (int i = 0; i < SAMPLE; i++) {
		int64_t wait = 2 * (10 + i * 37 % 101);

		clusters[i] = i % BLOCKS;
		now[i] = (struct lxfw_outcome) {
			.submit = i, .run = 60, .procs = 2,
			.end = i + 60 + wait,
		};
		then[i] = now[i];
		then[i].end = i + 60 + (clusters[i] < unlucky ? 3 * wait :
					wait / 2);
	}
}

static void assert_ends(const double *draws, double low, double high)
{
	for (int i = 1; i < LXFW_DRAWS; i++)
		assert_true(draws[i] >= draws[i - 1]);
	assert_true(draws[0] == low);
	assert_true(draws[LXFW_DRAWS - 1] == high);
}

static void test_resample(void **state)
{
	static const enum lxfw_tune_measure waits[] = {
		LXFW_TUNE_MEAN_WAIT, LXFW_TUNE_MEDIAN_WAIT, LXFW_TUNE_P95_WAIT,
		LXFW_TUNE_MAX_WAIT,
	};
	static double draws[LXFW_DRAWS];
	struct lxfw_outcome now[SAMPLE], then[SAMPLE];
	struct lxfw_sample sample;
	int32_t clusters[SAMPLE];

	(void)state;
	make_sample(&sample, clusters, now, then, 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(lxfw_resample(&sample, waits[i], now, then, draws),
				 0);
		assert_ends(draws, -0.5, -0.5);
	}
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_AWRT, now, now, draws), 0);
	assert_ends(draws, 0, 0);
	/* one block is worse: some draws contain it several times, some not at all */
	make_sample(&sample, clusters, now, then, 1);
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_MEAN_WAIT, now, then,
				       draws), 0);
	assert_true(draws[0] == -0.5);
	assert_true(draws[LXFW_DRAWS / 2] > -0.5 && draws[LXFW_DRAWS / 2] < -0.2);
	assert_true(draws[LXFW_DRAWS - 1] > 0);
	/* no result for too few blocks, or for no jobs */
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_REQUEUES, now, then,
				       draws), 1);
	sample.cluster_count = LXFW_CLUSTERS_LEAST - 1;
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_MEAN_WAIT, now, then,
				       draws), 1);
}

/* All blocks have the same twenty waits, so that all draws are equal. The wait of rank R of a block
   becomes R % longer: a percentile shows which one it is. */
static void test_resample_percentiles(void **state)
{
	static const struct {
		enum lxfw_tune_measure measure;
		double rank;
	} expected[] = {
		{ LXFW_TUNE_MEDIAN_WAIT, 10 }, { LXFW_TUNE_P95_WAIT, 19 }, { LXFW_TUNE_MAX_WAIT, 20 },
	};
	static double draws[LXFW_DRAWS];
	struct lxfw_outcome now[SAMPLE], then[SAMPLE];
	struct lxfw_sample sample;
	int32_t clusters[SAMPLE];

	(void)state;
	make_sample(&sample, clusters, now, then, 0);
	for (int i = 0; i < SAMPLE; i++) {
		int64_t rank = (i / BLOCKS * 7 + clusters[i]) % 20 + 1;

		now[i].end = now[i].submit + now[i].run + 100 * rank;
		then[i].end = then[i].submit + then[i].run + (100 + rank) * rank;
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(lxfw_resample(&sample, expected[i].measure, now, then, draws), 0);
		for (int k = 0; k < LXFW_DRAWS; k++)
			assert_true(fabs(draws[k] - expected[i].rank / 100) < 1e-9);
	}
}

/* ---- signed ranks ------------------------------------------------------ */

/* Return the chance for ranks 1 .. COUNT, of which those in ABOVE (0-terminated) are
   positive, in an order in which signs alternate if possible. */
static double chance(int count, const int *above)
{
	double differences[64], correlation, result;

	assert_true(count <= 64);
	for (int i = 0; i < count; i++)
		differences[i] = -(i + 1);
	for (; *above; above++)
		differences[*above - 1] = *above;
	result = lxfw_signed_rank(differences, (size_t)count, &correlation);
	return correlation > 0 ? -1 : result;
}

static void assert_near(double is, double should)
{
	if (!(fabs(is - should) <= 1e-9))
		fail_msg("%.12g, expected %.12g", is, should);
}

/* Counted by hand: the sets of ranks whose sum is as low. */
static void test_signed_rank(void **state)
{
	double correlation;
	const double ties[] = { -1, 1, -1, 0, 0, -1 };

	(void)state;
	assert_near(chance(5, (int[]) { 0 }), 1.0 / 32);
	assert_near(chance(5, (int[]) { 3, 0 }), 5.0 / 32);	/* {}, 1, 2, 3, 12 */
	assert_near(chance(8, (int[]) { 5, 0 }), 10.0 / 256);
	assert_near(chance(10, (int[]) { 3, 7, 0 }), 43.0 / 1024);
	assert_near(chance(5, (int[]) { 1, 2, 3, 4, 5, 0 }), 1);
	/* four of the same size: 5 of 16 have at most one positive */
	assert_near(lxfw_signed_rank(ties, 6, &correlation), 5.0 / 16);
	assert_near(lxfw_signed_rank(ties + 3, 2, &correlation), 0);
}

/* A run of equal signs is weaker evidence than alternating signs. */
static void test_neighbours(void **state)
{
	double turn[12], row[12], correlation;

	(void)state;
	for (int i = 0; i < 12; i++) {
		turn[i] = i % 4 == 1 ? 2 : -10 - i;
		row[i] = i >= 4 && i < 7 ? 2 : -10 - i;
	}
	assert_true(lxfw_signed_rank(turn, 12, &correlation) < 0.01);
	assert_true(correlation == 0);
	assert_true(lxfw_signed_rank(row, 12, &correlation) > 0.01);
	assert_true(correlation > 0.3 && correlation < 0.6);
	/* equal signs are no correlation, whatever the sizes */
	for (int i = 0; i < 12; i++)
		row[i] = -1 - i * i;
	assert_near(lxfw_signed_rank(row, 12, &correlation), 1.0 / 4096);
}

/* ---- verdicts ---------------------------------------------------------- */

/* Judge blocks that change by CHANGE, plus and minus the part SPREAD of it in turn. */
static struct lxfw_judgement judged(int blocks, double change, double spread,
				    double margin)
{
	static double draws[LXFW_DRAWS];
	double now[64], then[64], weights[64];
	struct lxfw_paired paired = {
		.blocks = blocks, .now = now, .then = then, .weights = weights,
		.all_now = 100, .all_then = 100 * (1 + change), .draws = draws,
		.margin = margin,
	};
	struct lxfw_judgement judgement;

	for (int i = 0; i < blocks; i++) {
		now[i] = 100 + i;
		then[i] = now[i] * (1 + change + (i % 2 ? spread : -spread));
		weights[i] = 1;
	}
	for (int i = 0; i < LXFW_DRAWS; i++)	/* approximately a normal distribution */
		draws[i] = change + 4 * spread / sqrt(blocks) *
			   ((double)i / LXFW_DRAWS - 0.5);
	if (blocks < LXFW_CLUSTERS_LEAST)
		paired.draws = NULL;
	assert_int_equal(lxfw_judge(&paired, &judgement), 0);
	lxfw_judge_better(&judgement, 1);
	return judgement;
}

static void test_verdicts(void **state)
{
	struct lxfw_judgement judgement;

	(void)state;
	assert_int_equal(judged(20, -0.3, 0.1, 0.05).verdict, LXFW_CHANGE_BETTER);
	assert_int_equal(judged(20, 0.01, 0.02, 0.05).verdict, LXFW_CHANGE_KEPT);
	assert_int_equal(judged(20, 0.01, 0.02, 0).verdict, LXFW_CHANGE_WORSE);
	assert_int_equal(judged(20, 0.3, 0.1, 0.05).verdict, LXFW_CHANGE_WORSE);
	/* possibly worse by more than the margin: not kept, though not certainly worse */
	judgement = judged(20, 0.02, 0.3, 0.05);
	assert_int_equal(judgement.verdict, LXFW_CHANGE_UNSURE);
	assert_true(judgement.kept_blocks > 100 && isfinite(judgement.kept_blocks));
	/* it looks no better than now: no number of blocks would show a gain */
	assert_true(isinf(judgement.better_blocks));
	/* 7 % worse is not kept within 5 %, whatever the draws say */
	judgement = judged(20, 0.07, 0.001, 0.05);
	assert_true(judgement.kept_p > 0.5);
	judgement = judged(20, 0.03, 0.001, 0.05);
	assert_true(judgement.kept_p < 0.01);
	/* four blocks are inconclusive, however large the gain is */
	judgement = judged(4, -0.5, 0.01, 0.05);
	assert_int_equal(judgement.verdict, LXFW_CHANGE_UNSURE);
	assert_true(judgement.kept_blocks >= LXFW_CLUSTERS_LEAST);
	assert_true(isfinite(judgement.better_blocks));
}

/* A maximum over all blocks that exceeds the margin is not kept, even if it is lower in
   most blocks. Nothing shows that it is worse. */
static void test_hard_limit(void **state)
{
	static double draws[LXFW_DRAWS];
	double now[20], then[20], weights[20];
	struct lxfw_paired paired = {
		.blocks = 20, .now = now, .then = then, .weights = weights,
		.all_now = 119, .all_then = 119 * 1.06, .draws = draws,
		.margin = 0.05,
	};
	struct lxfw_judgement judgement;

	(void)state;
	for (int i = 0; i < 20; i++) {
		now[i] = 100 + i;
		then[i] = now[i] * (i == 19 ? 1.06 : 0.5);
		weights[i] = 1;
	}
	for (int i = 0; i < LXFW_DRAWS; i++)
		draws[i] = -0.5;
	assert_int_equal(lxfw_judge(&paired, &judgement), 0);
	assert_int_equal(judgement.verdict, LXFW_CHANGE_UNSURE);
	paired.all_then = 119 * 1.04;
	assert_int_equal(lxfw_judge(&paired, &judgement), 0);
	assert_int_equal(judgement.verdict, LXFW_CHANGE_KEPT);
}

/* COUNT blocks, 100 each now, then 150 in the first WORSE and 80 in the others; of the
   draws ABOVE are at +1 %, the others at -20 %. */
static enum lxfw_change_verdict verdict_of(int count, int worse, int above, int claims)
{
	static double draws[LXFW_DRAWS];
	double now[BLOCKS], then[BLOCKS], weights[BLOCKS];
	struct lxfw_paired paired = {
		.blocks = count, .now = now, .then = then, .weights = weights,
		.all_now = 100, .all_then = 80, .draws = draws, .margin = 0.05,
	};
	struct lxfw_judgement judgements[3] = {
		{ .better_chance = 1 }, { .better_chance = 1 }, { .better_chance = 1 },
	};

	for (int i = 0; i < count; i++) {
		now[i] = 100;
		then[i] = i < worse ? 150 : 80;
		weights[i] = 1;
	}
	for (int i = 0; i < LXFW_DRAWS; i++)
		draws[i] = i < LXFW_DRAWS - above ? -0.2 : 0.01;
	assert_int_equal(lxfw_judge(&paired, &judgements[0]), 0);
	lxfw_judge_better(judgements, claims);
	return judgements[0].verdict;
}

/* Both tests must agree for a goal to be kept or better. With several goals the
 * requirement is stricter. */
static void test_both_agree(void **state)
{
	(void)state;
	assert_int_equal(verdict_of(10, 0, 0, 3), LXFW_CHANGE_BETTER);
	/* by the ranks it is worse as often as not, by the draws it is better */
	assert_int_equal(verdict_of(10, 5, 0, 1), LXFW_CHANGE_UNSURE);
	/* ranks with a probability of 1 in 32, draws with one of 3 in 100 */
	assert_int_equal(verdict_of(5, 0, 0, 1), LXFW_CHANGE_BETTER);
	assert_int_equal(verdict_of(5, 0, 0, 3), LXFW_CHANGE_KEPT);
	assert_int_equal(verdict_of(10, 0, 3 * LXFW_DRAWS / 100, 1),
			 LXFW_CHANGE_BETTER);
	assert_int_equal(verdict_of(10, 0, 3 * LXFW_DRAWS / 100, 3),
			 LXFW_CHANGE_KEPT);
}

/* The probabilities of three goals, those adjusted for several, and whether each is
 * better then. */
static void assert_several(const double *chances, const double *expected,
			   const bool *better)
{
	struct lxfw_judgement judgements[3];

	for (int i = 0; i < 3; i++)
		judgements[i] = (struct lxfw_judgement) {
			.verdict = LXFW_CHANGE_KEPT, .better_chance = chances[i],
			.better_blocks = 99,
		};
	lxfw_judge_better(judgements, 3);
	for (int i = 0; i < 3; i++) {
		assert_near(judgements[i].better_chance, expected[i]);
		assert_int_equal(judgements[i].verdict, better[i] ?
				 LXFW_CHANGE_BETTER : LXFW_CHANGE_KEPT);
		assert_true(judgements[i].better_blocks == (better[i] ? 0 : 99));
	}
}

/* Computed by hand from the closed testing procedure. */
static void test_several(void **state)
{
	(void)state;
	/* alone: three times the probability, as by Bonferroni */
	assert_several((const double[]) { 1, 0.01, 1 },
		       (const double[]) { 1, 0.03, 1 },
		       (const bool[]) { false, true, false });
	assert_several((const double[]) { 1, 1, 0.02 },
		       (const double[]) { 1, 1, 0.06 },
		       (const bool[]) { false, false, false });
	/* two together: {.02, .03, .9} has min(.06, .045, .9), {.02, .9} .04 */
	assert_several((const double[]) { 0.03, 0.9, 0.02 },
		       (const double[]) { 0.06, 0.9, 0.045 },
		       (const bool[]) { false, false, true });
	/* all three: no adjustment */
	assert_several((const double[]) { 0.04, 0.03, 0.049 },
		       (const double[]) { 0.049, 0.049, 0.049 },
		       (const bool[]) { true, true, true });
}

/* The longest wait over several copies of a log is the mean of their longest waits. */
static void test_copies(void **state)
{
	static double draws[LXFW_DRAWS];
	struct lxfw_outcome now[SAMPLE], then[SAMPLE];
	struct lxfw_sample sample;
	int32_t clusters[SAMPLE];

	(void)state;
	make_sample(&sample, clusters, now, then, 0);
	sample.copies = 2;
	for (int i = 0; i < SAMPLE; i++) {
		clusters[i] = i % BLOCKS;
		now[i].end = now[i].submit + now[i].run + 100;
		/* the first copy as now, the second twice as long */
		then[i].end = now[i].end + (i < SAMPLE / 2 ? 0 : 100);
	}
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_MAX_WAIT, now, then, draws),
			 0);
	assert_ends(draws, 0.5, 0.5);
	sample.copies = 0;
	assert_int_equal(lxfw_resample(&sample, LXFW_TUNE_MAX_WAIT, now, then, draws),
			 0);
	assert_ends(draws, 1, 1);
}

/* Student's quantiles relative to the normal ones: runs of one, two and three clusters.
 */
static void test_widening(void **state)
{
	(void)state;
	assert_near(lxfw_resample_widening(6, LXFW_INTERVAL_95), 2.571 / 1.96);
	assert_near(lxfw_resample_widening(8, LXFW_INTERVAL_95), 3.182 / 1.96);
	assert_near(lxfw_resample_widening(12, LXFW_INTERVAL_95), 2.571 / 1.96);
	assert_near(lxfw_resample_widening(27, LXFW_INTERVAL_95), 2.306 / 1.96);
	assert_near(lxfw_resample_widening(6, LXFW_INTERVAL_90), 2.015 / 1.645);
	assert_near(lxfw_resample_widening(8, LXFW_INTERVAL_90), 2.353 / 1.645);
	assert_near(lxfw_resample_widening(27, LXFW_INTERVAL_90), 1.860 / 1.645);
	assert_true(lxfw_resample_widening(1000, LXFW_INTERVAL_90) > 1 &&
		    lxfw_resample_widening(1000, LXFW_INTERVAL_90) < 1.02);
	assert_true(lxfw_resample_widening(1000, LXFW_INTERVAL_95) > 1 &&
		    lxfw_resample_widening(1000, LXFW_INTERVAL_95) < 1.02);
	/* away from the middle on a logarithmic scale; an end without a logarithm stays */
	assert_near(lxfw_resample_widen(-0.25, -0.5, 8, LXFW_INTERVAL_95),
		    0.5 * pow(1.5, 3.182 / 1.96) - 1);
	assert_near(lxfw_resample_widen(-0.75, -0.5, 8, LXFW_INTERVAL_95),
		    0.5 * pow(0.5, 3.182 / 1.96) - 1);
	assert_near(lxfw_resample_widen(-1, -0.5, 8, LXFW_INTERVAL_95), -1);
	assert_near(lxfw_resample_widen(0.5, -1, 8, LXFW_INTERVAL_95), 0.5);
	assert_true(isinf(lxfw_resample_widen(INFINITY, -0.5, 8, LXFW_INTERVAL_95)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resample),
		cmocka_unit_test(test_resample_percentiles),
		cmocka_unit_test(test_signed_rank),
		cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_both_agree),
		cmocka_unit_test(test_hard_limit),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_widening),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
