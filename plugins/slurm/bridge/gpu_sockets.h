/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sockets of a node that GPUs are on (common/model/sockets.h), by Cores= of gres.conf. */
#ifndef LXFW_BRIDGE_GPU_SOCKETS_H
#define LXFW_BRIDGE_GPU_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/slurm/compat/compat.h"

static inline bool lxfw_gres_is_gpu(const gres_state_t *gres)
{
	return gres->gres_name && strcmp(gres->gres_name, "gpu") == 0;
}

/* Returns the GPUs of a node by socket, or if UNALLOCATED is set, those of them that are not
   allocated to jobs. It is 0 if they are on one socket, if this is not known of one of them,
   or if they are of several types. */
uint32_t lxfw_gpu_sockets(const node_record_t *node, const gres_node_state_t *state,
			  bool unallocated);

/* Returns the sockets of those of GPUS, which are allocated on the node. It is 0 if the
   sockets of a GPU are not known. */
uint32_t lxfw_gpu_sockets_of(const node_record_t *node, const bitstr_t *gpus);

#endif
