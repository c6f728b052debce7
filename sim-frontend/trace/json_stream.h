/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a JSON text of any length piece by piece: objects and arrays are entered, and only the
 * values in them that the caller reads are in memory. Lines may be of any length.
 *
 * A function that returns an int returns -1 with errno and ERROR set, "file:line: what is wrong",
 * if the text cannot be read, is cut or is not JSON.
 */
#ifndef LXFW_TRACE_JSON_STREAM_H
#define LXFW_TRACE_JSON_STREAM_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"

/* The longest value that is read as a whole, in bytes. */
#define LXFW_JSON_VALUE_MAX (1 << 26)

struct lxfw_json_stream;

/* Reads INPUT from its present position. EXPECTED, which must outlive the stream, says in messages
   what it should be. Returns NULL with errno and ERROR set. */
struct lxfw_json_stream *lxfw_json_stream_open(struct lxfw_input *input, const char *expected,
					       struct lxfw_error *error);
void lxfw_json_stream_close(struct lxfw_json_stream *stream);

/* Skips blanks. Returns the next character without consuming it, 0 at the end of the text. */
int lxfw_json_stream_sign(struct lxfw_json_stream *stream, struct lxfw_error *error);

/* Consumes the character that lxfw_json_stream_sign() returned, which was not 0. */
void lxfw_json_stream_skip(struct lxfw_json_stream *stream);

/* Reads a value, which the caller releases with json_object_put(). */
int lxfw_json_stream_value(struct lxfw_json_stream *stream, json_object **value,
			   struct lxfw_error *error);

/* Consumes a value of any length without checking it further than its brackets and strings. */
int lxfw_json_stream_pass(struct lxfw_json_stream *stream, struct lxfw_error *error);

/*
 * Goes to the next member of an object whose '{' is consumed, and copies its key, of which
 * SIZE - 1 bytes are kept; the caller then consumes the value. FIRST: no member was read yet.
 * Returns 1, or 0 after the end of the object was consumed.
 */
int lxfw_json_stream_member(struct lxfw_json_stream *stream, bool first, char *key, size_t size,
			    struct lxfw_error *error);

/* The same for the items of an array whose '[' is consumed. */
int lxfw_json_stream_item(struct lxfw_json_stream *stream, bool first, struct lxfw_error *error);

/* Consumes the rest of the line. Returns 0. */
int lxfw_json_stream_skip_line(struct lxfw_json_stream *stream, struct lxfw_error *error);

/* Returns the line number of the present position, from 1. */
long lxfw_json_stream_line(const struct lxfw_json_stream *stream);

/* Sets ERROR, "file:line: WHAT". Returns -1. */
int lxfw_json_stream_bad(const struct lxfw_json_stream *stream, const char *what,
			 struct lxfw_error *error);

/* Returns whether the beginning of a JSON text, an object or an array, has one of KEYS, which end
   with NULL, as the key of a member in up to DEPTH objects and arrays. */
bool lxfw_json_has_key(const char *text, size_t length, const char *const *keys, int depth);

/* Returns whether all objects, arrays and strings that begin in TEXT end there. */
bool lxfw_json_is_closed(const char *text, size_t length);

#endif
