/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw generate: makes a synthetic workload in the Standard Workload Format. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/trace/swf_write.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/lublin.h"
#include "sim-frontend/workload/ncsa_o2k.h"

static const char help[] =
"\n"
"Generate a synthetic workload in the Standard Workload Format. The same options\n"
"always generate the same workload. The header of the output describes it.\n"
"\n"
"MODEL is one of\n"
"  ncsa-o2k   a month of the NCSA Origin 2000 as described in table 4 and\n"
"             section 3 of Chiang and Vernon 2001, and the week before it: 960\n"
"             processors, memory, twelve job classes; 'lxfw describe' compares\n"
"             it with the paper\n"
"  lublin     the model of Lublin and Feitelson 2003: sizes, run times and\n"
"             arrivals for a machine of any size; no memory\n"
"\n"
"Options:\n"
"  --out FILE             output file (default: standard output)\n"
"  --seed N               seed of the random numbers (default 1)\n"
"\n"
"Options of ncsa-o2k:\n"
"  --month 1999-10|1999-11|1999-12|2000-01|2000-02|2000-03\n"
"                         the month; it begins at 604800 s, after the preceding\n"
"                         week\n"
"  --sizes large|small    whether middle and large jobs have many processors\n"
"                         (default) or few; the paper does not state them\n"
"\n"
"Options of lublin:\n"
"  --jobs N               number of jobs (default 10000)\n"
"  --procs N              number of processors of the machine (default 128)\n"
"  --load F               scale the intervals between submissions so that the\n"
"                         offered load is F (default: intervals of the model)\n"
"  --estimate-factor F    requested time divided by run time, at least 1\n"
"                         (default 1)\n"
"\n"
"Other:\n"
"  -h, --help             print this help and exit\n"
"  --version              print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw generate ncsa-o2k --month 2000-02 --out feb.swf\n"
"  lxfw generate lublin --procs 256 --jobs 5000 --load 0.8 --out lublin.swf\n"
"\n"
"Exit status: 0 success; 2 invalid usage.\n";

enum {
	OUT = LXFW_OPTION_FIRST, SEED, MONTH, SIZES, JOBS, PROCS, LOAD,
	ESTIMATE_FACTOR,
};

static const struct option options[] = {
	{ "out", required_argument, NULL, OUT },
	{ "seed", required_argument, NULL, SEED },
	{ "month", required_argument, NULL, MONTH },
	{ "sizes", required_argument, NULL, SIZES },
	{ "jobs", required_argument, NULL, JOBS },
	{ "procs", required_argument, NULL, PROCS },
	{ "load", required_argument, NULL, LOAD },
	{ "estimate-factor", required_argument, NULL, ESTIMATE_FACTOR },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

#define JOBS_MAX 100000000

struct arguments {
	const char *out;
	int64_t seed;
	int month;		/* -1: not given */
	enum lxfw_ncsa_o2k_sizes sizes;
	const char *of_o2k;	/* the last given option that only ncsa-o2k has, but for
				   the month */
	struct lxfw_lublin_options lublin;
	const char *of_lublin;	/* the last given option that only the Lublin model has */
};

static int take_month(const struct lxfw_command *command,
		      struct arguments *to)
{
	to->month = lxfw_ncsa_o2k_month_by_name(optarg);
	if (to->month >= 0)
		return 0;
	return lxfw_cmd_bad_value(command, "month", optarg, "one of 1999-10, "
				  "1999-11, 1999-12, 2000-01, 2000-02, 2000-03");
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int64_t number;

	switch (option) {
	case OUT:
		to->out = optarg;
		return 0;
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX,
					&to->seed);
	case MONTH:
		return take_month(command, to);
	case SIZES:
		number = lxfw_cmd_choice(command, "sizes", optarg, "large|small");
		to->sizes = (enum lxfw_ncsa_o2k_sizes)number;
		to->of_o2k = "sizes";
		return number < 0 ? -1 : 0;
	case JOBS:
		to->of_lublin = "jobs";
		if (lxfw_cmd_integer(command, "jobs", optarg, 1, JOBS_MAX,
				     &number))
			return -1;
		to->lublin.jobs = (size_t)number;
		return 0;
	case PROCS:
		to->of_lublin = "procs";
		if (lxfw_cmd_integer(command, "procs", optarg, 1, INT32_MAX,
				     &number))
			return -1;
		to->lublin.procs = (int32_t)number;
		return 0;
	case LOAD:
		to->of_lublin = "load";
		return lxfw_cmd_number(command, "load", optarg, 0.001, 1000,
				       &to->lublin.load);
	case ESTIMATE_FACTOR:
		to->of_lublin = "estimate-factor";
		return lxfw_cmd_number(command, "estimate-factor", optarg, 1,
				       1000000, &to->lublin.estimate_factor);
	}
	return 0;
}

static void write_o2k_header(struct lxfw_output *output,
			     const struct lxfw_trace *trace,
			     const struct arguments *arguments)
{
	const struct lxfw_ncsa_o2k_month *month =
		lxfw_ncsa_o2k_month(arguments->month);
	int64_t seconds = lxfw_ncsa_o2k_month_seconds(arguments->month);

	lxfw_swf_write_header(output, "Version", "2.2");
	lxfw_swf_write_header(output, "Computer", "SGI Origin 2000 (synthetic)");
	lxfw_swf_write_header(output, "Generator", "lxfw ncsa-o2k");
	lxfw_swf_write_header(output, "GeneratorVersion", "%s",
			      PACKAGE_VERSION);
	lxfw_swf_write_header(output, "Month", "%s", month->name);
	lxfw_swf_write_header(output, "Seed", "%" PRId64, arguments->seed);
	lxfw_swf_write_header(output, "Note", "synthetic: no log, made to have "
		"the character of the month as in Chiang and Vernon 2001, "
		"table 4 and section 3");
	if (arguments->sizes == LXFW_NCSA_O2K_SMALL)
		lxfw_swf_write_header(output, "Note", "middle and large jobs have few "
				      "processors (--sizes small)");
	lxfw_swf_write_header(output, "Note", "the month is from %" PRId64
		" s to %" PRId64 " s; before it is the week before",
		LXFW_NCSA_O2K_LEAD, LXFW_NCSA_O2K_LEAD + seconds);
	lxfw_swf_write_header(output, "MaxJobs", "%zu", trace->count);
	lxfw_swf_write_header(output, "MaxRecords", "%zu", trace->count);
	lxfw_swf_write_header(output, "UnixStartTime", "%" PRId64,
			      month->begin - LXFW_NCSA_O2K_LEAD);
	lxfw_swf_write_header(output, "TimeZone", "-21600");
	lxfw_swf_write_header(output, "TimeZoneString", "Etc/GMT+6");
	lxfw_swf_write_header(output, "MaxNodes", "8");
	lxfw_swf_write_header(output, "MaxProcs", "%d", LXFW_NCSA_O2K_PROCS);
	lxfw_swf_write_header(output, "Queues", "%d",
			      LXFW_NCSA_O2K_CLASSES);
	for (int i = 0; i < LXFW_NCSA_O2K_CLASSES; i++)
		lxfw_swf_write_header(output, "Queue", "%d %s", i + 1,
				      lxfw_ncsa_o2k_class_name(i));
}

static void write_lublin_header(struct lxfw_output *output,
				const struct lxfw_trace *trace,
				const struct arguments *arguments)
{
	const struct lxfw_lublin_options *lublin = &arguments->lublin;

	lxfw_swf_write_header(output, "Version", "2.2");
	lxfw_swf_write_header(output, "Computer", "none (synthetic)");
	lxfw_swf_write_header(output, "Generator", "lxfw lublin");
	lxfw_swf_write_header(output, "GeneratorVersion", "%s",
			      PACKAGE_VERSION);
	lxfw_swf_write_header(output, "Seed", "%" PRId64, arguments->seed);
	if (lublin->load > 0)
		lxfw_swf_write_header(output, "Load", "%g", lublin->load);
	lxfw_swf_write_header(output, "EstimateFactor", "%g",
			      lublin->estimate_factor);
	lxfw_swf_write_header(output, "Note", "synthetic: no log, the model of "
			      "Lublin and Feitelson 2003");
	lxfw_swf_write_header(output, "MaxJobs", "%zu", trace->count);
	lxfw_swf_write_header(output, "MaxRecords", "%zu", trace->count);
	lxfw_swf_write_header(output, "MaxNodes", "%d", lublin->procs);
	lxfw_swf_write_header(output, "MaxProcs", "%d", lublin->procs);
}

static int write_trace(const struct lxfw_trace *trace,
		       const struct arguments *arguments)
{
	struct lxfw_error error;
	struct lxfw_output *output = arguments->out ?
		lxfw_output_open(arguments->out, &error) :
		lxfw_output_standard(&error);

	if (!output)
		return lxfw_cmd_bad(&error);
	if (arguments->month >= 0)
		write_o2k_header(output, trace, arguments);
	else
		write_lublin_header(output, trace, arguments);
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		struct lxfw_swf_record record;

		lxfw_swf_record_of(&record, job, arguments->month >= 0 ?
				   lxfw_ncsa_o2k_class_of(job) + 1 : -1);
		lxfw_swf_write(output, &record);
	}
	if (lxfw_output_commit(output, &error))
		return lxfw_cmd_bad(&error);
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int generate(const struct arguments *arguments)
{
	struct lxfw_trace trace = { 0 };
	uint64_t seed = (uint64_t)arguments->seed;
	int result = arguments->month >= 0 ?
		lxfw_ncsa_o2k_generate(&trace, arguments->month, arguments->sizes,
				       seed) :
		lxfw_lublin_generate(&trace, &arguments->lublin, seed);

	if (result == 0)
		result = write_trace(&trace, arguments);
	else if (errno == ERANGE)
		lxfw_cmd_note("--load %g takes more time than a trace can "
			      "represent, expected another load or number of "
			      "jobs",
			      arguments->lublin.load);
	else
		lxfw_cmd_note("out of memory");
	lxfw_trace_clear(&trace);
	return result < 0 ? LXFW_EXIT_BAD : result;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.seed = 1,
		.month = -1,
		.lublin = {
			.procs = 128, .jobs = 10000, .estimate_factor = 1,
		},
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d models given, expected one "
				       "of ncsa-o2k, lublin", argc - optind);
	if (strcmp(argv[optind], "ncsa-o2k") == 0) {
		if (arguments.month < 0)
			return lxfw_cmd_misuse(command, "ncsa-o2k without "
					       "--month");
		if (arguments.of_lublin)
			return lxfw_cmd_misuse(command, "ncsa-o2k does not take "
				    "--%s",
					       arguments.of_lublin);
	} else if (strcmp(argv[optind], "lublin") == 0) {
		if (arguments.month >= 0)
			return lxfw_cmd_misuse(command, "lublin does not take "
				    "--month");
		if (arguments.of_o2k)
			return lxfw_cmd_misuse(command, "lublin does not take "
					       "--%s", arguments.of_o2k);
	} else {
		char quoted[40];

		return lxfw_cmd_misuse(command, "no model '%s', expected "
			"ncsa-o2k or lublin",
			lxfw_text_quote(quoted, sizeof(quoted), argv[optind],
					strlen(argv[optind])));
	}
	return generate(&arguments);
}

const struct lxfw_command lxfw_command_generate = {
	.name = "generate",
	.arguments = "MODEL",
	.summary = "generate a synthetic workload",
	.help = help,
	.run = run,
};
