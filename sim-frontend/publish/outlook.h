/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The next day of a machine, from some futures: how much of it is in use, and how long jobs wait
   that users will submit. */
#ifndef LXFW_PUBLISH_OUTLOOK_H
#define LXFW_PUBLISH_OUTLOOK_H

#include "sim-frontend/predict/live.h"
#include "sim-frontend/publish/publication.h"

/* Sets `use` and `waits`. Without earlier submissions, none are expected, and there are no
   waits. Returns 0, or -1 with errno and ERROR set. */
int lxfw_outlook(struct lxfw_publication *publication, const struct lxfw_live *live,
		 struct lxfw_error *error);

/*
 * Sets `end` of the running jobs of the scheduler that are in PUBLICATION, by their ids and limits:
 * the median of the run times of jobs like each that have run for longer.
 */
void lxfw_outlook_ends(struct lxfw_publication *publication, const struct lxfw_live *live);

#endif
