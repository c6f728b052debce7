/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/estimates.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Levels of groups: that of the name, and those of experience.h. */
#define LEVELS (1 + LXFW_EXPERIENCE_LEVELS)

/* Longest estimate, seconds. */
#define LONGEST 1e12

#define MINUTE 60

void lxfw_estimator_clear(struct lxfw_estimator *estimator)
{
	lxfw_experience_clear(&estimator->groups);
	estimator->jobs = 0;
}

int lxfw_estimator_copy(struct lxfw_estimator *to, const struct lxfw_estimator *from)
{
	to->jobs = from->jobs;
	return lxfw_experience_copy(&to->groups, &from->groups);
}

/* The requested time at the usual speed, seconds. */
static double usual_limit(const struct lxfw_estimate_of *of)
{
	return (double)of->traits.limit * of->speed / LXFW_RAN_SPEED;
}

/* A requested time at the usual speed which, divided by the speed and rounded up, is that of the
   job: a whole number of minutes if there is one, since users request those. Jobs of machines of
   all speeds are in the same class by it. */
static int64_t class_limit(const struct lxfw_estimate_of *of)
{
	int64_t limit = of->traits.limit, longest, too_short;

	if (limit > INT64_MAX / of->speed)
		return INT64_MAX;
	longest = limit * of->speed / LXFW_RAN_SPEED;
	too_short = (limit - 1) * of->speed / LXFW_RAN_SPEED;
	return longest - longest % MINUTE > too_short ? longest - longest % MINUTE : longest;
}

/* Returns the key of a group of a level, 0 (the finest) to LEVELS - 1, on all machines or on
   that of the job; 0: the job is in none. */
static uint64_t key_of(const struct lxfw_estimate_of *of, int level, bool on_machine)
{
	struct lxfw_traits traits = of->traits;
	uint64_t key;

	traits.limit = class_limit(of);
	key = lxfw_experience_group_key(&traits, level > 0 ? level - 1 : 0);
	if (key == 0 || (level == 0 && of->name < 0) || (on_machine && of->machine < 0))
		return 0;
	if (level == 0)
		key = lxfw_experience_mix(key, of->name);
	if (on_machine)
		key = lxfw_experience_mix(key, -2 - (int64_t)of->machine);
	return key ? key : 1;
}

int lxfw_estimator_learn(struct lxfw_estimator *estimator,
			 const struct lxfw_estimate_of *of, double work)
{
	double ratio = work / usual_limit(of);

	for (int i = 0; i < 2 * LEVELS; i++) {
		uint64_t key = key_of(of, i / 2, i % 2 == 0);

		if (key && lxfw_experience_add(&estimator->groups, key, ratio))
			return -1;
	}
	estimator->jobs++;
	return 0;
}

/* --- expectation ------------------------------------------------------------------ */

static int by_value(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;

	return (a > b) - (a < b);
}

/* Sorts the ratios of a group. */
static int32_t sort(const struct lxfw_experience_group *group,
		    float sorted[LXFW_EXPERIENCE_KEPT])
{
	for (int32_t i = 0; i < group->count; i++)
		sorted[i] = group->ratios[i];
	qsort(sorted, (size_t)group->count, sizeof(*sorted), by_value);
	return group->count;
}

static double median(const float *sorted, int32_t count)
{
	return ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
}

/* The nearest ranks of a quarter and of three quarters. */
static void set_quartiles(struct lxfw_expected_run *expected, const float *sorted,
			  int32_t count, double limit)
{
	expected->low = limit * (double)sorted[(count + 3) / 4 - 1];
	expected->high = limit * (double)sorted[(3 * count + 3) / 4 - 1];
}

/* The group on the machine of the job, otherwise that of all machines, or NULL. */
static const struct lxfw_experience_group *find(const struct lxfw_estimator *estimator,
						const struct lxfw_estimate_of *of, int level)
{
	const struct lxfw_experience_group *group =
		lxfw_experience_find(&estimator->groups, key_of(of, level, true));

	return group ? group :
	       lxfw_experience_find(&estimator->groups, key_of(of, level, false));
}

void lxfw_estimator_expect(const struct lxfw_estimator *estimator,
			   const struct lxfw_estimate_of *of,
			   struct lxfw_expected_run *expected)
{
	double limit = usual_limit(of), ratio = 1;
	float sorted[LXFW_EXPERIENCE_KEPT];

	*expected = (struct lxfw_expected_run) { 0 };
	for (int level = LEVELS - 1; level >= 0; level--) {
		const struct lxfw_experience_group *group = find(estimator, of, level);
		int32_t count;

		if (!group)
			continue;
		count = sort(group, sorted);
		ratio = (group->learned * median(sorted, count) + ratio) /
			((double)group->learned + 1);
		if (level > 1)
			continue;
		expected->jobs = group->learned;
		set_quartiles(expected, sorted, count, limit);
	}
	expected->work = limit * (ratio < 1 ? ratio : 1);
}

int64_t lxfw_estimate_seconds(double work, int32_t speed)
{
	double seconds = floor(work * LXFW_RAN_SPEED / speed + 0.5);

	return seconds < 1 ? 1 : seconds < LONGEST ? (int64_t)seconds : (int64_t)LONGEST;
}

/* --- jobs ------------------------------------------------------------------------- */

struct learning {
	struct lxfw_estimator *estimator;
	const struct lxfw_rans *rans;
	const int32_t *numbers;
};

static void of_ran(const struct lxfw_rans *rans, const struct lxfw_ran *job,
		   struct lxfw_estimate_of *of)
{
	*of = (struct lxfw_estimate_of) {
		.traits = {
			.user = lxfw_rans_trait(rans, job->user),
			.account = lxfw_rans_trait(rans, job->group),
			.partition = lxfw_rans_trait(rans, job->partition),
			.limit = job->limit,
			.procs = job->procs < INT32_MAX ? (int32_t)job->procs : INT32_MAX,
		},
		.name = lxfw_rans_trait(rans, job->name), .machine = job->machine,
		.speed = job->machine < 0 ? LXFW_RAN_SPEED : rans->machines[job->machine].speed,
	};
}

static int learn(void *context, const struct lxfw_ran *job)
{
	const struct learning *learning = context;
	const struct lxfw_rans *rans = learning->rans;
	struct lxfw_estimate_of of;

	of_ran(rans, job, &of);
	if (of.machine >= 0 && learning->numbers)
		of.machine = learning->numbers[of.machine];
	return lxfw_estimator_learn(learning->estimator, &of,
				    (double)job->ran * of.speed / LXFW_RAN_SPEED);
}

int lxfw_estimator_rans(struct lxfw_estimator *estimator, const struct lxfw_rans *rans,
			const int32_t *numbers, int64_t now)
{
	struct learning learning = { estimator, rans, numbers };

	return lxfw_rans_each(rans, now, learn, &learning);
}

struct lxfw_estimate_of *lxfw_estimate_of_trace(const struct lxfw_trace *trace)
{
	struct lxfw_estimate_of *list = calloc(trace->count + 1, sizeof(*list));
	struct lxfw_ran_source source;
	struct lxfw_rans rans = { 0 };
	int failed = list ? 0 : -1;

	lxfw_ran_source_begin(&source, &rans, trace);
	for (size_t i = 0; i < trace->count && !failed; i++) {
		struct lxfw_ran ran;

		failed = lxfw_ran_source_take(&source, i, &ran);
		if (!failed)
			of_ran(&rans, &ran, &list[i]);
	}
	lxfw_ran_source_end(&source);
	lxfw_rans_clear(&rans);
	if (!failed)
		return list;
	free(list);
	errno = ENOMEM;
	return NULL;
}
