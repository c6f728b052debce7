/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --feedback of `lxfw simulate`. */
#ifndef LXFW_CMD_SIMULATE_FEEDBACK_H
#define LXFW_CMD_SIMULATE_FEEDBACK_H

#include "sim-frontend/engine/feedback.h"

/* Finds what the jobs of TRACE, of the log PATH, follow. Notes on stderr say how many jobs are
   submitted after others, and which are not. Returns 0, or -1 after a message. */
int lxfw_simulate_feedback(struct lxfw_feedback *feedback, const struct lxfw_trace *trace,
			   const char *path);

#endif
