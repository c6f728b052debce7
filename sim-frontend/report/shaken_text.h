/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of simulated figures over perturbed copies, as text. */
#ifndef LXFW_REPORT_SHAKEN_TEXT_H
#define LXFW_REPORT_SHAKEN_TEXT_H

#include "sim-frontend/engine/recorded_shake.h"
#include "sim-frontend/util/output.h"

#define LXFW_SHAKEN_TEXT 80

/* Write "  (8827.8 to 13341.8)" with DECIMALS, and "2.5h-3.7h", to TEXT; nothing if there is no
   range. Return TEXT. */
const char *lxfw_shaken_text(const struct lxfw_shaken_range *range, int decimals, char *text,
			     size_t size);
const char *lxfw_shaken_spans(const struct lxfw_shaken_range *range, char *text, size_t size);

/* The same of numbers without a unit, "12.3-47". */
const char *lxfw_shaken_numbers(const struct lxfw_shaken_range *range, char *text, size_t size);

/* Writes the text below a figure of a page. */
void lxfw_shaken_below(const char *text, struct lxfw_output *output);

#endif
