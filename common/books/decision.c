/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/decision.h"

#include <string.h>

#include "common/books/books.h"
#include "common/util/grow.h"

int lxfw_actions_ready(struct lxfw_sched *sched, size_t actions, size_t shares)
{
	if (LXFW_GROW(sched->actions, sched->actions_size,
		      sched->action_count + actions))
		return -1;
	if (LXFW_GROW(sched->shares, sched->shares_size,
		      sched->share_count + shares))
		return -1;
	return 0;
}

int lxfw_action_append(struct lxfw_sched *sched,
		       const struct lxfw_action *action)
{
	size_t count = (size_t)action->count;

	if (lxfw_actions_ready(sched, 1, count) < 0)
		return -1;
	if (count > 0)
		memcpy(sched->shares + sched->share_count, action->shares,
		       count * sizeof(*sched->shares));
	sched->share_count += count;
	sched->actions[sched->action_count++] = *action;
	return 0;
}
