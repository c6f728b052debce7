/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User-defined policies from files. FILE.lua defines an order of waiting jobs (see
 * lxfw-simulate(1)), FILE.formula a job_sort_formula of OpenPBS, FILE.so a complete struct
 * lxfw_policy_type (common/policy/module.h). The policy library receives the resulting
 * policy.
 *
 * The same file always makes the same decisions. A script has no access to clocks or
 * files, random numbers have a fixed seed, and each simulation runs the script in a
 * separate state.
 */
#ifndef LXFW_SCRIPT_SCRIPT_H
#define LXFW_SCRIPT_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "common/params/policy.h"
#include "common/util/error.h"
#include "common/util/formula.h"

struct lxfw_script {
	struct lxfw_policy_type policy;		/* must be the first member */
	uint8_t digest[LXFW_DIGEST_SIZE];	/* SHA-256 of the file */
	char *path;
	char *source;				/* of FILE.lua and FILE.formula */
	size_t length;
	char preset[64];			/* of these; `policy` refers to it */
	struct lxfw_formula *formula;
	void *module;				/* of FILE.so */
};

/* Reads PATH, whose name ends in .lua, .formula or .so. Returns NULL with errno and ERROR set on
   failure: "PATH:LINE: what is wrong, expected what". */
struct lxfw_script *lxfw_script_load(const char *path, struct lxfw_error *error);

/* Makes a policy of TEXT, which is that of a FILE.formula. PATH is its name in messages. */
struct lxfw_script *lxfw_script_of_formula(const char *path, const char *text,
					   struct lxfw_error *error);

/* Returns a name in the formula whose value is 0 for all jobs, since the simulator does not
   know it; NULL if there is none, or no formula. */
const char *lxfw_script_unknown(const struct lxfw_script *script);

/* SCRIPT may be NULL. Schedulers with its parameters must have been destroyed. */
void lxfw_script_free(struct lxfw_script *script);

/* Sets *PARAMS to the preset of the policy, changed by the lxfw_* keys of TEXT, which
   may be NULL. SCRIPT must outlive PARAMS. Returns 0, or -1 with errno EINVAL and
   ERROR set. */
int lxfw_script_params(const struct lxfw_script *script, const char *text,
		       struct lxfw_params *params, struct lxfw_error *error);

/* Sets the policy of PARAMS, which come from a journal, according to their digest.
   SCRIPT is NULL if there is no file. Returns 0, or -1 with errno EINVAL and ERROR set
   if the policy is from a file and SCRIPT is not that file, or if SCRIPT is given and the
   policy is not from a file. */
int lxfw_script_resolve(const struct lxfw_script *script, struct lxfw_params *params,
			struct lxfw_error *error);

/* Private: makes `policy` from `path` and `source`. Returns 0, or -1 with errno and
   ERROR set. */
int lxfw_script_lua(struct lxfw_script *script, struct lxfw_error *error);
int lxfw_script_formula(struct lxfw_script *script, struct lxfw_error *error);
int lxfw_script_module(struct lxfw_script *script, struct lxfw_error *error);

#endif
