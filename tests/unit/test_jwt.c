/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON web tokens and digests, against values of other implementations (Python's hashlib, hmac and
   base64; RFC 4231). */
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/rest/jwt.h"
#include "sim-frontend/util/digest.h"

#define KEY "0123456789abcdef0123456789abcdef"

static void is_digest(const uint8_t digest[LXFW_SHA256_SIZE], const char *expected)
{
	char text[2 * LXFW_SHA256_SIZE + 1];

	for (int i = 0; i < LXFW_SHA256_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	assert_string_equal(text, expected);
}

static void digests(void **state)
{
	uint8_t digest[LXFW_SHA256_SIZE];

	(void)state;
	lxfw_sha256("abc", 3, digest);
	is_digest(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	lxfw_sha256("", 0, digest);
	is_digest(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	/* RFC 4231, test case 2. */
	lxfw_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
	is_digest(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

static void is_made(const char *user, int64_t now, int64_t until, const char *expected)
{
	char *text = lxfw_jwt_make((const unsigned char *)KEY, strlen(KEY), user, now, until);
	struct lxfw_jwt jwt;

	assert_non_null(text);
	assert_string_equal(text, expected);
	assert_int_equal(lxfw_jwt_read(&jwt, text), 0);
	assert_string_equal(jwt.user, user);
	assert_string_equal(jwt.algorithm, "HS256");
	assert_true(jwt.until == until);
	free(text);
}

static void makes(void **state)
{
	char user[9000];

	(void)state;
	is_made("ann", 1000000, 1000300,
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOjEwMDAwMDAsImV4cCI6MTAwM"
		"DMwMCwic3VuIjoiYW5uIn0.tynmbhYZGpGNTSl5ZxeoUVMBggR5BdMrvz6AltunrBg");
	is_made("a\"\\\303\274?>~", -1, INT64_C(1099511627776),
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpYXQiOi0xLCJleHAiOjEwOTk1MTE2M"
		"jc3NzYsInN1biI6ImFcIlxcw7w_Pn4ifQ.raKht7-wfFqfE-dVdJFm7E4ya4iwbJ5QERYc"
		"jLm6ZR8");
	memset(user, 'u', sizeof(user) - 1);
	user[sizeof(user) - 1] = '\0';
	assert_null(lxfw_jwt_make((const unsigned char *)KEY, strlen(KEY), user, 1, 2));
}

static void reads(void **state)
{
	static const struct {
		const char *text;
		int result;
		const char *user, *algorithm;
		int64_t until;
	} cases[] = {
		{ "eyJhbGciOiJub25lIn0.eyJzdW4iOiJib2IifQ.x",
		  0, "bob", "none", -1 },
		{ "e30.eyJ1c2VybmFtZSI6ImV2ZSIsImV4cCI6MTd9.x",
		  0, "eve", "", 17 },
		{ "eyJhbGciOiJSUzI1NiJ9.eyJ1c2VybmFtZSI6ImV2ZSIsInN1biI6ImJvYiIsImV4cCI6IjE3In0.x",
		  0, "bob", "RS256", -1 },
		{ "eyJhbGciOjEyfQ.eyJzdW4iOlsiYm9iIl0sImV4cCI6LTV9.x",
		  0, "", "", -5 },
		{ "eyJhbGciOiJIUzI1NkhTMjU2SFMyNTZIUzI1NiJ9.e30.x",
		  0, "", "", -1 },
		{ "W10.e30.x",
		  -1, "", "", -1 },
		{ "e30.MTc.x",
		  -1, "", "", -1 },
		{ "e30.eyJzdW4iOg.x",
		  -1, "", "", -1 },
		{ "",
		  -1, "", "", -1 },
		{ ".",
		  -1, "", "", -1 },
		{ "..",
		  -1, "", "", -1 },
		{ "e30",
		  -1, "", "", -1 },
		{ "e30.",
		  -1, "", "", -1 },
		{ "e30.e3=.x",
		  -1, "", "", -1 },
		{ ".e30.x",
		  -1, "", "", -1 },
	};
	char *text;
	struct lxfw_jwt jwt;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (lxfw_jwt_read(&jwt, cases[i].text) != cases[i].result)
			fail_msg("%s", cases[i].text);
		assert_string_equal(jwt.user, cases[i].user);
		assert_string_equal(jwt.algorithm, cases[i].algorithm);
		assert_true(jwt.until == cases[i].until);
	}
	/* Longer than any token. */
	text = malloc(100000);
	assert_non_null(text);
	memset(text, 'e', 99999);
	text[99999] = '\0';
	assert_int_equal(lxfw_jwt_read(&jwt, text), -1);
	text[50000] = '.';
	assert_int_equal(lxfw_jwt_read(&jwt, text), -1);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digests), cmocka_unit_test(makes), cmocka_unit_test(reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
