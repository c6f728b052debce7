/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/sched.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/pbs/text.h"

#define EXPRESS_DEFAULT 150

/* Seconds that a script may take, and most: 0 is no bound of pbs_sched. */
#define SCRIPT_DEFAULT 30
#define SCRIPT_MOST 3600

/* --- levels --------------------------------------------------------------------------- */

static unsigned condition_of(const char *text, size_t length)
{
	static const struct {
		const char *name;
		unsigned condition;
	} names[] = {
		{ "express_queue", LXFW_PBS_EXPRESS },
		{ "server_softlimits", LXFW_PBS_OVER_SERVER },
		{ "queue_softlimits", LXFW_PBS_OVER_QUEUE },
		{ "fairshare", LXFW_PBS_OVER_SHARE },
		{ "normal_jobs", LXFW_PBS_NORMAL },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i].name) == length &&
		    strncmp(names[i].name, text, length) == 0)
			return names[i].condition;
	}
	return 0;
}

static void read_levels(struct lxfw_pbs_sched *sched, const char *text)
{
	sched->level_count = 0;
	while (*text && sched->level_count < LXFW_PBS_LEVELS_MAX) {
		unsigned conditions = 0;

		do {
			size_t length;

			text += strspn(text, " \t\"+");
			length = strcspn(text, " \t\"+,");
			conditions |= condition_of(text, length);
			text += length;
			text += strspn(text, " \t\"");
		} while (*text == '+');
		if (conditions)
			sched->level[sched->level_count++] = conditions;
		text += strcspn(text, ",");
		text += *text == ',';
	}
}

static int size_of(unsigned conditions)
{
	int size = 0;

	for (; conditions; conditions &= conditions - 1)
		size++;
	return size;
}

/* The index of the level of a job, or -1. */
static int find_level(const struct lxfw_pbs_sched *sched, unsigned conditions)
{
	int found = -1;

	for (int i = 0; i < sched->level_count; i++) {
		unsigned level = sched->level[i];

		if ((conditions & level) == level &&
		    (found < 0 || size_of(level) > size_of(sched->level[found])))
			found = i;
	}
	return found;
}

bool lxfw_pbs_has_condition(const struct lxfw_pbs_sched *sched, unsigned condition)
{
	for (int i = 0; i < sched->level_count; i++) {
		if (sched->level[i] & condition)
			return true;
	}
	return false;
}

int lxfw_pbs_level(const struct lxfw_pbs_sched *sched, unsigned conditions)
{
	int normal = find_level(sched, LXFW_PBS_NORMAL), own;

	own = find_level(sched, conditions ? conditions : LXFW_PBS_NORMAL);
	/* A job without a level is a normal one. */
	return normal < 0 || own < 0 ? 0 : normal - own;
}

/* --- attributes ----------------------------------------------------------------------- */

void lxfw_pbs_sched_begin(struct lxfw_pbs_sched *sched)
{
	memset(sched, 0, sizeof(*sched));
	read_levels(sched, "express_queue, normal_jobs");
	sched->express = EXPRESS_DEFAULT;
	sched->threshold = -INFINITY;
	sched->script_limit = SCRIPT_DEFAULT;
}

static void replace(struct lxfw_pbs_sched *sched, char **text, const char *value)
{
	free(*text);
	*text = value ? strdup(value) : NULL;
	sched->failed |= value && !*text;
}

static void set_script_limit(struct lxfw_pbs_sched *sched, const char *value)
{
	int64_t seconds;

	if (lxfw_pbs_number(value, &seconds))
		sched->script_limit = seconds == 0 || seconds > SCRIPT_MOST ? SCRIPT_MOST : seconds;
}

static void set_threshold(struct lxfw_pbs_sched *sched, const char *value)
{
	char *end;
	double number = strtod(value, &end);

	if (end != value && !*end && isfinite(number))
		sched->threshold = number;
}

void lxfw_pbs_sched_set(struct lxfw_pbs_sched *sched, const char *name, const char *value)
{
	bool is_default;

	if (strcmp(name, "scheduling") == 0) {
		(void)lxfw_pbs_truth(value, &sched->scheduling);
	} else if (strcmp(name, "partition") == 0) {
		is_default = !*value || strcmp(value, LXFW_PBS_DEFAULT_PARTITION) == 0;
		replace(sched, &sched->partition, is_default ? NULL : value);
	} else if (strcmp(name, "sched_priv") == 0) {
		replace(sched, &sched->folder, *value ? value : NULL);
	} else if (strcmp(name, "job_sort_formula") == 0) {
		replace(sched, &sched->formula, *value ? value : NULL);
	} else if (strcmp(name, "job_sort_formula_threshold") == 0) {
		set_threshold(sched, value);
	} else if (strcmp(name, "preempt_prio") == 0) {
		read_levels(sched, value);
	} else if (strcmp(name, "preempt_queue_prio") == 0) {
		(void)lxfw_pbs_integer(value, &sched->express);
	} else if (strcmp(name, "server_dyn_res_alarm") == 0) {
		set_script_limit(sched, value);
	} else if (strcmp(name, "do_not_span_psets") == 0) {
		(void)lxfw_pbs_truth(value, &sched->do_not_span_psets);
	} else if (strcmp(name, "only_explicit_psets") == 0) {
		(void)lxfw_pbs_truth(value, &sched->only_explicit_psets);
	} else if (strcmp(name, "job_run_wait") == 0) {
		sched->run_wait = strcmp(value, "none") == 0 ? LXFW_PBS_WAIT_NONE :
				  strcmp(value, "execjob_hook") == 0 ? LXFW_PBS_WAIT_MORE :
								       LXFW_PBS_WAIT_HOOK;
	}
}

void lxfw_pbs_sched_clear(struct lxfw_pbs_sched *sched)
{
	free(sched->partition);
	free(sched->formula);
	free(sched->folder);
	memset(sched, 0, sizeof(*sched));
}
