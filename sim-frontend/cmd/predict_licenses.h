/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The licenses of a job that might be submitted. */
#ifndef LXFW_CMD_PREDICT_LICENSES_H
#define LXFW_CMD_PREDICT_LICENSES_H

#include "common/model/request.h"
#include "common/util/error.h"
#include "sim-frontend/trace/pool_names.h"

/* Adds LIST, "a:2,b" or "", to what the request needs. POOLS are those of the journal. Returns 0, or
   -1 with errno EINVAL and ERROR set. */
int lxfw_predict_licenses(const char *list, const struct lxfw_pool_names *pools,
			  struct lxfw_request *request, struct lxfw_error *error);

#endif
