/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports advance reservations and temporarily unusable nodes as blocks. */
#ifndef LXFW_BRIDGE_RESV_H
#define LXFW_BRIDGE_RESV_H

/* Operation of wlm.h. */
void lxfw_slurm_look_at_blocks(void *context);

#endif
