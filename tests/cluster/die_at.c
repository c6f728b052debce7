/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library for tests, preloaded into slurmctld. It kills slurmctld with SIGKILL at an
 * exact moment, which a test could not hit from outside, or reorders messages in a way
 * that is rare otherwise.
 *
 *	LXFW_DIE_AT=TEXT
 *		die when a line with TEXT is logged; if empty, at any time
 *	LXFW_DIE_LATER=MS
 *		die MS milliseconds after that line; the thread that logs it waits with
 *		all its locks, and queued messages are sent
 *	LXFW_DIE_WRITTEN=TEXT
 *		not before a file lxfw_quanta that contains TEXT has been written since
 *	LXFW_DIE_SAVED=1
 *		not before Slurm's records of jobs have been written since; resume
 *		messages are not sent to nodes
 *	LXFW_LATE_SUSPENSION=FILE
 *		nodes receive a suspension after the resumption that follows it. Resumptions
 *		after that wait while FILE exists
 *	LXFW_LATE_ANSWER=1
 *		the first message that starts a batch job is sent after a job was
 *		killed; the response arrives when the second one has been sent, or ten
 *		seconds later
 *	LXFW_STALL=FILE
 *		the scheduler's thread, when it replaces the metrics, waits while FILE exists; if it is not
 *		empty, the thread ends. FILE.reached is made
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE	/* vfprintf() is replaced here */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#include "slurm/slurm.h"
#include "src/common/slurm_protocol_defs.h"

/* Slurm's function. Messages can be examined here, before they are packed. */
void *send_to_nodes(void *nodes, slurm_msg_t *message, int timeout)
	__asm__("start_msg_tree");

/* Compiled with _FORTIFY_SOURCE, the library calls this function. */
int __vfprintf_chk(FILE *stream, int flag, const char *format,
		   va_list arguments);

static atomic_bool logged;	/* the line LXFW_DIE_AT was logged */
static atomic_int launches;	/* launch messages sent after the first */
static atomic_bool first_launch = true;
static atomic_bool killed;	/* a job was killed */
static atomic_bool told;	/* a resume message was sent */
static atomic_bool late_suspension;	/* one was sent after a resumption */

static void die(void)
{
	(void)kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

static void look_at_line(FILE *stream, const char *format, va_list arguments)
{
	const char *text = getenv("LXFW_DIE_AT");
	const char *later = getenv("LXFW_DIE_LATER");
	char line[1024];

	if (!text || stream == stdout || stream == stderr)
		return;
	vsnprintf(line, sizeof(line), format, arguments);
	if (*text && !strstr(line, text))
		return;
	logged = true;
	if (getenv("LXFW_DIE_WRITTEN") || getenv("LXFW_DIE_SAVED"))
		return;
	fflush(stream);
	if (later)
		(void)usleep((useconds_t)atoi(later) * 1000u);
	die();
}

int vfprintf(FILE *stream, const char *format, va_list arguments)
{
	int (*next)(FILE *, const char *, va_list) =
		(int (*)(FILE *, const char *, va_list))dlsym(RTLD_NEXT, "vfprintf");
	va_list copy;
	int count;

	va_copy(copy, arguments);
	count = next(stream, format, arguments);
	look_at_line(stream, format, copy);
	va_end(copy);
	return count;
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arguments)
{
	(void)flag;
	return vfprintf(stream, format, arguments);
}

static bool has(const char *path, const char *text)
{
	static char content[65536];
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(content, 1, sizeof(content) - 1, file) : 0;

	content[length] = '\0';
	if (file)
		fclose(file);
	return strstr(content, text);
}

/* Called when a file was renamed to PATH. */
static void look_at_file(const char *path)
{
	const char *text = getenv("LXFW_DIE_WRITTEN");
	const char *name = strrchr(path, '/');

	if (!logged || !name)
		return;
	if (text && strcmp(name, "/lxfw_quanta") == 0 && has(path, text))
		die();
	if (getenv("LXFW_DIE_SAVED") && strcmp(name, "/job_state") == 0)
		die();
}

static void note_stall(const char *file)
{
	char path[4096];
	FILE *note;

	snprintf(path, sizeof(path), "%s.reached", file);
	note = fopen(path, "w");
	if (note)
		fclose(note);
}

/* The scheduler's thread. The watch replaces the metrics, too. */
static bool is_scheduler(void)
{
	char name[16] = "";

	return prctl(PR_GET_NAME, name, NULL, NULL, NULL) == 0 && strcmp(name, "lxfw") == 0;
}

static void stall(const char *path)
{
	const char *file = getenv("LXFW_STALL");
	struct stat status;

	if (!file || !strstr(path, ".prom") || !is_scheduler())
		return;
	while (stat(file, &status) == 0) {
		note_stall(file);
		if (status.st_size > 0)
			pthread_exit(NULL);
		usleep(10000);
	}
}

int rename(const char *from, const char *to)
{
	int (*next)(const char *, const char *) =
		(int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
	int rc;

	stall(to);
	rc = next(from, to);
	if (rc == 0)
		look_at_file(to);
	return rc;
}

int link(const char *from, const char *to)
{
	int (*next)(const char *, const char *) =
		(int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
	int rc = next(from, to);

	if (rc == 0)
		look_at_file(to);
	return rc;
}

/* slurmd responds before it acts. Wait until it has probably acted. */
static void wait_until_told(void)
{
	while (!told)
		usleep(10000);
	usleep(500000);
}

static void wait_while(const char *file)
{
	while (access(file, F_OK) == 0)
		usleep(10000);
}

/* Wait at most ten seconds. */
static void wait_for_launch(void)
{
	for (int i = 0; i < 1000 && !launches; i++)
		usleep(10000);
	usleep(500000);
}

static bool is_late_launch(const slurm_msg_t *message)
{
	if (message->msg_type != REQUEST_BATCH_JOB_LAUNCH ||
	    !getenv("LXFW_LATE_ANSWER") ||
	    !atomic_exchange(&first_launch, false))
		return false;
	while (!killed)
		usleep(10000);
	usleep(500000);
	return true;
}

void *send_to_nodes(void *nodes, slurm_msg_t *message, int timeout)
{
	void *(*next)(void *, slurm_msg_t *, int) =
		(void *(*)(void *, slurm_msg_t *, int))dlsym(RTLD_NEXT,
							     "start_msg_tree");
	const suspend_int_msg_t *suspension =
		message->msg_type == REQUEST_SUSPEND_INT ? message->data : NULL;
	bool late = is_late_launch(message);
	void *answers;

	if (suspension && suspension->op == RESUME_JOB &&
	    getenv("LXFW_DIE_SAVED"))
		for (;;)
			pause();
	if (suspension && getenv("LXFW_LATE_SUSPENSION")) {
		if (suspension->op == SUSPEND_JOB)
			wait_until_told();
		else if (late_suspension)
			wait_while(getenv("LXFW_LATE_SUSPENSION"));
	}
	answers = next(nodes, message, timeout);
	if (suspension && suspension->op == RESUME_JOB)
		told = true;
	else if (suspension && told)
		late_suspension = true;
	if (message->msg_type == REQUEST_TERMINATE_JOB ||
	    message->msg_type == REQUEST_KILL_PREEMPTED)
		killed = true;
	if (late)
		wait_for_launch();
	else if (message->msg_type == REQUEST_BATCH_JOB_LAUNCH)
		launches++;
	return answers;
}
