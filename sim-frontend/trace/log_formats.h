/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of log formats, and the detection of the format of a file. */
#ifndef LXFW_TRACE_LOG_FORMATS_H
#define LXFW_TRACE_LOG_FORMATS_H

#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/input.h"

/* Each format is defined in the source file of its reader. */
extern const struct lxfw_log_format lxfw_log_slurm_json; /* slurmrestd, sacct --json */
extern const struct lxfw_log_format lxfw_log_batsim;	/* workloads of Batsim */
extern const struct lxfw_log_format lxfw_log_philly;	/* cluster_job_log of Philly */
extern const struct lxfw_log_format lxfw_log_jobcomp;	/* jobcomp/elasticsearch, /kafka */
extern const struct lxfw_log_format lxfw_log_lsf;	/* lsb.acct */
extern const struct lxfw_log_format lxfw_log_pbs;	/* OpenPBS, PBS Pro, Torque */
extern const struct lxfw_log_format lxfw_log_sge;	/* Grid Engine */
extern const struct lxfw_log_format lxfw_log_scontrol;	/* scontrol show job, jobcomp/filetxt */
extern const struct lxfw_log_format lxfw_log_sacct;	/* sacct --parsable2, --parsable */

extern const struct lxfw_log_format lxfw_log_maui;	/* Maui's workload trace */
extern const struct lxfw_log_format lxfw_log_moab;	/* Moab's events */
extern const struct lxfw_log_format lxfw_log_htcondor;	/* history files, condor_history -long */
extern const struct lxfw_log_format lxfw_log_slurm_sim;	/* events for the Slurm simulator */
extern const struct lxfw_log_format lxfw_log_table;	/* tables with named columns */

/* SWF traces, and journals of a live scheduler. They have no accounting records and no
   reader here. */
extern const struct lxfw_log_format lxfw_log_swf;
extern const struct lxfw_log_format lxfw_log_journal;

/*
 * Detects the format of INPUT from the first line that shows it, which is one of its first lines,
 * since odd lines (odd.h) may precede it. Only empty lines are consumed. An empty file is SWF.
 * Returns 0, or -1 with errno and ERROR set. The message on an unknown format names the known
 * ones and the nearest guess.
 */
int lxfw_log_recognize(struct lxfw_input *input,
		       const struct lxfw_log_format **format,
		       struct lxfw_error *error);

/* Returns the format NAME, which may not be a journal, or NULL. */
const struct lxfw_log_format *lxfw_log_format_find(const char *name);

/* Lists all names that lxfw_log_format_find() accepts, "swf|pbs". A SIZE of
   LXFW_LOG_FORMAT_NAMES is sufficient. Returns NAMES. */
#define LXFW_LOG_FORMAT_NAMES 240
const char *lxfw_log_format_names(char *names, size_t size);

#endif
