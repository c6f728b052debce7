/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "common/journal/journal.h"
#include "common/journal/wire.h"
#include "tests/unit/equal_event.h"
#include "tests/unit/journal_bytes.h"
#include "tests/unit/random_event.h"

static void checks_sums_like_zlib(void **state)
{
	(void)state;
	assert_true(lxfw_crc32((const unsigned char *)"123456789", 9) ==
		    0xcbf43926);
	assert_true(lxfw_crc32(NULL, 0) == 0);
}

static void zigzags(void **state)
{
	static const int64_t cases[] = { 0, -1, 1, -2, 63, -64, INT32_MIN,
					 INT32_MAX, INT64_MIN, INT64_MAX };

	(void)state;
	assert_true(lxfw_zigzag(-1) == 1);
	assert_true(lxfw_zigzag(1) == 2);
	assert_true(lxfw_zigzag(INT64_MIN) == UINT64_MAX);
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_true(lxfw_unzigzag(lxfw_zigzag(cases[i])) == cases[i]);
}

/* The format: journals written today must remain readable. */
static void keeps_its_bytes(void **state)
{
	static const unsigned char expected[] = {
		19,			/* length */
		2, 5, 0xd0, 0x0f,	/* event, run, time 1000 */
		0xac, 0x02, 0xa0, 0x1f,	/* id 300, end 2000 */
		2,			/* two shares */
		6, 4, 0x80, 0x08, 0,	/* host 3: 4 processors, 1024 MB */
		0, 1, 0, 2, 2,		/* host 4: 1 processor, 2 GPUs */
		0xdd, 0x76, 0xb8, 0x37,
	};
	const struct lxfw_share shares[] = {
		{ .host = 3, .amount = { .procs = 4, .memory_mb = 1024 } },
		{ .host = 4, .amount = { .procs = 1, .extras = { 0, 2 } } },
	};
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN, .time = 1000,
		.run = { 300, 2000, 2, shares },
	};
	struct lxfw_buffer buffer = { 0 };

	(void)state;
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);
	assert_int_equal(buffer.length, sizeof(expected));
	assert_memory_equal(buffer.bytes, expected, sizeof(expected));
	free(buffer.bytes);
}

static void events_round_trip(void **state)
{
	uint64_t random = unit_seed("events");
	struct lxfw_record record = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct lxfw_buffer buffer = { 0 }, again = { 0 };
		struct random_event original;
		size_t offset = 0;

		random_event(&random, i % 10, &original);
		assert_int_equal(lxfw_journal_put_event(&buffer,
							&original.event), 0);
		assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
		assert_int_equal(offset, buffer.length);
		assert_event(&original.event, &record.event);
		assert_int_equal(lxfw_journal_put_event(&again, &record.event),
				 0);
		assert_int_equal(again.length, buffer.length);
		assert_memory_equal(again.bytes, buffer.bytes, buffer.length);
		free(buffer.bytes);
		free(again.bytes);
	}
	lxfw_record_clear(&record);
}

static void decisions_round_trip(void **state)
{
	uint64_t random = unit_seed("decisions");
	struct random_decision *original = malloc(sizeof(*original));
	struct lxfw_record record = { 0 };

	(void)state;
	assert_non_null(original);
	for (int i = 0; i < 500; i++) {
		struct lxfw_buffer buffer = { 0 };
		int64_t now = unit_between(&random, INT64_MIN, INT64_MAX);
		size_t offset = 0;

		random_decision(&random, original);
		assert_int_equal(lxfw_journal_put_decision(&buffer, now,
					&original->decision), 0);
		assert_kind(&buffer, &offset, &record, LXFW_RECORD_DECIDE);
		assert_true(record.now == now);
		for (size_t j = 0; j < original->decision.count; j++) {
			const struct lxfw_action *action = &original->actions[j];

			assert_kind(&buffer, &offset, &record,
				    LXFW_RECORD_ACTION);
			assert_int_equal(record.action.type, action->type);
			assert_true(record.action.job == action->job);
			assert_true(record.action.start == action->start);
			assert_true(record.action.limit == action->limit);
			assert_int_equal(record.action.host_set,
					 action->host_set);
			assert_int_equal(record.action.count, action->count);
			assert_shares(record.action.shares, action->shares,
				      action->count);
		}
		assert_kind(&buffer, &offset, &record, LXFW_RECORD_DECIDED);
		assert_true(record.wake == original->decision.wake);
		assert_int_equal(offset, buffer.length);
		free(buffer.bytes);
	}
	lxfw_record_clear(&record);
	free(original);
}

/* A long record: the length takes three bytes, and arrays grow. */
static void long_records_round_trip(void **state)
{
	enum { HOSTS = 20000 };
	struct lxfw_share *shares = calloc(HOSTS, sizeof(*shares));
	int32_t *hosts = calloc(HOSTS, sizeof(*hosts));
	struct lxfw_event run = { .type = LXFW_EVENT_JOB_RUN, .time = 1,
				  .run = { 1, LXFW_NEVER, HOSTS, shares } };
	struct lxfw_event set = { .type = LXFW_EVENT_HOST_SET, .time = 1,
				  .host_set = { 0, HOSTS, hosts } };
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	assert_non_null(shares);
	assert_non_null(hosts);
	for (int i = 0; i < HOSTS; i++) {
		shares[i].host = hosts[i] = i;
		shares[i].amount.procs = i % 128;
	}
	assert_int_equal(lxfw_journal_put_event(&buffer, &run), 0);
	assert_int_equal(lxfw_journal_put_event(&buffer, &set), 0);
	assert_true(buffer.length < 6 * HOSTS);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_event(&run, &record.event);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_event(&set, &record.event);
	assert_int_equal(offset, buffer.length);
	lxfw_record_clear(&record);
	free(buffer.bytes);
	free(shares);
	free(hosts);
}

static void cleans_names(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST,
				    .host = { .up = true } };
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	char longest[400];
	size_t offset = 0;

	(void)state;
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);
	event.host.name = "n\n1\033";
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);
	memset(longest, 'n', sizeof(longest));
	longest[399] = '\0';
	event.host.name = longest;
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);

	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_string_equal(record.event.host.name, "");
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_string_equal(record.event.host.name, "n?1?");
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_int_equal(strlen(record.event.host.name), 255);
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

/* Write a journal of a magic, an event of each type and a decision, and store the
   offsets of its records. */
static size_t sample(struct lxfw_buffer *buffer, uint64_t *random,
		     size_t *begins, size_t most)
{
	struct random_decision *decision = malloc(sizeof(*decision));
	struct lxfw_record record = { 0 };
	size_t count = 0, offset = 0;

	assert_non_null(decision);
	put_magic(buffer);
	for (int type = LXFW_EVENT_HOST; type <= LXFW_EVENT_LAST; type++) {
		struct random_event event;

		random_event(random, type, &event);
		assert_int_equal(lxfw_journal_put_event(buffer, &event.event),
				 0);
	}
	random_decision(random, decision);
	if (decision->decision.count > 3)
		decision->decision.count = 3;
	assert_int_equal(lxfw_journal_put_decision(buffer, 17,
						   &decision->decision), 0);
	do {
		assert_true(count < most);
		begins[count++] = offset;
	} while (lxfw_journal_get(buffer->bytes, buffer->length, &offset,
				  &record) == 1);
	assert_int_equal(offset, buffer->length);
	lxfw_record_clear(&record);
	free(decision);
	return count - 1;
}

/* If the journal is truncated after any byte, the complete records are read and the
   rest is ignored. The copy has exactly these bytes, so that sanitizers detect reads
   beyond it. */
static void may_be_cut_off_anywhere(void **state)
{
	uint64_t random = unit_seed("cut off");
	struct lxfw_buffer buffer = { 0 };
	size_t begins[32], count = sample(&buffer, &random, begins, 32);
	struct lxfw_record record = { 0 };

	(void)state;
	for (size_t length = 0; length <= buffer.length; length++) {
		unsigned char *copy = malloc(length ? length : 1);
		size_t offset = 0, found = 0, whole = 0;
		int result;

		assert_non_null(copy);
		memcpy(copy, buffer.bytes, length);
		while ((result = lxfw_journal_get(copy, length, &offset,
						  &record)) == 1)
			found++;
		assert_int_equal(result, 0);
		while (whole < count && begins[whole + 1] <= length)
			whole++;
		assert_int_equal(found, whole);
		assert_int_equal(offset, begins[whole]);
		free(copy);
	}
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

/* Every flipped bit is detected: the records before it are read unchanged, and the
   reader stops at the record with the flipped bit. */
static void sees_every_flipped_bit(void **state)
{
	uint64_t random = unit_seed("flipped");
	struct lxfw_buffer buffer = { 0 };
	size_t begins[32], count = sample(&buffer, &random, begins, 32);
	struct lxfw_record record = { 0 };

	(void)state;
	for (size_t bit = 0; bit < buffer.length * 8; bit++) {
		size_t offset = 0, found = 0, hit = 0;
		int result;

		buffer.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		while (hit + 1 < count && begins[hit + 1] <= bit / 8)
			hit++;
		while ((result = lxfw_journal_get(buffer.bytes, buffer.length,
						  &offset, &record)) == 1)
			found++;
		assert_int_equal(found, hit);
		assert_int_equal(offset, begins[hit]);
		if (result < 0)
			assert_true(errno == EBADMSG ||
				    (errno == EPROTONOSUPPORT && bit / 8 == 7));
		else	/* as if truncated: the length exceeds the rest */
			assert_true(offset < buffer.length);
		buffer.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

static void names_round_trip(void **state)
{
	const struct lxfw_job_name names[] = {
		{ 1, 17, 0 }, { 2, 17, 1 }, { 3, -1, 0 }, { UINT64_MAX, INT64_MIN, INT64_MAX },
	};
	const struct lxfw_job_name bad[] = { { 0, 1, 0 }, { 1, 1, -1 } };
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_equal(lxfw_journal_put_name(&buffer, &bad[i]), -1);
		assert_int_equal(errno, EINVAL);
	}
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(lxfw_journal_put_name(&buffer, &names[i]), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_kind(&buffer, &offset, &record, LXFW_RECORD_NAME);
		assert_true(record.job_name.job == names[i].job);
		assert_true(record.job_name.number == names[i].number);
		assert_true(record.job_name.before == names[i].before);
	}
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

/* The records of jobs that are not scheduled are in format 4 only, and are checked. */
static void notes_have_a_format(void **state)
{
	struct lxfw_event events[3] = {
		{ .type = LXFW_EVENT_JOB_ASIDE },
		{ .type = LXFW_EVENT_JOB_REFUSED, .refused = { .id = 1 } },
		{ .type = LXFW_EVENT_EXTRA, .extra = { 4, "gpu:a100" } },
	};

	(void)state;
	events[0].aside.id = 1;
	events[0].aside.reason = LXFW_REASON_HELD;
	events[1].refused.reason = LXFW_REASON_REFUSED_LATE;
	for (int format = 2; format <= LXFW_JOURNAL_FORMAT; format++) {
		for (size_t i = 0; i < COUNT(events); i++) {
			struct lxfw_buffer buffer = { 0 };
			struct lxfw_record record = { 0 };
			size_t offset = 0;

			put_magic(&buffer);
			buffer.bytes[LXFW_JOURNAL_MAGIC_SIZE - 1] = (unsigned char)format;
			assert_int_equal(lxfw_journal_put_event(&buffer, &events[i]), 0);
			assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
			errno = 0;
			assert_int_equal(lxfw_journal_get(buffer.bytes, buffer.length, &offset,
							  &record), format < 4 ? -1 : 1);
			assert_int_equal(errno, format < 4 ? EBADMSG : 0);
			lxfw_record_clear(&record);
			free(buffer.bytes);
		}
	}
}

/* Replaces byte AT of the payload of the record, and computes its checksum again. */
static void damage(struct lxfw_buffer *buffer, size_t at, unsigned char byte)
{
	size_t length = buffer->bytes[0];
	uint32_t crc;

	assert_true(at < length);
	buffer->bytes[1 + at] = byte;
	crc = lxfw_crc32(buffer->bytes + 1, length);
	for (int i = 0; i < 4; i++)
		buffer->bytes[1 + length + (size_t)i] = (unsigned char)(crc >> 8 * i);
}

/* A reason, a limit or an index that is not in its list is an invalid record, not a number
   beyond a table. The payload: kind, type, time, id, reason, submit, until, limit. */
static void notes_are_in_their_lists(void **state)
{
	struct lxfw_event aside = { .type = LXFW_EVENT_JOB_ASIDE };
	struct lxfw_event refused = { .type = LXFW_EVENT_JOB_REFUSED };
	struct lxfw_event extra = { .type = LXFW_EVENT_EXTRA, .extra = { 0, "x" } };
	struct { struct lxfw_event *event; size_t at; } places[] = {
		{ &aside, 4 }, { &aside, 7 }, { &refused, 5 }, { &extra, 3 },
	};

	(void)state;
	aside.aside.id = refused.refused.id = 1;
	aside.aside.reason = LXFW_REASON_LIMIT;
	aside.aside.limited = LXFW_LIMITED_JOBS;
	refused.refused.reason = LXFW_REASON_REFUSED;
	for (size_t i = 0; i < COUNT(places); i++) {
		for (int byte = 0; byte < 256; byte++) {
			enum lxfw_reason_part part = lxfw_reason_part(byte);
			struct lxfw_buffer buffer = { 0 };
			struct lxfw_record record = { 0 };
			size_t offset = 0;
			bool valid = i == 0 ? part <= LXFW_REASONS_LEFT :
				     i == 1 ? byte > 0 && byte < LXFW_LIMITEDS :
				     i == 2 ? part == LXFW_REASONS_REFUSED :
					      byte < LXFW_EXTRAS_MAX;

			assert_int_equal(lxfw_journal_put_event(&buffer, places[i].event), 0);
			damage(&buffer, places[i].at, (unsigned char)byte);
			assert_int_equal(lxfw_journal_get(buffer.bytes, buffer.length, &offset,
							  &record), valid ? 1 : -1);
			lxfw_record_clear(&record);
			free(buffer.bytes);
		}
	}
}

/* Data that cannot be read back is not written. */
static void writes_nothing_invalid(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 1 } };
	struct lxfw_share twice[] = { share, share };
	int32_t hosts[] = { 1, 1 };
	struct lxfw_event events[] = {
		{ .type = 0 },
		{ .type = LXFW_EVENT_LAST + 1 },
		{ .type = LXFW_EVENT_HOST, .host = { .index = -1 } },
		{ .type = LXFW_EVENT_JOB_REFUSED, .refused = { 1, 0, LXFW_REASON_HELD } },
		{ .type = LXFW_EVENT_JOB_ASIDE, .aside = { 0, LXFW_REASON_HELD, 0, 0, 0 } },
		{ .type = LXFW_EVENT_JOB_ASIDE, .aside = { 1, LXFW_REASON_REFUSED, 0, 0, 0 } },
		{ .type = LXFW_EVENT_JOB_ASIDE, .aside = { 1, LXFW_REASON_HELD, LXFW_LIMITEDS,
							   0, 0 } },
		{ .type = LXFW_EVENT_JOB_ASIDE, .aside = { 1, LXFW_REASON_HELD, 0, -1, 0 } },
		{ .type = LXFW_EVENT_JOB_ASIDE, .aside = { 1, LXFW_REASON_HELD, 0, 0,
							   LXFW_TIME_MAX + 1 } },
		{ .type = LXFW_EVENT_EXTRA, .extra = { LXFW_EXTRAS_MAX, "x" } },
		{ .type = LXFW_EVENT_HOST, .host = { .total.procs = -1 } },
		{ .type = LXFW_EVENT_HOST_SET, .host_set = { 0, 2, hosts } },
		{ .type = LXFW_EVENT_HOST_SET, .host_set = { 0, -1, hosts } },
		{ .type = LXFW_EVENT_JOB_RUN, .run = { 0, 0, 1, &share } },
		{ .type = LXFW_EVENT_JOB_RUN, .run = { 1, 0, -1, &share } },
	};
	struct lxfw_action actions[] = {
		{ .type = LXFW_ACTION_START, .job = 1, .until = LXFW_NEVER,
		  .count = 1, .shares = &share },
		{ .type = LXFW_ACTION_START, .job = 1, .until = LXFW_NEVER,
		  .count = 2, .shares = twice },
	};
	struct lxfw_decision decision = { .actions = actions, .count = 2 };
	struct lxfw_buffer buffer = { 0 };
	unsigned char before[8];

	(void)state;
	put_magic(&buffer);
	memcpy(before, buffer.bytes, sizeof(before));
	for (size_t i = 0; i < COUNT(events); i++) {
		errno = 0;
		assert_int_equal(lxfw_journal_put_event(&buffer, &events[i]),
				 -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(buffer.length, sizeof(before));
	}
	assert_int_equal(lxfw_journal_put_decision(&buffer, 0, &decision), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(buffer.length, sizeof(before));
	assert_memory_equal(buffer.bytes, before, sizeof(before));
	decision.count = 1;
	assert_int_equal(lxfw_journal_put_decision(&buffer, 0, &decision), 0);
	free(buffer.bytes);
}

static void starts_segments(void **state)
{
	struct lxfw_event end = { .type = LXFW_EVENT_JOB_END, .end = { 1 } };
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0, second;

	(void)state;
	put_magic(&buffer);
	assert_int_equal(lxfw_journal_put_event(&buffer, &end), 0);
	second = buffer.length;
	put_magic(&buffer);
	assert_int_equal(lxfw_journal_put_event(&buffer, &end), 0);

	assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_int_equal(lxfw_journal_get(buffer.bytes, buffer.length, &offset,
					  &record), 0);

	/* The first segment is damaged. The second one is found after it. */
	buffer.bytes[10] ^= 1;
	offset = 8;
	assert_int_equal(lxfw_journal_get(buffer.bytes, buffer.length, &offset,
					  &record), -1);
	assert_int_equal(offset, 8);
	assert_true(lxfw_journal_seek(buffer.bytes, buffer.length, &offset));
	assert_int_equal(offset, second);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
	second = offset;
	assert_false(lxfw_journal_seek(buffer.bytes, buffer.length, &offset));
	assert_int_equal(offset, second);
	offset = buffer.length;
	assert_false(lxfw_journal_seek(buffer.bytes, buffer.length, &offset));
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

/* A record of 76 bytes begins with the first byte of the magic. */
static void distinguishes_magic_from_record(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST,
				    .host = { .up = true } };
	char name[80] = "";
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	memset(name, 'X', 67);
	event.host.name = name;
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);
	assert_int_equal(buffer.bytes[0], 'L');
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

static void knows_its_version(void **state)
{
	static const unsigned char other[] = "LXFWjnl\1", none[] = "LXFWjn1\2",
		later[] = "LXFWjnl\5";
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	assert_int_equal(lxfw_journal_get(other, 8, &offset, &record), -1);
	assert_int_equal(errno, EPROTONOSUPPORT);
	assert_int_equal(lxfw_journal_get(later, 8, &offset, &record), -1);
	assert_int_equal(errno, EPROTONOSUPPORT);
	assert_int_equal(lxfw_journal_get(other, 7, &offset, &record), 0);
	assert_int_equal(lxfw_journal_get(none, 8, &offset, &record), -1);
	assert_int_equal(errno, EBADMSG);
	assert_int_equal(lxfw_journal_get(none, 7, &offset, &record), -1);
	assert_int_equal(lxfw_journal_get((const unsigned char *)"\0", 1,
					  &offset, &record), -1);
	assert_int_equal(lxfw_journal_get(
				(const unsigned char *)"\xff\xff\xff\xff\1", 5,
				&offset, &record), -1);
	assert_int_equal(lxfw_journal_get(
				(const unsigned char *)"\x81\x80\x80\x20", 4,
				&offset, &record), -1);
	assert_int_equal(lxfw_journal_get(
				(const unsigned char *)"\x80\x80\x80\x20", 4,
				&offset, &record), 0);
	assert_int_equal(offset, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_sums_like_zlib),
		cmocka_unit_test(zigzags),
		cmocka_unit_test(keeps_its_bytes),
		cmocka_unit_test(events_round_trip),
		cmocka_unit_test(decisions_round_trip),
		cmocka_unit_test(long_records_round_trip),
		cmocka_unit_test(cleans_names),
		cmocka_unit_test(may_be_cut_off_anywhere),
		cmocka_unit_test(sees_every_flipped_bit),
		cmocka_unit_test(notes_have_a_format),
		cmocka_unit_test(notes_are_in_their_lists),
		cmocka_unit_test(names_round_trip),
		cmocka_unit_test(writes_nothing_invalid),
		cmocka_unit_test(starts_segments),
		cmocka_unit_test(distinguishes_magic_from_record),
		cmocka_unit_test(knows_its_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
