/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/ran_file.h"

#include <errno.h>

#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* The application id "lxfh", which file(1) recognizes, and the version of the table. */
#define APPLICATION 0x6c786668
#define LAYOUT 1

/* Another process may change the file for this time, milliseconds. */
#define PATIENCE 5000

/* Bounds of values in the file. A sum of two times does not overflow. */
#define TIME_MAX (INT64_C(1) << 50)

#define CURE "remove it, and learn the logs again with --learn"

struct file {
	sqlite3 *database;
	const char *path;
	struct lxfw_error *error;
};

static int fail(const struct file *file, int code)
{
	const char *words = sqlite3_errmsg(file->database);
	char shown[160];

	lxfw_text_quote(shown, sizeof(shown), words, strlen(words));
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return lxfw_error_at(file->error, file->path, 0, "not a history of 'lxfw "
				     "predict', or damaged; " CURE);
	case SQLITE_CORRUPT:
		return lxfw_error_at(file->error, file->path, 0, "damaged or truncated (%s); "
				     CURE, shown);
	case SQLITE_NOMEM:
		lxfw_error_set(file->error, "out of memory");
		errno = ENOMEM;
		return -1;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		lxfw_error_at(file->error, file->path, 0, "locked by another process for %d "
			      "s, expected that it ends: see fuser(1) for the process",
			      PATIENCE / 1000);
		errno = EBUSY;
		return -1;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_CANTOPEN:
		lxfw_error_at(file->error, file->path, 0, "cannot be written (%s), expected a "
			      "file and a folder that this user may write", shown);
		errno = EROFS;
		return -1;
	case SQLITE_FULL:
		lxfw_error_at(file->error, file->path, 0, "not changed: the file system is "
			      "full");
		errno = ENOSPC;
		return -1;
	}
	lxfw_error_at(file->error, file->path, 0, "%s", shown);
	errno = EIO;
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

/* --- the file --------------------------------------------------------------------- */

static int make_table(struct file *file)
{
	char marks[80];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 APPLICATION, LAYOUT);
	if (execute(file, "CREATE TABLE jobs (recorded INTEGER NOT NULL, number INTEGER NOT "
		    "NULL, submit INTEGER NOT NULL, end INTEGER NOT NULL, ran INTEGER NOT "
		    "NULL, time_limit INTEGER NOT NULL, procs INTEGER NOT NULL, user TEXT, "
		    "grp TEXT, partition TEXT, host_set INTEGER NOT NULL); CREATE UNIQUE "
		    "INDEX once ON jobs (end, number, submit, recorded, ran, procs, "
		    "time_limit)"))
		return -1;
	return execute(file, marks);
}

/* Begins a transaction, in which the file has the table. */
static int take_file(struct file *file)
{
	int64_t application = 0, version = 0, tables = 0;

	if (execute(file, "BEGIN IMMEDIATE") ||
	    ask(file, "PRAGMA application_id", &application) ||
	    ask(file, "PRAGMA user_version", &version) ||
	    ask(file, "SELECT count(*) FROM sqlite_master", &tables))
		return -1;
	if (application == 0 && tables == 0)
		return make_table(file);
	if (application != APPLICATION)
		return lxfw_error_at(file->error, file->path, 0, "an SQLite file of another "
			"program, expected a history of 'lxfw predict'");
	if (version != LAYOUT)
		return lxfw_error_at(file->error, file->path, 0, "history version %lld, "
			"expected %d; " CURE, (long long)version, LAYOUT);
	return 0;
}

/* --- reading ---------------------------------------------------------------------- */

static int32_t take_name(struct lxfw_rans *rans, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? lxfw_rans_name(rans, text,
				     (size_t)sqlite3_column_bytes(statement, column)) : -1;
}

static bool is_good(const struct lxfw_ran *job)
{
	return job->submit >= -TIME_MAX && job->submit <= TIME_MAX &&
	       job->end >= -TIME_MAX && job->end <= TIME_MAX &&
	       job->ran >= 1 && job->ran <= TIME_MAX && job->limit >= 1 &&
	       job->limit <= TIME_MAX && job->procs >= 1 && job->procs <= TIME_MAX;
}

static int take_row(struct file *file, struct lxfw_rans *rans, sqlite3_stmt *statement)
{
	struct lxfw_ran job = {
		.recorded = sqlite3_column_int(statement, 0),
		.number = sqlite3_column_int64(statement, 1),
		.submit = sqlite3_column_int64(statement, 2),
		.end = sqlite3_column_int64(statement, 3),
		.ran = sqlite3_column_int64(statement, 4),
		.limit = sqlite3_column_int64(statement, 5),
		.procs = sqlite3_column_int64(statement, 6),
		.host_set = sqlite3_column_int(statement, 10),
	};

	if (!is_good(&job))
		return lxfw_error_at(file->error, file->path, 0, "damaged (job %zu); " CURE,
				     rans->count);
	errno = 0;
	job.user = take_name(rans, statement, 7);
	job.group = take_name(rans, statement, 8);
	job.partition = take_name(rans, statement, 9);
	if (errno == ENOMEM || lxfw_rans_add(rans, &job))
		return fail(file, SQLITE_NOMEM);
	return 0;
}

static int read_rows(struct file *file, struct lxfw_rans *rans)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, "SELECT * FROM jobs ORDER BY rowid", -1,
				      &statement, NULL);
	int failed = 0;

	while (code == SQLITE_OK || (code == SQLITE_ROW && !failed)) {
		code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			failed = take_row(file, rans, statement);
	}
	sqlite3_finalize(statement);
	if (failed)
		return -1;
	return code == SQLITE_DONE ? 0 : fail(file, code);
}

/* --- writing ---------------------------------------------------------------------- */

static int bind_name(sqlite3_stmt *statement, int at, const struct lxfw_rans *rans,
		     int32_t name)
{
	return name < 0 ? sqlite3_bind_null(statement, at) :
	       sqlite3_bind_text(statement, at, rans->names.names[name], -1, SQLITE_STATIC);
}

static int insert_row(sqlite3_stmt *statement, const struct lxfw_rans *rans,
		      const struct lxfw_ran *job)
{
	const int64_t numbers[] = {
		job->recorded, job->number, job->submit, job->end, job->ran, job->limit,
		job->procs,
	};
	int code = SQLITE_OK;

	for (int i = 0; i < 7 && code == SQLITE_OK; i++)
		code = sqlite3_bind_int64(statement, i + 1, numbers[i]);
	if (code == SQLITE_OK)
		code = bind_name(statement, 8, rans, job->user);
	if (code == SQLITE_OK)
		code = bind_name(statement, 9, rans, job->group);
	if (code == SQLITE_OK)
		code = bind_name(statement, 10, rans, job->partition);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int(statement, 11, job->host_set);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	sqlite3_reset(statement);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int write_rows(struct file *file, const struct lxfw_rans *rans, size_t *added)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, "INSERT OR IGNORE INTO jobs VALUES (?1, "
				      "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)", -1,
				      &statement, NULL);
	int before = sqlite3_total_changes(file->database);

	for (size_t i = 0; i < rans->count && code == SQLITE_OK; i++)
		code = insert_row(statement, rans, &rans->jobs[i]);
	sqlite3_finalize(statement);
	if (code != SQLITE_OK)
		return fail(file, code);
	*added = (size_t)(sqlite3_total_changes(file->database) - before);
	return execute(file, "DELETE FROM jobs WHERE recorded AND end <= (SELECT max(end) FROM "
		       "jobs WHERE NOT recorded AND end <= CAST(strftime('%s', 'now') AS "
		       "INTEGER))");
}

static int update(struct file *file, struct lxfw_rans *rans, struct lxfw_rans *all,
		  size_t *added)
{
	sqlite3_busy_timeout(file->database, PATIENCE);
	if (take_file(file) || write_rows(file, rans, added) || read_rows(file, all))
		return -1;
	return execute(file, "COMMIT");
}

int lxfw_ran_file_update(struct lxfw_rans *rans, const char *path, size_t *added,
			 struct lxfw_error *error)
{
	struct file file = { .path = path, .error = error };
	struct lxfw_rans all = { .no_limit = rans->no_limit };
	int code = sqlite3_open_v2(path, &file.database, SQLITE_OPEN_READWRITE |
				   SQLITE_OPEN_CREATE, NULL);
	int result = code == SQLITE_OK ? update(&file, rans, &all, added) : fail(&file, code);
	int saved = errno;

	/* A transaction that was not committed is undone. */
	sqlite3_close(file.database);
	if (result) {
		lxfw_rans_clear(&all);
		errno = saved;
		return -1;
	}
	lxfw_rans_clear(rans);
	*rans = all;
	return 0;
}

#else /* LXFW_HAVE_SQLITE */

int lxfw_ran_file_update(struct lxfw_rans *rans, const char *path, size_t *added,
			 struct lxfw_error *error)
{
	(void)rans;
	(void)added;
	lxfw_error_at(error, path, 0, "lxfw was built without SQLite, which a history "
		      "requires");
	errno = ENOTSUP;
	return -1;
}

#endif
