/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/journal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "plugins/agent/journal_old.h"
#include "plugins/agent/log.h"

#define RETRY_SECONDS 10
#define RETRY_MOST 640		/* limit of the interval, which doubles with each
				   failed write */
#define LOCK_SECONDS 2
#define ROTATE_SECONDS 600
#define ROOM_BYTES ((uint64_t)64 << 10)	/* free space required for writing */

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
			lxfw_log_error("lxfw_journal: not an absolute path; no journal is written");
		} else {
			copy = strndup(path, (size_t)length);
			if (!copy)
				lxfw_log_error("lxfw_journal: %m");
		}
	}
	if (copy && file->path && strcmp(copy, file->path) == 0) {
		free(copy);
		return;
	}
	close_file(file);
	free(file->path);
	file->path = copy;
	file->complained = file->complained_of_rotation = false;
	file->locked_out = false;
	file->retry = file->wait = file->rotate_retry = 0;
}

void lxfw_journal_file_limit(struct lxfw_journal_file *file, int64_t size_mb,
			     int64_t keep)
{
	file->limit = (off_t)size_mb << 20;
	file->keep = keep;
}

void lxfw_journal_file_share(struct lxfw_journal_file *file, gid_t group)
{
	if (group == file->group)
		return;
	file->group = group;
	file->complained_of_group = false;
	close_file(file);
	file->retry = 0;
}

/* Lets the group read the opened file. The file is written all the same if this fails. */
static void share(struct lxfw_journal_file *file, const struct stat *status)
{
	if (file->group == 0)
		return;
	if ((status->st_gid == file->group ||
	     fchown(file->descriptor, (uid_t)-1, file->group) == 0) &&
	    ((status->st_mode & 07777) == 0640 || fchmod(file->descriptor, 0640) == 0))
		return;
	if (!file->complained_of_group)
		lxfw_log_error("journal %s: group %u of lxfw_journal_group cannot read it: %m",
			       file->path, (unsigned int)file->group);
	file->complained_of_group = true;
}

/* Closes the file after an error. Logs the error once. The next attempt is made in
   SECONDS. */
static void give_up(struct lxfw_journal_file *file, const char *why,
		    int64_t now, int64_t seconds)
{
	if (!file->complained)
		lxfw_log_error("journal %s: %s; no events are recorded until "
			       "this is corrected",
		      file->path, why);
	file->complained = true;
	file->retry = now + seconds;
	close_file(file);
}

static bool is_at_path(const struct lxfw_journal_file *file,
		       const struct stat *opened)
{
	struct stat status;

	return lstat(file->path, &status) == 0 &&
	       status.st_dev == opened->st_dev &&
	       status.st_ino == opened->st_ino;
}

/*
 * Checks the magic number of a file of *LENGTH bytes. A magic number truncated by a
 * crash is removed, and *LENGTH becomes 0. Sets *OTHER if the file is a journal of
 * another version. Returns false if it is not a journal, or, with errno set, on an
 * error.
 */
static bool is_journal(const struct lxfw_journal_file *file, off_t *length,
		       bool *other)
{
	static const char magic[] = LXFW_JOURNAL_MAGIC;
	const size_t version = LXFW_JOURNAL_MAGIC_SIZE - 1;
	char bytes[LXFW_JOURNAL_MAGIC_SIZE];
	ssize_t count;

	errno = 0;
	*other = false;
	count = pread(file->descriptor, bytes, sizeof(bytes), 0);
	if (count < 0 ||
	    memcmp(bytes, magic, (size_t)count < version ? (size_t)count :
							   version) != 0)
		return false;
	if (count == LXFW_JOURNAL_MAGIC_SIZE) {
		*other = bytes[version] != magic[version];
		return true;
	}
	*length = 0;
	return count == 0 || ftruncate(file->descriptor, 0) == 0;
}

/* Returns why the opened file must not be written, or NULL. */
static const char *unfit(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "not a regular file";
	if (status->st_uid != geteuid() && status->st_uid != 0)
		return "it is owned by another user";
	return NULL;
}

static bool has_room(const struct lxfw_journal_file *file)
{
	struct statvfs room;

	if (fstatvfs(file->descriptor, &room) < 0)
		return true;
	return (uint64_t)room.f_bavail * room.f_frsize >= ROOM_BYTES;
}

/* The checks that are made once the file is locked. Returns NULL if it can be used. */
static const char *unfit_now(struct lxfw_journal_file *file,
			     struct stat *status, bool *other)
{
	if (fstat(file->descriptor, status) < 0)
		return strerror(errno);
	if (!is_at_path(file, status))
		return "it was replaced while being opened";
	if (!has_room(file))
		return strerror(ENOSPC);
	if (!is_journal(file, &status->st_size, other))
		return errno ? strerror(errno) :
			       "it is not a journal; move it away";
	return NULL;
}

/* Whether it is too early for a retry, which is due MOST seconds after the last attempt at the
   latest. If it is later, the clock was set back since, and the retry is due. */
static bool is_early(int64_t retry, int64_t now, int64_t most)
{
	return now < retry && retry - now <= most;
}

static bool rotate(struct lxfw_journal_file *file, int64_t now)
{
	if (is_early(file->rotate_retry, now, ROTATE_SECONDS))
		return false;
	if (lxfw_journal_old_add(file->path, now) < 0) {
		if (!file->complained_of_rotation)
			lxfw_log_error("journal %s: cannot be rotated: %m; it "
				       "continues to grow",
			      file->path);
		file->complained_of_rotation = true;
		file->rotate_retry = now + ROTATE_SECONDS;
		return false;
	}
	close_file(file);
	if (lxfw_journal_old_drop(file->path, file->keep) == 0) {
		file->complained_of_rotation = false;
	} else {
		if (!file->complained_of_rotation)
			lxfw_log_error("journal %s: cannot remove an old "
				       "segment: %m",
			      file->path);
		file->complained_of_rotation = true;
	}
	return true;
}

/* Opens the file at the path, or creates it. Sets *OTHER if it is a journal of another
   version. */
static bool open_once(struct lxfw_journal_file *file, int64_t now, bool *other)
{
	struct stat status;
	const char *why;

	file->descriptor = open(file->path,
				O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC |
					O_NOCTTY | O_NONBLOCK | O_NOFOLLOW,
				0600);
	if (file->descriptor < 0)
		why = errno == ELOOP ? "a symbolic link" : strerror(errno);
	else if (fstat(file->descriptor, &status) < 0)
		why = strerror(errno);
	else
		why = unfit(&status);
	if (!why && flock(file->descriptor, LOCK_EX | LOCK_NB) < 0) {
		why = errno == EWOULDBLOCK ? "another process writes it" :
					     strerror(errno);
		/* When the controller re-executes itself, the old process may still
		   hold the lock for a moment. */
		if (errno == EWOULDBLOCK && !file->locked_out) {
			file->locked_out = true;
			file->retry = now + LOCK_SECONDS;
			close_file(file);
			return false;
		}
	}
	if (!why)
		why = unfit_now(file, &status, other);
	if (why) {
		give_up(file, why, now, RETRY_SECONDS);
		return false;
	}
	share(file, &status);
	file->locked_out = false;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->length = file->opened = status.st_size;
	return true;
}

static bool open_file(struct lxfw_journal_file *file, int64_t now)
{
	bool other = false;

	while (open_once(file, now, &other)) {
		if (!other && (!file->limit || file->length < file->limit))
			return true;
		if (rotate(file, now))
			continue;
		if (other)
			give_up(file, "a journal of an unsupported version; "
				      "move it away",
				now, RETRY_SECONDS);
		return !other;
	}
	return false;
}

static bool was_moved(const struct lxfw_journal_file *file)
{
	struct stat status;

	if (lstat(file->path, &status) < 0)
		return errno == ENOENT;
	return status.st_dev != file->device || status.st_ino != file->inode ||
	       status.st_size < file->length;
}

/* A new segment requires a rebuild of the model. Hence at least as much is recorded
   after the complete state as the state itself takes. */
static bool is_long(const struct lxfw_journal_file *file)
{
	return file->limit && file->length >= file->limit && file->state > 0 &&
	       file->length - file->opened >= 2 * file->state;
}

bool lxfw_journal_file_wants_segment(struct lxfw_journal_file *file,
				     int64_t now)
{
	if (!file->path)
		return false;
	if (file->descriptor >= 0 && was_moved(file)) {
		lxfw_log_info("journal %s was moved: creating a new one",
		     file->path);
		close_file(file);
		file->retry = 0;
	}
	if (file->recording && is_long(file) && rotate(file, now))
		file->retry = 0;
	if (file->recording || is_early(file->retry, now, RETRY_MOST))
		return false;
	return file->descriptor >= 0 || open_file(file, now);
}

/* Each retry requires a rebuild of the model, so the interval between retries is
   doubled. */
static void retry_later(struct lxfw_journal_file *file, const char *why, int64_t now)
{
	file->wait = file->wait ? 2 * file->wait : RETRY_SECONDS;
	if (file->wait > RETRY_MOST)
		file->wait = RETRY_MOST;
	give_up(file, why, now, file->wait);
}

/* A record could not be encoded. The segment is useless without it. WHAT and TYPE describe
   the record. */
static void record_failed(struct lxfw_journal_file *file, const char *what, int type,
			  int64_t now)
{
	char text[100];

	snprintf(text, sizeof(text), "%s %d: %s", what, type,
		 errno == EINVAL ? "invalid values, which is a defect of the plugin" :
				   strerror(errno));
	retry_later(file, text, now);
}

void lxfw_journal_file_begin(struct lxfw_journal_file *file)
{
	struct lxfw_buffer *buffer = &file->buffer;

	buffer->length = 0;
	file->state = 0;
	if (file->descriptor < 0)
		return;
	if (LXFW_GROW(buffer->bytes, buffer->size, LXFW_JOURNAL_MAGIC_SIZE)) {
		give_up(file, strerror(ENOMEM), 0, 0);
		return;
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
		record_failed(file, "event of type", (int)event->type, event->time);
}

void lxfw_journal_file_decision(struct lxfw_journal_file *file, int64_t now,
				const struct lxfw_decision *decision)
{
	if (file->recording &&
	    lxfw_journal_put_decision(&file->buffer, now, decision) < 0)
		record_failed(file, "number of actions", (int)decision->count, now);
}

/* Truncates the incomplete record. */
static void write_failed(struct lxfw_journal_file *file, int why, int64_t now)
{
	if (ftruncate(file->descriptor, file->length) < 0)
		lxfw_log_debug("journal %s: ftruncate: %m", file->path);
	retry_later(file, strerror(why), now);
}

/* True if the file was truncated in place. Further records would then lack the segment
   they depend on. */
static bool was_truncated(const struct lxfw_journal_file *file)
{
	struct stat status;

	return fstat(file->descriptor, &status) == 0 &&
	       status.st_size < file->length;
}

void lxfw_journal_file_flush(struct lxfw_journal_file *file, int64_t now)
{
	size_t written = 0;

	if (!file->recording || file->buffer.length == 0)
		return;
	if (was_truncated(file)) {
		lxfw_log_info("journal %s was truncated: a new segment will "
			      "be written",
		     file->path);
		close_file(file);
		return;
	}
	while (written < file->buffer.length) {
		ssize_t count = write(file->descriptor,
				      file->buffer.bytes + written,
				      file->buffer.length - written);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			write_failed(file, count < 0 ? errno : ENOSPC, now);
			return;
		}
		written += (size_t)count;
	}
	if (file->complained)
		lxfw_log_info("journal %s is being written again", file->path);
	file->complained = false;
	file->wait = 0;
	if (file->state == 0)
		file->state = (off_t)written;
	file->length += (off_t)written;
	file->buffer.length = 0;
}
