/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/account.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/journal/journal.h"
#include "sim-frontend/trace/hostlist.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/util/text.h"

const char lxfw_log_format_names[] = "sacct|slurmrestd|pbs|lsf|sge|swf";

static const enum lxfw_log_format formats_at[] = {
	LXFW_LOG_SACCT, LXFW_LOG_SLURM_JSON, LXFW_LOG_PBS, LXFW_LOG_LSF,
	LXFW_LOG_SGE, LXFW_LOG_SWF,
};

static const struct {
	const char *name;
	const struct lxfw_account_format *format;
} formats[] = {
	[LXFW_LOG_SWF] = { "swf", NULL },
	[LXFW_LOG_SACCT] = { "sacct", &lxfw_account_sacct },
	[LXFW_LOG_SLURM_JSON] = { "slurmrestd", &lxfw_account_slurm_json },
	[LXFW_LOG_PBS] = { "pbs", &lxfw_account_pbs },
	[LXFW_LOG_LSF] = { "lsf", &lxfw_account_lsf },
	[LXFW_LOG_SGE] = { "sge", &lxfw_account_sge },
	[LXFW_LOG_JOURNAL] = { "journal", NULL },
};

struct lxfw_account_reader {
	const struct lxfw_account_format *format;
	void *state;
	struct lxfw_account_counts counts;
};

enum lxfw_log_format lxfw_log_format_at(int position)
{
	return formats_at[position];
}

const char *lxfw_log_format_name(enum lxfw_log_format format)
{
	return formats[format].name;
}

/* "01/26/2016 00:00:37;E;" */
static bool is_pbs(const char *line, size_t length)
{
	static const char like[] = "00/00/0000 00:00:00;";

	if (length < sizeof(like) - 1)
		return false;
	for (size_t i = 0; i < sizeof(like) - 1; i++) {
		if (like[i] == '0' ? line[i] < '0' || line[i] > '9' :
				     line[i] != like[i])
			return false;
	}
	return true;
}

/* As many colons as accounting(5) of Grid Engine has, and the comment that may stand
   in front. */
static bool is_sge(const char *line, size_t length)
{
	static const char comment[] = "# Version:";
	size_t colons = 0, bars = 0;

	if (length >= sizeof(comment) - 1 &&
	    memcmp(line, comment, sizeof(comment) - 1) == 0)
		return true;
	for (size_t i = 0; i < length; i++) {
		colons += line[i] == ':';
		bars += line[i] == '|';
	}
	/* a category may ask for one host or another, "-l h=n1|n2" */
	return colons >= 42 && colons > bars;
}

static enum lxfw_log_format recognize(const char *line, size_t length)
{
	if (length >= LXFW_JOURNAL_MAGIC_SIZE - 1 &&
	    memcmp(line, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE - 1) == 0)
		return LXFW_LOG_JOURNAL;
	while (length > 0 && (*line == ' ' || *line == '\t'))
		line++, length--;
	if (length == 0 || *line == ';')
		return LXFW_LOG_SWF;
	if (*line == '{')
		return LXFW_LOG_SLURM_JSON;
	if (*line == '"' && length > 1 && line[1] >= 'A' && line[1] <= 'Z')
		return LXFW_LOG_LSF;
	if (is_pbs(line, length))
		return LXFW_LOG_PBS;
	if (is_sge(line, length))
		return LXFW_LOG_SGE;
	return memchr(line, '|', length) || lxfw_sacct_is_fixed(line, length) ?
	       LXFW_LOG_SACCT : LXFW_LOG_SWF;
}

int lxfw_log_recognize(struct lxfw_input *input, enum lxfw_log_format *format,
		       struct lxfw_error *error)
{
	char *line;
	size_t length = 0;
	int got;

	/* an empty line in front tells nothing */
	while ((got = lxfw_input_peek(input, &line, &length, error)) > 0 &&
	       length == 0)
		lxfw_input_line(input, &line, &length, error);
	if (got < 0)
		return -1;
	*format = got > 0 ? recognize(line, length) : LXFW_LOG_SWF;
	return 0;
}

struct lxfw_account_reader *
lxfw_account_open(struct lxfw_input *input, enum lxfw_log_format format,
		  bool in_zone, struct lxfw_error *error)
{
	struct lxfw_account_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		lxfw_error_system(error, lxfw_input_path(input));
		return NULL;
	}
	reader->format = formats[format].format;
	reader->state = reader->format->open(input, in_zone, error);
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
	lxfw_account_clear(account);
	return reader->format->next(reader->state, account, &reader->counts,
				    error);
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
	return even->host(even->context, name, even->procs);
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
