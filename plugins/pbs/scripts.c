/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/scripts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "plugins/agent/clock.h"
#include "plugins/agent/log.h"

extern char **environ;

/* Most that the daemon waits for the end of a script that was killed. */
#define REAP_US 100000

/* Most that is read of a script at a time, in bytes: its pipe has no more. */
#define READ_MOST 65536

/* --- the list ------------------------------------------------------------------------- */

/* The command in TEXT, after the resource, which has *LENGTH characters; or NULL. */
static const char *command_of(const char *text, size_t *length)
{
	const char *command;

	*length = strcspn(text, " \t,");
	command = text + *length;
	command += strspn(command, " \t,");
	return *length && *command == '!' && command[1 + strspn(command + 1, " \t")] ?
		       command + 1 : NULL;
}

bool lxfw_pbs_script_is_valid(const char *text)
{
	size_t length;

	return command_of(text, &length) != NULL;
}

/* Moves the script of the same resource and command to the end of SCRIPTS. */
static bool move(struct lxfw_pbs_scripts *scripts, struct lxfw_pbs_scripts *old,
		 const char *resource, const char *command)
{
	for (size_t i = 0; i < old->count; i++) {
		struct lxfw_pbs_script *script = &old->script[i];

		if (!script->resource || strcmp(script->resource, resource) != 0 ||
		    strcmp(script->command, command) != 0)
			continue;
		scripts->script[scripts->count++] = *script;
		*script = (struct lxfw_pbs_script){ .output = -1 };
		return true;
	}
	return false;
}

int lxfw_pbs_scripts_add(struct lxfw_pbs_scripts *scripts, struct lxfw_pbs_scripts *old,
			 const char *text)
{
	size_t length;
	const char *command = command_of(text, &length);
	struct lxfw_pbs_script script = { .output = -1 };

	if (!command)
		return 0;
	if (LXFW_GROW(scripts->script, scripts->size, scripts->count + 1))
		return -1;
	script.resource = strndup(text, length);
	script.command = strdup(command);
	if (!script.resource || !script.command) {
		free(script.resource);
		free(script.command);
		return -1;
	}
	if (move(scripts, old, script.resource, command)) {
		free(script.resource);
		free(script.command);
		return 1;
	}
	scripts->script[scripts->count++] = script;
	return 1;
}

/* Waits until the script that was killed is gone, for REAP_US at most. */
static void reap(struct lxfw_pbs_script *script)
{
	uint64_t end = lxfw_now_us() + REAP_US;

	while (script->killed && waitpid(script->killed, NULL, WNOHANG) == 0) {
		if (lxfw_now_us() >= end)
			return;
		(void)poll(NULL, 0, 1);
	}
	script->killed = 0;
}

/* Ends the script and whatever it has started. */
static void kill_script(struct lxfw_pbs_script *script)
{
	if (script->output >= 0)
		close(script->output);
	script->output = -1;
	if (!script->pid)
		return;
	(void)kill(-script->pid, SIGKILL);
	script->killed = script->pid;
	script->pid = 0;
	reap(script);
}

void lxfw_pbs_scripts_clear(struct lxfw_pbs_scripts *scripts)
{
	for (size_t i = 0; i < scripts->count; i++) {
		kill_script(&scripts->script[i]);
		free(scripts->script[i].resource);
		free(scripts->script[i].command);
	}
	free(scripts->script);
	memset(scripts, 0, sizeof(*scripts));
}

/* --- one script ----------------------------------------------------------------------- */

void lxfw_pbs_script_complain(struct lxfw_pbs_script *script, const char *why)
{
	if (!script->failed)
		lxfw_log_error("server_dyn_res of %s: %s %s; nothing is left of it for jobs",
			       script->resource, script->command, why);
	script->failed = true;
}

/* Takes the result, unless there was a FAILURE. */
static void finish(struct lxfw_pbs_script *script, const char *failure)
{
	kill_script(script);
	script->ended_us = lxfw_now_us();
	script->line_used = script->used;
	script->text[script->length] = '\0';
	script->text[strcspn(script->text, "\r\n")] = '\0';
	strcpy(script->line, failure ? "" : script->text);
	if (failure)
		lxfw_pbs_script_complain(script, failure);
}

/* Whether only root and the daemon's user can change the file, and every folder on its way. */
static bool is_secure(const char *file)
{
	char *path = realpath(file, NULL);
	bool secure = path != NULL;

	while (secure && *path) {
		struct stat status;
		char *slash = strrchr(path, '/');

		secure = stat(path, &status) == 0 &&
			 (status.st_uid == 0 || status.st_uid == geteuid()) &&
			 (!(status.st_mode & (S_IWGRP | S_IWOTH)) ||
			  (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX)));
		*slash = '\0';
	}
	free(path);
	return secure;
}

static bool may_run(const struct lxfw_pbs_script *script)
{
	const char *begin = script->command + strspn(script->command, " \t");
	char *file = strndup(begin, strcspn(begin, " \t"));
	bool secure = file && is_secure(file);

	free(file);
	return secure;
}

static int spawn(struct lxfw_pbs_script *script, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes)
{
	char *arguments[] = { (char *)"/bin/sh", (char *)"-c", script->command, NULL };

	return posix_spawn(&script->pid, "/bin/sh", actions, attributes, arguments, environ);
}

/* Starts the script with its output in FILE: in a process group of its own, with all signals and no
   other file of the daemon, such as its connections. Returns 0 or an error number. */
static int start(struct lxfw_pbs_script *script, int file)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return rc;
	rc = posix_spawnattr_init(&attributes);
	if (rc) {
		posix_spawn_file_actions_destroy(&actions);
		return rc;
	}
	sigemptyset(&none);
	sigfillset(&all);
	if ((rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
					   POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0 &&
	    (rc = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
	    (rc = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
	    (rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
						   O_RDONLY, 0)) == 0 &&
	    (rc = posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO)) == 0 &&
	    (rc = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)) == 0)
		rc = spawn(script, &actions, &attributes);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

void lxfw_pbs_script_run(struct lxfw_pbs_script *script, int64_t used)
{
	int ends[2], rc;

	reap(script);
	script->began_us = lxfw_now_us();
	script->length = 0;
	script->used = used;
	if (script->killed) {
		finish(script, "was killed and has not ended yet: it does not run again until then");
		return;
	}
	if (!may_run(script)) {
		finish(script, "could be changed by others than root and the daemon's user, or does not exist: it does not run");
		return;
	}
	if (pipe2(ends, O_CLOEXEC) < 0) {
		finish(script, strerror(errno));
		return;
	}
	script->output = ends[0];
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	rc = start(script, ends[1]);
	close(ends[1]);
	if (rc) {
		script->pid = 0;
		finish(script, strerror(rc));
	}
}

/* Why its first line is of no use, or NULL. */
static const char *fault_of(const struct lxfw_pbs_script *script)
{
	if (script->length == 0)
		return "has printed nothing";
	return memchr(script->text, '\n', script->length) ||
	       script->length < sizeof(script->text) - 1 ? NULL :
							   "has printed a line that is too long";
}

/* Reads what the script has printed; its first line is kept. A script that has closed its output has
   ended. */
static void read_output(struct lxfw_pbs_script *script)
{
	char rest[4096];
	ssize_t count;
	size_t total = 0;

	do {
		size_t room = sizeof(script->text) - 1 - script->length;

		count = read(script->output, room ? script->text + script->length : rest,
			     room ? room : sizeof(rest));
		if (count > 0 && room)
			script->length += (size_t)count;
		total += count > 0 ? (size_t)count : 0;
	} while ((count > 0 && total < READ_MOST) || (count < 0 && errno == EINTR));
	if (count == 0 || (count < 0 && errno != EAGAIN))
		finish(script, fault_of(script));
}

/* A script may have started others that keep its output open. */
static void time_out(struct lxfw_pbs_script *script)
{
	finish(script, memchr(script->text, '\n', script->length) ? NULL : "has taken too long");
}

/* --- all scripts ---------------------------------------------------------------------- */

/* Waits until a script that runs has printed something or UNTIL_US. Returns false if none runs. */
static bool await(struct lxfw_pbs_scripts *scripts, uint64_t until_us)
{
	struct pollfd *polled = calloc(scripts->count + 1, sizeof(*polled));
	uint64_t now = lxfw_now_us();
	bool runs = false;

	if (!polled)
		return false;	/* later */
	for (size_t i = 0; i < scripts->count; i++) {
		polled[i] = (struct pollfd){ .fd = scripts->script[i].output, .events = POLLIN };
		runs |= scripts->script[i].pid != 0;
	}
	if (runs && poll(polled, scripts->count,
			 now < until_us ? (int)((until_us - now + 999) / 1000) : 0) < 0)
		runs = errno == EINTR;
	free(polled);
	return runs;
}

/* The time at which a script that runs must have ended, END_US at most. */
static uint64_t first_limit(const struct lxfw_pbs_scripts *scripts, uint64_t limit_us,
			    uint64_t end_us)
{
	for (size_t i = 0; i < scripts->count; i++) {
		uint64_t limit = scripts->script[i].began_us + limit_us;

		if (scripts->script[i].pid && limit < end_us)
			end_us = limit;
	}
	return end_us;
}

bool lxfw_pbs_scripts_take(struct lxfw_pbs_scripts *scripts, uint64_t wait_us, uint64_t limit_us)
{
	uint64_t end = lxfw_now_us() + wait_us, now;
	bool runs = true;

	while (runs && await(scripts, first_limit(scripts, limit_us, end))) {
		runs = false;
		now = lxfw_now_us();
		for (size_t i = 0; i < scripts->count; i++) {
			struct lxfw_pbs_script *script = &scripts->script[i];

			if (script->pid)
				read_output(script);
			if (script->pid && now - script->began_us >= limit_us)
				time_out(script);
			runs |= script->pid != 0;
		}
		if (now >= end)
			return runs;
	}
	return false;
}
