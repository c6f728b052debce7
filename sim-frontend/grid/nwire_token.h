/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens of nwire.h. */
#ifndef LXFW_GRID_NWIRE_TOKEN_H
#define LXFW_GRID_NWIRE_TOKEN_H

#include "sim-frontend/grid/nwire.h"

enum lxfw_nwire_kind {
	LXFW_TOKEN_END, LXFW_TOKEN_WORD, LXFW_TOKEN_STRING, LXFW_TOKEN_NUMBER,
	LXFW_TOKEN_SIGN,	/* one or two characters */
};

struct lxfw_nwire_token {
	enum lxfw_nwire_kind kind;
	const char *text;	/* of a string: between the quotes */
	size_t length;
	double number;
	struct lxfw_nwire_place place;
};

struct lxfw_nwire_tokens {
	const char *path;
	const char *at, *end;
	struct lxfw_nwire_place place;	/* of `at` */
	struct lxfw_nwire_token now;
	struct lxfw_error *error;
};

/* Begins with the first token. Returns 0, or -1 with errno EINVAL and the error set. */
int lxfw_nwire_tokens_begin(struct lxfw_nwire_tokens *tokens, const char *text, size_t length);

/* Goes to the next token. Returns as above. */
int lxfw_nwire_next(struct lxfw_nwire_tokens *tokens);

/* Whether the token is this word or sign. */
bool lxfw_nwire_is(const struct lxfw_nwire_tokens *tokens, const char *text);

/* Sets the error "'token', expected ..." and returns -1 with errno EINVAL. */
int lxfw_nwire_expected(const struct lxfw_nwire_tokens *tokens, const char *expected);

#endif
