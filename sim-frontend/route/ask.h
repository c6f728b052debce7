/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks all clusters at the same time. */
#ifndef LXFW_ROUTE_ASK_H
#define LXFW_ROUTE_ASK_H

#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/wire.h"

struct lxfw_route_said {
	bool answered;
	struct lxfw_route_answer answer;
	char problem[160];	/* if it did not answer */
};

/*
 * Sends QUESTIONS[i] to cluster i; NULL: does not ask. Waits for conf->answer seconds at most
 * and fills SAID, which is that of all clusters. Returns 0, or -1 with errno and ERROR set if
 * nothing can be asked.
 */
int lxfw_route_ask(const struct lxfw_route_conf *conf, const char *const *questions,
		   struct lxfw_route_said *said, struct lxfw_error *error);

/* The offer of a cluster for which the job has an expected run time of RUN seconds, or -1: its
   limit there divided by the speed. SAID gets the problem if the answer
   cannot be used. */
void lxfw_route_offer_of(const struct lxfw_route_conf *conf, int cluster, int64_t run,
			 struct lxfw_route_said *said, struct lxfw_route_offer *offer);

#endif
