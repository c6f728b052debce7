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
	/* AWS HPC cost simulator; its earlier versions lack the last column */
	"State|JobID|ReqCPUS|ReqMem|ReqNodes|Constraints|Submit|Eligible|Start|"
	"Elapsed|Suspended|End|ExitCode|DerivedExitCode|AllocNodes|NCPUS|"
	"MaxDiskRead|MaxDiskWrite|MaxPages|MaxRSS|MaxVMSize|CPUTime|UserCPU|"
	"SystemCPU|TotalCPU|Partition",
};

int lxfw_sacct_bad(const struct sacct *sacct, struct lxfw_error *error)
{
	return lxfw_error_at(error, lxfw_input_path(sacct->input), sacct->line,
			     "%s", sacct->wrong.text);
}

/* --- columns -------------------------------------------------------------------- */

static void no_columns(struct sacct *sacct)
{
	sacct->count = sacct->text_count = 0;
	for (int i = 0; i < COLUMNS; i++)
		sacct->columns[i] = -1;
}

static void take_columns(struct sacct *sacct, const char *line, size_t length)
{
	const char *end = line + length, *at = line;

	no_columns(sacct);
	sacct->trailing = length > 0 && end[-1] == '|';
	end -= sacct->trailing;
	while (at <= end) {
		const char *bar = memchr(at, '|', (size_t)(end - at));
		const char *stop = bar ? bar : end;

		lxfw_sacct_column(sacct, (struct lxfw_slice) {
			at, (size_t)(stop - at) });
		at = stop + 1;
	}
	sacct->least = sacct->count;
}

static int check_columns(struct sacct *sacct)
{
	static const enum column needed[] = { JOB_ID, SUBMIT, START, END, NCPUS };

	if (sacct->columns[NCPUS] < 0)
		sacct->columns[NCPUS] = sacct->columns[ALLOC_CPUS];
	if (sacct->columns[NNODES] < 0)
		sacct->columns[NNODES] = sacct->columns[ALLOC_NODES];
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

	if (sacct->trailing && length > 0 && at[length - 1] == '|')
		length--;
	end = at + length;
	sacct->piece_count = 0;
	while (at) {
		if (LXFW_GROW(sacct->pieces, sacct->pieces_size,
			      sacct->piece_count + 2))
			return -1;
		sacct->pieces[sacct->piece_count++] = (size_t)(at - sacct->record);
		at = memchr(at, '|', (size_t)(end - at));
		if (at)
			at++;
	}
	sacct->pieces[sacct->piece_count] = length + 1;
	return 0;
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
		sacct->fields[i] = (struct lxfw_slice) { "", 0 };
		if (piece < sacct->piece_count)
			sacct->fields[i] = (struct lxfw_slice) {
				sacct->record + sacct->pieces[piece],
				sacct->pieces[piece + 1] -
				sacct->pieces[piece] - 1,
			};
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
		if (place(sacct, text + 1, shift + bars, excess - bars))
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
	    sacct->record[sacct->length - 1] == '|')
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
		const char *bar = memchr(at, '|', (size_t)(end - at));
		const char *stop = bar ? bar : end;

		if (bars == sacct->columns[JOB_ID])
			id = lxfw_sacct_job_id((struct lxfw_slice) {
				at, (size_t)(stop - at) });
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
			bars += line[i] == '|';
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

/* Reads the record that begins on the next line and may extend over several lines.
   Returns 1, 0 at the end, -1 on error, or 2 if it has too few fields. */
static int take_record(struct sacct *sacct, struct lxfw_error *error)
{
	struct lxfw_error first;
	char *line;
	size_t length;
	bool few;
	int got;

	do {
		got = lxfw_input_line(sacct->input, &line, &length, error);
		if (got <= 0)
			return got;
	} while (length == 0 || is_header(sacct, line, length));
	sacct->line = lxfw_input_line_number(sacct->input);
	if (sacct->fixed)
		return lxfw_sacct_fixed_record(sacct, line, length) ?
		       lxfw_sacct_bad(sacct, error) : 1;
	sacct->length = 0;
	sacct->tries = TRIES_MOST;
	if (append(sacct, line, length))
		return lxfw_error_system(error, lxfw_input_path(sacct->input));
	if (complete(sacct))
		return take_rest(sacct, error);
	first = sacct->wrong;
	few = (int)sacct->piece_count < sacct->least;
	while (may_go_on(sacct)) {
		got = lxfw_input_peek(sacct->input, &line, &length, error);
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
	return few ? 2 : lxfw_sacct_bad(sacct, error);
}

/* Returns the next complete record. Incomplete ones are parts of texts that a tool
   split at their line breaks. A log with incomplete records only is an error. */
int lxfw_sacct_record(struct sacct *sacct, struct lxfw_account_counts *counts,
		       struct lxfw_error *error)
{
	int got;

	while ((got = take_record(sacct, error)) == 2) {
		counts->records++;
		if (counts->damaged++ == 0) {
			counts->damaged_line = sacct->line;
			sacct->damage = sacct->wrong;
		}
	}
	if (got == 0 && counts->damaged > 0 &&
	    counts->damaged == counts->records) {
		sacct->wrong = sacct->damage;
		sacct->line = counts->damaged_line;
		return lxfw_sacct_bad(sacct, error);
	}
	return got;
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

int lxfw_sacct_header(struct sacct *sacct, struct lxfw_error *error)
{
	char *line;
	size_t length;
	int got = lxfw_input_peek(sacct->input, &line, &length, error);

	sacct->line = lxfw_input_line_number(sacct->input) + 1;
	if (got <= 0)
		return got;
	if (lxfw_sacct_is_fixed(line, length))
		return fixed_header(sacct, error);
	take_columns(sacct, line, length);
	if (sacct->columns[JOB_ID] >= 0) {
		lxfw_input_line(sacct->input, &line, &length, error);
		sacct->header = strndup(line, length);
		sacct->header_length = length;
		if (!sacct->header)
			return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
		return check_columns(sacct) ? lxfw_sacct_bad(sacct, error) : 1;
	}
	for (size_t i = 0; i < sizeof(known_orders) / sizeof(*known_orders); i++) {
		take_columns(sacct, known_orders[i], strlen(known_orders[i]));
		check_columns(sacct);
		/* earlier versions of the simulator did not request the partition */
		sacct->least -= i == 1;
		sacct->length = 0;
		sacct->tries = TRIES_MOST;
		if (append(sacct, line, length))
			return lxfw_error_system(error,
					lxfw_input_path(sacct->input));
		if (complete(sacct))
			return 1;
	}
	lxfw_error_format(&sacct->wrong, "no header line with JobID and an "
		"unknown order of columns, expected the output of sacct "
		"--parsable2 with its header line");
	return lxfw_sacct_bad(sacct, error);
}
