/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the contents of a journal: one line per event or action as text, as CSV with the
 * columns time,kind,what,job,details, or as a JSON array of objects with these keys.
 * Without a job, the column is empty and the JSON value null.
 */
#ifndef LXFW_REPORT_JOURNAL_TEXT_H
#define LXFW_REPORT_JOURNAL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/journal/journal.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/trace/job_names.h"

struct lxfw_journal_text {
	FILE *out;
	enum lxfw_format format;
	uint64_t job;		/* only this job, an id or a number in its log; 0:
				   everything */
	int64_t which;		/* which one of several jobs with that number; 0: all */
	bool dates;		/* local dates instead of seconds */
	size_t lines;		/* number of lines written, without the header of CSV
				   and the brackets of JSON */
	/* Internal. */
	struct lxfw_job_names names;
	char **hosts;		/* names by index, as of the current record */
	size_t host_count, hosts_size;
	int64_t now;		/* time of the current decision */
	FILE *line;		/* details of the current line */
	char *details;
	size_t details_length;
};

/* Returns the name of an action: "start". */
const char *lxfw_action_name(enum lxfw_action_type type);

/* Prints the line of a record, if it has one. Returns 0, or -1 with errno ENOMEM, or
   EBADMSG if the index of a host is not the next one. The caller checks OUT for write
   errors. */
int lxfw_journal_text_record(struct lxfw_journal_text *text,
			     const struct lxfw_record *record);

/* Writes what follows the last record. */
void lxfw_journal_text_end(struct lxfw_journal_text *text);

/* Frees internal data, not TEXT or OUT. */
void lxfw_journal_text_clear(struct lxfw_journal_text *text);

#endif
