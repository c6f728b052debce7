/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/json_out.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Maximum length of a path. All objects in use are less deep; a longer path would be
   truncated. */
#define PATH_SIZE 256

/* The position of a value. */
struct place {
	char table[PATH_SIZE];
	size_t row;			/* 0: none */
	const char *key;
	bool *failed;			/* set if memory runs out */
};

static void put_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\n\r")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* Returns the text of a value that is not a string, object or list, or NULL if memory runs
   out. json-c keeps the digits from which a number was made. */
static const char *text_of(struct json_object *value)
{
	const char *text = json_object_to_json_string(value);

	return text && *text ? text : NULL;
}

static void put_value(const struct place *place, struct json_object *value,
		      FILE *out)
{
	const char *number;

	put_text(place->table, out);
	putc(',', out);
	if (place->row > 0)
		fprintf(out, "%zu", place->row);
	putc(',', out);
	put_text(place->key, out);
	putc(',', out);
	switch (json_object_get_type(value)) {
	case json_type_boolean:
		fputs(json_object_get_boolean(value) ? "1," : "0,", out);
		break;
	case json_type_int:
	case json_type_double:
		number = text_of(value);
		*place->failed |= !number;
		fprintf(out, "%s,", number ? number : "");
		break;
	case json_type_string:
		putc(',', out);
		put_text(json_object_get_string(value), out);
		break;
	default:
		putc(',', out);
		break;
	}
	putc('\n', out);
}

/* Appends WORD to the path. */
static struct place below(const struct place *place, const char *word)
{
	struct place next = *place;
	size_t used = strlen(next.table);

	snprintf(next.table + used, sizeof(next.table) - used, "%s%s",
		 used > 0 ? "." : "", word);
	return next;
}

/* Enters a list in a list: the position in the outer one is appended to the path. */
static struct place below_row(const struct place *place)
{
	struct place next = *place;
	char row[24];

	if (place->row > 0) {
		snprintf(row, sizeof(row), "%zu", place->row);
		next = below(place, row);
		next.row = 0;
	}
	return next;
}

static void put_any(const struct place *place, struct json_object *value, FILE *out);

static void put_object(const struct place *place, struct json_object *object,
		       FILE *out)
{
	struct json_object_iterator at = json_object_iter_begin(object);
	struct json_object_iterator end = json_object_iter_end(object);

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		struct json_object *value = json_object_iter_peek_value(&at);
		const char *key = json_object_iter_peek_name(&at);
		struct place next = *place;

		if (json_object_is_type(value, json_type_array))
			next = below_row(place);
		if (json_object_is_type(value, json_type_array) ||
		    json_object_is_type(value, json_type_object))
			next = below(&next, key);
		next.key = key;
		put_any(&next, value, out);
	}
}

static void put_array(const struct place *place, struct json_object *array,
		      FILE *out)
{
	struct place next = below_row(place);

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		next.row = i + 1;
		put_any(&next, json_object_array_get_idx(array, i), out);
	}
}

static void put_any(const struct place *place, struct json_object *value, FILE *out)
{
	if (json_object_is_type(value, json_type_object))
		put_object(place, value, out);
	else if (json_object_is_type(value, json_type_array))
		put_array(place, value, out);
	else
		put_value(place, value, out);
}

/* --- JSON ------------------------------------------------------------------------- */

/* json-c makes one string of a whole object, and returns a part of it if memory runs out.
   These functions write value by value. */

void lxfw_json_string(const char *text, size_t length, FILE *out)
{
	static const char short_forms[] = "\bb\nn\rr\tt\ff\"\"\\\\";

	putc('"', out);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];
		const char *form = short_forms;

		while (*form && *form != text[i])
			form += 2;
		if (*form)
			fprintf(out, "\\%c", form[1]);
		else if (byte < ' ')
			fprintf(out, "\\u%04x", byte);
		else
			putc(byte, out);
	}
	putc('"', out);
}

/* Begins a line in an object or list. */
static void put_line(bool first, int level, FILE *out)
{
	fputs(first ? "\n" : ",\n", out);
	for (int i = 0; i < level; i++)
		fputs("  ", out);
}

static void put_end(bool empty, int level, char bracket, FILE *out)
{
	if (!empty)
		put_line(true, level, out);
	putc(bracket, out);
}

static int put_json(struct json_object *value, int level, FILE *out);

static int put_members(struct json_object *object, int level, FILE *out)
{
	struct json_object_iterator at = json_object_iter_begin(object);
	struct json_object_iterator end = json_object_iter_end(object);
	bool first = true;

	putc('{', out);
	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *key = json_object_iter_peek_name(&at);

		put_line(first, level + 1, out);
		first = false;
		lxfw_json_string(key, strlen(key), out);
		fputs(": ", out);
		if (put_json(json_object_iter_peek_value(&at), level + 1, out))
			return -1;
	}
	put_end(first, level, '}', out);
	return 0;
}

static int put_list(struct json_object *list, int level, FILE *out)
{
	size_t count = json_object_array_length(list);

	putc('[', out);
	for (size_t i = 0; i < count; i++) {
		put_line(i == 0, level + 1, out);
		if (put_json(json_object_array_get_idx(list, i), level + 1, out))
			return -1;
	}
	put_end(count == 0, level, ']', out);
	return 0;
}

/* Returns -1 if memory runs out. */
static int put_json(struct json_object *value, int level, FILE *out)
{
	const char *text;

	switch (json_object_get_type(value)) {
	case json_type_object:
		return put_members(value, level, out);
	case json_type_array:
		return put_list(value, level, out);
	case json_type_string:
		lxfw_json_string(json_object_get_string(value),
			   (size_t)json_object_get_string_len(value), out);
		return 0;
	default:
		text = text_of(value);
		if (text)
			fputs(text, out);
		return text ? 0 : -1;
	}
}

int lxfw_json_out(struct json_object *object, enum lxfw_format format, FILE *out)
{
	bool failed = !object;
	const struct place top = { .table = "", .key = "", .failed = &failed };

	if (object && format == LXFW_FORMAT_CSV) {
		fputs("table,row,key,number,text\n", out);
		put_any(&top, object, out);
	} else if (object) {
		failed = put_json(object, 0, out) != 0;
		putc('\n', out);
	}
	json_object_put(object);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}

void lxfw_json_put(struct json_object *object, const char *key,
		   struct json_object *value, bool *failed)
{
	if (object && value && json_object_object_add(object, key, value) == 0)
		return;
	json_object_put(value);
	*failed = true;
}

void lxfw_json_append(struct json_object *list, struct json_object *value,
		      bool *failed)
{
	if (list && value && json_object_array_add(list, value) == 0)
		return;
	json_object_put(value);
	*failed = true;
}
