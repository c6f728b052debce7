/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of Slurm's priority/multifactor: the keys Priority*,
 * FairShareDampeningFactor and AccountingStorageEnforce of slurm.conf(5), with their
 * defaults. They are described in Slurm's page "Multifactor Priority Plugin". Where the
 * page and release 22.05 differ, the release is followed; comments state these cases.
 */
#ifndef LXFW_PRIORITY_PARAMS_H
#define LXFW_PRIORITY_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/priority/tres.h"
#include "sim-frontend/trace/account_text.h"

/* PriorityFlags. Fair Tree is used unless one of two flags disables it. */
enum {
	LXFW_MULTIFACTOR_ACCRUE_ALWAYS = 1 << 0,
	LXFW_MULTIFACTOR_SMALL_RELATIVE_TO_TIME = 1 << 1,
	LXFW_MULTIFACTOR_CALCULATE_RUNNING = 1 << 2,
	LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS = 1 << 3,
	LXFW_MULTIFACTOR_NO_FAIR_TREE = 1 << 4,
	LXFW_MULTIFACTOR_INCR_ONLY = 1 << 5,
	LXFW_MULTIFACTOR_MAX_TRES = 1 << 6,
	LXFW_MULTIFACTOR_NO_NORMAL_ASSOC = 1 << 7,
	LXFW_MULTIFACTOR_NO_NORMAL_PART = 1 << 8,
	LXFW_MULTIFACTOR_NO_NORMAL_QOS = 1 << 9,
	LXFW_MULTIFACTOR_NO_NORMAL_TRES = 1 << 10,
};

/* PriorityUsageResetPeriod. */
enum lxfw_multifactor_reset {
	LXFW_MULTIFACTOR_RESET_NONE,
	LXFW_MULTIFACTOR_RESET_NOW,	/* once, at the start */
	LXFW_MULTIFACTOR_RESET_DAILY,
	LXFW_MULTIFACTOR_RESET_WEEKLY,
	LXFW_MULTIFACTOR_RESET_MONTHLY,
	LXFW_MULTIFACTOR_RESET_QUARTERLY,
	LXFW_MULTIFACTOR_RESET_YEARLY,
};

/* UNLIMITED as PriorityMaxAge or PriorityDecayHalfLife: 136 years in seconds, as in
   Slurm. */
#define LXFW_MULTIFACTOR_UNLIMITED UINT32_C(4294967236)

struct lxfw_multifactor_params {
	/* PriorityWeight*: the priority for a factor of 1. */
	uint32_t weight_age, weight_assoc, weight_fairshare;
	uint32_t weight_job_size, weight_partition, weight_qos;
	bool any_tres;			/* PriorityWeightTRES is given */
	double weight_tres[LXFW_TRES_MAX];
	uint32_t max_age;		/* seconds */
	uint32_t half_life;		/* of usage, seconds; 0: no decay */
	uint32_t calc_period;		/* seconds, 60 or more */
	bool favor_small;
	unsigned flags;
	enum lxfw_multifactor_reset reset;
	uint16_t dampening;		/* of classic fair share, 1 or more */
	/* Limits are enforced (AccountingStorageEnforce=limits or safe). Otherwise the
	   usage since the last calculation is lost when a job ends. */
	bool enforce_limits;
	/* Accounting uses slurmdbd. Otherwise the weights of age and fair share are 0,
	   usage is not counted, and priorities are not recalculated. */
	bool slurmdbd;
	bool multifactor;		/* PriorityType is priority/multifactor */
};

/* The values for a slurm.conf without any of these keys, except that accounting uses
   slurmdbd, limits are enforced and PriorityType is priority/multifactor. */
extern const struct lxfw_multifactor_params lxfw_multifactor_defaults;

static inline bool
lxfw_multifactor_is_fair_tree(const struct lxfw_multifactor_params *params)
{
	return !(params->flags & (LXFW_MULTIFACTOR_NO_FAIR_TREE |
				  LXFW_MULTIFACTOR_DEPTH_OBLIVIOUS));
}

/*
 * Parses KEY=VALUE of slurm.conf. Other keys are ignored, including PriorityWeightTRES,
 * which depends on AccountingStorageTRES (tres.h). Returns 0, or -1 with errno EINVAL and
 * WRONG set without a file name.
 */
int lxfw_multifactor_take(struct lxfw_multifactor_params *params,
			  struct lxfw_slice key, struct lxfw_slice value,
			  struct lxfw_error *wrong);

/* Parses a time of slurm.conf in minutes, rounded up as in Slurm: "60", "60:30",
   "1:00:00", "1-12", "1-12:00", "1-12:00:00". UINT32_MAX is UNLIMITED or INFINITE.
   Returns 0, or -1 with errno EINVAL. */
int lxfw_multifactor_minutes(struct lxfw_slice text, uint32_t *minutes);

/* Checks combinations of keys. Returns 0, or -1 with errno EINVAL and WRONG set. */
int lxfw_multifactor_check(const struct lxfw_multifactor_params *params,
			   struct lxfw_error *wrong);

#endif
