/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/history_file.h"

#include <errno.h>

#include "sim-frontend/grid/times.h"
#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SQLITE

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Run times of a kind at a place; exact as a double. */
#define COUNT_MOST (INT64_C(1) << 53)

/* The application id "lxfg", which file(1) recognizes, and the version of the table. */
#define APPLICATION 0x6c786667
#define LAYOUT 1

/* Another process may change the file for this time, milliseconds. */
#define PATIENCE 5000

#define CURE "remove it, and let 'lxfw grid --history' learn again"

struct file {
	sqlite3 *database;
	const char *path;
	struct lxfw_error *error;
};

static int fail(const struct file *file, int code)
{
	const char *words = sqlite3_errmsg(file->database);
	char shown[160];
	int number = EIO;

	lxfw_text_quote(shown, sizeof(shown), words, strlen(words));
	switch (code & 0xff) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return lxfw_error_at(file->error, file->path, 0, "not a history of 'lxfw grid', "
				     "or damaged (%s); " CURE, shown);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		lxfw_error_at(file->error, file->path, 0, "locked by another process for %d s, "
			      "expected that it ends", PATIENCE / 1000);
		number = EBUSY;
		break;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		lxfw_error_at(file->error, file->path, 0, "cannot be opened or written (%s), "
			      "expected a file and a folder that this user may write", shown);
		number = EROFS;
		break;
	default:
		number = (code & 0xff) == SQLITE_NOMEM ? ENOMEM : EIO;
		lxfw_error_at(file->error, file->path, 0, "%s", shown);
	}
	errno = number;
	return -1;
}

static int execute(struct file *file, const char *text)
{
	int code = sqlite3_exec(file->database, text, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail(file, code);
}

/* Executes a query that returns one number. */
static int ask(struct file *file, const char *text, int64_t *value)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, text, -1, &statement, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		*value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return code == SQLITE_ROW ? 0 : fail(file, code);
}

/* Whether the file is a history, has no table yet (*EMPTY), or is of another program. */
static int check(struct file *file, bool *empty)
{
	int64_t application = 0, version = 0, tables = 0;

	if (ask(file, "PRAGMA application_id", &application) ||
	    ask(file, "PRAGMA user_version", &version) ||
	    ask(file, "SELECT count(*) FROM sqlite_master", &tables))
		return -1;
	*empty = application == 0 && tables == 0;
	if (*empty)
		return 0;
	if (application != APPLICATION)
		return lxfw_error_at(file->error, file->path, 0, "an SQLite file of another "
				     "program, expected a history of 'lxfw grid'");
	if (version != LAYOUT)
		return lxfw_error_at(file->error, file->path, 0, "history version %lld, expected "
				     "%d; " CURE, (long long)version, LAYOUT);
	return 0;
}

/* --- reading ------------------------------------------------------------------------- */

static bool is_good(const struct lxfw_grid_history_entry *entry)
{
	return entry->kind >= 0 && entry->kind < LXFW_GRID_KINDS && entry->count >= 0 &&
	       entry->count <= COUNT_MOST && isfinite(entry->mean) && entry->mean >= 0 &&
	       isfinite(entry->squares) && entry->squares >= 0;
}

static int take_row(struct file *file, struct lxfw_grid_history *history,
		    const struct lxfw_sites *sites, sqlite3_stmt *statement)
{
	const char *place = (const char *)sqlite3_column_text(statement, 1);
	struct lxfw_grid_history_entry entry = {
		.kind = sqlite3_column_int(statement, 0),
		.place = place ? lxfw_sites_place(sites, place) : -1,
		.known = sqlite3_column_int(statement, 2) != 0,
		.count = sqlite3_column_int64(statement, 3),
		.mean = sqlite3_column_double(statement, 4),
		.squares = sqlite3_column_double(statement, 5),
	};

	if (!place || !is_good(&entry))
		return lxfw_error_at(file->error, file->path, 0, "damaged (row %zu); " CURE,
				     history->count + 1);
	if (entry.place < 0)
		return 0;
	return lxfw_grid_history_add(history, &entry) ? fail(file, SQLITE_NOMEM) : 0;
}

static int read_rows(struct file *file, struct lxfw_grid_history *history,
		     const struct lxfw_sites *sites)
{
	sqlite3_stmt *statement = NULL;
	int code, failed = 0;
	bool empty;

	if (check(file, &empty) || empty)
		return empty ? 0 : -1;
	code = sqlite3_prepare_v2(file->database, "SELECT * FROM times ORDER BY rowid", -1,
				  &statement, NULL);
	while (code == SQLITE_OK || (code == SQLITE_ROW && !failed)) {
		code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			failed = take_row(file, history, sites, statement);
	}
	sqlite3_finalize(statement);
	if (failed)
		return -1;
	return code == SQLITE_DONE ? 0 : fail(file, code);
}

int lxfw_history_file_read(struct lxfw_grid_history *history, const char *path,
			   const struct lxfw_sites *sites, struct lxfw_error *error)
{
	struct file file = { .path = path, .error = error };
	int code, result, saved;

	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	code = sqlite3_open_v2(path, &file.database, SQLITE_OPEN_READWRITE, NULL);
	if (file.database)
		sqlite3_busy_timeout(file.database, PATIENCE);
	result = code == SQLITE_OK ? read_rows(&file, history, sites) : fail(&file, code);
	saved = errno;
	sqlite3_close(file.database);
	errno = saved;
	return result;
}

/* --- writing ------------------------------------------------------------------------- */

static int make_table(struct file *file)
{
	char marks[80];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 APPLICATION, LAYOUT);
	if (execute(file, "CREATE TABLE times (kind INTEGER NOT NULL, place TEXT NOT NULL, known "
		    "INTEGER NOT NULL, count INTEGER NOT NULL, mean REAL NOT NULL, squares REAL "
		    "NOT NULL, PRIMARY KEY (kind, place))"))
		return -1;
	return execute(file, marks);
}

static int write_row(sqlite3_stmt *statement, const struct lxfw_grid_history_entry *entry,
		     const char *place)
{
	int code = sqlite3_bind_int(statement, 1, entry->kind);

	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 2, place, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int(statement, 3, entry->known);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(statement, 4, entry->count);
	if (code == SQLITE_OK)
		code = sqlite3_bind_double(statement, 5, entry->mean);
	if (code == SQLITE_OK)
		code = sqlite3_bind_double(statement, 6, entry->squares);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	sqlite3_reset(statement);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int write_rows(struct file *file, const struct lxfw_grid_history *history,
		      const struct lxfw_sites *sites)
{
	sqlite3_stmt *statement = NULL;
	bool empty;
	int code;

	if (execute(file, "BEGIN IMMEDIATE") || check(file, &empty) ||
	    (empty && make_table(file)))
		return -1;
	code = sqlite3_prepare_v2(file->database, "INSERT OR REPLACE INTO times VALUES (?1, ?2, "
				  "?3, ?4, ?5, ?6)", -1, &statement, NULL);
	for (size_t i = 0; i < history->count && code == SQLITE_OK; i++) {
		const struct lxfw_grid_history_entry *entry = &history->entries[i];

		code = write_row(statement, entry, entry->place < sites->count ?
				 sites->list[entry->place].name :
				 sites->clusters[entry->place - sites->count].name);
	}
	sqlite3_finalize(statement);
	return code == SQLITE_OK ? execute(file, "COMMIT") : fail(file, code);
}

int lxfw_history_file_write(const struct lxfw_grid_history *history, const char *path,
			    const struct lxfw_sites *sites, struct lxfw_error *error)
{
	struct file file = { .path = path, .error = error };
	int code = sqlite3_open_v2(path, &file.database, SQLITE_OPEN_READWRITE |
				   SQLITE_OPEN_CREATE, NULL);
	int result, saved;

	if (file.database)
		sqlite3_busy_timeout(file.database, PATIENCE);
	result = code == SQLITE_OK ? write_rows(&file, history, sites) : fail(&file, code);
	saved = errno;
	/* A transaction that was not committed is undone. */
	sqlite3_close(file.database);
	errno = saved;
	return result;
}

#else /* LXFW_HAVE_SQLITE */

static int no_sqlite(const char *path, struct lxfw_error *error)
{
	lxfw_error_at(error, path, 0, "lxfw was built without SQLite, which a history requires");
	errno = ENOTSUP;
	return -1;
}

int lxfw_history_file_read(struct lxfw_grid_history *history, const char *path,
			   const struct lxfw_sites *sites, struct lxfw_error *error)
{
	(void)history;
	(void)sites;
	return no_sqlite(path, error);
}

int lxfw_history_file_write(const struct lxfw_grid_history *history, const char *path,
			    const struct lxfw_sites *sites, struct lxfw_error *error)
{
	(void)history;
	(void)sites;
	return no_sqlite(path, error);
}

#endif
