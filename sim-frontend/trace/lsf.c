/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's lsb.acct, 9.1 and 10.1: one event per line, consisting of words and quoted texts.
 * Quotes inside a text are doubled. JOB_FINISH becomes a job; other events are counted.
 * The fields are described in lsb.acct(5). A line may end before fields that its release
 * does not have.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* Positions of the fields of JOB_FINISH up to the hosts. Later positions are relative. */
enum {
	EVENT, RELEASE, EVENT_TIME, JOB, USER_ID, OPTIONS, NUM_PROCS, SUBMIT,
	BEGIN, TERMINATE, START, USER, QUEUE, RES_REQ, DEPENDENCY, PRE_EXEC,
	FROM_HOST, CWD, IN_FILE, OUT_FILE, ERROR_FILE, JOB_FILE, NUM_ASKED,
	FIXED
};

/* Positions relative to the job's status: status, host factor, name, command, 19 of
   resource use, mail, project, exit status, maximum processors, login shell, time
   event, index, memory ... */
enum { STATUS = 0, INDEX = 29, MEMORY_USED = 30, AFTER_MEMORY = 32 };
/* ... and the distance from there to the submission pairs. */
#define TO_SUBMIT_PAIRS 21
/* Name, memory, swap, user and system time, further items. */
#define HOST_ITEMS 6

#define STATUS_DONE 64

struct lsf {
	struct lxfw_input *input;
	struct lxfw_slice *words;
	size_t count, size;
};

/* Splits a line into words in place. Quotes are removed, doubled quotes become one. */
static int split(struct lsf *lsf, char *line, size_t length)
{
	char *at = line, *end = line + length;

	lsf->count = 0;
	for (;;) {
		struct lxfw_slice *words;
		char *to;

		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end)
			return 0;
		if (LXFW_GROW(lsf->words, lsf->size, lsf->count + 1))
			return -1;
		words = &lsf->words[lsf->count++];
		if (*at != '"') {
			words->at = at;
			while (at < end && *at != ' ' && *at != '\t')
				at++;
			words->length = (size_t)(at - words->at);
			continue;
		}
		words->at = to = ++at;
		while (at < end && (*at != '"' || (at + 1 < end && at[1] == '"'))) {
			at += *at == '"';
			*to++ = *at++;
		}
		if (at == end) {
			errno = EINVAL;
			return -1;
		}
		words->length = (size_t)(to - words->at);
		at++;
	}
}

/* Returns the word at a position, empty beyond the last word. */
static struct lxfw_slice word(const struct lsf *lsf, size_t position)
{
	return position < lsf->count ? lsf->words[position] :
				       (struct lxfw_slice) { 0 };
}

static int64_t number(const struct lsf *lsf, size_t position, int64_t otherwise)
{
	struct lxfw_slice text = word(lsf, position);
	const char *point = text.at ? memchr(text.at, '.', text.length) : NULL;
	int64_t value;

	if (point)
		text.length = (size_t)(point - text.at);
	return lxfw_slice_integer(text, -1, INT64_MAX / 4, &value) ? value :
								      otherwise;
}

/* Returns the position after a counted list. An item has SIZE words. */
static size_t past(const struct lsf *lsf, size_t position, size_t size)
{
	int64_t count = number(lsf, position, 0);

	if (count < 0 || (size_t)count > lsf->count)
		return lsf->count;
	return position + 1 + (size_t)count * size;
}

/* Parses "16*host": the number of processors and the name of a host. */
static int64_t host_procs(struct lxfw_slice *host)
{
	const char *star = host->at ? memchr(host->at, '*', host->length) : NULL;
	int64_t procs;

	if (!star || !lxfw_slice_integer((struct lxfw_slice) {
			host->at, (size_t)(star - host->at) }, 1, INT32_MAX,
			&procs))
		return 1;
	host->length -= (size_t)(star + 1 - host->at);
	host->at = star + 1;
	return procs;
}

/* Parses "rusage[mem=100]" of a resource requirement, MB per host. */
static int64_t asked_memory(struct lxfw_slice text)
{
	static const char rusage[] = "rusage[", mem[] = "mem=";
	struct lxfw_slice size = { 0 };
	const char *at, *end;
	int64_t kb;

	at = text.length > 0 ? memmem(text.at, text.length, rusage,
				      sizeof(rusage) - 1) : NULL;
	if (!at)
		return 0;
	end = text.at + text.length;
	size.at = memmem(at, (size_t)(end - at), mem, sizeof(mem) - 1);
	at = memchr(at, ']', (size_t)(end - at));
	if (!size.at || !at || size.at > at)
		return 0;
	size.at += sizeof(mem) - 1;
	while (size.at + size.length < at &&
	       !strchr(" ,:]", size.at[size.length]))
		size.length++;
	return lxfw_slice_size(size, INT64_C(1) << 20, &kb) ? kb : 0;
}

static bool same(struct lxfw_slice a, struct lxfw_slice b)
{
	return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* Reads processors and hosts from the list of execution hosts. */
static void read_hosts(const struct lsf *lsf, struct lxfw_account *account,
		       size_t position, size_t end)
{
	struct lxfw_slice last = { "", 0 };

	account->procs = 0;
	for (size_t i = position + 1; i < end; i++) {
		struct lxfw_slice host = word(lsf, i);

		account->procs += host_procs(&host);
		account->hosts += !same(host, last);
		last = host;
	}
	if (account->procs > INT32_MAX)
		account->procs = INT32_MAX;
	/* the words themselves; hosts() enumerates them */
	account->host_list = (struct lxfw_slice) {
		(const char *)(lsf->words + position + 1), end - position - 1 };
}

/* Reads the fields after the hosts of a job, whose positions vary with the release. */
static void read_rest(const struct lsf *lsf, struct lxfw_account *account,
		      size_t status)
{
	size_t pairs = status + AFTER_MEMORY + TO_SUBMIT_PAIRS, at;
	int64_t limit, run, used, memory;

	used = number(lsf, status + MEMORY_USED, -1);
	account->used_memory_kb = used > 0 ?
		(used < LXFW_ACCOUNT_MEMORY_MAX_KB ? used :
						     LXFW_ACCOUNT_MEMORY_MAX_KB) :
		-1;
	memory = asked_memory(word(lsf, RES_REQ));
	at = past(lsf, pairs, 2);
	at = past(lsf, at, HOST_ITEMS);
	limit = number(lsf, at, -1);
	if (limit > 0 && limit <= LXFW_ACCOUNT_TIME_MAX)
		account->limit = limit;
	if (memory == 0)
		memory = asked_memory(word(lsf, at + 3));
	account->memory_kb = lxfw_account_memory(memory, account->hosts > 0 ?
						 account->hosts : 1);
	/* skips the requirement, four fields of clusters, forwarding, two more, the
	   output */
	run = number(lsf, at + 13, -1);
	if (account->run >= 0 && run >= 0 && run < account->run) {
		account->suspended = account->run - run;
		account->run = run;
	}
}

/* Returns 1, or LXFW_ODD_RECORD. */
static int read_job(const struct lsf *lsf, struct lxfw_account *account,
		    struct lxfw_odd *odd)
{
	size_t hosts = past(lsf, NUM_ASKED, 1), status = past(lsf, hosts, 1);
	int64_t begin = number(lsf, BEGIN, 0);
	const char *wrong;

	if (lsf->count < FIXED || status + AFTER_MEMORY > lsf->count)
		return lxfw_odd_add(odd, lsf->input, 0, "%zu fields in a JOB_FINISH, "
				    "expected those of lsb.acct(5)", lsf->count);
	account->number = number(lsf, JOB, -1);
	account->submit = number(lsf, SUBMIT, -1);
	account->start = number(lsf, START, -1);
	account->end = number(lsf, EVENT_TIME, -1);
	account->procs = number(lsf, NUM_PROCS, -1);
	if (account->number < 0)
		return lxfw_odd_add(odd, lsf->input, 0, "field 4 (job number) is not a number, "
			   "expected 0 or more");
	if (account->submit < 0 || account->submit > LXFW_ACCOUNT_TIME_MAX)
		return lxfw_odd_add(odd, lsf->input, 0, "field 8 (submission) is not a time, "
			   "expected seconds since 1970");
	if (account->end < 0 || account->end > LXFW_ACCOUNT_TIME_MAX)
		return lxfw_odd_add(odd, lsf->input, 0, "field 3 (end) is not a time, expected "
			   "seconds since 1970");
	if (account->procs < 0 || account->procs > INT32_MAX)
		return lxfw_odd_add(odd, lsf->input, 0, "field 7 (processors) is not a number "
			   "from 0 to 2147483647");
	account->over = true;
	account->eligible = begin > account->submit &&
			    begin <= LXFW_ACCOUNT_TIME_MAX ? begin : -1;
	if (account->start <= 0)
		account->start = -1;
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return lxfw_odd_add(odd, lsf->input, 0, "%s", wrong);
	if (account->start > account->end)
		account->start = -1;
	else
		account->run = account->end - account->start;
	if (account->start >= 0 && status > hosts + 1)
		read_hosts(lsf, account, hosts, status);
	account->status = number(lsf, status + STATUS, 0) == STATUS_DONE ?
		LXFW_ACCOUNT_COMPLETED : account->start < 0 ?
		LXFW_ACCOUNT_CANCELLED : LXFW_ACCOUNT_FAILED;
	account->id = word(lsf, status + INDEX);
	account->user = word(lsf, USER);
	account->queue = word(lsf, QUEUE);
	account->dependency = word(lsf, DEPENDENCY);
	account->group = word(lsf, status + 24);	/* the project */
	read_rest(lsf, account, status);
	return 1;
}

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct lxfw_odd *odd = &counts->odd;
	struct lsf *lsf = state;
	char *line;
	size_t length;
	int got;

	for (;;) {
		got = lxfw_input_line(lsf->input, &line, &length, error);
		if (got <= 0)
			return got;
		errno = 0;
		if (split(lsf, line, length)) {
			if (errno == EINVAL)
				return lxfw_odd_add(odd, lsf->input, 0,
					"unterminated string, expected '\"'");
			return lxfw_error_system(error,
						 lxfw_input_path(lsf->input));
		}
		if (lsf->count == 0 || *lsf->words->at == '#')
			continue;
		if (lxfw_slice_is(lsf->words[EVENT], "JOB_FINISH"))
			break;
		if (*lsf->words->at < 'A' || *lsf->words->at > 'Z')
			return lxfw_odd_add(odd, lsf->input, 0, "not an event, expected "
				"a line that begins with \"JOB_FINISH\"");
		counts->records++;
		counts->notes++;
	}
	got = read_job(lsf, account, odd);
	counts->records += got == 1;
	counts->jobs += got == 1;
	return got;
}

static int hosts(const struct lxfw_account *account, lxfw_account_host_fn *host,
		 void *context)
{
	const struct lxfw_slice *words =
		(const void *)account->host_list.at;
	char name[256];

	for (size_t i = 0; i < account->host_list.length; i++) {
		struct lxfw_slice word = words[i];
		int64_t procs = host_procs(&word);
		int result;

		if (word.length == 0 || word.length >= sizeof(name))
			continue;
		memcpy(name, word.at, word.length);
		name[word.length] = '\0';
		result = host(context, &(struct lxfw_account_host) {
			.name = name, .procs = procs, .memory_kb = -1, .gpus = -1 });
		if (result)
			return result;
	}
	return 0;
}

static void *open_lsf(struct lxfw_input *input,
		      const struct lxfw_account_options *options,
		      struct lxfw_error *error)
{
	struct lsf *lsf = calloc(1, sizeof(*lsf));

	(void)options;		/* times are seconds since 1970 */
	if (!lsf)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		lsf->input = input;
	return lsf;
}

static void close_lsf(void *state)
{
	struct lsf *lsf = state;

	free(lsf->words);
	free(lsf);
}

/* Matches '"JOB_FINISH" "7.0" ...'. */
static bool is_lsf(const char *line, size_t length)
{
	const char *end = length > 1 ? memchr(line + 1, '"', length - 1) : NULL;

	return end && line[0] == '"' && line[1] >= 'A' && line[1] <= 'Z' &&
	       (end + 1 == line + length || end[1] == ' ' || end[1] == '\t');
}

const struct lxfw_log_format lxfw_log_lsf = {
	.name = "lsf",
	.recognizes = is_lsf,
	.open = open_lsf,
	.close = close_lsf,
	.next = next,
	.hosts = hosts,
};
