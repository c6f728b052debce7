/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/given.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/util/text.h"

static bool is_priority(const struct lxfw_parameter_item *item)
{
	return item->name > strlen("Priority") && strncmp(item->at, "Priority", 8) == 0;
}

/* Checks an item without a key of lxfw. */
static int check_item(const struct lxfw_parameter_item *item, enum lxfw_items items,
		      struct lxfw_error *error)
{
	const struct lxfw_parameter *row = lxfw_parameter_find(item->at, item->name);
	const char *elsewhere = lxfw_parameter_elsewhere(item->at, item->name);
	char name[60], copy[64];

	lxfw_text_quote(name, sizeof(name), item->at, item->name);
	if (items == LXFW_ITEMS_OF_SITE && (row || is_priority(item)))
		return 0;
	if (row)
		return lxfw_error_format(error, "%s: a key of Slurm, expected %s", name,
					 row->key ? row->key : "keys of lxfw");
	if (elsewhere || is_priority(item))
		return lxfw_error_format(error, "%s: a key of slurm.conf, expected it in the file "
					 "of --cluster", name);
	snprintf(copy, sizeof(copy), "%.*s=", (int)item->name, item->at);
	return lxfw_params_check_keys(copy, error);
}

int lxfw_given_check(const char *text, enum lxfw_items items, struct lxfw_error *error)
{
	struct lxfw_parameter_item item;

	while (text && lxfw_parameters_next(&text, &item)) {
		if (item.name >= 4 && strncasecmp(item.at, "lxfw", 4) == 0)
			continue;	/* lxfw_params_parse() checks it */
		if (check_item(&item, items, error))
			return -1;
	}
	return 0;
}

int lxfw_given_parse(struct lxfw_params *params, const char *text, struct lxfw_error *error)
{
	if (lxfw_given_check(text, LXFW_ITEMS_OURS, error))
		return -1;
	return lxfw_params_parse(params, text, NULL, NULL, error);
}
