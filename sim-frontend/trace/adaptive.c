/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/adaptive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/random.h"
#include "sim-frontend/util/text.h"

/* Prefixes of the kinds of lists, and the header comments that define their names,
   such as "Queue: 3 short". */
static const struct column {
	enum lxfw_adaptive_kind kind;
	const char *prefix, *header;
} columns[] = {
	{ LXFW_ADAPTIVE_QUEUE, "queue:", "Queue" },
	{ LXFW_ADAPTIVE_USER, "user:", "User" },
	{ LXFW_ADAPTIVE_GROUP, "group:", "Group" },
};

#define COLUMNS ((int)(sizeof(columns) / sizeof(columns[0])))

static const struct column *column_of(enum lxfw_adaptive_kind kind)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (columns[i].kind == kind)
			return &columns[i];
	}
	return NULL;
}

/* Returns whether TEXT is a list without empty names. */
static bool are_names(const char *text)
{
	return *text && *text != ':' && !strstr(text, "::") &&
	       text[strlen(text) - 1] != ':';
}

int lxfw_adaptive_parse(struct lxfw_adaptive *adaptive, const char *text)
{
	double share;
	char *end;

	adaptive->text = text;
	if (strcmp(text, "all") == 0) {
		adaptive->kind = LXFW_ADAPTIVE_ALL;
		return 0;
	}
	for (int i = 0; i < COLUMNS; i++) {
		size_t length = strlen(columns[i].prefix);

		if (strncmp(text, columns[i].prefix, length) != 0)
			continue;
		adaptive->kind = columns[i].kind;
		adaptive->text = text + length;
		return are_names(text + length) ? 0 : -1;
	}
	share = strtod(text, &end);
	if (end != text && *end == '\0') {
		adaptive->kind = LXFW_ADAPTIVE_SHARE;
		adaptive->share = share;
		return share >= 0 && share <= 1 ? 0 : -1;
	}
	adaptive->kind = LXFW_ADAPTIVE_FILE;
	return *text ? 0 : -1;
}

bool lxfw_adaptive_needs_owners(const struct lxfw_adaptive *adaptive)
{
	return adaptive->partitions || column_of(adaptive->kind);
}

/* --- numbers of queues, users, groups --------------------------------------------- */

struct numbers {
	int32_t *numbers;
	size_t count, size;
};

static int add_number(struct numbers *to, int64_t number)
{
	if (LXFW_GROW(to->numbers, to->size, to->count + 1))
		return -1;
	to->numbers[to->count++] = (int32_t)number;
	return 0;
}

static bool has_number(const struct numbers *numbers, int32_t number)
{
	for (size_t i = 0; i < numbers->count; i++) {
		if (numbers->numbers[i] == number)
			return true;
	}
	return false;
}

/* Returns whether a header value such as "3 short" or "3 short jobs" defines the
   number of NAME. */
static bool tells(const char *value, const char *name, size_t length,
		  int64_t *number)
{
	size_t digits = strspn(value, "0123456789");
	const char *rest = value + digits;

	if (digits == 0 ||
	    lxfw_text_integer(value, digits, 0, INT32_MAX, number))
		return false;
	rest += strspn(rest, " \t:");
	return strncmp(rest, name, length) == 0 &&
	       strchr(" \t", rest[length]);
}

/* Finds the numbers of a name, or the number if NAME is numeric. Returns how many were
   found, or -1 with errno ENOMEM. */
static int find_numbers(const struct lxfw_trace *trace, const char *header,
			const char *name, size_t length, struct numbers *to)
{
	int64_t number;
	int found = 0;

	for (size_t i = 0; i < trace->header_count; i++) {
		if (strcasecmp(trace->headers[i].key, header) != 0 ||
		    !tells(trace->headers[i].value, name, length, &number))
			continue;
		if (add_number(to, number))
			return -1;
		found++;
	}
	if (found == 0 &&
	    lxfw_text_integer(name, length, 0, INT32_MAX, &number) == 0)
		return add_number(to, number) ? -1 : 1;
	return found;
}

static int take_names(const struct lxfw_trace *trace, const char *header,
		      const char *text, size_t length, bool known,
		      struct numbers *to, struct lxfw_error *error)
{
	char quoted[60];

	while (length > 0) {
		const char *colon = memchr(text, ':', length);
		size_t name = colon ? (size_t)(colon - text) : length;
		int found = find_numbers(trace, header, text, name, to);

		if (found < 0) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
		if (found == 0 && known)
			return lxfw_error_format(error, "--adaptive: no %s '%s' "
				"in the trace, expected a name in its header "
				"or a number", header,
				lxfw_text_quote(quoted, sizeof(quoted), text,
						name));
		text += name + (colon != NULL);
		length -= name + (colon != NULL);
	}
	return 0;
}

/* --- numbers of jobs --------------------------------------------------------------- */

struct listed {
	struct lxfw_id_map by_number;	/* job number + 1 to `min_procs` */
	struct lxfw_id_map seen;	/* numbers of jobs in the trace */
	size_t count;
};

/* Parses "1234" or "1234 8". */
static int take_line(struct listed *listed, const struct lxfw_adaptive *adaptive,
		     const char *line, size_t length)
{
	int64_t number, min_procs = adaptive->min_procs;
	struct lxfw_text_pair pair;

	if (!lxfw_text_pair(line, length, " \t,", &pair))
		return 0;
	if (lxfw_text_integer(pair.word, pair.word_length, 0, INT64_MAX - 1,
			      &number) ||
	    (pair.rest_length > 0 &&
	     lxfw_text_integer(pair.rest, pair.rest_length, 1, INT32_MAX,
			       &min_procs)))
		return -1;
	number++;		/* the map cannot hold key 0 */
	if (lxfw_id_map_get(&listed->by_number, (uint64_t)number) >= 0)
		lxfw_id_map_remove(&listed->by_number, (uint64_t)number);
	else
		listed->count++;
	return lxfw_id_map_add(&listed->by_number, (uint64_t)number,
			       (int32_t)min_procs);
}

static int read_list(struct listed *listed, const struct lxfw_adaptive *adaptive,
		     struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(adaptive->text, error);
	size_t length;
	char *line;
	int got = -1;

	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		errno = 0;
		if (take_line(listed, adaptive, line, length) == 0)
			continue;
		got = errno == ENOMEM ?
			lxfw_error_system(error, adaptive->text) :
			lxfw_error_at(error, adaptive->text,
				      lxfw_input_line_number(input),
				      "expected a job number and optionally "
				      "its minimum number of processors");
		break;
	}
	lxfw_input_close(input);
	return got;
}

/* --- choosing ----------------------------------------------------------------------- */

struct choice {
	const struct lxfw_adaptive *adaptive;
	struct numbers numbers;		/* in the column of the given kind */
	struct numbers partitions;
	bool look_at_partitions;
	struct listed listed;
};

static void clear(struct choice *choice)
{
	int saved = errno;

	free(choice->numbers.numbers);
	free(choice->partitions.numbers);
	lxfw_id_map_clear(&choice->listed.by_number);
	lxfw_id_map_clear(&choice->listed.seen);
	errno = saved;
}

static bool has_queues(const struct lxfw_trace *trace)
{
	for (size_t i = 0; i < trace->count; i++) {
		if (trace->owners[i].queue >= 0)
			return true;
	}
	return false;
}

static int prepare(struct choice *choice, const struct lxfw_trace *trace,
		   struct lxfw_adaptive_result *result,
		   struct lxfw_error *error)
{
	const struct lxfw_adaptive *adaptive = choice->adaptive;
	const struct column *column = column_of(adaptive->kind);

	if (adaptive->partitions) {
		choice->look_at_partitions = has_queues(trace);
		result->no_queues = !choice->look_at_partitions;
		if (take_names(trace, "Queue", adaptive->partitions,
			       (size_t)adaptive->partitions_length, false,
			       &choice->partitions, error))
			return -1;
	}
	if (column)
		return take_names(trace, column->header, adaptive->text,
				  strlen(adaptive->text), true,
				  &choice->numbers, error);
	return adaptive->kind == LXFW_ADAPTIVE_FILE ?
		       read_list(&choice->listed, adaptive, error) : 0;
}

/* Uses a separate random sequence for each position, so that the outcome does not
   depend on other jobs. */
static bool is_drawn(const struct lxfw_adaptive *adaptive, size_t position)
{
	struct lxfw_random random;

	lxfw_random_seed(&random, adaptive->seed, position);
	return lxfw_random_uniform(&random) < adaptive->share;
}

/* Returns the minimum number of processors of a job in the list, 0 if it is not
   listed. */
static int32_t look_up(struct listed *listed, const struct lxfw_trace_job *job)
{
	uint64_t number = (uint64_t)job->number + 1;
	int32_t min_procs = -1;

	if (job->number >= 0)
		min_procs = lxfw_id_map_get(&listed->by_number, number);
	if (min_procs < 0)
		return 0;
	if (lxfw_id_map_get(&listed->seen, number) < 0 &&
	    lxfw_id_map_add(&listed->seen, number, 0))
		return -1;
	return min_procs;
}

/* Returns the minimum number of processors of a selected job, 0 if the job is not
   selected, or -1 with errno ENOMEM. */
static int32_t choose(struct choice *choice, const struct lxfw_trace *trace,
		      size_t position)
{
	const struct lxfw_adaptive *adaptive = choice->adaptive;
	const struct lxfw_trace_owner *owner =
		trace->owners ? &trace->owners[position] : NULL;
	bool chosen = true;

	switch (adaptive->kind) {
	case LXFW_ADAPTIVE_ALL:
		break;
	case LXFW_ADAPTIVE_SHARE:
		chosen = is_drawn(adaptive, position);
		break;
	case LXFW_ADAPTIVE_QUEUE:
		chosen = has_number(&choice->numbers, owner->queue);
		break;
	case LXFW_ADAPTIVE_USER:
		chosen = has_number(&choice->numbers, owner->user);
		break;
	case LXFW_ADAPTIVE_GROUP:
		chosen = has_number(&choice->numbers, owner->group);
		break;
	case LXFW_ADAPTIVE_FILE:
		return look_up(&choice->listed, &trace->jobs[position]);
	}
	return chosen ? adaptive->min_procs : 0;
}

static int choose_all(struct choice *choice, struct lxfw_trace *trace,
		      struct lxfw_adaptive_result *result)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct lxfw_trace_job *job = &trace->jobs[i];
		int32_t min_procs = choose(choice, trace, i);

		if (min_procs < 0)
			return -1;
		job->min_procs = min_procs < job->procs ? min_procs : job->procs;
		if (min_procs == 0)
			continue;
		if (choice->look_at_partitions &&
		    !has_number(&choice->partitions, trace->owners[i].queue)) {
			job->min_procs = 0;
			result->elsewhere++;
			continue;
		}
		result->chosen++;
	}
	result->not_found = choice->listed.count - choice->listed.seen.count;
	return 0;
}

int lxfw_adaptive_choose(const struct lxfw_adaptive *adaptive,
			 struct lxfw_trace *trace,
			 struct lxfw_adaptive_result *result,
			 struct lxfw_error *error)
{
	struct choice choice = { .adaptive = adaptive };
	int failed;

	*result = (struct lxfw_adaptive_result) { 0 };
	failed = prepare(&choice, trace, result, error);
	if (!failed && choose_all(&choice, trace, result)) {
		lxfw_error_set(error, "out of memory");
		failed = -1;
	}
	clear(&choice);
	return failed;
}
