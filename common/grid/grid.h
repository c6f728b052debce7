/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A grid: sites, each with hosts, a policy and a scheduler of its own, and a broker that
 * sends the jobs of all users to sites. The schedulers of the sites are those of sched.h
 * and know nothing of the grid.
 *
 *   the caller                         the grid
 *   lxfw_grid_submitted(job)   -->     broker->submitted
 *   lxfw_grid_ended(site, job) -->     broker->ended
 *   lxfw_grid_decide(now)      -->     broker->decide  -->  world->send(job, parts)
 *
 * The caller carries out world->send() at once: it submits the parts at their sites and lets
 * these decide before it returns, so that the broker sees the new state. Equal calls result
 * in equal decisions, bit for bit.
 *
 * Jobs request processors at one site, or at several if the broker splits them. Times are in
 * seconds. A speed is in per mille of the speed that run times and estimates refer to.
 */
#ifndef LXFW_GRID_GRID_H
#define LXFW_GRID_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/grid/history.h"
#include "common/grid/plan.h"
#include "common/sched.h"

#define LXFW_GRID_SPEED 1000	/* usual speed, per mille */

struct lxfw_grid_site {
	const char *name;
	struct lxfw_sched *sched;	/* for queries */
	int32_t procs;			/* of all hosts */
	int32_t speed;			/* per mille, 1 or more */
};

struct lxfw_grid_job {
	uint64_t id;		/* not 0; unique in the grid */
	int32_t home;		/* site at which it was submitted */
	int32_t procs;		/* 1 or more */
	int64_t submit;
	int64_t estimate;	/* 1 or more, at the usual speed at one site */
	int32_t kind;		/* 0 or more, see history.h */
	int32_t priority;	/* LXFW_GRID_HIGH to LXFW_GRID_LOW */
};

/* Priorities of jobs, for brokers that distinguish them. */
enum { LXFW_GRID_HIGH, LXFW_GRID_MEDIUM, LXFW_GRID_LOW, LXFW_GRID_PRIORITIES };

/* Processors of a job at a site. */
struct lxfw_grid_part {
	int32_t site, procs;
};

/* Why a job is sent to a place: by a value of it, beside that of the best other place. */
struct lxfw_grid_reason {
	const char *rule;	/* "earliest start"; NULL: the broker gave no reason */
	const char *unit;	/* of the values */
	int64_t value;
	int32_t other;		/* a place; -1: none was compared */
	int64_t other_value;
};

/* What the grid needs of the caller. */
struct lxfw_grid_world {
	void *context;

	/* Sets *REQUEST to the request of PROCS processors of the job at SITE for SECONDS.
	   Returns false if the job may not run there. */
	bool (*request)(void *context, uint64_t job, const struct lxfw_grid_part *part,
			int64_t seconds, struct lxfw_request *request);

	/* Returns the estimate of the job at SITE on the processors that it requests, at the
	   usual speed, 1 or more. NULL: that of the job. */
	int64_t (*estimate)(void *context, uint64_t job, int32_t site);

	/* Submits the parts of the job at their sites now, with lxfw_grid_part_seconds() of
	   lxfw_grid_estimate(). With OVERHEAD per mille the job runs longer than at one
	   site. Returns 0, or -1 with errno. */
	int (*send)(void *context, uint64_t job, const struct lxfw_grid_part *parts,
		    int32_t count, int32_t overhead);

	/* Submits the job at PLACE, a site or, counted from the number of sites, a cluster,
	   of whose sites it gets all processors. SECONDS is the estimate. Returns as
	   above. May be NULL for brokers that do not call it. */
	int (*run)(void *context, uint64_t job, int32_t place, int64_t seconds);

	/* Stops a job that was submitted by `run`. It can be submitted again and begins from
	   the start. `ended` is not called. Returns as above. May be NULL as above. */
	int (*recall)(void *context, uint64_t job);
};

/* Parameters of brokers. */
struct lxfw_grid_params {
	int32_t overhead;	/* of jobs at several sites, per mille of the run time, 0 or
				   more */
	int32_t quantum;	/* time between two batches of jobs, seconds; 0: none */
	int32_t preemptions;	/* of a job for others of higher priority, at most */
	int32_t threshold;	/* of brokers that mold, per cent: see adaptive.c */
	const struct lxfw_market *market;	/* rules of the broker `market`; NULL for
						   others */
};

struct lxfw_grid;
struct lxfw_market;	/* market.h */

/* A way to choose sites. All functions but `submitted` may be NULL; they return 0, or -1
   with errno. */
struct lxfw_broker {
	const char *name;
	const char *summary;	/* for lists of brokers */
	/* It sends each job in submitted(), whatever the state of the sites: the job is
	   submitted there as if there were no grid. */
	bool blind;
	bool splits;		/* a job may run at several sites at the same time */
	bool keeps;		/* such a job leaves reservations as they are */
	bool molds;		/* a job may run on another number of processors than it
				   requests, at one site, and then runs in inverse proportion
				   to it */
	int (*begin)(struct lxfw_grid *grid);
	void (*end)(struct lxfw_grid *grid);
	int (*submitted)(struct lxfw_grid *grid, const struct lxfw_grid_job *job);
	/* The part of the job at SITE has ended. */
	int (*ended)(struct lxfw_grid *grid, int32_t site, uint64_t job);
	int (*decide)(struct lxfw_grid *grid);
	/* Returns the next time at which it is to decide even if nothing happens, after
	   `now`; LXFW_NEVER: none. */
	int64_t (*wake)(struct lxfw_grid *grid);
};

/* Set all but `state` and `now` before lxfw_grid_begin(). */
struct lxfw_grid {
	const struct lxfw_broker *broker;
	const struct lxfw_grid_world *world;
	struct lxfw_grid_params params;
	const struct lxfw_grid_site *sites;
	int32_t site_count;	/* 1 or more */
	const struct lxfw_grid_cluster *clusters;
	int32_t cluster_count;
	const struct lxfw_grid_history *history;	/* NULL: none */
	int64_t now;
	/* Of the job that is being sent; the broker sets it before send() or run(), for the
	   caller to report. */
	struct lxfw_grid_reason reason;
	void *state;		/* of the broker */
};

/* The brokers; the last one has no name. */
extern const struct lxfw_broker *const lxfw_brokers[];

/* Returns the broker with this name, or NULL. */
const struct lxfw_broker *lxfw_broker_find(const char *name, size_t length);

/* Returns 0, or -1 with errno ENOMEM. lxfw_grid_end() releases the broker's state in both
   cases. */
int lxfw_grid_begin(struct lxfw_grid *grid);
void lxfw_grid_end(struct lxfw_grid *grid);

/* NOW must not be before earlier calls. They return 0, or -1 with errno: that of
   world->send(), ENOMEM, EINVAL if the job fits at no site, or EDOM if a formula has no
   value. */
int lxfw_grid_submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int64_t now);
int lxfw_grid_ended(struct lxfw_grid *grid, int32_t site, uint64_t job, int64_t now);
int lxfw_grid_decide(struct lxfw_grid *grid, int64_t now);

/* Returns the next time at which lxfw_grid_decide() is to be called even if nothing happens;
   LXFW_NEVER: none. */
int64_t lxfw_grid_wake(struct lxfw_grid *grid);

/* Returns the time that RUN seconds at the usual speed take at a speed, with an overhead in
   per mille; rounded up, at most LXFW_TIME_MAX. */
int64_t lxfw_grid_seconds(int64_t run, int32_t speed, int32_t overhead);

/* Returns the time that a job takes on PART, at most LXFW_TIME_MAX. It runs for RUN seconds at
   the usual speed on the PROCS processors that it requests. If the broker molds jobs, its
   time on the processors of the part is rounded up before it is divided by the speed. */
int64_t lxfw_grid_part_seconds(const struct lxfw_grid *grid, int64_t run, int32_t procs,
			       const struct lxfw_grid_part *part, int32_t overhead);

/* --- for brokers ------------------------------------------------------------------------ */

/* Returns the estimate of a job for a part of it, at the usual speed: that of world->estimate
   if the part has all processors that the job requests, otherwise that of the job. */
int64_t lxfw_grid_estimate(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			   const struct lxfw_grid_part *part);

/* Whether PART of JOB would start now if it were submitted at its site. Returns 1, 0, or -1
   with errno ENOMEM. */
int lxfw_grid_starts_now(struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			 const struct lxfw_grid_part *part, int32_t overhead);

/* Sets *START to the earliest start of the job at SITE beside the jobs that run there or have
   a reservation; LXFW_NEVER: it never fits. Returns 0, or -1 with errno ENOMEM. */
int lxfw_grid_forecast(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t site,
		       int64_t *start);

/* Returns the expected run time of the job at a place, 1 to LXFW_TIME_MAX, from the history and
   its estimate; LXFW_NEVER: it may not run there. A request does not name a cluster: the job
   may run on those for which the history has its kind. */
int64_t lxfw_grid_expected(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
			   int32_t place);

/* Sends the whole job to SITE. */
int lxfw_grid_send(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t site);

#endif
