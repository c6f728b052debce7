/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/lacks.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"

/* In the order in which they are applied at one time. */
enum kind {
	END,		/* the job no longer runs */
	START,
	LEAVE,		/* the job no longer waits, or is being passed */
	ENTER,
};

struct change {
	int64_t time;
	size_t job;
	enum kind kind;
};

/* Waiting jobs with equal requests. */
struct class {
	struct lxfw_request request;
	int64_t procs;
	int32_t next;			/* with the same hash, or -1 */
	size_t waiting;
	size_t position;		/* in `active`, if jobs wait */
	size_t area;
	enum lxfw_lack lack;
	bool known;			/* `lack` is that of the present time */
	uint64_t beside;		/* number of the blocked areas beside which it was
					   tried; 0: it was not */
	bool fits_beside;		/* it fits on hosts that these cannot use */
	int64_t beside_since;		/* since then, or INT64_MAX */
	int64_t sums[LXFW_LACKS];	/* seconds so far in which jobs waited */
	int64_t unhindered;		/* those in which they were free to start */
};

/* The hosts that jobs of certain host sets may use. */
struct area {
	const struct lxfw_request *request;	/* of one of its classes */
	size_t blocked;		/* number of classes with waiting jobs that do not fit */
	int64_t open_since;	/* no job that may use some of its hosts has been blocked
				   since then; INT64_MAX: one is */
	bool *meets;		/* by area: there is a common host */
	uint64_t beside;	/* number of the present set of other blocked areas that meet
				   it; 0: the area itself is blocked, or has several sets */
	bool *blocks;		/* by area: it is in that set */
};

struct work {
	const struct lxfw_lacks_input *in;
	struct lxfw_lacks *out;
	struct lxfw_room *room;
	struct change *changes;
	size_t change_count, next_change;
	int32_t *class_of;		/* by stay */
	struct lxfw_id_map by_hash;
	struct class *classes;
	size_t class_count, classes_size;
	struct area *areas;
	size_t area_count, areas_size;
	int32_t *active;		/* classes with waiting jobs */
	size_t active_count, active_size;
	struct sized {
		int64_t procs;
		int32_t class;
	} *sorted;			/* private to try_all() */
	size_t sorted_size;
	uint64_t beside_count;		/* numbers of sets of blocked areas so far */
	const struct lxfw_request **others;	/* private to try_beside() */
	size_t waiting;			/* jobs */
	int64_t wanted;			/* their processors */
};

bool lxfw_is_passed(const struct lxfw_stay *stay, const struct lxfw_passed *passed)
{
	return stay->start != LXFW_STAY_NEVER && passed->last > passed->first;
}

/* --- classes ---------------------------------------------------------------------- */

/* The request of a job. Members that concern only the order of jobs are the same for all. */
static struct lxfw_request request_of(const struct work *work, size_t job)
{
	const struct lxfw_stay *stay = &work->in->stays[job];
	struct lxfw_request request = {
		.unit = { .procs = stay->procs }, .count = 1, .estimate = 1,
		.shape = LXFW_SHAPE_HOSTS,
	};

	if (stay->request)
		request = *stay->request;
	request.id = 1;
	request.submit = 0;
	request.tier = 0;
	request.group = 0;
	request.group_count = 0;
	request.no_quantum = request.rigid = false;
	request.min_procs = 0;
	request.min_estimate = 0;
	if (!lxfw_room_reserves(work->room))
		request.estimate = 1;
	return request;
}

static uint64_t hash_number(uint64_t hash, int64_t number)
{
	hash = (hash ^ (uint64_t)number) * UINT64_C(0xbf58476d1ce4e5b9);
	return hash ^ hash >> 29;
}

static uint64_t hash_amounts(uint64_t hash, const struct lxfw_resources *amounts)
{
	hash = hash_number(hash, amounts->procs);
	hash = hash_number(hash, amounts->memory_mb);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		hash = hash_number(hash, amounts->extras[i]);
	return hash;
}

/* Never 0. */
static uint64_t hash_request(const struct lxfw_request *request)
{
	uint64_t hash = hash_number(request->shape, request->count);

	hash = hash_amounts(hash, &request->unit);
	hash = hash_amounts(hash, &request->per_host);
	hash = hash_number(hash, request->estimate);
	for (int i = 0; i < request->host_set_count; i++)
		hash = hash_number(hash, request->host_sets[i]);
	return hash | 1;
}

static int32_t add_class(struct work *work, const struct lxfw_request *request,
			 uint64_t hash, int32_t first)
{
	int32_t index = (int32_t)work->class_count;

	if (LXFW_GROW(work->classes, work->classes_size, work->class_count + 1) ||
	    LXFW_GROW(work->active, work->active_size, work->class_count + 1) ||
	    LXFW_GROW(work->sorted, work->sorted_size, work->class_count + 1))
		return -1;
	if (first < 0 && lxfw_id_map_add(&work->by_hash, hash, index))
		return -1;
	if (first >= 0)
		lxfw_id_map_set(&work->by_hash, hash, index);
	work->classes[index] = (struct class) {
		.request = *request, .next = first,
		.procs = (int64_t)request->unit.procs * request->count,
	};
	work->class_count++;
	return index;
}

static bool same_sets(const struct lxfw_request *a, const struct lxfw_request *b)
{
	bool same = a->host_set_count == b->host_set_count && a->more_sets == b->more_sets;

	for (int i = 0; same && i < a->host_set_count; i++)
		same = a->host_sets[i] == b->host_sets[i];
	return same;
}

/* Assigns the classes to areas, when no class is added any more. */
static int list_areas(struct work *work)
{
	for (size_t i = 0; i < work->class_count; i++) {
		const struct lxfw_request *request = &work->classes[i].request;
		size_t at = 0;

		while (at < work->area_count && !same_sets(work->areas[at].request, request))
			at++;
		work->classes[i].area = at;
		if (at < work->area_count)
			continue;
		if (LXFW_GROW(work->areas, work->areas_size, at + 1))
			return -1;
		work->areas[work->area_count++] = (struct area) {
			.request = request, .open_since = INT64_MAX,
		};
	}
	for (size_t i = 0; i < work->area_count; i++) {
		struct area *area = &work->areas[i];

		area->meets = malloc(work->area_count * sizeof(*area->meets));
		area->blocks = calloc(work->area_count, sizeof(*area->blocks));
		if (!area->meets || !area->blocks)
			return -1;
		for (size_t k = 0; k < work->area_count; k++)
			area->meets[k] = lxfw_room_meet(work->room, area->request,
							work->areas[k].request);
	}
	work->others = malloc((work->area_count + 1) * sizeof(const struct lxfw_request *));
	return work->others ? 0 : -1;
}

static int list_classes(struct work *work)
{
	for (size_t i = 0; i < work->in->count; i++) {
		struct lxfw_request request = request_of(work, i);
		uint64_t hash = hash_request(&request);
		int32_t first = lxfw_id_map_get(&work->by_hash, hash), at = first;

		while (at >= 0 && !lxfw_request_asks_same(&work->classes[at].request,
							  &request))
			at = work->classes[at].next;
		if (at < 0)
			at = add_class(work, &request, hash, first);
		if (at < 0)
			return -1;
		work->class_of[i] = at;
	}
	return 0;
}

/* --- changes ---------------------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void add_span(struct work *work, size_t job, enum kind from, int64_t begin,
		     enum kind until, int64_t end)
{
	if (begin >= end)
		return;
	work->changes[work->change_count++] = (struct change) { begin, job, from };
	work->changes[work->change_count++] = (struct change) { end, job, until };
}

static int list_changes(struct work *work)
{
	work->changes = malloc((6 * work->in->count + 1) * sizeof(*work->changes));
	if (!work->changes)
		return -1;
	for (size_t i = 0; i < work->in->count; i++) {
		const struct lxfw_stay *stay = &work->in->stays[i];
		const struct lxfw_passed *passed = &work->in->passed[i];
		bool started = stay->start != LXFW_STAY_NEVER;
		int64_t gone = started ? stay->start : stay->end;

		if (lxfw_is_passed(stay, passed)) {
			add_span(work, i, ENTER, stay->submit, LEAVE, passed->first);
			add_span(work, i, ENTER, passed->last, LEAVE, gone);
		} else {
			add_span(work, i, ENTER, stay->submit, LEAVE, gone);
		}
		if (started)
			add_span(work, i, START, stay->start, END, stay->end);
	}
	qsort(work->changes, work->change_count, sizeof(*work->changes), by_time);
	return 0;
}

/* The seconds of a job are the sums of its class when it leaves minus those when it
   enters. */
static void count_seconds(struct work *work, size_t job, int sign)
{
	const struct class *class = &work->classes[work->class_of[job]];

	for (int i = 0; i < LXFW_LACKS; i++)
		work->out->seconds[job][i] += sign * class->sums[i];
	work->out->unhindered[job] += sign * class->unhindered;
}

static void enter(struct work *work, size_t job)
{
	int32_t index = work->class_of[job];
	struct class *class = &work->classes[index];

	count_seconds(work, job, -1);
	work->waiting++;
	work->wanted += class->procs;
	if (class->waiting++ > 0)
		return;
	class->known = false;
	class->beside = 0;
	class->beside_since = INT64_MAX;
	class->position = work->active_count;
	work->active[work->active_count++] = index;
}

static void leave(struct work *work, size_t job)
{
	struct class *class = &work->classes[work->class_of[job]];
	int32_t last;

	count_seconds(work, job, 1);
	work->waiting--;
	work->wanted -= class->procs;
	if (--class->waiting > 0)
		return;
	last = work->active[--work->active_count];
	work->active[class->position] = last;
	work->classes[last].position = class->position;
}

static int run(struct work *work, size_t job)
{
	const struct class *class = &work->classes[work->class_of[job]];
	const struct lxfw_stay *stay = &work->in->stays[job];

	return lxfw_room_start(work->room, job + 1, &class->request, stay->shares,
			       stay->share_count);
}

/* Applies the changes of one time. Sets *MORE if the machine may have more room than
   before, and *LESS if it may have less. Returns 0, or -1 with errno ENOMEM. */
static int apply(struct work *work, int64_t time, bool *more, bool *less)
{
	bool changed, told = false;
	int failed = 0;

	*more = *less = false;
	for (; work->next_change < work->change_count && !failed; work->next_change++) {
		const struct change *change = &work->changes[work->next_change];

		if (change->time > time)
			break;
		if (change->kind != END && !told) {
			failed = lxfw_room_advance(work->room, time, &changed);
			*more |= changed;
			*less |= changed;
			told = true;
		}
		if (failed)
			break;
		switch (change->kind) {
		case END:
			failed = lxfw_room_end(work->room, change->job + 1);
			*more = true;
			break;
		case START:
			failed = run(work, change->job);
			*less = true;
			break;
		case LEAVE:
			leave(work, change->job);
			break;
		case ENTER:
			enter(work, change->job);
			break;
		}
	}
	if (!failed && !told) {
		failed = lxfw_room_advance(work->room, time, &changed);
		*more |= changed;
		*less |= changed;
	}
	return failed;
}

/* --- a stretch ---------------------------------------------------------------------- */

/* A class is examined again if its answer may have changed. */
static int examine(struct work *work, bool more, bool less)
{
	for (size_t i = 0; i < work->active_count; i++) {
		struct class *class = &work->classes[work->active[i]];
		bool same = class->known;

		if (class->lack == LXFW_LACK_NOTHING)
			same &= !less;
		else
			same &= !more && (!less || class->lack == LXFW_LACK_PROCS);
		if (!same && lxfw_room_lack(work->room, &class->request, &class->lack))
			return -1;
		class->known = true;
	}
	return 0;
}

/* The largest first. */
static int by_size(const void *left, const void *right)
{
	const struct sized *a = left, *b = right;

	if (a->procs != b->procs)
		return a->procs > b->procs ? -1 : 1;
	return (a->class > b->class) - (a->class < b->class);
}

/* Starts the waiting jobs of a class until one does not fit. Adds the number of those that
   did to *STARTED. */
static int try_class(struct work *work, const struct class *class, size_t *started, bool *fit)
{
	for (size_t i = 0; i < class->waiting; i++) {
		enum lxfw_lack lack;

		if (lxfw_room_lack(work->room, &class->request, &lack))
			return -1;
		*fit = lack == LXFW_LACK_NOTHING;
		if (!*fit)
			return 0;
		if (lxfw_room_start(work->room, work->in->count + ++*started,
				    &class->request, NULL, 0))
			return -1;
	}
	return 0;
}

/* Sets *FIT to whether all waiting jobs fit together. */
static int try_all(struct work *work, bool *fit)
{
	size_t started = 0;
	int failed = 0;

	for (size_t i = 0; i < work->active_count; i++)
		work->sorted[i] = (struct sized) {
			work->classes[work->active[i]].procs, work->active[i] };
	qsort(work->sorted, work->active_count, sizeof(*work->sorted), by_size);
	*fit = true;
	for (size_t i = 0; i < work->active_count && *fit && !failed; i++)
		failed = try_class(work, &work->classes[work->sorted[i].class], &started, fit);
	for (; started > 0; started--)
		failed |= lxfw_room_end(work->room, work->in->count + started);
	return failed ? -1 : 0;
}

/* Sets *FIT to whether jobs wait, and fit together. */
static int all_fit(struct work *work, bool *fit)
{
	*fit = work->waiting > 0;
	for (size_t i = 0; i < work->active_count && *fit; i++)
		*fit = work->classes[work->active[i]].lack == LXFW_LACK_NOTHING;
	if (!*fit || work->waiting == 1)
		return 0;
	*fit = work->wanted <= lxfw_room_free(work->room);
	return *fit && !lxfw_room_is_pool(work->room) ? try_all(work, fit) : 0;
}

/* Determines in which areas jobs have been blocked until NOW. */
static void look_at_areas(struct work *work, int64_t now)
{
	for (size_t i = 0; i < work->area_count; i++)
		work->areas[i].blocked = 0;
	for (size_t i = 0; i < work->active_count; i++) {
		const struct class *class = &work->classes[work->active[i]];

		work->areas[class->area].blocked += class->lack != LXFW_LACK_NOTHING;
	}
	for (size_t i = 0; i < work->area_count; i++) {
		struct area *area = &work->areas[i];
		bool open = true;

		for (size_t k = 0; k < work->area_count && open; k++)
			open = !area->meets[k] || work->areas[k].blocked == 0;
		if (!open)
			area->open_since = INT64_MAX;
		else if (area->open_since == INT64_MAX)
			area->open_since = now;
	}
}

static bool has_one_set(const struct lxfw_request *request)
{
	return request->host_set_count <= 1 && request->more_sets == 0;
}

/* Gives the blocked areas that have hosts in common with the area a new number if they differ
   from those before. */
static void number_blocks(struct work *work, struct area *area)
{
	bool usable = has_one_set(area->request) && area->blocked == 0;
	bool same = area->beside != 0, any = false;

	for (size_t i = 0; i < work->area_count && usable; i++) {
		const struct area *other = &work->areas[i];
		bool blocks = area->meets[i] && other->blocked > 0;

		usable = !blocks || has_one_set(other->request);
		same &= area->blocks[i] == blocks;
		area->blocks[i] = blocks;
		any |= blocks;
	}
	if (!usable || !any)
		area->beside = 0;
	else if (!same)
		area->beside = ++work->beside_count;
}

/* Tries a class on the hosts that the jobs of the blocked areas cannot use. The jobs of one
   partition wait for those of another only on the hosts that both may use. */
static int try_beside(struct work *work, struct class *class, bool more, bool less)
{
	const struct area *area = &work->areas[class->area];
	bool changed = class->beside != area->beside;
	size_t count = 0;

	if (!changed && !(class->fits_beside ? less : more))
		return 0;
	class->beside = area->beside;
	for (size_t i = 0; i < work->area_count; i++) {
		if (area->blocks[i])
			work->others[count++] = work->areas[i].request;
	}
	return lxfw_room_fits_beside(work->room, &class->request, work->others, count,
				     class->area, changed, &class->fits_beside);
}

/* Determines which classes have fitted beside the blocked areas until NOW. */
static int look_beside(struct work *work, int64_t now, bool more, bool less)
{
	for (size_t i = 0; i < work->area_count; i++)
		number_blocks(work, &work->areas[i]);
	for (size_t i = 0; i < work->active_count; i++) {
		struct class *class = &work->classes[work->active[i]];
		bool free = work->areas[class->area].beside != 0 &&
			    class->lack == LXFW_LACK_NOTHING;

		if (free && try_beside(work, class, more, less))
			return -1;
		if (!free || !class->fits_beside) {
			class->beside_since = INT64_MAX;
			class->beside = free ? class->beside : 0;
		} else if (class->beside_since == INT64_MAX) {
			class->beside_since = now;
		}
	}
	return 0;
}

/* Adds the stretch at INDEX, in which all waiting jobs fit together or not, to the sums. */
static void add_stretch(struct work *work, size_t index, bool together)
{
	const struct lxfw_stretch *stretch = &work->in->timeline->stretches[index];
	int64_t end = index + 1 < work->in->timeline->count ? stretch[1].begin : stretch->begin;
	bool all = work->waiting > 0;

	work->out->smallest[index] = INT64_MAX;
	for (size_t i = 0; i < work->active_count; i++) {
		struct class *class = &work->classes[work->active[i]];
		int64_t from = work->areas[class->area].open_since;

		if (class->beside_since < from)
			from = class->beside_since;
		class->sums[class->lack] += end - stretch->begin;
		if (class->lack == LXFW_LACK_NOTHING &&
		    class->procs < work->out->smallest[index])
			work->out->smallest[index] = class->procs;
		if (from < INT64_MAX)
			from += work->in->grace;
		if (from < stretch->begin || together)
			from = stretch->begin;
		if (from < end)
			class->unhindered += end - from;
		all &= from <= stretch->begin;
	}
	work->out->all_free[index] = all;
}

static int sweep(struct work *work)
{
	const struct lxfw_timeline *timeline = work->in->timeline;

	for (size_t i = 0; i < timeline->count; i++) {
		int64_t begin = timeline->stretches[i].begin;
		bool more, less, together;

		if (apply(work, begin, &more, &less) || examine(work, more, less) ||
		    all_fit(work, &together))
			return -1;
		look_at_areas(work, begin);
		if (look_beside(work, begin, more, less))
			return -1;
		add_stretch(work, i, together);
	}
	return 0;
}

int lxfw_lacks_find(struct lxfw_lacks *lacks, const struct lxfw_lacks_input *input)
{
	struct work work = { .in = input, .out = lacks };
	int failed;

	*lacks = (struct lxfw_lacks) {
		.seconds = calloc(input->count + 1, sizeof(*lacks->seconds)),
		.unhindered = calloc(input->count + 1, sizeof(*lacks->unhindered)),
		.all_free = calloc(input->timeline->count + 1, sizeof(*lacks->all_free)),
		.smallest = calloc(input->timeline->count + 1, sizeof(*lacks->smallest)),
	};
	work.class_of = calloc(input->count + 1, sizeof(*work.class_of));
	work.room = lxfw_room_create(input->machine);
	failed = !lacks->seconds || !lacks->unhindered || !lacks->all_free ||
		 !lacks->smallest || !work.class_of || !work.room ||
		 list_classes(&work) || list_areas(&work) ||
		 list_changes(&work) || sweep(&work) ? -1 : 0;
	for (size_t i = 0; i < work.area_count; i++) {
		free(work.areas[i].meets);
		free(work.areas[i].blocks);
	}
	free(work.others);
	free(work.areas);
	lxfw_room_destroy(work.room);
	lxfw_id_map_clear(&work.by_hash);
	free(work.class_of);
	free(work.changes);
	free(work.classes);
	free(work.active);
	free(work.sorted);
	if (failed) {
		lxfw_lacks_clear(lacks);
		errno = ENOMEM;
	}
	return failed;
}

void lxfw_lacks_clear(struct lxfw_lacks *lacks)
{
	free(lacks->seconds);
	free(lacks->unhindered);
	free(lacks->all_free);
	free(lacks->smallest);
	*lacks = (struct lxfw_lacks) { NULL };
}
