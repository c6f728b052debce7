/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/fairness.h"

#include <errno.h>
#include <stdlib.h>

/* A total order, so that sums do not depend on the original order of a user's jobs. */
static int by_user(const void *left, const void *right)
{
	const struct lxfw_fair_job *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->bounded_slowdown != b->bounded_slowdown)
		return a->bounded_slowdown < b->bounded_slowdown ? -1 : 1;
	if (a->slowdown != b->slowdown)
		return a->slowdown < b->slowdown ? -1 : 1;
	return (a->wait > b->wait) - (a->wait < b->wait);
}

/* Computes the values of the user whose jobs begin at JOBS. Returns the number of
   these jobs. */
static size_t take_user(struct lxfw_fair_user *user,
			const struct lxfw_fair_job *jobs, size_t count)
{
	size_t n = 0;

	*user = (struct lxfw_fair_user) { .user = jobs[0].user };
	for (; n < count && jobs[n].user == user->user; n++) {
		user->mean_wait += (double)jobs[n].wait;
		user->mean_slowdown += jobs[n].slowdown;
		user->mean_bounded_slowdown += jobs[n].bounded_slowdown;
	}
	user->jobs = n;
	user->mean_wait /= (double)n;
	user->mean_slowdown /= (double)n;
	user->mean_bounded_slowdown /= (double)n;
	return n;
}

static void compare_users(struct lxfw_fairness *fairness)
{
	double count = (double)fairness->user_count, sum = 0, squares = 0;

	for (size_t i = 0; i < fairness->user_count; i++) {
		const struct lxfw_fair_user *user = &fairness->users[i];
		double mean = user->mean_bounded_slowdown;

		sum += mean;
		squares += mean * mean;
		if (mean > fairness->worst_mean) {
			fairness->worst_mean = mean;
			fairness->worst = user->user;
		}
	}
	if (count == 0)
		return;
	fairness->users_mean = sum / count;
	fairness->jain = sum * sum / (count * squares);
}

int lxfw_fairness_of(struct lxfw_fairness *fairness, struct lxfw_fair_job *jobs,
		     size_t count)
{
	int64_t missed = 0;
	size_t late = 0;

	*fairness = (struct lxfw_fairness) {
		.users = calloc(count + 1, sizeof(*fairness->users)),
		.worst = -1,
	};
	if (!fairness->users) {
		errno = ENOMEM;
		return -1;
	}
	if (count == 0)
		return 0;
	qsort(jobs, count, sizeof(*jobs), by_user);
	for (size_t i = 0; i < count; )
		i += take_user(&fairness->users[fairness->user_count++], &jobs[i],
			       count - i);
	compare_users(fairness);
	for (size_t i = 0; i < count; i++) {
		int64_t miss = jobs[i].wait - jobs[i].fair_wait;

		if (miss <= 0)
			continue;
		late++;
		missed += miss;
		if (miss > fairness->max_miss)
			fairness->max_miss = miss;
	}
	fairness->late = (double)late / (double)count;
	fairness->mean_miss = (double)missed / (double)count;
	return 0;
}

void lxfw_fairness_clear(struct lxfw_fairness *fairness)
{
	free(fairness->users);
	*fairness = (struct lxfw_fairness) { 0 };
}
