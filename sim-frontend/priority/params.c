/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/params.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

#define WEEK (UINT32_C(7) * 86400)

const struct lxfw_multifactor_params lxfw_multifactor_defaults = {
	.max_age = WEEK, .half_life = WEEK, .calc_period = 300, .dampening = 1,
	.enforce_limits = true, .slurmdbd = true, .multifactor = true,
};

/* Buffers for a key and a value in a message. */
struct quoted {
	char key[40], value[40];
};

static int wrong_value(struct lxfw_error *wrong, struct lxfw_slice key,
		       struct lxfw_slice value, const char *expected)
{
	struct quoted quoted;

	return lxfw_error_format(wrong, "%s=%s, expected %s",
		lxfw_text_quote(quoted.key, sizeof(quoted.key), key.at, key.length),
		lxfw_text_quote(quoted.value, sizeof(quoted.value), value.at,
				value.length), expected);
}

int lxfw_multifactor_minutes(struct lxfw_slice text, uint32_t *minutes)
{
	int64_t seconds;

	if (lxfw_slurm_time(text, &seconds))
		return -1;
	if (seconds == LXFW_SLURM_UNLIMITED) {
		*minutes = UINT32_MAX;
		return 0;
	}
	if (seconds > INT32_MAX) {	/* Slurm uses an int */
		errno = EINVAL;
		return -1;
	}
	*minutes = (uint32_t)((seconds + 59) / 60);
	return 0;
}

static int take_seconds(struct lxfw_slice key, struct lxfw_slice value,
			bool positive, uint32_t *seconds, struct lxfw_error *wrong)
{
	uint32_t minutes;

	if (lxfw_multifactor_minutes(value, &minutes) ||
	    (positive && (minutes == 0 || minutes == UINT32_MAX)))
		return wrong_value(wrong, key, value, positive ?
			"a time of a minute or more, [DAYS-]HOURS:MINUTES:SECONDS or minutes" :
			"a time as [DAYS-]HOURS:MINUTES:SECONDS, minutes or UNLIMITED, at most 24855 days");
	*seconds = minutes == UINT32_MAX ? LXFW_MULTIFACTOR_UNLIMITED : minutes * 60;
	return 0;
}

static int take_weight(struct lxfw_slice key, struct lxfw_slice value,
		       uint32_t *weight, struct lxfw_error *wrong)
{
	int64_t number;

	if (!lxfw_slice_integer(value, 0, UINT32_MAX, &number))
		return wrong_value(wrong, key, value,
				   "a number from 0 to 4294967295");
	*weight = (uint32_t)number;
	return 0;
}

/* Returns whether TEXT contains WORD, ignoring case; Slurm searches flags in this way. */
static bool contains(struct lxfw_slice text, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i + length <= text.length; i++) {
		if (lxfw_slice_begins((struct lxfw_slice) { text.at + i,
							    text.length - i }, word))
			return true;
	}
	return false;
}

static unsigned flags_of(struct lxfw_slice text)
{
	static const struct {
		const char *name;
		unsigned flags;
	} known[] = {
		{ "ACCRUE_ALWAYS", LXFW_MULTIFACTOR_ACCRUE_ALWAYS },
		{ "SMALL_RELATIVE_TO_TIME", LXFW_MULTIFACTOR_SMALL_RELATIVE_TO_TIME },
		{ "CALCULATE_RUNNING", LXFW_MULTIFACTOR_CALCULATE_RUNNING },
		{ "DEPTH_OBLIVIOUS", LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS },
		{ "NO_FAIR_TREE", LXFW_MULTIFACTOR_NO_FAIR_TREE },
		{ "INCR_ONLY", LXFW_MULTIFACTOR_INCR_ONLY },
		{ "MAX_TRES", LXFW_MULTIFACTOR_MAX_TRES },
		{ "NO_NORMAL_ASSOC", LXFW_MULTIFACTOR_NO_NORMAL_ASSOC },
		{ "NO_NORMAL_PART", LXFW_MULTIFACTOR_NO_NORMAL_PART },
		{ "NO_NORMAL_QOS", LXFW_MULTIFACTOR_NO_NORMAL_QOS },
		{ "NO_NORMAL_TRES", LXFW_MULTIFACTOR_NO_NORMAL_TRES },
		{ "NO_NORMAL_ALL", LXFW_MULTIFACTOR_NO_NORMAL_ASSOC |
				   LXFW_MULTIFACTOR_NO_NORMAL_PART |
				   LXFW_MULTIFACTOR_NO_NORMAL_QOS |
				   LXFW_MULTIFACTOR_NO_NORMAL_TRES },
	};
	unsigned flags = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (contains(text, known[i].name))
			flags |= known[i].flags;
	}
	return flags;
}

static int take_reset(struct lxfw_slice key, struct lxfw_slice value,
		      enum lxfw_multifactor_reset *reset, struct lxfw_error *wrong)
{
	static const char *const names[] = {
		[LXFW_MULTIFACTOR_RESET_NONE] = "NONE",
		[LXFW_MULTIFACTOR_RESET_NOW] = "NOW",
		[LXFW_MULTIFACTOR_RESET_DAILY] = "DAILY",
		[LXFW_MULTIFACTOR_RESET_WEEKLY] = "WEEKLY",
		[LXFW_MULTIFACTOR_RESET_MONTHLY] = "MONTHLY",
		[LXFW_MULTIFACTOR_RESET_QUARTERLY] = "QUARTERLY",
		[LXFW_MULTIFACTOR_RESET_YEARLY] = "YEARLY",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (lxfw_slurm_is(value, names[i])) {
			*reset = (enum lxfw_multifactor_reset)i;
			return 0;
		}
	}
	return wrong_value(wrong, key, value,
		"NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY");
}

static int take_dampening(struct lxfw_slice key, struct lxfw_slice value,
			  uint16_t *dampening, struct lxfw_error *wrong)
{
	int64_t number;

	if (!lxfw_slice_integer(value, 1, UINT16_MAX, &number))
		return wrong_value(wrong, key, value, "a number from 1 to 65535");
	*dampening = (uint16_t)number;
	return 0;
}

int lxfw_multifactor_take(struct lxfw_multifactor_params *params,
			  struct lxfw_slice key, struct lxfw_slice value,
			  struct lxfw_error *wrong)
{
	const struct {
		const char *key;
		uint32_t *weight;
	} weights[] = {
		{ "PriorityWeightAge", &params->weight_age },
		{ "PriorityWeightAssoc", &params->weight_assoc },
		{ "PriorityWeightFairshare", &params->weight_fairshare },
		{ "PriorityWeightJobSize", &params->weight_job_size },
		{ "PriorityWeightPartition", &params->weight_partition },
		{ "PriorityWeightQOS", &params->weight_qos },
	};

	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); i++) {
		if (lxfw_slurm_is(key, weights[i].key))
			return take_weight(key, value, weights[i].weight, wrong);
	}
	if (lxfw_slurm_is(key, "PriorityMaxAge"))
		return take_seconds(key, value, false, &params->max_age, wrong);
	if (lxfw_slurm_is(key, "PriorityDecayHalfLife"))
		return take_seconds(key, value, false, &params->half_life, wrong);
	if (lxfw_slurm_is(key, "PriorityCalcPeriod"))
		return take_seconds(key, value, true, &params->calc_period, wrong);
	if (lxfw_slurm_is(key, "PriorityUsageResetPeriod"))
		return take_reset(key, value, &params->reset, wrong);
	if (lxfw_slurm_is(key, "FairShareDampeningFactor"))
		return take_dampening(key, value, &params->dampening, wrong);
	if (lxfw_slurm_is(key, "PriorityFavorSmall"))
		params->favor_small = lxfw_slurm_is(value, "YES") ||
				      lxfw_slurm_is(value, "UP") ||
				      lxfw_slurm_is(value, "TRUE") ||
				      lxfw_slurm_is(value, "1");
	if (lxfw_slurm_is(key, "PriorityFlags"))
		params->flags = flags_of(value);
	if (lxfw_slurm_is(key, "PriorityType"))
		params->multifactor = lxfw_slurm_is(value, "priority/multifactor");
	if (lxfw_slurm_is(key, "AccountingStorageType"))
		params->slurmdbd = lxfw_slurm_is(value, "accounting_storage/slurmdbd");
	if (lxfw_slurm_is(key, "AccountingStorageEnforce"))
		params->enforce_limits = contains(value, "limits") ||
					 contains(value, "safe") ||
					 contains(value, "all") ||
					 lxfw_slurm_is(value, "2");
	return 0;
}

int lxfw_multifactor_check(const struct lxfw_multifactor_params *params,
			   struct lxfw_error *wrong)
{
	if (params->half_life == 0 && params->reset == LXFW_MULTIFACTOR_RESET_NONE &&
	    params->multifactor)
		return lxfw_error_format(wrong,
			"PriorityDecayHalfLife=0 without PriorityUsageResetPeriod, expected one of them");
	return 0;
}
