/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/rest/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define CONNECT_SECONDS 10L
/* Minimum speed in bytes per second. A slower response is abandoned after the timeout.
   Without a minimum, a response could take arbitrarily long. */
#define LEAST_SPEED 1000L

struct lxfw_http {
	CURL *curl;
	char *base;		/* the URL without a trailing '/' */
	char *socket;		/* a path, or NULL */
	char reason[CURL_ERROR_SIZE];
};

/* Filled by take_bytes(). */
struct taking {
	struct lxfw_http_answer *answer;
	size_t limit;
	int failed;		/* errno */
};

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context)
{
	struct taking *taking = context;
	struct lxfw_http_answer *answer = taking->answer;
	char *grown;

	count *= size;
	if (count > taking->limit - answer->length) {
		taking->failed = EFBIG;
		return 0;
	}
	if (LXFW_GROW(answer->bytes, answer->size, answer->length + count + 1)) {
		taking->failed = ENOMEM;
		return 0;
	}
	grown = answer->bytes;
	memcpy(grown + answer->length, bytes, count);
	answer->length += count;
	grown[answer->length] = '\0';
	return count;
}

/* --- the URL -------------------------------------------------------------------- */

static bool is_loopback(const char *host)
{
	struct in_addr address;

	if (strcmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0)
		return true;
	return inet_pton(AF_INET, host, &address) == 1 &&
	       ntohl(address.s_addr) >> 24 == 127;
}

static int no_url(const char *url, const char *what, struct lxfw_error *error)
{
	char quoted[120];

	return lxfw_error_format(error, "'%s' %s", lxfw_text_quote(quoted,
				 sizeof(quoted), url, strlen(url)), what);
}

/* Relevant parts of a URL, each released with curl_free(). */
struct parts {
	char *scheme, *host, *user, *query, *fragment;
};

static void free_parts(struct parts *parts)
{
	curl_free(parts->scheme);
	curl_free(parts->host);
	curl_free(parts->user);
	curl_free(parts->query);
	curl_free(parts->fragment);
}

static int judge_parts(const struct lxfw_http_options *options,
		       const struct parts *parts, struct lxfw_error *error)
{
	static const char expected[] = "is not a URL of a slurmrestd, "
		"expected https://HOST[:PORT], http://localhost:PORT or "
		"unix:/PATH";

	if (!parts->scheme || !parts->host)
		return no_url(options->url, expected, error);
	/* the URL is not included in the message, since it may contain a password */
	if (parts->user)
		return lxfw_error_format(error, "the URL contains a user "
			"name, expected none: the token identifies the user");
	if (parts->query || parts->fragment)
		return no_url(options->url, "has '?' or '#', expected a URL to "
			      "which paths can be added", error);
	if (strcmp(parts->scheme, "https") == 0)
		return 0;
	if (strcmp(parts->scheme, "http") != 0)
		return no_url(options->url, expected, error);
	if (!options->allow_http && !is_loopback(parts->host))
		return no_url(options->url, "would send the token for all to "
			"read, expected https:// (or --allow-http)", error);
	return 0;
}

static int judge_url(const struct lxfw_http_options *options,
		     struct lxfw_error *error)
{
	struct parts parts = { 0 };
	CURLU *url = curl_url();
	int result;

	if (!url)
		return lxfw_error_format(error, "out of memory");
	if (curl_url_set(url, CURLUPART_URL, options->url,
			 CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) {
		curl_url_get(url, CURLUPART_SCHEME, &parts.scheme, 0);
		curl_url_get(url, CURLUPART_HOST, &parts.host, 0);
		curl_url_get(url, CURLUPART_USER, &parts.user, 0);
		curl_url_get(url, CURLUPART_QUERY, &parts.query, 0);
		curl_url_get(url, CURLUPART_FRAGMENT, &parts.fragment, 0);
	}
	result = judge_parts(options, &parts, error);
	free_parts(&parts);
	curl_url_cleanup(url);
	return result;
}

static int take_url(struct lxfw_http *http,
		    const struct lxfw_http_options *options,
		    struct lxfw_error *error)
{
	const char *url = options->url;
	size_t length;

	if (strncmp(url, "unix:", 5) == 0) {
		url += 5;
		/* unix:///run/socket is equivalent to unix:/run/socket */
		if (strncmp(url, "///", 3) == 0)
			url += 2;
		if (*url != '/' || url[1] == '/')
			return no_url(options->url, "is not a socket path, "
				      "expected unix:/PATH", error);
		http->socket = strdup(url);
		url = "http://localhost";
	} else if (judge_url(options, error)) {
		return -1;
	}
	length = strlen(url);
	while (length > 0 && url[length - 1] == '/')
		length--;
	http->base = strndup(url, length);
	if (!http->base || (strncmp(options->url, "unix:", 5) == 0 &&
			    !http->socket))
		return lxfw_error_format(error, "out of memory");
	return 0;
}

/* --- requests --------------------------------------------------------------------- */

static void set_options(struct lxfw_http *http,
			const struct lxfw_http_options *options)
{
	CURL *curl = http->curl;
	bool secure = !http->socket && strncmp(http->base, "https:", 6) == 0;

	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, http->reason);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "lxfw/" PACKAGE_VERSION);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(curl, CURLOPT_SSLVERSION,
			 (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, LEAST_SPEED);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)options->timeout);
	if (options->ca_file)
		curl_easy_setopt(curl, CURLOPT_CAINFO, options->ca_file);
	if (http->socket)
		curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, http->socket);
	/* a proxy could read unencrypted data */
	if (!secure)
		curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
}

struct lxfw_http *lxfw_http_open(const struct lxfw_http_options *options,
				 struct lxfw_error *error)
{
	struct lxfw_http *http = calloc(1, sizeof(*http));

	if (!http || curl_global_init(CURL_GLOBAL_DEFAULT)) {
		lxfw_error_format(error, "out of memory");
		free(http);
		return NULL;
	}
	if (take_url(http, options, error)) {
		lxfw_http_close(http);
		return NULL;
	}
	http->curl = curl_easy_init();
	if (!http->curl) {
		lxfw_error_format(error, "libcurl cannot be initialized");
		lxfw_http_close(http);
		return NULL;
	}
	set_options(http, options);
	return http;
}

/* Reports an error. FAILED is an errno value, or 0 if CODE is the reason. */
static int tell(const struct lxfw_http *http, CURLcode code, int failed,
		struct lxfw_error *error)
{
	const char *what = failed == EFBIG ? "the response is too long" :
			   failed ? strerror(failed) :
			   *http->reason ? http->reason :
			   curl_easy_strerror(code);
	long number = 0;

	/* libcurl's message would name port 80 of localhost */
	if (http->socket && code == CURLE_COULDNT_CONNECT &&
	    curl_easy_getinfo(http->curl, CURLINFO_OS_ERRNO, &number) ==
		    CURLE_OK && number > 0)
		what = strerror((int)number);

	lxfw_error_format(error, "%s: %s%s", http->socket ? http->socket :
			  http->base, what, strstr(what, "too slow") ?
			  " (--timeout)" : "");
	errno = failed ? failed :
		code == CURLE_OPERATION_TIMEDOUT ? ETIMEDOUT :
		code == CURLE_OUT_OF_MEMORY ? ENOMEM : EIO;
	return -1;
}

/* Makes a list, which the caller frees. Returns 0, or -1 if memory runs out. */
static int make_headers(const char *const *headers, struct curl_slist **list)
{
	*list = NULL;
	for (; headers && *headers; headers++) {
		struct curl_slist *longer = curl_slist_append(*list, *headers);

		if (!longer) {
			curl_slist_free_all(*list);
			return -1;
		}
		*list = longer;
	}
	return 0;
}

/* Headers may contain secrets. */
static void wipe_headers(struct curl_slist *list)
{
	for (struct curl_slist *item = list; item; item = item->next)
		explicit_bzero(item->data, strlen(item->data));
	curl_slist_free_all(list);
}

int lxfw_http_get(struct lxfw_http *http, const char *path,
		  const char *const *headers, size_t limit,
		  struct lxfw_http_answer *answer, struct lxfw_error *error)
{
	struct taking taking = { .answer = answer, .limit = limit };
	struct curl_slist *list = NULL;
	CURLcode code = CURLE_OUT_OF_MEMORY;
	char *url;

	*answer = (struct lxfw_http_answer) { 0 };
	*http->reason = '\0';
	if (asprintf(&url, "%s%s", http->base, path) < 0)
		return tell(http, code, ENOMEM, error);
	if (make_headers(headers, &list) == 0 &&
	    curl_easy_setopt(http->curl, CURLOPT_URL, url) == CURLE_OK) {
		curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, list);
		curl_easy_setopt(http->curl, CURLOPT_WRITEDATA, &taking);
		code = curl_easy_perform(http->curl);
		curl_easy_setopt(http->curl, CURLOPT_HTTPHEADER, NULL);
	}
	wipe_headers(list);
	free(url);
	if (code == CURLE_OK)
		curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE,
				  &answer->status);
	/* an empty response also has a NUL-terminated text */
	if (code == CURLE_OK && !answer->bytes) {
		answer->bytes = calloc(1, 1);
		taking.failed = answer->bytes ? 0 : ENOMEM;
	}
	if (code == CURLE_OK && taking.failed == 0)
		return 0;
	lxfw_http_answer_clear(answer);
	return tell(http, code, taking.failed, error);
}

void lxfw_http_answer_clear(struct lxfw_http_answer *answer)
{
	free(answer->bytes);
	*answer = (struct lxfw_http_answer) { 0 };
}

void lxfw_http_close(struct lxfw_http *http)
{
	int saved = errno;

	if (!http)
		return;
	if (http->curl)
		curl_easy_cleanup(http->curl);
	free(http->base);
	free(http->socket);
	free(http);
	errno = saved;
}
