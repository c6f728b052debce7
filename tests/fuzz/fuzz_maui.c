/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readers of the workload traces of Maui and Moab. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "maui";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_accounts(&lxfw_log_maui, data, size);
	fuzz_accounts(&lxfw_log_moab, data, size);
	return 0;
}
