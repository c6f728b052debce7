/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of CPUs or cores, and their text form "0-2,5" as used by Slurm and the kernel
 * (cpuset(7), List format, without strides).
 */
#ifndef LXFW_SPANK_CPU_LIST_H
#define LXFW_SPANK_CPU_LIST_H

/* cpu_set_t requires -D_GNU_SOURCE. */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* CPU numbers are 0 to LXFW_CPU_LIMIT - 1, the largest range of any kernel. */
#define LXFW_CPU_LIMIT 8192

/* Size of a text that can represent every other one of 1024 CPUs. Formatting fails if a
   set requires more. */
#define LXFW_CPU_LIST_TEXT 4096

struct lxfw_cpus {
	cpu_set_t word[LXFW_CPU_LIMIT / CPU_SETSIZE];
};

void lxfw_cpus_clear(struct lxfw_cpus *cpus);
void lxfw_cpus_add(struct lxfw_cpus *cpus, unsigned cpu);
bool lxfw_cpus_has(const struct lxfw_cpus *cpus, unsigned cpu);
int lxfw_cpus_count(const struct lxfw_cpus *cpus);
bool lxfw_cpus_equal(const struct lxfw_cpus *a, const struct lxfw_cpus *b);
/* Returns true if A is a subset of B. */
bool lxfw_cpus_within(const struct lxfw_cpus *a, const struct lxfw_cpus *b);
void lxfw_cpus_unite(struct lxfw_cpus *cpus, const struct lxfw_cpus *other);
void lxfw_cpus_intersect(struct lxfw_cpus *cpus, const struct lxfw_cpus *other);

/*
 * Parses TEXT, which may end with a newline. The empty text is the empty set. Returns
 * 0, or -1 with errno EINVAL (not a list) or ERANGE (a number beyond the limit) and
 * *CPUS unchanged.
 */
int lxfw_cpus_parse(struct lxfw_cpus *cpus, const char *text);

/* Reads the list from the open FILE, which it closes. Errors are those of
   lxfw_cpus_parse(); also -1 with the errno of read(), or EFBIG. */
int lxfw_cpus_read(struct lxfw_cpus *cpus, int file);

/* Writes the list and a NUL. Returns 0, or -1 with errno ENOSPC and an empty text. */
int lxfw_cpus_format(const struct lxfw_cpus *cpus, char *text, size_t size);

#endif
