/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of `lxfw route`. */
#ifndef LXFW_CMD_ROUTE_H
#define LXFW_CMD_ROUTE_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/route/conf.h"

struct lxfw_route_arguments {
	const char *conf;		/* file */
	/* --request, --serve */
	const char *history;		/* data base of run times, or NULL */
	/* --request */
	const char *request;
	const char *without;		/* clusters that are not asked, "a,b" */
	const char *told;		/* file of --submit, or NULL */
	const char *user;		/* whose jobs count; NULL: the caller */
	bool record;			/* --record */
	int64_t tail;			/* words of its command behind the options */
	/* --serve */
	const char *journal, *at, *metrics;
	const char *munge;		/* socket of munged, or NULL */
	bool trusted;			/* the network: users need not be known */
	int64_t ping;			/* seconds between two questions to the controller */
	/* --submit */
	const char *sbatch;
	/* --pull */
	int64_t every, most;
	int64_t visit;			/* seconds for the jobs of one user */
	int units;			/* visits are units of systemd: 1; processes: 0; -1: units
					   if systemd runs the machine */
	const char *pam;		/* PAM service of a unit */
	bool dry;
};

/* Each returns an exit status. */
int lxfw_route_choose(const struct lxfw_route_arguments *arguments);
int lxfw_route_serving(const struct lxfw_route_arguments *arguments);
int lxfw_route_submit(const struct lxfw_route_arguments *arguments, char **words, int count);
int lxfw_route_pull(const struct lxfw_route_arguments *arguments);

#endif
