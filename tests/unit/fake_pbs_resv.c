/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reservations of the simulated server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_pbs_world.h"

#define RETRY_SECONDS 20

void fake_pbs_reserve(void)
{
	struct fake_pbs_resv *resv = &fake_pbs.resv;

	if (resv->number && resv->end > fake_pbs.now && resv->state != 6)
		return;
	if (resv->number && resv->state == 1 && fake_pbs.quiet)
		fake_pbs_wrong("neither confirmed nor refused", "a reservation");
	*resv = (struct fake_pbs_resv){
		.number = resv->number + 1, .state = 1, .chunks = 1 + fake_pbs_roll(3),
		.ncpus = 1 + fake_pbs_roll(5), .start = fake_pbs.now + 50 + fake_pbs_roll(200),
		.count = fake_pbs_roll(3) ? 1 : 2 + fake_pbs_roll(FAKE_OCCURRENCES - 1),
		.index = 1, .period = 60 * (2 + fake_pbs_roll(4)),
	};
	resv->end = resv->start + 20 + fake_pbs_roll(100);
}

/* The vnodes of an occurrence, as a job. */
static struct fake_pbs_job as_job(const char *nodes)
{
	struct fake_pbs_job job = { .number = -1, .task = -1 };

	snprintf(job.vnodes, sizeof(job.vnodes), "%s", nodes);
	fake_pbs_read_vnodes(&job);
	return job;
}

static bool has_vnode_down(void)
{
	const struct fake_pbs_resv *resv = &fake_pbs.resv;

	for (int i = resv->index - 1; i < resv->count; i++) {
		struct fake_pbs_job job = as_job(resv->nodes[i]);

		for (int j = 0; j < job.parts; j++) {
			if (!fake_pbs.vnode[job.on[j]].up)
				return true;
		}
	}
	return false;
}

void fake_pbs_alter(int64_t start, int64_t end)
{
	struct fake_pbs_resv *resv = &fake_pbs.resv;

	resv->start_before = resv->start;
	resv->end_before = resv->end;
	resv->start = start;
	resv->end = end;
	resv->state = FAKE_ALTERED;
}

void fake_pbs_advance_resv(void)
{
	struct fake_pbs_resv *resv = &fake_pbs.resv;
	bool down;

	while (resv->state == 2 && resv->index < resv->count && resv->end <= fake_pbs.now) {
		resv->index++;
		resv->start += resv->period;
		resv->end += resv->period;
	}
	if (resv->state != 2 || resv->end <= fake_pbs.now)
		return;
	if (!fake_pbs.quiet && fake_pbs_roll(60) == 0) {
		resv->state = 6;	/* its owner deletes it */
		fake_pbs.withdrawn++;
		return;
	}
	down = has_vnode_down();
	if (down && !resv->degraded)
		resv->retry = fake_pbs.now;
	resv->degraded = down;
}

void fake_pbs_check_resv(const struct fake_pbs_job *job)
{
	const struct fake_pbs_resv *resv = &fake_pbs.resv;

	for (int i = resv->index - 1; resv->state == 2 && i < resv->count && !job->reserved; i++) {
		int64_t later = (i - (resv->index - 1)) * resv->period;
		struct fake_usage usage = { 0 };
		struct fake_pbs_job occurrence;

		if (fake_pbs.now >= resv->end + later ||
		    fake_pbs.now + job->walltime <= resv->start + later)
			continue;
		occurrence = as_job(resv->nodes[i]);
		fake_pbs_add(&usage, &occurrence);
		fake_pbs_add(&usage, job);
		for (int j = 0; j < FAKE_VNODES; j++) {
			if (usage.used[j].ncpus > fake_pbs.vnode[j].has.ncpus)
				fake_pbs_job_wrong(job, "does not leave its vnodes to a reservation");
		}
	}
}

/* --- confirmation --------------------------------------------------------------------- */

/* Reads "3#(a:ncpus=1){0-1}(b:ncpus=1){2}". Returns the number of occurrences, or 0. */
static int read_sequence(const char *text, char nodes[FAKE_OCCURRENCES][512])
{
	int count, length = 0;

	if (sscanf(text, "%d#%n", &count, &length) != 1 || !length || count < 1 ||
	    count > FAKE_OCCURRENCES)
		return 0;
	for (text += length; *text; text += length) {
		int first, last, used = 0;
		char name[512];

		if (sscanf(text, "%511[^{]{%d-%d}%n", name, &first, &last, &used) != 3 || !used) {
			if (sscanf(text, "%511[^{]{%d}%n", name, &first, &used) != 2 || !used)
				return 0;
			last = first;
		}
		length = used;
		for (int i = first; i <= last && i < count; i++)
			snprintf(nodes[i], 512, "%s", name);
	}
	return count;
}

/* Jobs that run at its start, if they end by their walltime, and it, are within capacity. */
static void check_room(const struct fake_pbs_job *occurrence, int64_t start)
{
	struct fake_usage usage = { 0 };

	fake_pbs_add(&usage, occurrence);
	for (int i = 0; i < fake_pbs.jobs; i++) {
		const struct fake_pbs_job *job = &fake_pbs.job[i];

		if (job->state == 'R' && !job->interrupted && !fake_pbs.operated &&
		    job->started + job->walltime > start)
			fake_pbs_add(&usage, job);
	}
	for (int i = 0; i < FAKE_VNODES; i++) {
		if (usage.used[i].ncpus > fake_pbs.vnode[i].has.ncpus)
			fake_pbs_wrong("gets vnodes that jobs use", "a reservation");
	}
}

static void check_occurrence(const char *nodes, int64_t start, bool is_new)
{
	const struct fake_pbs_resv *resv = &fake_pbs.resv;
	struct fake_pbs_job job = as_job(nodes);
	int ncpus = 0;

	for (int i = 0; i < job.parts; i++) {
		ncpus += job.part[i].ncpus;
		if (!fake_pbs.vnode[job.on[i]].up)
			fake_pbs_wrong("gets a vnode that is down", "a reservation");
	}
	if (fake_pbs_meets_dedicated(start, start + resv->end - resv->start))
		fake_pbs_wrong("meets dedicated time", "a reservation");
	if (ncpus != resv->chunks * resv->ncpus)
		fake_pbs_wrong("does not get what it requested", "a reservation");
	if (is_new)
		check_room(&job, start);
}

static int deny(struct fake_pbs_resv *resv)
{
	if (resv->state == 2) {
		resv->retry = fake_pbs.now + RETRY_SECONDS;
		return 0;
	}
	if (resv->state == FAKE_ALTERED) {	/* as it was */
		resv->state = 2;
		resv->start = resv->start_before;
		resv->end = resv->end_before;
		fake_pbs.denied++;
		return 0;
	}
	resv->state = 6;
	fake_pbs.denied++;
	return 0;
}

int fake_pbs_confirm(const char *id, const char *location, unsigned long start, bool success)
{
	struct fake_pbs_resv *resv = &fake_pbs.resv;
	char nodes[FAKE_OCCURRENCES][512] = { "" };
	int number = 0, count = 1, left = resv->count - resv->index + 1;

	if (!resv->number || sscanf(id, "R%d", &number) != 1 || number != resv->number)
		return 15084;
	if (resv->state != 1 && resv->state != FAKE_ALTERED &&
	    !(resv->state == 2 && resv->degraded && !resv->refuses))
		return 15001;
	if (!success)
		return deny(resv);
	if (resv->count > 1)
		count = read_sequence(location, nodes);
	else
		snprintf(nodes[0], sizeof(nodes[0]), "%s", location);
	if (count != left) {
		fake_pbs_wrong("gets vnodes for another number of occurrences", id);
		return 15014;
	}
	if (resv->early && resv->state == 1) {
		resv->end += (int64_t)start - resv->start;
		resv->start = (int64_t)start;
	}
	if (resv->state == 1 && start != (unsigned long)resv->start)
		fake_pbs_wrong("is confirmed for another time", id);
	for (int i = 0; i < left; i++) {
		char *old = resv->nodes[resv->index - 1 + i];

		check_occurrence(nodes[i], resv->start + i * resv->period,
				 strcmp(old, nodes[i]) != 0);
		snprintf(old, sizeof(resv->nodes[0]), "%s", nodes[i]);
	}
	fake_pbs.replaced += resv->state == 2;
	fake_pbs.confirmed += resv->state == 1;
	fake_pbs.recurring += resv->state == 1 && resv->count > 1;
	snprintf(resv->sequence, sizeof(resv->sequence), "%s", location);
	resv->state = 2;
	resv->degraded = false;
	return 0;
}
