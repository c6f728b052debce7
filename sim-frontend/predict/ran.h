/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that have ended: request, user and run time. Logs name the users. Journals do not,
 * but are more recent. ran_file.h stores the jobs in a data base.
 */
#ifndef LXFW_PREDICT_RAN_H
#define LXFW_PREDICT_RAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/predict/experience.h"
#include "sim-frontend/predict/past.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/trace.h"

struct lxfw_ran {
	bool recorded;		/* from a journal */
	int64_t number;		/* in the log, or id in the journal */
	int64_t submit, end;	/* seconds since 1970, or of the log if that is unknown */
	int64_t ran, limit;	/* seconds, 1 or more */
	int64_t procs;		/* 1 or more */
	int32_t user, group, partition;	/* indices of `names`; -1: unknown */
	int32_t host_set;	/* of a journal; -1: every host, or unknown */
};

/* {0} is empty. */
struct lxfw_rans {
	struct lxfw_ran *jobs;
	size_t count, size;
	struct lxfw_names names;
	size_t no_limit;	/* number of jobs of logs that are left out: their limits
				   are unknown */
};

void lxfw_rans_clear(struct lxfw_rans *rans);

/* Adds a job. Returns 0, or -1 with errno ENOMEM. */
int lxfw_rans_add(struct lxfw_rans *rans, const struct lxfw_ran *job);

/* Returns the index of a name of LENGTH bytes; -1 for an empty one, or with errno ENOMEM,
   which the caller has set to 0 before. */
int32_t lxfw_rans_name(struct lxfw_rans *rans, const char *name, size_t length);

/* Adds the jobs of a trace with owners in the order of submission. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_rans_trace(struct lxfw_rans *rans, const struct lxfw_trace *trace);

/* Adds the jobs of a journal that have ended, in the order of their ends. */
int lxfw_rans_past(struct lxfw_rans *rans, const struct lxfw_past *past);

/*
 * Makes EXPERIENCE of the jobs that ended by NOW: in the order of their ends, each once.
 * Jobs of journals count from the end of the last job of a log on: earlier ones are in the
 * log, with their users. Sorts the jobs. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_rans_learn(struct lxfw_rans *rans, int64_t now, struct lxfw_experience *experience);

#endif
