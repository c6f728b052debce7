/* SPDX-License-Identifier: GPL-2.0-or-later */
#undef malloc
#undef calloc
#undef realloc
#undef free
#include "tests/unit/failing.h"

#include <errno.h>

static long countdown, live;
static int failed;

void failing_arm(long nth)
{
	countdown = nth;
	failed = 0;
}

int failing_disarm(void)
{
	countdown = 0;
	return failed;
}

long failing_live(void)
{
	return live;
}

static int fails(void)
{
	if (countdown == 0 || --countdown > 0)
		return 0;
	failed = 1;
	errno = ENOMEM;
	return 1;
}

void *failing_malloc(size_t size)
{
	void *block = fails() ? NULL : malloc(size);

	live += block != NULL;
	return block;
}

void *failing_calloc(size_t count, size_t size)
{
	void *block = fails() ? NULL : calloc(count, size);

	live += block != NULL;
	return block;
}

void *failing_realloc(void *old, size_t size)
{
	void *block = fails() ? NULL : realloc(old, size);

	live += block && !old;
	return block;
}

void failing_free(void *old)
{
	live -= old != NULL;
	free(old);
}
