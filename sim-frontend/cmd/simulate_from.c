/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/simulate_from.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/cmd/files_apart.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

#define FUTURES 50
#define OPTION_MOST 64
#define YEAR (INT64_C(366) * 86400)

enum {
	FROM = LXFW_OPTION_FIRST, POLICY, PARAMS, DOWN, RESERVE, PARTITION, HOURS, UNTIL, RUN_TIMES,
	FUTURES_OPTION, SEED, THREADS, DATES, REPORT, SUBMISSIONS,
};

static const struct option options[] = {
	LXFW_FORMAT_OPTIONS,
	{ "from", required_argument, NULL, FROM },
	{ "policy", required_argument, NULL, POLICY },
	{ "params", required_argument, NULL, PARAMS },
	{ "down", required_argument, NULL, DOWN },
	{ "reserve", required_argument, NULL, RESERVE },
	{ "partition", required_argument, NULL, PARTITION },
	{ "hours", required_argument, NULL, HOURS },
	{ "until", required_argument, NULL, UNTIL },
	{ "run-times", required_argument, NULL, RUN_TIMES },
	{ "submissions", required_argument, NULL, SUBMISSIONS },
	{ "futures", required_argument, NULL, FUTURES_OPTION },
	{ "seed", required_argument, NULL, SEED },
	{ "threads", required_argument, NULL, THREADS },
	{ "dates", no_argument, NULL, DATES },
	{ "report", required_argument, NULL, REPORT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

struct arguments {
	enum lxfw_format format;
	const char *from, *run_times, *submissions, *report;
	const char *down[OPTION_MOST], *reserve[OPTION_MOST], *partition[OPTION_MOST];
	struct lxfw_change_text change;
	double hours;		/* 0: not given */
	int64_t until;		/* LXFW_NEVER: not given */
	int64_t futures, seed, threads;	/* futures 0: the default */
	bool dates;
};

struct task {
	const struct lxfw_command *command;
	const struct arguments *arguments;
	struct lxfw_snapshot_file file;
	struct lxfw_made_change made;
	struct lxfw_whatif whatif;
	struct lxfw_whatif_result result;
	int64_t *known;		/* run times, by index of the job; -1: none */
};

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

bool lxfw_simulate_is_from(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], "--from") == 0 || strncmp(argv[i], "--from=", 7) == 0)
			return true;
	}
	return false;
}

/* --- known run times ------------------------------------------------------------------- */

/* The index of a job by its name, or by its id. */
static size_t find_job(const struct lxfw_snapshot_file *file, const char *name)
{
	size_t length = strlen(name);
	int64_t id = 0;

	for (size_t i = 0; i < file->state.job_count; i++) {
		if (file->job_names[i] && strcmp(file->job_names[i], name) == 0)
			return i;
	}
	if (lxfw_text_integer(name, length, 1, INT64_MAX, &id))
		return SIZE_MAX;
	for (size_t i = 0; i < file->state.job_count; i++) {
		if (!file->job_names[i] && file->state.jobs[i].request.id == (uint64_t)id)
			return i;
	}
	return SIZE_MAX;
}

/* Jobs that are not in the snapshot have ended or were submitted later. */
static int take_known(struct task *task, const struct lxfw_input *input, const char *line,
		      size_t length, struct lxfw_error *error)
{
	struct lxfw_text_pair pair;
	int64_t seconds;
	char name[64];
	size_t index;

	if (!lxfw_text_pair(line, length, " \t\r\n", &pair))
		return 0;
	if (lxfw_text_integer(pair.rest, pair.rest_length, 1, LXFW_TIME_MAX, &seconds))
		return lxfw_error_at(error, lxfw_input_path(input),
				     lxfw_input_line_number(input), "no run time of 1 s or "
				     "more, expected JOB SECONDS");
	snprintf(name, sizeof(name), "%.*s", (int)pair.word_length, pair.word);
	index = find_job(&task->file, name);
	if (index != SIZE_MAX)
		task->known[index] = seconds;
	return 0;
}

static int read_known(struct task *task, struct lxfw_input *input, struct lxfw_error *error)
{
	size_t length;
	char *line;
	int got;

	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (take_known(task, input, line, length, error))
			return -1;
	}
	return got;
}

static int load_known(struct task *task)
{
	const char *path = task->arguments->run_times;
	size_t count = task->file.state.job_count;
	struct lxfw_error error;
	struct lxfw_input *input = lxfw_input_open(path, &error);
	int result;

	if (!input) {
		lxfw_cmd_note("--run-times '%.60s': %s, expected limits, predicted, or a file "
			      "of lines JOB SECONDS", path, strerror(errno));
		return LXFW_EXIT_BAD;
	}
	task->known = calloc(count + 1, sizeof(*task->known));
	if (!task->known) {
		lxfw_input_close(input);
		return out_of_memory();
	}
	for (size_t i = 0; i < count; i++)
		task->known[i] = -1;
	result = read_known(task, input, &error);
	lxfw_input_close(input);
	return result ? lxfw_cmd_bad(&error) : 0;
}

static int64_t known_run(const void *context, uint64_t id)
{
	const struct task *task = context;
	const struct lxfw_snapshot *state = &task->file.state;
	size_t low = 0, high = state->job_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lxfw_id_key(state->jobs[middle].request.id) < lxfw_id_key(id))
			low = middle + 1;
		else
			high = middle;
	}
	return low < state->job_count && state->jobs[low].request.id == id ?
	       task->known[low] : -1;
}

static int set_run_times(struct task *task)
{
	const struct arguments *arguments = task->arguments;
	struct lxfw_whatif *whatif = &task->whatif;

	if (arguments->run_times && strcmp(arguments->run_times, "limits") == 0) {
		whatif->run_times = LXFW_RUN_TIMES_LIMITS;
	} else if (!arguments->run_times || strcmp(arguments->run_times, "predicted") == 0) {
		whatif->run_times = LXFW_RUN_TIMES_PREDICTED;
		whatif->futures = arguments->futures ? (int)arguments->futures : FUTURES;
		if (task->file.ran_count == 0)
			lxfw_cmd_note("%s: no job has ended before the snapshot: run times are "
				      "uniform up to the requested times", arguments->from);
		return 0;
	} else {
		whatif->run_times = LXFW_RUN_TIMES_KNOWN;
		whatif->ran = known_run;
		whatif->context = task;
		if (load_known(task))
			return LXFW_EXIT_BAD;
	}
	if (arguments->futures > 0)
		return lxfw_cmd_misuse(task->command, "--futures with given run times, "
				       "expected --run-times predicted");
	return 0;
}

/* Jobs are submitted as before the snapshot, unless run times are given: what is given is one
   future only. Returns 0, or an exit status after a message. */
static int set_submissions(struct task *task)
{
	const struct arguments *arguments = task->arguments;
	const struct lxfw_snapshot_file *file = &task->file;
	bool predicted = task->whatif.run_times == LXFW_RUN_TIMES_PREDICTED;
	const char *asked = arguments->submissions;

	if (asked && strcmp(asked, "none") != 0 && strcmp(asked, "past") != 0)
		return lxfw_cmd_misuse(task->command, "--submissions '%.40s', expected past or "
				       "none", asked);
	if (asked && strcmp(asked, "past") == 0 && !predicted)
		return lxfw_cmd_misuse(task->command, "--submissions past with given run times, "
				       "expected --run-times predicted");
	if (!predicted || (asked && strcmp(asked, "none") == 0))
		return 0;
	task->whatif.submissions = lxfw_whatif_knows_submissions(file);
	if (!task->whatif.submissions)
		lxfw_cmd_note("%s: submissions of less than a day are known before the snapshot: "
			      "no job is submitted, and effects of what comes later are "
			      "missing", arguments->from);
	return 0;
}

/* --- the simulation -------------------------------------------------------------------- */

static int set_horizon(struct task *task)
{
	const struct arguments *arguments = task->arguments;
	int64_t now = task->file.state.now;

	task->whatif.horizon = (int64_t)((arguments->hours > 0 ? arguments->hours : 48) * 3600);
	if (arguments->until == LXFW_NEVER)
		return 0;
	task->whatif.horizon = arguments->until - now;
	if (arguments->until > now && task->whatif.horizon <= YEAR)
		return 0;
	lxfw_cmd_note("--until: not within a year after the snapshot, which is of %" PRId64
		      "; expected a later time", now);
	return LXFW_EXIT_BAD;
}

static bool has_priorities(const struct lxfw_snapshot *state)
{
	for (size_t i = 0; i < state->job_count; i++) {
		if (state->jobs[i].priority != 0)
			return true;
	}
	return false;
}

static void note_lost(const struct task *task)
{
	const struct lxfw_params *changed = task->made.change.params;
	const char *lost;

	if (changed && lxfw_params_read_priority(changed) &&
	    !has_priorities(&task->file.state))
		lxfw_cmd_note("%s: all jobs have priority 0: the snapshot contains no priorities "
			      "of Slurm", task->arguments->from);

	for (int i = 0; (lost = lxfw_snapshot_lost(&task->file.state, i)); i++)
		lxfw_cmd_note("%s: not simulated: %s", task->arguments->from, lost);
	if (task->made.change.params && lxfw_params_serve(task->made.change.params) &&
	    !lxfw_params_serve(&task->file.state.params))
		lxfw_cmd_note("immediate service is not simulated: starts are those without "
			      "quanta");
}

static int check_policy(const struct task *task)
{
	const struct lxfw_params *params = &task->file.state.params;
	const char *refused = lxfw_whatif_refuses(params);

	if (!refused)
		return 0;
	lxfw_cmd_note("%s: policy %s cannot be simulated from a snapshot: %s; expected a "
		      "snapshot of another policy", task->arguments->from,
		      lxfw_policy_name(params->policy), refused);
	return LXFW_EXIT_BAD;
}

static int print(const struct task *task)
{
	const struct arguments *arguments = task->arguments;
	const struct lxfw_whatif_table table = {
		.whatif = &task->whatif, .result = &task->result, .path = arguments->from,
		.change = task->made.words, .dates = arguments->dates,
	};
	struct lxfw_output *page = NULL;
	struct lxfw_error error;

	if (arguments->report) {
		page = lxfw_output_open(arguments->report, &error);
		if (!page)
			return lxfw_cmd_bad(&error);
		if (lxfw_whatif_page(&table, page)) {
			lxfw_output_abort(page);
			return out_of_memory();
		}
		if (lxfw_output_commit(page, &error))
			return lxfw_cmd_bad(&error);
	}
	if (arguments->format == LXFW_FORMAT_TABLE ? lxfw_whatif_text(&table, stdout) :
	    lxfw_whatif_json(&table, arguments->format, stdout))
		return out_of_memory();
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

static int carry_out(struct task *task)
{
	const struct arguments *arguments = task->arguments;
	struct lxfw_error error;

	if (lxfw_snapshot_read(&task->file, arguments->from, &error))
		return lxfw_cmd_bad(&error);
	if (check_policy(task) || set_horizon(task) || set_run_times(task) ||
	    set_submissions(task) || lxfw_change_make(task->command, &arguments->change, &task->file,
			     arguments->from, &task->made))
		return LXFW_EXIT_BAD;
	if (task->made.words)
		task->whatif.change = &task->made.change;
	note_lost(task);
	if (lxfw_whatif_run(&task->whatif, &task->result, &error))
		return lxfw_cmd_bad(&error);
	return print(task);
}

/* --- options ------------------------------------------------------------------------- */

static int add(const struct lxfw_command *command, const char *option, const char **list,
	       size_t *count)
{
	if (*count == OPTION_MOST) {
		lxfw_cmd_misuse(command, "more than %d options --%s, expected at most that "
				"many", OPTION_MOST, option);
		return -1;
	}
	list[(*count)++] = optarg;
	return 0;
}

/* Returns 0, or -1 after a message. */
static int take_option(const struct lxfw_command *command, int option, struct arguments *to)
{
	switch (option) {
	case FROM:
		to->from = optarg;
		return 0;
	case POLICY:
		to->change.policy = optarg;
		return 0;
	case PARAMS:
		to->change.params = optarg;
		return 0;
	case DOWN:
		return add(command, "down", to->down, &to->change.down_count);
	case RESERVE:
		return add(command, "reserve", to->reserve, &to->change.reserve_count);
	case PARTITION:
		return add(command, "partition", to->partition,
			   &to->change.partition_count);
	case HOURS:
		return lxfw_cmd_number(command, "hours", optarg, 0.01, 8784, &to->hours);
	case UNTIL:
		return lxfw_cmd_time(command, "until", optarg, &to->until);
	case SUBMISSIONS:
		to->submissions = optarg;
		return 0;
	case RUN_TIMES:
		to->run_times = optarg;
		return 0;
	case FUTURES_OPTION:
		return lxfw_cmd_integer(command, "futures", optarg, 10, 100000, &to->futures);
	case SEED:
		return lxfw_cmd_integer(command, "seed", optarg, 0, INT64_MAX, &to->seed);
	case THREADS:
		return lxfw_cmd_integer(command, "threads", optarg, 1, 1000, &to->threads);
	case DATES:
		to->dates = true;
		return 0;
	default:
		to->report = optarg;
		return 0;
	}
}

static int check(const struct lxfw_command *command, const struct arguments *arguments,
		 int left, char *const *argv)
{
	const struct lxfw_cmd_file files[] = {
		{ "report", arguments->report, true },
		{ "from", arguments->from, false },
		{ "run-times", arguments->run_times, false },
	};

	if (left > 0)
		return lxfw_cmd_misuse(command, "'%.40s' given, expected no TRACE with --from",
				       argv[0]);
	if (arguments->hours > 0 && arguments->until != LXFW_NEVER)
		return lxfw_cmd_misuse(command, "--hours with --until, expected one of them");
	return lxfw_cmd_files_apart(command, files, 3, NULL, 0) ? LXFW_EXIT_BAD : 0;
}

int lxfw_simulate_from(const struct lxfw_command *command, int argc, char **argv)
{
	struct arguments arguments = {
		.format = LXFW_FORMAT_TABLE, .seed = 1, .threads = lxfw_pool_threads(),
		.until = LXFW_NEVER,
	};
	struct task task = { .command = command, .arguments = &arguments };
	int option, status;

	arguments.change.down = arguments.down;
	arguments.change.reserve = arguments.reserve;
	arguments.change.partition = arguments.partition;
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
	status = check(command, &arguments, argc - optind, argv + optind);
	if (status)
		return status;
	task.whatif = (struct lxfw_whatif) {
		.file = &task.file, .seed = (uint64_t)arguments.seed, .futures = 1,
		.threads = (int)arguments.threads,
	};
	status = carry_out(&task);
	lxfw_whatif_clear(&task.result);
	lxfw_change_clear(&task.made);
	lxfw_snapshot_file_clear(&task.file);
	free(task.known);
	return status;
}
