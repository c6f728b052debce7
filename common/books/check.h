/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of events, made before anything is changed. Functions of type int return 0, or
 * -1 with errno EINVAL and a message in ERROR.
 */
#ifndef LXFW_BOOKS_CHECK_H
#define LXFW_BOOKS_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/books/books.h"
#include "common/model/event.h"
#include "common/util/error.h"

/* Set errno to `code` and the error to `text` followed by `id`. Returns -1. */
int lxfw_invalid(struct lxfw_error *error, int code, const char *text,
		 uint64_t id);

/* Whether TIME is within the range in which sums of times do not overflow. */
bool lxfw_is_time(int64_t time);

/* Whether `count` shares are of known hosts, ascending, and not negative. */
int lxfw_shares_check(const struct lxfw_sched *sched,
		      const struct lxfw_share *shares, int32_t count,
		      struct lxfw_error *error);

/* Whether a request is valid and its host sets are known. */
int lxfw_request_check(const struct lxfw_sched *sched,
		       const struct lxfw_request *request,
		       struct lxfw_error *error);

#endif
