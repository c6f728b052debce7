/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service: which jobs are served, and which were suspended for it and must go
 * on. What is under way is written to the file `lxfw_quanta` of wlm->folder() before it is
 * done, and whatever becomes of the process, is ended from there. The file names too much
 * rather than too little: a job in it may be suspended.
 *
 * In the library's books a job that was resumed runs at once. In the workload manager it
 * waits until nobody has its processors: a job that has just ended is cleaned up after,
 * and an administrator may have started or resumed another one there.
 */
#ifndef LXFW_AGENT_QUANTA_H
#define LXFW_AGENT_QUANTA_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* --- without locks: quanta.c -------------------------------------------------------- */

/* Read what an earlier life of the process left, once. */
void lxfw_quanta_load(struct lxfw_agent *agent);

/* Note what the decision is about to do, and write it down. If that fails nothing of it
   will be done. */
void lxfw_quanta_plan(struct lxfw_agent *agent);

/* All actions of the decision are done, or none of the rest will be. */
void lxfw_quanta_done(struct lxfw_agent *agent);

/* Write what has become of it, if anything has. */
void lxfw_quanta_save(struct lxfw_agent *agent);

/* The library's books are empty: what is under way is to end. */
void lxfw_quanta_end_all(struct lxfw_agent *agent);

/* --- what is known ------------------------------------------------------------------ */

/* Did we suspend the job of RECORD, so that the library knows more of it than the
   workload manager as long as it is suspended? */
bool lxfw_quanta_hold(const struct lxfw_agent *agent, uint32_t record);

/* May the job be served, as far as the policy and its past go? */
bool lxfw_quanta_may_serve(const struct lxfw_agent *agent, uint64_t id);

/* Since when the job waits, if it was served and requeued; else SUBMIT. */
int64_t lxfw_quanta_submit(const struct lxfw_agent *agent, uint64_t id,
			   int64_t submit);

/* --- actions, with locks: quanta_act.c ---------------------------------------------- */

void lxfw_quanta_suspend(struct lxfw_agent *agent, const struct lxfw_action *action);
void lxfw_quanta_resume(struct lxfw_agent *agent, const struct lxfw_action *action);
void lxfw_quanta_requeue(struct lxfw_agent *agent, const struct lxfw_action *action);

/* About to start KNOWN for a quantum. False if it is not to be started after all: a
   victim runs on, or nothing can be written down. */
bool lxfw_quanta_may_begin(struct lxfw_agent *agent,
			   const struct lxfw_known_job *known);
/* It was started, in RECORD. */
void lxfw_quanta_begun(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		       const struct lxfw_action *action, uint32_t record);

/* --- with locks: quanta_look.c ------------------------------------------------------ */

/* Before jobs are looked at: what has become of those that are under way? Those that are
   to go on do so where nobody has their processors. */
void lxfw_quanta_look(struct lxfw_agent *agent);

/* When the actions of a pass are done: where agent->quanta.tell, nodes are told once more
   that jobs go on. True: all are, before any DEADLINE_US. */
bool lxfw_quanta_tell(struct lxfw_agent *agent, uint64_t deadline_us);

/* Let the suspended job go on, if that can be now; else say once why it waits. */
void lxfw_quanta_try_resume(struct lxfw_agent *agent, struct lxfw_lent *lent);

/* The library is to be told of the job of RECORD again, whatever it was told. */
void lxfw_quanta_tell_anew(struct lxfw_agent *agent, uint32_t record);

#endif
