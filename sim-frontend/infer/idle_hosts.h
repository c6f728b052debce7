/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that may have been away for a time: no job of the log ran on them for long, although jobs
 * of several users waited which would have fitted on such hosts and on no others. It is evidence
 * of an outage, but jobs may also have been held, so that the times are only stated.
 *
 * The time before the first job on a host and after the last one is not examined: jobs that the
 * log does not contain may have run there. The log must name the hosts of jobs.
 */
#ifndef LXFW_INFER_IDLE_HOSTS_H
#define LXFW_INFER_IDLE_HOSTS_H

#include "sim-frontend/engine/recorded.h"

struct lxfw_idle_hosts {
	int64_t begin, end;	/* seconds: all of the hosts were idle */
	int32_t *hosts;		/* ascending */
	int32_t count;
};

struct lxfw_idle_list {
	struct lxfw_idle_hosts *groups;	/* in order of time */
	size_t count, size;
};

/* Finds them in the measured schedule. Starts may be up to GRACE seconds later than their causes.
   Returns 0, or -1 with errno ENOMEM and *LIST empty. */
int lxfw_idle_hosts_find(struct lxfw_idle_list *list, const struct lxfw_recorded *recorded,
			 int64_t grace);

/* LIST may be empty. */
void lxfw_idle_hosts_clear(struct lxfw_idle_list *list);

#endif
