/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the jobs of Philly. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "philly";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_accounts(&lxfw_log_philly, data, size);
	return 0;
}
