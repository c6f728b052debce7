/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw snapshot: the state of a scheduler in a file. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/predict/past.h"
#include "sim-frontend/predict/snapshot_file.h"
#include "sim-frontend/util/letters.h"

/* Number of run times that are written, the last ones. */
#define RAN_MOST 2000

/* Days whose submissions are written: futures of two weeks draw days of LXFW_FUTURE_WEEKS weeks
   before. */
#define PAST_DAYS ((LXFW_FUTURE_WEEKS + 2) * 7)

static const char help[] =
"\n"
"Write the state of a scheduler at the end of a journal, or at a moment in it, or\n"
"without a journal that of the Slurm or PBS that runs, as in 'lxfw predict', to\n"
"a text file: parameters, nodes, host sets (partitions), blocks (reservations of\n"
"Slurm and maintenance), waiting and running jobs with requests and priorities,\n"
"reservations of the scheduler, the run times of the last jobs, and what was\n"
"submitted in the last weeks.\n"
"\n"
"'lxfw simulate --from FILE' simulates the next hours from it, with other\n"
"parameters, with nodes down or with a new reservation. It is also what to attach\n"
"to a report of a bug. A journal has no names of users, accounts, jobs and\n"
"partitions, no licences, and no held or dependent jobs.\n"
"\n"
"Options:\n"
"  --journal JOURNAL   a journal of sched/lxfw (lxfw_journal in SchedulerParameters)\n"
"                      or of 'lxfw simulate'; its rotated files are read too\n"
"  --at TIME           the state at this time, in seconds or as a local date such\n"
"                      as 2026-11-25T10:00:00 (default: the last record)\n"
"  --anonymous         replace names of nodes and numbers of jobs by numbers from 1\n"
"  --past DAYS         write the submissions of the last DAYS days, from which those\n"
"                      of a simulation are drawn (default: 70)\n"
"  --alone             read the given file only, not its rotated files\n"
"  -o, --out FILE      the file to write; - is standard output\n"
"  -h, --help          print this help and exit\n"
"  --version           print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw snapshot -o now.snapshot\n"
"  lxfw snapshot --journal /var/log/slurm/lxfw.journal -o now.snapshot\n"
"  lxfw simulate --from now.snapshot --params lxfw_reservations=4 --down n17\n"
"\n"
"Exit status: 0 success; 2 invalid usage or input.\n";

enum { JOURNAL = LXFW_OPTION_FIRST, AT, ANONYMOUS, ALONE, PAST };

static const struct option options[] = {
	{ "journal", required_argument, NULL, JOURNAL },
	{ "at", required_argument, NULL, AT },
	{ "anonymous", no_argument, NULL, ANONYMOUS },
	{ "alone", no_argument, NULL, ALONE },
	{ "past", required_argument, NULL, PAST },
	{ "out", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct task {
	const char *journal, *out;
	int64_t at;
	int64_t days;		/* of submissions that are written */
	bool anonymous, alone;
	struct lxfw_replayer replay;
	struct lxfw_past past;
	struct lxfw_snapshot_file file;
	char **host_names;	/* by index */
	size_t host_names_size;
};

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- the journal -------------------------------------------------------------------- */

static int see_segment(void *context)
{
	struct task *task = context;

	lxfw_past_segment(&task->past);
	return 0;
}

/* A name is one word in the file. */
static char *word_of(const char *name)
{
	char *word = strdup(name ? name : "");

	for (char *at = word; word && *at;) {
		size_t letter = lxfw_letter(at, strlen(at));

		if (letter == 0 || *at == ' ')
			*at = '?';
		at += letter > 0 ? letter : 1;
	}
	return word;
}

static int keep_host_name(struct task *task, const struct lxfw_event *event)
{
	size_t index = (size_t)event->host.index, before = task->host_names_size;

	if (event->host.index < 0 || index >= 1 << 20)
		return 0;
	if (LXFW_GROW(task->host_names, task->host_names_size, index + 1))
		return -1;
	for (size_t i = before; i < task->host_names_size; i++)
		task->host_names[i] = NULL;
	free(task->host_names[index]);
	task->host_names[index] = word_of(event->host.name);
	return task->host_names[index] ? 0 : -1;
}

/* The run time of a job that ends. */
static int keep_run_time(struct task *task, int32_t index)
{
	const struct lxfw_past_job *job = index < 0 ? NULL : &task->past.jobs[index];
	struct lxfw_snapshot_file *file = &task->file;
	struct lxfw_traits traits;

	if (!job || job->ran <= 0)
		return 0;
	if (LXFW_GROW(file->ran, file->ran_size, file->ran_count + 1))
		return -1;
	lxfw_past_traits(&job->request, &traits);
	file->ran[file->ran_count++] = (struct lxfw_snapshot_ran) {
		traits.partition, traits.limit, traits.procs, job->ran,
	};
	return 0;
}

static int see_event(void *context, struct lxfw_replayer *replay,
		     const struct lxfw_event *event)
{
	struct task *task = context;
	int32_t index = -1;

	(void)replay;
	if (event->type == LXFW_EVENT_HOST && keep_host_name(task, event))
		return -1;
	if (event->type == LXFW_EVENT_JOB_END)
		index = lxfw_id_map_get(&task->past.by_id, event->end.id);
	return lxfw_past_event(&task->past, event) ? -1 : keep_run_time(task, index);
}

static int see_decision(void *context, struct lxfw_replayer *replay)
{
	struct task *task = context;

	for (size_t i = 0; i < replay->recorded.count; i++)
		lxfw_past_action(&task->past, &replay->recorded.actions[i],
				 replay->recorded.now);
	return 0;
}

/* Returns 0, or an exit status after a message. */
static int load_state(struct task *task)
{
	char *paths[] = { (char *)task->journal };
	struct lxfw_replayer *replay = &task->replay;
	struct lxfw_journals journals;
	struct lxfw_error error;
	int status = lxfw_journals_find(&journals, paths, 1, task->alone) ? LXFW_EXIT_BAD : 0;

	for (size_t i = 0; i < journals.count && status == 0 && !replay->over; i++) {
		if (lxfw_replayer_file(replay, journals.paths[i], &error))
			status = lxfw_replayer_bad(replay, &error);
	}
	lxfw_journals_clear(&journals);
	if (status == 0 && (!replay->sched || replay->events == 0)) {
		lxfw_cmd_note("%s: no events%s, expected a journal of sched/lxfw or of 'lxfw "
			      "simulate'", task->journal, replay->over ? " until --at" : "");
		return LXFW_EXIT_BAD;
	}
	if (status == 0 && replay->agreeing < replay->decisions)
		lxfw_cmd_note("%s: %zu of %zu decisions are repeated differently than "
			      "recorded: reservations may differ", task->journal,
			      replay->decisions - replay->agreeing, replay->decisions);
	return status;
}

/* --- the snapshot -------------------------------------------------------------------- */

static int name_hosts(struct task *task)
{
	struct lxfw_snapshot_file *file = &task->file;

	file->host_names = calloc(file->state.host_count + 1, sizeof(*file->host_names));
	for (size_t i = 0; i < task->host_names_size && i < file->state.host_count &&
	     file->host_names; i++) {
		file->host_names[i] = task->host_names[i];
		task->host_names[i] = NULL;
	}
	return file->host_names ? 0 : -1;
}

static int name_jobs(struct task *task)
{
	struct lxfw_snapshot_file *file = &task->file;
	char name[64];

	file->job_names = calloc(file->state.job_count + 1, sizeof(*file->job_names));
	if (!file->job_names)
		return -1;
	for (size_t i = 0; i < file->state.job_count; i++) {
		lxfw_job_names_text(&task->replay.names, file->state.jobs[i].request.id,
				    name, sizeof(name));
		file->job_names[i] = word_of(name);
		if (!file->job_names[i])
			return -1;
	}
	return 0;
}

static void keep_last_run_times(struct lxfw_snapshot_file *file)
{
	size_t more = file->ran_count > RAN_MOST ? file->ran_count - RAN_MOST : 0;

	if (more == 0)
		return;
	memmove(file->ran, file->ran + more, RAN_MOST * sizeof(*file->ran));
	file->ran_count = RAN_MOST;
}

/* Whether a scheduler with the host sets of the snapshot can take the request. Partitions may
   have been removed since. */
static bool has_sets(const struct lxfw_snapshot *state, const struct lxfw_request *request)
{
	for (int i = 0; i < request->host_set_count; i++) {
		if ((size_t)request->host_sets[i] >= state->set_count)
			return false;
	}
	for (int i = 0; i < request->pool_count; i++) {
		if ((size_t)request->pools[i].pool >= state->host_count)
			return false;
	}
	return request->more_sets == 0 ||
	       (size_t)request->host_sets[request->host_set_count - 1] +
	       (size_t)request->more_sets < state->set_count;
}

static int keep_submissions(struct task *task)
{
	const struct lxfw_past *past = &task->past;
	struct lxfw_snapshot_file *file = &task->file;
	int64_t from = file->state.now - task->days * 86400, last = INT64_MIN;

	for (size_t i = 0; i < past->submit_count; i++) {
		const struct lxfw_past_job *job = &past->jobs[past->submitted[i]];
		struct lxfw_snapshot_submitted *to;

		if (past->submits[i] <= from || past->submits[i] < last ||
		    !has_sets(&file->state, &job->request))
			continue;
		if (LXFW_GROW(file->submitted, file->submitted_size, file->submitted_count + 1))
			return -1;
		last = past->submits[i];
		to = &file->submitted[file->submitted_count++];
		*to = (struct lxfw_snapshot_submitted) {
			.request = job->request, .priority = job->priority,
			.delay = job->delay, .seconds = job->ran > 0 ? job->ran : 0,
		};
		to->request.submit = last;
		to->request.id = to->request.group = 0;
		to->request.group_count = 0;
	}
	return 0;
}

static int make(struct task *task)
{
	struct lxfw_snapshot_file *file = &task->file;

	lxfw_replayer_note_trial(&task->replay);
	if (lxfw_replayer_end_trial(&task->replay) ||
	    lxfw_snapshot_take(&file->state, task->replay.sched))
		return -1;
	file->state.wake = task->replay.wake > file->state.now ? task->replay.wake :
								 file->state.now;
	if (name_hosts(task) || name_jobs(task) || keep_submissions(task))
		return -1;
	keep_last_run_times(file);
	return task->anonymous ? lxfw_snapshot_anonymize(file) : 0;
}

/* What the file has, for the user. */
static void note_contents(const struct task *task)
{
	const struct lxfw_snapshot *state = &task->file.state;
	size_t waiting = 0;
	const char *lost;

	for (size_t i = 0; i < state->job_count; i++)
		waiting += state->jobs[i].state < LXFW_SNAPSHOT_RUNNING;
	lxfw_cmd_note("%s: state at %lld with %zu nodes, %zu jobs waiting and %zu running, "
		      "%zu reservations, %zu run times, %zu submissions", task->out,
		      (long long)state->now,
		      state->host_count, waiting, state->job_count - waiting,
		      state->reservation_count, task->file.ran_count,
		      task->file.submitted_count);
	for (int i = 0; (lost = lxfw_snapshot_lost(state, i)); i++)
		lxfw_cmd_note("a simulation from this state does not have: %s", lost);
}

static int carry_out(struct task *task)
{
	struct lxfw_error error;
	int status = load_state(task);

	if (status)
		return status;
	if (make(task))
		return out_of_memory();
	if (lxfw_snapshot_write(&task->file, task->out, &error))
		return lxfw_cmd_bad(&error);
	note_contents(task);
	return LXFW_EXIT_DONE;
}

/* --- options ------------------------------------------------------------------------- */

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option, struct task *task)
{
	switch (option) {
	case JOURNAL:
		task->journal = optarg;
		return 0;
	case AT:
		return lxfw_cmd_time(command, "at", optarg, &task->at);
	case ANONYMOUS:
		task->anonymous = true;
		return 0;
	case PAST:
		return lxfw_cmd_integer(command, "past", optarg, 0, 3660, &task->days);
	case ALONE:
		task->alone = true;
		return 0;
	default:
		task->out = optarg;
		return 0;
	}
}

/* Without a journal, the look that the site publishes, or that of what runs. Returns 0, or -1 after a message. */
static int find_present(struct task *task)
{
	struct lxfw_error error;

	if (task->at == LXFW_NEVER)
		task->journal = lxfw_now_published(NULL, 0, false);
	if (task->at == LXFW_NEVER && !task->journal)
		task->journal = lxfw_now_journal(LXFW_NOW_ANY, &error);
	if (task->at == LXFW_NEVER && !task->journal)
		task->journal = lxfw_now_published(NULL, 0, true);
	if (task->journal)
		return 0;
	if (task->at != LXFW_NEVER)
		lxfw_cmd_note("--at without a journal, expected --journal JOURNAL");
	else
		lxfw_cmd_note("no journal, expected --journal JOURNAL, or a Slurm or PBS that "
			      "answers: %s",
			      error.text);
	return -1;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	struct task task = { .at = LXFW_NEVER, .days = PAST_DAYS };
	const struct lxfw_replayer_hooks hooks = {
		.context = &task, .segment = see_segment, .event = see_event,
		.decision = see_decision,
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "ho:", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (take_option(command, option, &task))
			return LXFW_EXIT_BAD;
	}
	if (argc > optind)
		return lxfw_cmd_misuse(command, "'%.40s' given, expected options only",
				       argv[optind]);
	if (!task.out)
		return lxfw_cmd_misuse(command, "no file to write, expected -o FILE");
	if (!task.journal && find_present(&task))
		return LXFW_EXIT_BAD;
	if (lxfw_cmd_files_apart(command, (const struct lxfw_cmd_file[]) {
			{ "out", task.out, true }, { "journal", task.journal, false },
		}, 2, NULL, 0))
		return LXFW_EXIT_BAD;
	task.replay.hooks = &hooks;
	task.replay.until = task.at;
	status = carry_out(&task);
	for (size_t i = 0; i < task.host_names_size; i++)
		free(task.host_names[i]);
	free(task.host_names);
	lxfw_past_clear(&task.past);
	lxfw_snapshot_file_clear(&task.file);
	lxfw_replayer_clear(&task.replay);
	return status;
}

const struct lxfw_command lxfw_command_snapshot = {
	.name = "snapshot",
	.arguments = "[--journal JOURNAL] -o FILE",
	.summary = "write the state of a scheduler to a file",
	.help = help,
	.run = run,
};
