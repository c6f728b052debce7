/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the targets of accounting formats share. */
#ifndef LXFW_TESTS_FUZZ_ACCOUNTS_H
#define LXFW_TESTS_FUZZ_ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/log_formats.h"

/* Read DATA as a log of FORMAT: each job is in its ranges, each record is counted
   once, a message begins with the file's name, and what comes of it is a trace. */
void fuzz_accounts(const struct lxfw_log_format *format, const uint8_t *data,
		   size_t size);

#endif
