/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/snapshot_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Bounds of sums over jobs, reservations and blocks. */
#define COUNT_SUM_MOST (INT64_C(1) << 30)
#define MEMORY_SUM_MOST (INT64_C(1) << 60)

static int bad(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int bad(char *why, size_t size, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(why, size, format, list);
	va_end(list);
	errno = EINVAL;
	return -1;
}

static bool is_time(int64_t time)
{
	return time >= -LXFW_TIME_MAX && time <= LXFW_TIME_MAX;
}

int lxfw_snapshot_check_host(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	int64_t procs = 0;

	if (file->state.host_count > 1 << 20)
		return bad(why, size, "host %zu, expected at most %d",
			   file->state.host_count, 1 << 20);
	for (size_t i = 0; i < file->state.host_count; i++)
		procs += file->state.hosts[i].total.procs;
	return procs <= COUNT_SUM_MOST ? 0 :
	       bad(why, size, "the hosts so far have %" PRId64 " processors, expected at most "
		   "%" PRId64, procs, COUNT_SUM_MOST);
}

static int check_shares(const struct lxfw_snapshot_file *file,
			const struct lxfw_share *shares, int32_t count, char *why, size_t size)
{
	/* They ascend. */
	if (count < 1)
		return bad(why, size, "no shares, expected shares=");
	return (size_t)shares[count - 1].host < file->state.host_count ? 0 :
	       bad(why, size, "share of host %" PRId32 ", expected one of the %zu hosts from 0",
		   shares[count - 1].host, file->state.host_count);
}

int lxfw_snapshot_check_set(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	const struct lxfw_snapshot_set *set = &file->state.sets[file->state.set_count - 1];

	return set->count == 0 || (size_t)set->hosts[set->count - 1] < file->state.host_count ?
	       0 : bad(why, size, "set with host %" PRId32 ", expected one of the %zu hosts "
		       "from 0", set->hosts[set->count - 1], file->state.host_count);
}

int lxfw_snapshot_check_block(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	const struct lxfw_snapshot_block *block =
		&file->state.blocks[file->state.block_count - 1];

	if (!is_time(block->start) || !is_time(block->end) || block->end <= block->start)
		return bad(why, size, "block without a time, expected start= before end=");
	return check_shares(file, block->shares, block->count, why, size);
}

static int check_request(const struct lxfw_snapshot_file *file,
			 const struct lxfw_request *request, char *why, size_t size)
{
	if (!lxfw_request_is_valid(request))
		return bad(why, size, "impossible request, expected submit=, limit=, shape=, "
			   "count= and unit= of a job that fits on hosts");
	for (int i = 0; i < request->host_set_count; i++) {
		if ((size_t)request->host_sets[i] >= file->state.set_count)
			return bad(why, size, "host set %" PRId32 ", expected one of the %zu "
				   "sets from 0", request->host_sets[i],
				   file->state.set_count);
	}
	if (request->more_sets &&
	    (size_t)request->host_sets[request->host_set_count - 1] +
		    (size_t)request->more_sets >= file->state.set_count)
		return bad(why, size, "%" PRId32 " more sets, expected fewer than the %zu sets",
			   request->more_sets, file->state.set_count);
	for (int i = 0; i < request->pool_count; i++) {
		if ((size_t)request->pools[i].pool >= file->state.host_count)
			return bad(why, size, "pool %" PRId32 ", expected one of the %zu "
				   "hosts from 0", request->pools[i].pool,
				   file->state.host_count);
	}
	return 0;
}

static int check_waiting(const struct lxfw_snapshot_file *file,
			 const struct lxfw_snapshot_job *job, char *why, size_t size)
{
	if (check_request(file, &job->request, why, size))
		return -1;
	if (!is_time(job->refused_until))
		return bad(why, size, "job refused without end, expected a time");
	if (job->state == LXFW_SNAPSHOT_INTERRUPTED)
		return check_shares(file, job->shares, job->count, why, size);
	return job->count == 0 ? 0 :
	       bad(why, size, "shares of a job that waits, expected none");
}

static int check_running(const struct lxfw_snapshot_file *file,
			 const struct lxfw_snapshot_job *job, char *why, size_t size)
{
	int64_t now = file->state.now;

	/* The request is not known of a job that the scheduler did not start. */
	if (job->request.estimate > 0 && !lxfw_request_is_valid(&job->request))
		return bad(why, size, "impossible request, expected submit=, limit=, shape=, "
			   "count= and unit= of a job that fits on hosts");
	if (!is_time(job->start) || job->start > now || !is_time(job->continued) ||
	    job->continued > now)
		return bad(why, size, "job that starts later, expected start= and continued= "
			   "up to %" PRId64, now);
	if (job->expected_end == INT64_MIN || job->due == INT64_MIN)
		return bad(why, size, "no end, expected expected_end= and due=");
	return check_shares(file, job->shares, job->count, why, size);
}

int lxfw_snapshot_check_job(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	const struct lxfw_snapshot_job *job = &file->state.jobs[file->state.job_count - 1];

	if (job->request.id == 0 || (int)job->state < 0)
		return bad(why, size, "job without id or state, expected id= and state=");
	if (file->state.job_count > 1 &&
	    lxfw_id_key(job[-1].request.id) >= lxfw_id_key(job->request.id))
		return bad(why, size, "job %" PRIu64 " is out of order or given twice, expected "
			   "jobs in the order of their ids", job->request.id);
	return job->state >= LXFW_SNAPSHOT_RUNNING ? check_running(file, job, why, size) :
						     check_waiting(file, job, why, size);
}

int lxfw_snapshot_check_reservation(const struct lxfw_snapshot_file *file, char *why,
				    size_t size)
{
	const struct lxfw_snapshot *state = &file->state;
	const struct lxfw_snapshot_reservation *own =
		&state->reservations[state->reservation_count - 1];
	size_t low = 0, high = state->job_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lxfw_id_key(state->jobs[middle].request.id) < lxfw_id_key(own->job))
			low = middle + 1;
		else
			high = middle;
	}
	if (own->job == 0 || low == state->job_count || state->jobs[low].request.id != own->job ||
	    state->jobs[low].state >= LXFW_SNAPSHOT_RUNNING)
		return bad(why, size, "reservation of job %" PRIu64 ", which does not wait; "
			   "expected a waiting job", own->job);
	if (!is_time(own->start) || own->end <= own->start)
		return bad(why, size, "reservation without a time, expected start= before end=");
	/* Those that cannot be carried have no shares, and all are made again. */
	return own->count == 0 && state->disturbed ? 0 :
	       check_shares(file, own->shares, own->count, why, size);
}

int lxfw_snapshot_check_submitted(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	const struct lxfw_snapshot_submitted *own =
		&file->submitted[file->submitted_count - 1];
	int64_t least = file->submitted_count > 1 ? own[-1].request.submit : -LXFW_TIME_MAX;

	if (own->request.submit < least || own->request.submit > file->state.now)
		return bad(why, size, "submission out of order, expected submit= of %" PRId64
			   " to %" PRId64, least, file->state.now);
	return check_request(file, &own->request, why, size);
}

/* --- sums ----------------------------------------------------------------------------- */

struct sum {
	int64_t procs, memory_mb, extras[LXFW_EXTRAS_MAX];
};

/* Returns whether the sums of the hosts remain within the bounds. */
static bool add(struct sum *sums, const struct lxfw_share *shares, int32_t count)
{
	bool within = true;

	for (int32_t i = 0; i < count && within; i++) {
		struct sum *sum = &sums[shares[i].host];

		sum->procs += shares[i].amount.procs;
		sum->memory_mb += shares[i].amount.memory_mb;
		within = sum->procs <= COUNT_SUM_MOST && sum->memory_mb <= MEMORY_SUM_MOST;
		for (int extra = 0; extra < LXFW_EXTRAS_MAX; extra++) {
			sum->extras[extra] += shares[i].amount.extras[extra];
			within &= sum->extras[extra] <= COUNT_SUM_MOST;
		}
	}
	return within;
}

int lxfw_snapshot_check_all(const struct lxfw_snapshot_file *file, char *why, size_t size)
{
	const struct lxfw_snapshot *state = &file->state;
	struct sum *sums = calloc(state->host_count + 1, sizeof(*sums));
	bool within = true;

	if (!sums) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < state->block_count && within; i++)
		within = add(sums, state->blocks[i].shares, state->blocks[i].count);
	for (size_t i = 0; i < state->job_count && within; i++)
		within = add(sums, state->jobs[i].shares, state->jobs[i].count);
	for (size_t i = 0; i < state->reservation_count && within; i++)
		within = add(sums, state->reservations[i].shares,
			     state->reservations[i].count);
	free(sums);
	return within ? 0 : bad(why, size, "the shares of a host exceed every machine, expected "
				"less than %" PRId64 " processors", COUNT_SUM_MOST);
}
