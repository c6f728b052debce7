/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies in shared objects. */
#include "sim-frontend/script/script.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/module.h"
#include "sim-frontend/util/text.h"

/* Returns whether the module was compiled for this release. */
static int check(const struct lxfw_script *script,
		 const struct lxfw_policy_module *module, struct lxfw_error *error)
{
	if (module->abi != LXFW_POLICY_MODULE_ABI)
		return lxfw_error_at(error, script->path, 0, "interface %u of policies, "
				     "expected %u: compile it with this release's headers",
				     (unsigned)module->abi,
				     (unsigned)LXFW_POLICY_MODULE_ABI);
	if (module->policy_size != sizeof(struct lxfw_policy_type) ||
	    module->sched_size != sizeof(struct lxfw_sched) ||
	    module->job_size != sizeof(struct lxfw_job) ||
	    module->class_size != sizeof(struct lxfw_class))
		return lxfw_error_at(error, script->path, 0, "books of another release, "
				     "expected those of this one: compile it with this "
				     "release's headers");
	if (module->policy.traits || module->policy.keys || module->policy.code)
		return lxfw_error_at(error, script->path, 0, "code, keys or traits are "
				     "set, expected 0: a policy from a file has none");
	return 0;
}

int lxfw_script_module(struct lxfw_script *script, struct lxfw_error *error)
{
	const struct lxfw_policy_module *module;
	char *path = realpath(script->path, NULL);

	if (!path)
		return lxfw_error_system(error, script->path);
	/* RTLD_NOW reports undefined symbols before the module is used. */
	script->module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	if (!script->module)
		return lxfw_error_at(error, script->path, 0, "cannot be loaded (%s), "
				     "expected a shared object", dlerror());
	module = dlsym(script->module, "lxfw_policy_module");
	if (!module)
		return lxfw_error_at(error, script->path, 0, "no symbol "
				     "lxfw_policy_module, expected one (see "
				     "common/policy/module.h)");
	if (check(script, module, error))
		return -1;
	script->policy = module->policy;
	return 0;
}
