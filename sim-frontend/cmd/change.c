/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a snapshot for lxfw simulate --from. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/simulate_from.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/util/text.h"

struct maker {
	const struct lxfw_command *command;
	const struct lxfw_snapshot_file *file;
	const char *path, *option;
	struct lxfw_made_change *made;
	int32_t *hosts;		/* of the list that is expanded */
	size_t count, size;
};

void lxfw_change_clear(struct lxfw_made_change *made)
{
	for (size_t i = 0; i < made->change.block_count; i++)
		free(made->blocks[i].shares);
	free(made->blocks);
	for (size_t i = 0; i < made->change.set_count; i++)
		free((void *)made->sets[i].hosts);
	free(made->sets);
	free(made->down);
	free(made->words);
	*made = (struct lxfw_made_change) { 0 };
}

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- parameters ----------------------------------------------------------------------- */

static int make_params(struct maker *maker, const struct lxfw_change_text *text)
{
	struct lxfw_made_change *made = maker->made;
	const char *refused;

	made->params = maker->file->state.params;
	if (text->policy || text->params) {
		if (lxfw_cmd_params(&made->params, text->policy, text->params))
			return -1;
		/* The same parameters are no change: reservations remain. */
		if (!lxfw_params_same(&made->params, &maker->file->state.params))
			made->change.params = &made->params;
	}
	refused = lxfw_whatif_refuses(&made->params);
	if (!refused)
		return 0;
	lxfw_cmd_note("policy %s cannot be simulated from a snapshot: %s; expected another "
		      "policy", lxfw_policy_name(made->params.policy), refused);
	return -1;
}

/* --- nodes ---------------------------------------------------------------------------- */

static int unknown_node(const struct maker *maker, const char *name)
{
	const struct lxfw_snapshot_file *file = maker->file;
	size_t count = file->state.host_count;
	char *all = lxfw_hostlist_compress((const char *const *)file->host_names, count);

	lxfw_cmd_note("%s: node '%.60s' of --%s is not in the snapshot; expected of its %zu "
		      "nodes: %.200s", maker->path, name, maker->option, count,
		      all ? all : "");
	free(all);
	errno = EINVAL;
	return -1;
}

static int add_host(void *context, const char *name)
{
	struct maker *maker = context;
	const struct lxfw_snapshot_file *file = maker->file;
	size_t index = 0;

	while (index < file->state.host_count && (!file->host_names[index] ||
	       strcmp(file->host_names[index], name) != 0))
		index++;
	if (index == file->state.host_count)
		return unknown_node(maker, name);
	for (size_t i = 0; i < maker->count; i++) {
		if (maker->hosts[i] == (int32_t)index)
			return 0;
	}
	if (LXFW_GROW(maker->hosts, maker->size, maker->count + 1))
		return out_of_memory();
	maker->hosts[maker->count++] = (int32_t)index;
	return 0;
}

static int ascending(const void *left, const void *right)
{
	int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;

	return (a > b) - (a < b);
}

/* Sets maker->hosts to the hosts of LIST, ascending. */
static int find_hosts(struct maker *maker, const char *list)
{
	struct lxfw_error error = { "" };

	maker->count = 0;
	if (lxfw_hostlist_expand(list, strlen(list), add_host, maker, &error)) {
		if (*error.text)
			lxfw_cmd_note("--%s '%.60s': %s", maker->option, list, error.text);
		return -1;
	}
	if (maker->count == 0) {
		lxfw_cmd_note("--%s without nodes, expected names such as n1,n[3-5]",
			      maker->option);
		return -1;
	}
	qsort(maker->hosts, maker->count, sizeof(*maker->hosts), ascending);
	return 0;
}

static int make_down(struct maker *maker, const char *list)
{
	struct lxfw_made_change *made = maker->made;

	maker->option = "down";
	if (find_hosts(maker, list))
		return -1;
	if (LXFW_GROW(made->down, made->down_size, made->change.down_count + maker->count))
		return out_of_memory();
	for (size_t i = 0; i < maker->count; i++)
		made->down[made->change.down_count++] = maker->hosts[i];
	return 0;
}

/* --- reservations --------------------------------------------------------------------- */

/* An id that no block of the snapshot has. */
static uint64_t new_id(const struct maker *maker)
{
	const struct lxfw_snapshot *state = &maker->file->state;
	uint64_t id = LXFW_BLOCK_PASSING_MAX;

	for (size_t i = 0; i < state->block_count; i++)
		id = state->blocks[i].id > id ? state->blocks[i].id : id;
	return id + 1 + maker->made->change.block_count;
}

static int parse_start(const struct maker *maker, const char *text, int64_t *start)
{
	int64_t later;

	if (strcmp(text, "now") == 0) {
		*start = maker->file->state.now;
		return 0;
	}
	if (*text == '+') {
		if (lxfw_cmd_duration(maker->command, "reserve", text + 1, &later))
			return -1;
		*start = maker->file->state.now + later;
		return 0;
	}
	return lxfw_cmd_time(maker->command, "reserve", text, start);
}

/* Sets the words of "start=..,duration=..,nodes=.." in TEXT, which is changed. The list of
   nodes may contain commas and is the last. */
static int split(char *text, char **start, char **duration, char **nodes)
{
	*start = *duration = *nodes = NULL;
	while (*text) {
		char **word = strncmp(text, "start=", 6) == 0 ? start :
			      strncmp(text, "duration=", 9) == 0 ? duration :
			      strncmp(text, "nodes=", 6) == 0 ? nodes : NULL;
		char *end = word == nodes && word ? text + strlen(text) :
						    text + strcspn(text, ",");

		if (!word || *word)
			return -1;
		*word = strchr(text, '=') + 1;
		text = end + (*end == ',');
		*end = '\0';
	}
	return *start && *duration && *nodes ? 0 : -1;
}

static int add_block(struct maker *maker, int64_t start, int64_t seconds)
{
	struct lxfw_made_change *made = maker->made;
	struct lxfw_snapshot_block block = {
		.id = new_id(maker), .start = start, .end = start + seconds,
		.count = (int32_t)maker->count,
	};

	if (LXFW_GROW(made->blocks, made->blocks_size, made->change.block_count + 1))
		return out_of_memory();
	block.shares = calloc(maker->count, sizeof(*block.shares));
	if (!block.shares)
		return out_of_memory();
	for (size_t i = 0; i < maker->count; i++) {
		int32_t host = maker->hosts[i];

		block.shares[i].host = host;
		block.shares[i].amount = maker->file->state.hosts[host].total;
	}
	made->blocks[made->change.block_count++] = block;
	return 0;
}

static int make_reservation(struct maker *maker, const char *given)
{
	char *text = strdup(given), *start, *duration, *nodes;
	int64_t from, seconds;
	int result = -1;

	maker->option = "reserve";
	if (!text)
		return out_of_memory();
	if (split(text, &start, &duration, &nodes))
		lxfw_cmd_bad_value(maker->command, "reserve", given, "start=TIME,"
				   "duration=TIME,nodes=NODE,...");
	else if (parse_start(maker, start, &from) == 0 &&
		 lxfw_cmd_length(maker->command, "reserve", duration, &seconds) == 0 &&
		 find_hosts(maker, nodes) == 0) {
		if (seconds > LXFW_TIME_MAX / 4 || from > LXFW_TIME_MAX / 4 ||
		    from + seconds <= maker->file->state.now)
			lxfw_cmd_note("--reserve '%.60s' ends before the snapshot, at %" PRId64
				      ", or never; expected a later time", given,
				      maker->file->state.now);
		else
			result = add_block(maker, from, seconds);
	}
	free(text);
	return result;
}

/* --- partitions ----------------------------------------------------------------------- */

/* Returns the set of exactly the hosts in maker->hosts, or -1. */
static int32_t find_set(const struct maker *maker)
{
	const struct lxfw_snapshot *state = &maker->file->state;

	for (size_t i = 0; i < state->set_count; i++) {
		if ((size_t)state->sets[i].count == maker->count &&
		    memcmp(state->sets[i].hosts, maker->hosts,
			   maker->count * sizeof(*maker->hosts)) == 0)
			return (int32_t)i;
	}
	return -1;
}

static bool may_use(const struct lxfw_request *request, int32_t set)
{
	for (int i = 0; i < request->host_set_count; i++) {
		if (request->host_sets[i] == set)
			return true;
	}
	return false;
}

static size_t waiting_of(const struct lxfw_snapshot *state, int32_t set)
{
	size_t count = 0;

	for (size_t i = 0; i < state->job_count; i++)
		count += state->jobs[i].state < LXFW_SNAPSHOT_RUNNING &&
			 may_use(&state->jobs[i].request, set);
	return count;
}

/* The nodes of a set as a list, or NULL. */
static char *nodes_of(const struct lxfw_snapshot_file *file, int32_t set)
{
	const struct lxfw_snapshot_set *members = &file->state.sets[set];
	const char **names = calloc((size_t)members->count + 1, sizeof(*names));
	char *list = NULL;

	for (int32_t i = 0; names && i < members->count; i++) {
		const char *name = file->host_names[members->hosts[i]];

		names[i] = name ? name : "?";
	}
	if (names)
		list = lxfw_hostlist_compress(names, (size_t)members->count);
	free(names);
	return list;
}

static int no_such_partition(const struct maker *maker, const char *nodes)
{
	const struct lxfw_snapshot *state = &maker->file->state;
	size_t most = 0;
	int32_t best = -1;
	char *list;

	for (size_t i = 0; i < state->set_count; i++) {
		size_t count = waiting_of(state, (int32_t)i);

		if (best < 0 || count > most) {
			best = (int32_t)i;
			most = count;
		}
	}
	errno = EINVAL;
	if (best < 0) {
		lxfw_cmd_note("%s: the snapshot has no partitions: its jobs may use all nodes; "
			      "expected no --partition", maker->path);
		return -1;
	}
	list = nodes_of(maker->file, best);
	lxfw_cmd_note("%s: no partition of the snapshot has exactly the nodes '%.60s'; "
		      "expected those of one; that of most waiting jobs (%zu) has %.200s",
		      maker->path, nodes, most, list ? list : "?");
	free(list);
	errno = EINVAL;
	return -1;
}

/* Sets the words of "nodes=..:to=..:tier=.." in TEXT, which is changed. */
static int split_partition(char *text, char **nodes, char **to, char **tier)
{
	*nodes = *to = *tier = NULL;
	while (*text) {
		char **word = strncmp(text, "nodes=", 6) == 0 ? nodes :
			      strncmp(text, "to=", 3) == 0 ? to :
			      strncmp(text, "tier=", 5) == 0 ? tier : NULL;
		char *end = text + strcspn(text, ":");

		if (!word || *word)
			return -1;
		*word = strchr(text, '=') + 1;
		text = end + (*end == ':');
		*end = '\0';
	}
	return *nodes && (*to || *tier) ? 0 : -1;
}

/* Jobs with requirements of their own have other sets, and their partition is unknown. */
static void note_concerned(const struct maker *maker, const struct lxfw_changed_set *changed)
{
	const struct lxfw_snapshot *state = &maker->file->state;
	size_t all = 0, of_set = waiting_of(state, changed->set);

	for (size_t i = 0; i < state->job_count; i++)
		all += state->jobs[i].state < LXFW_SNAPSHOT_RUNNING;
	lxfw_cmd_note("--partition: %zu of %zu waiting jobs may use exactly these nodes; jobs "
		      "with --constraint or --nodelist may not, and are not changed",
		      of_set, all);
}

static int add_set(struct maker *maker, int32_t set, const char *tier)
{
	struct lxfw_made_change *made = maker->made;
	struct lxfw_changed_set changed = { .set = set, .count = (int32_t)maker->count };
	int32_t *hosts;
	int64_t number = 0;

	if (tier && lxfw_text_integer(tier, strlen(tier), 0, INT32_MAX, &number)) {
		lxfw_cmd_note("--partition: tier '%.40s', expected a whole number from 0", tier);
		return -1;
	}
	for (size_t i = 0; i < made->change.set_count; i++) {
		if (made->sets[i].set == set) {
			lxfw_cmd_note("--partition: the same nodes are given twice, expected "
				      "one --partition for them");
			return -1;
		}
	}
	changed.changes_tier = tier != NULL;
	changed.tier = (int32_t)number;
	if (LXFW_GROW(made->sets, made->sets_size, made->change.set_count + 1))
		return out_of_memory();
	hosts = calloc(maker->count, sizeof(*hosts));
	if (!hosts)
		return out_of_memory();
	memcpy(hosts, maker->hosts, maker->count * sizeof(*hosts));
	changed.hosts = hosts;
	made->sets[made->change.set_count++] = changed;
	note_concerned(maker, &changed);
	return 0;
}

static int make_partition(struct maker *maker, const char *given)
{
	char *text = strdup(given), *nodes, *to, *tier;
	int result = -1;
	int32_t set;

	maker->option = "partition";
	if (!text)
		return out_of_memory();
	if (split_partition(text, &nodes, &to, &tier)) {
		lxfw_cmd_bad_value(maker->command, "partition", given, "nodes=NODE,..."
				   "[:to=NODE,...][:tier=NUMBER]");
	} else if (find_hosts(maker, nodes) == 0) {
		set = find_set(maker);
		if (set < 0)
			result = no_such_partition(maker, nodes);
		else if (!to || find_hosts(maker, to) == 0)
			result = add_set(maker, set, tier);
	}
	free(text);
	return result;
}

/* --- all ------------------------------------------------------------------------------ */

static int set_words(const struct lxfw_change_text *text, struct lxfw_made_change *made)
{
	size_t length;
	FILE *out = open_memstream(&made->words, &length);
	const char *join = "";

	if (!out)
		return out_of_memory();
	if (text->policy) {
		fprintf(out, "policy %s", text->policy);
		join = "; ";
	}
	if (text->params) {
		fprintf(out, "%s%s", join, text->params);
		join = "; ";
	}
	for (size_t i = 0; i < text->down_count; i++, join = "; ")
		fprintf(out, "%sdown %s", join, text->down[i]);
	for (size_t i = 0; i < text->reserve_count; i++, join = "; ")
		fprintf(out, "%sreserve %s", join, text->reserve[i]);
	for (size_t i = 0; i < text->partition_count; i++, join = "; ")
		fprintf(out, "%spartition %s", join, text->partition[i]);
	return fclose(out) ? out_of_memory() : 0;
}

int lxfw_change_make(const struct lxfw_command *command, const struct lxfw_change_text *text,
		     const struct lxfw_snapshot_file *file, const char *path,
		     struct lxfw_made_change *made)
{
	struct maker maker = {
		.command = command, .file = file, .path = path, .made = made,
	};
	int failed;

	*made = (struct lxfw_made_change) { 0 };
	failed = make_params(&maker, text);
	for (size_t i = 0; i < text->down_count && !failed; i++)
		failed = make_down(&maker, text->down[i]);
	for (size_t i = 0; i < text->reserve_count && !failed; i++)
		failed = make_reservation(&maker, text->reserve[i]);
	for (size_t i = 0; i < text->partition_count && !failed; i++)
		failed = make_partition(&maker, text->partition[i]);
	free(maker.hosts);
	made->change.down = made->down;
	made->change.blocks = made->blocks;
	made->change.sets = made->sets;
	if (!failed && (text->policy || text->params || text->down_count > 0 ||
			text->reserve_count > 0 || text->partition_count > 0))
		failed = set_words(text, made);
	return failed;
}
