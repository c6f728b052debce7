/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/bridge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"
#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/names.h"
#include "plugins/slurm/bridge/quanta.h"
#include "plugins/slurm/compat/compat.h"

/* A decision must not take longer than users like to wait for one, and its time
   grows with the square of the reservations. */
#define RESERVATIONS_MAX 200

void lxfw_bridge_lock(void)
{
	lock_slurmctld(lxfw_compat_locks);
}

void lxfw_bridge_unlock(void)
{
	unlock_slurmctld(lxfw_compat_locks);
}

static void write_log(enum lxfw_log_level level, const char *text)
{
	switch (level) {
	case LXFW_LOG_ERROR:
		error("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_INFO:
		info("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_VERBOSE:
		verbose("sched/lxfw: %s", text);
		break;
	case LXFW_LOG_DEBUG:
		debug("sched/lxfw: %s", text);
		break;
	}
}

void lxfw_bridge_init(struct lxfw_bridge *bridge,
		      const struct lxfw_params *params)
{
	lxfw_log_to(write_log);
	bridge->params = *params;
	bridge->rebuild = true;
	bridge->usable = true;
	bridge->wake = LXFW_NEVER;
	lxfw_journal_file_init(&bridge->journal);
}

void lxfw_bridge_destroy(struct lxfw_bridge *bridge)
{
	struct lxfw_bridge_counts total = bridge->total;

	lxfw_journal_file_flush(&bridge->journal, bridge->clock);
	lxfw_journal_file_close(&bridge->journal);
	lxfw_sched_destroy(bridge->sched);
	lxfw_events_destroy(&bridge->events);
	lxfw_hosts_destroy(&bridge->hosts);
	lxfw_sets_destroy(&bridge->sets);
	lxfw_table_destroy(&bridge->jobs);
	lxfw_table_destroy(&bridge->offers);
	lxfw_holds_drop(&bridge->holds);
	lxfw_left_clear(&bridge->left);
	lxfw_quanta_clear(&bridge->quanta);
	free(bridge->unserved.partitions);
	free(bridge->unserved.qos);
	lxfw_adaptive_rules_clear(&bridge->adaptive);
	free(bridge->blocks);
	free(bridge->leftovers);
	free(bridge->reserved);
	free(bridge->shares);
	free(bridge->disturbed);
	free(bridge->resized);
	lxfw_tenants_clear(&bridge->tenants);
	memset(bridge, 0, sizeof(*bridge));
	bridge->total = total;
}

void lxfw_bridge_set_params(struct lxfw_bridge *bridge,
			    const struct lxfw_params *params)
{
	/* Which jobs are adaptive is told when they are. */
	if (bridge->params.policy != params->policy &&
	    (bridge->params.policy == LXFW_POLICY_EQSPATIAL ||
	     params->policy == LXFW_POLICY_EQSPATIAL))
		bridge->rebuild = true;
	bridge->params = *params;
	if (params->reservations > RESERVATIONS_MAX) {
		bridge->params.reservations = RESERVATIONS_MAX;
		verbose("sched/lxfw: reservations are made for the first %d waiting jobs",
			RESERVATIONS_MAX);
	}
	bridge->new_params = true;
}

bool lxfw_bridge_set_adaptive(struct lxfw_bridge *bridge, const char *text)
{
	struct lxfw_adaptive_rules rules;

	if (!lxfw_adaptive_rules_read(&rules, text))
		return false;
	/* The library is told at first who is adaptive. */
	if (!lxfw_adaptive_rules_same(&rules, &bridge->adaptive))
		bridge->rebuild = true;
	lxfw_adaptive_rules_clear(&bridge->adaptive);
	bridge->adaptive = rules;
	return true;
}

bool lxfw_bridge_set_unserved(struct lxfw_bridge *bridge, const char *text)
{
	struct lxfw_unserved fresh = { 0 };
	char *procs = NULL;
	bool good;

	good = lxfw_names_copy(text, "lxfw_quantum_not_partition",
			       &fresh.partitions) &&
	       lxfw_names_copy(text, "lxfw_quantum_not_qos", &fresh.qos) &&
	       lxfw_names_copy(text, "lxfw_quantum_most_procs", &procs);
	if (good) {
		struct lxfw_unserved old = bridge->unserved;

		fresh.most_procs = procs ? strtoll(procs, NULL, 10) : 0;
		bridge->unserved = fresh;
		bridge->stale = true;
		fresh = old;
	}
	free(fresh.partitions);
	free(fresh.qos);
	free(procs);
	return good;
}

/* The library could not follow: once is worth a line, then the books are made
   anew in the next pass. */
static void library_failed(struct lxfw_bridge *bridge, const char *why)
{
	if (!bridge->library_failed)
		error("sched/lxfw: %s; making the books anew", why);
	bridge->library_failed = true;
	bridge->rebuild = true;
}

/*
 * The library rejected what it was told of a job. That is this job's harm alone: the
 * books go on without it.
 */
static void exclude_job(struct lxfw_bridge *bridge, struct lxfw_event *event,
			const char *why)
{
	uint64_t id = lxfw_event_job(event);
	struct lxfw_known_job *known = lxfw_table_find(&bridge->jobs, id);
	struct lxfw_event end = {
		.type = LXFW_EVENT_JOB_END, .time = event->time, .end.id = id,
	};

	/* It need not be in the books. */
	if (event->type != LXFW_EVENT_JOB_END &&
	    lxfw_sched_apply(bridge->sched, &end, NULL) == 0)
		lxfw_journal_file_event(&bridge->journal, &end);
	if (!known || known->state == LXFW_KNOWN_NOT)
		return;
	if (lxfw_left_is_news(bridge, known->record))
		error("sched/lxfw: JobId=%u is not in the books: %s",
		      known->record, why);
	if (known->state == LXFW_KNOWN_WAITING)
		lxfw_left_add(bridge, known, LXFW_LEFT_INVALID);
}

#define REJECTED_SECONDS 300

/* An event that is no job's was rejected: the books are made anew, but not again and
   again. */
static void go_on_without(struct lxfw_bridge *bridge, const char *why)
{
	if (bridge->rejected &&
	    bridge->clock < bridge->rejected + REJECTED_SECONDS)
		return;
	bridge->rejected = bridge->clock;
	library_failed(bridge, why);
}

/* Give what was collected to the library, and record it. */
static void flush_events(struct lxfw_bridge *bridge)
{
	struct lxfw_error why;

	if (bridge->events.failed)
		library_failed(bridge, "out of memory");
	/* What is left to Slurm meanwhile adds events of its own. */
	for (size_t i = 0; i < bridge->events.count && !bridge->rebuild; i++) {
		struct lxfw_event *event = &bridge->events.events[i];

		event->time = bridge->clock;
		if (lxfw_sched_apply(bridge->sched, event, &why) == 0)
			lxfw_journal_file_event(&bridge->journal, event);
		else if (errno == ENOMEM)
			library_failed(bridge, "out of memory");
		else if (lxfw_event_job(event))
			exclude_job(bridge, event, why.text);
		else
			go_on_without(bridge, why.text);
	}
	if (bridge->events.failed)
		library_failed(bridge, "out of memory");
	lxfw_events_clear(&bridge->events);
}

/* Empty books; everything will be told again. */
static void start_over(struct lxfw_bridge *bridge)
{
	lxfw_sched_destroy(bridge->sched);
	bridge->sched = lxfw_sched_create(&bridge->params);
	lxfw_events_clear(&bridge->events);
	lxfw_hosts_forget(&bridge->hosts);
	lxfw_sets_forget(&bridge->sets);
	lxfw_holds_drop(&bridge->holds);
	bridge->block_count = 0;
	for (size_t i = 0; i < bridge->jobs.count; i++) {
		struct lxfw_known_job *known = bridge->jobs.jobs[i];

		lxfw_known_unreserve(known);
		known->state = LXFW_KNOWN_NOT;
		known->requeued = 0;
		known->refused_until = 0;
	}
	lxfw_table_destroy(&bridge->offers);
	bridge->decision = (struct lxfw_decision){ .wake = LXFW_NEVER };
	bridge->next_action = 0;
	lxfw_quanta_done(bridge);
	lxfw_quanta_end_all(bridge);
	bridge->total.rebuilds++;
	bridge->rebuild = !bridge->sched;
	bridge->new_params = true;
}

/*
 * The books' time never runs backwards. Where the machine's clock was set back by more
 * than this, whatever waits for a time would wait until that has come again: the books
 * are made anew, with the new time.
 */
#define SET_BACK_SECONDS 60

static void follow_clock(struct lxfw_bridge *bridge)
{
	int64_t now = time(NULL);

	if (now + SET_BACK_SECONDS < bridge->clock) {
		info("sched/lxfw: the clock was set back by %"PRId64" s; making the books anew",
		     bridge->clock - now);
		bridge->clock = now;
		bridge->rejected = 0;
		bridge->rebuild = true;
	}
	lxfw_clock_tick(&bridge->clock);
}

void lxfw_bridge_prepare(struct lxfw_bridge *bridge)
{
	follow_clock(bridge);
	lxfw_quanta_load(bridge);
	if (lxfw_journal_file_wants_segment(&bridge->journal, bridge->clock))
		bridge->rebuild = true;
	bridge->stale = false;
	if (bridge->rebuild) {
		start_over(bridge);
		if (!bridge->sched)
			return;
		lxfw_journal_file_begin(&bridge->journal);
	}
	if (bridge->new_params)
		lxfw_events_params(&bridge->events, &bridge->params);
	bridge->new_params = false;
}

bool lxfw_bridge_decide(struct lxfw_bridge *bridge)
{
	uint64_t before = lxfw_now_us();

	flush_events(bridge);
	lxfw_quanta_done(bridge);
	bridge->next_action = 0;
	bridge->decision.count = 0;
	bridge->refused_now = false;
	if (bridge->rebuild || !bridge->sched)
		return false;
	lxfw_clock_tick(&bridge->clock);
	if (lxfw_sched_decide(bridge->sched, bridge->clock,
			      &bridge->decision) < 0) {
		library_failed(bridge, "out of memory");
		return false;
	}
	bridge->library_failed = false;
	lxfw_journal_file_decision(&bridge->journal, bridge->clock,
				   &bridge->decision);
	/* Slurm tells nobody when a job's --begin has come. */
	bridge->wake = bridge->decision.wake < bridge->next_begin ?
		       bridge->decision.wake : bridge->next_begin;
	if (bridge->counts.rounds++ == 0)
		lxfw_left_judge(bridge);
	bridge->counts.decide_us += lxfw_now_us() - before;
	bridge->total.decide_us += lxfw_now_us() - before;
	lxfw_quanta_plan(bridge);
	return bridge->decision.count > 0;
}

void lxfw_bridge_save(struct lxfw_bridge *bridge)
{
	lxfw_quanta_done(bridge);
	lxfw_quanta_save(bridge);
}

void lxfw_bridge_finish(struct lxfw_bridge *bridge)
{
	if (bridge->sched)
		flush_events(bridge);
	lxfw_bridge_save(bridge);
	lxfw_journal_file_flush(&bridge->journal, bridge->clock);
	bridge->total.passes++;
}
