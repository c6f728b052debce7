/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advance reservations and nodes not to be had right now, as blocks. */
#ifndef LXFW_BRIDGE_RESV_H
#define LXFW_BRIDGE_RESV_H

struct lxfw_bridge;

void lxfw_blocks_sync(struct lxfw_bridge *bridge);

#endif
