/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/account.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/util/text.h"

const char *const lxfw_unread_names[LXFW_UNREADS] = {
	[LXFW_UNREAD_CONSTRAINT] = "--constraint", [LXFW_UNREAD_DEPENDENCY] = "--dependency",
	[LXFW_UNREAD_GPUS_PER_TASK] = "--gpus-per-task",
	[LXFW_UNREAD_MEMORY_PER_GPU] = "--mem-per-gpu", [LXFW_UNREAD_CANCEL_IN] = "-cancel-in",
};

struct lxfw_account_reader {
	const struct lxfw_log_format *format;
	void *state;
	struct lxfw_account_counts counts;
};

struct lxfw_account_reader *
lxfw_account_open(struct lxfw_input *input, const struct lxfw_log_format *format,
		  const struct lxfw_account_options *options, struct lxfw_error *error)
{
	struct lxfw_account_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		lxfw_error_system(error, lxfw_input_path(input));
		return NULL;
	}
	reader->format = format;
	reader->state = format->open(input, options, error);
	if (!reader->state) {
		free(reader);
		return NULL;
	}
	return reader;
}

void lxfw_account_close(struct lxfw_account_reader *reader)
{
	int saved = errno;

	if (!reader)
		return;
	reader->format->close(reader->state);
	free(reader);
	errno = saved;
}

int lxfw_account_next(struct lxfw_account_reader *reader,
		      struct lxfw_account *account, struct lxfw_error *error)
{
	struct lxfw_account_counts *counts = &reader->counts;
	int got;

	do {
		lxfw_account_clear(account);
		got = reader->format->next(reader->state, account, counts, error);
		counts->records += got == LXFW_ODD_RECORD;
	} while (got == LXFW_ODD_RECORD);
	return got;
}

int lxfw_account_judge(const struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	return lxfw_odd_judge(&counts->odd, counts->records, counts->jobs + counts->steps +
			      counts->not_over + counts->deleted, error);
}

const struct lxfw_account_counts *
lxfw_account_counts(const struct lxfw_account_reader *reader)
{
	return &reader->counts;
}

int lxfw_account_hosts(const struct lxfw_account_reader *reader,
		       const struct lxfw_account *account,
		       lxfw_account_host_fn *host, void *context)
{
	if (account->host_list.length == 0 || account->procs == 0)
		return 0;
	return reader->format->hosts(account, host, context);
}

/* Returns non-zero, which ends the enumeration, once two hosts are known. */
static int note_name(void *context, const struct lxfw_account_host *host)
{
	struct lxfw_hosts_named *named = context;

	if (!*named->first)
		snprintf(named->first, sizeof(named->first), "%s", host->name);
	named->several = strncmp(named->first, host->name,
				 sizeof(named->first) - 1) != 0;
	return named->several;
}

void lxfw_hosts_named_look(struct lxfw_hosts_named *named,
			   const struct lxfw_account_reader *reader,
			   const struct lxfw_account *account)
{
	if (!named->several && account->over && lxfw_account_started(account))
		lxfw_account_hosts(reader, account, note_name, named);
}

void lxfw_account_clear(struct lxfw_account *account)
{
	*account = (struct lxfw_account) {
		.number = -1, .submit = -1, .eligible = -1, .start = -1,
		.end = -1, .run = -1, .limit = -1, .used_memory_kb = -1,
		.status = LXFW_ACCOUNT_FAILED,
	};
}

int64_t lxfw_account_seen(const struct lxfw_account *account)
{
	int64_t seen = account->submit;

	if (account->eligible > seen)
		seen = account->eligible;
	if (account->start >= 0 && account->start < seen)
		seen = account->start;
	return seen;
}

bool lxfw_account_started(const struct lxfw_account *account)
{
	return account->start >= 0 &&
	       !(account->end >= 0 && account->end <= account->start &&
		 account->status == LXFW_ACCOUNT_CANCELLED);
}

/* Longer than any job waits or runs, in seconds. */
#define LONG_BEFORE (INT64_C(20) * 366 * 86400)

static bool is_long_before(int64_t time, int64_t other)
{
	return time >= 0 && other >= 0 && time < other - LONG_BEFORE;
}

const char *lxfw_account_check_times(struct lxfw_account *account)
{
	if (is_long_before(account->submit, account->start) ||
	    is_long_before(account->submit, account->end))
		return "the submission is decades before the start or the end, expected a "
		       "time such as 2025-01-31T12:00:00 or seconds since 1970";
	if (is_long_before(account->end, account->submit))
		return "the end is decades before the submission, expected a time such as "
		       "2025-01-31T12:00:00 or seconds since 1970";
	if (is_long_before(account->eligible, account->submit))
		account->eligible = -1;
	if (is_long_before(account->start, account->submit))
		account->start = -1;
	return NULL;
}

struct even {
	lxfw_account_host_fn *host;
	void *context;
	int64_t count, procs;
	bool counting;
};

static int even_host(void *context, const char *name)
{
	struct even *even = context;

	if (even->counting) {
		even->count++;
		return 0;
	}
	return even->host(even->context, &(struct lxfw_account_host) {
		.name = name, .procs = even->procs, .memory_kb = -1, .gpus = -1 });
}

int lxfw_account_even_hosts(const struct lxfw_account *account,
			    lxfw_account_host_fn *host, void *context)
{
	struct even even = { .host = host, .context = context, .counting = true };
	struct lxfw_slice list = account->host_list;

	if (lxfw_slice_begins(list, "None assigned") ||
	    lxfw_hostlist_expand(list.at, list.length, even_host, &even, NULL))
		return 0;
	if (even.count == 0)
		return 0;
	even.counting = false;
	even.procs = (account->procs + even.count - 1) / even.count;
	return lxfw_hostlist_expand(list.at, list.length, even_host, &even,
				    NULL);
}

void lxfw_account_slurm_state(struct lxfw_account *account, const char *word,
			      size_t length)
{
	static const char *const not_over[] = {
		"RUNNING", "PENDING", "SUSPENDED", "RESIZING", "COMPLETING",
		"CONFIGURING", "STOPPED",
	};
	struct lxfw_slice state = { word, length };

	account->over = true;
	for (size_t i = 0; i < sizeof(not_over) / sizeof(*not_over); i++)
		account->over &= !lxfw_slice_begins(state, not_over[i]);
	if (lxfw_slice_begins(state, "COMPLETED"))
		account->status = LXFW_ACCOUNT_COMPLETED;
	else if (lxfw_slice_begins(state, "CANCELLED"))
		account->status = LXFW_ACCOUNT_CANCELLED;
}
