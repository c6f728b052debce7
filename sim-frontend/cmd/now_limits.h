/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job that might be submitted is one of those that a partition starts. */
#ifndef LXFW_CMD_NOW_LIMITS_H
#define LXFW_CMD_NOW_LIMITS_H

#include <stdbool.h>

#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/watch/watch.h"

#define LXFW_NOW_LIMITS_WHY 400

/*
 * Whether LIMITS permit a request of this user; otherwise sets WHY to the one that does not:
 * "MaxNodes=2, and the request has 4". Of a request without an account or a QOS they are not known,
 * and count as permitted, with a note if not all are.
 */
bool lxfw_now_limits_permit(const struct lxfw_watch_limits *limits,
			    const struct lxfw_request_text *request,
			    char why[LXFW_NOW_LIMITS_WHY]);

/* Whether the list "a,b" has NAME. */
bool lxfw_now_limits_list(const char *list, const char *name);

#endif
