/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/rank.h"

#include <math.h>
#include <stdlib.h>

/* Violations of a smaller limit are measured relative to this value. */
#define LEAST_LIMIT 1.0

static double beyond(double value, double most)
{
	return value <= most ? 0 :
	       (value - most) / (most > LEAST_LIMIT ? most : LEAST_LIMIT);
}

static double violation(const struct lxfw_search *search, const double *values)
{
	const struct lxfw_goals *goals = search->goals;
	int kept = goals->objective_count + goals->limit_count;
	double sum = 0;

	for (int i = 0; i < goals->limit_count; i++)
		sum += beyond(values[goals->objective_count + i],
			      goals->limits[i].most);
	for (int i = kept; i < kept + goals->kept_count; i++)
		sum += beyond(values[i], (1 + search->margin) *
			      search->settings[0].values[search->view +
							 (size_t)i]);
	return sum;
}

bool lxfw_search_feasible(const struct lxfw_search *search, const double *values)
{
	return violation(search, values) <= 0;
}

bool lxfw_search_dominates(const struct lxfw_search *search, const double *a,
			   const double *b)
{
	bool better = false;

	for (int i = 0; i < search->goals->objective_count; i++) {
		if (a[i] > b[i])
			return false;
		better |= a[i] < b[i];
	}
	return better;
}

static bool same_values(const struct lxfw_search *search, const double *a,
			const double *b)
{
	for (int i = 0; i < search->goals->objective_count; i++) {
		if (a[i] != b[i])
			return false;
	}
	return true;
}

static bool beats(const struct lxfw_search *search, const struct lxfw_setting *a,
		  const struct lxfw_setting *b)
{
	if (a->violation > 0 || b->violation > 0)
		return a->violation < b->violation;
	return lxfw_search_dominates(search, a->values + search->view,
				     b->values + search->view);
}

/* ---- crowding -------------------------------------------------------------------- */

/* A setting that is not dominated, with the objective by which they are sorted. */
struct place {
	size_t position;	/* index in the settings */
	size_t at;		/* index among those that are not dominated */
	double value;
};

static int by_value(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* Computes the crowding distance of each of COUNT settings. */
static void measure_room(const struct lxfw_search *search, const size_t *front,
			 size_t count, struct place *places, double *crowding)
{
	for (size_t i = 0; i < count; i++)
		crowding[i] = 0;
	for (int i = 0; i < search->goals->objective_count && count > 0; i++) {
		double range;

		for (size_t j = 0; j < count; j++)
			places[j] = (struct place) {
				front[j], j,
				search->settings[front[j]].values[search->view +
								  (size_t)i],
			};
		qsort(places, count, sizeof(*places), by_value);
		range = places[count - 1].value - places[0].value;
		crowding[places[0].at] = INFINITY;
		crowding[places[count - 1].at] = INFINITY;
		for (size_t j = 1; j + 1 < count && range > 0; j++)
			crowding[places[j].at] += (places[j + 1].value -
						   places[j - 1].value) / range;
	}
}

/* Ranks the settings added since the last call against all earlier ones. */
static void rank_new(struct lxfw_search *search)
{
	for (; search->ranked < search->count; search->ranked++) {
		struct lxfw_setting *setting = &search->settings[search->ranked];

		setting->violation = violation(search, setting->values +
					       search->view);
		setting->rank = 0;
		for (size_t i = 0; i < search->ranked; i++) {
			struct lxfw_setting *other = &search->settings[i];

			/* of equal settings, the first dominates the others */
			setting->rank += beats(search, other, setting) ||
					 same_values(search, other->values +
						     search->view,
						     setting->values +
						     search->view);
			other->rank += beats(search, setting, other);
		}
	}
}

int lxfw_rank_all(struct lxfw_search *search)
{
	size_t count = search->count, unbeaten = 0;
	struct place *places = malloc((count + 1) * sizeof(*places));
	double *crowding = malloc((count + 1) * sizeof(*crowding));
	size_t *front = calloc(count + 1, sizeof(*front));

	rank_new(search);
	for (size_t i = 0; i < count && front; i++) {
		search->settings[i].crowding = 0;
		if (search->settings[i].rank == 0)
			front[unbeaten++] = i;
	}
	if (places && crowding && front) {
		measure_room(search, front, unbeaten, places, crowding);
		for (size_t i = 0; i < unbeaten; i++)
			search->settings[front[i]].crowding = crowding[i];
	}
	free(places);
	free(crowding);
	free(front);
	return places && crowding && front ? 0 : -1;
}

bool lxfw_rank_before(const struct lxfw_setting *a, const struct lxfw_setting *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->crowding > b->crowding;
}

static int by_rank(const void *left, const void *right)
{
	const struct lxfw_setting *a = *(const struct lxfw_setting *const *)left;
	const struct lxfw_setting *b = *(const struct lxfw_setting *const *)right;

	if (lxfw_rank_before(a, b))
		return -1;
	if (lxfw_rank_before(b, a))
		return 1;
	return (a > b) - (a < b);	/* pointers into one array: keep its order */
}

size_t lxfw_rank_best(const struct lxfw_setting *settings, size_t count,
		      size_t most, const struct lxfw_setting **best)
{
	for (size_t i = 0; i < count; i++)
		best[i] = &settings[i];
	qsort(best, count, sizeof(*best), by_rank);
	return count < most ? count : most;
}

/* --- settings that are not dominated ---------------------------------------------- */

static bool on_front(const struct lxfw_search *search, size_t position)
{
	const struct lxfw_setting *setting = &search->settings[position];

	if (!setting->known || !isfinite(setting->values[0]) ||
	    !lxfw_search_feasible(search, setting->values))
		return false;
	for (size_t i = 0; i < search->count; i++) {
		const struct lxfw_setting *other = &search->settings[i];

		if (!other->known ||
		    !lxfw_search_feasible(search, other->values))
			continue;
		if (lxfw_search_dominates(search, other->values,
					  setting->values) ||
		    (i < position && same_values(search, other->values,
						 setting->values)))
			return false;
	}
	return true;
}

size_t lxfw_search_front(const struct lxfw_search *search, size_t *front)
{
	size_t count = 0;

	for (size_t i = 0; i < search->count; i++) {
		size_t at = count;

		if (!on_front(search, i))
			continue;
		for (; at > 0 && search->settings[front[at - 1]].values[0] >
				 search->settings[i].values[0]; at--)
			front[at] = front[at - 1];
		front[at] = i;
		count++;
	}
	return count;
}

size_t lxfw_search_spread(const struct lxfw_search *search, size_t *front,
			  size_t count, size_t most)
{
	struct place *places = malloc((count + 1) * sizeof(*places));
	double *crowding = malloc((count + 1) * sizeof(*crowding));

	while (places && crowding && count > most) {
		size_t least = 0;

		measure_room(search, front, count, places, crowding);
		for (size_t i = 1; i < count; i++) {
			if (crowding[i] < crowding[least])
				least = i;
		}
		for (size_t i = least; i + 1 < count; i++)
			front[i] = front[i + 1];
		count--;
	}
	free(places);
	free(crowding);
	return count < most ? count : most;
}
