/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/experience.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* Probability that a draw takes the most recent job of a group; of the others, that it
   takes the most recent of them, and so on. */
#define RECENT 0.1

/* Weight of the coarser groups in number of jobs. */
#define COARSER 1.0

/* With fewer jobs in all, the next one may be quite another. */
#define FEW 10

/* Longest run time that is drawn, seconds; a sum with a time cannot overflow. */
#define RUN_MAX (INT64_C(1) << 40)

uint64_t lxfw_experience_mix(uint64_t hash, int64_t value)
{
	hash ^= (uint64_t)value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
	hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
	return hash ^ (hash >> 31);
}

static int64_t power_of_two(int32_t procs)
{
	int64_t power = 1;

	while (power < procs)
		power *= 2;
	return power;
}

uint64_t lxfw_experience_group_key(const struct lxfw_traits *traits, int level)
{
	uint64_t key = lxfw_experience_mix(0, level + 1);

	if (level < LXFW_EXPERIENCE_USER && traits->user < 0)
		return 0;
	switch (level) {
	case 0:
		key = lxfw_experience_mix(key, traits->account);
		key = lxfw_experience_mix(key, traits->partition);
		key = lxfw_experience_mix(key, traits->procs);
		/* fall through */
	case 1:
		key = lxfw_experience_mix(key, traits->limit);
		/* fall through */
	case 2:
		key = lxfw_experience_mix(key, traits->user);
		break;
	case 3:
		key = lxfw_experience_mix(key, traits->partition);
		key = lxfw_experience_mix(key, power_of_two(traits->procs));
		key = lxfw_experience_mix(key, traits->limit);
		break;
	default:
		break;
	}
	return key ? key : 1;
}

uint64_t lxfw_experience_key(const struct lxfw_traits *traits)
{
	return lxfw_experience_group_key(traits, traits->user < 0 ? 3 : 0);
}

int64_t lxfw_trait_of_name(const char *name, size_t length)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
	return (int64_t)(hash >> 1);
}

void lxfw_experience_clear(struct lxfw_experience *experience)
{
	lxfw_id_map_clear(&experience->by_key);
	free(experience->groups);
	*experience = (struct lxfw_experience) { 0 };
}

/* Returns the group of the key, which is added if it is new; NULL: out of memory. */
static struct lxfw_experience_group *group_of(struct lxfw_experience *experience,
					      uint64_t key)
{
	int32_t index = lxfw_id_map_get(&experience->by_key, key);

	if (index >= 0)
		return &experience->groups[index];
	if (LXFW_GROW(experience->groups, experience->size, experience->count + 1) ||
	    lxfw_id_map_add(&experience->by_key, key, (int32_t)experience->count))
		return NULL;
	return &experience->groups[experience->count++];
}

int lxfw_experience_add(struct lxfw_experience *experience, uint64_t key, double ratio)
{
	struct lxfw_experience_group *group = group_of(experience, key);

	if (!group)
		return -1;
	group->ratios[group->next] = (float)ratio;
	group->next = (group->next + 1) % LXFW_EXPERIENCE_KEPT;
	group->count += group->count < LXFW_EXPERIENCE_KEPT;
	group->learned += group->learned < INT32_MAX;
	return 0;
}

const struct lxfw_experience_group *
lxfw_experience_find(const struct lxfw_experience *experience, uint64_t key)
{
	int32_t index = key ? lxfw_id_map_get(&experience->by_key, key) : -1;

	return index < 0 ? NULL : &experience->groups[index];
}

int lxfw_experience_copy(struct lxfw_experience *to, const struct lxfw_experience *from)
{
	*to = *from;
	to->size = from->count;
	to->groups = malloc((from->count + 1) * sizeof(*to->groups));
	to->by_key.entries = malloc((from->by_key.size + 1) * sizeof(*to->by_key.entries));
	if (!to->groups || !to->by_key.entries) {
		free(to->groups);
		free(to->by_key.entries);
		*to = (struct lxfw_experience) { 0 };
		return -1;
	}
	if (from->count > 0)
		memcpy(to->groups, from->groups, from->count * sizeof(*to->groups));
	if (from->by_key.size > 0)
		memcpy(to->by_key.entries, from->by_key.entries,
		       from->by_key.size * sizeof(*to->by_key.entries));
	return 0;
}

/* In the first LEVELS groups. */
static int learn(struct lxfw_experience *experience, const struct lxfw_traits *traits, int64_t run,
		 int levels)
{
	for (int level = 0; level < levels; level++) {
		uint64_t key = lxfw_experience_group_key(traits, level);

		if (key && lxfw_experience_add(experience, key, (double)run /
					       (double)traits->limit))
			return -1;
	}
	experience->jobs++;
	return 0;
}

int lxfw_experience_learn(struct lxfw_experience *experience,
			  const struct lxfw_traits *traits, int64_t run)
{
	return learn(experience, traits, run, LXFW_EXPERIENCE_LEVELS);
}

int lxfw_experience_learn_own(struct lxfw_experience *experience,
			      const struct lxfw_traits *traits, int64_t run)
{
	return learn(experience, traits, run, LXFW_EXPERIENCE_USER);
}

/* Collects the run times of a group that exceed ELAPSED, the most recent one first.
   Returns their number. */
static int collect(const struct lxfw_experience_group *group, double limit,
		   double elapsed, double *runs)
{
	int count = 0;

	for (int32_t i = 1; i <= group->count; i++) {
		int32_t at = (group->next - i + LXFW_EXPERIENCE_KEPT) %
			     LXFW_EXPERIENCE_KEPT;
		double run = floor(group->ratios[at] * limit + 0.5);

		if (run > elapsed)
			runs[count++] = run;
	}
	return count;
}

static int64_t bounded(double run, int64_t elapsed)
{
	int64_t seconds = run < (double)RUN_MAX ? (int64_t)run : RUN_MAX;

	return seconds > elapsed ? seconds : elapsed + 1;
}

bool lxfw_experience_of_all(const struct lxfw_experience *experience)
{
	static const struct lxfw_traits any = { .user = -1 };

	return lxfw_experience_find(experience, lxfw_experience_group_key(
					    &any, LXFW_EXPERIENCE_LEVELS - 1)) != NULL;
}

/* The job has no limit: it needs a minute, or what it has had, or more up to a year, with the same
   probability for each order of magnitude. */
static int64_t draw_of_any(const struct lxfw_traits *traits, int64_t elapsed,
			   struct lxfw_random *random)
{
	double low = lxfw_random_log(elapsed > 60 ? (double)elapsed : 60);
	double high = lxfw_random_log((double)traits->limit);

	return bounded(lxfw_random_exp(low + lxfw_random_uniform(random) * (high - low)), elapsed);
}

/* Whether the requested time of the job stands for none. */
static bool is_limitless(const struct lxfw_traits *traits, int64_t elapsed)
{
	return traits->limit >= LXFW_EXPERIENCE_LIMITLESS && elapsed < traits->limit;
}

/* Whether the jobs of the groups of LEVEL have the same requested time. */
static bool is_of_limit(int level)
{
	return level == 0 || level == 1 || level == 3;
}

/* There is no experience: the job runs up to its limit, or for a quarter longer than it
   has run. */
static int64_t draw_blindly(const struct lxfw_traits *traits, int64_t elapsed, double shape,
			    struct lxfw_random *random)
{
	double most = elapsed < traits->limit ? (double)(traits->limit - elapsed) :
						(double)elapsed / 4 + 60;
	double share = lxfw_random_uniform(random);

	if (is_limitless(traits, elapsed))
		return draw_of_any(traits, elapsed, random);
	if (shape != 1 && elapsed < traits->limit)
		share = 1 - lxfw_random_power(1 - share, 1 / shape);
	return bounded((double)elapsed + ceil(most * share), elapsed);
}

/* Whether a job is like none of the few that are known. */
static bool is_quite_another(const struct lxfw_experience *experience, struct lxfw_random *random)
{
	double jobs = (double)experience->jobs;

	return jobs > 0 && jobs < FEW && lxfw_random_uniform(random) * (jobs + COARSER) >= jobs;
}

int64_t lxfw_experience_draw(const struct lxfw_experience *experience,
			     const struct lxfw_traits *traits, int64_t elapsed, double shape,
			     struct lxfw_random *random)
{
	double runs[LXFW_EXPERIENCE_KEPT], last = 0;
	bool found = false;

	if (is_quite_another(experience, random))
		return draw_blindly(traits, elapsed,
				    lxfw_experience_of_all(experience) ? 1 : shape, random);
	for (int level = 0; level < LXFW_EXPERIENCE_LEVELS; level++) {
		const struct lxfw_experience_group *group = lxfw_experience_find(experience,
			lxfw_experience_group_key(traits, level));
		int count, at = 0;

		if (!group || (is_limitless(traits, elapsed) && !is_of_limit(level)))
			continue;
		count = collect(group, (double)traits->limit, (double)elapsed, runs);
		if (count == 0)
			continue;
		while (at < count - 1 && lxfw_random_uniform(random) > RECENT)
			at++;
		if (at == count - 1)
			at = (int)lxfw_random_below(random, (uint64_t)count);
		last = runs[at];
		found = true;
		if (lxfw_random_uniform(random) * (count + COARSER) < count)
			break;
	}
	if (found)
		return bounded(last, elapsed);
	return draw_blindly(traits, elapsed, lxfw_experience_of_all(experience) ? 1 : shape, random);
}
