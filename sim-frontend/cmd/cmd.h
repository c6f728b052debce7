/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interface of the subcommands of lxfw. Each subcommand is a file that defines a
 * `struct lxfw_command`; lxfw.c has the table of them.
 */
#ifndef LXFW_CMD_CMD_H
#define LXFW_CMD_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/params.h"
#include "common/util/error.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/report/report.h"

/* Exit statuses. */
enum {
	LXFW_EXIT_DONE = 0,
	LXFW_EXIT_NO = 1,	/* negative result: decisions differ, a limit is exceeded */
	LXFW_EXIT_BAD = 2,	/* invalid usage or input */
};

struct lxfw_command {
	const char *name;
	const char *arguments;	/* "TRACE" */
	const char *summary;	/* one line for the list of subcommands */
	const char *help;	/* description, options, examples, exit status */
	const char *more_help;	/* continuation of `help` if that would exceed the
				   maximum length of a C string literal; else NULL */
	/* ARGV[0] is "lxfw NAME" */
	int (*run)(const struct lxfw_command *command, int argc, char **argv);
};

extern const struct lxfw_command lxfw_command_simulate;
extern const struct lxfw_command lxfw_command_replay;
extern const struct lxfw_command lxfw_command_journal;
extern const struct lxfw_command lxfw_command_compare;
extern const struct lxfw_command lxfw_command_generate;
extern const struct lxfw_command lxfw_command_describe;
extern const struct lxfw_command lxfw_command_reproduce;
extern const struct lxfw_command lxfw_command_import;
extern const struct lxfw_command lxfw_command_check_conf;
extern const struct lxfw_command lxfw_command_tune;
extern const struct lxfw_command lxfw_command_params;

/* Run `lxfw`; the exit status. */
int lxfw_main(int argc, char **argv);

/* Values of getopt_long() for options without a letter. */
enum {
	LXFW_OPTION_VERSION = 256,
	LXFW_OPTION_FORMAT,
	LXFW_OPTION_JSON,
	LXFW_OPTION_FIRST,
};

/* Of every subcommand that prints figures: --format table|json|csv, and --json. */
#define LXFW_FORMAT_OPTIONS \
	{ "format", required_argument, NULL, LXFW_OPTION_FORMAT }, \
	{ "json", no_argument, NULL, LXFW_OPTION_JSON }

/*
 * Process an option of all subcommands (--help, --version) or an unknown option
 * of getopt_long(). Returns the exit status, or -1 if OPTION is none of these.
 */
int lxfw_cmd_common(const struct lxfw_command *command, int option);

/* Print an error message to stderr and return LXFW_EXIT_BAD. _misuse also refers to
   the help of the subcommand; _bad is for input errors, whose text begins with the
   file name. */
int lxfw_cmd_misuse(const struct lxfw_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int lxfw_cmd_bad(const struct lxfw_error *error);

/* Print an error message for an invalid VALUE of --OPTION, with the expected values;
   returns -1. */
int lxfw_cmd_bad_value(const struct lxfw_command *command, const char *option,
		       const char *value, const char *expected, ...)
	__attribute__((format(printf, 4, 5)));

/* Print a note on the number of jobs with run time 0, if it is not 0. */
void lxfw_cmd_note_zero_run(const char *path, size_t jobs);

/* Print a note to stderr: "lxfw: ...". */
void lxfw_cmd_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Flush stdout. Returns STATUS, or LXFW_EXIT_BAD after a message on a write error. */
int lxfw_cmd_finish(int status);

/* Seconds of the monotonic clock. */
double lxfw_cmd_clock(void);

/* A progress line on stderr if that is a terminal and a second has passed since
   the program began; WHAT is "simulating". Called often. */
void lxfw_cmd_progress(const char *what, size_t done, size_t all);
/* The same of other things than jobs, and with the seconds that are left. */
void lxfw_cmd_progress_left(const char *what, const char *things, size_t done,
			    size_t all, double left);
/* Erase the progress line. */
void lxfw_cmd_progress_end(void);

/* Take one of LXFW_FORMAT_OPTIONS: 1 if OPTION is one, 0 if not, -1 after a message. */
int lxfw_cmd_format(const struct lxfw_command *command, int option,
		    enum lxfw_format *format);

/* What several subcommands read from their options. -1 after a message. */
int lxfw_cmd_cluster(struct lxfw_cluster *cluster, const char *description);
int lxfw_cmd_params(struct lxfw_params *params, const char *policy,
		    const char *text);

/* A trace or a batch system's accounting, with a note on stderr of what became of
   its records; the second with the owners of its jobs. */
int lxfw_cmd_trace(struct lxfw_trace *trace, const char *path,
		   enum lxfw_trace_memory memory);
int lxfw_cmd_trace_owners(struct lxfw_trace *trace, const char *path,
			  enum lxfw_trace_memory memory);

/*
 * As above from the policy and the parameters that a user gave, either NULL; with
 * neither, from SITE, a slurm.conf's SchedulerParameters or NULL: then from the
 * preset with which the plugin starts, else from that of easy.
 */
int lxfw_cmd_site_params(struct lxfw_params *params, const char *policy,
			 const char *text, const char *site);
int lxfw_cmd_duration(const struct lxfw_command *command, const char *option,
		      const char *text, int64_t *seconds);
int lxfw_cmd_integer(const struct lxfw_command *command, const char *option,
		     const char *text, int64_t min, int64_t max,
		     int64_t *value);
int lxfw_cmd_number(const struct lxfw_command *command, const char *option,
		    const char *text, double min, double max, double *value);

/* The position of WORD among NAMES, "a|b|c"; -1 after a message. */
int lxfw_cmd_choice(const struct lxfw_command *command, const char *option,
		    const char *word, const char *names);

#endif
