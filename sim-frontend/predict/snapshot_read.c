/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/wire.h"
#include "common/util/grow.h"
#include "sim-frontend/predict/snapshot_check.h"
#include "sim-frontend/predict/snapshot_fields.h"
#include "sim-frontend/predict/snapshot_file.h"
#include "sim-frontend/predict/snapshot_value.h"
#include "sim-frontend/util/text.h"

#define BYTES_MOST ((size_t)1 << 30)
#define MAGIC "lxfw-snapshot "

struct reader {
	struct lxfw_snapshot_file *file;
	const char *path;
	struct lxfw_error *error;
	char *text;
	size_t length;
	long line;
	bool has_state, has_params;
};

static int bad(const struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int bad(const struct reader *reader, const char *format, ...)
{
	char text[400];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return lxfw_error_at(reader->error, reader->path, reader->line, "%s", text);
}

static int out_of_memory(const struct reader *reader)
{
	lxfw_error_set(reader->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- lines --------------------------------------------------------------------------- */

/* Takes the next word off *REST, which is ended by a NUL. Returns NULL if there is none. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ");
	size_t length = strcspn(word, " ");

	if (length == 0)
		return NULL;
	*rest = word + length + (word[length] != '\0');
	word[length] = '\0';
	return word;
}

static const struct lxfw_snapshot_field *
find_field(const struct lxfw_snapshot_field *fields, const char *key, size_t *index)
{
	*index = 0;
	for (; fields->key; fields++, ++*index) {
		if (strcmp(fields->key, key) == 0)
			return fields;
	}
	return NULL;
}

static void set_absent(const struct lxfw_snapshot_field *fields, char *object)
{
	for (; fields->key; fields++) {
		void *member = object + fields->offset;

		if (fields->kind == LXFW_SNAPSHOT_LONG)
			*(int64_t *)member = fields->absent;
		else if (fields->kind == LXFW_SNAPSHOT_FLAG)
			*(bool *)member = fields->absent != 0;
	}
}

/* Sets *NAME to a copy of TEXT, if the line may have a name. */
static int take_name(const struct reader *reader, const char *text, char **name)
{
	if (!name || *name)
		return bad(reader, "unexpected 'name='%s", name ? " for the second time" : "");
	if (strlen(text) >= LXFW_SNAPSHOT_NAME_SIZE)
		return bad(reader, "name of %zu characters, expected at most %d",
			   strlen(text), LXFW_SNAPSHOT_NAME_SIZE - 1);
	*name = strdup(text);
	return *name ? 0 : out_of_memory(reader);
}

/* The rest of a line: KEY=VALUE words with the keys of FIELDS, each at most once. */
static int take_fields(const struct reader *reader, char *rest, char **name,
		       const struct lxfw_snapshot_field *fields, void *object)
{
	const struct lxfw_snapshot_field *field;
	uint64_t seen = 0;
	char *word, quoted[64], why[200];
	size_t index;

	set_absent(fields, object);
	while ((word = next_word(&rest))) {
		char *value = strchr(word, '=');

		lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
		if (!value)
			return bad(reader, "'%s', expected KEY=VALUE", quoted);
		*value++ = '\0';
		if (strcmp(word, "name") == 0) {
			if (take_name(reader, value, name))
				return -1;
			continue;
		}
		field = find_field(fields, word, &index);
		if (!field)
			return bad(reader, "unknown key in '%s', expected a key of "
				   "lxfw-snapshot(1)", quoted);
		if (seen >> index & 1)
			return bad(reader, "'%s': the key is given twice", quoted);
		seen |= UINT64_C(1) << index;
		if (lxfw_snapshot_value(field, value, object, why, sizeof(why)))
			return errno == ENOMEM ? out_of_memory(reader) :
			       bad(reader, "'%s': expected %s", quoted, why);
	}
	return 0;
}

/* --- the kinds of lines --------------------------------------------------------------- */

static int take_state(struct reader *reader, char *rest)
{
	struct lxfw_snapshot *state = &reader->file->state;

	if (reader->has_state)
		return bad(reader, "second line 'state', expected one");
	reader->has_state = true;
	if (take_fields(reader, rest, NULL, lxfw_snapshot_state_fields, state))
		return -1;
	if (state->now == INT64_MIN || state->now == LXFW_NEVER)
		return bad(reader, "no time, expected 'time=SECONDS'");
	if (state->wake < state->now)
		return bad(reader, "the next decision is before the time of the snapshot, "
			   "expected 'next=' of %" PRId64 " or later", state->now);
	return 0;
}

static int take_params(struct reader *reader, const char *text)
{
	char quoted[64];

	if (reader->has_params)
		return bad(reader, "second line 'params', expected one");
	reader->has_params = true;
	if (lxfw_params_from_text(&reader->file->state.params, text) == 0)
		return 0;
	lxfw_text_quote(quoted, sizeof(quoted), text, strlen(text));
	return bad(reader, "invalid parameters '%s'%s", quoted, errno == ENOTSUP ?
		   ", with a policy or a key that this release does not know; expected "
		   "those of lxfw-params(5)" : ", expected the text of a journal");
}

static int take_host(struct reader *reader, char *rest)
{
	struct lxfw_snapshot_file *file = reader->file;
	struct lxfw_snapshot *state = &file->state;
	size_t at = state->host_count;

	if (state->set_count + state->block_count + state->job_count > 0)
		return bad(reader, "host after other lines, expected hosts first");
	if (LXFW_GROW(state->hosts, state->hosts_size, at + 1) ||
	    LXFW_GROW(file->host_names, file->host_names_size, at + 1))
		return out_of_memory(reader);
	state->hosts[at] = (struct lxfw_snapshot_host) { 0 };
	file->host_names[at] = NULL;
	state->host_count++;
	if (take_fields(reader, rest, &file->host_names[at], lxfw_snapshot_host_fields,
			&state->hosts[at]))
		return -1;
	if (!file->host_names[at])
		file->host_names[at] = strdup("");
	return file->host_names[at] ? 0 : out_of_memory(reader);
}

static int take_set(struct reader *reader, char *rest)
{
	struct lxfw_snapshot *state = &reader->file->state;
	struct lxfw_snapshot_set *set;

	if (LXFW_GROW(state->sets, state->sets_size, state->set_count + 1))
		return out_of_memory(reader);
	set = &state->sets[state->set_count++];
	*set = (struct lxfw_snapshot_set) { 0 };
	return take_fields(reader, rest, NULL, lxfw_snapshot_set_fields, set);
}

static int take_block(struct reader *reader, char *rest)
{
	struct lxfw_snapshot *state = &reader->file->state;
	struct lxfw_snapshot_block *block;

	if (LXFW_GROW(state->blocks, state->blocks_size, state->block_count + 1))
		return out_of_memory(reader);
	block = &state->blocks[state->block_count++];
	*block = (struct lxfw_snapshot_block) { 0 };
	return take_fields(reader, rest, NULL, lxfw_snapshot_block_fields, block);
}

static int take_job(struct reader *reader, char *rest)
{
	struct lxfw_snapshot_file *file = reader->file;
	struct lxfw_snapshot *state = &file->state;
	size_t at = state->job_count;

	if (LXFW_GROW(state->jobs, state->jobs_size, at + 1) ||
	    LXFW_GROW(file->job_names, file->job_names_size, at + 1))
		return out_of_memory(reader);
	state->jobs[at] = (struct lxfw_snapshot_job) { .state = -1 };
	file->job_names[at] = NULL;
	state->job_count++;
	return take_fields(reader, rest, &file->job_names[at], lxfw_snapshot_job_fields,
			   &state->jobs[at]);
}

static int take_reservation(struct reader *reader, char *rest)
{
	struct lxfw_snapshot *state = &reader->file->state;
	struct lxfw_snapshot_reservation *reservation;

	if (LXFW_GROW(state->reservations, state->reservations_size,
		      state->reservation_count + 1))
		return out_of_memory(reader);
	reservation = &state->reservations[state->reservation_count++];
	*reservation = (struct lxfw_snapshot_reservation) { 0 };
	return take_fields(reader, rest, NULL, lxfw_snapshot_reservation_fields,
			   reservation);
}

static int take_ran(struct reader *reader, char *rest)
{
	struct lxfw_snapshot_file *file = reader->file;
	struct lxfw_snapshot_ran *ran;

	if (LXFW_GROW(file->ran, file->ran_size, file->ran_count + 1))
		return out_of_memory(reader);
	ran = &file->ran[file->ran_count++];
	*ran = (struct lxfw_snapshot_ran) { 0 };
	if (take_fields(reader, rest, NULL, lxfw_snapshot_ran_fields, ran))
		return -1;
	return ran->limit > 0 && ran->procs > 0 && ran->seconds > 0 ? 0 :
	       bad(reader, "incomplete run time, expected limit=, procs= and seconds=");
}

static int take_submitted(struct reader *reader, char *rest)
{
	struct lxfw_snapshot_file *file = reader->file;
	struct lxfw_snapshot_submitted *submitted;

	if (LXFW_GROW(file->submitted, file->submitted_size, file->submitted_count + 1))
		return out_of_memory(reader);
	submitted = &file->submitted[file->submitted_count++];
	*submitted = (struct lxfw_snapshot_submitted) { .request.id = 1 };
	return take_fields(reader, rest, NULL, lxfw_snapshot_submitted_fields, submitted);
}

static int take_line(struct reader *reader, char *line)
{
	const struct {
		const char *word;
		int (*take)(struct reader *reader, char *rest);
		int (*check)(const struct lxfw_snapshot_file *file, char *why, size_t size);
	} kinds[] = {
		{ "state", take_state, NULL },
		{ "host", take_host, lxfw_snapshot_check_host },
		{ "set", take_set, lxfw_snapshot_check_set },
		{ "block", take_block, lxfw_snapshot_check_block },
		{ "job", take_job, lxfw_snapshot_check_job },
		{ "reservation", take_reservation, lxfw_snapshot_check_reservation },
		{ "ran", take_ran, NULL },
		{ "submitted", take_submitted, lxfw_snapshot_check_submitted },
	};
	char *rest = line, *word = next_word(&rest), quoted[64], why[300];

	if (!word || *word == '#')
		return 0;
	if (strcmp(word, "anonymous") == 0 && !next_word(&rest)) {
		reader->file->anonymous = true;
		return 0;
	}
	if (strcmp(word, "params") == 0)
		return take_params(reader, rest);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(word, kinds[i].word) != 0)
			continue;
		if (!reader->has_state && i > 0)
			return bad(reader, "'%s' before the time of the snapshot, expected "
				   "a line 'state' first", word);
		if (kinds[i].take(reader, rest))
			return -1;
		return kinds[i].check && kinds[i].check(reader->file, why, sizeof(why)) ?
		       bad(reader, "%s", why) : 0;
	}
	lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
	return bad(reader, "line begins with '%s', expected state, params, host, set, block, "
		   "job, reservation, ran or submitted", quoted);
}

/* --- the file ------------------------------------------------------------------------- */

static int load(struct reader *reader)
{
	FILE *file = fopen(reader->path, "rb");
	size_t size = 0, got = 1;
	bool failed = false;

	if (!file)
		return lxfw_error_system(reader->error, reader->path);
	while (got > 0 && !failed && reader->length < BYTES_MOST) {
		failed = LXFW_GROW(reader->text, size, reader->length + 65537) != 0;
		if (failed)
			break;
		got = fread(reader->text + reader->length, 1, 65536, file);
		reader->length += got;
	}
	if (!failed && ferror(file)) {
		lxfw_error_system(reader->error, reader->path);
		fclose(file);
		return -1;
	}
	fclose(file);
	if (failed)
		return out_of_memory(reader);
	reader->text[reader->length] = '\0';
	if (reader->length >= BYTES_MOST)
		return bad(reader, "more than %zu bytes, expected a snapshot", BYTES_MOST);
	return 0;
}

static int check_head(struct reader *reader)
{
	int version = 0, used = 0;

	reader->line = 1;
	if (sscanf(reader->text, MAGIC "%9d%n", &version, &used) != 1 || used == 0)
		return bad(reader, "not a snapshot, expected a file written by 'lxfw snapshot' "
			   "that begins with '" MAGIC "%d'", LXFW_SNAPSHOT_VERSION);
	if (version < 1 || version > LXFW_SNAPSHOT_VERSION || reader->text[used] != '\n')
		return bad(reader, "snapshot of version %d, expected version 1 to %d: write it "
			   "again with this release", version, LXFW_SNAPSHOT_VERSION);
	return 0;
}

/* Finds the last line, "end lines=N crc32=HEX", and cuts it off. */
static int check_end(struct reader *reader, uint32_t *crc)
{
	size_t lines = 0, begin = reader->length;
	unsigned long long stated = 0;
	int used = 0;

	for (size_t i = 0; i < reader->length; i++) {
		if (reader->text[i] == '\n')
			lines++;
		if (reader->text[i] == '\0') {
			reader->line = (long)lines + 1;
			return bad(reader, "a NUL byte, expected text");
		}
	}
	while (begin > 1 && (begin == reader->length || reader->text[begin - 1] != '\n'))
		begin--;
	reader->line = (long)lines;
	if (sscanf(reader->text + begin, "end lines=%19llu crc32=%8" SCNx32 "\n%n", &stated,
		   crc, &used) != 2 || begin + (size_t)used != reader->length ||
	    reader->text[reader->length - 1] != '\n') {
		reader->line = (long)lines + (reader->text[reader->length - 1] != '\n');
		return bad(reader, "not the end of a snapshot, which is truncated or was "
			   "changed: expected 'end lines=N crc32=HEX' as the last line");
	}
	if (stated != lines - 1)
		return bad(reader, "%zu lines before the last one, expected %llu: lines were "
			   "removed or added", lines - 1, stated);
	reader->length = begin;
	reader->text[begin] = '\0';
	return 0;
}

static int take_lines(struct reader *reader)
{
	char *line = reader->text, why[300];
	int result = 0;

	for (reader->line = 1; *line && result == 0; reader->line++) {
		char *end = strchr(line, '\n');

		*end = '\0';
		if (reader->line > 1)
			result = take_line(reader, line);
		line = end + 1;
		if (result)
			return -1;
	}
	if (!reader->has_state || !reader->has_params)
		return bad(reader, "no line '%s', expected one",
			   reader->has_state ? "params" : "state");
	if (lxfw_snapshot_check_all(reader->file, why, sizeof(why)))
		return errno == ENOMEM ? out_of_memory(reader) : bad(reader, "%s", why);
	return 0;
}

static int read_all(struct reader *reader)
{
	uint32_t stated = 0, is;
	size_t length;
	long last;

	if (load(reader) || check_head(reader) || check_end(reader, &stated))
		return -1;
	last = reader->line;
	length = reader->length;
	is = lxfw_crc32((const unsigned char *)reader->text, length);
	if (take_lines(reader))
		return -1;
	reader->line = last;
	if (is != stated)
		return bad(reader, "the checksum is %08" PRIx32 ", expected %08" PRIx32 ": the "
			   "file was changed or damaged", is, stated);
	return 0;
}

int lxfw_snapshot_read(struct lxfw_snapshot_file *file, const char *path,
		       struct lxfw_error *error)
{
	struct reader reader = { .file = file, .path = path, .error = error };
	struct lxfw_error why;
	struct lxfw_sched *sched;
	int result = read_all(&reader), saved;

	if (result == 0) {
		sched = lxfw_snapshot_restore(&file->state, NULL, &why);
		if (!sched)
			result = errno == ENOMEM ? out_of_memory(&reader) :
				 lxfw_error_at(error, path, 0, "impossible state: %s, expected "
					       "a state that 'lxfw snapshot' wrote", why.text);
		lxfw_sched_destroy(sched);
	}
	saved = errno;
	free(reader.text);
	if (result)
		lxfw_snapshot_file_clear(file);
	errno = saved;
	return result;
}
