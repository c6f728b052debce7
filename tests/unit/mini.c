/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mini.h"

#include <string.h>

#include "common/params/policy.h"
#include "tests/unit/unit.h"

/* Maximum of running or pending jobs at a time, so that events stay mixed. */
#define WAITING_MOST 12

/* Whether a preempted job waits in the queue, and releases all its resources. */
static bool queues(const struct mini *mini)
{
	return lxfw_params_policy(&mini->params)->backfill.preempts;
}

static bool releases(const struct mini *mini)
{
	return queues(mini) && mini->params.rem_frees == LXFW_REM_FREES_ALL;
}

void mini_begin(struct mini *mini, uint64_t seed, int jobs_most,
		enum lxfw_policy policy, enum mini_service service)
{
	struct lxfw_params *params = &mini->params;

	memset(mini, 0, sizeof(*mini));
	mini->random = seed;
	mini->now = 1000;
	mini->jobs_most = jobs_most < MINI_JOBS ? jobs_most : MINI_JOBS;
	mini->started = -1;
	lxfw_params_preset(params, policy);
	if (policy == LXFW_POLICY_EQSPATIAL) {
		params->eq_min_interval = 100;
		params->eq_full_after = 1000;
	}
	if (service == MINI_NO_SERVICE || queues(mini))
		return;
	params->quantum = 60;
	params->quantum_mem = 900;
	params->quantum_min_run = 200;
	params->quantum_mode = service == MINI_SOON ? LXFW_QUANTUM_SOON :
						      LXFW_QUANTUM_PREEMPT;
	if (service == MINI_SUSPEND)
		params->quantum_end = LXFW_QUANTUM_SUSPEND;
}

static int between(struct mini *mini, int low, int high)
{
	return (int)unit_between(&mini->random, low, high);
}

static void host_event(struct mini *mini, struct lxfw_event *event, int host,
		       bool up)
{
	static const char *const names[MINI_HOSTS] = {
		"n0", "n1", "n2", "n3", "n4", "n5"
	};

	mini->up[host] = up;
	event->type = LXFW_EVENT_HOST;
	event->host.index = host;
	event->host.up = up;
	event->host.total = mini->total[host];
	event->host.gpus = mini->gpus;
	event->host.name = names[host];
}

/* Two time classes and two size classes. Every second host has other rules. */
static void tell_classes(struct mini *mini, struct lxfw_event *event)
{
	struct lxfw_job_classes *classes = &mini->classes;

	*classes = (struct lxfw_job_classes){
		.time_count = 2, .size_count = 2,
		.times = {
			{ "short", 1000, 1000, 50, 5 },
			{ "long", LXFW_NO_TIME_LIMIT, LXFW_NO_TIME_LIMIT,
			  between(mini, 0, 200), between(mini, 2, 9) },
		},
		.sizes = {
			{ "small", 3, 1000 },
			{ "large", LXFW_NO_COUNT_LIMIT, LXFW_NO_MEMORY_LIMIT },
		},
		.rules_count = 2, .rules = mini->rules,
		.host_count = MINI_HOSTS, .rules_of = mini->rules_of,
	};
	for (int i = 0; i < 2; i++) {
		mini->rules[i] = (struct lxfw_host_rules){
			.running_most = { 3, between(mini, 1, 3) },
			.order = { 1 - i, i }, .order_count = 2,
			.rank = { 0, i },
		};
	}
	for (int i = 0; i < MINI_HOSTS; i++)
		mini->rules_of[i] = i % 2;
	event->type = LXFW_EVENT_JOB_CLASSES;
	event->job_classes = classes;
}

/* Return the first events: hosts, and two host sets. Return false after the last one. */
static bool setting_up(struct mini *mini, struct lxfw_event *event)
{
	int step = mini->step++;

	if (step < MINI_HOSTS) {
		mini->total[step].procs = between(mini, 2, 8);
		mini->total[step].memory_mb = 1000 * between(mini, 1, 8);
		mini->total[step].extras[0] = between(mini, 0, 2);
		mini->free[step] = mini->total[step];
		host_event(mini, event, step, true);
		return true;
	}
	if (step == MINI_HOSTS || step == MINI_HOSTS + 1) {
		int set = step - MINI_HOSTS;

		event->type = LXFW_EVENT_HOST_SET;
		event->host_set.id = set;
		for (int i = 0; i < MINI_HOSTS / 2; i++)
			mini->host_set[i] = 2 * i + set;
		event->host_set.count = MINI_HOSTS / 2;
		event->host_set.hosts = mini->host_set;
		return true;
	}
	return false;
}

static void random_request(struct mini *mini, struct lxfw_request *request)
{
	request->submit = mini->now;
	request->estimate = between(mini, 1, 5) * between(mini, 1, 1000);
	request->shape = (uint8_t)between(mini, LXFW_SHAPE_HOSTS,
					  LXFW_SHAPE_ANYWHERE);
	request->unit.procs = between(mini, 1, 4);
	request->unit.memory_mb = between(mini, 0, 4) * 300;
	request->unit.extras[0] = between(mini, 0, 9) == 0;
	request->count = between(mini, 1, 4);
	request->exclusive = between(mini, 0, 9) == 0;
	request->tier = between(mini, 0, 9) == 0;
	request->host_set_count = (uint8_t)between(mini, 0, 2);
	for (int i = 0; i < request->host_set_count; i++)
		request->host_sets[i] = i;
}

static bool submit(struct mini *mini, struct lxfw_event *event)
{
	struct mini_job *job = &mini->jobs[mini->job_count];

	if (mini->job_count == mini->jobs_most)
		return false;
	random_request(mini, &job->request);
	job->request.id = (uint64_t)++mini->job_count;
	job->state = MINI_WAITING;
	event->type = LXFW_EVENT_JOB_SUBMIT;
	event->request = &job->request;
	return true;
}

/* Return some job in STATE, or NULL. */
static struct mini_job *some_job(struct mini *mini, enum mini_state state)
{
	int count = 0, chosen;

	for (int i = 0; i < mini->job_count; i++)
		count += mini->jobs[i].state == state;
	if (!count)
		return NULL;
	chosen = between(mini, 1, count);
	for (int i = 0;; i++) {
		if (mini->jobs[i].state == state && --chosen == 0)
			return &mini->jobs[i];
	}
}

static void give_back(struct mini *mini, struct mini_job *job)
{
	for (int32_t i = 0; i < job->count; i++)
		lxfw_resources_add(&mini->free[job->shares[i].host],
				   &job->shares[i].amount);
	job->count = 0;
}

static bool end(struct mini *mini, struct lxfw_event *event,
		enum mini_state state)
{
	struct mini_job *job = some_job(mini, state);

	if (!job)
		return false;
	give_back(mini, job);
	job->state = MINI_GONE;
	event->type = LXFW_EVENT_JOB_END;
	event->end.id = job->request.id;
	return true;
}

static bool change(struct mini *mini, struct lxfw_event *event)
{
	struct mini_job *job = some_job(mini, MINI_WAITING);
	int64_t submitted;

	if (!job || job->count > 0)	/* a job on its hosts does not change */
		return false;
	submitted = job->request.submit;
	random_request(mini, &job->request);
	job->request.submit = submitted;
	event->type = LXFW_EVENT_JOB_CHANGE;
	event->request = &job->request;
	return true;
}

/* A running job's expected end is extended; its shares stay the same. */
static bool run_on(struct mini *mini, struct lxfw_event *event)
{
	struct mini_job *job = some_job(mini, MINI_RUNNING);

	if (!job)
		return false;
	memcpy(mini->moved, job->shares, sizeof(mini->moved));
	event->type = LXFW_EVENT_JOB_RUN;
	event->run.id = job->request.id;
	event->run.expected_end = mini->now + between(mini, 1, 5000);
	event->run.count = job->count;
	event->run.shares = mini->moved;
	return true;
}

/* True if a job without processors is on HOST. */
static bool has_suspended(const struct mini *mini, int host)
{
	for (int i = 0; i < mini->job_count; i++) {
		const struct mini_job *job = &mini->jobs[i];

		for (int32_t j = 0; j < job->count; j++) {
			if (job->shares[j].host == host &&
			    job->shares[j].amount.procs == 0)
				return true;
		}
	}
	return false;
}

/* A job that the scheduler did not start runs, on a host with a free processor. */
static bool run_foreign(struct mini *mini, struct lxfw_event *event)
{
	struct mini_job *job = &mini->jobs[mini->job_count];
	int host = between(mini, 0, MINI_HOSTS - 1);

	if (mini->job_count == mini->jobs_most || mini->free[host].procs < 1 ||
	    has_suspended(mini, host))
		return false;
	job->request.id = (uint64_t)++mini->job_count;
	job->state = MINI_RUNNING;
	job->until = LXFW_NEVER;
	job->shares[0] = (struct lxfw_share){ .host = host, .amount.procs = 1 };
	job->count = 1;
	lxfw_resources_subtract(&mini->free[host], &job->shares[0].amount);
	event->type = LXFW_EVENT_JOB_RUN;
	event->run.id = job->request.id;
	event->run.expected_end = mini->now + between(mini, 1, 5000);
	event->run.count = 1;
	event->run.shares = job->shares;
	return true;
}

/* The last start is refused. */
static bool refuse(struct mini *mini, struct lxfw_event *event)
{
	struct mini_job *job;

	if (mini->started < 0)
		return false;
	job = &mini->jobs[mini->started];
	give_back(mini, job);
	job->state = MINI_WAITING;
	event->type = LXFW_EVENT_JOB_REFUSED;
	event->refused.id = job->request.id;
	event->refused.until = mini->now + between(mini, 0, 300);
	return true;
}

static void block(struct mini *mini, struct lxfw_event *event)
{
	mini->block.host = between(mini, 0, MINI_HOSTS - 1);
	mini->block.amount = mini->total[mini->block.host];
	event->type = LXFW_EVENT_BLOCK;
	event->block.id = 1;
	event->block.start = mini->now + between(mini, 1, 1000);
	event->block.end = event->block.start + between(mini, 1, 1000);
	event->block.count = between(mini, 0, 1);
	event->block.shares = &mini->block;
}

static void change_host(struct mini *mini, struct lxfw_event *event)
{
	int host = between(mini, 0, MINI_HOSTS - 1);

	/* Hosts are mostly up, otherwise jobs would never end. */
	host_event(mini, event, host, !mini->up[host] || between(mini, 0, 3));
}

static void change_params(struct mini *mini, struct lxfw_event *event)
{
	if (mini->params.policy == LXFW_POLICY_CLASSES && between(mini, 0, 1)) {
		tell_classes(mini, event);
		return;
	}
	if (mini->params.policy == LXFW_POLICY_LXFW)
		mini->params.wx = between(mini, 1, 9);
	event->type = LXFW_EVENT_PARAMS;
	event->params = &mini->params;
}

static size_t count_jobs(const struct mini *mini, enum mini_state state)
{
	size_t count = 0;

	for (int i = 0; i < mini->job_count; i++)
		count += mini->jobs[i].state == state;
	return count;
}

bool mini_next(struct mini *mini, struct lxfw_event *event)
{
	memset(event, 0, sizeof(*event));
	event->time = mini->now;
	if (mini->step <= MINI_HOSTS + 1 && setting_up(mini, event))
		return true;
	mini->step++;
	if (mini->params.policy == LXFW_POLICY_CLASSES &&
	    mini->classes.time_count == 0) {
		tell_classes(mini, event);
		return true;
	}
	mini->now += between(mini, 0, 3) * between(mini, 0, 200);
	event->time = mini->now;
	switch (between(mini, 0, 19)) {
	case 0:
		change_host(mini, event);
		return true;
	case 1:
		block(mini, event);
		return true;
	case 2:
		change_params(mini, event);
		return true;
	case 3:
		if (change(mini, event))
			return true;
		break;
	case 4:
		if (run_on(mini, event))
			return true;
		break;
	case 5:
		if (refuse(mini, event))
			return true;
		break;
	case 6:
		if (run_foreign(mini, event))
			return true;
		break;
	case 7:
	case 8:
		if (end(mini, event, MINI_RUNNING))
			return true;
		break;
	}
	if (count_jobs(mini, MINI_WAITING) < WAITING_MOST && submit(mini, event))
		return true;
	if (end(mini, event, MINI_RUNNING))
		return true;
	/* A job that never fits is cancelled. */
	return end(mini, event, MINI_WAITING);
}

static bool wrong(struct mini *mini, const char *what)
{
	if (!mini->wrong)
		mini->wrong = what;
	return false;
}

static bool start(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];

	if (job->state != MINI_WAITING || job->count > 0)
		return wrong(mini, "starts a job that does not wait");
	if (action->start != mini->now)
		return wrong(mini, "starts a job at another time");
	if (action->count < 1 || action->count > MINI_HOSTS)
		return wrong(mini, "starts a job on no host or too many");
	for (int32_t i = 0; i < action->count; i++) {
		int32_t host = action->shares[i].host;

		if (host < 0 || host >= MINI_HOSTS || !mini->up[host])
			return wrong(mini, "starts a job on a host that is not up");
		if (!lxfw_resources_fit(&action->shares[i].amount,
					&mini->free[host]))
			return wrong(mini, "starts a job where it does not fit");
		lxfw_resources_subtract(&mini->free[host],
					&action->shares[i].amount);
		job->shares[i] = action->shares[i];
	}
	job->count = action->count;
	job->state = MINI_RUNNING;
	job->reserved = false;
	job->until = action->until;
	mini->started = (int)action->job - 1;
	return true;
}

/* A job preempted for a quantum or by a gang counts as running, other suspended jobs as
   waiting. */
static bool suspend(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];

	if (job->state != MINI_RUNNING || action->count != job->count)
		return wrong(mini, "suspends a job that does not run");
	for (int32_t i = 0; i < job->count; i++) {
		struct lxfw_resources kept = job->shares[i].amount;

		if (kept.procs == 0)
			return wrong(mini, "suspends a job twice");
		if (releases(mini)) {
			lxfw_resources_add(&mini->free[job->shares[i].host], &kept);
			kept = (struct lxfw_resources){ 0 };
		} else {
			mini->free[job->shares[i].host].procs += kept.procs;
			kept.procs = 0;
		}
		if (action->shares[i].host != job->shares[i].host ||
		    memcmp(&kept, &action->shares[i].amount, sizeof(kept)) != 0)
			return wrong(mini, "suspends a job elsewhere");
		job->shares[i].amount = kept;
	}
	if (job->until == LXFW_NEVER && !queues(mini))
		return true;
	if (job->until != LXFW_NEVER && mini->now < job->until)
		return wrong(mini, "suspends a job before its quantum is over");
	job->until = LXFW_NEVER;
	job->state = MINI_WAITING;
	return true;
}

static bool resume(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];

	if ((job->state != MINI_RUNNING && job->state != MINI_WAITING) ||
	    action->count != job->count || job->count == 0)
		return wrong(mini, "resumes a job that is not there");
	for (int32_t i = 0; i < job->count; i++) {
		struct lxfw_resources *free = &mini->free[job->shares[i].host];

		if (job->shares[i].amount.procs > 0 ||
		    action->shares[i].host != job->shares[i].host)
			return wrong(mini, "resumes a job that is not suspended");
		job->shares[i] = action->shares[i];
		if (releases(mini))
			lxfw_resources_subtract(free, &job->shares[i].amount);
		else
			free->procs -= job->shares[i].amount.procs;
		if (free->procs < 0 || free->memory_mb < 0)
			return wrong(mini, "resumes a job where it does not fit");
	}
	job->state = MINI_RUNNING;
	job->reserved = false;
	return true;
}

static bool requeue(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];

	if (job->count == 0)
		return wrong(mini, "requeues a job that is nowhere");
	if (job->state == MINI_RUNNING && mini->now < job->until)
		return wrong(mini, "requeues a job before its quantum is over");
	give_back(mini, job);
	job->until = LXFW_NEVER;
	job->state = MINI_WAITING;
	return true;
}

static bool resize(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];
	struct lxfw_resources *has = &job->shares[0].amount, now;

	if (job->state != MINI_RUNNING || job->count != 1 || has->procs == 0)
		return wrong(mini, "resizes a job that does not run on one host");
	if (action->count != 1 || action->shares[0].host != job->shares[0].host)
		return wrong(mini, "resizes a job elsewhere");
	now = action->shares[0].amount;
	if (now.procs < 1 || now.procs == has->procs ||
	    now.procs > job->request.unit.procs * job->request.count)
		return wrong(mini, "resizes a job to what it does not want");
	mini->free[job->shares[0].host].procs += has->procs - now.procs;
	if (now.procs > has->procs && mini->free[job->shares[0].host].procs < 0)
		return wrong(mini, "resizes a job where it does not fit");
	has->procs = now.procs;
	if (memcmp(&now, has, sizeof(now)) != 0)
		return wrong(mini, "resizes the memory of a job");
	return true;
}

static bool reserve(struct mini *mini, const struct lxfw_action *action)
{
	struct mini_job *job = &mini->jobs[action->job - 1];
	bool reserves = action->type == LXFW_ACTION_RESERVE;

	if (job->state != MINI_WAITING)
		return wrong(mini, "reserves for a job that does not wait");
	if (reserves && action->start < mini->now)
		return wrong(mini, "reserves for a time gone by");
	if (!reserves && !job->reserved)
		return wrong(mini, "takes back what it never reserved");
	job->reserved = reserves;
	return true;
}

static bool take(struct mini *mini, const struct lxfw_action *action)
{
	switch (action->type) {
	case LXFW_ACTION_START:
		return start(mini, action);
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		return reserve(mini, action);
	case LXFW_ACTION_SUSPEND:
		return suspend(mini, action);
	case LXFW_ACTION_RESUME:
		return resume(mini, action);
	case LXFW_ACTION_REQUEUE:
		return requeue(mini, action);
	case LXFW_ACTION_RESIZE:
		return resize(mini, action);
	}
	return wrong(mini, "does something unheard of");
}

bool mini_take(struct mini *mini, const struct lxfw_decision *decision)
{
	mini->started = -1;
	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];

		if (action->job < 1 || action->job > (uint64_t)mini->job_count)
			return wrong(mini, "speaks of a job that is not there");
		if (!take(mini, action))
			return false;
	}
	if (decision->waiting != count_jobs(mini, MINI_WAITING))
		return wrong(mini, "miscounts the waiting jobs");
	if (decision->running != count_jobs(mini, MINI_RUNNING))
		return wrong(mini, "miscounts the running jobs");
	return true;
}
