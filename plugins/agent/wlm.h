/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam below which a workload manager lies. What is above it, in this folder, knows
 * none: it compares what it is shown with what it told the policy library, decides, and
 * asks for what was decided.
 *
 *   looking     look_at_hosts(), look_at_blocks(), look_at_jobs() show everything
 *               as it is, by way of mirror.h, which finds the differences
 *   acting      start(), suspend(), resume(), requeue(), resize(), and their answers
 *
 * Functions get the `context` of struct lxfw_agent. Those marked "may be NULL" are for
 * what a workload manager need not have. All but those marked
 * "without locks" are called between lock() and unlock(); one thread calls them.
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
struct lxfw_lent;
struct lxfw_served;

/* What has come of something that was asked for. */
enum lxfw_answer {
	/* It is done. Of a suspension, a requeue: or under way, and nobody else gets
	   the job's processors before it is done. */
	LXFW_DONE,
	/* Of a start: it was asked for. Later looks show the job running, or still
	   waiting, which for LXFW_START_SECONDS counts as "not yet". */
	LXFW_LATER,
	/* Not in this decision: the next one, which is made at once, may ask again. */
	LXFW_DEFERRED,
	/* Not before the next look: something is being cleaned up after there. */
	LXFW_BUSY,
	/* No, for a reason that is not about hosts. */
	LXFW_REFUSED,
	/* Not on these hosts; other ones might do. */
	LXFW_UNFIT,
	/* The job is not what it was when last looked at. */
	LXFW_GONE,
};

/* So many seconds a start that was answered by LXFW_LATER may take. */
#define LXFW_START_SECONDS 60

/* What the workload manager says that a job is doing. */
enum lxfw_phase {
	LXFW_PHASE_GONE,	/* there is no such job */
	LXFW_PHASE_WAITING,
	LXFW_PHASE_REQUEUED,	/* it waits, and its last run is cleaned up after */
	LXFW_PHASE_RUNNING,
	LXFW_PHASE_SUSPENDED,
	LXFW_PHASE_ENDING,	/* it is being cleaned up after */
	LXFW_PHASE_OVER,
};

/* A job that holds something. */
struct lxfw_run {
	uint64_t id;		/* the library's */
	uint32_t record;	/* number of its record */
	int64_t end;		/* expected, or LXFW_NEVER */
	int32_t count;		/* of shares; -1: they could not be read for lack of
				   memory */
	const struct lxfw_share *shares;	/* ascending by host; the workload
				   manager's, until it is called again. A job that somebody
				   else suspended has none of processors */
	/* Its past as the workload manager knows it, but for suspensions. `since` is 0
	   if it does not run. */
	struct lxfw_run_past past;
	bool went_on;		/* it was suspended and runs, which `end` need not show */
};

struct lxfw_wlm {
	/* What it is called in the log. */
	const char *name;
	/* What stands in the log before the number of a job's record: "JobId=". */
	const char *job;

	/* May be NULL: nothing is to be locked. */
	void (*lock)(void *context);
	void (*unlock)(void *context);

	/* Seconds since 1970. May be NULL: the machine's clock. With or without locks. */
	int64_t (*now)(void *context);

	/* What the site calls the folder of folder(). */
	const char *folder_name;
	/* The folder in which files outlive the process, to be freed; NULL if it is not
	   known now. Without locks. */
	char *(*folder)(void *context);

	/* May anything have changed since the last look? May be NULL: look each time.
	   Without locks. */
	bool (*changed)(void *context);

	/*
	 * Show hosts: lxfw_mirror_hosts(), lxfw_mirror_host(). False if the look is
	 * to end here; agent->usable is cleared if there is to be no other.
	 */
	bool (*look_at_hosts)(void *context);
	/* Show what is not to be used: lxfw_mirror_block(). May be NULL. */
	void (*look_at_blocks)(void *context);
	/* Show jobs: lxfw_mirror_set(), lxfw_mirror_waiting(), lxfw_mirror_running().
	   False as above. */
	bool (*look_at_jobs)(void *context);
	/* All jobs have been shown, and who was not is forgotten. May be NULL. */
	void (*looked)(void *context);
	/* The library's books are empty: all sets are to be shown again, and whatever else
	   follows from them. May be NULL. Without locks. */
	void (*forget)(void *context);

	/* Do hosts have the numbers of the last look? May be NULL: always. */
	bool (*same_world)(void *context);

	enum lxfw_phase (*phase)(void *context, uint32_t record);

	/* What the job holds, with its processors if we suspended it; false if it neither
	   runs nor is suspended. */
	bool (*read_run)(void *context, struct lxfw_known_job *known,
			 struct lxfw_run *run);

	/*
	 * Start the job as ACTION says. With LXFW_DONE *RUN is what runs, which may be
	 * another task of its array. With `action->until` it is a quantum: its entry
	 * is lxfw_served_find(), whose `accrue` and `cut` are the workload manager's.
	 */
	enum lxfw_answer (*start)(void *context, struct lxfw_known_job *known,
				  const struct lxfw_action *action,
				  struct lxfw_run *run);
	/* LXFW_UNFIT was entered into the books. known->in_vain says how often in a row:
	   the workload manager may take the job into its own hands, lxfw_forget_job().
	   May be NULL. */
	void (*unfit)(void *context, struct lxfw_known_job *known,
		      const struct lxfw_action *action);
	/* The library does not take the job's request. As above. */
	void (*invalid)(void *context, struct lxfw_known_job *known);
	/* The first decision of a pass has been made. As above, but without locks. */
	void (*decided)(void *context);

	/*
	 * Actions on jobs that run. *WHY is the reason for anything but LXFW_DONE.
	 * suspend() may set lent->priority; OWN_END: its quantum is over. resume()
	 * says LXFW_DEFERRED as long as others have the job's processors or its
	 * hosts cannot be told, with an empty *WHY where that is over in a moment.
	 */
	enum lxfw_answer (*suspend)(void *context, struct lxfw_known_job *known,
				    struct lxfw_lent *lent, bool own_end,
				    struct lxfw_error *why);
	enum lxfw_answer (*resume)(void *context, const struct lxfw_lent *lent,
				   struct lxfw_error *why);
	enum lxfw_answer (*requeue)(void *context, uint32_t record,
				    struct lxfw_error *why);
	/* Carry out all resizes of the host of agent->decision.actions[AT], from there
	   on, and tell what is otherwise. May be NULL if no policy resizes. */
	void (*resize)(void *context, size_t at);

	/* Nodes that run what was suspended may not have heard that it goes on: tell
	   them again; have they all been heard of since SINCE? May both be NULL: a
	   resumption is certain. */
	void (*remind)(void *context, uint32_t record);
	bool (*heard_since)(void *context, uint32_t record, int64_t since);
	/* The job waits, although we suspended it: give its priority back. May be NULL. */
	void (*give_priority)(void *context, const struct lxfw_lent *lent);
	/*
	 * The job waits after its quantum: put back what its record had before. With
	 * LXFW_DEFERRED it cannot start yet: it keeps its place, lxfw_mirror_keep(), and is
	 * not shown as waiting. May be NULL.
	 */
	enum lxfw_answer (*settle)(void *context, struct lxfw_served *served);
	/* Was the job killed for lack of memory that its quantum did not give it? May be
	   NULL: no. */
	bool (*outgrew)(void *context, const struct lxfw_served *served);
	/* Write job records now. What is not written a crash undoes. May be NULL.
	   Without locks. */
	void (*save)(void *context);

	/* The job has a reservation, from ACTION; or none any more. May be NULL. */
	void (*reserve)(void *context, struct lxfw_known_job *known,
			const struct lxfw_action *action);
	void (*unreserve)(void *context, struct lxfw_known_job *known);

	/* Jobs that the library does not schedule, until DEADLINE_US of lxfw_now_us();
	   true if all is done. May be NULL; has_offers() is called without locks. */
	bool (*has_offers)(void *context);
	bool (*offer)(void *context, uint64_t deadline_us);

	/* A pass begins to decide, or is over. May be NULL. Without locks. */
	void (*passing)(void *context, bool begins);
};

#endif
