/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies in shared objects. */
#include "sim-frontend/script/script.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
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

/* Returns whether FILE, of SIZE bytes, contains all segments of its ELF header. A file
   that is no ELF file counts as complete: dlopen() reports it. */
static bool has_segments(FILE *file, long size)
{
	ElfW(Ehdr) header;
	ElfW(Phdr) segment;

	if (fread(&header, sizeof(header), 1, file) != 1 ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_phentsize != sizeof(segment))
		return true;
	if (header.e_phoff > (size_t)size ||
	    fseek(file, (long)header.e_phoff, SEEK_SET) != 0)
		return false;
	for (int i = 0; i < header.e_phnum; i++) {
		if (fread(&segment, sizeof(segment), 1, file) != 1 ||
		    segment.p_offset > (size_t)size ||
		    segment.p_filesz > (size_t)size - segment.p_offset)
			return false;
	}
	return true;
}

/* Returns whether the file is complete. The process would be killed by SIGBUS if dlopen()
   mapped a segment beyond the end of the file. */
static bool is_complete(const char *path)
{
	FILE *file = fopen(path, "rb");
	bool complete = true;
	long size;

	if (!file)
		return true;
	if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
	    fseek(file, 0, SEEK_SET) == 0)
		complete = has_segments(file, size);
	(void)fclose(file);
	return complete;
}

int lxfw_script_module(struct lxfw_script *script, struct lxfw_error *error)
{
	const struct lxfw_policy_module *module;
	char *path = realpath(script->path, NULL);

	if (!path)
		return lxfw_error_system(error, script->path);
	if (!is_complete(path)) {
		free(path);
		return lxfw_error_at(error, script->path, 0, "truncated, expected a "
				     "shared object");
	}
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
