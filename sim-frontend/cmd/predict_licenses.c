/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/predict_licenses.h"

#include <string.h>

#include "sim-frontend/util/text.h"

#define KIND "license "

static const struct lxfw_pool_name *find(const struct lxfw_pool_names *pools, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < pools->count; i++) {
		const char *text = pools->pool[i].text;

		if (strncmp(text, KIND, strlen(KIND)) == 0 &&
		    strncmp(text + strlen(KIND), name, length) == 0 &&
		    !text[strlen(KIND) + length])
			return &pools->pool[i];
	}
	return NULL;
}

/* Pools are in the order of their numbers. Returns false if it has the pool, or too many. */
static bool add(struct lxfw_request *request, int32_t pool, int64_t amount)
{
	int at = request->pool_count;

	if (at == LXFW_POOLS_MAX)
		return false;
	while (at > 0 && request->pools[at - 1].pool >= pool) {
		if (request->pools[at - 1].pool == pool)
			return false;
		request->pools[at] = request->pools[at - 1];
		at--;
	}
	request->pools[at] = (struct lxfw_pool_need) { .pool = pool, .amount = (int32_t)amount };
	request->pool_count++;
	request->no_quantum = true;
	return true;
}

int lxfw_predict_licenses(const char *list, const struct lxfw_pool_names *pools,
			  struct lxfw_request *request, struct lxfw_error *error)
{
	for (const char *at = list; *at;) {
		size_t length = strcspn(at, ","), name = strcspn(at, ",:=");
		const struct lxfw_pool_name *pool = find(pools, at, name);
		int64_t amount = 1;

		if (!pool)
			return lxfw_error_format(error, "request: no license '%.*s'",
						 name < 40 ? (int)name : 40, at);
		if (name < length && lxfw_text_integer(at + name + 1, length - name - 1, 1, INT32_MAX,
						       &amount))
			return lxfw_error_format(error, "request: '-L %.40s', expected NAME:N", at);
		if (amount > pool->total)
			return lxfw_error_format(error, "request: %lld of %s, of which there are %d",
						 (long long)amount, pool->text, (int)pool->total);
		if (!add(request, pool->host, amount))
			return lxfw_error_format(error, "request: '-L %.40s', expected each license "
						 "once, and at most %d", list, LXFW_POOLS_MAX);
		at += length + (at[length] == ',');
	}
	return 0;
}
