/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a result, which is built as a JSON object, as JSON or as CSV in long form. CSV
 * has one line per value with the columns
 *
 *   table   path of keys to the value, joined by dots; empty at the top level
 *   row     position in the innermost list on the path, from 1; empty if there is none.
 *           Positions in outer lists are part of the path.
 *   key     key of the value; for items of a list, the key of the list
 *   number  a number, or a boolean as 1 or 0; empty for other values
 *   text    a string; empty for other values
 */
#ifndef LXFW_UTIL_JSON_OUT_H
#define LXFW_UTIL_JSON_OUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/util/format.h"

/* FORMAT is JSON or CSV. Takes ownership of OBJECT, which is NULL if it could not be
   built. Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_json_out(struct json_object *object, enum lxfw_format format, FILE *out);

/* Writes the first LENGTH bytes of TEXT as a JSON string. The caller checks OUT for errors. */
void lxfw_json_string(const char *text, size_t length, FILE *out);

/* Adds VALUE to an object or a list and takes ownership of it. If one of the two is
   NULL or memory runs out, VALUE is freed and *FAILED is set. Callers may thus check
   once after all additions. */
void lxfw_json_put(struct json_object *object, const char *key,
		   struct json_object *value, bool *failed);
void lxfw_json_append(struct json_object *list, struct json_object *value,
		      bool *failed);

#endif
