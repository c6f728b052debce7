/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine: hosts with processors, memory and extras, and partitions.
 * Described by
 *
 *   procs=N      one host of N processors without a memory bound;
 *   ncsa-o2k     or another name of a machine that is shipped (shipped.h);
 *   a text file  one group of hosts a line:
 *                  NAMES [count=N] procs=N [memory=SIZE] [EXTRA=N ...]
 *                NAMES as in "n[001-128]"; with count the hosts are NAME0,
 *                NAME1 ... SIZE is in MB or has one of K, M, G, T behind it;
 *                memory stands on every line or on none. '#' begins a comment.
 *                Behind the hosts, partitions:
 *                  partition=NAME nodes=NAMES [tier=N] [max-time=D]
 *                    [default-time=D] [min-nodes=N] [max-nodes=N] [exclusive=1]
 *   slurm.conf   its NodeName, PartitionName and NodeSet lines, DEFAULT values,
 *                continued lines, Include; other keys are passed over;
 *   nodes        what `scontrol show node` prints, with --oneliner or --json too,
 *                or slurmrestd answers to /slurm/vX/nodes; behind it may be what
 *                `scontrol show partition` prints, or the answer to
 *                /slurm/vX/partitions.
 *
 * The kinds of files are told apart by their first lines with content: slurm.conf
 * begins with KEY=VALUE or Include, nodes with NodeName= and CPUAlloc= on that line or
 * the next, or with '{'.
 */
#ifndef LXFW_TRACE_CLUSTER_H
#define LXFW_TRACE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/event.h"
#include "common/model/resources.h"
#include "common/util/error.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/partitions.h"

struct lxfw_cluster_host {
	struct lxfw_resources total;
};

struct lxfw_cluster_set {
	char *name;
	int32_t *hosts;			/* ascending */
	int32_t count;
	struct lxfw_partition rules;
};

/* A reservation: hosts that are not to be used but by its jobs (reservations.h). */
struct lxfw_cluster_block {
	char *name;
	int64_t start, end;		/* s, in the time of the log */
	struct lxfw_share *shares;	/* ascending by host */
	int32_t count;
};

/* From `time` on jobs can use so many processors of the host. */
struct lxfw_cluster_change {
	int64_t time;
	int32_t host, procs;
};

struct lxfw_cluster {
	struct lxfw_cluster_host *hosts;
	int32_t count;
	size_t size;
	struct lxfw_names names;	/* of the hosts, in their order */
	struct lxfw_cluster_set *sets;	/* partitions */
	int32_t set_count;
	size_t sets_size;
	struct lxfw_cluster_block *blocks;	/* none unless they are read */
	size_t block_count, block_size;
	struct lxfw_cluster_change *changes;	/* by time; none unless outages are
						   simulated */
	size_t change_count, changes_size;
	char *extras[LXFW_EXTRAS_MAX];	/* what each extra is called */
	int extra_count;
	int extras_left_out;		/* kinds beyond LXFW_EXTRAS_MAX */
	bool memory_bound;		/* false: memory is not looked at */
	bool any_hosts;			/* given: on how many hosts the jobs of a log
					   were is not looked at */
	char *parameters;		/* SchedulerParameters of a slurm.conf */
	char *scheduler;		/* its SchedulerType */
	int64_t procs;			/* of all hosts */
};

/* DESCRIPTION is procs=N, the name of a shipped machine, or a file's path. 0, or -1 with errno and ERROR set
   and *CLUSTER empty. */
int lxfw_cluster_read(struct lxfw_cluster *cluster, const char *description,
		      struct lxfw_error *error);

/* One host called h0 of so many processors, no memory bound. */
int lxfw_cluster_procs(struct lxfw_cluster *cluster, int32_t procs,
		       struct lxfw_error *error);

void lxfw_cluster_clear(struct lxfw_cluster *cluster);

/* The change as an event of its time. */
void lxfw_cluster_change_event(const struct lxfw_cluster *cluster, size_t index,
			       struct lxfw_event *event);


const char *lxfw_cluster_host_name(const struct lxfw_cluster *cluster,
				   int32_t host);

/* The index of a host or partition by its name; -1 if there is none. */
int32_t lxfw_cluster_find(const struct lxfw_cluster *cluster, const char *name);
int32_t lxfw_cluster_find_set(const struct lxfw_cluster *cluster,
			      const char *name, size_t length);

/*
 * For the readers: append a host. 0, or -1 with errno and ERROR set (without a
 * file's name): EINVAL for a host that exists or too many.
 */
int lxfw_cluster_add(struct lxfw_cluster *cluster, const char *name,
		     const struct lxfw_resources *total,
		     struct lxfw_error *error);

/* The index of an extra by its name, which is added where it is new; -1 with
   errno ENOSPC when there are LXFW_EXTRAS_MAX others, or ENOMEM. */
int lxfw_cluster_extra(struct lxfw_cluster *cluster, const char *name,
		       size_t length);

/*
 * Add COUNT of an extra to AMOUNTS, LXFW_EXTRAS_MAX of them. One of a type, "gpu:a100",
 * is also one of its kind, "gpu": AMOUNTS of the kind are those of all its types and
 * of those without a type. 0, or -1 with errno ENOSPC when there is no room for
 * another extra (the kind counts all the same if there was for it), or ENOMEM.
 */
int lxfw_cluster_add_extra(struct lxfw_cluster *cluster, const char *name,
			   size_t length, int32_t count, int32_t *amounts);

/* "64G" in MB, rounded down; K, M, G, T or MB. 0, or -1 with errno EINVAL or
   ERANGE. */
int lxfw_cluster_memory(const char *text, size_t length, int64_t *memory_mb);

/* The reservation at INDEX as an event of the time that EVENT has. */
struct lxfw_event;
void lxfw_cluster_block_event(const struct lxfw_cluster *cluster, size_t index,
			      struct lxfw_event *event);

struct lxfw_input;
struct lxfw_output;

/* Write CLUSTER as lines of a slurm.conf; FROM tells in a comment where it is from. 0,
   or -1 with errno ENOMEM. */
int lxfw_cluster_write(const struct lxfw_cluster *cluster, const char *from,
		       struct lxfw_output *output);

/* The reader of nodes and partitions, from the beginning of INPUT; *CLUSTER is {0} or
   has what an earlier call read. 0, or -1 with errno and ERROR set; then it is to be
   cleared. */
int lxfw_cluster_read_nodes(struct lxfw_cluster *cluster,
			    struct lxfw_input *input, struct lxfw_error *error);

/* Readers of the two other files; PATH is for messages and includes. */
int lxfw_cluster_read_text(struct lxfw_cluster *cluster, const char *path,
			   struct lxfw_error *error);
int lxfw_cluster_read_slurm(struct lxfw_cluster *cluster, const char *path,
			    struct lxfw_error *error);

#endif
