/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests: preloaded into slurmctld, it kills that with SIGKILL at an exact moment,
 * where a test that looks on from outside would come at some later one.
 *
 *	LXFW_DIE_AT=TEXT
 *		as soon as a line with TEXT is in the log; empty: at any time
 *	LXFW_DIE_WRITTEN=TEXT
 *		not before a file lxfw_quanta with TEXT in it is in its place since
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE	/* vfprintf() is to be ours */
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With _FORTIFY_SOURCE the library calls this one. */
int __vfprintf_chk(FILE *stream, int flag, const char *format,
		   va_list arguments);

static atomic_bool logged;	/* LXFW_DIE_AT has been */

static void die(void)
{
	(void)kill(getpid(), SIGKILL);
	for (;;)
		pause();
}

static void look_at_line(FILE *stream, const char *format, va_list arguments)
{
	const char *text = getenv("LXFW_DIE_AT");
	char line[1024];

	if (!text || stream == stdout || stream == stderr)
		return;
	vsnprintf(line, sizeof(line), format, arguments);
	if (*text && !strstr(line, text))
		return;
	logged = true;
	if (getenv("LXFW_DIE_WRITTEN"))
		return;
	fflush(stream);
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

int rename(const char *from, const char *to)
{
	int (*next)(const char *, const char *) =
		(int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
	const char *text = getenv("LXFW_DIE_WRITTEN");
	const char *name = strrchr(to, '/');
	int rc = next(from, to);

	if (rc == 0 && text && logged && name &&
	    strcmp(name, "/lxfw_quanta") == 0 && has(to, text))
		die();
	return rc;
}
