/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many processors may be available from now on, for how long: a bound that excludes most jobs
   of a long queue without searching hosts for each. */
#include "common/model/event.h"
#include "common/profile/boundary.h"

/* The shortest duration of a span, seconds. */
static int64_t shortest(int span)
{
	return span == 0 ? 0 : INT64_C(64) << span;
}

/* Add hosts that have PROCS processors in the spans from FROM on, WIDEST on one of them. */
static void add_hosts(struct lxfw_room *room, int from, int32_t procs, int32_t widest)
{
	for (int span = from; span < LXFW_ROOM_SPANS; span++) {
		room->spans[span] += procs;
		room->widest[span] = widest > room->widest[span] ? widest : room->widest[span];
	}
}

/* Add what HOSTS hosts with LINE, which has boundaries, have. Nothing that starts now gets more than
   is free now, or than is left at any boundary until it ends. */
static void add_line(const struct lxfw_profile *profile, const struct lxfw_line *line,
		     int32_t hosts, struct lxfw_room *room)
{
	int32_t i = lxfw_boundary_after(line, room->now);
	int32_t procs = lxfw_procs_at(profile, line, room->now, i);

	if (procs > line->free.procs)
		procs = line->free.procs;
	for (int span = 0; span < LXFW_ROOM_SPANS && procs > 0; span++) {
		int64_t end = lxfw_time_add(room->now, shortest(span));

		if (i == line->boundary_count) {
			add_hosts(room, span, hosts * procs, procs);
			return;
		}
		for (; i < line->boundary_count && line->boundaries[i].time < end; i++) {
			if (procs > line->boundaries[i].left.procs)
				procs = line->boundaries[i].left.procs;
		}
		if (procs > 0)
			room->spans[span] += hosts * procs;
		if (procs > room->widest[span])
			room->widest[span] = procs;
	}
}

/* Add a step of PROCS until UNTIL. There is always room for the last step, which has no
   end. */
static void add_step(struct lxfw_room *room, int64_t until, int32_t procs)
{
	room->steps[room->count].until = until;
	room->steps[room->count++].procs = procs;
}

static void add_steps(const struct lxfw_profile *profile, struct lxfw_room *room)
{
	const struct lxfw_line *line = lxfw_profile_line(profile, 0);
	int32_t i = lxfw_boundary_after(line, room->now), procs = room->spans[0];

	for (; i < line->boundary_count && room->count < LXFW_ROOM_STEPS - 1; i++) {
		const struct lxfw_boundary *boundary = &line->boundaries[i];

		if (boundary->left.procs >= procs)
			continue;
		add_step(room, boundary->time, procs);
		procs = boundary->left.procs;
	}
	add_step(room, LXFW_NEVER, procs);
}

/* Most hosts have no boundaries: what they have free is there in all spans. */
static void add_kinds(const struct lxfw_profile *profile, struct lxfw_room *room)
{
	const struct lxfw_kinds *kinds = &profile->kinds;
	int32_t procs = 0, widest = 0;

	for (int32_t i = lxfw_kinds_from(kinds, 1); i < kinds->count; i++) {
		const struct lxfw_kind *kind = &kinds->list[kinds->order[i]];

		if (kind->line.boundary_count > 0) {
			add_line(profile, &kind->line, kind->count, room);
			continue;
		}
		procs += kind->count * kind->line.free.procs;
		widest = kind->line.free.procs;	/* in the order of `order` */
	}
	add_hosts(room, 0, procs, widest);
}

void lxfw_profile_room(const struct lxfw_profile *profile, int64_t now,
		       struct lxfw_room *room)
{
	*room = (struct lxfw_room){ .now = now };
	if (lxfw_has_kinds(profile)) {
		add_kinds(profile, room);
	} else if (profile->host_count == 1 && profile->hosts[0].up) {
		add_line(profile, lxfw_profile_line(profile, 0), 1, room);
		add_steps(profile, room);
	}
}
