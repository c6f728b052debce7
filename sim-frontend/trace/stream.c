/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zlib reads plain and gzip files; libarchive does not verify the checksum of gzip. If
 * the output of zlib is compressed in another format, it is passed to libarchive.
 */
#include "sim-frontend/trace/stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim-frontend/util/text.h"

#define BLOCK_SIZE (1 << 17)
#define HEAD_SIZE 6

/* Compression formats: their first bytes and the filters of libarchive. */
static const struct {
	const char *begin, *name;
	size_t length;
	int (*support)(struct archive *archive);
} kinds[] = {
	{ "BZh", "bzip2", 3, archive_read_support_filter_bzip2 },
	{ "\xfd" "7zXZ", "xz", 6, archive_read_support_filter_xz },
	{ "\x28\xb5\x2f\xfd", "zstd", 4, archive_read_support_filter_zstd },
	{ "\x04\x22\x4d\x18", "lz4", 4, archive_read_support_filter_lz4 },
	{ "\x1f\x9d", "compress", 2, archive_read_support_filter_compress },
};

struct lxfw_stream {
	gzFile file;
	char head[HEAD_SIZE];		/* bytes read ahead to detect the format */
	size_t head_length, head_used;
	struct archive *archive;	/* NULL: none of `kinds` */
	const char *name;		/* of the compression format */
	char *block;			/* input buffer of `archive` */
	const char *inner;		/* why reading `file` failed */
	bool begun, at_end, failed;
	char reason[160];
};

static int open_descriptor(const char *path)
{
	struct stat status;
	int descriptor;

	if (!path)
		return dup(STDIN_FILENO);
	descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor >= 0 && fstat(descriptor, &status) == 0 &&
	    S_ISDIR(status.st_mode)) {
		close(descriptor);
		errno = EISDIR;
		return -1;
	}
	return descriptor;
}

/* Reads without libarchive; returns as lxfw_stream_read(). Only gzerror() reports a
   truncated gzip file. */
static long read_file(struct lxfw_stream *stream, void *to, size_t size,
		      const char **reason)
{
	int got, code;

	*reason = NULL;
	got = gzread(stream->file, to, size < INT_MAX ? (unsigned)size : INT_MAX);
	if (got > 0)
		return got;
	gzerror(stream->file, &code);
	if (code == Z_ERRNO)
		return -1;
	errno = code == Z_MEM_ERROR ? ENOMEM : EINVAL;
	if (code == Z_MEM_ERROR)
		return -1;
	if (code == Z_BUF_ERROR)
		*reason = "the gzip data is truncated";
	else if (got < 0 || (code != Z_OK && code != Z_STREAM_END))
		*reason = "the gzip data is damaged";
	return *reason ? -1 : 0;
}

/* Returns the bytes read ahead, then the rest. */
static long read_all(struct lxfw_stream *stream, void *to, size_t size,
		     const char **reason)
{
	size_t left = stream->head_length - stream->head_used;

	*reason = NULL;
	if (left == 0)
		return read_file(stream, to, size, reason);
	left = left < size ? left : size;
	memcpy(to, stream->head + stream->head_used, left);
	stream->head_used += left;
	return (long)left;
}

static la_ssize_t feed(struct archive *archive, void *context, const void **block)
{
	struct lxfw_stream *stream = context;
	long got = read_all(stream, stream->block, BLOCK_SIZE, &stream->inner);

	*block = stream->block;
	stream->failed = got < 0;
	if (got < 0)
		archive_set_error(archive, errno, "cannot be read");
	return got;
}

/* Returns 0, or -1 with errno set if memory is insufficient or libarchive lacks the
   filter. */
static int open_archive(struct lxfw_stream *stream, size_t kind)
{
	stream->name = kinds[kind].name;
	stream->archive = archive_read_new();
	stream->block = malloc(BLOCK_SIZE);
	errno = ENOMEM;
	if (!stream->archive || !stream->block)
		return -1;
	errno = ENOTSUP;
	return kinds[kind].support(stream->archive) == ARCHIVE_OK &&
	       archive_read_support_format_raw(stream->archive) == ARCHIVE_OK &&
	       archive_read_support_format_empty(stream->archive) == ARCHIVE_OK ?
	       0 : -1;
}

/* Detects the format from the first bytes. A read error is reported when they are
   read. */
static int look(struct lxfw_stream *stream)
{
	const char *reason;
	long got = 1;

	while (got > 0 && stream->head_length < HEAD_SIZE) {
		got = read_file(stream, stream->head + stream->head_length,
				HEAD_SIZE - stream->head_length, &reason);
		stream->head_length += got > 0 ? (size_t)got : 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (stream->head_length >= kinds[i].length &&
		    memcmp(stream->head, kinds[i].begin, kinds[i].length) == 0)
			return open_archive(stream, i);
	}
	return 0;
}

struct lxfw_stream *lxfw_stream_open(const char *path, struct lxfw_error *error)
{
	struct lxfw_stream *stream = calloc(1, sizeof(*stream));
	int descriptor = stream ? open_descriptor(path) : -1;

	if (descriptor >= 0) {
		stream->file = gzdopen(descriptor, "rb");
		if (!stream->file) {
			close(descriptor);
			errno = ENOMEM;
		} else {
			gzbuffer(stream->file, BLOCK_SIZE);
		}
	}
	if (!stream || !stream->file || look(stream)) {
		lxfw_error_system(error, path ? path : "<stdin>");
		lxfw_stream_close(stream);
		return NULL;
	}
	return stream;
}

/* Whether libarchive lacked memory; for zstd it only has the words of that library. */
static bool lacks_memory(struct archive *archive)
{
	const char *text = archive_error_string(archive);

	return archive_errno(archive) == ENOMEM || (text && strstr(text, "not enough memory"));
}

/* Sets *REASON to libarchive's error message, to the error of the underlying file, or to NULL
   with errno set. */
static long tell(struct lxfw_stream *stream, const char **reason)
{
	const char *text = archive_error_string(stream->archive);

	*reason = stream->inner;
	if (stream->failed && !stream->inner) {
		errno = archive_errno(stream->archive);
		return -1;
	}
	if (!stream->inner && lacks_memory(stream->archive)) {
		errno = ENOMEM;
		return -1;
	}
	if (!stream->inner) {
		snprintf(stream->reason, sizeof(stream->reason),
			 "the %s data is damaged or truncated (%s)", stream->name,
			 text ? text : "no reason given");
		*reason = stream->reason;
	}
	errno = EINVAL;
	return -1;
}

/* At the first read: opens the archive and its single entry. */
static int begin(struct lxfw_stream *stream)
{
	struct archive_entry *entry;
	int got = archive_read_open(stream->archive, stream, NULL, feed, NULL);

	stream->begun = true;
	if (got == ARCHIVE_OK)
		got = archive_read_next_header(stream->archive, &entry);
	stream->at_end = got == ARCHIVE_EOF;
	return got == ARCHIVE_OK || got == ARCHIVE_EOF ? 0 : -1;
}

long lxfw_stream_read(struct lxfw_stream *stream, void *to, size_t size,
		      const char **reason)
{
	la_ssize_t got;

	if (!stream->archive)
		return read_all(stream, to, size, reason);
	*reason = NULL;
	if (!stream->begun && begin(stream))
		return tell(stream, reason);
	if (stream->at_end)
		return 0;
	got = archive_read_data(stream->archive, to, size);
	return got < 0 ? tell(stream, reason) : (long)got;
}

void lxfw_stream_close(struct lxfw_stream *stream)
{
	int saved = errno;

	if (!stream)
		return;
	if (stream->archive)
		archive_read_free(stream->archive);
	if (stream->file)
		gzclose(stream->file);
	free(stream->block);
	free(stream);
	errno = saved;
}
