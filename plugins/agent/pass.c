/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/pass.h"

#include <errno.h>
#include <unistd.h>

#include "plugins/agent/act.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/refuse.h"

#define YIELD_US 10000		/* pause in which other threads can take the locks */
#define ROUNDS_MAX 100

/* --- events to the library -------------------------------------------------------- */

/* Logs the first of consecutive failures of the library. The next pass rebuilds the
   model. */
static void library_failed(struct lxfw_agent *agent, const char *why)
{
	if (!agent->library_failed)
		lxfw_log_error("%s; rebuilding the model", why);
	agent->library_failed = true;
	agent->rebuild = true;
}

/*
 * The library rejected an event of a job. Only this job is affected: it is removed from
 * the model.
 */
static void exclude_job(struct lxfw_agent *agent, struct lxfw_event *event,
			const char *why)
{
	uint64_t id = lxfw_event_job(event);
	struct lxfw_known_job *known = lxfw_table_find(&agent->jobs, id);
	struct lxfw_event end = {
		.type = LXFW_EVENT_JOB_END, .time = event->time, .end.id = id,
	};
	const struct lxfw_aside aside = {
		.id = id, .reason = LXFW_REASON_REQUEST, .submit = known ? known->submit : 0,
	};

	/* An earlier event removed the job from the model. */
	if (event->type == LXFW_EVENT_JOB_PRIORITY && known && known->excluded)
		return;
	/* An error is expected if the model does not contain the job. */
	if (event->type != LXFW_EVENT_JOB_END &&
	    lxfw_sched_apply(agent->sched, &end, NULL) == 0)
		lxfw_journal_file_event(&agent->journal, &end);
	if (!known || known->state == LXFW_KNOWN_NOT)
		return;
	if (!known->excluded)
		lxfw_log_error("%s%u is not in the model: %s", agent->wlm->job,
			       known->record, why);
	known->excluded = true;
	if (known->state != LXFW_KNOWN_WAITING)
		return;
	if (event->type == LXFW_EVENT_JOB_REFUSED)
		known->state = LXFW_KNOWN_NOT;	/* the next look submits it again */
	else if (agent->wlm->invalid)
		agent->wlm->invalid(agent->context, known);
	else
		lxfw_mirror_aside(agent, &aside);
}

#define REJECTED_SECONDS 300

/* An event that concerns no job was rejected. The model is rebuilt, but at most once in
   REJECTED_SECONDS. */
static void go_on_without(struct lxfw_agent *agent, const char *why)
{
	if (agent->rejected && agent->clock < agent->rejected + REJECTED_SECONDS)
		return;
	agent->rejected = agent->clock;
	library_failed(agent, why);
}

/* Applies the queued events to the library and records them in the journal. */
static void flush_events(struct lxfw_agent *agent)
{
	struct lxfw_error why;

	if (agent->events.failed)
		library_failed(agent, "out of memory");
	/* The queue may grow during this loop: excluding a job adds events. */
	for (size_t i = 0; i < agent->events.count && !agent->rebuild; i++) {
		struct lxfw_event *event = &agent->events.events[i];

		agent->changes += !lxfw_event_is_note(event);
		event->time = agent->clock;
		if (lxfw_sched_apply(agent->sched, event, &why) == 0)
			lxfw_journal_file_event(&agent->journal, event);
		else if (errno == ENOMEM)
			library_failed(agent, "out of memory");
		else if (lxfw_event_job(event))
			exclude_job(agent, event, why.text);
		else
			go_on_without(agent, why.text);
	}
	if (agent->events.failed)
		library_failed(agent, "out of memory");
	lxfw_events_clear(&agent->events);
}

/* --- before a look ---------------------------------------------------------------- */

/* Creates an empty model. Everything will be reported again. */
static void start_over(struct lxfw_agent *agent)
{
	lxfw_estimates_stop(agent);
	lxfw_sched_destroy(agent->sched);
	agent->sched = lxfw_sched_create(&agent->params);
	lxfw_events_clear(&agent->events);
	lxfw_mirror_forget(agent);
	if (agent->wlm->forget)
		agent->wlm->forget(agent->context);
	agent->decision = (struct lxfw_decision){ .wake = LXFW_NEVER };
	agent->next_action = 0;
	lxfw_quanta_done(agent);
	lxfw_quanta_end_all(agent);
	agent->total.rebuilds++;
	agent->rebuild = !agent->sched;
	agent->new_params = true;
}

/*
 * The model's time never runs backwards. After the machine's clock is set back, timed
 * actions would be delayed until the clock catches up. If it was set back by more than
 * this time, the model is rebuilt with the new time.
 */
#define SET_BACK_SECONDS 60

static void follow_clock(struct lxfw_agent *agent)
{
	int64_t now = lxfw_agent_now(agent);

	if (now + SET_BACK_SECONDS < agent->clock) {
		lxfw_log_info("the clock was set back by %lld s; rebuilding "
			      "the model",
			      (long long)(agent->clock - now));
		agent->clock = now;
		agent->rejected = 0;
		agent->rebuild = true;
	}
	lxfw_agent_tick(agent);
}

static void prepare(struct lxfw_agent *agent)
{
	follow_clock(agent);
	lxfw_quanta_load(agent);
	if (lxfw_journal_file_wants_segment(&agent->journal, agent->clock))
		agent->rebuild = true;
	agent->stale = false;
	if (agent->rebuild) {
		start_over(agent);
		if (!agent->sched)
			return;
		lxfw_journal_file_begin(&agent->journal);
	}
	if (agent->new_params)
		lxfw_events_params(&agent->events, &agent->params);
	agent->new_params = false;
}

/* --- the look --------------------------------------------------------------------- */

static bool stopping(const struct lxfw_agent *agent)
{
	return agent->stopping && agent->stopping(agent->loop);
}

/* Refused jobs are retried when hosts have changed. look_at_hosts() may have set
   new_chances for other reasons of the workload manager. */
static void look_for_new_chances(struct lxfw_agent *agent)
{
	agent->new_chances |= agent->hosts.changes != agent->seen_changes;
	agent->seen_changes = agent->hosts.changes;
}

static bool look(struct lxfw_agent *agent, bool first)
{
	const struct lxfw_wlm *wlm = agent->wlm;

	if (first)
		lxfw_mirror_begin(agent);
	else
		lxfw_mirror_continue(agent);
	agent->counts.looks++;
	if (!wlm->look_at_hosts(agent->context) || agent->rebuild ||
	    agent->events.failed)
		return false;
	look_for_new_chances(agent);
	lxfw_quanta_look(agent);
	if (wlm->look_at_blocks)
		wlm->look_at_blocks(agent->context);
	lxfw_mirror_sweep_blocks(agent);
	if (!wlm->look_at_jobs(agent->context))
		return false;
	if (agent->unfinished)
		return !agent->rebuild && !agent->events.failed;
	lxfw_mirror_sweep_jobs(agent);
	if (wlm->looked)
		wlm->looked(agent->context);
	agent->counts.events = (uint32_t)agent->events.count;
	return !agent->rebuild && !agent->events.failed;
}

/* Looks until the workload manager has reported everything. The locks are released between
   two looks. */
static bool look_under_locks(struct lxfw_agent *agent)
{
	bool good, first = true;
	uint64_t sync_us = 0;

	agent->unfinished = false;
	do {
		if (agent->unfinished)
			usleep(YIELD_US);
		lxfw_agent_lock(agent);
		/* The thread may have waited long for the locks. */
		good = !stopping(agent) && look(agent, first);
		sync_us += lxfw_agent_unlock(agent);
		first = false;
	} while (good && agent->unfinished);
	agent->counts.sync_us = sync_us;
	return good;
}

/* --- deciding and acting ---------------------------------------------------------- */

/* A decision took US: as many reservations as that permits are made from the next one on. */
static void set_reach(struct lxfw_agent *agent, uint64_t us)
{
	int32_t most = lxfw_reach_decided(&agent->reach, us, agent->decision.waiting,
					  agent->clock);

	if (most == agent->params.reservations)
		return;
	lxfw_log_verbose("reservations are made for the first %d waiting jobs, before for %d; the last decision took %.0f ms",
			 most, agent->params.reservations, (double)us / 1e3);
	agent->params.reservations = most;
	agent->new_params = true;
}

/* Makes a decision. Returns true if it contains actions. */
static bool decide(struct lxfw_agent *agent)
{
	uint64_t before = lxfw_now_us(), processor_us;

	lxfw_agent_step(agent, "applying events");
	flush_events(agent);
	lxfw_quanta_done(agent);
	agent->next_action = 0;
	agent->decision.count = 0;
	agent->refused_now = false;
	if (agent->rebuild || !agent->sched)
		return false;
	lxfw_agent_tick(agent);
	lxfw_agent_step(agent, "deciding");
	processor_us = lxfw_processor_time_us();
	if (lxfw_sched_decide(agent->sched, agent->clock, &agent->decision) < 0) {
		library_failed(agent, "out of memory");
		return false;
	}
	set_reach(agent, lxfw_processor_time_us() - processor_us);
	agent->library_failed = false;
	agent->decisions++;
	agent->changes += agent->decision.count;
	lxfw_agent_step(agent, "writing the journal");
	lxfw_journal_file_decision(&agent->journal, agent->clock,
				   &agent->decision);
	/* A workload manager sends no notification when a scheduled time is reached. */
	agent->wake = agent->decision.wake < agent->look_again ?
		      agent->decision.wake : agent->look_again;
	if (agent->counts.rounds++ == 0 && agent->wlm->decided)
		agent->wlm->decided(agent->context);
	agent->counts.decide_us += lxfw_now_us() - before;
	agent->total.decide_us += lxfw_now_us() - before;
	lxfw_quanta_plan(agent);
	return agent->decision.count > 0;
}

static void save(struct lxfw_agent *agent)
{
	lxfw_quanta_done(agent);
	lxfw_quanta_save(agent);
}

static bool offer(struct lxfw_agent *agent, uint64_t deadline_us)
{
	return agent->wlm->offer(agent->context, deadline_us);
}

/* Calls WORK repeatedly, each time under locks for at most the time budget, until it is
   done. */
static void work_under_locks(struct lxfw_agent *agent,
			     bool (*work)(struct lxfw_agent *, uint64_t))
{
	bool done = false;

	while (!done && !stopping(agent)) {
		lxfw_agent_lock(agent);
		if (!stopping(agent))
			done = work(agent, agent->budget_us ?
				    agent->locked_at + agent->budget_us :
				    UINT64_MAX);
		agent->counts.act_us += lxfw_agent_unlock(agent);
		if (!done)
			usleep(YIELD_US);
	}
}

/* Why a pass ends after this number of decisions. */
static enum lxfw_pass_end end_after(const struct lxfw_agent *agent, int rounds)
{
	if (stopping(agent))
		return LXFW_PASS_STOPPED;
	if (agent->rebuild)
		return LXFW_PASS_REBUILD;
	return rounds == ROUNDS_MAX ? LXFW_PASS_ROUNDS : LXFW_PASS_COMPLETE;
}

static enum lxfw_pass_end decide_and_act(struct lxfw_agent *agent)
{
	const struct lxfw_wlm *wlm = agent->wlm;
	int round;

	for (round = 0; round < ROUNDS_MAX && !stopping(agent); round++) {
		if (!decide(agent))
			break;
		work_under_locks(agent, lxfw_agent_act);
		save(agent);
		/* In shadow mode every start is refused: with thousands of jobs that would
		   start, decisions without these would fill the journal. */
		if (!agent->refused_now || agent->rebuild ||
		    (lxfw_agent_shadows(agent) && round > 0))
			break;
	}
	if (stopping(agent))
		return LXFW_PASS_STOPPED;
	if (wlm->offer && wlm->has_offers(agent->context) && !agent->rebuild)
		work_under_locks(agent, offer);
	if (agent->quanta.tell)
		work_under_locks(agent, lxfw_quanta_tell);
	if (agent->sched)
		flush_events(agent);
	save(agent);
	lxfw_agent_step(agent, "writing the journal");
	lxfw_journal_file_flush(&agent->journal, agent->clock);
	agent->total.passes++;
	return end_after(agent, round);
}

static void tell_of_pass(const struct lxfw_agent *agent)
{
	const struct lxfw_pass_counts *counts = &agent->counts;

	lxfw_log_debug("pass %u: %zu waiting, %zu running; %u events, %u rounds, %u started, %u resized, %u reserved, %u refused, %u deferred, %u of %u left to %s started; locks: sync %.1f ms, act %.1f ms; decide %.1f ms; processor time %.1f ms; %u looks, at most %.1f ms under locks at a time, %.1f ms of processor time under locks; starts in %s %.1f ms",
		       agent->pass, agent->decision.waiting,
		       agent->decision.running, counts->events, counts->rounds,
		       counts->started, counts->resized, counts->reserved,
		       counts->refused, counts->deferred, counts->offered,
		       counts->leftovers, agent->wlm->name,
		       (double)counts->sync_us / 1e3,
		       (double)counts->act_us / 1e3,
		       (double)counts->decide_us / 1e3,
		       (double)counts->cpu_us / 1e3, counts->looks,
		       (double)counts->longest_us / 1e3,
		       (double)counts->locked_cpu_us / 1e3, agent->wlm->name,
		       (double)counts->start_us / 1e3);
}

bool lxfw_agent_pass(struct lxfw_agent *agent)
{
	uint64_t before = lxfw_processor_time_us();
	enum lxfw_pass_end end;

	prepare(agent);
	if (!agent->sched)
		return true;
	if (!look_under_locks(agent)) {
		/* No further look succeeds with an incomplete queue of events. */
		if (agent->events.failed)
			library_failed(agent, "out of memory");
		if (!stopping(agent))
			lxfw_meter_pass(agent, agent->rebuild ? LXFW_PASS_REBUILD :
						LXFW_PASS_UNREADABLE);
		return agent->usable;
	}
	if (agent->wlm->passing)
		agent->wlm->passing(agent->context, true);
	end = decide_and_act(agent);
	agent->counts.cpu_us = lxfw_processor_time_us() - before;
	if (agent->wlm->passing)
		agent->wlm->passing(agent->context, false);
	if (!stopping(agent))
		tell_of_pass(agent);
	lxfw_meter_pass(agent, end);
	return true;
}

void lxfw_agent_last_look(struct lxfw_agent *agent)
{
	/* Without a model, everything would be reported as new. After a pass that stopped
	   between two actions, the library has jobs that run and that the workload manager
	   did not start: their changes would be rejected. */
	if (!agent->sched || agent->rebuild || !agent->usable ||
	    agent->next_action < agent->decision.count)
		return;
	follow_clock(agent);
	if (agent->rebuild || !look_under_locks(agent) || stopping(agent))
		return;
	lxfw_agent_step(agent, "writing the journal");
	flush_events(agent);
	lxfw_journal_file_flush(&agent->journal, agent->clock);
}
