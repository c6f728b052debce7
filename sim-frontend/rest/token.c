/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/rest/token.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sim-frontend/rest/jwt.h"
#include "sim-frontend/util/text.h"

/* Maximum length that Slurm accepts. */
#define TEXT_MAX LXFW_JWT_MAX
#define KEY_MAX 4096
#define USER_MAX (LXFW_JWT_USER - 1)

enum secret { TOKEN, KEY };

struct lxfw_token {
	char *user;
	char *text;		/* NULL: none */
	unsigned char key[KEY_MAX];
	size_t key_length;	/* 0: not generated here */
	int64_t until;		/* expiry of a generated token */
};

static void wipe(char *text)
{
	if (text)
		explicit_bzero(text, strlen(text));
	free(text);
}

/* --- files ---------------------------------------------------------------------- */

static const char *user_name(uid_t uid)
{
	const struct passwd *entry = getpwuid(uid);

	return entry ? entry->pw_name : NULL;
}

/* Returns whether a file of OWNER may hold a secret. The cluster's key belongs to the
   user of the controller, usually slurm. Root may read any file. */
static bool owner_good(enum secret secret, uid_t owner)
{
	const char *name;

	if (owner == geteuid() || owner == 0)
		return true;
	if (secret == TOKEN)
		return false;
	name = user_name(owner);
	return geteuid() == 0 || (name && strcmp(name, "slurm") == 0);
}

/*
 * Checks the permissions of a file. Only the owner may read a token; a group may read a
 * key, as Slurm permits. Another user who can change the file could make requests under a
 * false name.
 */
static int judge_file(enum secret secret, const char *path, int descriptor,
		      struct lxfw_error *error)
{
	static const mode_t forbidden[] = { [TOKEN] = 0077, [KEY] = 0027 };
	static const char *const expected[] = { [TOKEN] = "0600",
						[KEY] = "0600 or 0640" };
	struct stat status;
	int result = 0;

	if (fstat(descriptor, &status))
		return lxfw_error_system(error, path);
	if (!S_ISREG(status.st_mode))
		return lxfw_error_at(error, path, 0, "not a file");
	if (!owner_good(secret, status.st_uid))
		result = lxfw_error_at(error, path, 0, "belongs to user %ld, "
			"expected %s", (long)status.st_uid, secret == TOKEN ?
			"you or root" : "the controller's user");
	else if (status.st_mode & forbidden[secret])
		result = lxfw_error_at(error, path, 0, "accessible to other "
			"users (mode %04o), expected %s",
			(unsigned)status.st_mode & 07777, expected[secret]);
	if (result)
		errno = EACCES;
	return result;
}

/* Reads up to SIZE bytes of PATH. Returns their number, or -1. */
static ssize_t read_secret(enum secret secret, const char *path, void *bytes,
			   size_t size, struct lxfw_error *error)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t length = 0;
	ssize_t got = 1;
	char more;

	if (descriptor < 0)
		return lxfw_error_system(error, path);
	if (judge_file(secret, path, descriptor, error)) {
		close(descriptor);
		return -1;
	}
	while (got > 0 && length < size) {
		got = read(descriptor, (char *)bytes + length, size - length);
		length += got > 0 ? (size_t)got : 0;
	}
	if (got > 0)
		got = read(descriptor, &more, 1);
	if (got < 0)
		lxfw_error_system(error, path);
	close(descriptor);
	if (got < 0)
		return -1;
	if (got > 0 || length == 0)
		return lxfw_error_at(error, path, 0, "%s, expected a %s",
			length == 0 ? "empty" : "too long", secret == TOKEN ?
			"token" : "key");
	return (ssize_t)length;
}

/* --- tokens --------------------------------------------------------------------- */

/* Returns whether TEXT consists of three parts in base64url separated by dots; the
   last part of an unsigned token is empty. No other text is sent in a header. */
static bool is_token(const char *text, size_t length)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789-_=";
	int dots = 0;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.')
			dots++;
		else if (!memchr(letters, text[i], sizeof(letters) - 1))
			return false;
	}
	return dots == 2 && *text != '.';
}

/* Accepts a token, or the output of `scontrol token`: SLURM_JWT=... and a line break. */
static int take_text(struct lxfw_token *token, const char *from,
		     const char *text, size_t length, struct lxfw_error *error)
{
	static const char name[] = "SLURM_JWT=";

	while (length > 0 && strchr(" \t\r\n", text[length - 1]))
		length--;
	if (length > sizeof(name) - 1 &&
	    memcmp(text, name, sizeof(name) - 1) == 0) {
		text += sizeof(name) - 1;
		length -= sizeof(name) - 1;
	}
	if (!is_token(text, length))
		return lxfw_error_at(error, from, 0, "not a JSON web token, "
			"expected the output of 'scontrol token'");
	token->text = strndup(text, length);
	return token->text ? 0 : lxfw_error_system(error, from);
}

static int read_token(struct lxfw_token *token, const char *path,
		      struct lxfw_error *error)
{
	char text[TEXT_MAX];
	ssize_t length = read_secret(TOKEN, path, text, sizeof(text), error);
	int result = length < 0 ? -1 : take_text(token, path, text,
						 (size_t)length, error);

	explicit_bzero(text, sizeof(text));
	return result;
}

static int read_key(struct lxfw_token *token, const char *path,
		    struct lxfw_error *error)
{
	ssize_t length = read_secret(KEY, path, token->key, KEY_MAX, error);

	if (length < 0)
		return -1;
	/* HS256 is as strong as its key; Slurm's documentation recommends 32 bytes */
	if (length < 16)
		return lxfw_error_at(error, path, 0, "a key of %zd bytes, "
			"expected 32", length);
	token->key_length = (size_t)length;
	return 0;
}

static int make_token(struct lxfw_token *token, int64_t now, struct lxfw_error *error)
{
	char *text = lxfw_jwt_make(token->key, token->key_length, token->user, now,
				   now + LXFW_TOKEN_SECONDS);

	if (!text)
		return lxfw_error_system(error, "a token cannot be created");
	wipe(token->text);
	token->text = text;
	token->until = now + LXFW_TOKEN_SECONDS;
	return 0;
}

static bool plain_user(const char *user)
{
	size_t length = strlen(user);

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)user[i] <= ' ' || user[i] == 127)
			return false;
	}
	return length > 0 && length <= USER_MAX;
}

/* Sets the user to USER, otherwise that of the token, otherwise that of the process. */
static int take_user(struct lxfw_token *token, const char *user,
		     struct lxfw_error *error)
{
	struct lxfw_jwt jwt;
	char quoted[40];

	if (!user && token->text && lxfw_jwt_read(&jwt, token->text) == 0 && *jwt.user)
		user = jwt.user;
	if (!user)
		user = user_name(geteuid());
	if (!user)
		lxfw_error_format(error, "user %ld has no name, expected --user",
				  (long)geteuid());
	else if (!plain_user(user))
		lxfw_error_format(error, "no user '%s'",
			lxfw_text_quote(quoted, sizeof(quoted), user,
					strlen(user)));
	else if (!(token->user = strdup(user)))
		lxfw_error_system(error, "user");
	return token->user ? 0 : -1;
}

struct lxfw_token *lxfw_token_open(const struct lxfw_token_options *options,
				   struct lxfw_error *error)
{
	struct lxfw_token *token = calloc(1, sizeof(*token));
	const char *environment = getenv("SLURM_JWT");
	int result;

	if (!token) {
		lxfw_error_format(error, "out of memory");
		return NULL;
	}
	if (options->file)
		result = read_token(token, options->file, error);
	else if (options->key)
		result = read_key(token, options->key, error);
	else if (environment && *environment)
		result = take_text(token, "SLURM_JWT", environment,
				   strlen(environment), error);
	else
		result = 0;
	if (result || take_user(token, options->user, error)) {
		lxfw_token_close(token);
		return NULL;
	}
	return token;
}

int lxfw_token_text(struct lxfw_token *token, int64_t now, const char **text,
		    struct lxfw_error *error)
{
	if (token->key_length > 0 &&
	    now >= token->until - LXFW_TOKEN_SECONDS / 2 &&
	    make_token(token, now, error))
		return -1;
	*text = token->text;
	return 0;
}

const char *lxfw_token_user(const struct lxfw_token *token)
{
	return token->user;
}

/* --- reasons for rejection -------------------------------------------------------- */

static char *when(int64_t moment, char *out, size_t size)
{
	time_t seconds = (time_t)moment;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) ||
	    strftime(out, size, "%Y-%m-%d %H:%M:%S UTC", &tm) == 0)
		snprintf(out, size, "second %lld", (long long)moment);
	return out;
}

static void explain(const struct lxfw_token *token, const struct lxfw_jwt *jwt, int64_t now,
		    char *out, size_t size)
{
	char date[40], name[40];

	if (!*jwt->algorithm || strcasecmp(jwt->algorithm, "none") == 0)
		snprintf(out, size, "the token is not signed (alg none)");
	else if (jwt->until >= 0 && jwt->until <= now)
		snprintf(out, size, "the token expired %s",
			 when(jwt->until, date, sizeof(date)));
	else if (!*jwt->user)
		snprintf(out, size, "the token contains no user (sun)");
	else if (strcmp(jwt->user, token->user) != 0)
		snprintf(out, size, "the token is for user %s, but the "
				    "request is for user %s",
			 lxfw_text_quote(name, sizeof(name), jwt->user,
					 strlen(jwt->user)), token->user);
	else if (token->key_length > 0)
		snprintf(out, size, "user %s, or the key of --jwt-key is not "
			 "the key of the cluster", token->user);
	else
		snprintf(out, size, "the token of user %s is not signed with "
			 "the cluster's key, or the user is unknown to the "
			 "cluster",
			 token->user);
}

char *lxfw_token_explain(const struct lxfw_token *token, int64_t now, char *out,
			 size_t size)
{
	struct lxfw_jwt jwt;

	if (!token->text)
		snprintf(out, size, "no token was given, expected SLURM_JWT, "
			 "--token-file or --jwt-key");
	else if (lxfw_jwt_read(&jwt, token->text))
		snprintf(out, size, "the token cannot be read");
	else
		explain(token, &jwt, now, out, size);
	return out;
}

void lxfw_token_close(struct lxfw_token *token)
{
	int saved = errno;

	if (!token)
		return;
	wipe(token->text);
	free(token->user);
	explicit_bzero(token, sizeof(*token));
	free(token);
	errno = saved;
}
