/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/skipped_over.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/explain.h"
#include "common/model/time.h"
#include "sim-frontend/cmd/now.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/live.h"
#include "sim-frontend/predict/owners.h"

void lxfw_skipped_over_clear(struct lxfw_skipped_over *over)
{
	free(over->jobs);
	lxfw_id_map_clear(&over->by_id);
	lxfw_id_map_clear(&over->tiers);
	*over = (struct lxfw_skipped_over) { 0 };
}

static int64_t number_of(const char *name)
{
	return *name ? lxfw_trait_of_name(name, strlen(name)) : -1;
}

/* Sets what is known of a job beside its request. */
static void find_owner(const struct lxfw_skipped_over *over, struct lxfw_skipped_job *job)
{
	const struct lxfw_owners *owners = lxfw_now_shown_owners();
	const struct lxfw_listed_job *listed = over->listed ?
					       lxfw_listed_find(over->listed, job->id) : NULL;
	struct lxfw_traits traits = { .user = -1, .partition = -1 };

	if (listed) {
		job->user = number_of(listed->user);
		job->partition = number_of(listed->partition);
		job->planned = listed->start;
		return;
	}
	if (owners)
		lxfw_owners_complete(owners, job->id, &traits);
	/* A publication may have no users. */
	job->user = traits.user == lxfw_trait_of_name("", 0) ? -1 : traits.user;
	job->partition = traits.partition == lxfw_trait_of_name("", 0) ? -1 : traits.partition;
	job->planned = over->listed ? -1 : lxfw_now_planned(job->id);
}

/* The tier of the partition with this number, or -1. */
static int32_t tier_of(int64_t partition)
{
	size_t count;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);

	for (size_t i = 0; i < count && partition >= 0; i++) {
		if (number_of(partitions[i].name) == partition)
			return partitions[i].tier;
	}
	return -1;
}

static int find_tiers(struct lxfw_skipped_over *over, const struct lxfw_sched *sched)
{
	uint64_t *ids;
	size_t count;
	int failed = 0;

	if (over->scheduling.preempts != LXFW_PREEMPTS_TIER)
		return 0;
	if (lxfw_live_ids(sched, &ids, &count))
		return -1;
	for (size_t i = 0; i < count && !failed; i++) {
		struct lxfw_skipped_job job = { .id = ids[i] };
		int32_t tier;

		find_owner(over, &job);
		tier = tier_of(job.partition);
		if (tier >= 0)
			failed = lxfw_id_map_add(&over->tiers, ids[i], tier);
	}
	free(ids);
	return failed;
}

int lxfw_skipped_over_find(struct lxfw_skipped_over *over, const struct lxfw_sched *sched, int64_t now,
			  const struct lxfw_listed *listed)
{
	struct lxfw_queued *queue;
	int32_t waiting = lxfw_sched_queue(sched, now, &queue);
	int failed = waiting < 0 ? -1 : 0;

	over->listed = listed;
	if (!failed)
		over->jobs = calloc((size_t)waiting + 1, sizeof(*over->jobs));
	failed |= over->jobs == NULL;
	for (int32_t i = 0; i < waiting && !failed; i++) {
		struct lxfw_skipped_job *job = &over->jobs[over->count];
		struct lxfw_request request;

		*job = (struct lxfw_skipped_job) { .id = queue[i].job };
		if (lxfw_live_request(sched, job->id, &request))
			job->since = request.submit;
		find_owner(over, job);
		failed = lxfw_id_map_add(&over->by_id, job->id, (int32_t)over->count++);
	}
	free(queue);
	failed = failed || find_tiers(over, sched);
	return failed ? -1 : lxfw_skipped_find(&over->scheduling, now, over->jobs, over->count);
}

static const struct lxfw_skipped_job *find(const struct lxfw_skipped_over *over, uint64_t job)
{
	int32_t index = lxfw_id_map_get(&over->by_id, job);

	return index < 0 ? NULL : &over->jobs[index];
}

enum lxfw_skipped_by lxfw_skipped_over_by(const struct lxfw_skipped_over *over, uint64_t job)
{
	const struct lxfw_skipped_job *found = find(over, job);

	return found ? found->by : LXFW_SKIPPED_NOT;
}

int64_t lxfw_skipped_over_planned(const struct lxfw_skipped_over *over, uint64_t job)
{
	const struct lxfw_skipped_job *found = find(over, job);

	if (!found)
		return 0;
	if (found->by != LXFW_SKIPPED_NOT)
		return LXFW_NEVER;
	return found->planned > 0 ? found->planned : 0;
}

static int64_t this_user(void)
{
	const struct passwd *user = getpwuid(geteuid());

	return user ? number_of(user->pw_name) : -1;
}

int lxfw_skipped_over_request(const struct lxfw_skipped_over *over,
			      const struct lxfw_request_text *text, enum lxfw_skipped_by *by)
{
	size_t count;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);
	const char *partition = text->partition;

	for (size_t i = 0; i < count && !*partition; i++) {
		if (partitions[i].usual)
			partition = partitions[i].name;
	}
	/* Of several partitions none is sure. */
	return lxfw_skipped_request(&over->scheduling, over->jobs, over->count, this_user(),
				    strchr(partition, ',') ? -1 : number_of(partition), by);
}

int lxfw_skipped_over_published(const struct lxfw_publication *publication, const char *partition,
				enum lxfw_skipped_by *by)
{
	struct lxfw_skipped_job *jobs = calloc(publication->count + 1, sizeof(*jobs));
	size_t count = 0;
	int failed;

	if (!jobs)
		return -1;
	for (size_t i = 0; i < publication->count; i++) {
		const struct lxfw_publication_job *job = &publication->jobs[i];

		if (job->state == LXFW_PUBLISHED_WAITING)
			jobs[count++] = (struct lxfw_skipped_job) {
				.user = number_of(job->user), .since = job->submit,
				.partition = number_of(job->partition), .planned = job->planned,
			};
	}
	failed = lxfw_skipped_find(&publication->scheduling, publication->time, jobs, count) ||
		 lxfw_skipped_request(&publication->scheduling, jobs, count, this_user(),
				      number_of(partition), by);
	free(jobs);
	return failed ? -1 : 0;
}
