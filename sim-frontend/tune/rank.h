/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which settings are better: those that fewer others beat (Fonseca and Fleming 1993),
   among the unbeaten those that lie apart (Deb et al. 2002). */
#ifndef LXFW_TUNE_RANK_H
#define LXFW_TUNE_RANK_H

#include "sim-frontend/tune/search.h"

/* Fill in violation, rank and crowding of all settings; their values are known. A
   setting beyond a limit is beaten by all that are less so. 0, or -1 with errno
   ENOMEM. */
int lxfw_rank_all(struct lxfw_search *search);

/* Whether A comes before B. */
bool lxfw_rank_before(const struct lxfw_setting *a, const struct lxfw_setting *b);

/* The first MOST of COUNT settings to BEST, which has room for COUNT; equal ones in
   their order. Their number. */
size_t lxfw_rank_best(const struct lxfw_setting *settings, size_t count,
		      size_t most, const struct lxfw_setting **best);

#endif
