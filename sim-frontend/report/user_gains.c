/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/user_gains.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/report/differences.h"

/* Number of users shown who gain, and who lose. */
#define SHOWN 8

static int by_user(const void *left, const void *right)
{
	const struct lxfw_user_gain *a = left, *b = right;

	return (a->user > b->user) - (a->user < b->user);
}

/* Descending order of the total gain. */
static int by_gain(const void *left, const void *right)
{
	const struct lxfw_user_gain *a = left, *b = right;
	double gain_a = a->before - a->after, gain_b = b->before - b->after;

	if (gain_a != gain_b)
		return gain_a > gain_b ? -1 : 1;
	return by_user(left, right);
}

/* Merges the entries of each user and removes users with few jobs. Returns the number
   of entries. Waits are integers, so that sums do not depend on the order. */
static size_t merge(struct lxfw_user_gain *gains, size_t count)
{
	size_t merged = 0, kept = 0;

	if (count == 0)
		return 0;
	qsort(gains, count, sizeof(*gains), by_user);
	for (size_t i = 0; i < count; i++) {
		struct lxfw_user_gain *last = &gains[merged > 0 ? merged - 1 : 0];

		if (merged == 0 || last->user != gains[i].user) {
			gains[merged++] = gains[i];
			continue;
		}
		last->jobs += gains[i].jobs;
		last->before += gains[i].before;
		last->after += gains[i].after;
	}
	for (size_t i = 0; i < merged; i++) {
		if (gains[i].jobs >= LXFW_USER_GAINS_JOBS)
			gains[kept++] = gains[i];
	}
	qsort(gains, kept, sizeof(*gains), by_gain);
	return kept;
}

void lxfw_user_gains(struct lxfw_output *output, const char *const names[2],
		     struct lxfw_user_gain *gains, size_t count,
		     char *const *user_names)
{
	struct lxfw_difference rows[2 * SHOWN];
	char numbers[2 * SHOWN][16], caption[128];
	size_t shown = 0;

	count = merge(gains, count);
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_user_gain *gain = &gains[i];

		if (i >= SHOWN && i + SHOWN < count)
			continue;
		snprintf(numbers[shown], sizeof(numbers[shown]), "%d",
			 (int)gain->user);
		rows[shown] = (struct lxfw_difference) {
			.name = user_names ? user_names[gain->user] :
					     numbers[shown],
			.jobs = gain->jobs,
			.before = gain->before / (double)gain->jobs,
			.after = gain->after / (double)gain->jobs,
		};
		shown++;
	}
	if (shown < 2)
		return;
	snprintf(caption, sizeof(caption), shown < count ?
		 "Mean wait of users: of %zu with %d jobs or more, those with "
		 "the largest total gains and losses" : "Mean wait of the %zu users with %d jobs or "
		 "more", count, LXFW_USER_GAINS_JOBS);
	lxfw_differences(output, caption, "user", names, rows, shown);
}

int lxfw_user_gains_recorded(struct lxfw_output *output, const char *const names[2],
			     const struct lxfw_recorded *recorded,
			     lxfw_waits_of *waits_of, const void *context)
{
	struct lxfw_user_gain *gains = calloc(recorded->count + 1, sizeof(*gains));
	size_t count = 0;
	double waits[2];

	if (!gains) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < recorded->count; i++) {
		int32_t user = recorded->jobs[i].user;

		if (user >= 0 && (size_t)user < recorded->users.count &&
		    waits_of(context, i, waits))
			gains[count++] = (struct lxfw_user_gain) {
				user, 1, waits[0], waits[1],
			};
	}
	lxfw_user_gains(output, names, gains, count, recorded->users.names);
	free(gains);
	return 0;
}
