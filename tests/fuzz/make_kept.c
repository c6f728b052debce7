/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_kept: write a journal with each kind of job that waits to standard output, as an
 * adapter would. It generated corpus/journal/kept.jnl and corpus/replay/kept.jnl, which
 * tests/golden/why-kept.sh reads, too. The second segment is that after a rotation: it
 * repeats what holds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/sched.h"

static struct lxfw_buffer buffer;
static struct lxfw_sched *sched;
static struct lxfw_params params;

static void give_up(const char *why)
{
	fprintf(stderr, "make_kept: %s\n", why);
	exit(1);
}

static void put(struct lxfw_event event)
{
	struct lxfw_error error;

	if (lxfw_sched_apply(sched, &event, &error) < 0)
		give_up(error.text);
	if (lxfw_journal_put_event(&buffer, &event) < 0)
		give_up("invalid event");
}

static void decide(int64_t now)
{
	struct lxfw_decision decision;

	if (lxfw_sched_decide(sched, now, &decision) < 0 ||
	    lxfw_journal_put_decision(&buffer, now, &decision) < 0)
		give_up("no decision");
}

static void submit(int64_t now, struct lxfw_request request)
{
	request.estimate = request.estimate ? request.estimate : 100;
	request.host_set_count = 1;
	put((struct lxfw_event){ .type = LXFW_EVENT_JOB_SUBMIT, .time = now,
				 .request = &request });
}

/* A job of one processor that was submitted at 1000. */
static void submit_one(int64_t now, uint64_t id)
{
	submit(now, (struct lxfw_request){ .id = id, .submit = 1000, .count = 1,
					   .shape = LXFW_SHAPE_HOSTS, .unit.procs = 1 });
}

static void finish(int64_t now, uint64_t id)
{
	put((struct lxfw_event){ .type = LXFW_EVENT_JOB_END, .time = now, .end.id = id });
}

static void keep(int64_t now, uint64_t id, enum lxfw_reason reason, enum lxfw_limited limited,
		 int64_t until)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_ASIDE, .time = now };

	event.aside.id = id;
	event.aside.reason = reason;
	event.aside.limited = limited;
	event.aside.submit = reason ? 1000 : 0;
	event.aside.until = until;
	put(event);
}

static void refuse(int64_t now, uint64_t id, enum lxfw_reason reason, int64_t until)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED, .time = now };

	event.refused.id = id;
	event.refused.reason = reason;
	event.refused.until = until;
	put(event);
}

static void begin(int64_t now)
{
	static const char *const names[] = { "n1", "n2" };
	static const int32_t hosts[] = { 0, 1 };

	lxfw_sched_destroy(sched);
	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	sched = lxfw_sched_create(&params);
	if (!sched)
		give_up("out of memory");
	fwrite(buffer.bytes, 1, buffer.length, stdout);
	buffer.length = 0;
	fwrite(LXFW_JOURNAL_MAGIC, 1, LXFW_JOURNAL_MAGIC_SIZE, stdout);
	put((struct lxfw_event){ .type = LXFW_EVENT_PARAMS, .time = now, .params = &params });
	for (int32_t i = 0; i < 2; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST, .time = now };

		event.host.index = i;
		event.host.up = true;
		event.host.total = (struct lxfw_resources){ .procs = 4, .memory_mb = 8000,
							    .extras = { 2, 2 } };
		event.host.name = names[i];
		event.host.gpus = 3;
		put(event);
	}
	put((struct lxfw_event){ .type = LXFW_EVENT_EXTRA, .time = now,
				 .extra = { 0, "gpu" } });
	put((struct lxfw_event){ .type = LXFW_EVENT_EXTRA, .time = now,
				 .extra = { 1, "gpu:a100" } });
	put((struct lxfw_event){ .type = LXFW_EVENT_HOST_SET, .time = now,
				 .host_set = { 0, 2, hosts } });
}

/* Both hosts run job 1 until 2000. */
static void first(void)
{
	begin(1000);
	submit(1000, (struct lxfw_request){ .id = 1, .submit = 1000, .estimate = 1000,
					    .count = 2, .shape = LXFW_SHAPE_HOSTS,
					    .unit.procs = 4 });
	decide(1000);
	keep(1001, 11, LXFW_REASON_LIMIT_QOS, LXFW_LIMITED_PROCS, 0);
	keep(1001, 12, LXFW_REASON_HELD_BY_USER, 0, 0);
	keep(1001, 13, LXFW_REASON_DEPENDENCY, 0, 0);
	keep(1001, 14, LXFW_REASON_BEGIN_TIME, 0, 2500);
	keep(1001, 15, LXFW_REASON_LEFT_CONTIGUOUS, 0, 0);
	keep(1001, 16, LXFW_REASON_LICENSES, 0, 0);
	keep(1001, 20, LXFW_REASON_DEPENDENCY, 0, 0);	/* an array */
	keep(1001, 21, LXFW_REASON_HELD, 0, 0);
	submit(1001, (struct lxfw_request){ .id = 22, .submit = 1000, .count = 2,
					    .shape = LXFW_SHAPE_HOSTS, .exclusive = true,
					    .unit.procs = 1 });
	submit(1001, (struct lxfw_request){ .id = 23, .submit = 1000, .count = 1,
					    .shape = LXFW_SHAPE_HOSTS,
					    .unit = { .procs = 1, .extras = { 2, 2 } } });
	decide(1001);
	keep(1300, 11, LXFW_REASON_HELD_BY_USER, 0, 0);
	keep(1300, 21, LXFW_REASON_NONE, 0, 0);
	decide(1300);
	submit_one(1500, 11);
	submit_one(1500, 16);
	decide(1500);
}

static void second(void)
{
	struct lxfw_share share = { .host = 1, .amount = { .procs = 4 } };
	struct lxfw_event run = { .type = LXFW_EVENT_JOB_RUN, .time = 2100 };

	finish(2000, 1);
	submit_one(2000, 13);
	submit_one(2000, (UINT64_C(1) << 32) | 20);
	decide(2000);
	finish(2050, 22);
	decide(2050);
	run.run.id = 15;
	run.run.expected_end = 2200;
	run.run.count = 1;
	run.run.shares = &share;
	finish(2100, 11);
	finish(2100, 13);
	finish(2100, 16);
	finish(2100, 23);
	finish(2100, (UINT64_C(1) << 32) | 20);
	put(run);
	decide(2100);
	finish(2200, 15);
	submit_one(2200, 17);
	decide(2200);
	refuse(2200, 17, LXFW_REASON_REFUSED_CLEANING, 2230);
	decide(2200);
	submit_one(2240, 18);
	decide(2240);
	/* Job 17 starts; job 18 had changed. */
	keep(2240, 18, LXFW_REASON_CHANGED, 0, 0);
	finish(2240, 18);
	decide(2241);
	keep(2242, 18, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_JOBS, 0);
	decide(2242);
	submit_one(2500, 14);
	decide(2500);
	/* The user holds job 19 while it waits. */
	finish(2600, 14);
	submit(2600, (struct lxfw_request){ .id = 19, .submit = 2600, .count = 2,
					    .shape = LXFW_SHAPE_HOSTS, .unit.procs = 4 });
	decide(2600);
	keep(2700, 19, LXFW_REASON_HELD_BY_USER, 0, 0);
	if (lxfw_sched_can_start(sched, 19) >= 0)
		finish(2700, 19);
	decide(2700);
}

static void rotated(void)
{
	begin(3000);
	keep(3000, 12, LXFW_REASON_HELD_BY_USER, 0, 0);
	keep(3000, 18, LXFW_REASON_LIMIT_ACCOUNT, LXFW_LIMITED_JOBS, 0);
	keep(3000, 20, LXFW_REASON_LIMIT_TASKS, 0, 0);
	decide(3000);
}

int main(void)
{
	first();
	second();
	rotated();
	fwrite(buffer.bytes, 1, buffer.length, stdout);
	lxfw_sched_destroy(sched);
	free(buffer.bytes);
	return fflush(stdout) != 0;
}
