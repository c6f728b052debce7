/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/stream.h"
#include "sim-frontend/util/text.h"

/* The least that is read at once. Most journals are small, and the memory is cleared. */
#define CHUNK (1 << 16)

/* What the file must begin with; length 0: with anything. */
struct magic {
	const char *bytes;
	size_t length;
};

static bool may_begin_with(const struct lxfw_bytes *bytes, const struct magic *magic)
{
	size_t length = bytes->length < magic->length ? bytes->length : magic->length;

	return length == 0 || memcmp(bytes->bytes, magic->bytes, length) == 0;
}

static int read_up_to(struct lxfw_bytes *bytes, size_t most, const struct magic *magic,
		      struct lxfw_stream *stream, const char *path,
		      struct lxfw_error *error)
{
	size_t size = 0;

	for (;;) {
		unsigned char *larger = lxfw_grow(bytes->bytes, &size,
						  bytes->length + CHUNK, 1);
		const char *reason;
		long got;

		if (!larger)
			return lxfw_error_system(error, path);
		bytes->bytes = larger;
		got = lxfw_stream_read(stream, larger + bytes->length, size - bytes->length,
				       &reason);
		if (got < 0 && !reason)
			return lxfw_error_system(error, path);
		if (got < 0)
			return lxfw_error_at(error, path, 0,
				"%s, expected a complete file", reason);
		bytes->length += (size_t)got;
		if (got == 0 || bytes->length >= most || !may_begin_with(bytes, magic))
			return 0;
	}
}

static int read_file(struct lxfw_bytes *bytes, const char *path, size_t most,
		     const struct magic *magic, struct lxfw_error *error)
{
	struct lxfw_stream *stream = lxfw_stream_open(path, error);
	int result;

	*bytes = (struct lxfw_bytes) { 0 };
	if (!stream)
		return -1;
	result = read_up_to(bytes, most, magic, stream, path, error);
	lxfw_stream_close(stream);
	if (result) {
		free(bytes->bytes);
		*bytes = (struct lxfw_bytes) { 0 };
	}
	return result;
}

int lxfw_bytes_read(struct lxfw_bytes *bytes, const char *path,
		    struct lxfw_error *error)
{
	return lxfw_bytes_read_first(bytes, path, SIZE_MAX, error);
}

int lxfw_bytes_read_first(struct lxfw_bytes *bytes, const char *path,
			  size_t most, struct lxfw_error *error)
{
	const struct magic none = { 0 };

	return read_file(bytes, path, most, &none, error);
}

int lxfw_bytes_read_magic(struct lxfw_bytes *bytes, const char *path, const char *magic,
			  size_t magic_length, struct lxfw_error *error)
{
	const struct magic first = { magic, magic_length };

	return read_file(bytes, path, SIZE_MAX, &first, error);
}
