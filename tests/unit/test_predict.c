/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of predictions: experience of run times, bounds of quantiles, and intervals
   that are corrected by known truths. */
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

#include "sim-frontend/predict/baselines.h"
#include "sim-frontend/predict/calibrate.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/history/ran.h"
#include "sim-frontend/predict/kept.h"
#include "sim-frontend/predict/past.h"
#include "sim-frontend/predict/elsewhere.h"
#include "sim-frontend/predict/remaining.h"
#include "sim-frontend/predict/score.h"

#define DRAWS 2000

static const struct lxfw_traits ann = {
	.user = 1, .account = 1, .partition = 0, .limit = 1000, .procs = 4,
};
static const struct lxfw_traits bob = {
	.user = 2, .account = 1, .partition = 0, .limit = 2000, .procs = 4,
};

/* Returns the share of draws that are RUN. */
static double share(const struct lxfw_experience *experience,
		    const struct lxfw_traits *traits, int64_t elapsed, int64_t run)
{
	struct lxfw_random random;
	int count = 0;

	lxfw_random_seed(&random, 1, 2);
	for (int i = 0; i < DRAWS; i++) {
		int64_t drawn = lxfw_experience_draw(experience, traits, elapsed, 1, &random);

		assert_true(drawn > elapsed);
		count += drawn == run;
	}
	return (double)count / DRAWS;
}

static void learn(struct lxfw_experience *experience, const struct lxfw_traits *traits,
		  int64_t run, int times)
{
	while (times-- > 0)
		assert_int_equal(lxfw_experience_learn(experience, traits, run), 0);
}

/* Run times of the jobs of one user alone are not those of others. */
static void own_jobs_teach_of_their_user(void **state)
{
	struct lxfw_experience experience = { 0 };
	struct lxfw_rans rans = { 0 };
	struct lxfw_ran job = {
		.own = true, .number = 1, .end = 100, .ran = 20, .limit = 200, .procs = 4,
		.group = -1, .name = -1, .partition = -1, .machine = -1, .host_set = -1,
	};
	const struct lxfw_traits own = { .user = lxfw_trait_of_name("eva", 3), .account = -1,
					 .partition = -1, .limit = 1000, .procs = 4 };

	(void)state;
	job.user = lxfw_rans_name(&rans, "eva", 3);
	for (job.number = 1; job.number <= 20; job.number++)
		assert_int_equal(lxfw_rans_add(&rans, &job), 0);
	/* A journal, which has no users, still counts. */
	job.own = false;
	job.recorded = true;
	job.user = -1;
	job.end = 50;
	assert_int_equal(lxfw_rans_add(&rans, &job), 0);
	assert_int_equal(lxfw_rans_learn(&rans, 1000, &experience), 0);
	assert_int_equal(experience.jobs, 21);
	lxfw_experience_clear(&experience);
	rans.count--;
	assert_int_equal(lxfw_rans_learn(&rans, 1000, &experience), 0);
	assert_true(share(&experience, &own, 0, 100) == 1);
	assert_true(share(&experience, &bob, 0, 100) < 0.05);
	lxfw_experience_clear(&experience);
	lxfw_rans_clear(&rans);
}

/* The user's own jobs count most, those of others the more the fewer there are. */
static void finest_group_first(void **state)
{
	struct lxfw_experience experience = { 0 };
	struct lxfw_traits wide = ann;

	(void)state;
	learn(&experience, &bob, 200, 20);
	assert_true(share(&experience, &ann, 0, 100) == 1);	/* by the ratio */
	learn(&experience, &ann, 700, 1);
	assert_true(share(&experience, &ann, 0, 700) > 0.7);
	assert_true(share(&experience, &ann, 0, 100) > 0.05);
	learn(&experience, &ann, 700, 19);
	assert_true(share(&experience, &ann, 0, 700) > 0.99);
	/* another size and limit: by the user */
	wide.procs = 64;
	wide.limit = 2000;
	assert_true(share(&experience, &wide, 0, 1400) > 0.9);
	lxfw_experience_clear(&experience);
}

/* Only run times count that the job can still have. */
static void has_run_already(void **state)
{
	struct lxfw_experience experience = { 0 };

	(void)state;
	learn(&experience, &ann, 100, 10);
	learn(&experience, &ann, 600, 10);
	assert_true(share(&experience, &ann, 0, 100) > 0.2);
	assert_true(share(&experience, &ann, 100, 600) == 1);
	/* none is that long: up to the limit, then beyond it */
	for (int64_t elapsed = 600; elapsed < 3000; elapsed += 600) {
		struct lxfw_random random;

		lxfw_random_seed(&random, 1, (uint64_t)elapsed);
		for (int i = 0; i < DRAWS; i++) {
			int64_t run = lxfw_experience_draw(&experience, &ann, elapsed, 1,
							   &random);

			assert_true(run > elapsed);
			assert_true(run <= (elapsed < 1000 ? 1000 : 2 * elapsed));
		}
	}
	lxfw_experience_clear(&experience);
}

/* Three jobs that were cancelled soon do not make it certain that the next one is. */
static void few_jobs_are_little_evidence(void **state)
{
	struct lxfw_experience experience = { 0 };

	(void)state;
	learn(&experience, &ann, 4, 3);
	assert_true(share(&experience, &ann, 0, 4) > 0.6);
	assert_true(share(&experience, &ann, 0, 4) < 0.9);
	learn(&experience, &ann, 4, 30);
	assert_true(share(&experience, &ann, 0, 4) == 1);
	lxfw_experience_clear(&experience);
}

/* Old jobs are forgotten. */
static void last_jobs_are_kept(void **state)
{
	struct lxfw_experience experience = { 0 };

	(void)state;
	learn(&experience, &ann, 100, 5);
	learn(&experience, &ann, 600, LXFW_EXPERIENCE_KEPT);
	assert_true(share(&experience, &ann, 0, 600) == 1);
	lxfw_experience_clear(&experience);
}

/* Probability that of COUNT trials fewer than K succeed, by the definition. */
static double below(size_t count, double quantile, size_t k)
{
	double sum = 0;

	for (size_t i = 0; i < k; i++)
		sum += exp(lgamma((double)count + 1) - lgamma((double)i + 1) -
			   lgamma((double)(count - i) + 1) + (double)i * log(quantile) +
			   (double)(count - i) * log1p(-quantile));
	return sum;
}

static void bounds_of_quantiles(void **state)
{
	static const double quantiles[] = { 0.05, 0.25, 0.5, 0.75, 0.95 };

	(void)state;
	/* the 59 waits of the paper's method for 95 % of 95 % */
	assert_true(below(59, 0.95, 59) >= 0.95 && below(58, 0.95, 58) < 0.95);
	assert_int_equal(lxfw_history_rank(59, 0.95, true), 59);
	for (size_t count = 60; count < 400; count += 37) {
		for (int i = 0; i < 5; i++) {
			size_t high = lxfw_history_rank(count, quantiles[i], true);
			size_t low = lxfw_history_rank(count, quantiles[i], false);

			assert_true(below(count, quantiles[i], high) >= 0.95);
			assert_true(below(count, quantiles[i], high - 1) < 0.95);
			/* the lower bound exceeds the quantile in at most 5 % of cases */
			assert_true(low == 1 || below(count, quantiles[i], low) <= 0.05);
			assert_true(below(count, quantiles[i], low + 1) > 0.05);
		}
	}
	/* of few waits, there may be no such bound: then it is the least or the greatest one */
	for (size_t count = 1; count < 60; count++) {
		for (int i = 0; i < 5; i++) {
			size_t high = lxfw_history_rank(count, quantiles[i], true);
			size_t low = lxfw_history_rank(count, quantiles[i], false);

			assert_in_range(high, 1, count);
			assert_in_range(low, 1, count);
			assert_true(high == count || below(count, quantiles[i], high) >= 0.95);
			assert_true(low == 1 || below(count, quantiles[i], low) <= 0.05);
		}
	}
}

/* After waits that are all longer than before, the history is cut. */
static void history_is_cut(void **state)
{
	struct lxfw_history history = { 0 };
	struct lxfw_history_guess guess;

	(void)state;
	assert_int_equal(lxfw_history_guess(&history, &ann, &guess), 0);
	assert_false(guess.known);
	for (int i = 0; i < 500; i++)
		assert_int_equal(lxfw_history_add(&history, &ann, i * 37 % 100), 0);
	assert_int_equal(lxfw_history_guess(&history, &ann, &guess), 0);
	assert_in_range(guess.median, 40, 60);
	assert_in_range(guess.quantiles[2], 50, 60);
	for (int i = 0; i < 59; i++)
		assert_int_equal(lxfw_history_add(&history, &ann, 1000 + i), 0);
	assert_int_equal(lxfw_history_guess(&history, &ann, &guess), 0);
	assert_true(guess.quantiles[1] >= 1000);
	/* another size has another history */
	assert_int_equal(lxfw_history_guess(&history, &(struct lxfw_traits) {
			 .partition = 0, .procs = 5, .limit = 1 }, &guess), 0);
	assert_false(guess.known);
	lxfw_history_clear(&history);
}

static void submit(struct lxfw_past *past, uint64_t id, int64_t submitted, int64_t time)
{
	const struct lxfw_request request = {
		.id = id, .submit = submitted, .estimate = 100, .count = 1,
		.shape = LXFW_SHAPE_ANYWHERE, .unit.procs = 1,
	};
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = time, .request = &request,
	};

	assert_int_equal(lxfw_past_event(past, &event), 0);
}

static void end(struct lxfw_past *past, uint64_t id, int64_t time)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_END, .time = time, .end.id = id,
	};

	assert_int_equal(lxfw_past_event(past, &event), 0);
}

static void act(struct lxfw_past *past, uint64_t id, enum lxfw_action_type type, int64_t now)
{
	const struct lxfw_action action = { .type = type, .job = id, .start = now };

	lxfw_past_action(past, &action, now);
}

/* Submissions and run times of a journal of two segments. */
static void past_of_a_journal(void **state)
{
	struct lxfw_past past = { 0 };
	struct lxfw_arrival arrival;
	struct lxfw_known known;

	(void)state;
	lxfw_past_segment(&past);
	submit(&past, 1, 100, 1000);	/* it was there before */
	submit(&past, 2, 1000, 1000);
	submit(&past, 3, 500, 1100);	/* it was held until now */
	act(&past, 1, LXFW_ACTION_START, 1100);
	act(&past, 2, LXFW_ACTION_START, 1100);
	act(&past, 2, LXFW_ACTION_SUSPEND, 1110);
	end(&past, 1, 1150);
	lxfw_past_segment(&past);
	submit(&past, 3, 500, 1300);	/* known since the first segment */
	submit(&past, 4, 600, 1300);	/* submitted between them */
	submit(&past, 1, 1310, 1310);	/* a number again */
	act(&past, 3, LXFW_ACTION_START, 1300);
	end(&past, 2, 1400);		/* how long it ran is not known */
	end(&past, 3, 1400);
	end(&past, 9, 1400);
	lxfw_past_known(&past, &known);
	assert_int_equal(past.experience.jobs, 2);
	assert_int_equal(known.count, 3);
	assert_int_equal(known.submits[0], 1000);
	assert_int_equal(known.submits[1], 1100);
	assert_int_equal(known.submits[2], 1310);
	known.arrival(known.context, 1, &arrival);
	assert_int_equal(arrival.request.id, 3);
	assert_int_equal(arrival.ran, 100);
	assert_int_equal(arrival.traits.user, -1);
	known.arrival(known.context, 2, &arrival);
	assert_int_equal(arrival.ran, -1);
	lxfw_past_clear(&past);
}

/* A start that was refused is none: the run time counts from the one that happened. */
static void refused_start(void **state)
{
	const struct lxfw_event refused = {
		.type = LXFW_EVENT_JOB_REFUSED, .time = 1100, .refused = { .id = 1, .until = 1200 },
	};
	struct lxfw_past past = { 0 };
	struct lxfw_arrival arrival;
	struct lxfw_known known;

	(void)state;
	lxfw_past_segment(&past);
	submit(&past, 1, 1000, 1000);
	act(&past, 1, LXFW_ACTION_START, 1100);
	assert_int_equal(lxfw_past_event(&past, &refused), 0);
	submit(&past, 2, 1150, 1150);
	end(&past, 1, 1160);		/* cancelled: it has not run */
	act(&past, 2, LXFW_ACTION_START, 1200);
	end(&past, 2, 1250);
	lxfw_past_known(&past, &known);
	assert_int_equal(past.experience.jobs, 1);
	known.arrival(known.context, 0, &arrival);
	assert_int_equal(arrival.ran, -1);
	known.arrival(known.context, 1, &arrival);
	assert_int_equal(arrival.ran, 50);
	lxfw_past_clear(&past);
}

/* A request has the tier that most jobs have. */
static void tier_of_requests(void **state)
{
	static const int32_t tiers[] = { 7, -1024, -1024 };
	struct lxfw_past past = { 0 };

	(void)state;
	assert_int_equal(lxfw_past_tier(&past), 0);
	for (int i = 0; i < 3; i++) {
		const struct lxfw_request request = {
			.id = (uint64_t)i + 1, .submit = 1000, .tier = tiers[i],
		};
		const struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .time = 1000, .request = &request,
		};

		assert_int_equal(lxfw_past_event(&past, &event), 0);
	}
	assert_int_equal(lxfw_past_tier(&past), -1024);
	lxfw_past_clear(&past);
}

#define CASES 200

/* Scores of predictions in intervals of a second, whose jobs wait for WAIT. */
static void scores_of(int64_t wait, struct lxfw_scores *scores)
{
	int64_t waits[CASES][4];
	struct lxfw_case cases[CASES] = { { 0 } };
	const struct lxfw_walk walk = {
		.cases = cases, .count = CASES, .futures = 4, .horizon = 1000000,
	};

	for (int i = 0; i < CASES; i++) {
		for (int j = 0; j < 4; j++)
			waits[i][j] = 50 + j;
		cases[i].submit = 1000 + i;
		cases[i].wait = wait;
		cases[i].waits = waits[i];
	}
	assert_int_equal(lxfw_score(&walk, scores), 0);
}

/* A wait that is not over when a job is submitted corrects none of its intervals. */
static void scores_do_not_look_ahead(void **state)
{
	struct lxfw_scores scores;

	(void)state;
	scores_of(CASES, &scores);
	assert_int_equal(scores.cases, CASES);
	assert_int_equal(scores.judged, 0);
	/* 40 waits are over 40 + 60 s after the first submission. */
	scores_of(60, &scores);
	assert_in_range(scores.judged, CASES - 60 - LXFW_CALIBRATION_LEAST - 1,
			CASES - 60 - LXFW_CALIBRATION_LEAST + 1);
}

/* The futures are too narrow and too early. Corrected, each interval contains the share of
   truths that it states. */
static void coverage_is_nominal(void **state)
{
	struct lxfw_calibration *calibration = lxfw_calibration_new();
	uint64_t random = unit_seed("coverage_is_nominal");
	int inside[LXFW_COVERAGES] = { 0 }, raw_inside = 0, judged = 0;

	(void)state;
	assert_non_null(calibration);
	for (int i = 0; i < 3000; i++) {
		int64_t scale = unit_between(&random, 100, 20000);
		int64_t truth = unit_between(&random, scale, 3 * scale), waits[100];
		struct lxfw_intervals raw, corrected;
		struct lxfw_corrections corrections;

		for (int j = 0; j < 100; j++)
			waits[j] = scale + scale * j / 100;
		lxfw_intervals_of(waits, 100, 1000000, &raw);
		corrected = raw;
		if (!lxfw_calibration_now(calibration, &corrections)) {
			assert_true(i < LXFW_CALIBRATION_LEAST);
			lxfw_calibration_learn(calibration, &raw, NULL, truth);
			continue;
		}
		lxfw_correct(&corrections, &corrected);
		judged++;
		raw_inside += (double)truth >= raw.of[LXFW_COVERAGE_90].low &&
			      (double)truth <= raw.of[LXFW_COVERAGE_90].high;
		for (int j = 0; j < LXFW_COVERAGES; j++) {
			assert_true(j == 0 || corrected.of[j].low <= corrected.of[j - 1].low);
			inside[j] += (double)truth >= corrected.of[j].low - 0.5 &&
				     (double)truth <= corrected.of[j].high + 0.5;
		}
		lxfw_calibration_learn(calibration, &raw, &corrected, truth);
	}
	assert_true(raw_inside < judged / 2);
	for (int j = 0; j < LXFW_COVERAGES; j++)
		assert_true(fabs((double)inside[j] / judged - (j + 1) / 10.0) < 0.03);
	lxfw_calibration_free(calibration);
}

/* --- what remains of waits ---------------------------------------------------------- */

#define HOUR 3600
#define DAY 86400

/* A prediction at TIME of a job that has waited for AGE: from 0.5 to 1.5 h, most likely an hour;
   it waits for WAIT. */
static void promise(struct lxfw_promises *promises, int64_t time, int64_t age, int64_t wait)
{
	const struct lxfw_promise one = {
		.time = time, .start = time + wait, .gone = LXFW_NEVER, .weight = 1,
		.view = {
			.standing = { .age = age, .expected = HOUR, .limit = 2 * HOUR },
			.raw.of = { { 0.8 * HOUR, 1.2 * HOUR }, { 0.5 * HOUR, 1.5 * HOUR } },
		},
	};

	assert_int_equal(lxfw_promises_add(promises, &one), 0);
}

/* The corrected bounds of such a prediction at NOW, with ELSEWHERE or NULL. */
static struct lxfw_bounds correct_with(const struct lxfw_promises *promises, int64_t now,
				       int64_t age, const struct lxfw_elsewhere *elsewhere,
				       bool *states)
{
	struct lxfw_remaining *remaining = lxfw_remaining_learn(promises, now, elsewhere);
	struct lxfw_bounds bounds = {
		{ { 0.8 * HOUR, 1.2 * HOUR }, { 0.5 * HOUR, 1.5 * HOUR } },
	};
	const struct lxfw_standing standing = {
		.age = age, .expected = HOUR, .limit = 2 * HOUR,
	};

	assert_non_null(remaining);
	assert_int_equal(lxfw_remaining_correct(remaining, &standing, 14 * DAY, &bounds), 0);
	if (states)
		*states = lxfw_remaining_states(remaining, LXFW_MOST);
	lxfw_remaining_free(remaining);
	return bounds;
}

static struct lxfw_bounds correct(const struct lxfw_promises *promises, int64_t now,
				  int64_t age, bool *states)
{
	return correct_with(promises, now, age, NULL, states);
}

/* Jobs that have waited for long start within a tenth of the expected wait, others between a
   quarter of it and four times as late: each kind has intervals of its own, which contain the
   share of the starts that they state. */
static void corrections_by_age(void **state)
{
	static const int64_t ages[] = { 60, 3 * DAY };
	struct lxfw_promises promises = { 0 };
	uint64_t random = unit_seed("corrections_by_age");
	double inside[2][LXFW_STATED] = { { 0 } }, width[2] = { 0 };
	int judged = 0;

	(void)state;
	for (int i = 0; i < 600; i++) {
		int64_t time = (int64_t)i * 6 * HOUR;

		for (int j = 0; j < 2; j++) {
			double most = j ? log(1.1) : log(4);
			double away = (double)unit_between(&random, -1000, 1000) / 1000;
			int64_t wait = (int64_t)(HOUR * exp(most * away));
			struct lxfw_bounds bounds;

			if (i < 200) {
				promise(&promises, time, ages[j], wait);
				continue;
			}
			bounds = correct(&promises, time, ages[j], NULL);
			for (int k = 0; k < LXFW_STATED; k++)
				inside[j][k] += (double)wait >= bounds.of[k].low &&
						(double)wait <= bounds.of[k].high;
			width[j] += bounds.of[LXFW_MOST].high - bounds.of[LXFW_MOST].low;
			promise(&promises, time, ages[j], wait);
		}
		judged += i >= 200;
	}
	for (int j = 0; j < 2; j++) {
		assert_true(fabs(inside[j][LXFW_HALF] / judged - 0.5) < 0.08);
		assert_true(fabs(inside[j][LXFW_MOST] / judged - 0.9) < 0.08);
	}
	assert_true(width[1] < width[0] / 5);
	lxfw_promises_clear(&promises);
}

/* With fewer than 19 moments that are apart there is no 90 % interval, however many jobs wait at
   them; with more it is wider than without doubt. */
static void little_history(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds;
	bool states;

	(void)state;
	bounds = correct(&promises, 0, HOUR, &states);
	assert_false(states);
	assert_true(bounds.of[LXFW_HALF].low == 0 && bounds.of[LXFW_HALF].high == 14 * DAY);
	for (int i = 0; i < 18; i++) {
		for (int j = 0; j < 100; j++)
			promise(&promises, (int64_t)i * DAY, HOUR, HOUR + j);
	}
	bounds = correct(&promises, 18 * DAY, HOUR, &states);
	assert_false(states);
	assert_true(bounds.of[LXFW_MOST].low == 0 && bounds.of[LXFW_MOST].high == 14 * DAY);
	assert_true(bounds.of[LXFW_HALF].low > 0 && bounds.of[LXFW_HALF].high < DAY);
	for (int i = 18; i < 30; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR);
	bounds = correct(&promises, 30 * DAY, HOUR, &states);
	assert_true(states && bounds.of[LXFW_MOST].high < DAY);
	lxfw_promises_clear(&promises);

	/* a hundred moments within a few waits are not a hundred */
	for (int i = 0; i < 100; i++)
		promise(&promises, (int64_t)i * 60, HOUR, HOUR);
	bounds = correct(&promises, DAY, HOUR, &states);
	assert_false(states);
	lxfw_promises_clear(&promises);

	/* nor does one earlier moment make them so */
	promise(&promises, 0, HOUR, HOUR);
	for (int i = 0; i < 100; i++)
		promise(&promises, 50 * DAY + (int64_t)i * 60, HOUR, HOUR);
	bounds = correct(&promises, 51 * DAY, HOUR, &states);
	assert_false(states);
	lxfw_promises_clear(&promises);

	/* nor are a hundred moments of the same few jobs */
	for (int i = 0; i < 100; i++) {
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR);
		promises.list[i].job = 1 + (uint64_t)i % 50;
	}
	bounds = correct(&promises, 100 * DAY, HOUR, &states);
	assert_false(states);
	for (int i = 0; i < 100; i++)
		promises.list[i].job = 1 + (uint64_t)i % 60;
	bounds = correct(&promises, 100 * DAY, HOUR, &states);
	assert_true(states);
	lxfw_promises_clear(&promises);
}

/* On other machines such jobs started an hour later than their bounds, on this one they start within
   them. With nothing known of this machine the others decide, with few moments both, and with forty
   only this one. */
static void other_machines(void **state)
{
	struct lxfw_elsewhere_job jobs[60];
	const struct lxfw_elsewhere elsewhere = { jobs, 60, 30 };
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds[4];
	bool states;

	(void)state;
	for (int i = 0; i < 60; i++)
		jobs[i] = (struct lxfw_elsewhere_job) {
			i / 2, HOUR, HOUR, 2 * HOUR, 2880, 4320, 1800, 5400, 4320 + HOUR,
		};
	bounds[0] = correct_with(&promises, 0, HOUR, &elsewhere, &states);
	assert_true(states);
	assert_true(fabs(bounds[0].of[LXFW_HALF].high - 4320 - HOUR) < 2);
	assert_true(fabs(bounds[0].of[LXFW_MOST].high - 4320 - HOUR) < 2);
	for (int i = 0; i < 36; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR);
	bounds[1] = correct_with(&promises, 36 * DAY, HOUR, &elsewhere, &states);
	assert_true(states);
	assert_true(bounds[1].of[LXFW_HALF].high < 4320);
	assert_true(bounds[1].of[LXFW_MOST].high > 4320 + HOUR - 2);
	for (int i = 0; i < 200; i++)
		promise(&promises, 60 * DAY + (int64_t)i * DAY / 4, HOUR, HOUR);
	bounds[2] = correct_with(&promises, 110 * DAY, HOUR, &elsewhere, NULL);
	bounds[3] = correct(&promises, 110 * DAY, HOUR, NULL);
	assert_memory_equal(&bounds[2], &bounds[3], sizeof(*bounds));
	assert_true(bounds[2].of[LXFW_MOST].high < 4320);
	lxfw_promises_clear(&promises);
}

/* The tables have what the library expects: moments one after the other, bounds in order. */
static void tables_of_other_machines(void **state)
{
	const struct lxfw_elsewhere *tables[] = { &lxfw_elsewhere_known, &lxfw_elsewhere_unknown };

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct lxfw_elsewhere_job *jobs = tables[i]->jobs;
		size_t moments = 1;

		assert_true(tables[i]->count >= 200);
		for (size_t j = 0; j < tables[i]->count; j++) {
			assert_true(jobs[j].low90 <= jobs[j].low50 && jobs[j].low50 <= jobs[j].high50);
			assert_true(jobs[j].high50 <= jobs[j].high90 && jobs[j].low90 >= 0);
			assert_true(jobs[j].wait >= 0 && jobs[j].limit > 0);
			moments += j > 0 && jobs[j].moment != jobs[j - 1].moment;
			assert_true(j == 0 || jobs[j].moment - jobs[j - 1].moment <= 1);
		}
		assert_int_equal(moments, tables[i]->moments);
	}
}

/* All jobs of a moment count as much as one. */
static void moments_count(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds;

	(void)state;
	for (int i = 0; i < 100; i++) {
		for (int j = 0; j < (i == 50 ? 1000 : 1); j++)
			promise(&promises, (int64_t)i * DAY, HOUR, i == 50 ? 100 * HOUR : HOUR);
	}
	bounds = correct(&promises, 100 * DAY, HOUR, NULL);
	assert_true(bounds.of[LXFW_MOST].high < 2 * HOUR);
	lxfw_promises_clear(&promises);
}

/* A start that is not known yet is not used, but the job has waited until now. A job that has
   left without a start teaches nothing. */
static void only_what_is_known(void **state)
{
	struct lxfw_promises known = { 0 }, later = { 0 };
	struct lxfw_bounds bounds, same;

	(void)state;
	for (int i = 0; i < 60; i++) {
		promise(&known, (int64_t)i * DAY, HOUR, 2 * DAY);
		promise(&later, (int64_t)i * DAY, HOUR, i >= 58 ? 50 * DAY : 2 * DAY);
	}
	bounds = correct(&known, 60 * DAY - 10, HOUR, NULL);
	same = correct(&later, 60 * DAY - 10, HOUR, NULL);
	assert_memory_equal(&bounds, &same, sizeof(same));
	assert_true(bounds.of[LXFW_MOST].high > DAY);
	for (int i = 0; i < 60; i++)
		known.list[i].gone = known.list[i].time + 10;
	bounds = correct(&known, 60 * DAY, HOUR, NULL);
	assert_true(bounds.of[LXFW_HALF].high == 14 * DAY);
	lxfw_promises_clear(&known);
	lxfw_promises_clear(&later);
}

/* Jobs waited for ten hours a year ago, and wait for one since: the last hundred days decide. */
static void old_moments_fade(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds;

	(void)state;
	for (int i = 0; i < 100; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, 10 * HOUR);
	for (int i = 465; i < 565; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR);
	bounds = correct(&promises, 565 * DAY, HOUR, NULL);
	assert_true(bounds.of[LXFW_MOST].high < 2 * HOUR);
	/* Those of some months ago count, too. */
	for (int i = 0; i < 100; i++) {
		promises.list[i].time += 365 * DAY;
		promises.list[i].start += 365 * DAY;
	}
	bounds = correct(&promises, 565 * DAY, HOUR, NULL);
	assert_true(bounds.of[LXFW_MOST].high > 9 * HOUR);
	lxfw_promises_clear(&promises);
}

/* A job that has waited for longer than its bounds is taken to wait half as long again, as one whose
   last bound that is. */
static void longer_than_all_bounds(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds, same;

	(void)state;
	for (int i = 0; i < 40; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, i < 28 ? HOUR : LXFW_NEVER / 2);
	bounds = correct(&promises, 40 * DAY, HOUR, NULL);
	assert_true(bounds.of[LXFW_HALF].high > DAY && bounds.of[LXFW_HALF].high < 14 * DAY);
	for (int i = 28; i < 40; i++)
		promises.list[i].view.raw.of[LXFW_MOST].high = 1.5 * (40 - i) * DAY;
	same = correct(&promises, 40 * DAY, HOUR, NULL);
	assert_memory_equal(&bounds.of[LXFW_HALF], &same.of[LXFW_HALF], sizeof(*bounds.of));
	lxfw_promises_clear(&promises);
}

/* All starts were at the early bound of the 90 % interval. Where the bounds of both intervals are
   the same, the one of 50 % is moved further, and the other one contains it. */
static void intervals_are_nested(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_bounds bounds = {
		{ { 0.8 * HOUR, 3 * HOUR }, { 0.8 * HOUR, 3 * HOUR } },
	};
	const struct lxfw_interval *half = &bounds.of[LXFW_HALF], *most = &bounds.of[LXFW_MOST];
	const struct lxfw_standing standing = { HOUR, HOUR, 2 * HOUR };
	struct lxfw_remaining *remaining;

	(void)state;
	for (int i = 0; i < 60; i++)
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR / 2);
	remaining = lxfw_remaining_learn(&promises, 60 * DAY, NULL);
	assert_non_null(remaining);
	assert_int_equal(lxfw_remaining_correct(remaining, &standing, 14 * DAY, &bounds), 0);
	assert_true(half->low < 0.6 * HOUR && half->high > 1.2 * HOUR);
	assert_true(most->low == half->low);
	assert_true(most->high == half->high);
	lxfw_remaining_free(remaining);
	lxfw_promises_clear(&promises);
}

/* Predictions of a moment are judged by what was known at the moment. */
static void kept_by_what_was_known(void **state)
{
	struct lxfw_promises promises = { 0 };
	struct lxfw_kept kept;
	double last;

	(void)state;
	for (int i = 0; i < 100; i++) {
		promise(&promises, (int64_t)i * DAY, HOUR, HOUR);
		promises.list[i].said = promises.list[i].view;
	}
	promises.list[99].start = LXFW_NEVER;
	assert_int_equal(lxfw_kept_judge(&promises, 14 * DAY, false, &kept), 0);
	assert_int_equal(kept.moments, 100);
	assert_int_equal(kept.unknown, 1);
	/* Other machines are known from the first moment on. */
	assert_int_equal(kept.too_few, 0);
	assert_int_equal(kept.corrected.jobs, 99);
	assert_true(kept.corrected.inside[LXFW_MOST] == 1);
	assert_int_equal(kept.classes[LXFW_KEPT_EXPECTED][2].jobs, kept.corrected.jobs);
	assert_int_equal(kept.classes[LXFW_KEPT_AGE][1].jobs, kept.corrected.jobs);
	assert_int_equal(kept.classes[LXFW_KEPT_LIMIT][1].jobs, kept.corrected.jobs);
	last = kept.bounds[98].of[LXFW_MOST].high - kept.bounds[98].of[LXFW_MOST].low;
	lxfw_kept_clear(&kept);

	/* A look learns nothing from earlier ones. */
	assert_int_equal(lxfw_kept_judge(&promises, 14 * DAY, true, &kept), 0);
	assert_int_equal(kept.corrected.jobs, 99);
	assert_memory_equal(&kept.bounds[98], &kept.bounds[0], sizeof(*kept.bounds));
	assert_true(kept.bounds[98].of[LXFW_MOST].high - kept.bounds[98].of[LXFW_MOST].low > 2 * last);
	lxfw_kept_clear(&kept);
	lxfw_promises_clear(&promises);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_jobs_teach_of_their_user),
		cmocka_unit_test(finest_group_first),
		cmocka_unit_test(has_run_already),
		cmocka_unit_test(few_jobs_are_little_evidence),
		cmocka_unit_test(last_jobs_are_kept),
		cmocka_unit_test(bounds_of_quantiles),
		cmocka_unit_test(history_is_cut),
		cmocka_unit_test(past_of_a_journal),
		cmocka_unit_test(refused_start),
		cmocka_unit_test(tier_of_requests),
		cmocka_unit_test(scores_do_not_look_ahead),
		cmocka_unit_test(coverage_is_nominal),
		cmocka_unit_test(corrections_by_age),
		cmocka_unit_test(little_history),
		cmocka_unit_test(other_machines),
		cmocka_unit_test(tables_of_other_machines),
		cmocka_unit_test(moments_count),
		cmocka_unit_test(only_what_is_known),
		cmocka_unit_test(old_moments_fade),
		cmocka_unit_test(longer_than_all_bounds),
		cmocka_unit_test(intervals_are_nested),
		cmocka_unit_test(kept_by_what_was_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
