/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocator that fails once, for golden/memory.sh: it is preloaded into lxfw. The places of lxfw
 * that allocate are numbered in the order in which they are come to for the first time; a place is
 * the allocation and its three callers. LXFW_FAIL_AT=N: the first allocation of place N fails.
 * LXFW_FAIL_COUNT=FILE: the number of places is written to FILE at the end. Allocations of other
 * libraries succeed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 4
#define TABLE 65536	/* a power of 2 */

static void *(*real_malloc)(size_t size);
static void *(*real_calloc)(size_t count, size_t size);
static void *(*real_realloc)(void *old, size_t size);

static uintptr_t begin, end;		/* of the code of lxfw */
static uint64_t places[TABLE];
static long count, fail_at;
static const char *count_file;
static __thread int inside;

static int find_code(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		begin = info->dlpi_addr + part->p_vaddr;
		end = begin + part->p_memsz;
	}
	return 1;	/* the first one is the program */
}

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("LXFW_FAIL_AT");
	void *frames[DEPTH];

	inside = 1;
	backtrace(frames, DEPTH);	/* loads a library the first time */
	fail_at = at ? strtol(at, NULL, 10) : 0;
	count_file = getenv("LXFW_FAIL_COUNT");
	dl_iterate_phdr(find_code, NULL);
	inside = 0;
}

__attribute__((destructor)) static void stop(void)
{
	FILE *file = count_file ? fopen(count_file, "w") : NULL;

	if (!file)
		return;
	inside = 1;
	fprintf(file, "%ld\n", count);
	fclose(file);
}

/* Whether the place is new. */
static int add(uint64_t place)
{
	size_t at = place & (TABLE - 1);

	while (places[at] != 0 && places[at] != place)
		at = (at + 1) & (TABLE - 1);
	if (places[at] == place || count >= TABLE / 2)
		return 0;
	places[at] = place;
	return 1;
}

static int fails(const void *caller)
{
	void *frames[DEPTH + 2];
	uint64_t place = 14695981039346656037u;
	int depth;

	if ((uintptr_t)caller < begin || (uintptr_t)caller >= end || inside)
		return 0;
	inside = 1;
	depth = backtrace(frames, DEPTH + 2);
	/* without this function and the allocator's own */
	for (int i = 2; i < depth; i++)
		place = (place ^ ((uintptr_t)frames[i] - begin)) * 1099511628211u;
	inside = 0;
	if (!add(place | 1) || ++count != fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	if (!real_malloc)
		*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	return fails(__builtin_return_address(0)) ? NULL : real_malloc(size);
}

void *calloc(size_t number, size_t size)
{
	if (!real_calloc)
		*(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
	return fails(__builtin_return_address(0)) ? NULL : real_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
	if (!real_realloc)
		*(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
	return fails(__builtin_return_address(0)) ? NULL : real_realloc(old, size);
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy;

	if (!real_malloc)
		*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	copy = fails(__builtin_return_address(0)) ? NULL : real_malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}
