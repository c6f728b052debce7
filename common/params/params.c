/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parameters as a whole: presets, comparison, and the canonical text. */
#include "common/params/params.h"

#include <errno.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"

/* Apply the items of a policy's preset, which are valid. */
static void apply(struct lxfw_params *params, const char *text)
{
	while (text && *text) {
		size_t name = strcspn(text, "="), length;
		const char *value = text + name + 1;

		length = strcspn(value, ",");
		lxfw_key_read(lxfw_key_find(text, name), value, (int)length,
			      params);
		text = value + length;
		text += *text == ',';
	}
}

void lxfw_params_preset(struct lxfw_params *params, enum lxfw_policy policy)
{
	if (!lxfw_policy_type(policy))
		policy = lxfw_policies[0]->code;
	memset(params, 0, sizeof(*params));
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];

		if (key->field != LXFW_KEY_NO_FIELD &&
		    key->kind != LXFW_KEY_WEIGHT)
			lxfw_key_set(key, params, key->preset);
	}
	params->policy = policy;
	apply(params, lxfw_policy_preset(policy));
}

void lxfw_params_default(struct lxfw_params *params)
{
	lxfw_params_preset(params, lxfw_policy_with(LXFW_TRAIT_DEFAULT));
}

int64_t lxfw_params_min_run(const struct lxfw_params *params)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);

	if (lxfw_params_serve(params))
		return params->quantum_min_run;
	if (!policy || !(policy->traits & LXFW_TRAIT_QUEUES_SUSPENDED))
		return 0;
	return policy->backfill.by_tier ? params->preempt_min_run : params->rem_min_run;
}

bool lxfw_params_interrupt(const struct lxfw_params *params)
{
	return lxfw_params_serve(params) ||
	       lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS);
}

bool lxfw_params_read(struct lxfw_params *params, const struct lxfw_key *key,
		      const char *value, int length)
{
	if (!lxfw_key_read(key, value, length, params))
		return false;
	if (key->kind != LXFW_KEY_POLICY)
		return true;
	lxfw_params_preset(params, params->policy);
	return lxfw_key_read(key, value, length, params);	/* restores the digest,
								   which the preset has
								   cleared */
}

static bool same_value(const struct lxfw_key *key, const struct lxfw_params *a,
		       const struct lxfw_params *b)
{
	if (key->field == LXFW_KEY_NO_FIELD)
		return true;
	return key->kind == LXFW_KEY_WEIGHT ?
		       lxfw_key_weight(key, a) == lxfw_key_weight(key, b) :
		       lxfw_key_get(key, a) == lxfw_key_get(key, b);
}

bool lxfw_params_same(const struct lxfw_params *a, const struct lxfw_params *b)
{
	for (int i = 0; i < lxfw_key_count; i++) {
		if (!same_value(&lxfw_keys[i], a, b))
			return false;
	}
	return memcmp(a->digest, b->digest, sizeof(a->digest)) == 0;
}

bool lxfw_params_valid(const struct lxfw_params *params)
{
	char value[LXFW_KEY_VALUE_SIZE];
	bool valid = true;

	for (int i = 0; i < lxfw_key_count && valid; i++) {
		if (lxfw_keys[i].field != LXFW_KEY_NO_FIELD)
			valid = lxfw_key_print(&lxfw_keys[i], params, value) == 0;
	}
	return valid;
}

/* --- the canonical text ---------------------------------------------------------- */

static int refuse(int error)
{
	errno = error;
	return -1;
}

static char *put(char *to, const char *text)
{
	size_t length = strlen(text);

	memcpy(to, text, length + 1);
	return to + length;
}

/* BRIEF: without the keys that have the preset of the policy. */
static int write_text(const struct lxfw_params *params, bool brief, char *text)
{
	char *to = text, value[LXFW_KEY_VALUE_SIZE];
	struct lxfw_params preset;

	if (!lxfw_params_valid(params))
		return refuse(EINVAL);
	lxfw_params_preset(&preset, params->policy);
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];
		bool left_out = brief ? key->kind != LXFW_KEY_POLICY :
					!lxfw_key_means(key, params->policy, NULL);

		if (key->field == LXFW_KEY_NO_FIELD ||
		    (left_out && same_value(key, params, &preset)))
			continue;
		lxfw_key_print(key, params, value);
		to = put(to, to > text ? "," : "");
		to = put(to, key->name);
		to = put(to, "=");
		to = put(to, value);
	}
	return (int)(to - text);
}

int lxfw_params_text(const struct lxfw_params *params, char *text)
{
	return write_text(params, false, text);
}

int lxfw_params_brief(const struct lxfw_params *params, char *text)
{
	return write_text(params, true, text);
}

/* Read one item of TEXT, "lxfw_ww=1", in the form of lxfw_key_print(). Returns 0, or -1
   with errno. */
static int take_item(struct lxfw_params *params, const char *item, bool first,
		     bool *seen)
{
	size_t name = strcspn(item, "=,");
	const struct lxfw_key *key = lxfw_key_find(item, name);
	const char *value = item + name + 1;
	char again[LXFW_KEY_VALUE_SIZE];
	int length;

	if (item[name] != '=' ||
	    first != (key && key->kind == LXFW_KEY_POLICY))
		return refuse(EINVAL);
	length = (int)strcspn(value, ",");
	if (!key || (first && !lxfw_policy_by_name(value, length)))
		return refuse(ENOTSUP);
	if (key->field == LXFW_KEY_NO_FIELD || seen[key - lxfw_keys] ||
	    !lxfw_params_read(params, key, value, length) ||
	    lxfw_key_print(key, params, again) < 0 ||
	    strlen(again) != (size_t)length ||
	    memcmp(again, value, (size_t)length) != 0)
		return refuse(EINVAL);
	seen[key - lxfw_keys] = true;
	return 0;
}

int lxfw_params_from_text(struct lxfw_params *params, const char *text)
{
	bool seen[LXFW_KEYS_MAX] = { false };
	const struct lxfw_key *placement;
	const char *item = text;

	lxfw_params_preset(params, lxfw_policies[0]->code);
	for (;;) {
		if (take_item(params, item, item == text, seen) < 0)
			return -1;
		item += strcspn(item, ",");
		if (*item == '\0')
			break;
		item++;
	}
	/* Earlier releases have no lxfw_placement: their rule was the paper's. */
	placement = lxfw_key_find("lxfw_placement", strlen("lxfw_placement"));
	if (!seen[placement - lxfw_keys] && lxfw_key_means(placement, params->policy, NULL))
		params->placement = LXFW_PLACEMENT_PAPER;
	return 0;
}
