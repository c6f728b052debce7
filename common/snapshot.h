/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a scheduler as plain data, and a scheduler with such a state.
 *
 * A scheduler that is restored with the same parameters decides the same as the original
 * one, bit for bit, except for what lxfw_snapshot_lost() names.
 */
#ifndef LXFW_SNAPSHOT_H
#define LXFW_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"

enum lxfw_snapshot_state {
	LXFW_SNAPSHOT_WAITING,
	LXFW_SNAPSHOT_REFUSED,		/* waits, and is not considered before a time */
	LXFW_SNAPSHOT_INTERRUPTED,	/* waits after it ran, and keeps shares */
	LXFW_SNAPSHOT_RUNNING,
	LXFW_SNAPSHOT_SUSPENDED,	/* running, but its shares have no processors */
};

struct lxfw_snapshot_host {
	bool up;
	struct lxfw_resources total;
	int64_t weight, boot;
	int64_t gpus;		/* mask of the extras that are GPUs */
	uint32_t sockets;	/* its GPUs by socket (model/sockets.h) */
};

struct lxfw_snapshot_set {
	int32_t count;
	int32_t *hosts;		/* ascending */
};

struct lxfw_snapshot_block {
	uint64_t id;
	int64_t start, end;
	int32_t count;
	struct lxfw_share *shares;
};

struct lxfw_snapshot_job {
	enum lxfw_snapshot_state state;
	struct lxfw_request request;	/* of a running job that was not submitted, only
					   the id is known; its estimate is 0 */
	int64_t priority, delay;	/* LXFW_EVENT_JOB_PRIORITY */
	int64_t bypassed;	/* jobs of lower priority that started before it */
	int64_t place;		/* in the list of the policy; 0: not in it */
	int64_t refused_until;	/* state REFUSED */
	bool announced, nowhere, served;
	/* RUNNING, SUSPENDED: as in struct lxfw_job */
	int64_t start, continued, ran, paused, expected_end, due;
	int32_t suspensions;
	int32_t count;		/* running: its shares; INTERRUPTED: those that it keeps */
	struct lxfw_share *shares;
};

struct lxfw_snapshot_reservation {
	uint64_t job;
	int64_t start, end;
	uint64_t digest;
	bool for_pools;		/* only pools delayed it (books/reservation.h) */
	int32_t count;
	struct lxfw_share *shares;
};

/* {0} is empty. */
struct lxfw_snapshot {
	int64_t now;
	int64_t wake;		/* the next decision if no event comes before; `now`: events
				   were applied since the last one. Set by the caller */
	struct lxfw_params params;
	int64_t improved_until, freed_until, reservable_at;
	bool disturbed, list_stale, sooner;
	bool job_classes;	/* there are job classes, which are not in the snapshot */
	size_t host_count, hosts_size, set_count, sets_size, block_count, blocks_size;
	size_t job_count, jobs_size, reservation_count, reservations_size;
	struct lxfw_snapshot_host *hosts;
	struct lxfw_snapshot_set *sets;
	struct lxfw_snapshot_block *blocks;
	struct lxfw_snapshot_job *jobs;		/* ascending by lxfw_id_key() */
	struct lxfw_snapshot_reservation *reservations;	/* in order of priority */
};

/* Fills *SNAPSHOT, which is {0}, apart from `wake`. Returns 0, or -1 with errno ENOMEM. */
int lxfw_snapshot_take(struct lxfw_snapshot *snapshot, const struct lxfw_sched *sched);

void lxfw_snapshot_clear(struct lxfw_snapshot *snapshot);

/* What a restored scheduler does not have, or NULL if it has all. NUMBER is 0, 1, 2 ...
   until NULL is returned. */
const char *lxfw_snapshot_lost(const struct lxfw_snapshot *snapshot, int number);

/*
 * Makes a scheduler with this state under PARAMS; NULL: those of the snapshot. Under other
 * parameters there are no reservations until its first decision. Immediate service is off.
 * Returns NULL with errno and ERROR set: EINVAL if the state is impossible, ENOMEM.
 */
struct lxfw_sched *lxfw_snapshot_restore(const struct lxfw_snapshot *snapshot,
					 const struct lxfw_params *params,
					 struct lxfw_error *error);

#endif
