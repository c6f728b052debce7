/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw replay: checks that the library makes the same decisions as recorded. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/sched.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/compare.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/replay_jobs.h"
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

/* The actions of a recorded decision, copied from their records. */
struct recorded {
	struct lxfw_action *actions;
	struct lxfw_share *shares;
	size_t count, size;
	size_t share_count, shares_size;
	int64_t now;
};

struct replay {
	struct lxfw_sched *sched;
	struct recorded recorded;
	struct lxfw_replay_jobs jobs;	/* for restoring the model */
	struct lxfw_job_names names;
	const char *path;
	const struct lxfw_script *script;	/* may be NULL */
	struct lxfw_error refused;	/* why the policy is not available */
	size_t segments, events, not_taken;
	size_t decisions, agreeing, actions;
	size_t show;			/* number of differences still to be printed */
};

static bool same_amount(const struct lxfw_resources *a,
			const struct lxfw_resources *b)
{
	bool same = a->procs == b->procs && a->memory_mb == b->memory_mb;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		same &= a->extras[i] == b->extras[i];
	return same;
}

static bool same_action(const struct lxfw_action *a, const struct lxfw_action *b)
{
	if (a->type != b->type || a->job != b->job || a->start != b->start ||
	    a->until != b->until || a->limit != b->limit ||
	    a->host_set != b->host_set || a->count != b->count)
		return false;
	for (int32_t i = 0; i < a->count; i++) {
		if (a->shares[i].host != b->shares[i].host ||
		    !same_amount(&a->shares[i].amount, &b->shares[i].amount))
			return false;
	}
	return true;
}

static void describe(const struct replay *replay, const char *who,
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

/* Returns the index of the first action in which two decisions differ, -1 if they
   agree. */
static int first_difference(const struct recorded *recorded,
			    const struct lxfw_decision *ours)
{
	size_t both = recorded->count < ours->count ? recorded->count :
						      ours->count;

	for (size_t i = 0; i < both; i++) {
		if (!same_action(&recorded->actions[i], &ours->actions[i]))
			return (int)i;
	}
	return recorded->count == ours->count ? -1 : (int)both;
}

static void show_difference(struct replay *replay,
			    const struct lxfw_decision *ours, int at,
			    int64_t wake)
{
	const struct recorded *recorded = &replay->recorded;

	if (replay->show == 0)
		return;
	replay->show--;
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

static bool concerns(const struct lxfw_action *action, uint64_t job)
{
	return action->job == job && action->type != LXFW_ACTION_RESERVE &&
	       action->type != LXFW_ACTION_UNRESERVE;
}

/* Returns whether both decisions have the same effect on a job, apart from
   reservations. */
static bool same_for_job(const struct recorded *recorded,
			 const struct lxfw_decision *ours, uint64_t job)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < recorded->count &&
		       !concerns(&recorded->actions[i], job))
			i++;
		while (j < ours->count && !concerns(&ours->actions[j], job))
			j++;
		if (i == recorded->count || j == ours->count)
			return i == recorded->count && j == ours->count;
		if (!same_action(&recorded->actions[i], &ours->actions[j]))
			return false;
	}
}

/*
 * Changes the scheduler's model to its state after the recorded decision, so that the
 * next decision can be compared: sends events for each job with a different decision.
 * Some of a scheduler's state has no events, such as that a job runs in a quantum. The
 * decision at the end of the quantum then differs as well.
 */
static int put_right(struct replay *replay, const struct lxfw_decision *ours)
{
	const struct recorded *recorded = &replay->recorded;
	uint64_t *wrong = malloc((ours->count + recorded->count + 1) *
				 sizeof(*wrong));
	size_t count = 0;
	int result = 0;

	if (!wrong)
		return -1;
	/* OURS refers to data of the scheduler, which the first event invalidates */
	for (size_t i = 0; i < ours->count + recorded->count; i++) {
		const struct lxfw_action *action = i < ours->count ?
			&ours->actions[i] : &recorded->actions[i - ours->count];

		if (concerns(action, action->job) &&
		    !same_for_job(recorded, ours, action->job))
			wrong[count++] = action->job;
	}
	for (size_t i = 0; i < count && result == 0; i++)
		result = lxfw_replay_jobs_tell(&replay->jobs, wrong[i],
					       recorded->now, replay->sched);
	free(wrong);
	return result;
}

static int end_decision(struct replay *replay, int64_t wake)
{
	struct recorded *recorded = &replay->recorded;
	struct lxfw_decision ours;
	int at;

	/* the array of shares could move while shares were collected */
	for (size_t i = 0, offset = 0; i < recorded->count; i++) {
		recorded->actions[i].shares = recorded->shares + offset;
		offset += (size_t)recorded->actions[i].count;
	}
	for (size_t i = 0; i < recorded->count; i++) {
		if (lxfw_replay_jobs_action(&replay->jobs,
					    &recorded->actions[i]))
			return -1;
	}
	if (lxfw_sched_decide(replay->sched, recorded->now, &ours)) {
		if (ours.problem)
			lxfw_error_set(&replay->refused, ours.problem);
		return -1;
	}
	replay->decisions++;
	replay->actions += recorded->count;
	at = first_difference(recorded, &ours);
	if (at < 0 && wake == ours.wake) {
		replay->agreeing++;
		return 0;
	}
	show_difference(replay, &ours, at, wake);
	return at < 0 ? 0 : put_right(replay, &ours);
}

static int keep_action(struct replay *replay, const struct lxfw_action *action)
{
	struct recorded *recorded = &replay->recorded;
	struct lxfw_action *actions =
		lxfw_grow(recorded->actions, &recorded->size,
			  recorded->count + 1, sizeof(*actions));
	struct lxfw_share *shares;

	if (!actions)
		return -1;
	recorded->actions = actions;
	if (LXFW_GROW(recorded->shares, recorded->shares_size,
		      recorded->share_count + (size_t)action->count + 1))
		return -1;
	shares = recorded->shares;
	actions[recorded->count++] = *action;
	if (action->count > 0)
		memcpy(shares + recorded->share_count, action->shares,
		       (size_t)action->count * sizeof(*shares));
	recorded->share_count += (size_t)action->count;
	return 0;
}

/* The parameters in a journal identify a policy from a file by its digest. */
static int feed_params(struct replay *replay, const struct lxfw_event *event)
{
	struct lxfw_params params = *event->params;
	struct lxfw_event resolved = *event;

	if (lxfw_script_resolve(replay->script, &params, &replay->refused))
		return -1;
	resolved.params = &params;
	return lxfw_sched_apply(replay->sched, &resolved, NULL);
}

static int feed(struct replay *replay, const struct lxfw_event *event)
{
	int failed;

	replay->events++;
	if (lxfw_replay_jobs_event(&replay->jobs, event))
		return -1;
	failed = event->type == LXFW_EVENT_PARAMS ? feed_params(replay, event) :
		 lxfw_sched_apply(replay->sched, event, NULL);
	if (failed == 0)
		return 0;
	if (errno == ENOMEM || *replay->refused.text)
		return -1;
	/* rejected then as well, or a consequence of an earlier difference */
	replay->not_taken++;
	return 0;
}

static int begin_segment(struct replay *replay)
{
	struct lxfw_params params;

	lxfw_sched_destroy(replay->sched);
	lxfw_replay_jobs_clear(&replay->jobs);
	lxfw_params_default(&params);
	replay->sched = lxfw_sched_create(&params);
	replay->segments++;
	return replay->sched ? 0 : -1;
}

static int take_record(void *context, const struct lxfw_record *record)
{
	struct replay *replay = context;

	if (lxfw_job_names_take(&replay->names, record))
		return -1;
	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		return begin_segment(replay);
	case LXFW_RECORD_EVENT:
		return feed(replay, &record->event);
	case LXFW_RECORD_DECIDE:
		replay->recorded.count = 0;
		replay->recorded.share_count = 0;
		replay->recorded.now = record->now;
		return 0;
	case LXFW_RECORD_ACTION:
		return keep_action(replay, &record->action);
	case LXFW_RECORD_DECIDED:
		return end_decision(replay, record->wake);
	case LXFW_RECORD_NAME:
		break;
	}
	return 0;
}

static int replay_file(struct replay *replay, const char *path,
		       struct lxfw_error *error)
{
	struct lxfw_journal_reach reach;
	int result;

	replay->path = path;
	result = lxfw_journal_read(path, take_record, replay, &reach, error);
	if (result == 0)
		lxfw_journals_note(path, &reach);
	lxfw_sched_destroy(replay->sched);
	replay->sched = NULL;
	return result;
}

static void print_result(const struct replay *replay, enum lxfw_format format)
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

static int bad_journal(const struct replay *replay, const struct lxfw_error *error)
{
	if (!*replay->refused.text)
		return lxfw_cmd_bad(error);
	lxfw_cmd_note("%s: %s", replay->path, replay->refused.text);
	return LXFW_EXIT_BAD;
}

static int replay_files(const struct lxfw_journals *journals, size_t show,
			const struct lxfw_script *script, enum lxfw_format format)
{
	struct replay replay = {
		.show = format == LXFW_FORMAT_TABLE ? show : 0, .script = script,
	};
	struct lxfw_error error;
	int status = LXFW_EXIT_DONE;

	for (size_t i = 0; i < journals->count && status == LXFW_EXIT_DONE; i++) {
		if (replay_file(&replay, journals->paths[i], &error))
			status = bad_journal(&replay, &error);
	}
	if (status == LXFW_EXIT_DONE) {
		print_result(&replay, format);
		if (replay.agreeing < replay.decisions)
			status = LXFW_EXIT_NO;
		status = lxfw_cmd_finish(status);
	}
	lxfw_replay_jobs_clear(&replay.jobs);
	lxfw_job_names_clear(&replay.names);
	free(replay.recorded.actions);
	free(replay.recorded.shares);
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
					      .verdict = &verdict };
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
