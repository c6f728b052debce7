/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/ran_file.h"

#include <errno.h>

#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SQLITE

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim-frontend/history/ran_signals.h"

/* The application id "lxfh", which file(1) recognizes, and the version of the tables. */
#define APPLICATION 0x6c786668
#define LAYOUT 3

/* Another process may change the file for this time, milliseconds. */
#define PATIENCE 5000

/* Jobs that are written before signals are looked for. */
#define LOOK 256

/* Bounds of values in the file. A sum of two times does not overflow. */
#define TIME_MAX (INT64_C(1) << 50)

#define KIND "data base of 'lxfw import --history'"
#define CURE "remove it, and import the logs again"

struct file {
	sqlite3 *database;
	const char *path;
	struct lxfw_error *error;
	struct lxfw_ran_signals signals;	/* of a write */
};

/* Whether SQLite has to undo an interrupted write before the file can be read. */
static bool is_interrupted(const struct file *file)
{
	char path[4096];
	struct stat status;
	int length = snprintf(path, sizeof(path), "%s-journal", file->path);

	return length > 0 && (size_t)length < sizeof(path) && stat(path, &status) == 0 &&
	       status.st_size > 0;
}

static int cannot_write(const struct file *file, const char *reason)
{
	if (is_interrupted(file))
		lxfw_error_at(file->error, file->path, 0, "a write was interrupted, and this user "
			      "cannot undo it (%s), expected that 'lxfw import --history' is run "
			      "again by the owner", reason);
	else
		lxfw_error_at(file->error, file->path, 0, "cannot be opened or written (%s), "
			      "expected a file and a folder that this user may write", reason);
	errno = EROFS;
	return -1;
}

static int fail(const struct file *file, int code)
{
	const char *words = sqlite3_errmsg(file->database);
	char shown[160];

	lxfw_text_quote(shown, sizeof(shown), words, strlen(words));
	switch (code & 0xff) {
	case SQLITE_ERROR:	/* other tables */
		return lxfw_error_at(file->error, file->path, 0, "damaged or of another program "
				     "(%s); " CURE, shown);
	case SQLITE_NOTADB:
		return lxfw_error_at(file->error, file->path, 0, "no " KIND ", or damaged; "
				     CURE);
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
		return cannot_write(file, shown);
	case SQLITE_INTERRUPT:
		lxfw_error_at(file->error, file->path, 0, "not changed: interrupted by a signal");
		errno = EINTR;
		return -1;
	case SQLITE_FULL:
		lxfw_error_at(file->error, file->path, 0, "not changed: the file system is "
			      "full");
		errno = ENOSPC;
		return -1;
	}
	if (file->signals.held)
		lxfw_error_at(file->error, file->path, 0, "not changed: %s", shown);
	else
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

/* The SQL function checksum(...) of integers, texts and NULL. SQLite notices a change of its own
   structures, and not that of a value. */
static void checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
	uLong sum = 0;

	for (int i = 0; i < count; i++) {
		int type = sqlite3_value_type(values[i]);
		uint64_t number = (uint64_t)sqlite3_value_int64(values[i]);
		unsigned char bytes[9] = { (unsigned char)type };

		for (int byte = 0; byte < 8; byte++)
			bytes[1 + byte] = (unsigned char)(number >> 8 * byte);
		sum = crc32(sum, bytes, type == SQLITE_INTEGER ? 9 : 1);
		if (type == SQLITE_TEXT)
			sum = crc32(sum, sqlite3_value_text(values[i]),
				    (uInt)sqlite3_value_bytes(values[i]));
	}
	sqlite3_result_int64(context, (sqlite3_int64)sum);
}

#define TABLES \
	"CREATE TABLE machines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, " \
	"speed INTEGER NOT NULL, checksum INTEGER NOT NULL); " \
	"CREATE TABLE jobs (machine INTEGER NOT NULL REFERENCES machines (id), " \
	"number INTEGER NOT NULL, submit INTEGER NOT NULL, end INTEGER NOT NULL, " \
	"ran INTEGER NOT NULL, time_limit INTEGER NOT NULL, procs INTEGER NOT NULL, " \
	"user TEXT, account TEXT, name TEXT, partition TEXT, checksum INTEGER NOT NULL); " \
	"CREATE UNIQUE INDEX once ON jobs (machine, end, number, submit, ran, procs, time_limit)"

/* Opens the file. Returns 1 if there is none and FLAGS do not create it, 0, or -1. */
static int open_file(struct file *file, int flags)
{
	struct stat status;
	int code;

	if (stat(file->path, &status) == 0 && !S_ISREG(status.st_mode))
		return lxfw_error_at(file->error, file->path, 0, "no regular file, expected a "
				     KIND);
	if (!(flags & SQLITE_OPEN_CREATE) && access(file->path, F_OK) && errno == ENOENT)
		return 1;
	code = sqlite3_open_v2(file->path, &file->database, flags, NULL);
	if (code != SQLITE_OK)
		return fail(file, code);
	sqlite3_busy_timeout(file->database, PATIENCE);
	code = sqlite3_create_function(file->database, "checksum", -1, SQLITE_UTF8, NULL, checksum,
				       NULL, NULL);
	return code == SQLITE_OK ? 0 : fail(file, code);
}

/* A transaction that was not committed is undone, unless writing failed. Keeps errno. */
static void close_file(struct file *file)
{
	int saved = errno;

	sqlite3_close(file->database);
	errno = saved;
}

/* Sets *EMPTY if the file has no tables. Otherwise checks that it is a data base of ours. */
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
			"program, expected a " KIND);
	if (version != LAYOUT)
		return lxfw_error_at(file->error, file->path, 0, "history version %lld, "
			"expected %d; " CURE, (long long)version, LAYOUT);
	return 0;
}

static int make_tables(struct file *file)
{
	char marks[80];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 APPLICATION, LAYOUT);
	return execute(file, TABLES) ? -1 : execute(file, marks);
}

/* --- reading ---------------------------------------------------------------------- */

static int damaged(const struct file *file, const char *what, size_t row)
{
	return lxfw_error_at(file->error, file->path, 0, "damaged (%s %zu); " CURE, what, row);
}

/* Calls TAKE for each row of a query. */
static int each_row(struct file *file, struct lxfw_rans *rans, const char *query,
		    int (*take)(struct file *file, struct lxfw_rans *rans,
				sqlite3_stmt *statement))
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, query, -1, &statement, NULL);
	int failed = 0;

	while (code == SQLITE_OK || (code == SQLITE_ROW && !failed)) {
		code = sqlite3_step(statement);
		if (code == SQLITE_ROW)
			failed = take(file, rans, statement);
	}
	sqlite3_finalize(statement);
	if (failed)
		return -1;
	return code == SQLITE_DONE ? 0 : fail(file, code);
}

/* The machines have the ids 1, 2, ... in this order. */
static int take_machine(struct file *file, struct lxfw_rans *rans, sqlite3_stmt *statement)
{
	const char *name = (const char *)sqlite3_column_text(statement, 1);
	int64_t speed = sqlite3_column_int64(statement, 2);

	if (sqlite3_column_int64(statement, 0) != (int64_t)rans->machine_count + 1 || !name ||
	    speed < 1 || speed > LXFW_RAN_SPEED_MAX || !sqlite3_column_int(statement, 3))
		return damaged(file, "machine", rans->machine_count + 1);
	return lxfw_rans_machine(rans, name, (int32_t)speed) ? fail(file, SQLITE_NOMEM) : 0;
}

static int32_t take_name(struct lxfw_rans *rans, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? lxfw_rans_name(rans, text,
				     (size_t)sqlite3_column_bytes(statement, column)) : -1;
}

static bool is_good(const struct lxfw_rans *rans, const struct lxfw_ran *job)
{
	return job->machine >= 0 && (size_t)job->machine < rans->machine_count &&
	       job->submit >= -TIME_MAX && job->submit <= TIME_MAX &&
	       job->end >= -TIME_MAX && job->end <= TIME_MAX &&
	       job->ran >= 1 && job->ran <= TIME_MAX && job->limit >= 1 &&
	       job->limit <= TIME_MAX && job->procs >= 1 && job->procs <= TIME_MAX;
}

static int take_job(struct file *file, struct lxfw_rans *rans, sqlite3_stmt *statement)
{
	struct lxfw_ran job = {
		.machine = sqlite3_column_int(statement, 0) - 1,
		.number = sqlite3_column_int64(statement, 1),
		.submit = sqlite3_column_int64(statement, 2),
		.end = sqlite3_column_int64(statement, 3),
		.ran = sqlite3_column_int64(statement, 4),
		.limit = sqlite3_column_int64(statement, 5),
		.procs = sqlite3_column_int64(statement, 6),
		.host_set = -1,
	};

	if (!is_good(rans, &job) || !sqlite3_column_int(statement, 11))
		return damaged(file, "job", rans->count + 1);
	errno = 0;
	job.user = take_name(rans, statement, 7);
	job.group = take_name(rans, statement, 8);
	job.name = take_name(rans, statement, 9);
	job.partition = take_name(rans, statement, 10);
	if (errno == ENOMEM || lxfw_rans_add(rans, &job))
		return fail(file, SQLITE_NOMEM);
	return 0;
}

/* Of a job, in the order of its columns. */
#define VALUES "machine, number, submit, end, ran, time_limit, procs, user, account, name, partition"

static int read_all(struct file *file, struct lxfw_rans *rans)
{
	bool empty;

	/* A read transaction: both tables are of the same state. */
	if (execute(file, "BEGIN") || check(file, &empty))
		return -1;
	if (empty)
		return lxfw_error_at(file->error, file->path, 0, "empty, expected a " KIND);
	if (each_row(file, rans, "SELECT id, name, speed, checksum = checksum(name, speed) "
		     "FROM machines ORDER BY id", take_machine))
		return -1;
	return each_row(file, rans, "SELECT " VALUES ", checksum = checksum(" VALUES ") FROM jobs "
			"ORDER BY rowid", take_job);
}

int lxfw_ran_file_read(struct lxfw_rans *rans, const char *path, struct lxfw_error *error)
{
	struct file file = { .path = path, .error = error };
	/* Not read-only: SQLite undoes an interrupted write first. */
	int result = open_file(&file, SQLITE_OPEN_READWRITE);

	if (result == 0)
		result = read_all(&file, rans);
	else if (result > 0)
		result = lxfw_error_at(error, path, 0, "no such file, expected a " KIND);
	close_file(&file);
	if (result) {
		int saved = errno;

		lxfw_rans_clear(rans);
		errno = saved;
	}
	return result;
}

/* --- writing ---------------------------------------------------------------------- */

static int bind_name(sqlite3_stmt *statement, int at, const struct lxfw_rans *rans,
		     int32_t name)
{
	return name < 0 ? sqlite3_bind_null(statement, at) :
	       sqlite3_bind_text(statement, at, rans->names.names[name], -1, SQLITE_STATIC);
}

static int step_row(sqlite3_stmt *statement, int code)
{
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	sqlite3_reset(statement);
	return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int insert_job(sqlite3_stmt *statement, const struct lxfw_rans *rans,
		      const struct lxfw_ran *job, int64_t machine)
{
	const int64_t numbers[] = {
		machine, job->number, job->submit, job->end, job->ran, job->limit, job->procs,
	};
	const int32_t names[] = { job->user, job->group, job->name, job->partition };
	int code = SQLITE_OK;

	for (int i = 0; i < 7 && code == SQLITE_OK; i++)
		code = sqlite3_bind_int64(statement, i + 1, numbers[i]);
	for (int i = 0; i < 4 && code == SQLITE_OK; i++)
		code = bind_name(statement, 8 + i, rans, names[i]);
	return step_row(statement, code);
}

/* Executes a statement with the name of the machine as parameter 1 and a number as 2. */
static int with_machine(struct file *file, const char *text, const char *machine,
			int64_t number)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, text, -1, &statement, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 1, machine, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_bind_int64(statement, 2, number);
	code = step_row(statement, code);
	sqlite3_finalize(statement);
	return code == SQLITE_OK ? 0 : fail(file, code);
}

static int find_machine(struct file *file, const char *machine, int64_t *id)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, "SELECT id FROM machines WHERE name = ?1",
				      -1, &statement, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_bind_text(statement, 1, machine, -1, SQLITE_STATIC);
	if (code == SQLITE_OK)
		code = sqlite3_step(statement);
	if (code == SQLITE_ROW)
		*id = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return code == SQLITE_ROW ? 0 : fail(file, code);
}

static int write_machine(struct file *file, const struct lxfw_ran_added *added, int64_t *id)
{
	int64_t speed = added->speed > 0 ? added->speed : LXFW_RAN_SPEED;

	if (with_machine(file, "INSERT OR IGNORE INTO machines (name, speed, checksum) "
			 "VALUES (?1, ?2, checksum(?1, ?2))", added->machine, speed))
		return -1;
	if (added->speed > 0 &&
	    with_machine(file, "UPDATE machines SET speed = ?2, checksum = checksum(?1, ?2) "
			 "WHERE name = ?1", added->machine, speed))
		return -1;
	return find_machine(file, added->machine, id);
}

/* The parameters of insert_job(). */
#define ALL "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11"

static int write_jobs(struct file *file, const struct lxfw_rans *rans, int64_t machine,
		      struct lxfw_ran_added *added)
{
	sqlite3_stmt *statement = NULL;
	int code = sqlite3_prepare_v2(file->database, "INSERT OR IGNORE INTO jobs VALUES "
				      "(" ALL ", checksum(" ALL "))", -1, &statement, NULL);
	int before = sqlite3_total_changes(file->database);
	char query[80];
	int64_t count = 0;

	for (size_t i = 0; i < rans->count && code == SQLITE_OK; i++) {
		if (i % LOOK == 0 && lxfw_ran_signals_arrived(&file->signals))
			code = SQLITE_INTERRUPT;
		else if (!rans->jobs[i].recorded)
			code = insert_job(statement, rans, &rans->jobs[i], machine);
	}
	sqlite3_finalize(statement);
	if (code != SQLITE_OK)
		return fail(file, code);
	added->fresh = (size_t)(sqlite3_total_changes(file->database) - before);
	snprintf(query, sizeof(query), "SELECT count(*) FROM jobs WHERE machine = %lld",
		 (long long)machine);
	if (ask(file, query, &count))
		return -1;
	added->jobs = (size_t)count;
	return 0;
}

/* Whether the file was removed since it was opened, by undo() of another process. */
static bool is_removed(const struct file *file)
{
	int moved = 0;

	return sqlite3_file_control(file->database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ==
	       SQLITE_OK && moved;
}

/* In a transaction. */
static int add_all(struct file *file, const struct lxfw_rans *rans,
		   struct lxfw_ran_added *added)
{
	int64_t machine = 0;
	bool empty;

	if (is_removed(file))
		return lxfw_error_at(file->error, file->path, 0, "removed by another process, "
				     "expected that it stays: import again");
	if (check(file, &empty) || (empty && make_tables(file)) || write_machine(file, added, &machine) ||
	    write_jobs(file, rans, machine, added))
		return -1;
	return execute(file, "COMMIT");
}

/*
 * Undoes a write that failed. SQLite leaves its journal if the file could not be written, and
 * undoes the write when the file is locked again. A file that this process CREATED and that has no
 * tables is removed; is_removed() is true in processes that wait for its lock. Keeps errno and the
 * error.
 */
static void undo(const struct file *failed, bool created)
{
	struct lxfw_error error = { "" };
	struct file file = { .path = failed->path, .error = &error };
	int saved = errno;
	int64_t tables = 1;

	if (open_file(&file, SQLITE_OPEN_READWRITE) == 0 && execute(&file, "BEGIN EXCLUSIVE") == 0 &&
	    ask(&file, "SELECT count(*) FROM sqlite_master", &tables) == 0 && created &&
	    tables == 0)
		unlink(file.path);
	close_file(&file);
	errno = saved;
}

int lxfw_ran_file_add(const struct lxfw_rans *rans, const char *path,
		      struct lxfw_ran_added *added, struct lxfw_error *error)
{
	struct file file = { .path = path, .error = error };
	bool created = access(path, F_OK) && errno == ENOENT;
	int result = open_file(&file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	bool locked;

	/* Signals do not wait for the lock of another process. */
	if (result == 0)
		result = execute(&file, "BEGIN IMMEDIATE");
	locked = result == 0;
	if (locked) {
		lxfw_ran_signals_hold(&file.signals);
		result = add_all(&file, rans, added);
	}
	close_file(&file);
	if (locked && result)
		undo(&file, created);
	lxfw_ran_signals_release(&file.signals);
	return result;
}

#else /* LXFW_HAVE_SQLITE */

static int no_sqlite(const char *path, struct lxfw_error *error)
{
	lxfw_error_at(error, path, 0, "lxfw was built without SQLite, which a data base of run "
		      "times requires");
	errno = ENOTSUP;
	return -1;
}

int lxfw_ran_file_read(struct lxfw_rans *rans, const char *path, struct lxfw_error *error)
{
	(void)rans;
	return no_sqlite(path, error);
}

int lxfw_ran_file_add(const struct lxfw_rans *rans, const char *path,
		      struct lxfw_ran_added *added, struct lxfw_error *error)
{
	(void)rans;
	(void)added;
	return no_sqlite(path, error);
}

#endif
