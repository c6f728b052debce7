/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weight of a node for the library: nodes of a lower weight are used first; and the
   time that a node takes to boot. */
#ifndef LXFW_BRIDGE_WEIGHT_H
#define LXFW_BRIDGE_WEIGHT_H

#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

/* Slurm's Weight of a node that has none in slurm.conf, 0 to the library. */
#define LXFW_WEIGHT_USUAL 1

/* Added to the weight of a node that is booting, and of one that a job would boot. Both
   exceed any Weight, which has 32 bits. */
#define LXFW_WEIGHT_BOOTING (INT64_C(1) << 33)
#define LXFW_WEIGHT_ASLEEP (INT64_C(1) << 34)

/* Added for a node that is asleep or booting, if it did not boot when it was tried last. */
#define LXFW_WEIGHT_FAILED (INT64_C(1) << 35)

/* Slurm too uses nodes that are powered down only if those that are up are not
   sufficient. */
static inline int64_t lxfw_node_weight(const node_record_t *node)
{
	int64_t weight = (int64_t)node->config_ptr->weight - LXFW_WEIGHT_USUAL;

	if (IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_DOWN(node))
		weight += LXFW_WEIGHT_ASLEEP;
	else if (IS_NODE_POWERING_UP(node))
		weight += LXFW_WEIGHT_BOOTING;
	return weight;
}

/* Returns the seconds within which a node that is powered down, or down in a moment, must
   be up (ResumeTimeout). */
static inline int64_t lxfw_node_resume(const node_record_t *node)
{
	return node->resume_timeout < NO_VAL16 ? node->resume_timeout :
						 slurm_conf.resume_timeout;
}

/* Returns the seconds until a job that starts on the node now runs there at the latest. */
static inline int64_t lxfw_node_boot(const node_record_t *node)
{
	int64_t suspend = node->suspend_timeout < NO_VAL16 ?
		node->suspend_timeout : slurm_conf.suspend_timeout;

	if (IS_NODE_POWERING_DOWN(node))
		return suspend + lxfw_node_resume(node);
	return IS_NODE_POWERED_DOWN(node) ? lxfw_node_resume(node) : 0;
}

#endif
