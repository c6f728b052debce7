/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/swf.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sim-frontend/util/text.h"

#define FIELDS 18

/* The largest number that is scanned, of 18 digits. */
#define NUMBER_MAX INT64_C(999999999999999999)

enum rounding { DOWN, UP, EXACT_DOUBLE };

static const struct field {
	const char *name;
	size_t offset;
	int64_t max;
	enum rounding rounding;
} fields[FIELDS] = {
#define FIELD(member, text, max, rounding) \
	{ text, offsetof(struct lxfw_swf_record, member), max, rounding }
	FIELD(number, "job number", NUMBER_MAX, DOWN),
	FIELD(submit, "submit time", LXFW_SWF_TIME_MAX, DOWN),
	FIELD(wait, "wait time", LXFW_SWF_TIME_MAX, DOWN),
	FIELD(run, "run time", LXFW_SWF_TIME_MAX, UP),
	FIELD(used_procs, "allocated processors", LXFW_SWF_PROCS_MAX, DOWN),
	FIELD(cpu_time, "average CPU time", NUMBER_MAX, EXACT_DOUBLE),
	FIELD(used_memory, "used memory", LXFW_SWF_MEMORY_MAX, DOWN),
	FIELD(requested_procs, "requested processors", LXFW_SWF_PROCS_MAX, DOWN),
	FIELD(requested_time, "requested time", LXFW_SWF_TIME_MAX, UP),
	FIELD(requested_memory, "requested memory", LXFW_SWF_MEMORY_MAX, DOWN),
	FIELD(status, "status", NUMBER_MAX, DOWN),
	FIELD(user, "user", NUMBER_MAX, DOWN),
	FIELD(group, "group", NUMBER_MAX, DOWN),
	FIELD(executable, "executable", NUMBER_MAX, DOWN),
	FIELD(queue, "queue", NUMBER_MAX, DOWN),
	FIELD(partition, "partition", NUMBER_MAX, DOWN),
	FIELD(preceding_job, "preceding job", NUMBER_MAX, DOWN),
	FIELD(think_time, "think time", LXFW_SWF_TIME_MAX, DOWN),
#undef FIELD
};

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool is_end(char c)
{
	return c == '\n' || c == '\r';
}

/* A number as scanned: integer part, fraction, sign. */
struct number {
	int64_t whole;
	double fraction;	/* 0 <= fraction < 1 */
	bool negative, overflow;
};

static const char *scan_fraction(const char *at, struct number *number)
{
	double scale = 0.1;

	for (at++; *at >= '0' && *at <= '9'; at++, scale /= 10)
		number->fraction += (*at - '0') * scale;
	return at;
}

/* Scans the number at AT. Returns NULL if there is none. */
static const char *scan(const char *at, struct number *number)
{
	const char *digits;
	uint64_t whole = 0;

	number->negative = *at == '-';
	at += *at == '-' || *at == '+';
	digits = at;
	while (*at >= '0' && *at <= '9')
		whole = whole * 10 + (uint64_t)(*at++ - '0');
	number->fraction = 0;
	/* 18 digits never overflow; a longer number may have leading zeros. */
	number->overflow = false;
	if (at - digits > 18) {
		while (*digits == '0')
			digits++;
		number->overflow = at - digits > 18;
		if (at == digits)
			digits--;
	}
	number->whole = (int64_t)whole;
	if (*at == '.') {
		const char *point = at;

		at = scan_fraction(at, number);
		if (at - point == 1 && point == digits)
			return NULL;
	} else if (at == digits) {
		return NULL;
	}
	return at;
}

static void bad_field(const struct lxfw_input *input, int index, const char *at,
		      bool out_of_range, struct lxfw_odd *odd)
{
	size_t length = 0;
	char token[40];

	while (!is_blank(at[length]) && !is_end(at[length]))
		length++;
	lxfw_text_quote(token, sizeof(token), at, length);
	if (!out_of_range)
		lxfw_odd_add(odd, input, 0, "field %d (%s) is '%s', expected a number",
			     index + 1, fields[index].name, token);
	else
		lxfw_odd_add(odd, input, 0, "field %d (%s) is %s, expected at most %lld",
			     index + 1, fields[index].name, token,
			     (long long)fields[index].max);
}

/* Stores a number that take_usual() does not handle: with a sign, a fraction or too
   many digits. */
static int store(struct lxfw_swf_record *record, const struct field *field,
		 const struct number *number)
{
	void *member = (char *)record + field->offset;

	if (field->rounding == EXACT_DOUBLE) {
		*(double *)member = number->negative ? -1 :
			(double)number->whole + number->fraction;
		return 0;
	}
	if (!number->negative && (number->overflow || number->whole > field->max))
		return -1;
	*(int64_t *)member = number->negative ? -1 :
		number->whole + (field->rounding == UP && number->fraction > 0);
	return 0;
}

static const char *take_unusual(const struct lxfw_input *input, const char *at,
				int field, struct lxfw_swf_record *record,
				struct lxfw_odd *odd)
{
	struct number number;
	const char *next = scan(at, &number);
	bool is_number = next && (is_blank(*next) || is_end(*next));

	if (is_number && store(record, &fields[field], &number) == 0)
		return next;
	bad_field(input, field, at, is_number, odd);
	return NULL;
}

/*
 * Parses the usual fields, a few digits or -1, without the cost of the general scanner.
 * Returns NULL for any other field.
 */
static inline const char *take_usual(const char *at, const struct field *field,
				     struct lxfw_swf_record *record)
{
	int64_t *member = (int64_t *)((char *)record + field->offset);
	const char *begin = at;
	uint64_t digits = 0;
	int64_t value;

	if (*at == '-' && at[1] == '1' && is_blank(at[2])) {
		value = -1;
		at += 2;
	} else {
		while (*at >= '0' && *at <= '9')
			digits = digits * 10 + (uint64_t)(*at++ - '0');
		value = (int64_t)digits;
		if (at == begin || at - begin > 18 ||
		    !(is_blank(*at) || is_end(*at)) || value > field->max)
			return NULL;
	}
	if (field->rounding == EXACT_DOUBLE)
		*(double *)(void *)member = (double)value;
	else
		*member = value;
	return at;
}

/* Returns 1, or LXFW_ODD_RECORD. */
static int parse(const struct lxfw_input *input, const char *at,
		 struct lxfw_swf_record *record, struct lxfw_odd *odd)
{
	for (int i = 0; i < FIELDS; i++) {
		const char *next;

		while (is_blank(*at))
			at++;
		if (is_end(*at))
			return lxfw_odd_add(odd, input, 0, "%d field%s, expected %d", i,
					    i == 1 ? "" : "s", FIELDS);
		next = take_usual(at, &fields[i], record);
		if (!next)
			next = take_unusual(input, at, i, record, odd);
		if (!next)
			return LXFW_ODD_RECORD;
		at = next;
	}
	/* real logs contain jobs with no known field */
	if (record->submit < 0 && record->run > 0)
		return lxfw_odd_add(odd, input, 0, "field 2 (submit time) is negative, "
				    "expected 0 or more");
	return 1;
}

/* Reports a header comment of the form "; Key: value". */
static int tell_header(const char *line, size_t length,
		       lxfw_swf_header_fn *header, void *context)
{
	const char *end = line + length, *key = line, *colon, *value;

	while (key < end && (*key == ';' || is_blank(*key)))
		key++;
	colon = memchr(key, ':', (size_t)(end - key));
	if (!colon || colon == key)
		return 0;
	for (const char *c = key; c < colon; c++) {
		if (is_blank(*c))
			return 0;
	}
	for (value = colon + 1; value < end && is_blank(*value); value++)
		;
	while (end > value && is_blank(end[-1]))
		end--;
	return header(context, key, (int)(colon - key), value,
		      (int)(end - value));
}

int lxfw_swf_next(struct lxfw_input *input, struct lxfw_swf_record *record,
		  lxfw_swf_header_fn *header, void *context, struct lxfw_odd *odd,
		  struct lxfw_error *error)
{
	for (;;) {
		char *line;
		const char *at;
		size_t length;
		int got = lxfw_input_line(input, &line, &length, error);

		if (got <= 0)
			return got;
		for (at = line; is_blank(*at); at++)
			;
		if (is_end(*at))
			continue;
		if (*at == ';') {
			if (header && tell_header(line, length, header, context))
				return lxfw_error_system(error,
						lxfw_input_path(input));
			continue;
		}
		if (parse(input, at, record, odd) == 1)
			return 1;
	}
}
