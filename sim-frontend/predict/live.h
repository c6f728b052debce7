/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictions from the present state of a scheduler. */
#ifndef LXFW_PREDICT_LIVE_H
#define LXFW_PREDICT_LIVE_H

#include <stdbool.h>

#include "sim-frontend/predict/future.h"
#include "sim-frontend/predict/held.h"
#include "sim-frontend/predict/skipped.h"
#include "sim-frontend/predict/usable.h"
#include "sim-frontend/predict/past.h"
#include "sim-frontend/predict/remaining.h"
#include "sim-frontend/predict/request_text.h"

/* A job whose start is predicted: a waiting one, or one that might be submitted now. */
struct lxfw_expected {
	struct lxfw_request request;	/* id 0: not submitted */
	char text[LXFW_REQUEST_TEXT_SIZE];	/* of a job that is not submitted; otherwise
						   empty */
	int alternative_to;	/* index of the request that it changes, or -1 */
	/* When it is submitted, of a job that is not yet, as of lxfw_futures. */
	struct lxfw_request beside;	/* a part of it on other hosts; count 0: none */
	int64_t begin;
	const struct lxfw_future_after *after;
	size_t after_count;
	bool held;		/* set for a request that another scheduler would hold (held.h) */
	enum lxfw_skipped_by skipped;	/* another scheduler passes it over (skipped.h) */
	bool left;		/* not to be predicted, although it waits: `never` is set */
	/* Results; times in seconds. */
	bool never;		/* the median is beyond the horizon */
	char obstacle[LXFW_USABLE_TEXT];	/* then: hosts that are not up (usable.h), or "" */
	int64_t start;		/* the median */
	int64_t low50, high50, low90, high90;	/* LXFW_NEVER: beyond the horizon */
	double chance;		/* share of the futures in which it starts before a time */
	struct lxfw_view said;	/* by all futures */
	struct lxfw_view view;	/* by the first LXFW_LEARN_FUTURES of them */
};

struct lxfw_live {
	const struct lxfw_sched *sched;
	int64_t now;		/* the moment, not before the time of the scheduler */
	const struct lxfw_past *past;
	struct lxfw_remaining *remaining;	/* NULL: intervals are not corrected */
	uint64_t seed;		/* with the same one, the futures of two moments seconds apart are
				   alike, and so are the expected starts */
	int futures, threads;
	int64_t horizon;
	int array_tasks;	/* as of lxfw_futures */
	size_t most_starts;	/* likewise; jobs that start later in most futures are left */
	struct lxfw_held held;	/* jobs that another scheduler does not start now */
	struct lxfw_scheduling scheduling;	/* of that scheduler */
	struct lxfw_id_map tiers;	/* of running jobs, of whose requests nothing may be known */
	bool whole_hosts;	/* that scheduler keeps whole hosts for the jobs before a request
				   (held.h) */
	int64_t before;		/* for `chance`; LXFW_NEVER: not asked for */
};

/* The request of a waiting job. Returns false if the job does not wait. */
bool lxfw_live_request(const struct lxfw_sched *sched, uint64_t id,
		       struct lxfw_request *request);

/* Sets *IDS, to be freed, to those of all jobs that wait or run. Returns 0, or -1 with errno ENOMEM. */
int lxfw_live_ids(const struct lxfw_sched *sched, uint64_t **ids, size_t *count);

/* Adds the other components of heterogeneous jobs to a QUEUE of lxfw_sched_queue(), each after the first
   one of its job, which stands for all there. Returns 0, or -1 with errno ENOMEM. */
struct lxfw_queued;
int lxfw_live_components(const struct lxfw_sched *sched, struct lxfw_queued **queue, int32_t *count);

/* Time of the last event or decision, and the numbers of processors, hosts that are up, host sets,
   running and waiting jobs. */
struct lxfw_live_machine {
	int64_t last, procs;
	int32_t hosts, host_sets;
	size_t running, waiting;
};
void lxfw_live_machine(const struct lxfw_sched *sched, struct lxfw_live_machine *machine);

/* A scheduler that is not ours considers jobs at its own times: seconds by which starts differ from
   those of the model although nothing else does, and which a gap must be longer than a job. 0 for ours. */
int64_t lxfw_live_slack(const struct lxfw_sched *sched);

/* Predict the starts of those of the COUNT jobs, which wait, that are not left, in the same futures.
   Returns 0, or -1
   with errno and ERROR set. */
int lxfw_live_waiting(const struct lxfw_live *live, struct lxfw_expected *jobs,
		      size_t count, struct lxfw_error *error);

/* Sets *START to that of a job, or of the later one of its parts, if no other one is submitted. Returns as
   lxfw_sched_forecast(). */
int32_t lxfw_live_forecast(struct lxfw_sched *sched, const struct lxfw_expected *job,
			   int64_t *start);

/* Predict the start of a job that is not submitted. */
int lxfw_live_request_start(const struct lxfw_live *live, struct lxfw_expected *job,
			    struct lxfw_error *error);

/* The same for each of COUNT jobs, of which only one would be submitted. */
int lxfw_live_requests_start(const struct lxfw_live *live, struct lxfw_expected *jobs,
			     size_t count, struct lxfw_error *error);

/* Number of the running jobs of lower tiers on hosts that a job that waits may use. TIERS as of struct
   lxfw_live. */
int64_t lxfw_live_victims(const struct lxfw_sched *sched, const struct lxfw_id_map *tiers,
			  uint64_t job);

#endif
