/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads parameters and partitions of a slurm.conf. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/priority/site.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* A value that is parsed after all lines were read, since it contains names of TRES,
   which may be defined later. */
struct kept {
	char *text, *path;
	long line;
	int32_t partition;	/* TRESBillingWeights of this partition; -1:
				   PriorityWeightTRES */
};

struct conf {
	struct lxfw_multifactor_site *site;
	struct lxfw_multifactor_partition defaults;	/* PartitionName=DEFAULT */
	char *default_billing;
	struct kept *kept;
	size_t kept_count, kept_size;
	char *licenses;
};

static int out_of_memory(struct lxfw_error *wrong)
{
	return lxfw_error_format(wrong, "out of memory");
}

static int replace(char **copy, struct lxfw_slice value, struct lxfw_error *wrong)
{
	free(*copy);
	*copy = strndup(value.at, value.length);
	return *copy ? 0 : out_of_memory(wrong);
}

static int keep(struct conf *conf, const struct lxfw_slurm_line *line,
		struct lxfw_slice value, int32_t partition, struct lxfw_error *wrong)
{
	struct kept *kept;

	if (LXFW_GROW(conf->kept, conf->kept_size, conf->kept_count + 1))
		return out_of_memory(wrong);
	kept = conf->kept;
	kept[conf->kept_count] = (struct kept) {
		.text = strndup(value.at, value.length), .path = strdup(line->path),
		.line = line->number, .partition = partition,
	};
	conf->kept_count++;
	if (!kept[conf->kept_count - 1].text || !kept[conf->kept_count - 1].path)
		return out_of_memory(wrong);
	return 0;
}

static int take_factor(struct lxfw_slice value, uint16_t *factor, struct lxfw_error *wrong)
{
	char quoted[40];
	int64_t number;

	if (!lxfw_slice_integer(value, 0, UINT16_MAX, &number))
		return lxfw_error_format(wrong,
			"PriorityJobFactor=%s, expected a number from 0 to 65535",
			lxfw_text_quote(quoted, sizeof(quoted), value.at, value.length));
	*factor = (uint16_t)number;
	return 0;
}

static int take_partition(struct conf *conf, const struct lxfw_slurm_line *line,
			  struct lxfw_error *wrong)
{
	struct lxfw_multifactor_partition rules = conf->defaults;
	const struct lxfw_slurm_pair *pairs = line->pairs;
	struct lxfw_slice billing = { NULL, 0 };
	char quoted[40];
	int32_t at;

	for (int i = 1; i < line->count; i++) {
		if ((lxfw_slurm_is(pairs[i].key, "PriorityJobFactor") ||
		     lxfw_slurm_is(pairs[i].key, "Priority")) &&
		    take_factor(pairs[i].value, &rules.job_factor, wrong))
			return -1;
		if (lxfw_slurm_is(pairs[i].key, "MaxTime") &&
		    lxfw_multifactor_minutes(pairs[i].value, &rules.max_minutes))
			return lxfw_error_format(wrong,
				"MaxTime=%s, expected a time as [DAYS-]HOURS:MINUTES:SECONDS, minutes or UNLIMITED",
				lxfw_text_quote(quoted, sizeof(quoted), pairs[i].value.at,
						pairs[i].value.length));
		if (lxfw_slurm_is(pairs[i].key, "TRESBillingWeights"))
			billing = pairs[i].value;
	}
	if (lxfw_slurm_is(pairs[0].value, "DEFAULT")) {
		conf->defaults = rules;
		return billing.at ? replace(&conf->default_billing, billing, wrong) : 0;
	}
	at = lxfw_multifactor_partition_add(conf->site, pairs[0].value);
	if (at < 0)
		return out_of_memory(wrong);
	rules.name = conf->site->partitions[at].name;
	conf->site->partitions[at] = rules;
	if (!billing.at && conf->default_billing)
		billing = (struct lxfw_slice) { conf->default_billing,
						strlen(conf->default_billing) };
	return billing.at && billing.length > 0 ?
	       keep(conf, line, billing, at, wrong) : 0;
}

static int take_line(void *context, const struct lxfw_slurm_line *line,
		     struct lxfw_error *wrong)
{
	struct conf *conf = context;

	if (lxfw_slurm_is(line->pairs[0].key, "PartitionName"))
		return take_partition(conf, line, wrong);
	if (lxfw_slurm_is(line->pairs[0].key, "NodeName"))
		return 0;
	for (int i = 0; i < line->count; i++) {
		const struct lxfw_slurm_pair *pair = &line->pairs[i];
		int result;

		if (lxfw_slurm_is(pair->key, "AccountingStorageTRES"))
			result = lxfw_tres_list_add(&conf->site->tres, pair->value, wrong);
		else if (lxfw_slurm_is(pair->key, "PriorityWeightTRES"))
			result = keep(conf, line, pair->value, -1, wrong);
		else if (lxfw_slurm_is(pair->key, "Licenses"))
			result = replace(&conf->licenses, pair->value, wrong);
		else
			result = lxfw_multifactor_take(&conf->site->params, pair->key,
						       pair->value, wrong);
		if (result)
			return result;
	}
	return 0;
}

static int take_kept(struct conf *conf, struct lxfw_error *error)
{
	struct lxfw_multifactor_site *site = conf->site;
	struct lxfw_error wrong = { "" };

	for (size_t i = 0; i < conf->kept_count; i++) {
		const struct kept *kept = &conf->kept[i];
		struct lxfw_slice text = { kept->text, strlen(kept->text) };
		double *weights = kept->partition < 0 ? site->params.weight_tres :
				  site->partitions[kept->partition].billing;

		if (lxfw_tres_weights(&site->tres, text, weights, &wrong))
			return lxfw_error_at(error, kept->path, kept->line, "%s=%s",
				kept->partition < 0 ? "PriorityWeightTRES" :
				"TRESBillingWeights", wrong.text);
		if (kept->partition < 0)
			site->params.any_tres = text.length > 0;
		else
			site->partitions[kept->partition].billed = true;
	}
	return 0;
}

/* Returns the count of "license/NAME" according to Licenses=NAME:COUNT,...; the
   default count is 1. */
static uint64_t licenses_of(const struct conf *conf, const char *name)
{
	const char *at = conf->licenses;
	size_t length = strlen(name);

	while (at && *at) {
		size_t item = strcspn(at, ",;");

		if (item >= length && strncasecmp(at, name, length) == 0) {
			if (item == length)
				return 1;
			if (at[length] == ':')
				return strtoull(at + length + 1, NULL, 10);
		}
		at += item;
		at += *at != '\0';
	}
	return 0;
}

/* Sums the amounts of the nodes of a partition, and adds licenses, which all
   partitions share. */
static void sum_partition(const struct conf *conf, const struct lxfw_cluster *cluster,
			  struct lxfw_multifactor_partition *partition)
{
	const struct lxfw_tres_list *list = &conf->site->tres;
	int32_t at = lxfw_cluster_find_set(cluster, partition->name,
					   strlen(partition->name));
	struct lxfw_resources sum = { 0 };

	for (int i = 0; at >= 0 && i < cluster->sets[at].count; i++)
		lxfw_resources_add(&sum, &cluster->hosts[cluster->sets[at].hosts[i]].total);
	partition->tres[LXFW_TRES_CPU] = (uint64_t)sum.procs;
	partition->tres[LXFW_TRES_MEM] = (uint64_t)sum.memory_mb;
	partition->tres[LXFW_TRES_NODE] = at >= 0 ? (uint64_t)cluster->sets[at].count : 0;
	for (int i = LXFW_TRES_FIXED; i < list->count; i++) {
		const char *name = strchr(list->names[i], '/');

		if (!name)
			continue;
		if (strncasecmp(list->names[i], "license/", 8) == 0)
			partition->tres[i] = licenses_of(conf, name + 1);
		for (int j = 0; j < cluster->extra_count &&
				strncasecmp(list->names[i], "gres/", 5) == 0; j++) {
			if (strcasecmp(cluster->extras[j], name + 1) == 0)
				partition->tres[i] = (uint64_t)sum.extras[j];
		}
	}
}

static void clear(struct conf *conf)
{
	for (size_t i = 0; i < conf->kept_count; i++) {
		free(conf->kept[i].text);
		free(conf->kept[i].path);
	}
	free(conf->kept);
	free(conf->default_billing);
	free(conf->licenses);
}

int lxfw_multifactor_site_read(struct lxfw_multifactor_site *site, const char *path,
			       const struct lxfw_cluster *cluster,
			       struct lxfw_error *error)
{
	struct conf conf = {
		.site = site,
		.defaults = { .job_factor = 1, .max_minutes = UINT32_MAX },
	};
	struct lxfw_error wrong = { "" };
	int result;

	site->params.multifactor = false;
	site->params.slurmdbd = false;
	site->params.enforce_limits = false;
	result = lxfw_slurm_lines(path, take_line, &conf, error);
	if (result == 0)
		result = take_kept(&conf, error);
	if (result == 0 && lxfw_multifactor_check(&site->params, &wrong))
		result = lxfw_error_at(error, path, 0, "%s", wrong.text);
	for (size_t i = 0; i < site->partition_count && result == 0; i++)
		sum_partition(&conf, cluster, &site->partitions[i]);
	if (result == 0) {
		site->procs = cluster->procs > 0 ? (uint32_t)cluster->procs : 1;
		site->nodes = cluster->count > 0 ? (uint32_t)cluster->count : 1;
		lxfw_multifactor_site_finish(site);
	}
	clear(&conf);
	return result;
}
