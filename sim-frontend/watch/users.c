/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that share nodes with jobs of their own user only: sbatch --exclusive=user, and partitions
 * with ExclusiveUser=YES. The model has jobs that share nodes with any others, and jobs that have
 * nodes whole.
 */
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/names.h"
#include "sim-frontend/watch/world.h"

/* --- jobs that run ---------------------------------------------------------------------- */

/* A share of a host, by the job that ends last. */
struct keeper {
	struct lxfw_share *share;	/* NULL: none */
	int64_t end;
};

static void find_keepers(struct lxfw_watch *watch, struct keeper *keepers)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct lxfw_watch_job *job = &watch->jobs[i];

		for (int32_t k = 0; job->is.own_user && k < job->share_count; k++) {
			struct lxfw_share *share = &watch->shares[job->first_share + (size_t)k];
			struct keeper *keeper = &keepers[share->host];

			if (!keeper->share || job->is.end > keeper->end)
				*keeper = (struct keeper) { share, job->is.end };
		}
	}
}

/* What such jobs leave free of a node is of no use to other users: the last of them has it. */
static int fill_hosts(struct lxfw_watch *watch)
{
	struct keeper *keepers = calloc((size_t)watch->cluster.count + 1, sizeof(*keepers));

	if (!keepers)
		return -1;
	find_keepers(watch, keepers);
	for (int32_t i = 0; i < watch->cluster.count; i++) {
		const struct lxfw_watch_host *host = &watch->hosts[i];
		int32_t used = host->used.procs > host->seen.procs ? host->used.procs :
								      host->seen.procs;

		if (keepers[i].share && used < watch->cluster.hosts[i].total.procs)
			keepers[i].share->amount.procs += watch->cluster.hosts[i].total.procs - used;
	}
	free(keepers);
	return 0;
}

/* --- jobs that wait --------------------------------------------------------------------- */

/* Counts the jobs of each user; COUNTS has room for all. Returns 0, or -1 when memory runs out. */
static int count_jobs(const struct lxfw_watch *watch, struct lxfw_names *users, size_t *counts)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct lxfw_watched *job = &watch->jobs[i].is;
		int32_t user;

		if (!job->own_user)
			continue;
		user = lxfw_names_add(users, job->user, strlen(job->user));
		if (user < 0)
			return -1;
		counts[user]++;
	}
	return 0;
}

/* With no other such job of its user there is none with which it could share its nodes. */
static int find_alone(struct lxfw_watch *watch)
{
	struct lxfw_names users = { 0 };
	size_t *counts = calloc(watch->count + 1, sizeof(*counts));
	int failed = counts ? count_jobs(watch, &users, counts) : -1;

	for (size_t i = 0; i < watch->count && !failed; i++) {
		struct lxfw_watched *job = &watch->jobs[i].is;
		int32_t user = job->own_user ? lxfw_names_find(&users, job->user,
							       strlen(job->user)) : -1;

		job->exclusive |= user >= 0 && counts[user] == 1;
	}
	lxfw_names_clear(&users);
	free(counts);
	return failed;
}

int lxfw_watch_keep_users_apart(struct lxfw_watch *watch)
{
	bool any = false;

	for (size_t i = 0; i < watch->count && !any; i++)
		any = watch->jobs[i].is.own_user;
	return any && (fill_hosts(watch) || find_alone(watch)) ? -1 : 0;
}

/* Processors of the largest host that the job may use. */
static int32_t largest(const struct lxfw_cluster *cluster, const struct lxfw_request *request)
{
	int32_t most = 0;

	for (int i = 0; i < request->host_set_count; i++) {
		const struct lxfw_cluster_set *set = &cluster->sets[request->host_sets[i]];

		for (int32_t k = 0; k < set->count; k++) {
			int32_t procs = cluster->hosts[set->hosts[k]].total.procs;

			most = procs > most ? procs : most;
		}
	}
	return most;
}

bool lxfw_watch_could_share(const struct lxfw_watch *watch, const struct lxfw_watch_job *job)
{
	const struct lxfw_request *request = &job->request;

	return job->is.own_user && !job->is.exclusive &&
	       !(request->shape == LXFW_SHAPE_HOSTS && request->host_set_count > 0 &&
		 request->unit.procs >= largest(&watch->cluster, request));
}
