/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a running scheduler, from its metrics. */
#ifndef LXFW_REPORT_STATUS_H
#define LXFW_REPORT_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim-frontend/util/format.h"
#include "sim-frontend/util/metrics_text.h"

/* A pass is made every 30 s at least, and metrics are written after a pass. If the last one
   is older than this, in seconds, the scheduler does not work. */
#define LXFW_STATUS_LATE 120

/* Returns true if a last pass at second LAST is too old at second NOW, or as far in the
   future: after the clock was set back, its age is unknown. */
bool lxfw_status_late(int64_t last, int64_t now);

/* Returns why Slurm schedules by itself instead of the plugin, in words, or NULL. */
const char *lxfw_status_let_go(const struct lxfw_samples *samples);

/* Prints the state at second NOW. */
void lxfw_status_text(const struct lxfw_samples *samples, int64_t now, FILE *out);

/* FORMAT is JSON or CSV: the samples. Returns 0, or -1 with errno ENOMEM. The caller checks
   OUT for write errors. */
int lxfw_status_json(const struct lxfw_samples *samples, int64_t now,
		     enum lxfw_format format, FILE *out);

#endif
