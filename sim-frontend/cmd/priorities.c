/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/priorities.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/trace_calendar.h"
#include "sim-frontend/util/text.h"

void lxfw_priorities_option(struct lxfw_cmd_priorities *priorities, int option)
{
	if (option == LXFW_PRIORITIES_ASSOCS)
		priorities->assocs = optarg;
	if (option == LXFW_PRIORITIES_QOS)
		priorities->qos = optarg;
}

bool lxfw_priorities_known(const struct lxfw_cluster *cluster)
{
	return cluster->priority_type && strstr(cluster->priority_type, "multifactor");
}

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return -1;
}

/* 1; 0 if nothing is to be loaded; -1 after a message. */
static int begin(struct lxfw_cmd_priorities *priorities, bool counts, const char *conf,
		 const struct lxfw_cluster *cluster)
{
	const char *option = priorities->assocs ? "assocs" : "qos";
	bool known = lxfw_priorities_known(cluster);
	struct lxfw_error error;

	if ((priorities->assocs || priorities->qos) && !(counts && known)) {
		lxfw_cmd_note("--%s without %s", option, known ?
			      "a policy that counts Slurm's priority, expected "
			      "--policy site or lxfw_wsite" :
			      "priorities, expected --cluster slurm.conf with "
			      "PriorityType=priority/multifactor");
		return -1;
	}
	if (!counts || !known) {
		if (counts && !priorities->by_submission)
			lxfw_cmd_note("all jobs have priority 0, expected --cluster "
				      "slurm.conf with PriorityType=priority/multifactor");
		return 0;
	}
	priorities->loaded = true;
	if (lxfw_simulated_begin(&priorities->simulated, conf, cluster,
				 priorities->assocs, priorities->qos, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	return 1;
}

/* Say what one might not think, then share what was loaded. */
static void finish(struct lxfw_cmd_priorities *priorities, const char *conf, size_t jobs)
{
	struct lxfw_simulated *simulated = &priorities->simulated;
	const struct lxfw_multifactor_params *params = &simulated->site.params;

	if (!params->slurmdbd)
		lxfw_cmd_note("%s: without AccountingStorageType="
			      "accounting_storage/slurmdbd Slurm does not count age and "
			      "fair share; neither does the simulation", conf);
	if (params->weight_qos > 0 && !priorities->qos)
		lxfw_cmd_note("%s: PriorityWeightQOS has no effect without --qos", conf);
	if (!simulated->equal_shares && simulated->jobs_without_assoc > 0)
		lxfw_cmd_note("%s: %zu of %zu jobs have no association in it, their "
			      "fair share is 0", priorities->assocs,
			      simulated->jobs_without_assoc, jobs);
	lxfw_simulated_finish(simulated);
}

/* ---- a trace --------------------------------------------------------------------- */

/* Whose jobs are that have the same owner, and the first of their partitions. */
struct owners {
	struct lxfw_names keys;
	struct lxfw_simulated_job *jobs;	/* by position in `keys` */
	size_t size;
};

/* The name that the log has for a number, else the number itself. */
static struct lxfw_slice name_of(const struct lxfw_trace *trace, const char *key,
				 int32_t number, char *text)
{
	struct lxfw_slice name = { "", 0 };

	if (number < 0)
		return name;
	name = lxfw_trace_name(trace, key, number);
	if (name.length == 0)
		name = (struct lxfw_slice) {
			text, (size_t)lxfw_text_put_integer(text, number),
		};
	return name;
}

static int find_owner(struct lxfw_simulated *simulated, const struct lxfw_trace *trace,
		      const struct lxfw_trace_owner *owner, int32_t set,
		      struct lxfw_simulated_job *job)
{
	char user_text[24], group_text[24];
	struct lxfw_slice user = name_of(trace, "User", owner->user, user_text);
	struct lxfw_slice account = { "", 0 }, qos = { "", 0 };

	if (owner->request >= 0) {
		const struct lxfw_slice request =
			lxfw_trace_name(trace, "Request", owner->request);

		account = lxfw_needs_word(request, "account");
		qos = lxfw_needs_word(request, "qos");
	}
	if (account.length == 0)
		account = name_of(trace, "Group", owner->group, group_text);
	return lxfw_simulated_find(simulated, account, user, qos, set, job);
}

/* Headers are searched once for all jobs of an owner. */
static int find_once(struct owners *owners, struct lxfw_simulated *simulated,
		     const struct lxfw_trace *trace, size_t position,
		     struct lxfw_simulated_job *job)
{
	const struct lxfw_trace_owner *owner = &trace->owners[position];
	const struct lxfw_need *need = lxfw_trace_need(trace, position);
	int32_t set = need && need->set_count > 0 ? need->sets[0] : -1;
	size_t known = owners->keys.count;
	char key[64];
	int length = snprintf(key, sizeof(key), "%d %d %d %d", (int)owner->user,
			      (int)owner->group, (int)owner->request, (int)set);
	int32_t at = lxfw_names_add(&owners->keys, key, (size_t)length);

	if (at < 0)
		return -1;
	if ((size_t)at == known) {
		if (LXFW_GROW(owners->jobs, owners->size, known + 1) ||
		    find_owner(simulated, trace, owner, set, &owners->jobs[at]))
			return -1;
	}
	*job = owners->jobs[at];
	return 0;
}

int lxfw_priorities_of_trace(struct lxfw_cmd_priorities *priorities, bool counts,
			     const char *conf, const struct lxfw_cluster *cluster,
			     const struct lxfw_trace *trace)
{
	struct lxfw_simulated *simulated = &priorities->simulated;
	struct owners owners = { .size = 0 };
	int result = begin(priorities, counts, conf, cluster);

	if (result <= 0)
		return result;
	lxfw_trace_calendar(trace, &simulated->calendar);
	result = 0;
	for (size_t i = 0; i < trace->count && result == 0; i++) {
		struct lxfw_simulated_job job;

		if (find_once(&owners, simulated, trace, i, &job) ||
		    lxfw_simulated_add(simulated, i + 1, &job))
			result = out_of_memory();
	}
	lxfw_names_clear(&owners.keys);
	free(owners.jobs);
	if (result == 0)
		finish(priorities, conf, trace->count);
	return result;
}

/* ---- a recorded run -------------------------------------------------------------- */

static struct lxfw_slice name_at(const struct lxfw_names *names, int32_t at)
{
	if (at < 0)
		return (struct lxfw_slice) { "", 0 };
	return (struct lxfw_slice) { names->names[at], strlen(names->names[at]) };
}

int lxfw_priorities_of_recorded(struct lxfw_cmd_priorities *priorities, bool counts,
				const char *conf, const struct lxfw_cluster *cluster,
				const struct lxfw_recorded *recorded)
{
	struct lxfw_simulated *simulated = &priorities->simulated;
	int result = begin(priorities, counts, conf, cluster);

	if (result <= 0)
		return result;
	simulated->calendar = recorded->calendar;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *from = &recorded->jobs[i];
		const struct lxfw_request *request = &from->request;
		struct lxfw_slice account = name_at(&recorded->accounts, from->account);
		struct lxfw_simulated_job job;

		if (account.length == 0)
			account = name_at(&recorded->groups, from->group);
		if (lxfw_simulated_find(simulated, account,
				name_at(&recorded->users, from->user),
				name_at(&recorded->qos, from->qos),
				request->host_set_count > 0 ?
				request->host_sets[0] : -1, &job) ||
		    lxfw_simulated_add(simulated, request->id, &job))
			return out_of_memory();
	}
	finish(priorities, conf, recorded->count);
	return 0;
}

const struct lxfw_priorities *
lxfw_priorities_loaded(const struct lxfw_cmd_priorities *priorities)
{
	return priorities->loaded ? &priorities->simulated.priorities : NULL;
}

const char *lxfw_priorities_text(const struct lxfw_cmd_priorities *priorities, char *text,
				 size_t size)
{
	if (priorities->assocs)
		snprintf(text, size, "shares from %s", priorities->assocs);
	else
		snprintf(text, size, "equal shares of accounts, and of users in each");
	return text;
}

void lxfw_priorities_clear(struct lxfw_cmd_priorities *priorities)
{
	if (priorities->loaded)
		lxfw_simulated_clear(&priorities->simulated);
	priorities->loaded = false;
}
