/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw tune: searches parameters that improve the schedule of a trace. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/tune_run.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/tune/confirm.h"
#include "sim-frontend/tune/finals.h"
#include "sim-frontend/util/pool.h"

static const char help[] =
"\n"
"Search for scheduling parameters (policies, weights, reservations) that would\n"
"have served the jobs of TRACE better than the current ones. A setting is\n"
"recommended if it improves at least one goal and makes no goal worse by more\n"
"than a margin, each with 95 % confidence, on blocks of days that were not used\n"
"to choose it. Otherwise the output says whether one is worth a trial. See\n"
"lxfw-tune(1).\n"
"\n"
"Goals:\n"
"  --minimize MEASURE[:CLASS],...\n"
"                         measures to minimize (default: p95_wait,mean_slowdown,\n"
"                         max_wait): mean_wait, median_wait, p95_wait, max_wait,\n"
"                         mean_response, mean_slowdown, mean_bounded_slowdown,\n"
"                         awrt, preemptions, requeues, lost_hours,\n"
"                         most_suspensions or most_suspended; for all jobs or\n"
"                         for a CLASS: short, long, narrow, wide or big-memory\n"
"  --limit 'MEASURE[:CLASS]<=VALUE,...'\n"
"                         upper limits of measures, such as max_wait<=72h\n"
"  --keep MEASURE[:CLASS],...|none\n"
"                         measures that must not become worse (default:\n"
"                         max_wait)\n"
"  --margin PERCENT       increase up to which a measure does not count as worse\n"
"                         (default 5)\n"
"  --slowdown-threshold D minimum run time in mean_bounded_slowdown (default 10s)\n"
"\n"
"Search:\n"
"  --current STRING       current SchedulerParameters (default: those of the\n"
"                         slurm.conf given by --cluster; otherwise\n"
"                         lxfw_policy=slurm or easy, see lxfw-tune(1))\n"
"  --vary KEY=LOW..HIGH,KEY=A/B/C,...\n"
"                         search these keys over these ranges or values only\n"
"  --quantum              also search quanta of immediate service (always done\n"
"                         if the current parameters have a quantum)\n"
"  --settings N           number of settings to try (default 1000)\n"
"  --seed N               seed of random choices (default 1)\n"
"  --round N              number of settings per round of the search (default\n"
"                         50)\n"
"  --threads N            number of settings tried concurrently (default: the\n"
"                         number of online processors)\n"
"  --state FILE           save results in FILE (SQLite), and resume from it\n"
"\n"
"Blocks of days:\n"
"  --warmup D             initial part of the trace that only fills the queue\n"
"                         and is not evaluated (default 2d)\n"
"  --period D             length of a block (default: the longest of 7, 4, 2 and\n"
"                         1 days that gives a dozen blocks, otherwise 1 day)\n"
"  --folds N              number of parts for cross-validation; a setting is\n"
"                         chosen without a part and evaluated on it (default 4)\n"
"  --copies N             number of shaken copies of the trace on which the\n"
"                         settings found are evaluated (default 8, fewer if the\n"
"                         trace has more than 31,000 jobs); 0: on the trace.\n"
"                         Longest waits, and what is worth a trial, are judged\n"
"                         on four times as many copies, with users' sessions\n"
"                         in other weeks\n"
"\n"
"On a Slurm cluster:\n"
"  --slurm                try settings in job arrays instead of on this machine\n"
"  --tasks N              number of tasks of an array (default 8)\n"
"  --sbatch OPTIONS       further options of sbatch, separated by blanks\n"
"  --folder DIR           directory that all nodes can access (default: a new\n"
"                         directory, which is removed at the end)\n"
"  --part I/N:DIR         internal: run one task of an array\n"
"\n"
"Verdict:\n"
"  --despite-verdict      search even if the simulation of this trace is not\n"
"                         good for decisions, see lxfw-compare(1)\n";

static const char more_help[] =
"\n"
"Output:\n"
"  --show N               number of non-dominated settings to print (default 8)\n"
"  --format table|json|csv\n"
"                         output format (default: table)\n"
"  --json                 same as --format json\n"
"  --report FILE.html     a self-contained HTML page with figures\n"
"  --pbs-formula          also print the recommended order as job_sort_formula of\n"
"                         OpenPBS, and what of it the formula cannot say. Without\n"
"                         TRACE: of --current (default: lxfw_policy=lxfw), and\n"
"                         nothing else\n"
"\n"
"Cluster and jobs, as for 'lxfw simulate':\n"
"  --cluster procs=N|FILE, --shape nodes|anywhere|one-host, --reservations FILE,\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none,\n"
"  --estimates requested|exact|factor:F, --overrun extend|kill,\n"
"  --pass timestamp|event, --start-overhead estimated|D, --end-overhead D\n"
"                         but the default of --start-overhead is 'estimated'\n"
"  --infer outages|none   simulate with the outages that 'lxfw compare' infers\n"
"                         from the trace (default: outages)\n"
"  --outages FILE         outages by the machine's own records, as for\n"
"                         'lxfw compare'\n"
"  --assocs FILE, --qos FILE\n"
"                         shares and QOS for Slurm's priorities, as for\n"
"                         'lxfw compare'\n"
"\n"
"Other:\n"
"  -h, --help             print this help and exit\n"
"  --version              print the version and exit\n"
"\n"
"A duration D is a number of seconds, or a number with the suffix s, m, h or d.\n"
"\n"
"Example:\n"
"  lxfw tune --cluster slurm.conf --minimize p95_wait,mean_slowdown \\\n"
"      --limit 'max_wait<=72h' --report page.html month.swf\n"
"\n"
"Exit status: 0 a setting is recommended; 1 no setting is recommended, or the\n"
"verdict prevents the search; 2 invalid usage or input.\n";

enum {
	MINIMIZE = LXFW_OPTION_FIRST, LIMIT, CURRENT, VARY, SETTINGS, SEED, ROUND,
	THREADS, STATE, WARMUP, PERIOD, FOLDS, SHOW,
	SLURM, TASKS, SBATCH, FOLDER, PART, KEEP, MARGIN, DESPITE_VERDICT,
	QUANTUM, REPORT, COPIES, THRESHOLD, PBS_FORMULA,
};

static const struct option options[] = {
	LXFW_SCENARIO_OPTIONS,
	LXFW_PRIORITIES_OPTIONS,
	{ "minimize", required_argument, NULL, MINIMIZE },
	{ "limit", required_argument, NULL, LIMIT },
	{ "current", required_argument, NULL, CURRENT },
	{ "vary", required_argument, NULL, VARY },
	{ "quantum", no_argument, NULL, QUANTUM },
	{ "settings", required_argument, NULL, SETTINGS },
	{ "seed", required_argument, NULL, SEED },
	{ "round", required_argument, NULL, ROUND },
	{ "threads", required_argument, NULL, THREADS },
	{ "state", required_argument, NULL, STATE },
	{ "warmup", required_argument, NULL, WARMUP },
	{ "period", required_argument, NULL, PERIOD },
	{ "folds", required_argument, NULL, FOLDS },
	{ "copies", required_argument, NULL, COPIES },
	{ "keep", required_argument, NULL, KEEP },
	{ "margin", required_argument, NULL, MARGIN },
	{ "slowdown-threshold", required_argument, NULL, THRESHOLD },
	{ "slurm", no_argument, NULL, SLURM },
	{ "tasks", required_argument, NULL, TASKS },
	{ "sbatch", required_argument, NULL, SBATCH },
	{ "folder", required_argument, NULL, FOLDER },
	{ "part", required_argument, NULL, PART },
	{ "despite-verdict", no_argument, NULL, DESPITE_VERDICT },
	{ "show", required_argument, NULL, SHOW },
	LXFW_FORMAT_OPTIONS,
	{ "report", required_argument, NULL, REPORT },
	{ "pbs-formula", no_argument, NULL, PBS_FORMULA },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Minimum length of blocks, seconds. */
#define PERIOD_LEAST 86400

/* Maximum number of settings shown, A to Z. */
#define CHOICES_MAX LXFW_FRONT_MOST

#define TASKS_DEFAULT 8

#define COPIES_MOST 100

/* The options. */
struct arguments {
	struct lxfw_tune tune;
	const char *keep;
};

static int bad_goal(const struct lxfw_command *command, const char *option,
		    const struct lxfw_error *error)
{
	lxfw_cmd_misuse(command, "--%s: %s", option, error->text);
	return -1;
}

/* Parses "5", "2.5" or "5%". */
static int take_margin(const struct lxfw_command *command, double *margin)
{
	char *end;

	*margin = strtod(optarg, &end) / 100;
	if (end > optarg && *end == '%')
		end++;
	if (end > optarg && *end == '\0' && *margin >= 0 && *margin <= 1)
		return 0;
	lxfw_cmd_misuse(command, "--margin '%.40s', expected a percentage "
				 "from 0 to 100",
			optarg);
	return -1;
}

static int take_option(const struct lxfw_command *command, int option,
		       struct arguments *arguments)
{
	struct lxfw_tune *to = &arguments->tune;
	struct lxfw_error error;
	int kind = lxfw_cmd_format(command, option, &to->format);

	if (kind)
		return kind < 0 ? -1 : 0;
	switch (option) {
	case MINIMIZE:
		return lxfw_goals_minimize(&to->goals, optarg, &error) ?
		       bad_goal(command, "minimize", &error) : 0;
	case LIMIT:
		return lxfw_goals_limit(&to->goals, optarg, &error) ?
		       bad_goal(command, "limit", &error) : 0;
	case CURRENT:
		to->current = optarg;
		return 0;
	case VARY:
		if (to->vary_count == LXFW_GENES_MAX) {
			lxfw_cmd_misuse(command, "--vary more than %d times",
					LXFW_GENES_MAX);
			return -1;
		}
		to->vary[to->vary_count++] = optarg;
		return 0;
	case QUANTUM:
		to->quantum = true;
		return 0;
	case SETTINGS:
		return lxfw_cmd_integer(command, "settings", optarg, 2, 100000,
					&to->settings);
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX,
					&to->seed);
	case ROUND:
		return lxfw_cmd_integer(command, "round", optarg, 10, 100000,
					&to->round);
	case THREADS:
		return lxfw_cmd_integer(command, "threads", optarg, 1, 256,
					&to->threads);
	case STATE:
		to->state_path = optarg;
		if (*optarg)
			return 0;
		lxfw_cmd_misuse(command, "--state '', expected the name of a file");
		return -1;
	case WARMUP:
		return lxfw_cmd_duration(command, "warmup", optarg, &to->warmup);
	case PERIOD:
		if (lxfw_cmd_duration(command, "period", optarg, &to->period))
			return -1;
		/* shorter blocks depend on each other too strongly */
		if (to->period >= PERIOD_LEAST)
			return 0;
		lxfw_cmd_misuse(command, "--period '%s', expected a day or more",
				optarg);
		return -1;
	case FOLDS:
		return lxfw_cmd_integer(command, "folds", optarg, 2,
					LXFW_TUNE_FOLDS_MOST, &to->folds);
	case COPIES:
		return lxfw_cmd_integer(command, "copies", optarg, 0,
					COPIES_MOST, &to->copies);
	case KEEP:
		arguments->keep = optarg;
		return 0;
	case THRESHOLD:
		return lxfw_cmd_length(command, "slowdown-threshold", optarg,
				       &to->bound);
	case MARGIN:
		return take_margin(command, &to->margin);
	case SLURM:
		to->slurm = true;
		return 0;
	case TASKS:
		return lxfw_cmd_integer(command, "tasks", optarg, 1,
					LXFW_PARTS_MAX, &to->tasks);
	case SBATCH:
		to->sbatch = optarg;
		return 0;
	case FOLDER:
		to->folder = optarg;
		return 0;
	case PART:
		to->part = optarg;
		return 0;
	case DESPITE_VERDICT:
		to->despite_verdict = true;
		return 0;
	case REPORT:
		to->page_path = optarg;
		return 0;
	case PBS_FORMULA:
		to->pbs_formula = true;
		return 0;
	case SHOW:
		return lxfw_cmd_integer(command, "show", optarg, 1, CHOICES_MAX,
					&to->choices);
	}
	lxfw_priorities_option(&to->priorities, option);
	return lxfw_scenario_option(command, option, &to->scenario);
}

/* Returns the command line of a task, which runs the same program. */
static char **task_words(char **argv, int argc)
{
	static char subcommand[] = "tune", by_name[] = "lxfw";
	static char program[4096];
	char **words = calloc((size_t)argc + 2, sizeof(*words));
	ssize_t length = readlink("/proc/self/exe", program,
				  sizeof(program) - 1);

	if (!words)
		return NULL;
	program[length > 0 ? length : 0] = '\0';
	words[0] = length > 0 ? program : by_name;
	words[1] = subcommand;
	for (int i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	return words;
}

/* Checks options that have no effect without others. */
static int check_options(const struct lxfw_command *command,
			 const struct lxfw_tune *tune)
{
	if (!tune->slurm && !tune->part &&
	    (tune->sbatch || tune->folder || tune->tasks > 0))
		return lxfw_cmd_misuse(command, "--%s without --slurm",
			tune->sbatch ? "sbatch" : tune->folder ? "folder" :
			"tasks");
	if (tune->slurm && strcmp(tune->scenario.path, "-") == 0)
		return lxfw_cmd_misuse(command, "--slurm with standard input, "
				       "expected a file that all nodes can "
				       "read");
	return 0;
}

static int keep_measures(const struct lxfw_command *command, const char *keep,
			 struct lxfw_goals *goals)
{
	struct lxfw_error error;

	if (strcmp(keep, "none") != 0 && lxfw_goals_keep(goals, keep, &error))
		return bad_goal(command, "keep", &error);
	return 0;
}

static int tune_trace(const struct lxfw_command *command,
		      struct arguments *arguments)
{
	struct lxfw_tune *tune = &arguments->tune;

	if (check_options(command, tune))
		return LXFW_EXIT_BAD;
	if (tune->goals.objective_count == 0)
		lxfw_goals_minimize(&tune->goals,
				    "p95_wait,mean_slowdown,max_wait", NULL);
	if (keep_measures(command, arguments->keep, &tune->goals))
		return LXFW_EXIT_BAD;
	if (tune->part)
		return lxfw_tune_task(command, tune);
	if (tune->tasks == 0)
		tune->tasks = TASKS_DEFAULT;
	if (tune->threads == 0)
		tune->threads = lxfw_pool_threads();
	return lxfw_tune_search(command, tune);
}

static int keep_apart(const struct lxfw_command *command,
		      const struct lxfw_tune *tune, char *const *trace)
{
	const struct lxfw_cmd_file files[] = {
		{ "report", tune->page_path, true },
		{ "state", tune->state_path, true },
		{ "cluster", tune->scenario.machine, false },
		{ "reservations", tune->scenario.reservations, false },
		{ "outages", tune->scenario.outages, false },
		{ "assocs", tune->priorities.assocs, false },
		{ "qos", tune->priorities.qos, false },
		{ "adaptive", lxfw_adaptive_path(&tune->scenario.adaptive), false },
	};

	return lxfw_cmd_files_apart(command, files, sizeof(files) / sizeof(*files),
				    trace, 1);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.keep = "max_wait",
		.tune = {
			.settings = 1000, .seed = 1, .round = 50,
			.warmup = 2 * 86400, .folds = 4,
			.copies = LXFW_FINALS_COPIES, .margin = 0.05,
			.choices = 8, .format = LXFW_FORMAT_TABLE,
			.scenario = { .with_owners = true, .estimate_start = true,
				      .infer = LXFW_INFER_OUTAGES },
		},
	};
	struct lxfw_tune *tune = &arguments.tune;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	if (tune->pbs_formula && tune->format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(command, "--pbs-formula with --format, expected a "
				       "table");
	if (tune->pbs_formula && argc == optind)
		return lxfw_tune_formula(command, tune);
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "TRACE", argc - optind);
	tune->scenario.path = argv[optind];
	if (keep_apart(command, tune, argv + optind))
		return LXFW_EXIT_BAD;
	tune->words = task_words(argv, argc);
	if (!tune->words) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	status = tune_trace(command, &arguments);
	lxfw_tune_clear(tune);
	free(tune->words);
	return status;
}

const struct lxfw_command lxfw_command_tune = {
	.name = "tune",
	.arguments = "TRACE",
	.summary = "search for better scheduling parameters",
	.help = help,
	.more_help = more_help,
	.run = run,
};
