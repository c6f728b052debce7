/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's numbers of cores to the machine's numbers of CPUs.
 *
 * Slurm counts cores socket by socket; the kernel may number CPUs round the
 * sockets, and has the second threads of cores behind all first ones. slurmd
 * knows which is which (`Abstract -> Machine` in its log), and its mapping is
 * used where the program exports it. Where not, the same is made of what the
 * kernel tells: sockets in the order of their first CPU, in each the cores in
 * the order of theirs, in each its threads. Like slurmd's, it begins anew where
 * a node is configured with more cores than the machine has.
 */
#ifndef LXFW_SPANK_CPU_MAP_H
#define LXFW_SPANK_CPU_MAP_H

#include "plugins/slurm/spank-lxfw/cpu_list.h"

#define LXFW_CPU_MAP_FOLDER "/sys/devices/system/cpu"

struct lxfw_cpu_map {
	unsigned count;		/* CPUs */
	unsigned threads;	/* of each core */
	unsigned *machine;	/* by Slurm's order; COUNT of them */
};

/*
 * Learn the machine from FOLDER, LXFW_CPU_MAP_FOLDER. A CPU without
 * topology is a core of its own; where cores have different numbers of threads,
 * each CPU is taken for a core. 0, or -1 with errno ENOMEM, EINVAL or ERANGE (no
 * list of CPUs, or none in it), EFBIG (longer than LXFW_CPU_LIST_TEXT) or of
 * open(2), and *MAP empty.
 */
int lxfw_cpu_map_read(struct lxfw_cpu_map *map, const char *folder);

void lxfw_cpu_map_free(struct lxfw_cpu_map *map);

/* All threads of CORES. */
void lxfw_cpu_map_use(const struct lxfw_cpu_map *map,
		      const struct lxfw_cpus *cores, struct lxfw_cpus *cpus);

/*
 * The CPUs of CORES: by slurmd's map or, where that cannot be asked, by MAP, and
 * of these such as the machine has.
 */
void lxfw_cpu_map_machine(const struct lxfw_cpu_map *map,
			  const struct lxfw_cpus *cores,
			  struct lxfw_cpus *cpus);

#endif
