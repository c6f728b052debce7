/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/capacity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/infer/denials.h"

/* Maximum time between evidence of the same outage; the second one applies if jobs
   waited all the time between. While the first job is too large or no job waits, the
   size of the machine cannot be determined. */
#define GAP_MOST INT64_C(86400)
#define GAP_MOST_BUSY INT64_C(345600)

/* An outage explains a wait if it covers this fraction of the time in which the job
   was denied. */
#define COVERED 0.9

/* Maximum number of levels tried on a large machine. */
#define LEVELS_MOST 64

/* Accepted rate of false outages: one in this number of logs, if the holds of
   different users are independent. */
#define LOGS 100

/* Prior weight: this number of jobs, denied as often as those of all users. The rate
   is never below SHARE_LEAST. */
#define PRIOR_JOBS 10
#define SHARE_LEAST 0.01

/* Maximum number of rounds. Outages that are found help to detect others. */
#define ROUNDS 4

#define EARLIER_SHARE 0.95
#define EARLIER_MOST INT64_C(31536000)

#define NEVER SIZE_MAX

/* A period in which no start exceeds a level. */
struct window {
	size_t from, until;	/* atoms; `until` is exclusive */
	int64_t level;
	double seconds;		/* in which jobs were denied that the window explains */
	double score;
	size_t jobs;		/* number of these jobs */
};

struct work {
	struct lxfw_inferred *inferred;
	const struct lxfw_capacity_input *in;
	struct lxfw_denials denials;
	size_t users;
	/* By user. The last entry is for pairs of similar jobs of unknown users. */
	int64_t *user_jobs, *user_denied, *user_here;
	int64_t started, denied;	/* numbers of jobs */
	bool *explained;		/* by job: explained by an outage that was
					   found */
	bool *taken;			/* by atom: part of an outage that was found */
	/* State of the window that is examined. */
	int64_t *covered;		/* by job: seconds */
	size_t *touched, touched_count;
	/* Windows found at all levels. */
	struct window *windows;
	size_t window_count, windows_size;
	double best_refused;		/* score of the best one rejected */
};

/* --- how often jobs are denied without an outage ----------------------------------------- */

static bool is_denied(const struct work *work, size_t job)
{
	const struct lxfw_sweep_job *at = &work->in->jobs[job];

	return work->denials.seconds[job] >= LXFW_INFER_LEAST ||
	       at->free - at->submit >= LXFW_INFER_LEAST;
}

static void count_denied(struct work *work)
{
	work->started = work->denied = 0;
	for (size_t i = 0; i < work->users; i++)
		work->user_jobs[i] = work->user_denied[i] = 0;
	for (size_t i = 0; i < work->in->sweep->count; i++) {
		const struct lxfw_sweep_job *job = &work->in->jobs[i];
		bool denied = is_denied(work, i) && !work->explained[i];

		if (job->start == LXFW_SWEEP_NEVER)
			continue;
		work->started++;
		work->denied += denied;
		if (job->user < 0)
			continue;
		work->user_jobs[job->user]++;
		work->user_denied[job->user] += denied;
	}
}

/* Returns the rate at which jobs are denied outside of the window, for one user or all
   users. The window explains HERE of the denied jobs. */
static double share_of(int64_t denied, int64_t jobs, int64_t here, double prior)
{
	double share = ((double)(denied > here ? denied - here : 0) +
			PRIOR_JOBS * prior) /
		       ((double)(jobs > here ? jobs - here : 0) + PRIOR_JOBS);

	return share < SHARE_LEAST ? SHARE_LEAST : share > 1 ? 1 : share;
}

static double threshold(const struct work *work)
{
	return log((double)(work->started > 0 ? work->started : 1) * LOGS);
}

/* --- windows ------------------------------------------------------------------------------ */

static bool covers(const struct work *work, size_t job)
{
	double seconds = (double)work->denials.seconds[job];

	return !work->explained[job] && work->covered[job] >= LXFW_INFER_LEAST &&
	       (double)work->covered[job] >=
	       COVERED * seconds - (double)work->in->grace;
}

/* Two similar jobs of unknown users may be of the same user. */
static bool is_alike(const struct lxfw_sweep_job *a, const struct lxfw_sweep_job *b)
{
	return a->procs == b->procs && a->limit == b->limit;
}

/*
 * Computes how implausible it is that none of these jobs was eligible: the logarithm of
 * the product, over users, of the rate at which jobs of the user are denied at other
 * times. Several jobs of a user count once, since they depend on each other. Jobs
 * submitted before the window do not count: eligible ones may have started before, so
 * that mostly held jobs remain.
 */
static void score(struct work *work, struct window *window)
{
	const struct lxfw_sweep_job *jobs = work->in->jobs, *unknown = NULL;
	int64_t begin = work->denials.atoms[window->from].begin;
	double prior;

	for (size_t i = 0; i < work->touched_count; i++) {
		size_t job = work->touched[i];

		if (!covers(work, job))
			continue;
		window->jobs++;
		window->seconds += (double)work->covered[job];
		if (jobs[job].user >= 0)
			work->user_here[jobs[job].user]++;
	}
	prior = share_of(work->denied, work->started, (int64_t)window->jobs,
			 SHARE_LEAST);
	for (size_t i = 0; i < work->touched_count; i++) {
		const struct lxfw_sweep_job *job = &jobs[work->touched[i]];
		int64_t here;

		if (!covers(work, work->touched[i]) || job->submit <= begin)
			continue;
		if (job->user < 0) {
			if (!unknown || !is_alike(job, unknown))
				window->score -= log(prior);
			unknown = job;
			continue;
		}
		here = work->user_here[job->user];
		work->user_here[job->user] = 0;
		if (here > 0)
			window->score -= log(share_of(work->user_denied[job->user],
						      work->user_jobs[job->user],
						      here, prior));
	}
	for (size_t i = 0; i < work->touched_count; i++) {
		if (jobs[work->touched[i]].user >= 0)
			work->user_here[jobs[work->touched[i]].user] = 0;
	}
}

static int close_window(struct work *work, struct window window)
{
	score(work, &window);
	for (size_t i = 0; i < work->touched_count; i++)
		work->covered[work->touched[i]] = 0;
	work->touched_count = 0;
	if (window.score < threshold(work)) {
		if (window.jobs > 1 && window.score > work->best_refused)
			work->best_refused = window.score;
		return 0;
	}
	if (LXFW_GROW(work->windows, work->windows_size, work->window_count + 1))
		return -1;
	work->windows[work->window_count++] = window;
	return 0;
}

/* Adds the denied jobs of an atom that do not fit into LEVEL. Returns whether there
   were any. */
static bool cover(struct work *work, size_t at, int64_t level)
{
	const struct lxfw_denials *denials = &work->denials;
	const struct lxfw_atom *atom = &denials->atoms[at];
	bool any = false;

	for (size_t i = atom->denials; i < atom[1].denials; i++) {
		size_t job = denials->jobs[i];

		if (denials->seconds[job] < LXFW_INFER_LEAST ||
		    work->explained[job] ||
		    atom->in_use + work->in->jobs[job].procs <= level)
			continue;
		if (work->covered[job] == 0)
			work->touched[work->touched_count++] = job;
		work->covered[job] += atom->end - atom->begin;
		any = true;
	}
	return any;
}

static bool is_beyond(const struct lxfw_atom *atom, int64_t level)
{
	return atom->started && atom->in_use > level;
}

static int list_windows(struct work *work, int64_t level)
{
	const struct lxfw_atom *atoms = work->denials.atoms;
	struct window window = { .level = level };
	int64_t evidence = INT64_MAX;	/* the end of the last evidence; none so far */
	bool busy = true;		/* jobs have waited all the time since */

	for (size_t i = 0; i < work->denials.atom_count; i++) {
		bool gap = evidence != INT64_MAX && atoms[i].begin > evidence &&
			   atoms[i].end - evidence >
			   (busy ? GAP_MOST_BUSY : GAP_MOST);

		if (work->taken[i] || gap || is_beyond(&atoms[i], level)) {
			window.until = i;
			if (close_window(work, window))
				return -1;
			window.from = work->taken[i] ? i + 1 : i;
			evidence = INT64_MAX;
		}
		if (!work->taken[i] && cover(work, i, level)) {
			evidence = atoms[i].end;
			busy = true;
		}
		busy &= atoms[i].waits;
	}
	window.until = work->denials.atom_count;
	return close_window(work, window);
}

static int list_all_windows(struct work *work)
{
	int64_t procs = work->in->procs;
	int64_t levels = procs < LEVELS_MOST ? procs : LEVELS_MOST;

	work->window_count = 0;
	work->best_refused = 0;
	for (int64_t i = 0; i < (work->in->stops_only ? 1 : levels); i++) {
		if (list_windows(work, (procs * i + levels - 1) / levels))
			return -1;
	}
	return 0;
}

/* --- outages ------------------------------------------------------------------------------ */

static bool is_given(const struct lxfw_capacity_input *in, int64_t begin,
		     int64_t end)
{
	return begin < in->given_until && end > in->given_from;
}

/* Returns the processor-seconds of jobs that waited, or, with RUNS, that ran, longer than a
   time: for the former of their whole run, for the latter of the rest of it. */
static double work_beyond(const struct work *work, int64_t time, bool runs)
{
	double sum = 0;

	for (size_t i = 0; i < work->in->sweep->count; i++) {
		const struct lxfw_sweep_job *job = &work->in->jobs[i];
		int64_t seconds;

		if (job->start == LXFW_SWEEP_NEVER)
			continue;
		seconds = job->end - job->start;
		if (!runs && job->start - job->submit <= time)
			continue;
		if (runs)
			seconds -= time;
		if (seconds > 0)
			sum += (double)job->procs * (double)seconds;
	}
	return sum;
}

/* Returns the time beyond which 1 - EARLIER_SHARE of the work is. */
static int64_t time_of_most(const struct work *work, bool runs)
{
	double all = work_beyond(work, runs ? 0 : -1, runs);
	int64_t low = 0, high = EARLIER_MOST;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (work_beyond(work, middle, runs) <= (1 - EARLIER_SHARE) * all)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Jobs that were submitted before the log began held processors, but are not in it. Returns
 * the time until which they may have caused what looks like an outage: EARLIER_SHARE of them
 * had started and ended by then, if they were like those of the log. A job is met during
 * its run with a probability in proportion to its work, and then at any point of it.
 */
static int64_t earlier_until(const struct work *work)
{
	if (work->denials.atom_count == 0)
		return INT64_MIN;
	return work->denials.atoms[0].begin + time_of_most(work, false) +
	       time_of_most(work, true);
}

static struct lxfw_outage *new_outage(struct lxfw_inferred *inferred)
{
	if (LXFW_GROW(inferred->outages, inferred->outages_size,
		      inferred->outage_count + 1))
		return NULL;
	return &inferred->outages[inferred->outage_count++];
}

/* Marks the jobs that the window explains and determines its first and last evidence. */
static void explain(struct work *work, const struct window *window,
		    size_t *known, size_t *known_last)
{
	const struct lxfw_denials *denials = &work->denials;

	*known = *known_last = NEVER;
	for (size_t i = window->from; i < window->until; i++)
		cover(work, i, window->level);
	for (size_t i = window->from; i < window->until; i++) {
		for (size_t k = denials->atoms[i].denials;
		     k < denials->atoms[i + 1].denials; k++) {
			if (!covers(work, denials->jobs[k]))
				continue;
			*known = *known == NEVER ? i : *known;
			*known_last = i;
		}
	}
	for (size_t i = 0; i < work->touched_count; i++) {
		size_t job = work->touched[i];

		work->explained[job] = covers(work, job);
		work->covered[job] = 0;
	}
	work->touched_count = 0;
}

static int take(struct work *work, const struct window *window)
{
	const struct lxfw_atom *atoms = work->denials.atoms;
	struct lxfw_outage *outage;
	size_t known, known_last;
	int64_t begin = atoms[window->from].begin;
	int64_t end = atoms[window->until - 1].end, level = 0, most = 0;

	explain(work, window, &known, &known_last);
	for (size_t i = window->from; i < window->until; i++) {
		work->taken[i] = true;
		if (i > window->from && atoms[i].started && atoms[i].in_use > level)
			level = atoms[i].in_use;
		if (atoms[i].in_use > most)
			most = atoms[i].in_use;
	}
	if (known == NEVER || is_given(work->in, begin, end))
		return 0;
	outage = new_outage(work->inferred);
	if (!outage)
		return -1;
	*outage = (struct lxfw_outage) {
		.begin = begin, .end = end,
		.known = atoms[known].begin, .known_end = atoms[known_last].end,
		.procs = level, .in_use = most, .jobs = window->jobs,
	};
	return 0;
}

/* The window that explains the longest time first; of equal ones, the lowest level. */
static int by_seconds(const void *left, const void *right)
{
	const struct window *a = left, *b = right;

	if (a->seconds != b->seconds)
		return a->seconds > b->seconds ? -1 : 1;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static bool is_free(const struct work *work, const struct window *window)
{
	for (size_t i = window->from; i < window->until; i++) {
		if (work->taken[i])
			return false;
	}
	return true;
}

static int find_round(struct work *work, bool *found)
{
	size_t taken = 0;

	count_denied(work);
	if (list_all_windows(work))
		return -1;
	if (work->window_count > 1)
		qsort(work->windows, work->window_count, sizeof(*work->windows),
		      by_seconds);
	for (size_t i = 0; i < work->window_count; i++) {
		if (!is_free(work, &work->windows[i]))
			continue;
		if (take(work, &work->windows[i]))
			return -1;
		taken++;
	}
	*found = taken > 0;
	return 0;
}

static int by_begin(const void *left, const void *right)
{
	const struct lxfw_outage *a = left, *b = right;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

/*
 * Removes the outages that jobs from before the log explain: those of which the evidence
 * begins while such jobs may still run, and those that follow one of these at once. The outages are in order
 * of time.
 */
static void leave_out_earlier(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	int64_t until = earlier_until(work), last_end = INT64_MIN;
	size_t kept = 0;

	for (size_t i = 0; i < inferred->outage_count; i++) {
		const struct lxfw_outage *outage = &inferred->outages[i];

		if (outage->known > until && outage->begin > last_end) {
			inferred->outages[kept++] = *outage;
			continue;
		}
		inferred->earlier = true;
		last_end = outage->end;
	}
	inferred->outage_count = kept;
}

/* Treats jobs that no outage explains as not eligible until they were last denied
   outside of outages. */
static void hold_others(struct work *work)
{
	const struct lxfw_atom *atoms = work->denials.atoms;
	const size_t *jobs = work->denials.jobs;

	for (size_t i = 0; i < work->denials.atom_count; i++) {
		for (size_t k = atoms[i].denials; k < atoms[i + 1].denials; k++) {
			struct lxfw_held_job *hold = &work->inferred->holds[jobs[k]];
			struct lxfw_sweep_job *job = &work->in->jobs[jobs[k]];

			if (work->explained[jobs[k]] || work->taken[i])
				continue;
			work->covered[jobs[k]] += atoms[i].end - atoms[i].begin;
			if (work->covered[jobs[k]] < LXFW_INFER_LEAST ||
			    atoms[i].end <= job->free)
				continue;
			job->free = atoms[i].end;
			if (hold->reason == LXFW_HELD_NOT ||
			    job->free > hold->until)
				*hold = (struct lxfw_held_job) { job->free,
							     LXFW_HELD_PASSED };
		}
	}
}

static int find(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	bool found = true;

	for (int round = 0; round < ROUNDS && found; round++) {
		if (find_round(work, &found))
			return -1;
	}
	inferred->unclear = work->denials.too_many ||
			    work->best_refused >= threshold(work) / 2;
	if (inferred->outage_count > 1)
		qsort(inferred->outages, inferred->outage_count,
		      sizeof(*inferred->outages), by_begin);
	leave_out_earlier(work);
	hold_others(work);
	return lxfw_extent_find(inferred, work->in);
}

static int make_room(struct work *work)
{
	size_t jobs = work->in->sweep->count + 1;
	size_t atoms = work->in->sweep->change_count + 1;

	for (size_t i = 0; i + 1 < jobs; i++) {
		if (work->in->jobs[i].user >= (int32_t)work->users)
			work->users = (size_t)work->in->jobs[i].user + 1;
	}
	work->user_jobs = calloc(work->users + 1, sizeof(*work->user_jobs));
	work->user_denied = calloc(work->users + 1, sizeof(*work->user_denied));
	work->user_here = calloc(work->users + 1, sizeof(*work->user_here));
	work->explained = calloc(jobs, sizeof(*work->explained));
	work->taken = calloc(atoms, sizeof(*work->taken));
	work->covered = calloc(jobs, sizeof(*work->covered));
	work->touched = calloc(jobs, sizeof(*work->touched));
	return work->user_jobs && work->user_denied && work->user_here &&
	       work->explained && work->taken && work->covered &&
	       work->touched ? 0 : -1;
}

int lxfw_capacity_find(struct lxfw_inferred *inferred,
		       const struct lxfw_capacity_input *input)
{
	struct work work = { .inferred = inferred, .in = input };
	int failed = lxfw_denials_find(&work.denials, input) ||
		     make_room(&work) || find(&work);

	lxfw_denials_clear(&work.denials);
	free(work.user_jobs);
	free(work.user_denied);
	free(work.user_here);
	free(work.explained);
	free(work.taken);
	free(work.covered);
	free(work.touched);
	free(work.windows);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}
