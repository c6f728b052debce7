/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the agent writes into the journal of jobs that wait without the library, and of starts
 * that the workload manager does not carry out. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugins/agent/meter_text.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/pass.h"
#include "plugins/agent/refuse.h"
#include "plugins/agent/setup.h"

#define MANY 10000

/* A workload manager with one host and the jobs 1 to `count`. */
struct manager {
	struct lxfw_agent agent;
	int64_t now;
	int count;
	enum lxfw_reason reason[MANY + 1];	/* NONE: it waits in the library */
	enum lxfw_limited limited;	/* of all of them */
	int64_t until;			/* likewise */
	bool gone[MANY + 1];
	enum lxfw_answer answer;
	enum lxfw_reason refusal;	/* stated with the answer */
	bool shown;
	off_t read;			/* bytes of the journal that were compared */
};

static struct manager manager;
static char path[64];

static int64_t now(void *context)
{
	return ((struct manager *)context)->now;
}

static char *folder(void *context)
{
	(void)context;
	return NULL;
}

static bool look_at_hosts(void *context)
{
	static const char *const names[] = { "a" };
	const struct lxfw_resources total = { .procs = 4, .memory_mb = 1000 };

	(void)context;
	if (lxfw_mirror_hosts(&manager.agent, names, 1) < 0)
		return false;
	lxfw_mirror_host(&manager.agent, 0, true, &total, 0, 0, 0);
	lxfw_mirror_extra(&manager.agent, 1, "gpu:a100");
	return true;
}

static void show_waiting(uint64_t id)
{
	const struct lxfw_waiting waiting = {
		.request = {
			.id = id, .submit = 900, .estimate = 100, .count = 1,
			.shape = LXFW_SHAPE_HOSTS, .unit.procs = 4, .host_set_count = 1,
			.no_quantum = true,
		},
		.record = (uint32_t)id,
	};

	assert_non_null(lxfw_mirror_waiting(&manager.agent, &waiting));
}

static bool look_at_jobs(void *context)
{
	static const int32_t hosts[] = { 0 };

	(void)context;
	if (!manager.shown)
		lxfw_mirror_set(&manager.agent, 0, hosts, 1);
	manager.shown = true;
	for (int i = 1; i <= manager.count; i++) {
		const struct lxfw_aside aside = {
			.id = (uint64_t)i, .reason = manager.reason[i], .submit = 900,
			.limited = manager.limited, .until = manager.until,
		};

		if (manager.gone[i])
			continue;
		if (aside.reason)
			lxfw_mirror_aside(&manager.agent, &aside);
		else
			show_waiting(aside.id);
	}
	lxfw_mirror_release_others(&manager.agent);
	return true;
}

static void forget(void *context)
{
	(void)context;
	manager.shown = false;
}

static enum lxfw_phase phase(void *context, uint32_t record)
{
	(void)context;
	return manager.gone[record] ? LXFW_PHASE_GONE : LXFW_PHASE_WAITING;
}

static bool read_run(void *context, struct lxfw_known_job *known, struct lxfw_run *run)
{
	(void)context;
	(void)known;
	(void)run;
	return false;
}

static enum lxfw_answer start(void *context, struct lxfw_known_job *known,
			      const struct lxfw_action *action, struct lxfw_run *run)
{
	(void)context;
	(void)action;
	(void)run;
	assert_int_equal(known->refusal, LXFW_REASON_NONE);
	known->refusal = manager.refusal;
	return manager.answer;
}

static const struct lxfw_wlm operations = {
	.name = "test", .job = "job ", .now = now, .folder_name = "nowhere", .folder = folder,
	.look_at_hosts = look_at_hosts, .look_at_jobs = look_at_jobs, .forget = forget,
	.phase = phase, .read_run = read_run, .start = start,
};

static void begin(int count, enum lxfw_reason reason)
{
	struct lxfw_params params;

	memset(&manager, 0, sizeof(manager));
	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	manager.now = 1000;
	manager.count = count;
	manager.answer = LXFW_REFUSED;
	for (int i = 1; i <= count; i++)
		manager.reason[i] = reason;
	strcpy(path, "/tmp/lxfw-aside-XXXXXX");
	close(mkstemp(path));
	lxfw_agent_init(&manager.agent, &operations, &manager, &params);
	lxfw_journal_file_set(&manager.agent.journal, path, (int)strlen(path));
}

static void end(void)
{
	lxfw_agent_destroy(&manager.agent);
	unlink(path);
}

static void pass(void)
{
	manager.now++;
	assert_true(lxfw_agent_pass(&manager.agent));
}

static void append(char *text, size_t size, const struct lxfw_event *event)
{
	size_t length = strlen(text);

	if (event->type == LXFW_EVENT_JOB_ASIDE)
		snprintf(text + length, size - length, "%d %s %d %d %d; ", (int)event->aside.id,
			 lxfw_reason_name((int)event->aside.reason), event->aside.limited,
			 (int)event->aside.submit, (int)event->aside.until);
	else if (event->type == LXFW_EVENT_JOB_SUBMIT)
		snprintf(text + length, size - length, "%d submit; ", (int)event->request->id);
	else if (event->type == LXFW_EVENT_JOB_END)
		snprintf(text + length, size - length, "%d end; ", (int)event->end.id);
	else if (event->type == LXFW_EVENT_JOB_REFUSED)
		snprintf(text + length, size - length, "%d refused %s; ",
			 (int)event->refused.id,
			 lxfw_reason_name((int)event->refused.reason));
	else if (event->type == LXFW_EVENT_EXTRA)
		snprintf(text + length, size - length, "%d is %s; ", event->extra.index,
			 event->extra.name);
}

/* Calls TAKE for each event in the journal since the last call. Returns their number. */
static size_t read_events(void (*take)(char *, size_t, const struct lxfw_event *), char *text,
			  size_t size)
{
	struct lxfw_record record = { 0 };
	unsigned char *bytes;
	size_t length, offset = 0, count = 0;
	FILE *file = fopen(path, "rb");

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	length = (size_t)ftell(file);
	bytes = malloc(length + 1);
	assert_non_null(bytes);
	rewind(file);
	assert_int_equal(fread(bytes, 1, length, file), length);
	fclose(file);
	while (lxfw_journal_get(bytes, length, &offset, &record) == 1) {
		if ((off_t)offset <= manager.read || record.kind != LXFW_RECORD_EVENT)
			continue;
		count++;
		if (take)
			take(text, size, &record.event);
	}
	assert_int_equal(offset, length);
	manager.read = (off_t)length;
	free(bytes);
	lxfw_record_clear(&record);
	return count;
}

/* After a pass, the journal has these events of jobs and extras. */
static void expect(const char *expected)
{
	char text[1000] = "";

	pass();
	(void)read_events(append, text, sizeof(text));
	assert_string_equal(text, expected);
}

/* Once for each job and change of its reason. */
static void states_changes(void **state)
{
	(void)state;
	begin(2, LXFW_REASON_HELD_BY_USER);
	expect("1 is gpu:a100; 1 held_by_user 0 900 0; 2 held_by_user 0 900 0; ");
	expect("");
	manager.reason[1] = LXFW_REASON_DEPENDENCY;
	expect("1 dependency 0 900 0; ");
	manager.until = 5000;
	expect("1 dependency 0 900 5000; 2 held_by_user 0 900 5000; ");
	manager.until = 0;
	manager.limited = LXFW_LIMITED_PROCS;
	manager.reason[1] = LXFW_REASON_LIMIT_QOS;
	expect("1 limit_of_qos 2 900 0; 2 held_by_user 2 900 0; ");
	expect("");
	end();
}

/* The submission says that a job is eligible; one that goes is stated to have gone. */
static void states_ends(void **state)
{
	(void)state;
	begin(2, LXFW_REASON_HELD_BY_USER);
	expect("1 is gpu:a100; 1 held_by_user 0 900 0; 2 held_by_user 0 900 0; ");
	manager.reason[1] = LXFW_REASON_NONE;
	manager.gone[2] = true;
	expect("1 submit; 2 none 0 0 0; 1 refused refused; ");
	assert_int_equal(manager.agent.asides.count, 0);
	manager.reason[1] = LXFW_REASON_LEFT_CONTIGUOUS;
	expect("1 contiguous 0 900 0; 1 end; ");
	end();
}

/* A new segment has all of it again. */
static void states_again(void **state)
{
	(void)state;
	begin(2, LXFW_REASON_HELD);
	expect("1 is gpu:a100; 1 held 0 900 0; 2 held 0 900 0; ");
	manager.agent.rebuild = true;
	expect("1 is gpu:a100; 1 held 0 900 0; 2 held 0 900 0; ");
	expect("");
	end();
}

/* Many jobs have one record each, not one for each pass. */
static void states_many_once(void **state)
{
	size_t head;

	(void)state;
	begin(MANY, LXFW_REASON_HELD);
	pass();
	head = read_events(NULL, NULL, 0);
	assert_true(head >= MANY && head < MANY + 10);
	for (int i = 0; i < 5; i++) {
		pass();
		assert_int_equal(read_events(NULL, NULL, 0), 0);
	}
	assert_int_equal(lxfw_aside_count(&manager.agent, LXFW_REASON_HELD), MANY);
	manager.gone[5000] = true;
	manager.reason[6000] = LXFW_REASON_DEPENDENCY;
	pass();
	assert_int_equal(read_events(NULL, NULL, 0), 2);
	assert_int_equal(lxfw_aside_count(&manager.agent, LXFW_REASON_HELD), MANY - 2);
	assert_int_equal(lxfw_aside_count(&manager.agent, LXFW_REASON_DEPENDENCY), 1);
	end();
}

/* Each answer to a start, with the reason of the workload manager or that of the answer. */
static void states_refusals(void **state)
{
	static const struct {
		enum lxfw_answer answer;
		enum lxfw_reason reason;
		const char *expected;
	} cases[] = {
		{ LXFW_REFUSED, LXFW_REASON_NONE, "1 submit; 1 refused refused; " },
		{ LXFW_REFUSED, LXFW_REASON_REFUSED_LICENSES, "1 submit; 1 refused no_licenses; " },
		{ LXFW_UNFIT, LXFW_REASON_NONE, "1 submit; 1 refused hosts_unfit; " },
		{ LXFW_BUSY, LXFW_REASON_NONE, "1 submit; 1 refused hosts_cleaning; " },
		{ LXFW_GONE, LXFW_REASON_NONE, "1 submit; 1 changed 0 900 0; 1 end; " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[200] = "1 is gpu:a100; ";

		begin(1, LXFW_REASON_NONE);
		manager.answer = cases[i].answer;
		manager.refusal = cases[i].reason;
		strcat(text, cases[i].expected);
		expect(text);
		end();
	}
}

/* A job that had changed is in the library again, or is stated not to be. */
static void states_after_change(void **state)
{
	(void)state;
	begin(1, LXFW_REASON_NONE);
	manager.answer = LXFW_GONE;
	expect("1 is gpu:a100; 1 submit; 1 changed 0 900 0; 1 end; ");
	manager.reason[1] = LXFW_REASON_LIMIT_ACCOUNT;
	expect("1 limit_of_account 0 900 0; ");
	manager.reason[1] = LXFW_REASON_NONE;
	manager.answer = LXFW_LATER;
	expect("1 submit; ");
	assert_int_equal(manager.agent.asides.count, 0);
	end();
}

/* In shadow mode, no start is carried out. */
static void states_shadow(void **state)
{
	struct lxfw_params params;

	(void)state;
	begin(1, LXFW_REASON_NONE);
	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	params.shadow = LXFW_SHADOW_ON;
	lxfw_agent_set_params(&manager.agent, &params);
	expect("1 is gpu:a100; 1 submit; 1 refused shadow; ");
	end();
}

/* Numbers that a journal cannot have. */
static void clips_times(void **state)
{
	const struct lxfw_aside aside = {
		.id = 7, .reason = LXFW_REASON_BEGIN_TIME, .submit = -1, .until = INT64_MAX,
	};

	(void)state;
	begin(0, LXFW_REASON_NONE);
	pass();
	(void)read_events(NULL, NULL, 0);
	lxfw_mirror_aside(&manager.agent, &aside);
	expect("7 begin_time 0 0 0; 7 none 0 0 0; ");
	end();
}

/* The metrics have the numbers of jobs by reason. */
static void counts_in_metrics(void **state)
{
	size_t length;
	char *text;

	(void)state;
	begin(3, LXFW_REASON_HELD);
	manager.reason[3] = LXFW_REASON_LEFT_CONTIGUOUS;
	pass();
	text = lxfw_meter_text(&manager.agent, &length);
	assert_non_null(text);
	assert_non_null(strstr(text, "\nlxfw_not_eligible_jobs{reason=\"held\"} 2\n"));
	assert_non_null(strstr(text, "\nlxfw_not_eligible_jobs{reason=\"closed\"} 0\n"));
	assert_non_null(strstr(text, "\nlxfw_left_jobs{reason=\"contiguous\"} 1\n"));
	free(text);
	end();
}

/* Each number of the list has a name, and no other one. */
static void names_reasons(void **state)
{
	int count = 0;

	(void)state;
	for (int reason = -1; reason < 300; reason++) {
		const char *name = lxfw_reason_name(reason);

		count += name != NULL;
		assert_int_equal(name == NULL, lxfw_reason_part(reason) == LXFW_REASONS_UNKNOWN);
		if (name)
			assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz_"), strlen(name));
	}
	assert_int_equal(count, 1 + lxfw_reason_count(LXFW_REASONS_INELIGIBLE) +
			 lxfw_reason_count(LXFW_REASONS_LEFT) +
			 lxfw_reason_count(LXFW_REASONS_REFUSED));
	assert_string_equal(lxfw_reason_name(LXFW_REASON_ELSEWHERE), "elsewhere");
	assert_string_equal(lxfw_reason_name(LXFW_REASON_LEFT_PREEMPTS), "preempts");
	assert_string_equal(lxfw_reason_name(LXFW_REASON_REFUSED_SHADOW), "shadow");
	assert_string_equal(lxfw_reason_name(LXFW_REASON_REFUSED_ELSEWHERE), "has_other_cluster");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_changes),
		cmocka_unit_test(states_ends),
		cmocka_unit_test(states_again),
		cmocka_unit_test(states_many_once),
		cmocka_unit_test(states_refusals),
		cmocka_unit_test(states_after_change),
		cmocka_unit_test(states_shadow),
		cmocka_unit_test(clips_times),
		cmocka_unit_test(counts_in_metrics),
		cmocka_unit_test(names_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
