/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps Slurm's core numbers to the machine's CPU numbers.
 *
 * Slurm numbers cores socket by socket. The kernel may number CPUs alternately across
 * sockets, and numbers second threads of cores after all first ones. slurmd has a map
 * (`Abstract -> Machine` in its log), which is used where the program exports it.
 * Otherwise the map is derived from the kernel's data: sockets in the order of their
 * first CPU, within each the cores in the order of theirs, within each its threads. As
 * with slurmd's map, numbering starts over if a node is configured with more cores than
 * the machine has.
 */
#ifndef LXFW_SPANK_CPU_MAP_H
#define LXFW_SPANK_CPU_MAP_H

#include "plugins/slurm/spank-lxfw/cpu_list.h"

#define LXFW_CPU_MAP_FOLDER "/sys/devices/system/cpu"

struct lxfw_cpu_map {
	unsigned count;		/* number of CPUs */
	unsigned threads;	/* per core */
	unsigned *machine;	/* `count` CPU numbers in Slurm's order */
};

/*
 * Reads the machine's topology from FOLDER, normally LXFW_CPU_MAP_FOLDER. A CPU without
 * topology counts as a core. If cores have different numbers of threads, each CPU
 * counts as a core. Returns 0, or -1 with *MAP empty and errno ENOMEM, EINVAL or ERANGE
 * (no valid list of CPUs, or an empty one), EFBIG (longer than LXFW_CPU_LIST_TEXT) or
 * that of open(2).
 */
int lxfw_cpu_map_read(struct lxfw_cpu_map *map, const char *folder);

void lxfw_cpu_map_free(struct lxfw_cpu_map *map);

/* Sets CPUS to all threads of CORES. */
void lxfw_cpu_map_use(const struct lxfw_cpu_map *map,
		      const struct lxfw_cpus *cores, struct lxfw_cpus *cpus);

/*
 * Sets CPUS to the CPUs of CORES by slurmd's map or, if that is not available, by MAP.
 * CPUs that the machine does not have are left out.
 */
void lxfw_cpu_map_machine(const struct lxfw_cpu_map *map,
			  const struct lxfw_cpus *cores,
			  struct lxfw_cpus *cpus);

#endif
