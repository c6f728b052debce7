/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Describes the origin of the system overhead per start. */
#ifndef LXFW_REPORT_OVERHEAD_TEXT_H
#define LXFW_REPORT_OVERHEAD_TEXT_H

#include <stddef.h>

#include "sim-frontend/metrics/start_delay.h"

#define LXFW_OVERHEAD_TEXT 200

/* Writes "estimated from 1417 jobs that ..." to TEXT of SIZE bytes. Returns TEXT. */
const char *lxfw_overhead_text(const struct lxfw_start_delay *estimate, char *text,
			       size_t size);

#endif
