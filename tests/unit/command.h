/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a subcommand in the process of the test and captures its messages. */
#ifndef LXFW_TESTS_COMMAND_H
#define LXFW_TESTS_COMMAND_H

#include <fcntl.h>
#include <getopt.h>

#include "sim-frontend/cmd/cmd.h"
#include "tests/unit/file.h"

/* Messages of the command. */
static char said[8192];

static inline int run_command(const char *subcommand, const char *option,
		       const char *path)
{
	char *argv[] = { "lxfw", (char *)subcommand, (char *)path,
			 (char *)option, NULL };
	int saved = dup(STDOUT_FILENO), status, file;
	ssize_t length;

	fflush(stdout);
	file = open(unit_path("said"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(file >= 0 && saved >= 0);
	dup2(file, STDOUT_FILENO);
	optind = 1;
	status = lxfw_main(option ? 4 : 3, argv);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	length = pread(file, said, sizeof(said) - 1, 0);
	close(file);
	assert_true(length >= 0);
	said[length] = '\0';
	return status;
}

static inline void assert_said(const char *text)
{
	if (!strstr(said, text))
		fail_msg("'%s' is not in:\n%s", text, said);
}

#endif
