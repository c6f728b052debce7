/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results that are made as a JSON object, printed as that or as CSV in long form: a line
 * for each value, with the columns
 *
 *   table   the path of keys that lead to it, joined by dots; empty at the top
 *   row     in the innermost list on that path, from 1 on; empty where there is none.
 *           Positions in outer lists are part of the path.
 *   key     its own key; of values that are items of a list themselves the list's
 *   number  a number, or a truth value as 1 and 0; empty for others
 *   text    a text; empty for others
 */
#ifndef LXFW_UTIL_JSON_OUT_H
#define LXFW_UTIL_JSON_OUT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "sim-frontend/util/format.h"

/* FORMAT is JSON or CSV. Takes OBJECT over, which may be NULL: it could not be made. 0, or
   -1 with errno ENOMEM; whether OUT took it is for the caller to see. */
int lxfw_json_out(struct json_object *object, enum lxfw_format format, FILE *out);

/* Add VALUE, which is taken over, to an object or a list. Where one of the two is NULL, since
   it could not be made, or memory runs out, VALUE is freed and *FAILED set: callers add
   all and ask once. */
void lxfw_json_put(struct json_object *object, const char *key,
		   struct json_object *value, bool *failed);
void lxfw_json_append(struct json_object *list, struct json_object *value,
		      bool *failed);

#endif
