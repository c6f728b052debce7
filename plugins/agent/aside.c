/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/aside.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/agent.h"

/* Records the reason of a job. Returns true if it is news; also when memory runs out, with
   agent->events.failed set. */
static bool enter(struct lxfw_agent *agent, const struct lxfw_aside *aside)
{
	struct lxfw_asides *asides = &agent->asides;
	int32_t index = lxfw_id_map_get(&asides->by_id, aside->id);
	bool news = index < 0;

	if (news) {
		index = (int32_t)asides->count;
		if (LXFW_GROW(asides->job, asides->size, asides->count + 1) ||
		    lxfw_id_map_add(&asides->by_id, aside->id, index) < 0) {
			agent->events.failed = true;
			return true;
		}
		asides->count++;
		asides->job[index].id = aside->id;
		asides->job[index].reason = LXFW_REASON_NONE;
		asides->by_reason[LXFW_REASON_NONE]++;
	} else {
		news = asides->job[index].reason != aside->reason ||
		       asides->job[index].limited != aside->limited ||
		       asides->job[index].until != aside->until;
	}
	asides->by_reason[asides->job[index].reason]--;
	asides->by_reason[aside->reason]++;
	asides->job[index].reason = (uint8_t)aside->reason;
	asides->job[index].limited = (uint8_t)aside->limited;
	asides->job[index].until = aside->until;
	asides->job[index].seen = agent->pass;
	return news;
}

/* Removes an entry. The last one takes its place. */
static void drop(struct lxfw_asides *asides, int32_t index)
{
	lxfw_id_map_remove(&asides->by_id, asides->job[index].id);
	asides->by_reason[asides->job[index].reason]--;
	asides->job[index] = asides->job[--asides->count];
	if ((size_t)index < asides->count)
		lxfw_id_map_set(&asides->by_id, asides->job[index].id, index);
}

static void release(struct lxfw_agent *agent, int32_t index)
{
	const struct lxfw_aside none = { .id = agent->asides.job[index].id };

	drop(&agent->asides, index);
	lxfw_events_aside(&agent->events, &none);
}

static int64_t in_range(int64_t time)
{
	return time < 0 || time > LXFW_TIME_MAX ? 0 : time;
}

void lxfw_mirror_aside(struct lxfw_agent *agent, const struct lxfw_aside *aside)
{
	struct lxfw_aside good = *aside;

	good.submit = in_range(aside->submit);
	good.until = in_range(aside->until);
	if (enter(agent, &good))
		lxfw_events_aside(&agent->events, &good);
}

void lxfw_mirror_released(struct lxfw_agent *agent, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&agent->asides.by_id, id);

	if (index >= 0)
		release(agent, index);
}

void lxfw_mirror_release_others(struct lxfw_agent *agent)
{
	for (size_t i = 0; i < agent->asides.count;) {
		if (agent->asides.job[i].seen == agent->pass)
			i++;
		else
			release(agent, (int32_t)i);
	}
}

void lxfw_aside_taken(struct lxfw_agent *agent, uint64_t id)
{
	int32_t index = agent->asides.count > 0 ?
			lxfw_id_map_get(&agent->asides.by_id, id) : -1;

	if (index >= 0)
		drop(&agent->asides, index);
}

size_t lxfw_aside_count(const struct lxfw_agent *agent, enum lxfw_reason reason)
{
	return agent->asides.by_reason[reason];
}

void lxfw_aside_forget(struct lxfw_asides *asides)
{
	lxfw_id_map_clear(&asides->by_id);
	memset(asides->by_reason, 0, sizeof(asides->by_reason));
	asides->count = 0;
}

void lxfw_aside_clear(struct lxfw_asides *asides)
{
	lxfw_id_map_clear(&asides->by_id);
	free(asides->job);
	memset(asides, 0, sizeof(*asides));
}
