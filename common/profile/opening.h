/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Openings: intervals in which resources of the host became free, recorded for a profile
 * of a single host. A pass takes them to examine only the reservations that may be able
 * to move.
 */
#ifndef LXFW_PROFILE_OPENING_H
#define LXFW_PROFILE_OPENING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"

struct lxfw_opening {
	int64_t from, until;	/* seconds; from INT64_MIN: from now on */
	struct lxfw_resources amount;	/* at most this became free */
};

#define LXFW_OPENINGS_MAX 8

struct lxfw_openings {
	bool recorded;		/* otherwise the list is empty */
	int count;
	struct lxfw_opening list[LXFW_OPENINGS_MAX];
};

/* Record that AMOUNT became free in [FROM, UNTIL). */
void lxfw_openings_add(struct lxfw_openings *openings, int64_t from, int64_t until,
		       const struct lxfw_resources *amount);

/* Record that AMOUNT is no longer free in [FROM, UNTIL). What became free directly before,
   when a hold was moved or its job started, is shortened. */
void lxfw_openings_close(struct lxfw_openings *openings, int64_t from, int64_t until,
			 const struct lxfw_resources *amount);

#endif
