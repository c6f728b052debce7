/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a job waits for hosts that are down or drained, and for nothing else. */
#ifndef LXFW_PREDICT_USABLE_H
#define LXFW_PREDICT_USABLE_H

#include <stdbool.h>

#include "common/model/request.h"
#include "common/sched.h"

#define LXFW_USABLE_TEXT 64

/*
 * Returns whether the hosts that are up are too few for REQUEST even if they are empty, and all
 * hosts that it may use would be enough. Then TEXT states how many they are: "none of the 4 hosts
 * that it could use is up"; otherwise it is empty.
 */
bool lxfw_usable_is_short(const struct lxfw_sched *sched, const struct lxfw_request *request,
			  char text[LXFW_USABLE_TEXT]);

#endif
