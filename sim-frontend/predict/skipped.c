/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/skipped.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/id_map.h"

/* Slurm's defaults. */
#define ALL_USUAL 500
#define INTERVAL_USUAL 30

#define TASKS 20		/* of an array: bf_max_job_array_resv */

#define NUMBER_MAX 100000000

/* Passes in which a job that is considered has a planned start, and what they take, seconds. */
#define PASSES 2
#define PASS_LONG 60

static const struct {
	const char *key;
	enum lxfw_skipped_by by;
} bounds[] = {
	{ "bf_max_job_assoc", LXFW_SKIPPED_USER },
	{ "bf_max_job_user", LXFW_SKIPPED_USER },
	{ "bf_max_job_user_part", LXFW_SKIPPED_USER_PART },
	{ "bf_max_job_part", LXFW_SKIPPED_PART },
	{ "bf_max_job_test", LXFW_SKIPPED_ALL },
};
#define BOUNDS (sizeof(bounds) / sizeof(*bounds))

/* --- the configuration -------------------------------------------------------------------- */

/* The value of a line "KEY = VALUE"; "": there is none. */
static const char *value_of(const char *config, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = config; line; line = strchr(line, '\n')) {
		size_t between;

		line += *line == '\n';
		between = strncmp(line, key, length) == 0 ? strspn(line + length, " =") : 0;
		if (between > 0)
			return line + length + between;
	}
	return "";
}

/* The value of KEY=NUMBER in a list that ends with the line, or USUAL. */
static int64_t number_of(const char *list, const char *key, int64_t usual)
{
	size_t length = strlen(key);

	for (const char *at = list; *at && *at != '\n'; at += *at == ',' || isspace((unsigned char)*at)) {
		long long number;

		if (strncasecmp(at, key, length) == 0 && at[length] == '=') {
			number = strtoll(at + length + 1, NULL, 10);
			return number >= 0 && number <= NUMBER_MAX ? number : usual;
		}
		at += strcspn(at, ", \t\n");
		if (*at == '\n')
			break;
	}
	return usual;
}

/* Slurm says "preempt/none", or from 25.11 on "(null)", if no job is preempted. */
static int64_t preempts_of(const char *config)
{
	const char *type = value_of(config, "PreemptType");

	if (strncmp(type, "preempt/partition_prio", strlen("preempt/partition_prio")) == 0)
		return LXFW_PREEMPTS_TIER;
	return strncmp(type, "preempt/", strlen("preempt/")) == 0 &&
	       strncmp(type, "preempt/none", strlen("preempt/none")) != 0 ? LXFW_PREEMPTS_QOS :
									     LXFW_PREEMPTS_NONE;
}

void lxfw_scheduling_read(struct lxfw_scheduling *scheduling, const char *config)
{
	const char *list = value_of(config, "SchedulerParameters");

	*scheduling = (struct lxfw_scheduling) {
		.interval = number_of(list, "bf_interval", INTERVAL_USUAL),
		.preempts = preempts_of(config),
	};
	for (size_t i = 0; i < BOUNDS; i++) {
		int64_t *most = &scheduling->most[bounds[i].by];
		int64_t number = number_of(list, bounds[i].key, 0);

		if (number > 0 && (*most == 0 || number < *most))
			*most = number;
	}
	if (scheduling->most[LXFW_SKIPPED_ALL] == 0)
		scheduling->most[LXFW_SKIPPED_ALL] = ALL_USUAL;
}

/* --- jobs ----------------------------------------------------------------------------------- */

/* How many jobs were counted, by key_of(). */
struct counts {
	struct lxfw_id_map by_key;
};

/* What key_of() counts beside the bounds: all jobs of a partition, not only those that are considered. */
#define ALL_OF_PARTITION LXFW_SKIPPED_NOT

static uint64_t mix(uint64_t key, int64_t with)
{
	key = (key ^ (uint64_t)with) * UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 29;
}

/* The number of what such a job is counted by; 0: it is not known. */
static uint64_t key_of(enum lxfw_skipped_by by, int64_t user, int64_t partition)
{
	bool of_user = by == LXFW_SKIPPED_USER || by == LXFW_SKIPPED_USER_PART;
	bool of_part = by == LXFW_SKIPPED_PART || by == LXFW_SKIPPED_USER_PART ||
		       by == ALL_OF_PARTITION;

	if ((of_user && user < 0) || (of_part && partition < 0))
		return 0;
	return mix(mix(mix(UINT64_MAX, (int64_t)by), of_user ? user : -1), of_part ? partition : -1) | 1;
}

static int32_t count_of(const struct counts *counts, uint64_t key)
{
	int32_t count = key ? lxfw_id_map_get(&counts->by_key, key) : 0;

	return count > 0 ? count : 0;
}

/* Returns 0, or -1 with errno ENOMEM. */
static int count_one(struct counts *counts, uint64_t key)
{
	int32_t before = count_of(counts, key);

	if (before > 0)
		lxfw_id_map_set(&counts->by_key, key, before + 1);
	return key && before == 0 ? lxfw_id_map_add(&counts->by_key, key, 1) : 0;
}

/* Whether it is a task of an array of which Slurm considers others. Returns -1 with errno ENOMEM. */
static int is_further_task(struct counts *counts, uint64_t id)
{
	uint64_t key = mix(UINT64_MAX - 1, (int64_t)(id & UINT32_MAX)) | 1;

	if (id <= UINT32_MAX)
		return 0;
	if (count_of(counts, key) >= TASKS)
		return 1;
	return count_one(counts, key) ? -1 : 0;
}

/* Counts a job: what Slurm passes over counts for no other bound. Returns as above. */
static int count_job(struct counts *counts, const struct lxfw_skipped_job *job)
{
	bool passed = job->by > LXFW_SKIPPED_NOT && job->by < LXFW_SKIPPED_BOUNDS;
	int failed = count_one(counts, key_of(ALL_OF_PARTITION, job->user, job->partition));
	int further = passed || failed ? 1 : is_further_task(counts, job->id);

	if (failed || further < 0)
		return -1;
	for (int by = LXFW_SKIPPED_NOT + 1; by < LXFW_SKIPPED_BOUNDS && !further && !failed; by++)
		failed = count_one(counts, key_of(by, job->user, job->partition));
	return failed;
}

/* Whether no job of the partition was counted. */
static bool is_first(const struct counts *counts, int64_t partition)
{
	return partition >= 0 && count_of(counts, key_of(ALL_OF_PARTITION, -1, partition)) == 0;
}

/* The bound that such a job is beyond, behind those that were counted. */
static enum lxfw_skipped_by find_bound(const struct lxfw_scheduling *scheduling,
				      const struct counts *counts, int64_t user, int64_t partition)
{
	if (is_first(counts, partition))
		return LXFW_SKIPPED_NOT;
	for (int by = LXFW_SKIPPED_NOT + 1; by < LXFW_SKIPPED_BOUNDS; by++) {
		int64_t most = scheduling->most[by];

		if (most > 0 && count_of(counts, key_of(by, user, partition)) >= most)
			return by;
	}
	return LXFW_SKIPPED_NOT;
}

int lxfw_skipped_find(const struct lxfw_scheduling *scheduling, int64_t now,
		     struct lxfw_skipped_job *jobs, size_t count)
{
	int64_t patience = PASSES * scheduling->interval + PASS_LONG;
	struct counts counts = { 0 };
	bool plans = false;
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++) {
		struct lxfw_skipped_job *job = &jobs[i];

		plans |= job->planned > 0;
		job->by = job->planned > 0 ? LXFW_SKIPPED_NOT :
			  find_bound(scheduling, &counts, job->user, job->partition);
		if (job->by == LXFW_SKIPPED_NOT && job->planned == 0 && plans &&
		    now - job->since > patience && !is_first(&counts, job->partition))
			job->by = LXFW_SKIPPED_UNPLANNED;
		failed = count_job(&counts, job);
	}
	lxfw_id_map_clear(&counts.by_key);
	return failed;
}

int lxfw_skipped_request(const struct lxfw_scheduling *scheduling,
			const struct lxfw_skipped_job *jobs, size_t count, int64_t user,
			int64_t partition, enum lxfw_skipped_by *by)
{
	struct counts counts = { 0 };
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++)
		failed = count_job(&counts, &jobs[i]);
	*by = find_bound(scheduling, &counts, user, partition);
	lxfw_id_map_clear(&counts.by_key);
	return failed;
}

void lxfw_skipped_text(const struct lxfw_scheduling *scheduling, enum lxfw_skipped_by by,
		      char text[LXFW_SKIPPED_TEXT])
{
	static const char *const of[] = {
		[LXFW_SKIPPED_USER] = " of a user", [LXFW_SKIPPED_USER_PART] = " of a user",
		[LXFW_SKIPPED_PART] = " of a partition", [LXFW_SKIPPED_ALL] = "",
	};

	*text = '\0';
	if (by == LXFW_SKIPPED_UNPLANNED)
		snprintf(text, LXFW_SKIPPED_TEXT, "Slurm has not planned a start");
	else if (by != LXFW_SKIPPED_NOT)
		snprintf(text, LXFW_SKIPPED_TEXT, "Slurm plans only for %lld job%s%s at a time",
			 (long long)scheduling->most[by], scheduling->most[by] == 1 ? "" : "s",
			 of[by]);
}
