/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 of bytes in memory, by nettle. It needs no memory and cannot fail. */
#ifndef LXFW_UTIL_DIGEST_H
#define LXFW_UTIL_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define LXFW_SHA256_SIZE 32

void lxfw_sha256(const void *bytes, size_t length, uint8_t digest[LXFW_SHA256_SIZE]);

/* The code of a message for those who have the key (RFC 2104). */
void lxfw_hmac_sha256(const void *key, size_t key_length, const void *bytes, size_t length,
		      uint8_t digest[LXFW_SHA256_SIZE]);

#endif
