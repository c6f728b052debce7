/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/check_pbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The server starts pbs_sched, which registers before lxfw-pbsd does. */
static void check_started(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *item =
		lxfw_pbs_conf_file_get(check->conf, LXFW_PBS_CONF, "PBS_START_SCHED");
	struct lxfw_finding *found;

	if (!check->conf->has[LXFW_PBS_CONF] ||
	    (item && strcmp(item->setting.value, "0") == 0))
		return;
	found = lxfw_found(&check->base, "scheduler", true, item ? &item->setting : NULL);
	lxfw_found_text(&check->base, found, "pbs_sched is started with PBS, and the server "
			"refuses lxfw-pbsd while it is connected");
	lxfw_found_mend(&check->base, found, "PBS_START_SCHED=0");
}

static bool is_false(const struct lxfw_pbs_setting *item)
{
	return item && strcasecmp(item->setting.value, "false") == 0;
}

static void check_scheduling(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_setting *server = lxfw_pbs_conf_get(
		check->conf, LXFW_QMGR_SERVER, "", "scheduling");
	const struct lxfw_pbs_setting *sched = lxfw_pbs_conf_get(
		check->conf, LXFW_QMGR_SCHED, "", "scheduling");
	const struct lxfw_pbs_setting *item = is_false(sched) ? sched :
					      is_false(server) ? server : NULL;
	struct lxfw_finding *found;

	if (!item)
		return;
	found = lxfw_found(&check->base, "scheduling", true, &item->setting);
	lxfw_found_text(&check->base, found, "scheduling is off: lxfw-pbsd starts only the "
			"jobs of qrun");
	lxfw_found_mend(&check->base, found, "set %s scheduling = True",
			item == sched ? "sched default" : "server");
}

/* Names the files that were not given: what is not checked. */
static void note_missing(struct lxfw_pbs_checking *check)
{
	static const char *const commands[] = {
		"qmgr -c 'print server'", "qmgr -c 'print sched'",
		"qmgr -c 'print node @default'", "sched_config",
	};
	const struct lxfw_pbs_conf *conf = check->conf;
	const bool given[] = {
		conf->has_server, conf->has_sched, conf->has_nodes,
		conf->has[LXFW_PBS_SCHED_CONFIG],
	};
	char list[200] = "";

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		size_t end = strlen(list);

		if (!given[i])
			snprintf(list + end, sizeof(list) - end, "%s%s", end ? ", " : "",
				 commands[i]);
	}
	if (*list)
		lxfw_noted(&check->base, "unchecked", NULL, "not given, and not checked: %s, "
			   "see INSTALLATION in lxfw-pbsd(8)", list);
}

int lxfw_check_pbs(const struct lxfw_pbs_conf *conf, const char *path,
		   struct lxfw_findings *findings)
{
	const struct lxfw_check_options options = { .path = path, .no_files = true };
	struct lxfw_pbs_checking check = {
		.base = { .options = &options, .findings = findings }, .conf = conf,
	};

	*findings = (struct lxfw_findings) { 0 };
	if (!lxfw_check_pbs_torque(&check)) {
		check_started(&check);
		check_scheduling(&check);
		lxfw_check_pbs_resources(&check);
		lxfw_check_pbs_nodes(&check);
		lxfw_check_pbs_queues(&check);
		lxfw_check_pbs_idle(&check);
		note_missing(&check);
	}
	lxfw_findings_sort(findings);
	errno = findings->failed ? ENOMEM : 0;
	return findings->failed ? -1 : 0;
}
