/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict without a journal, where the site publishes its queue. */
#ifndef LXFW_CMD_PREDICT_SITE_H
#define LXFW_CMD_PREDICT_SITE_H

#include "sim-frontend/cmd/predict.h"

/*
 * Prints the starts of the jobs NAMES, of all if there are none, or of the requests, as they are
 * published. Returns an exit status, or -1 if nothing is published that answers all of this.
 */
int lxfw_predict_site(const struct lxfw_predict_arguments *arguments, char **names, int count);

/* The same of jobs from a publication that is outdated, for a workload manager that does not
   answer. */
int lxfw_predict_outdated(const struct lxfw_predict_arguments *arguments, char **names, int count);

#endif
