/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/snapshot_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/snapshot.h"
#include "common/util/grow.h"
#include "sim-frontend/trace/sockets_text.h"
#include "sim-frontend/util/text.h"

#define HOST_MOST ((1 << 20) - 1)
#define COUNT_MOST (1 << 24)

static int bad(char *why, size_t size, const char *expected)
{
	snprintf(why, size, "%s", expected);
	errno = EINVAL;
	return -1;
}

/* Takes a decimal number up to a character of ENDS or the end off *TEXT. */
static bool take_number(const char **text, const char *ends, int64_t least, int64_t most,
			int64_t *number)
{
	size_t length = strcspn(*text, ends);

	if (lxfw_text_integer(*text, length, least, most, number))
		return false;
	*text += length;
	return true;
}

static int parse_number(const struct lxfw_snapshot_field *field, const char *text,
			int64_t least, int64_t most, int64_t *number, char *why, size_t size)
{
	if (lxfw_text_integer(text, strlen(text), least, most, number) == 0)
		return 0;
	snprintf(why, size, "%s as an integer from %" PRId64 " to %" PRId64, field->key,
		 least, most);
	errno = EINVAL;
	return -1;
}

static int parse_long(const struct lxfw_snapshot_field *field, const char *text,
		      int64_t *number, char *why, size_t size)
{
	/* Only the ends of jobs, and times that need not exist, are without bound. */
	bool endless = field->absent == LXFW_NEVER || field->absent == INT64_MIN ||
		       (field->least < 0 && field->most == LXFW_TIME_MAX);

	if (endless && strcmp(text, "never") == 0)
		*number = LXFW_NEVER;
	else if (endless && strcmp(text, "none") == 0)
		*number = INT64_MIN;
	else
		return parse_number(field, text, field->least, field->most, number, why,
				    size);
	return 0;
}

static int parse_id(const struct lxfw_snapshot_field *field, const char *text, uint64_t *id,
		    char *why, size_t size)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number == 0) {
		snprintf(why, size, "%s as a positive integer", field->key);
		errno = EINVAL;
		return -1;
	}
	*id = number;
	return 0;
}

/* Takes PROCS:MEMORY[:EXTRA]... off *TEXT, up to ',', '/' or the end. */
static bool take_amount(const char **text, struct lxfw_resources *amount)
{
	int64_t number;

	*amount = (struct lxfw_resources) { 0 };
	if (!take_number(text, ":,/", 0, COUNT_MOST, &number) || **text != ':')
		return false;
	amount->procs = (int32_t)number;
	++*text;
	if (!take_number(text, ":,/", 0, LXFW_MEMORY_UNLIMITED, &amount->memory_mb))
		return false;
	for (int i = 0; i < LXFW_EXTRAS_MAX && **text == ':'; i++) {
		++*text;
		if (!take_number(text, ":,/", 0, COUNT_MOST, &number))
			return false;
		amount->extras[i] = (int32_t)number;
	}
	return **text == ',' || **text == '/' || **text == '\0';
}

/* Takes /N+N off *TEXT, the GPUs by socket, if it follows. */
static bool take_sockets(const char **text, uint32_t *sockets)
{
	size_t length;

	*sockets = 0;
	if (**text != '/')
		return true;
	++*text;
	length = strcspn(*text, ",");
	if (lxfw_sockets_read(*text, length, sockets))
		return false;
	*text += length;
	return true;
}

/* Takes "3" or "3-7" off *TEXT, up to a character of ENDS, more than *LAST. */
static bool take_range(const char **text, const char *ends, int64_t *first, int64_t *last)
{
	size_t length = strcspn(*text, ends);
	const char *dash = memchr(*text, '-', length);
	int64_t least = *last + 1;

	if (!take_number(text, dash && dash > *text ? "-" : ends, least, HOST_MOST, first))
		return false;
	*last = *first;
	if (**text != '-')
		return true;
	++*text;
	return take_number(text, ends, *first, HOST_MOST, last);
}

static int parse_shares(const char *text, struct lxfw_share **shares, int32_t *count,
			char *why, size_t size)
{
	int64_t first, last = -1;
	size_t room = 0;

	for (;; text++) {
		struct lxfw_resources amount;
		uint32_t sockets;

		if (!take_range(&text, "@,", &first, &last) || *text != '@')
			break;
		text++;
		if (!take_amount(&text, &amount) || !take_sockets(&text, &sockets))
			break;
		if (LXFW_GROW(*shares, room, (size_t)(*count + last - first + 1)))
			return -1;
		for (int64_t host = first; host <= last; host++)
			(*shares)[(*count)++] = (struct lxfw_share) {
				.host = (int32_t)host, .sockets = sockets, .amount = amount,
			};
		if (*text == '\0')
			return 0;
	}
	return bad(why, size, "shares as HOST[-HOST]@PROCS:MEMORY[:EXTRA]...[/GPUS+GPUS...],..., "
		   "ascending");
}

static int parse_hosts(const char *text, int32_t **hosts, int32_t *count, char *why,
		       size_t size)
{
	int64_t first, last = -1;
	size_t room = 0;

	for (;; text++) {
		if (!take_range(&text, ",", &first, &last))
			break;
		if (LXFW_GROW(*hosts, room, (size_t)(*count + last - first + 1)))
			return -1;
		for (int64_t host = first; host <= last; host++)
			(*hosts)[(*count)++] = (int32_t)host;
		if (*text == '\0')
			return 0;
	}
	return bad(why, size, "hosts as HOST[-HOST],..., ascending");
}

static int parse_sets(const char *text, int32_t *sets, uint8_t *count, char *why,
		      size_t size)
{
	int64_t number;

	for (;; text++) {
		if (*count == LXFW_HOST_SETS_MAX ||
		    !take_number(&text, ",", 0, HOST_MOST, &number))
			break;
		sets[(*count)++] = (int32_t)number;
		if (*text == '\0')
			return 0;
	}
	return bad(why, size, "1 to 4 host sets as NUMBER,NUMBER");
}

static int parse_pools(const char *text, struct lxfw_pool_need *pools, uint8_t *count,
		       char *why, size_t size)
{
	int64_t pool, amount;

	for (;; text++) {
		if (*count == LXFW_POOLS_MAX ||
		    !take_number(&text, ":", 0, HOST_MOST, &pool) || *text++ != ':' ||
		    !take_number(&text, ",", 1, INT32_MAX, &amount))
			break;
		pools[(*count)++] = (struct lxfw_pool_need){ (int32_t)pool, (int32_t)amount };
		if (*text == '\0')
			return 0;
	}
	return bad(why, size, "1 to 4 pools as POOL:AMOUNT,..., ascending");
}

static int parse_state(const char *text, enum lxfw_snapshot_state *state, char *why,
		       size_t size)
{
	for (int i = 0; lxfw_snapshot_states[i]; i++) {
		if (strcmp(lxfw_snapshot_states[i], text) == 0) {
			*state = (enum lxfw_snapshot_state)i;
			return 0;
		}
	}
	return bad(why, size, "waiting, refused, interrupted, running or suspended");
}

static int parse_integer(const struct lxfw_snapshot_field *field, const char *text,
			 void *member, char *why, size_t size)
{
	int64_t number;

	if (parse_number(field, text, field->least, field->most, &number, why, size))
		return -1;
	if (field->kind == LXFW_SNAPSHOT_FLAG)
		*(bool *)member = number != 0;
	else if (field->kind == LXFW_SNAPSHOT_BYTE)
		*(uint8_t *)member = (uint8_t)number;
	else
		*(int32_t *)member = (int32_t)number;
	return 0;
}

int lxfw_snapshot_value(const struct lxfw_snapshot_field *field, const char *text,
			void *object, char *why, size_t size)
{
	void *member = (char *)object + field->offset;
	void *count = (char *)object + field->count;
	const char *at = text;

	switch (field->kind) {
	case LXFW_SNAPSHOT_LONG:
		return parse_long(field, text, member, why, size);
	case LXFW_SNAPSHOT_ID:
		return parse_id(field, text, member, why, size);
	case LXFW_SNAPSHOT_AMOUNT:
		return take_amount(&at, member) && *at == '\0' ? 0 :
		       bad(why, size, "PROCS:MEMORY[:EXTRA]...");
	case LXFW_SNAPSHOT_SOCKETS:
		return lxfw_sockets_read(text, strlen(text), member) == 0 ? 0 :
		       bad(why, size, "GPUs of each socket as 4+4");
	case LXFW_SNAPSHOT_SHARES:
		return parse_shares(text, member, count, why, size);
	case LXFW_SNAPSHOT_HOSTS:
		return parse_hosts(text, member, count, why, size);
	case LXFW_SNAPSHOT_SETS:
		return parse_sets(text, member, count, why, size);
	case LXFW_SNAPSHOT_POOLS:
		return parse_pools(text, member, count, why, size);
	case LXFW_SNAPSHOT_STATE:
		return parse_state(text, member, why, size);
	default:
		return parse_integer(field, text, member, why, size);
	}
}
