/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts on claims of the paper. */
#include <math.h>
#include <stdio.h>

#include "sim-frontend/experiment/claims.h"
#include "tests/unit/unit.h"

#define MONTHS 6
#define SEEDS 3

struct paper {
	struct lxfw_experiment experiment;
	struct lxfw_experiment_month months[MONTHS];
	struct lxfw_tally tallies[MONTHS * SEEDS * LXFW_CONTENDERS];
};

/* All averages are 10 h except those that a test sets. */
static struct paper *make_paper(void)
{
	struct paper *paper = calloc(1, sizeof(*paper));

	assert_non_null(paper);
	paper->experiment = (struct lxfw_experiment) {
		.synthetic = true, .months = paper->months,
		.month_count = MONTHS, .seeds = SEEDS,
		.tallies = paper->tallies,
	};
	for (int i = 0; i < MONTHS; i++)
		paper->months[i].number = i;
	for (int i = 0; i < LXFW_CONTENDERS; i++)
		paper->experiment.takes_part[i] = true;
	for (int i = 0; i < MONTHS * SEEDS * LXFW_CONTENDERS; i++)
		paper->tallies[i].values[LXFW_GROUP_ALL][LXFW_TALLY_MEAN] = 10;
	return paper;
}

static void set_mean(struct paper *paper, int month, int seed,
		     enum lxfw_contender policy, double hours)
{
	size_t at = lxfw_experiment_at(&paper->experiment, month, seed, policy);

	paper->tallies[at].values[LXFW_GROUP_ALL][LXFW_TALLY_MEAN] = hours;
}

#define TEST_CLAIM(statistic_, low_, high_) { \
	.section = "1", .key = "test", .text = "test", \
	.statistic = statistic_, .condition_count = 1, \
	.conditions = { { LXFW_TALLY_MEAN, LXFW_GROUP_ALL, LXFW_SJF_BF, \
			  LXFW_FCFS_BF, low_, high_ } } }

static void check_verdict(const struct paper *paper,
			  const struct lxfw_claim *claim, int holds, int of,
			  bool confirmed, const char *text)
{
	struct lxfw_claim_result finding;
	char verdict[80];

	assert_true(lxfw_claim_applies(&paper->experiment, claim));
	assert_int_equal(lxfw_claim_test(&finding, &paper->experiment, claim),
			 0);
	assert_int_equal(finding.holds, holds);
	assert_int_equal(finding.of, of);
	assert_int_equal(finding.confirmed, confirmed);
	lxfw_claim_result_text(&finding, verdict, sizeof(verdict));
	assert_string_equal(verdict, text);
	lxfw_claim_result_clear(&finding);
}

/* The median over three seeds is used, of ratios with the same seed. */
static void test_median(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, -INFINITY, 0.8);
	struct lxfw_claim_result finding;

	(void)state;
	check_verdict(paper, &claim, 0, 6, false, "does not hold");
	for (int i = 0; i < MONTHS; i++) {
		set_mean(paper, i, 0, LXFW_SJF_BF, 8);	/* exactly the bound */
		set_mean(paper, i, 2, LXFW_SJF_BF, 1);
	}
	check_verdict(paper, &claim, 6, 6, true, "holds");
	/* 12 h of 20 h is 0.6 and still the median, though more than 8 */
	set_mean(paper, 4, 0, LXFW_SJF_BF, 12);
	set_mean(paper, 4, 0, LXFW_FCFS_BF, 20);
	assert_int_equal(lxfw_claim_test(&finding, &paper->experiment, &claim),
			 0);
	assert_true(finding.figures[4].median == 0.6);
	assert_true(finding.figures[4].least == 0.1);
	assert_true(finding.figures[4].most == 1);
	lxfw_claim_result_clear(&finding);
	set_mean(paper, 1, 0, LXFW_SJF_BF, 8.01);
	check_verdict(paper, &claim, 5, 6, false, "holds in 5 of 6 months");
	claim.at_least = 5;
	check_verdict(paper, &claim, 5, 6, true,
		      "holds (in 5 of 6 months, 5 needed)");
	free(paper);
}

/* All conditions must hold in the same month. A claim may concern some months only; for
   a log one of them must be found. */
static void test_months(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, 2, INFINITY);

	(void)state;
	claim.months = 1U << 4;
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 3, i, LXFW_SJF_BF, 30);
	check_verdict(paper, &claim, 0, 1, false, "does not hold");
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 4, i, LXFW_SJF_BF, 30);
	check_verdict(paper, &claim, 1, 1, true, "holds");
	claim.condition_count = 2;
	claim.conditions[1] = claim.conditions[0];
	claim.conditions[1].reference = LXFW_LXFW_BF;
	check_verdict(paper, &claim, 1, 1, true, "holds");
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 4, i, LXFW_LXFW_BF, 20);
	check_verdict(paper, &claim, 0, 1, false, "does not hold");

	paper->experiment.synthetic = false;
	for (int i = 0; i < MONTHS; i++)
		paper->months[i].number = -1;
	check_verdict(paper, &claim, 1, 6, true,
		      "holds (in 1 of 6 months, 1 needed)");
	claim.synthetic_only = true;
	assert_false(lxfw_claim_applies(&paper->experiment, &claim));
	claim.synthetic_only = false;
	paper->experiment.takes_part[LXFW_LXFW_BF] = false;
	assert_false(lxfw_claim_applies(&paper->experiment, &claim));
	free(paper);
}

/* No job waits for a minute: equal for any ratio. A month without figures does not
   count. */
static void test_no_waits(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, 0.9, 1.11);

	(void)state;
	for (int i = 0; i < SEEDS; i++) {
		set_mean(paper, 0, i, LXFW_SJF_BF, 0);
		set_mean(paper, 0, i, LXFW_FCFS_BF, 0.01);
		set_mean(paper, 1, i, LXFW_FCFS_BF, NAN);
		set_mean(paper, 2, i, LXFW_FCFS_BF, 0);
	}
	check_verdict(paper, &claim, 4, 5, false, "holds in 4 of 5 months");
	free(paper);
}

/* Two figures in six months are twelve cases. Seven of them are more than half, also if
   no month has both; six are not. */
static void test_most_cases(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, -INFINITY, 0.8);

	(void)state;
	claim.most_cases = true;
	claim.condition_count = 2;
	claim.conditions[1] = claim.conditions[0];
	claim.conditions[1].policy = LXFW_LXFW_BF;
	for (int i = 0; i < SEEDS; i++) {
		for (int j = 0; j < MONTHS; j++)
			set_mean(paper, j, i, j < 3 ? LXFW_SJF_BF :
						      LXFW_LXFW_BF, 8);
	}
	check_verdict(paper, &claim, 6, 12, false, "holds in 6 of 12 cases");
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 0, i, LXFW_LXFW_BF, 8);
	check_verdict(paper, &claim, 7, 12, true,
		      "holds (in 7 of 12 cases, 7 needed)");
	/* what is unknown is no case; the claim is about the first two months */
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 0, i, LXFW_LXFW_BF, NAN);
	claim.months = 3;
	check_verdict(paper, &claim, 2, 3, true,
		      "holds (in 2 of 3 cases, 2 needed)");
	free(paper);
}

/* A figure may be a difference: 0 h and 0.25 h are near, and so are 9.75 h and 10 h;
   0.26 h is too much in either direction. */
static void test_difference(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, -0.25, 0.25);
	char text[128];

	(void)state;
	claim.conditions[0].difference = true;
	for (int i = 0; i < SEEDS; i++) {
		set_mean(paper, 0, i, LXFW_FCFS_BF, 0);
		set_mean(paper, 0, i, LXFW_SJF_BF, 0.25);
		set_mean(paper, 1, i, LXFW_SJF_BF, 9.75);
	}
	check_verdict(paper, &claim, 6, 6, true, "holds");
	for (int i = 0; i < SEEDS; i++) {
		set_mean(paper, 0, i, LXFW_SJF_BF, 0.26);
		set_mean(paper, 1, i, LXFW_SJF_BF, 9.74);
	}
	check_verdict(paper, &claim, 4, 6, false, "holds in 4 of 6 months");
	/* the policy minus the reference: SJF is longer in October only */
	for (int i = 0; i < SEEDS; i++)
		set_mean(paper, 1, i, LXFW_SJF_BF, 10);
	claim.conditions[0].low = 0.2;
	claim.conditions[0].high = 0.3;
	check_verdict(paper, &claim, 1, 6, false, "holds in 1 of 6 months");
	claim.conditions[0].low = -0.25;
	claim.conditions[0].high = 0.25;
	lxfw_condition_text(&claim, &claim.conditions[0], text, sizeof(text));
	assert_string_equal(text, "average wait, h, SJF-bf - FCFS-bf: "
				  "-0.25 to 0.25");
	free(paper);
}

/* Seed 0 holds in all months, seed 1 in all but one, seed 2 in none: the median holds,
   and with one of the three seeds alone the claim holds, in 6 + 5 of 18 months. A month
   that is unknown with one seed is not a month of that seed. */
static void test_seeds_alone(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim claim = TEST_CLAIM(LXFW_BY_MONTH, -INFINITY, 0.8);
	struct lxfw_claim_result finding;

	(void)state;
	for (int i = 0; i < MONTHS; i++) {
		set_mean(paper, i, 0, LXFW_SJF_BF, 5);
		if (i != 3)
			set_mean(paper, i, 1, LXFW_SJF_BF, 5);
	}
	assert_int_equal(lxfw_claim_test(&finding, &paper->experiment, &claim),
			 0);
	assert_int_equal(finding.holds, 5);
	assert_int_equal(finding.seeds, 3);
	assert_int_equal(finding.seeds_confirmed, 1);
	assert_int_equal(finding.seeds_holds, 11);
	assert_int_equal(finding.seeds_of, 18);
	lxfw_claim_result_clear(&finding);
	set_mean(paper, 0, 2, LXFW_SJF_BF, NAN);
	assert_int_equal(lxfw_claim_test(&finding, &paper->experiment, &claim),
			 0);
	assert_int_equal(finding.of, 6);
	assert_int_equal(finding.seeds_of, 17);
	lxfw_claim_result_clear(&finding);
	free(paper);
}

/* Over the months: SJF 10 to 40 h, FCFS 10 to 20 h. With 0 and 4 times that at an equal
   mean, the deviation is larger. */
static void test_over_months(void **state)
{
	struct paper *paper = make_paper();
	struct lxfw_claim range = TEST_CLAIM(LXFW_RANGE, 3, 3);
	struct lxfw_claim deviation = TEST_CLAIM(LXFW_DEVIATION, 1, INFINITY);
	struct lxfw_claim high = TEST_CLAIM(LXFW_HIGH_LOAD, 4, 4);

	(void)state;
	for (int i = 0; i < SEEDS; i++) {
		set_mean(paper, 5, i, LXFW_SJF_BF, 40);
		set_mean(paper, 5, i, LXFW_FCFS_BF, 20);
	}
	check_verdict(paper, &range, 1, 1, true, "holds");
	range.conditions[0].high = range.conditions[0].low = 2.9;
	check_verdict(paper, &range, 0, 1, false, "does not hold");
	check_verdict(paper, &deviation, 1, 1, true, "holds");
	for (int i = 0; i < MONTHS * SEEDS; i++)
		set_mean(paper, i % MONTHS, i / MONTHS, LXFW_SJF_BF,
			 100 + i % MONTHS);
	check_verdict(paper, &deviation, 0, 1, false, "does not hold");

	/* FCFS waits 4 h longer in December and February, 1 h in other months */
	for (int i = 0; i < MONTHS; i++) {
		for (int j = 0; j < SEEDS; j++) {
			set_mean(paper, i, j, LXFW_SJF_BF, 10);
			set_mean(paper, i, j, LXFW_FCFS_BF,
				 i == 2 || i == 4 ? 14 : 11);
		}
	}
	check_verdict(paper, &high, 1, 1, true, "holds");
	/* a single month cannot be compared */
	paper->experiment.month_count = 1;
	assert_false(lxfw_claim_applies(&paper->experiment, &high));
	assert_false(lxfw_claim_applies(&paper->experiment, &range));
	free(paper);
}

/* Keys are unique, bounds are in order, and texts are not empty. */
static void test_table(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_claim_count; i++) {
		const struct lxfw_claim *claim = &lxfw_claims[i];

		assert_true(claim->condition_count >= 1 &&
			    claim->condition_count <= LXFW_CONDITIONS_MAX);
		for (int j = 0; j < LXFW_CONDITIONS_MAX; j++) {
			const struct lxfw_condition *c = &claim->conditions[j];

			/* the number of conditions is right */
			assert_int_equal(j < claim->condition_count,
					 c->low != 0 || c->high != 0);
			assert_true(c->low <= c->high);
		}
		assert_non_null(claim->section);
		assert_non_null(claim->text);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(claim->key, lxfw_claims[j].key);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_months),
		cmocka_unit_test(test_no_waits),
		cmocka_unit_test(test_most_cases),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_seeds_alone),
		cmocka_unit_test(test_over_months),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
