/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of CPUs or cores, and their text: "0-2,5", as Slurm and the kernel write
 * it (cpuset(7), List format, without strides).
 */
#ifndef LXFW_SPANK_CPU_LIST_H
#define LXFW_SPANK_CPU_LIST_H

/* With -D_GNU_SOURCE, for cpu_set_t. */
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* Numbers 0 to LXFW_CPU_LIMIT - 1: no kernel knows more. */
#define LXFW_CPU_LIMIT 8192

/* Room for the text of any set that is no worse than every other CPU of 1024;
   formatting says if it does not fit. */
#define LXFW_CPU_LIST_TEXT 4096

struct lxfw_cpus {
	cpu_set_t word[LXFW_CPU_LIMIT / CPU_SETSIZE];
};

void lxfw_cpus_clear(struct lxfw_cpus *cpus);
void lxfw_cpus_add(struct lxfw_cpus *cpus, unsigned cpu);
bool lxfw_cpus_has(const struct lxfw_cpus *cpus, unsigned cpu);
int lxfw_cpus_count(const struct lxfw_cpus *cpus);
bool lxfw_cpus_equal(const struct lxfw_cpus *a, const struct lxfw_cpus *b);
/* Is all of A in B? */
bool lxfw_cpus_within(const struct lxfw_cpus *a, const struct lxfw_cpus *b);
void lxfw_cpus_unite(struct lxfw_cpus *cpus, const struct lxfw_cpus *other);
void lxfw_cpus_intersect(struct lxfw_cpus *cpus, const struct lxfw_cpus *other);

/*
 * Read TEXT, which may end in a newline. The empty text is the empty set. 0, or
 * -1 with errno EINVAL (no list) or ERANGE (a number beyond the limit); *CPUS is
 * unchanged then.
 */
int lxfw_cpus_parse(struct lxfw_cpus *cpus, const char *text);

/* Write the list with a NUL. 0, or -1 with errno ENOSPC and an empty text. */
int lxfw_cpus_format(const struct lxfw_cpus *cpus, char *text, size_t size);

#endif
