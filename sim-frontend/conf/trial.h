/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tries a corrected slurm.conf with the slurmctld of this machine, in a private folder: with
 * a munged, its key, a free port and state of its own. Nodes have an address of this machine at
 * which nothing listens, so that no job starts. Settings that start programs, or need other
 * services of the site, are left out (keys.h). Nothing of the site is read except topology.conf,
 * nothing is written elsewhere, and nothing is left behind, unless this process is killed.
 */
#ifndef LXFW_CONF_TRIAL_H
#define LXFW_CONF_TRIAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "common/util/error.h"
#include "sim-frontend/conf/check.h"

/*
 * Starts slurmctld with the file as it was and with the corrected one, CONF, and submits a
 * plain job to each partition. Adds to FINDINGS what was seen: a finding that stops jobs if
 * slurmctld does not start with the corrected file or a partition refuses a job that it took
 * before, otherwise a note. If slurmctld does not start with a file of one node and one partition
 * either, the note says that nothing was tried. Returns 0, or -1 with errno and ERROR set: EINTR
 * if a signal ended the trial, which *SIGNAL is then; 0 otherwise.
 */
int lxfw_conf_try(struct lxfw_conf *conf, const struct lxfw_check_options *options,
		  struct lxfw_findings *findings, int *signal, struct lxfw_error *error);

/* --- parts ------------------------------------------------------------------------ */

/* The private cluster. */
struct lxfw_trial {
	char folder[32];	/* "" before it is made */
	char host[256];
	char address[16];	/* where slurmctld is called */
	bool stays_local;	/* it listens on this one only, else on all */
	char user[64];
	int port, node_port;
	char *plugin_dirs;	/* that exist, separated by ':'; "" for Slurm's default */
	bool has_sched;		/* sched_lxfw.so is there, for this release */
	bool has_select;	/* select_cons_tres_lxfw.so is */
	bool has_topology;	/* topology.conf or topology.yaml is */
	uint32_t release;	/* of slurmctld */
	char *slurmctld, *scontrol, *sbatch, *munged;	/* paths of programs */
	pid_t munged_id, slurmctld_id;			/* 0: it does not run */
};

/* Prints the private slurm.conf for CONF to OUT, or one with a node and a partition if it is NULL,
   and the names of the settings that it leaves out to LEFT, separated by ", ". */
void lxfw_trial_print(const struct lxfw_trial *trial, const struct lxfw_conf *conf, FILE *out,
		      FILE *left);

/* Starts ARGUMENTS, which ends with NULL, with its output in the file NAME of the folder. It
   is killed if this process ends. Returns its process, or -1 with errno set. */
pid_t lxfw_trial_start(const struct lxfw_trial *trial, char *const *arguments,
		       const char *name);
/* Starts ARGUMENTS likewise and waits for the end. Returns the exit status, or -1 if it was not
   run or ended by a signal. */
int lxfw_trial_command(const struct lxfw_trial *trial, char *const *arguments,
		       const char *name);
/* Whether the process of *ID runs; sets *ID to 0 if it has ended. */
bool lxfw_trial_runs(pid_t *id);
/* Ends the process of *ID and what it has started. */
void lxfw_trial_end(pid_t *id);
/* Removes the folder and all files in it. */
void lxfw_trial_remove(const struct lxfw_trial *trial);
/* Removes PATH, a folder, with all that is in it. Returns 0, or -1 with errno set. */
int lxfw_trial_remove_below(const char *path);
/* Copies the last line of the file NAME of the folder that contains MARK, from there on, to SAID
   of SIZE bytes. Returns whether there is one. */
bool lxfw_trial_last_line(const struct lxfw_trial *trial, const char *name, const char *mark,
			  char *said, size_t size);
/* Likewise, but no line that contains BUT. */
bool lxfw_trial_last_line_but(const struct lxfw_trial *trial, const char *name,
			      const char *mark, const char *but, char *said, size_t size);
/* Pauses for a moment. Returns false after the second DEADLINE of time(), or if a signal was
   caught. */
bool lxfw_trial_wait(int64_t deadline);

/* Catches SIGINT, SIGQUIT, SIGTERM and SIGHUP until lxfw_trial_catch(false). Returns the signal
   that was caught, or 0. */
int lxfw_trial_catch(bool on);
/* Whether one was caught since then. */
bool lxfw_trial_caught(void);

#endif
