/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/sacct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* Maximum number of excess bars in a record. */
#define EXCESS_MOST 1000
/* Maximum number of layouts tried for a record, and of lines in a record. */
#define TRIES_MOST 20000
#define LINES_MOST 2000
/* Maximum length of a record in bytes. */
#define RECORD_MOST (1 << 22)

static const char *const known_orders[] = {
	/* Open XDMoD */
	"JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|"
	"Eligible|Start|End|Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|"
	"ReqTRES|AllocTRES|Timelimit|NodeList|JobName",
	/* the example of lxfw-import(1), and the columns that it recommends */
	"JobID|JobIDRaw|Submit|Eligible|Start|End|Elapsed|Suspended|NCPUS|ReqCPUS|NNodes|"
	"ReqMem|ReqTRES|AllocTRES|Timelimit|State|Partition|QOS|Reservation|User|Group|"
	"Account|NodeList|MaxRSS|NTasks",
	"JobID|Submit|Eligible|Start|End|Elapsed|Timelimit|NNodes|NCPUS|ReqMem|Partition|"
	"State|User|Group|NodeList",
	/* AWS HPC cost simulator; its earlier versions lack the last column */
	"State|JobID|ReqCPUS|ReqMem|ReqNodes|Constraints|Submit|Eligible|Start|"
	"Elapsed|Suspended|End|ExitCode|DerivedExitCode|AllocNodes|NCPUS|"
	"MaxDiskRead|MaxDiskWrite|MaxPages|MaxRSS|MaxVMSize|CPUTime|UserCPU|"
	"SystemCPU|TotalCPU|Partition",
};

#define ORDERS (sizeof(known_orders) / sizeof(*known_orders))

int lxfw_sacct_bad(const struct sacct *sacct, struct lxfw_error *error)
{
	return lxfw_error_at(error, lxfw_input_path(sacct->input), sacct->line,
			     "%s", sacct->wrong.text);
}

static int odd_record(const struct sacct *sacct, struct lxfw_odd *odd)
{
	return lxfw_odd_add(odd, sacct->input, sacct->line, "%s", sacct->wrong.text);
}

/* --- columns -------------------------------------------------------------------- */

static void no_columns(struct sacct *sacct)
{
	sacct->count = sacct->text_count = 0;
	for (int i = 0; i < COLUMNS; i++)
		sacct->columns[i] = -1;
}

/* Returns the text without the quotes around it, with which tables of comma-separated values
   protect commas. */
static struct lxfw_slice unquoted(const struct sacct *sacct, const char *at, size_t length)
{
	if (sacct->bar != '|' && length >= 2 && *at == '"' && at[length - 1] == '"')
		return (struct lxfw_slice) { at + 1, length - 2 };
	return (struct lxfw_slice) { at, length };
}

/* Returns the delimiter after the field at AT, or NULL. */
static const char *find_bar(const struct sacct *sacct, const char *at, const char *end)
{
	const char *quote = sacct->bar != '|' && at < end && *at == '"' ?
			    memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;

	return memchr(quote ? quote : at, sacct->bar, (size_t)(end - (quote ? quote : at)));
}

static void take_columns(struct sacct *sacct, const char *line, size_t length)
{
	const char *end = line + length, *at = line;

	no_columns(sacct);
	sacct->trailing = length > 0 && end[-1] == sacct->bar;
	end -= sacct->trailing;
	while (at <= end) {
		const char *bar = find_bar(sacct, at, end);
		const char *stop = bar ? bar : end;

		lxfw_sacct_column(sacct, unquoted(sacct, at, (size_t)(stop - at)));
		at = stop + 1;
	}
	sacct->least = sacct->count;
}

static int check_columns(struct sacct *sacct)
{
	static const enum column needed[] = { JOB_ID, SUBMIT, START, END, NCPUS };

	static const enum column instead[][2] = {
		{ JOB_ID, JOB_ID_RAW }, { NCPUS, ALLOC_CPUS }, { NNODES, ALLOC_NODES },
		{ ELAPSED, ELAPSED_RAW },
	};

	for (size_t i = 0; i < sizeof(instead) / sizeof(*instead); i++) {
		if (sacct->columns[instead[i][0]] < 0)
			sacct->columns[instead[i][0]] = sacct->columns[instead[i][1]];
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (sacct->columns[needed[i]] < 0)
			return lxfw_error_format(&sacct->wrong,
				"no column %s in the header, expected at least "
				"JobID|Submit|Start|End|NCPUS",
				lxfw_sacct_column_name(needed[i]));
	}
	return 0;
}

/* --- layout --------------------------------------------------------------------- */

/* Stores the beginnings of the pieces between the bars. */
static int cut(struct sacct *sacct)
{
	size_t length = sacct->length;
	const char *at = sacct->record, *end;

	if (sacct->trailing && length > 0 && at[length - 1] == sacct->bar)
		length--;
	end = at + length;
	sacct->piece_count = 0;
	while (at) {
		if (LXFW_GROW(sacct->pieces, sacct->pieces_size,
			      sacct->piece_count + 2))
			return -1;
		sacct->pieces[sacct->piece_count++] = (size_t)(at - sacct->record);
		at = find_bar(sacct, at, end);
		if (at)
			at++;
	}
	sacct->pieces[sacct->piece_count] = length + 1;
	return 0;
}

/* Returns the text of COUNT pieces from number FIRST on. */
static struct lxfw_slice pieces(const struct sacct *sacct, size_t first, size_t count)
{
	size_t begin;

	if (first + count > sacct->piece_count)
		return (struct lxfw_slice) { "", 0 };
	begin = sacct->pieces[first];
	return unquoted(sacct, sacct->record + begin,
			sacct->pieces[first + count] - begin - 1);
}

/* Assigns text number TEXT, if it is a column that is read, with BARS delimiters in it. Returns
   whether its value is valid. */
static bool lay_text(struct sacct *sacct, int text, int shift, int bars)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (sacct->columns[i] != sacct->texts[text])
			continue;
		sacct->fields[i] = pieces(sacct, (size_t)(sacct->texts[text] + shift),
					  (size_t)bars + 1);
		if (!lxfw_sacct_plausible(sacct, (enum column)i))
			return false;
	}
	return true;
}

/* Assigns the columns between the preceding text and text number TEXT, SHIFT bars
   later than in the header. Returns whether their values are valid. */
static bool lay_out(struct sacct *sacct, int text, int shift)
{
	int from = text > 0 ? sacct->texts[text - 1] : -1;
	int to = text < sacct->text_count ? sacct->texts[text] : sacct->count;

	for (int i = 0; i < COLUMNS; i++) {
		size_t piece = (size_t)(sacct->columns[i] + shift);

		if (sacct->columns[i] <= from || sacct->columns[i] >= to)
			continue;
		sacct->fields[i] = pieces(sacct, piece, 1);
		if (!lxfw_sacct_plausible(sacct, (enum column)i))
			return false;
	}
	return true;
}

/* Distributes EXCESS bars among the texts from number TEXT on. */
static bool place(struct sacct *sacct, int text, int shift, int excess)
{
	if (sacct->tries-- <= 0 || !lay_out(sacct, text, shift))
		return false;
	if (text == sacct->text_count)
		return excess == 0;
	for (int bars = 0; bars <= excess; bars++) {
		if (lay_text(sacct, text, shift, bars) &&
		    place(sacct, text + 1, shift + bars, excess - bars))
			return true;
	}
	return false;
}

/* Returns whether the record has all its fields in a valid layout. */
static bool complete(struct sacct *sacct)
{
	int excess = (int)sacct->piece_count - sacct->count;

	memset(sacct->fields, 0, sizeof(sacct->fields));
	/* a bar at the end of the line that the header lacks is not a field */
	if (excess == 1 && sacct->text_count == 0 &&
	    sacct->record[sacct->length - 1] == sacct->bar)
		excess = 0;
	if ((int)sacct->piece_count < sacct->least || excess > EXCESS_MOST ||
	    (excess > 0 && sacct->text_count == 0)) {
		lxfw_error_format(&sacct->wrong,
			"%zu fields, expected %d as in the header",
			sacct->piece_count, sacct->count);
		return false;
	}
	return place(sacct, 0, 0, excess > 0 ? excess : 0);
}

static int append(struct sacct *sacct, const char *line, size_t length)
{
	char *record;

	if (LXFW_GROW(sacct->record, sacct->size, sacct->length + length + 2))
		return -1;
	record = sacct->record;
	if (sacct->length > 0)
		record[sacct->length++] = '\n';
	memcpy(record + sacct->length, line, length);
	sacct->length += length;
	record[sacct->length] = '\n';
	return cut(sacct);
}

/* Returns whether the line repeats the header, as in joined outputs of several sacct. */
static bool is_header(const struct sacct *sacct, const char *line, size_t length)
{
	return sacct->header && length == sacct->header_length &&
	       memcmp(line, sacct->header, length) == 0;
}

/* Returns whether a line looks like the beginning of a record: it has as many fields,
   and the job id and the state are in their columns. */
static bool begins_record(const struct sacct *sacct, const char *line,
			  size_t length)
{
	const char *end = line + length;
	bool id = false;
	int bars = 0;

	if (is_header(sacct, line, length))
		return true;
	for (const char *at = line; at <= end;) {
		const char *bar = find_bar(sacct, at, end);
		const char *stop = bar ? bar : end;

		if (bars == sacct->columns[JOB_ID])
			id = lxfw_sacct_job_id(unquoted(sacct, at, (size_t)(stop - at)));
		bars += bar != NULL;
		at = stop + 1;
	}
	return id && bars + 1 >= sacct->count;
}

/* Limits the length of a record that continues on the next line. */
static bool may_go_on(const struct sacct *sacct)
{
	return sacct->length < RECORD_MOST && sacct->tries > 0 &&
	       lxfw_input_line_number(sacct->input) - sacct->line < LINES_MOST;
}

/* Appends the next lines to a complete record if they belong to its last text, which
   may have line breaks. A line with at least half of the fields is not part of a text.
   Returns 1 or -1. */
static int take_rest(struct sacct *sacct, struct lxfw_error *error)
{
	while (sacct->text_count > 0 && may_go_on(sacct)) {
		size_t before = sacct->length, length;
		char *line;
		int bars = 0, got = lxfw_input_peek(sacct->input, &line, &length,
						    error);

		if (got < 0)
			return -1;
		for (size_t i = 0; got > 0 && i < length; i++)
			bars += line[i] == sacct->bar;
		if (got == 0 || length == 0 || 2 * bars >= sacct->count ||
		    begins_record(sacct, line, length))
			break;
		if (append(sacct, line, length))
			return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
		if (!complete(sacct)) {
			/* restore the record */
			sacct->length = before;
			sacct->record[before] = '\n';
			if (cut(sacct))
				return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
			sacct->tries = TRIES_MOST;
			complete(sacct);
			break;
		}
		lxfw_input_line(sacct->input, &line, &length, error);
	}
	return 1;
}

/* Reads a record that extends over several lines, of which the first has been read. Only texts
   have line breaks. Returns as lxfw_sacct_record(). */
static int take_more(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error)
{
	struct lxfw_error first = sacct->wrong;
	char *line;
	size_t length;

	while (sacct->text_count > 0 && may_go_on(sacct)) {
		int got = lxfw_input_peek(sacct->input, &line, &length, error);

		if (got < 0)
			return -1;
		if (got == 0 || begins_record(sacct, line, length))
			break;
		if (append(sacct, line, length))
			return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
		lxfw_input_line(sacct->input, &line, &length, error);
		if (complete(sacct))
			return take_rest(sacct, error);
	}
	sacct->wrong = first;
	return odd_record(sacct, odd);
}

int lxfw_sacct_record(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;
	int got;

	do {
		got = lxfw_input_line(sacct->input, &line, &length, error);
		if (got <= 0)
			return got;
	} while (length == 0 || is_header(sacct, line, length));
	sacct->line = lxfw_input_line_number(sacct->input);
	if (sacct->fixed)
		return lxfw_sacct_fixed_record(sacct, line, length) ?
		       odd_record(sacct, odd) : 1;
	sacct->length = 0;
	sacct->tries = TRIES_MOST;
	if (append(sacct, line, length))
		return lxfw_error_system(error, lxfw_input_path(sacct->input));
	return complete(sacct) ? take_rest(sacct, error) : take_more(sacct, odd, error);
}

/* Reads two lines: the names of the columns, and the dashes that mark them. */
static int fixed_header(struct sacct *sacct, struct lxfw_error *error)
{
	char *line, *names;
	size_t length, names_length;
	int got = lxfw_input_line(sacct->input, &line, &names_length, error);

	if (got <= 0)
		return got;
	names = malloc(names_length + 1);
	if (!names)
		return lxfw_error_system(error, lxfw_input_path(sacct->input));
	memcpy(names, line, names_length);
	no_columns(sacct);
	got = lxfw_input_line(sacct->input, &line, &length, error);
	if (got >= 0 &&
	    (lxfw_sacct_fixed_header(sacct, names, names_length, line,
				     got > 0 ? length : 0) ||
	     check_columns(sacct)))
		got = lxfw_sacct_bad(sacct, error);
	free(names);
	return got;
}

/* Returns 1 if LINE is a record in a known order of columns, 0 if not, or -1. */
static int known_order(struct sacct *sacct, const char *line, size_t length)
{
	for (size_t i = 0; i < ORDERS; i++) {
		take_columns(sacct, known_orders[i], strlen(known_orders[i]));
		check_columns(sacct);
		/* earlier versions of the simulator did not request the partition */
		sacct->least -= i + 1 == ORDERS;
		sacct->length = 0;
		sacct->tries = TRIES_MOST;
		if (append(sacct, line, length))
			return -1;
		if (complete(sacct))
			return 1;
	}
	no_columns(sacct);
	return 0;
}

/* Takes a line that is neither a header nor a record. Returns LXFW_ODD_RECORD, or -1 if there
   have been too many. */
static int no_header(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;

	lxfw_input_line(sacct->input, &line, &length, error);
	lxfw_error_format(&sacct->wrong, "no header line with JobID and an "
		"unknown order of columns, expected the output of sacct "
		"--parsable2 with its header line");
	odd_record(sacct, odd);
	if (odd->count <= LXFW_ODD_BEFORE)
		return LXFW_ODD_RECORD;
	return lxfw_error_format(error, "%s", odd->examples[0].text);
}

int lxfw_sacct_header(struct sacct *sacct, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;
	char bar;
	int got;

	while ((got = lxfw_input_peek(sacct->input, &line, &length, error)) > 0 && length == 0)
		lxfw_input_line(sacct->input, &line, &length, error);
	sacct->line = lxfw_input_line_number(sacct->input) + 1;
	if (got <= 0)
		return got;
	if (lxfw_sacct_is_fixed(line, length))
		return fixed_header(sacct, error);
	bar = lxfw_sacct_delimiter(line, length);
	sacct->bar = bar ? bar : '|';
	if (bar) {
		take_columns(sacct, line, length);
		lxfw_input_line(sacct->input, &line, &length, error);
		/* no strndup(): the line may contain NUL */
		sacct->header = malloc(length + 1);
		if (!sacct->header)
			return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
		memcpy(sacct->header, line, length);
		sacct->header_length = length;
		return check_columns(sacct) ? lxfw_sacct_bad(sacct, error) : 1;
	}
	got = known_order(sacct, line, length);
	if (got < 0)
		return lxfw_error_system(error, lxfw_input_path(sacct->input));
	return got > 0 ? 1 : no_header(sacct, odd, error);
}
