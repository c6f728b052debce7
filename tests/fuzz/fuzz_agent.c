/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent with a workload manager that refuses, delays, lies and dies as the input
 * says. Each byte is one random decision of tests/unit/fake_wlm.h. After the last byte,
 * no further error occurs.
 *
 * It executes about 1,000 inputs per second, not 2,000: each one is a life of the agent and of its
 * jobs until the last of them has ended, which is what finds a job that waits for ever. Inputs of
 * check-fuzz.sh are therefore short.
 */
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

#include "tests/unit/fake_wlm.h"

const char fuzz_name[] = "agent";

static char folder[] = "/dev/shm/lxfw-fuzz-XXXXXX";	/* fsync() is fast in /dev/shm */

static void remove_folder(void)
{
	rmdir(folder);
}

static void make_folder(void)
{
	static bool made;

	if (made)
		return;
	made = true;
	if (access("/dev/shm", W_OK) < 0)
		strcpy(folder, "/tmp/lxfw-fuzz-XXXXXX");
	FUZZ_CHECK(mkdtemp(folder) && atexit(remove_folder) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct fake fake;
	bool finished;

	make_folder();
	memset(&fake, 0, sizeof(fake));
	fake.bytes = data;
	fake.byte_count = size;
	strcpy(fake.folder, folder);
	fake_begin(&fake);
	while (fake.byte_count && !fake.wrong[0])
		fake_step(&fake);
	finished = fake_finish(&fake);
	fake_end(&fake);
	if (fake.wrong[0])
		fprintf(stderr, "%s\n", fake.wrong);
	FUZZ_CHECK(!fake.wrong[0] && finished);
	return 0;
}
