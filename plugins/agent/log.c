/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#define LINE_SIZE 2048	/* longer messages are truncated */

/* Another thread may be logging while it is set. */
static void (*_Atomic write_line)(enum lxfw_log_level level, const char *text);

void lxfw_log_to(void (*write)(enum lxfw_log_level level, const char *text))
{
	write_line = write;
}

static void write_log(enum lxfw_log_level level, const char *format,
		      va_list arguments)
{
	void (*write)(enum lxfw_log_level level, const char *text) = write_line;
	char text[LINE_SIZE];
	int saved = errno;

	if (!write)
		return;
	vsnprintf(text, sizeof(text), format, arguments);
	write(level, text);
	errno = saved;
}

#define DEFINE_LOG(name, level)					\
	void name(const char *format, ...)			\
	{							\
		va_list arguments;				\
								\
		va_start(arguments, format);			\
		write_log(level, format, arguments);		\
		va_end(arguments);				\
	}

DEFINE_LOG(lxfw_log_error, LXFW_LOG_ERROR)
DEFINE_LOG(lxfw_log_info, LXFW_LOG_INFO)
DEFINE_LOG(lxfw_log_verbose, LXFW_LOG_VERBOSE)
DEFINE_LOG(lxfw_log_debug, LXFW_LOG_DEBUG)
