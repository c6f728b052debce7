/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: shares of hosts that no job may use for a time (LXFW_EVENT_BLOCK), such as an
 * advance reservation. A block is a hold in the profile until it begins, then a running
 * claim until it ends.
 */
#ifndef LXFW_BOOKS_BLOCK_H
#define LXFW_BOOKS_BLOCK_H

#include "common/books/books.h"
#include "common/model/event.h"
#include "common/util/error.h"

struct lxfw_block {
	uint64_t id;
	int64_t start, end;
	int32_t claim;
	bool begun;		/* the claim is a running one */
	struct lxfw_share *shares;
	int32_t count;
};

/* Add, replace or remove a block. Returns 0, or -1 with errno EINVAL or ENOMEM and
   nothing changed. */
int lxfw_block_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error);

/* Whether a block begins in [FROM, UNTIL) on a host of the running claim CLAIM. FROM may
   be in the past; blocks that have begun do not count. */
bool lxfw_block_begins(const struct lxfw_sched *sched, int32_t claim, int64_t from,
		       int64_t until);

/* Processors of the host that blocks have now. */
int64_t lxfw_blocked_procs(const struct lxfw_sched *sched, int32_t host);

/* Begin and end the blocks that are due. Returns 0, or -1 with errno ENOMEM. */
int lxfw_blocks_advance(struct lxfw_sched *sched);

#endif
