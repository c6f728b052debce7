/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/history.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"

void lxfw_grid_history_clear(struct lxfw_grid_history *history)
{
	lxfw_id_map_clear(&history->by_key);
	free(history->entries);
	*history = (struct lxfw_grid_history){ 0 };
}

/* Not 0. */
static uint64_t key_of(int32_t kind, int32_t place)
{
	return ((uint64_t)kind << 32 | (uint32_t)place) + 1;
}

static struct lxfw_grid_history_entry *find(const struct lxfw_grid_history *history,
					    int32_t kind, int32_t place)
{
	int32_t at = lxfw_id_map_get(&history->by_key, key_of(kind, place));

	return at < 0 ? NULL : &history->entries[at];
}

int lxfw_grid_history_add(struct lxfw_grid_history *history,
			  const struct lxfw_grid_history_entry *entry)
{
	struct lxfw_grid_history_entry *earlier = find(history, entry->kind, entry->place);

	if (earlier) {
		*earlier = *entry;
		return 0;
	}
	if (LXFW_GROW(history->entries, history->size, history->count + 1) ||
	    lxfw_id_map_add(&history->by_key, key_of(entry->kind, entry->place),
			    (int32_t)history->count))
		return -1;
	history->entries[history->count++] = *entry;
	return 0;
}

struct lxfw_expected lxfw_grid_history_expect(const struct lxfw_grid_history *history,
					      int32_t kind, int32_t place)
{
	const struct lxfw_grid_history_entry *entry = find(history, kind, place);
	double count;

	if (!entry)
		return (struct lxfw_expected){ 0 };
	if (entry->known)
		return (struct lxfw_expected){ .mean = entry->mean, .confidence = 1 };
	count = (double)entry->count;
	return (struct lxfw_expected){
		.mean = entry->mean, .confidence = count / (count + 1),
		.variance = entry->count > 1 ? entry->squares / (count - 1) : 0,
	};
}

/* Welford's method: a mean and a sum of squares without large intermediate sums. */
int lxfw_grid_history_learn(struct lxfw_grid_history *history, int32_t kind, int32_t place,
			    int64_t run)
{
	struct lxfw_grid_history_entry *entry = find(history, kind, place);
	double difference, value = (double)run;

	if (!entry)
		return lxfw_grid_history_add(history, &(struct lxfw_grid_history_entry){
			.kind = kind, .place = place, .count = 1, .mean = value,
		});
	difference = value - entry->mean;
	history->judged++;
	history->errors += fabs(difference);
	history->runs += value;
	if (entry->known)
		return 0;
	entry->count++;
	entry->mean += difference / (double)entry->count;
	entry->squares += difference * (value - entry->mean);
	return 0;
}

int lxfw_grid_history_know(struct lxfw_grid_history *history, int32_t kind, int32_t place,
			   int64_t mean)
{
	return lxfw_grid_history_add(history, &(struct lxfw_grid_history_entry){
		.kind = kind, .place = place, .known = true, .mean = (double)mean,
	});
}
