/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the file of a policy, computes its digest and sets it in parameters. */
#include "sim-frontend/script/script.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/policy/registry.h"
#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/util/digest.h"
#include "sim-frontend/util/given.h"
#include "sim-frontend/util/text.h"

#ifdef LXFW_HAVE_SCRIPTS

static bool ends_in(const char *path, const char *suffix)
{
	size_t length = strlen(path), end = strlen(suffix);

	return length > end && strcmp(path + length - end, suffix) == 0;
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

typedef int make_fn(struct lxfw_script *script, struct lxfw_error *error);

/* Sets the members of SCRIPT, which takes BYTES, and makes its policy. */
static int make(struct lxfw_script *script, const char *path, struct lxfw_bytes *bytes,
		make_fn *make_policy, struct lxfw_error *error)
{
	script->source = (char *)bytes->bytes;
	script->length = bytes->length;
	script->path = strdup(path);
	if (!script->path)
		return out_of_memory(error);
	lxfw_sha256(bytes->bytes, bytes->length, script->digest);
	return make_policy(script, error);
}

/* Takes BYTES. */
static struct lxfw_script *make_script(const char *path, struct lxfw_bytes *bytes,
				       make_fn *make_policy, struct lxfw_error *error)
{
	struct lxfw_script *script = calloc(1, sizeof(*script));

	if (!script) {
		free(bytes->bytes);
		out_of_memory(error);
		return NULL;
	}
	if (make(script, path, bytes, make_policy, error)) {
		int saved = errno;

		lxfw_script_free(script);
		errno = saved;
		return NULL;
	}
	/* the remaining members are set by the code of the policy */
	script->policy.name = lxfw_policy_script.name;
	script->policy.code = lxfw_policy_script.code;
	script->policy.keys = lxfw_policy_script.keys;
	script->policy.traits = lxfw_policy_script.traits;
	return script;
}

struct lxfw_script *lxfw_script_load(const char *path, struct lxfw_error *error)
{
	make_fn *make_policy = ends_in(path, ".lua") ? lxfw_script_lua :
			       ends_in(path, ".formula") ? lxfw_script_formula :
			       ends_in(path, ".so") ? lxfw_script_module : NULL;
	struct lxfw_bytes bytes;

	if (!make_policy) {
		lxfw_error_at(error, path, 0, "no file of a policy, expected "
			      "FILE.lua, FILE.formula or FILE.so");
		return NULL;
	}
	if (lxfw_bytes_read(&bytes, path, error))
		return NULL;
	return make_script(path, &bytes, make_policy, error);
}

struct lxfw_script *lxfw_script_of_formula(const char *path, const char *text,
					   struct lxfw_error *error)
{
	struct lxfw_bytes bytes = { .length = strlen(text) };

	bytes.bytes = (void *)strdup(text);
	if (!bytes.bytes) {
		out_of_memory(error);
		return NULL;
	}
	return make_script(path, &bytes, lxfw_script_formula, error);
}

#else

struct lxfw_script *lxfw_script_load(const char *path, struct lxfw_error *error)
{
	lxfw_error_at(error, path, 0, "policies from files were left out when lxfw was "
		      "built: expected Lua 5.4 and libcrypto (Debian: liblua5.4-dev, "
		      "libssl-dev)");
	errno = ENOSYS;
	return NULL;
}

struct lxfw_script *lxfw_script_of_formula(const char *path, const char *text,
					   struct lxfw_error *error)
{
	(void)text;
	return lxfw_script_load(path, error);
}

#endif

void lxfw_script_free(struct lxfw_script *script)
{
	if (!script)
		return;
#ifdef LXFW_HAVE_SCRIPTS
	if (script->module)
		dlclose(script->module);
#endif
	lxfw_formula_free(script->formula);
	free(script->source);
	free(script->path);
	free(script);
}

/* Rejects parameters that the file also sets. */
static int check_reservations(const struct lxfw_script *script, const char *text,
			      struct lxfw_error *error)
{
	const struct lxfw_backfill *backfill = &script->policy.backfill;
	int length;

	if (backfill->reservations != 0 &&
	    lxfw_params_value(text, "lxfw_reservations", &length))
		return lxfw_error_format(error, "lxfw_reservations: not applicable, "
					 "%s fixes how many jobs have a reservation",
					 script->path);
	if (backfill->reservations == LXFW_NO_RESERVATIONS &&
	    lxfw_params_value(text, "lxfw_reservation_mode", &length))
		return lxfw_error_format(error, "lxfw_reservation_mode: not applicable, "
					 "%s reserves nothing", script->path);
	return 0;
}

int lxfw_script_params(const struct lxfw_script *script, const char *text,
		       struct lxfw_params *params, struct lxfw_error *error)
{
	int length;

	lxfw_params_preset(params, script->policy.code);
	memcpy(params->digest, script->digest, sizeof(params->digest));
	params->script = &script->policy;
	if (lxfw_params_value(text, "lxfw_policy", &length))
		return lxfw_error_format(error, "lxfw_policy beside --policy-file, "
					 "expected one of them");
	if (check_reservations(script, text, error))
		return -1;
	if (script->policy.preset &&
	    lxfw_params_value(script->policy.preset, "lxfw_policy", &length))
		return lxfw_error_format(error, "%s: the preset has lxfw_policy, expected "
					 "other keys", script->path);
	if (lxfw_given_parse(params, script->policy.preset, error) ||
	    lxfw_given_parse(params, text, error))
		return -1;
	return 0;
}

int lxfw_script_resolve(const struct lxfw_script *script, struct lxfw_params *params,
			struct lxfw_error *error)
{
	char name[LXFW_KEY_VALUE_SIZE] = "";

	bool from_file = lxfw_policy_has(params->policy, LXFW_TRAIT_SCRIPT);

	if (!from_file && !script)
		return 0;
	lxfw_key_print(lxfw_key_find("lxfw_policy", strlen("lxfw_policy")), params,
		       name);
	if (!from_file)
		return lxfw_error_format(error, "the policy is %s, not from a file, "
					 "expected no --policy-file", name);
	if (!script)
		return lxfw_error_format(error, "the policy is from a file, %s, "
					 "expected --policy-file with that file", name);
	if (memcmp(script->digest, params->digest, sizeof(params->digest)) != 0)
		return lxfw_error_format(error, "the policy is from another file than "
					 "%s, expected one with %s", script->path,
					 name);
	params->script = &script->policy;
	return 0;
}
