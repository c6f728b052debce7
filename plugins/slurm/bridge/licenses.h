/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Licenses are pools of the library (common/model/request.h): license I is the host after all
 * nodes and I licenses, with the name "license:NAME". Its amount is what Slurm has for the
 * cluster, less what is used elsewhere of a remote license. A pending job waits for a pool in
 * the library, with a reservation; Slurm tests its licenses again at the start.
 *
 *  - A running or suspended job has the licenses of its record, also if Slurm started it.
 *  - A job that is being cleaned up has its licenses until its nodes are clean: they are
 *    blocked.
 *  - Slurm keeps the licenses of a reservation for its jobs, beside those that these have.
 *    They are blocked while the reservation lasts.
 *
 * Licenses of which a job needs one of several, resources with layers of nodes, and jobs that
 * need more kinds than LXFW_POOLS_MAX are not modelled, and none under policies that start no
 * groups: such a job waits until Slurm finds its licenses free.
 */
#ifndef LXFW_BRIDGE_LICENSES_H
#define LXFW_BRIDGE_LICENSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;

/* A license of the cluster. */
struct lxfw_known_license {
	char *host;		/* name of its host; the license's own follows the colon */
	uint32_t id;		/* Slurm's number of it */
	uint32_t total, used, missing;	/* as in struct lxfw_license */
};

struct lxfw_licenses {
	struct lxfw_known_license *license;
	int32_t count;
	size_t size;
	/* Numbers of the jobs with licenses that ran, were suspended or were being cleaned up
	   at the last look. */
	uint32_t *user;
	size_t user_count, user_size;
	bool failed;		/* memory ran out */
};

/* Reads the licenses of the cluster. Returns false when memory runs out. */
bool lxfw_licenses_read(struct lxfw_licenses *licenses);
void lxfw_licenses_clear(struct lxfw_licenses *licenses);

/* Number of the host of license INDEX. */
int32_t lxfw_license_host(const struct lxfw_bridge *bridge, int32_t index);
/* Number that jobs of the cluster may use, at most INT32_MAX. */
int32_t lxfw_license_amount(const struct lxfw_known_license *license);

/* Returns true if HOST is a node, not a license. */
static inline bool lxfw_is_node(int32_t host)
{
	return host < node_record_count;
}

/* Returns true if the library counts all licenses that the job requests. */
bool lxfw_licenses_counted(const struct lxfw_bridge *bridge, const job_record_t *job);

/* Sets the pools of a job whose licenses are counted. */
void lxfw_licenses_request(const struct lxfw_bridge *bridge, const job_record_t *job,
			   struct lxfw_request *request);

/* Returns true if there are as many licenses as REQUEST needs when no other job runs. */
bool lxfw_licenses_suffice(const struct lxfw_bridge *bridge,
			   const struct lxfw_request *request);

/* Appends the licenses of LIST to the COUNT shares of nodes in bridge->shares. Returns the
   number of all, or -1 when memory runs out. Licenses that are not counted are left out. */
int32_t lxfw_licenses_share(struct lxfw_bridge *bridge, lxfw_slurm_list list, int32_t count);

/* Appends those of jobs that are being cleaned up. */
int32_t lxfw_licenses_completing(struct lxfw_bridge *bridge, int32_t count);

/* Returns a hash of the job's licenses, 0 without any. */
uint32_t lxfw_licenses_mark(const job_record_t *job);

/* Notes a job that runs, is suspended or is being cleaned up. */
void lxfw_licenses_user(struct lxfw_bridge *bridge, const job_record_t *job);

/*
 * Returns true if the job, which runs for SECONDS, takes no license that a reservation of the
 * library needs before its end. For jobs that start without the library, and those whose
 * licenses it does not count.
 */
bool lxfw_licenses_spare(struct lxfw_bridge *bridge, const job_record_t *job, int64_t seconds);

#endif
