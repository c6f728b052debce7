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
 * processor.
 */
#ifndef LXFW_MODEL_PARAMS_H
#define LXFW_MODEL_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/util/error.h"

enum lxfw_policy {
	LXFW_POLICY_FCFS = 1,	/* by submit time, nobody overtakes */
	LXFW_POLICY_EASY,	/* FCFS-backfill: by submit time, k reserved */
	LXFW_POLICY_CONSERVATIVE, /* by submit time, everyone reserved */
	LXFW_POLICY_PRIORITY,	/* table 3, column Priority-bf */
	LXFW_POLICY_LXFW,	/* table 3, column LXF&W-bf */
	LXFW_POLICY_SJF,	/* shortest request first; a start time once
				   given is kept */
};

/* `reservations` of a policy that reserves for every waiting job. */
#define LXFW_RESERVATIONS_ALL INT32_MAX

struct lxfw_params {
	enum lxfw_policy policy;
	double ww, wx, wp, wm, wpe, wbypass;	/* 0 .. 1e6 each */
	int32_t reservations;	/* 1 .. 1000000, or LXFW_RESERVATIONS_ALL */
	int64_t interval;	/* longest time between passes while jobs wait,
				   seconds; 0 = passes only follow events */
};

/* The preset of a policy. */
void lxfw_params_preset(struct lxfw_params *params, enum lxfw_policy policy);

/* Name to policy; 0 if there is none of that name. And back. */
enum lxfw_policy lxfw_policy_by_name(const char *name, int length);
const char *lxfw_policy_name(enum lxfw_policy policy);

/* "fcfs, easy, ..." for messages. */
const char *lxfw_policy_names(void);

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

#endif
