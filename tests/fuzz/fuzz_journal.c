/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decoder of journals, with the input as it is and with corrected checksums. An
 * accepted record can be printed and is encoded to the same bytes again. Parameters may
 * have different text with the same meaning.
 */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <string.h>

#include "common/journal/journal.h"
#include "sim-frontend/report/journal_text.h"
#include "tests/fuzz/repair.h"

const char fuzz_name[] = "journal";

static void check_bytes(const struct lxfw_buffer *buffer, size_t skip,
			const unsigned char *bytes, size_t length)
{
	FUZZ_CHECK(buffer->length >= skip + length);
	FUZZ_CHECK(memcmp(buffer->bytes + skip, bytes, length) == 0);
}

/* Parameters may be encoded differently, but must have the same meaning. */
static void check_params(const struct lxfw_buffer *buffer,
			 const struct lxfw_params *params)
{
	struct lxfw_record record = { 0 };
	size_t offset = 0;

	FUZZ_CHECK(lxfw_journal_get(buffer->bytes, buffer->length, &offset,
				    &record) == 1);
	FUZZ_CHECK(lxfw_params_same(&record.params, params));
	lxfw_record_clear(&record);
}

static void write_again(const struct lxfw_record *record,
			const unsigned char *bytes, size_t length)
{
	/* The record of the call at time 0: 1 + 2 + 4 bytes before the action. */
	struct lxfw_decision decision = { 0 };
	struct lxfw_buffer again = { 0 };

	switch (record->kind) {
	case LXFW_RECORD_MAGIC:
		FUZZ_CHECK(length == LXFW_JOURNAL_MAGIC_SIZE);
		break;
	case LXFW_RECORD_EVENT:
		FUZZ_CHECK(lxfw_journal_put_event(&again, &record->event) == 0);
		if (record->event.type == LXFW_EVENT_PARAMS) {
			check_params(&again, &record->params);
			break;
		}
		FUZZ_CHECK(again.length == length);
		check_bytes(&again, 0, bytes, length);
		break;
	case LXFW_RECORD_DECIDE:
		FUZZ_CHECK(lxfw_journal_put_decision(&again, record->now,
						     &decision) == 0);
		check_bytes(&again, 0, bytes, length);
		break;
	case LXFW_RECORD_ACTION:
		decision.actions = &record->action;
		decision.count = 1;
		FUZZ_CHECK(lxfw_journal_put_decision(&again, 0, &decision) == 0);
		check_bytes(&again, 7, bytes, length);
		break;
	case LXFW_RECORD_NAME:
		FUZZ_CHECK(lxfw_journal_put_name(&again, &record->job_name) == 0);
		FUZZ_CHECK(again.length == length);
		check_bytes(&again, 0, bytes, length);
		break;
	case LXFW_RECORD_DECIDED:
		decision.wake = record->wake;
		FUZZ_CHECK(lxfw_journal_put_decision(&again, 0, &decision) == 0);
		check_bytes(&again, 7, bytes, length);
		break;
	}
	free(again.bytes);
}

static FILE *nowhere(void)
{
	static FILE *file;

	if (!file)
		file = fopen("/dev/null", "w");
	FUZZ_CHECK(file);
	return file;
}

static void print(struct lxfw_journal_text *text,
		  const struct lxfw_record *record)
{
	FUZZ_CHECK(lxfw_journal_text_record(text, record) == 0 ||
		   errno == EBADMSG);
}

static void decode(const unsigned char *bytes, size_t length)
{
	struct lxfw_journal_text text = {
		.out = nowhere(), .dates = true,
		.format = (enum lxfw_format)(LXFW_FORMAT_TABLE + length % 3),
	};
	struct lxfw_record record = { 0 };
	size_t offset = 0, before = 0;
	int result;

	while ((result = lxfw_journal_get(bytes, length, &offset, &record)) != 0) {
		if (result < 0) {
			FUZZ_CHECK(errno == EBADMSG ||
				   errno == EPROTONOSUPPORT ||
				   (errno == ENOTSUP && record.text));
			FUZZ_CHECK(offset == before);
			offset++;
			if (!lxfw_journal_seek(bytes, length, &offset))
				break;
		} else {
			FUZZ_CHECK(offset > before && offset <= length);
			write_again(&record, bytes + before, offset - before);
			print(&text, &record);
		}
		before = offset;
	}
	lxfw_record_clear(&record);
	lxfw_journal_text_end(&text);
	lxfw_journal_text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lxfw_buffer repaired = { 0 };

	decode(data, size);
	if (fuzz_repair(&repaired, data, size) == 0)
		decode(repaired.bytes, repaired.length);
	free(repaired.bytes);
	return 0;
}
