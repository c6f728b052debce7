/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw replay: checks that the library makes the same decisions as recorded. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/sched.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/report/journal_text.h"
#include "sim-frontend/script/script.h"
#include "sim-frontend/util/text.h"

static const char help[] =
"\n"
"Feed the events of a JOURNAL to the policy library and compare each decision\n"
"with the recorded one: starts, interruptions, reservations, the processors on\n"
"each host, and the time of the next wake-up. Journals are written by the Slurm\n"
"plugin (lxfw_journal in SchedulerParameters) and by 'lxfw simulate --journal'.\n"
"\n"
"If one JOURNAL is given, its rotated files are read first. Several files are\n"
"read in the order in which they were written. Compressed files are supported.\n"
"\n"
"Options:\n"
"  --params STRING     simulate the jobs with these lxfw_* keys instead, and\n"
"                      compare waits and slowdowns with the recorded ones, for\n"
"                      all jobs and by class; see lxfw-params(5)\n"
"  --policy-file FILE  the file of the policy, where the journal was recorded with\n"
"                      one: its SHA-256 is compared with the recorded one\n"
"  --cancelled leave-out|until-cancelled\n"
"                      with --params: how to treat jobs that were cancelled or\n"
"                      held before they started, as for 'lxfw compare'\n"
"  --show N            number of differing decisions to print (default 5)\n"
"  --format table|json|csv\n"
"                      output format (default: table)\n"
"  --json              same as --format json\n"
"  --alone             read the given file only, not its rotated files\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw replay /var/log/slurm/lxfw.journal\n"
"  lxfw replay --params lxfw_quantum=120 /var/log/slurm/lxfw.journal\n"
"\n"
"Exit status: 0 all decisions agree; 1 some differ; 2 invalid usage or input.\n";

enum { PARAMS = LXFW_OPTION_FIRST, POLICY_FILE, SHOW, ALONE, CANCELLED };

static const struct option options[] = {
	{ "params", required_argument, NULL, PARAMS },
	{ "policy-file", required_argument, NULL, POLICY_FILE },
	{ "cancelled", required_argument, NULL, CANCELLED },
	{ "show", required_argument, NULL, SHOW },
	LXFW_FORMAT_OPTIONS,
	{ "alone", no_argument, NULL, ALONE },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Number of differences still to be printed. */
struct differences {
	size_t show;
};

static void describe(const struct lxfw_replayer *replay, const char *who,
		     const struct lxfw_action *action)
{
	char name[48];

	if (!action) {
		printf("    %-9s no more actions\n", who);
		return;
	}
	lxfw_job_names_text(&replay->names, action->job, name, sizeof(name));
	printf("    %-9s %s job %s", who, lxfw_action_name(action->type), name);
	if (action->type != LXFW_ACTION_UNRESERVE)
		printf(" at %lld", (long long)action->start);
	if (action->until != LXFW_NEVER)
		printf(" until %lld", (long long)action->until);
	if (action->count > 0) {
		printf(" on host:procs:MB");
		for (int32_t i = 0; i < action->count && i < 8; i++)
			printf(" %d:%d:%lld", action->shares[i].host,
			       action->shares[i].amount.procs,
			       (long long)action->shares[i].amount.memory_mb);
		if (action->count > 8)
			printf(" and %d more hosts", action->count - 8);
	}
	putchar('\n');
}

static void show_difference(void *context, struct lxfw_replayer *replay,
			    const struct lxfw_decision *ours, int at,
			    int64_t wake)
{
	const struct lxfw_recorded_decision *recorded = &replay->recorded;
	struct differences *differences = context;

	if (differences->show == 0)
		return;
	differences->show--;
	printf("%s: decision %zu at %lld differs\n", replay->path,
	       replay->decisions, (long long)recorded->now);
	if (at < 0) {
		printf("    recorded  wake at %lld\n    now       wake at %lld\n",
		       (long long)wake, (long long)ours->wake);
		return;
	}
	describe(replay, "recorded", (size_t)at < recorded->count ?
			     &recorded->actions[at] : NULL);
	describe(replay, "now", (size_t)at < ours->count ? &ours->actions[at] : NULL);
}

static void print_result(const struct lxfw_replayer *replay, enum lxfw_format format)
{
	static const char *const keys[] = {
		"segments", "events", "events_not_taken", "decisions",
		"agreeing", "actions",
	};
	const size_t values[] = {
		replay->segments, replay->events, replay->not_taken,
		replay->decisions, replay->agreeing, replay->actions,
	};
	int count = sizeof(values) / sizeof(*values);

	if (format == LXFW_FORMAT_TABLE) {
		printf("%zu of %zu decisions agree (%zu events, %zu actions, "
		       "%zu segment%s)\n", replay->agreeing, replay->decisions,
		       replay->events, replay->actions, replay->segments,
		       replay->segments == 1 ? "" : "s");
		if (replay->not_taken > 0)
			printf("%zu events were rejected by the library\n",
			       replay->not_taken);
	} else if (format == LXFW_FORMAT_JSON) {
		printf("{");
		for (int i = 0; i < count; i++)
			printf("%s\n  \"%s\": %zu", i ? "," : "", keys[i],
			       values[i]);
		printf("\n}\n");
	} else {
		for (int i = 0; i < count; i++)
			printf("%s%s", keys[i], i + 1 < count ? "," : "\n");
		for (int i = 0; i < count; i++)
			printf("%zu%s", values[i], i + 1 < count ? "," : "\n");
	}
}

static int replay_files(const struct lxfw_journals *journals, size_t show,
			const struct lxfw_script *script, enum lxfw_format format)
{
	struct differences differences = {
		.show = format == LXFW_FORMAT_TABLE ? show : 0,
	};
	const struct lxfw_replayer_hooks hooks = {
		.context = &differences, .differs = show_difference,
	};
	struct lxfw_replayer replay = {
		.hooks = &hooks, .script = script, .until = LXFW_NEVER,
	};
	struct lxfw_error error;
	int status = LXFW_EXIT_DONE;

	for (size_t i = 0; i < journals->count && status == LXFW_EXIT_DONE; i++) {
		if (lxfw_replayer_file(&replay, journals->paths[i], &error))
			status = lxfw_replayer_bad(&replay, &error);
	}
	if (status == LXFW_EXIT_DONE) {
		print_result(&replay, format);
		if (replay.agreeing < replay.decisions)
			status = LXFW_EXIT_NO;
		status = lxfw_cmd_finish(status);
	}
	lxfw_replayer_clear(&replay);
	return status;
}

/* Determines the error of a simulation with the recorded parameters. Smaller effects
   of other parameters are not significant. */
static int check_fidelity(struct lxfw_recorded *recorded,
			  const struct lxfw_overhead *overhead,
			  struct lxfw_verdict *verdict, char *text,
			  size_t size, struct lxfw_error *error)
{
	double measured = 0, simulated = 0, jobs = 0;

	if (lxfw_compare_judge(recorded, NULL, overhead, verdict, error))
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (job->start == LXFW_UNKNOWN || job->simulated == LXFW_UNKNOWN)
			continue;
		measured += (double)(job->start - job->request.submit);
		simulated += (double)(job->simulated - job->request.submit);
		jobs++;
	}
	jobs = jobs > 0 ? jobs : 1;
	snprintf(text, size, "other parameters; with the recorded parameters "
		 "the simulated mean wait is %.1f s, the recorded mean wait "
		 "%.1f s",
		 simulated / jobs, measured / jobs);
	return 0;
}

/* Simulates other parameters. PATH and its rotated files are the journal. */
static int with_params(const struct lxfw_journals *journals, const char *path,
		       const char *text, enum lxfw_cancelled cancelled,
		       enum lxfw_format format)
{
	struct lxfw_recorded recorded;
	struct lxfw_error error;
	struct lxfw_overhead none = { .start_given = true };
	struct lxfw_verdict verdict;
	struct lxfw_comparison comparison = { .recorded = &recorded,
					      .verdict = &verdict, .copies = -1 };
	int status = LXFW_EXIT_BAD;
	char assumed[160];

	if (lxfw_recorded_from_journal(&recorded, journals->paths,
				       journals->count, &error))
		return lxfw_cmd_bad(&error);
	recorded.cancelled = cancelled;
	lxfw_compare_note_cancelled(path, &recorded);
	comparison.params = recorded.params;
	if (!recorded.has_params)
		lxfw_params_default(&comparison.params);
	comparison.overhead = none;
	comparison.assumed = assumed;
	if (lxfw_cmd_params(&comparison.params, NULL, text))
		goto done;
	if (check_fidelity(&recorded, &none, &verdict, assumed, sizeof(assumed),
			   &error))
		lxfw_cmd_note("%s: %s", path, error.text);
	else
		status = lxfw_compare(&comparison, path, true, format, NULL);
done:
	lxfw_recorded_clear(&recorded);
	return status;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	enum lxfw_format format = LXFW_FORMAT_TABLE;
	const char *params = NULL, *file = NULL;
	struct lxfw_script *script = NULL;
	struct lxfw_journals journals;
	struct lxfw_error error;
	enum lxfw_cancelled cancelled = LXFW_CANCELLED_LEAVE_OUT;
	bool alone = false, told = false;
	int64_t show = 5;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		status = lxfw_cmd_format(command, option, &format);
		if (status < 0)
			return LXFW_EXIT_BAD;
		if (status > 0)
			continue;
		if (option == PARAMS) {
			params = optarg;
		} else if (option == POLICY_FILE) {
			file = optarg;
		} else if (option == ALONE) {
			alone = true;
		} else if (option == CANCELLED) {
			told = true;
			if (lxfw_compare_cancelled(command, optarg, &cancelled))
				return LXFW_EXIT_BAD;
		} else if (lxfw_text_integer(optarg, strlen(optarg), 0,
					     1000000, &show)) {
			return lxfw_cmd_misuse(command, "--show '%.40s', "
				"expected a number from 0 to 1000000", optarg);
		}
	}
	if (argc == optind)
		return lxfw_cmd_misuse(command, "0 files given, expected a "
				       "JOURNAL");
	if (told && !params)
		return lxfw_cmd_misuse(command, "--cancelled without --params");
	if (file && params)
		return lxfw_cmd_misuse(command, "--policy-file with --params, expected "
				       "one of them");
	if (file) {
		script = lxfw_script_load(file, &error);
		if (!script)
			return lxfw_cmd_bad(&error);
	}
	status = LXFW_EXIT_BAD;
	if (lxfw_journals_find(&journals, argv + optind, argc - optind, alone))
		;
	else if (params)
		status = with_params(&journals, argv[optind], params, cancelled,
				     format);
	else
		status = replay_files(&journals, (size_t)show, script, format);
	lxfw_journals_clear(&journals);
	lxfw_script_free(script);
	return status;
}

const struct lxfw_command lxfw_command_replay = {
	.name = "replay",
	.arguments = "JOURNAL...",
	.summary = "verify the decisions recorded in a journal",
	.help = help,
	.run = run,
};
