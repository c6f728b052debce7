/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the server shows to its managers only, from what any user may see. A user without
 * privileges gets no schedselect, euser and egroup of a job: they are made of the select that it
 * requests, default_chunk of its queue and of the server, and its owner. The group stays unknown.
 *
 * Where query_other_jobs is false, the server shows a user no jobs of others. Their use of vnodes
 * is known, and not for how long.
 */
#ifndef LXFW_PBS_PLAIN_H
#define LXFW_PBS_PLAIN_H

#include "plugins/pbs/site.h"

/* Completes the jobs of SITE. Managers' jobs are complete. Returns false if memory ran out. */
bool lxfw_pbs_complete_jobs(struct lxfw_pbs_site *site);

/* The schedselect of a job that requests SELECT in QUEUE, which may be NULL; the caller frees it.
   SELECT that cannot be read is returned as it is. NULL if memory ran out. */
char *lxfw_pbs_whole_select(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			    const char *select);

/* What is in use of the vnode by jobs that are not shown. Returns false if nothing is. */
bool lxfw_pbs_hidden_use(const struct lxfw_pbs_vnode *vnode, struct lxfw_resources *amount);

#endif
