/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the extras in a journal: "gpu:a100". */
#ifndef LXFW_TRACE_EXTRA_NAMES_H
#define LXFW_TRACE_EXTRA_NAMES_H

#include "common/model/event.h"

/* {0} is empty; release with lxfw_extra_names_clear(). */
struct lxfw_extra_names {
	char *name[LXFW_EXTRAS_MAX];	/* NULL: not recorded */
	uint8_t gpus;			/* mask of the extras that are GPUs */
};

void lxfw_extra_names_clear(struct lxfw_extra_names *names);

/* Takes an event; those of other types are ignored. Returns 0, or -1 with errno ENOMEM. */
int lxfw_extra_names_take(struct lxfw_extra_names *names, const struct lxfw_event *event);

#endif
