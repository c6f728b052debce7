/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs that have a quantum of immediate service, and the jobs that were suspended for
 * others, by immediate service or by a policy that preempts. Each operation is written to the file `lxfw_quanta` of
 * wlm->folder() before it is carried out. After a restart the operations in that file
 * are undone. The file may contain jobs that are not suspended, but never lacks one
 * that is.
 *
 * In the library's model a resumed job runs immediately. In the workload manager it
 * stays suspended until its processors are free: the job that used them must be cleaned
 * up, and an administrator may have started or resumed another job there.
 */
#ifndef LXFW_AGENT_QUANTA_H
#define LXFW_AGENT_QUANTA_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/agent/agent.h"

/* --- without locks: quanta.c -------------------------------------------------------- */

/* Reads the file that an earlier process left, and has the model rebuilt with what it contains.
   Does nothing if it has been read. A file that cannot be read is not replaced; the next call
   tries again. */
void lxfw_quanta_load(struct lxfw_agent *agent);

/* Records the suspensions and quanta of the decision and writes them to the file. If
   writing fails, they will not be carried out. */
void lxfw_quanta_plan(struct lxfw_agent *agent);

/* Removes the records of planned operations that were not carried out. Called when the
   decision's actions are done or will not be continued. */
void lxfw_quanta_done(struct lxfw_agent *agent);

/* Writes the file if the records have changed, unless lxfw_agent_abandoned(). */
void lxfw_quanta_save(struct lxfw_agent *agent);

/* Records that the job was requeued, and that its run had begun at BEGAN, until the workload
   manager has saved that. With locks. */
void lxfw_quanta_requeued(struct lxfw_agent *agent, uint32_t record, int64_t began);

/* Ends all quanta and preemptions at the next look, because the model is empty, and writes to
   the file which jobs that will requeue. */
void lxfw_quanta_end_all(struct lxfw_agent *agent);

/* --- queries ------------------------------------------------------------------------ */

/* Returns true if the agent suspended the job of RECORD and has not resumed it. The
   model then has more information about it than the workload manager. */
bool lxfw_quanta_hold(const struct lxfw_agent *agent, uint32_t record);

/* Returns true if the policy and the job's history permit a quantum. */
bool lxfw_quanta_may_serve(const struct lxfw_agent *agent, uint64_t id);

/* Returns the time from which the job waits: if it was requeued after a quantum, its
   original submission time, else SUBMIT. */
int64_t lxfw_quanta_submit(const struct lxfw_agent *agent, uint64_t id,
			   int64_t submit);

/* Returns the library's id of the job for which the preemptions before action AT are
   made, or 0. *START is set to the index of its start, or to the number of actions if
   it is resumed. */
uint64_t lxfw_quanta_served_after(const struct lxfw_agent *agent, size_t at,
				  size_t *start);

/* --- actions, with locks: quanta_act.c ---------------------------------------------- */

/* Carry out an action of the decision. A failure is reported to the library. */
void lxfw_quanta_suspend(struct lxfw_agent *agent, const struct lxfw_action *action);
/* Returns the job that a later ACTION of this decision suspends, if nothing known now is against
   it; or NULL. A workload manager may suspend it together with the job whose suspension it
   carries out, and answers its suspend() then. */
struct lxfw_known_job *lxfw_quanta_may_suspend(struct lxfw_agent *agent,
					       const struct lxfw_action *action);
void lxfw_quanta_resume(struct lxfw_agent *agent, const struct lxfw_action *action);
void lxfw_quanta_requeue(struct lxfw_agent *agent, const struct lxfw_action *action);

/* Returns true if a preemption for the start of KNOWN failed, once. *BUSY is set if it
   may be tried again as soon as hosts have been cleaned up. */
bool lxfw_quanta_failed(struct lxfw_agent *agent, const struct lxfw_known_job *known,
			bool *busy);
/* Returns true if KNOWN may start for a quantum: its record has been written. */
bool lxfw_quanta_may_begin(const struct lxfw_agent *agent,
			   const struct lxfw_known_job *known);
/* Records that its quantum has begun, in job record RECORD. */
void lxfw_quanta_begun(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		       const struct lxfw_action *action, uint32_t record);

/* --- with locks: quanta_look.c ------------------------------------------------------ */

/* Updates the records from the state of the jobs. Resumes jobs whose processors are
   free. Called before jobs are read. */
void lxfw_quanta_look(struct lxfw_agent *agent);

/* Repeats resume messages to nodes where necessary. Called when the actions of a pass
   are done and agent->quanta.tell is set. Always completes and returns true, regardless
   of DEADLINE_US. */
bool lxfw_quanta_tell(struct lxfw_agent *agent, uint64_t deadline_us);

/* Resumes the suspended job if possible. Otherwise logs once why it cannot be
   resumed. */
void lxfw_quanta_try_resume(struct lxfw_agent *agent, struct lxfw_preempted *preempted);

/* Causes the job of RECORD to be reported to the library again even if nothing has
   changed. */
void lxfw_quanta_tell_anew(struct lxfw_agent *agent, uint32_t record);

#endif
