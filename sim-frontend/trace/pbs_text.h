/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of accounting records of PBS: "KEY=VALUE KEY=VALUE ...", and the lists in it. */
#ifndef LXFW_TRACE_PBS_TEXT_H
#define LXFW_TRACE_PBS_TEXT_H

#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* Returns the value of KEY in "key=value key=(value)", empty if absent. */
struct lxfw_slice lxfw_pbs_value(struct lxfw_slice text, const char *key);

/* Returns the seconds since 1970; -1 if absent. Cobalt writes fractions. */
int64_t lxfw_pbs_time(struct lxfw_slice text, const char *key);

/* Returns the seconds of "HH:MM:SS" or a number; -1 if absent. */
int64_t lxfw_pbs_span(struct lxfw_slice text, const char *key);

/* Returns the KB of a size; -1 if absent. */
int64_t lxfw_pbs_size(struct lxfw_slice text, const char *key);

/* Removes the part of LIST up to the next STOP and returns it. */
struct lxfw_slice lxfw_pbs_part(struct lxfw_slice *list, char stop);

/* Returns the number after KEY ("ncpus=") in "2:ncpus=8:mem=4gb"; -1 if absent. */
int64_t lxfw_pbs_number_in(struct lxfw_slice chunk, const char *key);

/* Returns the size after KEY ("mem=") in KB; 0 if absent. */
int64_t lxfw_pbs_size_in(struct lxfw_slice chunk, const char *key);

#endif
