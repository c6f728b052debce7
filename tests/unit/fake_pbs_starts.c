/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts on the simulated server. Those without an answer may be carried out late: before the next
   request that has an answer, in their order. */
#include <stdio.h>
#include <string.h>

#include "plugins/pbs/ifl.h"
#include "tests/unit/fake_pbs_world.h"

static struct {
	char id[64], location[512];
	int connection;
} late[FAKE_PBS_JOBS];
static int late_count;

/* A start that the server refuses, or does not carry out. */
static bool refuses_start(int c, const char *id)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	if (c != fake_pbs.registered[0])	/* a socket is never 0 here */
		fake_pbs_wrong("started over a connection that is not the scheduler's", id);
	if (!fake_pbs.scheduling && (!job || job->number != fake_pbs.wanted))
		fake_pbs_wrong("started while scheduling is off", id);
	if (job && !job->reserved && fake_pbs.stopped[job->queue])
		fake_pbs_wrong("started although its queue is stopped", id);
	if (!job || job->state != 'Q') {
		if (job && (job->state == 'R' || job->state == 'S'))
			fake_pbs_wrong("started twice", id);
		return true;
	}
	return false;
}

/* A start that is refused, and must not be repeated at once. */
static bool denied(struct fake_pbs_job *job)
{
	static int count;

	if (!fake_pbs_trouble(15) && (!fake_pbs.denies || ++count % fake_pbs.denies))
		return false;
	job->bounced = fake_pbs.now;
	job->bounced_connections = fake_pbs.connections;
	return true;
}

static void start(struct fake_pbs_job *job, const char *location)
{
	fake_pbs_run(job, location);
	if (fake_pbs_trouble(30)) {
		fake_pbs.scheduling = false;	/* an administrator */
		fake_pbs.offs++;
	}
}

int pbs_asyrunjob_ack(int c, const char *id, const char *location, const char *extend)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	(void)extend;
	if (fake_pbs_dead())
		return -1;
	if (refuses_start(c, id))
		return fake_pbs_refuse(15016);
	if (fake_pbs.hook)
		return fake_pbs_refuse(15136);
	if (denied(job))
		return fake_pbs_refuse(15169);
	fake_pbs.in_a_row = 0;
	start(job, location);
	return fake_pbs_dies_after() ? -1 : 0;
}

/* A start without an answer. */
static void try_to_start(int c, const char *id, const char *location)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	if (refuses_start(c, id) || denied(job))
		fake_pbs.refusals++;
	else
		start(job, location);
}

void fake_pbs_start_late(void)
{
	for (int i = 0; i < late_count; i++)
		try_to_start(late[i].connection, late[i].id, late[i].location);
	late_count = 0;
}

void fake_pbs_cut(bool carried_out)
{
	if (carried_out)
		fake_pbs_start_late();
	late_count = 0;
	fake_pbs.registered[0] = fake_pbs.registered[1] = 0;
}

/* The caller does not learn what happens, not even that the server has died or the connection is
   lost. */
int pbs_asyrunjob(int c, const char *id, const char *location, const char *extend)
{
	(void)extend;
	if (fake_pbs.late ? !fake_pbs.registered[0] : fake_pbs_dead())
		return 0;
	fake_pbs.unanswered++;
	if (++fake_pbs.in_a_row > fake_pbs.most_in_a_row)
		fake_pbs.most_in_a_row = fake_pbs.in_a_row;
	if (fake_pbs.late && late_count < FAKE_PBS_JOBS) {
		late[late_count].connection = c;
		snprintf(late[late_count].id, sizeof(late[0].id), "%s", id);
		snprintf(late[late_count++].location, sizeof(late[0].location), "%s", location);
	} else {
		try_to_start(c, id, location);
	}
	if (fake_pbs.cut_after && fake_pbs.unanswered == fake_pbs.cut_after)
		fake_pbs_cut(fake_pbs.carried_out);
	(void)fake_pbs_dies_after();
	pbs_errno = 0;
	return 0;
}
