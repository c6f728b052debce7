/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON files written by Slurm's tools and slurmrestd. A file contains one object or
   several in sequence, since several responses may be stored in one file. */
#ifndef LXFW_TRACE_JSON_FILE_H
#define LXFW_TRACE_JSON_FILE_H

#include <json-c/json.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"

/* Called for each object. A non-zero return value, with WRONG set without a file name,
   ends the reading. */
typedef int lxfw_json_object_fn(void *context, json_object *object,
				struct lxfw_error *wrong);

/* Reads INPUT to its end. EXPECTED describes the expected contents in messages.
   Returns 0, or -1 with errno and ERROR set. */
int lxfw_json_objects(struct lxfw_input *input, const char *expected,
		      lxfw_json_object_fn *take, void *context,
		      struct lxfw_error *error);

/* Returns 1 if the first line of INPUT with content begins with '{', 0 if not, or -1
   with errno and ERROR set. Empty lines before it are consumed, the line itself is
   not. */
int lxfw_json_begins(struct lxfw_input *input, struct lxfw_error *error);

#endif
