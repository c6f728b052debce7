/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/grid_kinds.h"

#include <stdlib.h>
#include <string.h>

static int out_of_memory(void)
{
	lxfw_cmd_note("out of memory");
	return LXFW_EXIT_BAD;
}

static int32_t priority_of(const struct lxfw_trace *trace, size_t position)
{
	int32_t queue = trace->owners ? trace->owners[position].queue : -1;

	return queue == 1 ? LXFW_GRID_HIGH : queue == 2 ? LXFW_GRID_MEDIUM : LXFW_GRID_LOW;
}

static int choose_priorities(const struct lxfw_trace *trace, struct lxfw_kinds *kinds)
{
	kinds->priorities = calloc(trace->count + 1, sizeof(*kinds->priorities));
	if (!kinds->priorities)
		return out_of_memory();
	for (size_t i = 0; i < trace->count; i++)
		kinds->priorities[i] = priority_of(trace, i);
	return 0;
}

/* --- the data base ----------------------------------------------------------------------- */

/* Runs of kinds at places are learned from jobs of the data base. */
struct learning {
	const struct lxfw_rans *rans;
	const struct lxfw_sites *sites;
	struct lxfw_grid_history *history;
	int32_t *places;	/* of each machine; -1: none */
	int32_t *kinds;		/* of each name of RANS; -1: none */
	bool by_user;
	size_t jobs;
};

static int learn(void *context, const struct lxfw_ran *job)
{
	struct learning *learning = context;
	const struct lxfw_sites *sites = learning->sites;
	int32_t name = learning->by_user ? job->user : job->partition;
	int32_t kind = name < 0 ? -1 : learning->kinds[name];
	int32_t place = learning->places[job->machine];
	double run = (double)job->ran;

	if (kind < 0 || place < 0)
		return 0;
	if (place < sites->count)
		run *= (double)learning->rans->machines[job->machine].speed /
		       sites->list[place].speed;
	learning->jobs++;
	return lxfw_grid_history_learn(learning->history, kind, place,
				       run < 1 ? 1 : run < 1e12 ? (int64_t)(run + 0.5) :
								  (int64_t)1e12);
}

/* The names of users or queues of the trace, which are added to RANS, and their kinds. */
static int name_kinds(const struct lxfw_trace *trace, struct lxfw_rans *rans,
		      const int32_t *kinds, struct learning *learning)
{
	struct lxfw_ran_source source;
	int failed = 0;

	learning->kinds = malloc((rans->names.count + 5 * trace->count + 1) *
				 sizeof(*learning->kinds));
	if (!learning->kinds)
		return -1;
	for (size_t i = 0; i < rans->names.count + 5 * trace->count; i++)
		learning->kinds[i] = -1;
	lxfw_ran_source_begin(&source, rans, trace);
	for (size_t i = 0; i < trace->count && !failed; i++) {
		struct lxfw_ran ran;
		int32_t name;

		failed = lxfw_ran_source_take(&source, i, &ran);
		name = learning->by_user ? ran.user : ran.partition;
		if (!failed && name >= 0)
			learning->kinds[name] = kinds[i];
	}
	lxfw_ran_source_end(&source);
	return failed;
}

static int learn_all(const struct lxfw_trace *trace, struct lxfw_rans *rans,
		     const int32_t *kinds, struct learning *learning)
{
	learning->places = calloc(rans->machine_count + 1, sizeof(*learning->places));
	if (!learning->places || name_kinds(trace, rans, kinds, learning))
		return -1;
	for (size_t i = 0; i < rans->machine_count; i++)
		learning->places[i] = lxfw_sites_place(learning->sites,
						       rans->machines[i].name);
	return lxfw_rans_each(rans, lxfw_learned_begin(trace), learn, learning);
}

static int read_history(const struct lxfw_cmd_kinds *options, const struct lxfw_trace *trace,
			const char *path, const struct lxfw_sites *sites,
			struct lxfw_kinds *kinds)
{
	const struct lxfw_cmd_history history = { .path = options->history };
	struct lxfw_rans rans = { 0 };
	struct learning learning = {
		.rans = &rans, .sites = sites, .history = &kinds->history,
		.by_user = options->by == LXFW_HOMES_USER,
	};
	int failed;

	if (lxfw_cmd_history_read(&history, &rans))
		return LXFW_EXIT_BAD;
	failed = learn_all(trace, &rans, kinds->kinds, &learning);
	if (!failed)
		lxfw_cmd_note("%s: run times of %zu of %zu jobs at the sites are known when %s "
			      "begins", options->history, learning.jobs, rans.count, path);
	free(learning.places);
	free(learning.kinds);
	lxfw_rans_clear(&rans);
	return failed ? out_of_memory() : 0;
}

/* The machines of the data base that are sites have their numbers, others the next ones. */
static int number_machines(const struct lxfw_rans *rans, const struct lxfw_sites *sites,
			   struct lxfw_kinds *kinds, int32_t *numbers)
{
	kinds->machines = calloc(rans->machine_count + 1, sizeof(*kinds->machines));
	if (!kinds->machines)
		return -1;
	for (size_t i = 0; i < rans->machine_count; i++) {
		int32_t site = lxfw_sites_find(sites, rans->machines[i].name);

		numbers[i] = site < 0 ? sites->count + (int32_t)i : site;
		if (site >= 0)
			kinds->machines[kinds->machine_count++] = site;
	}
	return 0;
}

static int load_estimates(const struct lxfw_cmd_history *history,
			  const struct lxfw_trace *trace, const char *path,
			  const struct lxfw_sites *sites, struct lxfw_kinds *kinds)
{
	struct lxfw_rans rans = { 0 };
	int32_t *numbers;
	int failed;

	if (history->path && lxfw_cmd_history_read(history, &rans))
		return LXFW_EXIT_BAD;
	numbers = calloc(rans.machine_count + 1, sizeof(*numbers));
	failed = !numbers || number_machines(&rans, sites, kinds, numbers) ||
		 lxfw_learned_make(&kinds->estimates, trace, history->path ? &rans : NULL, -1,
				   numbers);
	if (!failed)
		lxfw_cmd_history_note(history, path, &rans, &kinds->estimates);
	if (!failed && history->path && kinds->machine_count == 0)
		lxfw_cmd_note("%s: no machine has the name of a site: all sites have the "
			      "estimates of all machines", history->path);
	free(numbers);
	lxfw_rans_clear(&rans);
	return failed ? out_of_memory() : 0;
}

/* --- runs ---------------------------------------------------------------------------------- */

/* What was learned before the simulation, for the runs of several brokers. */
static int keep_learned(struct lxfw_kinds *kinds)
{
	size_t count = kinds->history.count;

	kinds->learned = malloc((count + 1) * sizeof(*kinds->learned));
	if (!kinds->learned)
		return out_of_memory();
	if (count > 0)
		memcpy(kinds->learned, kinds->history.entries,
		       count * sizeof(*kinds->learned));
	kinds->learned_count = count;
	return 0;
}

int lxfw_cmd_kinds_load(const struct lxfw_cmd_kinds *options, const struct lxfw_trace *trace,
			const char *path, const struct lxfw_sites *sites,
			struct lxfw_kinds *kinds)
{
	struct lxfw_error error;

	if (options->by_number) {
		kinds->kinds = lxfw_homes_choose(trace, LXFW_GRID_KINDS, options->by);
		if (!kinds->kinds)
			return out_of_memory();
	}
	if (options->priorities && choose_priorities(trace, kinds))
		return LXFW_EXIT_BAD;
	if (options->times &&
	    lxfw_grid_times_read(&kinds->times, options->times, sites, &error))
		return lxfw_cmd_bad(&error);
	if (options->history && (read_history(options, trace, path, sites, kinds) ||
				 keep_learned(kinds)))
		return LXFW_EXIT_BAD;
	if (options->estimates.estimates)
		return load_estimates(&options->estimates, trace, path, sites, kinds);
	return 0;
}

int lxfw_cmd_kinds_begin(const struct lxfw_cmd_kinds *options, struct lxfw_kinds *kinds,
			 struct lxfw_grid_run *run)
{
	lxfw_grid_history_clear(&kinds->history);
	for (size_t i = 0; i < kinds->learned_count; i++) {
		if (lxfw_grid_history_add(&kinds->history, &kinds->learned[i]))
			return out_of_memory();
	}
	if (options->times && lxfw_grid_times_tell(&kinds->times, &kinds->history))
		return out_of_memory();
	run->params.quantum = (int32_t)options->quantum;
	run->params.preemptions = (int32_t)options->preemptions;
	run->kinds = kinds->kinds;
	run->priorities = kinds->priorities;
	run->times = options->times ? &kinds->times : NULL;
	run->history = options->times || options->by_number ? &kinds->history : NULL;
	if (options->estimates.estimates) {
		run->learned = &kinds->estimates;
		run->machines = kinds->machines;
		run->machine_count = kinds->machine_count;
	}
	return 0;
}

void lxfw_cmd_kinds_tell(const struct lxfw_cmd_kinds *options, const struct lxfw_kinds *kinds)
{
	const struct lxfw_grid_history *history = &kinds->history;

	if (options->history && history->judged > 0)
		lxfw_cmd_note("%zu run times of kinds were expected with a mean error of "
			      "%.0f s, %.0f %% of their mean", history->judged,
			      history->errors / (double)history->judged,
			      100 * history->errors / history->runs);
}

void lxfw_cmd_kinds_clear(struct lxfw_kinds *kinds)
{
	free(kinds->kinds);
	free(kinds->priorities);
	free(kinds->learned);
	free(kinds->machines);
	lxfw_learned_clear(&kinds->estimates);
	lxfw_grid_times_clear(&kinds->times);
	lxfw_grid_history_clear(&kinds->history);
}
