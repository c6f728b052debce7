/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: jobs share the processors of their host. */
#ifndef LXFW_POLICY_EQSPATIAL_EQSPATIAL_H
#define LXFW_POLICY_EQSPATIAL_EQSPATIAL_H

#include "common/books/books.h"

/* One pass instead of lxfw_pass(), which it calls for rigid jobs: place, start,
   repartition. 0, or -1 with errno ENOMEM (what has been appended stands). */
int lxfw_equipartition_pass(struct lxfw_sched *sched);

/* The policy is in force from now on. 0, or -1 with errno ENOMEM. Another one takes
   over. */
int lxfw_equipartition_begin(struct lxfw_sched *sched);
void lxfw_equipartition_yield(struct lxfw_sched *sched);

#endif
