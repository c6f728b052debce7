/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of waiting jobs: lines in time. */
#ifndef LXFW_ORDER_ORDER_H
#define LXFW_ORDER_ORDER_H

#include "common/books/books.h"

/* Set the intercept and slope of all classes from the parameters. */
void lxfw_priority_set_all(struct lxfw_sched *sched);

#endif
