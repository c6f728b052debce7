/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTTP GET with libcurl. Supported are https://, with verification of the certificate;
 * http:// to this machine (to others only if allowed); and Unix sockets, unix:/path.
 * Redirections are not followed, and proxies are used for https only, so that a secret
 * header is sent only to the server of the URL.
 */
#ifndef LXFW_REST_HTTP_H
#define LXFW_REST_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"

struct lxfw_http;

struct lxfw_http_options {
	const char *url;	/* prefix of all paths */
	const char *ca_file;	/* NULL: certificates of the system */
	bool allow_http;	/* http:// to other machines is allowed as well */
	int64_t timeout;	/* seconds, 1 or more: the request is abandoned after
				   this time below 1000 bytes/s */
};

struct lxfw_http_answer {
	long status;		/* 200 */
	char *bytes;		/* NUL-terminated; freed by the caller */
	size_t length, size;
};

/* Returns NULL with errno and ERROR set; EINVAL if the URL is invalid or not safe. */
struct lxfw_http *lxfw_http_open(const struct lxfw_http_options *options,
				 struct lxfw_error *error);

/*
 * Requests PATH, "/slurm/v0.0.38/nodes", with HEADERS, which end with NULL. A response
 * with any HTTP status is a success. Returns 0, or -1 with errno and ERROR set and no
 * data: ETIMEDOUT, EIO, ENOMEM, or EFBIG for a response of more than LIMIT bytes.
 */
int lxfw_http_get(struct lxfw_http *http, const char *path,
		  const char *const *headers, size_t limit,
		  struct lxfw_http_answer *answer, struct lxfw_error *error);

void lxfw_http_answer_clear(struct lxfw_http_answer *answer);

/* Preserves errno. HTTP may be NULL. */
void lxfw_http_close(struct lxfw_http *http);

#endif
