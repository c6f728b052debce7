/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "plugins/slurm/compat/compat.h"

#define RETRY_SECONDS 10
#define ROOM_BYTES ((uint64_t)64 << 10)	/* free, before writing is tried again */
#define READ_BYTES ((size_t)1 << 20)

void lxfw_journal_file_init(struct lxfw_journal_file *file)
{
	memset(file, 0, sizeof(*file));
	file->descriptor = -1;
}

static void close_file(struct lxfw_journal_file *file)
{
	if (file->descriptor >= 0)
		close(file->descriptor);
	file->descriptor = -1;
	file->recording = false;
	file->buffer.length = 0;
}

void lxfw_journal_file_close(struct lxfw_journal_file *file)
{
	close_file(file);
	free(file->path);
	free(file->buffer.bytes);
	lxfw_journal_file_init(file);
}

void lxfw_journal_file_set(struct lxfw_journal_file *file, const char *path,
			   int length)
{
	char *copy = NULL;

	if (path && length > 0) {
		if (path[0] != '/') {
			error("sched/lxfw: lxfw_journal: not an absolute path; no journal is written");
		} else {
			copy = strndup(path, (size_t)length);
			if (!copy)
				error("sched/lxfw: lxfw_journal: %m");
		}
	}
	if (copy && file->path && strcmp(copy, file->path) == 0) {
		free(copy);
		return;
	}
	close_file(file);
	free(file->path);
	file->path = copy;
	file->complained = false;
	file->retry = 0;
}

/* Writing does not work now: say so once, try again later. */
static void give_up(struct lxfw_journal_file *file, const char *why,
		    int64_t now)
{
	if (!file->complained)
		error("sched/lxfw: journal %s: %s; nothing is recorded until that is mended",
		      file->path, why);
	file->complained = true;
	file->retry = now + RETRY_SECONDS;
	close_file(file);
}

/*
 * Find the end of the last whole record of an existing journal. Returns 0, or
 * -1 if the file is no journal or is damaged before its end; errno then.
 */
static int find_end(int descriptor, off_t *end)
{
	struct lxfw_record record = { 0 };
	unsigned char *bytes = NULL;
	size_t length = 0, size = 0, offset = 0;
	off_t start = 0;	/* of BYTES in the file */
	int got = 0;
	ssize_t count;

	for (;;) {
		if (offset > 0) {
			memmove(bytes, bytes + offset, length - offset);
			length -= offset;
			start += (off_t)offset;
			offset = 0;
		}
		if (length + READ_BYTES > size) {
			void *more = realloc(bytes, length + READ_BYTES);

			if (!more) {
				got = -1;
				break;
			}
			bytes = more;
			size = length + READ_BYTES;
		}
		count = pread(descriptor, bytes + length, READ_BYTES,
			      start + (off_t)length);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			got = (int)count;
			break;
		}
		length += (size_t)count;
		while ((got = lxfw_journal_get(bytes, length, &offset,
					       &record)) > 0)
			;
		if (got < 0)
			break;
	}
	*end = start + (off_t)offset;
	lxfw_record_clear(&record);
	free(bytes);
	return got < 0 ? -1 : 0;
}

static bool open_file(struct lxfw_journal_file *file, int64_t now)
{
	struct stat status;
	off_t end = 0;

	file->descriptor = open(file->path,
				O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC |
					O_NOCTTY | O_NONBLOCK,
				0600);
	if (file->descriptor < 0 || fstat(file->descriptor, &status) < 0) {
		give_up(file, strerror(errno), now);
		return false;
	}
	if (!S_ISREG(status.st_mode)) {
		give_up(file, "not a regular file", now);
		return false;
	}
	if (status.st_size > 0 && find_end(file->descriptor, &end) < 0) {
		give_up(file, errno == EBADMSG || errno == EPROTONOSUPPORT ?
			"there is something else in it, or it is damaged; move it away" :
			strerror(errno), now);
		return false;
	}
	if (end == 0 && status.st_size >= LXFW_JOURNAL_MAGIC_SIZE) {
		give_up(file, "there is something else in it; move it away",
			now);
		return false;
	}
	if (end < status.st_size) {
		info("sched/lxfw: journal %s: cutting off %lld bytes of a record that is not whole",
		     file->path, (long long)(status.st_size - end));
		if (ftruncate(file->descriptor, end) < 0) {
			give_up(file, strerror(errno), now);
			return false;
		}
	}
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->length = end;
	return true;
}

static bool was_rotated(const struct lxfw_journal_file *file)
{
	struct stat status;

	if (stat(file->path, &status) < 0)
		return errno == ENOENT;
	return status.st_dev != file->device || status.st_ino != file->inode ||
	       status.st_size < file->length;
}

static bool has_room(const struct lxfw_journal_file *file)
{
	struct statvfs room;

	if (!file->complained || fstatvfs(file->descriptor, &room) < 0)
		return true;
	return (uint64_t)room.f_bavail * room.f_frsize >= ROOM_BYTES;
}

bool lxfw_journal_file_wants_segment(struct lxfw_journal_file *file,
				     int64_t now)
{
	if (!file->path)
		return false;
	if (file->descriptor >= 0 && was_rotated(file)) {
		info("sched/lxfw: journal %s was moved: beginning a new one",
		     file->path);
		close_file(file);
		file->retry = 0;
	}
	if (file->recording || now < file->retry)
		return false;
	if (file->descriptor < 0 && !open_file(file, now))
		return false;
	if (!has_room(file)) {
		give_up(file, strerror(ENOSPC), now);
		return false;
	}
	return true;
}

static void record_failed(struct lxfw_journal_file *file)
{
	/* Without this record the segment is of no use any more. */
	error("sched/lxfw: journal %s: out of memory; a new segment will be begun",
	      file->path);
	close_file(file);
}

void lxfw_journal_file_begin(struct lxfw_journal_file *file)
{
	struct lxfw_buffer *buffer = &file->buffer;

	buffer->length = 0;
	if (file->descriptor < 0)
		return;
	if (buffer->size < LXFW_JOURNAL_MAGIC_SIZE) {
		void *bytes = realloc(buffer->bytes, 4096);

		if (!bytes) {
			record_failed(file);
			return;
		}
		buffer->bytes = bytes;
		buffer->size = 4096;
	}
	memcpy(buffer->bytes, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE);
	buffer->length = LXFW_JOURNAL_MAGIC_SIZE;
	file->recording = true;
}

void lxfw_journal_file_event(struct lxfw_journal_file *file,
			     const struct lxfw_event *event)
{
	if (file->recording &&
	    lxfw_journal_put_event(&file->buffer, event) < 0)
		record_failed(file);
}

void lxfw_journal_file_decision(struct lxfw_journal_file *file, int64_t now,
				const struct lxfw_decision *decision)
{
	if (file->recording &&
	    lxfw_journal_put_decision(&file->buffer, now, decision) < 0)
		record_failed(file);
}

void lxfw_journal_file_flush(struct lxfw_journal_file *file, int64_t now)
{
	size_t written = 0;

	if (!file->recording)
		return;
	while (written < file->buffer.length) {
		ssize_t count = write(file->descriptor,
				      file->buffer.bytes + written,
				      file->buffer.length - written);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			int why = count < 0 ? errno : ENOSPC;

			if (ftruncate(file->descriptor, file->length) < 0)
				debug("sched/lxfw: journal %s: ftruncate: %m",
				      file->path);
			give_up(file, strerror(why), now);
			return;
		}
		written += (size_t)count;
	}
	if (written > 0 && file->complained) {
		info("sched/lxfw: journal %s is written again", file->path);
		file->complained = false;
	}
	file->length += (off_t)written;
	file->buffer.length = 0;
}
