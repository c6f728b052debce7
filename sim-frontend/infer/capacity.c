/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/capacity.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/infer/ahead.h"

/* Stretches of the same outage are no further apart, where jobs wait all the time
   between: while the job that comes first is too large or nothing waits, nothing tells
   how large the machine is. */
#define GAP_MOST INT64_C(86400)
#define GAP_MOST_BUSY INT64_C(345600)

/* What may as well be a job that is held, or two, is no outage: where others were
   started, so many jobs must have been kept waiting one after the other; where none
   was, so many must have come meanwhile. */
#define HEADS_LEAST 3
#define CAME_LEAST 2

/* So often starts must come up to a level. */
#define TIMES_LEAST 3

/* From one change of the schedule to the next. */
struct atom {
	int64_t begin, end;
	int64_t in_use;
	int64_t procs;		/* that the machine has, as far as is known */
	size_t head;		/* the job that comes first, or none */
	bool started;		/* jobs at its beginning */
	bool waits;		/* any job */
	bool denied;		/* the head fits and is not started */
	bool could;		/* another one could be, by the policy */
	bool counts;		/* as evidence; with the head, or else */
	bool by_head;
	int32_t came;		/* jobs at its beginning that could be, and will
				   have to wait */
};

/* Atoms FIRST to LAST, both denied, that one level explains. */
struct segment {
	bool open;
	size_t first, last;
	int64_t most;		/* in use after a start in it; -1: none */
	int64_t level;		/* the same, the gap after `last` too; how often */
	int level_times;
	int64_t below;		/* the level is less */
	size_t head, heads;	/* the last one; how many */
	int64_t came;		/* jobs in it that would have fitted, too */
};

struct work {
	struct lxfw_inferred *inferred;
	const struct lxfw_capacity_input *in;
	struct atom *atoms;
	size_t count;
	int64_t *denied;	/* by job: s */
	size_t free_from;	/* atoms before this one belong to an outage */
};

/* --- the schedule ------------------------------------------------------------------ */

/* What is known to be there all through the atom. */
static int64_t procs_known(const struct lxfw_capacity_input *in, size_t *next,
			   const struct atom *atom)
{
	int64_t procs = in->procs;

	while (*next < in->given_count && in->given[*next].end <= atom->begin)
		++*next;
	for (size_t i = *next; i < in->given_count &&
	     in->given[i].begin < atom->end; i++) {
		if (in->given[i].procs < procs)
			procs = in->given[i].procs;
	}
	return procs;
}

/* Whether two jobs or more wait, and all fit together. */
static bool all_fit(const struct work *work, const struct atom *atom)
{
	const struct lxfw_sweep *sweep = work->in->sweep;
	int64_t room = atom->procs - atom->in_use;
	int jobs = 0;

	for (size_t i = lxfw_sweep_first(sweep); i != LXFW_SWEEP_NONE && room >= 0;
	     i = lxfw_sweep_after(sweep, i)) {
		if (work->in->jobs[i].free > atom->begin)
			continue;
		room -= work->in->jobs[i].procs;
		jobs++;
	}
	return jobs > 1 && room >= 0;
}

/* Jobs that come now, could be started at once and will have to wait. Were only the
   head held, whatever fits would be. */
static int32_t count_came(const struct lxfw_ahead *ahead, const struct atom *atom)
{
	const struct lxfw_sweep *sweep = ahead->sweep;
	const struct lxfw_sweep_job *jobs = sweep->jobs;
	int32_t came = 0;

	for (size_t i = lxfw_sweep_last(sweep); i != LXFW_SWEEP_NONE &&
	     jobs[i].submit == atom->begin; i = lxfw_sweep_back(sweep, i))
		came += (atom->denied ?
			 jobs[i].procs <= atom->procs - atom->in_use :
			 lxfw_ahead_can_job(ahead, i)) &&
			(jobs[i].start == LXFW_SWEEP_NEVER ||
			 jobs[i].start - jobs[i].submit >= LXFW_INFER_LEAST);
	return came;
}

static void look_at(struct work *work, struct lxfw_ahead *ahead,
		    struct atom *atom)
{
	const struct lxfw_capacity_input *in = work->in;

	atom->head = lxfw_sweep_head(in->sweep, atom->begin, INT64_MAX);
	if (atom->head == LXFW_SWEEP_NONE || atom->end == atom->begin)
		return;
	atom->denied = atom->in_use + in->jobs[atom->head].procs <=
		       atom->procs && (!in->stops_only || all_fit(work, atom));
	if (atom->denied)
		work->denied[atom->head] += atom->end - atom->begin;
	else if (in->backfills)
		atom->could = lxfw_ahead_can(ahead, atom->procs);
	if (atom->denied || atom->could)
		atom->came = count_came(ahead, atom);
}

static int list_atoms(struct work *work)
{
	struct lxfw_sweep *sweep = work->in->sweep;
	struct lxfw_ahead ahead;
	size_t given = 0;

	lxfw_sweep_rewind(sweep);
	if (lxfw_ahead_begin(&ahead, sweep))
		return -1;
	while (lxfw_sweep_next(sweep)) {
		struct atom *atom = &work->atoms[work->count++];

		*atom = (struct atom) {
			.begin = sweep->now, .end = sweep->until,
			.in_use = sweep->in_use,
			.started = sweep->started_count > 0,
			.waits = sweep->waiting > 0,
		};
		lxfw_ahead_follow(&ahead);
		atom->procs = procs_known(work->in, &given, atom);
		look_at(work, &ahead, atom);
	}
	lxfw_ahead_end(&ahead);
	return 0;
}

/* The head counts where it was kept waiting for long; other jobs where some could be
   started all the time for as long, and more than one came. */
static void choose_evidence(struct work *work)
{
	for (size_t i = 0, next; i < work->count; i = next) {
		int64_t seconds = 0, came = 0;

		for (next = i; next < work->count &&
			       (next == i || work->atoms[next].could ||
				work->atoms[next].denied); next++) {
			const struct atom *atom = &work->atoms[next];

			if (!atom->could && !atom->denied)
				continue;
			seconds += atom->end - atom->begin;
			came += atom->came;
		}
		for (size_t k = i; k < next; k++) {
			struct atom *atom = &work->atoms[k];

			atom->by_head = atom->denied &&
				work->denied[atom->head] >= LXFW_INFER_LEAST;
			atom->counts = atom->by_head ||
				((atom->could || atom->denied) &&
				 work->in->backfills &&
				 seconds >= LXFW_INFER_LEAST &&
				 came >= CAME_LEAST);
		}
	}
}

/* --- outages ---------------------------------------------------------------------- */

static bool is_given(const struct lxfw_capacity_input *in, int64_t begin,
		     int64_t end)
{
	return begin < in->given_until && end > in->given_from;
}

static struct lxfw_outage *new_outage(struct lxfw_inferred *inferred)
{
	struct lxfw_outage *outages =
		lxfw_grow(inferred->outages, &inferred->outages_size,
			  inferred->outage_count + 1, sizeof(*outages));

	if (!outages)
		return NULL;
	inferred->outages = outages;
	return &outages[inferred->outage_count++];
}

/* From atom FIRST until atom LAST. */
static int add_outage(struct work *work, const struct segment *segment,
		      size_t first, size_t last, int64_t level)
{
	struct lxfw_outage *outage = new_outage(work->inferred);

	if (!outage)
		return -1;
	*outage = (struct lxfw_outage) {
		.begin = work->atoms[first].begin,
		.known = work->atoms[segment->first].begin,
		.known_end = work->atoms[segment->last].end,
		.end = work->atoms[last].end,
		.procs = level, .jobs = segment->heads,
	};
	for (size_t i = first; i <= last; i++) {
		if (work->atoms[i].in_use > outage->in_use)
			outage->in_use = work->atoms[i].in_use;
	}
	work->free_from = last + 1;
	return 0;
}

/* One job waited with room, and nothing tells that another would have had to. */
static void add_hold(struct work *work, const struct segment *segment)
{
	struct lxfw_sweep_job *job = &work->in->jobs[segment->head];
	struct lxfw_held_job *hold = &work->inferred->holds[segment->head];

	if (segment->head == LXFW_SWEEP_NONE)
		return;
	job->free = work->atoms[segment->last].end;
	if (hold->reason == LXFW_HELD_LIMIT && hold->until >= job->free)
		return;
	*hold = (struct lxfw_held_job) { job->free, LXFW_HELD_PASSED };
}

/* Whether the atom begins with a start that the level does not allow. */
static bool is_beyond(const struct atom *atom, int64_t level)
{
	return atom->started && atom->in_use > level;
}

/* Atoms from UNTIL on are not its. */
static int conclude(struct work *work, const struct segment *segment, size_t until)
{
	int64_t level = segment->most > 0 ? segment->most : 0;
	size_t first = segment->first, last = segment->last;

	if (!segment->open)
		return 0;
	if (segment->came < CAME_LEAST &&
	    (segment->most < 0 || segment->heads < HEADS_LEAST)) {
		add_hold(work, segment);
		return 0;
	}
	if (work->in->stops_only && segment->most >= 0)
		return 0;
	/* it lasted for longer, as far as jobs waited and no start speaks against it */
	while (first > work->free_from && work->atoms[first - 1].waits &&
	       !is_beyond(&work->atoms[first], level))
		first--;
	while (last + 1 < until && work->atoms[last].waits &&
	       !is_beyond(&work->atoms[last + 1], level) &&
	       work->atoms[last + 1].end - work->atoms[segment->last].end <=
	       GAP_MOST_BUSY)
		last++;
	if (is_given(work->in, work->atoms[first].begin, work->atoms[last].end))
		return 0;
	return add_outage(work, segment, first, last, level);
}

static int64_t more(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The level is below this, by the atom. */
static int64_t below_of(const struct work *work, const struct atom *atom)
{
	return atom->by_head ?
	       atom->in_use + work->in->jobs[atom->head].procs : atom->procs;
}

static void enter(const struct work *work, struct segment *segment, size_t at)
{
	const struct atom *atom = &work->atoms[at];
	int64_t below = below_of(work, atom);

	if (!segment->open)
		*segment = (struct segment) {
			.open = true, .first = at, .most = -1, .level = -1,
			.below = below, .head = LXFW_SWEEP_NONE,
		};
	if (below < segment->below)
		segment->below = below;
	if (atom->by_head) {
		segment->heads += atom->head != segment->head;
		segment->head = atom->head;
	}
	segment->last = at;
	segment->came += atom->came;
}

/* In use after the starts of the atom; -1 where there are none. */
static int64_t reach_of(const struct atom *atom)
{
	return atom->started ? atom->in_use : -1;
}

/* A job that is larger than what there is has no place in the queue: while an outage
   lasts, the next one behind it comes first. What there is, is known once starts have
   come up to it some times. */
static bool is_denied_beside(struct work *work, const struct segment *segment,
			     struct atom *atom)
{
	const struct lxfw_sweep_job *jobs = work->in->jobs;
	int64_t below = segment->below;
	size_t head;

	if (segment->level_times >= TIMES_LEAST && segment->level < below)
		below = segment->level + 1;
	if (work->in->stops_only || !segment->open ||
	    atom->head == LXFW_SWEEP_NONE || jobs[atom->head].procs < below)
		return false;
	head = lxfw_sweep_head(work->in->sweep, atom->begin, below);
	if (head == LXFW_SWEEP_NONE || atom->end == atom->begin ||
	    atom->in_use + jobs[head].procs > atom->procs ||
	    (jobs[head].start != LXFW_SWEEP_NEVER &&
	     jobs[head].start - atom->begin < LXFW_INFER_LEAST))
		return false;
	atom->head = head;
	return true;
}

static void count_level(struct segment *segment, const struct atom *atom)
{
	int64_t reach = reach_of(atom);

	if (!segment->open || reach < segment->level)
		return;
	segment->level_times = reach == segment->level ?
			       segment->level_times + 1 : 1;
	segment->level = reach;
}

/* Whether one level still explains it, with the atom. */
static bool goes_on(const struct work *work, const struct segment *segment,
		    const struct atom *atom, int64_t most, bool busy)
{
	int64_t below = segment->below;

	if (atom->counts && below_of(work, atom) < below)
		below = below_of(work, atom);
	return more(most, segment->most) < below &&
	       atom->begin - work->atoms[segment->last].end <=
	       (busy ? GAP_MOST_BUSY : GAP_MOST);
}

static int find_segments(struct work *work)
{
	struct segment segment = { .open = false };
	int64_t most = -1;	/* in use after starts since its last atom */
	bool busy = true;	/* jobs waited all the time since */

	lxfw_sweep_rewind(work->in->sweep);
	for (size_t i = 0; i < work->count &&
			   lxfw_sweep_next(work->in->sweep); i++) {
		struct atom *atom = &work->atoms[i];

		if (!atom->by_head && is_denied_beside(work, &segment, atom))
			atom->by_head = atom->counts = true;
		count_level(&segment, atom);
		most = more(most, reach_of(atom));
		busy &= atom->waits;
		if (segment.open && !goes_on(work, &segment, atom, most, busy)) {
			if (conclude(work, &segment, i))
				return -1;
			segment.open = false;
		}
		if (!atom->counts)
			continue;
		/* what the first of them began with was before it */
		if (segment.open)
			segment.most = more(segment.most, most);
		enter(work, &segment, i);
		most = -1;
		busy = true;
	}
	return conclude(work, &segment, work->count);
}

int lxfw_capacity_find(struct lxfw_inferred *inferred,
		       const struct lxfw_capacity_input *input)
{
	struct work work = {
		.inferred = inferred, .in = input,
		.atoms = malloc((input->sweep->change_count + 1) *
				sizeof(*work.atoms)),
		.denied = calloc(input->sweep->count + 1, sizeof(*work.denied)),
	};
	int failed = !work.atoms || !work.denied || list_atoms(&work);

	if (!failed) {
		choose_evidence(&work);
		failed = find_segments(&work) ||
			 lxfw_extent_find(inferred, input);
	}
	free(work.atoms);
	free(work.denied);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}
