/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a publication. Tables of members are used for writing and for reading. */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"
#include "sim-frontend/publish/publication.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/json_out.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

/* The version of the file. A reader of another one refuses it. */
#define LAYOUT 1

#define DEPTH 8
#define TIME_MAX (INT64_C(1) << 40)

enum kind { NAME, SAID, NOTE, REASON, WHOLE, TIME, NUMBER, YES };

struct member {
	const char *key;
	enum kind kind;
	size_t at;
};

#define AT(type, member) offsetof(struct lxfw_publication ## type, member)

static const struct member of_queue[] = {
	{ "cluster", NAME, AT(, cluster) },
	{ "time", WHOLE, AT(, time) },
	{ "heard", WHOLE, AT(, heard) },
	{ "look", WHOLE, AT(, look) },
	{ "manager_answers", YES, AT(, answers) },
	{ "outdated_after", WHOLE, AT(, until) },
	{ "next_round", WHOLE, AT(, next) },
	{ "processors", WHOLE, AT(, procs) },
	{ "hosts", WHOLE, AT(, hosts) },
	{ "jobs_hidden", YES, AT(, hidden) },
	{ "considered_of_all", WHOLE, AT(, scheduling.most[LXFW_SKIPPED_ALL]) },
	{ "considered_of_user", WHOLE, AT(, scheduling.most[LXFW_SKIPPED_USER]) },
	{ "considered_of_user_in_partition", WHOLE, AT(, scheduling.most[LXFW_SKIPPED_USER_PART]) },
	{ "considered_of_partition", WHOLE, AT(, scheduling.most[LXFW_SKIPPED_PART]) },
	{ "between_passes", WHOLE, AT(, scheduling.interval) },
	{ "preempts", WHOLE, AT(, scheduling.preempts) },
	{ "corrected", YES, AT(, corrected) },
	{ "states_50", YES, AT(, states[0]) },
	{ "states_90", YES, AT(, states[1]) },
	{ "moments_elsewhere", NUMBER, AT(, elsewhere) },
	{ 0 },
};

static const struct member of_job[] = {
	{ "job", NAME, AT(_job, name) },
	{ "user", NAME, AT(_job, user) },
	{ "partition", NAME, AT(_job, partition) },
	{ "said", SAID, AT(_job, said) },
	{ "position", WHOLE, AT(_job, position) },
	{ "processors", WHOLE, AT(_job, procs) },
	{ "limit", WHOLE, AT(_job, limit) },
	{ "submitted", WHOLE, AT(_job, submit) },
	{ 0 },
};

static const struct member of_waiting[] = {
	{ "expected_start", TIME, AT(_job, times[LXFW_TOLD_START]) },
	{ "low50", TIME, AT(_job, times[LXFW_TOLD_LOW50]) },
	{ "high50", TIME, AT(_job, times[LXFW_TOLD_HIGH50]) },
	{ "low90", TIME, AT(_job, times[LXFW_TOLD_LOW90]) },
	{ "high90", TIME, AT(_job, times[LXFW_TOLD_HIGH90]) },
	{ "planned_start", WHOLE, AT(_job, planned) },
	{ "obstacle", NAME, AT(_job, obstacle) },
	{ 0 },
};

static const struct member of_kept[] = {
	{ "reason", REASON, AT(_job, reason) },
	{ 0 },
};

static const struct member of_running[] = {
	{ "start", WHOLE, AT(_job, start) },
	{ "expected_end", TIME, AT(_job, end) },
	{ "latest_end", TIME, AT(_job, latest) },
	{ 0 },
};

/* By state: its lists in the file. */
static const struct {
	const char *list;
	const struct member *members;
} states[] = {
	[LXFW_PUBLISHED_WAITING] = { "waiting", of_waiting },
	[LXFW_PUBLISHED_KEPT] = { "not_predicted", of_kept },
	[LXFW_PUBLISHED_RUNNING] = { "running", of_running },
};
#define STATES (sizeof(states) / sizeof(*states))

static const struct member of_note[] = {
	{ "note", NOTE, AT(_note, text) },
	{ 0 },
};

static const struct member of_use[] = {
	{ "time", WHOLE, AT(_use, time) },
	{ "low", WHOLE, AT(_use, procs[LXFW_USE_LOW]) },
	{ "median", WHOLE, AT(_use, procs[LXFW_USE_MEDIAN]) },
	{ "high", WHOLE, AT(_use, procs[LXFW_USE_HIGH]) },
	{ 0 },
};

static const struct member of_wait[] = {
	{ "time", WHOLE, AT(_wait, time) },
	{ "median", TIME, AT(_wait, median) },
	{ "most", TIME, AT(_wait, most) },
	{ "jobs", WHOLE, AT(_wait, jobs) },
	{ 0 },
};

static const struct member of_quality[] = {
	{ "since", WHOLE, AT(_quality, since) },
	{ "predictions", WHOLE, AT(_quality, predictions) },
	{ "jobs", WHOLE, AT(_quality, jobs) },
	{ "median_error", NUMBER, AT(_quality, error) },
	{ "within_10_minutes", NUMBER, AT(_quality, near) },
	{ "with_interval_50", WHOLE, AT(_quality, states[0]) },
	{ "in_interval_50", NUMBER, AT(_quality, inside[0]) },
	{ "with_interval_90", WHOLE, AT(_quality, states[1]) },
	{ "in_interval_90", NUMBER, AT(_quality, inside[1]) },
	{ "beside_the_manager", WHOLE, AT(_quality, both) },
	{ "median_error_there", NUMBER, AT(_quality, error_of_both) },
	{ "within_10_minutes_there", NUMBER, AT(_quality, near_of_both) },
	{ "median_error_of_manager", NUMBER, AT(_quality, error_of_manager) },
	{ "within_10_minutes_of_manager", NUMBER, AT(_quality, near_of_manager) },
	{ 0 },
};

/* --- writing ---------------------------------------------------------------------- */

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text, sizeof(text)));
}

/* A name that is not known and a time beyond the horizon have no member. */
static void put(struct json_object *to, const void *from, const struct member *members,
		bool *failed)
{
	for (; members->key; members++) {
		const char *at = (const char *)from + members->at;
		struct json_object *value = NULL;

		switch (members->kind) {
		case NAME:
		case SAID:
		case NOTE:
			if (!*at)
				continue;
			value = json_object_new_string(at);
			break;
		case REASON:
			value = json_object_new_string(lxfw_reason_name(
				(int)*(const enum lxfw_reason *)at));
			break;
		case TIME:
			if (*(const int64_t *)at == LXFW_NEVER)
				continue;
			/* fallthrough */
		case WHOLE:
			value = json_object_new_int64(*(const int64_t *)at);
			break;
		case NUMBER:
			value = number(*(const double *)at);
			break;
		case YES:
			value = json_object_new_boolean(*(const bool *)at);
			break;
		}
		lxfw_json_put(to, members->key, value, failed);
	}
}

static void put_jobs(struct json_object *top, const struct lxfw_publication *from, bool *failed)
{
	for (size_t state = 0; state < STATES; state++) {
		struct json_object *list = json_object_new_array();

		for (size_t i = 0; i < from->count; i++) {
			struct json_object *job;

			if (from->jobs[i].state != (enum lxfw_publication_state)state)
				continue;
			job = json_object_new_object();
			put(job, &from->jobs[i], of_job, failed);
			put(job, &from->jobs[i], states[state].members, failed);
			lxfw_json_append(list, job, failed);
		}
		lxfw_json_put(top, states[state].list, list, failed);
	}
}

/* Puts a list of COUNT structures of SIZE bytes. */
static void put_list(struct json_object *top, const char *key, const void *from, size_t count,
		     size_t size, const struct member *members, bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		put(one, (const char *)from + i * size, members, failed);
		lxfw_json_append(list, one, failed);
	}
	lxfw_json_put(top, key, list, failed);
}

struct json_object *lxfw_publication_json(const struct lxfw_publication *from)
{
	struct json_object *top = json_object_new_object(), *quality;
	bool failed = false;

	lxfw_json_put(top, "version", json_object_new_int(LAYOUT), &failed);
	put(top, from, of_queue, &failed);
	put_jobs(top, from, &failed);
	put_list(top, "notes", from->notes, from->note_count, sizeof(*from->notes), of_note,
		 &failed);
	put_list(top, "use", from->use, from->use_count, sizeof(*from->use), of_use, &failed);
	put_list(top, "waits_of_submissions", from->waits, from->wait_count,
		 sizeof(*from->waits), of_wait, &failed);
	quality = json_object_new_object();
	put(quality, &from->quality, of_quality, &failed);
	lxfw_json_put(top, "quality", quality, &failed);
	if (!failed)
		return top;
	json_object_put(top);
	errno = ENOMEM;
	return NULL;
}

int lxfw_publication_write(const struct lxfw_publication *publication, const char *path,
			   struct lxfw_error *error)
{
	struct json_object *top = lxfw_publication_json(publication);
	const char *text = top ? json_object_to_json_string_ext(top, JSON_C_TO_STRING_PLAIN) :
				 NULL;
	struct lxfw_output *out;

	if (!text) {
		json_object_put(top);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	out = lxfw_output_replace(path, error);
	if (out) {
		lxfw_output_text(out, text);
		lxfw_output_text(out, "\n");
		lxfw_output_mode(out, 0644);	/* users read the file */
	}
	json_object_put(top);
	return out ? lxfw_output_commit(out, error) : -1;
}

/* --- reading ---------------------------------------------------------------------- */

static bool take_text(const struct json_object *value, char *to, size_t size)
{
	const char *text = json_object_get_string((struct json_object *)value);

	if (!json_object_is_type(value, json_type_string))
		return false;
	lxfw_text_quote(to, size, text, strlen(text));
	return true;
}

/* A reason of a newer release is another one. */
static bool take_reason(const struct json_object *value, enum lxfw_reason *to)
{
	const char *text = json_object_get_string((struct json_object *)value);

	*to = LXFW_REASON_OTHER;
	if (!json_object_is_type(value, json_type_string))
		return false;
	for (int reason = 1; reason < LXFW_REASON_REFUSED; reason++) {
		const char *name = lxfw_reason_name(reason);

		if (name && strcmp(name, text) == 0)
			*to = (enum lxfw_reason)reason;
	}
	return true;
}

static bool take_one(const struct json_object *value, enum kind kind, void *to)
{
	int64_t whole;

	switch (kind) {
	case NAME:
		return take_text(value, to, LXFW_PUBLICATION_NAME);
	case SAID:
		return take_text(value, to, LXFW_PUBLICATION_SAID);
	case NOTE:
		return take_text(value, to, LXFW_PUBLICATION_NOTE);
	case REASON:
		return take_reason(value, to);
	case WHOLE:
	case TIME:
		whole = json_object_get_int64(value);
		*(int64_t *)to = whole;
		return json_object_is_type(value, json_type_int) && whole >= 0 &&
		       whole <= TIME_MAX;
	case NUMBER:
		*(double *)to = json_object_get_double(value);
		return (json_object_is_type(value, json_type_int) ||
			json_object_is_type(value, json_type_double)) && isfinite(*(double *)to);
	case YES:
		*(bool *)to = json_object_get_boolean(value);
		return json_object_is_type(value, json_type_boolean);
	}
	return false;
}

/* Returns NULL, or the key of a member that is wrong. Members that are missing stay as they
   are. */
static const char *take(const struct json_object *from, void *to, const struct member *members)
{
	if (!json_object_is_type(from, json_type_object))
		return "";
	for (; members->key; members++) {
		struct json_object *value;

		if (json_object_object_get_ex(from, members->key, &value) &&
		    !take_one(value, members->kind, (char *)to + members->at))
			return members->key;
	}
	return NULL;
}

/* What is read, and what is wrong with it. */
struct reading {
	struct lxfw_publication *to;
	const char *path;
	struct lxfw_error *error;
};

static int wrong(const struct reading *reading, const char *list, const char *key)
{
	return lxfw_error_at(reading->error, reading->path, 0, "\"%s\" of \"%s\" is not as expected "
			     "in a file of 'lxfw predict --publish'", key, list);
}

/* Returns the list KEY of TOP and its length; a list that is missing is empty. */
static int find_list(const struct reading *reading, const struct json_object *top,
		     const char *key, struct json_object **list, size_t *count)
{
	*count = 0;
	if (!json_object_object_get_ex(top, key, list))
		return 0;
	if (!json_object_is_type(*list, json_type_array))
		return wrong(reading, "", key);
	*count = json_object_array_length(*list);
	return 0;
}

static int take_jobs(const struct reading *reading, const struct json_object *top, size_t state)
{
	struct json_object *list;
	size_t count;

	if (find_list(reading, top, states[state].list, &list, &count))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct json_object *from = json_object_array_get_idx(list, i);
		struct lxfw_publication_job *job = lxfw_publication_add(reading->to);
		const char *key;

		if (!job)
			return lxfw_error_system(reading->error, reading->path);
		job->state = (enum lxfw_publication_state)state;
		key = take(from, job, of_job);
		if (!key)
			key = take(from, job, states[state].members);
		if (!key && !*job->name)
			key = "job";
		if (key)
			return wrong(reading, states[state].list, key);
	}
	return 0;
}

/* Returns the structures of SIZE bytes of a list, which the caller frees, in *TO. */
static int take_list(const struct reading *reading, const struct json_object *top,
		     const char *key, const struct member *members, size_t size, void **to,
		     size_t *count)
{
	struct json_object *list;

	if (find_list(reading, top, key, &list, count))
		return -1;
	*to = calloc(*count + 1, size);
	if (!*to)
		return lxfw_error_system(reading->error, reading->path);
	for (size_t i = 0; i < *count; i++) {
		char *one = (char *)*to + i * size;
		const char *bad;

		/* A time that is not in the file is beyond the horizon. */
		for (const struct member *each = members; each->key; each++) {
			if (each->kind == TIME)
				*(int64_t *)(one + each->at) = LXFW_NEVER;
		}
		bad = take(json_object_array_get_idx(list, i), one, members);
		if (bad)
			return wrong(reading, key, bad);
	}
	return 0;
}

static int take_all(const struct reading *reading, const struct json_object *top)
{
	struct lxfw_publication *to = reading->to;
	struct json_object *value;
	void *use = NULL, *waits = NULL, *notes = NULL;
	const char *key;
	int result = 0;

	if (!json_object_object_get_ex(top, "version", &value) ||
	    json_object_get_int(value) != LAYOUT)
		return lxfw_error_at(reading->error, reading->path, 0, "not a file of 'lxfw predict "
				     "--publish', or of another version, expected version %d",
				     LAYOUT);
	key = take(top, to, of_queue);
	if (key)
		return wrong(reading, "", key);
	for (size_t state = 0; state < STATES && result == 0; state++)
		result = take_jobs(reading, top, state);
	if (result == 0)
		result = take_list(reading, top, "notes", of_note, sizeof(*to->notes), &notes,
				   &to->note_count);
	to->notes = notes;
	if (to->note_count > LXFW_PUBLICATION_NOTES)
		to->note_count = LXFW_PUBLICATION_NOTES;
	if (result == 0)
		result = take_list(reading, top, "use", of_use, sizeof(*to->use), &use,
				   &to->use_count);
	if (result == 0)
		result = take_list(reading, top, "waits_of_submissions", of_wait,
				   sizeof(*to->waits), &waits, &to->wait_count);
	to->use = use;
	to->waits = waits;
	if (result == 0 && json_object_object_get_ex(top, "quality", &value)) {
		key = take(value, &to->quality, of_quality);
		result = key ? wrong(reading, "quality", key) : 0;
	}
	return result;
}

static bool only_blanks(const char *text, size_t from, size_t length)
{
	while (from < length && (text[from] == '\n' || text[from] == ' '))
		from++;
	return from == length;
}

int lxfw_publication_parse(struct lxfw_publication *publication, const char *text,
			   size_t length, const char *path, struct lxfw_error *error)
{
	const struct reading reading = { publication, path, error };
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH);
	struct json_object *top = NULL;
	int result;

	if (!tokener)
		return lxfw_error_system(error, path);
	if (length <= LXFW_PUBLICATION_MAX)
		top = json_tokener_parse_ex(tokener, text, (int)length);
	if (json_object_is_type(top, json_type_object) &&
	    only_blanks(text, json_tokener_get_parse_end(tokener), length))
		result = take_all(&reading, top);
	else
		result = lxfw_error_at(error, path, 0, "damaged or truncated, expected a file of "
				       "'lxfw predict --publish'");
	json_object_put(top);
	json_tokener_free(tokener);
	return result;
}

int lxfw_publication_read(struct lxfw_publication *publication, const char *path,
			  struct lxfw_error *error)
{
	size_t length;
	char *text = lxfw_guarded_read(path, LXFW_PUBLICATION_MAX, &length, error);
	int result = text ? lxfw_publication_parse(publication, text, length, path, error) : -1;

	free(text);
	return result;
}
