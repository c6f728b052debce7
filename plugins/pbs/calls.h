/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of libpbs, and nothing else. Functions that return int return 0, or -1 with *WHY set.
 * A failure may be due to the loss of the connection: link->lost.
 *
 * The server sends commands on the secondary connection; the primary one carries requests.
 * Each may be used by one thread at a time.
 */
#ifndef LXFW_PBS_CALLS_H
#define LXFW_PBS_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "plugins/pbs/site.h"

/* Commands of the server to a scheduler. */
enum lxfw_pbs_command {
	LXFW_PBS_COMMAND_LOST = -1,	/* the connection is lost */
	LXFW_PBS_COMMAND_CONFIGURE = 6,
	LXFW_PBS_COMMAND_QUIT = 7,
	LXFW_PBS_COMMAND_RUN = 11,	/* run one job */
	/* All others: something has changed. */
};

struct lxfw_pbs_link {
	int primary, secondary;	/* -1: not connected */
	uint32_t number;	/* of connections made */
	atomic_bool lost;
};

/* The server closes a connection that is not of a scheduler if nothing is requested for 900 s, and
   refuses its requests after 1800 s. It is used for this many seconds. */
#define LXFW_PBS_LINK_SECONDS 600

/* Connects, and registers as scheduler SCHED. With SCHED NULL, only requests can be made. */
int lxfw_pbs_connect(struct lxfw_pbs_link *link, const char *server, const char *sched,
		     struct lxfw_error *why);
void lxfw_pbs_disconnect(struct lxfw_pbs_link *link);

/* Reads a command; *JOB is set to a job's id, which the caller frees, or NULL. */
int lxfw_pbs_command(struct lxfw_pbs_link *link, char **job);
/* Tells the server that the command has been handled. */
int lxfw_pbs_command_done(struct lxfw_pbs_link *link);
/* Answers LXFW_PBS_COMMAND_RUN. TEXT is why the job cannot run; NULL: it runs. */
int lxfw_pbs_answer_run(struct lxfw_pbs_link *link, const char *job, const char *text);

/* Read the definitions of resources; and vnodes, queues, reservations and jobs. */
int lxfw_pbs_read_kinds(struct lxfw_pbs_link *link, struct lxfw_pbs_kinds *kinds,
			struct lxfw_error *why);
int lxfw_pbs_read_site(struct lxfw_pbs_link *link, struct lxfw_pbs_site *site,
		       struct lxfw_error *why);
/* Adds jobs that have ended since the time SINCE to SITE, which must be zeroed or cleared, with their
   attributes only. Fails as well if the server does not keep a history. */
int lxfw_pbs_read_ended(struct lxfw_pbs_link *link, int64_t since, struct lxfw_pbs_site *site,
			struct lxfw_error *why);
/* Reads the scheduler NAME into *SCHED, which is cleared first, also if that fails. */
int lxfw_pbs_read_sched(struct lxfw_pbs_link *link, const char *name,
			struct lxfw_pbs_sched *sched, struct lxfw_error *why);
/* Sets *FOLDER to the folder of the scheduler's configuration (sched_priv), which the caller
   frees; NULL: the server has none. */
int lxfw_pbs_read_priv(struct lxfw_pbs_link *link, const char *name, char **folder,
		       struct lxfw_error *why);
/* Sets *SCHEDULING to whether scheduler NAME may start jobs. */
int lxfw_pbs_read_scheduling(struct lxfw_pbs_link *link, const char *name, bool *scheduling,
			     struct lxfw_error *why);

/* Act on a job. Without ANSWER, lxfw_pbs_run() does not wait for the server, and a refusal is
   known only from the next look: the job is still queued. The server carries out all requests of
   a connection in their order. */
int lxfw_pbs_run(struct lxfw_pbs_link *link, const char *job, const char *vnodes, bool answer,
		 struct lxfw_error *why);
int lxfw_pbs_signal(struct lxfw_pbs_link *link, const char *job, const char *name,
		    struct lxfw_error *why);
/* Sets *SUSPENDS to whether pbs_preempt_jobs() suspends jobs of scheduler NAME: by its
   preempt_order, which has other methods for jobs that cannot be suspended, but must not delete
   them. */
int lxfw_pbs_read_order(struct lxfw_pbs_link *link, const char *name, bool *suspends,
			struct lxfw_error *why);
/* Suspends COUNT jobs, and waits until that is done. OUTCOMES[i] is set to what happened: S, it is
   suspended; Q or C, it was requeued, C from a checkpoint; D, it is over; or 0, it runs. */
int lxfw_pbs_preempt(struct lxfw_pbs_link *link, const char *const *jobs, size_t count,
		     char *outcomes, struct lxfw_error *why);
int lxfw_pbs_rerun(struct lxfw_pbs_link *link, const char *job, struct lxfw_error *why);
/* Confirms a reservation on VNODES; refuses it if VNODES is NULL. Returns 1 if the server does not
   have it any more. */
int lxfw_pbs_confirm_resv(struct lxfw_pbs_link *link, const char *resv, const char *vnodes,
			  int64_t start, const char *partition, struct lxfw_error *why);
int lxfw_pbs_set_walltime(struct lxfw_pbs_link *link, const char *job, int64_t seconds,
			  struct lxfw_error *why);
int lxfw_pbs_set_comment(struct lxfw_pbs_link *link, const char *job, const char *text,
			 struct lxfw_error *why);
/* Sets what the wait of the job counts as, LXFW_PBS_ACCRUES_*. */
int lxfw_pbs_set_accrue(struct lxfw_pbs_link *link, const char *job, int type,
			struct lxfw_error *why);
/* Sets when the job is expected to start, and its exec_vnode then: "" removes it, NULL leaves it as
   it is. */
int lxfw_pbs_set_estimated(struct lxfw_pbs_link *link, const char *job, int64_t start,
			   const char *vnodes, struct lxfw_error *why);

#endif
