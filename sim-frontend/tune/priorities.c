/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/priorities.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/text.h"

static const char prefix[] = "Priority";

bool lxfw_tune_is_priority(const char *item, size_t length)
{
	return length >= strlen(prefix) && strncmp(item, prefix, strlen(prefix)) == 0;
}

/* --- the keys that can be searched ------------------------------------------------ */

/* When a key has an effect. */
enum need {
	NEED_NOTHING,
	NEED_USAGE,	/* Slurm counts usage and age */
	NEED_SHARES,	/* the same, and there are several associations */
	NEED_PARTITIONS,	/* partitions with different factors */
	NEED_QOS,
};

#define WEIGHT(name_, field_, need_) \
	{ .name = name_, .search = name_ "=0..100000", .need = need_, .weight = true, \
	  .field = offsetof(struct lxfw_multifactor_params, field_) }
#define TIME(name_, field_, need_) \
	{ .name = name_, .search = name_ "=1-0/3-0/7-0/14-0/30-0", .need = need_, \
	  .field = offsetof(struct lxfw_multifactor_params, field_) }

static const struct {
	const char *name, *search;
	enum need need;
	bool weight;
	size_t field;		/* a uint32_t */
} keys[] = {
	WEIGHT("PriorityWeightAge", weight_age, NEED_USAGE),
	WEIGHT("PriorityWeightFairshare", weight_fairshare, NEED_SHARES),
	WEIGHT("PriorityWeightJobSize", weight_job_size, NEED_NOTHING),
	WEIGHT("PriorityWeightPartition", weight_partition, NEED_PARTITIONS),
	WEIGHT("PriorityWeightQOS", weight_qos, NEED_QOS),
	TIME("PriorityDecayHalfLife", half_life, NEED_SHARES),
	TIME("PriorityMaxAge", max_age, NEED_USAGE),
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static uint32_t value_at(const struct lxfw_multifactor_params *params, size_t key)
{
	uint32_t value;

	memcpy(&value, (const char *)params + keys[key].field, sizeof(value));
	return value;
}

bool lxfw_tune_is_priority_weight(const char *name)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (keys[i].weight && strcmp(keys[i].name, name) == 0)
			return true;
	}
	return false;
}

bool lxfw_tune_priority_same(const struct lxfw_multifactor_params *a,
			     const struct lxfw_multifactor_params *b)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (value_at(a, i) != value_at(b, i))
			return false;
	}
	return true;
}

double lxfw_tune_priority_weight(const struct lxfw_multifactor_params *params,
				 const char *name)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (strcmp(keys[i].name, name) == 0)
			return value_at(params, i);
	}
	return 0;
}

static bool differ(const struct lxfw_multifactor_site *site)
{
	for (size_t i = 1; i < site->partition_count; i++) {
		if (site->partitions[i].job_factor != site->partitions[0].job_factor)
			return true;
	}
	return false;
}

static bool has_effect(const struct lxfw_multifactor_site *site, enum need need)
{
	switch (need) {
	case NEED_USAGE:
		return site->params.slurmdbd;
	case NEED_SHARES:
		return site->params.slurmdbd && site->assocs.count > 2;
	case NEED_PARTITIONS:
		return differ(site);
	case NEED_QOS:
		return site->qos.count > 0;
	case NEED_NOTHING:
		break;
	}
	return true;
}

const char *lxfw_tune_priority_search(const struct lxfw_multifactor_site *site, int i)
{
	for (size_t key = 0; key < KEYS; key++) {
		if (has_effect(site, keys[key].need) && i-- == 0)
			return keys[key].search;
	}
	return NULL;
}

/* --- lines ------------------------------------------------------------------------ */

static bool is_known(struct lxfw_slice key)
{
	for (size_t i = 0; i < KEYS; i++) {
		if (strlen(keys[i].name) == key.length &&
		    memcmp(keys[i].name, key.at, key.length) == 0)
			return true;
	}
	return false;
}

int lxfw_tune_priority_read(const char *line, struct lxfw_multifactor_params *params,
			    struct lxfw_error *error)
{
	while (*line) {
		size_t length = strcspn(line, ","), name = strcspn(line, "=,");
		const struct lxfw_slice key = { line, name };
		const struct lxfw_slice value = { line + name + 1, length - name - 1 };

		if (lxfw_tune_is_priority(line, length)) {
			if (name == length || !is_known(key))
				return lxfw_error_format(error, "%.*s: unknown key, "
					"expected PriorityWeightAge, -Fairshare, -JobSize, "
					"-Partition, -QOS, PriorityDecayHalfLife or "
					"PriorityMaxAge", (int)length, line);
			if (lxfw_multifactor_take(params, key, value, error))
				return -1;
		}
		line += length + (line[length] == ',');
	}
	return 0;
}

bool lxfw_tune_priority_means(const struct lxfw_multifactor_params *site, const char *line,
			      bool *changes)
{
	struct lxfw_multifactor_params params = *site;

	if (lxfw_tune_priority_read(line, &params, NULL))
		return false;
	*changes = !lxfw_tune_priority_same(&params, site);
	return true;
}

bool lxfw_tune_priority_counts(const struct lxfw_multifactor_params *site,
			       const char *line, const char *name)
{
	struct lxfw_multifactor_params params = *site;

	if (lxfw_tune_priority_read(line, &params, NULL))
		return true;
	if (strcmp(name, "PriorityDecayHalfLife") == 0)
		return params.weight_fairshare > 0;
	if (strcmp(name, "PriorityMaxAge") == 0)
		return params.weight_age > 0;
	return true;
}

int lxfw_tune_priority_vary(const struct lxfw_simulated *site, const char *line,
			    struct lxfw_simulated *varied, struct lxfw_error *error)
{
	*varied = *site;
	varied->priorities.context = varied;
	return lxfw_tune_priority_read(line, &varied->site.params, error);
}

char *lxfw_tune_conf_lines(const char *line)
{
	const char *before = "SchedulerParameters=", *at = line;
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	if (!to)
		return NULL;
	for (int priorities = 0; priorities <= 1; priorities++) {
		for (at = line; *at; at += *at == ',') {
			size_t length = strcspn(at, ",");

			if (lxfw_tune_is_priority(at, length) == priorities) {
				fprintf(to, "%s%.*s", before, (int)length, at);
				before = priorities ? "\n" : ",";
			}
			at += length;
		}
		before = "\n";
	}
	fputc('\n', to);
	if (fclose(to) == 0)
		return out;
	free(out);
	return NULL;
}
