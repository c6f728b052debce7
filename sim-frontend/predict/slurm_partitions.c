/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/slurm_partitions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"

#define OUTPUT_MAX (16 << 20)
#define MEGABYTES_MAX (INT64_C(1) << 40)

void lxfw_slurm_partitions_clear(struct lxfw_slurm_partitions *partitions)
{
	for (size_t i = 0; i < partitions->count; i++) {
		free(partitions->list[i].name);
		free(partitions->list[i].nodes);
	}
	free(partitions->list);
	free(partitions->cluster);
	*partitions = (struct lxfw_slurm_partitions) { 0 };
}

/* Returns the value of KEY= in a line of words, and its length; NULL: absent. */
static const char *value_of(const char *line, const char *key, size_t *length)
{
	size_t width = strlen(key);

	for (const char *at = line; at; at = strchr(at, ' ')) {
		at += strspn(at, " ");
		if (strncmp(at, key, width) != 0 || at[width] != '=')
			continue;
		at += width + 1;
		*length = strcspn(at, " ");
		return at;
	}
	return NULL;
}

static bool is(const char *line, const char *key, const char *value)
{
	size_t length;
	const char *found = value_of(line, key, &length);

	return found && length == strlen(value) && strncmp(found, value, length) == 0;
}

/* Returns 0 if there is none, or it is NONE or UNLIMITED. */
static int64_t number_of(const char *line, const char *key)
{
	size_t length;
	const char *found = value_of(line, key, &length);
	int64_t number;

	if (!found || lxfw_text_integer(found, length, 0, MEGABYTES_MAX, &number))
		return 0;
	return number;
}

static int64_t time_of(const char *line, const char *key)
{
	char text[40];
	size_t length;
	const char *found = value_of(line, key, &length);
	int64_t seconds;

	if (!found || length >= sizeof(text))
		return 0;
	memcpy(text, found, length);
	text[length] = '\0';
	return lxfw_request_time(text, &seconds) ? seconds : 0;
}

static char *copy_of(const char *line, const char *key)
{
	size_t length;
	const char *found = value_of(line, key, &length);

	return found && strncmp(found, "(null)", length) != 0 ? strndup(found, length) :
								strdup("");
}

static bool is_limited(const char *line)
{
	/* Each with the value that is none; those of older releases are absent. */
	static const char *const keys[][2] = {
		{ "MaxNodes", "UNLIMITED" }, { "MaxCPUsPerNode", "UNLIMITED" },
		{ "MaxMemPerNode", "UNLIMITED" }, { "AllowGroups", "ALL" },
		{ "AllowAccounts", "ALL" }, { "AllowQos", "ALL" }, { "DenyAccounts", "(null)" },
		{ "DenyQos", "(null)" }, { "ReqResv", "NO" },
	};
	size_t length;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (value_of(line, keys[i][0], &length) && !is(line, keys[i][0], keys[i][1]))
			return true;
	}
	return number_of(line, "MinNodes") > 1;
}

static int add(struct lxfw_slurm_partitions *partitions, const char *line, int64_t memory)
{
	struct lxfw_slurm_partition *partition;
	size_t length;

	if (!value_of(line, "PartitionName", &length) || !is(line, "State", "UP") ||
	    is(line, "RootOnly", "YES") || is(line, "Hidden", "YES"))
		return 0;
	if (LXFW_GROW(partitions->list, partitions->size, partitions->count + 1))
		return -1;
	partition = &partitions->list[partitions->count++];
	*partition = (struct lxfw_slurm_partition) {
		.name = copy_of(line, "PartitionName"), .nodes = copy_of(line, "Nodes"),
		.is_default = is(line, "Default", "YES"),
		.exclusive = is(line, "OverSubscribe", "EXCLUSIVE"),
		.limited = is_limited(line),
		.tier = number_of(line, "PriorityTier"),
		.default_time = time_of(line, "DefaultTime"),
		.max_time = time_of(line, "MaxTime"),
		.memory = number_of(line, "DefMemPerCPU"),
	};
	if (partition->memory == 0)
		partition->memory = memory;
	return partition->name && partition->nodes ? 0 : -1;
}

/* "DefMemPerCPU            = 100" */
static bool line_is(const char *line, const char *key, const char **value)
{
	size_t width = strlen(key);

	if (strncmp(line, key, width) != 0 || (line[width] != ' ' && line[width] != '='))
		return false;
	*value = line + width + strspn(line + width, " =");
	return true;
}

/* "slurm(64030)" */
static int64_t user_of(const char *value)
{
	const char *open = strchr(value, '(');
	int64_t number;

	return open && lxfw_text_integer(open + 1, strcspn(open + 1, ")"), 0, UINT32_MAX - 1,
					 &number) == 0 ? number : -1;
}

bool lxfw_slurm_partitions_same(const struct lxfw_slurm_partitions *one,
				const struct lxfw_slurm_partitions *other)
{
	bool same = one->count == other->count && one->memory == other->memory &&
		    one->slurm_user == other->slurm_user &&
		    strcmp(one->cluster ? one->cluster : "", other->cluster ? other->cluster : "") == 0;

	for (size_t i = 0; i < one->count && same; i++) {
		const struct lxfw_slurm_partition *a = &one->list[i], *b = &other->list[i];

		same = strcmp(a->name, b->name) == 0 && strcmp(a->nodes, b->nodes) == 0 &&
		       a->is_default == b->is_default && a->exclusive == b->exclusive &&
		       a->limited == b->limited &&
		       a->tier == b->tier && a->default_time == b->default_time &&
		       a->max_time == b->max_time && a->memory == b->memory;
	}
	return same;
}

int lxfw_slurm_partitions_take(struct lxfw_slurm_partitions *partitions, char *config,
			       char *list)
{
	int64_t memory = 0;
	const char *value;
	char *rest = NULL;

	partitions->slurm_user = -1;
	for (char *line = strtok_r(config, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (line_is(line, "SelectTypeParameters", &value))
			partitions->memory = strstr(value, "MEMORY");
		else if (line_is(line, "PrivateData", &value))
			partitions->private_jobs = partitions->hides_jobs = strstr(value, "jobs");
		else if (line_is(line, "SlurmUser", &value))
			partitions->slurm_user = user_of(value);
		else if (line_is(line, "ClusterName", &value) && !partitions->cluster &&
			 !(partitions->cluster = strdup(value)))
			return -1;
		else if (line_is(line, "DefMemPerCPU", &value) &&
			 lxfw_text_integer(value, strspn(value, "0123456789"), 0,
					   MEGABYTES_MAX, &memory))
			memory = 0;
	}
	if (geteuid() == 0 || geteuid() == partitions->slurm_user)
		partitions->hides_jobs = false;
	for (char *line = strtok_r(list, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (add(partitions, line, memory))
			return -1;
	}
	return 0;
}

static int run(char *const *arguments, char *output, struct lxfw_error *error)
{
	return lxfw_squeue_ask("scontrol", arguments, output, OUTPUT_MAX, error);
}

int lxfw_slurm_partitions_read(struct lxfw_slurm_partitions *partitions,
			       struct lxfw_error *error)
{
	char *const config[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
				 "scontrol", "show", "config", NULL };
	char *const list[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
			       "scontrol", "--oneliner", "show", "partition", NULL };
	char *texts[2] = { malloc(OUTPUT_MAX), malloc(OUTPUT_MAX) };
	int result = -1;

	if (!texts[0] || !texts[1]) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
	} else if (run(config, texts[0], error) == 0 && run(list, texts[1], error) == 0) {
		result = lxfw_slurm_partitions_take(partitions, texts[0], texts[1]);
		if (result)
			lxfw_error_set(error, "out of memory");
	}
	free(texts[0]);
	free(texts[1]);
	return result;
}
