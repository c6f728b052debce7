/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of libpbs, but for lists (fake_pbs_lists.c) and starts (fake_pbs_starts.c).
   fake_pbs_world.c has the state behind them. */
#include "tests/unit/fake_pbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "plugins/pbs/ifl.h"
#include "tests/unit/fake_pbs_world.h"

static int error_number;

int *__pbs_errno_location(void)
{
	return &error_number;
}

bool fake_pbs_trouble(int one_in)
{
	return !fake_pbs.quiet && fake_pbs_roll(one_in) == 0;
}

/* Returns true if the server is dead or dies. */
static bool gone(void)
{
	if (fake_pbs.alive && fake_pbs_trouble(400))
		fake_pbs_die();
	error_number = fake_pbs.alive ? 0 : 15033;
	return !fake_pbs.alive;
}

bool fake_pbs_dead(void)
{
	fake_pbs_start_late();
	if (!gone() && !fake_pbs.registered[0] && !fake_pbs.plain)
		error_number = 15033;
	if (!error_number && fake_pbs.plain && fake_pbs.now > fake_pbs.connected + 1800)
		error_number = 15020;
	return error_number != 0;
}

bool fake_pbs_dies_after(void)
{
	if (!fake_pbs_trouble(100))
		return false;
	fake_pbs_die();
	fake_pbs.silences++;
	error_number = 15031;
	return true;
}

int fake_pbs_refuse(int code)
{
	fake_pbs.refusals++;
	error_number = code;
	return code;
}

int pbs_connect(const char *server)
{
	(void)server;
	if (!fake_pbs.alive || fake_pbs_trouble(4)) {
		error_number = 15010;
		return -1;
	}
	fake_pbs.connections++;
	fake_pbs.connected = fake_pbs.now;
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

/* The real one leaves a mutex locked if the connection is closed already. */
int pbs_disconnect(int connection)
{
	if (close(connection) < 0)
		fake_pbs_wrong("closed twice", "a connection");
	for (int i = 0; i < 2; i++) {
		if (fake_pbs.registered[i] == connection)
			fake_pbs.registered[i] = 0;
	}
	return 0;
}

char *pbs_geterrmsg(int connection)
{
	static char text[] = "refused by the simulated server";

	(void)connection;
	return text;
}

int pbs_register_sched(const char *name, int primary, int secondary)
{
	if (gone() || strcmp(name, "default") != 0 || fake_pbs.registered[0] ||
	    fake_pbs_trouble(20)) {
		(void)pbs_disconnect(primary);
		return fake_pbs.alive ? fake_pbs_refuse(15230) : -1;
	}
	fake_pbs.registered[0] = primary;
	fake_pbs.registered[1] = secondary;
	return 0;
}

/* --- requests ----------------------------------------------------------------------- */

int pbs_sigjob(int c, const char *id, const char *signal, const char *extend)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return -1;
	if (!job)
		return fake_pbs_refuse(15001);
	if (fake_pbs_trouble(10))
		return fake_pbs_refuse(15016);
	if (strcmp(signal, "suspend") == 0)
		return job->state != 'R' ? fake_pbs_refuse(15016) :
		       fake_pbs_suspend(job) || fake_pbs_dies_after() ? -1 : 0;
	if (strcmp(signal, "resume") != 0)
		fake_pbs_wrong("an unknown signal", id);
	if (job->state != 'S') {
		fake_pbs_wrong("resumed without being suspended", id);
		return fake_pbs_refuse(15016);
	}
	if (!job->by_sched)
		fake_pbs_wrong("resumed although an operator suspended it", id);
	return fake_pbs_resume(job) || fake_pbs_dies_after() ? -1 : 0;
}

/* Preempts a job. Returns what happened. */
static char preempt(struct fake_pbs_job *job)
{
	if (!job || job->state == 'F')
		return 'D';
	if (job->state == 'Q')
		return 'Q';
	if (job->state != 'R')
		return '0';
	if (fake_pbs.method == 'Q') {
		if (!job->rerunable)
			fake_pbs_job_wrong(job, "cannot be requeued");
		fake_pbs.checkpoints++;
		job->state = 'Q';
		job->vnodes[0] = '\0';
		return 'Q';
	}
	/* Often enough that no run of many seeds is without. */
	if (!fake_pbs_trouble(3)) {
		(void)fake_pbs_suspend(job);
		return 'S';
	}
	if (!job->rerunable || fake_pbs_trouble(2))
		return '0';
	fake_pbs.checkpoints++;
	job->state = 'Q';
	job->vnodes[0] = '\0';
	return fake_pbs_trouble(2) ? 'C' : 'Q';
}

/* In another order than the request. */
preempt_job_info *pbs_preempt_jobs(int c, char **jobs)
{
	preempt_job_info *answers;
	size_t count = 0;

	if (fake_pbs_dead())
		return NULL;
	if (c != fake_pbs.registered[0])
		fake_pbs_wrong("preempted over a connection that is not the scheduler's", jobs[0]);
	while (jobs[count])
		count++;
	answers = calloc(count, sizeof(*answers));
	for (size_t i = 0; i < count; i++) {
		preempt_job_info *answer = &answers[count - 1 - i];

		snprintf(answer->job_id, sizeof(answer->job_id), "%s", jobs[i]);
		answer->order[0] = preempt(fake_pbs_find(jobs[i]));
	}
	fake_pbs.batches++;
	if (!fake_pbs_dies_after())
		return answers;
	free(answers);
	return NULL;
}

int pbs_rerunjob(int c, const char *id, const char *extend)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return -1;
	if (!job || (job->state != 'R' && job->state != 'S'))
		return fake_pbs_refuse(15016);
	if (!job->rerunable)
		fake_pbs_wrong("requeued although it cannot be run again", id);
	if (fake_pbs_trouble(10))
		return fake_pbs_refuse(15169);
	fake_pbs.requeues++;
	job->rerun = fake_pbs.connections;
	fake_pbs_requeue(job);
	return fake_pbs_dies_after() ? -1 : 0;
}

int pbs_confirmresv(int c, const char *id, const char *location, unsigned long start,
		    const char *extend)
{
	int rc;

	(void)c;
	if (fake_pbs_dead())
		return -1;
	rc = fake_pbs_confirm(id, location, start,
			      strncmp(extend, "PBS_RESV_CONFIRM_SUCCESS:partition=pbs-default",
				      46) == 0);
	return rc ? fake_pbs_refuse(rc) : fake_pbs_dies_after() ? -1 : 0;
}

/* Of a job that can be shortened, the run time. */
int pbs_alterjob(int c, const char *id, struct attrl *attribute, const char *extend)
{
	struct fake_pbs_job *job = fake_pbs_find(id);

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return -1;
	if (!job || !job->least || strcmp(attribute->resource, "walltime") != 0)
		return fake_pbs_refuse(15001);
	job->walltime = atoll(attribute->value);
	return 0;
}

/* A job, or the waiting task that has the comment of an array. */
static struct fake_pbs_job *find_any(const char *id)
{
	int number;
	char end;

	if (sscanf(id, "%d[%c", &number, &end) != 2 || end != ']')
		return fake_pbs_find(id);
	for (int i = 0; i < fake_pbs.jobs; i++) {
		if (fake_pbs.job[i].number == number && fake_pbs.job[i].state == 'Q')
			return &fake_pbs.job[i];
	}
	return NULL;
}

int pbs_asyalterjob(int c, const char *id, struct attrl *attribute, const char *extend)
{
	struct fake_pbs_job *job = find_any(id);

	(void)c, (void)extend;
	if (fake_pbs_dead())
		return -1;
	if (!job)
		return fake_pbs_refuse(15001);
	if (strcmp(attribute->name, "comment") == 0) {
		snprintf(job->comment, sizeof(job->comment), "%s", attribute->value);
		fake_pbs.comments++;
	} else if (strcmp(attribute->name, "accrue_type") == 0) {
		if (!fake_pbs.eligible_time)
			return fake_pbs_refuse(15004);
		job->accrue_type = atoi(attribute->value);
		fake_pbs.accruals++;
	} else {
		job->estimated = strtoll(attribute->value, NULL, 10);
		if (attribute->next)
			snprintf(job->estimated_on, sizeof(job->estimated_on), "%s",
				 attribute->next->value);
		fake_pbs.estimates++;
	}
	return 0;
}

int pbs_defschreply(int c, int command, char *job, int code, char *text, char *extend)
{
	(void)c, (void)command, (void)job, (void)extend;
	if (fake_pbs_dead())
		return -1;
	snprintf(fake_pbs.answer, sizeof(fake_pbs.answer), "%s", code ? text : "runs");
	return 0;
}

/* The daemon's other thread, which these tests do not run, calls these. */
int disrsi(int c, int *error)
{
	(void)c;
	*error = 1;
	return 0;
}

char *disrst(int c, int *error)
{
	(void)c;
	*error = 1;
	return NULL;
}

int diswsi(int c, int value)
{
	(void)c, (void)value;
	return 0;
}

int dis_flush(int c)
{
	(void)c;
	return 0;
}
