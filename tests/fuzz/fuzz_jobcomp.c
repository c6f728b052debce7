/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of the JSON of jobcomp/elasticsearch. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "jobcomp";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_accounts(&lxfw_log_jobcomp, data, size);
	return 0;
}
