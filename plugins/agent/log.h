/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of the workload manager. Messages have no newline and do not name the plugin.
 * The function set by lxfw_log_to() receives the formatted text.
 */
#ifndef LXFW_AGENT_LOG_H
#define LXFW_AGENT_LOG_H

enum lxfw_log_level {
	LXFW_LOG_ERROR,
	LXFW_LOG_INFO,
	LXFW_LOG_VERBOSE,
	LXFW_LOG_DEBUG,
};

/* Sets the function that is called for each message, by any thread. NULL, the initial
   value, discards messages. */
void lxfw_log_to(void (*write)(enum lxfw_log_level level, const char *text));

/* These functions preserve errno. %m in FORMAT is replaced by its text. */
void lxfw_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
