/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions shared by the fuzz targets of accounting formats. */
#ifndef LXFW_TESTS_FUZZ_ACCOUNTS_H
#define LXFW_TESTS_FUZZ_ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/log_formats.h"

/* Read DATA as a log of FORMAT. Check that each job is within its ranges, that each
   record is counted once, that a message begins with the file name, and that the result
   is a valid trace. */
void fuzz_accounts(const struct lxfw_log_format *format, const uint8_t *data,
		   size_t size);

/* Read DATA as a table with the COLUMNS of --columns. */
void fuzz_table(const char *columns, const uint8_t *data, size_t size);

#endif
