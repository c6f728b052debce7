/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of JSON as Slurm's tools and slurmrestd write them: an object, or several one
   behind the other, since a file may be made of several answers. */
#ifndef LXFW_TRACE_JSON_FILE_H
#define LXFW_TRACE_JSON_FILE_H

#include <json-c/json.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"

/* Told of each object. Non-zero, with WRONG saying why without a file's name, ends the
   reading. */
typedef int lxfw_json_object_fn(void *context, json_object *object,
				struct lxfw_error *wrong);

/* Read INPUT to its end; EXPECTED says in a message what it should be. 0, or -1 with
   errno and ERROR set. */
int lxfw_json_objects(struct lxfw_input *input, const char *expected,
		      lxfw_json_object_fn *take, void *context,
		      struct lxfw_error *error);

/* Whether the first line of INPUT with content, which is not taken, begins with '{'.
   Empty lines before it are. 1, 0, or -1 with errno and ERROR set. */
int lxfw_json_begins(struct lxfw_input *input, struct lxfw_error *error);

#endif
