/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job in the JSON of Slurm's controller: slurmrestd's /slurm/vX/jobs and `squeue --json`.
 * Numbers are plain up to v0.0.38 and objects from v0.0.39 on (json_members.h), and the state is
 * a word or an array of words.
 */
#ifndef LXFW_TRACE_SLURM_CTLD_H
#define LXFW_TRACE_SLURM_CTLD_H

#include <json-c/json.h>
#include <stdbool.h>

#include "sim-frontend/trace/account.h"

/* Returns whether JOB is such a job, not one of slurmdbd. */
bool lxfw_slurm_ctld_is(json_object *job);

/* Reads JOB, which ACCOUNT then refers to, except for its number. Returns NULL, or what is wrong
   with it. */
const char *lxfw_slurm_ctld_job(json_object *job, struct lxfw_account *account);

#endif
