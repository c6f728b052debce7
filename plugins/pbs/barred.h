/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts that are barred from a job. The library adds up what the vnodes of a host have, so that it
 * may choose a host on whose vnodes the chunks of a job do not fit: a chunk that must not be
 * divided (vscatter), or vnodes that are reserved at different times of its run. The start is
 * refused then. The hosts that are barred from a job until it starts are
 *
 *   if its chunks must not be divided   those on which it never fits;
 *   from the first refusal on           also those on which it does not fit now;
 *   from the third one on               only the former, and the job waits for hosts without
 *                                       other jobs: none of these can keep it waiting.
 *
 * A list of barred hosts has a number and is a requirement of the job, "!=NUMBER" (sets.h). Equal
 * lists have the same number.
 */
#ifndef LXFW_PBS_BARRED_H
#define LXFW_PBS_BARRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name of the requirement. No resource has it. */
#define LXFW_PBS_BARRED "!"

/* Refusals from which on a job waits for hosts without other jobs. */
#define LXFW_PBS_REFUSALS_MOST 3

struct lxfw_pbs_barred {
	int32_t *hosts;		/* ascending; NULL: the number is free */
	int32_t count;
	bool needed;		/* for lxfw_pbs_bars_evict() */
};

struct lxfw_pbs_bars {
	struct lxfw_pbs_barred *list;	/* number N is list[N - 1] */
	size_t count, size;
};

/* Returns the number of the list of COUNT hosts, ascending, which are copied; 0 if there are none,
   there are too many lists, or memory ran out. */
uint32_t lxfw_pbs_bars_add(struct lxfw_pbs_bars *bars, const int32_t *hosts, int32_t count);
/* Returns true if list NUMBER has the host. */
bool lxfw_pbs_bars_have(const struct lxfw_pbs_bars *bars, int64_t number, int32_t host);
/* Marks a list as needed; 0 is none. */
void lxfw_pbs_bars_need(struct lxfw_pbs_bars *bars, uint32_t number);
/* Removes the lists that are not marked, and the marks. */
void lxfw_pbs_bars_evict(struct lxfw_pbs_bars *bars);
void lxfw_pbs_bars_clear(struct lxfw_pbs_bars *bars);

#endif
