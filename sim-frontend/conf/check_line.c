/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of SchedulerParameters for findings about other settings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/policy.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/conf/check.h"

#define KEY "SchedulerParameters"

/* The items. Slurm finds them behind further '=', too. */
static const char *given(const struct lxfw_checking *check)
{
	const char *text = lxfw_conf_value(check->conf, KEY, "");

	return text + strspn(text, "= \t");
}

/* Sets the line to VALUE if the plugin's parameters are valid then. */
static bool set_valid(struct lxfw_checking *check, struct lxfw_finding *finding,
		      const char *value, bool quanta)
{
	struct lxfw_params params;
	struct lxfw_error why;

	lxfw_params_default(&params);
	if (!value || lxfw_params_parse(&params, value, NULL, NULL, &why) ||
	    (!quanta && lxfw_params_serve(&params)))
		return false;
	lxfw_found_set(check, finding, lxfw_conf_get(check->conf, KEY), KEY, value);
	return true;
}

bool lxfw_check_without_quantum(struct lxfw_checking *check, struct lxfw_finding *finding)
{
	const char *text = given(check);
	char *value = malloc(strlen(text) + 1), *to = value;
	struct lxfw_parameter_item item;
	bool set;

	while (value && lxfw_parameters_next(&text, &item)) {
		if (strncasecmp(item.at, "lxfw_quantum", strlen("lxfw_quantum")) == 0)
			continue;
		if (to > value)
			*to++ = ',';
		to = mempcpy(to, item.at, item.length);
	}
	if (value)
		*to = '\0';
	else
		check->findings->failed = true;
	set = set_valid(check, finding, value, false);
	free(value);
	return set;
}

bool lxfw_check_with_site(struct lxfw_checking *check, struct lxfw_finding *finding)
{
	const char *text = given(check);
	char *value;
	bool set;

	if (asprintf(&value, "%s%slxfw_policy=site,lxfw_reservations=all", text, *text ? "," : "") < 0) {
		check->findings->failed = true;
		return false;
	}
	set = set_valid(check, finding, value, true);
	free(value);
	return set;
}
