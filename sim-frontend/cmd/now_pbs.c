/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_pbs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/util/program.h"
#include "sim-frontend/util/text.h"

#define PROGRAM "lxfw-pbsd"
#define SAID_MAX 8192

/* A server that does not answer is waited for this long by lxfw-pbsd, and that by timeout(1): it
   may hang before it has a connection. Seconds. */
#define PATIENCE "30"
#define PATIENCE_MOST "45"

/* --- programs --------------------------------------------------------------------------- */

/* Returns FOLDER/PROGRAM if it can be executed, to be freed; otherwise NULL. */
static char *program_in(const char *folder, size_t length, const char *program)
{
	char *path;

	if (asprintf(&path, "%.*s/%s", (int)length, folder, program) < 0)
		return NULL;
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *program_in_path(const char *program)
{
	const char *at = getenv("PATH");
	char *found = NULL;

	while (at && *at && !found) {
		size_t length = strcspn(at, ":");

		if (length > 0)
			found = program_in(at, length, program);
		at += length + (at[length] == ':');
	}
	return found;
}

/* It is installed in sbin, which is not in the PATH of every user. */
static char *program_beside(const char *program)
{
	static const char *const places[] = { "", "/../sbin" };
	char self[4096], folder[4200], *found = NULL;
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *slash;

	if (length <= 0)
		return NULL;
	self[length] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places) && !found; i++) {
		int size = snprintf(folder, sizeof(folder), "%.*s%s", (int)(slash - self), self,
				    places[i]);

		found = program_in(folder, (size_t)size, program);
	}
	return found;
}

/* The path of lxfw-pbsd, to be freed; or NULL with errno and ERROR set. */
static char *find_program(struct lxfw_error *error)
{
	char *path = program_beside(PROGRAM);

	if (!path)
		path = program_in_path(PROGRAM);
	if (path)
		return path;
	lxfw_error_set(error, PROGRAM " is neither beside lxfw nor in PATH: it asks PBS, and is "
		       "built by 'configure --with-pbs=PREFIX'");
	errno = ENOENT;
	return NULL;
}

/* --- what runs here --------------------------------------------------------------------- */

bool lxfw_now_is_pbs(enum lxfw_now_of of)
{
	const char *conf = getenv("PBS_CONF_FILE");
	char *scontrol;
	bool found;

	if (of != LXFW_NOW_ANY)
		return of == LXFW_NOW_PBS;
	if (access(conf && *conf ? conf : "/etc/pbs.conf", R_OK) != 0)
		return false;
	scontrol = program_in_path("scontrol");
	found = scontrol != NULL;
	free(scontrol);
	return !found;
}

/* --- a look ----------------------------------------------------------------------------- */

/* Its messages may quote what users wrote. */
static void make_printable(char *text)
{
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text) && *text != '\n')
			*text = '?';
	}
}

static void print_lines(char *text)
{
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		lxfw_cmd_note("%s", line);
}

/* Sets ERROR to the last line of TEXT, and prints the others. */
static void take_last(char *text, struct lxfw_error *error)
{
	size_t length = strlen(text);
	char *last;

	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	last = strrchr(text, '\n');
	lxfw_error_set(error, last ? last + 1 : length > 0 ? text : PROGRAM ": failed");
	if (last) {
		*last = '\0';
		print_lines(text);
	}
}

int lxfw_now_pbs_look(const char *path, struct lxfw_error *error)
{
	char said[SAID_MAX], *program = find_program(error);
	char *const arguments[] = { "timeout", "-k", "1", PATIENCE_MOST, program, "--watch",
				    "--once", "--patience", PATIENCE, "--journal", (char *)path,
				    NULL };
	int status = program ? lxfw_program_run(arguments, said, sizeof(said), error) : -1;

	free(program);
	/* timeout(1) ends itself with a program that ignores SIGTERM. */
	if (status < 0 && errno == EIO)
		status = 124;
	if (status < 0)
		return -1;
	make_printable(said);
	if (status == 0) {
		print_lines(said);
		return 0;
	}
	if (status == 124)
		lxfw_error_set(error, PROGRAM ": PBS has not answered for " PATIENCE_MOST " s");
	else
		take_last(said, error);
	errno = EIO;
	return -1;
}

/* --- watching --------------------------------------------------------------------------- */

void lxfw_now_pbs_watch(const struct lxfw_now_pbs_watch *watch, struct lxfw_error *error)
{
	char interval[24], *program = find_program(error);
	char *arguments[10] = { program, "--watch", "--journal", (char *)watch->journal,
				"--interval", interval };
	size_t count = 6;

	if (!program)
		return;
	snprintf(interval, sizeof(interval), "%lld", (long long)watch->interval);
	if (watch->once)
		arguments[count++] = "--once";
	if (watch->params) {
		arguments[count++] = "-o";
		arguments[count++] = (char *)watch->params;
	}
	(void)fflush(NULL);
	(void)execv(program, arguments);
	(void)lxfw_error_system(error, program);
	free(program);
}
