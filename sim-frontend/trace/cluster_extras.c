/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/cluster_extras.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"

/* Amounts from this one on are those of space or bandwidth. */
#define LARGE 1024

/* --- extras --------------------------------------------------------------------- */

static int32_t limited(int64_t count)
{
	return count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

/* Returns whether TYPE is a type of KIND: "gpu:a100" of "gpu". */
static bool is_type_of(const char *type, const char *kind)
{
	size_t length = strlen(kind);

	return strncasecmp(type, kind, length) == 0 && type[length] == ':';
}

/* Facts about a name. */
struct about {
	int32_t most;		/* the largest amount on a host */
	bool alone;		/* a type that is the only GRES of its kind on its hosts */
	bool wanted;		/* jobs request it, or nothing is known */
	int8_t extra;		/* -1: none */
};

static void look_at(const struct lxfw_gres_table *table,
		    const struct lxfw_gres_range *range, struct about *about)
{
	for (size_t i = range->first; i < range->first + range->count; i++) {
		const struct lxfw_gres_amount *amount = &table->amounts[i];
		const char *name = table->names[amount->name];
		size_t length = strcspn(name, ":");

		if (amount->count > about[amount->name].most)
			about[amount->name].most = amount->count;
		for (size_t j = range->first; j < range->first + range->count; j++) {
			const char *other = table->names[table->amounts[j].name];

			if (j != i && strncasecmp(name, other, length) == 0 &&
			    (other[length] == '\0' || other[length] == ':'))
				about[amount->name].alone = false;
		}
	}
}

static int add_extra(struct lxfw_cluster *cluster, const char *name)
{
	cluster->gpus |= (uint8_t)(lxfw_gres_is_gpu(name) << cluster->extra_count);
	cluster->extras[cluster->extra_count] = strdup(name);
	if (!cluster->extras[cluster->extra_count])
		return -1;
	return cluster->extra_count++;
}

/* Those of types which restrict, and of names that no job requests. */
#define RESTRICTING 5
#define UNWANTED 6
#define RANKS (2 * UNWANTED)

/* The order in which names have extras if there are too few: 0 is first. */
static int rank_of(const char *name, const struct about *about)
{
	bool type = strchr(name, ':') != NULL;
	int rank;

	if (type && about->alone)
		return RESTRICTING;
	if (strcasecmp(name, "gpu") == 0)
		rank = 0;
	else if (is_type_of(name, "gpu"))
		rank = 1;
	else
		rank = about->most >= LARGE ? 4 : 2 + type;
	return about->wanted ? rank : rank + UNWANTED;
}

static int choose(struct lxfw_cluster *cluster, struct about *about, int room)
{
	struct lxfw_gres_table *table = &cluster->gres;
	bool all = table->count <= room;

	for (int rank = 0; rank < RANKS; rank++) {
		for (int32_t i = 0; i < table->count; i++) {
			int extra;

			if (!all && rank_of(table->names[i], &about[i]) != rank)
				continue;
			table->restricts[i] = !all && rank == RESTRICTING;
			if (table->restricts[i])
				continue;
			if (cluster->extra_count == room) {
				cluster->extras_left_out++;
				continue;
			}
			extra = add_extra(cluster, table->names[i]);
			if (extra < 0)
				return -1;
			about[i].extra = (int8_t)extra;
		}
		if (all)
			break;
	}
	return 0;
}

/* The amount of a kind includes its types. */
static void take_amounts(const struct lxfw_gres_table *table, const struct about *about,
			 struct lxfw_cluster_host *host)
{
	const struct lxfw_gres_range *range = &host->gres;

	for (size_t i = range->first; i < range->first + range->count; i++) {
		const struct lxfw_gres_amount *amount = &table->amounts[i];

		for (int32_t j = 0; j < table->count; j++) {
			int32_t *extra = &host->total.extras[about[j].extra < 0 ? 0 :
							     about[j].extra];

			if (about[j].extra >= 0 && (j == amount->name ||
			    is_type_of(table->names[amount->name], table->names[j])))
				*extra = limited((int64_t)*extra + amount->count);
		}
	}
}

/* --- processors of a partition on a host ---------------------------------------- */

/* Returns how many processors of the host all jobs of a partition with these rules may use. */
static int32_t cap_on(const struct lxfw_cluster_host *host, const struct lxfw_partition *rules)
{
	int64_t sockets = host->socket_count > 0 ? host->socket_count : host->total.procs;
	int64_t cap = host->total.procs, most = sockets * rules->max_socket_procs;

	if (rules->max_host_procs > 0 && rules->max_host_procs < cap)
		cap = rules->max_host_procs;
	if (rules->max_socket_procs > 0 && most < cap)
		cap = most;
	return (int32_t)cap;
}

static bool is_capped(const struct lxfw_cluster *cluster, const struct lxfw_cluster_set *set)
{
	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_cluster_host *host = &cluster->hosts[set->hosts[i]];

		if (cap_on(host, &set->rules) < host->total.procs)
			return true;
	}
	return false;
}

bool lxfw_cluster_has_more_room(const struct lxfw_cluster *cluster, int32_t set, int32_t other,
				bool equal)
{
	const struct lxfw_cluster_set *a = &cluster->sets[set], *b = &cluster->sets[other];
	int32_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct lxfw_cluster_host *host = &cluster->hosts[a->hosts[i]];

		if (a->hosts[i] == b->hosts[k])
			return cap_on(host, &b->rules) + equal > cap_on(host, &a->rules);
		if (a->hosts[i] < b->hosts[k])
			i++;
		else
			k++;
	}
	return false;
}

/* Returns the lowest number that no host of the set has, and gives it to its hosts. */
static int8_t take_number(const struct lxfw_cluster_set *set, uint64_t *numbers)
{
	uint64_t taken = 0;
	int8_t number = 0;

	for (int32_t i = 0; i < set->count; i++)
		taken |= numbers[set->hosts[i]];
	while (number < 63 && taken >> number & 1)
		number++;
	for (int32_t i = 0; i < set->count; i++)
		numbers[set->hosts[i]] |= UINT64_C(1) << number;
	return number;
}

/* Numbers the partitions with a limit, from 1 in `cap`: those without a common host may have
   the same number, for the same extra. Returns how many numbers there are, or -1 with errno
   ENOMEM. */
static int number_caps(struct lxfw_cluster *cluster)
{
	uint64_t *numbers = calloc((size_t)cluster->count + 1, sizeof(*numbers));
	int count = 0;

	if (!numbers)
		return -1;
	for (int32_t i = 0; i < cluster->set_count; i++) {
		struct lxfw_cluster_set *set = &cluster->sets[i];

		if (!is_capped(cluster, set))
			continue;
		set->cap = (int8_t)(1 + take_number(set, numbers));
		count = set->cap > count ? set->cap : count;
	}
	free(numbers);
	return count;
}

/* Gives each number an extra, and each limit that of its number. Without an extra that is
   left, the limit is not simulated. */
static int cap(struct lxfw_cluster *cluster, int count)
{
	int first = cluster->extra_count;

	for (int i = 0; i < count && cluster->extra_count < LXFW_EXTRAS_MAX; i++) {
		char name[40];

		/* no GRES has a name with a blank */
		snprintf(name, sizeof(name), "processors of a partition %d", i);
		if (add_extra(cluster, name) < 0)
			return -1;
		for (int32_t j = 0; j < cluster->count; j++)
			cluster->hosts[j].total.extras[first + i] = cluster->hosts[j].total.procs;
	}
	for (int32_t i = 0; i < cluster->set_count; i++) {
		struct lxfw_cluster_set *set = &cluster->sets[i];

		if (set->cap == 0)
			continue;
		if (first + set->cap > cluster->extra_count) {
			set->cap = 0;
			cluster->caps_left_out++;
			continue;
		}
		set->cap = (int8_t)(set->cap + first);
		for (int32_t j = 0; j < set->count; j++) {
			struct lxfw_cluster_host *host = &cluster->hosts[set->hosts[j]];

			host->total.extras[set->cap - 1] = cap_on(host, &set->rules);
		}
	}
	return 0;
}

/* --- processors that are kept for jobs with GPUs -------------------------------- */

/* Returns how many processors of the host are kept. */
static int64_t kept_on(const struct lxfw_cluster *cluster, const struct lxfw_cluster_host *host)
{
	const struct lxfw_gres_range *range = &host->gres;
	int64_t kept = 0;

	for (size_t i = range->first; i < range->first + range->count; i++) {
		const struct lxfw_gres_amount *amount = &cluster->gres.amounts[i];

		if (lxfw_gres_is_gpu(cluster->gres.names[amount->name]))
			kept += (int64_t)amount->count * host->gpu_procs;
	}
	return kept < host->total.procs ? kept : host->total.procs;
}

static bool keeps_any(const struct lxfw_cluster *cluster)
{
	int32_t i = 0;

	while (i < cluster->count && kept_on(cluster, &cluster->hosts[i]) == 0)
		i++;
	return i < cluster->count;
}

/* Gives the processors that are not kept an extra. */
static int open_procs(struct lxfw_cluster *cluster)
{
	int extra = add_extra(cluster, "processors without GPUs");
	bool differ = false;

	if (extra < 0)
		return -1;
	cluster->open = (int8_t)(1 + extra);
	for (int32_t i = 0; i < cluster->count; i++) {
		struct lxfw_cluster_host *host = &cluster->hosts[i];
		int64_t kept = kept_on(cluster, host);

		host->total.extras[extra] = (int32_t)(host->total.procs - kept);
		if (kept == 0)
			continue;
		differ |= cluster->gpu_procs != 0 && cluster->gpu_procs != host->gpu_procs;
		if (cluster->gpu_procs == 0 || host->gpu_procs < cluster->gpu_procs)
			cluster->gpu_procs = host->gpu_procs;
	}
	return differ ? lxfw_cluster_note(cluster, "RestrictedCoresPerGPU differs: a job with "
					  "GPUs is simulated with %d processors kept for each",
					  cluster->gpu_procs) : 0;
}

/* --- parts ---------------------------------------------------------------------- */

/* Adds the hosts with the GRES NAME of a partition, or of the cluster if SET is -1. A part
   that has no host, or all of them, is not needed. */
static int add_part(struct lxfw_cluster *cluster, int32_t set, int32_t name)
{
	int32_t count = set < 0 ? cluster->count : cluster->sets[set].count;
	int32_t *hosts = malloc(((size_t)count + 1) * sizeof(*hosts)), with = 0;
	struct lxfw_cluster_set *part;

	if (!hosts)
		return -1;
	for (int32_t i = 0; i < count; i++) {
		int32_t host = set < 0 ? i : cluster->sets[set].hosts[i];

		if (lxfw_gres_count(&cluster->gres, &cluster->hosts[host].gres, name) > 0)
			hosts[with++] = host;
	}
	if (with == 0 || (with == count && set >= 0)) {
		free(hosts);
		return 0;
	}
	if (LXFW_GROW(cluster->sets, cluster->sets_size, (size_t)cluster->set_count + 1)) {
		free(hosts);
		return -1;
	}
	part = &cluster->sets[cluster->set_count++];
	*part = (struct lxfw_cluster_set) {
		.name = strdup(cluster->gres.names[name]), .hosts = hosts, .count = with,
		.is_part = true, .partition = set, .gres = name,
	};
	return part->name ? 0 : -1;
}

static int add_parts(struct lxfw_cluster *cluster)
{
	int32_t partitions = cluster->set_count;

	for (int32_t name = 0; name < cluster->gres.count; name++) {
		if (!cluster->gres.restricts[name])
			continue;
		for (int32_t set = -1; set < partitions; set++) {
			if (add_part(cluster, set, name))
				return -1;
		}
	}
	return 0;
}

int32_t lxfw_cluster_part(const struct lxfw_cluster *cluster, int32_t set, int32_t name)
{
	const struct lxfw_cluster_set *of = set < 0 ? NULL : &cluster->sets[set];

	for (int32_t i = 0; i < cluster->set_count; i++) {
		const struct lxfw_cluster_set *part = &cluster->sets[i];

		if (part->is_part && part->partition == set && part->gres == name)
			return i;
	}
	/* All hosts of the partition have it, or none. */
	return of && of->count > 0 &&
	       lxfw_gres_count(&cluster->gres, &cluster->hosts[of->hosts[0]].gres,
			       name) > 0 ? set : -1;
}

int32_t lxfw_cluster_partition_of(const struct lxfw_cluster *cluster, int32_t set)
{
	return set >= 0 && cluster->sets[set].is_part ? cluster->sets[set].partition : set;
}

/* States what is not simulated. */
static int note_lack(struct lxfw_cluster *cluster, const struct about *about)
{
	int32_t first = 0;

	while (first < cluster->gres.count &&
	       (about[first].extra >= 0 || cluster->gres.restricts[first]))
		first++;
	if (first < cluster->gres.count &&
	    lxfw_cluster_note(cluster, "%d GRES more than the %d that a simulation counts, such "
			      "as %s: those that jobs request come first",
			      cluster->extras_left_out, cluster->extra_count,
			      cluster->gres.names[first]))
		return -1;
	return cluster->caps_left_out > 0 ?
	       lxfw_cluster_note(cluster, "limits of processors on a node of %d partitions are "
				 "not simulated",
				 cluster->caps_left_out) : 0;
}

static int settle(struct lxfw_cluster *cluster, const bool *wanted)
{
	struct lxfw_gres_table *table = &cluster->gres;
	size_t names = (size_t)table->count + 1;
	struct about *about = calloc(names, sizeof(*about));
	int caps = number_caps(cluster), limits, failed;
	bool keeps = keeps_any(cluster);

	table->restricts = calloc(names, sizeof(*table->restricts));
	if (!about || !table->restricts || caps < 0) {
		free(about);
		return -1;
	}
	for (int32_t i = 0; i < table->count; i++)
		about[i] = (struct about) {
			.alone = strchr(table->names[i], ':'), .extra = -1,
			.wanted = !wanted || wanted[i],
		};
	for (int32_t i = 0; i < cluster->count; i++) {
		if (i == 0 || cluster->hosts[i].gres.first != cluster->hosts[i - 1].gres.first)
			look_at(table, &cluster->hosts[i].gres, about);
	}
	/* at least two GRES, such as GPUs and one other */
	limits = caps + keeps < LXFW_EXTRAS_MAX - 2 ? caps + keeps : LXFW_EXTRAS_MAX - 2;
	failed = choose(cluster, about, LXFW_EXTRAS_MAX - limits) ||
		 (keeps && open_procs(cluster));
	for (int32_t i = 0; i < cluster->count && !failed; i++)
		take_amounts(table, about, &cluster->hosts[i]);
	failed = failed || cap(cluster, caps) || note_lack(cluster, about) || add_parts(cluster) ||
		 lxfw_cluster_find_kinds(cluster) ? -1 : 0;
	free(about);
	return failed;
}

int lxfw_cluster_settle(struct lxfw_cluster *cluster)
{
	return settle(cluster, NULL);
}

static void unsettle(struct lxfw_cluster *cluster)
{
	while (cluster->set_count > 0 && cluster->sets[cluster->set_count - 1].is_part) {
		struct lxfw_cluster_set *part = &cluster->sets[--cluster->set_count];

		free(part->name);
		free(part->hosts);
		free(part->kinds.kinds);
	}
	for (int32_t i = 0; i < cluster->set_count; i++)
		cluster->sets[i].cap = 0;
	while (cluster->extra_count > 0)
		free(cluster->extras[--cluster->extra_count]);
	for (int32_t i = 0; i < cluster->count; i++)
		memset(cluster->hosts[i].total.extras, 0,
		       sizeof(cluster->hosts[i].total.extras));
	free(cluster->gres.restricts);
	cluster->gres.restricts = NULL;
	cluster->extras_left_out = cluster->caps_left_out = 0;
	cluster->gpus = 0;
	cluster->open = 0;
	cluster->gpu_procs = 0;
}

int lxfw_cluster_settle_wanted(struct lxfw_cluster *cluster, const bool *wanted)
{
	unsettle(cluster);
	return settle(cluster, wanted);
}
