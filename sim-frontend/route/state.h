/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a job is, and how far its move has come: a file MARKER.state in the folder of the user,
 * of one line. Without the file the job rests where it was submitted.
 *
 *   lxfw-move 1 PHASE SERIAL NEXT MOVES SINCE OLD JOB NEW
 *
 * SERIAL is that of the job: the one that was submitted first has 0. NEXT is the one that is
 * submitted in a move. JOB is the number of the old one at the cluster OLD; "-" is none.
 */
#ifndef LXFW_ROUTE_STATE_H
#define LXFW_ROUTE_STATE_H

#include "common/util/error.h"
#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/move.h"
#include "sim-frontend/route/record.h"

/* Reads the state; a file that does not exist is the first one. Returns 0, or -1 with errno
   and ERROR set. */
int lxfw_route_state_read(struct lxfw_move *state, int folder, const char *marker,
			  struct lxfw_error *error);

/* Reads a line, which may be anything. Returns 0, or -1 with errno EINVAL. */
int lxfw_route_state_parse(struct lxfw_move *state, char *line);

/* Replaces the file; after a crash of the machine it is the old or the new one. Returns as
   lxfw_route_state_read(). */
int lxfw_route_state_write(const struct lxfw_move *state, int folder,
			   const char *marker, struct lxfw_error *error);

#endif
