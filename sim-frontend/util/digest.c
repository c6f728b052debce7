/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/digest.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <string.h>

/* Since nettle 4, a digest has one length. */
#if NETTLE_VERSION_MAJOR >= 4
#define DIGEST(name, context, to) name##_digest(context, to)
#else
#define DIGEST(name, context, to) name##_digest(context, LXFW_SHA256_SIZE, to)
#endif

void lxfw_sha256(const void *bytes, size_t length, uint8_t digest[LXFW_SHA256_SIZE])
{
	struct sha256_ctx context;

	sha256_init(&context);
	sha256_update(&context, length, bytes);
	DIGEST(sha256, &context, digest);
}

void lxfw_hmac_sha256(const void *key, size_t key_length, const void *bytes, size_t length,
		      uint8_t digest[LXFW_SHA256_SIZE])
{
	struct hmac_sha256_ctx context;

	hmac_sha256_set_key(&context, key_length, key);
	hmac_sha256_update(&context, length, bytes);
	DIGEST(hmac_sha256, &context, digest);
	explicit_bzero(&context, sizeof(context));
}
