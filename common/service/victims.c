/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which running jobs, the *victims*, are preempted for another one, and on which hosts
 * (Chiang and Vernon 2001, section 2.4).
 *
 * A rule says which jobs are eligible and in which order they are taken. For a quantum a
 * job is eligible if it has run without interruption for the minimum run time, and the
 * job with the smallest slowdown so far (time in the system divided by run time) is the
 * first. A host is eligible if it has enough free memory; victims keep their memory and
 * extras. On a host the eligible jobs are taken in their order until there are enough processors. Jobs that became unnecessary
 * with the last one are released again, which the paper does not mention. The host is
 * chosen on which the fewest processors then stay idle.
 *
 * No job is suspended on a host where a block begins after its expected end, but before its
 * end after the interruption, or before that of the request. Otherwise one of both jobs would
 * run during the block.
 *
 * Exclusive jobs are not involved: no job is suspended for one or beside one.
 *
 * For a job on several hosts the hosts are chosen one after the other by this rule;
 * processors that earlier victims free on further hosts count as free. For pieces that
 * may be anywhere, the victims are the jobs with the smallest slowdown on any host.
 */
#include "common/service/victims.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/place/place.h"
#include "common/service/runner.h"
#include "common/util/grow.h"
#include "common/util/heap.h"

__extension__ typedef unsigned __int128 wide;

/* Whether A has the smaller slowdown now. Ties are broken by submit time, then id. */
static bool slower_later(const struct lxfw_sched *sched, const struct lxfw_runner *a,
			 const struct lxfw_runner *b)
{
	int64_t now = sched->now;
	uint64_t a_run = (uint64_t)(a->ran + now - a->continued);
	uint64_t b_run = (uint64_t)(b->ran + now - b->continued);
	wide left, right;

	/* time in the system / run time, compared without division */
	left = (wide)(uint64_t)(now - a->submit) * (b_run ? b_run : 1);
	right = (wide)(uint64_t)(now - b->submit) * (a_run ? a_run : 1);
	if (left != right)
		return left < right;
	if (a->submit != b->submit)
		return a->submit < b->submit;
	return a->id < b->id;
}

const struct lxfw_victim_rule lxfw_victims_by_slowdown = {
	.eligible = lxfw_runner_eligible,
	.before = slower_later,
};

/* A heap of runners in the order of the rule. */
struct runners {
	const struct lxfw_sched *sched;
	const struct lxfw_quanta *quanta;
};

static inline bool runner_before(const struct runners *of, const int32_t *a,
				 const int32_t *b)
{
	const struct lxfw_runner *runners = of->quanta->runners;

	return of->quanta->rule->before(of->sched, &runners[*a], &runners[*b]);
}

LXFW_HEAP(runners, int32_t, struct runners, runner_before)

static void heapify(const struct lxfw_sched *sched, const struct lxfw_quanta *quanta,
		    int32_t *heap, size_t count)
{
	const struct runners of = { sched, quanta };

	runners_make(heap, count, &of);
}

static int32_t pop(const struct lxfw_sched *sched, const struct lxfw_quanta *quanta,
		   int32_t *heap, size_t *count)
{
	const struct runners of = { sched, quanta };
	int32_t top = heap[0];

	heap[0] = heap[--*count];
	if (*count > 0)
		runners_sift(heap, *count, 0, &of);
	return top;
}

static bool is_eligible(const struct lxfw_sched *sched, const struct lxfw_quanta *quanta,
			const struct lxfw_runner *runner)
{
	const struct lxfw_job *job = &sched->jobs[runner->job];
	int64_t until = lxfw_time_add(job->expected_end, quanta->interruption);

	if (until < quanta->needed_until)
		until = quanta->needed_until;
	return quanta->rule->eligible(sched, runner) &&
	       !lxfw_block_begins(sched, job->claim, job->expected_end, until);
}

/* --- offers ------------------------------------------------------------------ */

static int grow_scratch(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			size_t offers)
{
	size_t hosts = (size_t)sched->profile.host_count;
	void *grown;

#define GROW(array, count) \
	do { \
		grown = lxfw_grow(quanta->array, &quanta->array##_size, count, \
				  sizeof(*quanta->array)); \
		if (!grown) \
			return -1; \
		quanta->array = grown; \
	} while (0)
	GROW(offers, offers + 1);
	GROW(offers_at, hosts + 2);
	GROW(preempted, hosts);
	GROW(taken, hosts);
	GROW(victims, quanta->runner_count + 1);
	GROW(tried, quanta->runner_count + 1);
#undef GROW
	return 0;
}

/* The release at NODE of a claim, or NULL if it is not of a host or has no processors. */
static const struct lxfw_release *lendable(const struct lxfw_sched *sched,
					   int32_t node)
{
	const struct lxfw_release *release =
		&sched->profile.releases.nodes[node];

	return release->host >= 0 && release->amount.procs > 0 ? release : NULL;
}

static int32_t next_of(const struct lxfw_sched *sched, int32_t node)
{
	return sched->profile.releases.nodes[node].next;
}

/* Collect the offers of all eligible jobs if there is a single host. */
static void collect_for_one(struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	size_t count = 0;

	for (size_t i = 0; i < quanta->runner_count; i++) {
		const struct lxfw_runner *runner = &quanta->runners[i];

		if (runner->procs > 0 && is_eligible(sched, quanta, runner))
			quanta->offers[count++] = (struct lxfw_offer){
				0, (int32_t)runner->procs, (int32_t)i };
	}
	quanta->offers_at[0] = 0;
	quanta->offers_at[1] = (int32_t)count;
}

/* ROUND 0: count the offers of each host in AT[2 ...]. ROUND 1: enter the offers at the
   indices in AT[1 ...]. */
static void collect_round(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  int32_t *at, int round)
{
	for (size_t i = 0; i < quanta->runner_count; i++) {
		const struct lxfw_runner *runner = &quanta->runners[i];
		int32_t node = -1;

		if (is_eligible(sched, quanta, runner))
			node = sched->jobs[runner->job].claim;
		for (; node >= 0; node = next_of(sched, node)) {
			const struct lxfw_release *share = lendable(sched, node);

			if (share && round == 0)
				at[share->host + 2]++;
			else if (share)
				quanta->offers[at[share->host + 1]++] =
					(struct lxfw_offer){
						share->host,
						share->amount.procs, (int32_t)i };
		}
	}
}

/* Collect the offers of all eligible jobs by host, with a counting sort. Returns 0, or -1
   with errno ENOMEM. */
static int collect_offers(struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	size_t hosts = (size_t)sched->profile.host_count, count = 0;
	int32_t *at;

	if (grow_scratch(sched, quanta, quanta->runner_count) < 0)
		return -1;
	quanta->victim_count = 0;
	memset(quanta->preempted, 0, hosts * sizeof(*quanta->preempted));
	memset(quanta->taken, 0, hosts * sizeof(*quanta->taken));
	if (hosts == 1) {
		collect_for_one(sched, quanta);
		return 0;
	}
	at = quanta->offers_at;
	memset(at, 0, (hosts + 2) * sizeof(*at));
	collect_round(sched, quanta, at, 0);
	for (size_t i = 0; i < hosts; i++) {
		count += (size_t)at[i + 2];
		at[i + 2] += at[i + 1];
	}
	if (grow_scratch(sched, quanta, count) < 0)
		return -1;
	collect_round(sched, quanta, quanta->offers_at, 1);
	return 0;
}

/* Free resources of HOST during the quantum, without those of victims. */
static struct lxfw_resources available(const struct lxfw_sched *sched,
				       const struct lxfw_request *request,
				       int32_t host)
{
	struct lxfw_resources amount;

	lxfw_profile_available(&sched->profile, host, sched->now,
			       lxfw_time_add(sched->now, request->estimate),
			       &amount);
	lxfw_resources_lower(&amount, lxfw_profile_free(&sched->profile, host));
	return amount;
}

static bool is_chosen(const struct lxfw_quanta *quanta, int32_t runner)
{
	for (size_t i = quanta->victim_count; i-- > 0;) {
		if (quanta->victims[i] == runner)
			return true;
	}
	return false;
}

/* Choose RUNNER as a victim: its processors on all hosts become available. */
static void choose(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		   int32_t runner)
{
	int32_t node = sched->jobs[quanta->runners[runner].job].claim;

	quanta->victims[quanta->victim_count++] = runner;
	for (; node >= 0; node = next_of(sched, node)) {
		const struct lxfw_release *share = lendable(sched, node);

		if (share)
			quanta->preempted[share->host] += share->amount.procs;
	}
}

static void add_share(struct lxfw_sched *sched, int32_t *found, int32_t host,
		      const struct lxfw_resources *amount)
{
	sched->found[(*found)++] = (struct lxfw_share){ .host = host, .amount = *amount };
}

static int by_host(const void *a, const void *b)
{
	int32_t x = ((const struct lxfw_share *)a)->host;
	int32_t y = ((const struct lxfw_share *)b)->host;

	return (x > y) - (x < y);
}

/* --- one host after the other -------------------------------------------------- */

struct choice {
	int32_t host;
	int64_t idle;		/* processors that would stay idle */
	int64_t memory_mb;	/* free memory */
	struct lxfw_resources need;
};

/* Processors that RUNNER frees on HOST. */
static int32_t lends_on(const struct lxfw_sched *sched,
			const struct lxfw_quanta *quanta, int32_t runner,
			int32_t host)
{
	int32_t node = sched->jobs[quanta->runners[runner].job].claim;

	for (; node >= 0; node = next_of(sched, node)) {
		const struct lxfw_release *share = lendable(sched, node);

		if (share && share->host == host)
			return share->amount.procs;
	}
	return 0;
}

/* Release those of the COUNT victims in TRIED that are not needed for NEED processors,
   the one taken last first. Returns the number of victims left. */
static size_t let_go(const struct lxfw_sched *sched,
		     const struct lxfw_quanta *quanta, int32_t *tried,
		     size_t count, int32_t host, int64_t *have, int64_t need)
{
	for (size_t i = count; i-- > 0;) {
		int32_t preempted = lends_on(sched, quanta, tried[i], host);

		if (*have - preempted < need)
			continue;
		*have -= preempted;
		count--;
		memmove(&tried[i], &tried[i + 1], (count - i) * sizeof(*tried));
	}
	return count;
}

/* Find victims on HOST that raise *HAVE to NEED processors. They are in quanta->tried,
   their number in *COUNT. Returns false if there are too few. */
static bool try_host(const struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		     int32_t host, int64_t *have, int64_t need, size_t *count)
{
	int32_t *tried = quanta->tried;
	size_t left = 0, all, taken;
	int64_t most = *have;

	for (int32_t i = quanta->offers_at[host]; i < quanta->offers_at[host + 1];
	     i++) {
		const struct lxfw_offer *offer = &quanta->offers[i];

		if (is_chosen(quanta, offer->runner))
			continue;
		tried[left++] = offer->runner;
		most += offer->procs;
	}
	if (most < need)
		return false;
	/* The heap shrinks from its end. The jobs taken from it are stored there. */
	all = left;
	heapify(sched, quanta, tried, left);
	while (*have < need) {
		int32_t runner = pop(sched, quanta, tried, &left);

		*have += lends_on(sched, quanta, runner, host);
		tried[left] = runner;
	}
	taken = all - left;
	for (size_t i = 0; i < taken / 2; i++) {
		int32_t last = tried[left + i];

		tried[left + i] = tried[all - 1 - i];
		tried[all - 1 - i] = last;
	}
	memmove(tried, tried + left, taken * sizeof(*tried));
	*count = let_go(sched, quanta, tried, taken, host, have, need);
	return true;
}

/* Find the best host that is not chosen yet and put it into BEST, whose host is -1
   before. Returns false if there is none. */
static bool best_host(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		      const struct lxfw_request *request, int32_t alternative,
		      struct choice *best)
{
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		const struct lxfw_host *host = &sched->profile.hosts[i];
		struct lxfw_resources need, have;
		struct choice choice = { .host = i };
		int64_t procs;
		size_t count;

		if (!host->up || quanta->taken[i] ||
		    !lxfw_host_allowed(sched, request, alternative, i))
			continue;
		choice.need = need = lxfw_request_on(request, host);
		have = available(sched, request, i);
		procs = (int64_t)have.procs + quanta->preempted[i];
		choice.memory_mb = have.memory_mb;
		have.procs = need.procs;
		if (!lxfw_resources_fit(&need, &have) ||
		    !try_host(sched, quanta, i, &procs, need.procs, &count))
			continue;
		choice.idle = procs - need.procs;
		if (best->host >= 0 && (choice.idle > best->idle ||
					(choice.idle == best->idle &&
					 choice.memory_mb >= best->memory_mb)))
			continue;
		*best = choice;
	}
	return best->host >= 0;
}

/* Whether some host has all resources but processors for one piece. If it has not,
   looking for victims is useless. */
static bool has_memory(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t alternative)
{
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		struct lxfw_resources have;

		if (!sched->profile.hosts[i].up ||
		    !lxfw_host_allowed(sched, request, alternative, i))
			continue;
		have = available(sched, request, i);
		have.procs = request->unit.procs;
		if (lxfw_request_pieces(request, &have, 1) > 0)
			return true;
	}
	return false;
}

static int32_t find_hosts(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  const struct lxfw_request *request,
			  int32_t alternative)
{
	int32_t found = 0;

	while (found < request->count) {
		struct choice best = { .host = -1 };
		int64_t procs;
		size_t count;

		if (!best_host(sched, quanta, request, alternative, &best))
			return 0;
		procs = (int64_t)available(sched, request, best.host).procs +
			quanta->preempted[best.host];
		if (!try_host(sched, quanta, best.host, &procs, best.need.procs,
			      &count))
			return 0;
		for (size_t i = 0; i < count; i++)
			choose(sched, quanta, quanta->tried[i]);
		quanta->taken[best.host] = true;
		add_share(sched, &found, best.host, &best.need);
	}
	return found;
}

/* --- pieces anywhere ------------------------------------------------------------- */

/* Number of pieces that fit on HOST with the processors of victims and MORE
   processors. */
static int32_t pieces_on(const struct lxfw_sched *sched,
			 const struct lxfw_quanta *quanta,
			 const struct lxfw_request *request, int32_t alternative,
			 int32_t host, int32_t more)
{
	struct lxfw_resources have;

	if (!sched->profile.hosts[host].up ||
	    !lxfw_host_allowed(sched, request, alternative, host))
		return 0;
	have = available(sched, request, host);
	have.procs += quanta->preempted[host] + more;
	return lxfw_request_pieces(request, &have, request->count);
}

/* The change of the number of pieces if RUNNER becomes a victim (SIGN 1), or is no longer
   one (-1). */
static int64_t pieces_changed(const struct lxfw_sched *sched,
			      const struct lxfw_quanta *quanta,
			      const struct lxfw_request *request,
			      int32_t alternative, int32_t runner, int32_t sign)
{
	int32_t node = sched->jobs[quanta->runners[runner].job].claim;
	int64_t changed = 0;

	for (; node >= 0; node = next_of(sched, node)) {
		const struct lxfw_release *share = lendable(sched, node);

		if (!share)
			continue;
		changed += pieces_on(sched, quanta, request, alternative,
				     share->host, sign * share->amount.procs) -
			   pieces_on(sched, quanta, request, alternative,
				     share->host, 0);
	}
	return changed;
}

/* Choose victims until there is room for WANTED pieces, then release those that are not
   needed, the one taken last first. Returns false if all victims together
   are not enough. */
static bool gather(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		   const struct lxfw_request *request, int32_t alternative,
		   int64_t total, int64_t wanted)
{
	size_t left = 0;

	for (size_t i = 0; i < quanta->runner_count; i++) {
		if (is_eligible(sched, quanta, &quanta->runners[i]))
			quanta->tried[left++] = (int32_t)i;
	}
	heapify(sched, quanta, quanta->tried, left);
	while (total < wanted && left > 0) {
		int32_t runner = pop(sched, quanta, quanta->tried, &left);
		int64_t more = pieces_changed(sched, quanta, request,
					      alternative, runner, 1);

		if (more <= 0)
			continue;
		choose(sched, quanta, runner);
		total += more;
	}
	if (total < wanted)
		return false;
	for (size_t i = quanta->victim_count; i-- > 0;) {
		int32_t runner = quanta->victims[i];
		int32_t node = sched->jobs[quanta->runners[runner].job].claim;
		int64_t fewer = pieces_changed(sched, quanta, request,
					       alternative, runner, -1);

		if (total + fewer < wanted)
			continue;
		total += fewer;
		for (; node >= 0; node = next_of(sched, node)) {
			const struct lxfw_release *share =
				lendable(sched, node);

			if (share)
				quanta->preempted[share->host] -=
					share->amount.procs;
		}
		quanta->victim_count--;
		memmove(&quanta->victims[i], &quanta->victims[i + 1],
			(quanta->victim_count - i) * sizeof(*quanta->victims));
	}
	return true;
}

static int32_t find_anywhere(struct lxfw_sched *sched,
			     struct lxfw_quanta *quanta,
			     const struct lxfw_request *request,
			     int32_t alternative)
{
	int32_t hosts = sched->profile.host_count, found = 0;
	int32_t rest = request->count;
	int64_t total = 0;

	for (int32_t i = 0; i < hosts; i++)
		total += pieces_on(sched, quanta, request, alternative, i, 0);
	if (!gather(sched, quanta, request, alternative, total, rest))
		return 0;
	/* First the hosts with victims, then others in placement order. */
	lxfw_profile_order(&sched->profile);
	for (int32_t i = 0; i < hosts + sched->profile.order_count && rest > 0;
	     i++) {
		int32_t host = i < hosts ? i : sched->profile.order[i - hosts];
		struct lxfw_resources amount;
		int32_t pieces;

		if ((quanta->preempted[host] > 0) != (i < hosts))
			continue;
		pieces = pieces_on(sched, quanta, request, alternative, host, 0);
		if (pieces > rest)
			pieces = rest;
		if (pieces == 0)
			continue;
		amount = lxfw_request_share(request, pieces);
		add_share(sched, &found, host, &amount);
		rest -= pieces;
	}
	if (rest > 0 || found < request->min_hosts ||
	    (request->max_hosts > 0 && found > request->max_hosts))
		return 0;
	return found;
}

/*
 * Place all pieces on one host, or the same number on each of min_hosts hosts. The
 * victims of a host together may make room that none of them makes alone.
 */
static int32_t find_together(struct lxfw_sched *sched,
			     struct lxfw_quanta *quanta,
			     const struct lxfw_request *request,
			     int32_t alternative)
{
	int32_t hosts = request->min_hosts > 1 ? request->min_hosts : 1;
	struct lxfw_request even = *request;

	if (request->count % hosts != 0)
		return 0;
	even.shape = LXFW_SHAPE_HOSTS;
	even.unit = lxfw_request_share(request, request->count / hosts);
	even.per_host = (struct lxfw_resources){ 0 };
	even.count = hosts;
	even.min_hosts = 0;
	return find_hosts(sched, quanta, &even, alternative);
}

/* Release all victims and hosts. */
static void start_over(const struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		quanta->preempted[i] = 0;
		quanta->taken[i] = false;
	}
	quanta->victim_count = 0;
}

int32_t lxfw_victims_find(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  const struct lxfw_victim_rule *rule,
			  const struct lxfw_request *request, int64_t interruption,
			  int32_t *host_set)
{
	int32_t found = 0;

	if (request->exclusive)
		return 0;
	quanta->rule = rule;
	quanta->interruption = interruption;
	quanta->needed_until = lxfw_time_add(sched->now, request->estimate);
	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (int32_t i = 0; i < lxfw_request_alternatives(request) && found == 0;
	     i++) {
		if (!has_memory(sched, request, i))
			continue;
		*host_set = i;
		if (collect_offers(sched, quanta) < 0)
			return -1;
		if (request->shape == LXFW_SHAPE_HOSTS) {
			found = find_hosts(sched, quanta, request, i);
			continue;
		}
		found = find_together(sched, quanta, request, i);
		if (found > 0)
			continue;
		start_over(sched, quanta);
		found = find_anywhere(sched, quanta, request, i);
	}
	if (found > 1)
		qsort(sched->found, (size_t)found, sizeof(*sched->found), by_host);
	return found;
}
