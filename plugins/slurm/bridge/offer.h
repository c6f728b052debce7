/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations of wlm.h for jobs that the library does not schedule. */
#ifndef LXFW_BRIDGE_OFFER_H
#define LXFW_BRIDGE_OFFER_H

#include <stdbool.h>
#include <stdint.h>

bool lxfw_slurm_has_offers(void *context);
bool lxfw_slurm_offer(void *context, uint64_t deadline_us);

#endif
