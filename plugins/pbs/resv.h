/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reservation as the server reports it. A standing reservation recurs; its start, end and
 * vnodes are those of the present occurrence, which is the one that runs or begins next.
 */
#ifndef LXFW_PBS_RESV_H
#define LXFW_PBS_RESV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bound of the occurrences of a standing reservation. */
#define LXFW_PBS_OCCURRENCES_MAX 4000

/* States and substates. */
enum {
	LXFW_PBS_RESV_UNCONFIRMED = 1,
	LXFW_PBS_RESV_CONFIRMED = 2,
	LXFW_PBS_RESV_RUNNING = 5,
	LXFW_PBS_RESV_FINISHED = 6,
	LXFW_PBS_RESV_DELETING_JOBS = 9,	/* an occurrence ends */
	LXFW_PBS_RESV_DEGRADED = 10,	/* some of its vnodes cannot be used */
	LXFW_PBS_RESV_ALTERED = 11,	/* a change waits for confirmation */
	LXFW_PBS_RESV_IN_CONFLICT = 12,	/* maintenance has its vnodes */
};

/* `reserve_start` of a reservation that is to begin as early as possible. */
#define LXFW_PBS_RESV_EARLIEST 1893488460

struct lxfw_pbs_occurrence {
	int64_t start, end;
	char *nodes;		/* exec_vnode; NULL: it has none */
	/* While vnodes are being found for all. */
	bool chosen;		/* `nodes` are final */
	bool found;		/* and the server has others for it, or none */
	char *held;		/* those that the server has until it has the answer; NULL: `nodes` */
};

/* The vnodes that the occurrence has at present, or NULL. */
static inline const char *lxfw_pbs_held(const struct lxfw_pbs_occurrence *occurrence)
{
	return occurrence->held ? occurrence->held : occurrence->nodes;
}

struct lxfw_pbs_resv {
	char *name, *queue, *nodes, *partition;
	char *select, *place;
	char *rule, *zone;	/* recurrence; NULL: it does not recur */
	char *select_before;	/* while a change waits for confirmation */
	char *later_select;	/* of the later occurrences, if the present one was altered */
	char *sequence;		/* vnodes of the occurrences that have been confirmed */
	int64_t start, end, state, substate;
	int64_t count, index;	/* number of occurrences; the present one, from 1 on */
	int64_t retry;		/* time of the next attempt to replace its vnodes; 0: none */
	int64_t later_start, later_duration;	/* from which the later occurrences are
				   counted, and theirs, if the present one was altered; 0 */
	bool failed;		/* memory ran out */
	bool unknown;		/* the times of the later occurrences are */
	/* Set by lxfw_pbs_resv_unroll(): those that are not over, the present one first. */
	struct lxfw_pbs_occurrence *occurrence;
	int32_t occurrences;
	/* A search for vnodes that is continued in later looks (resv_place.c). */
	bool placing;		/* for all occurrences */
	int64_t tried;		/* time up to which it cannot begin; 0: none was tried */
};

/* Index of the first occurrence that is not over; resv->occurrences if all are. */
int32_t lxfw_pbs_resv_first(const struct lxfw_pbs_resv *resv);

/* Sets an attribute; RESOURCE may be NULL. Attributes that are not used are ignored, and so are
   values that cannot be read. */
void lxfw_pbs_resv_set(struct lxfw_pbs_resv *resv, const char *name, const char *resource,
		       const char *value);
void lxfw_pbs_resv_clear(struct lxfw_pbs_resv *resv);

/* Finds the occurrences that are not over. Returns false if memory ran out. */
bool lxfw_pbs_resv_unroll(struct lxfw_pbs_resv *resv);
/* Begins a search for vnodes: all occurrences that are not over have an entry, with the vnodes that
   the server has for them. Returns false if the times cannot be computed, or memory ran out. */
bool lxfw_pbs_resv_begin(struct lxfw_pbs_resv *resv);
/* Moves the occurrences of OLD, as it was before, to RESV if they are the same, and a search for
   vnodes if it has not been altered. Returns false if they must be found. */
bool lxfw_pbs_resv_take(struct lxfw_pbs_resv *resv, struct lxfw_pbs_resv *old);
/* Computes the starts of COUNT occurrences, the present one first. Returns their number, or -1 as
   lxfw_pbs_recur() does. */
int32_t lxfw_pbs_resv_times(const struct lxfw_pbs_resv *resv, int64_t *times, int32_t count);
void lxfw_pbs_occurrences_clear(struct lxfw_pbs_resv *resv);

static inline bool lxfw_pbs_resv_is_standing(const struct lxfw_pbs_resv *resv)
{
	return resv->rule && resv->zone && resv->count > 1;
}

/* Occurrences that are not over, including the present one. */
static inline int64_t lxfw_pbs_resv_remaining(const struct lxfw_pbs_resv *resv)
{
	return lxfw_pbs_resv_is_standing(resv) ?
		       resv->count - (resv->index > 0 ? resv->index - 1 : 0) : 1;
}

/*
 * The vnodes of all occurrences as one text: "3#(a:ncpus=1){0-1}(b:ncpus=1){2}".
 * lxfw_pbs_sequence_read() sets *NODES to the texts, which the caller frees with the array, and
 * returns their number, or -1 with errno set: ENOMEM, EINVAL.
 */
int32_t lxfw_pbs_sequence_read(const char *text, char ***nodes);
/* Returns the text, which the caller frees, or NULL if memory ran out. */
char *lxfw_pbs_sequence_write(char *const *nodes, int32_t count);
void lxfw_pbs_sequence_free(char **nodes, int32_t count);

#endif
