/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/runs.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/history.h"
#include "common/util/grow.h"
#include "sim-frontend/history/ran_file.h"
#include "sim-frontend/util/text.h"

#define LOOK 60		/* seconds between two looks at the file */

/* --- in the process that reads the file ---------------------------------------------- */

struct reading {
	const char *path, *cluster;
};

struct learning {
	struct lxfw_grid_history history;	/* kinds are users, as names of the data base */
	int32_t machine;
};

static int learn(void *context, const struct lxfw_ran *job)
{
	struct learning *learning = context;

	if (job->user < 0 || job->machine != learning->machine)
		return 0;
	return lxfw_grid_history_learn(&learning->history, job->user, 0, job->ran);
}

/* Prints a line for each user who has a number here. */
static void print_all(const struct learning *learning, const struct lxfw_names *names)
{
	for (size_t i = 0; i < learning->history.count; i++) {
		const struct lxfw_grid_history_entry *entry = &learning->history.entries[i];
		const struct passwd *user = getpwnam(names->names[entry->kind]);

		if (user)
			printf("%lu %lld %.0f\n", (unsigned long)user->pw_uid,
			       (long long)entry->count, entry->mean);
	}
}

static int read_file(const void *context)
{
	const struct reading *reading = context;
	struct learning learning = { .machine = -1 };
	struct lxfw_rans rans = { 0 };
	struct lxfw_error error;

	if (lxfw_ran_file_read(&rans, reading->path, &error)) {
		fprintf(stderr, "lxfw: %s\n", error.text);
		return 2;
	}
	learning.machine = lxfw_rans_find(&rans, reading->cluster);
	if (learning.machine < 0)
		fprintf(stderr, "lxfw: %s: no jobs of a machine %s\n", reading->path,
			reading->cluster);
	if (lxfw_rans_each(&rans, INT64_MAX, learn, &learning)) {
		fprintf(stderr, "lxfw: out of memory\n");
		return 2;
	}
	print_all(&learning, &rans.names);
	return 0;
}

/* --- in the server ---------------------------------------------------------------------- */

static int by_user(const void *left, const void *right)
{
	const struct lxfw_route_runs_of *a = left, *b = right;

	return (a->user > b->user) - (a->user < b->user);
}

/* Reads a number at *AT and moves *AT behind it and the blank. Returns 0, or -1. */
static int take_number(const char **at, int64_t least, int64_t most, int64_t *number)
{
	size_t width = strcspn(*at, " ");
	int result = lxfw_text_integer(*at, width, least, most, number);

	*at += width + ((*at)[width] == ' ');
	return result;
}

int lxfw_route_runs_take(struct lxfw_route_runs *runs, char *text)
{
	char *rest = NULL;

	runs->count = 0;
	for (const char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		int64_t user, ended, mean;

		if (take_number(&at, 0, UINT32_MAX - 1, &user) ||
		    take_number(&at, 1, INT32_MAX, &ended) ||
		    take_number(&at, 0, INT32_MAX, &mean) || *at)
			continue;
		if (LXFW_GROW(runs->list, runs->size, runs->count + 1)) {
			runs->count = 0;
			return -1;
		}
		runs->list[runs->count++] =
			(struct lxfw_route_runs_of) { (uid_t)user, ended, mean };
	}
	if (runs->count > 0)
		qsort(runs->list, runs->count, sizeof(*runs->list), by_user);
	return 0;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino &&
	       one->st_size == other->st_size && one->st_mtim.tv_sec == other->st_mtim.tv_sec &&
	       one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

static void finish(struct lxfw_route_runs *runs)
{
	int status = lxfw_route_child_read(&runs->child);

	if (status < 0)
		return;
	if (status == 0 && lxfw_route_runs_take(runs, runs->child.text))
		memset(&runs->about, 0, sizeof(runs->about));
	lxfw_route_child_end(&runs->child);
}

void lxfw_route_runs_tick(struct lxfw_route_runs *runs, const char *path, const char *cluster,
			  int64_t now)
{
	const struct reading reading = { path, cluster };
	struct stat about = { 0 };

	if (runs->child.process > 0)
		finish(runs);
	if (runs->child.process > 0 ||
	    (runs->looked != INT64_MIN && now < runs->looked + LOOK))
		return;
	/* A file that is not there is tried once, for the message. */
	if (stat(path, &about))
		about = (struct stat) { .st_ino = 1 };
	if (runs->looked == INT64_MIN || !is_same(&about, &runs->about)) {
		runs->about = about;
		if (lxfw_route_child_fork(&runs->child, read_file, &reading))
			memset(&runs->about, 0, sizeof(runs->about));
	}
	runs->looked = now;
}

void lxfw_route_runs_find(const struct lxfw_route_runs *runs, uid_t user, int64_t *ended,
			  int64_t *mean)
{
	const struct lxfw_route_runs_of wanted = { .user = user };
	const struct lxfw_route_runs_of *found = NULL;

	if (runs->count > 0)
		found = bsearch(&wanted, runs->list, runs->count, sizeof(*runs->list), by_user);
	*ended = found ? found->ended : 0;
	*mean = found ? found->mean : 0;
}

void lxfw_route_runs_clear(struct lxfw_route_runs *runs)
{
	lxfw_route_child_end(&runs->child);
	free(runs->list);
	*runs = LXFW_ROUTE_RUNS_EMPTY;
}
