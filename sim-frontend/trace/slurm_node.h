/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node in slurm.conf or in the output of a running Slurm, and the resources that
   jobs can use. */
#ifndef LXFW_TRACE_SLURM_NODE_H
#define LXFW_TRACE_SLURM_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/cluster.h"

struct lxfw_slurm_node {
	int64_t cpus, procs, boards, sockets, cores, threads;	/* 0: not given; CPUs
								   precedes Procs */
	int64_t sockets_per_board;
	int64_t told_sockets;			/* that slurmctld states; 0: it does not */
	int64_t memory_mb, reserved_mb, reserved_cores;
	struct lxfw_slice reserved_cpus;	/* CPUSpecList */
	int64_t gpu_cores;			/* RestrictedCoresPerGPU */
	int64_t weight;				/* LXFW_WEIGHT_USUAL if not given */
	struct lxfw_gres_range gres;
	bool future;				/* the node does not exist yet */
	bool down;				/* DOWN, or drained */
};

#define LXFW_SLURM_NODE_USUAL \
	((struct lxfw_slurm_node) { .weight = LXFW_WEIGHT_USUAL })

/* The largest value of the number at FIELD of the node. */
static inline int64_t lxfw_slurm_node_most(const struct lxfw_slurm_node *node,
					   const int64_t *field)
{
	return field == &node->weight ? UINT32_MAX : INT32_MAX;
}

/* Returns whether a node in this state of a slurm.conf runs no jobs: DOWN, DRAIN, FAIL. */
bool lxfw_slurm_node_is_down(struct lxfw_slice state);

/*
 * Parses Gres=NAME[:TYPE][:no_consume]:COUNT[K|M|G](...),... and replaces the node's
 * GRES. Returns 0, or -1 with errno and WRONG set.
 */
int lxfw_slurm_node_gres(struct lxfw_slurm_node *node,
			 struct lxfw_cluster *cluster, struct lxfw_slice text,
			 struct lxfw_error *wrong);

/*
 * Appends a host NAME with the node's weight, and its processors and memory without those
 * that Slurm reserves for the system. The processors are those of slurmctld: CPUs, or all
 * threads if CPUs is not given or matches neither sockets, cores nor threads. Returns 0, or
 * -1 with errno and WRONG set.
 */
int lxfw_slurm_node_add(const struct lxfw_slurm_node *node, const char *name,
			struct lxfw_cluster *cluster, struct lxfw_error *wrong);

#endif
