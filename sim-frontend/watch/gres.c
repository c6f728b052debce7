/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of GRES of the nodes, for jobs that might be submitted. */
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/watch/world.h"

/* The extra with a name, or -1. */
static int extra_of(const struct lxfw_cluster *cluster, const char *name)
{
	for (int i = 0; i < cluster->extra_count; i++) {
		if (strcasecmp(cluster->extras[i], name) == 0)
			return i;
	}
	return -1;
}

int lxfw_watch_gres(const struct lxfw_watch *watch, struct lxfw_watch_gres **gres, size_t *count)
{
	const struct lxfw_gres_table *table = &watch->cluster.gres;
	size_t size = 0;

	*gres = NULL;
	*count = 0;
	if (LXFW_GROW(*gres, size, (size_t)table->count + 1))
		return -1;
	for (int32_t i = 0; i < table->count; i++) {
		struct lxfw_watch_gres *to = &(*gres)[*count];

		if (strlen(table->names[i]) >= sizeof(to->name))
			continue;
		strcpy(to->name, table->names[i]);
		to->extra = extra_of(&watch->cluster, to->name);
		++*count;
	}
	return 0;
}
