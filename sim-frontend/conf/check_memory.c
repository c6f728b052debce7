/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The selection of nodes and memory: SelectType, SelectTypeParameters, RealMemory of the nodes
 * and the memory of jobs that request none. What is missing has the default of the release.
 * slurmctld does not start with some of the combinations, and refuses all jobs with others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check.h"
#include "sim-frontend/util/text.h"

/* The first release whose default is select/cons_tres, 23.11. */
#define CONS_TRES_USUAL 0x170b00
/* The default of SelectTypeParameters with select/cons_tres. */
#define PARAMETERS_USUAL "CR_Core_Memory"

static int64_t number(const struct lxfw_conf_setting *setting)
{
	int64_t value = 0;

	if (setting)
		lxfw_text_integer(setting->value, strlen(setting->value), 0, INT64_MAX, &value);
	return value;
}

static void set_number(struct lxfw_checking *check, struct lxfw_finding *found,
		       const struct lxfw_conf_setting *setting, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	lxfw_found_set(check, found, setting, key, text);
}

/* --- SelectTypeParameters ------------------------------------------------------------- */

/* The item that names what is allocated, "CR_Core_Memory". */
struct consumable {
	const char *at;			/* in the value; NULL: there is none */
	size_t length;
	bool memory;			/* memory is allocated */
	bool alone;			/* only memory is: CR_Memory */
};

static struct consumable consumable(const char *parameters)
{
	static const char *const kinds[] = { "CR_CPU", "CR_Core", "CR_Socket", "CR_Board" };
	struct consumable of = { 0 };

	for (const char *at = parameters; *at && !of.at; ) {
		size_t length = strcspn(at, ","), kind;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !of.at; i++) {
			kind = strlen(kinds[i]);
			if (strncasecmp(at, kinds[i], kind) != 0)
				continue;
			of.memory = length == kind + 7 && strncasecmp(at + kind, "_Memory", 7) == 0;
			if (of.memory || length == kind)
				of.at = at;
		}
		if (length == 9 && strncasecmp(at, "CR_Memory", 9) == 0)
			of = (struct consumable) { at, length, true, true };
		of.length = length;
		at += length + (at[length] == ',');
	}
	return of;
}

/* Sets SelectTypeParameters to PARAMETERS with another consumable item. */
static void set_consumable(struct lxfw_checking *check, struct lxfw_finding *found,
			   const struct lxfw_conf_setting *setting, bool memory)
{
	const char *parameters = setting ? setting->value : "";
	struct consumable of = consumable(parameters);
	size_t kind = of.length - (of.at && of.memory ? 7 : 0);
	char *value;
	int written;

	if (of.at && !of.alone)
		written = asprintf(&value, "%.*s%.*s%s%s", (int)(of.at - parameters), parameters,
				   (int)kind, of.at, memory ? "_Memory" : "",
				   of.at + of.length);
	else if (of.alone)
		written = asprintf(&value, "%.*sCR_Core%s%s", (int)(of.at - parameters),
				   parameters, memory ? "_Memory" : "", of.at + of.length);
	else
		written = asprintf(&value, "CR_Core%s%s%s", memory ? "_Memory" : "",
				   *parameters ? "," : "", parameters);
	if (written < 0) {
		check->findings->failed = true;
		return;
	}
	lxfw_found_set(check, found, setting, "SelectTypeParameters", value);
	free(value);
}

/* --- nodes ---------------------------------------------------------------------------- */

struct memory_of_nodes {
	size_t with, without;			/* NodeName lines */
	const struct lxfw_conf_setting *first;	/* the first without RealMemory */
};

static struct memory_of_nodes count_nodes(const struct lxfw_conf *conf)
{
	struct memory_of_nodes of = { 0 };

	for (size_t i = 0; i < conf->record_count; i++) {
		const struct lxfw_conf_setting *name =
			&conf->settings[conf->records[i].first];
		const struct lxfw_conf_setting *state;
		bool memory, future;

		if (strcasecmp(name->key, "NodeName") != 0 ||
		    lxfw_conf_record_is_default(conf, i))
			continue;
		state = lxfw_conf_record_get(conf, i, "State");
		future = state && strcasecmp(state->value, "FUTURE") == 0;
		memory = number(lxfw_conf_record_get(conf, i, "RealMemory")) > 1;
		/* A node that will exist may tell its memory later. */
		if (memory) {
			of.with++;
		} else if (!future) {
			of.without++;
			of.first = of.first ? of.first : name;
		}
	}
	return of;
}

/* --- SelectType ----------------------------------------------------------------------- */

/* Jobs get whole nodes now, and shares of nodes afterwards. */
#define WHOLE_NODES "; jobs then share nodes, except in partitions with OverSubscribe=EXCLUSIVE"

static bool has_cons_tres(const struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type = lxfw_conf_get(check->conf, "SelectType");

	/* The name of a file: SELECT/CONS_TRES is not found. */
	return type ? strcmp(type->value, "select/cons_tres") == 0 ||
		      strcmp(type->value, "select/cons_tres_lxfw") == 0 :
		      check->release >= CONS_TRES_USUAL;
}

/* Whether jobs have whole nodes, by select/linear or as the default of an older release. */
static bool is_linear(const struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type = lxfw_conf_get(check->conf, "SelectType");

	return type ? strcasecmp(type->value, "select/linear") == 0 : !has_cons_tres(check);
}

/* Whether Slurm has no plugin of this name: up to which release it had, or not in lower case,
   though its file is. */
static bool lacks_select(const struct lxfw_checking *check, const char *type)
{
	static const struct {
		const char *name;
		uint32_t gone;		/* from this release on; 0: it stays */
	} known[] = {
		{ "select/cons_res", 0x170b00 }, { "select/cray_aries", 0x180500 },
		{ "select/linear", 0 }, { "select/cons_tres", 0 },
		{ "select/cons_tres_lxfw", 0 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcasecmp(known[i].name, type) == 0)
			return strcmp(known[i].name, type) != 0 ||
			       (known[i].gone && check->release >= known[i].gone);
	}
	return false;
}

static void check_select(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type = lxfw_conf_get(check->conf, "SelectType");
	const char *parameters = lxfw_conf_value(check->conf, "SelectTypeParameters", "");
	struct consumable of = consumable(parameters);
	struct memory_of_nodes nodes;
	struct lxfw_finding *found;
	bool linear;

	if (has_cons_tres(check))
		return;
	if (type && lacks_select(check, type->value)) {
		found = lxfw_found_level(check, "select", LXFW_FINDING_STOPS, type);
		lxfw_found_text(check, found, "Slurm has no plugin %s%s: slurmctld does not start",
				type->value, strcmp(type->value, "select/cons_res") == 0 ?
				" since 23.11" : "");
		lxfw_found_set(check, found, type, "SelectType", "select/cons_tres");
		return;
	}
	linear = is_linear(check);
	if (linear && of.at && !of.alone) {
		found = lxfw_found_level(check, "select", LXFW_FINDING_STOPS, type);
		lxfw_found_text(check, found, "with %s slurmctld does not start if "
				"SelectTypeParameters has %.*s; quanta require select/cons_tres",
				type ? type->value : "select/linear (default up to 23.02)",
				(int)of.length, of.at);
	} else {
		found = lxfw_found(check, "select", true, type);
		lxfw_found_text(check, found, "with %s, jobs get no quantum and are not resized, "
				"which require select/cons_tres%s",
				type ? type->value : "select/linear (default up to 23.02)",
				linear ? WHOLE_NODES : "");
	}
	lxfw_found_set(check, found, type, "SelectType", "select/cons_tres");
	nodes = count_nodes(check->conf);
	if (!*parameters && nodes.without > 0 && nodes.with == 0)
		set_consumable(check, found, lxfw_conf_get(check->conf, "SelectTypeParameters"),
			       false);
}

/* Slurm assumes 1 MB for a node without RealMemory. */
static void check_real_memory(struct lxfw_checking *check,
			      const struct lxfw_conf_setting *setting, const char *node)
{
	static const char *const keys[] = {
		"DefMemPerCPU", "DefMemPerNode", "DefMemPerGPU",
	};
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *first = NULL;
	struct lxfw_finding *found;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && !first; i++)
		first = number(lxfw_conf_get(conf, keys[i])) > 1 ? lxfw_conf_get(conf, keys[i]) :
								   NULL;
	found = lxfw_found_level(check, "real-memory", LXFW_FINDING_STOPS, setting);
	lxfw_found_text(check, found, "no node has RealMemory, such as %s, which counts as 1 MB, "
			"and memory is allocated: %s; 'slurmd -C' on a node prints its RealMemory",
			node, first ? "Slurm refuses jobs with the default memory" :
			"jobs that request memory are refused, and each other one takes "
			"all memory of its nodes");
	set_consumable(check, found, setting, false);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (number(lxfw_conf_get(conf, keys[i])) > 1)
			lxfw_found_drop(check, found, lxfw_conf_get(conf, keys[i]));
	}
}

/* Returns whether no node has RealMemory and memory is allocated. */
static bool check_memory(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_get(check->conf, "SelectTypeParameters");
	struct consumable of = consumable(setting ? setting->value : PARAMETERS_USUAL);
	struct memory_of_nodes nodes = count_nodes(check->conf);
	struct lxfw_finding *found;

	/* select/linear allocates no memory by default, nor does what replaces it. */
	if (!setting && is_linear(check) && nodes.with == 0)
		return false;
	if (of.at && of.memory && !of.alone && nodes.without > 0 && nodes.with == 0) {
		check_real_memory(check, setting, nodes.first->value);
		return true;
	} else if (setting && (!of.at || of.alone)) {
		found = lxfw_found_level(check, "memory", has_cons_tres(check) ?
					 LXFW_FINDING_STOPS : LXFW_FINDING_BROKEN, setting);
		lxfw_found_text(check, found, "SelectTypeParameters=%s has none of CR_CPU, CR_Core "
				"and CR_Socket, without which slurmctld does not start with "
				"select/cons_tres", setting->value);
		set_consumable(check, found, setting, nodes.without == 0);
	} else if (!of.memory && nodes.without == 0 && nodes.with > 0) {
		found = lxfw_found(check, "memory", false, setting);
		lxfw_found_text(check, found, "memory is not a consumable resource: "
				"jobs on a node may request more memory than it has, "
				"and the policy cannot consider it; once it is, a job that uses "
				"more than it requests is ended where cgroup.conf limits memory");
		set_consumable(check, found, setting, true);
	} else if (nodes.without > 0) {
		lxfw_noted(check, "real-memory", nodes.first,
			   of.memory ?
			   "%s has no RealMemory, which counts as 1 MB: no job that requests memory "
			   "runs there; 'slurmd -C' on the node prints it, see 'Options that "
			   "affect the selection' in sched_lxfw(8)" :
			   "%s has no RealMemory, so memory cannot be allocated; 'slurmd -C' on the "
			   "node prints it, see 'Options that affect the selection' in "
			   "sched_lxfw(8)", nodes.first->value);
	}
	return false;
}

/* --- the memory of jobs that request none ----------------------------------------------- */

/* The memory of the nodes of a partition, in MB. */
struct shares {
	int64_t per_cpu;	/* the least of a processor */
	int64_t most_per_cpu;	/* the most of one */
	int64_t per_node;	/* the most of a node */
	int64_t procs;		/* the most of a node */
	bool all;		/* each node has some */
};

static struct shares shares_of(const struct lxfw_checking *check, const char *partition)
{
	const struct lxfw_cluster *cluster = check->cluster;
	struct shares shares = { .per_cpu = INT64_MAX, .all = true };
	int32_t i = 0;

	while (i < cluster->set_count && (cluster->sets[i].is_part ||
					  strcmp(cluster->sets[i].name, partition) != 0))
		i++;
	if (i == cluster->set_count || cluster->sets[i].count == 0)
		return (struct shares) { 0 };
	for (int32_t j = 0; j < cluster->sets[i].count; j++) {
		const struct lxfw_resources *total =
			&cluster->hosts[cluster->sets[i].hosts[j]].total;
		int64_t share = total->procs > 0 ? total->memory_mb / total->procs : 0;

		shares.all &= total->memory_mb > 1;
		if (share < shares.per_cpu)
			shares.per_cpu = share > 1 ? share : 1;
		if (share > shares.most_per_cpu)
			shares.most_per_cpu = share;
		if (total->memory_mb > shares.per_node)
			shares.per_node = total->memory_mb;
		if (total->procs > shares.procs)
			shares.procs = total->procs;
	}
	return shares;
}

/* The value of KEY of a partition, or of the cluster. */
static const struct lxfw_conf_setting *effective(const struct lxfw_conf *conf, size_t record,
						 const char *key)
{
	const struct lxfw_conf_setting *own = lxfw_conf_record_get(conf, record, key);

	return own ? own : lxfw_conf_get(conf, key);
}

/* A default that is not larger than the limits, rounded down to hundreds from 100 on. */
static int64_t usual_share(const struct lxfw_conf *conf, size_t record,
			   const struct shares *shares)
{
	int64_t per_cpu = number(effective(conf, record, "MaxMemPerCPU"));
	int64_t per_node = number(effective(conf, record, "MaxMemPerNode"));
	int64_t least = shares->per_cpu;

	if (per_cpu > 0 && per_cpu < least)
		least = per_cpu;
	if (per_node > 0 && shares->procs > 0 && per_node / shares->procs < least)
		least = per_node / shares->procs;
	return least >= 100 ? least / 100 * 100 : least > 0 ? least : 1;
}

static bool has_default(const struct lxfw_conf *conf, size_t record)
{
	return lxfw_conf_record_get(conf, record, "DefMemPerCPU") ||
	       lxfw_conf_record_get(conf, record, "DefMemPerNode") ||
	       lxfw_conf_record_get(conf, record, "DefMemPerGPU");
}

/* Whether a node of some partition has RealMemory. */
static bool any_memory(const struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	for (size_t i = 0; i < conf->record_count; i++) {
		if (lxfw_conf_is_partition(conf, i) &&
		    shares_of(check, lxfw_conf_record_name(conf, i)).per_node > 1)
			return true;
	}
	return false;
}

/* Whether a partition without its own KEY has a default for each processor or node. */
static bool has_other_default(const struct lxfw_conf *conf, size_t record, const char *key)
{
	const char *other = strcasecmp(key, "DefMemPerCPU") == 0 ? "DefMemPerNode" : "DefMemPerCPU";

	return number(lxfw_conf_get(conf, key)) > 1 ||
	       number(effective(conf, record, other)) > 1;
}

/* Without RealMemory a node has 1 MB, which the default OF exceeds, even if memory is not
   allocated. OWN is that of the partition. */
static void check_unknown_memory(struct lxfw_checking *check, size_t record,
				 const struct lxfw_conf_setting *own,
				 const struct lxfw_conf_setting *of)
{
	const char *name = lxfw_conf_record_name(check->conf, record);
	struct lxfw_finding *found = lxfw_found_level(check, "real-memory", LXFW_FINDING_STOPS,
						      of);

	lxfw_found_text(check, found, "no node of partition %s has RealMemory, which counts as "
			"1 MB: Slurm refuses its jobs with %s=%s; 'slurmd -C' on a node prints "
			"its RealMemory", name, of->key, of->value);
	if (own && lxfw_conf_record_own(check->conf, record, of->key) &&
	    !has_other_default(check->conf, record, of->key))
		lxfw_found_record(check, found, record, of->key, NULL);
	else if (!own && !any_memory(check))
		lxfw_found_drop(check, found, of);
	else
		lxfw_found_mend(check, found, "# RealMemory on the lines of its nodes");
}

/* A job that requests no memory is refused if the default exceeds that of all nodes, whether
   memory is allocated or not. */
static void check_excess(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const char *name = lxfw_conf_record_name(conf, record);
	struct shares shares = shares_of(check, name);
	/* Slurm takes a job whose default exceeds this limit. */
	int64_t limit = number(effective(conf, record, "MaxMemPerNode"));

	for (int i = 0; i < 2; i++) {
		const char *key = i == 0 ? "DefMemPerCPU" : "DefMemPerNode";
		const char *other = i == 0 ? "DefMemPerNode" : "DefMemPerCPU";
		const struct lxfw_conf_setting *own = lxfw_conf_record_get(conf, record, key);
		const struct lxfw_conf_setting *of = effective(conf, record, key);
		int64_t good = i == 0 ? usual_share(conf, record, &shares) : shares.per_node;
		struct lxfw_finding *found;
		char value[24];

		if ((!own && lxfw_conf_record_get(conf, record, other)) ||
		    number(of) <= shares.per_node || shares.procs == 0 ||
		    (limit > 0 && number(of) > limit))
			continue;
		if (shares.per_node <= 1) {
			check_unknown_memory(check, record, own, of);
			continue;
		}
		found = lxfw_found_level(check, "default-memory", LXFW_FINDING_STOPS, of);
		lxfw_found_text(check, found, "%s=%s is more memory than a node of partition %s "
				"has, %lld MB: Slurm refuses jobs that request none", key,
				of->value, name, (long long)shares.per_node);
		snprintf(value, sizeof(value), "%lld", (long long)good);
		lxfw_found_record(check, found, record, key, value);
	}
}

/* A job that has whole nodes has the default of all their processors. */
static void check_whole_nodes(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const char *name = lxfw_conf_record_name(conf, record);
	const struct lxfw_conf_setting *of = effective(conf, record, "DefMemPerCPU");
	struct shares shares = shares_of(check, name);
	struct lxfw_finding *found;
	char value[24];

	if (lxfw_conf_record_get(conf, record, "DefMemPerNode") ||
	    !lxfw_conf_is_exclusive(conf, record) ||
	    shares.most_per_cpu < 1 || number(of) <= shares.most_per_cpu ||
	    number(of) > shares.per_node)
		return;
	found = lxfw_found_level(check, "default-memory", LXFW_FINDING_STOPS, of);
	lxfw_found_text(check, found, "jobs of partition %s have all processors of their nodes, and "
			"with DefMemPerCPU=%s more memory than a node has: Slurm refuses those "
			"that request none", name, of->value);
	snprintf(value, sizeof(value), "%lld", (long long)usual_share(conf, record, &shares));
	lxfw_found_record(check, found, record, "DefMemPerCPU", value);
}

static void one_default(struct lxfw_checking *check, const char *partition, size_t record,
			int64_t share)
{
	struct lxfw_finding *found = lxfw_found(check, "default-memory", false, !partition ? NULL :
				&check->conf->settings[check->conf->records[record].first]);
	char value[24];

	lxfw_found_text(check, found, "without DefMemPerCPU a job%s%s that "
			"requests no memory is allocated all memory of its "
			"nodes, so no other job can run there; with it, such a job that uses "
			"more is ended where cgroup.conf limits memory: users must be told",
			partition ? " of partition " : "", partition ? partition : "");
	snprintf(value, sizeof(value), "%lld", (long long)share);
	if (partition)
		lxfw_found_record(check, found, record, "DefMemPerCPU", value);
	else
		set_number(check, found, NULL, "DefMemPerCPU", share);
}

/*
 * A default of the cluster is sufficient if it is right for all partitions. It is wrong for
 * those that allocate whole nodes or whose default is for each GPU, and where nodes lack
 * RealMemory.
 */
static void check_default_memory(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	int64_t least = INT64_MAX;
	bool common = true;
	size_t lacking = 0;

	for (size_t i = 0; i < conf->record_count; i++) {
		struct shares shares;

		if (!lxfw_conf_is_partition(conf, i))
			continue;
		shares = shares_of(check, lxfw_conf_record_name(conf, i));
		common &= !lxfw_conf_is_exclusive(conf, i) && shares.all &&
			  !lxfw_conf_record_get(conf, i, "DefMemPerGPU");
		if (has_default(conf, i) || lxfw_conf_is_exclusive(conf, i) || !shares.all)
			continue;
		lacking++;
		if (usual_share(conf, i, &shares) < least)
			least = usual_share(conf, i, &shares);
	}
	if (common && lacking > 0)
		one_default(check, NULL, 0, least);
	for (size_t i = 0; i < conf->record_count && !common; i++) {
		struct shares shares;

		if (!lxfw_conf_is_partition(conf, i) || has_default(conf, i) || lxfw_conf_is_exclusive(conf, i))
			continue;
		shares = shares_of(check, lxfw_conf_record_name(conf, i));
		if (shares.all)
			one_default(check, lxfw_conf_record_name(conf, i), i,
				    usual_share(conf, i, &shares));
	}
}

void lxfw_check_memory(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	bool right, lacking;

	right = lxfw_check_select_items(check);
	check_select(check);
	lacking = right && check_memory(check);
	for (size_t i = 0; i < conf->record_count; i++) {
		if (lxfw_conf_is_partition(conf, i) && !lacking)
			check_excess(check, i);
	}
	if (!consumable(lxfw_conf_value(conf, "SelectTypeParameters", PARAMETERS_USUAL)).memory)
		return;
	for (size_t i = 0; i < conf->record_count && has_cons_tres(check); i++) {
		if (lxfw_conf_is_partition(conf, i))
			check_whole_nodes(check, i);
	}
	if (!lxfw_conf_get(conf, "DefMemPerCPU") && !lxfw_conf_get(conf, "DefMemPerNode") &&
	    !lxfw_conf_get(conf, "DefMemPerGPU"))
		check_default_memory(check);
}
