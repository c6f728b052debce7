/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The operations of wlm.h. */
#include "tests/unit/fake_truth.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"

/* The process may die at any point. */
static void may_die(struct fake *fake)
{
	if (fake_trouble(fake, 60))
		longjmp(fake->death, 1);
}

/* --- looking ------------------------------------------------------------ */

static int64_t now(void *context)
{
	return ((struct fake *)context)->now;
}

static char *folder(void *context)
{
	return strdup(((struct fake *)context)->folder);
}

static bool look_at_hosts(void *context)
{
	static const char *const names[FAKE_HOSTS] = { "a", "b", "c", "d", "e" };
	struct fake *fake = context;
	struct lxfw_resources total = { .procs = FAKE_PROCS,
					.memory_mb = FAKE_MEMORY };

	may_die(fake);
	if (fake_trouble(fake, 50))
		return false;
	fake->hidden = fake->changed = false;
	if (lxfw_mirror_hosts(&fake->agent, names, FAKE_HOSTS) < 0 ||
	    fake->agent.rebuild)
		return false;
	for (int32_t i = 0; i < FAKE_HOSTS; i++)
		lxfw_mirror_host(&fake->agent, i, fake->up[i], &total, 0, 0, 0);
	return true;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	const struct fake_job *job = fake_job_of(context, record);

	return job ? job->record.phase : LXFW_PHASE_GONE;
}

static void read_job(const struct fake *fake, struct fake_job *job,
		     struct lxfw_run *run)
{
	const struct fake_record *record = &job->record;
	int64_t left = job->request.estimate - record->ran;

	*run = (struct lxfw_run){
		.id = job->request.id,
		.record = (uint32_t)(job - fake->job) + 1,
		.end = fake->now + (left > 0 ? left : 0),
		.count = record->count,
		.shares = record->shares,
		.past.since = fake->now - record->ran,
		.past.submit = job->request.submit,
		.past.suspended = record->suspended_for,
	};
	if (record->phase == LXFW_PHASE_SUSPENDED) {
		run->past.since = 0;
		run->past.ran = record->ran;
	}
	/* An expired limit does not move further each second. */
	if (left <= 0)
		run->end = job->request.submit;
}

static bool read_run(void *context, struct lxfw_known_job *known,
		     struct lxfw_run *run)
{
	struct fake_job *job = fake_job_of(context, known->record);

	if (!job || !fake_holds_memory(&job->record))
		return false;
	read_job(context, job, run);
	return true;
}

static void show_running(struct fake *fake, struct fake_job *job, uint32_t record)
{
	bool suspended = job->record.phase == LXFW_PHASE_SUSPENDED;
	struct lxfw_known_job *known =
		lxfw_mirror_running(&fake->agent, job->request.id, record);
	struct lxfw_share shares[FAKE_HOSTS];
	struct lxfw_run run;

	job->known_running = true;
	job->asked = 0;
	if (!known)
		return;
	if (known->state == LXFW_KNOWN_RUNNING && suspended &&
	    lxfw_quanta_hold(&fake->agent, record))
		return;
	if ((!suspended || lxfw_quanta_hold(&fake->agent, record)) &&
	    lxfw_mirror_lacks_request(&fake->agent, known))
		lxfw_mirror_request(&fake->agent, known, &job->request);
	read_job(fake, job, &run);
	if (suspended && !lxfw_quanta_hold(&fake->agent, record)) {
		memcpy(shares, run.shares, sizeof(shares));
		for (int32_t i = 0; i < run.count; i++)
			shares[i].amount.procs = 0;
		run.shares = shares;
	}
	lxfw_mirror_run(&fake->agent, known, &run);
}

/* True if the agent, since its last start, waits for the start that it requested. If
   the clock has jumped in the meantime, it may have given up earlier. */
static bool is_asked(const struct fake *fake, const struct fake_job *job)
{
	return job->asked && fake->ticks < job->asked + LXFW_START_SECONDS &&
	       job->jumps == fake->counts.jumps;
}

static void show_waiting(struct fake *fake, struct fake_job *job, uint32_t record)
{
	struct lxfw_waiting waiting = {
		.request = job->request,
		.priority = job->priority,
		.delay = job->delay,
		.record = record,
		.again = job->restarted,
	};

	if (!is_asked(fake, job))
		job->known_running = false;
	(void)lxfw_mirror_waiting(&fake->agent, &waiting);
}

static void show_held(struct fake *fake, const struct fake_job *job)
{
	const struct lxfw_aside aside = {
		.id = job->request.id, .reason = LXFW_REASON_HELD_BY_USER,
	};

	lxfw_mirror_aside(&fake->agent, &aside);
}

static bool look_at_jobs(void *context)
{
	static const int32_t hosts[FAKE_HOSTS] = { 0, 1, 2, 3, 4 };
	struct fake *fake = context;

	if (!fake->sets_shown)
		lxfw_mirror_set(&fake->agent, 0, hosts, FAKE_HOSTS);
	fake->sets_shown = true;
	for (int i = 0; i < fake->jobs; i++) {
		struct fake_job *job = &fake->job[i];

		switch (job->record.phase) {
		case LXFW_PHASE_RUNNING:
		case LXFW_PHASE_SUSPENDED:
			show_running(fake, job, (uint32_t)i + 1);
			break;
		case LXFW_PHASE_REQUEUED:
			lxfw_mirror_keep(&fake->agent, job->request.id);
			break;
		case LXFW_PHASE_WAITING:
			if (job->unsettled > fake->ticks)
				lxfw_mirror_keep(&fake->agent, job->request.id);
			else if (!job->held)
				show_waiting(fake, job, (uint32_t)i + 1);
			else
				show_held(fake, job);
			break;
		default:
			break;
		}
	}
	lxfw_mirror_release_others(&fake->agent);
	return true;
}

/* No job may be counted as suspended more often than it was, if that could be counted. */
static void check_victims(struct fake *fake)
{
	const struct lxfw_quanta_books *books = &fake->agent.quanta;

	/* A file that cannot be read yet has the counts of earlier runs. */
	if (fake->faulty)
		return;
	for (size_t i = 0; i < books->victim_count; i++) {
		const struct lxfw_victim *victim = &books->victims[i];
		const struct fake_job *job = fake_job_of(fake, victim->job_id);

		if (job->deaths == fake->counts.crashes &&
		    victim->suspensions > job->suspensions)
			fake_wrong(fake, "counted as suspended too often",
			      job->request.id);
	}
}

/* A job that is held waits without the library, and no other one does. The model has no job that
   does not exist or is over. */
static void check_conservation(struct fake *fake)
{
	const struct lxfw_agent *agent = &fake->agent;
	size_t held = 0;

	for (int i = 0; i < fake->jobs; i++) {
		const struct fake_job *job = &fake->job[i];
		const struct lxfw_known_job *known =
			lxfw_table_find(&agent->jobs, job->request.id);
		bool is_held = job->record.phase == LXFW_PHASE_WAITING && job->held &&
			       job->unsettled <= fake->ticks;

		held += is_held;
		if (is_held != (lxfw_id_map_get(&agent->asides.by_id, job->request.id) >= 0))
			fake_wrong(fake, is_held ? "held, and not known to be" :
				   "known to be held, and is not", job->request.id);
		if (is_held && known && known->state != LXFW_KNOWN_NOT && !known->asked)
			fake_wrong(fake, "held, and known to wait or to run",
				   job->request.id);
	}
	if (agent->asides.count != held ||
	    lxfw_aside_count(agent, LXFW_REASON_HELD_BY_USER) != held)
		fake_wrong(fake, "jobs that are known to be held are others", held);
	for (size_t i = 0; i < agent->jobs.count; i++) {
		const struct lxfw_known_job *known = agent->jobs.jobs[i];
		const struct fake_job *job = fake_job_of(fake, known->record);

		if (known->state != LXFW_KNOWN_NOT &&
		    (!job || job->request.id != known->id))
			fake_wrong(fake, "known, and does not exist", known->id);
	}
}

/* The agent's data must agree with what it was shown. */
static void looked(void *context)
{
	struct fake *fake = context;

	if (fake->faulty && fake->agent.events.failed)
		return;		/* the model is rebuilt */
	check_victims(fake);
	check_conservation(fake);
	for (int i = 0; i < fake->jobs; i++) {
		struct fake_job *job = &fake->job[i];
		const struct lxfw_known_job *known =
			lxfw_table_find(&fake->agent.jobs, job->request.id);
		enum lxfw_known_state state = known ? known->state : LXFW_KNOWN_NOT;
		struct lxfw_run run;

		switch (job->record.phase) {
		case LXFW_PHASE_RUNNING:
			if (state != LXFW_KNOWN_RUNNING)
				fake_wrong(fake, "runs, and is not known to",
				      job->request.id);
			if (known && known->requeued)
				fake_wrong(fake, "runs, and counts as requeued",
				      job->request.id);
			read_job(fake, job, &run);
			if (known && known->expected_end != run.end)
				fake_wrong(fake, "known with another end",
				      job->request.id);
			if (known && known->shares_hash !=
				     lxfw_shares_hash(run.shares, run.count))
				fake_wrong(fake, "known with other shares",
				      job->request.id);
			break;
		case LXFW_PHASE_SUSPENDED:
			if (state != LXFW_KNOWN_RUNNING)
				fake_wrong(fake, "suspended, and not known to be",
				      job->request.id);
			break;
		case LXFW_PHASE_WAITING:
			if (!job->held && job->unsettled <= fake->ticks &&
			    state != LXFW_KNOWN_WAITING &&
			    !(known && known->asked))
				fake_wrong(fake, "waits, and is not known to",
				      job->request.id);
			/* The file of quanta has it, if it can be read. */
			if (state == LXFW_KNOWN_WAITING && !job->age_lost &&
			    fake->agent.quanta.path &&
			    known->request.submit > job->submit)
				fake_wrong(fake, "waits for less long than it did",
				      job->request.id);
			break;
		case LXFW_PHASE_REQUEUED:
			if (known && known->requeued &&
			    fake->agent.clock <= known->requeued + 60 &&
			    state != LXFW_KNOWN_WAITING)
				fake_wrong(fake, "requeued, and lost its place",
				      job->request.id);
			break;
		case LXFW_PHASE_OVER:
			if (state != LXFW_KNOWN_NOT)
				fake_wrong(fake, "is over, and still known",
				      job->request.id);
			break;
		default:
			break;
		}
	}
}

/* A waiting job's priority is known to the library where it counts. A job whose record is
   not settled yet is kept without being reported: its priority follows later. */
static void check_priority(struct fake *fake, const struct lxfw_known_job *known)
{
	const struct lxfw_sched *sched = fake->agent.sched;
	int32_t index = lxfw_id_map_get(&sched->job_by_id, known->id);
	const struct fake_job *job = fake_job_of(fake, known->record);
	bool counts = lxfw_params_site(&fake->agent.params) != 0 ||
		      lxfw_agent_shadows(&fake->agent);

	if (index < 0 || known->state != LXFW_KNOWN_WAITING || known->asked ||
	    job->record.phase != LXFW_PHASE_WAITING || job->unsettled > fake->ticks ||
	    known->seen != fake->agent.pass)
		return;
	if (sched->jobs[index].priority != (counts ? job->priority : 0) ||
	    sched->jobs[index].delay != job->delay)
		fake_wrong(fake, "waits with another priority", known->id);
}

/* The library's model must have the same jobs as the agent. */
static void decided(void *context)
{
	struct fake *fake = context;
	const struct lxfw_agent *agent = &fake->agent;
	size_t known = 0;

	for (size_t i = 0; i < agent->jobs.count; i++) {
		known += agent->jobs.jobs[i]->state != LXFW_KNOWN_NOT &&
			 !agent->jobs.jobs[i]->excluded;
		check_priority(fake, agent->jobs.jobs[i]);
	}
	if (known != agent->decision.waiting + agent->decision.running)
		fake_wrong(fake, "jobs in the library's books are others", known);
}

static void forget(void *context)
{
	((struct fake *)context)->sets_shown = false;
}

/* --- acting ------------------------------------------------------------- */

/* Shares on which the job starts instead, with more processors than it requested. */
static bool elsewhere(struct fake *fake, struct fake_job *job)
{
	int32_t first = (int32_t)fake_roll(fake, FAKE_HOSTS);
	struct fake_record record = job->record;

	if (job->record.count != 1)
		return false;
	for (int32_t i = 0; i < FAKE_HOSTS; i++) {
		job->record.shares[0].host = (first + i) % FAKE_HOSTS;
		job->record.shares[0].amount.procs =
			record.shares[0].amount.procs + (int32_t)fake_roll(fake, 2);
		if (fake_fits(fake, job))
			return true;
	}
	job->record = record;
	return false;
}

static bool on_cleaned_host(const struct fake *fake,
			    const struct lxfw_action *action)
{
	for (int i = 0; i < fake->jobs; i++) {
		for (int32_t j = 0; j < action->count; j++) {
			if (fake->job[i].record.phase == LXFW_PHASE_REQUEUED &&
			    fake_is_on(&fake->job[i], action->shares[j].host))
				return true;
		}
	}
	return false;
}

/* True if a start is in progress that the agent has given up, that it requested before
   its restart, or that it believes to be elsewhere. */
static bool has_unknown_start(const struct fake *fake)
{
	for (int i = 0; i < fake->jobs; i++) {
		const struct fake_job *job = &fake->job[i];

		if (job->begins && (job->strays || fake->faulty || !is_asked(fake, job)))
			return true;
	}
	return false;
}

static enum lxfw_answer begin_job(struct fake *fake, struct fake_job *job,
				  const struct lxfw_action *action)
{
	job->spared_until = 0;
	job->record.ran = job->record.suspended_for = 0;
	job->record.runs++;
	job->record.began = fake->ticks;
	job->record.until = action->until == LXFW_NEVER ? 0 : action->until;
	job->deaths = fake->counts.crashes;
	job->suspensions = 0;
	job->left = job->work;
	job->stopped = false;
	job->known_running = true;
	job->rebuilds = fake->agent.total.rebuilds;
	fake->counts.starts++;
	lxfw_log_debug("second %lld: job %llu is to start, quantum until %lld",
		       (long long)fake->ticks,
		       (unsigned long long)job->request.id,
		       (long long)job->record.until);
	if (fake_trouble(fake, 6)) {
		fake->counts.late++;
		job->asked = fake->ticks;
		job->jumps = fake->counts.jumps;
		job->begins = fake->ticks + 1 + fake_roll(fake, 80);
		job->fails = fake_roll(fake, 4) == 3;
		return LXFW_LATER;
	}
	job->asked = 0;
	fake_set_phase(fake, job, LXFW_PHASE_RUNNING);
	return LXFW_DONE;
}

static enum lxfw_answer start(void *context, struct lxfw_known_job *known,
			      const struct lxfw_action *action,
			      struct lxfw_run *run)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(fake, known->record);
	enum lxfw_answer answer;

	if (!job)
		return LXFW_GONE;
	if (lxfw_agent_shadows(&fake->agent))
		fake_wrong(fake, "started in shadow mode", job->request.id);
	may_die(fake);
	/* Without memory, the agent forgets that it has requested a start. */
	if (job->known_running && !(fake->faulty && job->asked))
		fake_wrong(fake, "started twice", job->request.id);
	if (job->record.phase != LXFW_PHASE_WAITING || job->held || job->begins)
		return LXFW_GONE;
	if (on_cleaned_host(fake, action))
		return LXFW_BUSY;
	if (fake_trouble(fake, 15)) {
		fake->counts.refusals++;
		return (enum lxfw_answer[]){ LXFW_DEFERRED, LXFW_BUSY,
			LXFW_REFUSED, LXFW_UNFIT }[fake_roll(fake, 4)];
	}
	job->record.count = action->count;
	memcpy(job->record.shares, action->shares,
	       (size_t)action->count * sizeof(*action->shares));
	if (!fake_fits(fake, job)) {
		if (!fake->hidden && !has_unknown_start(fake))
			fake_wrong(fake, "started where there is no room",
			      job->request.id);
		job->record.count = 0;
		return LXFW_UNFIT;
	}
	job->strays = fake_trouble(fake, 15) && elsewhere(fake, job);
	fake->counts.elsewhere += job->strays;
	answer = begin_job(fake, job, action);
	if (answer == LXFW_DONE)
		read_job(fake, job, run);
	may_die(fake);
	return answer;
}

static bool busy(void *context, const struct lxfw_action *action)
{
	struct fake *fake = context;

	fake->counts.omitted += on_cleaned_host(fake, action);
	return on_cleaned_host(fake, action);
}

/* Changes when the agent does not know any more what it knew. */
static uint64_t confusion(const struct fake *fake)
{
	return fake->agent.total.rebuilds + fake->counts.crashes + fake->counts.switches +
	       fake->counts.jumps;
}

static enum lxfw_answer suspend(void *context, struct lxfw_known_job *known,
				struct lxfw_preempted *preempted, bool own_end,
				struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(fake, known->record);

	(void)preempted;
	if (lxfw_agent_shadows(&fake->agent))
		fake_wrong(fake, "suspended in shadow mode", known->id);
	may_die(fake);
	lxfw_error_set(why, "no");
	if (job && !own_end && fake->ticks < job->spared_until &&
	    job->confusion == confusion(fake))
		fake_wrong(fake, "chosen again at once after it could not be suspended",
			   job->request.id);
	if (!job || job->record.phase != LXFW_PHASE_RUNNING || fake_trouble(fake, 8)) {
		fake->counts.refusals++;
		if (job && !own_end && fake->agent.params.quantum) {
			job->spared_until = fake->ticks + 1;
			job->confusion = confusion(fake);
		}
		/* The model contains a job that could not be suspended. */
		return LXFW_REFUSED;
	}
	fake->counts.suspensions++;
	job->suspensions += !own_end;
	fake->counts.victims += !own_end;
	/* A gang continues when another policy has been selected. */
	if (fake->agent.params.victim_suspensions && !fake->counts.switches &&
	    job->suspensions > fake->agent.params.victim_suspensions)
		fake_wrong(fake, "suspended too often", job->request.id);
	fake_set_phase(fake, job, LXFW_PHASE_SUSPENDED);
	fake_send(fake, job, true);
	may_die(fake);
	return LXFW_DONE;
}

static enum lxfw_answer resume(void *context, const struct lxfw_preempted *preempted,
			       struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(fake, preempted->job_id);

	may_die(fake);
	if (!job || job->record.phase != LXFW_PHASE_SUSPENDED) {
		fake_wrong(fake, "resumed, and was not suspended", preempted->job_id);
		return LXFW_GONE;
	}
	if (!fake_fits(fake, job) || fake_trouble(fake, 5)) {
		lxfw_error_set(why, "others are there");
		fake->counts.deferred++;
		return LXFW_DEFERRED;
	}
	fake->counts.resumptions++;
	fake->shadow.resumptions += lxfw_agent_shadows(&fake->agent);
	fake_set_phase(fake, job, LXFW_PHASE_RUNNING);
	fake_send(fake, job, false);
	may_die(fake);
	return LXFW_DONE;
}

static enum lxfw_answer requeue(void *context, uint32_t record,
				struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(fake, record);
	bool age_lost;

	may_die(fake);
	lxfw_error_set(why, "no");
	if (!job || !fake_holds_memory(&job->record))
		return LXFW_GONE;
	/* After a restart, the file of quanta may contain some that were only planned. One that
	   cannot be read yet contains quanta that are over. */
	if (!job->record.until && job->deaths == fake->counts.crashes && !fake->faulty)
		fake_wrong(fake, "requeued, and was in no quantum", job->request.id);
	/* When the model is rebuilt, all quanta end. */
	if (fake->now < job->record.until &&
	    job->rebuilds == fake->agent.total.rebuilds)
		fake_wrong(fake, "requeued before its quantum's end", job->request.id);
	if (fake_trouble(fake, 8))
		return LXFW_REFUSED;
	fake->counts.requeues++;
	age_lost = job->age_lost;
	fake_wait_again(fake, job);
	job->age_lost = age_lost;
	job->requeued = true;
	may_die(fake);
	return LXFW_DONE;
}

static int64_t began(void *context, uint32_t record)
{
	const struct fake_job *job = fake_job_of(context, record);

	return job && job->record.phase != LXFW_PHASE_WAITING &&
		       job->record.phase != LXFW_PHASE_REQUEUED ? job->record.began : 0;
}

static void remind(void *context, uint32_t record)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(fake, record);

	may_die(fake);
	if (!job || job->record.phase != LXFW_PHASE_RUNNING)
		fake_wrong(fake, "reminded, and does not run", record);
	else
		fake_send(fake, job, false);
	fake->counts.reminders++;
}

static bool heard_since(void *context, uint32_t record, int64_t since)
{
	const struct fake *fake = context;
	const struct fake_job *job = fake_job_of(context, record);

	for (int32_t i = 0; i < FAKE_HOSTS; i++) {
		if (fake_is_on(job, i) && (fake->heard[i] <= since ||
				      fake->silent[i] > fake->ticks))
			return false;
	}
	return true;
}

static enum lxfw_answer settle(void *context, struct lxfw_served *served)
{
	struct fake *fake = context;
	struct fake_job *job = fake_job_of(context, served->job_id);

	if (!served->until || !fake_trouble(fake, 4))
		return LXFW_DONE;
	job->unsettled = fake->ticks + 2;
	return LXFW_DEFERRED;
}

/* Records are saved some seconds after a change, as Slurm saves them. */
static void save(void *context)
{
	may_die(context);
}

const struct lxfw_wlm fake_operations = {
	.name = "fake",
	.job = "job ",
	.folder_name = "folder",
	.now = now,
	.folder = folder,
	.look_at_hosts = look_at_hosts,
	.look_at_jobs = look_at_jobs,
	.looked = looked,
	.forget = forget,
	.phase = phase,
	.read_run = read_run,
	.start = start,
	.decided = decided,
	.busy = busy,
	.suspend = suspend,
	.resume = resume,
	.requeue = requeue,
	.began = began,
	.remind = remind,
	.heard_since = heard_since,
	.settle = settle,
	.save = save,
};
