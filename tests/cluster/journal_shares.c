/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * journal_shares FILE: print the processors of each job of a journal over time. One
 * line for each start, change and end: second, job, processors (0 if the job has ended
 * or was requeued).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/util/grow.h"

static void die(const char *what)
{
	fprintf(stderr, "journal_shares: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void show(int64_t time, uint64_t job, const struct lxfw_share *shares,
		 int32_t count)
{
	int64_t procs = 0;
	int32_t i;

	for (i = 0; i < count; i++)
		procs += shares[i].amount.procs;
	printf("%" PRId64 " %" PRIu64 " %" PRId64 "\n", time, job, procs);
}

static void take_event(const struct lxfw_event *event)
{
	if (event->type == LXFW_EVENT_JOB_RUN)
		show(event->time, event->run.id, event->run.shares,
		     event->run.count);
	else if (event->type == LXFW_EVENT_JOB_END)
		show(event->time, event->end.id, NULL, 0);
	else if (event->type == LXFW_EVENT_JOB_REFUSED)
		show(event->time, event->refused.id, NULL, 0);
}

static void take_action(int64_t now, const struct lxfw_action *action)
{
	switch (action->type) {
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		break;
	case LXFW_ACTION_REQUEUE:
		show(now, action->job, NULL, 0);
		break;
	default:
		show(now, action->job, action->shares, action->count);
	}
}

static void take_records(const unsigned char *bytes, size_t length)
{
	struct lxfw_record record = { 0 };
	size_t offset = 0;
	int64_t now = 0;
	int got;

	while ((got = lxfw_journal_get(bytes, length, &offset, &record)) > 0) {
		if (record.kind == LXFW_RECORD_EVENT)
			take_event(&record.event);
		else if (record.kind == LXFW_RECORD_DECIDE)
			now = record.now;
		else if (record.kind == LXFW_RECORD_ACTION)
			take_action(now, &record.action);
	}
	lxfw_record_clear(&record);
	if (got < 0)
		die("a record that is not valid");
}

static unsigned char *read_whole(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL, *grown;
	size_t size = 0, count = 0, got;

	if (!file)
		die(path);
	do {
		grown = lxfw_grow(bytes, &size, count + 65536, 1);
		if (!grown)
			die("memory");
		bytes = grown;
		got = fread(bytes + count, 1, 65536, file);
		count += got;
	} while (got > 0);
	if (ferror(file))
		die(path);
	fclose(file);
	*length = count;
	return bytes;
}

int main(int argc, char **argv)
{
	unsigned char *bytes;
	size_t length;

	if (argc != 2) {
		fputs("usage: journal_shares FILE\n", stderr);
		return 2;
	}
	bytes = read_whole(argv[1], &length);
	take_records(bytes, length);
	free(bytes);
	return 0;
}
