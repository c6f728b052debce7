/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/partition.h"

/* One processor each for the running ones, then for the others in turn. Returns
   what is left. */
static int32_t give_ones(struct lxfw_partner *partners, int32_t count,
			 int32_t total)
{
	int64_t left = total;

	for (int32_t i = 0; i < count; i++) {
		partners[i].procs = partners[i].running;
		left -= partners[i].running;
	}
	for (int32_t i = 0; i < count && left > 0; i++) {
		if (partners[i].running)
			continue;
		partners[i].procs = 1;
		left--;
	}
	return left > 0 ? (int32_t)left : 0;
}

/* TOTAL for the REST that are left at one processor and asked for more than they can
   get. */
static void hand_out(struct lxfw_partner *partners, int32_t count, int32_t total,
		     int32_t rest)
{
	int32_t share = total / rest, more = total % rest, keep = 0;

	for (int32_t i = 0; i < count; i++)
		keep += partners[i].procs == 1 && partners[i].asked > share &&
			partners[i].has > share;
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_partner *partner = &partners[i];
		bool keeps = partner->has > share;

		if (partner->procs > 1 || partner->asked <= share)
			continue;
		partner->procs = share;
		if (more == 0 || (!keeps && more <= keep))
			continue;
		partner->procs++;
		more--;
		keep -= keeps;
	}
}

/* Everybody has one or more and LEFT is left: level up those that have one. The
   share of the rest grows as those who asked for less drop out. */
static void level(struct lxfw_partner *partners, int32_t count, int32_t left)
{
	int32_t rest = 0, share;
	bool dropped = true;

	for (int32_t i = 0; i < count; i++)
		rest += partners[i].procs == 1 && partners[i].asked > 1;
	left += rest;
	while (rest > 0 && dropped) {
		dropped = false;
		share = left / rest;
		for (int32_t i = 0; i < count; i++) {
			struct lxfw_partner *partner = &partners[i];

			if (partner->procs > 1 || partner->asked == 1 ||
			    partner->asked > share)
				continue;
			partner->procs = partner->asked;
			left -= partner->asked;
			rest--;
			dropped = true;
		}
	}
	if (rest == 0)
		return;
	hand_out(partners, count, left, rest);
}

void lxfw_partition_equally(struct lxfw_partner *partners, int32_t count,
			    int32_t total)
{
	int32_t left = give_ones(partners, count, total);

	if (left > 0)
		level(partners, count, left);
}

void lxfw_partition(struct lxfw_partner *partners, int32_t count, int32_t total)
{
	int32_t left = give_ones(partners, count, total);

	for (int32_t i = 0; i < count && left > 0; i++) {
		int32_t more = partners[i].asked - 1;

		if (!partners[i].full)
			continue;
		if (more > left)
			more = left;
		partners[i].procs += more;
		left -= more;
	}
	if (left > 0)
		level(partners, count, left);
}
