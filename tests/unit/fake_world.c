/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of hosts, jobs and the process. */
#include "tests/unit/fake_truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/log.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/setup.h"

/* --- lives -------------------------------------------------------------- */

static void read_params(struct fake *fake, struct lxfw_params *params)
{
	static const char *const policies[] = { "lxfw", "easy", "fcfs",
		"conservative", "priority", "sjf", "site", "lxfw,lxfw_wsite=3" };
	static const char *const suspending[] = {
		"remaining", "remaining,lxfw_rem_wait=2,lxfw_interval=20",
		"remaining,lxfw_rem_wait=0,lxfw_rem_min_run=0",
		"pfcfs1,lxfw_pf_delay=10,lxfw_pf_gang=10",
		"pfcfs2,lxfw_pf_wide=20,lxfw_pf_delay=1,lxfw_pf_gang=10",
		"pfcfs3,lxfw_pf_wide=30,lxfw_pf_delay=10,lxfw_pf_free=20,"
			"lxfw_pf_victims=end",
		"site,lxfw_preempt_tiers=1,lxfw_preempt_min_run=0",
		"site,lxfw_preempt_tiers=2,lxfw_reservations=4",
	};
	static const char *const quanta[] = {
		"", ",lxfw_quantum=40,lxfw_quantum_mode=preempt",
		",lxfw_quantum=40,lxfw_quantum_mode=preempt,lxfw_quantum_end=suspend",
		",lxfw_quantum=20,lxfw_quantum_mode=preempt,lxfw_victim_suspensions=2,lxfw_victim_interval=30",
	};
	struct lxfw_error why;
	char text[256];

	if (fake_roll(fake, 2))
		snprintf(text, sizeof(text), "lxfw_policy=%s",
			 suspending[fake_roll(fake, 8)]);
	else
		snprintf(text, sizeof(text), "lxfw_policy=%s%s%s",
			 policies[fake_roll(fake, 8)], quanta[fake_roll(fake, 4)],
			 fake_roll(fake, 2) ? ",lxfw_quantum_min_run=30" : "");
	lxfw_params_preset(params, LXFW_POLICY_LXFW);
	if (lxfw_params_parse(params, text, NULL, NULL, &why) < 0)
		fake_wrong(fake, why.text, 0);
}

static void bring_up(struct fake *fake, const struct lxfw_params *params)
{
	lxfw_agent_init(&fake->agent, &fake_operations, fake, params);
	if (fake->journal[0])
		lxfw_journal_file_set(&fake->agent.journal, fake->journal,
				      (int)strlen(fake->journal));
	fake->alive = true;
	fake->born_us = lxfw_now_us();
	fake->sets_shown = false;
	fake->changed = true;
	for (int i = 0; i < fake->jobs; i++) {
		fake->job[i].known_running = false;
		fake->job[i].asked = 0;
		fake->job[i].rebuilds = UINT64_MAX;	/* of no existing model */
	}
}

/* The workload manager died too: it has only what it saved. */
static void lose_record(struct fake *fake, struct fake_job *job)
{
	struct fake_record before = job->record;

	if (!job->changed || before.phase == LXFW_PHASE_OVER)
		return;
	fake->counts.lost_records++;
	job->record = job->saved;
	job->changed = 0;
	if (job->requeued && fake_holds_memory(&job->record) &&
	    !fake_holds_memory(&before) && job->record.runs == before.runs)
		job->dead = true;
	else if (fake_holds_memory(&job->record) != fake_holds_memory(&before) ||
		 job->record.runs != before.runs)
		fake_wait_again(fake, job);
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
	if (fake_roll(fake, 2)) {
		for (int i = 0; i < fake->jobs; i++)
			lose_record(fake, &fake->job[i]);
	}
	if (fake_roll(fake, 4) == 3) {
		for (uint32_t i = fake_roll(fake, 60); i > 0; i--)
			fake_pass_second(fake);
	}
	bring_up(fake, &params);
}

/* Compute expected starts, which must change nothing else. */
static void look_ahead(struct lxfw_agent *agent)
{
	bool stale = agent->stale;

	agent->estimates.began_us = 0;
	lxfw_estimates_work(agent);
	agent->stale = stale;
}

static void make_pass(struct fake *fake)
{
	struct lxfw_agent *agent = &fake->agent;

	if (!fake->changed && !agent->stale && !agent->rebuild &&
	    fake->now < agent->wake && fake->ticks < fake->last_pass + 30)
		return;
	fake->last_pass = fake->ticks;
	if (setjmp(fake->death) == 0)
		(void)lxfw_agent_pass(&fake->agent);
	else
		die(fake);
	/* The clock of a faulty world jumps. */
	if (fake->alive && !fake->faulty && agent->total.passes && agent->clock > fake->now + 60)
		fake_wrong(fake, "the model is ahead of the clock", 0);
	if (agent->total.lock_us > lxfw_now_us() - fake->born_us ||
	    agent->total.longest_lock_us > agent->total.lock_us)
		fake_wrong(fake, "locks were held for longer than the agent lived", 0);
	if (agent->journal.complained && !fake->faulty)
		fake_wrong(fake, "the journal cannot be written", 0);
	if (fake->ticks % 16 == 0)
		look_ahead(agent);
}

/* --- what happens ------------------------------------------------------- */

static void set_priority(struct fake *fake, struct fake_job *job)
{
	job->priority = (int64_t)fake_roll(fake, 4) * 1000;
	job->delay = fake_roll(fake, 4) ? 0 : (int64_t)fake_roll(fake, 200) - 100;
}

static void submit(struct fake *fake)
{
	struct fake_job *job = &fake->job[fake->jobs];
	struct lxfw_request *request = &job->request;

	if (fake->jobs == FAKE_JOBS)
		return;
	*job = (struct fake_job){ .record.phase = LXFW_PHASE_WAITING };
	request->id = (uint64_t)++fake->jobs;
	request->submit = job->submit = fake->now;
	request->estimate = 1 + fake_roll(fake, 250);
	request->tier = fake_roll(fake, 4) == 0;
	job->work = job->left = 1 + fake_roll(fake, (uint32_t)request->estimate);
	if (fake_trouble(fake, 10))
		job->work = job->left = request->estimate + fake_roll(fake, 100);
	request->shape = LXFW_SHAPE_HOSTS;
	request->count = fake_roll(fake, 4) < 3 ? 1 :
			 1 + (int32_t)fake_roll(fake, FAKE_HOSTS);
	request->unit.procs = 1 + (int32_t)fake_roll(fake, FAKE_PROCS);
	request->unit.memory_mb = fake_roll(fake, FAKE_MEMORY / 3);
	request->host_set_count = 1;
	request->rigid = true;
	set_priority(fake, job);
	job->held = fake_trouble(fake, 20);
	fake_save_record(job);
	fake->changed = true;
}

static void lose_host(struct fake *fake, int32_t host)
{
	fake->up[host] = !fake->up[host];
	fake->hidden = fake->changed = true;
	for (int i = 0; i < fake->jobs && !fake->up[host]; i++) {
		struct fake_job *job = &fake->job[i];

		if (fake_holds_memory(&job->record) && fake_is_on(job, host))
			fake_wait_again(fake, job);
	}
}

/* Apply an action of a user or administrator to a job. */
static void meddle(struct fake *fake, struct fake_job *job)
{
	switch (fake_roll(fake, 5)) {
	case 4:
		set_priority(fake, job);
		fake->hidden = fake->changed = true;
		break;
	case 0:
		fake->counts.vanished++;
		job->begins = 0;
		fake_set_phase(fake, job, LXFW_PHASE_OVER);
		break;
	case 1:
		if (job->record.phase != LXFW_PHASE_RUNNING)
			break;
		fake_wait_again(fake, job);
		break;
	case 2:
		for (int i = 0; i < fake->jobs &&
				job->record.phase != LXFW_PHASE_SUSPENDED; i++)
			job = &fake->job[i];
		if (job->record.phase != LXFW_PHASE_SUSPENDED || !fake_fits(fake, job))
			break;
		fake->hidden = true;
		fake_set_phase(fake, job, LXFW_PHASE_RUNNING);
		/* If its nodes do not receive that, the agent need not correct it. */
		job->messages = 0;
		job->stopped = false;
		break;
	default:
		job->held = !job->held;
		fake_change(fake, job);
	}
}

/* An administrator selects another policy. Those with `quantum_end=suspend` requeue jobs
   that others let wait on their hosts. */
static void switch_policy(struct fake *fake)
{
	struct lxfw_params params;

	if (fake->agent.params.quantum_end == LXFW_QUANTUM_SUSPEND)
		return;
	read_params(fake, &params);
	lxfw_log_debug("second %lld: policy %s", (long long)fake->ticks,
		       lxfw_policy_name(params.policy));
	lxfw_agent_set_params(&fake->agent, &params);
	fake->counts.switches++;
	fake->hidden = fake->changed = true;
}

static void set_shadow(struct fake *fake, enum lxfw_shadow shadow)
{
	struct lxfw_params params = fake->agent.params;

	params.shadow = shadow;
	lxfw_agent_set_params(&fake->agent, &params);
	fake->shadow.begun += shadow == LXFW_SHADOW_ON;
	fake->hidden = fake->changed = true;
}

/* The workload manager starts what fits, in the order of submission. */
static void start_own(struct fake *fake, struct fake_job *job)
{
	const struct lxfw_request *request = &job->request;
	int32_t first = (int32_t)fake_roll(fake, FAKE_HOSTS);

	job->record.count = 1;
	for (int32_t i = 0; i < FAKE_HOSTS && job->record.count <= request->count; i++) {
		job->record.shares[job->record.count - 1] = (struct lxfw_share){
			.host = (first + i) % FAKE_HOSTS, .amount = request->unit };
		job->record.count += fake_fits(fake, job);
	}
	if (--job->record.count < request->count) {
		job->record.count = 0;
		return;
	}
	fake_sort_shares(job);
	job->record.ran = job->record.suspended_for = 0;
	job->record.runs++;
	job->record.began = fake->ticks;
	job->record.until = 0;
	job->left = job->work;
	job->stopped = false;
	fake->hidden = true;
	fake->shadow.starts++;
	fake_set_phase(fake, job, LXFW_PHASE_RUNNING);
}

static void schedule_own(struct fake *fake)
{
	for (int i = 0; i < fake->jobs && lxfw_agent_shadows(&fake->agent); i++) {
		struct fake_job *job = &fake->job[i];

		/* The agent looks more often than jobs are cleaned up after a requeue. It
		   takes a job for its own whose start it has requested. */
		if (job->record.phase == LXFW_PHASE_WAITING && !job->held &&
		    !job->begins && job->waits_since < fake->last_pass &&
		    (!job->asked || fake->ticks > job->asked + 2 * LXFW_START_SECONDS))
			start_own(fake, job);
	}
}

void fake_jump(struct fake *fake, int64_t by)
{
	fake->counts.jumps++;
	fake->now += by;
	fake->hidden = fake->changed = true;
}

void fake_idle(struct fake *fake)
{
	fake_pass_second(fake);
	make_pass(fake);
}

static void happen(struct fake *fake)
{
	int32_t host = (int32_t)fake_roll(fake, FAKE_HOSTS);

	if (fake_roll(fake, 3) == 0)
		submit(fake);
	if (fake_trouble(fake, 40))
		lose_host(fake, host);
	if (fake_trouble(fake, 20))
		fake->silent[host] = fake->ticks + 1 + fake_roll(fake, 30);
	if (fake->jobs && fake_trouble(fake, 15))
		meddle(fake, &fake->job[fake_roll(fake, (uint32_t)fake->jobs)]);
	if (fake_trouble(fake, 60))
		switch_policy(fake);
	if (fake->may_shadow && fake_trouble(fake, 8))
		set_shadow(fake, lxfw_agent_shadows(&fake->agent) ?
				 LXFW_SHADOW_OFF : LXFW_SHADOW_ON);
	schedule_own(fake);
	/* As when nodes are renumbered. */
	fake->agent.rebuild |= fake_trouble(fake, 100);
	if (fake_trouble(fake, 100))
		fake_jump(fake, ((int64_t)fake_roll(fake, 200) - 100) * 60);
}

void fake_step(struct fake *fake)
{
	happen(fake);
	for (uint32_t seconds = 1 + fake_roll(fake, 15); seconds > 0; seconds--) {
		fake_pass_second(fake);
		if (fake_roll(fake, 4) == 0)
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
		fake_pass_second(fake);
		schedule_own(fake);
		make_pass(fake);
	}
	for (int i = 0; i < fake->jobs && !all_over(fake); i++) {
		const struct fake_job *job = &fake->job[i];

		if (job->record.phase == LXFW_PHASE_SUSPENDED)
			fake_wrong(fake, "left suspended", job->request.id);
		else if (job->record.phase == LXFW_PHASE_RUNNING)
			fake_wrong(fake, job->stopped ? "runs, and its nodes stopped it" :
			      "runs, and does not end", job->request.id);
		else if (job->record.phase != LXFW_PHASE_OVER)
			fake_wrong(fake, "never starts", job->request.id);
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
