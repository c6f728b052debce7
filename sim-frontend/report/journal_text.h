/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in a journal: a line for each event and action, for a person, as CSV with the
 * columns time,kind,what,job,details, or as a list of JSON objects with these keys. What
 * has no job has none there: nothing in CSV, null in JSON.
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
	uint64_t job;		/* of this one only, an id or a number of its log;
				   0: of everything */
	int64_t which;		/* of several of that number; 0: all */
	bool dates;		/* local dates instead of seconds */
	size_t lines;		/* written so far, without what CSV and JSON have
				   around them */
	/* internal */
	struct lxfw_job_names names;
	char **hosts;		/* names by index, as told so far */
	size_t host_count, hosts_size;
	int64_t now;		/* of the decision that is being told */
	FILE *line;		/* details of the line that is being written */
	char *details;
	size_t details_length;
};

/* The word for what a decision asks for: "start". */
const char *lxfw_action_name(enum lxfw_action_type type);

/* Write the record's line, if it has one. 0, or -1 with errno ENOMEM, or EBADMSG for a
   host whose index does not follow the others; whether OUT took it is for the caller to
   see. */
int lxfw_journal_text_record(struct lxfw_journal_text *text,
			     const struct lxfw_record *record);

/* Write what comes behind the last record. */
void lxfw_journal_text_end(struct lxfw_journal_text *text);

/* Frees what was noted, not TEXT or OUT. */
void lxfw_journal_text_clear(struct lxfw_journal_text *text);

#endif
