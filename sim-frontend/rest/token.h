/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON web tokens for slurmrestd (Slurm's auth/jwt). A token is read from the environment
 * or a file, or generated with the cluster's key. While it is valid, a token is
 * equivalent to a password: it never occurs in messages, and it is erased from memory
 * after use.
 */
#ifndef LXFW_REST_TOKEN_H
#define LXFW_REST_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_token;

/* Lifetime of a generated token in seconds. */
#define LXFW_TOKEN_SECONDS 300

struct lxfw_token_options {
	/* NULL: the user of the token, otherwise the user of the process */
	const char *user;
	/* At most one of these. With neither, SLURM_JWT of the environment is used, if
	   set. */
	const char *file;	/* contains a token or the output of `scontrol token` */
	const char *key;	/* contains the cluster's key (jwt_key of slurm.conf) */
};

/*
 * Returns NULL with errno and ERROR set if a file cannot be read or has no token; EACCES
 * if other users may read or change it.
 */
struct lxfw_token *lxfw_token_open(const struct lxfw_token_options *options,
				   struct lxfw_error *error);

/*
 * Sets *TEXT to the token to be sent at NOW (seconds since 1970), or NULL if there is
 * none. A generated token is renewed when it is about to expire. *TEXT is valid until the
 * next call. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_token_text(struct lxfw_token *token, int64_t now, const char **text,
		    struct lxfw_error *error);

/* Returns the user name for requests. */
const char *lxfw_token_user(const struct lxfw_token *token);

/*
 * Explains why a server may have rejected the token at NOW, according to the token's
 * claims: "the token expired 2026-01-31 12:00:00 UTC". Returns OUT, which has SIZE bytes.
 */
char *lxfw_token_explain(const struct lxfw_token *token, int64_t now, char *out,
			 size_t size);

/* Preserves errno. TOKEN may be NULL. */
void lxfw_token_close(struct lxfw_token *token);

#endif
