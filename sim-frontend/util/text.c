/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/util/nearest.h"
#include "sim-frontend/util/letters.h"

/* Maximum length of a path in a message; longer ones keep their end. */
#define PATH_SHOWN 100

int lxfw_error_format(struct lxfw_error *error, const char *format, ...)
{
	if (error) {
		va_list arguments;

		va_start(arguments, format);
		vsnprintf(error->text, sizeof(error->text), format, arguments);
		va_end(arguments);
		lxfw_letters_trim(error->text);
	}
	errno = EINVAL;
	return -1;
}

static const char *path_tail(const char *path)
{
	size_t length = strlen(path);

	if (length <= PATH_SHOWN)
		return path;
	path += length - PATH_SHOWN;
	/* not from the middle of a letter */
	for (int i = 0; i < 3 && ((unsigned char)*path & 0xc0) == 0x80; i++)
		path++;
	return path;
}

int lxfw_error_at(struct lxfw_error *error, const char *path, long line,
		  const char *format, ...)
{
	if (error) {
		va_list arguments;
		int used;

		if (line > 0)
			used = snprintf(error->text, sizeof(error->text),
					"%s:%ld: ", path_tail(path), line);
		else
			used = snprintf(error->text, sizeof(error->text),
					"%s: ", path_tail(path));
		va_start(arguments, format);
		vsnprintf(error->text + used, sizeof(error->text) - used,
			  format, arguments);
		va_end(arguments);
		lxfw_letters_trim(error->text);
	}
	errno = EINVAL;
	return -1;
}

int lxfw_error_system(struct lxfw_error *error, const char *path)
{
	int saved = errno;

	if (error)
		snprintf(error->text, sizeof(error->text), "%s: %s",
			 path_tail(path), strerror(saved));
	errno = saved;
	return -1;
}

char *lxfw_text_quote(char *out, size_t size, const char *text, size_t length)
{
	bool cut = length > size - 1;
	size_t most = cut ? size - 4 : length, used = 0;

	while (used < most) {
		size_t letter = lxfw_letter(text + used, length - used);

		if (used + letter > most)	/* it does not fit */
			break;
		if (letter > 0)
			memcpy(out + used, text + used, letter);
		else
			out[used] = '?';
		used += letter > 0 ? letter : 1;
	}
	if (cut)
		memcpy(out + used, "...", 4);
	else
		out[used] = '\0';
	return out;
}

char *lxfw_text_meant(char *out, size_t size, const char *name, size_t length,
		      const char *const *names)
{
	const char *equals = memchr(name, '=', length);
	size_t key = equals ? (size_t)(equals - name) : length;
	const char *nearest = lxfw_nearest(name, key, names);

	if (nearest && (strlen(nearest) != key || memcmp(nearest, name, key) != 0))
		snprintf(out, size, ", did you mean %s?", nearest);
	else
		out[0] = '\0';
	return out;
}

static bool is_blank(char letter)
{
	return letter == ' ' || letter == '\t';
}

char *lxfw_text_trimmed(const char *text, size_t length)
{
	while (length > 0 && is_blank(*text)) {
		text++;
		length--;
	}
	while (length > 0 && is_blank(text[length - 1]))
		length--;
	return strndup(text, length);
}

bool lxfw_text_pair(const char *line, size_t length, const char *blanks,
		    struct lxfw_text_pair *pair)
{
	const char *hash = memchr(line, '#', length);
	const char *end = hash ? hash : line + length, *at;

	while (line < end && strchr(blanks, *line))
		line++;
	while (end > line && strchr(blanks, end[-1]))
		end--;
	for (at = line; at < end && !strchr(blanks, *at); at++)
		;
	pair->word = line;
	pair->word_length = (size_t)(at - line);
	while (at < end && strchr(blanks, *at))
		at++;
	pair->rest = at;
	pair->rest_length = (size_t)(end - at);
	return line < end;
}

int lxfw_text_integer(const char *text, size_t length, int64_t min, int64_t max,
		      int64_t *value)
{
	size_t i = length > 0 && (*text == '-' || *text == '+');
	bool negative = i && *text == '-', overflow = false;
	int64_t result = 0;

	if (i == length) {
		errno = EINVAL;
		return -1;
	}
	for (; i < length; i++) {
		int digit = text[i] - '0';

		if (digit < 0 || digit > 9) {
			errno = EINVAL;
			return -1;
		}
		overflow |= __builtin_mul_overflow(result, 10, &result);
		overflow |= negative ?
			__builtin_sub_overflow(result, digit, &result) :
			__builtin_add_overflow(result, digit, &result);
	}
	if (overflow || result < min || result > max) {
		errno = ERANGE;
		return -1;
	}
	*value = result;
	return 0;
}

/* Parses the digits after the decimal point as a fraction of UNIT. */
static int text_fraction(const char *text, size_t length, int64_t unit,
			 int64_t *seconds)
{
	int64_t number, power = 1;

	if (lxfw_text_integer(text, length, 0, 999999, &number) ||
	    *text < '0' || length > 6) {
		errno = EINVAL;
		return -1;
	}
	while (length-- > 0)
		power *= 10;
	if (number * unit % power != 0) {
		errno = EINVAL;
		return -1;
	}
	*seconds += number * unit / power;
	return 0;
}

int lxfw_text_span(const char *text, size_t length, int64_t *seconds)
{
	static const struct {
		char unit;
		int64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	const char *point;
	int64_t unit = 1;
	size_t whole;

	for (size_t i = 0; length > 0 && i < sizeof(units) / sizeof(*units); i++) {
		if (text[length - 1] == units[i].unit) {
			unit = units[i].seconds;
			length--;
			break;
		}
	}
	point = memchr(text, '.', length);
	whole = point ? (size_t)(point - text) : length;
	if (lxfw_text_integer(text, whole, 0, 1000000000000 / unit, seconds))
		return -1;
	*seconds *= unit;
	return point ? text_fraction(point + 1, length - whole - 1, unit,
				     seconds) : 0;
}

int lxfw_text_duration(const char *text, int64_t *seconds)
{
	return lxfw_text_span(text, strlen(text), seconds);
}

int lxfw_text_put_integer(char *out, int64_t value)
{
	char digits[20];
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	int count = 0, length = 0;

	do
		digits[count++] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (value < 0)
		out[length++] = '-';
	while (count > 0)
		out[length++] = digits[--count];
	return length;
}
