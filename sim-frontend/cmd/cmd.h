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
	const char *summary;	/* one line in the list of subcommands */
	const char *help;	/* description, options, examples, exit status */
	const char *more_help;	/* continuation of `help` if that would exceed the
				   maximum length of a C string literal; else NULL */
	const char *last_help;	/* continuation of `more_help`, or NULL */
	/* ARGV[0] is "lxfw NAME". */
	int (*run)(const struct lxfw_command *command, int argc, char **argv);
};

extern const struct lxfw_command lxfw_command_simulate;
extern const struct lxfw_command lxfw_command_replay;
extern const struct lxfw_command lxfw_command_journal;
extern const struct lxfw_command lxfw_command_why;
extern const struct lxfw_command lxfw_command_status;
extern const struct lxfw_command lxfw_command_predict;
extern const struct lxfw_command lxfw_command_queue;
extern const struct lxfw_command lxfw_command_snapshot;
extern const struct lxfw_command lxfw_command_watch;
extern const struct lxfw_command lxfw_command_compare;
extern const struct lxfw_command lxfw_command_generate;
extern const struct lxfw_command lxfw_command_grid;
extern const struct lxfw_command lxfw_command_route;
extern const struct lxfw_command lxfw_command_describe;
extern const struct lxfw_command lxfw_command_reproduce;
extern const struct lxfw_command lxfw_command_import;
extern const struct lxfw_command lxfw_command_check_conf;
extern const struct lxfw_command lxfw_command_tune;
extern const struct lxfw_command lxfw_command_params;

/* Runs `lxfw` and returns the exit status. */
int lxfw_main(int argc, char **argv);

/* Values of getopt_long() for options without a letter. */
enum {
	LXFW_OPTION_VERSION = 256,
	LXFW_OPTION_FORMAT,
	LXFW_OPTION_JSON,
	LXFW_OPTION_FIRST,
};

/* Options of every subcommand that prints results: --format table|json|csv, and
   --json. */
#define LXFW_FORMAT_OPTIONS \
	{ "format", required_argument, NULL, LXFW_OPTION_FORMAT }, \
	{ "json", no_argument, NULL, LXFW_OPTION_JSON }

/*
 * Processes an option that all subcommands have (--help, --version) or an unknown option
 * of getopt_long(). Returns the exit status, or -1 if OPTION is none of these.
 */
int lxfw_cmd_common(const struct lxfw_command *command, int option);

/* Prints an error message to stderr and returns LXFW_EXIT_BAD. _misuse also refers to
   the help of the subcommand; _bad is for input errors, whose text begins with the
   file name. */
int lxfw_cmd_misuse(const struct lxfw_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int lxfw_cmd_bad(const struct lxfw_error *error);

/* Prints an error message for an invalid VALUE of --OPTION, with the expected values.
   Returns -1. */
int lxfw_cmd_bad_value(const struct lxfw_command *command, const char *option,
		       const char *value, const char *expected, ...)
	__attribute__((format(printf, 4, 5)));

/* Prints a note on the number of jobs with run time 0, unless it is 0. */
void lxfw_cmd_note_zero_run(const char *path, size_t jobs);

/* Prints a note on the records of PATH that cannot be read, unless there are none. */
void lxfw_cmd_note_odd(const char *path, const struct lxfw_odd *odd);

/* Prints a note to stderr: "lxfw: ...". */
void lxfw_cmd_note(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Flushes stdout. Returns STATUS, or LXFW_EXIT_BAD after a message on a write error. */
int lxfw_cmd_finish(int status);

/* Returns the seconds of the monotonic clock. */
double lxfw_cmd_clock(void);

/* Prints a progress line if stderr is a terminal and one second has passed since the
   start of the program. WHAT is "simulating". May be called often. */
void lxfw_cmd_progress(const char *what, size_t done, size_t all);
/* Prints progress in units other than jobs, with the remaining seconds. */
void lxfw_cmd_progress_left(const char *what, const char *things, size_t done,
			    size_t all, double left);
/* Erases the progress line. */
void lxfw_cmd_progress_end(void);

/* Processes an option of LXFW_FORMAT_OPTIONS. Returns 1 if OPTION is one of them, 0 if
   not, or -1 after a message. */
int lxfw_cmd_format(const struct lxfw_command *command, int option,
		    enum lxfw_format *format);

/* Read arguments that several subcommands have. Return -1 after a message. */
int lxfw_cmd_cluster(struct lxfw_cluster *cluster, const char *description);
/* The same for a simulation: notes name the settings of a slurm.conf that change which
   jobs start first, and that simulations do not have. */
int lxfw_cmd_machine(struct lxfw_cluster *cluster, const char *description);
/* Set *PARAMS from the name of a policy and from parameters, each of which may be NULL: those
   that the user gave, where an unknown key is an error, or the SchedulerParameters of a
   slurm.conf, which has keys of Slurm's, too. */
int lxfw_cmd_params(struct lxfw_params *params, const char *policy,
		    const char *text);
int lxfw_cmd_conf_params(struct lxfw_params *params, const char *policy,
			 const char *text);

/* Parses the id of a job or task, "17" or "7_3", or one of several jobs of a number,
   "17#2", see trace/job_names.h. Returns 0, or -1 after a message about --job. */
int lxfw_cmd_job(const struct lxfw_command *command, const char *text, uint64_t *id,
		 int64_t *which);

/* Checks the names of jobs, and makes each as squeue prints it, "17", "7_3": of "0017", "17.batch" and
   "7_[3-5]". Returns as the function before. */
int lxfw_cmd_jobs(const struct lxfw_command *command, char **names, int count);

/* Reads a trace or the accounting log of a batch system and prints a summary of its
   records to stderr. The second function includes the owners of the jobs. */
int lxfw_cmd_trace(struct lxfw_trace *trace, const char *path,
		   enum lxfw_trace_memory memory);
int lxfw_cmd_trace_owners(struct lxfw_trace *trace, const char *path,
			  enum lxfw_trace_memory memory);

/*
 * Sets *PARAMS from the policy and parameters that the user gave, each of which may be
 * NULL. If neither is given, uses SITE, the SchedulerParameters of a slurm.conf, with the
 * plugin's default preset. If SITE is NULL too, uses the preset of easy. Returns -1 after
 * a message.
 */
int lxfw_cmd_site_params(struct lxfw_params *params, const char *policy,
			 const char *text, const char *site);
int lxfw_cmd_duration(const struct lxfw_command *command, const char *option,
		      const char *text, int64_t *seconds);
/* Seconds, or a local date such as 2026-11-25T10:00:00. */
int lxfw_cmd_time(const struct lxfw_command *command, const char *option,
		  const char *text, int64_t *time);
/* A duration above 0. */
int lxfw_cmd_length(const struct lxfw_command *command, const char *option,
		    const char *text, int64_t *seconds);
int lxfw_cmd_integer(const struct lxfw_command *command, const char *option,
		     const char *text, int64_t min, int64_t max,
		     int64_t *value);
int lxfw_cmd_number(const struct lxfw_command *command, const char *option,
		    const char *text, double min, double max, double *value);

/* Returns the index of WORD in NAMES, "a|b|c", or -1 after a message. */
int lxfw_cmd_choice(const struct lxfw_command *command, const char *option,
		    const char *word, const char *names);

#endif
