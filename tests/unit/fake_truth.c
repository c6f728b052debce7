/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_truth.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/agent/log.h"

#define SAVE_AFTER 5		/* seconds after which changed records are saved */

/* Seconds until a node that does not have a job registers. */
#define MISSING 600

void fake_wrong(struct fake *fake, const char *what, uint64_t job)
{
	if (!fake->wrong[0])
		snprintf(fake->wrong, sizeof(fake->wrong),
			 "%.200s: job %llu, second %lld", what,
			 (unsigned long long)job, (long long)fake->ticks);
}

/* --- chance ------------------------------------------------------------- */

/* Return a random number from 0 to N - 1. */
uint32_t fake_roll(struct fake *fake, uint32_t n)
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

/* Return true once in N times if errors are enabled. */
bool fake_trouble(struct fake *fake, uint32_t n)
{
	return !fake->quiet && fake_roll(fake, n) == n - 1;
}

/* --- the truth ---------------------------------------------------------- */

struct fake_job *fake_job_of(struct fake *fake, uint32_t record)
{
	return record >= 1 && record <= (uint32_t)fake->jobs ?
	       &fake->job[record - 1] : NULL;
}

void fake_change(struct fake *fake, struct fake_job *job)
{
	if (!job->changed)
		job->changed = fake->ticks;
	fake->changed = true;
}

void fake_set_phase(struct fake *fake, struct fake_job *job,
		      enum lxfw_phase phase)
{
	lxfw_log_debug("second %lld: job %llu is in phase %d",
		       (long long)fake->ticks,
		       (unsigned long long)job->request.id, phase);
	job->record.phase = phase;
	if (phase == LXFW_PHASE_WAITING)
		job->waits_since = fake->ticks;
	fake_change(fake, job);
}

bool fake_holds_memory(const struct fake_record *record)
{
	return record->phase == LXFW_PHASE_RUNNING ||
	       record->phase == LXFW_PHASE_SUSPENDED;
}

static bool holds_procs(const struct fake_job *job)
{
	return job->record.phase == LXFW_PHASE_RUNNING || job->begins ||
	       job->record.phase == LXFW_PHASE_REQUEUED;
}

/* Return what is free on a host without the jobs other than EXCEPT. */
static struct lxfw_resources free_of(const struct fake *fake, int32_t host,
				     const struct fake_job *except)
{
	struct lxfw_resources left = { .procs = FAKE_PROCS,
				       .memory_mb = FAKE_MEMORY };

	for (int i = 0; i < fake->jobs; i++) {
		const struct fake_job *job = &fake->job[i];

		if (job == except ||
		    (!holds_procs(job) && !fake_holds_memory(&job->record)))
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

/* True if the shares of JOB fit with the other jobs, on hosts that are up. */
bool fake_fits(const struct fake *fake, const struct fake_job *job)
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

bool fake_is_on(const struct fake_job *job, int32_t host)
{
	for (int32_t i = 0; i < job->record.count; i++) {
		if (job->record.shares[i].host == host)
			return true;
	}
	return false;
}

static int by_host(const void *a, const void *b)
{
	return ((const struct lxfw_share *)a)->host - ((const struct lxfw_share *)b)->host;
}

void fake_sort_shares(struct fake_job *job)
{
	qsort(job->record.shares, (size_t)job->record.count, sizeof(*job->record.shares),
	      by_host);
}

/* The job is pending again, and the work of its run is lost. */
void fake_wait_again(struct fake *fake, struct fake_job *job)
{
	fake_set_phase(fake, job, LXFW_PHASE_REQUEUED);
	job->cleaned = fake->ticks + 1 + fake_roll(fake, 4);
	job->left = job->work;
	job->stopped = job->known_running = job->requeued = job->dead = false;
	job->messages = 0;
	job->begins = 0;
	job->unsettled = 0;
	job->restarted = true;
	job->request.submit = fake->now;
	job->age_lost = true;
}

void fake_send(struct fake *fake, struct fake_job *job, bool stop)
{
	if (job->messages == 4)
		job->messages = 3;
	job->message[job->messages++] = (struct fake_message){
		.at = fake->ticks + (fake->quiet ? 0 : fake_roll(fake, 3)),
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
			lost |= fake_is_on(job, host) && fake->silent[host] > fake->ticks;
		if (lost)
			fake->counts.lost_messages++;
		else
			job->stopped = job->message[i].stop;
		job->message[i] = job->message[--job->messages];
	}
}

void fake_save_record(struct fake_job *job)
{
	job->saved = job->record;
	job->changed = 0;
}

static void begin_late(struct fake *fake, struct fake_job *job)
{
	job->begins = 0;
	if (job->fails || !fake_fits(fake, job)) {
		job->record.count = 0;
		fake_change(fake, job);
		return;
	}
	fake->hidden = true;
	fake_set_phase(fake, job, LXFW_PHASE_RUNNING);
}

/* Slurm requeues a batch job that a node does not have when it registers. In a world without faults
   the agent must have requeued it before. */
static void find_missing(struct fake *fake, struct fake_job *job)
{
	if (!fake->faulty || !job->dead || !fake_holds_memory(&job->record))
		job->missing = 0;
	else if (++job->missing > MISSING)
		fake_wait_again(fake, job);
}

static void tick_job(struct fake *fake, struct fake_job *job)
{
	deliver(fake, job);
	find_missing(fake, job);
	if (job->begins && job->begins <= fake->ticks)
		begin_late(fake, job);
	if (job->record.phase == LXFW_PHASE_SUSPENDED)
		job->record.suspended_for++;
	if (job->record.phase == LXFW_PHASE_REQUEUED &&
	    job->cleaned <= fake->ticks) {
		job->record.count = 0;
		job->record.ran = 0;
		fake_set_phase(fake, job, LXFW_PHASE_WAITING);
	}
	if (job->record.phase == LXFW_PHASE_RUNNING) {
		job->record.ran++;
		if (!job->stopped && !job->dead && --job->left <= 0)
			fake_set_phase(fake, job, LXFW_PHASE_OVER);
	}
	if (job->changed && fake->ticks >= job->changed + SAVE_AFTER)
		fake_save_record(job);
}

void fake_pass_second(struct fake *fake)
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
