/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/route/address.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim-frontend/util/text.h"

#define BACKLOG 4096
#define HOST_MAX 256

static int begin(int file, const struct sockaddr *address, socklen_t length, bool listens)
{
	int one = 1, failed;
	mode_t mask;

	if (!listens)
		return connect(file, address, length) && errno != EINPROGRESS ? -1 : 0;
	setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* All users may ask. A mode that is set by name may be that of another file. */
	mask = umask(0111);
	failed = bind(file, address, length);
	umask(mask);
	return failed || listen(file, BACKLOG) ? -1 : 0;
}

static int try_address(int family, const struct sockaddr *address, socklen_t length,
		       bool listens)
{
	int file = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), saved;

	if (file < 0 || begin(file, address, length, listens) == 0)
		return file;
	saved = errno;
	close(file);
	errno = saved;
	return -1;
}

static int open_path(const char *path, bool listens, struct lxfw_error *error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct sockaddr *any = (const struct sockaddr *)&address;
	struct stat about;
	int file;

	strcpy(address.sun_path, path);
	file = try_address(AF_UNIX, any, sizeof(address), listens);
	if (file < 0 && listens && errno == EADDRINUSE && lstat(path, &about) == 0 &&
	    S_ISSOCK(about.st_mode)) {
		int other = try_address(AF_UNIX, any, sizeof(address), false);

		if (other >= 0)
			close(other);
		else if (errno == ECONNREFUSED && unlink(path) == 0)
			file = try_address(AF_UNIX, any, sizeof(address), true);
		if (file < 0)
			errno = EADDRINUSE;
	}
	if (file < 0)
		lxfw_error_system(error, path);
	return file;
}

int lxfw_route_open(const char *at, bool listens, struct lxfw_error *error)
{
	const char *colon = strrchr(at, ':');
	size_t length = colon ? (size_t)(colon - at) : 0;
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = listens ? AI_PASSIVE : 0 };
	struct addrinfo *found;
	char host[HOST_MAX];
	int file = -1, code;
	int64_t port;

	if (*at == '/')
		return open_path(at, listens, error);
	if (length == 0 || length >= sizeof(host))
		return lxfw_error_format(error, "%.80s: expected HOST:PORT or /SOCKET", at);
	if (*at == '[' && at[length - 1] == ']')
		snprintf(host, sizeof(host), "%.*s", (int)length - 2, at + 1);
	else
		snprintf(host, sizeof(host), "%.*s", (int)length, at);
	/* getaddrinfo() takes the last 16 bits of a number. */
	if (strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
	    lxfw_text_integer(colon + 1, strlen(colon + 1), 1, UINT16_MAX, &port))
		return lxfw_error_format(error, "%.80s: expected a port from 1 to 65535", at);
	code = getaddrinfo(host, colon + 1, &hints, &found);
	if (code)
		return lxfw_error_format(error, "%.80s: %s", at, gai_strerror(code));
	for (struct addrinfo *one = found; one && file < 0; one = one->ai_next)
		file = try_address(one->ai_family, one->ai_addr, one->ai_addrlen, listens);
	code = errno;
	freeaddrinfo(found);
	errno = code;
	if (file < 0)
		lxfw_error_system(error, at);
	return file;
}
