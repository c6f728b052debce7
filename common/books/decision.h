/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a decision consists of. */
#ifndef LXFW_BOOKS_DECISION_H
#define LXFW_BOOKS_DECISION_H

#include "common/books/books.h"

/* Make room for so many more actions and shares of theirs, so that appending them
   cannot fail. 0, or -1 with errno ENOMEM. */
int lxfw_actions_ready(struct lxfw_sched *sched, size_t actions, size_t shares);

/* Append an action; its shares are copied. 0, or -1 with errno ENOMEM. */
int lxfw_action_append(struct lxfw_sched *sched,
		       const struct lxfw_action *action);

#endif
