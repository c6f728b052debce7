/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw status: the state of a running scheduler. */
#include <getopt.h>
#include <stdio.h>
#include <time.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/queue_find.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/report/status.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Print the state of a running scheduler from FILE, to which the plugin writes its\n"
"metrics (lxfw_metrics in SchedulerParameters): the last pass, its parts and why\n"
"it ended, the queue, jobs that are not eligible or left to the workload manager,\n"
"how jobs started, refusals by reason, reservations,\n"
"preemptions, and the errors of the first forecast of each job. Numbers count\n"
"from the start of the controller.\n"
"Without FILE, print the state of the Slurm that runs, as in 'lxfw queue', which\n"
"lists the jobs.\n"
"\n"
"Options:\n"
"  --format table|json|csv\n"
"                      output format (default: table, which is text)\n"
"  --json              same as --format json\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Example:\n"
"  lxfw status /var/spool/slurmctld/lxfw.prom\n"
"\n"
"Exit status: 0 success; 1 the last pass is more than 2 minutes old or in the\n"
"future, or Slurm schedules by itself (lxfw_let_go); 2 invalid usage or input.\n";

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int print(const struct lxfw_samples *samples, enum lxfw_format format)
{
	int64_t last = (int64_t)lxfw_sample_value(
		samples, "lxfw_last_pass_timestamp_seconds", "");
	int64_t now = time(NULL);
	struct lxfw_error error;

	if (format == LXFW_FORMAT_TABLE) {
		lxfw_status_text(samples, now, stdout);
	} else if (lxfw_status_json(samples, now, format, stdout)) {
		lxfw_error_system(&error, "lxfw status");
		return lxfw_cmd_bad(&error);
	}
	return lxfw_cmd_finish(lxfw_status_late(last, now) || lxfw_status_let_go(samples) ?
			       LXFW_EXIT_NO : LXFW_EXIT_DONE);
}

/* Without metrics: what the site publishes, or what Slurm shows. */
static int print_present(const struct lxfw_command *command, enum lxfw_format format)
{
	const struct lxfw_cmd_queue queue = { .count = 0 };
	struct lxfw_publication publication = { 0 };
	struct lxfw_cmd_queue_found how;
	int status;

	if (format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(command, "--format without a FILE, expected one, or 'lxfw "
				       "queue --format'");
	status = lxfw_cmd_queue_find(command, &queue, &publication, &how);
	if (status == 0)
		lxfw_cmd_site_notes(&publication);
	if (status == 0 && lxfw_queue_summary(&publication, (int64_t)time(NULL), stdout)) {
		lxfw_cmd_note("out of memory");
		status = LXFW_EXIT_BAD;
	}
	lxfw_publication_clear(&publication);
	return status ? status : lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	enum lxfw_format format = LXFW_FORMAT_TABLE;
	struct lxfw_samples samples;
	struct lxfw_error error;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (lxfw_cmd_format(command, option, &format) < 0)
			return LXFW_EXIT_BAD;
	}
	if (argc == optind)
		return print_present(command, format);
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d arguments given, expected a FILE",
				       argc - optind);
	status = lxfw_samples_read(&samples, argv[optind], &error) < 0 ?
			 lxfw_cmd_bad(&error) : print(&samples, format);
	lxfw_samples_clear(&samples);
	return status;
}

const struct lxfw_command lxfw_command_status = {
	.name = "status",
	.arguments = "[FILE]",
	.summary = "print the state of a running scheduler",
	.help = help,
	.run = run,
};
