/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forecast of a job as a line of text for users, which can be read back:
 *
 *   lxfw: expected start 2026-11-26T14:10, 50 % 2026-11-26T13:55 to 2026-11-26T14:40,
 *   90 % 2026-11-26T13:20 to 2026-11-26T18:00, forecast of 2026-11-26T13:05
 *
 * "uncorrected 50 %" stands for intervals that are known to be too narrow, and "later" for
 * a time that is beyond the horizon. Times are local and rounded down to minutes.
 */
#ifndef LXFW_PREDICT_TOLD_H
#define LXFW_PREDICT_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/predict/live.h"

enum { LXFW_TOLD_START, LXFW_TOLD_LOW50, LXFW_TOLD_HIGH50, LXFW_TOLD_LOW90,
       LXFW_TOLD_HIGH90, LXFW_TOLD_TIMES };

struct lxfw_told {
	int64_t times[LXFW_TOLD_TIMES];	/* seconds; LXFW_NEVER: beyond the horizon */
	int64_t at;		/* time of the forecast */
	bool corrected;		/* the intervals were corrected */
};

/* Size of a text with its NUL. */
#define LXFW_TOLD_SIZE 256

/* The forecast of a job at the time of LIVE. */
void lxfw_told_make(struct lxfw_told *told, const struct lxfw_live *live,
		    const struct lxfw_expected *job);

void lxfw_told_format(const struct lxfw_told *told, char text[LXFW_TOLD_SIZE]);

/* Reads a text. Returns false if it is not exactly one of lxfw_told_format(). */
bool lxfw_told_parse(struct lxfw_told *told, const char *text);

/*
 * Returns whether OLD should be replaced by NEW: a time, other than a bound that is not after
 * its forecast, differs by more than a minute, as whole minutes do of times a second apart,
 * and by more than a tenth of the time that is left until it, so that forecasts of the
 * distant future are not rewritten for each small change.
 */
bool lxfw_told_differs(const struct lxfw_told *old, const struct lxfw_told *new);

#endif
