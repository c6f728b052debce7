/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What if, from now: the waiting jobs of a snapshot are simulated twice, as things are and
 * with a change, in several futures. Both sides of a future have the same run times and the
 * same submissions.
 */
#ifndef LXFW_PREDICT_WHATIF_H
#define LXFW_PREDICT_WHATIF_H

#include "sim-frontend/predict/future.h"
#include "sim-frontend/predict/snapshot_file.h"

enum lxfw_run_times {
	LXFW_RUN_TIMES_LIMITS,		/* every job runs for its requested time */
	LXFW_RUN_TIMES_PREDICTED,	/* drawn from those of earlier jobs */
	LXFW_RUN_TIMES_KNOWN,		/* given */
};

/* A partition with other nodes, and maybe with another tier. */
struct lxfw_changed_set {
	int32_t set;		/* in state.sets */
	int32_t count;
	const int32_t *hosts;	/* ascending */
	bool changes_tier;
	int32_t tier;		/* of its waiting jobs */
};

/* A change of the machine or the parameters. */
struct lxfw_change {
	const struct lxfw_params *params;	/* NULL: those of the snapshot */
	const int32_t *down;	/* hosts that get no more jobs; running ones continue */
	size_t down_count;
	const struct lxfw_snapshot_block *blocks;	/* hosts that are reserved */
	size_t block_count;
	const struct lxfw_changed_set *sets;
	size_t set_count;
};

struct lxfw_whatif {
	const struct lxfw_snapshot_file *file;
	const struct lxfw_change *change;	/* NULL: none */
	enum lxfw_run_times run_times;
	/* Returns the known run time of a job in seconds, or -1: its limit. */
	int64_t (*ran)(const void *context, uint64_t id);
	const void *context;
	bool submissions;	/* jobs are submitted as before the snapshot (future.h);
				   run_times is PREDICTED */
	uint64_t seed;
	int futures;		/* 1 unless the run times are predicted */
	int threads;
	int64_t horizon;	/* seconds */
};

/* A waiting job, with its start in each future; LXFW_NEVER: not before the horizon. */
struct lxfw_whatif_job {
	size_t index;		/* in state.jobs */
	const int64_t *now, *then;	/* as things are, and with the change */
	int64_t expected;	/* the median of `now` */
};

/* {0} is empty. */
struct lxfw_whatif_result {
	struct lxfw_whatif_job *jobs;	/* in the order of expected starts */
	size_t count;
	int futures;
	bool changed;		/* there was a change; otherwise `then` is `now` */
	int64_t *starts;	/* memory of `jobs` */
	double *busy[2];	/* processor-seconds allocated before the horizon */
	struct lxfw_future_arrivals *arrivals[2];	/* of the futures */
};

/* Returns 0, or -1 with errno and ERROR set and *RESULT empty. */
int lxfw_whatif_run(const struct lxfw_whatif *whatif, struct lxfw_whatif_result *result,
		    struct lxfw_error *error);
void lxfw_whatif_clear(struct lxfw_whatif_result *result);

/* Whether the snapshot has submissions of a day or more, from which later ones are drawn. */
bool lxfw_whatif_knows_submissions(const struct lxfw_snapshot_file *file);

/* Why starts under PARAMS cannot be simulated from a snapshot, or NULL. */
const char *lxfw_whatif_refuses(const struct lxfw_params *params);

#endif
