/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that have ended: request, owner, machine and run time. Logs name the users. Journals
 * do not, but are more recent. ran_file.h stores jobs of logs in a data base.
 */
#ifndef LXFW_HISTORY_RAN_H
#define LXFW_HISTORY_RAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/trace.h"

struct lxfw_ran {
	bool recorded;		/* from a journal */
	bool own;		/* from the accounting of one user, without the jobs of others */
	int64_t number;		/* in the log, or id in the journal */
	int64_t submit, end;	/* seconds since 1970, or of the log if that is unknown */
	int64_t ran, limit;	/* seconds, 1 or more */
	int64_t procs;		/* 1 or more */
	/* Indices of `names`; -1: unknown. `name` is what the log says of the job otherwise:
	   an application, or requirements such as GPUs. */
	int32_t user, group, name, partition;
	int32_t machine;	/* index of `machines`; -1: unknown */
	int32_t host_set;	/* of a journal; -1: every host, or unknown */
};

/* A machine or cluster on which jobs ran. */
struct lxfw_ran_machine {
	char *name;
	int32_t speed;		/* per mille of the usual speed */
};

#define LXFW_RAN_SPEED 1000	/* usual speed */
#define LXFW_RAN_SPEED_MAX 1000000

/* {0} is empty. */
struct lxfw_rans {
	struct lxfw_ran *jobs;
	size_t count, size;
	struct lxfw_names names;
	struct lxfw_ran_machine *machines;
	size_t machine_count, machine_size;
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

/* Adds a machine. Returns as above. */
int lxfw_rans_machine(struct lxfw_rans *rans, const char *name, int32_t speed);

/* Returns the index of the machine, or -1. */
int32_t lxfw_rans_find(const struct lxfw_rans *rans, const char *name);

/* Removes the jobs of other machines, and forgets the machine of those that remain. */
void lxfw_rans_keep(struct lxfw_rans *rans, int32_t machine);

/*
 * Calls LEARN for the jobs that ended by NOW: in the order of their ends, each once.
 * Jobs of journals count from the end of the last job of a log of all users on: earlier ones are
 * in the log, with their users. Returns 0, or -1 with errno ENOMEM or if LEARN returned -1.
 */
int lxfw_rans_each(const struct lxfw_rans *rans, int64_t now,
		   int (*learn)(void *context, const struct lxfw_ran *job), void *context);

/* Makes EXPERIENCE of these jobs, of those that are `own` for their user only. Returns as above. */
int lxfw_rans_learn(const struct lxfw_rans *rans, int64_t now,
		    struct lxfw_experience *experience);

/* Returns the number that stands for a name (lxfw_trait_of_name), or -1. */
int64_t lxfw_rans_trait(const struct lxfw_rans *rans, int32_t name);

/* --- one job of a trace ------------------------------------------------------------- */

struct lxfw_ran_source {
	struct lxfw_rans *rans;
	const struct lxfw_trace *trace;
	struct lxfw_id_map known;	/* names of numbers */
	int64_t begin;			/* of the trace, seconds since 1970 if known */
};

/* TRACE has owners. Names are added to RANS. */
void lxfw_ran_source_begin(struct lxfw_ran_source *source, struct lxfw_rans *rans,
			   const struct lxfw_trace *trace);
void lxfw_ran_source_end(struct lxfw_ran_source *source);

/* Sets *RAN to the job at POSITION, whose limit may be its run time. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_ran_source_take(struct lxfw_ran_source *source, size_t position,
			 struct lxfw_ran *ran);

#endif
