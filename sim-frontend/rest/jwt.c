/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/rest/jwt.h"

#include <errno.h>
#include <json-c/json.h>
#include <nettle/base64.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/util/digest.h"

#define HEADER "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"
#define PART (LXFW_JWT_MAX / 4)

/* Appends base64url without padding to TEXT, which has the room. */
static void encode(char *text, size_t length, const void *bytes)
{
	char *end = text + strlen(text);

	base64_encode_raw(end, length, bytes);
	end[BASE64_ENCODE_RAW_LENGTH(length)] = '\0';
	for (; *end && *end != '='; end++) {
		if (*end == '+')
			*end = '-';
		else if (*end == '/')
			*end = '_';
	}
	*end = '\0';
}

/* Returns the text of an object with the members of a token. It is freed with *OBJECT. NULL if memory
   runs out. */
static const char *payload_of(struct json_object **object, const char *user, int64_t now,
			      int64_t until)
{
	const struct {
		const char *name;
		struct json_object *value;
	} members[] = {
		{ "iat", json_object_new_int64(now) },
		{ "exp", json_object_new_int64(until) },
		{ "sun", json_object_new_string(user) },
	};
	bool failed = false;

	*object = json_object_new_object();
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (*object && members[i].value &&
		    json_object_object_add(*object, members[i].name, members[i].value) == 0)
			continue;
		json_object_put(members[i].value);
		failed = true;
	}
	return failed ? NULL : json_object_to_json_string_ext(*object, JSON_C_TO_STRING_PLAIN);
}

char *lxfw_jwt_make(const unsigned char *key, size_t length, const char *user, int64_t now,
		    int64_t until)
{
	struct json_object *object;
	const char *payload = payload_of(&object, user, now, until);
	char *text = payload && strlen(payload) < PART ? calloc(1, LXFW_JWT_MAX) : NULL;
	uint8_t digest[LXFW_SHA256_SIZE];

	if (text) {
		encode(text, strlen(HEADER), HEADER);
		strcat(text, ".");
		encode(text, strlen(payload), payload);
		lxfw_hmac_sha256(key, length, text, strlen(text), digest);
		strcat(text, ".");
		encode(text, sizeof(digest), digest);
	} else {
		errno = ENOMEM;
	}
	json_object_put(object);
	return text;
}

/* Returns the object that LENGTH bytes of base64url are, or NULL. */
static struct json_object *object_of(const char *text, size_t length)
{
	struct base64_decode_ctx context;
	uint8_t bytes[LXFW_JWT_MAX];
	struct json_object *object = NULL;
	size_t size = sizeof(bytes) - 1;

	if (length == 0 || BASE64_DECODE_LENGTH(length) > size)
		return NULL;
	base64url_decode_init(&context);
	if (base64_decode_update(&context, &size, bytes, length, text)) {
		bytes[size] = '\0';
		object = json_tokener_parse((const char *)bytes);
	}
	explicit_bzero(bytes, sizeof(bytes));
	if (object && !json_object_is_type(object, json_type_object)) {
		json_object_put(object);
		object = NULL;
	}
	return object;
}

/* Copies the string member NAME, unless it is too long. */
static void copy(struct json_object *object, const char *name, char *to, size_t size)
{
	struct json_object *value;
	const char *text;

	if (!json_object_object_get_ex(object, name, &value) ||
	    !json_object_is_type(value, json_type_string))
		return;
	text = json_object_get_string(value);
	if (text && strlen(text) < size)
		strcpy(to, text);
}

int lxfw_jwt_read(struct lxfw_jwt *jwt, const char *text)
{
	size_t first = strcspn(text, "."), second = text[first] ? strcspn(text + first + 1, ".") : 0;
	struct json_object *header = object_of(text, first), *payload = NULL, *until;

	*jwt = (struct lxfw_jwt) { .until = -1 };
	if (header && second > 0)
		payload = object_of(text + first + 1, second);
	if (payload) {
		copy(header, "alg", jwt->algorithm, sizeof(jwt->algorithm));
		copy(payload, "username", jwt->user, sizeof(jwt->user));
		copy(payload, "sun", jwt->user, sizeof(jwt->user));
		if (json_object_object_get_ex(payload, "exp", &until) &&
		    json_object_is_type(until, json_type_int))
			jwt->until = json_object_get_int64(until);
	}
	json_object_put(header);
	json_object_put(payload);
	return payload ? 0 : -1;
}
