/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/cycle.h"

#include <string.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/model/time.h"
#include "common/pass/consider.h"
#include "common/pass/group.h"
#include "common/pass/possible.h"
#include "common/pass/whole.h"
#include "common/place/place.h"
#include "common/util/grow.h"

/* --- when ------------------------------------------------------------------------ */

/* The first time at TIME or later at which a pass is a backfill pass. */
static int64_t at_or_after(const struct lxfw_sched *sched, int64_t time)
{
	int64_t interval = sched->params.backfill_interval, over;

	if (interval == 0)
		return time;
	over = time % interval;
	if (over < 0)
		over += interval;
	return over == 0 ? time : lxfw_time_add(time, interval - over);
}

bool lxfw_cycle_is_due(const struct lxfw_sched *sched)
{
	return at_or_after(sched, sched->now) == sched->now;
}

int64_t lxfw_cycle_wake(struct lxfw_sched *sched, int64_t due)
{
	int32_t first;

	if (sched->uncycled)
		return at_or_after(sched, sched->now);
	/* A job that runs longer than expected moves reservations, which may let others start. */
	first = lxfw_expiry_first(sched);
	if (first >= 0 && sched->jobs[first].expected_end < due)
		due = lxfw_time_add(sched->jobs[first].expected_end, 1);
	return due == LXFW_NEVER ? LXFW_NEVER : at_or_after(sched, due);
}

/* --- the jobs in order ----------------------------------------------------------- */

/* Make a heap of the first job of each class. */
static int collect(struct lxfw_sched *sched)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];

		head->blocked = false;
		sched->heap[sched->heap_count++] =
			lxfw_candidate_of(sched, sched->classes[head->class].head);
	}
	lxfw_candidates_order(sched);
	return 0;
}

static struct lxfw_head *head_of(struct lxfw_sched *sched, int32_t job)
{
	return lxfw_head_of(sched, &sched->classes[sched->jobs[job].class]);
}

/* --- room ------------------------------------------------------------------------ */

/* Whether the hosts of an alternative have room for the request beside running jobs. */
static bool has_room_on(const struct lxfw_sched *sched, const struct lxfw_request *request,
			int32_t alternative)
{
	int32_t rest = request->count;

	for (int32_t i = 0; i < sched->profile.host_count && rest > 0; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];
		const struct lxfw_resources *free = lxfw_profile_free(&sched->profile, i);
		struct lxfw_resources need;

		if (!host->up || free->procs < request->unit.procs ||
		    !lxfw_host_allowed(sched, request, alternative, i))
			continue;
		need = lxfw_request_on(request, host);
		if (!lxfw_resources_fit(&need, free))
			continue;
		rest -= request->shape == LXFW_SHAPE_HOSTS ? 1 :
			lxfw_request_pieces(request, free, rest);
	}
	return rest == 0;
}

/* Whether it is not known without a search if the hosts have room for a job. */
static bool is_room_unknown(const struct lxfw_sched *sched, int32_t job)
{
	return sched->jobs[job].group >= 0 || sched->suspended > 0;
}

/* Whether a job may start beside running jobs, whatever is reserved. This needs no change of
   the profile. */
static bool has_room(struct lxfw_sched *sched, int32_t job)
{
	struct lxfw_request request;

	if (is_room_unknown(sched, job))
		return true;
	if (head_of(sched, job)->procs > sched->profile.free.procs)
		return false;
	request = lxfw_request_simplest(sched, &sched->jobs[job].request);
	for (int32_t i = 0; i < lxfw_request_alternatives(&request); i++) {
		if (has_room_on(sched, &request, i))
			return true;
	}
	return false;
}

/* --- a backfill pass -------------------------------------------------------------- */

/* Consider one job. If it is blocked, so are all others of its class, which are behind it:
   they need the same beside more reservations, and are neither older nor of higher
   priority. */
static enum lxfw_outcome consider(struct lxfw_sched *sched, int32_t job, int32_t reserved,
				  bool whole)
{
	enum lxfw_outcome outcome;

	if (head_of(sched, job)->blocked) {
		lxfw_reservation_drop(sched, job);
		return LXFW_BLOCKED;
	}
	outcome = whole ? lxfw_whole_consider(sched, job, reserved) :
			  lxfw_consider(sched, job, reserved);
	if (outcome == LXFW_BLOCKED) {
		head_of(sched, job)->blocked = true;
		sched->any_blocked = true;
	}
	return outcome;
}

/* Set `roomy` of each class; only of those that have it if AGAIN. Returns their number. */
static int32_t count_roomy(struct lxfw_sched *sched, bool again)
{
	int32_t roomy = 0;

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];

		head->roomy = (!again || head->roomy) &&
			      has_room(sched, sched->classes[head->class].head);
		roomy += head->roomy;
	}
	return roomy;
}

/* The same, beside the reservations. There is none of a job that is still to be considered.
   Returns -1 with errno ENOMEM. */
static int32_t count_fitting(struct lxfw_sched *sched, bool whole)
{
	int32_t roomy = 0;

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		const struct lxfw_class *class = &sched->classes[head->class];
		int32_t host_set, count;

		if (!head->roomy)
			continue;
		if (!is_room_unknown(sched, class->head)) {
			count = whole ? lxfw_whole_place_now(sched, &class->request, &host_set) :
					lxfw_place_now(sched, &class->request, &host_set);
			if (count < 0)
				return -1;
			head->roomy = count > 0;
		}
		roomy += head->roomy;
	}
	return roomy;
}

/* Whether a pass calls count_fitting() once it has made RESERVED reservations. */
static bool is_time_to_count(const struct lxfw_sched *sched, int32_t reserved)
{
	size_t all = sched->reservation_count;

	if (all > (size_t)reserved && sched->reservations[all - 1].claim >= 0)
		return false;
	return reserved < 8 ? (reserved & (reserved - 1)) == 0 : reserved % 8 == 0;
}

/* Reservations decide which jobs behind them start now. Once none of those has room, no
   further ones are made. */
int lxfw_cycle_walk(struct lxfw_sched *sched)
{
	int32_t most = lxfw_reservations_allowed(sched), reserved = 0, roomy;
	bool whole = lxfw_whole_applies(sched);

	sched->uncycled = false;
	if (collect(sched) < 0 || (whole && lxfw_whole_begin(sched) < 0))
		return -1;
	roomy = count_roomy(sched, false);
	for (int32_t i = 0; i < most && sched->heap_count > 0 && roomy > 0; i++) {
		int32_t job = sched->heap[0].job, next = sched->jobs[job].next;
		struct lxfw_head *head = head_of(sched, job);
		enum lxfw_outcome outcome = consider(sched, job, reserved, whole);

		if (outcome == LXFW_FAILED)
			return -1;
		reserved += outcome == LXFW_RESERVED;
		/* Nothing becomes free in a pass, so the others of its class do not fit, either. */
		if (outcome == LXFW_STARTED) {
			roomy = count_roomy(sched, true);
		} else if (head->roomy && (next < 0 || !is_room_unknown(sched, job))) {
			head->roomy = false;
			roomy--;
		}
		if (outcome == LXFW_RESERVED && is_time_to_count(sched, reserved))
			roomy = count_fitting(sched, whole);
		if (roomy < 0)
			return -1;
		lxfw_candidates_replace_top(sched, next);
	}
	lxfw_reservations_drop_from(sched, (size_t)reserved);
	return 0;
}

/* --- a main pass ------------------------------------------------------------------- */

#define ALL_SETS UINT64_MAX
#define SETS_MOST 63

static uint64_t bit_of(size_t set)
{
	return (uint64_t)1 << (set < SETS_MOST ? set : SETS_MOST);
}

/* The host sets of a job as bits. Sets from SETS_MOST on have the same bit. */
static uint64_t sets_of(const struct lxfw_request *request)
{
	uint64_t sets = 0;
	int32_t last = 0;

	if (request->host_set_count == 0)
		return ALL_SETS;
	for (int i = 0; i < request->host_set_count; i++) {
		last = request->host_sets[i];
		sets |= bit_of((size_t)last);
	}
	for (int32_t i = 0; i < request->more_sets && last < SETS_MOST; i++)
		sets |= bit_of((size_t)++last);
	return sets;
}

/* Whether no host is left for a job with these sets, since a job before it that has them, or
   all of them, cannot start: BLOCKED. */
static bool must_wait(uint64_t sets, uint64_t blocked)
{
	return (sets & ~blocked) == 0;
}

/* Keep the hosts that JOB could use from those behind it. */
static void shut_hosts(struct lxfw_sched *sched, const struct lxfw_request *request)
{
	for (int32_t i = 0; i < lxfw_request_alternatives(request); i++) {
		for (int32_t host = 0; host < sched->profile.host_count; host++) {
			if (lxfw_host_allowed(sched, request, i, host))
				sched->shut[host / 64] |= UINT64_C(1) << (host % 64);
		}
	}
}

/* Without shut hosts. Returns 0, or -1 with errno ENOMEM. */
static int open_hosts(struct lxfw_sched *sched)
{
	struct lxfw_job_groups *groups = &sched->groups;
	size_t words = lxfw_job_groups_words(sched);

	if (LXFW_GROW(sched->shut, sched->shut_size, words) ||
	    LXFW_GROW(groups->taken, groups->taken_size, words) ||
	    LXFW_GROW(groups->untaken, groups->untaken_size, words))
		return -1;
	memset(sched->shut, 0, words * sizeof(*sched->shut));
	return 0;
}

/* As lxfw_place_now(), on hosts that are not shut. */
static int32_t place_beside_shut(struct lxfw_sched *sched, const struct lxfw_request *request,
				 bool any_shut, int32_t *host_set)
{
	struct lxfw_job_groups *groups = &sched->groups;
	int32_t count;

	if (any_shut)
		memcpy(groups->taken, sched->shut,
		       lxfw_job_groups_words(sched) * sizeof(*groups->taken));
	groups->placing = any_shut;
	count = lxfw_place_now(sched, request, host_set);
	groups->placing = false;
	return count;
}

/* What a main pass has done to the reservations. */
enum aside {
	KEPT,
	LEFT_OUT,	/* their holds are not counted */
	DROPPED,
};

static void count_holds(struct lxfw_sched *sched, int sign)
{
	for (size_t i = 0; i < sched->reservation_count; i++)
		lxfw_profile_count_hold(&sched->profile, sched->reservations[i].claim, sign);
}

static void leave_out(struct lxfw_sched *sched, enum aside *aside)
{
	if (*aside != KEPT)
		return;
	count_holds(sched, -1);
	*aside = LEFT_OUT;
}

static void put_back(struct lxfw_sched *sched, enum aside *aside)
{
	if (*aside != LEFT_OUT)
		return;
	count_holds(sched, 1);
	*aside = KEPT;
}

/* Jobs behind one that starts may have reservations in its place. The next backfill pass
   makes all again. */
static void drop(struct lxfw_sched *sched, enum aside *aside)
{
	put_back(sched, aside);
	if (*aside == KEPT) {
		lxfw_reservations_drop_from(sched, 0);
		sched->disturbed = true;
		sched->passes++;
	}
	*aside = DROPPED;
}

/* Start a job if it fits beside running jobs. Returns more than 0, 0 if it does not fit, or
   -1 with errno ENOMEM. */
static int start(struct lxfw_sched *sched, int32_t index, bool any_shut, enum aside *aside)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t host_set = 0, count;

	/* a backfill pass resumes a suspended job */
	if (job->kept || !has_room(sched, index))
		return 0;
	if (job->group >= 0 && any_shut)	/* a backfill pass starts it */
		return 0;
	if (job->group >= 0) {
		drop(sched, aside);
		return lxfw_group_start(sched, index);
	}
	leave_out(sched, aside);
	count = place_beside_shut(sched, &job->request, any_shut, &host_set);
	if (count <= 0)
		return count;
	drop(sched, aside);
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0 ? -1 : 1;
}

/* Start jobs in order. */
static int walk_in_order(struct lxfw_sched *sched, enum aside *aside)
{
	uint64_t blocked = 0;

	if (collect(sched) < 0 || open_hosts(sched) < 0)
		return -1;
	while (sched->heap_count > 0 && blocked != ALL_SETS) {
		int32_t job = sched->heap[0].job, next = sched->jobs[job].next;
		struct lxfw_class *class = &sched->classes[sched->jobs[job].class];
		uint64_t sets = sets_of(&class->request);
		int rc = 0, possible = 0;

		if (!must_wait(sets, blocked)) {
			possible = lxfw_is_possible(sched, class);
			rc = possible > 0 ? start(sched, job, blocked != 0, aside) :
					    possible;
		}
		if (rc < 0)
			return -1;
		/* Slurm's main scheduler does not look at the flag NoReserve. */
		if (rc == 0 && possible && lxfw_parameters_may_reserve(sched, job)) {
			blocked |= sets;
			shut_hosts(sched, &class->request);
		}
		lxfw_candidates_replace_top(sched, rc > 0 ? next : -1);
	}
	return 0;
}

int lxfw_cycle_main(struct lxfw_sched *sched)
{
	enum aside aside = KEPT;
	int rc;

	sched->uncycled = true;
	if (sched->params.main_pass == LXFW_MAIN_PASS_OFF)
		return 0;
	rc = walk_in_order(sched, &aside);
	put_back(sched, &aside);
	return rc < 0 ? -1 : lxfw_reservations_tell(sched);
}
