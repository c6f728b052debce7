/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of events for the Slurm simulator. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "slurm_sim";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_accounts(&lxfw_log_slurm_sim, data, size);
	return 0;
}
