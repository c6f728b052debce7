/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/survey.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/setup.h"

/* Seconds after which the definitions of resources are read again: no command of the server says
   that they have changed. */
#define DEFINITIONS_SECONDS 3600

/* Hosts that differ take another pass. */
#define PASSES_MOST 2

/* An age that no job reaches: without strict_ordering, pbs_sched makes no reservations. */
#define AGE_NEVER (INT64_C(365) * 86400)

#define DEPTH_USUAL 1
#define DEPTH_MOST 1000000

void lxfw_pbs_survey_assume(struct lxfw_pbs *pbs)
{
	char path[4096] = "sched_priv";
	int length = pbs->priv ? snprintf(path, sizeof(path), "%s/sched_config", pbs->priv) : 0;

	if (length > 0 && (size_t)length < sizeof(path) && access(path, R_OK) == 0) {
		pbs->assumes = false;
		return;
	}
	lxfw_pbs_calendar_installed(&pbs->calendar);
	if (!pbs->assumes)
		lxfw_log_error("%s: %s: jobs are expected as with the files that OpenPBS installs: by_queue, no fair share, and no strict_ordering unless jobs have an estimated start",
			       path, length ? strerror(errno) : "the server does not name it");
	pbs->assumes = true;
}

/* pbs_sched writes expected starts of jobs that have reservations, and of no others but jobs that
   were preempted. */
static bool has_estimates(const struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < site->job_count; i++) {
		if (site->job[i].state == 'Q' && site->job[i].estimated > 0 && !site->job[i].runs)
			return true;
	}
	return false;
}

static bool is_strict(struct lxfw_pbs *pbs)
{
	if (!pbs->assumes)
		return lxfw_pbs_is_strict(&pbs->calendar, lxfw_agent_now(&pbs->agent));
	pbs->seen_strict |= has_estimates(&pbs->site);
	return pbs->seen_strict;
}

void lxfw_pbs_survey_depth(struct lxfw_pbs *pbs)
{
	struct lxfw_params params = pbs->agent.params;
	bool strict = is_strict(pbs);
	int64_t depth = pbs->site.depth > 0 && strict ? pbs->site.depth : DEPTH_USUAL;

	if (pbs->depth_given || !lxfw_pbs_follows_site(pbs))
		return;
	params.reservations = (int32_t)(depth > DEPTH_MOST ? DEPTH_MOST : depth);
	params.reservation_age = strict ? 0 : AGE_NEVER;
	if (params.reservations == pbs->agent.reach.wanted &&
	    params.reservation_age == pbs->agent.params.reservation_age)
		return;
	lxfw_agent_set_params(&pbs->agent, &params);
	/* In this pass: another one would ask the server again. */
	lxfw_events_params(&pbs->agent.events, &pbs->agent.params);
	pbs->agent.new_params = false;
	if (strict)
		lxfw_log_info("strict_ordering: the first %d jobs have reservations (backfill_depth)",
			      (int)params.reservations);
	else
		lxfw_log_info("no strict_ordering: no job has a reservation");
}

static bool connect_to(struct lxfw_pbs *pbs, const char *server, bool complain)
{
	struct lxfw_error why;
	int rc;

	pbs->watch.sockets[0] = -1;
	lxfw_pbs_disconnect(&pbs->link);
	lxfw_pbs_wait_begin(&pbs->watch.passes);
	rc = lxfw_pbs_connect(&pbs->link, server, NULL, &why);
	lxfw_pbs_wait_end(&pbs->watch.passes);
	pbs->watch.sockets[0] = pbs->link.primary;
	pbs->connected = lxfw_agent_now(&pbs->agent);
	if (rc < 0 && complain)
		lxfw_log_error("%s", why.text);
	return rc == 0;
}

/* Returns true if the server was read. */
static bool look(struct lxfw_pbs *pbs)
{
	uint64_t before = pbs->read_us;

	for (int i = 0; i < PASSES_MOST; i++) {
		if (!lxfw_agent_pass(&pbs->agent) || pbs->link.lost || pbs->unreadable ||
		    !pbs->agent.rebuild)
			break;
	}
	if (pbs->read_us == before || pbs->link.lost || pbs->unreadable)
		return false;
	pbs->before = pbs->agent.clock;
	return true;
}

bool lxfw_pbs_survey_renews(const struct lxfw_pbs *pbs, int64_t now)
{
	return !pbs->link.lost && (now - pbs->connected >= LXFW_PBS_LINK_SECONDS ||
				   now < pbs->connected);
}

bool lxfw_pbs_survey(struct lxfw_pbs *pbs, const char *server, bool complain)
{
	int64_t now = lxfw_agent_now(&pbs->agent);
	bool renews = lxfw_pbs_survey_renews(pbs, now);
	bool was_connected = !pbs->link.lost && !renews;

	if (now - pbs->defined >= DEFINITIONS_SECONDS || now < pbs->defined) {
		pbs->redefined = true;
		pbs->defined = now;
	}
	pbs->changed = true;
	if (was_connected && look(pbs))
		return true;
	/* The server may have been restarted since the last look. */
	if (was_connected && !pbs->link.lost)
		return false;
	if (!renews)
		pbs->redefined = true;
	return connect_to(pbs, server, complain) && look(pbs);
}
