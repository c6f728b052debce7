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
	&lxfw_log_batsim,
	&lxfw_log_philly,
	&lxfw_log_jobcomp,
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

/* Returns the format that a line shows, or what follows it in TOTAL bytes, or NULL. */
static const struct lxfw_log_format *format_of(const char *line, size_t length, size_t total)
{
	while (length > 0 && is_blank(*line))
		line++, length--, total--;
	for (size_t i = 0; i < FORMATS && length > 0; i++) {
		if (formats[i]->recognizes_text ? formats[i]->recognizes_text(line, total) :
						  formats[i]->recognizes(line, length))
			return formats[i];
	}
	return NULL;
}

/* Takes the first line off TEXT, without its end. */
static struct lxfw_slice take_line(struct lxfw_slice *text)
{
	struct lxfw_slice line = { text->at, lxfw_slice_until(*text, '\n') };
	size_t used = line.length + (line.length < text->length);

	text->at += used;
	text->length -= used;
	if (line.length > 0 && line.at[line.length - 1] == '\r')
		line.length--;
	return line;
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
		return "JSON, expected the output of slurmrestd, sacct --json or squeue --json, a "
		       "workload of Batsim, jobs of Philly or records of jobcomp/elasticsearch";
	if (commas >= 4)
		return "a table with columns of its own, see --columns of lxfw-import(1); of "
		       "sacct's columns, at least JobID,Submit,Start,End,NCPUS are expected";
	return NULL;
}

/* Reports that no line of TEXT, the beginning of INPUT, shows its format. Returns -1. */
static int unknown(struct lxfw_input *input, struct lxfw_slice text, struct lxfw_error *error)
{
	char names[LXFW_LOG_FORMAT_NAMES], token[60] = "";
	const char *what = NULL;

	for (int lines = 0; !what && lines <= LXFW_ODD_BEFORE && text.length > 0; lines++) {
		struct lxfw_slice line = take_line(&text);

		if (lines == 0)
			lxfw_text_quote(token, sizeof(token), line.at, line.length);
		what = guess(line);
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
	struct lxfw_slice text, rest, line;
	size_t length = 0;
	char *empty;
	int got;

	/* skip empty lines */
	while ((got = lxfw_input_look(input, &text.at, &text.length, error)) > 0) {
		rest = text;
		if (take_line(&rest).length > 0)
			break;
		got = lxfw_input_line(input, &empty, &length, error);
		if (got < 0)
			break;
	}
	*format = &lxfw_log_swf;
	if (got <= 0)
		return got;
	rest = text;
	for (int lines = 0; lines <= LXFW_ODD_BEFORE && rest.length > 0;
	     lines += line.length > 0) {
		size_t total = rest.length;

		line = take_line(&rest);
		*format = format_of(line.at, line.length, total);
		if (*format)
			return 0;
	}
	return unknown(input, text, error);
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
