/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conversion of values to text and back. */
#include "common/params/keys.h"

#include <errno.h>
#include <string.h>

#include "common/params/policy.h"
/* Integers below 10^15 and powers of ten up to 10^22 are exact as doubles. A single
   division therefore rounds correctly, in every locale. */
#define WEIGHT_DIGITS 15

/* --- reading ------------------------------------------------------------------- */

static bool same(const char *value, int length, const char *word, size_t word_length)
{
	return (size_t)length == word_length &&
	       memcmp(value, word, word_length) == 0;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Read digits as a number from MIN to MAX. */
static bool read_whole(const char *value, int length, int64_t min, int64_t max,
		       int64_t *number)
{
	*number = 0;
	for (int i = 0; i < length; i++) {
		if (!is_digit(value[i]))
			return false;
		*number = *number * 10 + (value[i] - '0');
		if (*number > max)
			return false;
	}
	return length > 0 && *number >= min;
}

/* Read digits, or digits, a point and digits. The value is rounded once. */
static bool read_decimal(const char *value, int end, double *number)
{
	int64_t mantissa = 0, scale = 1;
	int at = 0, point = -1, digits = 0;

	for (int i = 0; i < end; i++) {
		if (value[i] == '.' && point < 0)
			point = i;
		else if (!is_digit(value[i]))
			return false;
	}
	if (end == 0 || point == 0 || point == end - 1)
		return false;
	/* Leading zeros, and trailing zeros after the point, do not count as digits. */
	while (at < end && value[at] == '0')
		at++;
	while (point >= 0 && value[end - 1] == '0')
		end--;
	for (; at < end; at++) {
		if (at == point)
			continue;
		if (++digits > WEIGHT_DIGITS)
			return false;
		mantissa = mantissa * 10 + (value[at] - '0');
		if (point >= 0 && at > point)
			scale *= 10;
	}
	*number = (double)mantissa / (double)scale;
	return true;
}

/* The index of VALUE in "a|b|c", or -1. */
static int read_choice(const char *words, const char *value, int length)
{
	for (int i = 0;; i++) {
		size_t word = strcspn(words, "|");

		if (same(value, length, words, word))
			return i;
		words += word;
		if (*words++ == '\0')
			return -1;
	}
}

static bool read_weight(const struct lxfw_key *key, const char *value, int length,
			struct lxfw_params *params)
{
	double number;

	if (!read_decimal(value, length, &number) || number > (double)key->max)
		return false;
	memcpy((char *)params + key->field, &number, sizeof(number));
	return true;
}

static int hex_digit(char byte)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = byte ? strchr(digits, byte) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Read the name of a policy, or "script:SHA-256" with the digest of a file. */
static bool read_policy(const struct lxfw_key *key, const char *value, int length,
			struct lxfw_params *params)
{
	enum lxfw_policy policy = lxfw_policy_by_name(value, length);
	uint8_t digest[LXFW_DIGEST_SIZE] = { 0 };

	if (lxfw_policy_has(policy, LXFW_TRAIT_SCRIPT)) {
		const char *colon = memchr(value, ':', (size_t)length);
		const char *hex = colon + 1;

		if (value + length - hex != 2 * LXFW_DIGEST_SIZE)
			return false;
		for (int i = 0; i < LXFW_DIGEST_SIZE; i++) {
			int high = hex_digit(hex[2 * i]);
			int low = hex_digit(hex[2 * i + 1]);

			if (high < 0 || low < 0)
				return false;
			digest[i] = (uint8_t)(high << 4 | low);
		}
	}
	if (!policy)
		return false;
	lxfw_key_set(key, params, policy);
	memcpy(params->digest, digest, sizeof(digest));
	params->script = NULL;
	return true;
}

static bool are_names(const char *value, int length)
{
	for (int i = 0; i < length; i++) {
		if (value[i] == ' ' || value[i] == '\t' ||
		    (value[i] == ':' && (i == 0 || value[i - 1] == ':')))
			return false;
	}
	return length > 0 && value[length - 1] != ':';
}

bool lxfw_key_number(const struct lxfw_key *key, const char *value, int length,
		     int64_t *number)
{
	switch (key->kind) {
	case LXFW_KEY_COUNT:
		if (same(value, length, "all", 3)) {
			*number = LXFW_RESERVATIONS_ALL;
			return true;
		}
		return read_whole(value, length, key->min, key->max, number);
	case LXFW_KEY_NUMBER:
		return read_whole(value, length, key->min, key->max, number);
	case LXFW_KEY_CHOICE:
		*number = read_choice(key->words, value, length);
		return *number >= 0;
	default:
		return false;
	}
}

bool lxfw_key_read(const struct lxfw_key *key, const char *value, int length,
		   struct lxfw_params *params)
{
	int64_t number;

	switch (key->kind) {
	case LXFW_KEY_POLICY:
		return read_policy(key, value, length, params);
	case LXFW_KEY_WEIGHT:
		return read_weight(key, value, length, params);
	case LXFW_KEY_NAMES:
		return are_names(value, length);
	case LXFW_KEY_PATH:
		return length > 0;
	default:
		break;
	}
	if (!lxfw_key_number(key, value, length, &number))
		return false;
	if (key->field != LXFW_KEY_NO_FIELD)
		lxfw_key_set(key, params, number);
	return true;
}

/* --- printing ------------------------------------------------------------------ */

static char *put_digits(char *to, int64_t number)
{
	char digits[20];
	int count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0)
		*to++ = digits[--count];
	*to = '\0';
	return to;
}

static int count_digits(int64_t number)
{
	int count = 0;

	for (; number > 0; number /= 10)
		count++;
	return count;
}

/* Write the shortest decimal that is read back as NUMBER. Returns false if it would have
   more digits than read_decimal() accepts. NaN fails the first comparison. */
static bool print_decimal(double number, int64_t max, char *to)
{
	int64_t scale = 1, mantissa = 0;
	int places;

	if (!(number >= 0 && number <= (double)max))
		return false;
	for (places = 0;; places++, scale *= 10) {
		if (places + count_digits((int64_t)number) > WEIGHT_DIGITS)
			return false;
		mantissa = (int64_t)(number * (double)scale + 0.5);
		if ((double)mantissa / (double)scale == number)
			break;
	}
	to = put_digits(to, mantissa / scale);
	if (places == 0)
		return true;
	*to++ = '.';
	for (mantissa %= scale; places > 0; places--) {
		scale /= 10;
		*to++ = (char)('0' + mantissa / scale);
		mantissa %= scale;
	}
	*to = '\0';
	return true;
}

static bool print_word(const char *words, int64_t index, char *to)
{
	size_t length;

	for (; index > 0; index--) {
		words = strchr(words, '|');
		if (!words)
			return false;
		words++;
	}
	length = strcspn(words, "|");
	if (index < 0 || length >= LXFW_KEY_VALUE_SIZE)
		return false;
	memcpy(to, words, length);
	to[length] = '\0';
	return true;
}

static bool print_policy(const struct lxfw_params *params, char *to)
{
	const struct lxfw_policy_type *policy = lxfw_policy_type(params->policy);
	size_t length;

	if (!policy)
		return false;
	length = strlen(policy->name);
	memcpy(to, policy->name, length + 1);
	if (!(policy->traits & LXFW_TRAIT_SCRIPT))
		return true;
	to += length;
	*to++ = ':';
	for (int i = 0; i < LXFW_DIGEST_SIZE; i++) {
		*to++ = "0123456789abcdef"[params->digest[i] >> 4];
		*to++ = "0123456789abcdef"[params->digest[i] & 15];
	}
	*to = '\0';
	return true;
}

static bool print_value(const struct lxfw_key *key, const struct lxfw_params *params,
			char *text)
{
	int64_t value;

	if (key->kind == LXFW_KEY_WEIGHT)
		return print_decimal(lxfw_key_weight(key, params), key->max, text);
	value = lxfw_key_get(key, params);
	switch (key->kind) {
	case LXFW_KEY_POLICY:
		return print_policy(params, text);
	case LXFW_KEY_CHOICE:
		return print_word(key->words, value, text);
	case LXFW_KEY_COUNT:
		if (value == LXFW_RESERVATIONS_ALL) {
			strcpy(text, "all");
			return true;
		}
		break;
	default:
		break;
	}
	if (value < key->min || value > key->max)
		return false;
	put_digits(text, value);
	return true;
}

int lxfw_key_print(const struct lxfw_key *key, const struct lxfw_params *params,
		   char *text)
{
	if (print_value(key, params, text))
		return 0;
	errno = EINVAL;
	return -1;
}
