/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster: hosts with processors, memory and GRES, and partitions. A description is one
 * of the following:
 *
 *   procs=N      one host of N processors without a memory limit;
 *   ncsa-o2k     or another name of a description that is shipped (shipped.h);
 *   a text file  one group of hosts per line:
 *                  NAMES [count=N] procs=N [memory=SIZE] [weight=N]
 *                    [gpu-sockets=N+N...] [EXTRA=N ...]
 *                NAMES as in "n[001-128]"; with count the hosts are NAME0,
 *                NAME1 ... SIZE is in MB or has a suffix K, M, G or T;
 *                memory is given on every line or on none. '#' begins a comment.
 *                Partitions follow the hosts:
 *                  partition=NAME nodes=NAMES [tier=N] [max-time=D]
 *                    [default-time=D] [min-nodes=N] [max-nodes=N]
 *                    [max-cpus-per-node=N] [exclusive=1]
 *   slurm.conf   its NodeName, PartitionName, NodeSet and DownNodes lines, DEFAULT
 *                values, continued lines and Include; SelectType and some others; of the
 *                gres.conf in the same directory, on which sockets GPUs are;
 *   nodes        the output of `scontrol show node`, also with --oneliner or
 *                --json, or the response of slurmrestd to /slurm/vX/nodes;
 *                optionally followed by the output of `scontrol show partition`
 *                or the response to /slurm/vX/partitions;
 *   pbs          the output of `qmgr -c 'print node @default'` of OpenPBS, with that of
 *                `print server` for the queues, which are partitions; or the directory
 *                of a pbs_snapshot.
 *
 * The kind of a file is detected from its first lines with content. A slurm.conf begins
 * with KEY=VALUE or Include, a file of OpenPBS with a command of qmgr. Nodes begin with '{', or with NodeName= and CPUAlloc= on
 * that line or the next.
 */
#ifndef LXFW_TRACE_CLUSTER_H
#define LXFW_TRACE_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/event.h"
#include "common/model/resources.h"
#include "common/util/error.h"
#include "sim-frontend/trace/cluster_gres.h"
#include "sim-frontend/trace/cluster_kinds.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/partitions.h"

struct lxfw_cluster_host {
	struct lxfw_resources total;
	int64_t weight;			/* that of Slurm less LXFW_WEIGHT_USUAL */
	struct lxfw_gres_range gres;	/* see cluster_gres.h */
	int32_t gpu_procs;		/* processors kept for jobs with GPUs, for each GPU
					   (RestrictedCoresPerGPU) */
	uint32_t sockets;		/* its GPUs by socket (common/model/sockets.h) */
	int32_t socket_cores;		/* of each socket, in a slurm.conf; 0: not given */
	int32_t socket_count;		/* 0: unknown, as many as processors */
};

/* Slurm's Weight of a node that is given none; 0 is lighter. */
#define LXFW_WEIGHT_USUAL 1

/* A partition, or the part of one or of the cluster whose hosts have a GRES. */
struct lxfw_cluster_set {
	char *name;			/* of a part: that of the GRES */
	int32_t *hosts;			/* in ascending order */
	int32_t count;
	struct lxfw_cluster_kinds kinds;
	struct lxfw_partition rules;
	int8_t cap;			/* 1 + the extra of its processors on a host, which
					   MaxCPUsPerNode or MaxCPUsPerSocket limits; 0: none */
	bool is_part;			/* parts follow the partitions */
	int32_t partition;		/* of a part: -1 = of the cluster */
	int32_t gres;			/* of a part: the name */
};

/* A reservation: only its own jobs may use the hosts (reservations.h). */
struct lxfw_cluster_block {
	char *name;
	int64_t start, end;		/* seconds, on the time scale of the log */
	struct lxfw_share *shares;	/* in ascending order of hosts */
	int32_t count;
};

/* A license of a slurm.conf (cluster_licenses.h). */
struct lxfw_cluster_license {
	char *host;			/* name of its pool, "license:NAME" */
	int32_t total;
};

/* From `time` on, jobs can use PROCS processors of the host. */
struct lxfw_cluster_change {
	int64_t time;
	int32_t host, procs;
};

struct lxfw_cluster {
	struct lxfw_cluster_host *hosts;
	int32_t count;
	size_t size;
	struct lxfw_names names;	/* of the hosts, in the same order */
	struct lxfw_cluster_set *sets;	/* partitions, and parts of them */
	int32_t set_count;
	size_t sets_size;
	struct lxfw_cluster_block *blocks;	/* empty unless reservations are read */
	size_t block_count, block_size;
	struct lxfw_cluster_change *changes;	/* in order of time; empty unless
						   outages are simulated */
	size_t change_count, changes_size;
	struct lxfw_cluster_license *licenses;
	int32_t license_count;
	size_t licenses_size;
	struct lxfw_cluster_kinds kinds;	/* of all hosts */
	struct lxfw_gres_table gres;
	char *extras[LXFW_EXTRAS_MAX];	/* names of the extras; that of a partition's
					   processors has a blank */
	int extra_count;
	uint8_t gpus;			/* mask of the extras that are GPUs */
	int8_t open;			/* 1 + the extra of the processors that are not kept
					   for jobs with GPUs; 0: none are kept */
	int32_t gpu_procs;		/* the fewest of the hosts that keep any */
	int extras_left_out;		/* number of GRES that have no extra */
	int caps_left_out;		/* number of partitions with such a limit that has no
					   extra */
	char **notes;			/* facts to report to the user, without a file name */
	size_t note_count, notes_size;
	struct lxfw_names down;		/* nodes of a slurm.conf that are DOWN or drained,
					   which are not hosts */
	bool memory_bound;		/* false: memory is ignored */
	bool any_hosts;			/* set by the caller: ignore how many hosts the
					   jobs of a log had */
	bool with_down;			/* set by the caller: nodes of a slurm.conf that
					   are DOWN or drained are hosts, and those in state
					   FUTURE whose memory is known */
	bool controller;		/* of a slurm.conf that names its controller or
					   cluster: it is complete, and what it does not
					   have has Slurm's default */
	char *parameters;		/* SchedulerParameters of slurm.conf */
	char *scheduler;		/* SchedulerType of slurm.conf */
	char *priority_type;		/* PriorityType of slurm.conf */
	char *preempt_type;		/* PreemptType of slurm.conf */
	const char *closest;		/* the policy closest to the scheduler of a
					   pbs_snapshot; NULL: unknown */
	const char *closest_to;		/* that scheduler, in words */
	int64_t procs;			/* sum over all hosts */
};

/* Returns the number of GPUs in an amount of extras. Those of a type are also counted as
   GPUs of any type. */
static inline int32_t lxfw_cluster_gpus_in(const struct lxfw_cluster *cluster,
					   const struct lxfw_resources *amount)
{
	int32_t most = 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (cluster->gpus >> i & 1 && amount->extras[i] > most)
			most = amount->extras[i];
	}
	return most;
}

/* Reads a description: procs=N, the name of a shipped description, or the path of a
   file. Returns 0, or -1 with errno and ERROR set and *CLUSTER empty. */
int lxfw_cluster_read(struct lxfw_cluster *cluster, const char *description,
		      struct lxfw_error *error);

/* Makes a cluster of one host, h0, with PROCS processors and no memory limit. */
int lxfw_cluster_procs(struct lxfw_cluster *cluster, int32_t procs,
		       struct lxfw_error *error);

void lxfw_cluster_clear(struct lxfw_cluster *cluster);

/* Fills EVENT, of type LXFW_EVENT_HOST, with the present state of HOST, or of the license
   HOST - cluster->count. */
void lxfw_cluster_host_event(const struct lxfw_cluster *cluster, int32_t host,
			     struct lxfw_event *event);

/* Makes EVENT one of the name of extra *NEXT or a later one, for the readers of a journal, at the
   time that it has, and sets *NEXT behind it. Returns false if there is none: the extras of
   partitions have no names. */
bool lxfw_cluster_extra_event(const struct lxfw_cluster *cluster, int32_t *next,
			      struct lxfw_event *event);

/* Fills EVENT with the change at INDEX. */
void lxfw_cluster_change_event(const struct lxfw_cluster *cluster, size_t index,
			       struct lxfw_event *event);


const char *lxfw_cluster_host_name(const struct lxfw_cluster *cluster,
				   int32_t host);

/* Returns the index of the host or partition NAME, or -1. A part is not a partition. */
int32_t lxfw_cluster_find(const struct lxfw_cluster *cluster, const char *name);
int32_t lxfw_cluster_find_set(const struct lxfw_cluster *cluster,
			      const char *name, size_t length);

/*
 * Appends a host of the default weight; for the readers. Returns 0, or -1 with errno and
 * ERROR set (without a file name). errno is EINVAL if the host exists or there are too many
 * hosts.
 */
int lxfw_cluster_add(struct lxfw_cluster *cluster, const char *name,
		     const struct lxfw_resources *total,
		     struct lxfw_error *error);

/* Adds a sentence to the notes. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_note(struct lxfw_cluster *cluster, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Converts "64G" to MB, rounded down. Suffixes are K, M, G and T; the default is MB.
   Returns 0, or -1 with errno EINVAL or ERANGE. */
int lxfw_cluster_memory(const char *text, size_t length, int64_t *memory_mb);

/* Fills EVENT with the reservation at INDEX. The time of EVENT must be set. */
struct lxfw_event;
void lxfw_cluster_block_event(const struct lxfw_cluster *cluster, size_t index,
			      struct lxfw_event *event);

struct lxfw_input;
struct lxfw_output;

/* Writes CLUSTER as lines of a slurm.conf. FROM is the source, which a comment states.
   Returns 0, or -1 with errno ENOMEM. */
int lxfw_cluster_write(const struct lxfw_cluster *cluster, const char *from,
		       struct lxfw_output *output);

/* Reads nodes and partitions from the beginning of INPUT. *CLUSTER is {0} or the
   result of an earlier call. The caller must settle it (cluster_extras.h). Returns 0, or -1
   with errno and ERROR set; the caller must then clear *CLUSTER. */
int lxfw_cluster_read_nodes(struct lxfw_cluster *cluster,
			    struct lxfw_input *input, struct lxfw_error *error);

/* Readers of text descriptions and of slurm.conf. PATH is used for messages and
   included files. The caller must settle the cluster. */
int lxfw_cluster_read_text(struct lxfw_cluster *cluster, const char *path,
			   struct lxfw_error *error);
int lxfw_cluster_read_slurm(struct lxfw_cluster *cluster, const char *path,
			    struct lxfw_error *error);

/* Reads from a gres.conf on which sockets the GPUs of the hosts of a slurm.conf are: where
   Cores of each GPU are those of one socket, all GPUs are of one type, and Sockets and
   CoresPerSocket of the node are given. The second function reads the one in the folder of
   the slurm.conf PATH, if there is one. Return as above. */
int lxfw_cluster_read_gres(struct lxfw_cluster *cluster, const char *path,
			   struct lxfw_error *error);
int lxfw_cluster_read_gres_beside(struct lxfw_cluster *cluster, const char *path,
				  struct lxfw_error *error);

/* Reader of the commands of qmgr, and of the directory of a pbs_snapshot (pbs_folder.h). */
int lxfw_cluster_read_pbs(struct lxfw_cluster *cluster, const char *path,
			  struct lxfw_error *error);

#endif
