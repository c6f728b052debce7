/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashes of texts, numbers and bytes: FNV-1a with 64 bits. Users choose some of the texts, and can
 * find two with the same hash: a table compares the texts, too.
 */
#ifndef LXFW_PBS_HASH_H
#define LXFW_PBS_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The hash of nothing, to which others are added. */
#define LXFW_PBS_HASH UINT64_C(0xcbf29ce484222325)

static inline uint64_t lxfw_pbs_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* Adds the text with its end, so that "a" and "b" are not "ab" and "". NULL is not "". */
static inline uint64_t lxfw_pbs_hash_text(uint64_t hash, const char *text)
{
	return text ? lxfw_pbs_hash_bytes(hash, text, strlen(text) + 1) :
		      lxfw_pbs_hash_bytes(hash, "\1", 2);
}

static inline uint64_t lxfw_pbs_hash_number(uint64_t hash, int64_t number)
{
	return lxfw_pbs_hash_bytes(hash, &number, sizeof(number));
}

#endif
