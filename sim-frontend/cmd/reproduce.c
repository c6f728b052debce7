/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw reproduce: compares findings of a paper with simulations. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/reproduce_collins.h"
#include "sim-frontend/cmd/reproduce_huang.h"
#include "sim-frontend/cmd/reproduce_yahyapour.h"
#include "sim-frontend/experiment/balasubramanian.h"
#include "sim-frontend/experiment/balasubramanian_grid.h"
#include "sim-frontend/experiment/experiment_print.h"
#include "sim-frontend/experiment/gnuplot.h"
#include "sim-frontend/experiment/plots.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/workload/ncsa_o2k.h"

static const char help[] =
"\n"
"Run the experiments of a paper, and compare its claims with the results.\n"
"\n"
"PAPER is\n"
"  chiang2001   S.-H. Chiang, M. K. Vernon, Production Job Scheduling for\n"
"               Parallel Shared Memory Systems, IPDPS 2001: its policies on six\n"
"               synthetic months of the NCSA Origin 2000 (see 'lxfw generate\n"
"               ncsa-o2k'), or on the months of a log\n"
"  yahyapour2002\n"
"               R. Yahyapour, Design and Evaluation of Job Scheduling Strategies\n"
"               for Grid Computing, 2002: thirteen algorithms on a log and two\n"
"               synthetic workloads (tables 2.4 to 2.7), PFCFS on the months of\n"
"               the log (tables 4.3 to 4.6). Requires --trace, a log of the Cornell\n"
"               Theory Center. Jobs of more than 256 processors are left out\n"
"  balasubramanian2013\n"
"               A. Balasubramanian, A. Sussman, N. Sadeh, Decentralized\n"
"               Preemptive Scheduling across Heterogeneous Multi-core Grid\n"
"               Resources, JSSPP 2013: local scheduling of 5000 jobs on 1000\n"
"               nodes, and the exchange of jobs between neighbours\n"
"  huang        K.-C. Huang, P.-C. Shih, Y.-C. Chung, Adaptive Processor Allocation\n"
"               for Moldable Jobs in Computational Grid, 2009: moldable jobs on one\n"
"               machine of 128 processors (tables 3 to 5). Requires --trace, a log of\n"
"               the SDSC SP2, of which the completed jobs are used\n"
"  collins2001  D. E. Collins, A. D. George, Parallel and Sequential Job Scheduling in\n"
"               Heterogeneous Clusters, 2001: jobs on 142 machines in 18 clusters,\n"
"               with priorities and preemption\n"
"\n"
"In chiang2001, the simulation of a month begins a week before the month and ends\n"
"when all jobs have ended. Results include only the jobs submitted in the month.\n"
"\n"
"Synthetic months:\n"
"  --sizes large|small    see 'lxfw generate'\n"
"  --months LIST          months, separated by commas, out of 1999-10, 1999-11,\n"
"                         1999-12, 2000-01, 2000-02 and 2000-03 (default: all)\n"
"  --seeds N              number of workloads per month, 1 to 100 (default 3);\n"
"                         the verdict is based on the median\n"
"  --first-seed N         seed of the first workload, or of the only one; each\n"
"                         further seed is one higher (default 1)\n"
"\n"
"  --local                local scheduling of balasubramanian2013 (default)\n"
"  --grid                 scheduling between neighbours of balasubramanian2013, and\n"
"                         chapter 5 of yahyapour2002, see below\n"
"\n"
"Calendar months of a log, without the claims about NCSA-LSF*:\n"
"  --trace FILE           log in the Standard Workload Format, plain or\n"
"                         compressed\n"
"  --cluster procs=N|FILE, --shape anywhere|one-host,\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                         see 'lxfw simulate'\n"
"\n";

static const char more_help[] =
"Of huang and collins2001:\n"
"  --seeds N              number of drawings of the errors of estimates, or of the\n"
"                         priorities, classes and arrivals of jobs (default 3)\n"
"  --grid                 huang: tables 6 and 7 instead, five sites of different\n"
"                         speeds, with the brokers adaptive and adaptive_procs;\n"
"                         minutes\n"
"\n"
"Of yahyapour2002:\n"
"  --jobs N               first jobs of the log, and jobs of the synthetic\n"
"                         workloads, in tables 2.4 to 2.7 (default 2000);\n"
"                         0: all, and 50000. Table 2.7 then takes days, the\n"
"                         other ones minutes\n"
"  --tables LIST          tables, separated by commas, out of 2.4, 2.5, 2.6, 2.7,\n"
"                         and 128 and 256 for PFCFS on machines of this size\n"
"                         (default: all)\n"
"  --range N              table 2.6: times are in ranges from a power of N seconds\n"
"                         to the next (default 2)\n"
"  --grid                 chapter 5 instead: local scheduling, job sharing and\n"
"                         multi-site computing at sites of 512 processors in all\n"
"                         (figures 5.5 to 5.15, tables 5.3 and 5.4)\n"
"  --overrun extend|kill  a job that runs longer than requested keeps its run\n"
"                         time, as in the thesis (default), or ends there\n"
"\n"
"Execution and output:\n"
"  --threads N            number of concurrent simulations (default: the number\n"
"                         of online processors); does not affect the results\n"
"  --format table|json|csv\n"
"                         output format (default: table)\n"
"  --json                 same as --format json\n"
"  --figures DIR          draw the figures of the paper from these results into\n"
"                         DIR, with gnuplot: SVG, PDF, data files and the script\n"
"\n"
"Other:\n"
"  -h, --help             print this help and exit\n"
"  --version              print the version and exit\n"
"\n"
"Example:\n"
"  lxfw reproduce chiang2001 --months 2000-02,2000-03 --figures figures\n"
"\n"
"Exit status: 0 success, regardless of the verdicts; 2 invalid usage or input.\n";

enum {
	MONTHS = LXFW_OPTION_FIRST, SEEDS, FIRST_SEED, TRACE, CLUSTER, SHAPE,
	MEMORY, THREADS, FIGURES, JOBS, TABLES, SIZES, RANGE, OVERRUN, LOCAL,
	GRID,
};

static const struct option options[] = {
	{ "months", required_argument, NULL, MONTHS },
	{ "seeds", required_argument, NULL, SEEDS },
	{ "first-seed", required_argument, NULL, FIRST_SEED },
	{ "trace", required_argument, NULL, TRACE },
	{ "cluster", required_argument, NULL, CLUSTER },
	{ "shape", required_argument, NULL, SHAPE },
	{ "memory", required_argument, NULL, MEMORY },
	{ "threads", required_argument, NULL, THREADS },
	LXFW_FORMAT_OPTIONS,
	{ "figures", required_argument, NULL, FIGURES },
	{ "jobs", required_argument, NULL, JOBS },
	{ "tables", required_argument, NULL, TABLES },
	{ "sizes", required_argument, NULL, SIZES },
	{ "range", required_argument, NULL, RANGE },
	{ "overrun", required_argument, NULL, OVERRUN },
	{ "local", no_argument, NULL, LOCAL },
	{ "grid", no_argument, NULL, GRID },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

#define BIT(option) (1U << ((option) - LXFW_OPTION_FIRST))

#define ALL_MONTHS ((1U << LXFW_NCSA_O2K_MONTHS) - 1)

struct arguments {
	const char *trace, *cluster, *figures;
	enum lxfw_trace_memory memory;
	bool one_host;
	unsigned int months;
	enum lxfw_ncsa_o2k_sizes sizes;
	int64_t seeds, first_seed, threads;
	enum lxfw_format format;
	/* The last given option that is valid only with, or only without, a log. */
	const char *of_months, *of_log;
	unsigned int given;	/* bit: an option, counted from LXFW_OPTION_FIRST */
	struct lxfw_reproduce_yahyapour yahyapour;
};

static int take_months(const struct lxfw_command *command, const char *text,
		       struct arguments *to)
{
	to->months = 0;
	for (;;) {
		size_t length = strcspn(text, ",");
		char quoted[40], name[16] = "";
		int month;

		if (length < sizeof(name))
			memcpy(name, text, length);
		month = lxfw_ncsa_o2k_month_by_name(name);
		if (month < 0) {
			lxfw_cmd_misuse(command, "--months '%s', expected a "
				"comma-separated list of months from 1999-10 "
				"to 2000-03",
				lxfw_text_quote(quoted, sizeof(quoted), text,
						length));
			return -1;
		}
		to->months |= 1U << month;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *to)
{
	int kind = lxfw_cmd_format(command, option, &to->format);

	if (option >= LXFW_OPTION_FIRST)
		to->given |= BIT(option);
	switch (option) {
	case MONTHS:
		to->of_months = "--months";
		return take_months(command, optarg, to);
	case SEEDS:
		to->of_months = "--seeds";
		return lxfw_cmd_integer(command, "seeds", optarg, 1,
					LXFW_SEEDS_MAX, &to->seeds);
	case FIRST_SEED:
		to->of_months = "--first-seed";
		return lxfw_cmd_integer(command, "first-seed", optarg, 0,
					INT64_MAX - LXFW_SEEDS_MAX,
					&to->first_seed);
	case TRACE:
		to->trace = optarg;
		return 0;
	case CLUSTER:
		to->of_log = "--cluster";
		to->cluster = optarg;
		return 0;
	case FIGURES:
		to->figures = optarg;
		return 0;
	case SHAPE:
		to->of_log = "--shape";
		kind = lxfw_cmd_choice(command, "shape", optarg,
				       "anywhere|one-host");
		to->one_host = kind == 1;
		break;
	case MEMORY:
		to->of_log = "--memory";
		kind = lxfw_cmd_choice(command, "memory", optarg,
			"kb-per-proc|kb-per-job|bytes-per-job|none");
		to->memory = (enum lxfw_trace_memory)kind;
		break;
	case JOBS:
		return lxfw_cmd_integer(command, "jobs", optarg, 0, 10000000,
					&to->yahyapour.jobs);
	case TABLES:
		to->yahyapour.tables = optarg;
		return 0;
	case SIZES:
		to->of_months = "--sizes";
		kind = lxfw_cmd_choice(command, "sizes", optarg, "large|small");
		to->sizes = (enum lxfw_ncsa_o2k_sizes)kind;
		break;
	case RANGE:
		return lxfw_cmd_integer(command, "range", optarg, 2, 1000,
					&to->yahyapour.base);
	case OVERRUN:
		kind = lxfw_cmd_choice(command, "overrun", optarg, "extend|kill");
		to->yahyapour.overrun = (enum lxfw_overrun)kind;
		break;
	case LOCAL:
		return 0;
	case GRID:
		to->yahyapour.grid = true;
		return 0;
	case THREADS:
		return lxfw_cmd_integer(command, "threads", optarg, 1, 1000,
					&to->threads);
	}
	return kind < 0 ? -1 : 0;
}

static int load_log(const struct lxfw_command *command,
		    const struct arguments *arguments, struct lxfw_trace *trace,
		    struct lxfw_cluster *cluster)
{
	struct lxfw_error error;
	int32_t procs;

	if (arguments->cluster && lxfw_cmd_cluster(cluster, arguments->cluster))
		return -1;
	if (lxfw_cmd_trace(trace, arguments->trace, arguments->memory))
		return -1;
	if (trace->no_run_time + trace->no_procs > 0)
		lxfw_cmd_note("%s: left out %zu jobs without run time, %zu "
			      "without processors", arguments->trace,
			      trace->no_run_time, trace->no_procs);
	if (arguments->cluster)
		return 0;
	procs = lxfw_trace_procs(trace);
	if (procs == 0) {
		lxfw_cmd_misuse(command, "%s does not contain the number of "
				"processors (MaxProcs), expected --cluster",
				arguments->trace);
		return -1;
	}
	if (lxfw_cluster_procs(cluster, procs, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	return 0;
}

/* Returns the name of a log without directories. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int make(const struct lxfw_command *command,
		const struct arguments *arguments,
		struct lxfw_experiment *experiment)
{
	struct lxfw_trace trace = { 0 };
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_error error;
	int result = -1;

	if (!arguments->trace) {
		result = lxfw_experiment_o2k(experiment, arguments->months,
					     arguments->sizes,
					     (uint64_t)arguments->first_seed,
					     (int)arguments->seeds, &error);
		if (result)
			lxfw_cmd_bad(&error);
		return result;
	}
	if (load_log(command, arguments, &trace, &cluster) == 0) {
		result = lxfw_experiment_log(experiment,
					     base_name(arguments->trace),
					     &trace, &cluster,
					     arguments->one_host, &error);
		if (result)
			lxfw_cmd_bad(&error);
	}
	lxfw_trace_clear(&trace);
	lxfw_cluster_clear(&cluster);
	return result;
}

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress("simulating", done, all);
}

static int reproduce(const struct lxfw_command *command,
		     const struct arguments *arguments)
{
	struct lxfw_experiment experiment = { 0 };
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	/* reported before the simulations, which take minutes */
	if (arguments->figures && lxfw_gnuplot_present(&error)) {
		lxfw_cmd_note("%s", error.text);
		goto done;
	}
	if (make(command, arguments, &experiment))
		goto done;
	if (lxfw_experiment_run(&experiment, (int)arguments->threads,
				show_progress, &error)) {
		lxfw_cmd_bad(&error);
		goto done;
	}
	lxfw_cmd_progress_end();
	if (experiment.too_large > 0)
		lxfw_cmd_note("left out %zu jobs larger than the machine",
			      experiment.too_large);
	if (arguments->figures &&
	    lxfw_plots_make(&experiment, arguments->figures, &error)) {
		lxfw_cmd_bad(&error);
		goto done;
	}
	if (lxfw_experiment_print(&experiment, arguments->format, stdout))
		lxfw_cmd_note("out of memory");
	else
		status = lxfw_cmd_finish(LXFW_EXIT_DONE);
done:
	lxfw_experiment_clear(&experiment);
	return status;
}

static int reproduce_chiang(const struct lxfw_command *command,
			    const struct arguments *arguments)
{
	if (arguments->trace && arguments->of_months)
		return lxfw_cmd_misuse(command, "%s applies to synthetic "
				       "months, not to --trace",
				       arguments->of_months);
	if (!arguments->trace && arguments->of_log)
		return lxfw_cmd_misuse(command, "%s applies to a log, "
				       "expected --trace", arguments->of_log);
	return reproduce(command, arguments);
}

static int reproduce_yahyapour(const struct lxfw_command *command,
			       const struct arguments *arguments)
{
	struct lxfw_reproduce_yahyapour yahyapour = arguments->yahyapour;

	yahyapour.trace = arguments->trace;
	yahyapour.seed = arguments->first_seed;
	yahyapour.threads = arguments->threads;
	yahyapour.format = arguments->format;
	return lxfw_reproduce_yahyapour(command, &yahyapour);
}

static int reproduce_huang(const struct lxfw_command *command,
			   const struct arguments *arguments)
{
	const struct lxfw_reproduce_huang huang = {
		.trace = arguments->trace, .grid = arguments->yahyapour.grid,
		.seeds = arguments->seeds, .first_seed = arguments->first_seed,
		.threads = arguments->threads, .format = arguments->format,
	};

	return lxfw_reproduce_huang(command, &huang);
}

static int reproduce_neighbours(const struct arguments *arguments)
{
	struct lxfw_balasubramanian_grid experiment = {
		.seeds = arguments->seeds, .first_seed = arguments->first_seed,
	};
	struct lxfw_error error = { "" };
	int status = LXFW_EXIT_BAD;

	if (lxfw_balasubramanian_grid_run(&experiment, (int)arguments->threads,
					  &error)) {
		lxfw_cmd_bad(&error);
	} else {
		if (lxfw_balasubramanian_grid_print(&experiment, arguments->format, stdout))
			lxfw_cmd_note("out of memory");
		else
			status = lxfw_cmd_finish(LXFW_EXIT_DONE);
	}
	lxfw_balasubramanian_grid_clear(&experiment);
	return status;
}

static int reproduce_balasubramanian(const struct lxfw_command *command,
				     const struct arguments *arguments)
{
	struct lxfw_error error = { "" };

	if (arguments->given & BIT(GRID)) {
		if (arguments->given & BIT(LOCAL))
			return lxfw_cmd_misuse(command, "--local with --grid, expected one of "
					       "them");
		return reproduce_neighbours(arguments);
	}
	if (arguments->format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(command, "--local is printed as a table "
				       "only");
	if (lxfw_balasubramanian(arguments->seeds, arguments->first_seed,
				 (int)arguments->threads, stdout, &error)) {
		lxfw_cmd_bad(&error);
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int reproduce_collins(const struct lxfw_command *command,
			     const struct arguments *arguments)
{
	(void)command;
	return lxfw_reproduce_collins(arguments->seeds, arguments->first_seed,
				      arguments->threads, arguments->format);
}

static const struct paper {
	const char *name;
	unsigned int options;	/* that apply to it, beside the format */
	int (*reproduce)(const struct lxfw_command *command,
			 const struct arguments *arguments);
} papers[] = {
	{ "chiang2001",
	  BIT(MONTHS) | BIT(SIZES) | BIT(SEEDS) | BIT(FIRST_SEED) | BIT(TRACE) | BIT(CLUSTER) |
	  BIT(SHAPE) | BIT(MEMORY) | BIT(THREADS) | BIT(FIGURES), reproduce_chiang },
	{ "yahyapour2002",
	  BIT(TRACE) | BIT(JOBS) | BIT(TABLES) | BIT(RANGE) | BIT(OVERRUN) | BIT(FIRST_SEED) |
	  BIT(THREADS) | BIT(GRID), reproduce_yahyapour },
	{ "balasubramanian2013",
	  BIT(LOCAL) | BIT(GRID) | BIT(SEEDS) | BIT(FIRST_SEED) | BIT(THREADS),
	  reproduce_balasubramanian },
	{ "huang", BIT(TRACE) | BIT(SEEDS) | BIT(FIRST_SEED) | BIT(THREADS) | BIT(GRID),
	  reproduce_huang },
	{ "collins2001", BIT(SEEDS) | BIT(FIRST_SEED) | BIT(THREADS), reproduce_collins },
};

#define PAPERS (sizeof(papers) / sizeof(*papers))

/* Writes the names of the papers to which all options in MASK apply: "a, b and c". */
static void name_papers(unsigned int mask, const char *last, char *to, size_t size)
{
	size_t left = 0, length = 0;

	for (size_t i = 0; i < PAPERS; i++)
		left += (papers[i].options & mask) == mask;
	for (size_t i = 0; i < PAPERS; i++) {
		if ((papers[i].options & mask) != mask)
			continue;
		left--;
		length += (size_t)snprintf(to + length, size - length, "%s%s",
					   papers[i].name, left > 1 ? ", " :
					   left == 1 ? last : "");
	}
}

/* Returns the name of an option. */
static const char *option_name(int value)
{
	int i = 0;

	while (options[i].val != value)
		i++;
	return options[i].name;
}

static int run_paper(const struct lxfw_command *command, const struct paper *paper,
		     const struct arguments *arguments)
{
	unsigned int unknown = arguments->given & ~paper->options;
	int option = LXFW_OPTION_FIRST;
	char names[100];

	if (!unknown)
		return paper->reproduce(command, arguments);
	while (!(unknown & BIT(option)))
		option++;
	name_papers(BIT(option), " and ", names, sizeof(names));
	return lxfw_cmd_misuse(command, "--%s applies to %s", option_name(option), names);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.months = ALL_MONTHS, .seeds = 3, .first_seed = 1,
		.threads = lxfw_pool_threads(), .format = LXFW_FORMAT_TABLE,
		.yahyapour = { .jobs = 2000, .base = 2 },
	};
	char quoted[40], names[100];
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d papers given, expected one "
				       "PAPER", argc - optind);
	for (size_t i = 0; i < PAPERS; i++) {
		if (strcmp(argv[optind], papers[i].name) == 0)
			return run_paper(command, &papers[i], &arguments);
	}
	name_papers(0, " or ", names, sizeof(names));
	return lxfw_cmd_misuse(command, "no paper '%s', expected %s",
			       lxfw_text_quote(quoted, sizeof(quoted), argv[optind],
					       strlen(argv[optind])), names);
}

const struct lxfw_command lxfw_command_reproduce = {
	.name = "reproduce",
	.arguments = "PAPER",
	.summary = "compare the claims of a paper with simulations",
	.help = help,
	.more_help = more_help,
	.run = run,
};
