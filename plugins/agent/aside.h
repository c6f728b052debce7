/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that wait without the library: they are not eligible, or the workload manager is left
 * to start them. The library never learns of these jobs. Events in the journal state why
 * (LXFW_EVENT_JOB_ASIDE), once for each job and change of the reason, and again in each
 * segment of the journal.
 */
#ifndef LXFW_AGENT_ASIDE_H
#define LXFW_AGENT_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/reason.h"
#include "common/util/id_map.h"

struct lxfw_agent;

struct lxfw_aside {
	uint64_t id;		/* the library's, or of an array without a task; not 0 */
	enum lxfw_reason reason;	/* of LXFW_REASONS_INELIGIBLE or LXFW_REASONS_LEFT */
	enum lxfw_limited limited;	/* by a limit; else 0 */
	int64_t submit;		/* time of its submission; 0: unknown */
	int64_t until;		/* time at which the reason ends; 0: unknown */
};

struct lxfw_asides {
	struct {
		uint64_t id;
		int64_t until;
		uint32_t seen;	/* last pass that reported it */
		uint8_t reason, limited;
	} *job;
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `job` */
	size_t by_reason[256];	/* number of jobs of each reason */
};

/* Report, in look_at_jobs() or later in a pass, that a job waits without the library; that
   nothing keeps a job any more, which then has left the queue unless it is reported otherwise.
   A job that is reported as pending or running is not kept. */
void lxfw_mirror_aside(struct lxfw_agent *agent, const struct lxfw_aside *aside);
void lxfw_mirror_released(struct lxfw_agent *agent, uint64_t id);

/* At the end of look_at_jobs(), for a workload manager that reports all of these jobs in each
   look: the others are not kept any more. */
void lxfw_mirror_release_others(struct lxfw_agent *agent);

/* The library has got the job, which its own event states. */
void lxfw_aside_taken(struct lxfw_agent *agent, uint64_t id);

/* Returns the number of jobs of a reason. */
size_t lxfw_aside_count(const struct lxfw_agent *agent, enum lxfw_reason reason);

/* Nothing was reported: the journal begins a segment. */
void lxfw_aside_forget(struct lxfw_asides *asides);

/* Frees the memory. */
void lxfw_aside_clear(struct lxfw_asides *asides);

#endif
