/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether nodes have got other available features since the last look. Slurm notes no time
   of such a change apart from that of all other changes of nodes. */
#ifndef LXFW_BRIDGE_FEATURES_H
#define LXFW_BRIDGE_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

#include "plugins/slurm/compat/compat.h"

struct lxfw_feature {
	char *name;
	bitstr_t *nodes;	/* that have it; or NULL */
};

struct lxfw_features {
	struct lxfw_feature *feature;
	size_t count, size;
};

/* Compares with Slurm's list, which is then noted. Returns true if it has changed, or if
   memory runs out. Call with the lock of the nodes. */
bool lxfw_features_changed(struct lxfw_features *features);
void lxfw_features_clear(struct lxfw_features *features);

#endif
