/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw journal: prints the events of jobs and the decisions. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/report/journal_text.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Print a JOURNAL as text, with one line per event that the scheduler received\n"
"and per action that it decided on, in order: the time in seconds, 'event' or\n"
"'action', its type, and the job. A request is printed as N hosts or chunks of\n"
"PROCESSORS:MB, an allocation as HOST:PROCESSORS:MB, with +COUNTxKIND for each\n"
"countable resource.\n"
"\n"
"Options:\n"
"  --job N|N_TASK|N#K   print only the lines that concern this job; N#K is the\n"
"                       second (K 2) or a later job that has the number N\n"
"  --format table|json|csv\n"
"                       text lines (default), or a list of objects with the keys\n"
"                       time, kind, what, job and details, or these as columns\n"
"  --json               same as --format json\n"
"  --dates              print local dates instead of seconds\n"
"  --alone              read the given file only, not its rotated files\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"Example:\n"
"  lxfw journal --job 4711 --dates /var/log/slurm/lxfw.journal\n"
"\n"
"Exit status: 0 success; 1 the journals do not contain the job; 2 invalid usage\n"
"or input.\n";

enum { JOB = LXFW_OPTION_FIRST, DATES, ALONE };

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "job", required_argument, NULL, JOB },
	{ "dates", no_argument, NULL, DATES },
	{ "alone", no_argument, NULL, ALONE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int take_record(void *context, const struct lxfw_record *record)
{
	return lxfw_journal_text_record(context, record);
}

static int print_files(const struct lxfw_journals *journals,
		       struct lxfw_journal_text *text)
{
	struct lxfw_journal_reach reach;
	struct lxfw_error error;
	int status = LXFW_EXIT_DONE;

	for (size_t i = 0; i < journals->count && status == LXFW_EXIT_DONE; i++) {
		const char *path = journals->paths[i];

		if (lxfw_journal_read(path, take_record, text, &reach, &error))
			status = lxfw_cmd_bad(&error);
		else
			lxfw_journals_note(path, &reach);
	}
	if (status != LXFW_EXIT_BAD)
		lxfw_journal_text_end(text);
	if (status == LXFW_EXIT_DONE && text->job && text->lines == 0) {
		lxfw_cmd_note("no records of the job in %s",
			      journals->count == 1 ? journals->paths[0] :
						     "these journals");
		status = LXFW_EXIT_NO;
	}
	lxfw_journal_text_clear(text);
	return status == LXFW_EXIT_BAD ? status : lxfw_cmd_finish(status);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_journal_text text = {
		.out = stdout, .format = LXFW_FORMAT_TABLE,
	};
	struct lxfw_journals journals;
	bool alone = false;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &text.format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status > 0)
			continue;
		if (option == DATES)
			text.dates = true;
		else if (option == ALONE)
			alone = true;
		else if (lxfw_cmd_job(command, optarg, &text.job, &text.which))
			return LXFW_EXIT_BAD;
	}
	if (argc == optind)
		return lxfw_cmd_misuse(command, "0 files given, expected a "
				       "JOURNAL");
	status = LXFW_EXIT_BAD;
	if (lxfw_journals_find(&journals, argv + optind, argc - optind,
			       alone) == 0)
		status = print_files(&journals, &text);
	lxfw_journals_clear(&journals);
	return status;
}

const struct lxfw_command lxfw_command_journal = {
	.name = "journal",
	.arguments = "JOURNAL...",
	.summary = "print a journal as text",
	.help = help,
	.run = run,
};
