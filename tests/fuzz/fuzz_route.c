/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `lxfw route` reads from others, by the first byte: q a question, a an answer, j a list
 * of squeue, o one of owners, r a record, s a state, h run times of users, d a job and its copy by
 * scontrol, m a credential, anything else a file of clusters.
 */
#include "tests/fuzz/fuzz.h"

#include "sim-frontend/route/conf.h"
#include "sim-frontend/route/credential.h"
#include "sim-frontend/route/jobs.h"
#include "sim-frontend/route/owners.h"
#include "sim-frontend/route/record.h"
#include "sim-frontend/route/runs.h"
#include "sim-frontend/route/shown.h"
#include "sim-frontend/route/state.h"
#include "sim-frontend/route/wire.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "route";

static void read_question(char *text)
{
	static struct lxfw_route_question question;
	struct lxfw_error error = { "" };
	struct lxfw_request request;

	if (lxfw_route_question_read(&question, text, &error)) {
		FUZZ_CHECK(error.text[0] != '\0');
		return;
	}
	FUZZ_CHECK(question.routed_count >= 0 && question.routed_count <= LXFW_ROUTE_ROUTED);
	FUZZ_CHECK(question.job || question.request.tasks > 0);
	(void)lxfw_request_make(&question.request, &request, &error);
}

/* What was read is written as it was. */
static void read_answer(const char *text)
{
	struct lxfw_route_answer answer, again;
	char line[LXFW_ROUTE_ANSWER];
	struct lxfw_error error = { "" };

	if (lxfw_route_answer_read(&answer, text, &error))
		return;
	lxfw_route_answer_write(&answer, line);
	FUZZ_CHECK(lxfw_route_answer_read(&again, line, &error) == 0);
	FUZZ_CHECK(memcmp(&answer, &again, sizeof(answer)) == 0);
}

static void read_jobs(char *text)
{
	struct lxfw_route_jobs jobs = { 0 };

	FUZZ_CHECK(lxfw_route_jobs_take(&jobs, 0, "m", text) == 0);
	for (size_t i = 0; i < jobs.count; i++) {
		FUZZ_CHECK(lxfw_route_marker_is_valid(jobs.list[i].marker));
		FUZZ_CHECK(jobs.list[i].number > 0 && jobs.list[i].serial >= 0);
		FUZZ_CHECK(!jobs.list[i].may_move || jobs.list[i].seen == LXFW_SEEN_WAITS);
	}
	lxfw_route_jobs_clear(&jobs);
}

static void read_owners(char *text)
{
	struct lxfw_route_owners owners = { .child.file = -1, .read = INT64_MIN };

	FUZZ_CHECK(lxfw_route_owners_take(&owners, text) == 0);
	for (size_t i = 0; i < owners.count; i++) {
		FUZZ_CHECK(owners.list[i].job > 0 && owners.list[i].user < UINT32_MAX);
		FUZZ_CHECK(i == 0 || owners.list[i - 1].job <= owners.list[i].job);
	}
	lxfw_route_owners_clear(&owners);
}

static void read_record(char *text, size_t size)
{
	struct lxfw_route_record record;

	if (lxfw_route_record_parse(&record, text, size) == 0) {
		FUZZ_CHECK(record.word_count > 0 && record.tail < record.word_count);
		FUZZ_CHECK(!record.words[record.word_count] && *record.directory == '/');
	}
	record.text = NULL;	/* the caller frees it */
	lxfw_route_record_clear(&record);
}

static void read_state(char *text)
{
	struct lxfw_move move;

	if (lxfw_route_state_parse(&move, text) == 0)
		FUZZ_CHECK(move.next >= move.serial && strlen(move.old) < sizeof(move.old));
}

static void read_conf(const char *text, size_t size)
{
	const char *path = fuzz_file((const uint8_t *)text, size);
	struct lxfw_route_conf conf;
	struct lxfw_error error = { "" };

	if (!path)
		return;
	if (lxfw_route_conf_read(&conf, path, &error))
		FUZZ_CHECK(error.text[0] != '\0');
	else
		FUZZ_CHECK(conf.count > 0 && conf.list[0].at && conf.list[0].speed > 0);
	lxfw_route_conf_clear(&conf);
}

static void read_runs(char *text)
{
	struct lxfw_route_runs runs = LXFW_ROUTE_RUNS_EMPTY;
	int64_t ended, mean;

	FUZZ_CHECK(lxfw_route_runs_take(&runs, text) == 0);
	for (size_t i = 0; i < runs.count; i++) {
		lxfw_route_runs_find(&runs, runs.list[i].user, &ended, &mean);
		FUZZ_CHECK(ended > 0 && mean >= 0);
	}
	lxfw_route_runs_clear(&runs);
}

/* The first line is the job, the second one its copy. A job is no different from itself. */
static void compare_shown(char *text)
{
	char *copy = strchr(text, '\n');

	FUZZ_CHECK(!lxfw_route_shown_difference(text, text));
	if (!copy)
		return;
	*copy++ = '\0';
	(void)lxfw_route_shown_difference(text, copy);
}

/* What is complete has begun. */
static void look_at_credential(const char *text, size_t size)
{
	if (!lxfw_route_credential_ends(text, size))
		return;
	FUZZ_CHECK(lxfw_route_credential_begins(text, size));
	FUZZ_CHECK(lxfw_route_credential_begins(text, size / 2));
	(void)lxfw_route_credential_is_plain(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size);
	FUZZ_CHECK(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (*data == 'q')
		read_question(text);
	else if (*data == 'a')
		read_answer(text);
	else if (*data == 'j')
		read_jobs(text);
	else if (*data == 'o')
		read_owners(text);
	else if (*data == 'r')
		read_record(text, size - 1);
	else if (*data == 's')
		read_state(text);
	else if (*data == 'h')
		read_runs(text);
	else if (*data == 'd')
		compare_shown(text);
	else if (*data == 'm')
		look_at_credential(text, size - 1);
	else
		read_conf(text, size - 1);
	free(text);
	return 0;
}
