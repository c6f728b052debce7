/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/owners.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"

#define FRESH 2		/* seconds for which squeue is not asked again for a job it did not show */
#define OLD 60		/* seconds for which its list is used */

static int by_job(const void *left, const void *right)
{
	const struct lxfw_route_owner *a = left, *b = right;

	return (a->job > b->job) - (a->job < b->job);
}

int lxfw_route_owners_take(struct lxfw_route_owners *owners, char *text)
{
	char *rest = NULL;

	owners->count = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t width = strcspn(line, " ");
		int64_t job, user;

		if (!line[width] || lxfw_text_integer(line, width, 1, INT64_MAX, &job) ||
		    lxfw_text_integer(line + width + 1, strlen(line + width + 1), 0,
				      UINT32_MAX - 1, &user))
			continue;
		if (LXFW_GROW(owners->list, owners->size, owners->count + 1)) {
			owners->count = 0;
			return -1;
		}
		owners->list[owners->count++] =
			(struct lxfw_route_owner) { (uint64_t)job, (uid_t)user };
	}
	if (owners->count > 0)
		qsort(owners->list, owners->count, sizeof(*owners->list), by_job);
	return 0;
}

void lxfw_route_owners_tick(struct lxfw_route_owners *owners, int64_t now)
{
	int status = lxfw_route_child_read(&owners->child);

	if (status < 0)
		return;
	if (status > 0 || lxfw_route_owners_take(owners, owners->child.text))
		owners->count = 0;
	owners->read = now;
	lxfw_route_child_end(&owners->child);
}

static bool is_older(const struct lxfw_route_owners *owners, int64_t now, int64_t age)
{
	return owners->read == INT64_MIN || now >= owners->read + age;
}

int lxfw_route_owners_find(struct lxfw_route_owners *owners, uint64_t job, int64_t now,
			   uid_t *user)
{
	/* Numbers only, since users choose the other fields. */
	char *const squeue[] = { LXFW_SLURM_PLAINLY, LXFW_SQUEUE_PATIENTLY,
				 "squeue", "--noheader", "--states", "PENDING",
				 "--format", "%i %U", NULL };
	struct lxfw_route_owner wanted = { .job = job };
	const struct lxfw_route_owner *found = NULL;

	if (owners->count > 0)
		found = bsearch(&wanted, owners->list, owners->count, sizeof(*owners->list), by_job);
	if (owners->child.process == 0 && is_older(owners, now, found ? OLD : FRESH) &&
	    lxfw_route_child_start(&owners->child, squeue)) {
		owners->read = now;
		return 0;
	}
	if (!found)
		return owners->child.process ? -1 : 0;
	*user = found->user;
	return 1;
}

void lxfw_route_owners_clear(struct lxfw_route_owners *owners)
{
	lxfw_route_child_end(&owners->child);
	free(owners->list);
	*owners = (struct lxfw_route_owners) { .child.file = -1, .read = INT64_MIN };
}
