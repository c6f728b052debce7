/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of the agent as text. */
#ifndef LXFW_AGENT_METER_TEXT_H
#define LXFW_AGENT_METER_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/meter.h"

/* Upper bounds of the buckets of forecast errors but the last one, in seconds. */
extern const int64_t lxfw_meter_bounds[LXFW_METER_BUCKETS - 1];

/* Returns the metrics in the text format of OpenMetrics 1.0, which Prometheus'
   node_exporter reads too. The caller frees it. NULL with errno ENOMEM. */
char *lxfw_meter_text(const struct lxfw_agent *agent, size_t *length);

/* Return the line of the gauge lxfw_let_go for REASON with VALUE, ended by a newline, and a
   file without a pass in which this gauge is 1 for REASON. The caller frees them. NULL with
   errno ENOMEM. */
char *lxfw_meter_let_go_line(enum lxfw_let_go_reason reason, int value);
char *lxfw_meter_let_go_text(enum lxfw_let_go_reason reason);

#endif
