/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/nwire_token.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/util/text.h"

#define NUMBER_MAX 63		/* bytes */

/* Returns the name that is meant. */
static const char *meant(const char *name)
{
	return strcasecmp(name, "OperationSystem") == 0 ? "OperatingSystem" :
	       strcasecmp(name, "OperationSystemEqual") == 0 ? "OperatingSystemEqual" : name;
}

bool lxfw_nwire_same(const char *one, const char *other)
{
	return strcasecmp(meant(one), meant(other)) == 0;
}

int lxfw_nwire_error(const char *path, const struct lxfw_nwire_place *place,
		     struct lxfw_error *error, const char *format, ...)
{
	char what[sizeof(error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	return lxfw_error_format(error, "%s:%d:%d: %s", path, (int)place->line,
				 (int)place->column, what);
}

int lxfw_nwire_expected(const struct lxfw_nwire_tokens *tokens, const char *expected)
{
	const struct lxfw_nwire_token *now = &tokens->now;
	char quoted[48];

	if (now->kind == LXFW_TOKEN_END)
		return lxfw_nwire_error(tokens->path, &now->place, tokens->error,
					"the file ends, expected %s", expected);
	return lxfw_nwire_error(tokens->path, &now->place, tokens->error, "'%s', expected %s",
				lxfw_text_quote(quoted, sizeof(quoted), now->text,
						now->length), expected);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip(struct lxfw_nwire_tokens *tokens)
{
	if (*tokens->at++ == '\n') {
		tokens->place.line++;
		tokens->place.column = 1;
	} else {
		tokens->place.column++;
	}
}

/* White space and comments. */
static void skip_space(struct lxfw_nwire_tokens *tokens)
{
	while (tokens->at < tokens->end && (is_space(*tokens->at) || *tokens->at == '#')) {
		bool comment = *tokens->at == '#';

		while (comment && tokens->at < tokens->end && *tokens->at != '\n')
			skip(tokens);
		if (tokens->at < tokens->end)
			skip(tokens);
	}
}

/* The token has LENGTH bytes. */
static void take(struct lxfw_nwire_tokens *tokens, enum lxfw_nwire_kind kind, size_t length)
{
	tokens->now.kind = kind;
	tokens->now.length = length;
	tokens->at += length;
	tokens->place.column += (int32_t)length;
}

static int take_string(struct lxfw_nwire_tokens *tokens)
{
	const char *text = tokens->at + 1;
	size_t length = 0;

	while (text + length < tokens->end && text[length] != '"' && text[length] != '\n' &&
	       text[length] != '\0')
		length++;
	if (text + length == tokens->end || text[length] != '"')
		return lxfw_nwire_error(tokens->path, &tokens->now.place, tokens->error,
					"the string does not end in its line, expected \"");
	take(tokens, LXFW_TOKEN_STRING, length + 2);
	tokens->now.text = text;
	tokens->now.length = length;
	return 0;
}

/* 12, 1.5, .5, 2.34E+20 */
static size_t number_length(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && (is_digit(*at) || *at == '.'))
		at++;
	if (at < end && (*at == 'e' || *at == 'E')) {
		const char *power = at + 1;

		if (power < end && (*power == '+' || *power == '-'))
			power++;
		if (power < end && is_digit(*power)) {
			at = power;
			while (at < end && is_digit(*at))
				at++;
		}
	}
	return (size_t)(at - from);
}

static int take_number(struct lxfw_nwire_tokens *tokens)
{
	size_t length = number_length(tokens->at, tokens->end);
	char text[NUMBER_MAX + 1], *end;

	tokens->now.length = length;
	if (length > NUMBER_MAX)
		return lxfw_nwire_expected(tokens, "a number of at most 63 characters");
	memcpy(text, tokens->at, length);
	text[length] = '\0';
	tokens->now.number = strtod(text, &end);
	if (*end || !isfinite(tokens->now.number))
		return lxfw_nwire_expected(tokens, "a number such as 12, 1.5 or 2.34E+20");
	take(tokens, LXFW_TOKEN_NUMBER, length);
	return 0;
}

static int take_sign(struct lxfw_nwire_tokens *tokens)
{
	static const char *const signs[] = {
		"&&", "||", "<=", ">=", "==", "!=", "{", "}", "(", ")", "+", "-", "*", "/",
		"%", "<", ">",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		size_t length = strlen(signs[i]);

		if ((size_t)(tokens->end - tokens->at) >= length &&
		    memcmp(tokens->at, signs[i], length) == 0) {
			take(tokens, LXFW_TOKEN_SIGN, length);
			return 0;
		}
	}
	tokens->now.length = 1;
	return lxfw_nwire_expected(tokens, "a word, a number, a string in quotes or a sign");
}

int lxfw_nwire_next(struct lxfw_nwire_tokens *tokens)
{
	size_t length = 0;

	skip_space(tokens);
	tokens->now = (struct lxfw_nwire_token){
		.kind = LXFW_TOKEN_SIGN, .text = tokens->at, .place = tokens->place,
	};
	if (tokens->at == tokens->end) {
		tokens->now.kind = LXFW_TOKEN_END;
		return 0;
	}
	if (*tokens->at == '"')
		return take_string(tokens);
	if (is_digit(*tokens->at) ||
	    (*tokens->at == '.' && tokens->end - tokens->at > 1 && is_digit(tokens->at[1])))
		return take_number(tokens);
	if (!is_letter(*tokens->at))
		return take_sign(tokens);
	while (tokens->at + length < tokens->end &&
	       (is_letter(tokens->at[length]) || is_digit(tokens->at[length])))
		length++;
	take(tokens, LXFW_TOKEN_WORD, length);
	return 0;
}

int lxfw_nwire_tokens_begin(struct lxfw_nwire_tokens *tokens, const char *text, size_t length)
{
	tokens->at = text;
	tokens->end = text + length;
	tokens->place = (struct lxfw_nwire_place){ 1, 1 };
	return lxfw_nwire_next(tokens);
}

bool lxfw_nwire_is(const struct lxfw_nwire_tokens *tokens, const char *text)
{
	const struct lxfw_nwire_token *now = &tokens->now;

	return (now->kind == LXFW_TOKEN_WORD || now->kind == LXFW_TOKEN_SIGN) &&
	       strlen(text) == now->length && memcmp(text, now->text, now->length) == 0;
}
