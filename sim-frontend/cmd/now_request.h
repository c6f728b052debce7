/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that might be submitted to the Slurm that runs. */
#ifndef LXFW_CMD_NOW_REQUEST_H
#define LXFW_CMD_NOW_REQUEST_H

#include "common/util/error.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/watch/watch.h"

/* The hosts that a request wants. Returns whether it wants some of a partition's. */
bool lxfw_now_request_hosts(const struct lxfw_request_text *text, struct lxfw_watch_wanted *hosts);

/* Those that it may have beside the ones that it requires. Returns whether it may have some. */
bool lxfw_now_request_beside(const struct lxfw_request_text *text, struct lxfw_watch_wanted *hosts);

/* Reads TEXT as lxfw_request_read(). It is for the partition that it names, or Slurm's default, of
   the look of now.h. Returns 0, or -1 with ERROR set. */
int lxfw_now_request(struct lxfw_request_text *to, const char *text, struct lxfw_error *error);

#endif
