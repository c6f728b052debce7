/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface to a workload manager. The rest of this folder is independent of the
 * workload manager: it compares the reported state with the state that the policy
 * library has, makes decisions, and requests the resulting actions.
 *
 *   looking     look_at_hosts(), look_at_blocks(), look_at_jobs() report the complete
 *               state through mirror.h, which finds the differences
 *   acting      start(), suspend(), resume(), requeue(), resize(), and their answers
 *
 * The functions receive the `context` of struct lxfw_agent. Functions marked "may be
 * NULL" are optional. The functions are called between lock() and unlock() unless they
 * are marked "without locks". One thread calls them.
 */
#ifndef LXFW_AGENT_WLM_H
#define LXFW_AGENT_WLM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"
#include "common/util/error.h"

struct lxfw_known_job;
struct lxfw_preempted;
struct lxfw_served;

/* Answers to a requested action. */
enum lxfw_answer {
	/* The action is done. A suspension or a requeue may still be in progress, but
	   the job's processors are not given to another job before it is complete. */
	LXFW_DONE,
	/* The start was requested. Until the job is running, later looks report it as
	   pending, which for LXFW_START_SECONDS means "not yet started". */
	LXFW_LATER,
	/* Not as part of this decision. The next decision, which follows immediately,
	   may request it again. */
	LXFW_DEFERRED,
	/* Not before the next look, because a cleanup is in progress. */
	LXFW_BUSY,
	/* Refused for a reason that does not concern the hosts. */
	LXFW_REFUSED,
	/* Refused on these hosts; others may be suitable. */
	LXFW_UNFIT,
	/* The job has changed since the last look. */
	LXFW_GONE,
	LXFW_ANSWERS,	/* their number */
};

/* Seconds that a start answered by LXFW_LATER may take. */
#define LXFW_START_SECONDS 60

/* State of a job according to the workload manager. */
enum lxfw_phase {
	LXFW_PHASE_GONE,	/* the job does not exist */
	LXFW_PHASE_WAITING,
	LXFW_PHASE_REQUEUED,	/* it is pending, and its last run is being cleaned
				   up */
	LXFW_PHASE_RUNNING,
	LXFW_PHASE_SUSPENDED,
	LXFW_PHASE_ENDING,	/* it is being cleaned up */
	LXFW_PHASE_OVER,
};

/* The resources of a running or suspended job. */
struct lxfw_run {
	uint64_t id;		/* the library's */
	uint32_t record;	/* number of its job record */
	int64_t end;		/* expected end, or LXFW_NEVER */
	int32_t count;		/* number of shares; -1: memory ran out */
	const struct lxfw_share *shares;	/* ascending by host; owned by the
						   workload manager and valid until
						   its next call. A job that was
						   suspended manually has shares
						   without processors */
	/* The job's history according to the workload manager, without suspensions.
	   `since` is 0 if the job does not run; of a suspended one, `ran` is set. */
	struct lxfw_run_past past;
	bool went_on;		/* it was suspended and runs again; `end` may be
				   unchanged */
};

struct lxfw_wlm {
	/* Name in log messages. */
	const char *name;
	/* Prefix of a job record's number in log messages: "JobId=". */
	const char *job;

	/* Take and release the controller's locks. Both may be NULL if there are
	   none. */
	void (*lock)(void *context);
	void (*unlock)(void *context);

	/* Returns seconds since 1970. May be NULL: the system clock is used. With or
	   without locks. */
	int64_t (*now)(void *context);

	/* The configuration's name for the folder returned by folder(). */
	const char *folder_name;
	/* Returns the folder for files that must outlive the process; the caller frees
	   it. Returns NULL if it is unknown at present. Without locks. */
	char *(*folder)(void *context);

	/* Returns true if the state may have changed since the last look. May be NULL:
	   a change is assumed. Without locks. */
	bool (*changed)(void *context);
	/* Returns true if a job was submitted since the last look, or if resources became
	   free while jobs are pending. Must be cheap: it may be called for each request
	   that the workload manager handles. May be NULL: false. Without locks. */
	bool (*stirred)(void *context);

	/*
	 * Reports hosts: lxfw_mirror_hosts(), lxfw_mirror_host(). Returns false to end
	 * the look here. Clears agent->usable if no further pass may be made.
	 */
	bool (*look_at_hosts)(void *context);
	/* Reports blocks: lxfw_mirror_block(). May be NULL. */
	void (*look_at_blocks)(void *context);
	/* Reports jobs: lxfw_mirror_set(), lxfw_mirror_waiting(), lxfw_mirror_still(),
	   lxfw_mirror_running(), and lxfw_mirror_aside() for jobs that wait without the
	   library. Returns false as look_at_hosts() does. Sets
	   agent->unfinished if it reported only a part because it took too long: the
	   locks are released for a while, and another look of the same pass follows. */
	bool (*look_at_jobs)(void *context);
	/* Called when all jobs have been reported and jobs that were not reported have
	   been removed. May be NULL. */
	void (*looked)(void *context);
	/* Called when the model is empty: all sets, and what depends on them, must be
	   reported again. May be NULL. Without locks. */
	void (*forget)(void *context);

	/* Returns true if hosts have the same indices as in the last look. May be NULL:
	   always. */
	bool (*same_world)(void *context);

	enum lxfw_phase (*phase)(void *context, uint32_t record);
	/* Returns the time at which the present run of the job began, or at which the run
	   did that has ended; 0 if it did not run, or was cancelled. It identifies the run.
	   May be NULL: requeues are saved when they are carried out. */
	int64_t (*began)(void *context, uint32_t record);

	/* Reads the job's resources into *RUN, including the processors of a job that
	   the agent suspended. Returns false if the job holds no resources; may also
	   return false for a suspended job. */
	bool (*read_run)(void *context, struct lxfw_known_job *known,
			 struct lxfw_run *run);

	/*
	 * Starts the job according to ACTION. With LXFW_DONE, *RUN is the job that
	 * runs, which may be another task of the same array. Another answer may come with
	 * the reason in known->refusal (common/model/reason.h), which the agent has set to
	 * LXFW_REASON_NONE. If `action->until` is not
	 * LXFW_NEVER, the job starts for a quantum: its entry is lxfw_served_find(),
	 * and the workload manager sets `accrue` and `cut`.
	 */
	enum lxfw_answer (*start)(void *context, struct lxfw_known_job *known,
				  const struct lxfw_action *action,
				  struct lxfw_run *run);
	/*
	 * For a job of a group. may_start() is called for each of its jobs before the
	 * first is started, and returns the expected answer of start(). take_back()
	 * undoes the start of a job, because a later one of its group failed. Both may
	 * be NULL: starts do not fail.
	 */
	enum lxfw_answer (*may_start)(void *context, struct lxfw_known_job *known,
				      const struct lxfw_action *action);
	void (*take_back)(void *context, struct lxfw_known_job *known);
	/* Called when LXFW_UNFIT was recorded. known->in_vain is the number of
	   consecutive such answers. The workload manager may take the job from the
	   library by lxfw_forget_job(). May be NULL. */
	void (*unfit)(void *context, struct lxfw_known_job *known,
		      const struct lxfw_action *action);
	/* Called when the library rejects the job's request. The job may be taken from
	   the library as in unfit(). May be NULL. */
	void (*invalid)(void *context, struct lxfw_known_job *known);
	/* Called when the first decision of a pass has been made. May be NULL. Without
	   locks. */
	void (*decided)(void *context);

	/* Returns true if the start of ACTION would be answered by LXFW_BUSY. No job is then
	   suspended for it. May be NULL: false. */
	bool (*busy)(void *context, const struct lxfw_action *action);
	/*
	 * Actions on running jobs. *WHY is set to the reason for any answer other than
	 * LXFW_DONE. suspend() may set lent->priority; OWN_END means that the job's own
	 * quantum is over. resume() returns LXFW_DEFERRED while other jobs use the
	 * job's processors or its hosts cannot be reached; *WHY is empty if the
	 * condition is short-lived.
	 */
	enum lxfw_answer (*suspend)(void *context, struct lxfw_known_job *known,
				    struct lxfw_preempted *preempted, bool own_end,
				    struct lxfw_error *why);
	enum lxfw_answer (*resume)(void *context, const struct lxfw_preempted *preempted,
				   struct lxfw_error *why);
	enum lxfw_answer (*requeue)(void *context, uint32_t record,
				    struct lxfw_error *why);
	/* Carries out all resizes of one host: that of agent->decision.actions[AT] and
	   those that follow. Reports deviations from the decision. May be NULL if no
	   policy resizes jobs. */
	void (*resize)(void *context, size_t at);

	/* remind() repeats the resume message to the job's nodes, which may have missed
	   it. heard_since() returns true if all of them have responded since SINCE.
	   Both may be NULL if a resumption is certain. */
	void (*remind)(void *context, uint32_t record);
	bool (*heard_since)(void *context, uint32_t record, int64_t since);
	/* Restores the priority of a job that is pending after the agent suspended it.
	   May be NULL. */
	void (*give_priority)(void *context, const struct lxfw_preempted *preempted);
	/*
	 * Restores the job record of a job that is pending after its quantum. With
	 * LXFW_DEFERRED the job cannot start yet: lxfw_mirror_keep() keeps it in the
	 * model, and it is not reported as pending. May be NULL.
	 */
	enum lxfw_answer (*settle)(void *context, struct lxfw_served *served);
	/* Returns true if the job was killed because its quantum gave it less memory
	   than it requested. May be NULL: false. */
	bool (*outgrew)(void *context, const struct lxfw_served *served);
	/* Saves job records now. Unsaved changes are lost in a crash. May be NULL.
	   Without locks. */
	void (*save)(void *context);

	/* The job received the reservation of ACTION, or lost its reservation. Both may
	   be NULL. */
	void (*reserve)(void *context, struct lxfw_known_job *known,
			const struct lxfw_action *action);
	void (*unreserve)(void *context, struct lxfw_known_job *known);

	/* Offer jobs that the library does not schedule to the workload manager, until
	   DEADLINE_US of lxfw_now_us(). offer() returns true if all have been offered.
	   Both may be NULL. has_offers() is called without locks. */
	bool (*has_offers)(void *context);
	bool (*offer)(void *context, uint64_t deadline_us);

	/* Called before the first decision of a pass and at its end. May be NULL.
	   Without locks. */
	void (*passing)(void *context, bool begins);
};

#endif
