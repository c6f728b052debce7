/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hosts of a schedule and the jobs that run on them: whether a waiting job would fit
 * at a time, and what it lacks otherwise. The answer concerns the hosts that the job can
 * use, by partition, size, memory and extras, and is that of the scheduler's own placement.
 */
#ifndef LXFW_METRICS_ROOM_H
#define LXFW_METRICS_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/event.h"

/* What a job lacks. The first one that applies is stated. */
enum lxfw_lack {
	LXFW_LACK_NOTHING,	/* the job fits */
	LXFW_LACK_AWAY,		/* hosts that are down or reserved */
	LXFW_LACK_MEMORY,	/* memory: without its memory the job would fit */
	LXFW_LACK_EXTRAS,	/* extras or licenses: without them the job would fit */
	LXFW_LACK_HOST,		/* enough processors are free on its hosts together, but
				   not as requested on each of them */
	LXFW_LACK_PROCS,	/* free processors on its hosts, or of its partition there */
	LXFW_LACKS,
};

/* A machine: the events of hosts, host sets and blocks, in order of time. Other events
   are ignored. Without events it is one host of PROCS processors. */
struct lxfw_room_machine {
	const struct lxfw_event *const *events;
	size_t count;
	int64_t procs;
	unsigned caps;		/* bit i: extra i is the processors that a partition, or
				   jobs without GPUs, may use on a host */
};

struct lxfw_room;

/* Returns NULL with errno ENOMEM. The room refers to MACHINE, which must outlive it. */
struct lxfw_room *lxfw_room_create(const struct lxfw_room_machine *machine);

/* ROOM may be NULL. */
void lxfw_room_destroy(struct lxfw_room *room);

/* Advances the machine to TIME. Sets *CHANGED if hosts have changed, or may be reserved
   from or until now. Returns 0, or -1 with errno ENOMEM. */
int lxfw_room_advance(struct lxfw_room *room, int64_t time, bool *changed);

/*
 * The job ID, which is not 0, runs with this request: on SHARES, or if there are none, on
 * the hosts that the scheduler would choose. A job that does not fit there runs
 * nevertheless. The room ends a job by its id. Return 0, or -1 with errno ENOMEM.
 */
int lxfw_room_start(struct lxfw_room *room, uint64_t id,
		    const struct lxfw_request *request,
		    const struct lxfw_share *shares, int32_t count);
int lxfw_room_end(struct lxfw_room *room, uint64_t id);

/* Sets *LACK to what a job with this request lacks now. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_room_lack(struct lxfw_room *room, const struct lxfw_request *request,
		   enum lxfw_lack *lack);

/* Returns whether there is a host that both requests may use by their host sets. */
bool lxfw_room_meet(const struct lxfw_room *room, const struct lxfw_request *a,
		    const struct lxfw_request *b);

/*
 * Sets *FITS to whether the job would fit now on those of its hosts that no job of the COUNT OTHERS
 * may use: whatever is kept for them, it could start. Both must have at most one host set. The
 * hosts of SLOT, 0 or more, are those of the last call with it unless CHANGED. Returns 0, or -1
 * with errno ENOMEM.
 */
int lxfw_room_fits_beside(struct lxfw_room *room, const struct lxfw_request *request,
			  const struct lxfw_request *const *others, size_t count, size_t slot,
			  bool changed, bool *fits);

/* Returns the free processors of all hosts that are up. */
int64_t lxfw_room_free(const struct lxfw_room *room);

/* Returns whether hosts may be reserved for a time, so that the answers depend on how long
   a job runs. */
bool lxfw_room_reserves(const struct lxfw_room *room);

/* Returns whether the machine is one host on which only processors are counted, so that
   jobs fit together if their processors are free. */
bool lxfw_room_is_pool(const struct lxfw_room *room);

#endif
