/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of what Slurm writes as JSON. Numbers stand as such or, from v0.0.39 on, as
 * {"set", "infinite", "number"}.
 */
#ifndef LXFW_TRACE_JSON_MEMBERS_H
#define LXFW_TRACE_JSON_MEMBERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* The member at a path of keys, "time.start"; NULL if there is none. OBJECT may be
   anything, also NULL. */
json_object *lxfw_json_member(json_object *object, const char *path);

/* A number of 0 or more; -1 for none, INT64_MAX for an infinite one. */
int64_t lxfw_json_number(json_object *object, const char *path);

/* A text, as long as OBJECT lives; empty for none. */
struct lxfw_slice lxfw_json_text(json_object *object, const char *path);

/* The number of items of an array; 0 of anything else. */
static inline size_t lxfw_json_length(json_object *array)
{
	return json_object_is_type(array, json_type_array) ?
	       json_object_array_length(array) : 0;
}

/* What Slurm answers beside what it has: the text of the first of ERRORS, an array,
   for a message into OUT; false if there is none. */
bool lxfw_json_error(json_object *errors, char *out, size_t size);

#endif
