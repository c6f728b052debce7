/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/rpcs.h"

#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/parameters/parameters.h"

/* As in sched/backfill: a tenth of max_rpc_cnt, but not less than 20. */
#define RESUME_LEAST 20

static int64_t most;	/* 0: no limit */
static int64_t resume;	/* passes begin again at this number */
static bool waiting;

/* The value of NAME or of its other name. */
static int64_t value_of(const char *text, const char *name, const char *other,
			int64_t otherwise)
{
	int64_t value = lxfw_parameters_number(text, name, -1);

	return value >= 0 ? value : lxfw_parameters_number(text, other, otherwise);
}

void lxfw_rpcs_set(const char *text)
{
	most = value_of(text, "max_rpc_cnt", "max_rpc_count", 0);
	resume = most / 10 > RESUME_LEAST ? most / 10 : RESUME_LEAST;
	resume = value_of(text, "bf_yield_rpc_cnt", "bf_yield_rpc_count", resume);
	waiting = false;
}

bool lxfw_rpcs_many(void)
{
	int64_t count;

	if (most <= 0)
		return false;
	slurm_mutex_lock(&slurmctld_config.thread_count_lock);
	count = slurmctld_config.server_thread_count;
	slurm_mutex_unlock(&slurmctld_config.thread_count_lock);
	waiting = count >= most || (waiting && count > resume);
	return waiting;
}
