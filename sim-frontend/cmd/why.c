/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw why: why a job started when it did, or why it waits. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/explain.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/skipped_over.h"
#include "sim-frontend/cmd/site_new.h"
#include "sim-frontend/cmd/why_collect.h"
#include "sim-frontend/cmd/why_folder.h"
#include "sim-frontend/cmd/why_task.h"
#include "sim-frontend/predict/live.h"
#include "sim-frontend/script/script.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Explain a job from a JOURNAL. For a job that waits, first in three sentences: how\n"
"many jobs are before it, what it waits for, and what would start it sooner. Then\n"
"which jobs are before it and by which terms of the priority, its reservation and\n"
"the running jobs that end for it, whether the workload manager refused it, when\n"
"it is expected to start, and when it would start with fewer processors, a shorter\n"
"limit or less memory.\n"
"For a job that is not eligible, or that the workload manager is left to start:\n"
"the reason of the workload manager, and how long each reason has kept it.\n"
"For every job: how it started, which jobs of lower priority started while it\n"
"waited and why that did not delay it, and how often and how long it was\n"
"suspended. The decisions of the journal are repeated, as by 'lxfw replay'.\n"
"\n"
"JOB is a job number, a job and task number such as 7_3, or 17#2 for the second\n"
"job with the number 17. Of an array, also as 7_[1-5], it is the next task. If\n"
"one JOURNAL is given, its rotated files are read first. Without a JOURNAL, the\n"
"look is used that the site publishes ('lxfw predict --publish'), otherwise the\n"
"journal of the plugin, or what the Slurm or PBS that runs shows now, see\n"
"'lxfw help watch'.\n"
"\n"
"Options:\n"
"  --at TIME           explain the state at this time, in seconds or as a local\n"
"                      date such as 2026-11-25T10:00:00 (default, and if it is\n"
"                      later: the last record)\n"
"  --policy-file FILE  the file of the policy, where the journal was recorded with\n"
"                      one\n"
"  --format table|json|csv\n"
"                      output format (default: table, which is text)\n"
"  --json              same as --format json\n"
"  --nameless          without the numbers of other jobs\n"
"  --waiting FOLDER    no JOB is given; write a file FOLDER/JOB.why for each job that\n"
"                      waits, without the numbers of other jobs, and remove those of\n"
"                      jobs that do not wait any more\n"
"  --changes N         with --waiting: try other requests for N jobs, those of the\n"
"                      lowest numbers (default 100)\n"
"  --dates             print local dates instead of seconds\n"
"  --alone             read the given file only, not its rotated files\n"
"  --pbs, --slurm      without a JOURNAL: ask this one (default: PBS if there is a\n"
"                      pbs.conf and no scontrol)\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Example:\n"
"  lxfw why --dates 4711 /var/log/slurm/lxfw.journal\n"
"\n"
"Exit status: 0 success; 1 the journals do not contain the job; 2 invalid usage\n"
"or input.\n";

/* Default of --changes. */
#define CHANGES_USUAL 100

enum { AT = LXFW_OPTION_FIRST, POLICY_FILE, NAMELESS, WAITING, CHANGES, DATES, ALONE, PBS,
	SLURM };

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "at", required_argument, NULL, AT },
	{ "policy-file", required_argument, NULL, POLICY_FILE },
	{ "nameless", no_argument, NULL, NAMELESS },
	{ "waiting", required_argument, NULL, WAITING },
	{ "changes", required_argument, NULL, CHANGES },
	{ "dates", no_argument, NULL, DATES },
	{ "alone", no_argument, NULL, ALONE },
	{ "pbs", no_argument, NULL, PBS },
	{ "slurm", no_argument, NULL, SLURM },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Not an exit status: the job is another one, which waits or runs. */
#define AGAIN (-1)
#define AGAIN_RUNS (-2)

/* The first format whose journals state why jobs are kept from the queue. */
#define FORMAT_STATES 4

static void note_unknown(const struct lxfw_journals *journals,
			 const struct lxfw_replayer *replay,
			 const struct lxfw_why_collect *collect)
{
	bool watched = collect->why.watched, task = collect->wanted >> 32;

	/* In the look of a site it may be too new. */
	if (collect->name && lxfw_now_listed() && lxfw_cmd_are_new(&collect->name, 1))
		return;
	if (watched && (collect->tasks == 0 || task))
		lxfw_cmd_note("%s shows no such job that waits or runs", lxfw_now_name());
	else if (!watched)
		lxfw_cmd_note("no records of the job in %s", journals->count == 1 ?
			      journals->paths[0] : "these journals");
	if (collect->tasks > 0 && !(watched && task))
		lxfw_cmd_note(task ?
			      "%zu other tasks of its array have records: the scheduler gets the tasks one after the other" :
			      "it is an array, of which %zu tasks have records: ask for a task, as 7_3",
			      collect->tasks);
	else if (replay->segments > 0 && replay->format < FORMAT_STATES)
		lxfw_cmd_note("jobs that are not eligible, or that the workload manager is left to start, are not in journals of format %d",
			      replay->format);
}

/* The first task of an array that waits without the scheduler; 0: there is none. */
static uint64_t first_kept(const struct lxfw_kept_jobs *kept, uint64_t array)
{
	uint64_t first = 0;

	for (size_t i = 0; i < kept->count; i++) {
		uint64_t id = kept->jobs[i].id;

		if (id > UINT32_MAX && (id & UINT32_MAX) == array && (first == 0 || id < first))
			first = id;
	}
	return first;
}

/* Returns the task of the wanted array that is the first one in the queue; 0: it is no array, or
   none waits. */
static uint64_t next_task(const struct lxfw_why_collect *collect, struct lxfw_replayer *replay)
{
	int64_t now = lxfw_replayer_settle(replay, collect->why.now);
	struct lxfw_queued *queue = NULL;
	uint64_t task = 0;
	int32_t count = 0;

	if (collect->tasks > 0 && collect->wanted <= UINT32_MAX && replay->sched &&
	    replay->names.count == 0 && lxfw_replayer_end_trial(replay) == 0)
		count = lxfw_sched_queue(replay->sched, now, &queue);
	for (int32_t i = 0; i < count && task == 0; i++) {
		if ((queue[i].job & UINT32_MAX) == collect->wanted)
			task = queue[i].job;
	}
	free(queue);
	/* Or of those that the scheduler does not consider. */
	if (task == 0 && collect->wanted <= UINT32_MAX && replay->names.count == 0)
		task = first_kept(&replay->kept, collect->wanted);
	return task;
}

/* How the Slurm that runs chooses jobs, at the end of a trial. Returns 0, or -1 with errno ENOMEM. */
static int find_choice(struct lxfw_why_collect *collect, const struct lxfw_replayer *replay)
{
	struct lxfw_skipped_over over = { .scheduling = *lxfw_now_scheduling() };
	int failed = lxfw_skipped_over_find(&over, replay->sched, collect->why.now, NULL);

	if (!failed)
		lxfw_skipped_text(&over.scheduling, lxfw_skipped_over_by(&over, collect->why.job),
				 collect->why.passed_over);
	if (over.scheduling.preempts == LXFW_PREEMPTS_QOS)
		collect->why.victims = -1;
	else if (over.scheduling.preempts == LXFW_PREEMPTS_TIER)
		collect->why.victims = lxfw_live_victims(replay->sched, &over.tiers,
							  collect->why.job);
	lxfw_skipped_over_clear(&over);
	return failed;
}

/* Returns an exit status, or AGAIN or AGAIN_RUNS after collect->wanted was set to a task of it. */
static int explain(const struct lxfw_journals *journals, struct lxfw_replayer *replay,
		   struct lxfw_why_collect *collect, enum lxfw_format format)
{
	struct lxfw_error error;
	uint64_t task;

	for (size_t i = 0; i < journals->count && !replay->over; i++) {
		if (lxfw_replayer_file(replay, journals->paths[i], &error))
			return lxfw_replayer_bad(replay, &error);
	}
	if (!collect->why.job) {
		/* "7#2" is not the array. */
		task = collect->which == 0 ? next_task(collect, replay) : 0;
		if (task > 0) {
			collect->wanted = task;
			return AGAIN;
		}
		if (collect->which == 0 && replay->sched && replay->names.count == 0)
			task = lxfw_why_running_task(replay->sched, collect->wanted);
		if (task > 0) {
			collect->wanted = task;
			return AGAIN_RUNS;
		}
		note_unknown(journals, replay, collect);
		return LXFW_EXIT_NO;
	}
	collect->why.now = lxfw_replayer_settle(replay, collect->why.now);
	if (collect->why.watched)
		collect->why.refused_until = LXFW_NEVER;
	else
		lxfw_replayer_note_trial(replay);
	if (replay->agreeing < replay->decisions)
		lxfw_cmd_note("%zu of %zu decisions differ when they are repeated: places "
			      "in the queue and expected starts may be wrong",
			      replay->decisions - replay->agreeing, replay->decisions);
	collect->why.said = lxfw_now_said(collect->why.job);
	collect->why.planned = lxfw_now_planned(collect->why.job);
	collect->why.hidden = lxfw_now_hides_jobs();
	/* In a look, a start of the model is refused at once. */
	if ((collect->why.watched && (lxfw_replayer_end_trial(replay) ||
				      find_choice(collect, replay))) ||
	    lxfw_why_finish(collect, replay) ||
	    (format != LXFW_FORMAT_TABLE &&
	     lxfw_why_json(&collect->why, format, stdout))) {
		lxfw_error_system(&error, "lxfw why");
		return lxfw_cmd_bad(&error);
	}
	if (format == LXFW_FORMAT_TABLE)
		lxfw_why_text(&collect->why, stdout);
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

struct arguments {
	enum lxfw_format format;
	const char *policy_file, *folder;
	int64_t until, changes;	/* changes -1: not given */
	bool dates, alone, nameless;
	enum lxfw_now_of of;
	bool watched;		/* the journal is of a look at what schedules by itself */
	char *job;		/* then: the job as it is given */
};

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option, struct arguments *to)
{
	switch (option) {
	case AT:
		return lxfw_cmd_time(command, "at", optarg, &to->until);
	case POLICY_FILE:
		to->policy_file = optarg;
		return 0;
	case NAMELESS:
		to->nameless = true;
		return 0;
	case WAITING:
		to->folder = optarg;
		return 0;
	case CHANGES:
		return lxfw_cmd_integer(command, "changes", optarg, 0, 1000000, &to->changes);
	case DATES:
		to->dates = true;
		return 0;
	case PBS:
		to->of = LXFW_NOW_PBS;
		return 0;
	case SLURM:
		to->of = LXFW_NOW_SLURM;
		return 0;
	default:
		to->alone = true;
		return 0;
	}
}

/* Explains job *WANTED. Returns as explain(), which sets *WANTED then. */
static int explain_job(const struct arguments *arguments, uint64_t *wanted, int64_t which,
		       const struct lxfw_journals *journals, const struct lxfw_script *script)
{
	struct lxfw_replayer replay = { .until = arguments->until, .script = script };
	struct lxfw_why_collect collect = {
		.wanted = *wanted, .which = which, .name = arguments->job,
		.why.names = &replay.names, .why.pools = &replay.pools,
		.why.extras = &replay.extras, .why.dates = arguments->dates,
		.why.nameless = arguments->nameless, .why.watched = arguments->watched,
	};
	const struct lxfw_replayer_hooks hooks = {
		.context = &collect, .segment = lxfw_why_segment,
		.event = lxfw_why_event, .decision = lxfw_why_decision,
	};
	int status;

	replay.hooks = &hooks;
	status = explain(journals, &replay, &collect, arguments->format);
	*wanted = collect.wanted;
	lxfw_replayer_clear(&replay);
	lxfw_why_collect_clear(&collect);
	return status;
}

/* Of an array that waits, its next task. */
static int explain_one(const struct lxfw_command *command, const struct arguments *arguments,
		       const char *job, const struct lxfw_journals *journals,
		       const struct lxfw_script *script)
{
	uint64_t wanted;
	int64_t which;
	int status;

	if (lxfw_cmd_job(command, job, &wanted, &which))
		return LXFW_EXIT_BAD;
	status = explain_job(arguments, &wanted, which, journals, script);
	if (status != AGAIN && status != AGAIN_RUNS)
		return status;
	lxfw_cmd_note(status == AGAIN ?
		      "it is an array: this is the task of it that is next, %llu_%llu" :
		      "it is an array, of which no task waits: this is one that runs, %llu_%llu",
		      (unsigned long long)(wanted & UINT32_MAX),
		      (unsigned long long)(wanted >> 32) - 1);
	return explain_job(arguments, &wanted, which, journals, script);
}

static int explain_waiting(const struct arguments *arguments,
			   const struct lxfw_journals *journals,
			   const struct lxfw_script *script)
{
	const struct lxfw_why_folder folder = {
		.path = arguments->folder, .dates = arguments->dates,
		.changes = arguments->changes < 0 ? CHANGES_USUAL :
						    (size_t)arguments->changes,
		.until = arguments->until, .script = script,
	};

	return lxfw_why_folder(&folder, journals);
}

static int check(const struct lxfw_command *command, const struct arguments *arguments,
		 int count)
{
	if (arguments->folder && arguments->format != LXFW_FORMAT_TABLE)
		return lxfw_cmd_misuse(command, "--waiting with --format, expected text");
	if (!arguments->folder && arguments->changes >= 0)
		return lxfw_cmd_misuse(command, "--changes without --waiting, expected both");
	if (arguments->folder && count < 1)
		return lxfw_cmd_misuse(command, "no arguments given, expected a JOURNAL");
	if (!arguments->folder && count < 1)
		return lxfw_cmd_misuse(command, "no arguments given, expected a JOB and a "
				       "JOURNAL");
	return 0;
}

static int carry_out(const struct lxfw_command *command, const struct arguments *arguments,
		     char **argv, int count)
{
	int first = arguments->folder ? 0 : 1;
	struct lxfw_script *script = NULL;
	struct lxfw_journals journals;
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD;

	if (arguments->policy_file) {
		script = lxfw_script_load(arguments->policy_file, &error);
		if (!script)
			return lxfw_cmd_bad(&error);
	}
	if (lxfw_journals_find(&journals, argv + first, count - first, arguments->alone) == 0)
		status = arguments->folder ?
			 explain_waiting(arguments, &journals, script) :
			 explain_one(command, arguments, argv[0], &journals, script);
	lxfw_journals_clear(&journals);
	lxfw_script_free(script);
	return status;
}

/* Without a journal, that of the Slurm or PBS that runs. */
static int explain_now(const struct lxfw_command *command, struct arguments *arguments,
		       char *job)
{
	bool any = arguments->of == LXFW_NOW_ANY;
	struct lxfw_error error;
	const char *journal = any ? lxfw_now_published(&job, 1, false) : NULL;
	char *both[] = { job, NULL };

	if (!journal && any && lxfw_cmd_are_new(&job, 1))
		return LXFW_EXIT_NO;
	if (!journal)
		journal = lxfw_now_journal(arguments->of, &error);
	if (!journal && any)
		journal = lxfw_now_published(&job, 1, true);
	both[1] = (char *)journal;
	arguments->dates = true;
	arguments->watched = lxfw_now_name() != NULL;
	arguments->job = job;
	if (journal && arguments->watched && arguments->until != LXFW_NEVER)
		return lxfw_cmd_misuse(command, "--at with what Slurm or PBS shows now, expected a JOURNAL");
	if (journal)
		return carry_out(command, arguments, both, 2);
	lxfw_cmd_note("no JOURNAL given, expected one, or a Slurm or PBS that "
		      "answers: %s", error.text);
	return LXFW_EXIT_BAD;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.format = LXFW_FORMAT_TABLE, .until = LXFW_NEVER, .changes = -1,
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &arguments.format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status == 0 && take_option(command, option, &arguments))
			return LXFW_EXIT_BAD;
	}
	status = check(command, &arguments, argc - optind);
	if (status)
		return status;
	if (!arguments.folder && lxfw_cmd_jobs(command, argv + optind, 1))
		return LXFW_EXIT_BAD;
	if (!arguments.folder && argc - optind == 1)
		return explain_now(command, &arguments, argv[optind]);
	return carry_out(command, &arguments, argv + optind, argc - optind);
}

const struct lxfw_command lxfw_command_why = {
	.name = "why",
	.arguments = "JOB [JOURNAL]... | --waiting FOLDER JOURNAL...",
	.summary = "explain why a job waits, or how it started",
	.help = help,
	.run = run,
};
