/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users, groups and partitions of the pending and running jobs of the Slurm that runs, which
   a journal does not contain. */
#ifndef LXFW_PREDICT_OWNERS_H
#define LXFW_PREDICT_OWNERS_H

#include "common/util/error.h"
#include "common/util/id_map.h"
#include "sim-frontend/history/experience.h"

/* {0} is empty. */
struct lxfw_owners {
	struct lxfw_traits *list;	/* user, account (the group) and partition are set, see
					   lxfw_trait_of_name() */
	size_t count, size;
	struct lxfw_id_map by_id;	/* see squeue.h */
};

void lxfw_owners_clear(struct lxfw_owners *owners);

/* Adds a job. Returns 0, or -1 with errno ENOMEM. */
int lxfw_owners_add(struct lxfw_owners *owners, uint64_t id, const char *user, const char *group,
		    const char *partitions);

/* Takes the output of squeue. Returns 0, or -1 with errno ENOMEM. */
int lxfw_owners_take(struct lxfw_owners *owners, char *output);

/* Runs squeue. Returns 0, or -1 with errno and ERROR set. */
int lxfw_owners_read(struct lxfw_owners *owners, struct lxfw_error *error);

/* Sets user, account and partition of TRAITS if the job with ID is known. */
void lxfw_owners_complete(const struct lxfw_owners *owners, uint64_t id,
			  struct lxfw_traits *traits);

#endif
