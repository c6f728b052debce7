/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_limits.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim-frontend/cmd/cmd.h"

bool lxfw_now_limits_list(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = list; *at; at += *at == ',') {
		size_t part = strcspn(at, ",");

		if (part == length && strncmp(at, name, length) == 0)
			return true;
		at += part;
	}
	return false;
}

/* Whether this user is in a group of the list, also if that cannot be found out. */
static bool is_in_groups(const char *list)
{
	const struct passwd *user = getpwuid(geteuid());
	int count = 0;
	gid_t *groups;
	bool is = false;

	if (!user || geteuid() == 0)	/* Slurm lets root submit to all */
		return true;
	(void)getgrouplist(user->pw_name, user->pw_gid, NULL, &count);
	groups = calloc((size_t)count + 1, sizeof(*groups));
	if (!groups || getgrouplist(user->pw_name, user->pw_gid, groups, &count) < 0) {
		free(groups);
		return true;
	}
	for (int i = 0; i < count && !is; i++) {
		const struct group *group = getgrgid(groups[i]);

		is = group && lxfw_now_limits_list(list, group->gr_name);
	}
	free(groups);
	return is;
}

/* Sets WHY. Returns false. */
static bool refuse(char *why, const char *limit, int64_t value, int64_t wanted, const char *unit)
{
	snprintf(why, LXFW_NOW_LIMITS_WHY, "%s=%lld, and the request has %lld%s", limit,
		 (long long)value, (long long)wanted, unit);
	return false;
}

/* Tasks of the request that are on one node, at least. */
static int64_t tasks_of_node(const struct lxfw_request_text *request)
{
	if (request->nodes == 0)
		return 1;
	return (request->tasks + request->nodes - 1) / request->nodes;
}

static bool permit_amounts(const struct lxfw_watch_limits *limits,
			   const struct lxfw_request_text *request, char *why)
{
	int64_t cpus = tasks_of_node(request) * request->cpus;
	int64_t memory = request->memory > 0 ? request->memory : cpus * request->memory_per_cpu;

	if (limits->max_nodes > 0 && request->nodes > limits->max_nodes)
		return refuse(why, "MaxNodes", limits->max_nodes, request->nodes, "");
	if (request->nodes > 0 && request->nodes < limits->min_nodes)
		return refuse(why, "MinNodes", limits->min_nodes, request->nodes, "");
	if (limits->cpus > 0 && cpus > limits->cpus)
		return refuse(why, "MaxCPUsPerNode", limits->cpus, cpus, " on a node");
	if (limits->memory > 0 && memory > limits->memory)
		return refuse(why, "MaxMemPerNode", limits->memory, memory, " MB on a node");
	return true;
}

/* Whether ALLOWED and DENIED permit NAME, which may not be known. */
static bool permit_name(const char *what, const char *allowed, const char *denied,
			const char *name, char *why)
{
	if (!*name) {
		if (*allowed || *denied)
			lxfw_cmd_note("request: its partition takes only jobs of some %s, and it "
				      "names none (%s%s=%s)", what, *allowed ? "Allow" : "Deny",
				      what, *allowed ? allowed : denied);
		return true;
	}
	if (*allowed && !lxfw_now_limits_list(allowed, name)) {
		snprintf(why, LXFW_NOW_LIMITS_WHY, "Allow%s=%s, and the request has %s", what,
			 allowed, name);
		return false;
	}
	if (!*denied || !lxfw_now_limits_list(denied, name))
		return true;
	snprintf(why, LXFW_NOW_LIMITS_WHY, "Deny%s=%s", what, denied);
	return false;
}

bool lxfw_now_limits_permit(const struct lxfw_watch_limits *limits,
			    const struct lxfw_request_text *request,
			    char why[LXFW_NOW_LIMITS_WHY])
{
	if (*limits->groups && !is_in_groups(limits->groups)) {
		snprintf(why, LXFW_NOW_LIMITS_WHY, "AllowGroups=%s, and you are in none of them",
			 limits->groups);
		return false;
	}
	return permit_amounts(limits, request, why) &&
	       permit_name("Accounts", limits->accounts, limits->no_accounts, request->account,
			   why) &&
	       permit_name("Qos", limits->qos, limits->no_qos, request->qos, why);
}
