/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/formula.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/util/formula_math.h"
#include "plugins/pbs/text.h"

/* Names that are not of resources, before these. */
enum {
	ELIGIBLE_TIME, ACCRUE_TYPE, QUEUE_PRIORITY, JOB_PRIORITY, SHARE, SHARE_OLD, USAGE, FACTOR,
	WALLTIME, MIN_WALLTIME, MAX_WALLTIME,
	OWN_NAMES,
};

static const char *const own_names[OWN_NAMES] = {
	[ELIGIBLE_TIME] = "eligible_time", [ACCRUE_TYPE] = "accrue_type",
	[QUEUE_PRIORITY] = "queue_priority", [JOB_PRIORITY] = "job_priority",
	[SHARE] = "fairshare_perc", [SHARE_OLD] = "fair_share_perc",
	[USAGE] = "fairshare_tree_usage", [FACTOR] = "fairshare_factor",
	[WALLTIME] = "walltime", [MIN_WALLTIME] = "min_walltime",
	[MAX_WALLTIME] = "max_walltime",
};

/* --- reading ------------------------------------------------------------------------------ */

void lxfw_pbs_formula_clear(struct lxfw_pbs_formula *formula)
{
	lxfw_formula_free(formula->formula);
	for (size_t i = 0; i < formula->count; i++)
		free(formula->names[i]);
	free(formula->names);
	free(formula->values);
	free(formula->text);
	memset(formula, 0, sizeof(*formula));
}

static bool is_number(const struct lxfw_pbs_kind *kind)
{
	return kind->type == LXFW_PBS_LONG || kind->type == LXFW_PBS_SIZE ||
	       kind->type == LXFW_PBS_FLOAT;
}

static bool is_own(const char *name)
{
	for (size_t i = 0; i < OWN_NAMES; i++) {
		if (strcmp(name, own_names[i]) == 0)
			return true;
	}
	return false;
}

static bool add_name(struct lxfw_pbs_formula *formula, const char *name)
{
	formula->names[formula->count] = strdup(name);
	return formula->names[formula->count++] != NULL;
}

static bool set_names(struct lxfw_pbs_formula *formula, const struct lxfw_pbs_kinds *kinds)
{
	size_t most = OWN_NAMES + kinds->count;

	formula->names = calloc(most, sizeof(*formula->names));
	formula->values = calloc(most, sizeof(*formula->values));
	if (!formula->names || !formula->values)
		return false;
	for (size_t i = 0; i < OWN_NAMES; i++) {
		if (!add_name(formula, own_names[i]))
			return false;
	}
	for (size_t i = 0; i < kinds->count; i++) {
		const struct lxfw_pbs_kind *kind = &kinds->kind[i];

		if (is_number(kind) && !is_own(kind->name) && !add_name(formula, kind->name))
			return false;
	}
	return true;
}

/* Whether the names are those of these resources. */
static bool has_names(const struct lxfw_pbs_formula *formula, const struct lxfw_pbs_kinds *kinds)
{
	size_t at = OWN_NAMES;

	for (size_t i = 0; i < kinds->count; i++) {
		const struct lxfw_pbs_kind *kind = &kinds->kind[i];

		if (!is_number(kind) || is_own(kind->name))
			continue;
		if (at == formula->count || strcmp(formula->names[at++], kind->name) != 0)
			return false;
	}
	return at == formula->count;
}

bool lxfw_pbs_formula_use(struct lxfw_pbs_formula *formula, const char *text,
			  const struct lxfw_pbs_kinds *kinds, bool *changed,
			  struct lxfw_error *why)
{
	struct lxfw_formula_names names = {
		.functions = lxfw_formula_math, .function_count = LXFW_FORMULA_MATH_COUNT,
	};

	*changed = text ? !formula->text || strcmp(text, formula->text) != 0 ||
				  !has_names(formula, kinds) :
			  formula->text != NULL;
	if (!*changed)
		return true;
	lxfw_pbs_formula_clear(formula);
	if (!text)
		return true;
	lxfw_error_set(why, "out of memory");
	formula->text = strdup(text);
	if (!formula->text || !set_names(formula, kinds))
		return false;
	names.values = (const char *const *)formula->names;
	names.value_count = formula->count;
	formula->formula = lxfw_formula_read(text, &names, why);
	return formula->formula != NULL;
}

/* --- values ------------------------------------------------------------------------------- */

/* The amount of the resource in the list: seconds of a duration, KiB of a size. */
static double amount_in(const struct lxfw_pbs_property *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const char *value = list[i].value;
		int64_t number;
		double result;
		char *end;

		if (strcmp(list[i].name, name) != 0)
			continue;
		if (strchr(value, ':'))
			return lxfw_pbs_duration(value, &number) ? (double)number : 0;
		errno = 0;
		result = strtod(value, &end);
		if (!*end && end != value && isfinite(result))
			return result;
		return lxfw_pbs_size(value, &number) ? (double)number : 0;
	}
	return 0;
}

static double seconds(int64_t time)
{
	return time < 0 ? 0 : (double)time;
}

static double own_value(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			const struct lxfw_pbs_entity *entity, size_t name)
{
	const struct lxfw_pbs_queue *queue;

	switch (name) {
	case ELIGIBLE_TIME:
		return seconds(job->eligible_time);
	case ACCRUE_TYPE:
		return (double)job->accrue_type;
	case QUEUE_PRIORITY:
		queue = lxfw_pbs_site_find_queue(site, job->queue);
		return queue ? (double)queue->priority : 0;
	case JOB_PRIORITY:
		return (double)job->priority;
	case SHARE:
	case SHARE_OLD:
		return entity ? entity->share : 0;
	case USAGE:
		return entity ? entity->factor : 0;
	case FACTOR:
		return entity ? lxfw_pbs_fairshare_factor(entity) : 0;
	case WALLTIME:
		return seconds(job->walltime);
	case MIN_WALLTIME:
		return seconds(job->walltime_min);
	case MAX_WALLTIME:
		return seconds(job->walltime_max);
	default:
		return 0;
	}
}

static double evaluate(const struct lxfw_pbs_formula *formula)
{
	double result;

	if (lxfw_formula_evaluate(formula->formula, formula->values, &result, NULL) < 0)
		return 0;
	return result;
}

double lxfw_pbs_formula_value(struct lxfw_pbs_formula *formula,
			      const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
			      const struct lxfw_pbs_entity *entity)
{
	for (size_t i = 0; i < formula->count; i++) {
		if (lxfw_formula_uses(formula->formula, i))
			formula->values[i] = i < OWN_NAMES ?
				own_value(site, job, entity, i) :
				amount_in(job->wide, job->wide_count, formula->names[i]);
	}
	return (double)(float)evaluate(formula);
}

double lxfw_pbs_formula_used(struct lxfw_pbs_formula *formula, const struct lxfw_pbs_job *job)
{
	for (size_t i = 0; i < formula->count; i++)
		formula->values[i] = amount_in(job->used, job->used_count, formula->names[i]);
	return evaluate(formula);
}

int64_t lxfw_pbs_formula_priority(double value)
{
	double scaled = value * LXFW_PBS_FORMULA_SCALE;

	if (scaled >= (double)LXFW_PRIORITY_MAX)
		return LXFW_PRIORITY_MAX;
	if (scaled <= -(double)LXFW_PRIORITY_MAX)
		return -LXFW_PRIORITY_MAX;
	return llround(scaled);
}
