/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw tune: parameters that would have served a trace's jobs better. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim-frontend/cmd/scenario.h"
#include "sim-frontend/cmd/verdict.h"
#include "sim-frontend/infer/infer.h"
#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_page.h"
#include "sim-frontend/tune/tuning.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Search for scheduling parameters (policies, weights, reservations) that would\n"
"have served the jobs of TRACE better than the current ones. A setting is\n"
"recommended if it improves at least one goal and makes no goal worse by more\n"
"than a margin, each with 95 % confidence, on blocks of days that were not used\n"
"to choose it. See lxfw-tune(1).\n"
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
"\n"
"Search:\n"
"  --current STRING       current SchedulerParameters (default: those of the\n"
"                         slurm.conf given by --cluster, otherwise\n"
"                         lxfw_policy=easy)\n"
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
"                         trace has more than 31,000 jobs); 0: on the trace\n"
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
"                         good for decisions, see lxfw-compare(1)\n"
"\n"
"Output:\n"
"  --show N               number of non-dominated settings to print (default 8)\n"
"  --format table|json|csv\n"
"                         output format (default: table)\n"
"  --json                 same as --format json\n"
"  --report FILE.html     a self-contained HTML page with figures\n";

static const char more_help[] =
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
	QUANTUM, REPORT, COPIES,
};

static const struct option options[] = {
	LXFW_SCENARIO_OPTIONS,
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
	{ "slurm", no_argument, NULL, SLURM },
	{ "tasks", required_argument, NULL, TASKS },
	{ "sbatch", required_argument, NULL, SBATCH },
	{ "folder", required_argument, NULL, FOLDER },
	{ "part", required_argument, NULL, PART },
	{ "despite-verdict", no_argument, NULL, DESPITE_VERDICT },
	{ "show", required_argument, NULL, SHOW },
	LXFW_FORMAT_OPTIONS,
	{ "report", required_argument, NULL, REPORT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Blocks are no shorter, s. */
#define PERIOD_LEAST 86400

/* Settings of the front that are shown, A to Z at most. */
#define CHOICES_MAX 26

#define TASKS_DEFAULT 8

#define COPIES_MOST 100

/* What was asked for, and what is made of it. */
struct tune {
	const char *current, *state_path, *page_path;
	const char *vary[LXFW_GENES_MAX];
	int vary_count;
	int64_t settings, seed, round, threads, warmup, period, choices;
	int64_t folds, copies;
	double margin;		/* as a part */
	const char *keep;
	bool despite_verdict;
	enum lxfw_format format;
	bool slurm, quantum;
	int64_t tasks;
	const char *sbatch, *folder, *part;
	char **words;		/* the command as it was given */
	struct lxfw_scenario scenario;
	struct lxfw_goals goals;

	char *site;
	struct lxfw_verdict verdict;
	struct lxfw_tune_space space;
	struct lxfw_trials trials;
	struct lxfw_search search;
	struct lxfw_tune_state *state;
	struct lxfw_output *page;
};

static int bad_goal(const struct lxfw_command *command, const char *option,
		    const struct lxfw_error *error)
{
	lxfw_cmd_misuse(command, "--%s: %s", option, error->text);
	return -1;
}

/* "5", "2.5" or "5%". */
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
		       struct tune *to)
{
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
		return 0;
	case WARMUP:
		return lxfw_cmd_duration(command, "warmup", optarg, &to->warmup);
	case PERIOD:
		if (lxfw_cmd_duration(command, "period", optarg, &to->period))
			return -1;
		/* shorter blocks are too much alike to count as many */
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
		to->keep = optarg;
		return 0;
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
	case SHOW:
		return lxfw_cmd_integer(command, "show", optarg, 1, CHOICES_MAX,
					&to->choices);
	}
	return lxfw_scenario_option(command, option, &to->scenario);
}

/* ---- interruption ---------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

/* The first one breaks off what is being tried, the second one ends the command at once.
   Without SIGTERM, after which there may be little time, what was found is judged and
   told. */
static void note_signal(int number)
{
	if (interrupted)
		lxfw_output_end_by(number);
	interrupted = number;
}

static bool is_interrupted(void)
{
	return interrupted != 0;
}

static void watch_signals(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	static const int numbers[] = { SIGINT, SIGTERM };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct sigaction old;

		if (sigaction(numbers[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	}
}

/* ---- progress -------------------------------------------------------------------- */

static double begun;

/* Settings left take as long as those before. */
static void show_progress(size_t done, size_t fresh, size_t all)
{
	double each = (lxfw_cmd_clock() - begun) / (double)fresh;

	lxfw_cmd_progress_left("trying", "settings", done, all,
			       each * (double)(all - done));
}

/* ---- the run --------------------------------------------------------------------- */

/* Whether memory decides about anything: the machine counts it, and jobs ask. */
static bool has_memory(const struct lxfw_scenario *scenario)
{
	for (size_t i = 0; i < scenario->trace.count; i++) {
		if (scenario->trace.jobs[i].memory_kb > 0)
			return scenario->cluster.memory_bound;
	}
	return false;
}

/* What the site has: --current, else what its slurm.conf says. */
static int site_line(const struct lxfw_command *command, struct tune *tune)
{
	const char *text = tune->current ? tune->current :
			   tune->scenario.cluster.parameters;
	struct lxfw_error error;

	if (lxfw_tune_site_line(text, &tune->site, &error)) {
		lxfw_cmd_misuse(command, "%s: %s", tune->current ? "--current" :
				"SchedulerParameters", error.text);
		return -1;
	}
	return lxfw_tune_read_line(tune->site, &tune->scenario.options.params,
				   NULL);
}

/* Quanta interrupt jobs and throw work away: they are searched where that is asked for,
   and where the site has them already. */
static bool wants_quantum(const struct tune *tune)
{
	bool wants = tune->quantum ||
		     lxfw_params_serve(&tune->scenario.options.params);

	for (int i = 0; i < tune->vary_count; i++)
		wants |= strstr(tune->vary[i], "lxfw_quantum=") != NULL;
	return wants;
}

static int make_space(const struct lxfw_command *command, struct tune *tune)
{
	struct lxfw_error error;

	if (lxfw_tune_space_begin(&tune->space, tune->site,
				  has_memory(&tune->scenario)) ||
	    (wants_quantum(tune) && lxfw_tune_space_quantum(&tune->space))) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	for (int i = 0; i < tune->vary_count; i++) {
		if (lxfw_tune_space_vary(&tune->space, tune->vary[i], &error)) {
			lxfw_cmd_misuse(command, "--vary: %s", error.text);
			return -1;
		}
	}
	return 0;
}

static int load(const struct lxfw_command *command, struct tune *tune)
{
	struct lxfw_scenario *scenario = &tune->scenario;
	struct lxfw_trials *trials = &tune->trials;
	struct lxfw_error error;

	if (lxfw_scenario_machine(scenario) || site_line(command, tune) ||
	    lxfw_scenario_trace(command, scenario) || make_space(command, tune))
		return -1;
	*trials = (struct lxfw_trials) {
		.trace = &scenario->trace, .cluster = &scenario->cluster,
		.options = &scenario->options, .goals = &tune->goals,
		.stop = is_interrupted,
	};
	if (lxfw_tune_weeks_of(&trials->weeks, trials->trace, tune->warmup,
			       tune->period, (int)tune->folds, &error)) {
		lxfw_cmd_note("%s: %s", scenario->path, error.text);
		return -1;
	}
	if (lxfw_trials_begin(trials)) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	tune->search = (struct lxfw_search) {
		.space = &tune->space, .goals = &tune->goals,
		.seed = (uint64_t)tune->seed,
		.round_size = (size_t)tune->round, .margin = tune->margin,
		.folds = trials->weeks.folds,
		.numbers = lxfw_trials_numbers(trials),
	};
	return 0;
}

/* What the search writes: files that cannot be are told of before it. */
static int open_files(struct tune *tune)
{
	struct lxfw_tune_about about;
	struct lxfw_error error;

	if (tune->page_path) {
		tune->page = lxfw_output_open(tune->page_path, &error);
		if (!tune->page)
			return lxfw_cmd_bad(&error), -1;
	}
	if (!tune->state_path)
		return 0;
	lxfw_tune_about(&tune->trials, &about);
	tune->state = lxfw_tune_state_open(tune->state_path, &about,
					   lxfw_trials_numbers(&tune->trials),
					   &error);
	if (tune->state)
		return 0;
	lxfw_cmd_bad(&error);
	return -1;
}

static int print(struct tune *tune,
		 const struct lxfw_confirmation *confirmation, bool stopped)
{
	const struct lxfw_tuning_report report = {
		.path = tune->scenario.path, .warmup = tune->warmup,
		.interrupted = stopped, .confirmation = confirmation,
		.verdict = &tune->verdict,
		.quanta_searched = lxfw_tune_space_has(&tune->space,
						       "lxfw_quantum"),
	};
	struct lxfw_output *page = tune->page;
	struct lxfw_error error;

	lxfw_cmd_progress_end();
	tune->page = NULL;
	if (page) {
		lxfw_tuning_page(&report, page);
		if (lxfw_output_commit(page, &error))
			return lxfw_cmd_bad(&error);
	}
	if (tune->format == LXFW_FORMAT_TABLE) {
		lxfw_tuning_print(&report, stdout);
	} else if (lxfw_tuning_print_json(&report, tune->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(confirmation->recommended > 0 ?
			       LXFW_EXIT_DONE : LXFW_EXIT_NO);
}

static int confirm(struct tune *tune, bool stopped)
{
	struct lxfw_confirmation confirmation = {
		.trials = &tune->trials, .search = &tune->search,
		.threads = (int)tune->threads, .seed = (uint64_t)tune->seed,
		.copies = (size_t)tune->copies, .stop = is_interrupted,
	};
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD, result;

	/* a signal that ended the search does not end this; the next ends all */
	if (stopped)
		confirmation.stop = tune->trials.stop = NULL;
	result = lxfw_confirm(&confirmation, (int)tune->choices, &error);
	if (result < 0)
		lxfw_cmd_note("%s: %s", tune->scenario.path, error.text);
	else if (result > 0)
		lxfw_cmd_note("interrupted before it was judged what was found");
	else
		status = print(tune, &confirmation, stopped);
	lxfw_confirmation_clear(&confirmation);
	return status;
}

/* ---- job arrays ------------------------------------------------------------------ */

/* The words of the command as a task runs it: this very program. */
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

/* A folder of our own in the current directory, unless one is given; FOLDER is what it
   is called then. */
static int make_folder(const struct tune *tune, struct lxfw_tune_array *array,
		       char *folder)
{
	struct lxfw_error error;

	array->folder = tune->folder ? tune->folder : mkdtemp(folder);
	if (array->folder && (!tune->folder ||
			      mkdir(array->folder, 0777) == 0 ||
			      errno == EEXIST))
		return 0;
	lxfw_error_system(&error, tune->folder ? tune->folder : folder);
	lxfw_cmd_bad(&error);
	return -1;
}

static int make_array(const struct tune *tune, struct lxfw_tune_array *array,
		      char *folder)
{
	struct lxfw_tune_about about;

	*array = (struct lxfw_tune_array) {
		.tasks = (int)tune->tasks, .sbatch = tune->sbatch,
		.command = tune->words,
		.numbers = lxfw_trials_numbers(&tune->trials),
		.stop = is_interrupted, .note = lxfw_cmd_note,
	};
	lxfw_tune_about(&tune->trials, &about);
	lxfw_round_mark(&about, array->mark, sizeof(array->mark));
	return make_folder(tune, array, folder);
}

/* A task of an array: "3/8:DIR". */
static int try_part(const struct lxfw_command *command, struct tune *tune)
{
	const char *slash = strchr(tune->part, '/');
	const char *colon = slash ? strchr(slash, ':') : NULL;
	int64_t part = 0, parts = 0;
	struct lxfw_error error;

	if (!colon || colon[1] == '\0' ||
	    lxfw_text_integer(slash + 1, (size_t)(colon - slash - 1), 1,
			      LXFW_PARTS_MAX, &parts) ||
	    lxfw_text_integer(tune->part, (size_t)(slash - tune->part), 1, parts,
			      &part))
		return lxfw_cmd_misuse(command, "--part '%.60s', expected "
			"I/N:DIR, such as 3/8:DIR", tune->part);
	if (load(command, tune))
		return LXFW_EXIT_BAD;
	if (lxfw_part_try(&tune->trials, colon + 1, (int)part, (int)parts,
			  tune->threads > 0 ? (int)tune->threads : 1, &error))
		return lxfw_cmd_bad(&error);
	return LXFW_EXIT_DONE;
}

/* ---- all of it ------------------------------------------------------------------- */

/* 0, 1 if interrupted, -1 after a message. */
static int search(struct tune *tune)
{
	char folder[] = "lxfw-tune-XXXXXX";
	struct lxfw_tune_array array;
	struct lxfw_tuning tuning = {
		.trials = &tune->trials, .search = &tune->search,
		.most = (size_t)tune->settings, .threads = (int)tune->threads,
		.stop = is_interrupted, .progress = show_progress,
		.state = tune->state, .array = tune->slurm ? &array : NULL,
	};
	struct lxfw_error error;
	int stopped;

	if (tune->slurm && make_array(tune, &array, folder))
		return -1;
	begun = lxfw_cmd_clock();
	stopped = lxfw_tuning_run(&tuning, &error);
	lxfw_cmd_progress_end();
	if (stopped < 0)
		lxfw_cmd_note("%s: %s", tune->scenario.path, error.text);
	if (stopped > 0)
		lxfw_cmd_note("interrupted after %zu of %zu settings%s%s",
			      tuning.done, tuning.most, tune->state_path ?
			      "; run the same command to resume from " : "",
			      tune->state_path ? tune->state_path : "");
	if (tune->slurm && !tune->folder && stopped >= 0) {
		lxfw_tune_array_tidy(&array);
		rmdir(folder);
	}
	return stopped;
}

static int search_and_print(const struct lxfw_command *command,
			    struct tune *tune)
{
	int stopped, status = LXFW_EXIT_BAD;

	if (load(command, tune) ||
	    lxfw_verdict_of(&tune->scenario, &tune->verdict))
		return LXFW_EXIT_BAD;
	if (tune->verdict.level == LXFW_VERDICT_NOT && !tune->despite_verdict)
		return lxfw_verdict_refuse(&tune->scenario, &tune->verdict);
	watch_signals();
	if (open_files(tune))
		return LXFW_EXIT_BAD;
	stopped = search(tune);
	if (stopped < 0)
		return LXFW_EXIT_BAD;
	if (tune->search.count > 0 && tune->search.settings[0].known &&
	    interrupted != SIGTERM)
		status = confirm(tune, stopped);
	return interrupted ? 128 + (int)interrupted : status;
}

/* Options that others make useless. */
static int check_options(const struct lxfw_command *command,
			 const struct tune *tune)
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

static int tune_trace(const struct lxfw_command *command, struct tune *tune)
{
	struct lxfw_error error;

	if (check_options(command, tune))
		return LXFW_EXIT_BAD;
	if (tune->goals.objective_count == 0)
		lxfw_goals_minimize(&tune->goals,
				    "p95_wait,mean_slowdown,max_wait", NULL);
	if (strcmp(tune->keep, "none") != 0 &&
	    lxfw_goals_keep(&tune->goals, tune->keep, &error)) {
		bad_goal(command, "keep", &error);
		return LXFW_EXIT_BAD;
	}
	if (tune->part)
		return try_part(command, tune);
	if (tune->tasks == 0)
		tune->tasks = TASKS_DEFAULT;
	if (tune->threads == 0)
		tune->threads = lxfw_pool_threads();
	return search_and_print(command, tune);
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct tune tune = {
		.settings = 1000, .seed = 1, .round = 50,
		.warmup = 2 * 86400, .folds = 4, .copies = LXFW_FINALS_COPIES, .margin = 0.05, .keep = "max_wait",
		.choices = 8, .format = LXFW_FORMAT_TABLE,
		.scenario = { .with_owners = true, .estimate_start = true,
			      .infer = LXFW_INFER_OUTAGES },
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &tune))
			return LXFW_EXIT_BAD;
	}
	if (argc - optind != 1)
		return lxfw_cmd_misuse(command, "%d files given, expected one "
				       "TRACE", argc - optind);
	tune.scenario.path = argv[optind];
	tune.words = task_words(argv, argc);
	if (!tune.words) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	status = tune_trace(command, &tune);
	lxfw_output_abort(tune.page);
	lxfw_tune_state_close(tune.state);
	lxfw_search_clear(&tune.search);
	lxfw_trials_clear(&tune.trials);
	lxfw_tune_space_clear(&tune.space);
	lxfw_scenario_clear(&tune.scenario);
	free(tune.site);
	free(tune.words);
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
