/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/audit.h"

#include <string.h>

/* Fail with a message about a job. */
#define REQUIRE(condition, job, what) \
	do { \
		if (!(condition)) \
			fail_msg("job %llu: %s", \
				 (unsigned long long)(job)->request.id, what); \
	} while (0)

static struct audit_job *job_of(struct audit *audit, uint64_t id)
{
	assert_in_range(id, 1, AUDIT_JOBS - 1);
	return &audit->jobs[id];
}

static int64_t asked(const struct audit_job *job)
{
	return (int64_t)job->request.unit.procs * job->request.count;
}

/* Compute the work up to NOW, and save the account as it was before NOW. */
static void settle(struct audit_job *job, int64_t now)
{
	if (job->acted != now)
		job->before = job->now;
	job->acted = now;
	job->now.done += (int64_t)job->now.rate * (now - job->now.since);
	if (job->now.state == AUDIT_RUNNING)
		job->now.ran += now - job->now.since;
	if (job->now.state == AUDIT_SUSPENDED)
		job->now.suspended += now - job->now.since;
	job->now.since = now;
}

/* True if the job is adaptive. */
static bool is_shared(const struct audit *audit, const struct audit_job *job)
{
	return audit->params.policy == LXFW_POLICY_EQSPATIAL &&
	       !job->request.rigid;
}

/* --- hosts -------------------------------------------------------------- */

static void check_hosts(const struct audit *audit)
{
	struct lxfw_resources free[AUDIT_HOSTS];

	memcpy(free, audit->total, sizeof(free));
	for (int32_t i = 0; i < AUDIT_JOBS; i++) {
		const struct audit_account *account = &audit->jobs[i].now;

		if (account->state != AUDIT_RUNNING &&
		    account->state != AUDIT_SUSPENDED)
			continue;
		for (int32_t j = 0; j < account->count; j++)
			lxfw_resources_subtract(&free[account->shares[j].host],
						&account->shares[j].amount);
	}
	for (int32_t i = 0; i < audit->host_count; i++) {
		if (free[i].procs < 0 || free[i].memory_mb < 0 ||
		    free[i].extras[0] < 0)
			fail_msg("host %d gives %d processors and %lld MB more "
				 "than it has", i, -free[i].procs,
				 (long long)-free[i].memory_mb);
	}
}

/* --- shares ------------------------------------------------------------- */

static void take_shares(struct audit *audit, struct audit_job *job,
			const struct lxfw_action *action)
{
	int64_t procs = 0;

	REQUIRE(action->count >= 1 && action->count <= AUDIT_HOSTS, job,
		"no shares");
	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_share *share = &action->shares[i];

		REQUIRE(share->host >= 0 && share->host < audit->host_count &&
			(i == 0 || share->host > action->shares[i - 1].host),
			job, "shares of strange hosts");
		procs += share->amount.procs;
	}
	memcpy(job->now.shares, action->shares,
	       (size_t)action->count * sizeof(*action->shares));
	job->now.count = action->count;
	job->now.rate = (int32_t)(procs < asked(job) ? procs : asked(job));
}

/* Check that the shares are on the job's hosts and have the same memory. */
static void check_same_hosts(const struct audit_job *job,
			     const struct lxfw_action *action)
{
	REQUIRE(action->count == job->now.count, job, "moves to other hosts");
	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_share *old = &job->now.shares[i];
		const struct lxfw_share *new = &action->shares[i];

		REQUIRE(new->host == old->host, job, "moves to another host");
		REQUIRE(new->amount.memory_mb == old->amount.memory_mb &&
			new->amount.extras[0] == old->amount.extras[0], job,
			"has other memory or extras than before");
	}
}

static void check_start(const struct audit *audit, const struct audit_job *job,
			const struct lxfw_action *action)
{
	const struct lxfw_request *request = &job->request;
	bool shared = is_shared(audit, job);
	int64_t procs = 0, memory = 0, most = request->count;

	if (request->shape == LXFW_SHAPE_HOSTS)
		REQUIRE(action->count == request->count, job,
			"starts on another number of hosts");
	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_resources *amount = &action->shares[i].amount;

		procs += amount->procs;
		memory += amount->memory_mb;
		REQUIRE(amount->procs >= 1, job, "starts without processors");
		if (request->shape == LXFW_SHAPE_HOSTS && !shared)
			REQUIRE(amount->procs == request->unit.procs, job,
				"starts on other processors than asked for");
	}
	REQUIRE(procs == asked(job) || (shared && procs < asked(job)), job,
		"starts on other processors than asked for");
	REQUIRE(procs >= request->min_procs, job,
		"starts on fewer processors than it can do with");
	if (action->until == LXFW_NEVER) {
		REQUIRE(memory == request->unit.memory_mb * request->count, job,
			"starts with other memory than asked for");
		return;
	}
	/* memory of a quantum: on each host, or in all pieces, rounded up */
	REQUIRE(memory <= request->unit.memory_mb * request->count, job,
		"has more memory in its quantum than asked for");
	if (request->shape == LXFW_SHAPE_HOSTS)
		most = audit->params.quantum_mem * request->count;
	else
		most += audit->params.quantum_mem;
	REQUIRE(memory <= most, job, "has too much memory in its quantum");
}

/* --- actions ------------------------------------------------------------ */

static void start(struct audit *audit, struct audit_job *job,
		  const struct lxfw_action *action)
{
	struct audit_account *account = &job->now;

	REQUIRE(account->state == AUDIT_WAITING, job, "starts, does not wait");
	check_start(audit, job, action);
	take_shares(audit, job, action);
	account->state = AUDIT_RUNNING;
	account->done = account->ran = account->suspended = 0;
	account->preempted = 0;
	account->waited = false;
	account->start = account->continued = action->start;
	account->until = action->until;
	account->served_by = 0;
	audit->starts++;
	for (int32_t i = 0; i < action->count && job->request.rigid; i++)
		audit->early[action->shares[i].host] = 0;
	if (action->until == LXFW_NEVER)
		return;
	REQUIRE(lxfw_params_serve(&audit->params), job, "has a quantum");
	REQUIRE(!job->served, job, "has a second quantum");
	REQUIRE(action->until == action->start + audit->params.quantum, job,
		"has a quantum of another length");
	job->served = true;
	audit->quanta++;
	/* the jobs suspended in this decision were suspended for this one */
	for (int32_t i = 0; i < audit->lender_count; i++) {
		struct audit_job *lender = job_of(audit, audit->lenders[i]);
		bool here = false;

		for (int32_t j = 0; j < account->count; j++) {
			for (int32_t k = 0; k < lender->now.count; k++)
				here |= lender->now.shares[k].host ==
					account->shares[j].host;
		}
		REQUIRE(here, lender, "is suspended on a host that is not used");
		lender->now.served_by = action->job;
	}
	audit->lender_count = 0;
}

/* True if SUSPENDED s is within the permitted share of a job's time. */
static bool is_in_share(const struct audit *audit, const struct audit_job *job,
			int64_t suspended)
{
	int64_t share = audit->params.victim_share;

	return share == 0 ||
	       suspended * 100 <= share * (job->now.ran + suspended);
}

/* Check the bounds of a job that is being suspended for another one at NOW. */
static void check_contract(const struct audit *audit, const struct audit_job *job,
			   int64_t now)
{
	const struct audit_account *account = &job->now;
	const struct lxfw_params *params = &audit->params;

	REQUIRE(params->victim_suspensions == 0 ||
		account->preempted < params->victim_suspensions, job,
		"is suspended more often than promised");
	REQUIRE(account->preempted == 0 ||
		now - account->continued >= params->victim_interval, job,
		"is suspended sooner than promised after the last time");
	REQUIRE(is_in_share(audit, job, account->suspended + params->quantum),
		job, "may be suspended for longer than promised");
}

static void suspend(struct audit *audit, struct audit_job *job,
		    const struct lxfw_action *action)
{
	struct audit_account *account = &job->now;
	bool quantum = account->until != LXFW_NEVER;

	REQUIRE(account->state == AUDIT_RUNNING, job, "is suspended, not running");
	check_same_hosts(job, action);
	for (int32_t i = 0; i < action->count; i++)
		REQUIRE(action->shares[i].amount.procs == 0, job,
			"keeps processors");
	if (quantum) {
		REQUIRE(audit->params.quantum_end == LXFW_QUANTUM_SUSPEND &&
			account->until <= action->start, job,
			"is suspended in its quantum");
		account->until = LXFW_NEVER;
		account->waited = true;
	} else {
		REQUIRE(audit->params.quantum_mode == LXFW_QUANTUM_PREEMPT, job,
			"is suspended, which the parameters forbid");
		REQUIRE(action->start - account->continued >=
			audit->params.quantum_min_run, job,
			"is suspended too soon");
		check_contract(audit, job, action->start);
		account->preempted++;
		audit->lenders[audit->lender_count++] = job->request.id;
	}
	take_shares(audit, job, action);
	account->state = AUDIT_SUSPENDED;
	account->served_by = 0;
	account->preemptions++;
	audit->preemptions++;
}

static void resume(struct audit *audit, struct audit_job *job,
		   const struct lxfw_action *action)
{
	REQUIRE(job->now.state == AUDIT_SUSPENDED, job,
		"is resumed, but was not suspended");
	check_same_hosts(job, action);
	take_shares(audit, job, action);
	REQUIRE(job->now.rate == asked(job) ||
		(is_shared(audit, job) && job->now.rate > 0), job, "is resumed with other processors");
	REQUIRE(job->now.waited || is_in_share(audit, job, job->now.suspended),
		job, "was suspended for longer than its bound");
	job->now.state = AUDIT_RUNNING;
	job->now.continued = action->start;
	job->now.served_by = 0;
	audit->resumptions++;
}

static void requeue(struct audit *audit, struct audit_job *job,
		    const struct lxfw_action *action)
{
	struct audit_account *account = &job->now;

	if (account->state == AUDIT_RUNNING)
		REQUIRE(account->until <= action->start, job,
			"is requeued before its quantum is over");
	else
		REQUIRE(account->state == AUDIT_SUSPENDED &&
			account->served_by == 0, job,
			"is requeued, but nowhere");
	account->lost += account->ran;
	account->state = AUDIT_WAITING;
	account->count = 0;
	account->rate = 0;
	account->until = LXFW_NEVER;
	account->requeues++;
	audit->requeues++;
}

static void resize(struct audit *audit, struct audit_job *job,
		   const struct lxfw_action *action)
{
	REQUIRE(is_shared(audit, job), job, "is resized");
	REQUIRE(job->now.state == AUDIT_RUNNING, job, "is resized, not running");
	check_same_hosts(job, action);
	for (int32_t i = 0; i < action->count; i++) {
		int32_t host = action->shares[i].host;

		if (audit->divided[host] != action->start &&
		    audit->divided[host] >
			    action->start - audit->params.eq_min_interval)
			audit->early[host] = job->request.id;
		audit->divided[host] = action->start;
	}
	take_shares(audit, job, action);
	REQUIRE(job->now.rate >= 1, job, "is resized to nothing");
	REQUIRE(job->now.rate >= job->request.min_procs, job,
		"is resized to fewer processors than it can do with");
	audit->resizes++;
}

void audit_action(struct audit *audit, const struct lxfw_action *action)
{
	struct audit_job *job = job_of(audit, action->job);

	if (action->type == LXFW_ACTION_RESERVE ||
	    action->type == LXFW_ACTION_UNRESERVE)
		return;
	settle(job, action->start);
	switch (action->type) {
	case LXFW_ACTION_START:
		start(audit, job, action);
		break;
	case LXFW_ACTION_SUSPEND:
		suspend(audit, job, action);
		break;
	case LXFW_ACTION_RESUME:
		resume(audit, job, action);
		break;
	case LXFW_ACTION_REQUEUE:
		requeue(audit, job, action);
		break;
	case LXFW_ACTION_RESIZE:
		resize(audit, job, action);
		break;
	default:
		fail_msg("an action of type %d", (int)action->type);
	}
	check_hosts(audit);
}

/* No job may have two processors more than another one that requests more, and none may
   be idle while a job requests it. Every job is on one host. */
static void check_equal(const struct audit *audit)
{
	int32_t used[AUDIT_HOSTS] = { 0 };

	for (int32_t i = 0; i < AUDIT_JOBS; i++) {
		const struct audit_account *account = &audit->jobs[i].now;

		if (account->state == AUDIT_RUNNING)
			used[account->shares[0].host] +=
				account->shares[0].amount.procs;
	}
	for (int32_t i = 0; i < AUDIT_JOBS; i++) {
		const struct audit_job *job = &audit->jobs[i];
		int32_t host = job->now.shares[0].host;

		if (job->now.state != AUDIT_RUNNING ||
		    job->now.rate == asked(job))
			continue;
		REQUIRE(used[host] == audit->total[host].procs, job,
			"wants processors that are idle");
		for (int32_t j = 0; j < AUDIT_JOBS; j++) {
			const struct audit_job *other = &audit->jobs[j];

			if (other->now.state == AUDIT_RUNNING &&
			    other->now.shares[0].host == host)
				REQUIRE(other->now.rate <= job->now.rate + 1,
					job, "has far less than another one");
		}
	}
}

static bool in_quantum(const struct audit *audit, uint64_t id, int64_t now)
{
	const struct audit_account *account = &audit->jobs[id].now;

	return account->state == AUDIT_RUNNING &&
	       account->until != LXFW_NEVER && account->until > now;
}

void audit_decided(struct audit *audit, int64_t now)
{
	if (audit->equal)
		check_equal(audit);
	if (audit->lender_count > 0)
		fail_msg("job %llu is suspended, but no job is served",
			 (unsigned long long)audit->lenders[0]);
	for (int32_t i = 0; i < audit->host_count; i++) {
		if (audit->early[i] > 0)
			REQUIRE(false, job_of(audit, audit->early[i]),
				"is resized too soon after the last time");
	}
	for (int32_t i = 0; i < AUDIT_JOBS; i++) {
		const struct audit_job *job = &audit->jobs[i];

		if (job->now.state == AUDIT_RUNNING)
			REQUIRE(job->now.until > now, job,
				"continues after its quantum");
		if (job->now.state == AUDIT_SUSPENDED && job->now.served_by)
			REQUIRE(in_quantum(audit, job->now.served_by, now), job,
				"is not resumed after the quantum");
	}
}

/* --- events ------------------------------------------------------------- */

static void end(struct audit *audit, const struct lxfw_event *event)
{
	struct audit_job *job = job_of(audit, event->end.id);

	/* decisions about it in its last second came too late */
	if (job->acted == event->time) {
		REQUIRE(audit->ends_late, job, "ends after a decision about it");
		job->now = job->before;
	}
	job->acted = event->time;
	job->now.done += (int64_t)job->now.rate *
			 (event->time - job->now.since);
	job->now.ran += event->time - job->now.since;
	REQUIRE(job->now.state == AUDIT_RUNNING, job, "ends, does not run");
	job->now.state = AUDIT_ENDED;
	job->end = event->time;
}

void audit_event(struct audit *audit, const struct lxfw_event *event)
{
	struct audit_job *job;

	switch (event->type) {
	case LXFW_EVENT_PARAMS:
		audit->params = *event->params;
		break;
	case LXFW_EVENT_HOST:
		assert_in_range(event->host.index, 0, AUDIT_HOSTS - 1);
		audit->total[event->host.index] = event->host.total;
		audit->divided[event->host.index] = INT64_MIN / 2;
		audit->host_count = event->host.index + 1;
		break;
	case LXFW_EVENT_JOB_SUBMIT:
		job = job_of(audit, event->request->id);
		assert_int_equal(job->now.state, AUDIT_NONE);
		job->request = *event->request;
		job->acted = INT64_MIN;
		job->now.state = AUDIT_WAITING;
		job->now.until = LXFW_NEVER;
		job->now.since = event->time;
		break;
	case LXFW_EVENT_JOB_END:
		end(audit, event);
		break;
	default:
		fail_msg("an event of type %d", (int)event->type);
	}
}
