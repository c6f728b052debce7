/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule of Slurm's select/cons_tres (22.05, without topology, weights and LLN). It
 * considers runs of adjacent hosts that have room for some part of the job. It takes the
 * run with the fewest processors among those that have room for the whole job, and in it
 * the host with the fewest unallocated processors that has room for the whole job; the
 * first one if several are equal. If no host has, it takes the hosts of the run in their
 * order, then those of the next run. Memory only decides whether a host has room.
 */
#include "common/place/placing.h"

#include "common/place/place.h"
#include "common/place/rule.h"

/* What remains to be placed. */
struct search {
	int32_t rest;		/* number of processors or pieces */
	int32_t hosts;		/* fewest hosts for them */
	int32_t most;		/* most hosts for them */
};

/* Hosts first .. last, all of which have room. */
struct run {
	int32_t first, last;
	int64_t room;
	bool enough;
};

/* Set sched->room of each host to the processors or pieces that it can provide, even if
   they are fewer than requested. */
static void measure(const struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	const struct lxfw_profile *profile = &placing->sched->profile;
	int32_t *room = placing->sched->room;

	for (int32_t i = 0; i < profile->host_count; i++) {
		const struct lxfw_host *host = &profile->hosts[i];
		struct lxfw_resources available, need;

		room[i] = 0;
		if (!host->up || !lxfw_host_set_has(placing->set, i))
			continue;
		if (request->shape == LXFW_SHAPE_ANYWHERE ||
		    request->exclusive) {
			room[i] = lxfw_placing_capacity(placing, i,
							request->count);
			if (request->shape == LXFW_SHAPE_HOSTS)
				room[i] *= host->total.procs;
			continue;
		}
		need = request->unit;
		need.procs = request->count > 1 ? request->unit.procs : 1;
		available = lxfw_placing_available(placing, i);
		if (lxfw_resources_fit(&need, &available))
			room[i] = available.procs;
	}
}

/* Find the run with the least room that is enough, or if there is none, the run with the
   most room. */
static bool find_run(const struct lxfw_sched *sched, const struct search *search,
		     struct run *best)
{
	int32_t count = sched->profile.host_count;
	struct run run;
	bool any = false;

	for (run.first = 0; run.first < count; run.first = run.last + 2) {
		run.room = 0;
		for (run.last = run.first - 1;
		     run.last + 1 < count && sched->room[run.last + 1] > 0;
		     run.last++)
			run.room += sched->room[run.last + 1];
		if (run.last < run.first)
			continue;
		run.enough = run.room >= search->rest &&
			     run.last - run.first + 1 >= search->hosts;
		if (!any || (run.enough && !best->enough) ||
		    (run.enough && run.room < best->room) ||
		    (!run.enough && !best->enough && run.room > best->room))
			*best = run;
		any = true;
	}
	return any;
}

/* The host of the run with the least room that is enough for the whole rest, or -1. */
static int32_t find_single(const struct lxfw_sched *sched,
			   const struct search *search, const struct run *run)
{
	int32_t single = -1;

	for (int32_t i = run->first; i <= run->last; i++) {
		if (sched->room[i] >= search->rest &&
		    (single < 0 || sched->room[i] < sched->room[single]))
			single = i;
	}
	return single;
}

static void take(struct lxfw_placing *placing, struct search *search, int32_t host)
{
	int32_t pieces = 1, taken = placing->request->unit.procs;

	if (placing->request->shape == LXFW_SHAPE_ANYWHERE) {
		pieces = search->rest;
		if (search->hosts > 1)	/* leave at least one piece for each further
					   host */
			pieces -= search->hosts - 1;
		if (placing->sched->room[host] < pieces)
			pieces = placing->sched->room[host];
		taken = pieces;
	}
	lxfw_placing_add(placing, host, pieces);
	search->rest -= taken;
	search->hosts--;
	search->most--;
}

static int32_t choose(struct lxfw_placing *placing)
{
	const struct lxfw_request *request = placing->request;
	struct lxfw_sched *sched = placing->sched;
	bool anywhere = request->shape == LXFW_SHAPE_ANYWHERE;
	struct search search = {
		.rest = anywhere ? request->count :
			request->unit.procs * request->count,
		.hosts = !anywhere ? request->count :
			 request->min_hosts ? request->min_hosts : 1,
		.most = anywhere ? request->max_hosts : request->count,
	};
	struct run run = { 0 };

	if (search.most == 0)
		search.most = sched->profile.host_count;
	measure(placing);
	while (search.rest > 0 && search.most > 0 &&
	       find_run(sched, &search, &run)) {
		int32_t single = search.hosts <= 1 ?
				 find_single(sched, &search, &run) : -1;

		for (int32_t i = run.first; i <= run.last && search.rest > 0 &&
					    search.most > 0; i++) {
			bool last = search.most == 1;

			if (i == single ||
			    (single < 0 &&
			     (!last || sched->room[i] >= search.rest)))
				take(placing, &search, i);
		}
		for (int32_t i = run.first; i <= run.last; i++)
			sched->room[i] = 0;
	}
	return search.rest > 0 ? 0 : placing->found;
}

const struct lxfw_placement_rule lxfw_placement_stock = {
	.choose = choose,
};
