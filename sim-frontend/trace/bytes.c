/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define CHUNK (1 << 20)

static int read_up_to(struct lxfw_bytes *bytes, size_t most, gzFile file,
		      const char *path, struct lxfw_error *error)
{
	size_t size = 0;

	for (;;) {
		unsigned char *larger = lxfw_grow(bytes->bytes, &size,
						  bytes->length + CHUNK, 1);
		int got, code;

		if (!larger)
			return lxfw_error_system(error, path);
		bytes->bytes = larger;
		got = gzread(file, bytes->bytes + bytes->length, CHUNK);
		gzerror(file, &code);
		if (code == Z_ERRNO)
			return lxfw_error_system(error, path);
		if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
			return lxfw_error_at(error, path, 0, "the gzip data is "
				"damaged or cut off, expected a whole file");
		bytes->length += (size_t)got;
		if (got == 0 || bytes->length >= most)
			return 0;
	}
}

int lxfw_bytes_read(struct lxfw_bytes *bytes, const char *path,
		    struct lxfw_error *error)
{
	return lxfw_bytes_read_first(bytes, path, SIZE_MAX, error);
}

int lxfw_bytes_read_first(struct lxfw_bytes *bytes, const char *path,
			  size_t most, struct lxfw_error *error)
{
	struct stat status;
	gzFile file = NULL;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC), result;

	*bytes = (struct lxfw_bytes) { 0 };
	if (descriptor < 0)
		return lxfw_error_system(error, path);
	if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
		errno = EISDIR;
	else
		file = gzdopen(descriptor, "rb");
	if (!file) {
		lxfw_error_system(error, path);
		close(descriptor);
		return -1;
	}
	result = read_up_to(bytes, most, file, path, error);
	gzclose(file);
	if (result) {
		free(bytes->bytes);
		*bytes = (struct lxfw_bytes) { 0 };
	}
	return result;
}
