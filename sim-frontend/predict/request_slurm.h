/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests in the form of further options of sbatch, for a Slurm of which the kinds of GRES are
 * known, beside those of request_text.h:
 *
 *   -G, --gpus LIST		GPUs of the whole job: N, TYPE:N, or several of these
 *   --gpus-per-node LIST	of each node
 *   --gpus-per-task LIST	of each task
 *   --gres LIST		of each node: KIND, KIND:N, KIND:TYPE:N
 *   --ntasks-per-node N	tasks of each node
 *   -C, --constraint F		features of its nodes: A, A&B, or A|B
 *   -N, --nodes N-M		N nodes or more, of which N are requested
 *   -w, --nodelist NODES	the nodes that it has
 *   -x, --exclude NODES	nodes that it does not have
 *   -b, --begin TIME		not before (request_begin.h)
 *   -d, --dependency LIST	after other jobs (request_after.h)
 *
 * -A, -J, -q, -o, -e, -D, --account, --job-name, --qos, --output, --error, --chdir, --comment,
 * --export, --mail-type and --mail-user are accepted with their values, and change nothing.
 */
#ifndef LXFW_PREDICT_REQUEST_SLURM_H
#define LXFW_PREDICT_REQUEST_SLURM_H

#include "common/util/error.h"
#include "sim-frontend/predict/request_text.h"

/* The names of these options, to be compared with one that is unknown; NULL ends them. */
extern const char *const lxfw_request_slurm_names[];

/* Takes WORD if it is such an option, with the next word of *REST, as of strtok_r(), if its value is
   that. Returns 1; 0: it is none; -1 with errno EINVAL and ERROR set. */
int lxfw_request_slurm_take(struct lxfw_request_text *to, char *word, char **rest,
			    struct lxfw_error *error);

/* Sets tasks and nodes that follow from others, after the last option. Returns 0, or -1 with errno
   EINVAL and ERROR set. */
int lxfw_request_slurm_end(struct lxfw_request_text *to, struct lxfw_error *error);

/* Adds the GRES of FROM to a REQUEST that has the rest, and TASKS on each node, if it has a number
   of nodes. As pieces on any nodes, these become larger, so that all have as many GRES. Returns 0,
   or -1 with errno EINVAL and ERROR set. */
int lxfw_request_slurm_extras(const struct lxfw_request_text *from, int64_t tasks,
			      struct lxfw_request *request, struct lxfw_error *error);

/* Processors of each of TASKS tasks, 1 or more, of a job that has CPUS_PER_GPU for each of its GPUs. */
int64_t lxfw_request_gpu_cpus(int64_t gpus, int64_t cpus_per_gpu, int64_t tasks);

/* Formats the GRES as options, each after a blank. */
void lxfw_request_slurm_format(const struct lxfw_request_text *from, char *text, size_t size);

#endif
