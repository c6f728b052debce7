/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/possible.h"

#include <stdlib.h>

#include "common/pass/group.h"
#include "common/place/place.h"

/* Number of answers that are shared, a power of two, and the number of classes from which
   on they are. */
#define JUDGEMENTS ((size_t)4096)
#define CLASSES_LEAST 256

/* The answer for a request. The place of an entry depends on the request; a later request
   may replace an earlier one. */
struct lxfw_judgement {
	struct lxfw_request request;	/* its amounts and host sets */
	uint64_t machine;	/* sched->machine when it was judged; 0: unused */
	bool possible;
};

/* Removes what does not determine whether the request fits on the empty machine. */
static struct lxfw_request amounts_of(const struct lxfw_request *request)
{
	struct lxfw_request amounts = *request;

	amounts.estimate = 1;
	amounts.min_estimate = 0;
	amounts.tier = 0;
	return amounts;
}

static size_t place_of(const struct lxfw_request *request)
{
	const uint64_t numbers[] = {
		(uint64_t)request->unit.procs << 32 | (uint32_t)request->count,
		(uint64_t)request->unit.memory_mb,
		(uint64_t)request->per_host.memory_mb,
		(uint64_t)request->min_hosts << 32 | (uint32_t)request->max_hosts,
		request->host_set_count ? (uint64_t)request->host_sets[0] + 1 : 0,
		(uint64_t)request->unit.extras[0] << 32 | request->shape,
	};
	uint64_t hash = 0;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		hash = (hash ^ numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(hash >> 40) & (JUDGEMENTS - 1);
}

/* Returns the entry for the request, or NULL if answers are not shared. */
static struct lxfw_judgement *entry_for(struct lxfw_sched *sched,
					const struct lxfw_request *request)
{
	if (sched->head_count < CLASSES_LEAST)
		return NULL;
	if (!sched->judgements)
		sched->judgements = calloc(JUDGEMENTS, sizeof(*sched->judgements));
	return sched->judgements ? &sched->judgements[place_of(request)] : NULL;
}

static int judge_request(struct lxfw_sched *sched, const struct lxfw_request *request)
{
	struct lxfw_request amounts = amounts_of(request);
	struct lxfw_judgement *entry = entry_for(sched, &amounts);
	int possible;

	if (entry && entry->machine == sched->machine &&
	    lxfw_request_asks_same(&entry->request, &amounts))
		return entry->possible;
	possible = lxfw_place_possible(sched, request);
	if (possible < 0 || !entry)
		return possible;
	*entry = (struct lxfw_judgement){
		.request = amounts,
		.machine = sched->machine,
		.possible = possible,
	};
	return possible;
}

int lxfw_judge_possible(struct lxfw_sched *sched, struct lxfw_class *class)
{
	int possible = class->request.group ?
			       lxfw_group_possible(sched, class->head) :
			       judge_request(sched, &class->request);

	if (possible < 0)
		return -1;
	class->judged = sched->machine;
	class->possible = possible;
	return possible;
}
