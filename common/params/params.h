/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A policy with its parameters, and their text: the comma-separated `lxfw_*` keys that
 * slurm.conf has in SchedulerParameters and that `lxfw simulate --params` reads.
 * lxfw-params(5) documents every key.
 *
 * Priority (Chiang and Vernon 2001, section 2.2, table 3):
 *   Ww*Jw + Wx*Jx + Wp*Jp + Wm*Jm + Wpe*max(Jp, Jm) + Wbypass*bypassed
 * where Jw is the wait in hours, Jx = (wait + requested) / requested, Jp the number of
 * processors, and Jm the requested memory divided by the cluster's mean memory per
 * processor. The term Wsite*Js is not in the paper; Js is the priority that the workload
 * manager itself gives the job, in thousands.
 */
#ifndef LXFW_PARAMS_PARAMS_H
#define LXFW_PARAMS_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/params/placement.h"
#include "common/util/error.h"

/* Codes of the policies that tests name. The code of a new policy is in its own file
   (params/policy.h). */
enum lxfw_policy {
	LXFW_POLICY_FCFS = 1,	/* by submit time; no job overtakes another one */
	LXFW_POLICY_EASY,	/* FCFS-backfill: by submit time, k reservations */
	LXFW_POLICY_CONSERVATIVE, /* by submit time, a reservation for every job */
	LXFW_POLICY_PRIORITY,	/* table 3, column Priority-bf */
	LXFW_POLICY_LXFW,	/* table 3, column LXF&W-bf */
	LXFW_POLICY_SJF,	/* shortest request first; a start time, once given, is
				   kept */
	LXFW_POLICY_EQSPATIAL,	/* section 2.5: equal shares of each host */
	LXFW_POLICY_CLASSES,	/* section 2.1: job classes with limits and priorities per
				   host (NCSA-LSF*), set by LXFW_EVENT_JOB_CLASSES */
	LXFW_POLICY_SCRIPT = 255, /* a user's policy from a file, identified by
				     `digest` */
};

/* How a job gets its quantum of immediate service (section 2.4). */
enum lxfw_quantum_mode {
	LXFW_QUANTUM_OFF,
	LXFW_QUANTUM_SOON,	/* as soon as processors are free */
	LXFW_QUANTUM_PREEMPT,	/* by suspending running jobs */
};

/* What happens to a job that has not ended at the end of its quantum. */
enum lxfw_quantum_end {
	LXFW_QUANTUM_REQUEUE,	/* it waits again; its work is lost */
	LXFW_QUANTUM_SUSPEND,	/* it is suspended on its hosts and keeps its work, if it
				   has all the memory that it requested; otherwise it is
				   requeued */
};

/* Whether a reservation may move to a later time for one of higher priority. */
enum lxfw_reservation_mode {
	LXFW_RESERVATION_DYNAMIC,	/* made again in the order of priority whenever a
					   reservation may start earlier (section 2.2) */
	LXFW_RESERVATION_COMPRESS,	/* moved to an earlier time only, in the order of
					   priority (Mu'alem and Feitelson 2001,
					   conservative backfilling) */
};

/* Whether jobs that request no extras use hosts that have extras last. */
enum lxfw_spare_gpus {
	LXFW_SPARE_GPUS_OFF,
	LXFW_SPARE_GPUS_ON,
};

/* Whether jobs start in order between two backfill passes. */
enum lxfw_main_pass {
	LXFW_MAIN_PASS_ON,
	LXFW_MAIN_PASS_OFF,
};

/* What a job releases when a job of higher priority preempts it. */
enum lxfw_rem_frees {
	LXFW_REM_FREES_PROCS,	/* processors; it keeps memory and extras */
	LXFW_REM_FREES_ALL,	/* all resources */
};

/* The weight of a job in an order that is a list (order/list.h). */
enum lxfw_job_weight {
	LXFW_JOB_WEIGHT_EQUAL,	/* 1 */
	LXFW_JOB_WEIGHT_WORK,	/* processors times requested time */
};

/* When such an order is computed again. */
enum lxfw_list_update {
	LXFW_LIST_UPDATE_THIRD,	/* more than a third of the jobs are not in it */
	LXFW_LIST_UPDATE_SUBMISSION,	/* a job is not in it */
};

/* Which jobs a wide job of PFCFS preempts first. */
enum lxfw_pf_victims {
	LXFW_PF_VICTIMS_PROCS,	/* those with the fewest processors */
	LXFW_PF_VICTIMS_END,	/* those that are expected to end first */
};

/* How moldable jobs may start (pass/mold.h). */
enum lxfw_mold {
	LXFW_MOLD_DOWN,		/* on fewer processors than requested */
	LXFW_MOLD_BOTH,		/* on fewer or more */
};

/* Whether the decisions are carried out. The library ignores it; a journal contains it. */
enum lxfw_shadow {
	LXFW_SHADOW_OFF,
	LXFW_SHADOW_ON,		/* they are only recorded */
};

/* Value of `reservations` for a reservation for every waiting job. */
#define LXFW_RESERVATIONS_ALL INT32_MAX

/* Size of a SHA-256 digest in bytes. */
#define LXFW_DIGEST_SIZE 32

struct lxfw_policy_type;

struct lxfw_params {
	enum lxfw_policy policy;
	double ww, wx, wp, wm, wpe, wbypass, wsite;	/* 0 to 1e6 each */
	int64_t age_first;	/* jobs that have waited longer come before the others of
				   their tier, by submit time, seconds; 0: none do */
	int32_t reservations;	/* 1 to 1000000, or LXFW_RESERVATIONS_ALL */
	enum lxfw_reservation_mode reservation_mode;
	/* Jobs that may have a reservation; 0: every job */
	int64_t reservation_age;	/* least time since its submission, seconds */
	int64_t reservation_priority;	/* least priority of the workload manager
					   (LXFW_EVENT_JOB_PRIORITY) */
	int64_t reservation_window;	/* most time until its start, seconds; 0: no
					   bound */
	/* cycles of backfill passes */
	int64_t backfill_interval;	/* seconds: jobs are backfilled at multiples of it
					   only; 0: in each pass */
	enum lxfw_main_pass main_pass;
	enum lxfw_placement placement;
	enum lxfw_spare_gpus spare_gpus;
	int64_t interval;	/* longest time between passes while jobs wait, seconds;
				   0: passes follow events only */
	/* immediate service */
	enum lxfw_quantum_mode quantum_mode;
	enum lxfw_quantum_end quantum_end;
	int64_t quantum;	/* length, seconds; 0: no immediate service */
	int64_t quantum_mem;	/* most memory of a job in its quantum, MB: on each host
				   for LXFW_SHAPE_HOSTS, in total for
				   LXFW_SHAPE_ANYWHERE */
	int64_t quantum_min_run;	/* least time that a job has run without
					   interruption before it may be preempted,
					   seconds */
	/* Limits of the preemption of running jobs; 0: none */
	int64_t victim_suspensions;	/* number of suspensions of a job in one run */
	int64_t victim_interval;	/* least time that a job that was suspended before
					   has run since it was resumed, seconds */
	int64_t victim_share;	/* largest share of the time since its start that a job is
				   suspended, per cent, 1 to 100 */
	/* EQspatial */
	int64_t eq_min_interval;	/* least time between two repartitions of a host,
					   seconds */
	int64_t eq_full_after;	/* run time after which a job gets all requested
				   processors, seconds; 0: never */
	/* orders that are lists */
	enum lxfw_job_weight job_weight;
	enum lxfw_list_update list_update;
	/* PFCFS */
	int64_t pf_wide;	/* a job is wide if it requests a larger share of all
				   processors, per cent, 0 to 100 */
	int64_t pf_free;	/* least share of all processors that is free before a
				   wide job preempts others, per cent, 0 to 100 */
	int64_t pf_delay;	/* start delay from then on, seconds, 1 or more */
	int64_t pf_preemptions;	/* number of preemptions for a wide job, those of the job
				   included; 0: no bound */
	int64_t pf_gang;	/* gang length: time between two preemptions, seconds, 1
				   or more */
	enum lxfw_pf_victims pf_victims;
	/* moldable jobs */
	enum lxfw_mold mold;
	int64_t mold_threshold;	/* a job does not wait if its turnaround time on fewer
				   processors is below this, per cent of that if it
				   waits; 0: it never waits */
	/* preemptive priority */
	double rem_wait;	/* weight of each second that a job has waited */
	double rem_time;	/* weight of each second of its remaining time */
	enum lxfw_rem_frees rem_frees;	/* what a preempted job releases */
	int64_t rem_min_run;	/* least time that a job has run without interruption
				   before it may be preempted, seconds */
	/* preemption by tier */
	int64_t preempt_tiers;	/* number of tiers in a level (lxfw_params_level()); jobs
				   preempt those of lower levels. 0: no job is preempted
				   by tier */
	int64_t preempt_min_run;	/* as rem_min_run */
	enum lxfw_shadow shadow;
	/* A policy from a file, "script:SHA-256" in text. 0 and NULL for other
	   policies */
	uint8_t digest[LXFW_DIGEST_SIZE];
	const struct lxfw_policy_type *script;	/* not in the text: set by the program
						   that has read the file; NULL: the file
						   is not known */
};

/* Whether jobs get a quantum of immediate service. */
static inline bool lxfw_params_serve(const struct lxfw_params *params)
{
	return params->quantum > 0 && params->quantum_mode != LXFW_QUANTUM_OFF;
}

/* Whether jobs are preempted by tier: neither with quanta, since a suspended job waits in the
   queue, nor with reservations that are never moved to a later time. */
static inline bool lxfw_params_by_tier(const struct lxfw_params *params)
{
	return params->preempt_tiers > 0 && !lxfw_params_serve(params) &&
	       params->reservation_mode == LXFW_RESERVATION_DYNAMIC;
}

/* The level of a tier, for preemption by tier: with preempt_tiers = n, level k has the n tiers
   around k * n, those from k * n - n / 2 on. The last tier of the level of a tier, at most
   INT32_MAX. */
int32_t lxfw_params_level(const struct lxfw_params *params, int32_t tier);
int32_t lxfw_params_level_end(const struct lxfw_params *params, int32_t tier);

/* Least time that a job has run without interruption before it is suspended for another
   one, seconds. */
int64_t lxfw_params_min_run(const struct lxfw_params *params);

/* Whether running jobs may be suspended, requeued or resized. */
bool lxfw_params_interrupt(const struct lxfw_params *params);

/* Set PARAMS to the preset of a policy. An unknown policy counts as fcfs. */
void lxfw_params_preset(struct lxfw_params *params, enum lxfw_policy policy);

/* The policy of a name, 0 if there is none; and the name of a policy. A name that begins
   with "script:" is a policy from a file. */
enum lxfw_policy lxfw_policy_by_name(const char *name, int length);
const char *lxfw_policy_name(enum lxfw_policy policy);

/* The names of all policies, "fcfs, easy, ...", for messages. */
const char *lxfw_policy_names(void);

/* Whether every field is in the range of the table of keys and can be written as text;
   and whether two sets of parameters are equal. */
bool lxfw_params_valid(const struct lxfw_params *params);
bool lxfw_params_same(const struct lxfw_params *a, const struct lxfw_params *b);

/*
 * Write the canonical text of parameters, as a journal records them: the policy, then in
 * the order of the table every key that applies to the policy, and every other key that
 * differs from its preset. Example: "lxfw_policy=lxfw,lxfw_ww=0.0167,...". Returns its
 * length, or -1 with errno EINVAL if the parameters are invalid.
 */
#define LXFW_PARAMS_TEXT_SIZE 4096
int lxfw_params_text(const struct lxfw_params *params, char *text);

/* The same without the keys that have the preset of the policy, to be shown and given as
   arguments. */
int lxfw_params_brief(const struct lxfw_params *params, char *text);

/*
 * Read such a text of this or an earlier release. A key that is missing has its preset,
 * except lxfw_placement, which then is paper, if it applies to the policy.
 * Returns 0, or -1 with errno EINVAL if the text is invalid, or ENOTSUP if it has a
 * policy or a key that this release does not know.
 */
int lxfw_params_from_text(struct lxfw_params *params, const char *text);

/*
 * Read the lxfw_* keys of TEXT, for example "defer,lxfw_policy=lxfw,lxfw_wx=2".
 * `lxfw_policy` takes effect first, wherever it is in TEXT; the other keys override its
 * preset. Without lxfw_policy the other keys change *PARAMS. Items that do not begin with
 * "lxfw", in upper or lower case, are ignored, and so is space around keys and values.
 * Weights are decimal numbers of at most 15 digits without sign or exponent, independent
 * of the locale.
 *
 * A key that does not apply to the policy is an error: weights for a policy without
 * weights (fcfs, easy, conservative, sjf), reservations for fcfs or conservative.
 *
 * If JOURNAL is not NULL, *JOURNAL is set to the value of lxfw_journal inside TEXT and
 * *JOURNAL_LENGTH to its length, or to NULL. TEXT may be NULL. Returns 0, or -1 with
 * errno EINVAL, the key in ERROR and *PARAMS unchanged (unknown key, invalid value or
 * value out of range, key given twice).
 */
int lxfw_params_parse(struct lxfw_params *params, const char *text,
		      const char **journal, int *journal_length,
		      struct lxfw_error *error);

/*
 * Check that each item of TEXT, which may be NULL, has a key that lxfw_params_parse() reads.
 * For a text that is for lxfw alone, where an item that would be ignored is a mistake.
 * Returns 0, or -1 with errno EINVAL and the unknown key in ERROR, with the known one that is
 * nearest: "ww: unknown key, expected lxfw_ww?"
 */
int lxfw_params_check_keys(const char *text, struct lxfw_error *error);

/* The key that the unknown NAME of LENGTH bytes probably means, or NULL. The prefix "lxfw_"
   may be missing. */
const char *lxfw_params_nearest(const char *name, int length);

/*
 * The value of KEY in TEXT, with its length in *LENGTH, or NULL if TEXT does not have the
 * key. For keys that only the plugin uses, in a TEXT that lxfw_params_parse() has
 * accepted.
 */
const char *lxfw_params_value(const char *text, const char *key, int *length);

/* The value in TEXT of a key without a field that is a number or a choice (by its index).
   If TEXT does not have the key, its preset; a preset below the key's minimum means that
   there is none. */
int64_t lxfw_params_number(const char *text, const char *key);

#endif
