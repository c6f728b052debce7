/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fair Tree. */
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/priority/fair.h"

/* Level fair share of an association without one: Slurm's NO_VAL. */
#define NO_LEVEL 4294967294.0L

struct ranking {
	struct lxfw_fair *fair;
	uint32_t rank;		/* of the last user, or of the next one if they are
				   equal */
	uint32_t next;		/* rank without ties */
};

static void normalize(struct lxfw_fair *fair, int32_t assoc)
{
	const struct lxfw_assoc *item = &fair->assocs->items[assoc];
	struct lxfw_fair_usage *usage = &fair->usage[assoc];
	long double above = fair->usage[item->share_parent].raw;

	usage->effective = above == 0 ? 0 : usage->raw / above;
	usage->norm = fair->usage[0].raw == 0 ? 0 : usage->raw / fair->usage[0].raw;
	if (usage->norm > 1)
		usage->norm = 1;
}

static void compute_level(struct lxfw_fair *fair, int32_t assoc)
{
	const struct lxfw_assoc *item = &fair->assocs->items[assoc];
	struct lxfw_fair_usage *usage = &fair->usage[assoc];

	normalize(fair, assoc);
	if (item->shares == LXFW_SHARES_PARENT)
		usage->level = *item->user ? HUGE_VALL : NO_LEVEL;
	else if (item->shares_norm == 0)
		usage->level = 0;
	else if (usage->effective == 0)
		usage->level = HUGE_VALL;
	else
		usage->level = (long double)item->shares_norm / usage->effective;
}

/* Compares siblings. Of equal ones, users precede accounts, then the order of addition
   applies. */
static int compare(const void *left, const void *right, void *context)
{
	const struct lxfw_fair *fair = context;
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
	bool a_is_user = *fair->assocs->items[a].user;
	bool b_is_user = *fair->assocs->items[b].user;

	if (fair->usage[a].level != fair->usage[b].level)
		return fair->usage[a].level > fair->usage[b].level ? -1 : 1;
	if (a_is_user != b_is_user)
		return a_is_user ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Ranks all users below ABOVE. TIED: ABOVE is equal to the previous account or user.
   ROOM is a buffer for the associations below it. */
static void rank_below(struct ranking *ranking, int32_t above, bool tied, int32_t *room)
{
	struct lxfw_fair *fair = ranking->fair;
	const struct lxfw_assoc *items = fair->assocs->items;
	long double last = NO_LEVEL;
	size_t count = 0;

	for (int32_t c = items[above].first_child; c >= 0; c = items[c].next_child) {
		compute_level(fair, c);
		room[count++] = c;
	}
	qsort_r(room, count, sizeof(*room), compare, fair);
	for (size_t i = 0; i < count; i++) {
		struct lxfw_fair_usage *usage = &fair->usage[room[i]];

		if (i > 0 || !tied)
			tied = last == usage->level;
		if (*items[room[i]].user) {
			if (!tied)
				ranking->rank = ranking->next;
			usage->factor = ranking->rank / (double)fair->assocs->users;
			ranking->next--;
		} else {
			rank_below(ranking, room[i], tied, room + count);
		}
		last = usage->level;
	}
}

void lxfw_fair_tree_rank(struct lxfw_fair *fair)
{
	uint32_t users = (uint32_t)fair->assocs->users;
	struct ranking ranking = { fair, users, users };

	fair->usage[0].level = NO_LEVEL;
	rank_below(&ranking, 0, false, fair->sorted);
}
