/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/route_unit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS 48
#define WORD 4400		/* bytes: a path, and a name before it */

/* The words of a command. */
struct words {
	char *list[WORDS];
	size_t count;
	bool failed;
};

static void __attribute__((format(printf, 2, 3)))
add(struct words *words, const char *format, ...)
{
	char text[WORD];
	va_list values;
	int length;

	va_start(values, format);
	length = vsnprintf(text, sizeof(text), format, values);
	va_end(values);
	words->failed |= length < 0 || length >= (int)sizeof(text) || words->count == WORDS - 1;
	if (words->failed)
		return;
	words->list[words->count] = strdup(text);
	words->failed = !words->list[words->count++];
}

/* Adds a word of the command of the unit, in which systemd replaces variables. */
static void add_plain(struct words *words, const char *text)
{
	char plain[WORD];
	size_t length = 0;

	for (; *text && length < sizeof(plain) - 2; text++) {
		if (*text == '$')
			plain[length++] = '$';
		plain[length++] = *text;
	}
	plain[length] = '\0';
	words->failed |= *text != '\0';
	add(words, "%s", plain);
}

/* What the programs of Slurm need to find each other and the controller. */
static void add_environment(struct words *words)
{
	static const char *const names[] = { "PATH", "SLURM_CONF", NULL };

	for (const char *const *name = names; *name; name++) {
		const char *value = getenv(*name);

		if (value)
			add(words, "--setenv=%s=%s", *name, value);
	}
}

static void add_limits(struct words *words, const struct lxfw_route_arguments *arguments)
{
	/* A visit runs a few programs of Slurm, one after the other. */
	static const char *const properties[] = {
		"KillMode=control-group", "TimeoutStopSec=5", "NoNewPrivileges=yes", "TasksMax=64",
		"MemoryMax=1G", "RestrictRealtime=yes", NULL,
	};

	for (const char *const *property = properties; *property; property++)
		add(words, "--property=%s", *property);
	add(words, "--property=RuntimeMaxSec=%lld", (long long)arguments->visit);
	add(words, "--property=PAMName=%s", arguments->pam);
}

bool lxfw_route_unit_is_used(const struct lxfw_route_arguments *arguments)
{
	return arguments->units > 0 ||
	       (arguments->units < 0 && access("/run/systemd/system", F_OK) == 0);
}

int lxfw_route_unit_check(const struct lxfw_route_arguments *arguments)
{
	static const char *const folders[] = { "/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d" };
	char path[200];

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", folders[i], arguments->pam);
		if (access(path, R_OK) == 0)
			return LXFW_EXIT_DONE;
	}
	lxfw_cmd_note("there is no PAM service %s: expected contrib/lxfw-route.pam as "
		      "/etc/pam.d/%s, or --visits process", arguments->pam, arguments->pam);
	return LXFW_EXIT_BAD;
}

void lxfw_route_unit_become(const struct lxfw_route_arguments *arguments, const char *conf,
			    const char *self, unsigned uid)
{
	struct words words = { 0 };

	add(&words, "systemd-run");
	add(&words, "--quiet");
	add(&words, "--collect");
	add(&words, "--wait");
	/* What a service prints is in the journal of the unit. */
	if (arguments->every == 0)
		add(&words, "--pipe");
	add(&words, "--unit=lxfw-route-visit-%u", uid);
	add(&words, "--uid=%u", uid);
	add(&words, "--slice=user-%u.slice", uid);
	add_environment(&words);
	add_limits(&words, arguments);
	add(&words, "%s", self);
	add(&words, "route");
	add(&words, "--pull");
	add(&words, "--conf");
	add_plain(&words, conf);
	add(&words, "--sbatch");
	add_plain(&words, arguments->sbatch);
	add(&words, "--most");
	add(&words, "%lld", (long long)arguments->most);
	if (arguments->dry)
		add(&words, "--dry-run");
	errno = ENOMEM;
	if (!words.failed)
		execvp(words.list[0], words.list);
	for (size_t i = 0; i < words.count; i++)
		free(words.list[i]);
}
