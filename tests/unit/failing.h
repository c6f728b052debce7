/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocator that fails on request. The sources under test are compiled with
 * this header before anything else (-include), which works with every linker.
 */
#ifndef LXFW_TESTS_FAILING_H
#define LXFW_TESTS_FAILING_H

#include <stddef.h>
#include <stdlib.h>

void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *old, size_t size);
void failing_free(void *old);

/* Let the NTH allocation from now on fail, and only that; 0 = none. */
void failing_arm(long nth);

/* Disarm; whether it has failed since it was armed. */
int failing_disarm(void);

/* Blocks that are allocated and not freed. */
long failing_live(void);

#ifndef FAILING_IMPLEMENTATION
#define malloc(size) failing_malloc(size)
#define calloc(count, size) failing_calloc(count, size)
#define realloc(old, size) failing_realloc(old, size)
#define free(old) failing_free(old)
#endif

#endif
