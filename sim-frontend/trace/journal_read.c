/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/journal_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/util/text.h"

static int no_journal(const char *path, struct lxfw_error *error)
{
	return lxfw_error_at(error, path, 0, "not a journal, expected it to "
			     "begin with '%.7s'", LXFW_JOURNAL_MAGIC);
}

static int explain(const char *path, size_t offset, struct lxfw_error *error)
{
	switch (errno) {
	case EBADMSG:
		return lxfw_error_at(error, path, 0, "byte %zu: not a valid "
				     "record, expected a whole journal", offset);
	case EPROTONOSUPPORT:
		return lxfw_error_at(error, path, 0, "byte %zu: a journal of "
				     "another version", offset);
	default:
		return lxfw_error_system(error, path);
	}
}

static int give(lxfw_journal_take *take, void *context,
		const struct lxfw_record *record)
{
	errno = 0;
	if (take(context, record) == 0)
		return 0;
	if (errno != EBADMSG)
		errno = ENOMEM;
	return -1;
}

int lxfw_journal_read(const char *path, lxfw_journal_take *take, void *context,
		      struct lxfw_journal_reach *reach, struct lxfw_error *error)
{
	struct lxfw_record record = { 0 };
	struct lxfw_bytes file;
	bool begun = false;
	size_t before;
	int got = 0;

	*reach = (struct lxfw_journal_reach) { 0 };
	if (lxfw_bytes_read(&file, path, error))
		return -1;
	reach->length = file.length;
	do {
		before = reach->taken;
		got = lxfw_journal_get(file.bytes, file.length, &reach->taken,
				       &record);
		if (got > 0)
			begun |= record.kind == LXFW_RECORD_MAGIC;
		if (got > 0 && begun && give(take, context, &record))
			got = -1;
	} while (got > 0 && begun);
	if (!begun && (got >= 0 || errno == EBADMSG))
		got = no_journal(path, error);
	else if (got < 0)
		explain(path, before, error);
	lxfw_record_clear(&record);
	free(file.bytes);
	return got;
}
