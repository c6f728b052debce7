/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/reader.h"

#include <string.h>

#include "common/journal/wire.h"
#include "common/util/grow.h"

size_t lxfw_rest(const struct lxfw_reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

unsigned char lxfw_get_byte(struct lxfw_reader *reader)
{
	if (reader->bad || reader->at == reader->end) {
		reader->bad = true;
		return 0;
	}
	return *reader->at++;
}

uint64_t lxfw_get_unsigned(struct lxfw_reader *reader)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 64; shift += 7) {
		unsigned char byte = lxfw_get_byte(reader);

		if (reader->bad)
			return 0;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		/* Longer than necessary, or more than 64 bits? */
		if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1))
			break;
		return value;
	}
	reader->bad = true;
	return 0;
}

int64_t lxfw_get_signed(struct lxfw_reader *reader)
{
	return lxfw_unzigzag(lxfw_get_unsigned(reader));
}

int64_t lxfw_get_count(struct lxfw_reader *reader, int64_t most)
{
	uint64_t value = lxfw_get_unsigned(reader);

	if (value > (uint64_t)most) {
		reader->bad = true;
		return 0;
	}
	return (int64_t)value;
}

int32_t lxfw_get_int32(struct lxfw_reader *reader)
{
	return (int32_t)lxfw_get_count(reader, INT32_MAX);
}

int32_t lxfw_get_length(struct lxfw_reader *reader, size_t least)
{
	int32_t count = lxfw_get_int32(reader);

	if ((size_t)count > lxfw_rest(reader) / least) {
		reader->bad = true;
		return 0;
	}
	return count;
}

double lxfw_get_double(struct lxfw_reader *reader)
{
	uint64_t bits = 0;
	double number;

	for (int i = 0; i < 8; i++)
		bits |= (uint64_t)lxfw_get_byte(reader) << 8 * i;
	memcpy(&number, &bits, sizeof(number));
	return reader->bad ? 0 : number;
}

/* Read an amount. If SOCKETS is not NULL, its GPUs by socket may follow. */
static void get_amount(struct lxfw_reader *reader, struct lxfw_resources *amount,
		       uint32_t *sockets)
{
	unsigned mask;

	memset(amount, 0, sizeof(*amount));
	amount->procs = lxfw_get_int32(reader);
	amount->memory_mb = lxfw_get_count(reader, INT64_MAX);
	mask = lxfw_get_byte(reader);
	if (mask & ~(LXFW_JOURNAL_FLAG_SOCKETS - 1u) &&
	    (!sockets || mask >= 2 * LXFW_JOURNAL_FLAG_SOCKETS))
		reader->bad = true;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		if (!(mask >> i & 1))
			continue;
		amount->extras[i] = lxfw_get_int32(reader);
		if (amount->extras[i] == 0)
			reader->bad = true;
	}
	if (!sockets)
		return;
	*sockets = 0;
	if (!(mask & LXFW_JOURNAL_FLAG_SOCKETS))
		return;
	*sockets = (uint32_t)lxfw_get_count(reader, UINT32_MAX);
	if (*sockets == 0)
		reader->bad = true;
}

void lxfw_get_resources(struct lxfw_reader *reader, struct lxfw_resources *amount)
{
	get_amount(reader, amount, NULL);
}

void lxfw_get_host_total(struct lxfw_reader *reader, struct lxfw_resources *total,
			 uint32_t *sockets)
{
	get_amount(reader, total, sockets);
}

int32_t lxfw_get_shares(struct lxfw_reader *reader, struct lxfw_record *record)
{
	int32_t count = lxfw_get_length(reader, LXFW_JOURNAL_SHARE_LEAST);
	int64_t expected = 0;

	if (LXFW_GROW(record->shares, record->shares_size, (size_t)count)) {
		reader->no_memory = true;
		return 0;
	}
	for (int32_t i = 0; i < count; i++) {
		int64_t offset = lxfw_get_signed(reader);

		if (offset < -expected || offset > INT32_MAX - expected) {
			reader->bad = true;
			return 0;
		}
		record->shares[i].host = (int32_t)(expected + offset);
		get_amount(reader, &record->shares[i].amount, &record->shares[i].sockets);
		expected += offset + 1;
	}
	return count;
}

void lxfw_get_name(struct lxfw_reader *reader, char *name, int64_t most)
{
	int64_t length = lxfw_get_count(reader, most);

	for (int64_t i = 0; i < length; i++) {
		unsigned char byte = lxfw_get_byte(reader);

		if (!lxfw_journal_name_byte(byte))
			reader->bad = true;
		name[i] = (char)byte;
	}
	name[length] = '\0';
}
