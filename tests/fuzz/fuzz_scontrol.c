/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of jobs as Slurm's controller prints them. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "scontrol";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_accounts(&lxfw_log_scontrol, data, size);
	return 0;
}
