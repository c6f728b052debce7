/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/pbs_formula.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "sim-frontend/util/text.h"

/* A job without walltime counts as five years long for pbs_sched, but its value in a formula
   is 0. */
#define WALLTIME "(walltime or 157680000)"

/* Policies that are more than an order of jobs and reservations. */
#define BEYOND_ORDER (LXFW_TRAIT_INTERRUPTS | LXFW_TRAIT_ADAPTIVE | LXFW_TRAIT_MOLDABLE | \
		      LXFW_TRAIT_SUSPENDS | LXFW_TRAIT_CLASSES | LXFW_TRAIT_QUEUES_SUSPENDED)

/* Adds a term to the sum: the weight and TEXT, or TEXT_ONE if the weight is 1; nothing if it
   is 0. */
static void add(FILE *to, const char *key, const struct lxfw_params *params,
		const char *text, const char *text_one)
{
	const struct lxfw_key *of = lxfw_key_find(key, strlen(key));
	char weight[LXFW_KEY_VALUE_SIZE];

	if (lxfw_key_weight(of, params) == 0 || lxfw_key_print(of, params, weight))
		return;
	fprintf(to, "%s", ftell(to) > 0 ? " + " : "");
	if (lxfw_key_weight(of, params) == 1)
		fprintf(to, "%s", text_one);
	else
		fprintf(to, "%s*%s", weight, text);
}

/* Chiang and Vernon 2001, table 3; see common/order/line.c. */
static int put_weights(const struct lxfw_params *params, double mean_memory, FILE *to,
		       struct lxfw_error *error)
{
	char memory[60], larger[80];

	if ((params->wm != 0 || params->wpe != 0) && mean_memory <= 0)
		return lxfw_error_format(error, "%s: the formula contains the memory per "
					 "processor of the machine, expected --cluster with "
					 "memory", params->wm != 0 ? "lxfw_wm" : "lxfw_wpe");
	snprintf(memory, sizeof(memory), "mem/%.0f", mean_memory * 1024);
	snprintf(larger, sizeof(larger), "max(ncpus, %s)", memory);
	add(to, "lxfw_wx", params, "(1 + eligible_time/" WALLTIME ")",
	    "1 + eligible_time/" WALLTIME);
	add(to, "lxfw_ww", params, "eligible_time/3600", "eligible_time/3600");
	add(to, "lxfw_wp", params, "ncpus", "ncpus");
	add(to, "lxfw_wm", params, memory, memory);
	add(to, "lxfw_wpe", params, larger, larger);
	if (ftell(to) == 0)
		fprintf(to, "eligible_time");
	return 0;
}

static int put(const struct lxfw_params *params, double mean_memory, FILE *to,
	       struct lxfw_error *error)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);
	bool weights = policy && policy->traits & LXFW_TRAIT_WEIGHTS;
	bool shortest = policy && policy->traits & LXFW_TRAIT_SHORTEST;

	if (!policy || policy->traits & BEYOND_ORDER || policy->pass || policy->order.rank ||
	    policy->order.list || (policy->order.line && !weights && !shortest) ||
	    (policy->order.site && !weights))
		return lxfw_error_format(error, "policy %s has no formula, expected one that "
					 "orders jobs by weights, run time or submit time",
					 lxfw_policy_name(params->policy));
	if (weights)
		return put_weights(params, mean_memory, to, error);
	fprintf(to, "%s", shortest ? "-" WALLTIME : "eligible_time");
	return 0;
}

char *lxfw_pbs_formula(const struct lxfw_params *params, double mean_memory,
		       struct lxfw_error *error)
{
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	int failed;

	if (!to) {
		lxfw_error_format(error, "out of memory");
		return NULL;
	}
	failed = put(params, mean_memory, to, error);
	if (fclose(to) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}

/* --- the settings ----------------------------------------------------------------------- */

static void print_backfill(const struct lxfw_params *params, FILE *out)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);
	int64_t depth = policy->backfill.in_order ? 0 : params->reservations;

	if (policy->backfill.reservations == LXFW_NO_RESERVATIONS) {
		fprintf(out, "\nin sched_config:\n    strict_ordering: false ALL\n");
		return;
	}
	if (depth == LXFW_RESERVATIONS_ALL)
		depth = 10000;
	fprintf(out, "qmgr -c 'set server backfill_depth = %lld'\n", (long long)depth);
	fprintf(out, "\nin sched_config:\n    strict_ordering: true ALL\n");
}

static void print_limits(const struct lxfw_params *params, FILE *out)
{
	fprintf(out, "\nWhat pbs_sched does otherwise:\n"
		"  - eligible_time does not grow while a limit of running jobs holds the job "
		"back; the wait\n    of lxfw does.\n"
		"  - The value of a job is a float with 24 bits: smaller differences are "
		"ties.\n"
		"  - With by_queue, the default, jobs of a queue with a higher Priority come "
		"first; the\n    formula orders the jobs of a queue, or of all queues with "
		"by_queue: false ALL.\n");
	if (params->reservations == LXFW_RESERVATIONS_ALL)
		fprintf(out, "  - lxfw_reservations=all is not possible: a large backfill_depth "
			"costs time in each cycle.\n");
	if (lxfw_params_policy(params)->backfill.keeps)
		fprintf(out, "  - Start times that were given are not kept: reservations are "
			"computed again in each cycle.\n");
	else if (params->reservation_mode == LXFW_RESERVATION_COMPRESS &&
		 params->reservations != 1)
		fprintf(out, "  - lxfw_reservation_mode=compress is not possible: reservations "
			"are computed again in each\n    cycle.\n");
	if (lxfw_params_serve(params))
		fprintf(out, "  - There is no immediate service (lxfw_quantum).\n");
	if (params->wbypass != 0)
		fprintf(out, "  - lxfw_wbypass is not possible: pbs_sched does not count how "
			"often a job is bypassed.\n");
	if (params->wsite != 0)
		fprintf(out, "  - lxfw_wsite is left out: job_priority and fairshare_factor can "
			"be added by hand.\n");
	if (params->reservation_age > 0 || params->reservation_priority > 0 ||
	    params->reservation_window > 0)
		fprintf(out, "  - lxfw_reservation_age, _priority and _window are not "
			"possible.\n");
	if (params->age_first > 0)
		fprintf(out, "  - lxfw_age_first is left out: jobs that have waited long do not "
			"come first.\n");
	if (params->wm != 0 || params->wpe != 0)
		fprintf(out, "  - The memory per processor in the formula is that of the "
			"present machine.\n");
	fprintf(out, "'lxfw simulate --pbs-formula' shows what the formula gives.\n");
}

void lxfw_pbs_formula_print(const struct lxfw_params *params, const char *formula,
			    FILE *out)
{
	fprintf(out, "qmgr -c 'set server eligible_time_enable = True'\n"
		"qmgr -c 'set server job_sort_formula = \"%s\"'\n", formula);
	print_backfill(params, out);
	print_limits(params, out);
}
