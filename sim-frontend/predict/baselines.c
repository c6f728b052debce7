/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/baselines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define CONFIDENCE 0.95

/* Fewest waits for an upper bound of the 95 % quantile with that confidence. */
#define TAIL_LEAST 59

static uint64_t kind_of(const struct lxfw_traits *traits)
{
	uint64_t bits = 1;

	while ((INT64_C(1) << (bits - 1)) < traits->procs)
		bits++;
	return (uint64_t)(traits->partition + 2) * 64 + bits;
}

void lxfw_history_clear(struct lxfw_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		free(history->kinds[i].waits);
	free(history->kinds);
	lxfw_id_map_clear(&history->by_kind);
	*history = (struct lxfw_history) { 0 };
}

static struct lxfw_history_kind *find(struct lxfw_history *history, uint64_t key)
{
	int32_t index = lxfw_id_map_get(&history->by_kind, key);

	if (index >= 0)
		return &history->kinds[index];
	if (LXFW_GROW(history->kinds, history->size, history->count + 1) ||
	    lxfw_id_map_add(&history->by_kind, key, (int32_t)history->count))
		return NULL;
	return &history->kinds[history->count++];
}

size_t lxfw_history_rank(size_t count, double quantile, bool upper)
{
	/* Probabilities of 0, 1, 2 ... successes in COUNT trials, summed from the first */
	double term = (double)count * log1p(-quantile), sum = 0;

	for (size_t k = 0; k < count; k++) {
		sum += exp(term);
		if (upper && sum >= CONFIDENCE)
			return k + 1;
		if (!upper && sum > 1 - CONFIDENCE)
			return k > 0 ? k : 1;
		term += log((double)(count - k) / (double)(k + 1)) +
			log(quantile / (1 - quantile));
	}
	return count;
}

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int64_t *sorted(const int64_t *waits, size_t count)
{
	int64_t *copy = malloc((count + 1) * sizeof(*copy));

	if (!copy)
		return NULL;
	memcpy(copy, waits, count * sizeof(*copy));
	qsort(copy, count, sizeof(*copy), ascending);
	return copy;
}

/* Keep the last COUNT waits. */
static void keep_last(struct lxfw_history_kind *kind, size_t count)
{
	if (kind->count <= count)
		return;
	memmove(kind->waits, kind->waits + kind->count - count,
		count * sizeof(*kind->waits));
	kind->count = count;
}

static size_t tail_rank(struct lxfw_history *history, size_t count)
{
	uint16_t *rank = &history->tail_ranks[count];

	if (*rank == 0)
		*rank = (uint16_t)lxfw_history_rank(count, 0.95, true);
	return *rank;
}

int lxfw_history_add(struct lxfw_history *history, const struct lxfw_traits *traits,
		     int64_t wait)
{
	struct lxfw_history_kind *kind = find(history, kind_of(traits));
	size_t above = 0;

	if (!kind || LXFW_GROW(kind->waits, kind->size, kind->count + 1))
		return -1;
	/* The bound is exceeded if fewer than count - rank + 1 waits are as long. */
	for (size_t i = 0; i < kind->count; i++)
		above += kind->waits[i] >= wait;
	if (kind->count >= TAIL_LEAST &&
	    above < kind->count - tail_rank(history, kind->count) + 1)
		kind->misses++;
	else
		kind->misses = 0;
	kind->waits[kind->count++] = wait;
	if (kind->misses >= LXFW_HISTORY_MISSES) {
		keep_last(kind, TAIL_LEAST);
		kind->misses = 0;
	} else if (kind->count >= 2 * LXFW_HISTORY_KEPT) {
		keep_last(kind, LXFW_HISTORY_KEPT);
	}
	return 0;
}

int lxfw_history_guess(const struct lxfw_history *history,
		       const struct lxfw_traits *traits, struct lxfw_history_guess *guess)
{
	static const double quantiles[5] = { 0.05, 0.25, 0.5, 0.75, 0.95 };
	int32_t index = lxfw_id_map_get(&history->by_kind, kind_of(traits));
	const struct lxfw_history_kind *kind;
	int64_t *waits;
	size_t last;

	*guess = (struct lxfw_history_guess) { 0 };
	if (index < 0 || history->kinds[index].count == 0)
		return 0;
	kind = &history->kinds[index];
	guess->known = true;
	waits = sorted(kind->waits, kind->count);
	if (!waits)
		return -1;
	for (int i = 0; i < 5; i++)
		guess->quantiles[i] = waits[lxfw_history_rank(kind->count, quantiles[i],
							       i >= 2) - 1];
	free(waits);
	last = kind->count < LXFW_HISTORY_LAST ? kind->count : LXFW_HISTORY_LAST;
	waits = sorted(kind->waits + kind->count - last, last);
	if (!waits)
		return -1;
	guess->median = waits[(last - 1) / 2];
	free(waits);
	return 0;
}
