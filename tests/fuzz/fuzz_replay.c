/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A journal with corrected checksums is given to two schedulers. They must accept or
 * refuse the same events and make the same decisions, and the decisions must be
 * encodable.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>

#include "common/sched.h"
#include "common/journal/journal.h"
#include "tests/fuzz/repair.h"

const char fuzz_name[] = "replay";

struct pair {
	struct lxfw_sched *one, *other;
	int64_t now;
};

static void pair_begin(struct pair *pair)
{
	struct lxfw_params params;

	lxfw_sched_destroy(pair->one);
	lxfw_sched_destroy(pair->other);
	lxfw_params_preset(&params, LXFW_POLICY_LXFW);
	pair->one = lxfw_sched_create(&params);
	pair->other = lxfw_sched_create(&params);
	pair->now = INT64_MIN;
	FUZZ_CHECK(pair->one && pair->other);
}

static void pair_apply(struct pair *pair, const struct lxfw_event *event)
{
	struct lxfw_error error = { "" };
	int result = lxfw_sched_apply(pair->one, event, &error), reason = errno;

	if (result == 0) {
		FUZZ_CHECK(event->time >= pair->now);
		pair->now = event->time;
		FUZZ_CHECK(lxfw_sched_apply(pair->other, event, NULL) == 0);
		return;
	}
	FUZZ_CHECK(reason == EINVAL || reason == EEXIST || reason == ENOENT);
	FUZZ_CHECK(error.text[0] != '\0');
	/* The other scheduler does not get this event: a refused event must change
	 * nothing. */
}

static void pair_decide(struct pair *pair, int64_t now)
{
	struct lxfw_decision one, other;
	struct lxfw_buffer first = { 0 }, second = { 0 };

	if (now > LXFW_TIME_MAX)
		now = LXFW_TIME_MAX;
	if (now < pair->now)
		return;
	pair->now = now;
	FUZZ_CHECK(lxfw_sched_decide(pair->one, now, &one) == 0);
	FUZZ_CHECK(lxfw_sched_decide(pair->other, now, &other) == 0);
	FUZZ_CHECK(lxfw_journal_put_decision(&first, now, &one) == 0);
	FUZZ_CHECK(lxfw_journal_put_decision(&second, now, &other) == 0);
	FUZZ_CHECK(first.length == second.length);
	FUZZ_CHECK(memcmp(first.bytes, second.bytes, first.length) == 0);
	FUZZ_CHECK(one.waiting == other.waiting);
	FUZZ_CHECK(one.running == other.running);
	FUZZ_CHECK(one.wake > now);
	free(first.bytes);
	free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lxfw_buffer journal = { 0 };
	struct lxfw_record record = { 0 };
	struct pair pair = { 0 };
	size_t offset = 0;

	if (fuzz_repair(&journal, data, size) < 0)
		return 0;
	pair_begin(&pair);
	while (lxfw_journal_get(journal.bytes, journal.length, &offset,
				&record) == 1) {
		if (record.kind == LXFW_RECORD_MAGIC)
			pair_begin(&pair);
		else if (record.kind == LXFW_RECORD_EVENT)
			pair_apply(&pair, &record.event);
		else if (record.kind == LXFW_RECORD_DECIDE)
			pair_decide(&pair, record.now);
	}
	lxfw_sched_destroy(pair.one);
	lxfw_sched_destroy(pair.other);
	lxfw_record_clear(&record);
	free(journal.bytes);
	return 0;
}
