/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_wlm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/quanta.h"

#define PROCS 8
#define MEMORY 1000
#define SAVE_AFTER 5		/* seconds, records are saved by themselves */

static void wrong(struct fake *fake, const char *what, uint64_t job)
{
	if (!fake->wrong[0])
		snprintf(fake->wrong, sizeof(fake->wrong),
			 "%.200s: job %llu, second %lld", what,
			 (unsigned long long)job, (long long)fake->ticks);
}

/* --- chance ------------------------------------------------------------------------ */

/* 0 to N - 1. */
static uint32_t roll(struct fake *fake, uint32_t n)
{
	uint64_t z;

	if (fake->bytes) {
		if (!fake->byte_count)
			return 0;
		fake->byte_count--;
		return *fake->bytes++ % n;
	}
	z = fake->random += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((z ^ z >> 31) % n);
}

/* Trouble, once in N times. */
static bool trouble(struct fake *fake, uint32_t n)
{
	return !fake->quiet && roll(fake, n) == n - 1;
}

/* The process may die anywhere. */
static void may_die(struct fake *fake)
{
	if (trouble(fake, 60))
		longjmp(fake->death, 1);
}

/* --- the truth --------------------------------------------------------------------- */

static struct fake_job *job_of(struct fake *fake, uint32_t record)
{
	return record >= 1 && record <= (uint32_t)fake->jobs ?
	       &fake->job[record - 1] : NULL;
}

static void change(struct fake *fake, struct fake_job *job)
{
	if (!job->changed)
		job->changed = fake->ticks;
	fake->changed = true;
}

static void set_phase(struct fake *fake, struct fake_job *job,
		      enum lxfw_phase phase)
{
	lxfw_log_debug("second %lld: job %llu is in phase %d",
		       (long long)fake->ticks,
		       (unsigned long long)job->request.id, phase);
	job->record.phase = phase;
	change(fake, job);
}

static bool holds_memory(const struct fake_record *record)
{
	return record->phase == LXFW_PHASE_RUNNING ||
	       record->phase == LXFW_PHASE_SUSPENDED;
}

static bool holds_procs(const struct fake_job *job)
{
	return job->record.phase == LXFW_PHASE_RUNNING || job->begins ||
	       job->record.phase == LXFW_PHASE_REQUEUED;
}

/* What is free of a host beside all jobs but EXCEPT. */
static struct lxfw_resources free_of(const struct fake *fake, int32_t host,
				     const struct fake_job *except)
{
	struct lxfw_resources left = { .procs = PROCS, .memory_mb = MEMORY };

	for (int i = 0; i < fake->jobs; i++) {
		const struct fake_job *job = &fake->job[i];

		if (job == except ||
		    (!holds_procs(job) && !holds_memory(&job->record)))
			continue;
		for (int32_t j = 0; j < job->record.count; j++) {
			struct lxfw_share share = job->record.shares[j];

			if (share.host != host)
				continue;
			if (!holds_procs(job))
				share.amount.procs = 0;
			lxfw_resources_subtract(&left, &share.amount);
		}
	}
	return left;
}

/* Do the shares of JOB fit beside the others, on hosts that are up? */
static bool fits(const struct fake *fake, const struct fake_job *job)
{
	for (int32_t i = 0; i < job->record.count; i++) {
		const struct lxfw_share *share = &job->record.shares[i];
		struct lxfw_resources left = free_of(fake, share->host, job);

		if (!fake->up[share->host] ||
		    !lxfw_resources_fit(&share->amount, &left))
			return false;
	}
	return true;
}

static bool is_on(const struct fake_job *job, int32_t host)
{
	for (int32_t i = 0; i < job->record.count; i++) {
		if (job->record.shares[i].host == host)
			return true;
	}
	return false;
}

/* Its run is over, and its work lost. */
static void wait_again(struct fake *fake, struct fake_job *job)
{
	set_phase(fake, job, LXFW_PHASE_REQUEUED);
	job->cleaned = fake->ticks + 1 + roll(fake, 4);
	job->left = job->work;
	job->stopped = job->known_running = false;
	job->messages = 0;
	job->begins = 0;
	job->unsettled = 0;
	job->restarted = true;
	job->request.submit = fake->now;
	job->age_lost = true;
}

static void send(struct fake *fake, struct fake_job *job, bool stop)
{
	if (job->messages == 4)
		job->messages = 3;
	job->message[job->messages++] = (struct fake_message){
		.at = fake->ticks + (fake->quiet ? 0 : roll(fake, 3)),
		.stop = stop,
	};
}

static void deliver(struct fake *fake, struct fake_job *job)
{
	for (int i = 0; i < job->messages;) {
		bool lost = false;

		if (job->message[i].at > fake->ticks) {
			i++;
			continue;
		}
		for (int32_t host = 0; host < FAKE_HOSTS; host++)
			lost |= is_on(job, host) && fake->silent[host] > fake->ticks;
		if (lost)
			fake->counts.lost_messages++;
		else
			job->stopped = job->message[i].stop;
		job->message[i] = job->message[--job->messages];
	}
}

static void save_record(struct fake_job *job)
{
	job->saved = job->record;
	job->changed = 0;
}

static void begin_late(struct fake *fake, struct fake_job *job)
{
	job->begins = 0;
	if (job->fails || !fits(fake, job)) {
		job->record.count = 0;
		change(fake, job);
		return;
	}
	fake->hidden = true;
	set_phase(fake, job, LXFW_PHASE_RUNNING);
}

static void tick_job(struct fake *fake, struct fake_job *job)
{
	deliver(fake, job);
	if (job->begins && job->begins <= fake->ticks)
		begin_late(fake, job);
	if (job->record.phase == LXFW_PHASE_SUSPENDED)
		job->record.suspended_for++;
	if (job->record.phase == LXFW_PHASE_REQUEUED &&
	    job->cleaned <= fake->ticks) {
		job->record.count = 0;
		job->record.ran = 0;
		set_phase(fake, job, LXFW_PHASE_WAITING);
	}
	if (job->record.phase == LXFW_PHASE_RUNNING) {
		job->record.ran++;
		if (!job->stopped && --job->left <= 0)
			set_phase(fake, job, LXFW_PHASE_OVER);
	}
	if (job->changed && fake->ticks >= job->changed + SAVE_AFTER)
		save_record(job);
}

static void pass_second(struct fake *fake)
{
	fake->ticks++;
	fake->now++;
	for (int i = 0; i < FAKE_HOSTS; i++) {
		if (fake->up[i] && fake->silent[i] <= fake->ticks)
			fake->heard[i] = fake->now;
	}
	for (int i = 0; i < fake->jobs; i++)
		tick_job(fake, &fake->job[i]);
}

/* --- looking ----------------------------------------------------------------------- */

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
	struct lxfw_resources total = { .procs = PROCS, .memory_mb = MEMORY };

	may_die(fake);
	if (trouble(fake, 50))
		return false;
	fake->hidden = fake->changed = false;
	if (lxfw_mirror_hosts(&fake->agent, names, FAKE_HOSTS) < 0 ||
	    fake->agent.rebuild)
		return false;
	for (int32_t i = 0; i < FAKE_HOSTS; i++)
		lxfw_mirror_host(&fake->agent, i, fake->up[i], &total);
	return true;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	const struct fake_job *job = job_of(context, record);

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
	/* A limit that is over does not move away each second. */
	if (left <= 0)
		run->end = job->request.submit;
}

static bool read_run(void *context, struct lxfw_known_job *known,
		     struct lxfw_run *run)
{
	struct fake_job *job = job_of(context, known->record);

	if (!job || !holds_memory(&job->record))
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
	read_job(fake, job, &run);
	if (suspended && !lxfw_quanta_hold(&fake->agent, record)) {
		memcpy(shares, run.shares, sizeof(shares));
		for (int32_t i = 0; i < run.count; i++)
			shares[i].amount.procs = 0;
		run.shares = shares;
	}
	lxfw_mirror_run(&fake->agent, known, &run);
}

/* Does the agent, in this life, wait for the start that it asked for? Where the clock has
   jumped meanwhile it may have given up earlier. */
static bool is_asked(const struct fake *fake, const struct fake_job *job)
{
	return job->asked && fake->ticks < job->asked + LXFW_START_SECONDS &&
	       job->jumps == fake->counts.jumps;
}

static void show_waiting(struct fake *fake, struct fake_job *job, uint32_t record)
{
	struct lxfw_waiting waiting = {
		.request = job->request,
		.record = record,
		.again = job->restarted,
	};

	if (!is_asked(fake, job))
		job->known_running = false;
	(void)lxfw_mirror_waiting(&fake->agent, &waiting);
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
			break;
		default:
			break;
		}
	}
	return true;
}

/* Nobody counts as suspended more often than he was, if that could be counted. */
static void check_victims(struct fake *fake)
{
	const struct lxfw_quanta_books *books = &fake->agent.quanta;

	for (size_t i = 0; i < books->victim_count; i++) {
		const struct lxfw_victim *victim = &books->victims[i];
		const struct fake_job *job = job_of(fake, victim->job_id);

		if (job->deaths == fake->counts.crashes &&
		    victim->suspensions > job->suspensions)
			wrong(fake, "counted as suspended too often",
			      job->request.id);
	}
}

/* What the agent knows now is what it was shown. */
static void looked(void *context)
{
	struct fake *fake = context;

	check_victims(fake);
	for (int i = 0; i < fake->jobs; i++) {
		struct fake_job *job = &fake->job[i];
		const struct lxfw_known_job *known =
			lxfw_table_find(&fake->agent.jobs, job->request.id);
		enum lxfw_known_state state = known ? known->state : LXFW_KNOWN_NOT;
		struct lxfw_run run;

		switch (job->record.phase) {
		case LXFW_PHASE_RUNNING:
			if (state != LXFW_KNOWN_RUNNING)
				wrong(fake, "runs, and is not known to",
				      job->request.id);
			read_job(fake, job, &run);
			if (known && known->expected_end != run.end)
				wrong(fake, "known with another end",
				      job->request.id);
			if (known && known->shares_hash !=
				     lxfw_shares_hash(run.shares, run.count))
				wrong(fake, "known with other shares",
				      job->request.id);
			break;
		case LXFW_PHASE_SUSPENDED:
			if (state != LXFW_KNOWN_RUNNING)
				wrong(fake, "suspended, and not known to be",
				      job->request.id);
			break;
		case LXFW_PHASE_WAITING:
			if (!job->held && job->unsettled <= fake->ticks &&
			    state != LXFW_KNOWN_WAITING &&
			    !(known && known->asked))
				wrong(fake, "waits, and is not known to",
				      job->request.id);
			if (state == LXFW_KNOWN_WAITING && !job->age_lost &&
			    known->request.submit > job->submit)
				wrong(fake, "waits for less long than it did",
				      job->request.id);
			break;
		case LXFW_PHASE_REQUEUED:
			if (known && known->requeued &&
			    fake->agent.clock <= known->requeued + 60 &&
			    state != LXFW_KNOWN_WAITING)
				wrong(fake, "requeued, and lost its place",
				      job->request.id);
			break;
		case LXFW_PHASE_OVER:
			if (state != LXFW_KNOWN_NOT)
				wrong(fake, "is over, and still known",
				      job->request.id);
			break;
		default:
			break;
		}
	}
}

/* The library's books have the jobs that the agent has. */
static void decided(void *context)
{
	struct fake *fake = context;
	const struct lxfw_agent *agent = &fake->agent;
	size_t known = 0;

	for (size_t i = 0; i < agent->jobs.count; i++)
		known += agent->jobs.jobs[i]->state != LXFW_KNOWN_NOT &&
			 !agent->jobs.jobs[i]->excluded;
	if (known != agent->decision.waiting + agent->decision.running)
		wrong(fake, "jobs in the library's books are others", known);
}

static void forget(void *context)
{
	((struct fake *)context)->sets_shown = false;
}

/* --- acting ------------------------------------------------------------------------ */

/* Shares that the job gets elsewhere, of more processors than it asked for. */
static bool elsewhere(struct fake *fake, struct fake_job *job)
{
	int32_t first = (int32_t)roll(fake, FAKE_HOSTS);
	struct fake_record record = job->record;

	if (job->record.count != 1)
		return false;
	for (int32_t i = 0; i < FAKE_HOSTS; i++) {
		job->record.shares[0].host = (first + i) % FAKE_HOSTS;
		job->record.shares[0].amount.procs =
			record.shares[0].amount.procs + (int32_t)roll(fake, 2);
		if (fits(fake, job))
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
			    is_on(&fake->job[i], action->shares[j].host))
				return true;
		}
	}
	return false;
}

/* Is a start under way that the agent has given up, or asked for in an earlier life, or
   that it believes elsewhere? */
static bool has_unknown_start(const struct fake *fake)
{
	for (int i = 0; i < fake->jobs; i++) {
		const struct fake_job *job = &fake->job[i];

		if (job->begins && (job->strays || !is_asked(fake, job)))
			return true;
	}
	return false;
}

static enum lxfw_answer begin_job(struct fake *fake, struct fake_job *job,
				  const struct lxfw_action *action)
{
	job->record.ran = job->record.suspended_for = 0;
	job->record.runs++;
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
	if (trouble(fake, 6)) {
		fake->counts.late++;
		job->asked = fake->ticks;
		job->jumps = fake->counts.jumps;
		job->begins = fake->ticks + 1 + roll(fake, 80);
		job->fails = roll(fake, 4) == 3;
		return LXFW_LATER;
	}
	job->asked = 0;
	set_phase(fake, job, LXFW_PHASE_RUNNING);
	return LXFW_DONE;
}

static enum lxfw_answer start(void *context, struct lxfw_known_job *known,
			      const struct lxfw_action *action,
			      struct lxfw_run *run)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(fake, known->record);
	enum lxfw_answer answer;

	if (!job)
		return LXFW_GONE;
	may_die(fake);
	if (job->known_running)
		wrong(fake, "started twice", job->request.id);
	if (job->record.phase != LXFW_PHASE_WAITING || job->held || job->begins)
		return LXFW_GONE;
	if (on_cleaned_host(fake, action))
		return LXFW_BUSY;
	if (trouble(fake, 15)) {
		fake->counts.refusals++;
		return (enum lxfw_answer[]){ LXFW_DEFERRED, LXFW_BUSY,
			LXFW_REFUSED, LXFW_UNFIT }[roll(fake, 4)];
	}
	job->record.count = action->count;
	memcpy(job->record.shares, action->shares,
	       (size_t)action->count * sizeof(*action->shares));
	if (!fits(fake, job)) {
		if (!fake->hidden && !has_unknown_start(fake))
			wrong(fake, "started where there is no room",
			      job->request.id);
		job->record.count = 0;
		return LXFW_UNFIT;
	}
	job->strays = trouble(fake, 15) && elsewhere(fake, job);
	fake->counts.elsewhere += job->strays;
	answer = begin_job(fake, job, action);
	if (answer == LXFW_DONE)
		read_job(fake, job, run);
	may_die(fake);
	return answer;
}

static enum lxfw_answer suspend(void *context, struct lxfw_known_job *known,
				struct lxfw_lent *lent, bool own_end,
				struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(fake, known->record);

	(void)lent;
	may_die(fake);
	lxfw_error_set(why, "no");
	if (!job || job->record.phase != LXFW_PHASE_RUNNING || trouble(fake, 8)) {
		fake->counts.refusals++;
		/* The books have who makes no room after all. */
		return LXFW_REFUSED;
	}
	fake->counts.suspensions++;
	job->suspensions += !own_end;
	if (fake->agent.params.victim_suspensions &&
	    job->suspensions > fake->agent.params.victim_suspensions)
		wrong(fake, "suspended too often", job->request.id);
	set_phase(fake, job, LXFW_PHASE_SUSPENDED);
	send(fake, job, true);
	may_die(fake);
	return LXFW_DONE;
}

static enum lxfw_answer resume(void *context, const struct lxfw_lent *lent,
			       struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(fake, lent->job_id);

	may_die(fake);
	if (!job || job->record.phase != LXFW_PHASE_SUSPENDED) {
		wrong(fake, "resumed, and was not suspended", lent->job_id);
		return LXFW_GONE;
	}
	if (!fits(fake, job) || trouble(fake, 5)) {
		lxfw_error_set(why, "others are there");
		fake->counts.deferred++;
		return LXFW_DEFERRED;
	}
	fake->counts.resumptions++;
	set_phase(fake, job, LXFW_PHASE_RUNNING);
	send(fake, job, false);
	may_die(fake);
	return LXFW_DONE;
}

static enum lxfw_answer requeue(void *context, uint32_t record,
				struct lxfw_error *why)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(fake, record);
	bool age_lost;

	may_die(fake);
	lxfw_error_set(why, "no");
	if (!job || !holds_memory(&job->record))
		return LXFW_GONE;
	/* After a death the file of quanta may tell of some that were only planned. */
	if (!job->record.until && job->deaths == fake->counts.crashes)
		wrong(fake, "requeued, and was in no quantum", job->request.id);
	/* Where the books were made anew all quanta end. */
	if (fake->now < job->record.until &&
	    job->rebuilds == fake->agent.total.rebuilds)
		wrong(fake, "requeued before its quantum's end", job->request.id);
	if (trouble(fake, 8))
		return LXFW_REFUSED;
	fake->counts.requeues++;
	age_lost = job->age_lost;
	wait_again(fake, job);
	job->age_lost = age_lost;
	may_die(fake);
	return LXFW_DONE;
}

static void remind(void *context, uint32_t record)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(fake, record);

	may_die(fake);
	if (!job || job->record.phase != LXFW_PHASE_RUNNING)
		wrong(fake, "reminded, and does not run", record);
	else
		send(fake, job, false);
	fake->counts.reminders++;
}

static bool heard_since(void *context, uint32_t record, int64_t since)
{
	const struct fake *fake = context;
	const struct fake_job *job = job_of(context, record);

	for (int32_t i = 0; i < FAKE_HOSTS; i++) {
		if (is_on(job, i) && (fake->heard[i] <= since ||
				      fake->silent[i] > fake->ticks))
			return false;
	}
	return true;
}

static enum lxfw_answer settle(void *context, struct lxfw_served *served)
{
	struct fake *fake = context;
	struct fake_job *job = job_of(context, served->job_id);

	if (!served->until || !trouble(fake, 4))
		return LXFW_DONE;
	job->unsettled = fake->ticks + 2;
	return LXFW_DEFERRED;
}

static void save(void *context)
{
	struct fake *fake = context;

	may_die(fake);
	for (int i = 0; i < fake->jobs; i++)
		save_record(&fake->job[i]);
	may_die(fake);
}

static const struct lxfw_wlm operations = {
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
	.suspend = suspend,
	.resume = resume,
	.requeue = requeue,
	.remind = remind,
	.heard_since = heard_since,
	.settle = settle,
	.save = save,
};

/* --- lives ------------------------------------------------------------------------- */

static void read_params(struct fake *fake, struct lxfw_params *params)
{
	static const char *const policies[] = { "lxfw", "easy", "fcfs",
		"conservative", "priority", "sjf" };
	static const char *const quanta[] = {
		"", ",lxfw_quantum=40,lxfw_quantum_mode=preempt",
		",lxfw_quantum=40,lxfw_quantum_mode=preempt,lxfw_quantum_end=suspend",
		",lxfw_quantum=20,lxfw_quantum_mode=preempt,lxfw_victim_suspensions=2,lxfw_victim_interval=30",
	};
	struct lxfw_error why;
	char text[256];

	snprintf(text, sizeof(text), "lxfw_policy=%s%s%s",
		 policies[roll(fake, 6)], quanta[roll(fake, 4)],
		 roll(fake, 2) ? ",lxfw_quantum_min_run=30" : "");
	lxfw_params_preset(params, LXFW_POLICY_LXFW);
	if (lxfw_params_parse(params, text, NULL, NULL, &why) < 0)
		wrong(fake, why.text, 0);
}

static void bring_up(struct fake *fake, const struct lxfw_params *params)
{
	lxfw_agent_init(&fake->agent, &operations, fake, params);
	fake->alive = true;
	fake->sets_shown = false;
	fake->changed = true;
	for (int i = 0; i < fake->jobs; i++) {
		fake->job[i].known_running = false;
		fake->job[i].asked = 0;
		fake->job[i].rebuilds = UINT64_MAX;	/* of no books that are */
	}
}

/* The workload manager died, too: it knows what it has saved. */
static void lose_record(struct fake *fake, struct fake_job *job)
{
	struct fake_record before = job->record;

	if (!job->changed || before.phase == LXFW_PHASE_OVER)
		return;
	fake->counts.lost_records++;
	job->record = job->saved;
	job->changed = 0;
	if (holds_memory(&job->record) != holds_memory(&before) ||
	    job->record.runs != before.runs)
		wait_again(fake, job);
	else if (job->record.phase == LXFW_PHASE_REQUEUED)
		job->cleaned = fake->ticks;
	job->record.runs = before.runs;
}

static void die(struct fake *fake)
{
	struct lxfw_params params = fake->agent.params;

	lxfw_log_debug("second %lld: the process dies", (long long)fake->ticks);
	fake->counts.crashes++;
	fake->agent.journal.buffer.length = 0;
	lxfw_agent_destroy(&fake->agent);
	memset(&fake->agent, 0, sizeof(fake->agent));
	fake->alive = false;
	if (roll(fake, 2)) {
		for (int i = 0; i < fake->jobs; i++)
			lose_record(fake, &fake->job[i]);
	}
	if (roll(fake, 4) == 3) {
		for (uint32_t i = roll(fake, 60); i > 0; i--)
			pass_second(fake);
	}
	bring_up(fake, &params);
}

static void make_pass(struct fake *fake)
{
	const struct lxfw_agent *agent = &fake->agent;

	if (!fake->changed && !agent->stale && !agent->rebuild &&
	    fake->now < agent->wake && fake->ticks < fake->last_pass + 30)
		return;
	fake->last_pass = fake->ticks;
	if (setjmp(fake->death) == 0)
		(void)lxfw_agent_pass(&fake->agent);
	else
		die(fake);
}

/* --- what happens ------------------------------------------------------------------ */

static void submit(struct fake *fake)
{
	struct fake_job *job = &fake->job[fake->jobs];
	struct lxfw_request *request = &job->request;

	if (fake->jobs == FAKE_JOBS)
		return;
	*job = (struct fake_job){ .record.phase = LXFW_PHASE_WAITING };
	request->id = (uint64_t)++fake->jobs;
	request->submit = job->submit = fake->now;
	request->estimate = 1 + roll(fake, 250);
	job->work = job->left = 1 + roll(fake, (uint32_t)request->estimate);
	if (trouble(fake, 10))
		job->work = job->left = request->estimate + roll(fake, 100);
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = roll(fake, 4) == 3 ? 1 + (int32_t)roll(fake, FAKE_HOSTS) : 1;
	request->unit.procs = 1 + (int32_t)roll(fake, PROCS);
	request->unit.memory_mb = roll(fake, MEMORY / 3);
	request->host_set_count = 1;
	request->rigid = true;
	job->held = trouble(fake, 20);
	save_record(job);
	fake->changed = true;
}

static void lose_host(struct fake *fake, int32_t host)
{
	fake->up[host] = !fake->up[host];
	fake->hidden = fake->changed = true;
	for (int i = 0; i < fake->jobs && !fake->up[host]; i++) {
		struct fake_job *job = &fake->job[i];

		if (holds_memory(&job->record) && is_on(job, host))
			wait_again(fake, job);
	}
}

/* What somebody else does to a job. */
static void meddle(struct fake *fake, struct fake_job *job)
{
	switch (roll(fake, 4)) {
	case 0:
		fake->counts.vanished++;
		job->begins = 0;
		set_phase(fake, job, LXFW_PHASE_OVER);
		break;
	case 1:
		if (job->record.phase != LXFW_PHASE_RUNNING)
			break;
		wait_again(fake, job);
		break;
	case 2:
		for (int i = 0; i < fake->jobs &&
				job->record.phase != LXFW_PHASE_SUSPENDED; i++)
			job = &fake->job[i];
		if (job->record.phase != LXFW_PHASE_SUSPENDED || !fits(fake, job))
			break;
		fake->hidden = true;
		set_phase(fake, job, LXFW_PHASE_RUNNING);
		send(fake, job, false);
		break;
	default:
		job->held = !job->held;
		change(fake, job);
	}
}

static void happen(struct fake *fake)
{
	int32_t host = (int32_t)roll(fake, FAKE_HOSTS);

	if (roll(fake, 3) == 0)
		submit(fake);
	if (trouble(fake, 40))
		lose_host(fake, host);
	if (trouble(fake, 20))
		fake->silent[host] = fake->ticks + 1 + roll(fake, 30);
	if (fake->jobs && trouble(fake, 15))
		meddle(fake, &fake->job[roll(fake, (uint32_t)fake->jobs)]);
	/* As where nodes get other numbers. */
	fake->agent.rebuild |= trouble(fake, 100);
	if (trouble(fake, 100)) {
		fake->counts.jumps++;
		fake->now += ((int64_t)roll(fake, 200) - 100) * 60;
		fake->hidden = fake->changed = true;
	}
}

void fake_step(struct fake *fake)
{
	happen(fake);
	for (uint32_t seconds = 1 + roll(fake, 15); seconds > 0; seconds--) {
		pass_second(fake);
		if (roll(fake, 4) == 0)
			make_pass(fake);
	}
}

static bool all_over(const struct fake *fake)
{
	for (int i = 0; i < fake->jobs; i++) {
		if (fake->job[i].record.phase != LXFW_PHASE_OVER)
			return false;
	}
	return true;
}

bool fake_finish(struct fake *fake)
{
	int64_t most = fake->ticks + 2000;

	fake->quiet = true;
	for (int i = 0; i < FAKE_HOSTS; i++)
		fake->up[i] = true;
	for (int i = 0; i < fake->jobs; i++) {
		most += 4 * fake->job[i].work;
		fake->job[i].held = false;
	}
	fake->changed = true;
	while (!all_over(fake) && fake->ticks < most && !fake->wrong[0]) {
		pass_second(fake);
		make_pass(fake);
	}
	for (int i = 0; i < fake->jobs && !all_over(fake); i++) {
		const struct fake_job *job = &fake->job[i];

		if (job->record.phase == LXFW_PHASE_SUSPENDED)
			wrong(fake, "left suspended", job->request.id);
		else if (job->record.phase == LXFW_PHASE_RUNNING)
			wrong(fake, job->stopped ? "runs, and its nodes stopped it" :
			      "runs, and does not end", job->request.id);
		else if (job->record.phase != LXFW_PHASE_OVER)
			wrong(fake, "never starts", job->request.id);
	}
	return all_over(fake);
}

void fake_begin(struct fake *fake)
{
	struct lxfw_params params;

	fake->now = 1000000;
	for (int i = 0; i < FAKE_HOSTS; i++)
		fake->up[i] = true;
	read_params(fake, &params);
	bring_up(fake, &params);
}

void fake_end(struct fake *fake)
{
	char path[sizeof(fake->folder) + 32];

	lxfw_agent_destroy(&fake->agent);
	snprintf(path, sizeof(path), "%s/lxfw_quanta", fake->folder);
	(void)unlink(path);
}
