/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/partitions.h"

#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* Words of scontrol for a limit that is not set, beside those for "no limit". */
static bool is_unset(struct lxfw_slice text)
{
	return lxfw_slurm_is(text, "NONE") || lxfw_slurm_is(text, "INVALID") ||
	       lxfw_slurm_is(text, "n/a");
}

static int time_of(struct lxfw_slice text, int64_t *seconds)
{
	*seconds = LXFW_SLURM_UNLIMITED;
	if (!is_unset(text) && lxfw_slurm_time(text, seconds))
		return -1;
	if (*seconds == LXFW_SLURM_UNLIMITED)
		*seconds = 0;
	else if (*seconds > LXFW_PARTITION_TIME_MAX)
		*seconds = LXFW_PARTITION_TIME_MAX;
	return 0;
}

static int take_time(struct lxfw_slice key, struct lxfw_slice value,
		     int64_t *seconds, struct lxfw_error *wrong)
{
	char name[40], quoted[40];

	if (time_of(value, seconds) == 0)
		return 0;
	return lxfw_error_format(wrong, "%s=%s, expected a time as "
		"[DAYS-]HOURS:MINUTES:SECONDS, minutes or UNLIMITED",
		lxfw_text_quote(name, sizeof(name), key.at, key.length),
		lxfw_text_quote(quoted, sizeof(quoted), value.at, value.length));
}

static int take_count(struct lxfw_slice key, struct lxfw_slice value,
		      int32_t *count, struct lxfw_error *wrong)
{
	char name[40], quoted[40];
	int64_t number = 0;

	if (!lxfw_slurm_is(value, "UNLIMITED") &&
	    !lxfw_slurm_is(value, "INFINITE") &&
	    !lxfw_slice_integer(value, 0, INT32_MAX, &number))
		return lxfw_error_format(wrong,
			"%s=%s, expected a number from 0 to %d or UNLIMITED",
			lxfw_text_quote(name, sizeof(name), key.at, key.length),
			lxfw_text_quote(quoted, sizeof(quoted), value.at,
					value.length), INT32_MAX);
	*count = (int32_t)number;
	return 0;
}

int lxfw_partition_take(struct lxfw_partition *partition, struct lxfw_slice key,
			struct lxfw_slice value, struct lxfw_error *wrong)
{
	if (lxfw_slurm_is(key, "MaxTime"))
		return take_time(key, value, &partition->max_time, wrong);
	if (lxfw_slurm_is(key, "DefaultTime"))
		return take_time(key, value, &partition->default_time, wrong);
	if (lxfw_slurm_is(key, "MaxNodes"))
		return take_count(key, value, &partition->max_hosts, wrong);
	if (lxfw_slurm_is(key, "MinNodes"))
		return take_count(key, value, &partition->min_hosts, wrong);
	if (lxfw_slurm_is(key, "MaxCPUsPerNode"))
		return take_count(key, value, &partition->max_host_procs, wrong);
	if (lxfw_slurm_is(key, "MaxCPUsPerSocket"))
		return take_count(key, value, &partition->max_socket_procs, wrong);
	if (lxfw_slurm_is(key, "PriorityTier") || lxfw_slurm_is(key, "Priority"))
		return take_count(key, value, &partition->tier, wrong);
	if (lxfw_slurm_is(key, "OverSubscribe") || lxfw_slurm_is(key, "Shared"))
		partition->exclusive = lxfw_slurm_is(value, "EXCLUSIVE");
	return 0;
}

/* --- JSON ----------------------------------------------------------------------- */

/* 32-bit numbers from this one on mean "no limit" or "not set". */
#define NONE_FROM INT64_C(0xfffffffd)

/* Returns the number at PATH, or at OLD if there is none. Returns 0 for no limit, -1
   if absent. */
static int64_t limit_of(json_object *object, const char *path, const char *old)
{
	int64_t number = lxfw_json_number(object, path);

	if (number < 0)
		number = lxfw_json_number(object, old);
	return number >= NONE_FROM ? 0 : number;
}

static void take_number(json_object *object, const char *path, const char *old,
			int32_t *to)
{
	int64_t number = limit_of(object, path, old);

	if (number >= 0)
		*to = number > INT32_MAX ? INT32_MAX : (int32_t)number;
}

static void take_minutes(json_object *object, const char *path, const char *old,
			 int64_t *to)
{
	int64_t minutes = limit_of(object, path, old);

	if (minutes >= 0)
		*to = minutes > LXFW_PARTITION_TIME_MAX / 60 ?
			LXFW_PARTITION_TIME_MAX : minutes * 60;
}

void lxfw_partition_of_json(struct lxfw_partition *partition,
			    json_object *object)
{
	take_minutes(object, "maximums.time", "max_time_limit",
		     &partition->max_time);
	take_minutes(object, "defaults.time", "default_time_limit",
		     &partition->default_time);
	take_number(object, "maximums.nodes", "maximum_nodes_per_job",
		    &partition->max_hosts);
	take_number(object, "minimums.nodes", "min nodes per job",
		    &partition->min_hosts);
	take_number(object, "maximums.cpus_per_node", "maximum_cpus_per_node",
		    &partition->max_host_procs);
	take_number(object, "maximums.cpus_per_socket", "maximum_cpus_per_socket",
		    &partition->max_socket_procs);
	take_number(object, "priority.tier", "priority_tier", &partition->tier);
	/* no two jobs may share a node */
	partition->exclusive |=
		lxfw_json_number(object, "maximums.oversubscribe.jobs") == 0;
}
