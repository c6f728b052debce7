/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy and its parameters, and their textual form: the comma-separated
 * `lxfw_*` keys that slurm.conf carries in SchedulerParameters and that
 * `lxfw simulate --params` takes. lxfw-params(5) documents every key.
 *
 * Priority (Chiang and Vernon 2001, section 2.2, table 3):
 *   Ww*Jw + Wx*Jx + Wp*Jp + Wm*Jm + Wpe*max(Jp, Jm) + Wbypass*bypassed
 * with Jw the wait in hours, Jx = (wait + requested) / requested, Jp the
 * processors, Jm the requested memory over the cluster's mean memory per
 * processor. Not in the paper: + Wsite*Js, with Js the priority that the workload
 * manager itself gives the job, in thousands.
 */
#ifndef LXFW_PARAMS_PARAMS_H
#define LXFW_PARAMS_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

/* The codes of policies that tests name; a new policy has its code in its own file
   (params/policy.h). */
enum lxfw_policy {
	LXFW_POLICY_FCFS = 1,	/* by submit time, nobody overtakes */
	LXFW_POLICY_EASY,	/* FCFS-backfill: by submit time, k reserved */
	LXFW_POLICY_CONSERVATIVE, /* by submit time, everyone reserved */
	LXFW_POLICY_PRIORITY,	/* table 3, column Priority-bf */
	LXFW_POLICY_LXFW,	/* table 3, column LXF&W-bf */
	LXFW_POLICY_SJF,	/* shortest request first; a start time once
				   given is kept */
	LXFW_POLICY_EQSPATIAL,	/* section 2.5: equal shares of each host */
	LXFW_POLICY_CLASSES,	/* section 2.1: job classes with limits and
				   priorities per host (NCSA-LSF*), as told by
				   LXFW_EVENT_JOB_CLASSES */
	LXFW_POLICY_SCRIPT = 255, /* a user's own, from a file: `digest` */
};

/* How a job gets its quantum of immediate service (section 2.4). */
enum lxfw_quantum_mode {
	LXFW_QUANTUM_OFF,
	LXFW_QUANTUM_SOON,	/* as soon as processors are free */
	LXFW_QUANTUM_PREEMPT,	/* running jobs are suspended for it */
};

/* What becomes of a job that is not over at the end of its quantum. */
enum lxfw_quantum_end {
	LXFW_QUANTUM_REQUEUE,	/* it waits again, its work is lost */
	LXFW_QUANTUM_SUSPEND,	/* it waits where it is and keeps its work, where
				   it has all the memory that it asked for; else
				   it is requeued */
};

/* Whether a reservation may move to a later time for one of higher priority. */
enum lxfw_reservation_mode {
	LXFW_RESERVATION_DYNAMIC,	/* made anew in the order of priority as soon
					   as any may start earlier (section 2.2) */
	LXFW_RESERVATION_COMPRESS,	/* only to an earlier time, in the order of
					   priority (Mu'alem and Feitelson 2001,
					   conservative backfilling) */
};

/* `reservations` of a policy that reserves for every waiting job. */
#define LXFW_RESERVATIONS_ALL INT32_MAX

/* Bytes of a SHA-256. */
#define LXFW_DIGEST_SIZE 32

struct lxfw_policy_type;

struct lxfw_params {
	enum lxfw_policy policy;
	double ww, wx, wp, wm, wpe, wbypass, wsite;	/* 0 .. 1e6 each */
	int32_t reservations;	/* 1 .. 1000000, or LXFW_RESERVATIONS_ALL */
	enum lxfw_reservation_mode reservation_mode;
	int64_t interval;	/* longest time between passes while jobs wait,
				   seconds; 0 = passes only follow events */
	/* immediate service */
	enum lxfw_quantum_mode quantum_mode;
	enum lxfw_quantum_end quantum_end;
	int64_t quantum;	/* its length, seconds; 0 = none */
	int64_t quantum_mem;	/* most memory of a job in its quantum, MB: on
				   each host of a job that asks for hosts, in
				   all of one that asks for processors anywhere */
	int64_t quantum_min_run;	/* least time that a job has run without
					   interruption before it is preempted,
					   seconds */
	/* A victim's contract: bounds on how running jobs are preempted; 0 = none */
	int64_t victim_suspensions;	/* most of a job, in one run of it */
	int64_t victim_interval;	/* least time that a job which was suspended
					   before has run since it went on, s */
	int64_t victim_share;	/* most per cent of the time since its start that
				   a job is suspended: 1 .. 100 */
	/* EQspatial */
	int64_t eq_min_interval;	/* least time between repartitions of a
					   host, seconds */
	int64_t eq_full_after;	/* jobs that have run so long get what they asked
				   for, seconds; 0 = never */
	/* A policy from a file, "script:SHA-256" in texts; else 0 and NULL */
	uint8_t digest[LXFW_DIGEST_SIZE];
	const struct lxfw_policy_type *script;	/* in no text: set by who has read
						   the file; NULL: nobody has */
};

/* Whether jobs get a quantum of immediate service. */
static inline bool lxfw_params_serve(const struct lxfw_params *params)
{
	return params->quantum > 0 && params->quantum_mode != LXFW_QUANTUM_OFF;
}

/* Whether running jobs may be suspended, requeued or resized. */
bool lxfw_params_interrupt(const struct lxfw_params *params);

/* The preset of a policy; of what is none, that of fcfs. */
void lxfw_params_preset(struct lxfw_params *params, enum lxfw_policy policy);

/* Name to policy; 0 if there is none of that name. And back. What begins with "script:"
   is a policy from a file. */
enum lxfw_policy lxfw_policy_by_name(const char *name, int length);
const char *lxfw_policy_name(enum lxfw_policy policy);

/* "fcfs, easy, ..." for messages. */
const char *lxfw_policy_names(void);

/* Whether every field is in the range that the table of keys gives, and can be written
   as text; and whether all of them are the same. */
bool lxfw_params_valid(const struct lxfw_params *params);
bool lxfw_params_same(const struct lxfw_params *a, const struct lxfw_params *b);

/*
 * The canonical text of parameters, as a journal records them: the policy, then in the
 * order of the table every key that means something to it, whatever its value, and what
 * else is not its preset; "lxfw_policy=lxfw,lxfw_ww=0.0167,...". Returns its length, or
 * -1 with errno EINVAL where the parameters are not valid.
 */
#define LXFW_PARAMS_TEXT_SIZE 4096
int lxfw_params_text(const struct lxfw_params *params, char *text);

/*
 * Back from such a text, of this release or an earlier one: a key that is not there has
 * its preset. 0, or -1 with errno EINVAL where it is no such text, or ENOTSUP where it
 * names a policy or a key that this release does not know.
 */
int lxfw_params_from_text(struct lxfw_params *params, const char *text);

/*
 * Read the lxfw_* keys of TEXT, e.g. "defer,lxfw_policy=lxfw,lxfw_wx=2".
 * `lxfw_policy` takes effect first wherever it stands, the other keys override
 * the preset. Items that do not begin with "lxfw", in whatever case, belong to
 * others and are passed over; space around keys and values does not matter. A
 * weight given for a policy that has no weights (fcfs, easy, conservative, sjf)
 * is an error, not silently ignored, and so are reservations given for fcfs or
 * conservative. Weights are decimal numbers of at most 15 digits without sign
 * or exponent, read alike in every locale.
 *
 * Starts from *PARAMS as it is when no lxfw_policy is given. On any error
 * (unknown key, bad or out-of-range value, key given twice) *PARAMS is left
 * untouched; returns -1 with errno EINVAL and the key in ERROR. TEXT may be
 * NULL. *JOURNAL, if JOURNAL is not NULL, is pointed at the value of
 * lxfw_journal inside TEXT with its length in *JOURNAL_LENGTH, or NULL.
 */
int lxfw_params_parse(struct lxfw_params *params, const char *text,
		      const char **journal, int *journal_length,
		      struct lxfw_error *error);

/*
 * The value of KEY in TEXT, with its length, or NULL where TEXT gives none. For
 * keys that mean something to the plugin alone, after lxfw_params_parse() has
 * found TEXT good.
 */
const char *lxfw_params_value(const char *text, const char *key, int *length);

/* The same of a key that is a number or a choice, by its index, without a field here: its
   value in TEXT, or its default where TEXT gives none. Where the default is none, see the
   table of keys, a number below the least that it takes. */
int64_t lxfw_params_number(const char *text, const char *key);

#endif
