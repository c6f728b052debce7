/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>

#include "sim-frontend/report/why.h"
#include "sim-frontend/report/why_words.h"

static const char *plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

static void put_ahead(const struct lxfw_why *why, FILE *out)
{
	if (why->ahead <= 0) {
		fputs(why->hidden ? "No job of yours is before it in the queue; how many of others are is not "
				    "known.\n" : "No job is before it in the queue.\n", out);
		return;
	}
	fprintf(out, "%" PRId32 " job%s before it in the queue, and request%s %" PRId64
		" processor%s%s.\n", why->ahead, why->ahead == 1 ? " is" : "s are",
		why->ahead == 1 ? "s" : "", why->procs_ahead, plural(why->procs_ahead),
		why->ahead == 1 ? "" : " in all");
}

/* The pool that has too little left, or NULL. */
static const struct lxfw_pool_name *short_pool(const struct lxfw_why *why)
{
	for (int i = 0; i < why->request.pool_count; i++) {
		const struct lxfw_pool_name *pool = lxfw_why_pool(why, i);

		if (pool && pool->total - why->pool_used[i] < why->request.pools[i].amount)
			return pool;
	}
	return NULL;
}

static void put_cause(const struct lxfw_why *why, FILE *out)
{
	const struct lxfw_pool_name *pool = short_pool(why);
	int64_t start = why->own.reserved == LXFW_NEVER ? why->expected : why->own.reserved;

	if (pool)
		fprintf(out, "It waits for %s", pool->text);
	else if (why->after_hidden)
		fputs("It waits for jobs that are not shown, whose limits are not known", out);
	else if (why->after_block)
		fputs("It waits for the end of an advance reservation", out);
	else if (why->blocker_count > 0)
		fprintf(out, "It waits for the end%s of %zu running job%s%s",
			plural((int64_t)why->blocker_count), why->blocker_count,
			plural((int64_t)why->blocker_count),
			/* These have hosts of its reservation in between. */
			why->ahead > 0 && why->last_end < start ?
			" and then for jobs before it" : "");
	else if (why->boot > 0)
		fputs("It waits for hosts to boot", out);
	else if (why->request.group && why->ahead == 0)
		fputs("It waits for the other components of its job, which start together with it", out);
	else if (why->ahead > 0)
		fputs("It waits for those before it", out);
	else
		fputs("It waits for free processors and memory", out);
}

static void put_expected(const struct lxfw_why *why, FILE *out)
{
	if (why->expected == LXFW_NEVER && why->limitless > 0) {
		if (why->blocker_count == 1)
			fputs("; when is not known, since it has no time limit.\n", out);
		else
			fprintf(out, "; when is not known, since %zu of these %s no time limit.\n",
				why->limitless, why->limitless == 1 ? "has" : "have");
		return;
	}
	if (why->expected == LXFW_NEVER) {
		fputs("; no start is expected.\n", out);
		return;
	}
	fputs(", and starts ", out);
	lxfw_why_put_distance(why, why->expected, out);
	fputs(", if all jobs run to their time limits.\n", out);
	if (why->boot == 0)
		return;
	fputs("Of this time, its hosts boot for ", out);
	lxfw_why_put_span(why->boot, out);
	fputs(" at the longest.\n", out);
}

/* Running jobs that Slurm may preempt for it. */
static void put_victims(const struct lxfw_why *why, FILE *out)
{
	if (why->victims < 0)
		fputs("It may start at any time before: jobs of some QOS preempt others here, and which "
		      "is not known.\n", out);
	else if (why->victims > 0)
		fprintf(out, "It may start at any time before: Slurm may preempt %lld running job%s of "
			"a lower PriorityTier for it.\n", (long long)why->victims,
			why->victims == 1 ? "" : "s");
}

/* The change with the earliest start, if that is earlier. */
static const struct lxfw_why_change *best_change(const struct lxfw_why *why)
{
	const struct lxfw_why_change *best = NULL;

	for (int i = 0; i < why->change_count; i++) {
		if (why->changes[i].start < (best ? best->start : why->expected))
			best = &why->changes[i];
	}
	return best;
}

static void put_sooner(const struct lxfw_why *why, FILE *out)
{
	const struct lxfw_why_change *best = best_change(why);

	if (best && why->expected != LXFW_NEVER) {
		fprintf(out, "With %s it would start ", best->what);
		lxfw_why_put_span(why->expected - best->start, out);
		fputs(" earlier.\n", out);
	} else if (best) {
		fprintf(out, "With %s it would start ", best->what);
		lxfw_why_put_distance(why, best->start, out);
		fputs(".\n", out);
	} else if (why->change_count > 0) {
		fputs("Smaller requests that were tried would not start it earlier.\n", out);
	}
}

void lxfw_why_summary(const struct lxfw_why *why, FILE *out)
{
	/* Its start was refused, or it is suspended. */
	if (why->ahead < 0)
		return;
	put_ahead(why, out);
	lxfw_why_put_said(why, out);
	if (!why->possible) {
		fputs("It can start at no time as the hosts are now", out);
		if (*why->obstacle)
			fprintf(out, ": %s", why->obstacle);
		fputs(".\n", out);
		return;
	}
	if (why->repeats && why->expected == LXFW_NEVER) {
		fputs("It is longer than the time between two occurrences of an advance reservation, "
		      "and will not start as long as that repeats.\n", out);
		put_sooner(why, out);
		return;
	}
	if (lxfw_why_is_planned_later(why)) {
		fputs("There seems to be room for it, but Slurm plans its start ", out);
		lxfw_why_put_distance(why, why->planned, out);
		fputs(": it keeps whole nodes for the jobs before it, or follows a rule that is not "
		      "modelled. It may start sooner when another job ends.\n", out);
		return;
	}
	if (lxfw_why_is_passed_over(why)) {
		fprintf(out, "There seems to be room for it, but %s: when it considers this job is not "
			"known, at the latest when it is the first one of its partition that waits.\n",
			why->passed_over);
		return;
	}
	if (why->expected <= why->now) {
		fputs(lxfw_why_has_said(why) ?
		      "There seems to be room for it, but this is what Slurm said when it considered "
		      "it last.\n" :
		      "There is room for it: it can start when the scheduler considers it next.\n",
		      out);
		return;
	}
	put_cause(why, out);
	put_expected(why, out);
	put_victims(why, out);
	put_sooner(why, out);
}
