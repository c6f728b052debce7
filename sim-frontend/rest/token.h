/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON web tokens for slurmrestd (Slurm's auth/jwt): found in the environment or in
 * a file, or minted from the cluster's key. A token is a password for as long as it
 * lasts: it is in no message, and wiped from memory in the end.
 */
#ifndef LXFW_REST_TOKEN_H
#define LXFW_REST_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_token;

/* Seconds that a minted token lasts. */
#define LXFW_TOKEN_SECONDS 300

struct lxfw_token_options {
	/* NULL = the token's, else who runs this */
	const char *user;
	/* At most one of these; with neither, the environment's SLURM_JWT, else
	   none. */
	const char *file;	/* the token, or what `scontrol token` printed */
	const char *key;	/* the cluster's key (jwt_key of slurm.conf) */
};

/*
 * NULL with errno and ERROR set: a file that cannot be read or is no token; EACCES
 * for one that others may read or change.
 */
struct lxfw_token *lxfw_token_open(const struct lxfw_token_options *options,
				   struct lxfw_error *error);

/*
 * *TEXT is the token to be sent at NOW (s since 1970), minted anew when it is about
 * to expire; NULL if there is none. Valid until the next call. 0, or -1 with errno
 * and ERROR set.
 */
int lxfw_token_text(struct lxfw_token *token, int64_t now, const char **text,
		    struct lxfw_error *error);

/* Who asks. */
const char *lxfw_token_user(const struct lxfw_token *token);

/*
 * Why a server may have refused the token at NOW, by what the token says itself:
 * "the token expired 2026-01-31 12:00:00 UTC". Returns OUT, with SIZE bytes.
 */
char *lxfw_token_explain(const struct lxfw_token *token, int64_t now, char *out,
			 size_t size);

/* TOKEN may be NULL. Keeps errno. */
void lxfw_token_close(struct lxfw_token *token);

#endif
