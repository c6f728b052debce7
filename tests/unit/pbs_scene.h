/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw-pbsd's adapter with a simulated server on which nothing fails, in scenes made by hand: four
   hosts of two vnodes with 4 processors each, and no jobs. */
#ifndef LXFW_TESTS_PBS_SCENE_H
#define LXFW_TESTS_PBS_SCENE_H

#include "plugins/pbs/wlm.h"
#include "tests/unit/fake_pbs_world.h"

extern struct lxfw_pbs pbs;
extern char pbs_scene_folder[];

/* For cmocka_unit_test_setup_teardown(). */
int pbs_scene_begin(void **state);
int pbs_scene_end(void **state);

/* Begin another daemon with the same server, after pbs_scene_end(). */
int pbs_scene_restart(void);
/* Use other parameters than "lxfw_policy=lxfw". */
void pbs_scene_params(const char *text);
/* A waiting job of one chunk, which runs for 600 s. */
struct fake_pbs_job *pbs_scene_submit(int ncpus);
/* A running one. */
struct fake_pbs_job *pbs_scene_run(int ncpus, const char *vnodes);
/* A pass, a second later. */
void pbs_scene_pass(void);
/* Connect again after a loss of the connection. */
void pbs_scene_connect(void);
/* The number of messages with TEXT since the scene began. */
int pbs_scene_logged(const char *text);

#endif
