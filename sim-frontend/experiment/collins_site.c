/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site by the statements of Collins and George 2001, section 5.2, and the made run times. They
 * were chosen before the first simulation: speeds as of such machines in the years 1995 to 2000
 * relative to an Ultra 2; run times of some minutes, since the mean job times of figure 8 are 100
 * to 1400 s; speedups so that four of five classes on clusters would save somewhat more than
 * the "nearly 50 %" of figure 5.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/grid/plan.h"
#include "common/model/time.h"
#include "sim-frontend/experiment/collins.h"
#include "sim-frontend/util/random.h"

#define MEMBERS 8
#define LAST_MEMBERS 6		/* of the last cluster */

const struct lxfw_c_machine lxfw_c_machines[] = {
	{ "sparcstation20", 3, { 0.35, 0.35, 0.35 }, 0.5 },
	{ "ultra1", 3, { 0.80, 0.65, 0.80 }, 0.75 },
	{ "ultra2", 3, { 1.00, 0.80, 1.00 }, 1.0 },
	{ "ultra30", 1, { 1.45, 1.15, 1.30 }, 1.0 },
	{ "pentium-200", 2, { 0.40, 0.65, 0.45 }, 0.5 },
	{ "pentium2-300", 2, { 0.75, 1.10, 0.80 }, 0.75 },
	{ "pentium2-400", 2, { 1.00, 1.45, 1.10 }, 1.0 },
	{ "pentium3-600", 2, { 1.50, 2.10, 1.30 }, 0.75 },
	{ NULL, 0, { 0, 0, 0 }, 0 },
};

const struct lxfw_c_class lxfw_c_classes[LXFW_C_KINDS] = {
	{ "vector-matrix", 150, { 0.5, 0.0, 0.5 }, 4.5 },
	{ "integration", 250, { 1.0, 0.0, 0.0 }, 6.5 },
	{ "sort", 120, { 0.0, 0.7, 0.3 }, 1.8 },
	{ "statistics", 200, { 0.5, 0.5, 0.0 }, 0 },
	{ "conjugate gradient", 300, { 0.6, 0.0, 0.4 }, 4.0 },
};

static double seconds_of(const struct lxfw_c_class *class,
			 const struct lxfw_c_machine *machine)
{
	double slowness = 0;

	for (int i = 0; i < 3; i++)
		slowness += class->shares[i] / machine->speeds[i];
	return class->seconds * slowness;
}

/* The run time on a cluster; 0: not in parallel. The speedup is proportional to the machines
   beyond the first. */
static double parallel_seconds(const struct lxfw_c_class *class,
			       const struct lxfw_c_machine *machine, int members)
{
	double speedup = 1 + (class->speedup * machine->network - 1) * (members - 1) /
			     (MEMBERS - 1);

	return class->speedup == 0 ? 0 : seconds_of(class, machine) / speedup;
}

static int add_cluster(struct lxfw_sites *sites, const struct lxfw_c_machine *machine,
		       int number, int members, struct lxfw_error *error)
{
	char cluster[32], name[40];

	snprintf(cluster, sizeof(cluster), "%s-%c", machine->name, 'a' + number);
	for (int i = 0; i < members; i++) {
		snprintf(name, sizeof(name), "%s%d", cluster, i + 1);
		if (lxfw_sites_add(sites, name, 1, error) ||
		    lxfw_sites_join(sites, cluster, error))
			return -1;
	}
	return 0;
}

/* The size of the cluster: the last of all has fewer machines. */
static int members_of(const struct lxfw_c_machine *machine, int number)
{
	return !machine[1].name && number == machine->clusters - 1 ? LAST_MEMBERS : MEMBERS;
}

static int add_times(struct lxfw_grid_times *times, const struct lxfw_sites *sites,
		     const struct lxfw_c_machine *machine, int members, int32_t cluster)
{
	int32_t places = sites->count + sites->cluster_count;
	const int32_t *list = sites->clusters[cluster].sites;

	for (int32_t kind = 0; kind < LXFW_C_KINDS; kind++) {
		const struct lxfw_c_class *class = &lxfw_c_classes[kind];
		int64_t alone = (int64_t)round(seconds_of(class, machine));
		int64_t all = (int64_t)round(parallel_seconds(class, machine, members));

		for (int i = 0; i < members; i++) {
			if (lxfw_grid_times_set(times, kind, places, list[i], alone))
				return -1;
		}
		if (lxfw_grid_times_set(times, kind, places, sites->count + cluster, all))
			return -1;
	}
	return 0;
}

int lxfw_collins_site(struct lxfw_sites *sites, struct lxfw_grid_times *times,
		      struct lxfw_error *error)
{
	int32_t cluster = 0;

	for (const struct lxfw_c_machine *machine = lxfw_c_machines; machine->name; machine++) {
		for (int i = 0; i < machine->clusters; i++) {
			if (add_cluster(sites, machine, i, members_of(machine, i), error))
				return -1;
		}
	}
	for (const struct lxfw_c_machine *machine = lxfw_c_machines; machine->name; machine++) {
		for (int i = 0; i < machine->clusters; i++) {
			if (add_times(times, sites, machine, members_of(machine, i), cluster++)) {
				lxfw_error_set(error, "out of memory");
				errno = ENOMEM;
				return -1;
			}
		}
	}
	return 0;
}

/* --- figure 4 ----------------------------------------------------------------------------- */

#define MACHINES 40
#define CLUSTERS 5
#define CLUSTER_MEMBERS 4

static int32_t one(const void *context, int32_t site)
{
	(void)context;
	(void)site;
	return 1;
}

/* Random times up to 1000 s, on clusters a third of that in the mean. */
static void draw_times(int64_t *seconds, int jobs, int percent, struct lxfw_random *random)
{
	for (int i = 0; i < jobs; i++) {
		bool parallel = i * percent / 100 != (i + 1) * percent / 100;

		for (int j = 0; j < MACHINES; j++)
			*seconds++ = 1 + (int64_t)lxfw_random_below(random, 1000);
		for (int j = 0; j < CLUSTERS; j++)
			*seconds++ = parallel ? 1 + (int64_t)lxfw_random_below(random, 333) :
						LXFW_NEVER;
	}
}

double lxfw_collins_plans(int jobs, int percent, bool parallel, uint64_t seed)
{
	static const int32_t members[CLUSTERS][CLUSTER_MEMBERS] = {
		{ 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 8, 9, 10, 11 }, { 12, 13, 14, 15 },
		{ 16, 17, 18, 19 },
	};
	struct lxfw_grid_cluster clusters[CLUSTERS];
	struct lxfw_slots slots;
	struct lxfw_random random;
	size_t count = (size_t)jobs;
	int64_t *seconds = malloc(count * (MACHINES + CLUSTERS) * sizeof(*seconds));
	int32_t *procs = malloc(count * sizeof(*procs));
	struct lxfw_plan plan = {
		.slots = &slots, .clusters = clusters, .cluster_count = CLUSTERS,
		.count = count, .seconds = seconds, .procs = procs,
	};
	double result = -1;

	for (int i = 0; i < CLUSTERS; i++)
		clusters[i] = (struct lxfw_grid_cluster){ NULL, members[i], CLUSTER_MEMBERS };
	for (size_t i = 0; i < count && procs; i++)
		procs[i] = 1;
	if (lxfw_slots_begin(&slots, MACHINES, one, NULL) == 0 && seconds && procs &&
	    lxfw_plan_begin(&plan) == 0) {
		lxfw_random_seed(&random, seed, (uint64_t)(jobs * 1000 + percent));
		draw_times(seconds, jobs, percent, &random);
		if ((parallel ? lxfw_plan_parallel : lxfw_plan_sequential)(&plan) == 0)
			result = (double)plan.schedules;
	}
	lxfw_plan_clear(&plan);
	lxfw_slots_clear(&slots);
	free(seconds);
	free(procs);
	return result;
}
