/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes: the intervals in which the resources of hosts changed, in the order of the
 * changes. A pass reads those after a reservation was last examined (pass/unchanged.h).
 */
#ifndef LXFW_PROFILE_CHANGE_H
#define LXFW_PROFILE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

/* The resources of HOST became more or fewer in [FROM, UNTIL), seconds. */
struct lxfw_change {
	int64_t from, until;	/* from INT64_MIN: from now on */
	int32_t host;
};

#define LXFW_CHANGES_MAX 8192

/* Changes are numbered. The list has those from number `base` on. */
struct lxfw_changes {
	bool recorded;		/* otherwise the list is empty */
	int64_t base;
	int32_t count;
	struct lxfw_change *list;	/* of LXFW_CHANGES_MAX; NULL: none */
};

/* The number of the next change. */
static inline int64_t lxfw_changes_next(const struct lxfw_changes *changes)
{
	return changes->base + changes->count;
}

/* Forget all changes: nothing is known of what happened before. */
static inline void lxfw_changes_forget(struct lxfw_changes *changes)
{
	changes->base = lxfw_changes_next(changes) + 1;
	changes->count = 0;
}

static inline void lxfw_changes_add(struct lxfw_changes *changes, int32_t host,
				    int64_t from, int64_t until)
{
	if (!changes->recorded || from >= until)
		return;
	if (changes->count == LXFW_CHANGES_MAX)
		lxfw_changes_forget(changes);
	changes->list[changes->count++] = (struct lxfw_change){
		.from = from, .until = until, .host = host,
	};
}

/* The changes from number NEXT on have been undone. */
static inline void lxfw_changes_undo(struct lxfw_changes *changes, int64_t next)
{
	if (next >= changes->base)
		changes->count = (int32_t)(next - changes->base);
}

#endif
