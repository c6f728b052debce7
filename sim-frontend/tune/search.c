/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/tune/rank.h"
#include "sim-frontend/util/random.h"

/* Number of rounds that sample the whole space before offspring are bred. */
#define WIDE_ROUNDS 2

/* In later rounds, one of this many settings is sampled from the whole space. */
#define ANYWHERE 10

/* Range of a mutation in genes: from the minimum to a maximum that decreases from
   round to round. */
#define STEP 0.3
#define STEP_LEAST 0.005
#define STEP_SHRINKS 0.85

/* Probability with which a gene without an order of values (policies, lists) is drawn
   again. */
#define REDRAW 0.06

/* Fraction of offspring with only one parent. */
#define ALONE 0.5

#define TRIES 30

static int by_line(const struct lxfw_search *search, const char *line)
{
	for (size_t i = 0; i < search->count; i++) {
		if (strcmp(search->settings[i].line, line) == 0)
			return 1;
	}
	return 0;
}

/* Takes ownership of LINE. Returns 1 if it is new, 0 if it exists already, or -1 with
   errno ENOMEM. */
static int add(struct lxfw_search *search, char *line, const double *genes)
{
	size_t numbers = search->numbers > LXFW_GOALS_ALL ? search->numbers :
			 LXFW_GOALS_ALL;
	struct lxfw_setting *settings;
	double *values;

	if (line && by_line(search, line)) {
		free(line);
		return 0;
	}
	values = calloc(numbers, sizeof(*values));
	settings = !line || !values ? NULL :
		   lxfw_grow(search->settings, &search->size, search->count + 1,
			     sizeof(*settings));
	if (!settings) {
		free(line);
		free(values);
		errno = ENOMEM;
		return -1;
	}
	search->settings = settings;
	settings += search->count++;
	*settings = (struct lxfw_setting) {
		.line = line, .values = values, .fold = -1,
	};
	memcpy(settings->genes, genes, sizeof(settings->genes));
	return 1;
}

static int add_genes(struct lxfw_search *search, const double *genes)
{
	return add(search, lxfw_tune_space_line(search->space, genes), genes);
}

static int add_line(struct lxfw_search *search, char *line)
{
	double genes[LXFW_GENES_MAX] = { 0 };

	if (line)
		lxfw_tune_space_genes(search->space, line, genes);
	return add(search, line, genes);
}

/* Adds the current setting and the presets. */
static int add_known(struct lxfw_search *search, size_t most)
{
	char *lines[LXFW_TUNE_PRESETS_MAX];
	int count = lxfw_tune_space_presets(search->space, lines), result;

	if (count < 0)
		return -1;
	result = add_line(search, strdup(search->space->site));
	for (int i = 0; i < count; i++) {
		if (result >= 0 && search->count < most)
			result = add_line(search, lines[i]);
		else
			free(lines[i]);
	}
	return result < 0 ? -1 : 0;
}

/* --- sampling --------------------------------------------------------------------- */

/* Draws one number from each of COUNT equal intervals, in random order. */
static void strips(struct lxfw_random *random, double *column, size_t count)
{
	for (size_t i = 0; i < count; i++)
		column[i] = ((double)i + lxfw_random_uniform(random)) /
			    (double)count;
	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)lxfw_random_below(random, i);
		double swap = column[i - 1];

		column[i - 1] = column[other];
		column[other] = swap;
	}
}

static int add_hypercube(struct lxfw_search *search, struct lxfw_random *random,
			 size_t count)
{
	int dimensions = search->space->count, result = 0;
	double *columns = malloc((count * (size_t)dimensions + 1) *
				 sizeof(*columns));

	if (!columns)
		return -1;
	for (int i = 0; i < dimensions; i++)
		strips(random, columns + (size_t)i * count, count);
	for (size_t j = 0; j < count && result >= 0; j++) {
		double genes[LXFW_GENES_MAX] = { 0 };

		for (int i = 0; i < dimensions; i++)
			genes[i] = columns[(size_t)i * count + j];
		result = add_genes(search, genes);
	}
	free(columns);
	return result < 0 ? -1 : 0;
}

/* --- offspring -------------------------------------------------------------------- */

static const struct lxfw_setting *parent(const struct lxfw_setting *const *best,
					 size_t count,
					 struct lxfw_random *random)
{
	const struct lxfw_setting *a = best[lxfw_random_below(random, count)];
	const struct lxfw_setting *b = best[lxfw_random_below(random, count)];

	return lxfw_rank_before(a, b) ? a : b;
}

static double within(double gene)
{
	if (gene < 0)
		gene = -gene;
	if (gene >= 1)
		gene = 2 - gene;
	return gene < 0 ? 0 : gene >= 1 ? 0.999999 : gene;
}

/* Takes each gene from one parent or the other or between them, and changes one gene
   on average by a mutation. */
static void breed(const struct lxfw_search *search,
		  const struct lxfw_setting *mother,
		  const struct lxfw_setting *father, double step,
		  struct lxfw_random *random, double *genes)
{
	const struct lxfw_tune_space *space = search->space;

	step = STEP_LEAST * lxfw_random_power(step / STEP_LEAST,
					      lxfw_random_uniform(random));
	for (int i = 0; i < space->count; i++) {
		double a = mother->genes[i], b = father->genes[i];
		double where = lxfw_random_uniform(random);

		genes[i] = where < 0.5 ? a : b;
		if (space->keys[i].values) {
			if (lxfw_random_uniform(random) < REDRAW)
				genes[i] = lxfw_random_uniform(random);
			continue;
		}
		if (lxfw_random_uniform(random) < 0.5)
			genes[i] = a + (b - a) * where;
		if (lxfw_random_uniform(random) * space->count < 2)
			genes[i] = within(genes[i] + step *
					  lxfw_random_normal(random));
	}
}

/* Adds one new setting. Returns 0 if there was none in TRIES attempts. */
static int add_child(struct lxfw_search *search,
		     const struct lxfw_setting *const *best, size_t count,
		     double step, struct lxfw_random *random)
{
	for (int i = 0; i < TRIES; i++) {
		const struct lxfw_setting *mother, *father;
		double genes[LXFW_GENES_MAX] = { 0 };
		int result;

		/* with two parents, or with one to search around it */
		mother = parent(best, count, random);
		father = lxfw_random_uniform(random) < ALONE ? mother :
			 parent(best, count, random);
		breed(search, mother, father, step, random, genes);
		result = add_genes(search, genes);
		if (result != 0)
			return result;
	}
	return 0;
}

/* Selects the settings that may be parents in a round without FOLD, ranked by the
   visible blocks. Returns 0, or -1 with errno ENOMEM. */
static int find_parents(const struct lxfw_search *search, int fold,
			struct lxfw_search *parents)
{
	*parents = *search;
	parents->count = parents->ranked = 0;
	parents->view = (size_t)(fold + 1) *
			(size_t)lxfw_goals_count(search->goals);
	/* the array of settings moves when it grows */
	parents->settings = malloc(search->count * sizeof(*parents->settings));
	if (!parents->settings)
		return -1;
	for (size_t i = 0; i < search->count; i++) {
		const struct lxfw_setting *setting = &search->settings[i];

		if ((setting->fold < 0 || setting->fold == fold) &&
		    isfinite(setting->values[0]))
			parents->settings[parents->count++] = *setting;
	}
	return lxfw_rank_all(parents);
}

static int add_children(struct lxfw_search *search, struct lxfw_random *random,
			size_t most)
{
	int late = search->round - WIDE_ROUNDS, result = 0;
	int fold = search->folds > 0 ? late % search->folds : -1;
	struct lxfw_search parents = { .settings = NULL };
	const struct lxfw_setting **best;
	size_t count, before = search->count;
	double step = STEP;

	best = malloc(before * sizeof(*best));
	if (!best || find_parents(search, fold, &parents)) {
		free(parents.settings);
		free(best);
		return -1;
	}
	if (search->folds > 0)
		late /= search->folds;
	for (int i = 0; i < late && step > 2 * STEP_LEAST; i++)
		step *= STEP_SHRINKS;
	count = lxfw_rank_best(parents.settings, parents.count,
			       search->round_size, best);
	for (size_t i = 0; i < most && result >= 0; i++)
		result = add_child(search, best, count, step, random);
	for (size_t i = before; i < search->count; i++)
		search->settings[i].fold = fold;
	free(parents.settings);
	free(best);
	return result < 0 ? -1 : 0;
}

static void clear_setting(struct lxfw_setting *setting)
{
	free(setting->line);
	free(setting->values);
}

int64_t lxfw_search_ask(struct lxfw_search *search, size_t most)
{
	size_t before = search->count, anywhere, round = search->round_size;
	struct lxfw_random random;
	int failed = 0;

	/* a round is the same, however many of its settings are requested */
	lxfw_random_seed(&random, search->seed, (uint64_t)search->round);
	if (search->round == 0)
		failed = add_known(search, most);
	if (failed)
		return -1;
	anywhere = search->round < WIDE_ROUNDS ? round : round / ANYWHERE + 1;
	if (search->round == 0)
		anywhere = round > search->count ? round - search->count : 1;
	/* these first: the number of random numbers for offspring depends on values */
	failed = add_hypercube(search, &random, anywhere);
	if (search->round >= WIDE_ROUNDS)
		failed = failed || add_children(search, &random, round -
						round / ANYWHERE - 1);
	search->round++;
	while (search->count - before > most)
		clear_setting(&search->settings[--search->count]);
	return failed ? -1 : (int64_t)(search->count - before);
}

int64_t lxfw_search_ask_after(struct lxfw_search *search)
{
	char *lines[LXFW_TUNE_AFTER_MAX];
	int count = lxfw_tune_space_after(search->space, lines), result = 0;
	size_t before = search->count;

	for (int i = 0; i < count; i++) {
		if (result >= 0)
			result = add_line(search, lines[i]);
		else
			free(lines[i]);
	}
	for (size_t i = before; i < search->count; i++)
		search->settings[i].after = true;
	return count < 0 || result < 0 ? -1 : (int64_t)(search->count - before);
}

void lxfw_search_clear(struct lxfw_search *search)
{
	for (size_t i = 0; i < search->count; i++)
		clear_setting(&search->settings[i]);
	free(search->settings);
	search->settings = NULL;
	search->count = search->size = search->ranked = 0;
}
