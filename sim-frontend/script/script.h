/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies of a user's own, from files: FILE.lua gives an order of waiting jobs
 * (lxfw-simulate(1) describes it), FILE.so a whole struct lxfw_policy_type
 * (common/policy/module.h). The policy library is handed what was made of them.
 *
 * The same file gives the same decisions: a script has no clock, no files and no random
 * numbers but those of a fixed seed, and each simulation runs it in a state of its own.
 */
#ifndef LXFW_SCRIPT_SCRIPT_H
#define LXFW_SCRIPT_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "common/params/policy.h"
#include "common/util/error.h"

struct lxfw_script {
	struct lxfw_policy_type policy;		/* the first member */
	uint8_t digest[LXFW_DIGEST_SIZE];	/* SHA-256 of the file */
	char *path;
	char *source;				/* of FILE.lua */
	size_t length;
	char preset[64];			/* of FILE.lua; `policy` points at it */
	void *module;				/* of FILE.so */
};

/* Read PATH, whose name ends in .lua or .so. NULL with errno and ERROR set:
   "PATH:LINE: what is wrong, expected what". */
struct lxfw_script *lxfw_script_load(const char *path, struct lxfw_error *error);

/* SCRIPT may be NULL. Nothing that has its parameters may be in use. */
void lxfw_script_free(struct lxfw_script *script);

/* The preset of the policy and on top of it the lxfw_* keys of TEXT, which may be NULL.
   PARAMS are good for as long as SCRIPT. 0, or -1 with errno EINVAL and ERROR set. */
int lxfw_script_params(const struct lxfw_script *script, const char *text,
		       struct lxfw_params *params, struct lxfw_error *error);

/* Give PARAMS, those of a journal, the policy that their digest names: 0, also where it
   is no policy from a file. SCRIPT, which may be NULL, is another file: -1 with errno
   EINVAL and ERROR set. */
int lxfw_script_resolve(const struct lxfw_script *script, struct lxfw_params *params,
			struct lxfw_error *error);

/* Private: make `policy` of `path` and `source`. 0, or -1 with errno and ERROR set. */
int lxfw_script_lua(struct lxfw_script *script, struct lxfw_error *error);
int lxfw_script_module(struct lxfw_script *script, struct lxfw_error *error);

#endif
