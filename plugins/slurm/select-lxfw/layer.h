/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that select/cons_tres_lxfw adds to select/cons_tres: the selection of
 * nodes (place.c), the check of resumptions (guard.c), and the handling of overbooked
 * nodes (overbooked.c). They run in slurmctld under its write locks of jobs and nodes.
 * In other programs the plugin only forwards calls.
 */
#ifndef LXFW_SELECT_LAYER_H
#define LXFW_SELECT_LAYER_H

#include <stdbool.h>

#include "plugins/slurm/compat/stock.h"

/*
 * Called by compat/select.c. The first ones stand in for the stock functions. The
 * last is called after anything else that may have changed what is allocated.
 */
int lxfw_layer_job_test(const struct lxfw_job_test *test);
int lxfw_layer_job_fini(job_record_t *job);
int lxfw_layer_job_suspend(job_record_t *job, bool indf_susp);
int lxfw_layer_job_resume(job_record_t *job, bool indf_susp);
int lxfw_layer_reconfigure(void);
void lxfw_layer_changed(void);

/*
 * Selects nodes for the job from TEST's nodes without REFUSED. Returns a new bitmap
 * with at least one node. Returns NULL if the stock plugin must decide, because the
 * library finds no nodes or cannot represent the request.
 */
bitstr_t *lxfw_place_choose(const struct lxfw_job_test *test,
			    const bitstr_t *refused);

/* Allocations may have changed. */
void lxfw_place_changed(void);
void lxfw_place_destroy(void);

/* Returns true if the job does not share its processors, neither by the partition's
   OverSubscribe setting nor by gang scheduling. */
bool lxfw_guard_has_its_own(const job_record_t *job);

/*
 * Returns true if the resumed job would share a processor with another job although
 * neither permits sharing. Each pair of jobs is logged once, until lxfw_guard_forget().
 */
bool lxfw_guard_refuses(const job_record_t *job);
void lxfw_guard_forget(const job_record_t *job);

/*
 * lxfw_overbooked_find() finds overbooked nodes and marks their used cores in the stock
 * plugin's records. It must be called just after the stock plugin has rebuilt its
 * records. lxfw_overbooked_forget() discards the result of an earlier search, which the
 * rebuilt records do not contain; it is also called when the plugin is unloaded. After
 * lxfw_overbooked_left() for a job on such a node, lxfw_overbooked_stale() returns
 * true: the records must be rebuilt.
 */
void lxfw_overbooked_find(void);
void lxfw_overbooked_forget(void);
void lxfw_overbooked_left(const job_record_t *job);
bool lxfw_overbooked_stale(void);

#endif
