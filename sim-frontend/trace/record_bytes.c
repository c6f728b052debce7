/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/record_bytes.h"

/* Seven bits a byte, the lowest first. The sign is the lowest bit, so that -1 is small. */
unsigned char *lxfw_bytes_put_integer(unsigned char *to, int64_t value)
{
	uint64_t rest = value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;

	for (; rest >= 0x80; rest >>= 7)
		*to++ = (unsigned char)(rest | 0x80);
	*to++ = (unsigned char)rest;
	return to;
}

const unsigned char *lxfw_bytes_take_integer(const unsigned char *from, int64_t *value)
{
	uint64_t rest = 0;
	int shift = 0;

	for (; *from & 0x80; shift += 7)
		rest |= (uint64_t)(*from++ & 0x7f) << shift;
	rest |= (uint64_t)*from++ << shift;
	*value = (int64_t)(rest & 1 ? ~(rest >> 1) : rest >> 1);
	return from;
}

unsigned char *lxfw_bytes_put_record(unsigned char *to, const struct lxfw_swf_record *record)
{
	const int64_t values[] = {
		record->number, record->submit, record->wait, record->run, record->used_procs,
		(int64_t)record->cpu_time, record->used_memory, record->requested_procs,
		record->requested_time, record->requested_memory, record->status, record->user,
		record->group, record->executable, record->queue, record->partition,
		record->preceding_job, record->think_time,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		to = lxfw_bytes_put_integer(to, values[i]);
	return to;
}

const unsigned char *lxfw_bytes_take_record(const unsigned char *from,
					    struct lxfw_swf_record *record)
{
	int64_t cpu_time;
	int64_t *const values[] = {
		&record->number, &record->submit, &record->wait, &record->run,
		&record->used_procs, &cpu_time, &record->used_memory,
		&record->requested_procs, &record->requested_time, &record->requested_memory,
		&record->status, &record->user, &record->group, &record->executable,
		&record->queue, &record->partition, &record->preceding_job,
		&record->think_time,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		from = lxfw_bytes_take_integer(from, values[i]);
	record->cpu_time = (double)cpu_time;
	return from;
}

uint64_t lxfw_bytes_key(int64_t value)
{
	return (uint64_t)value ^ UINT64_C(1) << 63;
}

int64_t lxfw_bytes_of_key(uint64_t key)
{
	return (int64_t)(key ^ UINT64_C(1) << 63);
}

unsigned char *lxfw_bytes_put_ordered(unsigned char *to, int64_t value)
{
	uint64_t key = lxfw_bytes_key(value);

	for (int shift = 56; shift >= 0; shift -= 8)
		*to++ = (unsigned char)(key >> shift);
	return to;
}
