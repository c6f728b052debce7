/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of quanta in progress. Whatever is read from a damaged file must be the same
   after it is written and read again. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/quanta_file.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "quanta";

static char copy[] = "/dev/shm/lxfw-fuzz-XXXXXX";	/* fsync() is fast in /dev/shm */

static void remove_copy(void)
{
	unlink(copy);
}

/* Write BOOKS to another file, and leave its path in BOOKS. */
static void write_copy(struct lxfw_quanta_books *books)
{
	static int descriptor = -1;

	if (descriptor < 0) {
		if (access("/dev/shm", W_OK) < 0)
			strcpy(copy, "/tmp/lxfw-fuzz-XXXXXX");
		descriptor = mkstemp(copy);
		FUZZ_CHECK(descriptor >= 0 && atexit(remove_copy) == 0);
	}
	free(books->path);
	books->path = strdup(copy);
	FUZZ_CHECK(books->path && lxfw_quanta_write(books) == 0);
}

static int read_books(struct lxfw_quanta_books *books, const char *path)
{
	int rc;

	memset(books, 0, sizeof(*books));
	books->path = strdup(path);
	FUZZ_CHECK(books->path);
	rc = lxfw_quanta_read(books);
	FUZZ_CHECK(rc == 0 || errno == EBADMSG);
	return rc;
}

static void check_same(const struct lxfw_quanta_books *a,
		       const struct lxfw_quanta_books *b)
{
	FUZZ_CHECK(a->preempted_count == b->preempted_count);
	FUZZ_CHECK(a->served_count == b->served_count);
	FUZZ_CHECK(a->victim_count == b->victim_count);
	FUZZ_CHECK(a->uncounted == b->uncounted);
	for (size_t i = 0; i < a->victim_count; i++) {
		FUZZ_CHECK(a->victims[i].job_id == b->victims[i].job_id);
		FUZZ_CHECK(a->victims[i].suspensions == b->victims[i].suspensions);
		FUZZ_CHECK(a->victims[i].suspensions >= 1);
	}
	for (size_t i = 0; i < a->preempted_count; i++) {
		FUZZ_CHECK(a->preempted[i].job_id == b->preempted[i].job_id);
		FUZZ_CHECK(a->preempted[i].priority == b->preempted[i].priority);
		FUZZ_CHECK(a->preempted[i].served == b->preempted[i].served);
	}
	for (size_t i = 0; i < a->served_count; i++) {
		FUZZ_CHECK(a->served[i].job_id == b->served[i].job_id);
		FUZZ_CHECK(a->served[i].id == b->served[i].id);
		FUZZ_CHECK(a->served[i].until == b->served[i].until);
		FUZZ_CHECK(a->served[i].submit == b->served[i].submit);
		FUZZ_CHECK(a->served[i].accrue == b->served[i].accrue);
		FUZZ_CHECK(a->served[i].cut == b->served[i].cut);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_quanta_books first, second;

	if (!path)
		return 0;
	(void)read_books(&first, path);
	write_copy(&first);
	FUZZ_CHECK(read_books(&second, copy) == 0);
	check_same(&first, &second);
	lxfw_quanta_clear(&first);
	lxfw_quanta_clear(&second);
	return 0;
}
