/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of the Slurm that runs, from squeue(1), by their ids in a journal of the plugin. */
#ifndef LXFW_PREDICT_SQUEUE_H
#define LXFW_PREDICT_SQUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "common/util/id_map.h"

/* A controller that does not answer is waited for this long, for timeout(1). Seconds. */
#define LXFW_SQUEUE_PATIENCE "30"

/* That many seconds for a program of Slurm, which may ignore SIGTERM. */
#define LXFW_SQUEUE_PATIENTLY "timeout", "-k", "1", LXFW_SQUEUE_PATIENCE

/* The first arguments to run a program of Slurm: env(1) without the variables of users that name
   another cluster, or select what squeue, scontrol and sacct print. Assignments follow, and then
   the program. */
#define LXFW_SLURM_PLAINLY \
	"env", "-u", "SLURM_CLUSTERS", \
	"-u", "SQUEUE_ACCOUNT", "-u", "SQUEUE_ALL", "-u", "SQUEUE_ARRAY", \
	"-u", "SQUEUE_ARRAY_UNIQUE", "-u", "SQUEUE_CLUSTERS", "-u", "SQUEUE_FEDERATION", \
	"-u", "SQUEUE_FORMAT", "-u", "SQUEUE_FORMAT2", "-u", "SQUEUE_LICENSES", \
	"-u", "SQUEUE_LOCAL", "-u", "SQUEUE_NAMES", "-u", "SQUEUE_PARTITION", \
	"-u", "SQUEUE_PRIORITY", "-u", "SQUEUE_QOS", "-u", "SQUEUE_SIB", \
	"-u", "SQUEUE_SIBLING", "-u", "SQUEUE_SORT", "-u", "SQUEUE_STATES", \
	"-u", "SQUEUE_USERS", \
	"-u", "SCONTROL_ALL", "-u", "SCONTROL_FEDERATION", "-u", "SCONTROL_FUTURE", \
	"-u", "SCONTROL_LOCAL", "-u", "SCONTROL_SIB", "-u", "SCONTROL_SIBLING", \
	"-u", "SACCT_FEDERATION", "-u", "SACCT_FORMAT", "-u", "SACCT_LOCAL"

/* Runs squeue for the jobs in STATES with the fields FORMAT (--Format), times in seconds. Returns its
   output, which the caller frees, or NULL with errno and ERROR set. */
char *lxfw_squeue_run(const char *states, const char *format, struct lxfw_error *error);

/* Returns the text up to the next '|' and moves *AT behind it; NULL: there is none. */
char *lxfw_squeue_field(char **at);

/* Returns the id in a journal of job NUMBER that is called NAME: "17", "17_3", "17_[4-9%2]",
   "17+1"; 0: none. The record of an array has an id of its own. */
uint64_t lxfw_squeue_id(const char *number, const char *name);

/* Returns the value of ID in a map by these ids, otherwise that of the record of its array,
   or -1. */
int32_t lxfw_squeue_find(const struct lxfw_id_map *by_id, uint64_t id);

/* Runs PROGRAM of Slurm by ARGUMENTS, which begin as above. Returns 0, or -1 with errno and ERROR
   set; errno ETIMEDOUT: it has not answered. */
int lxfw_squeue_ask(const char *program, char *const *arguments, char *output, size_t size,
		    struct lxfw_error *error);

/* Sets ERROR from the exit status and the output of a program of Slurm. Returns -1 with
   errno EIO, or ETIMEDOUT. */
int lxfw_squeue_failed(struct lxfw_error *error, const char *program, int status, char *said);

#endif
