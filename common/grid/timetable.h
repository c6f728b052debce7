/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the processors of a site are allocated: for each processor a list of intervals that do
 * not overlap. The processors are numbered from 0 on. An interval contains its start, and not
 * its end.
 */
#ifndef LXFW_GRID_TIMETABLE_H
#define LXFW_GRID_TIMETABLE_H

#include <stddef.h>
#include <stdint.h>

/* An interval in which a processor is allocated. */
struct lxfw_timetable_use {
	int64_t start, end;
	uint64_t owner;
};

/* Those of a processor, ascending. */
struct lxfw_timetable_row {
	struct lxfw_timetable_use *uses;
	size_t count, size;
};

struct lxfw_timetable {
	struct lxfw_timetable_row *rows;
	int32_t procs;
};

/* Returns 0, or -1 with errno ENOMEM. Release with lxfw_timetable_clear() in both cases. */
int lxfw_timetable_begin(struct lxfw_timetable *table, int32_t procs);
void lxfw_timetable_clear(struct lxfw_timetable *table);

/* All processors are free at all times. */
void lxfw_timetable_empty(struct lxfw_timetable *table);

/* Allocates a processor, which is free then. Returns 0, or -1 with errno ENOMEM. */
int lxfw_timetable_add(struct lxfw_timetable *table, int32_t proc,
		       const struct lxfw_timetable_use *use);

/* Removes the intervals of OWNER from a processor. */
void lxfw_timetable_remove(struct lxfw_timetable *table, int32_t proc, uint64_t owner);

/* An interval in which a processor is free, from the last use or from the time of the search
   on, until the next use; LXFW_NEVER: there is none. */
struct lxfw_gap {
	int64_t begin, end;
	int32_t proc;
};

/* From TIME until that of the next step, FREE processors are free. */
struct lxfw_gap_step {
	int64_t time;
	int32_t free;
	double area;	/* free processor-seconds from the first step to TIME */
};

/* The gaps of a site after some time. {0} is empty, and can be used again and again. */
struct lxfw_gaps {
	int64_t now, end;	/* END: that of the last use, at least NOW */
	int32_t procs;		/* of the site */
	double allocated;	/* processor-seconds after NOW */
	struct lxfw_gap *list;	/* by begin, end and processor */
	size_t count, size;
	struct lxfw_gap_step *steps;	/* ascending, the first at NOW */
	size_t step_count, steps_size;
	int64_t *ends;		/* scratch */
	size_t ends_size;
};

/* Finds the gaps after NOW. Returns 0, or -1 with errno ENOMEM. */
int lxfw_gaps_find(struct lxfw_gaps *gaps, const struct lxfw_timetable *table, int64_t now);

/* Returns the free processor-seconds from START, at least NOW, to END. */
double lxfw_gaps_area(const struct lxfw_gaps *gaps, int64_t start, int64_t end);

void lxfw_gaps_clear(struct lxfw_gaps *gaps);

#endif
