/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service in Slurm: which jobs are served, and which were suspended
 * for it and must go on. What is under way is written to StateSaveLocation
 * before it is done, and whatever becomes of the controller, is ended from there.
 * The file names too much rather than too little: a job in it may be suspended.
 *
 * In the library's books a job that was resumed runs at once. In Slurm it waits
 * until nobody has its cores: a job that has just ended is cleaned up after, and
 * an administrator may have started or resumed another one there.
 */
#ifndef LXFW_BRIDGE_QUANTA_H
#define LXFW_BRIDGE_QUANTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "plugins/agent/quanta_file.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_known_job;
struct lxfw_request;

/* Without locks: read what an earlier life of the plugin left, once. */
void lxfw_quanta_load(struct lxfw_bridge *bridge);

/* Without locks: note what the decision is about to do, and write it down. If
   that fails nothing of it will be done. */
void lxfw_quanta_plan(struct lxfw_bridge *bridge);

/* Without locks: write what has become of it, if anything has. */
void lxfw_quanta_save(struct lxfw_bridge *bridge);

/* With locks, before records are compared: what has become of the jobs? Those
   that are to go on do so where nobody has their cores. */
void lxfw_quanta_look(struct lxfw_bridge *bridge);

/* With locks, when the actions of a pass are done: where bridge->quanta.tell, nodes
   are told once more that jobs go on. True: all are, before any DEADLINE_US. */
bool lxfw_quanta_tell(struct lxfw_bridge *bridge, uint64_t deadline_us);

/* The library's books are empty: what is under way is to end. */
void lxfw_quanta_end_all(struct lxfw_bridge *bridge);

/* Is the job suspended by us, so that the library knows more of it than Slurm? */
bool lxfw_quanta_hold(const struct lxfw_bridge *bridge, const job_record_t *job);

/* May the job with this request be served, as things are? */
bool lxfw_quanta_may_serve(const struct lxfw_bridge *bridge,
			   const job_record_t *job,
			   const struct lxfw_request *request);

/* Since when the job waits, if it was served and requeued; else SUBMIT. */
int64_t lxfw_quanta_submit(const struct lxfw_bridge *bridge, uint64_t id,
			   int64_t submit);

/* Actions, with locks. */
void lxfw_quanta_suspend(struct lxfw_bridge *bridge,
			 const struct lxfw_action *action);
void lxfw_quanta_resume(struct lxfw_bridge *bridge,
			const struct lxfw_action *action);
void lxfw_quanta_requeue(struct lxfw_bridge *bridge,
			 const struct lxfw_action *action);

/*
 * About to start JOB for a quantum: it gets the quantum's memory, and its script
 * is told. False if it is not to be started after all. Afterwards JOB is the
 * record that runs, unless it does not (STARTED).
 */
bool lxfw_quanta_begin(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action);
void lxfw_quanta_begun(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action, bool started);

/* All actions of the decision are done, or none of the rest will be. */
void lxfw_quanta_done(struct lxfw_bridge *bridge);

#endif
