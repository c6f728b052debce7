/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Combinations of policies, keys and placement rules. With each policy, each key either
 * changes what is decided on some random world, or is refused with an error that names
 * both; so does each value of a choice. A new policy or key is tested because it is in
 * its list.
 */
#include <stdio.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "tests/unit/mini_digest.h"
#include "tests/unit/unit.h"

#define WORLDS 40

/* Two values of each key that the library reads, and what else has to be given so that
   they can differ. */
static const struct {
	const char *key, *one, *other, *with;
} values[] = {
	{ "lxfw_ww", "0", "100", "" },
	{ "lxfw_wx", "0", "100", "" },
	{ "lxfw_wp", "0", "100", "" },
	{ "lxfw_wm", "0", "100", "" },
	{ "lxfw_wpe", "0", "100", "" },
	{ "lxfw_wbypass", "0", "100", "" },
	{ "lxfw_wsite", "0", "100", "" },
	{ "lxfw_age_first", "0", "300", "" },
	{ "lxfw_reservations", "1", "3", "" },
	{ "lxfw_reservation_mode", "dynamic", "compress", ",lxfw_reservations=3" },
	{ "lxfw_reservation_age", "0", "300", "" },
	{ "lxfw_reservation_priority", "0", "1000", "" },
	{ "lxfw_reservation_window", "0", "60", "" },
	{ "lxfw_backfill_interval", "0", "60", "" },
	{ "lxfw_main_pass", "on", "off", "" },
	{ "lxfw_placement", "paper", "gpus", "" },
	{ "lxfw_spare_gpus", "off", "on", ",lxfw_placement=paper" },
	{ "lxfw_interval", "0", "7", "" },
	{ "lxfw_quantum", "0", "60", "" },
	{ "lxfw_quantum_mode", "off", "soon", ",lxfw_quantum=60" },
	{ "lxfw_quantum_mode", "soon", "preempt", ",lxfw_quantum=60" },
	{ "lxfw_quantum_end", "requeue", "suspend",
	  ",lxfw_quantum=60,lxfw_quantum_mem=100000" },
	{ "lxfw_quantum_mem", "900", "100000", ",lxfw_quantum=60" },
	{ "lxfw_quantum_min_run", "0", "600", ",lxfw_quantum=60" },
	{ "lxfw_victim_suspensions", "0", "1",
	  ",lxfw_quantum=60,lxfw_quantum_min_run=0" },
	{ "lxfw_victim_interval", "0", "2000",
	  ",lxfw_quantum=60,lxfw_quantum_min_run=0" },
	{ "lxfw_victim_share", "0", "1",
	  ",lxfw_quantum=60,lxfw_quantum_min_run=0" },
	{ "lxfw_job_weight", "equal", "work", "" },
	{ "lxfw_list_update", "third", "submission", "" },
	{ "lxfw_eq_min_interval", "2", "2000", "" },
	{ "lxfw_eq_full_after", "0", "10", "" },
	{ "lxfw_pf_wide", "0", "100", "" },
	{ "lxfw_pf_free", "0", "100", "" },
	{ "lxfw_pf_delay", "1", "100", "" },
	{ "lxfw_pf_preemptions", "1", "2", ",lxfw_pf_gang=10,lxfw_pf_delay=1" },
	{ "lxfw_rem_wait", "0", "100", "" },
	{ "lxfw_rem_time", "0", "100", "" },
	{ "lxfw_rem_frees", "procs", "all", "" },
	{ "lxfw_rem_min_run", "0", "1000", "" },
	{ "lxfw_preempt_tiers", "0", "1", "" },
	{ "lxfw_preempt_min_run", "0", "1000", ",lxfw_preempt_tiers=1" },
	{ "lxfw_pf_gang", "10", "100", ",lxfw_pf_preemptions=0,lxfw_pf_delay=1" },
	{ "lxfw_pf_victims", "procs", "end", ",lxfw_pf_delay=1" },
	{ "lxfw_mold", "down", "both", "" },
	{ "lxfw_mold_threshold", "0", "100", "" },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every action on a world with these parameters. */
static uint64_t decided(uint64_t seed, const struct lxfw_params *params)
{
	struct mini mini;

	mini_begin(&mini, seed, 60, params->policy, MINI_NO_SERVICE);
	mini.params = *params;
	mini.priorities = mini.gpus = true;
	return mini_digest(&mini, 0, true);
}

/* Returns whether the actions differ on one of the worlds. */
static bool differ(const struct lxfw_params *one, const struct lxfw_params *other)
{
	uint64_t seed = 1;

	while (seed <= WORLDS && decided(seed, one) == decided(seed, other))
		seed++;
	return seed <= WORLDS;
}

/* The parameters of POLICY, KEY=VALUE and WITH. False where they are refused, by an error
   that names the policy and the key. */
static bool parsed(struct lxfw_params *params, const char *policy, const char *key,
		   const char *value, const char *with)
{
	struct lxfw_error error = { "" };
	char text[200];

	lxfw_params_default(params);
	snprintf(text, sizeof(text), "lxfw_policy=%s,%s=%s%s", policy, key, value,
		 with);
	if (lxfw_params_parse(params, text, NULL, NULL, &error) == 0)
		return true;
	if (!strstr(error.text, policy) || !strstr(error.text, key))
		fail_msg("%s: %s", text, error.text);
	return false;
}

/* A key that is refused is refused with any value; of values that are taken, one that has
   no effect is to be refused. */
static void check(const char *policy, size_t row)
{
	const char *key = values[row].key;
	struct lxfw_params one, other;
	bool takes_one = parsed(&one, policy, key, values[row].one, "");
	bool takes_other = parsed(&other, policy, key, values[row].other, "");

	if (!takes_one && takes_other)
		fail_msg("policy %s: %s is refused as %s only", policy, key,
			 values[row].one);
	if (!takes_one || !takes_other)
		return;
	assert_true(parsed(&one, policy, key, values[row].one, values[row].with));
	assert_true(parsed(&other, policy, key, values[row].other, values[row].with));
	if (!differ(&one, &other))
		fail_msg("policy %s: %s=%s%s does the same as %s", policy, key,
			 values[row].one, values[row].with, values[row].other);
}

static void test_effects(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_policy_count; i++) {
		for (size_t row = 0; row < COUNT(values); row++)
			check(lxfw_policies[i]->name, row);
	}
}

/* Each key that the library reads stands in the table. */
static void test_all_keys(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_key_count; i++) {
		const struct lxfw_key *key = &lxfw_keys[i];
		size_t row = 0;

		/* The library ignores lxfw_shadow. */
		if (key->field == LXFW_KEY_NO_FIELD || key->kind == LXFW_KEY_POLICY ||
		    strcmp(key->name, "lxfw_shadow") == 0)
			continue;
		while (row < COUNT(values) &&
		       strcmp(values[row].key, key->name) != 0)
			row++;
		if (row == COUNT(values))
			fail_msg("%s: not in the table of this test", key->name);
	}
}

/* Keys that only adapters read: taken, or refused by an error that names both. */
static void test_adapters(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];

		for (int j = 0; j < lxfw_key_count; j++) {
			const struct lxfw_key *key = &lxfw_keys[j];
			const char *value = key->kind == LXFW_KEY_CHOICE ? "rigid" :
					    key->kind == LXFW_KEY_PATH ? "/x" : "1";
			struct lxfw_params params;

			if (key->field == LXFW_KEY_NO_FIELD)
				assert_int_equal(parsed(&params, policy->name,
							key->name, value, ""),
						 lxfw_key_means(key, policy->code,
								NULL));
		}
	}
}

/* What a policy excludes is an item that it would take otherwise, and has a reason. */
static void test_exclusions(void **state)
{
	struct lxfw_error error = { "" };
	struct lxfw_params params;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_EQSPATIAL);
	assert_int_equal(lxfw_params_parse(&params, "lxfw_quantum_end=requeue", NULL,
					   NULL, &error), 0);
	assert_int_equal(lxfw_params_parse(&params, "lxfw_quantum_end= suspend ", NULL,
					   NULL, &error), -1);
	assert_string_equal(error.text, "lxfw_quantum_end=suspend: not applicable, policy "
			    "eqspatial requeues jobs at the end of their quantum: they "
			    "share their host");
	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];
		const char *item = policy->excludes;
		const struct lxfw_key *key;
		int64_t value;

		assert_int_equal(!item, !policy->why_not);
		if (!item)
			continue;
		key = lxfw_key_find(item, strcspn(item, "="));
		assert_non_null(key);
		assert_true(lxfw_key_means(key, policy->code, NULL));
		item = strchr(item, '=') + 1;
		assert_true(lxfw_key_number(key, item, (int)strlen(item), &value));
	}
}

/* Placement rules differ under each policy that has none of its own. */
static void test_placements(void **state)
{
	(void)state;
	for (int i = 0; i < lxfw_policy_count; i++) {
		const struct lxfw_policy_type *policy = lxfw_policies[i];
		bool own = policy->traits & LXFW_TRAIT_OWN_PLACING, all_differ = own;
		uint64_t paper = 0, worst = 0, stock = 0;

		for (uint64_t seed = 1; seed <= WORLDS && !all_differ; seed++) {
			struct mini mini;

			mini_begin(&mini, seed, 60, policy->code, MINI_NO_SERVICE);
			mini.params.placement = LXFW_PLACEMENT_PAPER;
			paper = mini_digest(&mini, paper, true);
			mini_begin(&mini, seed, 60, policy->code, MINI_NO_SERVICE);
			mini.params.placement = LXFW_PLACEMENT_WORST;
			worst = mini_digest(&mini, worst, true);
			mini_begin(&mini, seed, 60, policy->code, MINI_NO_SERVICE);
			mini.params.placement = LXFW_PLACEMENT_STOCK;
			stock = mini_digest(&mini, stock, true);
			all_differ = paper != worst && paper != stock && worst != stock;
		}
		if (!all_differ)
			fail_msg("policy %s: two placement rules do the same",
				 policy->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_keys),
		cmocka_unit_test(test_effects),
		cmocka_unit_test(test_adapters),
		cmocka_unit_test(test_exclusions),
		cmocka_unit_test(test_placements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
