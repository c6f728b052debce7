/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/tune_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/params/policy.h"
#include "sim-frontend/cmd/present.h"
#include "sim-frontend/cmd/tune_advice.h"
#include "sim-frontend/cmd/verdict.h"
#include "sim-frontend/report/pbs_formula.h"
#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_page.h"
#include "sim-frontend/tune/choose.h"
#include "sim-frontend/tune/priorities.h"
#include "sim-frontend/util/given.h"
#include "sim-frontend/util/text.h"

/* ---- interruption ---------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

/* The first signal stops the search. After SIGINT, the results so far are evaluated
   and printed; after SIGTERM they are not, since little time may be left. The second
   signal ends the command immediately. */
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

/* The remaining time is estimated from the mean time per setting. */
static void show_progress(size_t done, size_t fresh, size_t all)
{
	double each = (lxfw_cmd_clock() - begun) / (double)fresh;

	lxfw_cmd_progress_left("trying", "settings", done, all,
			       each * (double)(all - done));
}

/* The same for the judgement of what was found. It has several steps. */
static void show_judging(size_t done, size_t all)
{
	if (done == 1)
		begun = lxfw_cmd_clock();
	lxfw_cmd_progress_left("judging", "simulations", done, all,
			       (lxfw_cmd_clock() - begun) / (double)done *
			       (double)(all - done));
}

/* ---- the run --------------------------------------------------------------------- */

/* Returns whether memory affects schedules: the machine has limited memory and jobs
   request memory. */
static bool has_memory(const struct lxfw_scenario *scenario)
{
	for (size_t i = 0; i < scenario->trace.count; i++) {
		if (scenario->trace.jobs[i].memory_kb > 0)
			return scenario->cluster.memory_bound;
	}
	return false;
}

/* Determines the current setting: --current, otherwise the parameters of slurm.conf; for
   Slurm's own scheduler, policy slurm with them, or the order of its priorities. */
static int site_line(const struct lxfw_command *command, struct lxfw_tune *tune)
{
	const struct lxfw_cluster *cluster = &tune->scenario.cluster;
	bool known = !tune->current && lxfw_priorities_known(cluster);
	char *line = NULL;
	struct lxfw_error error;
	int failed;

	if (!tune->current && lxfw_present_is_backfill(cluster, tune->scenario.path)) {
		tune->priorities.by_submission = true;
		line = lxfw_present_line(cluster->parameters);
		if (!line) {
			lxfw_cmd_note("out of memory");
			return -1;
		}
	}
	failed = tune->current &&
		 lxfw_given_check(tune->current, LXFW_ITEMS_OF_SITE, &error);
	failed = failed || lxfw_tune_site_line(tune->current ? tune->current :
				     line ? line : cluster->parameters,
				     known ? "site" : "easy", &tune->site, &error);
	free(line);
	if (failed) {
		lxfw_cmd_misuse(command, "%s: %s", tune->current ? "--current" :
				"SchedulerParameters", error.text);
		return -1;
	}
	return lxfw_tune_read_line(tune->site, &tune->scenario.options.params, NULL);
}

/* Loads the priorities of the site if the current order depends on them, or if such an
   order is searched. */
static int load_priorities(struct lxfw_tune *tune)
{
	struct lxfw_scenario *scenario = &tune->scenario;
	bool counts = lxfw_params_read_priority(&scenario->options.params);

	for (int i = 0; i < tune->vary_count; i++)
		counts |= strstr(tune->vary[i], "site") != NULL;
	if (lxfw_priorities_of_trace(&tune->priorities, counts, scenario->machine,
				     &scenario->cluster, &scenario->trace))
		return -1;
	scenario->options.priorities = lxfw_priorities_loaded(&tune->priorities);
	return 0;
}

/* Checks the keys of priority/multifactor in --current: they need the priorities of the
   site. */
static int check_current(const struct lxfw_command *command, const struct lxfw_tune *tune)
{
	struct lxfw_multifactor_params params = lxfw_multifactor_defaults;
	struct lxfw_error error;

	for (const char *at = tune->current; at && *at; at += strcspn(at, ","), at += *at == ',') {
		at += strspn(at, " \t");
		if (!lxfw_tune_is_priority(at, strcspn(at, ",")))
			continue;
		if (!tune->priorities.loaded) {
			lxfw_cmd_misuse(command, "--current: '%.40s' without the priorities of "
					"a slurm.conf, expected lxfw_policy=site and a --cluster "
					"with PriorityType=priority/multifactor", at);
			return -1;
		}
		if (lxfw_tune_priority_read(at, &params, &error)) {
			lxfw_cmd_misuse(command, "--current: %s", error.text);
			return -1;
		}
	}
	return 0;
}

/* Returns whether quanta are searched. They interrupt jobs and may lose work, so they
   are searched only on request or if the site uses them already. */
static bool wants_quantum(const struct lxfw_tune *tune)
{
	bool wants = tune->quantum ||
		     lxfw_params_serve(&tune->scenario.options.params);

	for (int i = 0; i < tune->vary_count; i++)
		wants |= strstr(tune->vary[i], "lxfw_quantum=") != NULL;
	return wants;
}

static int make_space(const struct lxfw_command *command, struct lxfw_tune *tune)
{
	struct lxfw_error error;

	if (lxfw_tune_space_begin(&tune->space, tune->site,
				  has_memory(&tune->scenario),
				  tune->scenario.cluster.gpus != 0) ||
	    (tune->priorities.loaded &&
	     lxfw_tune_space_priorities(&tune->space,
					&tune->priorities.simulated.site)) ||
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

/* Without jobs, a goal could never be judged, and nothing would be recommended. Returns 0, or -1 after
   a message. */
static int check_goals(const struct lxfw_tune *tune)
{
	const struct lxfw_trials *trials = &tune->trials;
	int goals = lxfw_goals_count(trials->goals);

	for (int i = 0; i < goals; i++) {
		size_t jobs = 0;

		for (int j = 0; j < trials->weeks.count; j++)
			jobs += trials->jobs[j * goals + i];
		if (jobs > 0)
			continue;
		lxfw_cmd_note("%s: no job is in the class of '%s'", tune->scenario.path,
			      lxfw_goals_at(trials->goals, i)->name);
		return -1;
	}
	return 0;
}

static int load(const struct lxfw_command *command, struct lxfw_tune *tune)
{
	struct lxfw_scenario *scenario = &tune->scenario;
	struct lxfw_trials *trials = &tune->trials;
	struct lxfw_error error;

	if (lxfw_scenario_machine(scenario) || site_line(command, tune) ||
	    lxfw_scenario_trace(command, scenario) || load_priorities(tune) || check_current(command, tune) ||
	    make_space(command, tune))
		return -1;
	*trials = (struct lxfw_trials) {
		.trace = &scenario->trace, .cluster = &scenario->cluster,
		.options = &scenario->options, .goals = &tune->goals,
		.priorities = tune->priorities.loaded ? &tune->priorities.simulated : NULL,
		.bound = tune->bound, .stop = is_interrupted,
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
	if (check_goals(tune))
		return -1;
	tune->search = (struct lxfw_search) {
		.space = &tune->space, .goals = &tune->goals,
		.seed = (uint64_t)tune->seed,
		.round_size = (size_t)tune->round, .margin = tune->margin,
		.folds = trials->weeks.folds,
		.numbers = lxfw_trials_numbers(trials),
	};
	return 0;
}

/* Opens the output files. Errors are thus reported before the search. */
static int open_files(struct lxfw_tune *tune)
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

/* Prints PARAMS as settings of OpenPBS. Returns -1 after a message if that is not
   possible. */
static int print_formula(const struct lxfw_params *params, double mean_memory)
{
	struct lxfw_error error;
	char *formula = lxfw_pbs_formula(params, mean_memory, &error);

	if (!formula) {
		lxfw_cmd_note("--pbs-formula: %s", error.text);
		return -1;
	}
	lxfw_pbs_formula_print(params, formula, stdout);
	free(formula);
	return 0;
}

/* Of the recommended setting. */
static void print_recommended(const struct lxfw_confirmation *confirmation)
{
	int choice = confirmation->recommended;

	if (choice == 0) {
		printf("\nNo setting is recommended. 'lxfw tune --pbs-formula --current KEYS' "
		       "prints the order of any other.\n");
		return;
	}
	printf("\nThe order of this setting for pbs_sched of OpenPBS:\n");
	(void)print_formula(&confirmation->choices[choice].params,
			    confirmation->trials->mean_memory);
}

int lxfw_tune_formula(const struct lxfw_command *command, struct lxfw_tune *tune)
{
	struct lxfw_cluster cluster = { 0 };
	struct lxfw_params params;
	struct lxfw_error error;
	const char *text = tune->current ? tune->current : "lxfw_policy=lxfw";
	int status = LXFW_EXIT_BAD;

	lxfw_params_default(&params);
	if (lxfw_given_check(text, LXFW_ITEMS_OF_SITE, &error) < 0 ||
	    lxfw_params_parse(&params, text, NULL, NULL, &error) < 0)
		return lxfw_cmd_misuse(command, "--current: %s", error.text);
	if (tune->scenario.machine &&
	    lxfw_cluster_read(&cluster, tune->scenario.machine, &error))
		return lxfw_cmd_bad(&error);
	if (print_formula(&params, lxfw_tune_mean_memory(&cluster)) == 0)
		status = lxfw_cmd_finish(LXFW_EXIT_DONE);
	lxfw_cluster_clear(&cluster);
	return status;
}

static int print(struct lxfw_tune *tune,
		 const struct lxfw_confirmation *confirmation,
		 const struct lxfw_tuning_advice *advice, bool stopped)
{
	const struct lxfw_tuning_report report = {
		.advice = advice,
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
		if (tune->pbs_formula)
			print_recommended(confirmation);
	} else if (lxfw_tuning_print_json(&report, tune->format, stdout)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(confirmation->recommended > 0 ?
			       LXFW_EXIT_DONE : LXFW_EXIT_NO);
}

static int advise_and_print(struct lxfw_tune *tune,
			    const struct lxfw_confirmation *confirmation, bool stopped)
{
	const struct lxfw_scenario *scenario = &tune->scenario;
	struct lxfw_tuning_advice advice = { .path = NULL };
	struct lxfw_error error;
	int status;

	if (confirmation->recommended > 0 &&
	    lxfw_tune_advice(&advice, &confirmation->choices[confirmation->recommended],
			     &scenario->cluster, scenario->machine, scenario->path, &error))
		status = lxfw_cmd_bad(&error);
	else
		status = print(tune, confirmation, &advice, stopped);
	lxfw_tuning_advice_clear(&advice);
	return status;
}

/* Says which setting was best in the search, after an interrupt of what follows it. */
static void tell_unjudged(const struct lxfw_tune *tune)
{
	const struct lxfw_search *search = &tune->search;
	const struct lxfw_setting *best =
		&search->settings[lxfw_choose(&tune->trials, search, -1)];

	if (best == search->settings) {
		lxfw_cmd_note("interrupted before it was judged what was found; on the log itself, "
			      "no setting is better than the current one");
		return;
	}
	lxfw_cmd_note("interrupted before it was judged what was found; on the log itself, this "
		      "setting is the best: %s", best->line);
	for (int i = 0; i < lxfw_goals_count(search->goals); i++) {
		double now = search->settings->values[i], then = best->values[i];

		if (now > 0)
			lxfw_cmd_note("%s: %+.0f %%", lxfw_goals_at(search->goals, i)->name,
				      100 * (then - now) / now);
	}
}

static int confirm(struct lxfw_tune *tune, bool stopped)
{
	struct lxfw_confirmation confirmation = {
		.trials = &tune->trials, .search = &tune->search,
		.threads = (int)tune->threads, .seed = (uint64_t)tune->seed,
		.copies = (size_t)tune->copies, .stop = is_interrupted,
		.progress = show_judging,
	};
	struct lxfw_error error;
	int status = LXFW_EXIT_BAD, result;

	/* the signal that stopped the search does not stop this step; the next one
	   ends the command */
	if (stopped)
		confirmation.stop = tune->trials.stop = NULL;
	result = lxfw_confirm(&confirmation, (int)tune->choices, &error);
	lxfw_cmd_progress_end();
	if (result < 0)
		lxfw_cmd_note("%s: %s", tune->scenario.path, error.text);
	else if (result > 0)
		tell_unjudged(tune);
	else
		status = advise_and_print(tune, &confirmation, stopped);
	lxfw_confirmation_clear(&confirmation);
	return status;
}

/* ---- job arrays ------------------------------------------------------------------ */

/* Uses the given folder, or creates one in the current directory and writes its name
   to FOLDER. */
static int make_folder(const struct lxfw_tune *tune, struct lxfw_tune_array *array,
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

static int make_array(const struct lxfw_tune *tune, struct lxfw_tune_array *array,
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

int lxfw_tune_task(const struct lxfw_command *command, struct lxfw_tune *tune)
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

/* --- the command ------------------------------------------------------------------ */

/* Returns 0, 1 if interrupted, or -1 after a message. */
static int search(struct lxfw_tune *tune)
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

int lxfw_tune_search(const struct lxfw_command *command, struct lxfw_tune *tune)
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

void lxfw_tune_clear(struct lxfw_tune *tune)
{
	lxfw_output_abort(tune->page);
	lxfw_tune_state_close(tune->state);
	lxfw_search_clear(&tune->search);
	lxfw_trials_clear(&tune->trials);
	lxfw_tune_space_clear(&tune->space);
	lxfw_priorities_clear(&tune->priorities);
	lxfw_scenario_clear(&tune->scenario);
	free(tune->site);
}
