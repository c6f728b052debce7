/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The move of a waiting job to another cluster. The *old* job waits at its cluster; a *new* one
 * with the same script is submitted elsewhere, held; then the old one is held, cancelled, and
 * the new one is released. At each moment at most one of both can start, and the step that is
 * next follows from what is recorded and seen, so that any process continues what
 * another one began:
 *
 *   REST        the job is where it should be
 *   COPYING     the new job is being submitted, or was; the old one may start
 *   HOLDING     the old job is being held: a job that is held cannot start, and the
 *               controller holds only a job that waits
 *   CANCELLING  the old job is held and is being cancelled
 *   ALONE       the old job is cancelled and the new one was lost: it is submitted again
 *   ARRIVING    the new job is now the old one, and is being released
 *   LEAVING     the move is given up, and the old job is being released
 *   DONE        it is never moved again
 *
 * A controller that dies may forget its last seconds. What the next phase relies on is therefore
 * checked again after some time.
 */
#ifndef LXFW_ROUTE_MOVE_H
#define LXFW_ROUTE_MOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/route/conf.h"

enum lxfw_move_phase {
	LXFW_MOVE_REST,
	LXFW_MOVE_COPYING,
	LXFW_MOVE_HOLDING,
	LXFW_MOVE_CANCELLING,
	LXFW_MOVE_ALONE,
	LXFW_MOVE_ARRIVING,
	LXFW_MOVE_LEAVING,
	LXFW_MOVE_DONE,
};

/* What a cluster says of a job. */
enum lxfw_move_seen {
	LXFW_SEEN_UNKNOWN,	/* the cluster does not answer */
	LXFW_SEEN_ABSENT,	/* it answers, and knows no such job */
	LXFW_SEEN_WAITS,
	LXFW_SEEN_HELD,		/* waits, and cannot start */
	LXFW_SEEN_STARTED,
	LXFW_SEEN_ENDED,
	LXFW_SEEN_CANCELLED,
};

enum lxfw_move_step {
	LXFW_STEP_NOTHING,	/* wait until something changes */
	LXFW_STEP_COMPARE,	/* the new job with the old one, and hold the old one or give up */
	LXFW_STEP_HOLD_OLD,
	LXFW_STEP_CANCEL_OLD,
	LXFW_STEP_RELEASE_OLD,
	LXFW_STEP_ARRIVE,	/* the new job becomes the old one; phase ARRIVING */
	LXFW_STEP_REST,
	LXFW_STEP_BACK,		/* cancel the new job; phase REST */
	LXFW_STEP_LEAVE,	/* cancel the new job; phase DONE */
	LXFW_STEP_LEAVING,	/* release the old job; phase LEAVING */
	LXFW_STEP_UNHOLD,	/* release the old job; phase HOLDING */
	LXFW_STEP_ANEW,		/* submit the job again; the phase becomes ALONE */
};

/*
 * The next step. AGE: seconds since the new job was submitted, and from the phase CANCELLING on,
 * since the last step. SETTLE: seconds after which a controller that dies does not
 * forget it; GIVE_UP: seconds after which a process that submits has ended.
 */
enum lxfw_move_step lxfw_move_next(enum lxfw_move_phase phase, enum lxfw_move_seen old,
				   enum lxfw_move_seen new, int64_t age, int64_t settle,
				   int64_t give_up);

/* A job and its move. */
struct lxfw_move {
	enum lxfw_move_phase phase;
	int64_t serial;		/* of the job; the one that was submitted first has 0 */
	int64_t next;		/* of the new job; all earlier ones were used */
	int64_t moves;		/* moves that were begun */
	int64_t since;		/* see lxfw_move_next() */
	int64_t job;		/* number of the old job */
	char old[LXFW_ROUTE_NAME], new[LXFW_ROUTE_NAME];	/* clusters; "": none */
};

/*
 * What a move does. Functions return 0, or -1 after a message if the cluster does not answer or
 * refuses; a step that was not done is repeated in a later round. `record` survives the death
 * of the process: nothing is done that was not recorded before.
 */
struct lxfw_move_calls {
	void *context;
	int64_t (*now)(void *context);
	/* Looks at both jobs; *NEW_JOB is the number of the new one. Returns 0, or -1 with errno
	   ENOMEM. */
	int (*look)(void *context, const struct lxfw_move *move, enum lxfw_move_seen *old,
		    enum lxfw_move_seen *new, int64_t *new_job);
	int (*record)(void *context, const struct lxfw_move *move);
	int (*hold)(void *context, const char *cluster, int64_t job);
	int (*release)(void *context, const char *cluster, int64_t job);
	int (*cancel)(void *context, const char *cluster, int64_t job);
	/* Submits the new job, held. Returns 1 if it certainly was not submitted. */
	int (*submit)(void *context, const struct lxfw_move *move);
	/* Whether both jobs request the same: 1, 0, or -1 if that is not known. */
	int (*same)(void *context, const struct lxfw_move *move, int64_t new_job);
	/* What happened, for a message. */
	void (*moved)(void *context, const struct lxfw_move *move, int64_t new_job);
	void (*stays)(void *context, const struct lxfw_move *move);
};

/* Begins the move of job JOB, which rests at the cluster OLD, to the cluster NEW. Returns 0, or
   -1 after a message. */
int lxfw_move_begin(struct lxfw_move *move, const struct lxfw_move_calls *calls, const char *old,
		    int64_t job, const char *new);

/* Continues it as far as possible: until something must be awaited, or it is complete. */
void lxfw_move_go_on(struct lxfw_move *move, const struct lxfw_move_calls *calls,
		     int64_t settle, int64_t give_up);

#endif
