/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a journal of a Slurm that another scheduler schedules, as the plugin does in a trial
 * (lxfw_shadow=on). What ordinary users may ask is sufficient (texts.h).
 */
#ifndef LXFW_WATCH_WATCH_H
#define LXFW_WATCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/params.h"
#include "common/util/error.h"
#include "sim-frontend/predict/owners.h"
#include "sim-frontend/watch/texts.h"

struct lxfw_watch;

/* PARAMS are those of the decisions that are recorded, with shadow mode on; JOURNAL is the path.
   NOTE is called with what the user must know, about the journal above all. Returns NULL with
   errno ENOMEM. */
struct lxfw_watch *lxfw_watch_open(const struct lxfw_params *params, const char *journal,
				   void (*note)(const char *text));
void lxfw_watch_close(struct lxfw_watch *watch);

/* The parameters that come closest to sched/backfill. */
void lxfw_watch_usual(struct lxfw_params *params);

/* Whether the decisions of the policy are of use if they are not carried out. */
bool lxfw_watch_permits(const struct lxfw_params *params);

/* Takes TEXTS of time NOW, and empties *TEXTS. Records what has changed, and decides. Returns 0,
   or -1 with errno and ERROR set. */
int lxfw_watch_look(struct lxfw_watch *watch, struct lxfw_watch_texts *texts, int64_t now,
		    struct lxfw_error *error);

/* Calls NOTE with what a user must know of the last look to judge expected starts: hosts that must
   boot, jobs that preempt others, advance reservations that are not shown. */
void lxfw_watch_tell(const struct lxfw_watch *watch, void (*note)(const char *text));

/* Whether the journal is written. */
bool lxfw_watch_records(const struct lxfw_watch *watch);

/* Hosts of jobs that might be submitted: the most of them, and the size of their texts. */
#define LXFW_WATCH_WANTED 64
#define LXFW_WATCH_FEATURES 64
#define LXFW_WATCH_HOSTS 128

struct lxfw_watch_wanted {
	char features[LXFW_WATCH_FEATURES];	/* "a&b" or "a|b" */
	char required[LXFW_WATCH_HOSTS];	/* it has these, and no others: "n1,n[3-5]" */
	char excluded[LXFW_WATCH_HOSTS];	/* it has none of these */
};

/* Before a look: it also makes the sets of the hosts that are WANTED. Returns their index, or -1 if
   there are too many. */
int lxfw_watch_want(struct lxfw_watch *watch, const struct lxfw_watch_wanted *wanted);

/* Whether both are the same. */
bool lxfw_watch_wants_same(const struct lxfw_watch_wanted *one,
			   const struct lxfw_watch_wanted *other);

/* Size of a list of names, such as the groups that a partition allows. */
#define LXFW_WATCH_NAMES 256

/* What a partition permits each job. */
struct lxfw_watch_limits {
	int64_t min_nodes, max_nodes;	/* 0: no bound */
	int64_t cpus, memory;		/* the most on a node, MB; 0: no bound */
	/* "a,b": of groups, accounts and QOS; "": all, or more than are kept. */
	char groups[LXFW_WATCH_NAMES], accounts[LXFW_WATCH_NAMES], qos[LXFW_WATCH_NAMES];
	char no_accounts[LXFW_WATCH_NAMES], no_qos[LXFW_WATCH_NAMES];	/* not permitted */
};

/* A partition, for jobs that might be submitted to it. */
struct lxfw_watch_partition {
	char name[64];
	char why_closed[16];	/* "State=DRAIN", "RootOnly=YES"; "": it is open */
	struct lxfw_watch_limits limits;
	int32_t set;		/* number of its hosts in the library */
	int32_t with[LXFW_WATCH_WANTED];	/* of those that are wanted; -1: it has none, or not
						   all that are required, or one that is named is
						   unknown */
	int32_t counts[LXFW_WATCH_WANTED];	/* how many they are */
	int32_t cap;		/* 1 + the extra that counts its processors on a host; 0: none does */
	int32_t tier;
	int32_t threads;	/* processors of a core of each host, the fewest */
	int32_t most_procs;	/* of its largest host */
	bool usual;		/* of jobs that name none */
	bool exclusive;		/* jobs have whole hosts */
	bool closed;		/* it takes or starts no new jobs */
	int64_t default_time, max_time;	/* seconds; 0: none */
	int64_t host_memory;	/* MB, the least of its hosts; 0: memory does not count */
	/* Of jobs that request none, MB; 0: none. */
	int64_t memory, memory_per_cpu;
	/* Of jobs with GPUs that state neither; MB; 0: none. */
	int64_t cpus_per_gpu, memory_per_gpu;
};

/* The partitions of the last look, valid until the next one. */
const struct lxfw_watch_partition *lxfw_watch_partitions(const struct lxfw_watch *watch,
							 size_t *count);

/* A kind of GRES of the nodes, or a type of a kind. */
struct lxfw_watch_gres {
	char name[40];		/* "gpu", "gpu:a100" */
	int extra;		/* that counts it in the library; -1: none does */
};

/* Sets *GRES, to be freed, to those of the last look. Returns 0, or -1 with errno ENOMEM. */
int lxfw_watch_gres(const struct lxfw_watch *watch, struct lxfw_watch_gres **gres, size_t *count);

/* Adds the owners of the jobs of the last look. Returns 0, or -1 with errno ENOMEM. */
int lxfw_watch_owners(const struct lxfw_watch *watch, struct lxfw_owners *owners);

/* Why a job waits, as Slurm says it: "Resources", "MaxMemPerLimit"; with the jobs on which it depends,
   "Dependency, afterok:12(unfulfilled)". */
struct lxfw_watch_said {
	uint64_t job;
	char text[80];		/* printable characters, cut if it is longer */
	int64_t planned;	/* the start that it plans for the job, in seconds; 0: none */
};

/* Sets *SAID, to be freed, to those of the jobs that wait in the last look, by the order of their
   numbers. Returns 0, or -1 with errno ENOMEM. */
int lxfw_watch_said(const struct lxfw_watch *watch, struct lxfw_watch_said **said, size_t *count);

/* By the order of their numbers. */
void lxfw_watch_said_sort(struct lxfw_watch_said *said, size_t count);

/* Returns the text of a job of a SAID in that order, or NULL. */
const char *lxfw_watch_said_of(const struct lxfw_watch_said *said, size_t count, uint64_t job);
/* Likewise the planned start, 0 if there is none, or -1 if the job is not among them. */
int64_t lxfw_watch_planned(const struct lxfw_watch_said *said, size_t count, uint64_t job);

/* Whether TEXT names no user, account or QOS, as some that Slurm composes do, so that it can be shown to
   all: it is the name of a reason, or of jobs or nodes. */
bool lxfw_watch_said_to_all(const char *text);

/* Says that jobs are missing in the last look, of which there were too many; NULL: none are. */
const char *lxfw_watch_missing(const struct lxfw_watch *watch);

/* Whether Slurm hides the jobs of others from this user (PrivateData). It shows all of them to operators: then
   they are of several users. */
bool lxfw_watch_hides_jobs(const struct lxfw_watch *watch);

/* Number of lines of scontrol and squeue that were left out in the last look. */
size_t lxfw_watch_bad_lines(const struct lxfw_watch *watch);

#endif
