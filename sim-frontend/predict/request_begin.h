/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times before which a job does not start, in the forms of sbatch's --begin. */
#ifndef LXFW_PREDICT_REQUEST_BEGIN_H
#define LXFW_PREDICT_REQUEST_BEGIN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads a local time: "16:00", "4:00PM", "16:00:30", "noon", "midnight", "fika", "teatime"; "2026-12-24",
 * "1224", "12/24/26", "today", "tomorrow"; a date and a time with T between; "now", "now+90" or
 * "now+2hours". A time without a date that has passed at NOW is that of the next day, a date without
 * a year that of the next year. Returns false if it is none of these.
 */
bool lxfw_request_begin(const char *text, int64_t now, int64_t *begin);

#endif
