/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OpenPBS as a workload manager of plugins/agent/wlm.h.
 *
 *   wlm.c    looking: the site is read completely and reported to the agent
 *   waiting.c  likewise, jobs that wait
 *   blocks.c likewise, reservations and times in which jobs may not run
 *   act.c    acting
 *   mixed_start.c  likewise, jobs that are several of the library (mixed.h)
 *   preempt.c  suspensions of several jobs, or for jobs of a higher level
 *   tiers.c    levels of jobs, and whether they preempt
 *   confirm.c  reservations; resv_place.c, their vnodes; reserve.c, what they have of them
 *   measure.c  amounts that scripts print
 *   rank.c   the order that the site prescribes
 *   offer.c  jobs that the library does not schedule, comments
 *   expect.c  expected starts
 *   accrue.c  what the wait of jobs counts as
 *   unfit.c  hosts on which a job does not fit (barred.h)
 *
 * The server does not check whether a vnode has room for a job. Every start and every
 * resumption is therefore checked against the vnodes' resources here.
 */
#ifndef LXFW_PBS_WLM_H
#define LXFW_PBS_WLM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/agent/agent.h"
#include "plugins/pbs/calendar.h"
#include "plugins/pbs/calls.h"
#include "plugins/pbs/charges.h"
#include "plugins/pbs/decided.h"
#include "plugins/pbs/formula.h"
#include "plugins/pbs/scripts.h"
#include "plugins/pbs/sets.h"
#include "plugins/pbs/site.h"
#include "plugins/pbs/usage.h"
#include "plugins/pbs/watch.h"

/* Bound of the comments and times that a pass sets. */
#define LXFW_PBS_TELLINGS_MAX 100

/* What the adapter knows of a job, in the agent's entry of it. */
struct lxfw_pbs_own {
	int64_t started;	/* start of the run that the rest is about; 0: none */
	int64_t suspended;	/* seconds that this run was suspended, until `resumed` */
	int64_t resumed;	/* time of the last resumption; 0: none */
	int64_t stopped;	/* time of the present suspension; 0: it runs */
	int64_t requeued;	/* time at which it was requeued; 0: it has been since */
	int64_t asked;		/* time of the last start by the daemon; 0: none */
	uint32_t asked_on;	/* link.number then */
	int64_t retry;		/* not started again before this time */
	uint8_t failures;	/* consecutive starts after which it was pending at once */
	uint32_t batch;		/* decision in which it was suspended with others; 0: none */
	char outcome;		/* of that, as of lxfw_pbs_preempt() */
	uint32_t valuation;	/* pbs->valuation of `value`; 0: it has none */
	double value;		/* of the formula */
	int64_t written;	/* time at which its expected start was written; 0: never */
	uint64_t written_hosts;	/* identifies the expected hosts that the server has; 0: none */
	bool operated;		/* an operator runs it: it is above all levels */
	bool mixed;		/* it waits, and is a part of a mixed job (mixed.h) */
	/* barred.h */
	uint8_t unfits;		/* starts since the last one that the vnodes refused */
	uint64_t unfit_request;	/* what it requested then */
	uint32_t barred;	/* number of its list of hosts; 0: none */
	int64_t examined;	/* time at which it was made; 0: it must be made again */
};

/* What is in use of a vnode. */
struct lxfw_pbs_in_use {
	struct lxfw_resources used;
	int32_t users, owners;
};

/* An occurrence of a reservation. */
struct lxfw_pbs_reserved {
	const struct lxfw_pbs_resv *resv;
	const struct lxfw_pbs_occurrence *occurrence;
};

/* What reservations have at most of the vnodes (reserve.c). */
struct lxfw_pbs_peaks {
	struct lxfw_pbs_reserved *by_start, *by_end;
	size_t by_start_size, by_end_size;
	size_t count;		/* of the time that was last asked for */
	struct lxfw_pbs_in_use *now, *peak;	/* by vnode */
	size_t now_size, peak_size;
};

/* A mixed job that is being started: its parts are laid out one after the other. */
struct lxfw_pbs_starting {
	uint64_t id;		/* the library's, of its first part; 0: none */
	uint32_t decision;
	char **text;		/* exec_vnodes by part; NULL: not laid out */
	int32_t count;		/* number of parts */
	bool begun;		/* its start has been requested */
};

struct lxfw_pbs {
	struct lxfw_agent agent;	/* the first member */
	struct lxfw_pbs_site site;
	struct lxfw_pbs_sets sets;
	struct lxfw_share *shares, *others;	/* scratch */
	size_t shares_size, others_size;
	struct lxfw_pbs_peaks peaks;
	const char *sched;	/* name of the scheduler */
	char *priv;		/* folder of its configuration; NULL: unknown */
	struct lxfw_pbs_calendar calendar;
	struct lxfw_pbs_scripts scripts;
	const char *folder;	/* of files that outlive the process; NULL: none */
	int64_t (*clock)(void);	/* seconds since 1970; NULL: the system clock */
	char *unserved;		/* queues whose jobs get no quantum, separated by colons; or
				   NULL */
	int64_t most_procs;	/* of a job that gets a quantum; 0: any */
	bool shadow;		/* decides, and does nothing */
	bool watches;		/* likewise, for a user without privileges (survey.h) */
	bool depth_given;	/* the number of reservations is among the parameters */
	bool assumes;		/* sched_config cannot be read; this has been logged */
	bool seen_strict;	/* it cannot, and jobs had estimated starts */
	int64_t defined;	/* --watch: time at which the definitions of resources were
				   read last */
	int64_t connected;	/* --watch, --shadow: time at which the connection was made */
	int64_t before;		/* --watch: time of the last look that succeeded; 0: none has */
	const char *journal;	/* path of the journal; NULL: as the parameters say */
	bool tiers_given;	/* lxfw_preempt_tiers is among the parameters */
	bool preempts;		/* otherwise: preemptive_sched applies, and there are levels */
	bool silent;		/* writes no comments and expected starts */
	bool kinds_known;
	bool forgot;		/* all sets must be made again */
	bool idle;		/* scheduling is off; this has been logged */
	uint64_t read_us;	/* time at which `idle` was read last, of lxfw_now_us() */
	uint64_t recheck_us;	/* age at which it is read again before a start */
	bool unreadable;	/* the server cannot be read; this has been logged */
	bool kept;		/* suspended jobs keep their processors; this has been logged */
	struct lxfw_pbs_decisions decided;
	struct lxfw_pbs_starting starting;
	bool unwritten;		/* the numbers of tasks could not be written: these are not
				   suspended */
	struct lxfw_pbs_formula formula;
	struct lxfw_pbs_formula used;	/* what is charged */
	struct lxfw_pbs_usage usage;
	struct lxfw_pbs_charges charges;
	int priority_order;	/* lxfw_pbs_priority_order() at this look */
	int64_t valued;		/* time at which the formula was evaluated last */
	uint32_t valuation;	/* number of these evaluations */
	size_t next_resv;	/* the first reservation that the next pass may confirm */
	uint64_t confirm_us;	/* time for that in a pass */
	int tellings;		/* comments and times set in this pass */
	int bars_computed;	/* lists of barred hosts made in this pass */
	int unanswered;		/* starts since the server has answered one */
	uint32_t suspended_in;	/* decision in which a job was suspended last */
	/* Shared with the thread that reads commands, which must not wait for `mutex`: it is held
	   while the server answers. */
	struct lxfw_pbs_watch watch;
	atomic_bool redefined;	/* the definitions of resources may have changed */
	pthread_mutex_t mutex;	/* of the primary connection */
	struct lxfw_pbs_link link;
	char *considered;	/* the job that an operator wants to run, as of the last look: it is
				   above all levels; or NULL */
	pthread_mutex_t wanted_mutex;	/* of what follows */
	char *wanted;		/* the job that an operator wants to run; or NULL */
	bool answered;		/* that thread must end the command */
	atomic_bool changed;	/* since the last look */
	atomic_bool stirred;	/* the server has sent a command since */
};

/* Initializes PBS, which must be zeroed. The strings must stay valid. */
void lxfw_pbs_init(struct lxfw_pbs *pbs, const struct lxfw_params *params,
		   const char *sched, const char *folder);
void lxfw_pbs_destroy(struct lxfw_pbs *pbs);

/* Returns the part of the agent's entry. */
static inline struct lxfw_pbs_own *lxfw_pbs_own(struct lxfw_known_job *known)
{
	return (void *)known->own;
}

/* Reads what the job uses. Returns false if it uses nothing. */
bool lxfw_pbs_read_run(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job, struct lxfw_run *run);

/* waiting.c */
/* Reports a set of hosts, and those before it, if that has not been done. Returns 0. */
int lxfw_pbs_tell_set(struct lxfw_pbs *pbs, int32_t id);
/* The tier of the job at present: LXFW_PBS_TIER_MOST if an operator runs it. */
int32_t lxfw_pbs_present_tier(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job);
/* Sets the request of a job for the library. Returns 1; 0 with *WHY set if the library cannot
   represent it; or -1 if memory ran out, which is noted. */
int lxfw_pbs_make_request(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			  struct lxfw_request *request, struct lxfw_error *why);
/* Returns true if the policy has no order of its own. */
bool lxfw_pbs_follows_site(const struct lxfw_pbs *pbs);
/* Reports a job that waits in a queue of this scheduler. */
void lxfw_pbs_show_waiting(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job);

/* aside.c */
/* Reports that the job waits without the library. UNTIL: when this ends; 0: unknown. */
void lxfw_pbs_aside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		    enum lxfw_reason reason, enum lxfw_limited limited, int64_t until);
/* The same of a job that does not wait in a queue of this scheduler, if it is held or waits for
   a time or a reservation. */
void lxfw_pbs_tell_aside(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job);
/* What a limit counts. */
enum lxfw_limited lxfw_pbs_limited_by(const struct lxfw_pbs_limit *limit);

/* blocks.c */
void lxfw_pbs_look_at_blocks(void *context);

/* unfit.c */
/* Called in each look, before jobs. */
void lxfw_pbs_begin_bars(struct lxfw_pbs *pbs);
/* Sets the hosts that are barred from a waiting job, and whether it waits for hosts without other
   jobs. */
void lxfw_pbs_bar(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own, struct lxfw_pbs_job *job);
/* Called when the vnodes of the hosts that the library has chosen do not have room for the job.
   It is reported again, without such hosts. */
void lxfw_pbs_unfit(void *context, struct lxfw_known_job *known,
		    const struct lxfw_action *action);
/* The job starts. */
void lxfw_pbs_fit(struct lxfw_pbs_own *own);
/* Called when hosts get other numbers. */
void lxfw_pbs_forget_bars(struct lxfw_pbs *pbs);

/* act.c */
enum lxfw_answer lxfw_pbs_start(void *context, struct lxfw_known_job *known,
				const struct lxfw_action *action, struct lxfw_run *run);
bool lxfw_pbs_busy(void *context, const struct lxfw_action *action);
enum lxfw_answer lxfw_pbs_suspend(void *context, struct lxfw_known_job *known,
				  struct lxfw_preempted *preempted, bool own_end,
				  struct lxfw_error *why);
enum lxfw_answer lxfw_pbs_resume(void *context, const struct lxfw_preempted *preempted,
				 struct lxfw_error *why);
/* Returns true if a suspended job waits for the scheduler to resume it: the scheduler suspended
   it, or an operator has asked for its resumption. */
bool lxfw_pbs_waits_to_resume(const struct lxfw_pbs_job *job);
/* Resumes the job if its vnodes have room. Returns false with *WHY set if not; *WHY is empty if
   that is short-lived. */
bool lxfw_pbs_try_resume(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job,
			 struct lxfw_error *why);
enum lxfw_answer lxfw_pbs_requeue(void *context, uint32_t record, struct lxfw_error *why);
/* Runs JOB on the vnodes, which are freed if that fails. ANSWER as of lxfw_pbs_run(). Returns 0, or
   -1 with *WHY set. */
int lxfw_pbs_begin(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, char *vnodes, bool answer,
		   struct lxfw_error *why);
/* Tests whether the job may begin now for a run of SECONDS, as far as that does not depend on its
   vnodes. Returns LXFW_DONE, or the answer to the start. */
enum lxfw_answer lxfw_pbs_may_begin(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
				    const struct lxfw_pbs_job *job,
				    const struct lxfw_action *action, int64_t seconds);
/* The run time with which the job starts: of a job that can be shortened, what the library
   decided. */
int64_t lxfw_pbs_run_time(const struct lxfw_known_job *known, const struct lxfw_pbs_job *job,
			  const struct lxfw_action *action);
/* The layout of JOB, or of a part, for a run of SECONDS. Fails as lxfw_pbs_layout(). */
char *lxfw_pbs_lay(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
		   const struct lxfw_action *action, int64_t seconds);
/* The answer if that fails. */
enum lxfw_answer lxfw_pbs_not_laid(const struct lxfw_pbs_job *job);
/* Runs the job by a decision of the library; VNODES are freed if that fails. OWN is of the job. */
enum lxfw_answer lxfw_pbs_launch(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own,
				 struct lxfw_pbs_job *job, const struct lxfw_action *action,
				 char *vnodes, int64_t seconds);
/* Delays the next start of a job whose start has failed, more and more: the server holds a job that
   has failed often. */
void lxfw_pbs_put_off(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own);

/* mixed_start.c */
/* What holds for JOB (decided.h), or NULL. */
const struct lxfw_pbs_decided *lxfw_pbs_decided_of(struct lxfw_pbs *pbs,
						   const struct lxfw_pbs_job *job);
/* Tests a part, and lays it out. */
enum lxfw_answer lxfw_pbs_may_start(void *context, struct lxfw_known_job *known,
				    const struct lxfw_action *action);
/* Starts the job with its first part, and only reports the others. */
enum lxfw_answer lxfw_pbs_start_part(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
				     struct lxfw_pbs_job *job,
				     const struct lxfw_action *action, struct lxfw_run *run);
/* A mixed job holds vnodes: from now on it is one job of the library. */
void lxfw_pbs_unite(struct lxfw_pbs *pbs, struct lxfw_known_job *known);
void lxfw_pbs_starting_clear(struct lxfw_pbs_starting *starting);

/* tiers.c */
/* Sets lxfw_preempt_tiers of PARAMS by preemptive_sched, unless it was given or does not
   apply. */
void lxfw_pbs_choose_tiers(const struct lxfw_pbs *pbs, struct lxfw_params *params);
/* The same for the agent's parameters, after the server has been read. */
void lxfw_pbs_update_tiers(struct lxfw_pbs *pbs);
/* Returns true if the library may preempt JOB, which runs: it is in no reservation, and can be
   preempted. */
bool lxfw_pbs_may_preempt(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job);
/* Returns true if the policy can preempt by level and the site does so at this time. */
bool lxfw_pbs_preempts_now(const struct lxfw_pbs *pbs);

/* preempt.c */
/* Suspends JOB, whose suspension is the present action, and the jobs of the actions of the same
   kind that follow, with one request, if there are such. Returns false if that is not possible, or
   there are none. The outcomes are in own->outcome of each. */
bool lxfw_pbs_suspend_all(struct lxfw_pbs *pbs, struct lxfw_known_job *known);
/* Returns true if the job must not be suspended now, with *WHY set. */
bool lxfw_pbs_must_run(const struct lxfw_pbs *pbs, struct lxfw_known_job *known,
		       const struct lxfw_pbs_job *job, bool own_end, struct lxfw_error *why);
/* Enters that the job is suspended. */
void lxfw_pbs_suspended(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			struct lxfw_pbs_job *job);

/* rank.c */
/* Called in each look, before the others. Reads the formula, and charges jobs for what they
   use. */
void lxfw_pbs_begin_ranks(struct lxfw_pbs *pbs);
/* Sets *PRIORITY of a waiting JOB for the library. Returns false if the job must not run, because
   the value of the formula is not above the threshold. */
bool lxfw_pbs_rank(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int64_t *priority);
/* The conditions of a job (sched.h) that depend on its share. */
unsigned lxfw_pbs_share_conditions(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job);

/* accrue.c */
/* Tells the server what the wait of JOB counts as, which is reported by it, and of the array of a
   task. */
void lxfw_pbs_accrue(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job);

/* measure.c */

/* Takes the scripts of the calendar. */
void lxfw_pbs_set_scripts(struct lxfw_pbs *pbs);
/* Sets what the pools have whose amounts scripts print, which run if a job waits for them. */
void lxfw_pbs_measure(struct lxfw_pbs *pbs);

/* expect.c */

/* Tells the server when and on which vnodes KNOWN is expected to start, as far as that is known and
   has changed. JOB is that job, or the array of which it is a task. */
void lxfw_pbs_tell_time(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			const struct lxfw_pbs_job *job);

/* offer.c */
/* Returns an exec_vnode on any hosts that suit the job and have room for it now, which the
   caller frees; or NULL with *WHY set. A job without a queue may use hosts of no queue. */
char *lxfw_pbs_anywhere(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			struct lxfw_error *why);
/* Tells the user of an array of which no task has begun that JOB, its task, could not start, because
   of WHY as of lxfw_pbs_begin(). The server tells that of other jobs itself. */
void lxfw_pbs_tell_failure(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			   const char *why);
/* At the beginning of a look: sets pbs->considered. */
void lxfw_pbs_consider_wanted(struct lxfw_pbs *pbs);
/* Runs the job pbs->wanted, if one is, unless it runs since this pass, and answers the server; or
   leaves it to the next pass if jobs may have to be preempted for it. */
void lxfw_pbs_serve_operator(struct lxfw_pbs *pbs);
bool lxfw_pbs_has_offers(void *context);
bool lxfw_pbs_offer(void *context, uint64_t deadline_us);

/* confirm.c */
/* Confirms or refuses reservations that wait for it, for pbs->confirm_us; the others, and what is
   not complete then, in later passes. */
void lxfw_pbs_confirm(struct lxfw_pbs *pbs);

/* resv_place.c */
/* Returns the vnodes for a reservation that waits for an answer, in the form of the answer, which
   the caller frees. Returns NULL with *WHY set if there are none, or with *LATER set if not all
   have been found until DEADLINE_US: the next call, perhaps after another look, continues. */
char *lxfw_pbs_place_resv(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv, uint64_t deadline_us,
			  bool *later, struct lxfw_error *why);

/* reserve.c */
/* Returns true if the job is in the queue of the reservation. */
bool lxfw_pbs_is_in(const struct lxfw_pbs_job *job, const struct lxfw_pbs_resv *resv);
/* Exchanges what is in use of all vnodes with OTHER. */
void lxfw_pbs_use_swap(struct lxfw_pbs_site *site, struct lxfw_pbs_in_use *other);
/* Adds to what is in use of each vnode the most that reservations have of it at any time between
   START and END. EXCEPT is left out; NULL: none is. */
void lxfw_pbs_use_resvs(struct lxfw_pbs *pbs, int64_t start, int64_t end,
			const struct lxfw_pbs_resv *except);
/* Removes what the last call added. */
void lxfw_pbs_free_resvs(struct lxfw_pbs *pbs);
void lxfw_pbs_peaks_clear(struct lxfw_pbs_peaks *peaks);

#endif
