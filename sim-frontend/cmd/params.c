/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lxfw params: prints the table of keys and the presets of policies. */
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/util/json_out.h"

static const char help[] =
"\n"
"List the keys of parameters: what each of them is, its values, its default, and\n"
"the policies that it applies to; then the presets of the policies. With KEYs,\n"
"list only these. See lxfw-params(5).\n"
"\n"
"Options:\n"
"  --policy NAME        list only what applies to this policy, with its preset as\n"
"                       default\n"
"  --format table|json|csv\n"
"                       output format (default: table, one paragraph per key)\n"
"  --json               same as --format json\n"
"  -h, --help           print this help and exit\n"
"  --version            print the version and exit\n"
"\n"
"Examples:\n"
"  lxfw params --policy eqspatial\n"
"  lxfw params lxfw_reservations lxfw_quantum\n"
"\n"
"Exit status: 0 success; 2 invalid usage.\n";

enum { POLICY = LXFW_OPTION_FIRST };

static const struct option options[] = {
	{ "policy", required_argument, NULL, POLICY },
	LXFW_FORMAT_OPTIONS,
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, LXFW_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* Keys and policies to list. */
struct listing {
	enum lxfw_policy policy;	/* 0: all */
	bool wanted[LXFW_KEYS_MAX];	/* by index in lxfw_keys[] */
	bool some;			/* keys were given */
};

/* --- data of a key ---------------------------------------------------------------- */

static bool applies(const struct listing *listing, const struct lxfw_key *key,
		    int policy)
{
	enum lxfw_policy code = lxfw_policies[policy]->code;

	return (!listing->policy || code == listing->policy) &&
	       lxfw_key_means(key, code, NULL);
}

static bool is_listed(const struct listing *listing, const struct lxfw_key *key)
{
	return listing->wanted[key - lxfw_keys] &&
	       (!listing->policy || lxfw_key_means(key, listing->policy, NULL));
}

/* Returns the value of the key if a policy is given and the key is not, in TEXT of
   LXFW_KEY_VALUE_SIZE bytes. Returns false if there is none. */
static bool default_of(const struct lxfw_key *key, enum lxfw_policy policy, char *text)
{
	struct lxfw_params params;
	const char *word;

	if (key->kind == LXFW_KEY_POLICY) {
		lxfw_params_default(&params);
		return lxfw_key_print(key, &params, text) == 0;
	}
	if (key->field != LXFW_KEY_NO_FIELD) {
		lxfw_params_preset(&params, policy);
		return lxfw_key_print(key, &params, text) == 0;
	}
	switch (key->kind) {
	case LXFW_KEY_NUMBER:
		snprintf(text, LXFW_KEY_VALUE_SIZE, "%lld", (long long)key->preset);
		return key->preset >= key->min;
	case LXFW_KEY_CHOICE:
		word = key->words;
		for (int64_t i = 0; i < key->preset; i++)
			word = strchr(word, '|') + 1;
		snprintf(text, LXFW_KEY_VALUE_SIZE, "%.*s",
			 (int)strcspn(word, "|"), word);
		return true;
	default:
		return false;
	}
}

/* Returns whether the key has the same default for all policies to which it applies.
   TEXT is the default, empty if they have none. */
static bool same_default(const struct listing *listing, const struct lxfw_key *key,
			 char *text)
{
	char other[LXFW_KEY_VALUE_SIZE];
	bool first = true;

	*text = '\0';
	for (int i = 0; i < lxfw_policy_count; i++) {
		if (!applies(listing, key, i))
			continue;
		if (!default_of(key, lxfw_policies[i]->code, other))
			*other = '\0';
		if (!first && strcmp(text, other) != 0)
			return false;
		strcpy(text, other);
		first = false;
	}
	return true;
}

/* --- text --------------------------------------------------------------------------- */

static void print_default(const struct listing *listing, const struct lxfw_key *key)
{
	char text[LXFW_KEY_VALUE_SIZE];
	const char *between = " ";

	printf("    Default:");
	if (same_default(listing, key, text)) {
		printf(" %s\n", *text ? text : "none");
		return;
	}
	for (int i = 0; i < lxfw_policy_count; i++) {
		if (!applies(listing, key, i))
			continue;
		if (default_of(key, lxfw_policies[i]->code, text))
			printf("%s%s under %s", between, text, lxfw_policies[i]->name);
		between = ", ";
	}
	putchar('\n');
}

static void print_policies(const struct listing *listing, const struct lxfw_key *key)
{
	const char *between = " ";
	int count = 0;

	for (int i = 0; i < lxfw_policy_count; i++)
		count += applies(listing, key, i);
	printf("    Policies:");
	for (int i = 0; i < lxfw_policy_count && count < lxfw_policy_count; i++) {
		if (!applies(listing, key, i))
			continue;
		printf("%s%s", between, lxfw_policies[i]->name);
		between = ", ";
	}
	puts(count == lxfw_policy_count ? " all" : "");
}

static void print_key(const struct listing *listing, const struct lxfw_key *key)
{
	struct lxfw_error values = { .text = "" }, live = { .text = "" };

	lxfw_key_expected(key, &values);
	lxfw_key_live(key, &live);
	printf("%s\n    %c%s.\n    Values: %s", key->name,
	       key->help[0] - 'a' + 'A', key->help + 1, values.text);
	if (live.text[0])
		printf("; %s on a cluster", live.text);
	putchar('\n');
	print_default(listing, key);
	if (!listing->policy)
		print_policies(listing, key);
}

static void print_presets(const struct listing *listing)
{
	puts("Presets:");
	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];

		if (!listing->policy || policy->code == listing->policy)
			printf("    %-13s %s\n", policy->name, policy->preset ?
			       policy->preset : "the defaults");
	}
}

static void print(const struct listing *listing)
{
	for (int i = 0; i < lxfw_key_count; i++) {
		if (is_listed(listing, &lxfw_keys[i]))
			print_key(listing, &lxfw_keys[i]);
	}
	if (!listing->some)
		print_presets(listing);
}

/* --- JSON and CSV -------------------------------------------------------------------- */

/* Returns a number if TEXT is numeric, otherwise a string. */
static json_object *value_json(const char *text)
{
	char *end;
	double number = strtod(text, &end);

	if (*text == '\0' || *end != '\0')
		return json_object_new_string(text);
	return strpbrk(text, ".e") ? json_object_new_double_s(number, text) :
				     json_object_new_int64(strtoll(text, NULL, 10));
}

static void put_values(json_object *object, const struct lxfw_key *key, bool *failed)
{
	static const char *const kinds[] = {
		[LXFW_KEY_POLICY] = "policy", [LXFW_KEY_WEIGHT] = "weight",
		[LXFW_KEY_NUMBER] = "number", [LXFW_KEY_COUNT] = "count",
		[LXFW_KEY_CHOICE] = "choice", [LXFW_KEY_NAMES] = "names",
		[LXFW_KEY_PATH] = "path",
	};
	struct lxfw_error values = { .text = "" };

	lxfw_key_expected(key, &values);
	lxfw_json_put(object, "kind", json_object_new_string(kinds[key->kind]), failed);
	lxfw_json_put(object, "values", json_object_new_string(values.text), failed);
	if (key->max > 0) {
		lxfw_json_put(object, "minimum", json_object_new_int64(key->min), failed);
		lxfw_json_put(object, "maximum", json_object_new_int64(key->max), failed);
	}
	if (key->live_min > 0)
		lxfw_json_put(object, "minimum_on_cluster",
			      json_object_new_int64(key->live_min), failed);
	if (key->unit)
		lxfw_json_put(object, "unit", json_object_new_string(key->unit), failed);
}

static json_object *key_json(const struct listing *listing, const struct lxfw_key *key,
			     bool *failed)
{
	json_object *object = json_object_new_object();
	json_object *policies = json_object_new_array();
	json_object *defaults = json_object_new_object();
	char text[LXFW_KEY_VALUE_SIZE];

	lxfw_json_put(object, "key", json_object_new_string(key->name), failed);
	lxfw_json_put(object, "help", json_object_new_string(key->help), failed);
	put_values(object, key, failed);
	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];

		if (!applies(listing, key, i))
			continue;
		lxfw_json_append(policies, json_object_new_string(policy->name), failed);
		if (default_of(key, policy->code, text))
			lxfw_json_put(defaults, policy->name, value_json(text), failed);
	}
	if (same_default(listing, key, text) && *text)
		lxfw_json_put(object, "default", value_json(text), failed);
	lxfw_json_put(object, "policies", policies, failed);
	lxfw_json_put(object, "defaults", defaults, failed);
	return object;
}

static json_object *presets_json(const struct listing *listing, bool *failed)
{
	json_object *list = json_object_new_array();

	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];
		json_object *object;

		if (listing->policy && policy->code != listing->policy)
			continue;
		object = json_object_new_object();
		lxfw_json_put(object, "policy", json_object_new_string(policy->name), failed);
		lxfw_json_put(object, "preset", json_object_new_string(
				policy->preset ? policy->preset : ""), failed);
		lxfw_json_append(list, object, failed);
	}
	return list;
}

static int print_json(const struct listing *listing, enum lxfw_format format)
{
	json_object *top = json_object_new_object();
	json_object *keys = json_object_new_array();
	bool failed = false;

	for (int i = 0; i < lxfw_key_count; i++) {
		if (is_listed(listing, &lxfw_keys[i]))
			lxfw_json_append(keys, key_json(listing, &lxfw_keys[i], &failed),
					 &failed);
	}
	lxfw_json_put(top, "keys", keys, &failed);
	if (!listing->some)
		lxfw_json_put(top, "presets", presets_json(listing, &failed), &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, stdout);
}

/* --- the command ---------------------------------------------------------------------- */

/* Selects the given keys, or all. Returns 0, or the exit status after a message. */
static int take_keys(const struct lxfw_command *command, struct listing *listing,
		     char **names, int count)
{
	const char *why;

	listing->some = count > 0;
	for (int i = 0; i < lxfw_key_count; i++)
		listing->wanted[i] = count == 0;
	for (int i = 0; i < count; i++) {
		const struct lxfw_key *key = lxfw_key_find(names[i], strlen(names[i]));

		if (!key) {
			const char *meant = lxfw_params_nearest(names[i],
								(int)strlen(names[i]));

			return lxfw_cmd_misuse(command, "no key '%.60s', expected %s%s",
					       names[i], meant ? meant : "one of those "
					       "that 'lxfw params' lists", meant ? "?" : "");
		}
		if (listing->policy && !lxfw_key_means(key, listing->policy, &why))
			return lxfw_cmd_misuse(command, "%s: not applicable, "
				"policy %s%s", key->name,
				lxfw_policy_name(listing->policy), why);
		listing->wanted[key - lxfw_keys] = true;
	}
	return 0;
}

static int run(const struct lxfw_command *command, int argc, char **argv)
{
	enum lxfw_format format = LXFW_FORMAT_TABLE;
	struct listing listing = { 0 };
	struct lxfw_params params;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		status = lxfw_cmd_common(command, option);
		if (status >= 0)
			return status;
		if (option == POLICY) {
			if (lxfw_cmd_params(&params, optarg, NULL))
				return LXFW_EXIT_BAD;
			listing.policy = params.policy;
		} else if (lxfw_cmd_format(command, option, &format) < 0) {
			return LXFW_EXIT_BAD;
		}
	}
	status = take_keys(command, &listing, argv + optind, argc - optind);
	if (status)
		return status;
	if (format == LXFW_FORMAT_TABLE) {
		print(&listing);
	} else if (print_json(&listing, format)) {
		lxfw_cmd_note("out of memory");
		return LXFW_EXIT_BAD;
	}
	return lxfw_cmd_finish(LXFW_EXIT_DONE);
}

const struct lxfw_command lxfw_command_params = {
	.name = "params",
	.arguments = "[KEY]...",
	.summary = "list the keys of parameters and the presets",
	.help = help,
	.run = run,
};
