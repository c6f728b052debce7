/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parsing of parameters, and messages about what is wrong. */
#include "common/params/keys.h"

#include <errno.h>
#include <string.h>

#include "common/params/policy.h"
#include "common/util/nearest.h"

/* An unknown key within this number of edits of a known one is probably a misspelling. */
#define NEAR_EDITS 2

/* Bytes of a key or a value in a message. */
#define SHOWN 40

/* Keys begin with this, which a misspelled one may lack. */
#define PREFIX "lxfw_"
#define PREFIX_LENGTH 5

/* A part of the text. */
struct piece {
	const char *at;
	int length;
};

static struct piece trim(struct piece piece)
{
	while (piece.length > 0 && (*piece.at == ' ' || *piece.at == '\t')) {
		piece.at++;
		piece.length--;
	}
	while (piece.length > 0 && (piece.at[piece.length - 1] == ' ' ||
				    piece.at[piece.length - 1] == '\t'))
		piece.length--;
	return piece;
}

/*
 * Read the next comma-separated item of *TEXT into its key and its value. `at` of the
 * value is NULL if the item has no '='. Returns false at the end.
 */
static bool next_item(const char **text, struct piece *key, struct piece *value)
{
	int length, equals;

	if (!*text || !**text)
		return false;
	length = (int)strcspn(*text, ",");
	equals = (int)strcspn(*text, ",=");
	*key = trim((struct piece){ *text, equals });
	*value = (struct piece){ NULL, 0 };
	if (equals < length)
		*value = trim((struct piece){ *text + equals + 1,
					      length - equals - 1 });
	*text += length;
	if (**text == ',')
		++*text;
	return true;
}

/* Items of other plugins are ignored. A misspelling such as LXFW_wx or lxfwwx is an item
   of this plugin, and is an error. */
static bool is_ours(struct piece key)
{
	if (key.length < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		if ((key.at[i] | 0x20) != PREFIX[i])
			return false;
	}
	return true;
}

static int fail(struct lxfw_error *error, struct piece key, const char *what)
{
	lxfw_error_set(error, "");
	lxfw_error_add_bytes(error, key.at, key.length < SHOWN ? key.length : SHOWN);
	lxfw_error_add(error, what);
	errno = EINVAL;
	return -1;
}

/* The known key that NAME probably means, or -1. "ww" means lxfw_ww. */
static int nearest_key(struct piece name)
{
	size_t length = (size_t)name.length;
	int most = is_ours(name) ? NEAR_EDITS : lxfw_edits_likely(length);
	int nearest = -1, distance = most + 1;

	for (int i = 0; i < lxfw_key_count; i++) {
		int here = lxfw_edits(name.at, length, lxfw_keys[i].name, distance);

		if (!is_ours(name) && here >= distance)
			here = lxfw_edits(name.at, length, lxfw_keys[i].name + PREFIX_LENGTH,
					  distance);
		if (here < distance) {
			distance = here;
			nearest = i;
		}
	}
	return nearest;
}

static int fail_unknown(struct lxfw_error *error, struct piece name)
{
	int nearest = nearest_key(name);

	fail(error, name, ": unknown key, expected ");
	if (nearest >= 0) {
		lxfw_error_add(error, lxfw_keys[nearest].name);
		lxfw_error_add(error, "?");
		return -1;
	}
	for (int i = 0; i < lxfw_key_count; i++) {
		lxfw_error_add(error, i == 0 ? "one of " : ", ");
		lxfw_error_add(error, lxfw_keys[i].name);
	}
	return -1;
}

static int fail_value(struct lxfw_error *error, const struct lxfw_key *key,
		      struct piece value)
{
	lxfw_error_set(error, key->name);
	if (value.at) {
		lxfw_error_add(error, "=");
		lxfw_error_add_bytes(error, value.at, value.length < SHOWN ? value.length : SHOWN);
	} else {
		lxfw_error_add(error, " without a value");
	}
	lxfw_error_add(error, ": expected ");
	lxfw_key_expected(key, error);
	errno = EINVAL;
	return -1;
}

/* A key that does not apply to the policy is an error. */
static int check_meaning(const struct lxfw_key *key, struct piece value,
			 enum lxfw_policy policy, struct lxfw_error *error)
{
	const struct lxfw_policy_type *type = lxfw_policy_type(policy);
	const char *item = type && type->excludes ? type->excludes : "", *why;
	size_t length = strlen(key->name);

	if (strncmp(item, key->name, length) == 0 && item[length] == '=' &&
	    strlen(item + length + 1) == (size_t)value.length &&
	    memcmp(item + length + 1, value.at, (size_t)value.length) == 0) {
		lxfw_error_set(error, item);
		why = type->why_not;
	} else if (!lxfw_key_means(key, policy, &why)) {
		lxfw_error_set(error, key->name);
	} else {
		return 0;
	}
	lxfw_error_add(error, ": not applicable, policy ");
	lxfw_error_add(error, lxfw_policy_name(policy));
	lxfw_error_add(error, why);
	errno = EINVAL;
	return -1;
}

/* Collect the value that the text has for each key; `at` is NULL if it has none. */
static int collect(const char *text, struct piece *values,
		   struct lxfw_error *error)
{
	struct piece name, value;

	while (next_item(&text, &name, &value)) {
		const struct lxfw_key *key;

		if (!is_ours(name))
			continue;
		key = lxfw_key_find(name.at, (size_t)name.length);
		if (!key)
			return fail_unknown(error, name);
		if (values[key - lxfw_keys].at)
			return fail(error, name, ": given twice");
		if (!value.at)
			return fail_value(error, key, value);
		values[key - lxfw_keys] = value;
	}
	return 0;
}

static int check_tiers(const struct lxfw_params *params, struct lxfw_error *error)
{
	if (params->preempt_tiers == 0 || lxfw_params_by_tier(params))
		return 0;
	lxfw_error_set(error, "lxfw_preempt_tiers: not applicable, policy ");
	lxfw_error_add(error, lxfw_policy_name(params->policy));
	lxfw_error_add(error, lxfw_params_serve(params) ?
			      " has a quantum of immediate service (lxfw_quantum)" :
			      " has lxfw_reservation_mode=compress");
	errno = EINVAL;
	return -1;
}

int lxfw_params_parse(struct lxfw_params *params, const char *text,
		      const char **journal, int *journal_length,
		      struct lxfw_error *error)
{
	struct piece values[LXFW_KEYS_MAX] = { { NULL, 0 } };
	struct lxfw_params wanted = *params;

	if (collect(text, values, error) < 0)
		return -1;
	/* The policy is the first key of the table, so the other keys override its
	   preset. */
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];

		if (!values[i].at)
			continue;
		if (check_meaning(key, values[i], wanted.policy, error) < 0)
			return -1;
		if (!lxfw_params_read(&wanted, key, values[i].at,
				      values[i].length))
			return fail_value(error, key, values[i]);
	}
	if (check_tiers(&wanted, error) < 0)
		return -1;
	*params = wanted;
	if (journal)
		*journal = lxfw_params_value(text, "lxfw_journal",
					     journal_length);
	return 0;
}

int lxfw_params_check_keys(const char *text, struct lxfw_error *error)
{
	struct piece name, value;

	while (next_item(&text, &name, &value)) {
		if (name.length == 0 && !value.at)
			continue;
		if (!lxfw_key_find(name.at, (size_t)name.length))
			return fail_unknown(error, name);
	}
	return 0;
}

const char *lxfw_params_nearest(const char *name, int length)
{
	int nearest = nearest_key((struct piece){ name, length });

	return nearest >= 0 ? lxfw_keys[nearest].name : NULL;
}

const char *lxfw_params_value(const char *text, const char *key, int *length)
{
	struct piece name, value;
	size_t key_length = strlen(key);

	while (next_item(&text, &name, &value)) {
		if ((size_t)name.length == key_length && value.at &&
		    memcmp(name.at, key, key_length) == 0) {
			*length = value.length;
			return value.at;
		}
	}
	*length = 0;
	return NULL;
}

int64_t lxfw_params_number(const char *text, const char *name)
{
	const struct lxfw_key *key = lxfw_key_find(name, strlen(name));
	int length;
	const char *value = lxfw_params_value(text, name, &length);
	int64_t number;

	return value && lxfw_key_number(key, value, length, &number) ?
		       number : key->preset;
}
