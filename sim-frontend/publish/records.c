/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/records.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SQLITE

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/grow.h"

/* The application id "lxfp", which file(1) recognizes, and the version of the tables. */
#define APPLICATION 0x6c786670
#define LAYOUT 1

/* A start that is this near to the expected one is counted as such, seconds. */
#define NEAR 600

struct lxfw_records {
	sqlite3 *database;
	char *path;
};

static int fail(const struct lxfw_records *records, int code, struct lxfw_error *error)
{
	const char *words = sqlite3_errmsg(records->database);
	char shown[200];

	switch (code & 0xff) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return lxfw_error_at(error, records->path, 0, "damaged, or not a file of 'lxfw "
				     "predict --publish'; remove it to begin a new one");
	case SQLITE_NOMEM:
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	case SQLITE_BUSY:
		lxfw_error_at(error, records->path, 0, "in use by another process");
		errno = EBUSY;
		return -1;
	}
	lxfw_error_at(error, records->path, 0, "%s",
		      lxfw_text_quote(shown, sizeof(shown), words, strlen(words)));
	errno = EIO;
	return -1;
}

static int execute(const struct lxfw_records *records, const char *text,
		   struct lxfw_error *error)
{
	int code = sqlite3_exec(records->database, text, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : fail(records, code, error);
}

static int prepare(const struct lxfw_records *records, const char *text,
		   sqlite3_stmt **statement, struct lxfw_error *error)
{
	int code = sqlite3_prepare_v2(records->database, text, -1, statement, NULL);

	return code == SQLITE_OK ? 0 : fail(records, code, error);
}

/* Executes a query that returns one number. */
static int ask(const struct lxfw_records *records, const char *text, int64_t *value,
	       struct lxfw_error *error)
{
	sqlite3_stmt *statement;
	int code;

	if (prepare(records, text, &statement, error))
		return -1;
	code = sqlite3_step(statement);
	*value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return code == SQLITE_ROW ? 0 : fail(records, code, error);
}

/* --- the file --------------------------------------------------------------------- */

static int make_tables(const struct lxfw_records *records, struct lxfw_error *error)
{
	char marks[80];

	snprintf(marks, sizeof(marks), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 APPLICATION, LAYOUT);
	return execute(records, "CREATE TABLE predictions (job INTEGER NOT NULL, "
		       "time INTEGER NOT NULL, weight REAL NOT NULL, age INTEGER NOT NULL, "
		       "expected INTEGER NOT NULL, time_limit INTEGER NOT NULL, "
		       "sure INTEGER NOT NULL, raw_low50 REAL NOT NULL, "
		       "raw_high50 REAL NOT NULL, raw_low90 REAL NOT NULL, "
		       "raw_high90 REAL NOT NULL, start INTEGER NOT NULL, "
		       "low50 INTEGER NOT NULL, high50 INTEGER NOT NULL, "
		       "low90 INTEGER NOT NULL, high90 INTEGER NOT NULL, "
		       "manager INTEGER NOT NULL, started INTEGER, gone INTEGER); "
		       "CREATE INDEX by_time ON predictions (time); "
		       "CREATE INDEX unknown ON predictions (job) WHERE started IS NULL "
		       "AND gone IS NULL", error) || execute(records, marks, error) ? -1 : 0;
}

static int check(const struct lxfw_records *records, struct lxfw_error *error)
{
	int64_t application, version, tables;

	/* Locked until it is closed. A new file must not be a half one. */
	if (execute(records, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; "
		    "BEGIN EXCLUSIVE", error) ||
	    ask(records, "PRAGMA application_id", &application, error) ||
	    ask(records, "PRAGMA user_version", &version, error) ||
	    ask(records, "SELECT count(*) FROM sqlite_master", &tables, error))
		return -1;
	if (application == 0 && tables == 0 && make_tables(records, error))
		return -1;
	if ((application != 0 || tables != 0) && (application != APPLICATION || version != LAYOUT))
		return lxfw_error_at(error, records->path, 0, "an SQLite file of another program "
				     "or version, expected one of 'lxfw predict --publish'");
	return execute(records, "COMMIT", error);
}

/* A reader could lock the file: it is for its owner alone, in a folder that others read. */
static int make_private(const char *path, struct lxfw_error *error)
{
	int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600), saved;
	struct stat about;

	if (file < 0)
		return lxfw_error_system(error, path);
	if (fstat(file, &about) || (S_ISREG(about.st_mode) && fchmod(file, 0600))) {
		lxfw_error_system(error, path);
		saved = errno;
		close(file);
		errno = saved;
		return -1;
	}
	close(file);
	if (S_ISREG(about.st_mode))
		return 0;
	lxfw_error_at(error, path, 0, "not a regular file");
	errno = EINVAL;
	return -1;
}

/* SQLite would wait for ever to open a FIFO in place of a file beside the data base. Returns 0, or -1 with errno and
   ERROR set. */
static int check_beside(const char *path, struct lxfw_error *error)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	char beside[PATH_MAX];
	struct stat about;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (snprintf(beside, sizeof(beside), "%s%s", path, suffixes[i]) >= (int)sizeof(beside)) {
			errno = ENAMETOOLONG;
			return lxfw_error_system(error, path);
		}
		if (lstat(beside, &about) == 0 && !S_ISREG(about.st_mode)) {
			lxfw_error_at(error, beside, 0, "not a regular file");
			errno = EINVAL;
			return -1;
		}
	}
	return 0;
}

struct lxfw_records *lxfw_records_open(const char *path, struct lxfw_error *error)
{
	struct lxfw_records *records = calloc(1, sizeof(*records));
	int code, saved;

	if (records)
		records->path = strdup(path);
	if (!records || !records->path) {
		free(records);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	if (make_private(path, error) || check_beside(path, error)) {
		saved = errno;
		lxfw_records_close(records);
		errno = saved;
		return NULL;
	}
	code = sqlite3_open_v2(path, &records->database, SQLITE_OPEN_READWRITE |
			       SQLITE_OPEN_CREATE, NULL);
	if ((code == SQLITE_OK ? check(records, error) : fail(records, code, error)) == 0)
		return records;
	saved = errno;
	lxfw_records_close(records);
	errno = saved;
	return NULL;
}

void lxfw_records_close(struct lxfw_records *records)
{
	if (!records)
		return;
	sqlite3_close(records->database);
	free(records->path);
	free(records);
}

/* Ends a transaction: undoes it if FAILED. */
static int finish(const struct lxfw_records *records, int failed, struct lxfw_error *error)
{
	int saved;

	if (!failed && execute(records, "COMMIT", error) == 0)
		return 0;
	saved = errno;
	sqlite3_exec(records->database, "ROLLBACK", NULL, NULL, NULL);
	errno = saved;
	return -1;
}

/* --- predictions ------------------------------------------------------------------ */

/* Binds the columns of a prediction, from the first one on. */
static int bind(sqlite3_stmt *statement, const struct lxfw_record_row *row)
{
	const struct lxfw_promise *promise = &row->promise;
	const struct lxfw_standing *standing = &promise->view.standing;
	const struct lxfw_interval *raw = promise->view.raw.of;
	const double bounds[] = {
		raw[LXFW_HALF].low, raw[LXFW_HALF].high, raw[LXFW_MOST].low, raw[LXFW_MOST].high,
	};
	int code = SQLITE_OK, at = 1;

	code |= sqlite3_bind_int64(statement, at++, (sqlite3_int64)promise->job);
	code |= sqlite3_bind_int64(statement, at++, promise->time);
	code |= sqlite3_bind_double(statement, at++, promise->weight);
	code |= sqlite3_bind_int64(statement, at++, standing->age);
	code |= sqlite3_bind_int64(statement, at++, standing->expected);
	code |= sqlite3_bind_int64(statement, at++, standing->limit);
	code |= sqlite3_bind_int(statement, at++, promise->view.sure);
	for (int i = 0; i < 4; i++)
		code |= sqlite3_bind_double(statement, at++, bounds[i]);
	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		code |= sqlite3_bind_int64(statement, at++, row->times[i]);
	code |= sqlite3_bind_int64(statement, at++, row->manager);
	return code == SQLITE_OK ? 0 : -1;
}

int lxfw_records_add(struct lxfw_records *records, const struct lxfw_record_row *rows,
		     size_t count, int64_t now, struct lxfw_error *error)
{
	sqlite3_stmt *statement = NULL;
	char old[200];
	int failed;

	/* A clock that is wrong for a round does not remove all: at most a day's. */
	snprintf(old, sizeof(old), "DELETE FROM predictions WHERE time < %lld AND "
		 "time < (SELECT min(time) FROM predictions) + 86400",
		 (long long)(now - LXFW_RECORDS_KEPT));
	if (execute(records, "BEGIN IMMEDIATE", error))
		return -1;
	failed = execute(records, old, error) ||
		 prepare(records, "INSERT INTO predictions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
			 "?, ?, ?, ?, ?, ?, ?, NULL, NULL)", &statement, error);
	for (size_t i = 0; i < count && !failed; i++) {
		int code = bind(statement, &rows[i]) ? SQLITE_NOMEM : sqlite3_step(statement);

		if (code != SQLITE_DONE)
			failed = fail(records, code, error);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
	return finish(records, failed, error);
}

/* --- starts ----------------------------------------------------------------------- */

/* A prediction whose start is not known. */
struct unknown {
	int64_t row, start;
};

/* Those of which something is known now. */
struct news {
	struct unknown *list;
	size_t count, size;
};

static int find_news(const struct lxfw_records *records, struct news *news,
		     int64_t (*start)(const void *context, uint64_t job, int64_t since),
		     const void *context, struct lxfw_error *error)
{
	sqlite3_stmt *statement;
	int code;

	if (prepare(records, "SELECT rowid, job, time FROM predictions WHERE started IS NULL AND "
		    "gone IS NULL", &statement, error))
		return -1;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		int64_t row = sqlite3_column_int64(statement, 0);
		int64_t found = start(context, (uint64_t)sqlite3_column_int64(statement, 1),
				      sqlite3_column_int64(statement, 2));

		if (found == LXFW_NEVER)
			continue;
		if (LXFW_GROW(news->list, news->size, news->count + 1)) {
			code = SQLITE_NOMEM;
			break;
		}
		news->list[news->count++] = (struct unknown) { row, found };
	}
	sqlite3_finalize(statement);
	return code == SQLITE_DONE ? 0 : fail(records, code, error);
}

static int enter_news(const struct lxfw_records *records, const struct news *news,
		      struct lxfw_error *error)
{
	sqlite3_stmt *statement = NULL;
	int failed;

	if (execute(records, "BEGIN IMMEDIATE", error))
		return -1;
	failed = prepare(records, "UPDATE predictions SET started = ?2, gone = ?3 WHERE rowid = ?1",
			 &statement, error);
	for (size_t i = 0; i < news->count && !failed; i++) {
		const struct unknown *one = &news->list[i];
		int code = sqlite3_bind_int64(statement, 1, one->row);

		code |= one->start < 0 ? sqlite3_bind_null(statement, 2) :
					 sqlite3_bind_int64(statement, 2, one->start);
		code |= one->start < 0 ? sqlite3_bind_int(statement, 3, 1) :
					 sqlite3_bind_null(statement, 3);
		code = code == SQLITE_OK ? sqlite3_step(statement) : SQLITE_NOMEM;
		if (code != SQLITE_DONE)
			failed = fail(records, code, error);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
	return finish(records, failed, error);
}

int lxfw_records_settle(struct lxfw_records *records,
			int64_t (*start)(const void *context, uint64_t job, int64_t since),
			const void *context, struct lxfw_error *error)
{
	struct news news = { 0 };
	int result = find_news(records, &news, start, context, error);

	if (result == 0 && news.count > 0)
		result = enter_news(records, &news, error);
	free(news.list);
	return result;
}

/* --- what they teach -------------------------------------------------------------- */

static bool in_range(const struct lxfw_promise *promise)
{
	const struct lxfw_interval *raw = promise->view.raw.of;

	return promise->time > 0 && promise->start >= promise->time &&
	       (promise->start < INT64_C(1) << 40 || promise->start == LXFW_NEVER) &&
	       promise->view.standing.age >= 0 &&
	       promise->view.standing.expected >= 0 && promise->view.standing.limit >= 0 &&
	       promise->weight > 0 && promise->weight <= 1e9 && raw[LXFW_MOST].low >= 0 &&
	       raw[LXFW_MOST].low <= raw[LXFW_HALF].low &&
	       raw[LXFW_HALF].low <= raw[LXFW_HALF].high &&
	       raw[LXFW_HALF].high <= raw[LXFW_MOST].high && isfinite(raw[LXFW_MOST].high);
}

static int add_promise(struct lxfw_promises *promises, sqlite3_stmt *statement)
{
	struct lxfw_promise promise = {
		.job = (uint64_t)sqlite3_column_int64(statement, 0),
		.time = sqlite3_column_int64(statement, 1),
		.weight = sqlite3_column_double(statement, 2),
		.view.standing = {
			.age = sqlite3_column_int64(statement, 3),
			.expected = sqlite3_column_int64(statement, 4),
			.limit = sqlite3_column_int64(statement, 5),
		},
		.view.raw.of = {
			[LXFW_HALF] = { .low = sqlite3_column_double(statement, 6),
					.high = sqlite3_column_double(statement, 7) },
			[LXFW_MOST] = { .low = sqlite3_column_double(statement, 8),
					.high = sqlite3_column_double(statement, 9) },
		},
		.start = sqlite3_column_type(statement, 10) == SQLITE_NULL ? LXFW_NEVER :
			 sqlite3_column_int64(statement, 10),
		.gone = LXFW_NEVER,
	};

	promise.said = promise.view;
	return in_range(&promise) ? lxfw_promises_add(promises, &promise) : 0;
}

static int by_time(const void *left, const void *right)
{
	const struct lxfw_promise *a = left, *b = right;

	if (a->time != b->time)
		return (a->time > b->time) - (a->time < b->time);
	return (a->job > b->job) - (a->job < b->job);
}

int lxfw_records_promises(struct lxfw_records *records, struct lxfw_promises *promises,
			  struct lxfw_error *error)
{
	size_t before = promises->count;
	sqlite3_stmt *statement;
	int code;

	if (prepare(records, "SELECT job, time, weight, age, expected, time_limit, raw_low50, "
		    "raw_high50, raw_low90, raw_high90, started FROM predictions WHERE "
		    "gone IS NULL AND NOT sure ORDER BY time", &statement, error))
		return -1;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		if (add_promise(promises, statement)) {
			code = SQLITE_NOMEM;
			break;
		}
	}
	sqlite3_finalize(statement);
	if (code != SQLITE_DONE) {
		promises->count = before;
		return fail(records, code, error);
	}
	if (promises->count > 1)
		qsort(promises->list, promises->count, sizeof(*promises->list), by_time);
	return 0;
}

/* --- how good they were ----------------------------------------------------------- */

/* Errors in seconds. */
struct errors {
	double *list;
	size_t count, size;
	size_t near;
};

static int add_error(struct errors *errors, int64_t expected, int64_t started)
{
	double error = expected == LXFW_NEVER ? (double)LXFW_NEVER :
						fabs((double)(started - expected));

	if (LXFW_GROW(errors->list, errors->size, errors->count + 1))
		return -1;
	errors->list[errors->count++] = error;
	errors->near += error <= NEAR;
	return 0;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Sets the median and the share of near ones. Frees the list. */
static void judge(struct errors *errors, double *median, double *near)
{
	if (errors->count > 0) {
		qsort(errors->list, errors->count, sizeof(*errors->list), ascending);
		*median = errors->list[(errors->count - 1) / 2];
		*near = (double)errors->near / (double)errors->count;
	}
	free(errors->list);
}

static int judge_row(sqlite3_stmt *statement, struct lxfw_publication_quality *quality,
		     struct errors errors[3])
{
	int64_t started = sqlite3_column_int64(statement, 0);	/* now, of a job that waits */
	int64_t expected = sqlite3_column_int64(statement, 1);
	int64_t manager = sqlite3_column_int64(statement, 6);
	bool waits = sqlite3_column_int(statement, 8);

	/* An interval that is not stated is from now to later. */
	for (int i = 0; i < 2; i++) {
		int64_t low = sqlite3_column_int64(statement, 2 + 2 * i);
		int64_t high = sqlite3_column_int64(statement, 3 + 2 * i);

		if (low <= sqlite3_column_int64(statement, 7) && high == LXFW_NEVER)
			continue;
		if (waits && started <= high)
			continue;
		quality->states[i]++;
		quality->inside[i] += started >= low && started <= high;
	}
	if (waits && (expected == LXFW_NEVER || started <= expected + NEAR))
		return 0;
	quality->predictions++;
	if (add_error(&errors[0], expected, started))
		return -1;
	if (manager <= 0 || waits)
		return 0;
	quality->both++;
	return add_error(&errors[1], expected, started) ||
	       add_error(&errors[2], manager, started) ? -1 : 0;
}

/*
 * Predictions that were made at the same time are judged together, when at least 19 of 20 of their
 * jobs have started or are gone, or after two days: otherwise those would count first that start
 * early. Of a job that still waits then, only that it has waited until now is known.
 */
#define JUDGED_AFTER (2 * INT64_C(86400))
#define JUDGED "gone IS NULL AND time IN (SELECT time FROM predictions WHERE time >= %lld GROUP BY " \
	"time HAVING 20 * sum(started IS NULL AND gone IS NULL) <= count(*) OR time < %lld)"

int lxfw_records_quality(struct lxfw_records *records, int64_t since, int64_t now,
			 struct lxfw_publication_quality *quality, struct lxfw_error *error)
{
	struct errors errors[3] = { 0 };
	sqlite3_stmt *statement;
	char text[500];
	int code;

	*quality = (struct lxfw_publication_quality) { 0 };
	snprintf(text, sizeof(text), "SELECT count(DISTINCT job) FROM predictions WHERE " JUDGED,
		 (long long)since, (long long)(now - JUDGED_AFTER));
	if (ask(records, text, &quality->jobs, error))
		return -1;
	snprintf(text, sizeof(text), "SELECT min(time) FROM predictions WHERE " JUDGED,
		 (long long)since, (long long)(now - JUDGED_AFTER));
	if (ask(records, text, &quality->since, error))
		return -1;
	snprintf(text, sizeof(text), "SELECT coalesce(started, %lld), start, low50, high50, low90, "
		 "high90, manager, time, started IS NULL FROM predictions WHERE " JUDGED,
		 (long long)now, (long long)since, (long long)(now - JUDGED_AFTER));
	if (prepare(records, text, &statement, error))
		return -1;
	while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
		if (judge_row(statement, quality, errors)) {
			code = SQLITE_NOMEM;
			break;
		}
	}
	sqlite3_finalize(statement);
	for (int i = 0; i < 2; i++)
		quality->inside[i] /= quality->states[i] > 0 ? (double)quality->states[i] : 1;
	judge(&errors[0], &quality->error, &quality->near);
	judge(&errors[1], &quality->error_of_both, &quality->near_of_both);
	judge(&errors[2], &quality->error_of_manager, &quality->near_of_manager);
	return code == SQLITE_DONE ? 0 : fail(records, code, error);
}

#else /* LXFW_HAVE_SQLITE */

struct lxfw_records *lxfw_records_open(const char *path, struct lxfw_error *error)
{
	lxfw_error_at(error, path, 0, "lxfw was built without SQLite, in which predictions are kept");
	errno = ENOTSUP;
	return NULL;
}

void lxfw_records_close(struct lxfw_records *records)
{
	(void)records;
}

int lxfw_records_add(struct lxfw_records *records, const struct lxfw_record_row *rows,
		     size_t count, int64_t now, struct lxfw_error *error)
{
	(void)records, (void)rows, (void)count, (void)now, (void)error;
	return 0;
}

int lxfw_records_settle(struct lxfw_records *records,
			int64_t (*start)(const void *context, uint64_t job, int64_t since),
			const void *context, struct lxfw_error *error)
{
	(void)records, (void)start, (void)context, (void)error;
	return 0;
}

int lxfw_records_promises(struct lxfw_records *records, struct lxfw_promises *promises,
			  struct lxfw_error *error)
{
	(void)records, (void)promises, (void)error;
	return 0;
}

int lxfw_records_quality(struct lxfw_records *records, int64_t since, int64_t now,
			 struct lxfw_publication_quality *quality, struct lxfw_error *error)
{
	(void)records, (void)since, (void)now, (void)error;
	*quality = (struct lxfw_publication_quality) { 0 };
	return 0;
}

#endif
