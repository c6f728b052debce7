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
	"Account",
};

/* Columns whose text may contain '|'. */
static const char *const text_names[] = {
	"AdminComment", "Comment", "Constraints", "Extra", "JobName", "Reason",
	"SubmitLine", "SystemComment", "WorkDir",
};

/* --- columns -------------------------------------------------------------------- */

void lxfw_sacct_column(struct sacct *sacct, struct lxfw_slice name)
{
	for (int i = 0; i < COLUMNS; i++) {
		if (name.length == strlen(column_names[i]) &&
		    lxfw_slice_begins(name, column_names[i]))
			sacct->columns[i] = sacct->count;
	}
	for (size_t i = 0; i < sizeof(text_names) / sizeof(*text_names); i++) {
		if (name.length == strlen(text_names[i]) &&
		    lxfw_slice_begins(name, text_names[i]) &&
		    sacct->text_count < LXFW_SACCT_TEXTS_MOST)
			sacct->texts[sacct->text_count++] = sacct->count;
	}
	sacct->count++;
}

const char *lxfw_sacct_column_name(enum column column)
{
	return column_names[column];
}

/* --- fields --------------------------------------------------------------------- */

bool lxfw_sacct_time(struct lxfw_slice field, int64_t *time, bool *local)
{
	static const char *const none[] = { "Unknown", "None", "N/A", "NONE" };
	int64_t n[6];

	*time = -1;
	*local = false;
	if (field.length == 0)
		return true;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (lxfw_slice_begins(field, none[i]))
			return true;
	}
	if (lxfw_slice_numbers(field, "0-0-0T0:0:0", n) && n[0] >= 1970 &&
	    n[0] <= 9999 && lxfw_calendar_is_date(n[0], n[1], n[2]) && n[3] < 24 && n[4] < 60 && n[5] <= 60) {
		*time = lxfw_account_moment(n[0], (int)n[1], (int)n[2], n[3],
					    n[4], n[5]);
		*local = true;
		return true;
	}
	return lxfw_slice_integer(field, 0, LXFW_ACCOUNT_TIME_MAX, time);
}

static bool is_span(struct lxfw_slice field)
{
	int64_t seconds;

	return field.length == 0 || lxfw_slice_span(field, &seconds) ||
	       lxfw_slice_begins(field, "INVALID") ||
	       lxfw_slice_integer(field, 0, LXFW_ACCOUNT_TIME_MAX, &seconds);
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
	case ELAPSED:
	case SUSPENDED:
	case TIMELIMIT:
		if (is_span(field) || (column == TIMELIMIT && is_limit(field)))
			return true;
		lxfw_error_format(&sacct->wrong, "%s is not a duration, "
			"expected [D-]HH:MM:SS", column_names[column]);
		return false;
	default:
		return true;
	}
}
