/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/log_formats.h"

#include <stdio.h>
#include <string.h>

#include "common/journal/journal.h"
#include "sim-frontend/util/text.h"

#define SWF_FIELDS 18

static bool is_journal(const char *line, size_t length)
{
	return length >= LXFW_JOURNAL_MAGIC_SIZE - 1 &&
	       memcmp(line, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE - 1) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_number(struct lxfw_slice word)
{
	size_t digits = 0;

	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] >= '0' && word.at[i] <= '9')
			digits++;
		else if (word.at[i] != '.' && !(i == 0 && (word.at[i] == '+' || word.at[i] == '-')))
			return false;
	}
	return digits > 0;
}

/* Matches comments, and a job: numbers, of which one may be odd if it is not among the first
   two. */
static bool is_swf(const char *line, size_t length)
{
	int words = 0, odd = 0;

	if (length == 0 || *line == ';')
		return true;
	for (const char *at = line, *end = line + length; at < end && words < SWF_FIELDS;) {
		struct lxfw_slice word = { at, 0 };

		while (at < end && !is_blank(*at))
			at++;
		word.length = (size_t)(at - word.at);
		words++;
		odd += is_number(word) ? 0 : words <= 2 ? 2 : 1;
		while (at < end && is_blank(*at))
			at++;
	}
	return odd <= 1;
}

const struct lxfw_log_format lxfw_log_journal = {
	.name = "journal", .recognizes = is_journal,
};
const struct lxfw_log_format lxfw_log_swf = {
	.name = "swf", .recognizes = is_swf,
};

/* In the order of detection. */
static const struct lxfw_log_format *const formats[] = {
	&lxfw_log_journal,
	&lxfw_log_swf,
	&lxfw_log_table,
	&lxfw_log_slurm_json,
	&lxfw_log_lsf,
	&lxfw_log_pbs,
	&lxfw_log_htcondor,	/* before sge, because of the colons in environments */
	&lxfw_log_maui,		/* before sge, because of the colons in lists of hosts */
	&lxfw_log_moab,
	&lxfw_log_sge,
	&lxfw_log_scontrol,
	&lxfw_log_slurm_sim,
	&lxfw_log_sacct,
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

/* Returns the format that a line shows, or NULL. */
static const struct lxfw_log_format *format_of(const char *line, size_t length)
{
	while (length > 0 && is_blank(*line))
		line++, length--;
	for (size_t i = 0; i < FORMATS && length > 0; i++) {
		if (formats[i]->recognizes(line, length))
			return formats[i];
	}
	return NULL;
}

static bool contains(struct lxfw_slice text, const char *word)
{
	return memmem(text.at, text.length, word, strlen(word));
}

/* Returns what a file in an unknown format probably is, from one of its first lines, or NULL. */
static const char *guess(struct lxfw_slice line)
{
	static const struct {
		const char *words[2], *what;
	} known[] = {
		{ { "JobID", "SubmitTime" }, "the Grid Workload Format" },
		{ { "JOBID", "PARTITION" }, "the output of squeue, expected that of sacct "
		  "--parsable2" },
		{ { "\"nb_res\"", "\"jobs\"" }, "a workload of Batsim" },
		{ { "State", "JobName" }, "the output of sacct without JobID, expected at least "
		  "JobID|Submit|Start|End|NCPUS" },
		{ { "Submit", "Start" }, "the output of sacct without JobID, expected at least "
		  "JobID|Submit|Start|End|NCPUS" },
		{ { "|", "|" }, "the output of sacct without its header line, in an unknown "
		  "order of columns" },
		{ { ";E;", "=" }, "the accounting of PBS without its times MM/DD/YYYY HH:MM:SS" },
		{ { "JOB_FINISH", " " }, "lsb.acct of LSF without its quotes" },
	};
	size_t commas = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (contains(line, known[i].words[0]) && contains(line, known[i].words[1]))
			return known[i].what;
	}
	for (size_t i = 0; i < line.length; i++)
		commas += line.at[i] == ',' || line.at[i] == '\t';
	if (line.length > 0 && (*line.at == '[' || *line.at == '{'))
		return "JSON, expected the output of slurmrestd or sacct --json";
	if (commas >= 4)
		return "a table with columns of its own, see --columns of lxfw-import(1); of "
		       "sacct's columns, at least JobID,Submit,Start,End,NCPUS are expected";
	return NULL;
}

/* Reports that no line shows the format of INPUT. Returns -1. */
static int unknown(struct lxfw_input *input, struct lxfw_error *error)
{
	const char *what = NULL;
	char *line, names[LXFW_LOG_FORMAT_NAMES], token[60] = "";
	size_t length, offset = 0;

	for (int lines = 0; !what && lines <= LXFW_ODD_BEFORE &&
	     lxfw_input_ahead(input, &offset, &line, &length, NULL) > 0; lines++) {
		if (lines == 0)
			lxfw_text_quote(token, sizeof(token), line, length);
		what = guess((struct lxfw_slice) { line, length });
	}
	return lxfw_error_at(error, lxfw_input_path(input),
			     lxfw_input_line_number(input) + 1,
			     "'%s' is in no known format, expected %s; nearest guess: %s", token,
			     lxfw_log_format_names(names, sizeof(names)), what ? what : "none");
}

int lxfw_log_recognize(struct lxfw_input *input,
		       const struct lxfw_log_format **format,
		       struct lxfw_error *error)
{
	char *line;
	size_t length = 0, offset = 0;
	int got, lines = 0;

	/* skip empty lines */
	while ((got = lxfw_input_peek(input, &line, &length, error)) > 0 &&
	       length == 0)
		lxfw_input_line(input, &line, &length, error);
	*format = &lxfw_log_swf;
	if (got <= 0)
		return got;
	while (lines <= LXFW_ODD_BEFORE &&
	       (got = lxfw_input_ahead(input, &offset, &line, &length, error)) > 0) {
		*format = format_of(line, length);
		if (*format)
			return 0;
		lines += length > 0;
	}
	return got < 0 ? got : unknown(input, error);
}

const struct lxfw_log_format *lxfw_log_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i] != &lxfw_log_journal &&
		    strcmp(formats[i]->name, name) == 0)
			return formats[i];
	}
	return NULL;
}

const char *lxfw_log_format_names(char *names, size_t size)
{
	size_t used = 0;

	*names = '\0';
	for (size_t i = 0; i < FORMATS && used < size; i++) {
		if (formats[i] != &lxfw_log_journal)
			used += (size_t)snprintf(names + used, size - used, "%s%s",
						 used ? "|" : "", formats[i]->name);
	}
	return names;
}
