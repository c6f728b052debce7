/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A select plugin that lies over select/cons_tres, whatever the release's set of
 * symbols: select.c has them all, hands most of them to the stock plugin as they
 * come, and calls the layer where it has a say.
 */
#ifndef LXFW_SLURM_COMPAT_SELECT_H
#define LXFW_SLURM_COMPAT_SELECT_H

#include "plugins/slurm/compat/compat.h"

#define LXFW_SELECT_TYPE "select/cons_tres_lxfw"

/* What select_p_job_test() is asked. */
struct lxfw_job_test {
	job_record_t *job;
	bitstr_t *nodes;	/* in: those to choose from, out: chosen */
	uint32_t min_nodes, max_nodes, wanted_nodes;
	uint16_t mode;
	lxfw_slurm_list candidates;	/* jobs that may be preempted */
	lxfw_slurm_list *victims;
	void *exclusions;	/* cores of advance reservations */
	void *will_run;
};

enum lxfw_test_kind {
	LXFW_TEST_OTHER,	/* could it ever, for a reservation, ... */
	LXFW_TEST_START,	/* start now */
	LXFW_TEST_WILL_RUN,	/* when and where could it start */
};

enum lxfw_test_kind lxfw_select_test_kind(const struct lxfw_job_test *test);

/* Cores of NODE that are not to be used in this test, or -1 if that is not
   known. */
int lxfw_select_excluded_cores(const struct lxfw_job_test *test, int node);

/* Whether the least loaded nodes are to be chosen in the job's partition. */
bool lxfw_select_least_loaded(const job_record_t *job);

/* Whether it matters which nodes are near to each other. */
bool lxfw_select_topology(void);

/* Load the stock plugin from PluginDir. False, and a line in the log, if it is not
   there or lacks a symbol. */
bool lxfw_stock_load(void);
void lxfw_stock_unload(void);

int lxfw_stock_job_test(const struct lxfw_job_test *test);
int lxfw_stock_job_fini(job_record_t *job);
int lxfw_stock_job_suspend(job_record_t *job, bool indf_susp);
int lxfw_stock_job_resume(job_record_t *job, bool indf_susp);
int lxfw_stock_reconfigure(void);

/*
 * What the layer provides. The first ones stand in for the stock functions. The
 * last is called after anything else that may have changed what is allocated.
 */
int lxfw_layer_job_test(const struct lxfw_job_test *test);
int lxfw_layer_job_fini(job_record_t *job);
int lxfw_layer_job_suspend(job_record_t *job, bool indf_susp);
int lxfw_layer_job_resume(job_record_t *job, bool indf_susp);
int lxfw_layer_reconfigure(void);
void lxfw_layer_changed(void);

#endif
