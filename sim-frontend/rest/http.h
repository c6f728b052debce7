/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GET over HTTP, with libcurl: from https://, whose certificate is checked, from
 * http:// on this machine (elsewhere only where that is allowed), or from a socket
 * of this machine, unix:/path. No redirection is followed, and no proxy is used but
 * for https, so that a secret header reaches the server of the URL alone.
 */
#ifndef LXFW_REST_HTTP_H
#define LXFW_REST_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_http;

struct lxfw_http_options {
	const char *url;	/* what every path is put behind */
	const char *ca_file;	/* NULL = the system's certificates */
	bool allow_http;	/* http:// to other machines too */
	int64_t timeout;	/* s, 1 or more, in which less than 1000 bytes/s
				   come, before it is given up */
};

struct lxfw_http_answer {
	long status;		/* 200 */
	char *bytes;		/* NUL behind them; to be freed */
	size_t length, size;
};

/* NULL with errno and ERROR set: EINVAL for a URL that is none, or not safe. */
struct lxfw_http *lxfw_http_open(const struct lxfw_http_options *options,
				 struct lxfw_error *error);

/*
 * Fetch PATH, "/slurm/v0.0.38/nodes", with HEADERS, which NULL ends. Whatever status
 * is an answer. 0, or -1 with errno and ERROR set and no bytes: ETIMEDOUT, EIO,
 * ENOMEM, or EFBIG for an answer of more than LIMIT bytes.
 */
int lxfw_http_get(struct lxfw_http *http, const char *path,
		  const char *const *headers, size_t limit,
		  struct lxfw_http_answer *answer, struct lxfw_error *error);

void lxfw_http_answer_clear(struct lxfw_http_answer *answer);

/* Keeps errno. HTTP may be NULL. */
void lxfw_http_close(struct lxfw_http *http);

#endif
