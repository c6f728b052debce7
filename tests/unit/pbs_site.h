/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small site of PBS for tests of lxfw-pbsd's model, without a server. */
#ifndef LXFW_UNIT_PBS_SITE_H
#define LXFW_UNIT_PBS_SITE_H

#include "plugins/pbs/request.h"

extern struct lxfw_pbs_site site;
extern struct lxfw_pbs_sets sets;

/* Set-up of a test: four hosts of one vnode each, and a queue. */
int make_site(void **state);
int clear_site(void **state);

/* Adds the queue workq, whose jobs may run. */
void add_queue(void);

/* Adds a job of the queue. VNODES are those on which it runs, or NULL. */
struct lxfw_pbs_job *add_job(const char *id, char job_state, const char *select,
			     const char *place, const char *vnodes);
/* Adds one of a processor, of a user and a project. One that holds resources is on v0. */
struct lxfw_pbs_job *add_job_of(const char *id, char job_state, const char *user,
				const char *project);

#endif
