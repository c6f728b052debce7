/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/experience.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/util/grow.h"

#define LEVELS 5

/* Probability that a draw takes the most recent job of a group; of the others, that it
   takes the most recent of them, and so on. */
#define RECENT 0.1

/* Weight of the coarser groups in number of jobs. */
#define COARSER 1.0

/* Longest run time that is drawn, seconds; a sum with a time cannot overflow. */
#define RUN_MAX (INT64_C(1) << 40)

static uint64_t mix(uint64_t hash, int64_t value)
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

/* Returns the key of a group, or 0 if the job is in no group of this level. */
static uint64_t key_of(const struct lxfw_traits *traits, int level)
{
	uint64_t key = mix(0, level + 1);

	if (level < 3 && traits->user < 0)
		return 0;
	switch (level) {
	case 0:
		key = mix(mix(mix(key, traits->account), traits->partition), traits->procs);
		/* fall through */
	case 1:
		key = mix(key, traits->limit);
		/* fall through */
	case 2:
		key = mix(key, traits->user);
		break;
	case 3:
		key = mix(mix(mix(key, traits->partition), power_of_two(traits->procs)),
			  traits->limit);
		break;
	default:
		break;
	}
	return key ? key : 1;
}

uint64_t lxfw_experience_key(const struct lxfw_traits *traits)
{
	return key_of(traits, traits->user < 0 ? 3 : 0);
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

int lxfw_experience_learn(struct lxfw_experience *experience,
			  const struct lxfw_traits *traits, int64_t run)
{
	for (int level = 0; level < LEVELS; level++) {
		uint64_t key = key_of(traits, level);
		struct lxfw_experience_group *group;

		if (!key)
			continue;
		group = group_of(experience, key);
		if (!group)
			return -1;
		group->ratios[group->next] = (float)((double)run / (double)traits->limit);
		group->next = (group->next + 1) % LXFW_EXPERIENCE_KEPT;
		group->count += group->count < LXFW_EXPERIENCE_KEPT;
	}
	experience->jobs++;
	return 0;
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

/* There is no experience: the job runs up to its limit, or for a quarter longer than it
   has run. */
static int64_t draw_blindly(const struct lxfw_traits *traits, int64_t elapsed,
			    struct lxfw_random *random)
{
	double most = elapsed < traits->limit ? (double)(traits->limit - elapsed) :
						(double)elapsed / 4 + 60;

	return bounded((double)elapsed + ceil(most * lxfw_random_uniform(random)), elapsed);
}

int64_t lxfw_experience_draw(const struct lxfw_experience *experience,
			     const struct lxfw_traits *traits, int64_t elapsed,
			     struct lxfw_random *random)
{
	double runs[LXFW_EXPERIENCE_KEPT], last = 0;
	bool found = false;

	for (int level = 0; level < LEVELS; level++) {
		uint64_t key = key_of(traits, level);
		int32_t index = key ? lxfw_id_map_get(&experience->by_key, key) : -1;
		int count, at = 0;

		if (index < 0)
			continue;
		count = collect(&experience->groups[index], (double)traits->limit,
				(double)elapsed, runs);
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
	return found ? bounded(last, elapsed) : draw_blindly(traits, elapsed, random);
}
