/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/check.h"
#include "common/util/grow.h"

static void block_lift(struct lxfw_sched *sched, size_t at)
{
	struct lxfw_block *block = &sched->blocks[at];

	if (block->begun)
		lxfw_profile_stop(&sched->profile, block->claim);
	else
		lxfw_profile_unhold(&sched->profile, block->claim);
	free(block->shares);
	sched->block_count--;
	memmove(block, block + 1,
		(sched->block_count - at) * sizeof(*sched->blocks));
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
}

int lxfw_block_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error)
{
	size_t count = (size_t)event->block.count, at = 0;
	struct lxfw_block block = {
		.id = event->block.id,
		.start = event->block.start,
		.end = event->block.end,
		.count = event->block.count,
	};

	if (lxfw_shares_check(sched, event->block.shares, event->block.count,
			      error) < 0)
		return -1;
	if (count > 0) {
		if (event->block.end <= event->block.start ||
		    !lxfw_is_time(event->block.start) ||
		    !lxfw_is_time(event->block.end))
			return lxfw_invalid(error, EINVAL,
					    "empty time of block ",
					    event->block.id);
		if (LXFW_GROW(sched->blocks, sched->blocks_size,
			      sched->block_count + 1))
			return -1;
		if (lxfw_profile_ready_hold(&sched->profile, event->block.count) < 0)
			return -1;
		block.shares = malloc(count * sizeof(*block.shares));
		if (!block.shares) {
			errno = ENOMEM;
			return -1;
		}
		memcpy(block.shares, event->block.shares,
		       count * sizeof(*block.shares));
	}
	while (at < sched->block_count && sched->blocks[at].id != block.id)
		at++;
	if (at < sched->block_count)
		block_lift(sched, at);
	if (count == 0)
		return 0;
	block.claim = lxfw_profile_hold(&sched->profile, block.shares,
					block.count, block.start, block.end);
	sched->blocks[sched->block_count++] = block;
	sched->disturbed = true;
	return 0;
}

static int compare_hosts(const void *key, const void *share)
{
	int32_t a = *(const int32_t *)key;
	int32_t b = ((const struct lxfw_share *)share)->host;

	return (a > b) - (a < b);
}

/* The share of the host that BLOCK has, or NULL. */
static const struct lxfw_share *share_of(const struct lxfw_block *block, int32_t host)
{
	return bsearch(&host, block->shares, (size_t)block->count, sizeof(*block->shares),
		       compare_hosts);
}

/* Whether BLOCK has a share of a host of CLAIM. */
static bool meets(const struct lxfw_sched *sched, const struct lxfw_block *block,
		  int32_t claim)
{
	const struct lxfw_release *nodes = sched->profile.releases.nodes;

	for (int32_t node = claim; node >= 0; node = nodes[node].next) {
		if (share_of(block, nodes[node].host))
			return true;
	}
	return false;
}

bool lxfw_block_begins(const struct lxfw_sched *sched, int32_t claim, int64_t from,
		       int64_t until)
{
	for (size_t i = 0; i < sched->block_count; i++) {
		const struct lxfw_block *block = &sched->blocks[i];

		if (!block->begun && block->start >= from && block->start < until &&
		    meets(sched, block, claim))
			return true;
	}
	return false;
}

int64_t lxfw_blocked_procs(const struct lxfw_sched *sched, int32_t host)
{
	int64_t procs = 0;

	for (size_t i = 0; i < sched->block_count; i++) {
		const struct lxfw_block *block = &sched->blocks[i];
		const struct lxfw_share *share = block->begun ? share_of(block, host) : NULL;

		if (share)
			procs += share->amount.procs;
	}
	return procs;
}

int lxfw_blocks_advance(struct lxfw_sched *sched)
{
	for (size_t i = sched->block_count; i-- > 0;) {
		struct lxfw_block *block = &sched->blocks[i];

		if (block->end <= sched->now) {
			block_lift(sched, i);
			continue;
		}
		if (block->begun || block->start > sched->now)
			continue;
		if (lxfw_profile_ready_run(&sched->profile, block->count) < 0)
			return -1;
		lxfw_profile_unhold(&sched->profile, block->claim);
		block->claim = lxfw_profile_run(&sched->profile, block->shares,
						block->count, block->end);
		block->begun = true;
	}
	return 0;
}
