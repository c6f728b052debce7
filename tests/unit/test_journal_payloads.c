/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Payloads of records, written byte by byte: those that are invalid, and both formats. */
#include <errno.h>

#include "common/journal/reader.h"
#include "common/journal/wire.h"
#include "tests/unit/journal_bytes.h"

/* Append PAYLOAD as a record with a correct checksum. */
static void put_payload(struct lxfw_buffer *buffer, const void *payload,
			size_t length)
{
	uint32_t crc = lxfw_crc32(payload, length);
	unsigned char *at;

	assert_true(length < 128);
	buffer->bytes = realloc(buffer->bytes, buffer->length + length + 5);
	assert_non_null(buffer->bytes);
	at = buffer->bytes + buffer->length;
	*at++ = (unsigned char)length;
	memcpy(at, payload, length);
	for (int i = 0; i < 4; i++)
		at[length + (size_t)i] = (unsigned char)(crc >> 8 * i);
	buffer->length += length + 5;
	buffer->size = buffer->length;
}

/* The length of any payload takes at most four bytes. If the fourth continues, the
   length is invalid, not truncated. */
static void rejects_invalid_lengths(void **state)
{
	static const unsigned char bytes[] = { 0x80, 0x80, 0x80, 0x80, 0x80 };
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	for (size_t length = 0; length <= sizeof(bytes); length++) {
		errno = 0;
		assert_int_equal(lxfw_journal_get(bytes, length, &offset,
						  &record),
				 length < 4 ? 0 : -1);
		assert_int_equal(errno, length < 4 ? 0 : EBADMSG);
		assert_int_equal(offset, 0);
	}
	lxfw_record_clear(&record);
}

/* Invalid payloads with a correct checksum; parameters as in format 2. */
static void refuses_bad_fields(void **state)
{
#define BAD(text) { text, sizeof(text) - 1 }
	static const struct {
		const char *payload;
		size_t length;
	} cases[] = {
		BAD("\0"), BAD("\1"), BAD("\7"), BAD("X"),	/* kinds */
		BAD("\6\1\2\0"),			/* name: does not exist in
		                			 * format 2 */
		BAD("\2"), BAD("\2\0\0"), BAD("\2\12\0"),	/* event types */
		BAD("\3"), BAD("\3\0\0"),		/* too short, and too long */
		BAD("\3\x80\0"), BAD("\3\x80\x80"),	/* number too long, truncated */
		BAD("\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\2"), /* 65 bits */
		BAD("\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\0"),
		BAD("\2\6\0\0"),			/* end of job 0 */
		BAD("\2\6\0\1\0"),			/* one byte too many */
		/* host: mask of GPUs with a sixth extra; index too large; mask with an
		   unknown bit; sockets that are 0, and too many; an extra that is 0; name
		   with a control character, and longer than the record */
		BAD("\2\1\0\x41\0\1\1\0\0"),
		BAD("\2\1\0\1\xff\xff\xff\xff\x0f\1\1\0\0"),
		BAD("\2\1\0\1\0\1\1\x40\1\0"),
		BAD("\2\1\0\1\0\1\1\x20\0\0"),
		BAD("\2\1\0\1\0\1\1\x20\xff\xff\xff\xff\x1f\0"),
		BAD("\2\1\0\1\0\1\1\1\0\0"),
		BAD("\2\1\0\1\0\1\1\0\1\n"),
		BAD("\2\1\0\1\0\1\1\0\2a"),
		/* host set: more members than bytes; a member out of range */
		BAD("\2\2\0\0\3\0\0"),
		BAD("\2\2\0\0\xff\xff\xff\xff\x07\0\0"),
		BAD("\2\2\0\0\2\xff\xff\xff\xff\x07\0"),
		/* submit: job 0; estimate 0; 0 processors; GPUs by socket; count 0; shape 0
		   and 3; five host sets */
		BAD("\2\3\0\0\0\1\1\0\0\1\0\0\1"),
		BAD("\2\3\0\1\0\0\1\0\0\1\0\0\1"),
		BAD("\2\3\0\1\0\1\0\0\0\1\0\0\1"),
		BAD("\2\3\0\1\0\1\1\0\x20\1\1\0\0\1"),
		BAD("\2\3\0\1\0\1\1\0\0\0\0\0\1"),
		BAD("\2\3\0\1\0\1\1\0\0\1\0\0\0"),
		BAD("\2\3\0\1\0\1\1\0\0\1\0\0\3"),
		BAD("\2\3\0\1\0\1\1\0\0\1\0\0\x29\0\0\0\0\0"),
		/* a shortest run time of 0, or not less than the estimate */
		BAD("\2\3\0\1\0\2\1\0\0\1\0\0\1\0"),
		BAD("\2\3\0\1\0\2\1\0\0\1\0\0\1\2"),
		/* run: more shares than bytes; a host below 0 and one beyond */
		BAD("\2\5\0\1\0\2\0\0\0\0\0\0\0"),
		BAD("\2\5\0\1\0\1\1\0\0\0"),
		BAD("\2\5\0\1\0\1\xfe\xff\xff\xff\x1f\0\0\0"),
		/* parameters: policy 0, 254, and one from a file, which format 2 cannot
		   represent; a weight that is not a number; a negative one;
		   reservations 0 and 1000001 */
#define ZERO "\0\0\0\0\0\0\0\0"
#define ZEROS ZERO ZERO ZERO ZERO ZERO
#define REST "\2\0\0\1\0\0\0"	/* of quantum and EQspatial */
		BAD("\2\11\0\0" ZERO ZEROS "\1\0" REST),
		BAD("\2\11\0\376" ZERO ZEROS "\1\0" REST),
		BAD("\2\11\0\377" ZERO ZEROS "\1\0" REST),
		BAD("\2\11\0\5\0\0\0\0\0\0\xf8\x7f" ZEROS "\1\0" REST),
		BAD("\2\11\0\5\0\0\0\0\0\0\xf0\xbf" ZEROS "\1\0" REST),
		BAD("\2\11\0\5" ZERO ZEROS "\0\0" REST),
		BAD("\2\11\0\5" ZERO ZEROS "\xc1\x84\x3d\0" REST),
		/* an unknown mode, an unknown end; no memory in a quantum */
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" "\3\0\0\1\0\0\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" "\2\2\0\1\0\0\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" "\2\0\0\0\0\0\0"),
		/* bounds on suspensions: empty, truncated, and more than 100 per cent */
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\0\0\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\1\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\1\0\x65"),
		/* a history without a begin; without suspensions; incomplete */
		BAD("\2\5\0\1\0\0\0\0\0"),
		BAD("\2\5\0\1\0\0\2\0\0\0\0"),
		BAD("\2\5\0\1\0\0\2\0\0\1"),
		BAD("\2\5\0\1\0\0\2\0\0\x80\x80\x80\x80\x08\0"),
		/* suspensions alone: none; with a run time, a submission, a duration */
		BAD("\2\5\0\1\0\0\0\0\0\0\0"),
		BAD("\2\5\0\1\0\0\0\1\0\1\0"),
		BAD("\2\5\0\1\0\0\0\0\2\1\0"),
		BAD("\2\5\0\1\0\0\0\0\0\1\1"),
		/* action: type 0 and 8; job 0; a host set beyond the largest number; a host
		   twice; a quantum beyond the largest time */
		BAD("\4\0\1\0\0\0"), BAD("\4\10\1\0\0\0"),
		BAD("\4\1\0\0\0\0\0"), BAD("\4\1\1\0\0\x80\x80\x80\x80\x08\0"),
		BAD("\4\1\1\0\0\0\2\0\0\0\0\1\0\0\0"),
		BAD("\4\1\1\2\x80\x80\x80\x80\x80\x80\x80\x80\x10\0\0"),
		/* a limit of 0 s; of a reservation */
		BAD("\4\1\1\0\0\0\0\0"), BAD("\4\2\1\0\0\0\5"),
	};
	struct lxfw_record record = { .format = 2 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lxfw_buffer buffer = { 0 };
		size_t offset = 0;

		put_payload(&buffer, cases[i].payload, cases[i].length);
		errno = 0;
		if (lxfw_journal_get(buffer.bytes, buffer.length, &offset,
				     &record) != -1)
			fail_msg("case %zu is taken", i);
		assert_int_equal(errno, EBADMSG);
		assert_int_equal(offset, 0);
		free(buffer.bytes);
	}
	lxfw_record_clear(&record);
}

/* The records above are refused because of the tested value and not another error. */
static void accepts_valid_fields(void **state)
{
	static const struct {
		const char *payload;
		size_t length;
	} cases[] = {
		BAD("\3\0"), BAD("\5\0"), BAD("\2\6\0\1"),
		BAD("\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"),
		BAD("\2\1\0\1\xff\xff\xff\xff\x07\1\1\0\0"),
		BAD("\2\1\0\1\0\1\1\x10\1\0"), BAD("\2\1\0\1\0\1\1\0\1a"),
		BAD("\2\2\0\0\2\0\0"), BAD("\2\2\0\0\1\xff\xff\xff\xff\x07"),
		BAD("\2\3\0\1\0\1\1\0\0\1\0\0\1"),
		BAD("\2\3\0\1\0\1\1\0\0\1\0\0\x21\0\0\0\0"),
		BAD("\2\5\0\1\0\2\0\0\0\0\0\0\0\0"),
		BAD("\2\5\0\1\0\1\xfe\xff\xff\xff\x0f\0\0\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\1\0\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\0\1\0"),
		BAD("\2\11\0\5" ZERO ZEROS "\1\0" REST "\0\0\x64"),
		BAD("\2\5\0\1\0\0\2\0\0"),
		BAD("\2\5\0\1\0\0\2\0\0\1\0"),
		BAD("\2\5\0\1\0\0\2\0\0\0\1"),
		BAD("\2\5\0\1\0\0\2\0\0\xff\xff\xff\xff\x07\0"),
		BAD("\2\11\0\5\0\0\0\0\0\0\xf0\x3f" ZEROS
		    "\xc0\x84\x3d\0" REST),
		BAD("\4\1\1\0\0\3\0"), BAD("\4\7\1\0\3\0"),
		BAD("\4\1\1\0\0\0\2\0\0\0\0\0\0\0\0"),
		BAD("\4\1\1\0\x3c\0\0"),
	};
	struct lxfw_record record = { .format = 2 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lxfw_buffer buffer = { 0 };
		size_t offset = 0;

		put_payload(&buffer, cases[i].payload, cases[i].length);
		if (lxfw_journal_get(buffer.bytes, buffer.length, &offset,
				     &record) != 1)
			fail_msg("case %zu is refused", i);
		assert_int_equal(offset, buffer.length);
		free(buffer.bytes);
	}
	lxfw_record_clear(&record);
}

/* Parameters as text: the errno for each, or 0. */
static void reads_parameters(void **state)
{
#define PARAMS(text) "\2\11\0" text
	static const struct {
		const char *payload;
		int error;
	} cases[] = {
		{ PARAMS("\20lxfw_policy=lxfw"), 0 },
		{ PARAMS("\32lxfw_policy=lxfw,lxfw_wx=2"), 0 },
		{ PARAMS("\17lxfw_policy=lxfw"), EBADMSG },	/* one byte more */
		{ PARAMS("\21lxfw_policy=lxfw"), EBADMSG },	/* and one fewer */
		{ PARAMS("\20lxfw_policy=lxf\n"), EBADMSG },
		{ PARAMS("\32lxfw_policy=lxfw,lxfw_wx=x"), EBADMSG },
		{ PARAMS("\20lxfw_policy=mine"), ENOTSUP },
		{ PARAMS("\31lxfw_policy=lxfw,lxfw_a=2"), ENOTSUP },
		{ PARAMS("\123lxfw_policy=module:0123456789abcdef0123456789"
			 "abcdef0123456789abcdef0123456789abcdef"), ENOTSUP },
	};
	struct lxfw_record record = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lxfw_buffer buffer = { 0 };
		size_t offset = 0;
		int result;

		/* the time is a byte of 0 */
		put_payload(&buffer, cases[i].payload,
			    3 + strlen(cases[i].payload + 3));
		errno = 0;
		result = lxfw_journal_get(buffer.bytes, buffer.length, &offset,
					  &record);
		if (result != (cases[i].error ? -1 : 1) ||
		    errno != cases[i].error)
			fail_msg("case %zu: %d, %d", i, result, errno);
		if (errno == ENOTSUP)
			assert_string_equal(record.text, cases[i].payload + 4);
		free(buffer.bytes);
	}
	lxfw_record_clear(&record);
}

/* Segments of both formats follow each other. Each is found after damaged data. */
static void reads_both_formats(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;
	struct lxfw_buffer buffer = { 0 };
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_SJF);
	event.params = &params;
	put_magic(&buffer);
	buffer.bytes[7] = 2;
	put_payload(&buffer, "\2\11\0\5" ZERO ZEROS "\1\0" REST,
		    sizeof("\2\11\0\5" ZERO ZEROS "\1\0" REST) - 1);
	put_magic(&buffer);
	assert_int_equal(lxfw_journal_put_event(&buffer, &event), 0);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
	assert_int_equal(record.format, 2);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_int_equal(record.params.policy, LXFW_POLICY_LXFW);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_MAGIC);
	assert_int_equal(record.format, LXFW_JOURNAL_FORMAT);
	assert_kind(&buffer, &offset, &record, LXFW_RECORD_EVENT);
	assert_true(lxfw_params_same(&record.params, &params));
	offset = 1;
	assert_true(lxfw_journal_seek(buffer.bytes, buffer.length, &offset));
	assert_int_equal(buffer.bytes[offset + 7], LXFW_JOURNAL_FORMAT);
	offset = 0;
	assert_true(lxfw_journal_seek(buffer.bytes, buffer.length, &offset));
	assert_int_equal(offset, 0);
	lxfw_record_clear(&record);
	free(buffer.bytes);
}

/* Every field after an invalid one reads as 0. */
static void nothing_after_the_end(void **state)
{
	static const unsigned char bytes[] = { 0x05, 0x85 };	/* 5, and one that is cut */
	struct lxfw_reader reader = { .at = bytes, .end = bytes + sizeof(bytes) };

	(void)state;
	assert_int_equal(lxfw_get_unsigned(&reader), 5);
	assert_false(reader.bad);
	(void)lxfw_get_unsigned(&reader);
	assert_true(reader.bad);
	reader.at = bytes;
	assert_int_equal(lxfw_get_byte(&reader), 0);
	assert_int_equal(lxfw_get_unsigned(&reader), 0);
	assert_int_equal(lxfw_get_signed(&reader), 0);
	assert_int_equal(lxfw_get_count(&reader, 9), 0);
	assert_int_equal(lxfw_get_length(&reader, 1), 0);
	assert_true(lxfw_get_double(&reader) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_after_the_end),
		cmocka_unit_test(rejects_invalid_lengths),
		cmocka_unit_test(refuses_bad_fields),
		cmocka_unit_test(accepts_valid_fields),
		cmocka_unit_test(reads_parameters),
		cmocka_unit_test(reads_both_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
