/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles of a workload of Batsim: what its jobs do. Two kinds state a time: a delay, and a
 * sequence of others that all do, repeated some times. The time of the other kinds, such as
 * parallel tasks, depends on the machine and on other jobs.
 *
 * Batsim has changed the names of the types: "delay" and "DelayProfile"; "composed",
 * "sequential_composition" and "SequentialCompositionProfile".
 */
#ifndef LXFW_TRACE_BATSIM_PROFILES_H
#define LXFW_TRACE_BATSIM_PROFILES_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/trace/names.h"

struct lxfw_batsim_profile;

/* {0} has none. */
struct lxfw_batsim_profiles {
	struct lxfw_names names;
	struct lxfw_batsim_profile *profiles;	/* in the order of the names */
	size_t size;
	int32_t *parts;				/* of sequences, one after another */
	size_t part_count, parts_size;
	struct lxfw_names types;		/* those that state no time */
};

/* Returns the index of a profile, which may be defined later, or -1 with errno ENOMEM. */
int32_t lxfw_batsim_profile(struct lxfw_batsim_profiles *profiles, struct lxfw_slice name);

/* Reads definitions, the members of an object whose '{' is consumed. PATH is that of the file.
   Returns 0, or -1 with errno and ERROR set. */
int lxfw_batsim_profiles_read(struct lxfw_batsim_profiles *profiles,
			      struct lxfw_json_stream *stream, const char *path,
			      struct lxfw_error *error);

/* Sets *RUN to the run time of a job, in whole seconds, rounded up. Returns NULL, or TEXT with the
   reason why it has none. Call after all definitions were read. */
const char *lxfw_batsim_profile_run(struct lxfw_batsim_profiles *profiles, int32_t profile,
				    int64_t *run, char *text, size_t size);

void lxfw_batsim_profiles_clear(struct lxfw_batsim_profiles *profiles);

#endif
