/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/sched-lxfw/keep.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "plugins/slurm/compat/compat.h"
#include "plugins/slurm/compat/reservation.h"

/* Seconds that a reservation lasts, and before its end at which it is renewed. */
#define SECONDS 600
#define RENEW 300

#define NAME_SIZE 32

struct lxfw_kept_nodes {
	uint32_t job_id;
	time_t end;		/* 0: there was no reservation */
	bool refused;		/* Slurm refused it, or its renewal; this has been logged */
	bool used;		/* scratch: its job is still to resume */
};

static void name_of(const struct lxfw_kept_nodes *kept, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "lxfw_resume_%" PRIu32, kept->job_id);
}

static void reserve(struct lxfw_kept_nodes *kept, const char *nodes)
{
	time_t end = time(NULL) + SECONDS;
	char name[NAME_SIZE];
	int error_code;

	name_of(kept, name);
	error_code = lxfw_compat_reserve(name, nodes, end);
	if (error_code == SLURM_SUCCESS) {
		kept->end = end;
		return;
	}
	kept->refused = true;
	error("sched/lxfw: JobId=%"PRIu32" is suspended, and its nodes %s cannot be reserved: %s; drain them until it has resumed",
	      kept->job_id, nodes, slurm_strerror(error_code));
}

static struct lxfw_kept_nodes *find(struct lxfw_keep *keep, uint32_t job_id)
{
	for (size_t i = 0; i < keep->count; i++) {
		if (keep->kept[i].job_id == job_id)
			return &keep->kept[i];
	}
	return NULL;
}

static void keep_nodes_of(struct lxfw_keep *keep, uint32_t job_id)
{
	const job_record_t *job = find_job_record(job_id);
	struct lxfw_kept_nodes *kept = find(keep, job_id);

	if (!job || !job->nodes || !IS_JOB_SUSPENDED(job))
		return;
	if (kept) {
		kept->used = true;
		if (!kept->refused && kept->end <= time(NULL) + RENEW)
			reserve(kept, job->nodes);
		return;
	}
	if (LXFW_GROW(keep->kept, keep->size, keep->count + 1)) {
		error("sched/lxfw: out of memory: the nodes of JobId=%"PRIu32" are not reserved",
		      job_id);
		return;
	}
	kept = &keep->kept[keep->count++];
	*kept = (struct lxfw_kept_nodes){ .job_id = job_id, .used = true };
	reserve(kept, job->nodes);
	if (kept->end != 0)
		info("sched/lxfw: the nodes %s are reserved until JobId=%"PRIu32" has resumed",
		     job->nodes, job_id);
}

static void release(const struct lxfw_kept_nodes *kept)
{
	char name[NAME_SIZE];

	name_of(kept, name);
	if (kept->end != 0)
		lxfw_compat_unreserve(name);
}

void lxfw_keep_nodes(struct lxfw_keep *keep, const struct lxfw_quanta_books *books)
{
	size_t left = 0;

	for (size_t i = 0; i < keep->count; i++)
		keep->kept[i].used = false;
	for (size_t i = 0; i < books->preempted_count; i++) {
		if (books->preempted[i].resume)
			keep_nodes_of(keep, books->preempted[i].job_id);
	}
	for (size_t i = 0; i < keep->count; i++) {
		if (keep->kept[i].used)
			keep->kept[left++] = keep->kept[i];
		else
			release(&keep->kept[i]);
	}
	keep->count = left;
}

void lxfw_keep_end(struct lxfw_keep *keep)
{
	for (size_t i = 0; i < keep->count; i++)
		release(&keep->kept[i]);
	free(keep->kept);
	*keep = (struct lxfw_keep){ 0 };
}
