/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Questions and answers over a network, as credentials of munge, which name the user who has made
 * them, and cannot be changed. A question can be opened once. An answer repeats the random word
 * of its question and can only be opened by the user who has asked.
 */
#ifndef LXFW_ROUTE_CREDENTIAL_H
#define LXFW_ROUTE_CREDENTIAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/util/error.h"
#include "sim-frontend/route/wire.h"

/* Bytes of a credential with its newline, enough for a question. */
#define LXFW_ROUTE_CREDENTIAL (LXFW_ROUTE_QUESTION * 3 / 2 + 2048)

#define LXFW_ROUTE_WORD 33	/* of a random word, with its NUL */

/* Whether this program was built with munge. */
bool lxfw_route_credentials(void);

/* Whether the LENGTH bytes of TEXT are a complete credential, and whether they begin one. */
bool lxfw_route_credential_ends(const char *text, size_t length);
bool lxfw_route_credential_begins(const char *text, size_t length);

/* Whether a complete credential has a payload that is not compressed: 1.4 KB might otherwise be 1 MB,
   for which munged needs 8 ms. */
bool lxfw_route_credential_is_plain(const char *text);

/* Sets WORD. Returns 0, or -1 with errno and ERROR set. */
int lxfw_route_word(char word[LXFW_ROUTE_WORD], struct lxfw_error *error);

/*
 * Makes a credential of TEXT, shorter than LXFW_ROUTE_QUESTION, that is a question or, for the user
 * USER, an answer to the question with WORD. MUNGE is the socket of munged; NULL: the usual one. Opens
 * one, and sets the user who has made it; for a question WORD, for an answer it must be that of the
 * question. Return 0, or -1 with errno and ERROR set.
 */
int lxfw_route_question_seal(const char *munge, const char *word, const char *text,
			     char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error);
int lxfw_route_question_open(const char *munge, const char *sealed, char word[LXFW_ROUTE_WORD],
			     char text[LXFW_ROUTE_QUESTION], uid_t *user, struct lxfw_error *error);
int lxfw_route_answer_seal(const char *munge, const char *word, const char *text, uid_t user,
			   char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error);
int lxfw_route_answer_open(const char *munge, const char *sealed, const char *word,
			   char text[LXFW_ROUTE_ANSWER], uid_t *user, struct lxfw_error *error);

#endif
