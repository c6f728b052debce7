/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of Slurm's JSON output. A number is a JSON number or, from v0.0.39 on, an
 * object {"set", "infinite", "number"}.
 */
#ifndef LXFW_TRACE_JSON_MEMBERS_H
#define LXFW_TRACE_JSON_MEMBERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* 32-bit numbers in Slurm for "no limit" and "not set". */
#define LXFW_SLURM_INFINITE INT64_C(0xffffffff)
#define LXFW_SLURM_NO_VAL INT64_C(0xfffffffe)

/* Returns the member at a path of keys such as "time.start", or NULL. OBJECT may be of
   any type or NULL. */
json_object *lxfw_json_member(json_object *object, const char *path);

/* Returns a number of 0 or more, -1 if absent, INT64_MAX if infinite. */
int64_t lxfw_json_number(json_object *object, const char *path);

/* Returns a string up to its first byte 0, empty if absent. It is valid as long as OBJECT. */
struct lxfw_slice lxfw_json_text(json_object *object, const char *path);

/* Returns a time, -1 if it is not set: 0, absent or, in v0.0.41, NO_VAL. */
int64_t lxfw_json_time(json_object *object, const char *path);

/* Returns the first of the numbers that is above 0, at most INT32_MAX; 0: none is. */
int64_t lxfw_json_first_count(int64_t first, int64_t second, int64_t third);

/* Returns the state of a job from STATES, a word or an array of words; empty if absent. */
struct lxfw_slice lxfw_json_state(json_object *states);

/* Returns the length of an array; 0 for other types. */
static inline size_t lxfw_json_length(json_object *array)
{
	return json_object_is_type(array, json_type_array) ?
	       json_object_array_length(array) : 0;
}

/* Copies the text of the first entry of ERRORS, an array in a response of Slurm, to
   OUT. Returns false if there is none. */
bool lxfw_json_error(json_object *errors, char *out, size_t size);

#endif
