/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <zlib.h>

#include "common/util/grow.h"

/* The application id "lxfw", which file(1) recognizes, and the version of the tables. */
#define APPLICATION 0x6c786677
#define LAYOUT 2

/* Seconds between commits. */
#define COMMIT_EVERY 1

/* Size of a value as text, with the preceding blank. */
#define NUMBER 32

struct kept {
	char *line;
	double *values;
};

struct lxfw_tune_state {
	char *path;
	sqlite3 *database;
	sqlite3_stmt *insert;
	size_t numbers;
	char *text;		/* buffer for the values as text */
	struct kept *kept;	/* read from the file, sorted by line */
	size_t count, size;
	bool begun;		/* a transaction is open */
	time_t committed;
};

/* SQLite's messages quote the file, which may contain anything. */
static const char *words_of(const struct lxfw_tune_state *state, char shown[200])
{
	const char *words = sqlite3_errmsg(state->database);

	return lxfw_text_quote(shown, 200, words, strlen(words));
}

/* Reports SQLite's error about the file. */
static int fail(const struct lxfw_tune_state *state, int code,
		struct lxfw_error *error)
{
	char shown[200];

	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return lxfw_error_at(error, state->path, 0, "not a state file of "
				     "'lxfw tune', or damaged");
	case SQLITE_CORRUPT:
		return lxfw_error_at(error, state->path, 0, "damaged (%s), expected "
			"a state file of 'lxfw tune'; remove it to start a "
			"new search", words_of(state, shown));
	case SQLITE_NOMEM:
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	lxfw_error_at(error, state->path, 0, "%s", code == SQLITE_BUSY ?
		      "in use by another process" :
		      words_of(state, shown));
	errno = code == SQLITE_BUSY ? EBUSY : EIO;
	return -1;
}

static int execute(struct lxfw_tune_state *state, const char *text,
		   struct lxfw_error *error)
{
	int code = sqlite3_exec(state->database, text, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail(state, code, error);
}

/* Executes a query that returns one number. */
static int ask(struct lxfw_tune_state *state, const char *text, int64_t *value,
	       struct lxfw_error *error)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(state->database, text, -1, &statement,
				      NULL);

	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		*value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return code == SQLITE_ROW ? 0 : fail(state, code, error);
}

/* ---- a new file ------------------------------------------------------------------ */

static int put_about(struct lxfw_tune_state *state, int i, const char *text,
		     struct lxfw_error *error)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(state->database,
		"INSERT INTO about VALUES (?1, ?2)", -1, &statement, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 1, lxfw_tune_about_name(i),
					 -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	sqlite3_finalize(statement);
	return code == SQLITE_DONE ? 0 : fail(state, code, error);
}

static int make_tables(struct lxfw_tune_state *state,
		       const struct lxfw_tune_about *about,
		       struct lxfw_error *error)
{
	char marks[80];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; "
		 "PRAGMA user_version = %d", APPLICATION, LAYOUT);
	if (execute(state, "CREATE TABLE about (name TEXT PRIMARY KEY, "
		    "value TEXT NOT NULL); CREATE TABLE settings (params TEXT "
		    "PRIMARY KEY, goals TEXT NOT NULL, checksum INTEGER NOT "
		    "NULL)", error) || execute(state, marks, error))
		return -1;
	for (int i = 0; i < LXFW_TUNE_ABOUT; i++) {
		if (put_about(state, i, about->texts[i], error))
			return -1;
	}
	return 0;
}

/* --- an existing file ------------------------------------------------------------- */

static int differs(const struct lxfw_tune_state *state, int i, const char *there,
		   const char *here, struct lxfw_error *error)
{
	char shown[200];

	return lxfw_error_at(error, state->path, 0, "the state file of "
		"another search: %s: %.180s, but this is %.180s",
		lxfw_tune_about_name(i),
		lxfw_text_quote(shown, sizeof(shown), there, strlen(there)), here);
}

static int check_about(struct lxfw_tune_state *state,
		       const struct lxfw_tune_about *about,
		       struct lxfw_error *error)
{
	for (int i = 0; i < LXFW_TUNE_ABOUT; i++) {
		sqlite3_stmt *statement = NULL;
		int code = sqlite3_prepare_v2(state->database, "SELECT value "
			"FROM about WHERE name = ?1", -1, &statement, NULL);
		const char *text = NULL;
		int result = 0;

		if (code == SQLITE_OK)
			code = sqlite3_bind_text(statement, 1,
						 lxfw_tune_about_name(i), -1,
						 SQLITE_STATIC);
		if (code == SQLITE_OK)
			code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			text = (const char *)sqlite3_column_text(statement, 0);
		if (code != SQLITE_ROW)
			result = fail(state, code == SQLITE_DONE ?
				      SQLITE_CORRUPT : code, error);
		else if (!text || strcmp(text, about->texts[i]) != 0)
			result = differs(state, i, text ? text : "",
					 about->texts[i], error);
		sqlite3_finalize(statement);
		if (result)
			return -1;
	}
	return 0;
}

static uint32_t checksum(const char *line, const char *goals)
{
	uLong sum = crc32(0, (const unsigned char *)line,
			  (uInt)strlen(line) + 1);

	return (uint32_t)crc32(sum, (const unsigned char *)goals,
			       (uInt)strlen(goals));
}

static int keep(struct lxfw_tune_state *state, const char *line,
		const char *goals)
{
	struct kept *kept;

	if (LXFW_GROW(state->kept, state->size, state->count + 1))
		return -1;
	kept = &state->kept[state->count];
	kept->line = strdup(line);
	kept->values = calloc(state->numbers + 1, sizeof(*kept->values));
	state->count++;
	if (!kept->line || !kept->values)
		return -1;
	for (size_t i = 0; i < state->numbers; i++) {
		char *end;

		kept->values[i] = strtod(goals, &end);
		if (end == goals)
			return 1;
		goals = end;
	}
	return *goals != '\0';
}

static int read_row(struct lxfw_tune_state *state, sqlite3_stmt *statement,
		    struct lxfw_error *error)
{
	const char *line = (const char *)sqlite3_column_text(statement, 0);
	const char *goals = (const char *)sqlite3_column_text(statement, 1);
	int result = 1;

	if (line && goals &&
	    sqlite3_column_int64(statement, 2) == checksum(line, goals))
		result = keep(state, line, goals);
	if (result > 0)
		return lxfw_error_at(error, state->path, 0, "damaged (setting %zu), "
			"expected a state file of 'lxfw tune'; remove it to "
			"start a new search", state->count);
	if (result < 0)
		return fail(state, SQLITE_NOMEM, error);
	return 0;
}

static int by_line(const void *left, const void *right)
{
	const struct kept *a = left, *b = right;

	return strcmp(a->line, b->line);
}

static int read_settings(struct lxfw_tune_state *state, struct lxfw_error *error)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(state->database, "SELECT params, goals, "
		"checksum FROM settings", -1, &statement, NULL);
	int failed = 0;

	while (code == SQLITE_OK || (code == SQLITE_ROW && !failed)) {
		code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			failed = read_row(state, statement, error);
	}
	sqlite3_finalize(statement);
	if (failed)
		return -1;
	if (code != SQLITE_DONE)
		return fail(state, code, error);
	if (state->count > 1)
		qsort(state->kept, state->count, sizeof(*state->kept), by_line);
	return 0;
}

static int take_file(struct lxfw_tune_state *state,
		     const struct lxfw_tune_about *about,
		     struct lxfw_error *error)
{
	int64_t application = 0, version = 0, tables = 0;

	/* locked until it is closed: two searches must not share a file */
	if (execute(state, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous "
		    "= NORMAL; BEGIN EXCLUSIVE", error) ||
	    ask(state, "PRAGMA application_id", &application, error) ||
	    ask(state, "PRAGMA user_version", &version, error) ||
	    ask(state, "SELECT count(*) FROM sqlite_master", &tables, error))
		return -1;
	if (application == 0 && tables == 0)
		return make_tables(state, about, error) ||
		       execute(state, "COMMIT", error) ? -1 : 0;
	if (application != APPLICATION)
		return lxfw_error_at(error, state->path, 0, "an SQLite file of "
			"another program, expected a state file of 'lxfw tune'");
	if (version != LAYOUT)
		return lxfw_error_at(error, state->path, 0, "state file version "
			"%lld, expected %d", (long long)version, LAYOUT);
	return check_about(state, about, error) || read_settings(state, error) ||
	       execute(state, "COMMIT", error) ? -1 : 0;
}

struct lxfw_tune_state *lxfw_tune_state_open(const char *path,
					     const struct lxfw_tune_about *about,
					     size_t numbers,
					     struct lxfw_error *error)
{
	struct lxfw_tune_state *state = calloc(1, sizeof(*state));
	int code, saved;

	if (state) {
		state->path = strdup(path);
		state->text = malloc(numbers * NUMBER + 1);
	}
	if (!state || !state->path || !state->text) {
		lxfw_tune_state_close(state);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	state->numbers = numbers;
	code = sqlite3_open_v2(path, &state->database, SQLITE_OPEN_READWRITE |
			       SQLITE_OPEN_CREATE, NULL);
	if (code != SQLITE_OK) {
		fail(state, code, error);
		goto failed;
	}
	if (take_file(state, about, error))
		goto failed;
	code = sqlite3_prepare_v2(state->database, "INSERT OR REPLACE INTO "
		"settings VALUES (?1, ?2, ?3)", -1, &state->insert, NULL);
	if (code == SQLITE_OK)
		return state;
	fail(state, code, error);
failed:
	saved = errno;
	lxfw_tune_state_close(state);
	errno = saved;
	return NULL;
}

/* ---- use ------------------------------------------------------------------------- */

bool lxfw_tune_state_find(const struct lxfw_tune_state *state, const char *line,
			  double *values)
{
	struct kept wanted = { (char *)line, NULL }, *found = NULL;

	if (state->count > 0)
		found = bsearch(&wanted, state->kept, state->count,
				sizeof(*state->kept), by_line);
	if (found)
		memcpy(values, found->values,
		       state->numbers * sizeof(*values));
	return found;
}

int lxfw_tune_state_flush(struct lxfw_tune_state *state, struct lxfw_error *error)
{
	if (!state->begun)
		return 0;
	if (execute(state, "COMMIT", error))
		return -1;
	state->begun = false;
	state->committed = time(NULL);
	return 0;
}

int lxfw_tune_state_keep(struct lxfw_tune_state *state, const char *line,
			 const double *values, struct lxfw_error *error)
{
	size_t used = 0;
	int code;

	if (!state->begun && execute(state, "BEGIN", error))
		return -1;
	state->begun = true;
	for (size_t i = 0; i < state->numbers; i++)
		used += (size_t)snprintf(state->text + used, NUMBER, "%s%.17g",
					 i ? " " : "", values[i]);
	code = sqlite3_bind_text(state->insert, 1, line, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_text(state->insert, 2, state->text, -1,
					 SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(state->insert, 3,
					  checksum(line, state->text));
	if (code == SQLITE_OK)
		code = sqlite3_step(state->insert);
	sqlite3_reset(state->insert);
	if (code != SQLITE_DONE)
		return fail(state, code, error);
	if (time(NULL) - state->committed < COMMIT_EVERY)
		return 0;
	return lxfw_tune_state_flush(state, error);
}

void lxfw_tune_state_close(struct lxfw_tune_state *state)
{
	if (!state)
		return;
	sqlite3_finalize(state->insert);
	sqlite3_close(state->database);
	for (size_t i = 0; i < state->count; i++) {
		free(state->kept[i].line);
		free(state->kept[i].values);
	}
	free(state->kept);
	free(state->path);
	free(state->text);
	free(state);
}

#else /* LXFW_HAVE_SQLITE */

struct lxfw_tune_state *lxfw_tune_state_open(const char *path,
					     const struct lxfw_tune_about *about,
					     size_t numbers,
					     struct lxfw_error *error)
{
	(void)about;
	(void)numbers;
	lxfw_error_at(error, path, 0, "lxfw was built without SQLite, which "
		      "state files require");
	errno = ENOTSUP;
	return NULL;
}

bool lxfw_tune_state_find(const struct lxfw_tune_state *state, const char *line,
			  double *values)
{
	(void)state;
	(void)line;
	(void)values;
	return false;
}

int lxfw_tune_state_keep(struct lxfw_tune_state *state, const char *line,
			 const double *values, struct lxfw_error *error)
{
	(void)state;
	(void)line;
	(void)values;
	(void)error;
	return 0;
}

int lxfw_tune_state_flush(struct lxfw_tune_state *state, struct lxfw_error *error)
{
	(void)state;
	(void)error;
	return 0;
}

void lxfw_tune_state_close(struct lxfw_tune_state *state)
{
	(void)state;
}

#endif
