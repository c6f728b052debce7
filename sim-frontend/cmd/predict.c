/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict: when jobs will start. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/cmd/history.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/now_pbs.h"
#include "sim-frontend/cmd/now_request.h"
#include "sim-frontend/cmd/now_runs.h"
#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/predict_site.h"
#include "sim-frontend/predict/request_slurm.h"
#include "sim-frontend/util/pool.h"

static const char help[] =
"\n"
"Predict when jobs start, from many simulated futures: run times are drawn from\n"
"the run times of earlier jobs, and submissions from those of earlier weeks at\n"
"the same time of the week.\n"
"\n"
"Predict the starts of the waiting jobs JOB, by default of all, in the Slurm or PBS\n"
"that runs, as it is now: from the journal of the plugin, or otherwise from what\n"
"it shows to any user, see 'lxfw help watch', and the user's own accounting. With\n"
"--journal, from the state at the end of JOURNAL and its rotated files. With --evaluate,\n"
"predict a sample of the jobs of LOG, each from what was known when it was\n"
"submitted, and print how good the predictions were, beside the limits as run\n"
"times, the median wait of the last jobs, and QBETS' bounds of quantiles.\n"
"\n"
"Options without --evaluate:\n"
"  --journal JOURNAL   a journal of sched/lxfw or of 'lxfw simulate'\n"
"  --at TIME           the state at this time, in seconds or as a local date such\n"
"                      as 2026-11-25T10:00:00 (default: the last record)\n"
"  --before TIME       print the chance to start before this time\n"
"  --request OPTIONS   predict the start of a job with these options of sbatch, or\n"
"                      -l of qsub, if it were submitted now, and with fewer\n"
"                      processors and shorter limits; may be given several times\n"
"  --moments N         correct the intervals by predictions at N earlier moments\n"
"                      of the journal (default: 100, fewer if many jobs wait;\n"
"                      0: do not correct them)\n"
"  --calibration FILE  correct them by the predictions of --calibration-out, too\n"
"  --calibration-out FILE\n"
"                      write these predictions\n"
"  --dates             print local dates instead of seconds\n"
"  --alone             read the given file only, not its rotated files\n"
"  --history FILE      learn run times from this data base of 'lxfw import\n"
"                      --history', too\n"
"  --machine NAME      the machine of the journal in it (default: its only one)\n"
"  --learn LOG         learn run times from this log, in a format of 'lxfw import';\n"
"                      may be given several times\n"
"  --owners            get the users of the waiting and running jobs from squeue\n"
"  --tell              write the predictions to the admin comments of the waiting\n"
"                      jobs, with scontrol\n"
"  --most N            number of admin comments that are written at most per round\n"
"                      (default: 60)\n"
"  --starts-out FILE   write a table of the starts of jobs that might be submitted\n"
"                      to the partitions of the Slurm that runs\n"
"  --publish FOLDER    write the queue with expected starts, the next day and the\n"
"                      quality of earlier predictions for all users: a page,\n"
"                      JSON, a table of starts, see 'lxfw help queue'\n"
"  --users             with the names of the users in it\n"
"  --every SECONDS     repeat --tell, --starts-out and --publish, 60 or more\n"
"\n"
"Options without --journal:\n"
"  --pbs, --slurm      ask this one (default: PBS if there is a pbs.conf and no\n"
"                      scontrol)\n"
"  --starts FILE       print the starts of each --request from such a table\n"
"\n"
"Options with --evaluate:\n"
"  --evaluate LOG      the log: SWF or accounting, as for 'lxfw simulate'\n"
"  --measured          walk the log as measured, not as simulated\n"
"  --live              predict all jobs that wait at random moments, as a live site\n"
"                      does from its journal\n"
"  --look              with --live: from the state at each moment alone, as without\n"
"                      a journal\n"
"  --moments N         number of moments (default: 500)\n"
"  --policy POLICY     policy (default: that of slurm.conf, which is slurm for a\n"
"                      site with sched/backfill; without one, lxfw)\n"
"  --params LIST       parameters, KEY=VALUE,KEY=VALUE\n"
"  --cluster MACHINE   machine, as for 'lxfw simulate' (default: procs=N by the\n"
"                      header of the log)\n"
"  --assocs FILE       shares of accounts and users for the priorities of the site,\n"
"                      as for 'lxfw simulate'\n"
"  --qos FILE          QOS for them\n";

static const char more_help[] =
"  --shape nodes|anywhere|one-host\n"
"                      hosts of a job, as for 'lxfw simulate'\n"
"  --memory kb-per-proc|kb-per-job|bytes-per-job|none\n"
"                      meaning of the memory columns of SWF\n"
"  --overrun extend|kill\n"
"                      jobs that exceed their requested times (default: extend)\n"
"  --sample N          number of jobs to predict (default: 1000)\n"
"  --warmup PERCENT    share of the log before the first of them (default: 10)\n"
"  --cases-out FILE    write one line of CSV per prediction\n"
"  --calibration-out FILE\n"
"                      write the predictions for --calibration\n"
"\n"
"Options:\n"
"  --futures N         futures per prediction (default: 50 with --journal, 100\n"
"                      with --evaluate)\n"
"  --seed N            seed of the random numbers (default: 1)\n"
"  --threads N         number of threads (default: the processors online). It\n"
"                      does not change the result\n"
"  --format table|json|csv\n"
"                      output format (default: table)\n"
"  --json              same as --format json\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw predict --dates --journal /var/log/slurm/lxfw.journal 4711\n"
"  lxfw predict --journal /var/log/slurm/lxfw.journal \\\n"
"      --request '-n 64 -t 4:00:00 --mem 2G'\n"
"  lxfw predict --journal /var/log/slurm/lxfw.journal --tell --every 300\n"
"  lxfw predict --evaluate SDSC-SP2-1998-4.2-cln.swf.gz\n"
"\n"
"Exit status: 0 success; 1 a job does not wait, or no start is in the table; 2 invalid usage or input.\n";

enum {
	EVALUATE = LXFW_OPTION_FIRST, MEASURED, POLICY, PARAMS, SAMPLE, WARMUP, CASES_OUT,
	CALIBRATION_OUT, FUTURES, SEED, THREADS, JOURNAL, AT, BEFORE, REQUEST, CALIBRATION,
	DATES, ALONE, TELL, MOST, EVERY, STARTS_OUT, STARTS, HISTORY, LEARN, OWNERS, MACHINE,
	LIVE, LOOK, MOMENTS, PUBLISH, USERS, PBS, SLURM,
};

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "journal", required_argument, NULL, JOURNAL },
	{ "at", required_argument, NULL, AT },
	{ "before", required_argument, NULL, BEFORE },
	{ "request", required_argument, NULL, REQUEST },
	{ "calibration", required_argument, NULL, CALIBRATION },
	{ "dates", no_argument, NULL, DATES },
	{ "alone", no_argument, NULL, ALONE },
	{ "tell", no_argument, NULL, TELL },
	{ "most", required_argument, NULL, MOST },
	{ "every", required_argument, NULL, EVERY },
	{ "history", required_argument, NULL, HISTORY },
	{ "machine", required_argument, NULL, MACHINE },
	{ "learn", required_argument, NULL, LEARN },
	{ "owners", no_argument, NULL, OWNERS },
	{ "starts-out", required_argument, NULL, STARTS_OUT },
	{ "starts", required_argument, NULL, STARTS },
	{ "publish", required_argument, NULL, PUBLISH },
	{ "users", no_argument, NULL, USERS },
	{ "pbs", no_argument, NULL, PBS },
	{ "slurm", no_argument, NULL, SLURM },
	{ "evaluate", required_argument, NULL, EVALUATE },
	{ "measured", no_argument, NULL, MEASURED },
	{ "live", no_argument, NULL, LIVE },
	{ "look", no_argument, NULL, LOOK },
	{ "moments", required_argument, NULL, MOMENTS },
	{ "policy", required_argument, NULL, POLICY },
	{ "params", required_argument, NULL, PARAMS },
	{ "cluster", required_argument, NULL, LXFW_SCENARIO_CLUSTER },
	{ "shape", required_argument, NULL, LXFW_SCENARIO_SHAPE },
	{ "memory", required_argument, NULL, LXFW_SCENARIO_MEMORY },
	{ "overrun", required_argument, NULL, LXFW_SCENARIO_OVERRUN },
	LXFW_PRIORITIES_OPTIONS,
	{ "sample", required_argument, NULL, SAMPLE },
	{ "warmup", required_argument, NULL, WARMUP },
	{ "cases-out", required_argument, NULL, CASES_OUT },
	{ "calibration-out", required_argument, NULL, CALIBRATION_OUT },
	{ "futures", required_argument, NULL, FUTURES },
	{ "seed", required_argument, NULL, SEED },
	{ "threads", required_argument, NULL, THREADS },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static int take_request(const struct lxfw_command *command,
			struct lxfw_predict_arguments *to)
{
	if (to->request_count == LXFW_PREDICT_REQUESTS) {
		lxfw_cmd_misuse(command, "more than %d options --request, expected at most "
				"that many", LXFW_PREDICT_REQUESTS);
		return -1;
	}
	to->requests[to->request_count++] = optarg;
	return 0;
}

static int take_log(const struct lxfw_command *command, struct lxfw_predict_arguments *to)
{
	if (to->learn_count == LXFW_PREDICT_REQUESTS) {
		lxfw_cmd_misuse(command, "more than %d options --learn, expected at most "
				"that many", LXFW_PREDICT_REQUESTS);
		return -1;
	}
	to->learn[to->learn_count++] = optarg;
	return 0;
}

/* Options of --journal. Returns 1 if OPTION is none of them, 0, or -1 after a message. */
static int take_live(const struct lxfw_command *command, int option,
		     struct lxfw_predict_arguments *to)
{
	switch (option) {
	case JOURNAL:
		to->journal = optarg;
		return 0;
	case AT:
		return lxfw_cmd_time(command, "at", optarg, &to->at);
	case BEFORE:
		return lxfw_cmd_time(command, "before", optarg, &to->before);
	case REQUEST:
		return take_request(command, to);
	case CALIBRATION:
		to->calibration = optarg;
		return 0;
	case DATES:
		to->dates = true;
		return 0;
	case ALONE:
		to->alone = true;
		return 0;
	case TELL:
		to->tell = true;
		return 0;
	case MOST:
		return lxfw_cmd_integer(command, "most", optarg, 1, 10000, &to->most);
	case HISTORY:
		to->history = optarg;
		return 0;
	case MACHINE:
		to->machine = optarg;
		return lxfw_cmd_history_name(command, optarg);
	case LEARN:
		return take_log(command, to);
	case OWNERS:
		to->owners = true;
		return 0;
	case STARTS_OUT:
		to->starts_out = optarg;
		return 0;
	case STARTS:
		to->starts = optarg;
		return 0;
	case PUBLISH:
		to->publish = optarg;
		return 0;
	case USERS:
		to->users = true;
		return 0;
	case PBS:
		to->of = LXFW_NOW_PBS;
		return 0;
	case SLURM:
		to->of = LXFW_NOW_SLURM;
		return 0;
	case EVERY:
		return lxfw_cmd_integer(command, "every", optarg, 60, 86400, &to->every);
	default:
		return 1;
	}
}

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option,
		       struct lxfw_predict_arguments *to)
{
	int taken = take_live(command, option, to);

	if (taken <= 0)
		return taken;
	switch (option) {
	case EVALUATE:
		to->evaluate = optarg;
		return 0;
	case MEASURED:
		to->measured = true;
		return 0;
	case LIVE:
		to->live = true;
		return 0;
	case LOOK:
		to->look = true;
		return 0;
	case MOMENTS:
		return lxfw_cmd_integer(command, "moments", optarg, 0, 1000000,
					&to->moments);
	case POLICY:
		to->policy = optarg;
		return 0;
	case PARAMS:
		to->params = optarg;
		return 0;
	case SAMPLE:
		return lxfw_cmd_integer(command, "sample", optarg, 1, 1000000000,
					&to->sample);
	case WARMUP:
		return lxfw_cmd_number(command, "warmup", optarg, 0, 99, &to->warmup);
	case CASES_OUT:
		to->cases = optarg;
		return 0;
	case CALIBRATION_OUT:
		to->calibration_out = optarg;
		return 0;
	case FUTURES:
		return lxfw_cmd_integer(command, "futures", optarg, 10, 100000, &to->futures);
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX, &to->seed);
	case THREADS:
		return lxfw_cmd_integer(command, "threads", optarg, 1, 1000, &to->threads);
	default:
		lxfw_priorities_option(&to->priorities, option);
		return lxfw_scenario_option(command, option, &to->scenario);
	}
}

/* Returns 0, or an exit status after a message. */
static int check(const struct lxfw_command *command,
		 const struct lxfw_predict_arguments *arguments)
{
	if (arguments->starts && (arguments->journal || arguments->evaluate ||
				  arguments->request_count == 0))
		return lxfw_cmd_misuse(command, "--starts without --request, or with --journal "
				       "or --evaluate, expected --starts FILE --request "
				       "OPTIONS");
	if (arguments->starts)
		return 0;
	if (arguments->evaluate && (arguments->history || arguments->learn_count > 0 ||
				    arguments->owners))
		return lxfw_cmd_misuse(command, "--history, --learn or --owners with "
				       "--evaluate, which learns from its log only");
	if (arguments->history && arguments->learn_count > 0 && !arguments->journal)
		return lxfw_cmd_misuse(command, "--history with --learn, expected --journal, "
				       "too; 'lxfw import --history' adds a log to a data "
				       "base");
	if (arguments->machine && !arguments->history)
		return lxfw_cmd_misuse(command, "--machine without --history");
	if (arguments->evaluate && arguments->journal)
		return lxfw_cmd_misuse(command, "--journal with --evaluate, expected --journal "
				       "JOURNAL or --evaluate LOG");
	if (arguments->live && (!arguments->evaluate || arguments->measured))
		return lxfw_cmd_misuse(command, "%s, expected --evaluate LOG --live",
				       arguments->evaluate ? "--live with --measured" :
				       "--live without --evaluate");
	if (arguments->look && !arguments->live)
		return lxfw_cmd_misuse(command, "--look without --live");
	if (arguments->evaluate && arguments->moments >= 0 && !arguments->live)
		return lxfw_cmd_misuse(command, "--moments with --evaluate, expected --live, too");
	if (arguments->live && arguments->moments == 0)
		return lxfw_cmd_misuse(command, "--moments 0 with --live, expected 1 or more");
	if ((arguments->tell || arguments->starts_out || arguments->publish) &&
	    (!arguments->journal || arguments->request_count > 0 ||
	     arguments->at != LXFW_NEVER))
		return lxfw_cmd_misuse(command, "--tell, --starts-out or --publish without "
				       "--journal, or with --request or --at, expected the "
				       "present");
	if (arguments->publish && !*arguments->publish)
		return lxfw_cmd_misuse(command, "--publish '', expected a folder");
	if (arguments->publish && arguments->only_named)
		return lxfw_cmd_misuse(command, "--publish with the names of jobs, expected all");
	if (arguments->users && !arguments->publish)
		return lxfw_cmd_misuse(command, "--users without --publish");
	if (arguments->every > 0 && !arguments->tell && !arguments->starts_out &&
	    !arguments->publish)
		return lxfw_cmd_misuse(command, "--every without --tell, --starts-out and "
				       "--publish");
	return 0;
}

/* Waits until SECONDS after BEGIN, or for SECONDS if that has passed. */
static void wait_until(const struct timespec *begin, int64_t seconds)
{
	struct timespec now, until = *begin;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec >= until.tv_sec + seconds)
		until = now;
	until.tv_sec += seconds;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Whether what writes the journal has not begun yet. */
static bool is_absent(const struct lxfw_predict_arguments *arguments)
{
	return access(arguments->journal, F_OK) != 0 && errno == ENOENT;
}

/* --publish may be started beside `lxfw watch`, whose first look takes some seconds. */
static void wait_for_journal(const struct lxfw_predict_arguments *arguments)
{
	const struct timespec pause = { .tv_sec = 5 };

	if (!arguments->publish || !is_absent(arguments))
		return;
	lxfw_cmd_note("%s: %s; waiting for it", arguments->journal, strerror(errno));
	while (is_absent(arguments))
		(void)nanosleep(&pause, NULL);
}

/* Whether what stopped a first round may pass, as an old journal does that is about to be written
   again: a service for users tries again, unless it has no folder. */
static bool will_pass(const struct lxfw_predict_arguments *arguments)
{
	return arguments->publish && access(arguments->publish, W_OK | X_OK) == 0;
}

/* --every. Returns if the first round fails. */
static int repeat(const struct lxfw_command *command,
		  const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	wait_for_journal(arguments);
	for (size_t round = 0;; round++) {
		struct timespec begin;
		int status;

		clock_gettime(CLOCK_MONOTONIC, &begin);
		status = lxfw_predict_live(command, arguments, names, count);
		/* Later failures pass: a controller that restarts, a journal that is
		   rotated. Each of them was reported. */
		if (status == LXFW_EXIT_BAD && round == 0 && !will_pass(arguments))
			return status;
		wait_until(&begin, arguments->every);
	}
}

/* The hosts that requests want. Options that are wrong are reported later. */
static void want_hosts(const struct lxfw_predict_arguments *arguments)
{
	for (size_t i = 0; i < arguments->request_count; i++) {
		struct lxfw_watch_wanted hosts;
		struct lxfw_request_text text;
		struct lxfw_error error;

		if (lxfw_request_read_slurm(&text, arguments->requests[i], &error) ||
		    !lxfw_now_request_hosts(&text, &hosts))
			continue;
		lxfw_now_want(&hosts);
		if (lxfw_now_request_beside(&text, &hosts))
			lxfw_now_want(&hosts);
	}
}

/* Without a journal, that of the Slurm or PBS that runs, and run times of its jobs. Returns 0, or -1
   with ERROR set. */
static int find_present(struct lxfw_predict_arguments *arguments, char *const *names, int count,
			struct lxfw_error *error)
{
	bool any = arguments->of == LXFW_NOW_ANY && !arguments->publish && !arguments->tell &&
		   !arguments->starts_out;

	want_hosts(arguments);
	arguments->journal = any ? lxfw_now_published(names, count, false) : NULL;
	if (!arguments->journal)
		arguments->journal = lxfw_now_journal(arguments->of, error);
	/* Jobs are those of the publication then. */
	if (!arguments->journal && any && arguments->request_count > 0)
		arguments->journal = lxfw_now_published(names, count, true);
	if (arguments->journal) {
		arguments->dates = true;
		bool given = arguments->history != NULL;

		arguments->now = lxfw_now_owners() != NULL;
		if (!lxfw_now_is_pbs(arguments->of) && !arguments->history &&
		    arguments->learn_count == 0)
			arguments->history = lxfw_now_history();
		arguments->usual_history = arguments->history != NULL && !given;
		return 0;
	}
	return -1;
}

/* If none answers and no option changes the prediction: what the site published last. Returns an
   exit status. */
static int without_present(const struct lxfw_predict_arguments *arguments, bool plain,
			   const struct lxfw_error *error, char **names, int count)
{
	int status = plain ? lxfw_predict_outdated(arguments, names, count) : -1;

	if (status >= 0)
		return status;
	lxfw_cmd_note("nothing to predict, expected --journal JOURNAL, --evaluate LOG, or a "
		      "Slurm or PBS that answers: %s", error->text);
	return LXFW_EXIT_BAD;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct lxfw_predict_arguments arguments = {
		.format = LXFW_FORMAT_TABLE, .seed = 1, .sample = 1000, .warmup = 10,
		.threads = lxfw_pool_threads(), .at = LXFW_NEVER, .before = LXFW_NEVER,
		.most = 60, .moments = -1,
		.scenario.options.factor = 1,
	};
	struct lxfw_error error;
	bool plain = true;	/* no option changes what is predicted, or how */
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &arguments.format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		plain &= status > 0 || option == REQUEST || option == DATES;
		if (status == 0 && take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	arguments.only_named = argc > optind;
	status = check(command, &arguments);
	if (status)
		return status;
	if (!arguments.evaluate && !arguments.starts &&
	    lxfw_cmd_jobs(command, argv + optind, argc - optind))
		return LXFW_EXIT_BAD;
	arguments.moments_given = arguments.moments >= 0;
	if (!arguments.moments_given)
		arguments.moments = arguments.journal ? 100 : 500;
	status = plain ? lxfw_predict_site(&arguments, argv + optind, argc - optind) : -1;
	if (status >= 0)
		return status;
	if (!arguments.journal && !arguments.evaluate && !arguments.starts &&
	    find_present(&arguments, argv + optind, argc - optind, &error))
		return without_present(&arguments, plain, &error, argv + optind, argc - optind);
	if (arguments.starts && argc > optind)
		return lxfw_cmd_misuse(command, "'%.40s' given, expected only options with "
				       "--starts", argv[optind]);
	if (arguments.starts)
		return lxfw_predict_look_up(&arguments);
	if (arguments.every > 0)
		return repeat(command, &arguments, argv + optind, argc - optind);
	if (arguments.journal)
		return lxfw_predict_live(command, &arguments, argv + optind, argc - optind);
	if (argc > optind)
		return lxfw_cmd_misuse(command, "'%.40s' given, expected only options with "
				       "--evaluate", argv[optind]);
	return lxfw_predict_evaluate(command, &arguments);
}

const struct lxfw_command lxfw_command_predict = {
	.name = "predict",
	.arguments = "[JOB...]",
	.summary = "predict when jobs start",
	.help = help,
	.more_help = more_help,
	.run = run,
};
