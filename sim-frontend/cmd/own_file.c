/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/own_file.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

/* For the end of the process, also by a signal. */
static char folder[256], path[300];

/* Times that the removal is tried: another thread may just make the file. */
#define TRIES 100

static void remove_both(void)
{
	int tries = 0;

	do
		(void)unlink(path);
	while (rmdir(folder) && errno == ENOTEMPTY && ++tries < TRIES);
}

void lxfw_cmd_own_file_remove(void)
{
	if (*folder)
		remove_both();
	*folder = '\0';
}

/* A second signal may come before this one has ended the process, in another thread too. */
static void end(int signal)
{
	if (*folder)
		remove_both();
	lxfw_output_end_by(signal);
}

/* Makes `folder` in PLACE. Returns whether it is there. */
static bool make_folder_in(const char *place)
{
	/* The writer of journals takes absolute paths. */
	if (place && *place == '/' &&
	    snprintf(folder, sizeof(folder), "%s/lxfw.XXXXXX", place) < (int)sizeof(folder) &&
	    mkdtemp(folder))
		return true;
	*folder = '\0';
	return false;
}

/* The file is removed however the process ends. Returns 0, or -1 with ERROR set. */
static int prepare_end(struct lxfw_error *error)
{
	const struct sigaction action = { .sa_handler = end };
	static const int signals[] = {
		SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ, SIGALRM,
	};
	static bool prepared;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		(void)sigaction(signals[i], &action, NULL);
	if (!prepared && atexit(lxfw_cmd_own_file_remove) != 0) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	prepared = true;
	return 0;
}

const char *lxfw_cmd_own_file(const char *name, struct lxfw_error *error)
{
	/* That of an attempt before this one, which has failed. */
	lxfw_cmd_own_file_remove();
	if (prepare_end(error))
		return NULL;
	/* A job or a login may have a TMPDIR that is not there any more. */
	if (!make_folder_in(getenv("TMPDIR")) && !make_folder_in("/tmp") &&
	    !make_folder_in("/var/tmp") && !make_folder_in("/dev/shm")) {
		lxfw_error_format(error, "no folder for a temporary file in TMPDIR, /tmp, /var/tmp or "
				  "/dev/shm: %s", strerror(errno));
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}
