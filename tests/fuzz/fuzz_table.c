/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader of tables with named columns. */
#include "tests/fuzz/accounts.h"
#include "tests/fuzz/fuzz.h"

const char fuzz_name[] = "table";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char numbers[] =
		"submit=1,run=2,procs_milli=3,gpus=4,gpus_milli=5,instances=6,limit=7";

	/* Three readings of each input would be slow. A header line begins with a name. */
	if (size == 0 || data[0] < '0' || data[0] > '9')
		fuzz_accounts(&lxfw_log_table, data, size);
	else if (size % 2 == 0)
		fuzz_table("pai-2020", data, size);
	else
		fuzz_table(numbers, data, size);
	return 0;
}
