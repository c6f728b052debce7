/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which reservations may be able to move to an earlier start. With a single host the
 * profile records where resources became free (profile/opening.h). A start of a
 * reservation that was not possible when the reservation was last examined is possible
 * now only if its interval contains a part of an opening, with enough processors. The
 * classes of waiting jobs remember which openings these are.
 */
#ifndef LXFW_PASS_OPENING_H
#define LXFW_PASS_OPENING_H

#include "common/books/books.h"

/* At the beginning of a pass. */
void lxfw_openings_begin(struct lxfw_sched *sched);

/* The first time at which the job of the reservation OWN, whose hold has one share and is
   not overbooked, could start instead, beside all holds but its own, if that is before its
   own start; otherwise LXFW_NEVER. */
int64_t lxfw_earlier_start(struct lxfw_sched *sched, struct lxfw_reservation *own);

#endif
