/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns are found by their names, such as those of Helios, of the jobs in Slurm's data base (the
 * MIT Supercloud data set), of Batsim and of the Grid Workload Format, whose header is a comment;
 * the caller may name others, by their number if there is no header line. Lines before the header
 * that begin with '#' are comments.
 */
#include "sim-frontend/trace/table_columns.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/util/nearest.h"
#include "sim-frontend/util/text.h"

#define HEADER_MOST 10000

/* The names in --columns, and the known columns, of which the first is the best. */
static const char *const role_names[LXFW_TABLE_COLUMNS + 1] = {
	"job", "submit", "eligible", "start", "end", "wait", "run", "limit", "limit_minutes",
	"procs", "nodes", "gpus", "memory_mb", "memory_gb", "user", "group", "queue", "state",
	"tres", "cluster", "launch", "instances", "procs_percent", "procs_milli", "gpus_percent",
	"gpus_milli", NULL,
};
static const char *const known_columns[LXFW_TABLE_COLUMNS] = {
	[LXFW_OF_JOB] = "job_id jobid id_job job id",
	[LXFW_OF_SUBMIT] = "submit submit_time time_submit submitted_time submission_time "
			   "submitted_at submittime creation_time",
	[LXFW_OF_ELIGIBLE] = "eligible eligible_time time_eligible",
	[LXFW_OF_START] = "start start_time time_start starting_time started_at scheduled_time",
	[LXFW_OF_END] = "end end_time time_end finish_time finished_at ended_at deletion_time",
	[LXFW_OF_WAIT] = "wait wait_time waiting_time waittime",
	[LXFW_OF_RUN] = "run run_time runtime duration execution_time elapsed",
	[LXFW_OF_LIMIT] = "limit time_limit timelimit requested_time walltime reqtime",
	[LXFW_OF_LIMIT_MINUTES] = "limit_minutes timelimit_minutes",
	[LXFW_OF_PROCS] = "procs cpu_num cpus ncpus num_cpus cpus_alloc cpus_req num_cores cores "
		  "requested_number_of_resources nprocs",
	[LXFW_OF_NODES] = "nodes node_num nodes_alloc num_nodes num_hosts",
	[LXFW_OF_GPUS] = "gpus gpu_num num_gpus num_gpu gpus_alloc",
	[LXFW_OF_MEMORY_MB] = "memory_mb mem_mb memory_mib",
	[LXFW_OF_MEMORY_GB] = "memory_gb mem_gb max_mem_gb",
	[LXFW_OF_USER] = "user user_id id_user username userid",
	[LXFW_OF_GROUP] = "group id_group account groupid",
	[LXFW_OF_QUEUE] = "partition vc queue queue_name queueid",
	[LXFW_OF_STATE] = "state status final_state pod_phase",
	[LXFW_OF_TRES] = "tres_alloc",
	[LXFW_OF_CLUSTER] = "cluster cluster_name",
	[LXFW_OF_LAUNCH] = "launch",
	[LXFW_OF_INSTANCES] = "instances",
	[LXFW_OF_PROCS_PERCENT] = "procs_percent",
	[LXFW_OF_PROCS_MILLI] = "procs_milli cpu_milli",
	[LXFW_OF_GPUS_PERCENT] = "gpus_percent",
	[LXFW_OF_GPUS_MILLI] = "gpus_milli gpu_milli",
};

/* The columns of tables without a header line in public data sets, from their descriptions. */
static const struct {
	const char *name, *columns;
} sets[] = {
	/* Alibaba's cluster-trace-gpu-v2020, pai_task_table */
	{ "pai-2020", "instances=3,state=4,launch=5,end=6,procs_percent=7,memory_gb=8,"
	  "gpus_percent=9,queue=10" },
	/* Alibaba's cluster-trace-v2018, batch_task; its memory has no unit */
	{ "alibaba-2018", "instances=2,state=5,launch=6,end=7,procs_percent=8" },
};

#define SETS (sizeof(sets) / sizeof(*sets))

/* A table whose header is read. */
struct reading {
	struct lxfw_input *input;
	const char *wanted;		/* NULL: none */
	struct lxfw_table_columns *columns;
	struct lxfw_slice header[LXFW_TABLE_FIELDS];
};

/* --- lines ---------------------------------------------------------------------- */

static struct lxfw_slice trimmed(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (at < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct lxfw_slice) { at, (size_t)(end - at) };
}

/* Returns the end of what the quote before AT begins: the next quote that is not doubled, or
   STOP. */
static const char *end_of_quote(const char *at, const char *stop)
{
	while (at < stop && (*at != '"' || (at + 1 < stop && at[1] == '"')))
		at += *at == '"' ? 2 : 1;
	return at < stop ? at : stop;
}

size_t lxfw_table_split(const char *line, size_t length, char delimiter,
			struct lxfw_slice *fields)
{
	const char *at = line, *stop = line + length;

	for (size_t count = 0;; at++) {
		const char *first = at, *end = NULL;

		if (at < stop && *at == '"')
			at = end = end_of_quote(++first, stop);
		while (at < stop && *at != delimiter)
			at++;
		if (count < LXFW_TABLE_FIELDS)
			fields[count] = trimmed(first, end ? end : at);
		count++;
		if (at == stop)
			return count;
	}
}

/* --- columns -------------------------------------------------------------------- */

static bool is_name(struct lxfw_slice field, const char *name, size_t length)
{
	return field.length == length && strncasecmp(field.at, name, length) == 0;
}

/* Returns NAME without a colon at its end: "ReqTime:" in files of the Grid Workload Archive. */
static struct lxfw_slice without_colon(struct lxfw_slice name)
{
	if (name.length == 0 || name.at[name.length - 1] != ':')
		return name;
	return trimmed(name.at, name.at + name.length - 1);
}

static int find(const struct lxfw_slice *fields, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count && i < LXFW_TABLE_FIELDS; i++) {
		if (is_name(fields[i], name, length) ||
		    (fields[i].length > length &&
		     is_name(without_colon(fields[i]), name, length)))
			return (int)i;
	}
	return -1;
}

/* Returns the position of the best of the known columns of a role, or -1. */
static int find_known(const struct lxfw_slice *fields, size_t count, enum lxfw_table_column role)
{
	int found = -1;

	for (const char *at = known_columns[role]; *at && found < 0;) {
		size_t length = strcspn(at, " ");

		found = find(fields, count, at, length);
		at += length;
		at += strspn(at, " ");
	}
	return found;
}

static void find_all(const struct lxfw_slice *fields, size_t count, int of[LXFW_TABLE_COLUMNS])
{
	for (int role = 0; role < LXFW_TABLE_COLUMNS; role++)
		of[role] = find_known(fields, count, role);
}

/* Returns whether there are submissions and run times only: a workload that has not run. */
static bool has_no_starts(const int of[LXFW_TABLE_COLUMNS])
{
	return of[LXFW_OF_RUN] >= 0 && of[LXFW_OF_START] < 0 && of[LXFW_OF_WAIT] < 0 &&
	       of[LXFW_OF_END] < 0;
}

/* Returns what a table of jobs lacks, or NULL. One with names that the caller did not state needs
   starts. */
static const char *lack(const int of[LXFW_TABLE_COLUMNS], bool stated)
{
	static const enum lxfw_table_column amounts[] = {
		LXFW_OF_PROCS, LXFW_OF_GPUS, LXFW_OF_NODES, LXFW_OF_TRES, LXFW_OF_PROCS_PERCENT,
		LXFW_OF_PROCS_MILLI, LXFW_OF_GPUS_PERCENT, LXFW_OF_GPUS_MILLI,
	};
	bool launch = of[LXFW_OF_LAUNCH] >= 0;

	if (of[LXFW_OF_SUBMIT] < 0 && !launch)
		return "submit";
	if (of[LXFW_OF_START] < 0 && of[LXFW_OF_WAIT] < 0 && !launch &&
	    (of[LXFW_OF_END] < 0 || of[LXFW_OF_RUN] < 0) && !(stated && has_no_starts(of)))
		return "start";
	if (of[LXFW_OF_END] < 0 && of[LXFW_OF_RUN] < 0)
		return "end";
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		if (of[amounts[i]] >= 0)
			return NULL;
	}
	return "procs";
}

/* Returns the delimiter with which the line has the most known columns, or the most fields. */
static char delimiter_of(const char *line, size_t length, struct lxfw_slice *fields,
			 size_t *count, int of[LXFW_TABLE_COLUMNS])
{
	static const char delimiters[] = ",\t;|";
	size_t most = 0;
	char best = ',';

	for (const char *delimiter = delimiters;; delimiter++) {
		bool last = !*delimiter;
		size_t known = 0;

		*count = lxfw_table_split(line, length, last ? best : *delimiter, fields);
		find_all(fields, *count, of);
		for (int role = 0; role < LXFW_TABLE_COLUMNS; role++)
			known += of[role] >= 0;
		if (last)
			return best;
		known = known * LXFW_TABLE_FIELDS + *count;
		if (known > most) {
			most = known;
			best = *delimiter;
		}
	}
}

static int column_error(const struct reading *reading, struct lxfw_error *error, const char *item,
			size_t length, const char *what)
{
	char quoted[80];

	return lxfw_error_at(error, lxfw_input_path(reading->input),
			     lxfw_input_line_number(reading->input) + 1, "--columns: %s %s",
			     lxfw_text_quote(quoted, sizeof(quoted), item, length), what);
}

/* Returns whether the caller's columns are numbers: "submit=5". */
static bool is_numbered(const char *columns)
{
	const char *equals = columns ? strchr(columns, '=') : NULL;
	size_t digits = equals ? strspn(equals + 1, "0123456789") : 0;

	return digits > 0 && (!equals[1 + digits] || equals[1 + digits] == ',');
}

/* Reports NAME, which is none of what a column may be of, nor, if it is ALONE, of a data set. */
static int not_known(const struct reading *reading, const char *name, size_t length, bool alone,
		     struct lxfw_error *error)
{
	const char *set_names[SETS + 1] = { NULL };
	const char *near = lxfw_nearest(name, length, role_names);
	char list[80] = "", what[240];
	size_t used = 0;

	for (size_t i = 0; alone && i < SETS && used < sizeof(list); i++) {
		set_names[i] = sets[i].name;
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
					 i > 0 ? " or " : ", or the data set ", sets[i].name);
	}
	if (!near)
		near = lxfw_nearest(name, length, set_names);
	snprintf(what, sizeof(what), "is not known%s%s, expected job, submit, start, end, procs or "
		 "another of lxfw-import(1)%s", near ? ", perhaps " : "", near ? near : "", list);
	return column_error(reading, error, name, length, what);
}

/* Takes "submit=submitted_at", or without a header the number of a column, from 1. */
static int take_column(struct reading *reading, const struct lxfw_slice *header, size_t count,
		       const char *item, size_t length, struct lxfw_error *error)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t)(equals - item) : length;
	struct lxfw_slice column = { item + name + 1, equals ? length - name - 1 : 0 };
	int64_t number;
	int role = 0;

	while (role < LXFW_TABLE_COLUMNS &&
	       !is_name((struct lxfw_slice) { item, name }, role_names[role],
			strlen(role_names[role])))
		role++;
	if (role == LXFW_TABLE_COLUMNS)
		return not_known(reading, item, name, !equals, error);
	if (column.length == 0)
		return column_error(reading, error, item, length,
				    "has no column, expected for example submit=submitted_at");
	if (!header) {
		if (!lxfw_slice_integer(column, 1, LXFW_TABLE_FIELDS, &number))
			return column_error(reading, error, column.at, column.length,
					    "beside numbers, expected names or numbers from 1");
		reading->columns->of[role] = (int)number - 1;
		return 0;
	}
	reading->columns->minutes &= role != LXFW_OF_LIMIT;
	reading->columns->of[role] = find(header, count, column.at, column.length);
	return reading->columns->of[role] >= 0 ? 0 :
	       column_error(reading, error, column.at, column.length,
			    "is no column of the header");
}

/* Returns the length of what makes a header line a comment: "# " */
static size_t comment_of(const char *line, size_t length)
{
	size_t mark = length > 0 && *line == '#';

	while (mark > 0 && mark < length && line[mark] == ' ')
		mark++;
	return mark;
}

bool lxfw_table_is_header(const char *line, size_t length)
{
	struct lxfw_slice fields[LXFW_TABLE_FIELDS];
	size_t mark = comment_of(line, length), count;
	int of[LXFW_TABLE_COLUMNS];

	/* JSON has quoted names as well */
	if (length > HEADER_MOST || mark == length || line[mark] == '{' || line[mark] == '[')
		return false;
	delimiter_of(line + mark, length - mark, fields, &count, of);
	return !lack(of, false) && count <= LXFW_TABLE_FIELDS;
}

/* Returns whether one of the next lines is a header. */
static bool is_ahead(struct reading *reading, int lines)
{
	size_t offset = 0, length;
	char *line;

	for (; lines <= LXFW_ODD_BEFORE &&
	       lxfw_input_ahead(reading->input, &offset, &line, &length, NULL) > 0; lines++) {
		if (lxfw_table_is_header(line, length))
			return true;
	}
	return false;
}

/* Reports what the first line, which is no header, lacks. Returns -1. */
static int no_header(struct reading *reading, const char *line, size_t length,
		     struct lxfw_error *error)
{
	size_t count;
	const char *without;

	delimiter_of(line, length, reading->header, &count, reading->columns->of);
	without = lack(reading->columns->of, false);
	if (count > LXFW_TABLE_FIELDS)
		return lxfw_error_at(error, lxfw_input_path(reading->input),
				     lxfw_input_line_number(reading->input),
				     "%zu columns, expected at most %d", count, LXFW_TABLE_FIELDS);
	return lxfw_error_at(error, lxfw_input_path(reading->input),
			     lxfw_input_line_number(reading->input),
			     "no column is known to be that of '%s', expected --columns %s=NAME",
			     without ? without : "submit", without ? without : "submit");
}

/* Leaves out what precedes the header: comments, empty lines, and a few odd lines. */
static int find_header(struct reading *reading, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;
	int got;

	for (int lines = 0; lines <= LXFW_ODD_BEFORE; lines++) {
		got = lxfw_input_peek(reading->input, &line, &length, error);
		if (got <= 0 || lxfw_table_is_header(line, length) ||
		    (reading->wanted && length > 0 && *line != '#'))
			return got;
		lxfw_input_line(reading->input, &line, &length, error);
		if (length > 0 && *line != '#' && !is_ahead(reading, lines))
			return no_header(reading, line, length, error);
		if (length > 0 && *line != '#')
			lxfw_odd_add(odd, reading->input, 0, "the line precedes the header");
	}
	return lxfw_input_peek(reading->input, &line, &length, error);
}

/* Takes the caller's columns, and checks that the table has what a job needs. HEADER is NULL if
   they are numbers. */
static int take_columns(struct reading *reading, const struct lxfw_slice *header, size_t count,
			struct lxfw_error *error)
{
	const char *without;

	for (const char *at = reading->wanted; at && *at;) {
		size_t item = strcspn(at, ",");

		if (take_column(reading, header, count, at, item, error))
			return -1;
		at += item;
		at += *at == ',';
	}
	without = lack(reading->columns->of, reading->wanted != NULL);
	reading->columns->planned = reading->columns->of[LXFW_OF_LAUNCH] >= 0 ||
				    has_no_starts(reading->columns->of);
	if (!without)
		return 0;
	return lxfw_error_at(error, lxfw_input_path(reading->input),
			     lxfw_input_line_number(reading->input) + 1,
			     "no column is known to be that of '%s', expected --columns %s=NAME",
			     without, without);
}

bool lxfw_table_is_sacct(const char *line, size_t length)
{
	static const char *const names[] = { "Submit", "Start", "End" };
	struct lxfw_slice fields[LXFW_TABLE_FIELDS];
	int of[LXFW_TABLE_COLUMNS];
	size_t count;
	bool all = true;

	delimiter_of(line, length, fields, &count, of);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		all &= find(fields, count, names[i], strlen(names[i])) >= 0;
	all &= find(fields, count, "NCPUS", 5) >= 0 || find(fields, count, "AllocCPUS", 9) >= 0 ||
	       find(fields, count, "ReqCPUS", 7) >= 0;
	return all;
}

/* Reads the header, unless the caller's columns are numbers. */
static int read_header(struct reading *reading, struct lxfw_odd *odd, struct lxfw_error *error)
{
	struct lxfw_table_columns *columns = reading->columns;
	struct lxfw_slice *header = reading->header;
	size_t length, count, mark;
	char *line;
	int got = find_header(reading, odd, error);

	if (got > 0)
		got = lxfw_input_peek(reading->input, &line, &length, error);
	if (got <= 0)
		return got;
	mark = comment_of(line, length);
	line += mark;
	length -= mark;
	columns->delimiter = delimiter_of(line, length, header, &count, columns->of);
	if (is_numbered(reading->wanted)) {
		for (int role = 0; role < LXFW_TABLE_COLUMNS; role++)
			columns->of[role] = -1;
		return take_columns(reading, NULL, 0, error) ? -1 : 1;
	}
	columns->slurm = columns->of[LXFW_OF_SUBMIT] >= 0 &&
			 find(header, count, "id_job", 6) >= 0 &&
			 find(header, count, "time_submit", 11) >= 0;
	columns->minutes = columns->slurm &&
			   find(header, count, "timelimit", 9) == columns->of[LXFW_OF_LIMIT];
	columns->pods = find(header, count, "pod_phase", 9) >= 0;
	columns->grid = find(header, count, "OrigSiteID", 10) >= 0;
	columns->count = count;
	if (take_columns(reading, header, count, error))
		return -1;
	return lxfw_input_line(reading->input, &line, &length, error);
}

int lxfw_table_columns_read(struct lxfw_table_columns *columns, struct lxfw_input *input,
			    const char *wanted, struct lxfw_odd *odd, struct lxfw_error *error)
{
	struct reading reading = { .input = input, .wanted = wanted, .columns = columns };

	for (size_t i = 0; wanted && i < SETS; i++) {
		if (strcmp(wanted, sets[i].name) == 0) {
			reading.wanted = sets[i].columns;
			columns->states = true;
		}
	}
	return read_header(&reading, odd, error);
}

bool lxfw_table_is_state(struct lxfw_slice state)
{
	static const char *const states[] = { "Ready", "Waiting", "Running", "Terminated",
					      "Failed", "Interrupted", "Cancelled" };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (lxfw_slice_is(state, states[i]))
			return true;
	}
	return false;
}
