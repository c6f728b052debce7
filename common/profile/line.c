/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/line.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/event.h"
#include "common/profile/boundary.h"

/* --- the space of boundaries ------------------------------------------------------ */

void lxfw_boundaries_clear(struct lxfw_boundary_space *space)
{
	free(space->used);
	free(space->other);
	*space = (struct lxfw_boundary_space){ .size = 0 };
}

/* Move the boundaries of all lines to TO, without room to grow. */
static void collect(struct lxfw_profile *profile, struct lxfw_boundary *to)
{
	struct lxfw_boundary_space *space = &profile->space;

	space->count = 0;
	for (size_t i = 0; i < profile->kinds.used; i++) {
		struct lxfw_line *line = &profile->kinds.list[i].line;

		if (line->boundary_count > 0)
			memcpy(to + space->count, line->boundaries,
			       (size_t)line->boundary_count * sizeof(*to));
		line->boundaries = to + space->count;
		line->boundary_room = line->boundary_count;
		space->count += (size_t)line->boundary_count;
	}
	space->other = space->used;
	space->used = to;
}

/* All lines together have at most two boundaries for each hold. Twice as many fit, so that a
   line can be copied after collect(). */
int lxfw_boundaries_ready(struct lxfw_profile *profile, size_t holds)
{
	struct lxfw_boundary_space *space = &profile->space;
	size_t need = 4 * holds + 16, size = space->size + space->size / 2;
	struct lxfw_boundary *used, *other;

	if (need <= space->size)
		return 0;
	if (size < need)
		size = need;
	used = malloc(size * sizeof(*used));
	other = malloc(size * sizeof(*other));
	if (!used || !other) {
		free(used);
		free(other);
		return -1;
	}
	free(space->other);
	collect(profile, used);
	free(space->other);
	space->other = other;
	space->size = size;
	return 0;
}

/* Take up to *ROOM boundaries, COUNT at least; *ROOM becomes their number. */
static struct lxfw_boundary *take(struct lxfw_profile *profile, int32_t count, int32_t *room)
{
	struct lxfw_boundary_space *space = &profile->space;
	struct lxfw_boundary *taken;

	if (space->size - space->count < (size_t)*room)
		collect(profile, space->other);
	if (space->size - space->count < (size_t)*room)
		*room = count;
	taken = space->used + space->count;
	space->count += (size_t)*room;
	return taken;
}

/* Make room for one more boundary. */
static void make_room(struct lxfw_profile *profile, struct lxfw_line *line)
{
	struct lxfw_boundary_space *space = &profile->space;
	int32_t room = line->boundary_count + line->boundary_count / 2 + 4;
	struct lxfw_boundary *taken;

	if (line->boundary_count < line->boundary_room)
		return;
	if (line->boundary_room > 0 &&
	    line->boundaries + line->boundary_room == space->used + space->count &&
	    space->size - space->count >= 4) {
		line->boundary_room += 4;
		space->count += 4;
		return;
	}
	taken = take(profile, line->boundary_count + 1, &room);
	if (line->boundary_count > 0)
		memcpy(taken, line->boundaries,
		       (size_t)line->boundary_count * sizeof(*taken));
	line->boundaries = taken;
	line->boundary_room = room;
}

/* --- lines --------------------------------------------------------------------- */

void lxfw_line_copy(struct lxfw_profile *profile, struct lxfw_line *line,
		    const struct lxfw_line *from)
{
	int32_t room = from->boundary_count > 0 ? from->boundary_count + 2 : 0;

	*line = (struct lxfw_line){
		.free = from->free, .running = from->running, .kept = from->kept,
		.releases = -1, .first_release = from->first_release,
	};
	line->releases = lxfw_release_copy(&profile->line_releases, from->releases);
	if (room == 0)
		return;
	line->boundaries = take(profile, from->boundary_count, &room);
	line->boundary_room = room;
	line->boundary_count = from->boundary_count;
	memcpy(line->boundaries, from->boundaries,
	       (size_t)from->boundary_count * sizeof(*line->boundaries));
}

void lxfw_line_clear(struct lxfw_profile *profile, struct lxfw_line *line)
{
	lxfw_release_give_all(&profile->line_releases, line->releases);
	*line = (struct lxfw_line){ .releases = -1, .first_release = LXFW_NEVER };
}

bool lxfw_line_overbooked(const struct lxfw_line *line)
{
	int32_t i = 0;

	while (i < line->boundary_count && line->boundaries[i].left.procs >= 0)
		i++;
	return i < line->boundary_count;
}

void lxfw_line_gain(struct lxfw_line *line, const struct lxfw_resources *gained)
{
	lxfw_resources_add(&line->free, gained);
	for (int32_t i = 0; i < line->boundary_count; i++) {
		lxfw_resources_add(&line->boundaries[i].left, gained);
		line->boundaries[i].most_procs += gained->procs;
	}
}

/* --- holds ----------------------------------------------------------------------- */

/* Count one more use of the boundary at TIME; create it if it does not exist. */
static void use(struct lxfw_profile *profile, struct lxfw_line *line, int64_t time)
{
	int32_t after = lxfw_boundary_after(line, time);
	struct lxfw_boundary new = { .time = time };

	if (after == 0 || line->boundaries[after - 1].time != time) {
		if (profile->claims_more) {
			lxfw_available_at(profile, line, time, after, &new.left);
		} else {
			new.left = line->free;
			new.left.procs = lxfw_procs_at(profile, line, time, after);
		}
		new.most_procs = new.left.procs;
		if (after > 0)
			new.held = line->boundaries[after - 1].held;
		make_room(profile, line);
		memmove(&line->boundaries[after + 1], &line->boundaries[after],
			(size_t)(line->boundary_count - after) *
				sizeof(*line->boundaries));
		line->boundaries[after++] = new;
		line->boundary_count++;
	}
	line->boundaries[after - 1].uses++;
}

static void leave(struct lxfw_line *line, int64_t time)
{
	int32_t at = lxfw_boundary_after(line, time) - 1;

	if (--line->boundaries[at].uses > 0)
		return;
	line->boundary_count--;
	memmove(&line->boundaries[at], &line->boundaries[at + 1],
		(size_t)(line->boundary_count - at) * sizeof(*line->boundaries));
}

void lxfw_line_enter(struct lxfw_profile *profile, struct lxfw_line *line, int64_t from,
		     int64_t until)
{
	use(profile, line, from);
	use(profile, line, until);
}

void lxfw_line_leave(struct lxfw_line *line, int64_t from, int64_t until)
{
	leave(line, from);
	leave(line, until);
}

static void set_most_procs(struct lxfw_line *line, int32_t at)
{
	struct lxfw_boundary *boundary;
	int32_t more;

	if (at >= line->boundary_count)
		return;
	boundary = &line->boundaries[at];
	more = boundary->held.procs - (at > 0 ? boundary[-1].held.procs : 0);
	boundary->most_procs = boundary->left.procs + (more > 0 ? more : 0);
}

/* Hold PROCS processors and nothing else at the boundaries from FIRST on, before UNTIL;
   returns the next boundary. */
static int32_t hold_procs(struct lxfw_line *line, int32_t first, int64_t until, int32_t procs)
{
	int32_t i = first;

	for (; i < line->boundary_count && line->boundaries[i].time < until; i++) {
		line->boundaries[i].most_procs -= procs;
		line->boundaries[i].held.procs += procs;
		line->boundaries[i].left.procs -= procs;
	}
	return i;
}

/* The same for AMOUNT, which is held, or no longer (SIGN -1). */
static int32_t hold_amount(struct lxfw_line *line, int32_t first, int64_t until,
			   const struct lxfw_resources *amount, int sign)
{
	int32_t i = first;

	for (; i < line->boundary_count && line->boundaries[i].time < until; i++) {
		struct lxfw_boundary *boundary = &line->boundaries[i];

		boundary->most_procs -= sign * amount->procs;
		if (sign > 0) {
			lxfw_resources_add(&boundary->held, amount);
			lxfw_resources_subtract(&boundary->left, amount);
		} else {
			lxfw_resources_subtract(&boundary->held, amount);
			lxfw_resources_add(&boundary->left, amount);
		}
	}
	return i;
}

void lxfw_line_hold(const struct lxfw_profile *profile, struct lxfw_line *line, int64_t from,
		    int64_t until, const struct lxfw_resources *amount, int sign)
{
	int32_t first, end;

	if (from >= until)
		return;
	first = lxfw_boundary_after(line, from) - 1;
	end = profile->claims_more ? hold_amount(line, first, until, amount, sign) :
				     hold_procs(line, first, until, sign * amount->procs);
	set_most_procs(line, first);
	set_most_procs(line, end);
}

/* --- running claims -------------------------------------------------------------- */

/* Add AMOUNT to the resources left at the boundaries in [FROM, UNTIL), or subtract it
   (SIGN -1). */
static void change_left(struct lxfw_line *line, int64_t from, int64_t until,
			const struct lxfw_resources *amount, int sign)
{
	int32_t i = from == INT64_MIN ? 0 : lxfw_boundary_after(line, from - 1);

	for (; i < line->boundary_count && line->boundaries[i].time < until; i++) {
		struct lxfw_boundary *boundary = &line->boundaries[i];

		boundary->most_procs += sign * amount->procs;
		if (sign > 0)
			lxfw_resources_add(&boundary->left, amount);
		else
			lxfw_resources_subtract(&boundary->left, amount);
	}
}

static void note_first(const struct lxfw_profile *profile, struct lxfw_line *line)
{
	line->first_release = lxfw_release_after(&profile->line_releases, line->releases,
						 INT64_MIN);
}

void lxfw_line_run(struct lxfw_profile *profile, struct lxfw_line *line, int64_t end,
		   const struct lxfw_resources *amount, int sign)
{
	if (sign > 0) {
		lxfw_release_add(&profile->line_releases, &line->releases, end, amount);
		lxfw_resources_subtract(&line->free, amount);
	} else {
		lxfw_release_subtract(&profile->line_releases, &line->releases, end, amount);
		lxfw_resources_add(&line->free, amount);
	}
	line->running += sign;
	note_first(profile, line);
	change_left(line, INT64_MIN, end, amount, -sign);
}

void lxfw_line_run_until(struct lxfw_profile *profile, struct lxfw_line *line, int64_t old,
			 int64_t new, const struct lxfw_resources *amount)
{
	if (new > old)
		change_left(line, old, new, amount, -1);
	else
		change_left(line, new, old, amount, 1);
	lxfw_release_subtract(&profile->line_releases, &line->releases, old, amount);
	lxfw_release_add(&profile->line_releases, &line->releases, new, amount);
	note_first(profile, line);
}
