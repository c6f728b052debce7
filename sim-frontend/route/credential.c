/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/credential.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#ifdef LXFW_HAVE_MUNGE
#include <munge.h>
#endif

#include "sim-frontend/util/text.h"

#define BEGIN "MUNGE:"
#define QUESTION "lxfw-route-question"
#define ANSWER "lxfw-route-answer"

bool lxfw_route_credential_begins(const char *text, size_t length)
{
	size_t width = sizeof(BEGIN) - 1;

	return memcmp(text, BEGIN, length < width ? length : width) == 0;
}

bool lxfw_route_credential_ends(const char *text, size_t length)
{
	return length > sizeof(BEGIN) && lxfw_route_credential_begins(text, length) &&
	       memcmp(text + length - 2, ":\n", 2) == 0;
}

/* The fourth byte of a credential of version 3 (munge's doc/credential_v3_format.txt) is its compression,
   MUNGE_ZIP_NONE, 0, for none; bytes are in base64. */
bool lxfw_route_credential_is_plain(const char *text)
{
	const char *bytes = text + sizeof(BEGIN) - 1;

	return strlen(text) > sizeof(BEGIN) + 6 && bytes[4] == 'A' && bytes[5] >= 'A' &&
	       bytes[5] <= 'P';
}

int lxfw_route_word(char word[LXFW_ROUTE_WORD], struct lxfw_error *error)
{
	unsigned char bytes[(LXFW_ROUTE_WORD - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return lxfw_error_system(error, "getrandom");
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(word + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

#ifdef LXFW_HAVE_MUNGE

bool lxfw_route_credentials(void)
{
	return true;
}

static int fail(munge_ctx_t context, munge_err_t code, struct lxfw_error *error)
{
	const char *text = context ? munge_ctx_strerror(context) : NULL;

	lxfw_error_format(error, "munge: %.120s", text ? text : munge_strerror(code));
	munge_ctx_destroy(context);
	errno = code == EMUNGE_NO_MEMORY ? ENOMEM : EACCES;
	return -1;
}

static munge_ctx_t begin(const char *munge, struct lxfw_error *error)
{
	munge_ctx_t context = munge_ctx_create();
	munge_err_t code = context ? EMUNGE_SUCCESS : EMUNGE_NO_MEMORY;

	if (context && munge)
		code = munge_ctx_set(context, MUNGE_OPT_SOCKET, munge);
	if (code == EMUNGE_SUCCESS)
		return context;
	fail(context, code, error);
	return NULL;
}

static int seal(const char *munge, const char *head, const char *word, const char *text,
		const uid_t *user, char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error)
{
	char payload[LXFW_ROUTE_QUESTION + 128], *made = NULL;
	int length = snprintf(payload, sizeof(payload), "%s %s\n%s", head, word, text);
	munge_ctx_t context = begin(munge, error);
	munge_err_t code = EMUNGE_SUCCESS;

	if (!context)
		return -1;
	code = munge_ctx_set(context, MUNGE_OPT_ZIP_TYPE, MUNGE_ZIP_NONE);
	if (user && code == EMUNGE_SUCCESS)
		code = munge_ctx_set(context, MUNGE_OPT_UID_RESTRICTION, *user);
	if (code == EMUNGE_SUCCESS)
		code = munge_encode(&made, context, payload, length);
	if (code != EMUNGE_SUCCESS)
		return fail(context, code, error);
	munge_ctx_destroy(context);
	length = snprintf(sealed, LXFW_ROUTE_CREDENTIAL, "%s\n", made);
	free(made);
	if (length < LXFW_ROUTE_CREDENTIAL && lxfw_route_credential_ends(sealed, (size_t)length))
		return 0;
	errno = EMSGSIZE;
	return lxfw_error_system(error, "munge");
}

/* Opens one whose text begins with HEAD, a word and a newline. */
static int unseal(const char *munge, const char *head, const char *sealed,
		  char word[LXFW_ROUTE_WORD], char *text, size_t size, uid_t *user,
		  struct lxfw_error *error)
{
	size_t width = strlen(head), skip = width + LXFW_ROUTE_WORD + 1;
	munge_ctx_t context;
	munge_err_t code;
	void *made = NULL;
	int length = 0;
	gid_t group;
	bool good;

	if (!lxfw_route_credential_is_plain(sealed))
		return lxfw_error_format(error, "a credential whose payload is compressed");
	context = begin(munge, error);
	if (!context)
		return -1;
	code = munge_decode(sealed, context, &made, &length, user, &group);
	/* What was opened before, or is too old, has a text, too. */
	if (code != EMUNGE_SUCCESS) {
		free(made);
		return fail(context, code, error);
	}
	munge_ctx_destroy(context);
	good = length > 0 && (size_t)length >= skip && (size_t)length - skip < size &&
	       memcmp(made, head, width) == 0 && ((char *)made)[width] == ' ' &&
	       ((char *)made)[skip - 1] == '\n' && !memchr(made, 0, (size_t)length);
	if (good) {
		memcpy(word, (char *)made + width + 1, LXFW_ROUTE_WORD - 1);
		word[LXFW_ROUTE_WORD - 1] = '\0';
		memcpy(text, (char *)made + skip, (size_t)length - skip);
		text[(size_t)length - skip] = '\0';
	}
	free(made);
	return good ? 0 : lxfw_error_format(error, "a credential of another kind");
}

#else

bool lxfw_route_credentials(void)
{
	return false;
}

static int none(struct lxfw_error *error)
{
	lxfw_error_format(error, "lxfw was built without munge");
	errno = ENOTSUP;
	return -1;
}

static int seal(const char *munge, const char *head, const char *word, const char *text,
		const uid_t *user, char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error)
{
	(void)munge, (void)head, (void)word, (void)text, (void)user, (void)sealed;
	return none(error);
}

static int unseal(const char *munge, const char *head, const char *sealed,
		  char word[LXFW_ROUTE_WORD], char *text, size_t size, uid_t *user,
		  struct lxfw_error *error)
{
	(void)munge, (void)head, (void)sealed, (void)word, (void)text, (void)size, (void)user;
	return none(error);
}

#endif

int lxfw_route_question_seal(const char *munge, const char *word, const char *text,
			     char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error)
{
	return seal(munge, QUESTION, word, text, NULL, sealed, error);
}

int lxfw_route_question_open(const char *munge, const char *sealed, char word[LXFW_ROUTE_WORD],
			     char text[LXFW_ROUTE_QUESTION], uid_t *user, struct lxfw_error *error)
{
	return unseal(munge, QUESTION, sealed, word, text, LXFW_ROUTE_QUESTION, user, error);
}

int lxfw_route_answer_seal(const char *munge, const char *word, const char *text, uid_t user,
			   char sealed[LXFW_ROUTE_CREDENTIAL], struct lxfw_error *error)
{
	return seal(munge, ANSWER, word, text, &user, sealed, error);
}

int lxfw_route_answer_open(const char *munge, const char *sealed, const char *word,
			   char text[LXFW_ROUTE_ANSWER], uid_t *user, struct lxfw_error *error)
{
	char said[LXFW_ROUTE_WORD];

	if (unseal(munge, ANSWER, sealed, said, text, LXFW_ROUTE_ANSWER, user, error))
		return -1;
	return strcmp(said, word) == 0 ? 0 :
	       lxfw_error_format(error, "an answer to another question");
}
