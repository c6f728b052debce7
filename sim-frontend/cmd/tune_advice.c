/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/tune_advice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/conf/correct.h"
#include "sim-frontend/trace/log_origin.h"
#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/tune/priorities.h"
#include "sim-frontend/util/text.h"

#define KEY "SchedulerParameters"

static bool is_ours(const struct lxfw_parameter_item *item)
{
	return item->name > 5 && strncmp(item->at, "lxfw_", 5) == 0;
}

static bool has_key(const char *text, const struct lxfw_parameter_item *of)
{
	struct lxfw_parameter_item item;

	while (lxfw_parameters_next(&text, &item)) {
		if (item.name == of->name && strncasecmp(item.at, of->at, of->name) == 0)
			return true;
	}
	return false;
}

static void put_item(const struct lxfw_parameter_item *item, FILE *to)
{
	fprintf(to, "%s%.*s", ftell(to) > 0 ? "," : "", (int)item->length, item->at);
}

/* --- SchedulerParameters ---------------------------------------------------------------- */

/* Whether an item of the file stays: Slurm's, and the keys that only the plugin reads, such as
   lxfw_journal. */
static bool stays(const struct lxfw_parameter_item *item, const char *setting)
{
	const struct lxfw_key *key;

	if (!is_ours(item))
		return !lxfw_tune_is_priority(item->at, item->length);
	key = lxfw_key_find(item->at, item->name);
	return key && key->field == LXFW_KEY_NO_FIELD && !has_key(setting, item);
}

/* Returns the items BEFORE with those of SETTING, and with ITEMS that turn off Slurm's main
   scheduler in front. The caller frees them. */
static char *join(const char *items, const char *before, const char *setting)
{
	struct lxfw_parameter_item item;
	const char *rest = before;
	char *value = NULL;
	size_t size;
	FILE *to = open_memstream(&value, &size);

	if (!to)
		return NULL;
	fputs(items, to);
	fflush(to);
	while (lxfw_parameters_next(&rest, &item)) {
		if (stays(&item, setting) && !has_key(items, &item))
			put_item(&item, to);
	}
	for (rest = setting; lxfw_parameters_next(&rest, &item); ) {
		if (is_ours(&item))
			put_item(&item, to);
	}
	if (fclose(to) == 0)
		return value;
	free(value);
	return NULL;
}

/* --- a slurm.conf ------------------------------------------------------------------------ */

/* Sets the keys of priority/multifactor. */
static int set_priorities(struct lxfw_conf *conf, const char *setting,
			  struct lxfw_error *error)
{
	struct lxfw_parameter_item item;
	int result = 0;

	while (result == 0 && lxfw_parameters_next(&setting, &item)) {
		char *key, *value;

		if (!lxfw_tune_is_priority(item.at, item.length) || item.name == item.length)
			continue;
		key = strndup(item.at, item.name);
		value = strndup(item.at + item.name + 1, item.length - item.name - 1);
		result = key && value ? lxfw_conf_change(conf, key, value, error) :
					lxfw_error_format(error, "out of memory");
		free(key);
		free(value);
	}
	return result;
}

static int set_parameters(struct lxfw_conf *conf, const char *setting,
			  struct lxfw_error *error)
{
	char *value = join("", lxfw_conf_value(conf, KEY, ""), setting);
	int result = value ? lxfw_conf_change(conf, KEY, value, error) :
			     lxfw_error_format(error, "out of memory");

	free(value);
	return result;
}

/* Returns a key of the changed lines of DIFF that is not read again by 'scontrol
   reconfigure', or NULL. The caller frees it. */
static char *restarts(const char *diff)
{
	if (strstr(diff, "\n-SchedulerType=") || strstr(diff, "\n+SchedulerType="))
		return strdup("SchedulerType");
	for (const char *line = diff; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *key = line + 1 + strspn(line + 1, " \t");
		size_t length = strcspn(key, "= \t\n");

		if ((*line != '-' && *line != '+') || strncmp(line, "--- ", 4) == 0 ||
		    strncmp(line, "+++ ", 4) == 0 || length == 0 || *key == '#')
			continue;
		if (!(length == strlen(KEY) && strncasecmp(key, KEY, length) == 0) &&
		    strncasecmp(key, "PriorityWeight", strlen("PriorityWeight")) != 0 &&
		    strncasecmp(key, "PriorityMaxAge", strlen("PriorityMaxAge")) != 0 &&
		    strncasecmp(key, "PriorityDecay", strlen("PriorityDecay")) != 0)
			return strndup(key, length);
	}
	return NULL;
}

/* Whether the corrected file has other parameters than CHOICE. */
static bool differs(const struct lxfw_conf *conf, const struct lxfw_choice *choice)
{
	struct lxfw_params params;

	return lxfw_tune_read_line(lxfw_conf_value(conf, KEY, ""), &params, NULL) ||
	       !lxfw_params_same(&params, &choice->params);
}

static int take_diff(struct lxfw_tuning_advice *advice, const struct lxfw_conf *conf,
		     struct lxfw_error *error)
{
	size_t size;
	FILE *to = open_memstream(&advice->diff, &size);
	int failed = to ? lxfw_conf_diff(conf, to) : -1;

	if (to && fclose(to))
		failed = -1;
	if (failed)
		return lxfw_error_system(error, advice->path);
	advice->restarts = restarts(advice->diff);
	advice->selects = strstr(advice->diff, "\n+SelectType=") != NULL;
	return 0;
}

static int advise_conf(struct lxfw_tuning_advice *advice, const struct lxfw_choice *choice,
		       struct lxfw_error *error)
{
	const struct lxfw_check_options options = { .path = advice->path, .no_files = true };
	struct lxfw_findings findings = { 0 };
	struct lxfw_conf conf;
	int result;

	if (lxfw_conf_read(&conf, advice->path, error))
		return -1;
	advice->runs = strcasecmp(lxfw_conf_value(&conf, "SchedulerType", ""),
				  "sched/lxfw") == 0;
	result = set_parameters(&conf, choice->setting->line, error) ||
		 set_priorities(&conf, choice->setting->line, error) ||
		 (advice->runs && take_diff(advice, &conf, error)) ||
		 lxfw_conf_correct(&conf, &options, &findings, error);
	if (result == 0) {
		advice->impossible = differs(&conf, choice);
		result = advice->runs ? 0 : take_diff(advice, &conf, error);
	}
	lxfw_findings_clear(&findings);
	lxfw_conf_clear(&conf);
	return result ? -1 : 0;
}

/* --- without one ------------------------------------------------------------------------- */

/* The lines of a slurm.conf with sched/lxfw, whatever was there before. */
static char *conf_lines(const struct lxfw_choice *choice)
{
	bool shadow = choice->params.shadow == LXFW_SHADOW_ON;
	char *value = join(shadow ? "" : "defer,sched_interval=-1",
			   choice->setting->line, choice->setting->line);
	char *all = lxfw_tune_conf_lines(choice->setting->line), *lines = NULL;
	const char *others = all ? strchr(all, '\n') : NULL;

	if (value && others &&
	    asprintf(&lines, "SchedulerType=sched/lxfw\n" KEY "=%s%s", value, others) < 0)
		lines = NULL;
	free(value);
	free(all);
	return lines;
}

/* One KEY=VALUE on each line. */
static char *pbs_lines(const char *setting)
{
	struct lxfw_parameter_item item;
	char *lines = NULL;
	size_t size;
	FILE *to = open_memstream(&lines, &size);

	if (!to)
		return NULL;
	while (lxfw_parameters_next(&setting, &item)) {
		if (is_ours(&item))
			fprintf(to, "%.*s\n", (int)item.length, item.at);
	}
	if (fclose(to) == 0)
		return lines;
	free(lines);
	return NULL;
}

int lxfw_tune_advice(struct lxfw_tuning_advice *advice, const struct lxfw_choice *choice,
		     const struct lxfw_cluster *cluster, const char *machine,
		     const char *log, struct lxfw_error *error)
{
	*advice = (struct lxfw_tuning_advice) {
		.path = machine, .shadow = choice->params.shadow == LXFW_SHADOW_ON,
	};
	if (machine && (cluster->controller || cluster->scheduler || cluster->parameters ||
			cluster->priority_type)) {
		advice->site = LXFW_ADVICE_CONF;
		return advise_conf(advice, choice, error);
	}
	if ((machine && lxfw_pbs_folder_is(machine)) || cluster->closest ||
	    lxfw_log_is_of_pbs(log)) {
		advice->site = LXFW_ADVICE_PBS;
		advice->lines = pbs_lines(choice->setting->line);
	} else {
		advice->site = LXFW_ADVICE_SLURM;
		advice->lines = conf_lines(choice);
	}
	return advice->lines ? 0 : lxfw_error_format(error, "out of memory");
}
