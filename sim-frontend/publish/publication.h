/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a site publishes of its queue: expected starts of the jobs that wait, expected ends of
 * those that run, the use of the machine in the next hours, and how good earlier predictions
 * were. `lxfw predict --publish` writes it, as JSON for programs and as a page for people; `lxfw
 * queue` and `lxfw predict` read it, so that users cost the controller nothing.
 */
#ifndef LXFW_PUBLISH_PUBLICATION_H
#define LXFW_PUBLISH_PUBLICATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/reason.h"
#include "common/util/error.h"
#include "sim-frontend/predict/skipped.h"
#include "sim-frontend/predict/starts.h"

#define LXFW_PUBLICATION_NAME 64
#define LXFW_PUBLICATION_SAID 80
#define LXFW_PUBLICATION_NOTE 400

/* Notes of a publication, the most. */
#define LXFW_PUBLICATION_NOTES 16

/* Files in the folder of a publication. */
#define LXFW_PUBLICATION_JSON "queue.json"
#define LXFW_PUBLICATION_PAGE "index.html"
#define LXFW_PUBLICATION_STARTS "starts"
#define LXFW_PUBLICATION_RECORDS "predictions.db"

enum lxfw_publication_state {
	LXFW_PUBLISHED_WAITING,		/* its start is predicted */
	LXFW_PUBLISHED_KEPT,		/* it is not eligible, or left to the workload manager */
	LXFW_PUBLISHED_RUNNING,
};

/* Times in seconds since 1970. */
struct lxfw_publication_job {
	enum lxfw_publication_state state;
	uint64_t id;			/* see squeue.h; 0 if it was read from a file */
	char name[LXFW_PUBLICATION_NAME];	/* "17", "17_3" */
	char user[LXFW_PUBLICATION_NAME];	/* "": not published, or not known */
	char partition[LXFW_PUBLICATION_NAME];	/* "": not known */
	enum lxfw_reason reason;	/* of a kept job */
	char said[LXFW_PUBLICATION_SAID];	/* why it waits, as the workload manager says it;
						   "": not published, or not known */
	int64_t position;		/* in the queue, from 1; 0: it is not in it */
	int64_t procs, limit;		/* 0: not known; of a job that runs: it is suspended; seconds */
	int64_t submit;			/* 0: not known */
	int64_t times[LXFW_TOLD_TIMES];	/* of a waiting job */
	int64_t planned;		/* the start that the workload manager plans; 0: not known */
	char obstacle[LXFW_PUBLICATION_NAME];	/* of one that is expected to start at no time:
						   hosts that are not up, or that the workload
						   manager passes it over, or "" */
	int64_t start, end, latest;	/* of a running job: expected end, and that by its limit;
					   LXFW_NEVER: not known */
};

/* What readers must know to judge expected starts. */
struct lxfw_publication_note {
	char text[LXFW_PUBLICATION_NOTE];
};

/* The use of the machine at a time: quantiles of 10, 50 and 90 % over futures, processors. */
enum { LXFW_USE_LOW, LXFW_USE_MEDIAN, LXFW_USE_HIGH, LXFW_USE_LEVELS };
struct lxfw_publication_use {
	int64_t time;
	int64_t procs[LXFW_USE_LEVELS];
};

/* How long jobs wait that users will submit between TIME and the next one, as on earlier days:
   the median and the quantile of 90 %, seconds. */
struct lxfw_publication_wait {
	int64_t time;
	int64_t median, most;		/* LXFW_NEVER: longer than the futures */
	int64_t jobs;			/* in all futures */
};

/* How good the predictions of the last days were, of jobs that have started since. */
struct lxfw_publication_quality {
	int64_t since;			/* time of the first one; 0: none is known */
	int64_t predictions, jobs;
	double error;			/* median of the absolute errors, seconds */
	double near;			/* share of the starts within 10 minutes of the expected one */
	int64_t states[2];		/* predictions with an interval of 50 and of 90 % */
	double inside[2];		/* share of the starts in it */
	/* Of the predictions for which the workload manager had an estimate, too. */
	int64_t both;
	double error_of_both, near_of_both, error_of_manager, near_of_manager;
};

/* {0} is empty. */
struct lxfw_publication {
	char cluster[LXFW_PUBLICATION_NAME];	/* "": not known */
	int64_t time;			/* of the state */
	int64_t heard;			/* when `lxfw watch` had its last answer; 0: the journal
					   is that of the scheduler */
	int64_t look;			/* the time of the look of this round; 0: there is none */
	bool answers;			/* it answered squeue when this was made */
	int64_t until;			/* after this it is outdated */
	int64_t procs, hosts;
	bool hidden;			/* the workload manager does not show the service the jobs
					   of users */
	bool old;			/* the state is that of `heard`, since nothing was seen since; not
					   in the file */
	bool shown;			/* it shows all users all jobs; not in the file */
	int64_t next;			/* the next round is about then; 0: not known */
	struct lxfw_scheduling scheduling;	/* how the workload manager chooses jobs */
	bool corrected, states[2];	/* of the intervals: 50 and 90 % */
	double elsewhere;		/* moments of other machines that they are learned from */
	struct lxfw_publication_note *notes;
	size_t note_count;		/* at most LXFW_PUBLICATION_NOTES */
	struct lxfw_publication_job *jobs;	/* waiting ones in the order of the queue, kept
						   ones, running ones by expected end */
	size_t count, size;
	struct lxfw_publication_use *use;
	size_t use_count;
	struct lxfw_publication_wait *waits;
	size_t wait_count;
	struct lxfw_starts starts;	/* not in the file: LXFW_PUBLICATION_STARTS has them */
	struct lxfw_publication_quality quality;
};

void lxfw_publication_clear(struct lxfw_publication *publication);

/* Adds an empty job. Returns NULL with errno ENOMEM. */
struct lxfw_publication_job *lxfw_publication_add(struct lxfw_publication *publication);

/* Adds a note, cut if it is longer; none if there are too many. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_publication_note(struct lxfw_publication *publication, const char *text);

/* Number of jobs in a state. */
size_t lxfw_publication_count(const struct lxfw_publication *publication,
			      enum lxfw_publication_state state);

/* The id of a job by its NAME, see squeue.h: "17", "17_3", "15+1"; 0: it has none. */
uint64_t lxfw_publication_id(const char *name);

/* Whether a job of NAME is one that is meant by JOB, as users write it: "17" is also all tasks of an array
   and all components of a heterogeneous job. */
bool lxfw_publication_means(const char *name, const char *job);

/* Returns the number of the first of NAMES that means no job, or COUNT. */
int lxfw_publication_lacks(const struct lxfw_publication *publication, char *const *names,
			   int count);

/* Keeps the jobs that one of NAMES means, of USER. COUNT 0: all; USER NULL: of all. Returns as
   lxfw_publication_lacks() before. */
int lxfw_publication_choose(struct lxfw_publication *publication, char *const *names, int count,
			    const char *user);

/* Returns the file as an object, which the caller frees, or NULL with errno ENOMEM. */
struct json_object;
struct json_object *lxfw_publication_json(const struct lxfw_publication *publication);

/* Writes the file, which others can read and which is replaced as a whole. Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_publication_write(const struct lxfw_publication *publication, const char *path,
			   struct lxfw_error *error);

/*
 * Reads a file that may be anything, with the care of lxfw_starts_read(). Returns 0, or -1 with
 * errno and ERROR set.
 */
#define LXFW_PUBLICATION_MAX (32 << 20)
int lxfw_publication_read(struct lxfw_publication *publication, const char *path,
			  struct lxfw_error *error);

/* Reads the text of a file of the name PATH. */
int lxfw_publication_parse(struct lxfw_publication *publication, const char *text,
			   size_t length, const char *path, struct lxfw_error *error);

#endif
