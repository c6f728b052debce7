/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/present.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/trace/log_origin.h"

bool lxfw_present_is_lxfw(const struct lxfw_cluster *cluster)
{
	return (cluster->scheduler && strstr(cluster->scheduler, "lxfw")) ||
	       (cluster->parameters && strstr(cluster->parameters, "lxfw_"));
}

bool lxfw_present_is_backfill(const struct lxfw_cluster *cluster, const char *log)
{
	if (lxfw_present_is_lxfw(cluster) || cluster->closest)
		return false;
	if (cluster->scheduler)
		return strstr(cluster->scheduler, "backfill") != NULL;
	return cluster->controller || (log && lxfw_log_is_of_slurm(log));
}

/* The items that the policy models, with the ranges of Slurm. A value outside has Slurm's
   default, which is the preset of the policy. */
static const struct {
	const char *item, *key;
	int64_t least, most, unit;
} modelled[] = {
	{ "bf_max_job_test", "lxfw_reservations", 1, 1000000, 1 },
	{ "bf_interval", "lxfw_backfill_interval", 1, 10800, 1 },
	{ "bf_window", "lxfw_reservation_window", 1, 30 * 24 * 60, 60 },
	{ "bf_min_age_reserve", "lxfw_reservation_age", 1, 30 * 24 * 3600, 1 },
	{ "bf_min_prio_reserve", "lxfw_reservation_priority", 1, UINT32_MAX, 1 },
};

/* Slurm 20.11 and earlier read max_job_bf where bf_max_job_test is not given. */
static int64_t number_of(const char *parameters, const char *item)
{
	if (strcmp(item, "bf_max_job_test") == 0 && !lxfw_parameters_has(parameters, item))
		item = "max_job_bf";
	return lxfw_parameters_number(parameters, item, 0);
}

/* Whether PARAMETERS have the item TEXT, with this value. */
static bool has_item(const char *parameters, const char *text)
{
	struct lxfw_parameter_item item;

	while (lxfw_parameters_next(&parameters, &item)) {
		if (item.length == strlen(text) &&
		    strncasecmp(item.at, text, item.length) == 0)
			return true;
	}
	return false;
}

char *lxfw_present_line(const char *parameters)
{
	const char *text = parameters ? parameters : "";
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (!to)
		return NULL;
	fprintf(to, "%s%slxfw_policy=slurm", text, *text ? "," : "");
	for (size_t i = 0; i < sizeof(modelled) / sizeof(*modelled); i++) {
		int64_t number = number_of(text, modelled[i].item);

		if (number >= modelled[i].least && number <= modelled[i].most)
			fprintf(to, ",%s=%"PRId64, modelled[i].key,
				number * modelled[i].unit);
	}
	if (has_item(text, "sched_interval=-1"))	/* the main scheduler is off */
		fputs(",lxfw_main_pass=off", to);
	if (fclose(to) == 0)
		return line;
	free(line);
	return NULL;
}

/* The items that change which jobs start, and what simulations do instead. Those of limits
   hold for sched/lxfw, too. */
static const struct {
	const char *item;
	bool lxfw;
	int64_t usual;		/* a value without effect */
	const char *instead;
} others[] = {
	{ "bf_max_job_user", true, 0, "simulations consider all jobs" },
	{ "bf_max_job_assoc", true, 0, "simulations consider all jobs" },
	{ "bf_max_job_part", true, 0, "simulations consider all jobs" },
	{ "bf_max_job_user_part", true, 0, "simulations consider all jobs" },
	{ "bf_max_job_start", false, 0, "simulations start all jobs that can start" },
	{ "bf_job_part_count_reserve", false, 0,
	  "simulations do not count reservations by partition" },
	{ "bf_max_job_array_resv", false, 20, "simulations treat tasks of arrays as jobs" },
	{ "bf_resolution", false, 60, "reservations of simulations are in minutes" },
	{ "bf_window_linear", false, 0, "windows of ends of jobs double in simulations" },
	{ "bf_max_time", false, 0, "passes of simulations take no time" },
	{ "default_queue_depth", false, 100,
	  "the main scheduler considers all jobs in simulations" },
	{ "partition_job_depth", false, 0,
	  "the main scheduler considers all jobs in simulations" },
	{ "sched_max_job_start", false, 0, "simulations start all jobs that can start" },
	{ "max_rpc_cnt", false, 0, "simulations have no requests that delay a pass" },
};

static const struct {
	const char *item, *instead;
} flags[] = {
	{ "assoc_limit_stop", "simulations have no limits of associations" },
	{ "bf_licenses", "simulations do not reserve licenses" },
	{ "bf_one_resv_per_job", "simulations reserve in each backfill pass" },
};

void lxfw_present_note(const struct lxfw_cluster *cluster,
		       void (*note)(const char *conf, const char *item, const char *instead),
		       const char *conf)
{
	const char *parameters = cluster->parameters;
	bool lxfw = lxfw_present_is_lxfw(cluster);
	char item[64];

	for (size_t i = 0; parameters && i < sizeof(others) / sizeof(*others); i++) {
		int64_t number = lxfw_parameters_number(parameters, others[i].item, 0);

		if (number == 0 || number == others[i].usual || (lxfw && !others[i].lxfw))
			continue;
		snprintf(item, sizeof(item), "%s=%"PRId64, others[i].item, number);
		note(conf, item, others[i].instead);
	}
	for (size_t i = 0; parameters && !lxfw && i < sizeof(flags) / sizeof(*flags); i++) {
		if (lxfw_parameters_has(parameters, flags[i].item))
			note(conf, flags[i].item, flags[i].instead);
	}
	if (parameters && !lxfw && has_item(parameters, "bf_interval=-1"))
		note(conf, "bf_interval=-1", "simulations backfill every 30 seconds");
}
