/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line: what a host has over time, beside running claims and holds. All hosts of a kind
 * share one (kinds.h).
 *
 * Running claims only release resources as time passes, so the minimum over an interval is
 * at its beginning or at a boundary of a hold within it. A line has the boundaries of its
 * holds in order of time, with the resources left at each. A query costs a search in the
 * tree of releases and a walk over the boundaries of the interval.
 *
 * The boundaries of all lines are in one space. Each hold on a host brings room for the two
 * boundaries that it may need, so that a line can be copied, and changed, without failure:
 * there are never more lines than hosts.
 */
#ifndef LXFW_PROFILE_LINE_H
#define LXFW_PROFILE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

struct lxfw_profile;

/* A time at which a hold on the host begins or ends. */
struct lxfw_boundary {
	int64_t time;
	int32_t uses;			/* number of holds that begin or end here */
	int32_t most_procs;		/* left at this time or directly before it */
	struct lxfw_resources left;	/* at this time, beside the holds */
	struct lxfw_resources held;	/* by holds, from this boundary to the next one */
};

/* What searches of all lines read is first. */
struct lxfw_line {
	int64_t first_release;		/* LXFW_NEVER: none */
	int32_t boundary_count, boundary_room;
	struct lxfw_boundary *boundaries;	/* in order of time */
	int32_t releases;		/* root of a tree with a node for each time */
	int32_t running;		/* number of running claims */
	struct lxfw_resources free;	/* now; holds are not subtracted */
	int32_t kept;			/* number of claims of suspended jobs that wait, see
					   lxfw_profile_keep() */
};

/* The boundaries of all lines: one half is in use. When it is full, those that are still
   needed move to the other one. */
struct lxfw_boundary_space {
	struct lxfw_boundary *used, *other;
	size_t size;		/* of each */
	size_t count;		/* of boundaries taken from the half in use */
};

void lxfw_boundaries_clear(struct lxfw_boundary_space *space);

/* Allocate what HOLDS holds in all need. Returns 0, or -1 with errno ENOMEM. */
int lxfw_boundaries_ready(struct lxfw_profile *profile, size_t holds);

/* Make LINE, which is that of a kind, a copy of FROM; release what a line has. */
void lxfw_line_copy(struct lxfw_profile *profile, struct lxfw_line *line,
		    const struct lxfw_line *from);
void lxfw_line_clear(struct lxfw_profile *profile, struct lxfw_line *line);

/* Whether less is left than is held at some time. */
bool lxfw_line_overbooked(const struct lxfw_line *line);

/* The totals of the hosts become larger by GAINED. */
void lxfw_line_gain(struct lxfw_line *line, const struct lxfw_resources *gained);

/* Use the boundaries of a hold in [FROM, UNTIL), or no longer. Nothing is held yet. */
void lxfw_line_enter(struct lxfw_profile *profile, struct lxfw_line *line, int64_t from,
		     int64_t until);
void lxfw_line_leave(struct lxfw_line *line, int64_t from, int64_t until);

/* Hold AMOUNT from the boundary at FROM to the one at UNTIL, or no longer (SIGN -1). */
void lxfw_line_hold(const struct lxfw_profile *profile, struct lxfw_line *line, int64_t from,
		    int64_t until, const struct lxfw_resources *amount, int sign);

/* A claim runs on AMOUNT until END, or no longer (SIGN -1). */
void lxfw_line_run(struct lxfw_profile *profile, struct lxfw_line *line, int64_t end,
		   const struct lxfw_resources *amount, int sign);

/* A claim on AMOUNT that runs until OLD runs until NEW. */
void lxfw_line_run_until(struct lxfw_profile *profile, struct lxfw_line *line, int64_t old,
			 int64_t new, const struct lxfw_resources *amount);

#endif
