/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of the workload manager. What is said here has no line end and does not name the
 * plugin: lxfw_log_to() gets the whole text.
 */
#ifndef LXFW_AGENT_LOG_H
#define LXFW_AGENT_LOG_H

enum lxfw_log_level {
	LXFW_LOG_ERROR,
	LXFW_LOG_INFO,
	LXFW_LOG_VERBOSE,
	LXFW_LOG_DEBUG,
};

/* From now on WRITE is called for each line, by any thread; NULL: nothing is logged, as
   at first. */
void lxfw_log_to(void (*write)(enum lxfw_log_level level, const char *text));

/* Keep errno. %m in FORMAT is its text. */
void lxfw_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
void lxfw_log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
