/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions of a decision. */
#ifndef LXFW_BOOKS_DECISION_H
#define LXFW_BOOKS_DECISION_H

#include "common/books/books.h"

/* Allocate ACTIONS more actions with SHARES shares in all, so that appending them cannot
   fail. Returns 0, or -1 with errno ENOMEM. */
int lxfw_actions_ready(struct lxfw_sched *sched, size_t actions, size_t shares);

/* Append an action and copy its shares. Returns 0, or -1 with errno ENOMEM. */
int lxfw_action_append(struct lxfw_sched *sched,
		       const struct lxfw_action *action);

#endif
