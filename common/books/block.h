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

/* Begin and end the blocks that are due. Returns 0, or -1 with errno ENOMEM. */
int lxfw_blocks_advance(struct lxfw_sched *sched);

#endif
