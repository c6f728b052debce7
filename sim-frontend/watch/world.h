/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine and the jobs of a Slurm that another scheduler schedules, as a workload manager for
 * the agent (plugins/agent/agent.h) in shadow mode: it looks, and its decisions are only
 * recorded.
 *
 * What is made of the texts (texts.h):
 *
 *   hosts       the nodes, down if Slurm starts nothing there. Those that are powered down, or
 *               boot, are up; jobs wait there for the longest time that a boot takes
 *   sets        the partitions, and the nodes of one that a job may use: those with its features,
 *               without those that it excludes, or those that it names, if it fits on these: Slurm
 *               takes others, too, if not
 *   blocks      advance reservations; what is in use on nodes by jobs that are not shown
 *   pools       licenses, and the tasks of an array that may run at once ("%4")
 *   jobs        requests from the amounts that Slurm states. A job is spread over nodes as its
 *               tasks can be; one that would fit on a node is expected to have one. It has
 *               whole cores. Each task of an array is a job, and each component of a
 *               heterogeneous one, which start together. One that shares nodes with jobs of
 *               its own user only has them whole, if it is the only such job of that user, and
 *               is left to Slurm if not. If it runs, its nodes are full for all others
 *
 * A look replaces all of it. The agent's mirror reports what has changed.
 */
#ifndef LXFW_WATCH_WORLD_H
#define LXFW_WATCH_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "plugins/agent/agent.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/needs.h"
#include "sim-frontend/watch/job_line.h"
#include "sim-frontend/watch/texts.h"
#include "sim-frontend/watch/watch.h"

/* Any user can name nodes and features in new ways, thousands of them in each job. In a look, this
   many bytes of features are compared, among which a name of a node has a part: some seconds. */
#define LXFW_WATCH_WORK 1000000000

/* Processors that a job may request. */
#define LXFW_WATCH_PROCS_MAX (1 << 24)

/* Arrays whose number of running tasks is counted, the most: any user can submit more. */
#define LXFW_WATCH_ARRAYS 256

/* A node as Slurm states it now. */
struct lxfw_watch_host {
	bool up;
	int64_t boot;			/* seconds until it is up at the latest, once a job has it;
					   0: it is up */
	struct lxfw_resources used;	/* allocated: processors and memory */
	struct lxfw_resources seen;	/* of it, by jobs that are shown */
	bool guessed;			/* `seen` is not certain: Slurm does not show the parts of
					   jobs on several nodes */
	int32_t threads;		/* processors of a core */
	const char *features;		/* that it has now, "a,b"; part of the texts */
	size_t features_length;
};

struct lxfw_watch_job {
	struct lxfw_watched is;
	struct lxfw_request request;	/* of a job without a reason, and of one that runs */
	bool requested;			/* `request` is set */
	size_t first_share;
	int32_t share_count;		/* of nodes */
	int32_t pool_count;		/* shares of pools, which follow them */
};

/* What a job on several nodes has, as far as that is certain. */
struct lxfw_watch_divisions {
	struct lxfw_watch_part {
		uint64_t id;
		int32_t host, procs;
	} *parts;			/* those of a job follow each other, as its shares do */
	size_t count, size;
	struct lxfw_id_map by_id;	/* index of the first part */
};

/* An array of which only a number of tasks run at once. */
struct lxfw_watch_array {
	uint32_t id;
	int32_t most;			/* tasks; 0: this pool is not in use */
	bool waits;			/* it has tasks that wait, in this look */
};

struct lxfw_watch {
	struct lxfw_agent agent;
	struct lxfw_watch_texts texts;
	struct lxfw_cluster cluster;
	struct lxfw_needs needs;
	struct lxfw_watch_host *hosts;	/* of the cluster's */
	size_t hosts_size;
	int32_t least_threads, most_threads;	/* of a core of a host */
	struct lxfw_watch_job *jobs;
	size_t count, size;
	struct lxfw_id_map by_record;	/* index of the job */
	struct lxfw_share *shares;
	size_t share_count, shares_size;
	struct lxfw_watch_divisions divisions;	/* of this look, and of earlier ones */
	struct lxfw_names sets;		/* what they are; their index is the library's */
	uint32_t *set_hashes;		/* of the hosts that were reported; 0: none were */
	size_t set_hashes_size;
	uint32_t *set_looks;		/* the look in which it was reported last */
	size_t set_looks_size;
	uint32_t looks;			/* number of this one, from 1 */
	int64_t work;			/* that is left in this look for names of nodes and features */
	size_t arrays_left_out;		/* of which not all tasks were taken, in the last look */
	bool told_left_out;		/* that jobs are missing */
	struct lxfw_watch_array *arrays;	/* a pool of each, with its place */
	size_t array_count, arrays_size;
	int64_t *licenses_used;		/* that the jobs have which are shown */
	size_t licenses_size;
	const char **host_names;	/* of nodes and pools */
	size_t host_names_size;
	bool unlimited_arrays;		/* there were too many in the last look */
	int32_t *members;		/* for the set that is made */
	size_t members_size;
	struct lxfw_watch_partition *partitions;
	size_t partition_count, partitions_size;
	struct lxfw_watch_wanted wanted[LXFW_WATCH_WANTED];
	int wanted_count;
	struct lxfw_names blocks;	/* their index, from BLOCK_FIRST, is the library's */
	int64_t now;			/* of the texts */
	int64_t before;			/* of those of the look before; 0: none */
	size_t bad_lines;		/* that were left out in the last look */
	bool failed;			/* memory ran out in the last look */
};

/* For the files of this folder. */

/* Reads the cluster, and its hosts' state. Returns as above. */
int lxfw_watch_read_hosts(struct lxfw_watch *watch, struct lxfw_error *error);
/* Reads the jobs, and what those that run have of the hosts. Returns as above. */
int lxfw_watch_read_jobs(struct lxfw_watch *watch, struct lxfw_error *error);
/* The value of KEY in the configuration; at NULL: it has no such key. */
struct lxfw_slice lxfw_watch_setting(const struct lxfw_watch *watch, const char *key);
/* Whether that value contains WORD, whatever its case; UNKNOWN if there is none. */
bool lxfw_watch_configured(const struct lxfw_watch *watch, const char *key, const char *word,
			   bool unknown);
/* Reads the licenses. Returns 0, or -1 when memory runs out. */
int lxfw_watch_read_licenses(struct lxfw_watch *watch);
/* When all jobs are read: finds the arrays that are limited, and what running jobs have of pools.
   Returns 0, or -1 when memory runs out. */
int lxfw_watch_read_pools(struct lxfw_watch *watch);
/* Reports the nodes' and pools' names. Returns as lxfw_mirror_hosts(). */
int lxfw_watch_look_at_names(struct lxfw_watch *watch);
/* Reports the pools. In look_at_hosts(). */
void lxfw_watch_look_at_pools(struct lxfw_watch *watch);
/* Adds pools to the job's request. */
void lxfw_watch_request_pools(const struct lxfw_watch *watch, struct lxfw_watch_job *job);
/* Sets the request of a job, or why there is none, and reports the sets of hosts that it names.
   In look_at_jobs(). Returns 0, or -1 when memory runs out. */
int lxfw_watch_request(struct lxfw_watch *watch, struct lxfw_watch_job *job);
/* The hosts of a job that runs, without amounts. Returns 0, or -1 when memory runs out. */
int lxfw_watch_find_shares(struct lxfw_watch *watch, struct lxfw_watch_job *job);
/* When all jobs are read: divides their processors and memory among their hosts. Returns 0, or -1
   when memory runs out. */
int lxfw_watch_divide(struct lxfw_watch *watch);
/* After that, and before requests are made: jobs that share nodes with jobs of their own user only
   (users.c). Returns 0, or -1 when memory runs out. */
int lxfw_watch_keep_users_apart(struct lxfw_watch *watch);
/* Whether the job with such a request could share its nodes with others of its user. */
bool lxfw_watch_could_share(const struct lxfw_watch *watch, const struct lxfw_watch_job *job);
/* The same for the components of heterogeneous jobs that wait, before all others. */
int lxfw_watch_request_components(struct lxfw_watch *watch);
void lxfw_watch_forget_divisions(struct lxfw_watch_divisions *divisions);
/* Adds to the job's shares what only its request states. */
void lxfw_watch_share_extras(struct lxfw_watch *watch, const struct lxfw_watch_job *job);
/* Calls the mirror for a set of the library with the hosts of the cluster's SET, or all if it is
   -1, that JOB may use. Returns its number, -1 if memory runs out, or -2 if the model cannot
   represent what the job requests. */
int32_t lxfw_watch_set(struct lxfw_watch *watch, int32_t set, const struct lxfw_watch_job *job);

/* Returns how many hosts of the cluster's SET a job may have, 0 also if they are not all that it
   requires, or it names one that is unknown; or as lxfw_watch_set(). */
int32_t lxfw_watch_count(struct lxfw_watch *watch, int32_t set, const struct lxfw_watched *job);

/* Reports the sets of hosts of all partitions, and what is known of these. In look_at_jobs().
   Returns 0, or -1 when memory runs out. */
int lxfw_watch_look_at_partitions(struct lxfw_watch *watch);

/* Whether Slurm starts jobs of the partition whose name is the LENGTH bytes at NAME, as far as is known.
   After lxfw_watch_look_at_partitions(). */
bool lxfw_watch_starts_jobs(const struct lxfw_watch *watch, const char *name, size_t length);
/* After that, and before its request is made: whether a job that waits is not eligible because none of
   its partitions starts jobs. Sets its reason. */
void lxfw_watch_settle_stopped(const struct lxfw_watch *watch, struct lxfw_watched *job);

/* Processors of a core of each host that the job may use, the fewest. */
int32_t lxfw_watch_threads(const struct lxfw_watch *watch, const struct lxfw_need *need);

/* The value of KEY= in a line of `scontrol -o`; at NULL: absent. */
struct lxfw_slice lxfw_watch_value(const char *line, const char *key);

#endif
