/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/shadow.h"

#include "common/params/policy.h"

static enum lxfw_answer start(void *context, struct lxfw_known_job *known,
			      const struct lxfw_action *action, struct lxfw_run *run)
{
	(void)context;
	(void)known;
	(void)action;
	(void)run;
	return LXFW_REFUSED;
}

static enum lxfw_answer may_start(void *context, struct lxfw_known_job *known,
				  const struct lxfw_action *action)
{
	return start(context, known, action, NULL);
}

static enum lxfw_answer suspend(void *context, struct lxfw_known_job *known,
				struct lxfw_preempted *preempted, bool own_end,
				struct lxfw_error *why)
{
	(void)context;
	(void)known;
	(void)preempted;
	(void)own_end;
	lxfw_error_set(why, "lxfw_shadow=on");
	return LXFW_REFUSED;
}

void lxfw_shadow_make(struct lxfw_wlm *shadow, const struct lxfw_wlm *wlm)
{
	*shadow = *wlm;
	shadow->start = start;
	shadow->may_start = may_start;
	shadow->take_back = NULL;
	shadow->unfit = NULL;
	shadow->busy = NULL;
	shadow->suspend = suspend;
	shadow->resize = NULL;
	shadow->reserve = NULL;
	shadow->unreserve = NULL;
	shadow->has_offers = NULL;
	shadow->offer = NULL;
	shadow->passing = NULL;
}

bool lxfw_shadow_permits(const struct lxfw_params *params)
{
	return !lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS);
}
