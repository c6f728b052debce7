/* SPDX-License-Identifier: GPL-2.0-or-later */
/* NCSA-LSF*: job classes with limits and priorities per host. */
#ifndef LXFW_POLICY_CLASSES_CLASSES_H
#define LXFW_POLICY_CLASSES_CLASSES_H

#include "common/books/books.h"

/* The classes from now on, which are valid and copied. 0, or -1 with errno ENOMEM,
   those before still in force. */
int lxfw_job_classes_set(struct lxfw_sched *sched,
			 const struct lxfw_job_classes *classes);

#endif
