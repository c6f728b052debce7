/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a journal for a test. */
#ifndef LXFW_TESTS_TAPE_H
#define LXFW_TESTS_TAPE_H

#include "common/journal/journal.h"
#include "common/sched.h"
#include "tests/unit/file.h"

/* The bytes, and a scheduler that gets the same events. */
struct tape {
	struct lxfw_buffer buffer;
	struct lxfw_sched *sched;
	struct lxfw_decision decision;
};

static inline void put(struct tape *tape, struct lxfw_event event)
{
	assert_int_equal(lxfw_journal_put_event(&tape->buffer, &event), 0);
	assert_int_equal(lxfw_sched_apply(tape->sched, &event, NULL), 0);
}

static inline void decide(struct tape *tape, int64_t now)
{
	assert_int_equal(lxfw_sched_decide(tape->sched, now, &tape->decision),
			 0);
}

static inline void put_decision(struct tape *tape, int64_t now)
{
	decide(tape, now);
	assert_int_equal(lxfw_journal_put_decision(&tape->buffer, now,
						   &tape->decision), 0);
}

static inline void put_submit(struct tape *tape, uint64_t id, int64_t time,
		       int64_t submit, int32_t procs, int64_t estimate)
{
	struct lxfw_request request = {
		.id = id, .submit = submit, .estimate = estimate, .count = 1,
		.unit.procs = procs, .shape = LXFW_SHAPE_HOSTS,
	};

	put(tape, (struct lxfw_event) { .type = LXFW_EVENT_JOB_SUBMIT,
					.time = time, .request = &request });
}

static inline void put_end(struct tape *tape, uint64_t id, int64_t time)
{
	put(tape, (struct lxfw_event) { .type = LXFW_EVENT_JOB_END,
					.time = time, .end.id = id });
}

/* One host of four processors under EASY, with these parameters. */
static inline void begin_at(struct tape *tape, int64_t time, const char *keys)
{
	struct lxfw_params params;

	*tape = (struct tape) { .sched = NULL };
	tape->buffer.bytes = malloc(LXFW_JOURNAL_MAGIC_SIZE);
	assert_non_null(tape->buffer.bytes);
	memcpy(tape->buffer.bytes, LXFW_JOURNAL_MAGIC, LXFW_JOURNAL_MAGIC_SIZE);
	tape->buffer.length = tape->buffer.size = LXFW_JOURNAL_MAGIC_SIZE;
	lxfw_params_preset(&params, LXFW_POLICY_EASY);
	assert_int_equal(lxfw_params_parse(&params, keys, NULL, NULL, NULL), 0);
	tape->sched = lxfw_sched_create(&params);
	assert_non_null(tape->sched);
	put(tape, (struct lxfw_event) { .type = LXFW_EVENT_PARAMS,
					.time = time, .params = &params });
	put(tape, (struct lxfw_event) {
		.type = LXFW_EVENT_HOST, .time = time,
		.host = { .index = 0, .up = true, .total.procs = 4,
			  .total.memory_mb = 1000, .name = "n0" } });
}

static inline void begin_with(struct tape *tape, const char *keys)
{
	begin_at(tape, 100, keys);
}

static inline void begin(struct tape *tape)
{
	begin_with(tape, NULL);
}

static inline const char *end(struct tape *tape, const char *name)
{
	const char *path = unit_path(name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(tape->buffer.bytes, 1, tape->buffer.length,
				file), tape->buffer.length);
	assert_int_equal(fclose(file), 0);
	free(tape->buffer.bytes);
	lxfw_sched_destroy(tape->sched);
	return path;
}

#endif
