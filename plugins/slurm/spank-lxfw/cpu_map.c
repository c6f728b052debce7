/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/cpu_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "plugins/slurm/compat/step.h"

/* A CPU and its position. Socket and core are identified by their first CPU. */
struct place {
	unsigned cpu;
	unsigned core;
	unsigned socket;
};

/* Parses the list in FOLDER/NAME. Returns 0, or -1 with errno. */
static int read_list(const char *folder, const char *name,
		     struct lxfw_cpus *cpus)
{
	char path[512];
	int file;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	return lxfw_cpus_read(cpus, file);
}

/* Returns the first of the CPUs in the list FILE of CPU, or CPU itself if there is
   none. */
static unsigned first_beside(const char *folder, unsigned cpu,
			     const char *file)
{
	struct lxfw_cpus beside;
	char name[96];
	unsigned first = 0;

	snprintf(name, sizeof(name), "cpu%u/topology/%s", cpu, file);
	if (read_list(folder, name, &beside) < 0 || !lxfw_cpus_has(&beside, cpu))
		return cpu;
	while (!lxfw_cpus_has(&beside, first))
		first++;
	return first;
}

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->socket != b->socket)
		return a->socket < b->socket ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* Returns the number of threads of each core. Returns 1 if cores differ; each CPU then
   counts as a core. */
static unsigned threads_of(const struct place *places, unsigned count)
{
	unsigned cores = 0, most = 0, run = 0, i;

	for (i = 0; i < count; i++) {
		if (i == 0 || places[i].core != places[i - 1].core ||
		    places[i].socket != places[i - 1].socket) {
			cores++;
			run = 0;
		}
		if (++run > most)
			most = run;
	}
	return cores * most == count ? most : 1;
}

int lxfw_cpu_map_read(struct lxfw_cpu_map *map, const char *folder)
{
	struct lxfw_cpus present;
	struct place *places;
	unsigned cpu, count = 0;
	size_t room;

	*map = (struct lxfw_cpu_map){ 0 };
	if (read_list(folder, "present", &present) < 0)
		return -1;
	room = (size_t)lxfw_cpus_count(&present);
	if (room == 0) {
		errno = EINVAL;
		return -1;
	}
	places = calloc(room, sizeof(*places));
	map->machine = calloc(room, sizeof(*map->machine));
	if (!places || !map->machine) {
		free(places);
		lxfw_cpu_map_free(map);
		errno = ENOMEM;
		return -1;
	}
	for (cpu = 0; cpu < LXFW_CPU_LIMIT; cpu++)
		if (lxfw_cpus_has(&present, cpu))
			places[count++] = (struct place){
				.cpu = cpu,
				.core = first_beside(folder, cpu,
						     "thread_siblings_list"),
				.socket = first_beside(folder, cpu,
						       "core_siblings_list"),
			};
	qsort(places, count, sizeof(*places), by_place);
	for (cpu = 0; cpu < count; cpu++)
		map->machine[cpu] = places[cpu].cpu;
	map->count = count;
	map->threads = threads_of(places, count);
	free(places);
	return 0;
}

void lxfw_cpu_map_free(struct lxfw_cpu_map *map)
{
	free(map->machine);
	*map = (struct lxfw_cpu_map){ 0 };
}

void lxfw_cpu_map_use(const struct lxfw_cpu_map *map,
		      const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	unsigned core, thread;

	lxfw_cpus_clear(cpus);
	if (map->count == 0)
		return;
	for (core = 0; core < LXFW_CPU_LIMIT; core++) {
		if (!lxfw_cpus_has(cores, core))
			continue;
		for (thread = 0; thread < map->threads; thread++)
			lxfw_cpus_add(cpus, map->machine[(core * map->threads +
							  thread) %
							 map->count]);
	}
}

void lxfw_cpu_map_machine(const struct lxfw_cpu_map *map,
			  const struct lxfw_cpus *cores,
			  struct lxfw_cpus *cpus)
{
	struct lxfw_cpus has;
	unsigned i;

	if (lxfw_step_machine_cpus(cores, cpus) < 0)
		lxfw_cpu_map_use(map, cores, cpus);
	/* Without a map the machine's CPUs are unknown. The kernel ignores CPUs that it
	   does not have. */
	if (map->count == 0)
		return;
	lxfw_cpus_clear(&has);
	for (i = 0; i < map->count; i++)
		lxfw_cpus_add(&has, map->machine[i]);
	lxfw_cpus_intersect(cpus, &has);
}
