/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools whose amounts scripts print (scripts.h). */
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/pbs/text.h"
#include "plugins/pbs/wlm.h"

/* Most that a look waits for scripts; slower ones are for a later look. */
#define WAIT_US 200000

/* Least time from the end of a run to the next one. */
#define PAUSE_US 1000000

/* Seconds after which what waits for an amount is considered again. */
#define AGAIN_SECONDS 10

/* The scripts of sched_config have changed. Results of those that are still there are kept. */
void lxfw_pbs_set_scripts(struct lxfw_pbs *pbs)
{
	struct lxfw_pbs_scripts scripts = { 0 };

	for (size_t i = 0; i < pbs->calendar.script_count; i++) {
		if (lxfw_pbs_scripts_add(&scripts, &pbs->scripts, pbs->calendar.script[i]) < 0)
			pbs->agent.events.failed = true;
	}
	lxfw_pbs_scripts_clear(&pbs->scripts);
	pbs->scripts = scripts;
}

/* Whether a waiting job needs some of the pool. */
static bool is_needed(const struct lxfw_pbs_site *site, const struct lxfw_pbs_pool *pool)
{
	for (size_t i = 0; i < site->job_count; i++) {
		if (site->job[i].state == 'Q' &&
		    lxfw_pbs_pool_need(pool, &site->job[i]) != 0)
			return true;
	}
	return false;
}

static int64_t used_of(const struct lxfw_pbs_site *site, const struct lxfw_pbs_pool *pool)
{
	int64_t used = 0;

	for (size_t i = 0; i < site->job_count; i++) {
		int32_t need = lxfw_pbs_holds(&site->job[i]) ?
				       lxfw_pbs_pool_need(pool, &site->job[i]) : 0;

		used += need > 0 ? need : 0;
	}
	return used;
}

/* Runs the script if a job waits for its amount. Returns true if one does. */
static bool run(struct lxfw_pbs *pbs, struct lxfw_pbs_script *script)
{
	struct lxfw_pbs_pool *pool;
	int rc = lxfw_pbs_pools_measured(&pbs->site.pools, &pbs->site.kinds, script->resource,
					 &pool);

	if (rc < 0)
		pbs->agent.events.failed = true;
	else if (rc == 0)
		lxfw_pbs_script_complain(script, "measures what is no number or size of the server");
	if (rc <= 0)
		return false;
	pool->used = used_of(&pbs->site, pool);
	/* The script may print what a job that has ended meanwhile had. */
	if (script->pid && script->used > pool->used)
		script->used = pool->used;
	if (!is_needed(&pbs->site, pool))
		return false;
	if (!script->pid && lxfw_now_us() - script->ended_us >= PAUSE_US)
		lxfw_pbs_script_run(script, pool->used);
	return true;
}

/* Reads what a script printed; as pbs_sched, a fraction of a whole number is left out. */
static bool read_amount(enum lxfw_pbs_type type, const char *line, int64_t *amount)
{
	if (lxfw_pbs_amount(type, line, false, amount))
		return true;
	if (type != LXFW_PBS_LONG || !lxfw_pbs_thousandths(line, false, amount))
		return false;
	*amount /= 1000;
	return true;
}

/* The pool has what was left, and what jobs used all the time while the script ran. */
static void use_result(struct lxfw_pbs *pbs, struct lxfw_pbs_script *script)
{
	struct lxfw_pbs_pool *pool;
	int64_t left = 0, has;

	if (lxfw_pbs_pools_measured(&pbs->site.pools, &pbs->site.kinds, script->resource,
				    &pool) <= 0)
		return;
	if (*script->line && !read_amount(pool->type, script->line, &left)) {
		left = 0;
		lxfw_pbs_script_complain(script, "has not printed an amount");
	} else if (*script->line) {
		script->failed = false;
	}
	if (left > INT32_MAX)
		left = INT32_MAX;
	has = left + script->line_used;
	pool->has = has > INT32_MAX ? INT32_MAX : (int32_t)has;
}

void lxfw_pbs_measure(struct lxfw_pbs *pbs)
{
	uint64_t limit_us = (uint64_t)pbs->site.sched.script_limit * 1000000;
	bool needed = false, runs;

	for (size_t i = 0; i < pbs->scripts.count; i++)
		needed |= run(pbs, &pbs->scripts.script[i]);
	runs = lxfw_pbs_scripts_take(&pbs->scripts, WAIT_US, limit_us);
	for (size_t i = 0; i < pbs->scripts.count; i++)
		use_result(pbs, &pbs->scripts.script[i]);
	if (runs || needed)
		lxfw_agent_look_again(&pbs->agent,
				      pbs->agent.clock + (runs ? 1 : AGAIN_SECONDS));
}
