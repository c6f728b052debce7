/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue with expected starts, for users: text and a page. */
#ifndef LXFW_REPORT_QUEUE_H
#define LXFW_REPORT_QUEUE_H

#include <stdio.h>

#include "sim-frontend/publish/publication.h"
#include "sim-frontend/util/output.h"

/* Of a publication of a service that does not see the jobs. */
#define LXFW_QUEUE_HIDDEN \
	"the workload manager does not show the jobs of users (PrivateData) to the service that " \
	"publishes this: most are missing"

/* A workload manager that has not answered for this time is said to be silent, seconds. */
#define LXFW_QUEUE_SILENT 600

/* And after this a watch, which usually looks once a minute, is late. */
#define LXFW_QUEUE_LATE 150

/* Size of a time in words. */
#define LXFW_QUEUE_TIME 24

/* Formats a local time as it is read at NOW: "now", "14:40", "Tue 14:40", "2026-12-24
   14:40", "later" for LXFW_NEVER. Returns TEXT. */
const char *lxfw_queue_time(int64_t time, int64_t now, char text[LXFW_QUEUE_TIME]);

/* Formats the time between two moments: "14:20 - 16:05", "by 16:05", "after 14:20". */
const char *lxfw_queue_span(int64_t low, int64_t high, int64_t now,
			    char text[2 * LXFW_QUEUE_TIME]);

struct lxfw_queue_counts {
	size_t waiting, kept, running;
};

struct lxfw_queue_counts lxfw_queue_counts(const struct lxfw_publication *publication);

struct lxfw_queue_view {
	const struct lxfw_publication *of;
	struct lxfw_queue_counts state;	/* of all jobs, of which OF may have some only */
	int64_t now;			/* when it is read */
	bool running;			/* with the jobs that run */
	bool users;			/* with a column of users */
};

/* Whether the workload manager knows better, if it answers: the publication is not renewed any more,
   nothing has looked for a while although it answers, or a clock is wrong. */
bool lxfw_queue_is_outdated(const struct lxfw_publication *publication, int64_t now);

/* Whether a service renews the publication: the next round is due, or was a short time ago. */
bool lxfw_queue_is_renewed(const struct lxfw_publication *publication, int64_t now);

/* Whether the state is so old that a reader must know it: it is outdated, or the workload manager
   has not answered for a while. */
bool lxfw_queue_is_old(const struct lxfw_publication *publication, int64_t now);

void lxfw_queue_text(const struct lxfw_queue_view *view, FILE *out);

/* Jobs whose start is not predicted for one cause. */
struct lxfw_queue_kept {
	const struct lxfw_publication_job *first;
	size_t jobs;
};

/* Sets *KEPT, to be freed, to all of them. Returns 0, or -1 with errno ENOMEM. */
int lxfw_queue_kept(const struct lxfw_publication *publication, struct lxfw_queue_kept **kept,
		    size_t *count);

/* Prints what keeps such a job: Slurm's own word for a cause that has no others here. */
void lxfw_queue_put_kept(const struct lxfw_publication_job *job, FILE *out);

/* The state without the jobs: how many run, wait, and are not predicted for which reasons. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_queue_summary(const struct lxfw_publication *publication, int64_t now, FILE *out);

/* One sentence on how good earlier predictions were; "" if that is not known. A SIZE of 256 is
   sufficient. Returns TEXT. */
const char *lxfw_queue_quality(const struct lxfw_publication_quality *quality, char *text,
			       size_t size);

/* Writes the page, for readers at the time of the state. Returns 0, or -1 with errno ENOMEM. */
int lxfw_queue_page(const struct lxfw_publication *publication, struct lxfw_output *output);

#endif
