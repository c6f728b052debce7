/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/pool_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* How the names of hosts begin that are pools, and what the pools are called. */
static const struct {
	const char *prefix, *kind;
	bool alone;		/* without the name */
} kinds[] = {
	{ "license:", "license ", false },
	{ "pool:", "resource ", false },
	{ "tasks:", "the tasks of its array that may run at once", true },
};

void lxfw_pool_names_clear(struct lxfw_pool_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->pool[i].text);
	free(names->pool);
	*names = (struct lxfw_pool_names){ 0 };
}

const struct lxfw_pool_name *lxfw_pool_names_find(const struct lxfw_pool_names *names,
						  int32_t host)
{
	for (size_t i = 0; i < names->count; i++) {
		if (names->pool[i].host == host)
			return &names->pool[i];
	}
	return NULL;
}

/* Returns KIND and NAME as one text, or NULL with errno ENOMEM. */
static char *text_of(const char *kind, const char *name)
{
	size_t size = strlen(kind) + strlen(name) + 1;
	char *text = malloc(size);

	if (!text) {
		errno = ENOMEM;
		return NULL;
	}
	memcpy(text, kind, strlen(kind));
	memcpy(text + strlen(kind), name, strlen(name) + 1);
	return text;
}

static int add(struct lxfw_pool_names *names, const struct lxfw_event *event, char *text)
{
	const struct lxfw_pool_name *known =
		lxfw_pool_names_find(names, event->host.index);
	struct lxfw_pool_name *pool;

	if (!text)
		return -1;
	if (known) {
		pool = &names->pool[known - names->pool];
		free(pool->text);
	} else if (LXFW_GROW(names->pool, names->size, names->count + 1)) {
		free(text);
		return -1;
	} else {
		pool = &names->pool[names->count++];
	}
	*pool = (struct lxfw_pool_name){
		.host = event->host.index, .total = event->host.total.extras[0], .text = text,
	};
	return 0;
}

int lxfw_pool_names_take(struct lxfw_pool_names *names, const struct lxfw_event *event)
{
	const char *name = event->type == LXFW_EVENT_HOST ? event->host.name : NULL;

	for (size_t i = 0; name && i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].prefix);

		if (event->host.total.procs == 0 &&
		    strncmp(name, kinds[i].prefix, length) == 0)
			return add(names, event, text_of(kinds[i].kind,
								  kinds[i].alone ? "" : name + length));
	}
	return 0;
}
