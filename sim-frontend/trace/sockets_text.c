/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/sockets_text.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/util/text.h"

const char *lxfw_sockets_text(char *buffer, uint32_t sockets)
{
	size_t length = 0;

	for (int i = 0; i == 0 || (i < LXFW_SOCKETS_MAX && sockets >> LXFW_SOCKET_BITS * i); i++) {
		if (i > 0)
			buffer[length++] = '+';
		length += (size_t)lxfw_text_put_integer(buffer + length,
							lxfw_sockets_at(sockets, i));
	}
	buffer[length] = '\0';
	return buffer;
}

int lxfw_sockets_read(const char *text, size_t length, uint32_t *sockets)
{
	const char *end = text + length;

	*sockets = 0;
	for (int i = 0; i < LXFW_SOCKETS_MAX; i++) {
		const char *plus = memchr(text, '+', (size_t)(end - text));
		size_t digits = (size_t)((plus ? plus : end) - text);
		int64_t count;

		if (lxfw_text_integer(text, digits, 0, LXFW_SOCKET_GPUS_MAX, &count))
			break;
		*sockets |= lxfw_sockets_of((int32_t)count, i);
		if (!plus && *sockets)
			return 0;
		if (!plus)
			break;
		text = plus + 1;
	}
	errno = EINVAL;
	return -1;
}
