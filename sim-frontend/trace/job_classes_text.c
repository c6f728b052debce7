/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/job_classes_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/shipped.h"
#include "sim-frontend/util/text.h"

struct piece {		/* part of the line; `length` 0: none */
	const char *at;
	size_t length;
};

struct reader {
	const struct lxfw_cluster *cluster;
	struct lxfw_job_classes classes;
	struct lxfw_host_rules *rules;
	size_t rules_size;
	int32_t *rules_of;
	struct lxfw_error *error;	/* set without a file name */
};

static bool is(struct piece piece, const char *word)
{
	return piece.length == strlen(word) &&
	       memcmp(piece.at, word, piece.length) == 0;
}

/* Reports that PIECE is not what was EXPECTED. Use as `return wrong(...)`. */
static int wrong(struct reader *reader, struct piece piece, const char *expected)
{
	char quoted[40];

	return lxfw_error_format(reader->error, "'%s', expected %s",
				 lxfw_text_quote(quoted, sizeof(quoted), piece.at,
						 piece.length), expected);
}

static int no_memory(struct reader *reader)
{
	lxfw_error_set(reader->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static bool is_blank(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static struct piece next_word(struct piece *rest)
{
	struct piece word;

	while (rest->length > 0 && is_blank(*rest->at)) {
		rest->at++;
		rest->length--;
	}
	word = (struct piece){ rest->at, 0 };
	while (word.length < rest->length && !is_blank(word.at[word.length]))
		word.length++;
	rest->at += word.length;
	rest->length -= word.length;
	return word;
}

/* Returns the part of REST before one of SEPARATORS and sets *SEPARATOR, 0 at the end. */
static struct piece next_item(struct piece *rest, const char *separators,
			      char *separator)
{
	struct piece item = { rest->at, 0 };

	while (item.length < rest->length &&
	       !strchr(separators, item.at[item.length]))
		item.length++;
	*separator = '\0';
	rest->at += item.length;
	rest->length -= item.length;
	if (rest->length > 0) {
		*separator = *rest->at++;
		rest->length--;
	}
	return item;
}

/*
 * Returns the index in KEYS ("cpu", ..., NULL) of the key of WORD and sets *VALUE.
 * Returns -1 if the key is unknown or is in SEEN already. EXPECTED lists the keys for the
 * message.
 */
static int key_of(struct reader *reader, struct piece word,
		  const char *const *keys, const char *expected, unsigned *seen,
		  struct piece *value)
{
	char separator, quoted[40], meant[60];
	struct piece key;

	*value = word;
	key = next_item(value, "=", &separator);
	for (int i = 0; separator && keys[i]; i++) {
		if (!is(key, keys[i]))
			continue;
		if (*seen >> i & 1)
			return lxfw_error_format(reader->error,
						 "%s given twice", keys[i]);
		*seen |= 1u << i;
		return i;
	}
	lxfw_text_quote(quoted, sizeof(quoted), word.at, word.length);
	return lxfw_error_format(reader->error, "'%s', expected %s%s", quoted, expected,
				 lxfw_text_meant(meant, sizeof(meant), word.at, word.length,
						 keys));
}

static int take_duration(struct reader *reader, struct piece value,
			 int64_t least, int64_t *seconds)
{
	if (lxfw_text_span(value.at, value.length, seconds) || *seconds < least)
		return wrong(reader, value, "a time of whole seconds such as "
			     "90m, 5h or 5.5h");
	return 0;
}

static int take_count(struct reader *reader, struct piece value, int32_t *count)
{
	int64_t number;

	if (lxfw_text_integer(value.at, value.length, 1, INT32_MAX, &number))
		return wrong(reader, value, "a number from 1 to 2147483647");
	*count = (int32_t)number;
	return 0;
}

static int take_memory(struct reader *reader, struct piece value,
		       int64_t *memory_mb)
{
	if (lxfw_cluster_memory(value.at, value.length, memory_mb))
		return wrong(reader, value, "a number of MB, or a number with "
			     "the suffix K, M, G or T");
	return 0;
}

/* --- classes ----------------------------------------------------------------------- */

static int32_t find_time(const struct lxfw_job_classes *classes,
			 struct piece name)
{
	int32_t i = classes->time_count - 1;

	while (i >= 0 && !is(name, classes->times[i].name))
		i--;
	return i;
}

static int32_t find_size(const struct lxfw_job_classes *classes,
			 struct piece name)
{
	int32_t i = classes->size_count - 1;

	while (i >= 0 && !is(name, classes->sizes[i].name))
		i--;
	return i;
}

/* Checks and stores the name of a new class. There are COUNT classes and at most MOST. */
static int take_name(struct reader *reader, struct piece name, int32_t count,
		     int32_t most, bool known, char *to)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-.";

	if (name.length == 0 || name.length >= LXFW_CLASS_NAME_SIZE)
		return wrong(reader, name, "a class name of 1 to 31 letters, "
			     "digits, '_', '-' or '.'");
	for (size_t i = 0; i < name.length; i++) {
		if (!memchr(letters, name.at[i], sizeof(letters) - 1))
			return wrong(reader, name, "a class name of letters, "
				     "digits, '_', '-' or '.'");
	}
	if (known)
		return wrong(reader, name, "each class once");
	if (count == most)
		return wrong(reader, name, "at most 16 such classes");
	if (reader->classes.rules_count > 0)
		return wrong(reader, name, "classes before the first line of "
			     "hosts");
	memcpy(to, name.at, name.length);
	to[name.length] = '\0';
	return 0;
}

static int take_time_class(struct reader *reader, struct piece rest)
{
	static const char *const keys[] = { "cpu", "run", "reserve", "running",
					    NULL };
	struct lxfw_job_classes *classes = &reader->classes;
	struct lxfw_time_class class = {
		.cpu_per_proc = LXFW_NO_TIME_LIMIT,
		.run_time = LXFW_NO_TIME_LIMIT,
		.reserve_wait = LXFW_NO_TIME_LIMIT,
		.running_most = LXFW_NO_COUNT_LIMIT,
	};
	const struct lxfw_time_class *last = classes->time_count > 0 ?
		&classes->times[classes->time_count - 1] : &class;
	struct piece word = next_word(&rest), value;
	unsigned seen = 0;
	int failed;

	if (take_name(reader, word, classes->time_count, LXFW_TIME_CLASSES_MAX,
		      find_time(classes, word) >= 0, class.name))
		return -1;
	while ((word = next_word(&rest)).length > 0) {
		switch (key_of(reader, word, keys, "cpu=TIME, run=TIME, "
			       "reserve=TIME or running=N", &seen, &value)) {
		case 0:
			failed = take_duration(reader, value, 1,
					       &class.cpu_per_proc);
			break;
		case 1:
			failed = take_duration(reader, value, 1, &class.run_time);
			break;
		case 2:
			failed = take_duration(reader, value, 0,
					       &class.reserve_wait);
			break;
		case 3:
			failed = take_count(reader, value, &class.running_most);
			break;
		default:
			failed = -1;
		}
		if (failed)
			return -1;
	}
	if (class.cpu_per_proc < last->cpu_per_proc ||
	    class.run_time < last->run_time)
		return lxfw_error_format(reader->error, "time class %s has a "
			"limit below that of %s, expected the shortest class "
			"first", class.name, last->name);
	classes->times[classes->time_count++] = class;
	return 0;
}

static int take_size_class(struct reader *reader, struct piece rest)
{
	static const char *const keys[] = { "procs", "memory", NULL };
	struct lxfw_job_classes *classes = &reader->classes;
	struct lxfw_size_class class = {
		.procs = LXFW_NO_COUNT_LIMIT,
		.memory_mb = LXFW_NO_MEMORY_LIMIT,
	};
	const struct lxfw_size_class *last = classes->size_count > 0 ?
		&classes->sizes[classes->size_count - 1] : &class;
	struct piece word = next_word(&rest), value;
	unsigned seen = 0;
	int failed;

	if (take_name(reader, word, classes->size_count, LXFW_SIZE_CLASSES_MAX,
		      find_size(classes, word) >= 0, class.name))
		return -1;
	while ((word = next_word(&rest)).length > 0) {
		switch (key_of(reader, word, keys, "procs=N or memory=SIZE",
			       &seen, &value)) {
		case 0:
			failed = take_count(reader, value, &class.procs);
			break;
		case 1:
			failed = take_memory(reader, value, &class.memory_mb);
			break;
		default:
			failed = -1;
		}
		if (failed)
			return -1;
	}
	if (class.procs < last->procs || class.memory_mb < last->memory_mb)
		return lxfw_error_format(reader->error, "size class %s has a "
			"limit below that of %s, expected the smallest class "
			"first", class.name, last->name);
	classes->sizes[classes->size_count++] = class;
	return 0;
}

/* --- hosts ------------------------------------------------------------------------- */

/* Parses "lj>mj>sj". */
static int take_order(struct reader *reader, struct piece value,
		      struct lxfw_host_rules *rules)
{
	unsigned seen = 0;
	char separator;

	rules->order_count = 0;
	do {
		struct piece name = next_item(&value, ">", &separator);
		int32_t size = find_size(&reader->classes, name);

		if (size < 0)
			return wrong(reader, name, "a size class of the lines "
				     "above, as in sizes=A>B");
		if (seen >> size & 1)
			return wrong(reader, name, "each size class once");
		seen |= 1u << size;
		rules->order[rules->order_count++] = size;
	} while (separator);
	return 0;
}

/* Parses "vst>st,mt,lt". */
static int take_ranks(struct reader *reader, struct piece value,
		      struct lxfw_host_rules *rules)
{
	int32_t rank = 0;
	char separator;

	for (int32_t i = 0; i < reader->classes.time_count; i++)
		rules->rank[i] = -1;
	do {
		struct piece name = next_item(&value, ">,", &separator);
		int32_t time = find_time(&reader->classes, name);

		if (time < 0)
			return wrong(reader, name, "a time class of the lines "
				     "above, as in times=A>B,C");
		if (rules->rank[time] >= 0)
			return wrong(reader, name, "each time class once");
		rules->rank[time] = rank;
		rank += separator == '>';
	} while (separator);
	return 0;
}

/* Parses "lj:3,mj:4". */
static int take_limits(struct reader *reader, struct piece value,
		       struct lxfw_host_rules *rules)
{
	unsigned seen = 0;
	char separator;

	do {
		struct piece number = next_item(&value, ",", &separator);
		char colon;
		struct piece name = next_item(&number, ":", &colon);
		int32_t size = find_size(&reader->classes, name);

		if (size < 0 || !colon)
			return wrong(reader, name, "a size class of the lines "
				     "above with a number, as in running=A:3,B:4");
		if (seen >> size & 1)
			return wrong(reader, name, "each size class once");
		seen |= 1u << size;
		if (take_count(reader, number, &rules->running_most[size]))
			return -1;
	} while (separator);
	return 0;
}

static int take_host(void *context, const char *name)
{
	struct reader *reader = context;
	int32_t host = lxfw_cluster_find(reader->cluster, name);

	if (host < 0)
		return lxfw_error_format(reader->error,
			"host %.60s is not in the cluster", name);
	if (reader->rules_of[host] >= 0)
		return lxfw_error_format(reader->error,
			"host %.60s is a duplicate, expected each host once", name);
	reader->rules_of[host] = reader->classes.rules_count;
	return 0;
}

/* Sets the values of omitted keys. */
static void set_defaults(const struct lxfw_job_classes *classes,
			 struct lxfw_host_rules *rules)
{
	*rules = (struct lxfw_host_rules){ .order_count = classes->size_count };
	for (int32_t i = 0; i < classes->size_count; i++) {
		rules->order[i] = classes->size_count - 1 - i;
		rules->running_most[i] = LXFW_NO_COUNT_LIMIT;
	}
}

static int take_hosts(struct reader *reader, struct piece rest)
{
	static const char *const keys[] = { "sizes", "times", "running", NULL };
	struct lxfw_job_classes *classes = &reader->classes;
	struct piece names = next_word(&rest), word, value;
	struct lxfw_host_rules *rules;
	unsigned seen = 0;
	int failed;

	if (classes->time_count == 0 || classes->size_count == 0)
		return lxfw_error_format(reader->error, "hosts before the "
			"classes, expected lines of time and size above");
	if (names.length == 0)
		return lxfw_error_format(reader->error, "no hosts, expected "
			"names such as n[0-7]");
	if (LXFW_GROW(reader->rules, reader->rules_size,
		      (size_t)classes->rules_count + 1))
		return no_memory(reader);
	rules = &reader->rules[classes->rules_count];
	set_defaults(classes, rules);
	while ((word = next_word(&rest)).length > 0) {
		switch (key_of(reader, word, keys, "sizes=A>B, times=A>B,C or "
			       "running=A:N", &seen, &value)) {
		case 0:
			failed = take_order(reader, value, rules);
			break;
		case 1:
			failed = take_ranks(reader, value, rules);
			break;
		case 2:
			failed = take_limits(reader, value, rules);
			break;
		default:
			failed = -1;
		}
		if (failed)
			return -1;
	}
	if (lxfw_hostlist_expand(names.at, names.length, take_host, reader,
				 reader->error))
		return -1;
	classes->rules_count++;
	return 0;
}

/* --- the file ------------------------------------------------------------------------ */

static int take_line(struct reader *reader, const char *line, size_t length)
{
	const char *hash = memchr(line, '#', length);
	struct piece rest = { line, hash ? (size_t)(hash - line) : length };
	struct piece word = next_word(&rest);

	if (word.length == 0)
		return 0;
	if (is(word, "time"))
		return take_time_class(reader, rest);
	if (is(word, "size"))
		return take_size_class(reader, rest);
	if (is(word, "hosts"))
		return take_hosts(reader, rest);
	return wrong(reader, word, "time, size or hosts");
}

/* Checks that every host of the cluster is on a line of hosts. */
static int check_hosts(const struct reader *reader)
{
	for (int32_t i = 0; i < reader->cluster->count; i++) {
		if (reader->rules_of[i] < 0)
			return lxfw_error_format(reader->error, "no line of "
				"hosts names %.60s, expected every host of the "
				"cluster", lxfw_cluster_host_name(reader->cluster,
								  i));
	}
	return 0;
}

static int read_lines(struct reader *reader, struct lxfw_input *input,
		      struct lxfw_error *error)
{
	struct lxfw_error text;
	char *line;
	size_t length;
	int got;

	reader->error = &text;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0 &&
	       take_line(reader, line, length) == 0)
		;
	if (got > 0 || (got == 0 && check_hosts(reader))) {
		int code = errno;

		lxfw_error_at(error, lxfw_input_path(input),
			      lxfw_input_line_number(input), "%s", text.text);
		errno = code;
		return -1;
	}
	return got;
}

struct lxfw_job_classes *
lxfw_job_classes_read(const char *name, const struct lxfw_cluster *cluster,
		      struct lxfw_error *error)
{
	struct reader reader = { .cluster = cluster };
	struct lxfw_input *input = lxfw_shipped_open(name, "classes", error);
	struct lxfw_job_classes *copy = NULL;
	int saved;

	if (!input)
		return NULL;
	reader.rules_of = malloc((size_t)cluster->count * sizeof(int32_t));
	if (reader.rules_of) {
		memset(reader.rules_of, -1,
		       (size_t)cluster->count * sizeof(int32_t));
		reader.classes.rules_of = reader.rules_of;
		reader.classes.host_count = cluster->count;
		if (read_lines(&reader, input, error) == 0) {
			reader.classes.rules = reader.rules;
			copy = lxfw_job_classes_copy(&reader.classes);
			if (!copy)
				lxfw_error_system(error, name);
		}
	} else {
		lxfw_error_system(error, name);
	}
	saved = errno;
	lxfw_input_close(input);
	free(reader.rules);
	free(reader.rules_of);
	errno = saved;
	return copy;
}
