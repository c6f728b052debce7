/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/unexplained.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim-frontend/metrics/lacks.h"

#define DAY INT64_C(86400)

/* A pause: minimum time without a start, and minimum number of submissions in it. */
#define PAUSE_LEAST INT64_C(1800)
#define PAUSE_JOBS 2

/* Minimum fraction of a day for which fitting jobs must have waited. */
#define LEVEL_SHARE 0.95

#define GRACE_LEAST INT64_C(60)

/* Minimum time for a job to be counted in a part. */
#define PART_LEAST INT64_C(600)

static const char *const names[LXFW_WAIT_PARTS][2] = {
	{ "machine or partition full", "full" },
	{ "memory full", "memory" },
	{ "GPUs or licenses in use", "extras" },
	{ "no host large enough free", "hosts" },
	{ "hosts down or reserved", "away" },
	{ "order (room, but not for all)", "choice" },
	{ "passed by later, no smaller jobs", "passed" },
	{ "nothing was started", "pause" },
	{ "processors unused all day", "level" },
	{ "a chain of one user's jobs", "chain" },
	{ "other: held, limits, begin times", "other" },
};

const char *lxfw_wait_part_name(enum lxfw_wait_part part)
{
	return names[part][0];
}

const char *lxfw_wait_part_key(enum lxfw_wait_part part)
{
	return names[part][1];
}

/* Seconds of each kind in all stretches before this one. */
struct sums {
	int64_t pause, level;
};

struct day {
	int64_t most;		/* maximum of processors in use */
	int64_t pressed;	/* seconds in which a job waited that would have fitted */
	bool level;
};

struct work {
	const struct lxfw_unexplained_input *in;
	const struct lxfw_stretch *stretches;
	size_t count;
	int64_t begin;
	struct day *days;
	size_t day_count;
	bool *paused;		/* by stretch */
	struct sums *sums;	/* by stretch: sums before it */
	struct lxfw_passed *passed;	/* by job */
	struct held {
		int64_t procs;
		int64_t jobs;
	} *held;		/* by stretch: waiting jobs that are being passed */
	struct lxfw_lacks lacks;
	const struct lxfw_stay **by_user;	/* jobs that ran, of known users,
						   sorted by end */
	size_t owned;
	struct lxfw_unexplained *out;
};

static int64_t length_of(const struct work *work, size_t i)
{
	return i + 1 < work->count ?
	       work->stretches[i + 1].begin - work->stretches[i].begin : 0;
}

/* Whether all waiting jobs fit below a number of processors in use. */
static bool fit_below(const struct work *work, size_t i, int64_t procs)
{
	const struct lxfw_stretch *stretch = &work->stretches[i];

	return stretch->waiting > work->held[i].jobs &&
	       stretch->wanted - work->held[i].procs <= procs - stretch->held;
}

static size_t at(const struct work *work, int64_t time)
{
	return lxfw_timeline_at(work->in->timeline, time);
}

/* --- jobs that were passed -------------------------------------------------------- */

static bool is_passed(const struct work *work, size_t job)
{
	return lxfw_is_passed(&work->in->stays[job], &work->passed[job]);
}

static int find_passed(struct work *work)
{
	struct held sum = { 0, 0 };

	if (lxfw_passed_find(work->in->stays, work->in->count, work->passed))
		return -1;
	for (size_t i = 0; i < work->in->count; i++) {
		const struct lxfw_passed *passed = &work->passed[i];
		int64_t procs = work->in->stays[i].procs;

		if (!is_passed(work, i))
			continue;
		work->held[at(work, passed->first)].procs += procs;
		work->held[at(work, passed->first)].jobs++;
		work->held[at(work, passed->last)].procs -= procs;
		work->held[at(work, passed->last)].jobs--;
	}
	for (size_t i = 0; i < work->count; i++) {
		sum.procs += work->held[i].procs;
		sum.jobs += work->held[i].jobs;
		work->held[i] = sum;
	}
	return 0;
}

/* Seconds within which an event and its consequence belong together. */
static int64_t grace_of(const struct lxfw_unexplained_input *in)
{
	return 2 * in->delay > GRACE_LEAST ? 2 * in->delay : GRACE_LEAST;
}

/* --- what jobs lacked ----------------------------------------------------------------- */

static int find_lacks(struct work *work)
{
	const struct lxfw_lacks_input input = {
		.stays = work->in->stays, .passed = work->passed,
		.count = work->in->count, .timeline = work->in->timeline,
		.machine = work->in->machine, .grace = grace_of(work->in),
	};

	return lxfw_lacks_find(&work->lacks, &input);
}

/* --- pauses --------------------------------------------------------------------- */

/* Keeps the longest pauses. */
static void keep_pause(struct lxfw_unexplained *out,
		       const struct lxfw_pause *pause)
{
	size_t shortest = 0;

	out->pause_count++;
	out->pause_seconds += (double)(pause->end - pause->begin);
	if (out->pauses_kept < LXFW_PAUSES_KEPT) {
		out->pauses[out->pauses_kept++] = *pause;
		return;
	}
	for (size_t i = 1; i < LXFW_PAUSES_KEPT; i++) {
		const struct lxfw_pause *kept = &out->pauses[i];

		if (kept->end - kept->begin < out->pauses[shortest].end -
					  out->pauses[shortest].begin)
			shortest = i;
	}
	if (pause->end - pause->begin > out->pauses[shortest].end -
					out->pauses[shortest].begin) {
		/* keep the order of time */
		for (size_t i = shortest; i + 1 < LXFW_PAUSES_KEPT; i++)
			out->pauses[i] = out->pauses[i + 1];
		out->pauses[LXFW_PAUSES_KEPT - 1] = *pause;
	}
}

/* Examines the stretches FROM to UNTIL - 1, which are between two starts. */
static void look_for_pause(struct work *work, size_t from, size_t until)
{
	size_t first = until;
	int64_t came = 0;
	struct lxfw_pause pause;

	for (size_t i = from; i < until; i++) {
		/* submissions at the time of the start are not part of the pause */
		if (i > from)
			came += work->stretches[i].came;
		if (came < PAUSE_JOBS || !work->lacks.all_free[i])
			first = until;
		else if (first == until)
			first = i;
	}
	if (first == until || until >= work->count)
		return;
	pause = (struct lxfw_pause) {
		.begin = work->stretches[first].begin,
		.end = work->stretches[until].begin,
		.free = work->in->procs - work->stretches[until - 1].held,
		.waiting = work->stretches[until - 1].waiting,
	};
	if (pause.end - pause.begin < PAUSE_LEAST)
		return;
	for (size_t i = first; i < until; i++)
		work->paused[i] = true;
	keep_pause(work->out, &pause);
}

static void find_pauses(struct work *work)
{
	size_t from = 0;

	for (size_t i = 1; i <= work->count; i++) {
		if (i < work->count && work->stretches[i].started == 0)
			continue;
		look_for_pause(work, from, i);
		from = i;
	}
}

/* --- days with a level ---------------------------------------------------------- */

static size_t day_of(const struct work *work, int64_t time)
{
	return (size_t)((time - work->begin) / DAY);
}

/* Calls VISIT for each part of each stretch within one day. */
static void each_part(struct work *work,
		      void (*visit)(struct work *work, size_t stretch,
				    struct day *day, int64_t seconds))
{
	for (size_t i = 0; i + 1 < work->count; i++) {
		int64_t from = work->stretches[i].begin;
		int64_t until = work->stretches[i + 1].begin;

		while (from < until) {
			size_t day = day_of(work, from);
			int64_t next = work->begin + ((int64_t)day + 1) * DAY;
			int64_t to = next < until ? next : until;

			if (day < work->day_count)
				visit(work, i, &work->days[day], to - from);
			from = to;
		}
	}
}

static void visit_most(struct work *work, size_t i, struct day *day,
		       int64_t seconds)
{
	(void)seconds;
	if (work->stretches[i].held > day->most)
		day->most = work->stretches[i].held;
}

/* A job presses if it would have fitted beside the maximum of processors in use. */
static void visit_pressed(struct work *work, size_t i, struct day *day,
			  int64_t seconds)
{
	if (work->lacks.smallest[i] <= work->in->procs - day->most)
		day->pressed += seconds;
}

static void find_levels(struct work *work)
{
	each_part(work, visit_most);
	each_part(work, visit_pressed);
	for (size_t i = 0; i < work->day_count; i++) {
		struct day *day = &work->days[i];

		day->level = (double)day->pressed >= LEVEL_SHARE * (double)DAY;
		work->out->level_days += day->level;
		if (day->level)
			work->out->level_proc_seconds +=
				(double)(work->in->procs - day->most) *
				(double)DAY;
	}
}

/* --- the parts of each wait ----------------------------------------------------- */

/* Returns the seconds of stretch I on days with a level at which not all jobs fitted. */
static int64_t level_part(const struct work *work, size_t i)
{
	int64_t from = work->stretches[i].begin;
	int64_t until = work->stretches[i + 1].begin, sum = 0;

	while (from < until) {
		size_t day = day_of(work, from);
		int64_t next = work->begin + ((int64_t)day + 1) * DAY;
		int64_t to = next < until ? next : until;

		if (day < work->day_count && work->days[day].level &&
		    !fit_below(work, i, work->days[day].most))
			sum += to - from;
		from = to;
	}
	return sum;
}

static void add_up(struct work *work)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < work->count; i++) {
		int64_t length = length_of(work, i);

		work->sums[i] = sums;
		if (length == 0 || !work->lacks.all_free[i])
			continue;
		if (work->paused[i])
			sums.pause += length;
		else
			sums.level += level_part(work, i);
	}
	work->sums[work->count] = sums;
}

/* By user and end. */
static int by_user(const void *left, const void *right)
{
	const struct lxfw_stay *a = *(const struct lxfw_stay *const *)left;
	const struct lxfw_stay *b = *(const struct lxfw_stay *const *)right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

static void list_users(struct work *work)
{
	for (size_t i = 0; i < work->in->count; i++) {
		const struct lxfw_stay *stay = &work->in->stays[i];

		if (stay->start != LXFW_STAY_NEVER && stay->user >= 0)
			work->by_user[work->owned++] = stay;
	}
	if (work->owned > 1)
		qsort(work->by_user, work->owned, sizeof(*work->by_user),
		      by_user);
}

/* Returns whether another job of its user, which was submitted earlier or waited with
   it, ended shortly before it started. */
static bool in_chain(const struct work *work, const struct lxfw_stay *stay)
{
	int64_t grace = grace_of(work->in);
	size_t low = 0, high = work->owned;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct lxfw_stay *other = work->by_user[middle];

		if (other->user < stay->user ||
		    (other->user == stay->user && other->end < stay->start - grace))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < work->owned; low++) {
		const struct lxfw_stay *other = work->by_user[low];

		if (other->user != stay->user || other->end > stay->start)
			return false;
		if (other != stay && other->end > stay->submit)
			return true;
	}
	return false;
}

static void take_part(struct lxfw_unexplained *out, enum lxfw_wait_part part,
		      int64_t seconds)
{
	out->parts[part].seconds += (double)seconds;
	out->parts[part].jobs += seconds >= PART_LEAST;
}

/* Adds (SIGN 1) or subtracts (SIGN -1) the sums between two times. */
static void take_sums(const struct work *work, int64_t from, int64_t until,
		      int sign, struct sums *to)
{
	const struct sums *first = &work->sums[at(work, from)];
	const struct sums *last = &work->sums[at(work, until)];

	to->pause += sign * (last->pause - first->pause);
	to->level += sign * (last->level - first->level);
}

static const enum lxfw_wait_part parts_of_lacks[LXFW_LACKS] = {
	[LXFW_LACK_AWAY] = LXFW_WAIT_AWAY,
	[LXFW_LACK_MEMORY] = LXFW_WAIT_MEMORY,
	[LXFW_LACK_EXTRAS] = LXFW_WAIT_EXTRAS,
	[LXFW_LACK_HOST] = LXFW_WAIT_HOSTS,
	[LXFW_LACK_PROCS] = LXFW_WAIT_FULL,
};

static void divide(struct work *work, size_t job)
{
	const struct lxfw_stay *stay = &work->in->stays[job];
	const struct lxfw_passed *passed = &work->passed[job];
	const int64_t *lacks = work->lacks.seconds[job];
	struct sums sums = { 0 };
	int64_t wait, rest, past = 0;

	if (stay->start == LXFW_STAY_NEVER || stay->not_compared)
		return;
	wait = stay->start - stay->submit;
	take_sums(work, stay->submit, stay->start, 1, &sums);
	if (is_passed(work, job)) {
		past = passed->last - passed->first;
		take_sums(work, passed->first, passed->last, -1, &sums);
	}
	rest = work->lacks.unhindered[job] - sums.pause - sums.level;
	work->out->jobs++;
	work->out->wait_seconds += (double)wait;
	for (int i = LXFW_LACK_NOTHING + 1; i < LXFW_LACKS; i++)
		take_part(work->out, parts_of_lacks[i], lacks[i]);
	take_part(work->out, LXFW_WAIT_CHOICE, lacks[LXFW_LACK_NOTHING] - work->lacks.unhindered[job]);
	take_part(work->out, LXFW_WAIT_PAUSE, sums.pause);
	take_part(work->out, LXFW_WAIT_LEVEL, sums.level);
	if (rest + past >= PART_LEAST && stay->user >= 0 &&
	    in_chain(work, stay)) {
		take_part(work->out, LXFW_WAIT_CHAIN, rest + past);
		return;
	}
	take_part(work->out, LXFW_WAIT_PASSED, past);
	take_part(work->out, LXFW_WAIT_OTHER, rest);
}

static void look_over(struct work *work)
{
	double over = 0, all = 0;

	for (size_t i = 0; i < work->count; i++) {
		int64_t held = work->stretches[i].held;

		all += (double)length_of(work, i);
		if (held > work->in->procs)
			over += (double)length_of(work, i);
		if (held > work->out->most_held)
			work->out->most_held = held;
	}
	work->out->over_share = all > 0 ? over / all : 0;
	work->out->days = work->day_count;
}

static int allocate(struct work *work)
{
	size_t jobs = work->in->count;
	int64_t last = INT64_MIN;

	work->begin = work->count > 0 ? work->stretches[0].begin : 0;
	/* whole days up to the last submission */
	for (size_t i = 0; i < work->count; i++) {
		if (work->stretches[i].came > 0)
			last = work->stretches[i].begin;
	}
	if (last > work->begin)
		work->day_count = day_of(work, last);
	work->days = calloc(work->day_count + 1, sizeof(*work->days));
	work->paused = calloc(work->count + 1, sizeof(*work->paused));
	work->sums = calloc(work->count + 1, sizeof(*work->sums));
	work->passed = calloc(jobs + 1, sizeof(*work->passed));
	work->held = calloc(work->count + 1, sizeof(*work->held));
	work->by_user = calloc(jobs + 1, sizeof(*work->by_user));
	return work->days && work->paused && work->sums && work->passed &&
	       work->held && work->by_user ? 0 : -1;
}

int lxfw_unexplained_make(struct lxfw_unexplained *unexplained,
			  const struct lxfw_unexplained_input *input)
{
	struct work work = {
		.in = input, .stretches = input->timeline->stretches,
		.count = input->timeline->count, .out = unexplained,
	};
	int failed;

	*unexplained = (struct lxfw_unexplained) { 0 };
	failed = allocate(&work) || find_passed(&work) || find_lacks(&work) ? -1 : 0;
	if (!failed) {
		find_levels(&work);
		list_users(&work);
		find_pauses(&work);
		add_up(&work);
		for (size_t i = 0; i < input->count; i++)
			divide(&work, i);
		look_over(&work);
	}
	free(work.days);
	free(work.paused);
	free(work.sums);
	free(work.passed);
	free(work.held);
	free(work.by_user);
	lxfw_lacks_clear(&work.lacks);
	if (failed)
		errno = ENOMEM;
	return failed;
}
