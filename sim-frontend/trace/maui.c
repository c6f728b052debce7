/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workload traces of the schedulers Maui and Moab: words separated by blanks.
 *
 *   maui   stats/DAY: VERSION 230, comments, and a line for each job that is over:
 *          JOB NODES TASKS USER GROUP LIMIT STATE CLASS SUBMISSION DISPATCH START END ...
 *   moab   events: HH:MM:SS TIME:NUMBER job JOB EVENT NODES TASKS ... as in Maui's
 *
 * Of Moab's events, JOBEND is a job, and so is JOBCANCEL unless a JOBEND of that job follows.
 * What follows the times differs between releases and may contain blanks, and is found by its
 * form: a comparison of memory, and a row of numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/util/text.h"

/* Of a line that is longer, the rest is not read. */
#define WORDS_MOST 160

/* Positions of words of a job after its name. */
enum {
	NODES, TASKS, USER, GROUP, LIMIT, STATE, CLASS, SUBMIT, DISPATCH, START, END, LEAST,
};

/* Positions after the comparison of memory, such as ">=". */
enum { TASKS_HELD = 6, QOS = 8, ACCOUNT = 10, BYPASSED = 13 };

/* Positions after the number of times that a job was bypassed. */
enum { USED = 1, PARTITION, TASK_PROCS, TASK_MEMORY, TASK_DISK, TASK_SWAP, EARLIEST, LATEST,
       HOSTS, MANAGER, ASKED_HOSTS, RESERVATION };

struct kept_line {
	char *text;		/* NULL: none */
	size_t length;
};

struct maui {
	struct lxfw_input *input;
	bool moab;
	struct lxfw_slice words[WORDS_MOST];
	size_t count;
	int64_t records;
	/* Moab: jobs that are over or cancelled, and the line of the cancellation of those
	   that are not over. */
	struct lxfw_names ids;
	struct kept_line *cancelled;	/* parallel to `ids` */
	size_t cancelled_size, left;
	bool at_end;
};

/* --- words ------------------------------------------------------------------------- */

static size_t split(const char *line, size_t length, struct lxfw_slice *words)
{
	const char *at = line, *end = line + length;
	size_t count = 0;

	while (count < WORDS_MOST) {
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (at == end)
			break;
		words[count].at = at;
		while (at < end && *at != ' ' && *at != '\t')
			at++;
		words[count].length = (size_t)(at - words[count].at);
		count++;
	}
	return count;
}

/* Returns an integer, of which "M" may be the unit; -2 if it is none, or less than -1. */
static int64_t number(struct lxfw_slice word)
{
	int64_t value;

	if (word.length > 1 && word.at[word.length - 1] == 'M')
		word.length--;
	return lxfw_slice_integer(word, -1, LXFW_ACCOUNT_TIME_MAX, &value) ? value : -2;
}

/* Returns a time, -1 if it is not set (0). */
static int64_t moment(struct lxfw_slice word)
{
	int64_t time = number(word);

	return time > 0 ? time : -1;
}

/* Returns WORD, or nothing if it says that there is none. */
static struct lxfw_slice name(struct lxfw_slice word)
{
	static const char *const none[] = { "-", "0", "[NONE]", "NONE", "NULL" };

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		if (lxfw_slice_is(word, none[i]))
			return (struct lxfw_slice) { 0 };
	}
	return word;
}

/* Returns the first class of "[batch:1][long:2]", or "batch". */
static struct lxfw_slice class_of(struct lxfw_slice word)
{
	word = name(word);
	if (word.length > 0 && *word.at == '[') {
		word.at++;
		word.length--;
		word.length = lxfw_slice_until(word, ']');
		word.length = lxfw_slice_until(word, ':');
	}
	return word;
}

/* Returns the QOS of "REQUESTED:DELIVERED". */
static struct lxfw_slice qos_of(struct lxfw_slice word)
{
	size_t asked = lxfw_slice_until(word, ':');
	struct lxfw_slice given = { word.at + asked + 1,
				    asked < word.length ? word.length - asked - 1 : 0 };

	if (given.length > 0 && name(given).length > 0)
		return name(given);
	word.length = asked;
	return name(word);
}

static bool is_comparison(struct lxfw_slice word)
{
	if (lxfw_slice_is(word, "NC"))
		return true;
	for (size_t i = 0; i < word.length; i++) {
		if (!memchr("<>=!%", word.at[i], 5))
			return false;
	}
	return word.length > 0 && word.length <= 2;
}

/* Returns whether the words from AT on are: bypassed, seconds used, partition, processors,
   memory, disk and swap of a task, two times. */
static bool is_row(const struct lxfw_slice *words)
{
	static const int numbers[] = { 0, TASK_PROCS, TASK_MEMORY, TASK_DISK, TASK_SWAP, EARLIEST,
				       LATEST };
	struct lxfw_slice used = words[USED];

	used.length = lxfw_slice_until(used, '.');
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (number(words[numbers[i]]) == -2)
			return false;
	}
	return number(used) != -2;
}

/* Returns the position of the row of numbers; 0 if there is none. */
static size_t find_row(const struct lxfw_slice *job, size_t count, size_t memory)
{
	for (size_t at = memory + BYPASSED; memory > 0 && at + HOSTS < count; at++) {
		if (is_row(job + at))
			return at;
	}
	return 0;
}

static size_t find_memory(const struct lxfw_slice *job, size_t count)
{
	for (size_t at = LEAST; at < count && at < LEAST + 8; at++) {
		if (is_comparison(job[at]))
			return at;
	}
	return 0;
}

/* --- hosts ------------------------------------------------------------------------- */

/* Removes the next name from "n1:n2" or "n1,n1,n2" and returns it. */
static struct lxfw_slice next_host(struct lxfw_slice *list)
{
	struct lxfw_slice host = *list;

	host.length = lxfw_slice_until(host, ':');
	host.length = lxfw_slice_until(host, ',');
	list->at += host.length;
	list->length -= host.length;
	if (list->length > 0)
		list->at++, list->length--;
	return host;
}

/* Counts the names in LIST, and the hosts among them: a name may be there for each task. */
static int64_t count_hosts(struct lxfw_slice list, int64_t *hosts)
{
	struct lxfw_slice last = { 0 };
	int64_t names = 0;

	for (*hosts = 0; list.length > 0;) {
		struct lxfw_slice host = next_host(&list);

		if (host.length == 0)
			continue;
		names++;
		*hosts += host.length != last.length || memcmp(host.at, last.at, host.length) != 0;
		last = host;
	}
	return names;
}

static int hosts(const struct lxfw_account *account, lxfw_account_host_fn *host,
		 void *context)
{
	struct lxfw_slice list = account->host_list;
	int64_t distinct, names = count_hosts(list, &distinct);
	int result = 0;
	char text[256];

	while (list.length > 0 && result == 0) {
		struct lxfw_slice next = next_host(&list);

		if (next.length == 0 || next.length >= sizeof(text))
			continue;
		memcpy(text, next.at, next.length);
		text[next.length] = '\0';
		result = host(context, &(struct lxfw_account_host) {
			.name = text, .procs = (account->procs + names - 1) / names,
			.memory_kb = -1, .gpus = -1 });
	}
	return result;
}

/* --- jobs -------------------------------------------------------------------------- */

/* Reads what follows the times. */
static void read_rest(struct lxfw_account *account, const struct lxfw_slice *job, size_t count)
{
	size_t memory = find_memory(job, count), row = find_row(job, count, memory);
	int64_t tasks = number(job[TASKS]), held, procs = 1;

	if (memory > 0 && memory + ACCOUNT < count) {
		held = number(job[memory + TASKS_HELD]);
		tasks = held > 0 ? held : tasks;
		account->qos = qos_of(job[memory + QOS]);
		account->account = name(job[memory + ACCOUNT]);
	}
	if (row > 0) {
		procs = number(job[row + TASK_PROCS]);
		account->exclusive = procs < 0;		/* all of the node */
		account->eligible = moment(job[row + EARLIEST]);
		account->host_list = name(job[row + HOSTS]);
	}
	if (row > 0 && row + RESERVATION < count &&
	    !lxfw_slice_begins(job[row + RESERVATION], "!"))
		account->reservation = name(job[row + RESERVATION]);
	tasks = tasks > 0 ? tasks : 1;
	procs = procs > 0 ? procs : 1;
	account->procs = tasks > INT32_MAX / procs ? INT32_MAX : tasks * procs;
	if (row > 0 && number(job[row + TASK_MEMORY]) > 0)
		account->memory_kb = lxfw_account_memory(
			lxfw_account_memory(1024, number(job[row + TASK_MEMORY])), tasks);
}

/* Reads a job of COUNT words. Returns what is wrong, or NULL. */
static const char *read_job(struct lxfw_account *account, struct lxfw_slice id,
			    const struct lxfw_slice *job, size_t count)
{
	struct lxfw_slice digits = id;
	int64_t distinct;

	for (digits.length = 0; digits.length < id.length && id.at[digits.length] >= '0' &&
				id.at[digits.length] <= '9'; digits.length++)
		;
	lxfw_slice_integer(digits, 0, INT64_MAX, &account->number);
	account->id = id;
	account->submit = moment(job[SUBMIT]);
	account->start = moment(job[START]);
	account->end = moment(job[END]);
	if (account->submit < 0)
		return "the submission is not a time, expected seconds since 1970";
	if (number(job[TASKS]) == -2 || number(job[NODES]) == -2)
		return "the number of nodes or tasks is not a number";
	account->over = account->end >= 0;
	account->status = lxfw_slice_is(job[STATE], "Completed") ? LXFW_ACCOUNT_COMPLETED :
			  lxfw_slice_is(job[STATE], "Removed") ||
			  lxfw_slice_is(job[STATE], "NotRun") ? LXFW_ACCOUNT_CANCELLED :
								LXFW_ACCOUNT_FAILED;
	if (lxfw_slice_is(job[STATE], "NotRun") || account->start > account->end)
		account->start = -1;
	if (account->start >= 0)
		account->run = account->end - account->start;
	account->limit = moment(job[LIMIT]);
	if (account->limit > LXFW_ACCOUNT_NO_LIMIT)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	account->user = name(job[USER]);
	account->group = name(job[GROUP]);
	account->queue = class_of(job[CLASS]);
	read_rest(account, job, count);
	/* in ranges, which are not read */
	if (account->host_list.length > 0 && memchr(account->host_list.at, '[',
						    account->host_list.length))
		account->host_list.length = 0;
	if (number(job[NODES]) > 0 && number(job[NODES]) <= INT32_MAX)
		account->hosts = account->asked_hosts = number(job[NODES]);
	if (count_hosts(account->host_list, &distinct) > 0)
		account->hosts = distinct;
	return lxfw_account_check_times(account);
}

/* Returns 1 or LXFW_ODD_RECORD. */
static int take_job(struct maui *maui, struct lxfw_account *account, struct lxfw_slice id,
		    size_t first, struct lxfw_odd *odd)
{
	const char *wrong = maui->count < first + LEAST ? "too few words, expected a job of the "
			    "workload trace format" : NULL;

	if (!wrong)
		wrong = read_job(account, id, maui->words + first, maui->count - first);
	if (wrong)
		return lxfw_odd_add(odd, maui->input, 0, "%s", wrong);
	maui->records++;
	if (account->number < 0)
		account->number = maui->records;
	return 1;
}

/* --- Moab's events ------------------------------------------------------------------- */

/* Positions of words of an event. */
enum { CLOCK, TIME, OBJECT, JOB, EVENT, EVENT_WORDS };

static bool is_event(const struct lxfw_slice *words)
{
	int64_t n[3];

	return lxfw_slice_numbers(words[CLOCK], "0:0:0", n) &&
	       (lxfw_slice_numbers(words[TIME], "0", n) ||
		lxfw_slice_numbers(words[TIME], "0:0", n));
}

/* Returns the index of a job, which is its name and submission, or -1 with errno ENOMEM. */
static int32_t job_index(struct maui *maui)
{
	const struct lxfw_slice *words = maui->words, *submit = &words[EVENT_WORDS + SUBMIT];
	char key[300];
	int length = snprintf(key, sizeof(key), "%.*s %.*s", (int)words[JOB].length,
			      words[JOB].at, (int)submit->length, submit->at);
	size_t known = maui->ids.count;
	int32_t at = lxfw_names_add(&maui->ids, key, (size_t)length < sizeof(key) ?
				    (size_t)length : sizeof(key) - 1);

	if (at < 0 || LXFW_GROW(maui->cancelled, maui->cancelled_size, (size_t)at + 1))
		return -1;
	if ((size_t)at == known)
		maui->cancelled[at] = (struct kept_line) { 0 };
	return at;
}

/* Keeps the line of a cancellation, or forgets that of a job which is over. Returns 0, or -1 with
   errno ENOMEM. */
static int note_event(struct maui *maui, const char *line, size_t length, bool cancel)
{
	size_t known = maui->ids.count;
	int32_t at = job_index(maui);

	if (at < 0)
		return -1;
	if (cancel && (size_t)at < known)	/* it was cancelled before, or is over */
		return 0;
	free(maui->cancelled[at].text);
	maui->cancelled[at] = (struct kept_line) { cancel ? malloc(length) : NULL, length };
	if (!cancel)
		return 0;
	if (!maui->cancelled[at].text)
		return -1;
	memcpy(maui->cancelled[at].text, line, length);
	return 0;
}

/* A cancellation may have no completion time: the job ends at the time of the event. */
static void end_at_event(struct maui *maui)
{
	struct lxfw_slice *end = &maui->words[EVENT_WORDS + END];

	if (maui->count <= EVENT_WORDS + END || moment(*end) >= 0)
		return;
	*end = maui->words[TIME];
	end->length = lxfw_slice_until(*end, ':');
}

/* Returns 1, 0 if the event is none of the end of a job, LXFW_ODD_RECORD, or -1 with errno ENOMEM.
   */
static int read_event(struct maui *maui, const char *line, size_t length,
		      struct lxfw_account *account, struct lxfw_odd *odd)
{
	bool cancel;
	int got;

	if (maui->count < EVENT_WORDS || !is_event(maui->words))
		return lxfw_odd_add(odd, maui->input, 0, "no event, expected HH:MM:SS "
				    "TIME:NUMBER job JOB EVENT ...");
	cancel = lxfw_slice_begins(maui->words[EVENT], "JOBCANCEL");
	if (!lxfw_slice_is(maui->words[OBJECT], "job") ||
	    (!cancel && !lxfw_slice_begins(maui->words[EVENT], "JOBEND")))
		return 0;
	if (cancel)
		end_at_event(maui);
	got = take_job(maui, account, maui->words[JOB], EVENT_WORDS, odd);
	if (got == 1 && note_event(maui, line, length, cancel))
		return -1;
	return got == 1 && cancel ? 0 : got;
}

/* Returns 1 with the next job that was cancelled and has no other end, or 0. */
static int next_cancelled(struct maui *maui, struct lxfw_account *account,
			  struct lxfw_account_counts *counts)
{
	while (maui->left < maui->ids.count) {
		const struct kept_line *line = &maui->cancelled[maui->left++];

		if (!line->text)
			continue;
		lxfw_account_clear(account);
		maui->count = split(line->text, line->length, maui->words);
		end_at_event(maui);
		take_job(maui, account, maui->words[JOB], EVENT_WORDS, &counts->odd);
		account->status = LXFW_ACCOUNT_CANCELLED;
		counts->notes--;
		*(account->over ? &counts->jobs : &counts->not_over) += 1;
		return 1;
	}
	return 0;
}

/* --- the readers --------------------------------------------------------------------- */

static bool is_version(const char *line, size_t length)
{
	int64_t n[1];

	return length > 8 && memcmp(line, "VERSION ", 8) == 0 &&
	       lxfw_slice_numbers((struct lxfw_slice) { line + 8, length - 8 }, "0", n);
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct maui *maui = state;
	char *line;
	size_t length;
	int got = 0;

	while (!maui->at_end && (got = lxfw_input_line(maui->input, &line, &length, error)) > 0) {
		maui->count = split(line, length, maui->words);
		if (maui->count == 0 || *maui->words[0].at == '#' || is_version(line, length))
			continue;
		lxfw_account_clear(account);
		got = maui->moab ? read_event(maui, line, length, account, &counts->odd) :
				   take_job(maui, account, maui->words[0], 1, &counts->odd);
		if (got < 0)
			return lxfw_error_system(error, lxfw_input_path(maui->input));
		counts->records += got != LXFW_ODD_RECORD;
		counts->notes += got == 0;
		if (got == 1)
			*(account->over ? &counts->jobs : &counts->not_over) += 1;
		if (got)
			return got;
	}
	maui->at_end |= got == 0;
	return got < 0 ? got : next_cancelled(maui, account, counts);
}

static struct maui *open_reader(struct lxfw_input *input, bool moab, struct lxfw_error *error)
{
	struct maui *maui = calloc(1, sizeof(*maui));

	if (!maui)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		*maui = (struct maui) { .input = input, .moab = moab };
	return maui;
}

/* All times are seconds since 1970. */
static void *open_maui(struct lxfw_input *input, const struct lxfw_account_options *options,
		       struct lxfw_error *error)
{
	(void)options;
	return open_reader(input, false, error);
}

static void *open_moab(struct lxfw_input *input, const struct lxfw_account_options *options,
		       struct lxfw_error *error)
{
	(void)options;
	return open_reader(input, true, error);
}

static void close_reader(void *state)
{
	struct maui *maui = state;

	/* the last name may have no line, for lack of memory */
	for (size_t i = 0; i < maui->ids.count && i < maui->cancelled_size; i++)
		free(maui->cancelled[i].text);
	free(maui->cancelled);
	lxfw_names_clear(&maui->ids);
	free(maui);
}

/* Matches "VERSION 230", the comment with the names of the words, or a job. */
static bool is_maui(const char *line, size_t length)
{
	static const char comment[] = "# JobID ";
	struct lxfw_slice words[WORDS_MOST];
	size_t count;

	if (is_version(line, length) ||
	    (length > sizeof(comment) && memcmp(line, comment, sizeof(comment) - 1) == 0))
		return true;
	count = split(line, length, words);
	if (count < 1 + LEAST + BYPASSED || memchr(line, '|', length))
		return false;
	for (size_t i = 1 + SUBMIT; i <= 1 + END; i++) {
		if (number(words[i]) < 0)
			return false;
	}
	return number(words[1 + NODES]) != -2 && number(words[1 + TASKS]) != -2 &&
	       number(words[1 + LIMIT]) != -2 && find_memory(words + 1, count - 1) > 0;
}

static bool is_moab(const char *line, size_t length)
{
	struct lxfw_slice words[WORDS_MOST];

	return split(line, length, words) >= EVENT_WORDS && is_event(words) &&
	       words[OBJECT].length > 0 && words[OBJECT].at[0] >= 'a' &&
	       words[OBJECT].at[0] <= 'z';
}

const struct lxfw_log_format lxfw_log_maui = {
	.name = "maui",
	.recognizes = is_maui,
	.open = open_maui,
	.close = close_reader,
	.next = next,
	.hosts = hosts,
};

const struct lxfw_log_format lxfw_log_moab = {
	.name = "moab",
	.recognizes = is_moab,
	.open = open_moab,
	.close = close_reader,
	.next = next,
	.hosts = hosts,
};
