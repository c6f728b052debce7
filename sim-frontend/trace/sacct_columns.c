/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns of sacct by name, and the validity of their fields. */
#include "sim-frontend/trace/sacct.h"

#include <string.h>
#include <strings.h>

#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/text.h"

static const char *const column_names[COLUMNS] = {
	"JobID", "JobIDRaw", "Submit", "Eligible", "Start", "End", "Elapsed",
	"Suspended", "NCPUS", "AllocCPUS", "ReqCPUS", "NNodes", "AllocNodes",
	"ReqMem", "Timelimit", "State", "Partition", "User", "UID", "Group",
	"GID", "NodeList", "MaxRSS", "NTasks", "TRESUsageInTot", "ReqNodes",
	"ReqTRES", "AllocTRES", "ReqGRES", "QOS", "Reservation",
	"Account", "ElapsedRaw", "TimelimitRaw", "Cluster", "SubmitLine",
};

/* Columns whose text may contain '|'. */
static const char *const text_names[] = {
	"AdminComment", "Comment", "Constraints", "Extra", "JobName", "Reason",
	"SubmitLine", "SystemComment", "WorkDir",
};

/* Columns whose lists contain ','. */
static const char *const list_names[] = {
	"AllocGRES", "AllocTRES", "Flags", "Licenses", "NodeList", "ReqGRES", "ReqTRES",
	"TRESUsageInTot",
};

/* --- columns -------------------------------------------------------------------- */

static bool is_one_of(struct lxfw_slice name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (name.length == strlen(names[i]) && lxfw_slice_begins(name, names[i]))
			return true;
	}
	return false;
}

static bool may_contain_bar(const struct sacct *sacct, struct lxfw_slice name)
{
	return is_one_of(name, text_names, sizeof(text_names) / sizeof(*text_names)) ||
	       (sacct->bar == ',' &&
		is_one_of(name, list_names, sizeof(list_names) / sizeof(*list_names)));
}

void lxfw_sacct_column(struct sacct *sacct, struct lxfw_slice name)
{
	/* bytes of a file system that lost a block */
	while (name.length > 0 && !*name.at)
		name.at++, name.length--;
	for (int i = 0; i < COLUMNS; i++) {
		if (name.length == strlen(column_names[i]) &&
		    lxfw_slice_begins(name, column_names[i]))
			sacct->columns[i] = sacct->count;
	}
	if (may_contain_bar(sacct, name) && sacct->text_count < LXFW_SACCT_TEXTS_MOST)
		sacct->texts[sacct->text_count++] = sacct->count;
	sacct->count++;
}

char lxfw_sacct_delimiter(const char *line, size_t length)
{
	static const char name[] = "JobID", raw[] = "Raw", delimiters[] = "|,\t;^";
	const char *end = line + length;

	for (const char *at = line; at < end; at++) {
		struct lxfw_slice rest = { at, (size_t)(end - at) };
		const char *before = at, *after = at + sizeof(name) - 1;
		char left, right;

		if (!lxfw_slice_begins(rest, name))
			continue;
		rest = (struct lxfw_slice) { after, (size_t)(end - after) };
		if (lxfw_slice_begins(rest, raw))
			after += sizeof(raw) - 1;
		if (before > line && before[-1] == '"' && after < end && *after == '"')
			before--, after++;
		left = before > line ? before[-1] : '\0';
		right = after < end ? *after : '\0';
		if ((!left || strchr(delimiters, left)) && (!right || strchr(delimiters, right)) &&
		    (!left || !right || left == right))
			return left ? left : right;
	}
	return '\0';
}

const char *lxfw_sacct_column_name(enum column column)
{
	return column_names[column];
}

/* --- fields --------------------------------------------------------------------- */

/* Removes an offset from UTC, "Z", "+01", "+0100" or "+01:00", from the end of a time and returns
   it in seconds; INT64_MIN if there is none. */
static int64_t take_offset(struct lxfw_slice *field)
{
	/* "2021-12-10T14:23:28" */
	const size_t plain = 19;
	struct lxfw_slice offset = { field->at + plain, field->length - plain };
	int64_t n[2] = { 0, 0 };
	char sign;

	if (field->length <= plain)
		return INT64_MIN;
	sign = *offset.at++;
	offset.length--;
	if (sign == 'Z' && offset.length == 0) {
		field->length = plain;
		return 0;
	}
	if ((sign != '+' && sign != '-') ||
	    !(lxfw_slice_numbers(offset, "0:0", n) || lxfw_slice_integer(offset, 0, 9999, &n[0])))
		return INT64_MIN;
	if (offset.length == 4) {
		n[1] = n[0] % 100;
		n[0] /= 100;
	}
	if (n[0] > 23 || n[1] > 59)
		return INT64_MIN;
	field->length = plain;
	return (sign == '-' ? -1 : 1) * (n[0] * 3600 + n[1] * 60);
}

bool lxfw_sacct_time(struct lxfw_slice field, int64_t *time, bool *local)
{
	static const char *const none[] = { "Unknown", "None", "N/A", "NONE" };
	int64_t n[6], offset;

	*time = -1;
	*local = false;
	if (field.length == 0)
		return true;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (lxfw_slice_begins(field, none[i]))
			return true;
	}
	offset = take_offset(&field);
	if ((lxfw_slice_numbers(field, "0-0-0T0:0:0", n) ||
	     lxfw_slice_numbers(field, "0-0-0 0:0:0", n)) && n[0] >= 1970 && n[0] <= 9999 &&
	    lxfw_calendar_is_date(n[0], n[1], n[2]) && n[3] < 24 && n[4] < 60 && n[5] <= 60) {
		*time = lxfw_account_moment(n[0], (int)n[1], (int)n[2], n[3],
					    n[4], n[5]);
		*local = offset == INT64_MIN;
		if (!*local)
			*time = *time > offset ? *time - offset : 0;
		return true;
	}
	return lxfw_slice_integer(field, 0, LXFW_ACCOUNT_TIME_MAX, time);
}

static bool is_span(struct lxfw_slice field)
{
	int64_t seconds;

	/* Slurm prints a negative time or INVALID if the clocks of hosts disagreed. */
	if (field.length > 1 && *field.at == '-')
		field.at++, field.length--;
	return field.length == 0 || lxfw_slice_span(field, &seconds) ||
	       lxfw_slice_begins(field, "INVALID") ||
	       lxfw_slice_integer(field, 0, LXFW_ACCOUNT_TIME_MAX, &seconds);
}

/* Returns whether brackets are closed, as in a list of hosts that is not cut in two. */
static bool is_closed(struct lxfw_slice list)
{
	int open = 0;

	for (size_t i = 0; i < list.length && open >= 0; i++)
		open += (list.at[i] == '[') - (list.at[i] == ']');
	return open == 0;
}

/* Returns whether the list has no key twice, as in "cpu=2,mem=4G". */
static bool is_tres(struct lxfw_slice list)
{
	const char *end = list.at + list.length;
	size_t length;

	for (const char *at = list.at; at < end; at += length + 1) {
		const char *comma = memchr(at, ',', (size_t)(end - at)), *equal, *next;
		const char *stop = comma ? comma : end;

		length = (size_t)(stop - at);
		equal = memchr(at, '=', length);
		if (!equal)
			return false;
		for (next = stop; next < end; next++) {
			size_t key = (size_t)(equal + 1 - at);

			if (*next == ',' && (size_t)(end - next) > key &&
			    memcmp(next + 1, at, key) == 0)
				return false;
		}
	}
	return true;
}

/*
 * Slurm's convert_num_unit() divides a count by 1024 and prints two decimal places if the
 * result is not an integer. Without --noconvert, sacct uses it only if the result is an
 * integer or a half. Other fractions come from earlier releases, which rounded any value.
 */
bool lxfw_sacct_count(struct lxfw_slice field, int64_t *count, bool *rounded)
{
	const char *letter, *point;
	int64_t whole = 0, hundredths = 0, unit = 1;
	struct lxfw_slice part = field;

	*rounded = false;
	if (lxfw_slice_integer(field, 0, INT32_MAX, count))
		return true;
	if (field.length < 2)
		return false;
	letter = strchr("KMG", field.at[--part.length]);
	if (!letter || !*letter)
		return false;
	for (const char *at = "KMG"; at <= letter; at++)
		unit *= 1024;
	point = memchr(part.at, '.', part.length);
	if (point) {
		struct lxfw_slice digits = {
			point + 1, part.length - (size_t)(point + 1 - part.at),
		};

		if (digits.length < 1 || digits.length > 2 ||
		    !lxfw_slice_integer(digits, 0, 99, &hundredths))
			return false;
		hundredths *= digits.length == 1 ? 10 : 1;
		part.length = (size_t)(point - part.at);
		*rounded = hundredths != 50;
	}
	if (!lxfw_slice_integer(part, 0, INT32_MAX, &whole))
		return false;
	*count = whole * unit + (hundredths * unit + 50) / 100;
	return *count <= INT32_MAX;
}

static bool is_limit(struct lxfw_slice field)
{
	return lxfw_slice_begins(field, "UNLIMITED") ||
	       lxfw_slice_begins(field, "Partition_Limit");
}

bool lxfw_sacct_job_id(struct lxfw_slice field)
{
	int64_t number;
	size_t digits = 0;

	while (digits < field.length && field.at[digits] >= '0' &&
	       field.at[digits] <= '9')
		digits++;
	return lxfw_slice_integer((struct lxfw_slice) { field.at, digits }, 1,
				  INT64_MAX, &number) &&
	       (digits == field.length || strchr("_+.", field.at[digits]));
}

bool lxfw_sacct_plausible(struct sacct *sacct, enum column column)
{
	struct lxfw_slice field = sacct->fields[column];
	int64_t value;
	bool rounded, local;

	switch (column) {
	case JOB_ID:
		if (lxfw_sacct_job_id(field))
			return true;
		lxfw_error_format(&sacct->wrong, "JobID is not a number, expected "
				  "such as 17, 17_4 or 17+1");
		return false;
	case SUBMIT:
	case ELIGIBLE:
	case START:
	case END:
		if (lxfw_sacct_time(field, &value, &local) &&
		    (column != SUBMIT || field.length > 0))
			return true;
		lxfw_error_format(&sacct->wrong, "%s is not a time, expected "
			"2025-01-31T12:00:00 or seconds", column_names[column]);
		return false;
	case NCPUS:
		if (field.length == 0 ||
		    lxfw_sacct_count(field, &value, &rounded))
			return true;
		lxfw_error_format(&sacct->wrong,
			"NCPUS is not a number from 0 to %d", INT32_MAX);
		return false;
	case STATE:
		if (field.length > 0 && *field.at >= 'A' && *field.at <= 'Z')
			return true;
		lxfw_error_format(&sacct->wrong, "State is not a valid state, "
				  "expected a word such as COMPLETED");
		return false;
	case NODE_LIST:
	case REQ_TRES:
	case ALLOC_TRES:
	case TRES_TOTAL:
		if (sacct->bar != ',' ||
		    (column == NODE_LIST ? is_closed(field) : is_tres(field)))
			return true;
		lxfw_error_format(&sacct->wrong, "%s is not a valid list", column_names[column]);
		return false;
	case ELAPSED:
	case SUSPENDED:
	case TIMELIMIT:
	case TIMELIMIT_RAW:
		if (is_span(field) || (column >= TIMELIMIT && is_limit(field)))
			return true;
		lxfw_error_format(&sacct->wrong, "%s is not a duration, "
			"expected [D-]HH:MM:SS", column_names[column]);
		return false;
	default:
		return true;
	}
}
