/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of settings: by the number of settings that dominate them (Fonseca and
   Fleming 1993), and among settings that are not dominated by their distance from
   others (Deb et al. 2002). */
#ifndef LXFW_TUNE_RANK_H
#define LXFW_TUNE_RANK_H

#include "sim-frontend/tune/search.h"

/* Sets violation, rank and crowding of all settings, whose values must be known. A
   setting beyond a limit is dominated by all with a smaller violation. Returns 0, or
   -1 with errno ENOMEM. */
int lxfw_rank_all(struct lxfw_search *search);

/* Returns whether A precedes B. */
bool lxfw_rank_before(const struct lxfw_setting *a, const struct lxfw_setting *b);

/* Writes the first MOST of COUNT settings to BEST, which has space for COUNT. Equal
   settings keep their order. Returns the number written. */
size_t lxfw_rank_best(const struct lxfw_setting *settings, size_t count,
		      size_t most, const struct lxfw_setting **best);

#endif
