/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stock plugin, select/cons_tres, for a select plugin on top of it, and properties of
 * its tests of jobs, for every release. select.c defines the symbols of such a plugin. It
 * forwards most calls to the stock plugin and calls the layer (select-lxfw/layer.h) for
 * the others.
 */
#ifndef LXFW_SLURM_COMPAT_STOCK_H
#define LXFW_SLURM_COMPAT_STOCK_H

#include "plugins/slurm/compat/compat.h"

#define LXFW_SELECT_TYPE "select/cons_tres_lxfw"

/* The arguments of select_p_job_test(). */
struct lxfw_job_test {
	job_record_t *job;
	bitstr_t *nodes;	/* in: available nodes, out: selected nodes */
	uint32_t min_nodes, max_nodes, wanted_nodes;
	uint16_t mode;
	lxfw_slurm_list candidates;	/* jobs that may be preempted */
	lxfw_slurm_list *victims;
	void *exclusions;	/* cores of advance reservations */
	void *will_run;
};

enum lxfw_test_kind {
	LXFW_TEST_OTHER,	/* whether the job could ever run, tests for
				   reservations, ... */
	LXFW_TEST_START,	/* start now */
	LXFW_TEST_WILL_RUN,	/* forecast time and nodes of the start */
};

/* Returns the purpose of a test. */
enum lxfw_test_kind lxfw_select_test_kind(const struct lxfw_job_test *test);

/* Returns the number of cores of NODE that must not be used in this test, or -1 if it
   is unknown. */
int lxfw_select_excluded_cores(const struct lxfw_job_test *test, int node);

/* Loads the stock plugin from PluginDir. Returns false and logs an error if it is not
   found or lacks a symbol. */
bool lxfw_stock_load(void);
void lxfw_stock_unload(void);

/* Call the functions of the stock plugin, which must be loaded. */
int lxfw_stock_job_test(const struct lxfw_job_test *test);
int lxfw_stock_job_fini(job_record_t *job);
int lxfw_stock_job_suspend(job_record_t *job, bool indf_susp);
int lxfw_stock_job_resume(job_record_t *job, bool indf_susp);
int lxfw_stock_reconfigure(void);

#endif
