/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Letters of names in UTF-8: which are written, how wide they are, and where names are cut. */
#include <limits.h>
#include <string.h>

#include "sim-frontend/util/letters.h"
#include "sim-frontend/util/text.h"
#include "tests/unit/unit.h"

/* Writes the bytes of CODE, also of one that is not valid. Returns their number. */
static size_t encode(uint32_t code, char *text)
{
	size_t bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char firsts[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = bytes; i-- > 1; code >>= 6)
		text[i] = (char)(0x80 | (code & 0x3f));
	text[0] = (char)(firsts[bytes] | code);
	text[bytes] = '\0';
	return bytes;
}

static bool is_hidden(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x34f ||
	       code == 0x61c || code == 0x115f || code == 0x1160 || code == 0x17b4 ||
	       code == 0x17b5 || code == 0x2800 || code == 0x3164 || code == 0xffa0 ||
	       (code & 0xfffe) == 0xfffe || code == 0x180e || code == 0x200b || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       (code >= 0xd800 && code <= 0xdfff) || (code >= 0xfdd0 && code <= 0xfdef) ||
	       code == 0xfeff || (code >= 0xfff0 && code <= 0xfffb) ||
	       code == 0xfffe || code == 0xffff || (code >= 0xe0000 && code <= 0xe0fff) ||
	       code >= 0xf0000;
}

static void test_all(void **unused)
{
	char text[8], out[8];

	(void)unused;
	for (uint32_t code = 1; code < 0x120000; code++) {
		size_t bytes = encode(code, text);

		assert_int_equal(lxfw_letter(text, bytes), is_hidden(code) ? 0 : bytes);
		assert_int_equal(lxfw_letters_only(text, bytes), !is_hidden(code));
		/* the bytes after it do not matter, a missing one does */
		assert_int_equal(lxfw_letter(text, 8), is_hidden(code) ? 0 : bytes);
		assert_int_equal(lxfw_letter(text, bytes - 1), 0);
		lxfw_text_quote(out, sizeof(out), text, bytes);
		assert_string_equal(out, is_hidden(code) ? &"????"[4 - bytes] : text);
	}
}

static void test_invalid(void **unused)
{
	static const char *const texts[] = {
		"\x80", "\xbf", "\xc3", "\xc3(", "\xe2\x82", "\xe2\x82(", "\xf0\x9f\x98",
		"\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",
		"\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xfe",
	};
	char out[40];

	(void)unused;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(lxfw_letter(texts[i], strlen(texts[i])), 0);
		assert_false(lxfw_letters_only(texts[i], strlen(texts[i])));
	}
	assert_string_equal(lxfw_text_quote(out, sizeof(out), "gr\xc3\xb6\xc3\x9f" "e\xc3", 8),
			    "gr\xc3\xb6\xc3\x9f" "e?");
	assert_string_equal(lxfw_text_quote(out, sizeof(out), "a\0\x1b[31m\xe2\x80\xae" "b", 11),
			    "a??[31m???b");
}

/* No letter is cut, and the end of a cut text is marked. */
static void test_cut(void **unused)
{
	static const char text[] = "a\xc3\xb6\xe6\x9d\x8e\xf0\x9f\x98\x80zzzzzz";
	char out[40];

	(void)unused;
	for (size_t size = 4; size < sizeof(text) + 3; size++) {
		size_t length;

		memset(out, 'x', sizeof(out));
		lxfw_text_quote(out, size, text, strlen(text));
		length = strlen(out);
		assert_true(length < size);
		assert_true(lxfw_letters_only(out, length));
		if (size > strlen(text)) {
			assert_string_equal(out, text);
			continue;
		}
		assert_true(length + 4 >= size - 3);
		assert_string_equal(out + length - 3, "...");
		assert_memory_equal(out, text, length - 3);
	}
	for (size_t length = 0; length < sizeof(text); length++) {
		memcpy(out, text, length);
		out[length] = '\0';
		lxfw_letters_trim(out);
		assert_true(lxfw_letters_only(out, strlen(out)));
		assert_true(length - strlen(out) < 4);
		assert_memory_equal(out, text, strlen(out));
	}
	/* what is no letter stays */
	strcpy(out, "a\x80\x80\x80\x80");
	lxfw_letters_trim(out);
	assert_string_equal(out, "a\x80\x80\x80\x80");
}

/* A message that is too long for its text, and a long path, do not end or begin in a letter. */
static void test_messages(void **unused)
{
	char path[400] = "";
	struct lxfw_error error;

	(void)unused;
	for (int i = 0; i < 130; i++)
		strcat(path, "\xe6\x9d\x8e");
	for (int i = 0; i < 4; i++) {
		char format[20];

		snprintf(format, sizeof(format), "%%.%ds%%s%%s%%s", i);
		lxfw_error_format(&error, format, "aaa", path, path, path);
		assert_true(lxfw_letters_only(error.text, strlen(error.text)));
		lxfw_error_at(&error, path + 3, 7, format, "aaa", path, path, path);
		assert_true(lxfw_letters_only(error.text, strlen(error.text)));
	}
}

static void test_columns(void **unused)
{
	static const char mixed[] = "\xe6\x9d\x8e" "e\xcc\x81\xc3\xbc\xff";	/* 2 1 0 1 1 */
	char out[60];
	int bytes;

	(void)unused;
	assert_int_equal(lxfw_letters_columns(""), 0);
	assert_int_equal(lxfw_letters_columns("abc"), 3);
	assert_int_equal(lxfw_letters_columns("gr\xc3\xb6\xc3\x9f" "e"), 5);
	assert_int_equal(lxfw_letters_columns(mixed), 5);
	assert_int_equal(lxfw_letters_fit(mixed, 0), 0);
	assert_int_equal(lxfw_letters_fit(mixed, 1), 0);
	assert_int_equal(lxfw_letters_fit(mixed, 2), 3);
	assert_int_equal(lxfw_letters_fit(mixed, 3), 6);
	assert_int_equal(lxfw_letters_fit(mixed, 4), 8);
	assert_int_equal(lxfw_letters_fit(mixed, 5), 9);
	assert_int_equal(lxfw_letters_fit(mixed, 50), 9);
	for (int columns = 0; columns < 20; columns++) {
		bytes = lxfw_letters_fit(mixed, columns);
		snprintf(out, sizeof(out), "%-*.*s|",
			 lxfw_letters_width(mixed, bytes, columns), bytes, mixed);
		assert_int_equal(lxfw_letters_columns(out), columns + 1);
	}
	assert_int_equal(lxfw_letters_width(mixed, INT_MAX, 10), 14);
	assert_int_equal(lxfw_letters_width("abc", INT_MAX, 2), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
