/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What select/cons_tres_lxfw adds to select/cons_tres: the choice of nodes
 * (place.c), the guard of resumptions (guard.c), and the nodes that are found
 * overbooked (overbooked.c). All of it runs in slurmctld, under its write locks of jobs
 * and nodes; elsewhere the plugin only hands on.
 */
#ifndef LXFW_SELECT_LAYER_H
#define LXFW_SELECT_LAYER_H

#include <stdbool.h>

#include "plugins/slurm/compat/select.h"

/*
 * Those of TEST's nodes, but the REFUSED ones, on which the library would have the
 * job run: a new bitmap with at least one, or NULL if that is for the stock plugin to
 * say, since the library knows no place, or the job asks what it does not know.
 */
bitstr_t *lxfw_place_choose(const struct lxfw_job_test *test,
			    const bitstr_t *refused);

/* Something else than before may be allocated. */
void lxfw_place_changed(void);
void lxfw_place_destroy(void);

/* Whether nobody else may be on the job's processors: neither by the partition's word
   nor in turns. */
bool lxfw_guard_has_its_own(const job_record_t *job);

/*
 * Would the job, resumed, share a processor with another that did not agree to that?
 * Logged once for each two of them, until lxfw_guard_forget().
 */
bool lxfw_guard_refuses(const job_record_t *job);
void lxfw_guard_forget(const job_record_t *job);

/*
 * Find the nodes that are overbooked, right after the stock plugin has made its books
 * anew, and keep in them what of these nodes is taken. What was found before is
 * forgotten, for its new books have nothing of it; or without them at the very end.
 * The books are stale once a job has left such a node: they are to be made anew.
 */
void lxfw_overbooked_find(void);
void lxfw_overbooked_forget(void);
void lxfw_overbooked_left(const job_record_t *job);
bool lxfw_overbooked_stale(void);

#endif
