/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/json_stream.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/text.h"

struct lxfw_json_stream {
	struct lxfw_input *input;
	const char *expected;
	const char *at, *end;		/* bytes of the input that are not consumed */
	bool at_end;
	char last;			/* the last byte that was consumed */
	long line;			/* of the next byte */
	struct json_tokener *tokener;
};

struct lxfw_json_stream *lxfw_json_stream_open(struct lxfw_input *input, const char *expected,
					       struct lxfw_error *error)
{
	struct lxfw_json_stream *stream = calloc(1, sizeof(*stream));

	if (stream)
		*stream = (struct lxfw_json_stream) {
			.input = input, .expected = expected,
			.line = lxfw_input_line_number(input) + 1,
			.tokener = json_tokener_new(),
		};
	if (!stream || !stream->tokener) {
		lxfw_error_system(error, lxfw_input_path(input));
		free(stream);
		return NULL;
	}
	return stream;
}

void lxfw_json_stream_close(struct lxfw_json_stream *stream)
{
	if (!stream)
		return;
	json_tokener_free(stream->tokener);
	free(stream);
}

long lxfw_json_stream_line(const struct lxfw_json_stream *stream)
{
	bool after = stream->at_end && stream->last == '\n' && stream->line > 1;

	return stream->line - after;
}

int lxfw_json_stream_bad(const struct lxfw_json_stream *stream, const char *what,
			 struct lxfw_error *error)
{
	return lxfw_error_at(error, lxfw_input_path(stream->input),
			     lxfw_json_stream_line(stream), "%s", what);
}

static int cut_off(const struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	return lxfw_error_at(error, lxfw_input_path(stream->input),
			     lxfw_json_stream_line(stream),
			     "the text is not JSON or truncated, expected %s", stream->expected);
}

/* Makes at least one byte available. Returns 1, 0 at the end, or -1. */
static int more(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	size_t length;
	int got;

	if (stream->at < stream->end)
		return 1;
	if (stream->at_end)
		return 0;
	got = lxfw_input_bytes_next(stream->input, &stream->at, &length, error);
	if (got > 0)
		stream->end = stream->at + length;
	else
		stream->at = stream->end = NULL;
	stream->at_end = got == 0;
	return got;
}

static void advance(struct lxfw_json_stream *stream, size_t count)
{
	const char *to = stream->at + count;

	if (count == 0)
		return;
	stream->last = to[-1];
	for (const char *at = stream->at; (at = memchr(at, '\n', (size_t)(to - at))); at++)
		stream->line++;
	stream->at = to;
}

int lxfw_json_stream_sign(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	int got;

	while ((got = more(stream, error)) > 0) {
		const char *at = stream->at;

		while (at < stream->end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
			at++;
		advance(stream, (size_t)(at - stream->at));
		/* a byte 0 is no end of the text, and not JSON */
		if (stream->at < stream->end)
			return *stream->at ? (unsigned char)*stream->at : '?';
	}
	return got;
}

void lxfw_json_stream_skip(struct lxfw_json_stream *stream)
{
	advance(stream, 1);
}

int lxfw_json_stream_value(struct lxfw_json_stream *stream, json_object **value,
			   struct lxfw_error *error)
{
	enum json_tokener_error state = json_tokener_continue;
	size_t read = 0;

	*value = NULL;
	json_tokener_reset(stream->tokener);
	while (state == json_tokener_continue) {
		int got = more(stream, error);
		size_t length = (size_t)(stream->end - stream->at);

		if (got < 0)
			return -1;
		if (got == 0 && read == 0)
			break;
		/* a blank ends a number that is the last of the text */
		*value = json_tokener_parse_ex(stream->tokener, got ? stream->at : " ",
					       got ? (int)length : 1);
		state = json_tokener_get_error(stream->tokener);
		if (got == 0)
			break;
		length = json_tokener_get_parse_end(stream->tokener);
		advance(stream, length);
		read += length;
		if (read > LXFW_JSON_VALUE_MAX && state == json_tokener_continue)
			return lxfw_json_stream_bad(stream, "a value of more than 64 MB, "
						    "expected a record of a job", error);
	}
	if (state == json_tokener_success)
		return 0;
	json_object_put(*value);
	*value = NULL;
	return cut_off(stream, error);
}

/* Consumes a string, whose first quote is consumed. */
static int pass_string(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	bool escaped = false;
	int got;

	while ((got = more(stream, error)) > 0) {
		const char *at = stream->at;

		while (at < stream->end && (escaped || *at != '"')) {
			escaped = !escaped && *at == '\\';
			at++;
		}
		advance(stream, (size_t)(at - stream->at));
		if (stream->at < stream->end) {
			advance(stream, 1);
			return 0;
		}
	}
	return got < 0 ? -1 : cut_off(stream, error);
}

/* Consumes a number or a word. */
static int pass_word(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	size_t length = 0;
	int got;

	while ((got = more(stream, error)) > 0) {
		const char *at = stream->at;

		while (at < stream->end && *at && !strchr(" \t\r\n,:]}[{\"", *at))
			at++;
		length += (size_t)(at - stream->at);
		advance(stream, (size_t)(at - stream->at));
		if (stream->at < stream->end)
			break;
	}
	return got < 0 ? -1 : length > 0 ? 0 : cut_off(stream, error);
}

int lxfw_json_stream_pass(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	size_t depth = 0;

	do {
		int sign = lxfw_json_stream_sign(stream, error);

		if (sign <= 0)
			return sign < 0 ? -1 : cut_off(stream, error);
		if (sign == '{' || sign == '[')
			depth++;
		if ((sign == '}' || sign == ']') && depth-- == 0)
			return cut_off(stream, error);
		if (strchr("{}[],:\"", sign)) {
			lxfw_json_stream_skip(stream);
			if (depth == 0 && (sign == ',' || sign == ':'))
				return cut_off(stream, error);
			if (sign == '"' && pass_string(stream, error))
				return -1;
		} else if (pass_word(stream, error)) {
			return -1;
		}
	} while (depth > 0);
	return 0;
}

/* Consumes the sign before the next part of an object or array. Returns 1, or 0 after its end,
   CLOSE, was consumed. */
static int next_part(struct lxfw_json_stream *stream, bool first, char close,
		     struct lxfw_error *error)
{
	int sign = lxfw_json_stream_sign(stream, error);

	if (sign < 0)
		return -1;
	if (sign == close) {
		lxfw_json_stream_skip(stream);
		return 0;
	}
	if (first)
		return 1;
	if (sign != ',')
		return cut_off(stream, error);
	lxfw_json_stream_skip(stream);
	return 1;
}

int lxfw_json_stream_member(struct lxfw_json_stream *stream, bool first, char *key, size_t size,
			    struct lxfw_error *error)
{
	int got = next_part(stream, first, '}', error), sign;
	json_object *name;
	const char *text;
	size_t length;

	if (got <= 0)
		return got;
	sign = lxfw_json_stream_sign(stream, error);
	if (sign != '"')
		return sign < 0 ? -1 : cut_off(stream, error);
	if (lxfw_json_stream_value(stream, &name, error))
		return -1;
	text = json_object_get_string(name);
	length = text ? strlen(text) : 0;
	if (length >= size)
		length = size - 1;
	memcpy(key, text ? text : "", length);
	key[length] = '\0';
	json_object_put(name);
	sign = lxfw_json_stream_sign(stream, error);
	if (sign < 0)
		return -1;
	if (sign != ':')
		return cut_off(stream, error);
	lxfw_json_stream_skip(stream);
	return 1;
}

int lxfw_json_stream_item(struct lxfw_json_stream *stream, bool first, struct lxfw_error *error)
{
	return next_part(stream, first, ']', error);
}

int lxfw_json_stream_skip_line(struct lxfw_json_stream *stream, struct lxfw_error *error)
{
	int got;

	while ((got = more(stream, error)) > 0) {
		const char *newline = memchr(stream->at, '\n', (size_t)(stream->end - stream->at));

		advance(stream, (size_t)((newline ? newline + 1 : stream->end) - stream->at));
		if (newline)
			return 0;
	}
	return got;
}

/* --- recognition ---------------------------------------------------------------- */

static bool is_one_of(const char *key, size_t length, const char *const *keys)
{
	for (; *keys; keys++) {
		if (strlen(*keys) == length && memcmp(*keys, key, length) == 0)
			return true;
	}
	return false;
}

/* A walk through a text that may be cut. */
struct walk {
	const char *text;
	size_t length, at;
	int depth;			/* objects and arrays that are open */
	size_t key, key_length;		/* the string before; length 0: there is none */
	bool in_string;			/* the text ends in one */
};

/* Goes to the next ':'. Returns false at the end. */
static bool to_colon(struct walk *walk)
{
	for (; walk->at < walk->length; walk->at++) {
		switch (walk->text[walk->at]) {
		case '{': case '[':
			walk->depth++;
			break;
		case '}': case ']':
			walk->depth--;
			break;
		case ':':
			walk->at++;
			return true;
		case '"':
			walk->key = ++walk->at;
			while (walk->at < walk->length && walk->text[walk->at] != '"')
				walk->at += walk->text[walk->at] == '\\' ? 2 : 1;
			walk->in_string = walk->at >= walk->length;
			walk->key_length = walk->in_string ? 0 : walk->at - walk->key;
			break;
		case ' ': case '\t': case '\r': case '\n':
			break;
		default:
			walk->key_length = 0;
		}
	}
	return false;
}

bool lxfw_json_has_key(const char *text, size_t length, const char *const *keys, int depth)
{
	struct walk walk = { .text = text, .length = length };

	while (to_colon(&walk)) {
		if (walk.depth <= depth && is_one_of(text + walk.key, walk.key_length, keys))
			return true;
		walk.key_length = 0;
	}
	return false;
}

bool lxfw_json_is_closed(const char *text, size_t length)
{
	struct walk walk = { .text = text, .length = length };

	while (to_colon(&walk))
		walk.key_length = 0;
	return walk.depth == 0 && !walk.in_string;
}
