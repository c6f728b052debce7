/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an event may say: checks made before the books are touched. Those that
 * return int return 0, or -1 with errno EINVAL and a line in the error.
 */
#ifndef LXFW_BOOKS_CHECK_H
#define LXFW_BOOKS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/books/books.h"
#include "common/model/event.h"
#include "common/util/error.h"

/* Sets errno to `code` and the error to `text` followed by `id`. Returns -1. */
int lxfw_invalid(struct lxfw_error *error, int code, const char *text,
		 uint64_t id);

/* Whether it is a time, in seconds, that sums of times may be made of. */
bool lxfw_is_time(int64_t time);

/* `count` shares of known hosts, ascending, none negative. */
int lxfw_shares_check(const struct lxfw_sched *sched,
		      const struct lxfw_share *shares, int32_t count,
		      struct lxfw_error *error);

/* A request of known host sets, of which no sum can overflow. */
int lxfw_request_check(const struct lxfw_sched *sched,
		       const struct lxfw_request *request,
		       struct lxfw_error *error);

#endif
