/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues: run times, and the order of jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check_pbs.h"
#include "sim-frontend/util/text.h"

/* Defaults of preempt_queue_prio. */
#define EXPRESS_PRIORITY 150

static const char *value_of(const struct lxfw_pbs_checking *check, const char *queue,
			    const char *attribute, const char *otherwise)
{
	const struct lxfw_pbs_setting *item =
		lxfw_pbs_conf_get(check->conf, LXFW_QMGR_QUEUE, queue, attribute);

	return item ? item->setting.value : otherwise;
}

/* Returns the next execution queue from *AT, or NULL. */
static const struct lxfw_pbs_setting *next_queue(const struct lxfw_pbs_checking *check,
						 size_t *at)
{
	while (*at < check->conf->count) {
		const struct lxfw_pbs_setting *item = &check->conf->items[(*at)++];

		if (item->source == LXFW_PBS_QMGR && item->object == LXFW_QMGR_QUEUE &&
		    strcasecmp(item->setting.key, "queue_type") == 0 &&
		    strncasecmp(item->setting.value, "e", 1) == 0)
			return item;
	}
	return NULL;
}

static bool has_limit(const struct lxfw_pbs_checking *check, enum lxfw_qmgr_object object,
		      const char *name)
{
	return lxfw_pbs_conf_get(check->conf, object, name, "resources_default.walltime") ||
	       lxfw_pbs_conf_get(check->conf, object, name, "resources_max.walltime");
}

/* The server gives a job without walltime the default of its queue or of the server, or
   the maximum. */
static void check_walltime(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *first = NULL, *queue;
	struct lxfw_finding *found;
	size_t at = 0, others = 0;
	char more[40] = "";

	if (!check->conf->has_server || has_limit(check, LXFW_QMGR_SERVER, ""))
		return;
	while ((queue = next_queue(check, &at)) != NULL) {
		if (has_limit(check, LXFW_QMGR_QUEUE, queue->name))
			continue;
		others += first != NULL;
		first = first ? first : queue;
	}
	if (!first)
		return;
	if (others > 0)
		snprintf(more, sizeof(more), " and %zu other%s", others,
			 others > 1 ? "s" : "");
	found = lxfw_found(&check->base, "default-walltime", false, &first->setting);
	lxfw_found_text(&check->base, found, "jobs of queue %s%s without walltime count as five "
			"years long: nothing starts in front of a reservation beside them",
			first->name, more);
	lxfw_found_mend(&check->base, found, "set server resources_default.walltime = 01:00:00");
}

static int64_t priority_of(const struct lxfw_pbs_checking *check, const char *queue)
{
	const char *text = value_of(check, queue, "Priority", "0");
	int64_t priority = 0;

	lxfw_text_integer(text, strlen(text), INT32_MIN, INT32_MAX, &priority);
	return priority;
}

/* Jobs of queues with a higher Priority come first, as if by_queue were true; not under policy
   site. */
static void check_by_queue(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *option =
		lxfw_pbs_conf_file_get(check->conf, LXFW_PBS_SCHED_CONFIG, "by_queue");
	const struct lxfw_pbs_setting *queue;
	struct lxfw_finding *found;
	size_t at = 0;
	bool by_queue = !option || strcasecmp(option->setting.value, "false") != 0;

	while (!by_queue && (queue = next_queue(check, &at)) != NULL) {
		const struct lxfw_pbs_setting *priority = lxfw_pbs_conf_get(
			check->conf, LXFW_QMGR_QUEUE, queue->name, "Priority");

		if (!priority || priority_of(check, queue->name) == 0)
			continue;
		found = lxfw_found(&check->base, "by-queue", false, &priority->setting);
		lxfw_found_text(&check->base, found, "by_queue is false in sched_config, but all "
				"jobs of a queue with a higher Priority come first under "
				"lxfw-pbsd, unless lxfw_policy=site");
		lxfw_found_mend(&check->base, found, "unset queue %s Priority", queue->name);
	}
}

/* pbs_sched preempts jobs for those of queues from preempt_queue_prio on. */
static void note_preemption(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *option =
		lxfw_pbs_conf_file_get(check->conf, LXFW_PBS_SCHED_CONFIG, "preemptive_sched");
	const struct lxfw_pbs_setting *level = lxfw_pbs_conf_get(
		check->conf, LXFW_QMGR_SCHED, "", "preempt_queue_prio"), *queue;
	int64_t express = EXPRESS_PRIORITY;
	size_t at = 0;

	if (option && strcasecmp(option->setting.value, "false") == 0)
		return;
	if (level)
		lxfw_text_integer(level->setting.value, strlen(level->setting.value), 0,
				  INT32_MAX, &express);
	while ((queue = next_queue(check, &at)) != NULL) {
		const struct lxfw_pbs_setting *priority = lxfw_pbs_conf_get(
			check->conf, LXFW_QMGR_QUEUE, queue->name, "Priority");

		if (priority && priority_of(check, queue->name) >= express)
			lxfw_noted(&check->base, "preemption", &priority->setting,
				   "jobs of queue %s preempt others under lxfw_policy=site, as "
				   "under pbs_sched; under other policies they only come first, "
				   "see PREEMPTION in lxfw-pbsd(8)",
				   queue->name);
	}
}

/* The formula is the order of one policy, and a weight of others. */
static void note_formula(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *item = lxfw_pbs_conf_get(
		check->conf, LXFW_QMGR_SCHED, "", "job_sort_formula");

	if (!item)
		item = lxfw_pbs_conf_get(check->conf, LXFW_QMGR_SERVER, "",
					 "job_sort_formula");
	if (item)
		lxfw_noted(&check->base, "formula", &item->setting,
			   "the formula orders jobs under lxfw_policy=site, and is a weight with "
			   "lxfw_wsite; otherwise it has no effect, see JOBS in lxfw-pbsd(8)");
}

void lxfw_check_pbs_queues(struct lxfw_pbs_checking *check)
{
	check_walltime(check);
	check_by_queue(check);
	note_preemption(check);
	note_formula(check);
}
