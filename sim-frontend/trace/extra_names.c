/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/extra_names.h"

#include <stdlib.h>
#include <string.h>

void lxfw_extra_names_clear(struct lxfw_extra_names *names)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		free(names->name[i]);
	*names = (struct lxfw_extra_names){ 0 };
}

int lxfw_extra_names_take(struct lxfw_extra_names *names, const struct lxfw_event *event)
{
	char **name;

	if (event->type == LXFW_EVENT_HOST)
		names->gpus |= event->host.gpus;
	if (event->type != LXFW_EVENT_EXTRA || !event->extra.name || !*event->extra.name)
		return 0;
	name = &names->name[event->extra.index];
	free(*name);
	*name = strdup(event->extra.name);
	return *name ? 0 : -1;
}
