/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw predict --journal: when waiting jobs start, and jobs that might be submitted. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/explain.h"
#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/cmd/now_request.h"
#include "sim-frontend/cmd/skipped_over.h"
#include "sim-frontend/cmd/predict.h"
#include "sim-frontend/cmd/predict_after.h"
#include "sim-frontend/cmd/predict_extent.h"
#include "sim-frontend/cmd/predict_licenses.h"
#include "sim-frontend/cmd/predict_past.h"
#include "sim-frontend/cmd/predict_publish.h"
#include "sim-frontend/cmd/site_new.h"
#include "sim-frontend/predict/array_rest.h"
#include "sim-frontend/predict/elsewhere.h"
#include "sim-frontend/predict/promises_file.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/report/expected.h"

/* Moments of this time until the state teach, seconds. */
#define PAST (INT64_C(90) * 86400)

/* Processor time, estimated, beyond which there are fewer moments that teach; seconds. */
#define LEARN_BUDGET 5.0

/* With fewer run times the predictions are like those of a look. */
#define KNOWN_LEAST 50

/* Waiting jobs per moment that teach. */
#define LEARNED 40

struct task {
	const struct lxfw_command *command;
	const struct lxfw_predict_arguments *arguments;
	struct lxfw_predict_past from;
	struct lxfw_owners owners;
	struct lxfw_live live;
	struct lxfw_queued *queue;	/* the waiting jobs, by priority */
	size_t waiting;
	struct lxfw_expected *jobs;	/* first the waiting ones */
	size_t count, size, watched;
	struct lxfw_records *records;	/* of --publish, or NULL */
	struct lxfw_listed listed;	/* for a publication */
	bool is_listed;
	struct lxfw_skipped_over over;
	struct lxfw_predict_extent extent;
};

static void show_progress(size_t done, size_t all)
{
	lxfw_cmd_progress_left("learning", "moments", done, all, 0);
}

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

/* --- the state -------------------------------------------------------------------- */

/* What messages begin with. The file of a look is of no interest. */
static const char *source(const struct task *task)
{
	return lxfw_now_name() ? lxfw_now_name() : task->arguments->journal;
}

/* Returns 0, or -1 after a message. */
static int check_state(const struct task *task)
{
	const struct lxfw_replayer *replay = &task->from.replay;
	const struct lxfw_params *params;
	const char *path = source(task);

	if (!replay->sched || replay->events == 0) {
		lxfw_cmd_note("%s: no events%s, expected a journal of sched/lxfw or of 'lxfw "
			      "simulate'", path, replay->over ? " until --at" : "");
		return -1;
	}
	params = lxfw_sched_params(replay->sched);
	if (params->shadow == LXFW_SHADOW_ON && !lxfw_params_site(params)) {
		lxfw_cmd_note("%s: another scheduler starts the jobs (lxfw_shadow=on), "
			      "expected a journal of jobs that this one starts, or of a trial "
			      "that follows the workload manager's own priorities", path);
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

/* With thousands of waiting jobs on thousands of hosts, futures with many reservations would take
   minutes. Returns 0, or an exit status after a message. */
static int limit_reservations(struct task *task)
{
	const struct lxfw_predict_extent *extent = &task->extent;
	int limited = lxfw_predict_extent_plan(&task->extent, task->from.replay.sched);

	if (limited < 0)
		return out_of_memory();
	if (limited > 0)
		lxfw_cmd_note("%s: of %lld waiting jobs on %d hosts, the first %d have reservations "
			      "in the futures", source(task), (long long)extent->waiting,
			      (int)extent->hosts, (int)extent->reserved);
	return 0;
}

/* The number of past moments to compute: none if what was published teaches enough. Returns 0, or an
   exit status after a message. */
static int count_moments(const struct task *task, size_t *count)
{
	bool enough = false;

	if (!task->arguments->moments_given &&
	    lxfw_predict_teaches(task->records, &enough))
		return LXFW_EXIT_BAD;
	*count = enough ? 0 : (size_t)task->arguments->moments;
	return 0;
}

/* Past moments teach how intervals are to be corrected. Their number is that of --moments unless
   many jobs wait. */
static int load_state(struct task *task)
{
	struct lxfw_predict_plan plan = {
		.last = PAST, .begin = 0.05,
		.budget = task->arguments->moments_given ? INFINITY : LEARN_BUDGET,
	};
	int status = count_moments(task, &plan.count);

	if (status == 0)
		status = lxfw_predict_find(&task->from, &plan);

	if (status == 0)
		status = lxfw_predict_read(&task->from);
	lxfw_cmd_progress_end();
	if (status || check_state(task))
		return status ? status : LXFW_EXIT_BAD;
	task->from.trial = lxfw_sched_params(task->from.replay.sched)->shadow == LXFW_SHADOW_ON;
	if (task->from.trial && task->from.replay.names.count == 0)
		task->live.array_tasks = LXFW_ARRAY_TASKS;
	if (lxfw_replayer_end_trial(&task->from.replay))
		return out_of_memory();
	return limit_reservations(task);
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
	if (!lxfw_live_request(task->from.replay.sched, id, &job->request))
		task->count--;
	return 0;
}

/* Whether a job of the workload manager is a task of array WANTED. */
static bool is_task(const struct task *task, uint64_t job, uint64_t wanted)
{
	return task->from.replay.names.count == 0 && wanted <= UINT32_MAX && job > UINT32_MAX &&
	       (job & UINT32_MAX) == wanted;
}

/* Adds the waiting jobs that an argument names. */
static int add_named(struct task *task, char *argument)
{
	uint64_t wanted;
	int64_t which;
	size_t before = task->count;
	enum lxfw_reason kept;
	uint64_t id;

	if (lxfw_cmd_job(task->command, argument, &wanted, &which))
		return LXFW_EXIT_BAD;
	id = wanted;
	for (size_t i = 0; i < task->waiting; i++) {
		if ((lxfw_job_names_match(&task->from.replay.names, task->queue[i].job, wanted,
					  which) || is_task(task, task->queue[i].job, wanted)) &&
		    add_waiting(task, task->queue[i].job))
			return LXFW_EXIT_BAD;
	}
	if (task->count > before)
		return 0;
	kept = lxfw_kept_jobs_find(&task->from.replay.kept, wanted);
	for (size_t i = 0; i < task->from.replay.kept.count && !kept; i++) {
		if (is_task(task, task->from.replay.kept.jobs[i].id, wanted)) {
			id = task->from.replay.kept.jobs[i].id;
			kept = task->from.replay.kept.jobs[i].reason;
		}
	}
	if (kept) {
		const char *said = kept == LXFW_REASON_OTHER ? lxfw_now_said(id) : NULL;

		lxfw_cmd_note("%s: job %s is %s (%s%s): its start is not predicted; see 'lxfw why'",
			      source(task), argument,
			      lxfw_reason_part((int)kept) == LXFW_REASONS_LEFT ?
			      "left to the workload manager" : "not eligible",
			      said ? "Slurm says: " : "", said ? said : lxfw_reason_name((int)kept));
		return LXFW_EXIT_NO;
	}
	/* In the look of a site it may be too new. */
	if (lxfw_now_listed() && lxfw_cmd_are_new(&argument, 1))
		return LXFW_EXIT_NO;
	lxfw_cmd_note(task->arguments->now ? "%s: job %s does not wait" :
		      "%s: job %s does not wait at the time of the state; see 'lxfw why' "
		      "for its history. A journal of another cluster does not contain it",
		      source(task), argument);
	return LXFW_EXIT_NO;
}

/* Of a queue, only the jobs that arguments name are of interest. */
static int leave_others(struct task *task, char **names, int count)
{
	for (size_t i = 0; i < task->count; i++)
		task->jobs[i].left = true;
	for (int k = 0; k < count; k++) {
		uint64_t wanted;
		int64_t which;

		if (lxfw_cmd_job(task->command, names[k], &wanted, &which))
			return LXFW_EXIT_BAD;
		for (size_t i = 0; i < task->count; i++) {
			uint64_t id = task->jobs[i].request.id;

			if (lxfw_job_names_match(&task->from.replay.names, id, wanted, which) ||
			    is_task(task, id, wanted))
				task->jobs[i].left = false;
		}
	}
	return 0;
}

static int choose_waiting(struct task *task, char **names, int count)
{
	bool queue = task->arguments->queue;
	int32_t waiting = lxfw_sched_queue(task->from.replay.sched, task->live.now, &task->queue);
	int status = 0;

	/* The comment of a first component is for all of them. */
	if (waiting < 0 || (!task->arguments->tell &&
			    lxfw_live_components(task->from.replay.sched, &task->queue, &waiting)))
		return out_of_memory();
	task->waiting = (size_t)waiting;
	if (count == 0 && task->from.replay.kept.count > 0 && !task->arguments->queue &&
	    !task->arguments->publish)
		lxfw_cmd_note("%s: not predicted: %zu jobs that are not eligible, %zu that the workload manager is left to start",
			      source(task),
			      lxfw_kept_jobs_count(&task->from.replay.kept, LXFW_REASONS_INELIGIBLE),
			      lxfw_kept_jobs_count(&task->from.replay.kept, LXFW_REASONS_LEFT));
	for (int i = 0; i < count && status == 0 && !queue; i++)
		status = add_named(task, names[i]);
	/* All of them, unless only requests are of interest. */
	for (size_t i = 0; i < task->waiting && (count == 0 || queue) && status == 0 &&
	     task->arguments->request_count == 0 && (task->arguments->tell || task->arguments->publish ||
	     !task->arguments->starts_out); i++)
		status = add_waiting(task, task->queue[i].job);
	if (status == 0 && queue && count > 0)
		status = leave_others(task, names, count);
	task->watched = task->count;
	return status;
}

/* --- requests --------------------------------------------------------------------- */

/* It does not fit, even if no job runs. */
static void refuse_request(const struct task *task, const struct lxfw_request_text *text,
			   const struct lxfw_expected *job)
{
	struct lxfw_live_machine machine;

	lxfw_live_machine(task->from.replay.sched, &machine);
	if (*text->required)
		lxfw_cmd_note("request '%s' does not fit on the nodes that it names, expected fewer "
			      "processors, less memory, or -N with others beside them", job->text);
	else
		lxfw_cmd_note("request '%s' fits nowhere, even if no job runs: the machine has %lld "
			      "processors on %d hosts, in %d host sets; expected fewer processors, "
			      "less memory or another host set", job->text,
			      (long long)machine.procs, machine.hosts, machine.host_sets);
}

/* Adds a job that might be submitted. Returns 0, or an exit status after a message. An
   alternative that is invalid or fits nowhere is left out. */
static int add_request(struct task *task, const struct lxfw_request_text *text, int base)
{
	struct lxfw_expected *job = add(task);
	struct lxfw_error error;
	int32_t found;
	int64_t start;
	bool no_memory;
	int failed;

	if (!job)
		return out_of_memory();
	job->alternative_to = base;
	lxfw_request_format(text, job->text, sizeof(job->text));
	failed = lxfw_request_make(text, &job->request, &error);
	/* Its licenses are those of one part. */
	if (!failed && !lxfw_request_beside(text, &job->request, &job->beside))
		job->beside.count = 0;
	if (failed || lxfw_predict_licenses(text->licenses, &task->from.replay.pools, &job->request,
					    &error)) {
		task->count--;
		return base >= 0 ? 0 : lxfw_cmd_bad(&error);
	}
	job->begin = text->begin;
	if (base >= 0) {
		job->after = task->jobs[base].after;
		job->after_count = task->jobs[base].after_count;
	} else {
		int status = lxfw_predict_after(text, &task->from.replay, job);

		if (status)
			return status;
	}
	if (lxfw_skipped_over_request(&task->over, text, &job->skipped))
		return out_of_memory();
	job->request.submit = task->live.now;
	if (!text->found)
		job->request.tier = lxfw_past_tier(task->live.past);
	found = lxfw_live_forecast(task->from.replay.sched, job, &start);
	/* The end of an advance reservation that repeats for ever (watch/hosts.c). */
	if (found > 0 && start == LXFW_TIME_MAX && base < 0)
		lxfw_cmd_note("request '%s' is longer than the time between two occurrences of an "
			      "advance reservation: it will not start as long as that repeats",
			      job->text);
	if (found > 0)
		return 0;
	no_memory = found < 0 && errno == ENOMEM;
	if (base < 0 && !no_memory)
		refuse_request(task, text, job);
	lxfw_predict_after_clear(job);
	task->count--;
	if (base >= 0)
		return 0;
	return no_memory ? out_of_memory() : LXFW_EXIT_BAD;
}

/* Half and a quarter of the processors; three quarters, half and a quarter of the limit. */
static int add_alternatives(struct task *task, const struct lxfw_request_text *text, int base)
{
	int status = 0;

	for (int part = 2; part <= 4 && status == 0; part *= 2) {
		struct lxfw_request_text fewer = *text;

		if (lxfw_request_divide(&fewer, part))
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

		if ((arguments->now ? lxfw_now_request : lxfw_request_parse)(
				&text, arguments->requests[i], &error))
			return lxfw_cmd_bad(&error);
		status = add_request(task, &text, -1);
		if (status == 0)
			status = add_alternatives(task, &text, base);
	}
	return status;
}

/* --- predictions ------------------------------------------------------------------ */

static int64_t planned(void *context, uint64_t job)
{
	return lxfw_skipped_over_planned(&((const struct task *)context)->over, job);
}

/* The jobs that Slurm passes over. Returns 0, or an exit status after a message. */
static int find_passed(struct task *task)
{
	struct lxfw_error error;

	/* A look has asked before. */
	if (task->is_listed && !lxfw_now_name() && lxfw_now_ask_scheduling(&error))
		lxfw_cmd_note("which jobs Slurm considers is not known: %s", error.text);
	task->over.scheduling = task->live.scheduling = *lxfw_now_scheduling();
	if (lxfw_skipped_over_find(&task->over, task->live.sched, task->live.now,
				  task->is_listed ? &task->listed : NULL))
		return out_of_memory();
	task->live.tiers = task->over.tiers;
	for (size_t i = 0; i < task->watched; i++)
		task->jobs[i].skipped = lxfw_skipped_over_by(&task->over, task->jobs[i].request.id);
	return 0;
}

/* What the Slurm that schedules plans otherwise than the model. Returns 0, or an exit status after a
   message. */
static int find_held(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	const char *name = lxfw_now_name();
	int status;

	if (arguments->publish || (arguments->queue && !lxfw_now_listed()))
		task->is_listed = lxfw_predict_list(arguments->publish, &task->listed);
	if (!task->from.trial)
		return 0;
	task->live.whole_hosts = task->is_listed || (name && strcmp(name, "Slurm") == 0);
	if (!task->live.whole_hosts)
		return 0;
	status = find_passed(task);
	if (status || task->watched == 0)
		return status;
	return lxfw_held_find(&task->live.held, task->live.sched, task->live.now,
			      lxfw_live_slack(task->live.sched), planned, task) ?
	       out_of_memory() : 0;
}

static size_t count_left(const struct task *task)
{
	size_t left = 0;

	for (size_t i = 0; i < task->watched; i++)
		left += task->jobs[i].left;
	return left;
}

static int predict(struct task *task)
{
	size_t others = count_left(task);
	struct lxfw_error error;
	int failed = 0;

	if (task->watched > 0)
		failed = lxfw_live_waiting(&task->live, task->jobs, task->watched, &error);
	if (!failed && count_left(task) > others)
		lxfw_cmd_note("%s: %zu jobs wait, and the first %zu starts are predicted: 'later' is "
			      "after these", source(task), task->watched, task->live.most_starts);
	/* A request, and those that are tried in its place. */
	for (size_t i = task->watched, end; i < task->count && !failed; i = end) {
		for (end = i + 1; end < task->count && task->jobs[end].alternative_to >= 0; end++)
			;
		failed = lxfw_live_requests_start(&task->live, &task->jobs[i], end - i, &error);
	}
	return failed ? lxfw_cmd_bad(&error) : 0;
}

static int print(const struct task *task)
{
	struct lxfw_expected_table table = {
		.live = &task->live, .names = &task->from.replay.names, .jobs = task->jobs,
		.count = task->count, .waiting = task->waiting,
		.dates = task->arguments->dates,
	};

	lxfw_live_machine(task->from.replay.sched, &table.machine);
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

	lxfw_live_machine(task->from.replay.sched, &machine);
	task->live.sched = task->from.replay.sched;
	task->live.now = task->from.replay.over ? arguments->at : machine.last;
	if (!arguments->tell && !arguments->starts_out && !arguments->publish)
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

	if (arguments->now) {
		task->from.past.owners = lxfw_now_owners();
	} else if (arguments->owners) {
		if (lxfw_owners_read(&task->owners, &error))
			return lxfw_cmd_bad(&error);
		task->from.past.owners = &task->owners;
	}
	if (!arguments->history && arguments->learn_count == 0 && !arguments->now)
		return 0;
	return lxfw_predict_history(arguments, &task->from.past, task->live.now);
}

/* Fewer futures if many jobs wait, unless their number is given. Those of a queue are given by its
   command. */
static void limit_futures(struct task *task)
{
	if (!task->arguments->futures || task->arguments->queue)
		task->live.futures = lxfw_predict_extent_futures(&task->extent, task->live.futures);
}

/* A long queue is predicted as far as the budget permits: otherwise one user's arrays would take minutes,
   and all would wait for the answer. */
static void limit_starts(struct task *task, int count)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	size_t most = lxfw_predict_extent_starts(&task->extent, task->live.futures);

	/* --futures is what the user can wait for. */
	if ((!arguments->futures || arguments->queue) && (count == 0 || arguments->queue) &&
	    most < task->watched)
		task->live.most_starts = most;
}

/* The corrections of the intervals. */
static int learn(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	struct lxfw_promises *promises = &task->from.moments.promises;
	const struct lxfw_elsewhere *elsewhere;
	struct lxfw_error error;

	if (arguments->calibration &&
	    lxfw_promises_read(promises, arguments->calibration, task->live.now, &error))
		return lxfw_cmd_bad(&error);
	if (lxfw_predict_recall(task->records, &task->from.past, promises))
		return LXFW_EXIT_BAD;
	if (arguments->moments == 0 && !arguments->calibration && !task->records) {
		if (arguments->calibration_out)
			lxfw_cmd_note("%s is not written: with --moments 0 nothing is learned",
				      arguments->calibration_out);
		return 0;
	}
	if (arguments->calibration_out &&
	    lxfw_promises_write(promises, arguments->calibration_out, &error))
		return lxfw_cmd_bad(&error);
	elsewhere = task->from.past.experience.jobs < KNOWN_LEAST ? &lxfw_elsewhere_unknown :
								    &lxfw_elsewhere_known;
	task->live.remaining = lxfw_remaining_learn(promises, task->live.now, elsewhere);
	return task->live.remaining ? 0 : out_of_memory();
}

/* Where the predictions go. */
static int hand_out(struct task *task)
{
	const struct lxfw_predict_arguments *arguments = task->arguments;
	const struct lxfw_predict_result result = {
		.live = &task->live, .from = &task->from, .jobs = task->jobs,
		.count = task->watched, .answers = task->is_listed,
		.listed = lxfw_now_listed() ? lxfw_now_listed() : &task->listed,
	};
	int status = LXFW_EXIT_DONE;

	if (arguments->queue)
		return lxfw_predict_publication(&result, true, arguments->queue);
	if (!arguments->tell && !arguments->starts_out && !arguments->publish)
		return print(task);
	if (arguments->tell)
		status = lxfw_predict_tell(arguments, &task->live, task->jobs, task->count);
	if (status == LXFW_EXIT_DONE && arguments->publish)
		status = lxfw_predict_publish(arguments, &result, task->records);
	if (status == LXFW_EXIT_DONE && arguments->starts_out)
		status = lxfw_predict_starts(arguments, &task->live, task->from.replay.sched,
					     &task->from.hosts);
	return status;
}

static int carry_out(struct task *task, char **names, int count)
{
	int status = task->arguments->publish ?
		     lxfw_predict_records(task->arguments, &task->records) : 0;

	if (status == 0)
		status = load_state(task);
	if (status == 0 && set_moment(task))
		status = LXFW_EXIT_BAD;
	if (status == 0)
		status = find_experience(task);
	if (status == 0)
		status = learn(task);
	if (status == 0)
		limit_futures(task);
	if (status == 0)
		status = choose_waiting(task, names, count);
	if (status == 0)
		limit_starts(task, count);
	if (status == 0)
		status = find_held(task);
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
	struct lxfw_live live = {
		.seed = (uint64_t)arguments->seed,
		.futures = arguments->futures ? (int)arguments->futures : LXFW_PREDICT_FUTURES,
		.threads = (int)arguments->threads, .horizon = LXFW_PREDICT_HORIZON,
		.before = arguments->before,
	};
	struct task task = {
		.command = command, .arguments = arguments, .live = live,
		.extent = {
			.look = arguments->now, .requests = arguments->request_count,
			.deep = count > 0 || arguments->request_count > 0,
		},
		.from = {
			.journal = arguments->journal, .alone = arguments->alone,
			.until = arguments->at,
			.moments = {
				.seed = live.seed,
				.futures = live.futures < LXFW_LEARN_FUTURES ?
					   live.futures : LXFW_LEARN_FUTURES,
				.threads = live.threads, .horizon = live.horizon,
				.most = LEARNED, .progress = show_progress,
			},
		},
	};
	char *inputs[] = { (char *)arguments->journal };
	int status;

	if (lxfw_cmd_files_apart(command, (struct lxfw_cmd_file[]) {
				{ "calibration-out", arguments->calibration_out, true } },
				 1, inputs, 1))
		return LXFW_EXIT_BAD;
	task.live.past = &task.from.past;
	status = carry_out(&task, names, count);
	free(task.queue);
	for (size_t i = task.watched; i < task.count; i++)
		lxfw_predict_after_clear(&task.jobs[i]);
	free(task.jobs);
	lxfw_remaining_free(task.live.remaining);
	lxfw_held_clear(&task.live.held);
	lxfw_skipped_over_clear(&task.over);
	lxfw_listed_clear(&task.listed);
	lxfw_records_close(task.records);
	lxfw_owners_clear(&task.owners);
	lxfw_predict_past_clear(&task.from);
	return status;
}
