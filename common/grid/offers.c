/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/offers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

/* Gaps with the same begin and end: `count` of the active ones from `first` on. */
struct lxfw_bucket {
	size_t first;
	int32_t count;
	int32_t taken;		/* in a combination */
	int64_t after;		/* processors of the buckets after it */
};

static int64_t begin_of(const struct lxfw_offer_search *search, const struct lxfw_gap *gap)
{
	return gap->begin > search->earliest ? gap->begin : search->earliest;
}

static int64_t end_of(const struct lxfw_offer_search *search, const struct lxfw_gap *gap)
{
	return gap->end < search->latest ? gap->end : search->latest;
}

/* The end of the job if it starts as early in the gap as it can. */
static int64_t first_end(const struct lxfw_offer_search *search, const struct lxfw_gap *gap)
{
	return lxfw_time_add(begin_of(search, gap), search->seconds);
}

/* --- an offer ------------------------------------------------------------------------------- */

static void set_terms(const struct lxfw_offer_search *search, const int32_t *chosen,
		      int64_t start, struct lxfw_offer_terms *terms)
{
	const struct lxfw_gaps *gaps = search->gaps;
	int64_t end = start + search->seconds;
	int64_t last = gaps->end > end ? gaps->end : end;
	double work = (double)search->procs * (double)search->seconds;

	*terms = (struct lxfw_offer_terms){
		.procs = search->procs, .start = start, .end = end,
	};
	for (int32_t i = 0; i < search->procs; i++) {
		const struct lxfw_gap *gap = &gaps->list[chosen[i]];

		terms->under += (double)(start - gap->begin);
		terms->over += (double)((gap->end < last ? gap->end : last) - end);
	}
	terms->left_right = lxfw_gaps_area(gaps, start, end) - work;
	terms->utilization = (gaps->allocated + work) /
			     ((double)gaps->procs * (double)(last - gaps->now));
}

static bool is_better(const struct lxfw_offer *a, const struct lxfw_offer *b)
{
	if (a->utility > b->utility || a->utility < b->utility)
		return a->utility > b->utility;
	if (a->price > b->price || a->price < b->price)
		return a->price < b->price;
	return a->terms.start < b->terms.start;
}

/* Chooses the start in the window. It has no end if a gap has none: later than the end of the
   timetable is not tried then. */
static int choose_start(const struct lxfw_offer_search *search, struct lxfw_offer *offer)
{
	int64_t last = offer->last - search->seconds, slack;
	struct lxfw_offer tried = *offer;

	if (offer->last == LXFW_NEVER)
		last = search->gaps->end - search->seconds;
	slack = last > offer->first ? last - offer->first : 0;
	for (int32_t i = 0; i < search->limits.starts && (i == 0 || slack >= i); i++) {
		int64_t steps = search->limits.starts > 1 ? search->limits.starts - 1 : 1;
		int64_t start = offer->first + slack / steps * i + slack % steps * i / steps;

		set_terms(search, &search->chosen[offer->gaps], start, &tried.terms);
		if (search->value(search->context, &tried.terms, &tried.price,
				  &tried.utility))
			return -1;
		if (i == 0 || is_better(&tried, offer))
			*offer = tried;
	}
	return 0;
}

static bool is_known(const struct lxfw_offer_search *search, const struct lxfw_offer *offer)
{
	size_t bytes = (size_t)search->procs * sizeof(*search->chosen);

	for (size_t i = 0; i < search->count; i++) {
		const struct lxfw_offer *other = &search->offers[i];

		if (other->first == offer->first && other->last == offer->last &&
		    memcmp(&search->chosen[other->gaps], &search->chosen[offer->gaps],
			   bytes) == 0)
			return true;
	}
	return false;
}

/* Begins an offer, whose gaps are added to it. */
static int new_offer(struct lxfw_offer_search *search, struct lxfw_offer *offer)
{
	*offer = (struct lxfw_offer){
		.first = search->earliest, .last = LXFW_NEVER,
		.gaps = search->count * (size_t)search->procs,
	};
	return LXFW_GROW(search->chosen, search->chosen_size,
			 (search->count + 1) * (size_t)search->procs);
}

/* Adds COUNT gaps of a bucket to an offer that has HAS. */
static void add_gaps(struct lxfw_offer_search *search, struct lxfw_offer *offer, int32_t has,
		     const struct lxfw_bucket *bucket, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		int32_t index = search->active[bucket->first + (size_t)i];
		const struct lxfw_gap *gap = &search->gaps->list[index];
		int64_t begin = begin_of(search, gap), end = end_of(search, gap);

		search->chosen[offer->gaps + (size_t)(has + i)] = index;
		offer->first = begin > offer->first ? begin : offer->first;
		offer->last = end < offer->last ? end : offer->last;
	}
}

static int finish_offer(struct lxfw_offer_search *search, struct lxfw_offer *offer)
{
	if (is_known(search, offer))
		return 0;
	if (choose_start(search, offer) ||
	    LXFW_GROW(search->offers, search->size, search->count + 1))
		return -1;
	search->offers[search->count++] = *offer;
	return 0;
}

/* --- buckets ---------------------------------------------------------------------------------- */

/* Sorts the active gaps into buckets. They are in the order of begin and end. */
static int fill_buckets(struct lxfw_offer_search *search)
{
	const struct lxfw_gap *gaps = search->gaps->list, *last = NULL;

	if (LXFW_GROW(search->buckets, search->buckets_size, search->active_count + 1))
		return -1;
	search->bucket_count = 0;
	for (size_t i = 0; i < search->active_count; i++) {
		const struct lxfw_gap *gap = &gaps[search->active[i]];

		if (!last || last->begin != gap->begin || last->end != gap->end)
			search->buckets[search->bucket_count++] =
				(struct lxfw_bucket){ .first = i };
		search->buckets[search->bucket_count - 1].count++;
		last = gap;
	}
	return 0;
}

/* Offers of one bucket each. */
static int offer_buckets(struct lxfw_offer_search *search)
{
	for (size_t i = 0; i < search->bucket_count; i++) {
		struct lxfw_bucket *bucket = &search->buckets[i];
		struct lxfw_offer offer;

		if (bucket->count < search->procs)
			continue;
		if (new_offer(search, &offer))
			return -1;
		add_gaps(search, &offer, 0, bucket, search->procs);
		if (finish_offer(search, &offer))
			return -1;
		bucket->count = search->procs - 1;
	}
	return 0;
}

/* Takes as many of LEFT processors as possible from the first buckets from FROM on. */
static void take_from(struct lxfw_offer_search *search, size_t from, int64_t left)
{
	for (size_t i = from; i < search->bucket_count; i++) {
		struct lxfw_bucket *bucket = &search->buckets[i];

		bucket->taken = bucket->count < left ? bucket->count : (int32_t)left;
		left -= bucket->taken;
	}
}

/* Sets the next combination. Returns false if there is none. */
static bool next_combination(struct lxfw_offer_search *search)
{
	int64_t behind = 0;

	for (size_t i = search->bucket_count; i-- > 0;) {
		struct lxfw_bucket *bucket = &search->buckets[i];

		if (bucket->taken > 0 && behind + 1 <= bucket->after) {
			bucket->taken--;
			take_from(search, i + 1, behind + 1);
			return true;
		}
		behind += bucket->taken;
	}
	return false;
}

static int offer_combination(struct lxfw_offer_search *search)
{
	struct lxfw_offer offer;
	int32_t has = 0;

	if (new_offer(search, &offer))
		return -1;
	for (size_t i = 0; i < search->bucket_count && has < search->procs; i++) {
		const struct lxfw_bucket *bucket = &search->buckets[i];

		add_gaps(search, &offer, has, bucket, bucket->taken);
		has += bucket->taken;
	}
	return finish_offer(search, &offer);
}

/* Offers of several buckets, of which none has enough processors any more. */
static int offer_combinations(struct lxfw_offer_search *search)
{
	int64_t all = 0;

	for (size_t i = search->bucket_count; i-- > 0;) {
		search->buckets[i].after = all;
		all += search->buckets[i].count;
	}
	if (all < search->procs)
		return 0;
	take_from(search, 0, search->procs);
	for (int32_t i = 0; i < search->limits.combinations; i++) {
		if (offer_combination(search))
			return -1;
		if (!next_combination(search))
			break;
	}
	return 0;
}

/* --- the times -------------------------------------------------------------------------------- */

/* Collects the times, ascending: those at which gaps begin or end, from the earliest start to
   the latest end. Returns their number, or -1 with errno ENOMEM. */
static int64_t collect_times(struct lxfw_offer_search *search)
{
	const struct lxfw_gaps *gaps = search->gaps;
	size_t count = 0;

	if (LXFW_GROW(search->times, search->times_size, gaps->step_count + 2))
		return -1;
	search->times[count++] = search->earliest;
	for (size_t i = 0; i < gaps->step_count; i++) {
		int64_t time = gaps->steps[i].time;

		if (time > search->earliest && time < search->latest)
			search->times[count++] = time;
	}
	search->times[count++] = search->latest;
	return (int64_t)count;
}

/* Adds the gaps in which the job can end at TIME. *NEXT is the first of the others.
   They are in the order of the earliest ends. Returns whether there are any. */
static bool enter(struct lxfw_offer_search *search, size_t *next, int64_t time)
{
	const struct lxfw_gaps *gaps = search->gaps;
	bool changed = false;

	for (; *next < gaps->count; ++*next) {
		const struct lxfw_gap *gap = &gaps->list[*next];
		int64_t end = first_end(search, gap);

		if (end > time)
			break;
		if (end > end_of(search, gap) || end == LXFW_NEVER)
			continue;
		search->active[search->active_count++] = (int32_t)*next;
		changed = true;
	}
	return changed;
}

/* Removes the gaps that end at TIME or before. Returns whether there are any. */
static bool leave(struct lxfw_offer_search *search, int64_t time)
{
	size_t count = search->active_count, kept = 0;

	for (size_t i = 0; i < search->active_count; i++) {
		if (end_of(search, &search->gaps->list[search->active[i]]) > time)
			search->active[kept++] = search->active[i];
	}
	search->active_count = kept;
	return kept < count;
}

static int make_offers(struct lxfw_offer_search *search)
{
	if (fill_buckets(search) || offer_buckets(search))
		return -1;
	return offer_combinations(search);
}

/* Best first; those that are equal remain in the order in which they were found. */
static void sort_offers(struct lxfw_offer_search *search)
{
	for (size_t i = 1; i < search->count; i++) {
		struct lxfw_offer offer = search->offers[i];
		size_t at = i;

		for (; at > 0 && is_better(&offer, &search->offers[at - 1]); at--)
			search->offers[at] = search->offers[at - 1];
		search->offers[at] = offer;
	}
}

int lxfw_offers_find(struct lxfw_offer_search *search)
{
	int64_t times = collect_times(search);
	bool changed = false;
	size_t next = 0;

	search->count = search->active_count = 0;
	if (times < 0 ||
	    LXFW_GROW(search->active, search->active_size, search->gaps->count + 1))
		return -1;
	for (int64_t i = 0; i < times &&
	     search->count < (size_t)search->limits.offers; i++) {
		changed |= enter(search, &next, search->times[i]);
		if (changed && search->active_count >= (size_t)search->procs &&
		    make_offers(search))
			return -1;
		changed = leave(search, search->times[i]);
	}
	sort_offers(search);
	return 0;
}

int32_t lxfw_offer_proc(const struct lxfw_offer_search *search,
			const struct lxfw_offer *offer, int32_t i)
{
	return search->gaps->list[search->chosen[offer->gaps + (size_t)i]].proc;
}

void lxfw_offers_clear(struct lxfw_offer_search *search)
{
	free(search->offers);
	free(search->chosen);
	free(search->active);
	free(search->times);
	free(search->buckets);
	search->offers = NULL;
	search->chosen = search->active = NULL;
	search->times = NULL;
	search->buckets = NULL;
	search->count = search->size = search->chosen_size = search->active_size = 0;
	search->times_size = search->buckets_size = 0;
}
