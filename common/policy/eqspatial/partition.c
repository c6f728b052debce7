/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/eqspatial/partition.h"

static int32_t fewest(const struct lxfw_partner *partner)
{
	return partner->min_procs > 1 ? partner->min_procs : 1;
}

/* Give their minimum to the running jobs, then to the others in turn. Returns the number
   of processors left. */
static int32_t give_fewest(struct lxfw_partner *partners, int32_t count,
			   int32_t total)
{
	int64_t left = total;

	for (int32_t i = 0; i < count; i++) {
		partners[i].settled = false;
		partners[i].procs = partners[i].running;
		left -= partners[i].running;
	}
	for (int32_t i = 0; i < count && left > 0; i++) {
		int64_t more = fewest(&partners[i]) - 1;

		if (!partners[i].running)
			continue;
		if (more > left)
			more = left;
		partners[i].procs += (int32_t)more;
		left -= more;
	}
	for (int32_t i = 0; i < count && left > 0; i++) {
		if (partners[i].running)
			continue;
		if (fewest(&partners[i]) > left)
			break;
		partners[i].procs = fewest(&partners[i]);
		left -= partners[i].procs;
	}
	return left > 0 ? (int32_t)left : 0;
}

static bool is_open(const struct lxfw_partner *partner)
{
	return !partner->settled && partner->procs > 0;
}

/* The processors of a job if all jobs that can use more have at least LEVEL. */
static int32_t at_level(const struct lxfw_partner *partner, int32_t level)
{
	if (level < partner->procs)
		return partner->procs;
	return level < partner->asked ? level : partner->asked;
}

static int64_t sum_at(const struct lxfw_partner *partners, int32_t count,
		      int32_t level)
{
	int64_t sum = 0;

	for (int32_t i = 0; i < count; i++) {
		if (is_open(&partners[i]))
			sum += at_level(&partners[i], level);
	}
	return sum;
}

/* Give one more processor to MORE of the jobs at SHARE that can use it, first to those
   that have more than SHARE now. */
static void hand_out(struct lxfw_partner *partners, int32_t count,
		     int32_t share, int64_t more)
{
	int64_t keep = 0;

	for (int32_t i = 0; i < count; i++)
		keep += is_open(&partners[i]) && partners[i].procs == share &&
			partners[i].asked > share && partners[i].has > share;
	for (int32_t i = 0; i < count && more > 0; i++) {
		struct lxfw_partner *partner = &partners[i];
		bool keeps = partner->has > share;

		if (!is_open(partner) || partner->procs != share ||
		    partner->asked <= share || (!keeps && more <= keep))
			continue;
		partner->procs++;
		more--;
		keep -= keeps;
	}
}

/* Every job has its minimum and LEFT processors remain. Raise the jobs with the fewest
   processors together as far as possible. */
static void level(struct lxfw_partner *partners, int32_t count, int32_t left)
{
	int64_t pool = left + sum_at(partners, count, 0);
	int32_t low = 0, high = 0;

	for (int32_t i = 0; i < count; i++) {
		if (is_open(&partners[i]) && partners[i].asked > high)
			high = partners[i].asked;
	}
	if (pool < high)
		high = (int32_t)pool;
	/* Find the highest level for which the processors are enough. */
	while (low < high) {
		int32_t middle = low + (high - low + 1) / 2;

		if (sum_at(partners, count, middle) <= pool)
			low = middle;
		else
			high = middle - 1;
	}
	pool -= sum_at(partners, count, low);
	for (int32_t i = 0; i < count; i++) {
		if (is_open(&partners[i]))
			partners[i].procs = at_level(&partners[i], low);
	}
	hand_out(partners, count, low, pool);
}

void lxfw_partition_equally(struct lxfw_partner *partners, int32_t count,
			    int32_t total)
{
	int32_t left = give_fewest(partners, count, total);

	if (left > 0)
		level(partners, count, left);
}

void lxfw_partition(struct lxfw_partner *partners, int32_t count, int32_t total)
{
	int32_t left = give_fewest(partners, count, total);

	for (int32_t i = 0; i < count && left > 0; i++) {
		int32_t more = partners[i].asked - partners[i].procs;

		if (!partners[i].full || partners[i].procs == 0)
			continue;
		if (more > left)
			more = left;
		partners[i].procs += more;
		partners[i].settled = true;
		left -= more;
	}
	if (left > 0)
		level(partners, count, left);
}
