/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/json_out.h"

#include <errno.h>
#include <string.h>

/* Maximum length of a path. All objects in use are less deep; a longer path would be
   truncated. */
#define PATH_SIZE 256

/* The position of a value. */
struct place {
	char table[PATH_SIZE];
	size_t row;			/* 0: none */
	const char *key;
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

static void put_value(const struct place *place, struct json_object *value,
		      FILE *out)
{
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
		/* json-c keeps the digits from which the value was made */
		fprintf(out, "%s,", json_object_to_json_string(value));
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

static int put_json(struct json_object *object, FILE *out)
{
	const char *text = json_object_to_json_string_ext(object,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
		JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!text)
		return -1;
	fprintf(out, "%s\n", text);
	return 0;
}

int lxfw_json_out(struct json_object *object, enum lxfw_format format, FILE *out)
{
	const struct place top = { .table = "", .key = "" };
	int result = object ? 0 : -1;

	if (object && format == LXFW_FORMAT_CSV) {
		fputs("table,row,key,number,text\n", out);
		put_any(&top, object, out);
	} else if (object) {
		result = put_json(object, out);
	}
	json_object_put(object);
	if (result)
		errno = ENOMEM;
	return result;
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
