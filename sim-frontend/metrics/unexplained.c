/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/unexplained.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim-frontend/metrics/passed.h"

#define DAY INT64_C(86400)

/* A pause: minimum time without a start, and minimum number of submissions in it. */
#define PAUSE_LEAST INT64_C(1800)
#define PAUSE_JOBS 2

/* Minimum fraction of a day for which fitting jobs must have waited. */
#define LEVEL_SHARE 0.95

#define CHAIN_LEAST INT64_C(60)

/* Minimum time for a job to be counted in a part. */
#define PART_LEAST INT64_C(600)

static const char *const names[LXFW_WAIT_PARTS][2] = {
	{ "machine too full for the job", "full" },
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
	int64_t fit_all, pause, level;
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
	int64_t *fits;		/* by job: seconds in which it would have fitted */
	const struct lxfw_stay **by_user;	/* jobs that ran, of known users,
						   sorted by end */
	size_t owned;
	int64_t *tree;		/* sums over stretches, or counts over sizes */
	struct lxfw_unexplained *out;
};

static int64_t length_of(const struct work *work, size_t i)
{
	return i + 1 < work->count ?
	       work->stretches[i + 1].begin - work->stretches[i].begin : 0;
}

static bool fit_all(const struct work *work, size_t i, int64_t procs)
{
	const struct lxfw_stretch *stretch = &work->stretches[i];

	return stretch->waiting > work->held[i].jobs &&
	       stretch->wanted - work->held[i].procs <= procs - stretch->held;
}

/* --- sums over a tree (Fenwick) ------------------------------------------------- */

static void tree_add(int64_t *tree, size_t size, size_t index, int64_t value)
{
	for (index++; index <= size; index += index & -index)
		tree[index] += value;
}

/* Returns the sum of the first COUNT. */
static int64_t tree_sum(const int64_t *tree, size_t count)
{
	int64_t sum = 0;

	for (; count > 0; count -= count & -count)
		sum += tree[count];
	return sum;
}

static size_t at(const struct work *work, int64_t time)
{
	return lxfw_timeline_at(work->in->timeline, time);
}

/* --- jobs that were passed -------------------------------------------------------- */

static bool is_passed(const struct work *work, size_t job)
{
	return work->in->stays[job].start != LXFW_STAY_NEVER &&
	       work->passed[job].last > work->passed[job].first;
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

/* --- free processors for the job -------------------------------------------------- */

struct sized {
	int64_t procs;
	size_t index;
};

/* Descending order. */
static int by_procs(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;

	return (a->procs < b->procs) - (a->procs > b->procs);
}

static struct sized *sort_sized(struct sized *items, size_t count)
{
	if (count > 1)
		qsort(items, count, sizeof(*items), by_procs);
	return items;
}

/* Requires the tree for the job's size. */
static int64_t fits_of(const struct work *work, size_t job)
{
	const struct lxfw_stay *stay = &work->in->stays[job];
	const struct lxfw_passed *passed = &work->passed[job];
	int64_t sum = tree_sum(work->tree, at(work, stay->start)) -
		      tree_sum(work->tree, at(work, stay->submit));

	if (is_passed(work, job))
		sum -= tree_sum(work->tree, at(work, passed->last)) -
		       tree_sum(work->tree, at(work, passed->first));
	return sum;
}

/*
 * Computes how long each job waited although it would have fitted. From the largest job
 * to the smallest, stretches with enough free processors are added to a tree of their
 * lengths.
 */
static int find_fits(struct work *work)
{
	size_t jobs = work->in->count, next = 0;
	struct sized *stretches = calloc(work->count + 1, sizeof(*stretches));
	struct sized *sizes = calloc(jobs + 1, sizeof(*sizes));

	if (!stretches || !sizes) {
		free(stretches);
		free(sizes);
		return -1;
	}
	for (size_t i = 0; i < work->count; i++)
		stretches[i] = (struct sized) {
			work->in->procs - work->stretches[i].held, i };
	for (size_t i = 0; i < jobs; i++)
		sizes[i] = (struct sized) { work->in->stays[i].procs, i };
	sort_sized(stretches, work->count);
	sort_sized(sizes, jobs);
	for (size_t i = 0; i < jobs; i++) {
		const struct lxfw_stay *stay = &work->in->stays[sizes[i].index];

		for (; next < work->count &&
		       stretches[next].procs >= sizes[i].procs; next++)
			tree_add(work->tree, work->count, stretches[next].index,
				 length_of(work, stretches[next].index));
		if (stay->start == LXFW_STAY_NEVER)
			continue;
		work->fits[sizes[i].index] = fits_of(work, sizes[i].index);
	}
	free(stretches);
	free(sizes);
	return 0;
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
		if (came < PAUSE_JOBS || !fit_all(work, i, work->in->procs))
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

/* The waits of jobs, divided by days, in which the job would have fitted beside the
   maximum of processors in use. The union of these periods is computed with a tree
   that counts waiting jobs by size. */
struct press {
	struct sized *changes;	/* in order of time: procs > 0: submitted, < 0: left;
				   the index is that of a stretch */
	size_t count, next;
	int32_t *sizes;		/* in ascending order without duplicates */
	size_t size_count;
};

static int by_index(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;

	return (a->index > b->index) - (a->index < b->index);
}

static int by_size(const void *left, const void *right)
{
	const int32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Returns the number of sizes that do not exceed PROCS. */
static size_t rank_of(const struct press *press, int64_t procs)
{
	size_t low = 0, high = press->size_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (press->sizes[middle] <= procs)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void press_from(const struct work *work, struct press *press,
		       int64_t procs, int64_t time)
{
	press->changes[press->count++] = (struct sized) { procs, at(work, time) };
}

/* A job does not count while it is being passed. */
static int list_press(const struct work *work, struct press *press)
{
	size_t jobs = work->in->count, kept = 0;

	*press = (struct press) {
		.changes = malloc((4 * jobs + 1) * sizeof(*press->changes)),
		.sizes = malloc((jobs + 1) * sizeof(*press->sizes)),
	};
	if (!press->changes || !press->sizes)
		return -1;
	for (size_t i = 0; i < jobs; i++) {
		const struct lxfw_stay *stay = &work->in->stays[i];
		int64_t gone = stay->start == LXFW_STAY_NEVER ? stay->end :
								stay->start;

		press->sizes[i] = stay->procs;
		press_from(work, press, stay->procs, stay->submit);
		if (is_passed(work, i)) {
			press_from(work, press, -stay->procs,
				   work->passed[i].first);
			press_from(work, press, stay->procs,
				   work->passed[i].last);
		}
		press_from(work, press, -stay->procs, gone);
	}
	qsort(press->changes, press->count, sizeof(*press->changes), by_index);
	qsort(press->sizes, jobs, sizeof(*press->sizes), by_size);
	for (size_t i = 0; i < jobs; i++) {
		if (kept == 0 || press->sizes[kept - 1] != press->sizes[i])
			press->sizes[kept++] = press->sizes[i];
	}
	press->size_count = kept;
	return 0;
}

static void count_pressed(struct work *work, struct press *press)
{
	for (size_t i = 0; i + 1 < work->count; i++) {
		int64_t from = work->stretches[i].begin;
		int64_t until = work->stretches[i + 1].begin;

		for (; press->next < press->count &&
		       press->changes[press->next].index <= i; press->next++) {
			int64_t procs = press->changes[press->next].procs;

			tree_add(work->tree, press->size_count,
				 rank_of(press, llabs(procs)) - 1,
				 procs > 0 ? 1 : -1);
		}
		while (from < until) {
			size_t day = day_of(work, from);
			int64_t next = work->begin + ((int64_t)day + 1) * DAY;
			int64_t to = next < until ? next : until;

			if (day < work->day_count &&
			    tree_sum(work->tree, rank_of(press,
				     work->in->procs - work->days[day].most)) > 0)
				work->days[day].pressed += to - from;
			from = to;
		}
	}
}

static int find_levels(struct work *work)
{
	struct press press;
	size_t trees = work->count > work->in->count ? work->count :
						       work->in->count;
	int failed;

	each_part(work, visit_most);
	failed = list_press(work, &press);
	for (size_t i = 0; i <= trees; i++)
		work->tree[i] = 0;
	if (!failed)
		count_pressed(work, &press);
	free(press.changes);
	free(press.sizes);
	for (size_t i = 0; i < work->day_count; i++) {
		struct day *day = &work->days[i];

		day->level = (double)day->pressed >= LEVEL_SHARE * (double)DAY;
		work->out->level_days += day->level;
		if (day->level)
			work->out->level_proc_seconds +=
				(double)(work->in->procs - day->most) *
				(double)DAY;
	}
	return failed;
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
		    !fit_all(work, i, work->days[day].most))
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
		if (length == 0 || !fit_all(work, i, work->in->procs))
			continue;
		sums.fit_all += length;
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
	int64_t grace = 2 * work->in->delay > CHAIN_LEAST ? 2 * work->in->delay :
							     CHAIN_LEAST;
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

	to->fit_all += sign * (last->fit_all - first->fit_all);
	to->pause += sign * (last->pause - first->pause);
	to->level += sign * (last->level - first->level);
}

static void divide(struct work *work, size_t job)
{
	const struct lxfw_stay *stay = &work->in->stays[job];
	const struct lxfw_passed *passed = &work->passed[job];
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
	rest = sums.fit_all - sums.pause - sums.level;
	work->out->jobs++;
	work->out->wait_seconds += (double)wait;
	take_part(work->out, LXFW_WAIT_FULL, wait - past - work->fits[job]);
	take_part(work->out, LXFW_WAIT_CHOICE, work->fits[job] - sums.fit_all);
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
	size_t trees = work->count > jobs ? work->count : jobs;
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
	work->fits = calloc(jobs + 1, sizeof(*work->fits));
	work->by_user = calloc(jobs + 1, sizeof(*work->by_user));
	work->tree = calloc(trees + 2, sizeof(*work->tree));
	return work->days && work->paused && work->sums && work->fits &&
	       work->passed && work->held && work->by_user && work->tree ? 0 : -1;
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
	failed = allocate(&work) || find_passed(&work) || find_fits(&work) || find_levels(&work) ? -1 : 0;
	if (!failed) {
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
	free(work.fits);
	free(work.by_user);
	free(work.tree);
	if (failed)
		errno = ENOMEM;
	return failed;
}
