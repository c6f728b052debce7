/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priorities of a Slurm site in simulations: --assocs, --qos, and whose each job is. */
#ifndef LXFW_CMD_PRIORITIES_H
#define LXFW_CMD_PRIORITIES_H

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/priority/simulated.h"
#include "sim-frontend/trace/trace.h"

struct lxfw_cmd_priorities {
	/* given; NULL where not */
	const char *assocs, *qos;

	/* Set by the caller: without priorities, jobs are in the order of submission as at
	   the site, which needs no note. */
	bool by_submission;

	/* loaded */
	bool loaded;
	struct lxfw_simulated simulated;
};

/* Values of getopt_long(), and the options that have them. */
enum { LXFW_PRIORITIES_ASSOCS = 4096, LXFW_PRIORITIES_QOS };

#define LXFW_PRIORITIES_OPTIONS \
	{ "assocs", required_argument, NULL, LXFW_PRIORITIES_ASSOCS }, \
	{ "qos", required_argument, NULL, LXFW_PRIORITIES_QOS }

/* Take an option of the table above; others are passed over. */
void lxfw_priorities_option(struct lxfw_cmd_priorities *priorities, int option);

/* Whether the slurm.conf of CLUSTER has PriorityType=priority/multifactor. */
bool lxfw_priorities_known(const struct lxfw_cluster *cluster);

/*
 * Load what simulations need: nothing unless the order of one of them COUNTS the
 * priority. CONF is the file that CLUSTER was read from, or NULL. Ids of jobs are
 * positions in TRACE, from 1 on, or those of RECORDED. Notes tell what is not as one might
 * think. PRIORITIES must keep its place. 0, or -1 after a message.
 */
int lxfw_priorities_of_trace(struct lxfw_cmd_priorities *priorities, bool counts,
			     const char *conf, const struct lxfw_cluster *cluster,
			     const struct lxfw_trace *trace);
int lxfw_priorities_of_recorded(struct lxfw_cmd_priorities *priorities, bool counts,
				const char *conf, const struct lxfw_cluster *cluster,
				const struct lxfw_recorded *recorded);

/* For the simulation; NULL where nothing was loaded. */
const struct lxfw_priorities *
lxfw_priorities_loaded(const struct lxfw_cmd_priorities *priorities);

/* What is assumed of shares, in words. */
const char *lxfw_priorities_text(const struct lxfw_cmd_priorities *priorities, char *text,
				 size_t size);

/* Keeps errno. */
void lxfw_priorities_clear(struct lxfw_cmd_priorities *priorities);

#endif
