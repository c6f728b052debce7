/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON web tokens (RFC 7519) as Slurm's auth/jwt has them: signed by HS256, the user in "sun", the
 * expiry in "exp".
 */
#ifndef LXFW_REST_JWT_H
#define LXFW_REST_JWT_H

#include <stddef.h>
#include <stdint.h>

#define LXFW_JWT_MAX 16384	/* bytes of a token, with its NUL */
#define LXFW_JWT_USER 257	/* bytes of a user, with the NUL */

struct lxfw_jwt {
	char user[LXFW_JWT_USER];	/* "": none, or one that is too long */
	char algorithm[16];		/* "": none */
	int64_t until;			/* expiry, seconds since 1970; -1: none */
};

/* Returns a token of USER that is signed with KEY, issued at NOW and valid until UNTIL. The caller
   erases and frees it. NULL with errno ENOMEM. */
char *lxfw_jwt_make(const unsigned char *key, size_t length, const char *user, int64_t now,
		    int64_t until);

/* Reads what a token says; its signature is not verified. Returns 0, or -1 if it is none. */
int lxfw_jwt_read(struct lxfw_jwt *jwt, const char *text);

#endif
