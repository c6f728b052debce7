/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/submissions.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/engine/engine.h"

/* Returns space after the last item, for one whose time is not known yet. */
static struct lxfw_submission *make_room(struct lxfw_submissions *submissions)
{
	struct lxfw_submission *items = submissions->items;

	if (submissions->first > 0 &&
	    2 * submissions->first >= submissions->count) {
		submissions->count -= submissions->first;
		if (submissions->count > 0)
			memmove(items, items + submissions->first,
				submissions->count * sizeof(*items));
		submissions->first = 0;
	}
	if (submissions->count == submissions->size) {
		items = lxfw_grow(items, &submissions->size,
				  submissions->count + 1, sizeof(*items));
		if (!items)
			return NULL;
		submissions->items = items;
	}
	return &items[submissions->count];
}

static void find_time(struct lxfw_submissions *submissions)
{
	submissions->time = submissions->first < submissions->count ?
		submissions->items[submissions->first].time : LXFW_NEVER;
}

/* Moves the item after the last to its position in order of time. */
static void insert(struct lxfw_submissions *submissions)
{
	struct lxfw_submission *items = submissions->items, item;
	size_t at = submissions->count++;

	if (at > submissions->first && items[at - 1].time > items[at].time) {
		item = items[at];
		for (; at > submissions->first && items[at - 1].time > item.time;
		     at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
	submissions->time = items[submissions->first].time;
}

/* Adds the world's next submission. */
static int take(struct lxfw_submissions *submissions, const struct lxfw_world *world)
{
	struct lxfw_submission *item = make_room(submissions);
	int got;

	if (!item)
		return -1;
	item->of_world = true;
	got = world->submission(world->context, &item->request, &item->time);
	if (got <= 0)
		return got;
	insert(submissions);
	return 0;
}

int lxfw_submissions_begin(struct lxfw_submissions *submissions,
			   const struct lxfw_world *world)
{
	*submissions = (struct lxfw_submissions) { .time = LXFW_NEVER };
	return world->submission ? take(submissions, world) : 0;
}

int lxfw_submissions_add(struct lxfw_submissions *submissions,
			 const struct lxfw_request *request, int64_t time)
{
	struct lxfw_submission *item = make_room(submissions);

	if (!item)
		return -1;
	*item = (struct lxfw_submission) { time, false, *request };
	insert(submissions);
	return 0;
}

int lxfw_submissions_drop(struct lxfw_submissions *submissions,
			  const struct lxfw_world *world)
{
	bool of_world = submissions->items[submissions->first++].of_world;

	find_time(submissions);
	return of_world ? take(submissions, world) : 0;
}

int lxfw_submissions_renew(struct lxfw_submissions *submissions,
			   const struct lxfw_world *world)
{
	struct lxfw_submission *items = submissions->items;

	for (size_t i = submissions->first; i < submissions->count; i++) {
		if (!items[i].of_world)
			continue;
		memmove(&items[i], &items[i + 1],
			(--submissions->count - i) * sizeof(*items));
		break;
	}
	find_time(submissions);
	return take(submissions, world);
}

bool lxfw_submissions_remove(struct lxfw_submissions *submissions, uint64_t job)
{
	struct lxfw_submission *items = submissions->items;

	for (size_t i = submissions->first; i < submissions->count; i++) {
		if (items[i].of_world || items[i].request.id != job)
			continue;
		memmove(&items[i], &items[i + 1],
			(--submissions->count - i) * sizeof(*items));
		find_time(submissions);
		return true;
	}
	return false;
}

void lxfw_submissions_clear(struct lxfw_submissions *submissions)
{
	free(submissions->items);
	*submissions = (struct lxfw_submissions) { 0 };
}
