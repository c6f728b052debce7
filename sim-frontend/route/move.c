/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/move.h"

#include <string.h>

/* Steps in one round. */
#define STEPS 12

static bool has_run(enum lxfw_move_seen seen)
{
	return seen == LXFW_SEEN_STARTED || seen == LXFW_SEEN_ENDED;
}

static bool pends(enum lxfw_move_seen seen)
{
	return seen == LXFW_SEEN_WAITS || seen == LXFW_SEEN_HELD;
}

static bool is_gone(enum lxfw_move_seen seen)
{
	return seen == LXFW_SEEN_CANCELLED || seen == LXFW_SEEN_ABSENT;
}

/* The old job may start at any moment. */
static enum lxfw_move_step while_copying(enum lxfw_move_seen old, enum lxfw_move_seen new,
					 int64_t age, int64_t settle, int64_t give_up)
{
	switch (new) {
	case LXFW_SEEN_UNKNOWN:
		return LXFW_STEP_NOTHING;
	case LXFW_SEEN_ABSENT:
		return age < give_up ? LXFW_STEP_NOTHING : LXFW_STEP_BACK;
	case LXFW_SEEN_HELD:
		if (old == LXFW_SEEN_WAITS)
			return age < settle ? LXFW_STEP_NOTHING : LXFW_STEP_COMPARE;
		/* It has started or was held or cancelled by its user. */
		return old == LXFW_SEEN_UNKNOWN ? LXFW_STEP_NOTHING : LXFW_STEP_LEAVE;
	default:
		/* The user has released or cancelled the new job. */
		return LXFW_STEP_LEAVE;
	}
}

static enum lxfw_move_step while_holding(enum lxfw_move_seen old, enum lxfw_move_seen new)
{
	if (old == LXFW_SEEN_UNKNOWN)
		return LXFW_STEP_NOTHING;
	if (new == LXFW_SEEN_UNKNOWN)	/* nothing waits for a cluster that is away */
		return old == LXFW_SEEN_HELD ? LXFW_STEP_UNHOLD : LXFW_STEP_NOTHING;
	if (new == LXFW_SEEN_HELD && old == LXFW_SEEN_WAITS)
		return LXFW_STEP_HOLD_OLD;
	if (new == LXFW_SEEN_HELD && old == LXFW_SEEN_HELD)
		return LXFW_STEP_CANCEL_OLD;
	/* A job that runs is released, in case that it is requeued. */
	return pends(old) || old == LXFW_SEEN_STARTED ? LXFW_STEP_LEAVING : LXFW_STEP_LEAVE;
}

static enum lxfw_move_step while_cancelling(enum lxfw_move_seen old, enum lxfw_move_seen new,
					    int64_t age, int64_t settle)
{
	if (old == LXFW_SEEN_UNKNOWN)
		return LXFW_STEP_NOTHING;
	if (has_run(old))
		return LXFW_STEP_LEAVE;
	if (pends(old) && new == LXFW_SEEN_UNKNOWN)
		return LXFW_STEP_UNHOLD;
	if (pends(old) && is_gone(new))
		return LXFW_STEP_LEAVING;
	if (pends(old))	/* its controller may have forgotten the hold */
		return old == LXFW_SEEN_HELD ? LXFW_STEP_CANCEL_OLD : LXFW_STEP_HOLD_OLD;
	/* The old job is gone. */
	switch (new) {
	case LXFW_SEEN_UNKNOWN:
		return LXFW_STEP_NOTHING;
	case LXFW_SEEN_ABSENT:
		return LXFW_STEP_ANEW;
	case LXFW_SEEN_HELD:
		return age < settle ? LXFW_STEP_NOTHING : LXFW_STEP_ARRIVE;
	case LXFW_SEEN_CANCELLED:
		return LXFW_STEP_LEAVE;
	default:
		return LXFW_STEP_ARRIVE;
	}
}

static enum lxfw_move_step while_alone(enum lxfw_move_seen new, int64_t age, int64_t settle,
				       int64_t give_up)
{
	switch (new) {
	case LXFW_SEEN_UNKNOWN:
		return LXFW_STEP_NOTHING;
	case LXFW_SEEN_ABSENT:
		return age < give_up ? LXFW_STEP_NOTHING : LXFW_STEP_ANEW;
	case LXFW_SEEN_HELD:
		return age < settle ? LXFW_STEP_NOTHING : LXFW_STEP_ARRIVE;
	case LXFW_SEEN_CANCELLED:
		return LXFW_STEP_LEAVE;
	default:
		return LXFW_STEP_ARRIVE;
	}
}

/* The old job must not stay held. */
static enum lxfw_move_step while_releasing(enum lxfw_move_seen old, int64_t age, int64_t settle,
					   enum lxfw_move_step then)
{
	if (old == LXFW_SEEN_HELD)
		return LXFW_STEP_RELEASE_OLD;
	return old == LXFW_SEEN_UNKNOWN || age < settle ? LXFW_STEP_NOTHING : then;
}

enum lxfw_move_step lxfw_move_next(enum lxfw_move_phase phase, enum lxfw_move_seen old,
				   enum lxfw_move_seen new, int64_t age, int64_t settle,
				   int64_t give_up)
{
	switch (phase) {
	case LXFW_MOVE_COPYING:
		return while_copying(old, new, age, settle, give_up);
	case LXFW_MOVE_HOLDING:
		return while_holding(old, new);
	case LXFW_MOVE_CANCELLING:
		return while_cancelling(old, new, age, settle);
	case LXFW_MOVE_ALONE:
		return while_alone(new, age, settle, give_up);
	case LXFW_MOVE_ARRIVING:
		return while_releasing(old, age, settle, LXFW_STEP_REST);
	case LXFW_MOVE_LEAVING:
		return while_releasing(old, age, settle, LXFW_STEP_LEAVE);
	case LXFW_MOVE_REST:
	case LXFW_MOVE_DONE:
		break;
	}
	return LXFW_STEP_NOTHING;
}

/* --- what is done ----------------------------------------------------------------------- */

struct round {
	struct lxfw_move *move;
	const struct lxfw_move_calls *calls;
	enum lxfw_move_seen old, new;
	int64_t new_job;
};

static int record(const struct round *round)
{
	return round->calls->record(round->calls->context, round->move);
}

/* Records a phase that begins now. */
static int enter(const struct round *round, enum lxfw_move_phase phase)
{
	round->move->phase = phase;
	round->move->since = round->calls->now(round->calls->context);
	return record(round);
}

static int arrive(const struct round *round)
{
	struct lxfw_move *move = round->move;

	round->calls->moved(round->calls->context, move, round->new_job);
	move->serial = move->next;
	move->job = round->new_job;
	strcpy(move->old, move->new);
	*move->new = '\0';
	return enter(round, LXFW_MOVE_ARRIVING);
}

/* The new job is cancelled if it has not started. */
static int give_up_move(const struct round *round, enum lxfw_move_phase phase)
{
	struct lxfw_move *move = round->move;

	if (pends(round->new) &&
	    round->calls->cancel(round->calls->context, move->new, round->new_job))
		return -1;
	round->calls->stays(round->calls->context, move);
	move->phase = phase;
	*move->new = '\0';
	return record(round);
}

static int release_old(const struct round *round)
{
	return round->calls->release(round->calls->context, round->move->old, round->move->job);
}

static int hold_old(const struct round *round)
{
	round->move->phase = LXFW_MOVE_HOLDING;
	if (record(round))
		return -1;
	return round->calls->hold(round->calls->context, round->move->old, round->move->job);
}

static int cancel_old(const struct round *round)
{
	if (enter(round, LXFW_MOVE_CANCELLING))
		return -1;
	return round->calls->cancel(round->calls->context, round->move->old, round->move->job);
}

static int compare(const struct round *round)
{
	int same = round->calls->same(round->calls->context, round->move, round->new_job);

	if (same < 0)
		return -1;
	return same ? hold_old(round) : give_up_move(round, LXFW_MOVE_DONE);
}

static int submit(const struct round *round, enum lxfw_move_phase phase)
{
	struct lxfw_move *move = round->move;
	int failed;

	move->phase = phase;
	move->next++;
	move->since = round->calls->now(round->calls->context);
	if (record(round))
		return -1;
	failed = round->calls->submit(round->calls->context, move);
	if (failed > 0 && phase == LXFW_MOVE_COPYING)
		return give_up_move(round, LXFW_MOVE_REST);
	return failed ? -1 : 0;
}

static int unhold(const struct round *round)
{
	round->move->phase = LXFW_MOVE_HOLDING;
	if (record(round))
		return -1;
	return release_old(round);
}

static int leaving(const struct round *round)
{
	if (enter(round, LXFW_MOVE_LEAVING))
		return -1;
	/* It may run, and be requeued later. */
	return round->old == LXFW_SEEN_STARTED ? (release_old(round), 0) : 0;
}

/* Returns 0, or -1 if the round ends. */
static int take_step(const struct round *round, enum lxfw_move_step step)
{
	const struct lxfw_move *move = round->move;

	switch (step) {
	case LXFW_STEP_COMPARE:
		return compare(round);
	case LXFW_STEP_HOLD_OLD:
		return hold_old(round);
	case LXFW_STEP_CANCEL_OLD:
		return cancel_old(round);
	case LXFW_STEP_RELEASE_OLD:
		return enter(round, move->phase) ? -1 : release_old(round);
	case LXFW_STEP_ARRIVE:
		return arrive(round);
	case LXFW_STEP_REST:
		round->move->phase = LXFW_MOVE_REST;
		return record(round);
	case LXFW_STEP_BACK:
		return give_up_move(round, LXFW_MOVE_REST);
	case LXFW_STEP_LEAVE:
		return give_up_move(round, LXFW_MOVE_DONE);
	case LXFW_STEP_LEAVING:
		return leaving(round);
	case LXFW_STEP_UNHOLD:
		return unhold(round);
	case LXFW_STEP_ANEW:
		return submit(round, LXFW_MOVE_ALONE);
	case LXFW_STEP_NOTHING:
		break;
	}
	return -1;
}

int lxfw_move_begin(struct lxfw_move *move, const struct lxfw_move_calls *calls, const char *old,
		    int64_t job, const char *new)
{
	const struct round round = { .move = move, .calls = calls, .new = LXFW_SEEN_ABSENT };

	move->job = job;
	move->moves++;
	strcpy(move->old, old);
	strcpy(move->new, new);
	return submit(&round, LXFW_MOVE_COPYING);
}

void lxfw_move_go_on(struct lxfw_move *move, const struct lxfw_move_calls *calls,
		     int64_t settle, int64_t give_up)
{
	struct round round = { .move = move, .calls = calls };

	for (int i = 0; i < STEPS && move->phase != LXFW_MOVE_REST &&
	     move->phase != LXFW_MOVE_DONE; i++) {
		enum lxfw_move_step step;

		if (calls->look(calls->context, move, &round.old, &round.new, &round.new_job))
			return;
		step = lxfw_move_next(move->phase, round.old, round.new,
				      calls->now(calls->context) - move->since, settle, give_up);
		if (take_step(&round, step))
			return;
	}
}
