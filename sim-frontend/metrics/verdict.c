/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/groups.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/statistics.h"

#define DAY INT64_C(86400)
#define WEEK (7 * DAY)

/* Maximum number of groups. */
#define GROUPS_MAX 1000000

/* Waits below a minute are irrelevant in practice. Divisors are at least this, in
   seconds. */
#define LEAST_WAIT 60.

/* Weeks with fewer jobs are excluded from the correlation of weeks. */
#define WEEK_JOBS_LEAST 20

/* Errors up to `good` are good, up to `care` usable with care. */
struct bounds {
	double good, care;
};

static const struct bounds bounds_mean = { 0.15, 0.40 };
static const struct bounds bounds_part = { 0.30, 0.80 };
/* one job in ten, or in four, has a wait of a different order of magnitude */
static const struct bounds bounds_spread = { 0.10, 0.25 };
/* waits that no setting can change: a fifth of the wait, half of it */
static const struct bounds bounds_unexplained = { 0.20, 0.50 };
/* Clocks that differ by a few seconds cause small values. */
static const struct bounds bounds_over = { 0.02, 0.10 };
static const struct bounds bounds_not_started = { 0.01, 0.05 };
/* 1 minus the correlation: about half of the variance in common, and a sixth. */
static const struct bounds bounds_apart = { 0.30, 0.60 };

/* If processors that jobs never held are unused on more of the days, the machine has fewer. */
#define LEVEL_SHARE 0.2

static const char next_good[] =
	"Continue with 'lxfw tune'. Gains below 15 % are within the error of "
	"the simulation.";
static const char next_length[] =
	"Use a longer log, with at least three weeks and 1000 jobs.";
static const char next_noise[] =
	"Use a longer log: noise then changes its mean wait less.";
static const char next_quiet[] =
	"Use a busier part of the log. If jobs do not wait, there is nothing "
		"to tune.";
static const char next_machine[] =
	"Specify the actual size of the machine with --cluster.";
static const char next_size[] =
	"Correct the description of the machine: the one given with --cluster does not have "
	"the processors that jobs held.";
static const char next_unexplained[] =
	"Find the causes that the log does not contain: 'lxfw compare' shows "
	"when and how long jobs waited although processors were free. "
	"Possible causes are outages, held jobs, limits of users and "
	"dependencies. Leave such weeks out, or compare the journal of the "
	"plugin, which records these causes.";
/* Followed by what is not described yet. */
static const char next_site[] = "Describe the site in more detail";
static const char next_where[] =
	"'lxfw compare' shows by queue, size and week where measured and "
	"simulated waits differ.";

static const char next_hosts[] =
	"Simulate the nodes of the site instead of one machine: the log names "
	"them. 'lxfw import --out FILE --cluster-out HOSTS LOG' writes nodes "
	"and partitions to the file HOSTS, then use --cluster HOSTS; a "
	"slurm.conf is better still.";

static const char next_gpus[] =
	"Record the GPUs of jobs, in Slurm with AccountingStorageTRES=gres/gpu in "
	"slurm.conf, and use a log from then on. Waits for GPUs look like outages, held "
	"jobs or limits.";

struct reason {
	enum lxfw_verdict_level level;
	double weight;		/* ratio to the bound, 1 or more */
	const char *next;
	char text[LXFW_VERDICT_TEXT];
};

struct judge {
	const struct lxfw_verdict_input *in;
	struct lxfw_verdict *out;
	double measured, simulated;	/* mean waits */
	double days;
	struct reason reasons[LXFW_VERDICT_REASONS];
	int count;
};

/* --- reasons -------------------------------------------------------------------- */

static void add(struct judge *judge, enum lxfw_verdict_level level,
		double weight, const char *next, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void add(struct judge *judge, enum lxfw_verdict_level level,
		double weight, const char *next, const char *format, ...)
{
	struct reason *reason;
	va_list arguments;

	if (level == LXFW_VERDICT_GOOD || judge->count == LXFW_VERDICT_REASONS)
		return;
	reason = &judge->reasons[judge->count++];
	reason->level = level;
	reason->weight = weight;
	reason->next = next;
	va_start(arguments, format);
	vsnprintf(reason->text, sizeof(reason->text), format, arguments);
	va_end(arguments);
}

static enum lxfw_verdict_level level_of(double value,
					const struct bounds *bounds)
{
	value = fabs(value);
	return value <= bounds->good ? LXFW_VERDICT_GOOD :
	       value <= bounds->care ? LXFW_VERDICT_CARE : LXFW_VERDICT_NOT;
}

/* Returns the ratio of VALUE to the bound of its level. */
static double weight_of(double value, const struct bounds *bounds)
{
	value = fabs(value);
	return value / (value <= bounds->care ? bounds->good : bounds->care);
}

static double at_least_a_minute(double wait)
{
	return wait > LEAST_WAIT ? wait : LEAST_WAIT;
}

/* --- all jobs ------------------------------------------------------------------- */

/* Returns by how much a simulated value differs from the measured one, 0 if that is within the
   range. */
static double beyond(const struct judge *judge, double measured, double simulated, double low,
		     double high)
{
	if (judge->in->noise.copies > 0 && measured >= low && measured <= high)
		return 0;
	return simulated - measured;
}

static void judge_noise(struct judge *judge)
{
	const struct lxfw_verdict_noise *noise = &judge->in->noise;
	double half = (noise->high - noise->low) / 2 / at_least_a_minute(judge->measured);
	char texts[2][32];

	if (noise->copies == 0 || half <= bounds_mean.good)
		return;
	add(judge, LXFW_VERDICT_CARE, half / bounds_mean.good, next_noise,
	    "The simulated mean wait is %s to %s in the log and %d copies with a little noise: "
	    "smaller effects cannot be told from chance.",
	    lxfw_format_span(noise->low, texts[0], sizeof(texts[0])),
	    lxfw_format_span(noise->high, texts[1], sizeof(texts[1])), noise->copies);
}

static void judge_mean(struct judge *judge)
{
	const struct lxfw_verdict_noise *noise = &judge->in->noise;
	double change = (judge->simulated - judge->measured) /
			at_least_a_minute(judge->measured);
	double sure = beyond(judge, judge->measured, judge->simulated, noise->low,
			     noise->high) / at_least_a_minute(judge->measured);
	char m[32], s[32];

	judge->out->mean = change;
	add(judge, level_of(sure, &bounds_mean),
	    weight_of(sure, &bounds_mean), next_site,
	    "The simulated mean wait is %.0f %% %s than the measured one (%s, "
	    "measured %s).", 100 * fabs(change), change < 0 ? "shorter" : "longer",
	    lxfw_format_span(judge->simulated, s, sizeof(s)),
	    lxfw_format_span(judge->measured, m, sizeof(m)));
}

static void judge_p95(struct judge *judge, int64_t *measured, int64_t *simulated)
{
	size_t count = judge->in->count;
	double m = (double)lxfw_percentile(measured, count, 95);
	double s = (double)lxfw_percentile(simulated, count, 95);
	double change = (s - m) / at_least_a_minute(m);
	double sure = beyond(judge, m, s, judge->in->noise.p95_low, judge->in->noise.p95_high) /
		      at_least_a_minute(m);
	char texts[2][32];

	judge->out->p95 = change;
	add(judge, level_of(sure, &bounds_part),
	    weight_of(sure, &bounds_part), next_site,
	    "The 95th percentile of waits is %.0f %% %s in the simulation "
	    "(%s, measured %s).", 100 * fabs(change),
	    change < 0 ? "shorter" : "longer",
	    lxfw_format_span(s, texts[0], sizeof(texts[0])),
	    lxfw_format_span(m, texts[1], sizeof(texts[1])));
}

static double share_over(const int64_t *waits, size_t count, int64_t wait)
{
	size_t over = 0;

	for (size_t i = 0; i < count; i++)
		over += waits[i] > wait;
	return (double)over / (double)count;
}

/* Compares the fractions of jobs that wait longer than some customary times. */
static void judge_spread(struct judge *judge, const int64_t *measured,
			 const int64_t *simulated)
{
	static const struct {
		int64_t wait;
		const char *name;
	} points[] = {
		{ 600, "10 minutes" }, { 3600, "an hour" },
		{ 4 * 3600, "4 hours" }, { 12 * 3600, "12 hours" },
		{ DAY, "a day" },
	};
	size_t count = judge->in->count;
	double worst[3] = { 0, 0, 0 };
	const char *name = points[0].name;

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		double m = share_over(measured, count, points[i].wait);
		double s = share_over(simulated, count, points[i].wait);

		if (fabs(s - m) <= worst[0])
			continue;
		worst[0] = fabs(s - m);
		worst[1] = m;
		worst[2] = s;
		name = points[i].name;
	}
	judge->out->spread = worst[0];
	add(judge, level_of(worst[0], &bounds_spread),
	    weight_of(worst[0], &bounds_spread), next_site,
	    "%.0f %% of the measured jobs waited longer than %s, and %.0f %% of the "
	    "simulated ones.", 100 * worst[1], name, 100 * worst[2]);
}

static int judge_waits(struct judge *judge)
{
	size_t count = judge->in->count;
	int64_t *waits = malloc(2 * (count + 1) * sizeof(*waits));

	if (!waits)
		return -1;
	for (size_t i = 0; i < count; i++) {
		waits[i] = judge->in->jobs[i].measured;
		waits[count + i] = judge->in->jobs[i].simulated;
	}
	judge_noise(judge);
	judge_mean(judge);
	judge_spread(judge, waits, waits + count);
	judge_p95(judge, waits, waits + count);
	free(waits);
	return 0;
}

/* --- groups --------------------------------------------------------------------- */

struct group {
	double jobs, measured, simulated;	/* sums of waits */
};

enum by { BY_WEEK, BY_SIZE, BY_RUN, BY_QUEUE };

static int64_t begin_of(const struct lxfw_verdict_input *in)
{
	int64_t begin = INT64_MAX;

	for (size_t i = 0; i < in->count; i++) {
		if (in->jobs[i].submit < begin)
			begin = in->jobs[i].submit;
	}
	return begin;
}

/* -1: none */
static int64_t group_of(const struct lxfw_verdict_job *job, enum by by,
			int64_t begin)
{
	int64_t group = by == BY_WEEK ? (job->submit - begin) / WEEK :
			by == BY_SIZE ? lxfw_size_class(job->procs) :
			by == BY_RUN ? lxfw_run_bin(job->run) : job->queue;

	return group < GROUPS_MAX ? group : -1;
}

static struct group *make_groups(const struct lxfw_verdict_input *in, enum by by,
				 size_t *count)
{
	int64_t begin = begin_of(in), last = -1;
	struct group *groups;

	for (size_t i = 0; i < in->count; i++) {
		int64_t group = group_of(&in->jobs[i], by, begin);

		last = group > last ? group : last;
	}
	*count = (size_t)(last + 1);
	groups = calloc(*count + 1, sizeof(*groups));
	for (size_t i = 0; i < in->count && groups; i++) {
		const struct lxfw_verdict_job *job = &in->jobs[i];
		int64_t group = group_of(job, by, begin);

		if (group < 0)
			continue;
		groups[group].jobs++;
		groups[group].measured += (double)job->measured;
		groups[group].simulated += (double)job->simulated;
	}
	return groups;
}

/* Returns the mean difference of the groups' mean waits, weighted by jobs, as a
   fraction of the measured mean, or -1 if there are fewer than two groups. */
static double miss_of(const struct judge *judge, const struct group *groups,
		      size_t count)
{
	double sum = 0, jobs = 0;
	int known = 0;

	for (size_t i = 0; i < count; i++) {
		sum += fabs(groups[i].simulated - groups[i].measured);
		jobs += groups[i].jobs;
		known += groups[i].jobs > 0;
	}
	return known < 2 ? -1 :
	       sum / jobs / at_least_a_minute(judge->measured);
}

/* Reports only what the difference over all jobs does not imply. */
static void judge_miss(struct judge *judge, double miss, const char *of)
{
	double mean = fabs(judge->out->mean);

	if (miss < 0 || (level_of(miss, &bounds_part) <=
			 level_of(mean, &bounds_mean) && miss < 1.25 * mean))
		return;
	add(judge, level_of(miss, &bounds_part), weight_of(miss, &bounds_part),
	    next_site, "Grouped by %s, the mean wait differs by %.0f %% on average%s.", of,
	    100 * miss, judge->in->noise.copies > 0 ? ", apart from groups within the range of "
						      "noise" : "");
}

/* Sets *CORRELATION to the rank correlation of COUNT values of each side, or to 2 if one side is
   constant. */
static int correlate(const double *means, size_t count, double *correlation)
{
	bool constant[2] = { true, true };

	for (size_t i = 0; i < count; i++) {
		constant[0] &= means[i] == means[0];
		constant[1] &= means[count + i] == means[count];
	}
	if (lxfw_rank_correlation(means, means + count, count, correlation))
		return -1;
	if (constant[0] || constant[1])
		*correlation = 2;
	return 0;
}

/* Tests whether the same weeks have long waits. Applies only if weeks differ. */
static int judge_together(struct judge *judge, const struct group *weeks,
			  size_t count)
{
	double *means = malloc(2 * (count + 1) * sizeof(*means));
	size_t known = 0, at = 0;
	int failed = 0;

	if (!means)
		return -1;
	for (size_t i = 0; i < count; i++)
		known += weeks[i].jobs >= WEEK_JOBS_LEAST;
	for (size_t i = 0; i < count && known > 0; i++) {
		if (weeks[i].jobs < WEEK_JOBS_LEAST)
			continue;
		means[at] = weeks[i].measured / weeks[i].jobs;
		means[known + at++] = weeks[i].simulated / weeks[i].jobs;
	}
	if (known >= LXFW_VERDICT_WEEKS_RANKED)
		failed = correlate(means, known, &judge->out->together);
	free(means);
	if (failed)
		return -1;
	if (judge->out->together > 1 || judge->out->weeks <= bounds_mean.good)
		return 0;
	add(judge, level_of(1 - judge->out->together, &bounds_apart),
	    weight_of(1 - judge->out->together, &bounds_apart), next_site,
	    "The weeks with long waits are %s the same: the rank correlation of "
	    "the %zu weekly means is %.2f.",
	    1 - judge->out->together > bounds_apart.care ? "not" :
	    "only in part", known, judge->out->together);
	return 0;
}

static int judge_groups(struct judge *judge)
{
	static const struct {
		enum by by;
		const char *of;
	} all[] = {
		{ BY_WEEK, "week" }, { BY_SIZE, "size" },
		{ BY_RUN, "run time" }, { BY_QUEUE, "queue" },
	};
	double *misses[] = {
		&judge->out->weeks, &judge->out->sizes, &judge->out->run_times,
		&judge->out->queues,
	};
	const struct lxfw_verdict_noise *noise = &judge->in->noise;
	const double sure[] = {
		noise->weeks, noise->sizes, noise->run_times, noise->queues,
	};

	for (int i = 0; i < 4; i++) {
		size_t count;
		struct group *groups = make_groups(judge->in, all[i].by, &count);
		int failed = 0;

		if (!groups)
			return -1;
		*misses[i] = miss_of(judge, groups, count);
		judge_miss(judge, judge->in->noise.copies > 0 && *misses[i] >= 0 ? sure[i] :
						*misses[i], all[i].of);
		if (all[i].by == BY_WEEK)
			failed = judge_together(judge, groups, count);
		free(groups);
		if (failed)
			return -1;
	}
	return 0;
}

/* --- amount of data, other reasons ------------------------------------------------ */

static double days_of(const struct lxfw_verdict_input *in)
{
	int64_t begin = begin_of(in), last = INT64_MIN;

	for (size_t i = 0; i < in->count; i++) {
		if (in->jobs[i].submit > last)
			last = in->jobs[i].submit;
	}
	return in->count ? (double)(last - begin) / (double)DAY : 0;
}

static void judge_length(struct judge *judge)
{
	size_t jobs = judge->in->count;
	char span[32];

	if (jobs < LXFW_VERDICT_JOBS_GOOD)
		add(judge, jobs < LXFW_VERDICT_JOBS_LEAST ? LXFW_VERDICT_NOT :
		    LXFW_VERDICT_CARE, 1, next_length, "The comparison has %zu "
		    "jobs. With fewer than %d, the result depends on chance.", jobs,
		    LXFW_VERDICT_JOBS_GOOD);
	if (judge->days < LXFW_VERDICT_DAYS_GOOD && jobs > 0)
		add(judge, judge->days < LXFW_VERDICT_DAYS_LEAST ?
		    LXFW_VERDICT_NOT : LXFW_VERDICT_CARE, 1, next_length,
		    "The jobs were submitted within %s. With less than three "
		    "weeks, the result depends on a single week.", lxfw_format_span(judge->days * (double)DAY,
						     span, sizeof(span)));
}

/* The GPUs that the log lacks may be the cause of all other reasons: they come first. */
static void judge_gpus(struct judge *judge)
{
	enum lxfw_verdict_level level = LXFW_VERDICT_CARE;

	for (int i = 0; i < judge->count; i++) {
		if (judge->reasons[i].level > level && judge->reasons[i].level <= LXFW_VERDICT_NOT)
			level = judge->reasons[i].level;
	}
	if (judge->in->gpus_hidden)
		add(judge, level, 1e9, next_gpus,
		    "The hosts have GPUs, but the log does not contain the GPUs of jobs.");
}

/* Unexplained waits are ignored if there are no significant waits. */
static void judge_rest(struct judge *judge, bool quiet)
{
	const struct lxfw_verdict_input *in = judge->in;
	double stuck = (double)in->not_started /
		       (double)(in->count + in->not_started);

	add(judge, level_of(stuck, &bounds_not_started),
	    weight_of(stuck, &bounds_not_started), next_site,
	    "%zu jobs of the measured run never start in the simulation.",
	    in->not_started);
	add(judge, level_of(in->over_share, &bounds_over),
	    weight_of(in->over_share, &bounds_over), next_machine,
	    "For %.0f %% of the time, jobs held more processors than the "
	    "specified machine has.", 100 * in->over_share);
	if (in->level_share >= LEVEL_SHARE && in->most_held < in->procs)
		add(judge, LXFW_VERDICT_CARE, 1, next_machine,
		    "Jobs never held more than %lld of the %lld processors, "
		    "although waiting jobs would have fitted on the others.",
		    (long long)in->most_held, (long long)in->procs);
	if (in->unexplained > 0 && !quiet)
		add(judge, level_of(in->unexplained_more, &bounds_unexplained),
		    weight_of(in->unexplained_more, &bounds_unexplained),
		    next_unexplained, "%.0f %% of the measured wait is not "
		    "explained by the log: jobs waited although processors "
		    "were free.", 100 * in->unexplained);
	judge_gpus(judge);
}

/* Returns whether waits are insignificant in both schedules. */
static bool is_quiet(const struct judge *judge)
{
	return judge->measured < LEAST_WAIT && judge->simulated < LEAST_WAIT;
}

/* --- the verdict ---------------------------------------------------------------- */

static int by_weight(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;

	if (a->level != b->level)
		return a->level > b->level ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return strcmp(a->text, b->text);
}

static void say_good(struct lxfw_verdict *out)
{
	out->level = LXFW_VERDICT_GOOD;
	out->reason_count = 1;
	snprintf(out->reasons[0], sizeof(out->reasons[0]), "The simulated mean "
		 "wait differs from the measured one by %.0f %%, the 95th "
		 "percentile by %.0f %%, and the mean of a week by %.0f %% on "
		 "average.", 100 * fabs(out->mean), 100 * fabs(out->p95),
		 100 * out->weeks);
	snprintf(out->next, sizeof(out->next), "%s", next_good);
}

/* Returns whether the step is a better description of the machine. */
static bool is_of_machine(const char *next)
{
	return next == next_site || next == next_unexplained ||
	       next == next_machine;
}

/* Writes "Describe the site in more detail: the machine with ..., the policy with ...".
   Of what the description of the machine and the policy do not contain, one is named at a
   time. */
static void say_site(struct judge *judge)
{
	static const struct {
		unsigned given;
		const char *what;
	} steps[] = {
		{ LXFW_GIVEN_MACHINE, "the machine with --cluster slurm.conf" },
		{ LXFW_GIVEN_POLICY, "the policy with --policy or --params" },
		{ LXFW_GIVEN_OUTAGES, "outages with --outages" },
		{ LXFW_GIVEN_RESERVATIONS, "reservations with --reservations" },
		{ LXFW_GIVEN_INFERENCE, "held jobs and limits with --infer all" },
	};
	unsigned given = judge->in->given, basic = LXFW_GIVEN_MACHINE | LXFW_GIVEN_POLICY;
	char *next = judge->out->next;
	size_t size = sizeof(judge->out->next), used = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && used < size; i++) {
		/* The other steps are of use if machine and policy are right. */
		if ((given & steps[i].given) ||
		    ((given & basic) != basic && !(steps[i].given & basic)))
			continue;
		used += (size_t)snprintf(next + used, size - used, "%s%s %s",
					 used ? "" : next_site, used ? "," : ":",
					 steps[i].what);
	}
	if (used < size)
		snprintf(next + used, size - used, "%s%s", used ? ". " : "", next_where);
}

static void say_next(struct judge *judge, const char *next)
{
	struct lxfw_verdict *out = judge->out;

	if (next == next_site)
		say_site(judge);
	else if (next == next_machine && (judge->in->given & LXFW_GIVEN_SIZE))
		snprintf(out->next, sizeof(out->next), "%s", next_size);
	else if (next == next_hosts && !(judge->in->given & LXFW_GIVEN_POLICY))
		snprintf(out->next, sizeof(out->next), "%s Specify the policy with "
			 "--policy or --params.", next);
	else
		snprintf(out->next, sizeof(out->next), "%s", next);
}

/* Selects the next step. Information that the log lacks comes first, since it may be
   the cause of other differences. However, hosts that the log names may explain such
   waits. */
static void conclude(struct judge *judge)
{
	struct lxfw_verdict *out = judge->out;
	const char *next;
	int first;

	if (judge->count == 0) {
		say_good(out);
		return;
	}
	qsort(judge->reasons, (size_t)judge->count, sizeof(*judge->reasons),
	      by_weight);
	out->level = judge->reasons[0].level;
	out->reason_count = judge->count;
	/* what may be wrong with the description comes before more data */
	first = judge->count > 1 && judge->reasons[0].next == next_noise;
	next = judge->reasons[first].next;
	for (int i = 0; i < judge->count; i++) {
		memcpy(out->reasons[i], judge->reasons[i].text,
		       sizeof(out->reasons[i]));
		if (judge->reasons[i].next == next_unexplained &&
		    judge->reasons[first].next == next_site)
			next = next_unexplained;
	}
	if (judge->in->gpus_hidden)
		next = next_gpus;
	if (judge->in->hosts_named && is_of_machine(judge->reasons[first].next))
		next = next_hosts;
	say_next(judge, next);
}

static void take_means(struct judge *judge)
{
	double measured = 0, simulated = 0;
	double jobs = judge->in->count ? (double)judge->in->count : 1;

	for (size_t i = 0; i < judge->in->count; i++) {
		measured += (double)judge->in->jobs[i].measured;
		simulated += (double)judge->in->jobs[i].simulated;
	}
	judge->measured = measured / jobs;
	judge->simulated = simulated / jobs;
	judge->days = days_of(judge->in);
}

int lxfw_verdict_make(struct lxfw_verdict *verdict,
		      const struct lxfw_verdict_input *input)
{
	struct judge judge = { .in = input, .out = verdict };
	int failed = 0;

	*verdict = (struct lxfw_verdict) {
		.weeks = -1, .sizes = -1, .run_times = -1, .queues = -1,
		.together = 2,
	};
	take_means(&judge);
	judge_length(&judge);
	if (input->count >= LXFW_VERDICT_JOBS_LEAST) {
		bool quiet = is_quiet(&judge);

		if (quiet)
			add(&judge, LXFW_VERDICT_CARE, 1, next_quiet,
			    "Jobs hardly wait (mean wait %.0f s), so the "
			    "comparison shows little and there is little to "
			    "gain.",
			    judge.measured);
		else
			failed = judge_waits(&judge) || judge_groups(&judge);
		judge_rest(&judge, quiet);
	}
	if (failed) {
		errno = ENOMEM;
		return -1;
	}
	conclude(&judge);
	return 0;
}
