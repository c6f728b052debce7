/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: shares of hosts that nobody is to have for a time (LXFW_EVENT_BLOCK), such
 * as an admin's advance reservation. A hold in the profile until they begin, then a
 * claim that is over when they end.
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
	bool begun;		/* claim is a running one */
	struct lxfw_share *shares;
	int32_t count;
};

/* A block comes, changes, or goes. 0, or -1 with errno EINVAL or ENOMEM: then nothing
   is changed. */
int lxfw_block_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error);

/* Begin and end blocks whose time has come. 0, or -1 with errno ENOMEM. */
int lxfw_blocks_advance(struct lxfw_sched *sched);

#endif
