/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/letters.h"

#include <stdint.h>
#include <string.h>

struct range {
	uint32_t first, last;
};

/* Characters that are not written, beside those above 0x10ffff and the surrogates: controls,
   soft hyphen, fillers and blanks without a mark, marks of direction, zero-width spaces, separators of lines and paragraphs,
   embeddings, overrides and isolates of direction, invisible operators, the byte order mark,
   annotations, non-characters, tags. */
static const struct range hidden[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f }, { 0x61c, 0x61c },
	{ 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180e, 0x180e }, { 0x200b, 0x200b },
	{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x2800, 0x2800 },
	{ 0x3164, 0x3164 }, { 0xfdd0, 0xfdef }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb }, { 0xe0000, 0xe0fff }, { 0xf0000, 0x10ffff },
};

/* Characters of two columns. */
static const struct range wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0x33ff }, { 0x3400, 0x4dbf },
	{ 0x4e00, 0x9fff }, { 0xa000, 0xa4cf }, { 0xa960, 0xa97f }, { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/* Characters of none. */
static const struct range above[] = {
	{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x610, 0x61a }, { 0x64b, 0x65f },
	{ 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200c, 0x200d }, { 0x20d0, 0x20ff },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
};

#define IS_IN(code, ranges) is_in(code, ranges, sizeof(ranges) / sizeof(*(ranges)))

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

/* Decodes the first character. Returns the number of its bytes, 0 if they are not valid. */
static size_t decode(const char *text, size_t length, uint32_t *code)
{
	/* the smallest code of that number of bytes */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = length > 0 ? (unsigned char)*text : 0;
	size_t bytes = length == 0 ? 0 : first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 :
		       first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;

	if (bytes == 0 || bytes > length)
		return 0;
	*code = bytes == 1 ? first : first & (0xffU >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++) {
		unsigned char next = (unsigned char)text[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (next & 0x3f);
	}
	return *code < least[bytes] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff) ?
	       0 : bytes;
}

size_t lxfw_letter(const char *text, size_t length)
{
	uint32_t code;
	size_t bytes;

	if (length > 0 && *text >= ' ' && *text <= '~')
		return 1;
	bytes = decode(text, length, &code);
	return bytes > 0 && !(IS_IN(code, hidden) || (code & 0xfffe) == 0xfffe) ? bytes : 0;
}

bool lxfw_letters_only(const char *text, size_t length)
{
	while (length > 0) {
		size_t bytes = lxfw_letter(text, length);

		if (bytes == 0)
			return false;
		text += bytes;
		length -= bytes;
	}
	return true;
}

/* Takes the next character of TEXT, or the next byte if it is none. Returns its columns. */
static int take(const char **text)
{
	uint32_t code;
	size_t bytes = decode(*text, strnlen(*text, 4), &code);

	*text += bytes > 0 ? bytes : 1;
	if (bytes <= 1)
		return 1;
	return IS_IN(code, wide) ? 2 : IS_IN(code, above) ? 0 : 1;
}

int lxfw_letters_columns(const char *text)
{
	int columns = 0;

	while (*text)
		columns += take(&text);
	return columns;
}

int lxfw_letters_fit(const char *text, int columns)
{
	const char *at = text, *end = text;

	while (*at && (columns -= take(&at)) >= 0)
		end = at;
	return (int)(end - text);
}

int lxfw_letters_width(const char *text, int bytes, int columns)
{
	const char *at = text;

	while (*at && at - text < bytes)
		columns -= take(&at);
	return (int)(at - text) + (columns > 0 ? columns : 0);
}

void lxfw_letters_trim(char *text)
{
	size_t length = strlen(text), before = length;
	uint32_t code;

	/* the bytes after the first of a letter */
	while (before > 0 && length - before < 3 && ((unsigned char)text[before - 1] & 0xc0) == 0x80)
		before--;
	if (before > 0 && (unsigned char)text[before - 1] >= 0xc0 &&
	    decode(text + before - 1, length - before + 1, &code) == 0)
		text[before - 1] = '\0';
}
