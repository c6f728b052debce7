/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/journal_tail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define READ_SIZE ((size_t)1 << 20)
#define KEPT_SIZE (8 * READ_SIZE)

struct lxfw_journal_tail {
	char *path;
	int file;		/* -1: not open */
	dev_t device;
	ino_t inode;
	unsigned char *bytes;	/* read, and not taken yet from `taken` on */
	size_t length, size, taken;
	bool begun;		/* a segment has begun in this file */
	struct lxfw_record record;
};

struct lxfw_journal_tail *lxfw_journal_tail_open(const char *path)
{
	struct lxfw_journal_tail *tail = calloc(1, sizeof(*tail));

	if (!tail)
		return NULL;
	tail->file = -1;
	tail->path = strdup(path);
	if (tail->path)
		return tail;
	free(tail);
	errno = ENOMEM;
	return NULL;
}

/* Forgets the file, but not its name. */
static void forget(struct lxfw_journal_tail *tail)
{
	if (tail->file >= 0)
		close(tail->file);
	tail->file = -1;
	tail->length = tail->taken = 0;
	tail->begun = false;
}

void lxfw_journal_tail_close(struct lxfw_journal_tail *tail)
{
	if (!tail)
		return;
	forget(tail);
	lxfw_record_clear(&tail->record);
	free(tail->bytes);
	free(tail->path);
	free(tail);
}

static int open_file(struct lxfw_journal_tail *tail)
{
	struct stat about;

	tail->file = open(tail->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (tail->file < 0)
		return -1;
	if (fstat(tail->file, &about) == 0 && S_ISREG(about.st_mode)) {
		tail->device = about.st_dev;
		tail->inode = about.st_ino;
		return 0;
	}
	forget(tail);
	errno = EINVAL;
	return -1;
}

/* Whether another file has the name, or this one has become shorter than what was read. */
static bool replaced(const struct lxfw_journal_tail *tail)
{
	struct stat about, ours;

	if (stat(tail->path, &about))
		return false;
	return about.st_dev != tail->device || about.st_ino != tail->inode ||
	       (fstat(tail->file, &ours) == 0 &&
		lseek(tail->file, 0, SEEK_CUR) > ours.st_size);
}

/* Reads to the present end of the file. */
static int read_more(struct lxfw_journal_tail *tail)
{
	for (;;) {
		ssize_t got;

		if (LXFW_GROW(tail->bytes, tail->size, tail->length + READ_SIZE))
			return -1;
		got = read(tail->file, tail->bytes + tail->length, READ_SIZE);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return (int)got;
		tail->length += (size_t)got;
	}
}

/* Moves to the last segment. */
static void find_last(struct lxfw_journal_tail *tail)
{
	size_t at = 0;

	while (lxfw_journal_seek(tail->bytes, tail->length, &at)) {
		tail->taken = at;
		tail->begun = true;
		at++;
	}
}

static int explain(struct lxfw_journal_tail *tail, struct lxfw_error *error)
{
	int number = errno;

	if (number == EBADMSG || number == EPROTONOSUPPORT || number == ENOTSUP)
		lxfw_error_at(error, tail->path, 0, "an invalid record, or one of another "
			      "version, expected a journal of sched/lxfw");
	else
		lxfw_error_system(error, tail->path);
	forget(tail);
	errno = number;
	return -1;
}

/* Returns 1 if a record was decoded, 0 at the end, -1 on an error. */
static int next_record(struct lxfw_journal_tail *tail)
{
	int got = lxfw_journal_get(tail->bytes, tail->length, &tail->taken, &tail->record);
	size_t next = tail->taken;

	/* A writer that died left an incomplete record, and another one continued with a
	   segment. */
	if (got > 0 || tail->taken == tail->length ||
	    !lxfw_journal_seek(tail->bytes, tail->length, &next))
		return got;
	tail->taken = next;
	return lxfw_journal_get(tail->bytes, tail->length, &tail->taken, &tail->record);
}

static int take_all(struct lxfw_journal_tail *tail, lxfw_journal_take *take, void *context)
{
	int given = 0, got;

	if (!tail->begun)
		find_last(tail);
	if (!tail->begun)
		return 0;
	while ((got = next_record(tail)) > 0) {
		given = 1;
		errno = 0;
		if (take(context, &tail->record)) {
			errno = errno ? errno : ENOMEM;
			return -1;
		}
	}
	memmove(tail->bytes, tail->bytes + tail->taken, tail->length - tail->taken);
	tail->length -= tail->taken;
	tail->taken = 0;
	if (tail->length == 0 && tail->size > KEPT_SIZE) {	/* after the first time */
		free(tail->bytes);
		tail->bytes = NULL;
		tail->size = 0;
	}
	return got < 0 ? -1 : given;
}

int lxfw_journal_tail_read(struct lxfw_journal_tail *tail, lxfw_journal_take *take,
			   void *context, struct lxfw_error *error)
{
	int given = 0;

	for (int turn = 0; turn < 2; turn++) {
		bool other;
		int got;

		if (tail->file < 0 && open_file(tail))
			return explain(tail, error);
		other = replaced(tail);
		if (read_more(tail))
			return explain(tail, error);
		got = take_all(tail, take, context);
		if (got < 0)
			return explain(tail, error);
		given |= got;
		if (!other)
			break;
		forget(tail);
	}
	return given;
}
