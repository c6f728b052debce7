/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs on which one that might be submitted depends. */
#ifndef LXFW_CMD_PREDICT_AFTER_H
#define LXFW_CMD_PREDICT_AFTER_H

#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/predict/live.h"

/* Sets those of TEXT, among the jobs of REPLAY. Returns 0, or an exit status after a message: when one
   of them starts is not known. */
int lxfw_predict_after(const struct lxfw_request_text *text, const struct lxfw_replayer *replay,
		       struct lxfw_expected *job);

/* Releases them. Requests in place of another one share those of that. */
void lxfw_predict_after_clear(struct lxfw_expected *job);

#endif
