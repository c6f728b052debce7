/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scripts that print how much is left of a resource of the server, server_dyn_res of sched_config:
 *
 *   server_dyn_res: "matlab !/opt/licenses/left matlab"
 *
 * They run beside the daemon, each in a process group of its own, and never hold it up for long. What
 * a script prints counts from the time at which it began. If it fails, prints something else, or
 * takes too long, nothing is left.
 */
#ifndef LXFW_PBS_SCRIPTS_H
#define LXFW_PBS_SCRIPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Longest line that a script may print, with its end. */
#define LXFW_PBS_SCRIPT_TEXT 64

struct lxfw_pbs_script {
	char *resource, *command;
	pid_t pid;		/* 0: it does not run */
	pid_t killed;		/* one that was killed and still exists, as its file system hangs,
				   for instance; 0: none. No other run begins until it is gone */
	int output;
	uint64_t began_us, ended_us;	/* of the last run; 0: none */
	char text[LXFW_PBS_SCRIPT_TEXT];	/* what it has printed so far */
	size_t length;
	int64_t used;		/* by jobs since it began: the least */
	bool failed;		/* and that has been logged */
	/* The last result: the line that it printed, "" if it failed or has not ended yet; and what
	   jobs used at least while it ran. */
	char line[LXFW_PBS_SCRIPT_TEXT];
	int64_t line_used;
};

struct lxfw_pbs_scripts {
	struct lxfw_pbs_script *script;
	size_t count, size;
};

/* Reads "RESOURCE !COMMAND" and adds it. A script that is in OLD moves from there, with its results.
   Returns 1; 0 if TEXT is not of that form; -1 if memory ran out. */
int lxfw_pbs_scripts_add(struct lxfw_pbs_scripts *scripts, struct lxfw_pbs_scripts *old,
			 const char *text);
/* Returns true if TEXT is of that form. */
bool lxfw_pbs_script_is_valid(const char *text);
/* Ends all scripts and removes them. */
void lxfw_pbs_scripts_clear(struct lxfw_pbs_scripts *scripts);

/* Begins to run the script. A script that others than root and the daemon's user could change does
   not run. USED is kept with the result. */
void lxfw_pbs_script_run(struct lxfw_pbs_script *script, int64_t used);

/* Waits for scripts that run, for WAIT_US at most, and takes the results of those that have ended.
   One that has run for more than LIMIT_US is killed. Returns true if others still run. */
bool lxfw_pbs_scripts_take(struct lxfw_pbs_scripts *scripts, uint64_t wait_us, uint64_t limit_us);

/* Logs that a result is of no use, unless it has been logged since the last one that was. */
void lxfw_pbs_script_complain(struct lxfw_pbs_script *script, const char *why);

#endif
