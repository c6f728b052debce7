/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The canonical text of parameters, as in journals. */
#include <errno.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "tests/unit/params.h"

static void writes_the_text(void **state)
{
	char text[LXFW_PARAMS_TEXT_SIZE];
	struct lxfw_params params = parsed(LXFW_POLICY_FCFS,
		"lxfw_policy=priority,lxfw_wm=0.050,lxfw_reservations=all");
	static const char expected[] =
		"lxfw_policy=priority,lxfw_ww=1,lxfw_wx=5,lxfw_wp=0.2,"
		"lxfw_wm=0.05,lxfw_wpe=0,lxfw_wbypass=0,lxfw_wsite=0,lxfw_reservations=all,"
		"lxfw_reservation_mode=dynamic,lxfw_reservation_age=0,"
		"lxfw_reservation_priority=0,lxfw_reservation_window=0,lxfw_placement=gpus,lxfw_spare_gpus=off,lxfw_interval=0,lxfw_quantum=0,lxfw_quantum_mode=preempt,"
		"lxfw_quantum_end=requeue,lxfw_quantum_mem=1024,"
		"lxfw_quantum_min_run=600,lxfw_victim_suspensions=0,"
		"lxfw_victim_interval=0,lxfw_victim_share=0,lxfw_shadow=off";

	(void)state;
	assert_int_equal(lxfw_params_text(&params, text), strlen(expected));
	assert_string_equal(text, expected);
	/* A key without effect on the policy is written if it differs from the preset:
	   the plugin limits the reservations of conservative. */
	params = preset(LXFW_POLICY_CLASSES);
	lxfw_params_text(&params, text);
	assert_string_equal(text, "lxfw_policy=classes,lxfw_interval=0,lxfw_shadow=off");
	params.reservations = 200;
	params.eq_full_after = 9;
	lxfw_params_text(&params, text);
	assert_string_equal(text, "lxfw_policy=classes,lxfw_reservations=200,"
			    "lxfw_interval=0,lxfw_eq_full_after=9,lxfw_shadow=off");
	/* Values that cannot be represented are not written. */
	params = preset(LXFW_POLICY_LXFW);
	params.wx = 1.0 / 3;
	errno = 0;
	assert_int_equal(lxfw_params_text(&params, text), -1);
	assert_int_equal(errno, EINVAL);
}

/* Every preset, and weights with any number of digits, are read back unchanged. */
static void reads_the_text(void **state)
{
	uint64_t random = unit_seed("text");
	char text[LXFW_PARAMS_TEXT_SIZE];
	struct lxfw_params back;

	(void)state;
	for (int policy = LXFW_POLICY_FCFS; policy <= lxfw_policy_count; policy++) {
		struct lxfw_params params = preset((enum lxfw_policy)policy);

		assert_true(lxfw_params_text(&params, text) > 0);
		assert_int_equal(lxfw_params_from_text(&back, text), 0);
		assert_params(&back, &params);
	}
	/* an earlier release */
	assert_int_equal(lxfw_params_from_text(&back, "lxfw_policy=easy"), 0);
	assert_int_equal(back.placement, LXFW_PLACEMENT_PAPER);
	for (int i = 0; i < 20000; i++) {
		struct lxfw_params params = preset(LXFW_POLICY_LXFW);
		int64_t scale = 1;

		for (int64_t j = unit_between(&random, 0, 14); j > 0; j--)
			scale *= 10;
		params.ww = (double)unit_between(&random, 0, scale) / (double)scale;
		params.wp = (double)unit_between(&random, 0, 999999999999999) / 1e9;
		assert_true(lxfw_params_text(&params, text) > 0);
		assert_int_equal(lxfw_params_from_text(&back, text), 0);
		assert_params(&back, &params);
	}
}

/* The text may be that of a later release, or invalid. */
static void refuses_other_text(void **state)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		/* an absent key has its preset */
		{ "lxfw_policy=lxfw", 0 },
		{ "lxfw_policy=lxfw,lxfw_wx=2", 0 },
		{ "lxfw_policy=fcfs,lxfw_ww=2", 0 },
		/* unknown policies and keys */
		{ "lxfw_policy=module:0123456789abcdef0123456789abcdef0123456789"
		  "abcdef0123456789abcdef", ENOTSUP },
		{ "lxfw_policy=mine", ENOTSUP },
		{ "lxfw_policy=lxfw,lxfw_alpha=2", ENOTSUP },
		/* invalid texts */
		{ "", EINVAL }, { "lxfw_policy", EINVAL }, { "defer", EINVAL },
		{ "lxfw_wx=1", EINVAL }, { "lxfw_wx=1,lxfw_policy=lxfw", EINVAL },
		{ "lxfw_policy=lxfw,", EINVAL }, { "lxfw_policy=lxfw,,", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_policy=lxfw", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_wx=1,lxfw_wx=1", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_wx=1.0", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_wx=01", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_wx= 1", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_wx=", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_interval=86401", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_quantum_mode=never", EINVAL },
		{ "lxfw_policy=lxfw,lxfw_journal=/j", EINVAL },
	};
	struct lxfw_params params;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int result = lxfw_params_from_text(&params, cases[i].text);

		if ((result < 0) != (cases[i].error != 0) ||
		    (result < 0 && errno != cases[i].error))
			fail_msg("%s: %d, %d", cases[i].text, result, errno);
	}
}

/* A policy from a file is named by its complete digest in lower case. */
static void names_a_file(void **state)
{
	static const char *const bad[] = {
		"lxfw_policy=script", "lxfw_policy=script:",
		"lxfw_policy=script:00112233445566778899aabbccddeeff"
		"00112233445566778899aabbccddeef",
		"lxfw_policy=script:00112233445566778899aabbccddeeff"
		"00112233445566778899aabbccddeefff",
		"lxfw_policy=script:00112233445566778899Aabbccddeeff"
		"00112233445566778899aabbccddeef",
		"lxfw_policy=script:00112233445566778899Aabbccddeeff"
		"00112233445566778899aabbccddeeff",
	};
	static const char good[] = "lxfw_policy=script:00112233445566778899aabbccddeeff"
				   "00112233445566778899aabbccddeeff";
	char text[LXFW_PARAMS_TEXT_SIZE], again[LXFW_PARAMS_TEXT_SIZE];
	struct lxfw_params params, other;

	(void)state;
	lxfw_params_default(&params);
	assert_int_equal(lxfw_params_parse(&params, good, NULL, NULL, NULL), 0);
	assert_int_equal(params.policy, LXFW_POLICY_SCRIPT);
	assert_int_equal(params.digest[0], 0x00);
	assert_int_equal(params.digest[15], 0xff);
	assert_int_equal(params.digest[30], 0xee);
	assert_null(lxfw_params_policy(&params));
	assert_true(lxfw_policy_has(params.policy, LXFW_TRAIT_OFFLINE));
	assert_true(lxfw_params_text(&params, text) > 0);
	assert_int_equal(strncmp(text, good, sizeof(good) - 1), 0);
	assert_int_equal(lxfw_params_from_text(&other, text), 0);
	assert_true(lxfw_params_same(&params, &other));
	lxfw_params_text(&other, again);
	assert_string_equal(text, again);
	other.digest[31] ^= 1;
	assert_false(lxfw_params_same(&params, &other));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(lxfw_params_parse(&params, bad[i], NULL, NULL, NULL),
				 -1);
	/* and other policies have none */
	assert_int_equal(lxfw_params_parse(&params, "lxfw_policy=easy", NULL, NULL,
					   NULL), 0);
	assert_int_equal(params.digest[15], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_text),
		cmocka_unit_test(reads_the_text),
		cmocka_unit_test(refuses_other_text),
		cmocka_unit_test(names_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
