/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocator that fails on request. This header is included before all others
 * (-include) in the sources under test, which works with every linker.
 */
#ifndef LXFW_TESTS_FAILING_H
#define LXFW_TESTS_FAILING_H

#include <stddef.h>
#include <stdlib.h>

void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *old, size_t size);
void failing_free(void *old);

/* Make the NTH allocation from now on fail, and no other one; 0 = none. */
void failing_arm(long nth);

/* Disarm. Return whether an allocation has failed since it was armed. */
int failing_disarm(void);

/* Number of blocks that are allocated and not freed. */
long failing_live(void);

#ifndef FAILING_IMPLEMENTATION
#define malloc(size) failing_malloc(size)
#define calloc(count, size) failing_calloc(count, size)
#define realloc(old, size) failing_realloc(old, size)
#define free(old) failing_free(old)
#endif

#endif
