/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --journal: when waiting jobs start, and jobs that might be submitted. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/explain.h"
#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/predict/corrections_file.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/report/expected.h"

#define FUTURES 50

/* A future does not look farther than this, seconds. */
#define HORIZON (INT64_C(14) * 86400)

struct task {
	const struct lxfw_command *command;
	const struct lxfw_predict_arguments *arguments;
	struct lxfw_replayer replay;
	struct lxfw_past past;
	struct lxfw_known_hosts hosts;
	struct lxfw_owners owners;
	struct lxfw_live live;
	struct lxfw_queued *queue;	/* the waiting jobs, by priority */
	size_t waiting;
	struct lxfw_expected *jobs;	/* first the waiting ones */
	size_t count, size, watched;
};

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- the state -------------------------------------------------------------------- */

static int see_segment(void *context)
{
	struct task *task = context;

	lxfw_past_segment(&task->past);
	lxfw_known_hosts_clear(&task->hosts);
	return 0;
}

static int see_event(void *context, struct lxfw_replayer *replay,
		     const struct lxfw_event *event)
{
	struct task *task = context;

	(void)replay;
	if (lxfw_known_hosts_see(&task->hosts, event))
		return -1;
	return lxfw_past_event(&task->past, event);
}

static int see_decision(void *context, struct lxfw_replayer *replay)
{
	struct task *task = context;

	for (size_t i = 0; i < replay->recorded.count; i++)
		lxfw_past_action(&task->past, &replay->recorded.actions[i],
				 replay->recorded.now);
	return 0;
}

/* Returns 0, or -1 after a message. */
static int check_state(const struct task *task)
{
	const struct lxfw_replayer *replay = &task->replay;
	const struct lxfw_params *params;
	const char *path = task->arguments->journal;

	if (!replay->sched || replay->events == 0) {
		lxfw_cmd_note("%s: no events%s, expected a journal of sched/lxfw or of 'lxfw "
			      "simulate'", path, replay->over ? " until --at" : "");
		return -1;
	}
	params = lxfw_sched_params(replay->sched);
	if (params->shadow == LXFW_SHADOW_ON) {
		lxfw_cmd_note("%s: another scheduler starts the jobs (lxfw_shadow=on), "
			      "expected a journal of jobs that this one starts", path);
		return -1;
	}
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) ||
	    lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE) ||
	    lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS)) {
		lxfw_cmd_note("%s: its policy %s suspends, requeues or resizes jobs, which the "
			      "futures do not model; expected a journal of another policy",
			      path, lxfw_policy_name(params->policy));
		return -1;
	}
	if (lxfw_params_serve(params))
		lxfw_cmd_note("%s: immediate service is not modelled: expected starts are "
			      "those without quanta", path);
	return 0;
}

/* Returns 0, or an exit status after a message. */
static int load_state(struct task *task)
{
	char *paths[] = { (char *)task->arguments->journal };
	struct lxfw_journals journals;
	struct lxfw_error error;
	int status = lxfw_journals_find(&journals, paths, 1, task->arguments->alone) ?
		     LXFW_EXIT_BAD : 0;

	for (size_t i = 0; i < journals.count && status == 0 && !task->replay.over; i++) {
		if (lxfw_replayer_file(&task->replay, journals.paths[i], &error))
			status = lxfw_replayer_bad(&task->replay, &error);
	}
	lxfw_journals_clear(&journals);
	return status == 0 && check_state(task) ? LXFW_EXIT_BAD : status;
}

/* --- jobs ------------------------------------------------------------------------- */

static struct lxfw_expected *add(struct task *task)
{
	if (LXFW_GROW(task->jobs, task->size, task->count + 1))
		return NULL;
	task->jobs[task->count] = (struct lxfw_expected) { .alternative_to = -1 };
	return &task->jobs[task->count++];
}

static int add_waiting(struct task *task, uint64_t id)
{
	struct lxfw_expected *job = add(task);

	if (!job)
		return out_of_memory();
	if (!lxfw_live_request(task->replay.sched, id, &job->request))
		task->count--;
	return 0;
}

/* Adds the waiting jobs that an argument names. */
static int add_named(struct task *task, const char *argument)
{
	uint64_t wanted;
	int64_t which;
	size_t before = task->count;

	if (lxfw_cmd_job(task->command, argument, &wanted, &which))
		return LXFW_EXIT_BAD;
	for (size_t i = 0; i < task->waiting; i++) {
		if (lxfw_job_names_match(&task->replay.names, task->queue[i].job, wanted,
					 which) && add_waiting(task, task->queue[i].job))
			return LXFW_EXIT_BAD;
	}
	if (task->count > before)
		return 0;
	lxfw_cmd_note("%s: job %s does not wait at the time of the state; see 'lxfw why' "
		      "for its history. A journal of another cluster does not contain it",
		      task->arguments->journal, argument);
	return LXFW_EXIT_NO;
}

static int choose_waiting(struct task *task, char **names, int count)
{
	int32_t waiting = lxfw_sched_queue(task->replay.sched, task->live.now, &task->queue);
	int status = 0;

	if (waiting < 0)
		return out_of_memory();
	task->waiting = (size_t)waiting;
	for (int i = 0; i < count && status == 0; i++)
		status = add_named(task, names[i]);
	/* All of them, unless only requests are of interest. */
	for (size_t i = 0; i < task->waiting && count == 0 && status == 0 &&
	     task->arguments->request_count == 0 && (task->arguments->tell ||
	     !task->arguments->starts_out); i++)
		status = add_waiting(task, task->queue[i].job);
	task->watched = task->count;
	return status;
}

/* --- requests --------------------------------------------------------------------- */

/* Adds a job that might be submitted. Returns 0, or an exit status after a message. An
   alternative that is invalid or fits nowhere is left out. */
static int add_request(struct task *task, const struct lxfw_request_text *text, int base)
{
	const struct lxfw_share *shares;
	struct lxfw_live_machine machine;
	struct lxfw_expected *job = add(task);
	struct lxfw_error error;
	int32_t found;
	int64_t start;

	if (!job)
		return out_of_memory();
	lxfw_live_machine(task->replay.sched, &machine);
	job->alternative_to = base;
	lxfw_request_format(text, job->text, sizeof(job->text));
	if (lxfw_request_make(text, &job->request, &error)) {
		task->count--;
		return base >= 0 ? 0 : lxfw_cmd_bad(&error);
	}
	job->request.submit = task->live.now;
	found = lxfw_sched_forecast(task->replay.sched, &job->request, &start, &shares);
	if (found > 0)
		return 0;
	task->count--;
	if (base >= 0)
		return 0;
	if (found < 0 && errno == ENOMEM)
		return out_of_memory();
	lxfw_cmd_note("request '%s' fits nowhere, even if no job runs: the machine has %lld "
		      "processors on %d hosts, in %d host sets; expected fewer processors, "
		      "less memory or another host set", job->text,
		      (long long)machine.procs, machine.hosts, machine.host_sets);
	return LXFW_EXIT_BAD;
}

/* Half and a quarter of the processors; three quarters, half and a quarter of the limit. */
static int add_alternatives(struct task *task, const struct lxfw_request_text *text, int base)
{
	int status = 0;

	for (int part = 2; part <= 4 && status == 0; part *= 2) {
		struct lxfw_request_text fewer = *text;

		fewer.tasks /= part;
		fewer.nodes /= part;
		if (text->tasks % part == 0 && text->nodes % part == 0)
			status = add_request(task, &fewer, base);
	}
	for (int quarters = 3; quarters > 0 && status == 0; quarters--) {
		struct lxfw_request_text shorter = *text;

		shorter.limit = text->limit * quarters / 4 / 60 * 60;
		if (shorter.limit > 0)
			status = add_request(task, &shorter, base);
	}
	return status;
}

static int add_requests(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	int status = 0;

	for (size_t i = 0; i < arguments->request_count && status == 0; i++) {
		struct lxfw_request_text text;
		struct lxfw_error error;
		int base = (int)task->count;

		if (lxfw_request_parse(&text, arguments->requests[i], &error))
			return lxfw_cmd_bad(&error);
		status = add_request(task, &text, -1);
		if (status == 0)
			status = add_alternatives(task, &text, base);
	}
	return status;
}

/* --- predictions ------------------------------------------------------------------ */

static int predict(struct task *task)
{
	struct lxfw_error error;
	int failed = 0;

	if (task->watched > 0)
		failed = lxfw_live_waiting(&task->live, task->jobs, task->watched, &error);
	for (size_t i = task->watched; i < task->count && !failed; i++)
		failed = lxfw_live_request_start(&task->live, &task->jobs[i], &error);
	return failed ? lxfw_cmd_bad(&error) : 0;
}

static int print(const struct task *task)
{
	struct lxfw_expected_table table = {
		.live = &task->live, .names = &task->replay.names, .jobs = task->jobs,
		.count = task->count, .waiting = task->waiting,
		.dates = task->arguments->dates,
	};

	lxfw_live_machine(task->replay.sched, &table.machine);
	if (task->arguments->format == LXFW_FORMAT_TABLE)
		lxfw_expected_text(&table, stdout);
	else if (lxfw_expected_json(&table, task->arguments->format, stdout))
		return out_of_memory();
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

/* A journal to which nothing was added for this time is not that of a running controller
   with waiting jobs, seconds. */
#define OUTDATED 86400

/* --at is the moment, unless the journal ends before; for --tell it is the present.
   Returns 0, or -1 after a message. */
static int set_moment(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	struct lxfw_live_machine machine;
	int64_t now = (int64_t)time(NULL);

	lxfw_live_machine(task->replay.sched, &machine);
	task->live.sched = task->replay.sched;
	task->live.now = task->replay.over ? arguments->at : machine.last;
	if (!arguments->tell && !arguments->starts_out)
		return 0;
	if (machine.last < now - OUTDATED || machine.last > now + OUTDATED) {
		lxfw_cmd_note("%s: the last record is more than a day %s, expected the "
			      "journal of the running controller", arguments->journal,
			      machine.last < now ? "old" : "in the future");
		return -1;
	}
	if (task->live.now < now)
		task->live.now = now;
	return 0;
}

/* Experience from elsewhere than the journal, and the users whose jobs wait and run.
   Returns 0, or an exit status after a message. */
static int find_experience(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	struct lxfw_error error;

	if (arguments->owners) {
		if (lxfw_owners_read(&task->owners, &error))
			return lxfw_cmd_bad(&error);
		task->past.owners = &task->owners;
	}
	if (!arguments->history && arguments->learn_count == 0)
		return 0;
	return lxfw_predict_history(arguments, &task->past, task->live.now);
}

/* Where the predictions go. */
static int hand_out(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	int status = LXFW_EXIT_DONE;

	if (!arguments->tell && !arguments->starts_out)
		return print(task);
	if (arguments->tell)
		status = lxfw_predict_tell(arguments, &task->live, task->jobs, task->count);
	if (status == LXFW_EXIT_DONE && arguments->starts_out)
		status = lxfw_predict_starts(arguments, &task->live, task->replay.sched,
					     &task->hosts);
	return status;
}

static int carry_out(struct task *task, char **names, int count)
{
	struct lxfw_error error;
	int status;

	if (task->arguments->calibration &&
	    lxfw_corrections_read(&task->live.corrections, task->arguments->calibration,
				  &error))
		return lxfw_cmd_bad(&error);
	status = load_state(task);
	if (status == 0 && set_moment(task))
		status = LXFW_EXIT_BAD;
	if (status == 0)
		status = find_experience(task);
	if (status == 0)
		status = choose_waiting(task, names, count);
	if (status == 0)
		status = add_requests(task);
	if (status == 0)
		status = predict(task);
	if (status == 0)
		status = hand_out(task);
	return status;
}

int lxfw_predict_live(const struct lxfw_command *command,
		      const struct lxfw_predict_arguments *arguments, char **names, int count)
{
	struct task task = {
		.command = command, .arguments = arguments,
		.replay.until = arguments->at,
		.live = {
			.past = &task.past, .seed = (uint64_t)arguments->seed,
			.futures = arguments->futures ? (int)arguments->futures : FUTURES,
			.threads = (int)arguments->threads, .horizon = HORIZON,
			.before = arguments->before,
		},
	};
	const struct lxfw_replayer_hooks hooks = {
		.context = &task, .segment = see_segment, .event = see_event, .decision = see_decision,
	};
	int status;

	task.replay.hooks = &hooks;
	status = carry_out(&task, names, count);
	free(task.queue);
	free(task.jobs);
	lxfw_known_hosts_clear(&task.hosts);
	lxfw_owners_clear(&task.owners);
	lxfw_past_clear(&task.past);
	lxfw_replayer_clear(&task.replay);
	return status;
}
