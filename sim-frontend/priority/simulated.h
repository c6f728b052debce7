/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model of priority/multifactor as the engine's priorities: what a site is, whose each
 * job is, and the functions that the engine calls.
 *
 * A job has one priority in a simulation. In several partitions it is the highest of
 * those that Slurm would order it by.
 */
#ifndef LXFW_PRIORITY_SIMULATED_H
#define LXFW_PRIORITY_SIMULATED_H

#include <stdbool.h>

#include "common/util/error.h"
#include "sim-frontend/engine/priorities.h"
#include "sim-frontend/priority/site.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/util/calendar.h"

struct lxfw_simulated_job {
	int32_t assoc, qos;		/* positions in the site's; -1 = none */
};

struct lxfw_simulated {
	/* To be changed between lxfw_simulated_begin() and lxfw_simulated_finish(). */
	struct lxfw_multifactor_site site;
	struct lxfw_calendar calendar;	/* of the run's times */

	/* results */
	bool equal_shares;		/* no associations were read */
	size_t jobs_without_assoc;
	struct lxfw_priorities priorities;	/* for the engine, once finished */

	/* private */
	const struct lxfw_cluster *cluster;
	struct lxfw_simulated_job *jobs;	/* by id - 1 */
	size_t job_count, job_size;
	int32_t *partition_of_set;	/* by the cluster's set */
	int32_t tres_of_extra[LXFW_EXTRAS_MAX];	/* -1 = none */
};

/*
 * Read the slurm.conf CONF, of which lxfw_cluster_read() made CLUSTER, which must live as
 * long; and what ASSOCS and QOS name, each NULL or a file as lxfw_assocs_read() and
 * lxfw_qos_read() take them. Without ASSOCS each account and user of the jobs gets a
 * share. 0, or -1 with errno and ERROR set; to be cleared in any case.
 */
int lxfw_simulated_begin(struct lxfw_simulated *simulated, const char *conf,
			 const struct lxfw_cluster *cluster, const char *assocs,
			 const char *qos, struct lxfw_error *error);

/* Whose a job is: names, empty where they are not known. SET is the first of its
   partitions, as a set of the cluster; -1 = none. 0, or -1 with errno ENOMEM. */
int lxfw_simulated_find(struct lxfw_simulated *simulated, struct lxfw_slice account,
			struct lxfw_slice user, struct lxfw_slice qos, int32_t set,
			struct lxfw_simulated_job *job);

/* The job with that id, from 1 on, is such a one. Jobs that nothing was said of have
   neither association nor QOS. 0, or -1 with errno ENOMEM. */
int lxfw_simulated_add(struct lxfw_simulated *simulated, uint64_t id,
		       const struct lxfw_simulated_job *job);

/* After the last job: complete the site. From now on threads may share it. SIMULATED must
   keep its place. */
void lxfw_simulated_finish(struct lxfw_simulated *simulated);

/* {0} is empty. Keeps errno. */
void lxfw_simulated_clear(struct lxfw_simulated *simulated);

#endif
