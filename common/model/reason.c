/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/model/reason.h"

#include <stddef.h>

/* In the order of their numbers, which are consecutive. */
static const char *const ineligible[] = {
	"other", "held_by_user", "held", "held_no_hosts", "held_failed", "dependency",
	"dependency_never", "begin_time", "limit", "limit_of_qos", "limit_of_account",
	"limit_of_tasks", "limit_of_queue", "account", "licenses", "queue_stopped", "closed",
	"reservation", "buffer", "cleaning", "priority", "together", "deadline", "changed",
	"later", "request_unknown", "elsewhere", "limit_on_memory", "queue_unfit",
};

static const char *const left[] = {
	"left", "contiguous", "switches", "in_reservation", "burst_buffer", "system_cores",
	"expands", "features", "group", "shared_limit", "request", "no_place",
	"refused_repeatedly", "preempts", "own_user",
};

static const char *const refused[] = {
	"refused", "in_use", "hosts_cleaning", "hosts_unfit", "no_licenses", "group_failed",
	"not_preempted", "no_quantum", "late", "shadow", "limit_reached", "has_other_cluster",
};

static const struct {
	int first, count;
	const char *const *names;
} parts[] = {
#define PART(first, names) { first, (int)(sizeof(names) / sizeof(*(names))), names }
	[LXFW_REASONS_INELIGIBLE] = PART(LXFW_REASON_OTHER, ineligible),
	[LXFW_REASONS_LEFT] = PART(LXFW_REASON_LEFT, left),
	[LXFW_REASONS_REFUSED] = PART(LXFW_REASON_REFUSED, refused),
#undef PART
};

_Static_assert(LXFW_REASON_QUEUE_UNFIT ==
	       LXFW_REASON_OTHER + sizeof(ineligible) / sizeof(*ineligible) - 1, "names");
_Static_assert(LXFW_REASON_LEFT_USER ==
	       LXFW_REASON_LEFT + sizeof(left) / sizeof(*left) - 1, "names");
_Static_assert(LXFW_REASON_REFUSED_ELSEWHERE ==
	       LXFW_REASON_REFUSED + sizeof(refused) / sizeof(*refused) - 1, "names");

enum lxfw_reason_part lxfw_reason_part(int reason)
{
	if (reason == LXFW_REASON_NONE)
		return LXFW_REASONS_NONE;
	for (int i = LXFW_REASONS_INELIGIBLE; i <= LXFW_REASONS_REFUSED; i++) {
		if (reason >= parts[i].first && reason < parts[i].first + parts[i].count)
			return (enum lxfw_reason_part)i;
	}
	return LXFW_REASONS_UNKNOWN;
}

const char *lxfw_reason_name(int reason)
{
	enum lxfw_reason_part part = lxfw_reason_part(reason);

	if (part == LXFW_REASONS_NONE)
		return "none";
	return part == LXFW_REASONS_UNKNOWN ? NULL :
	       parts[part].names[reason - parts[part].first];
}

int lxfw_reason_count(enum lxfw_reason_part part)
{
	return part >= LXFW_REASONS_INELIGIBLE && part <= LXFW_REASONS_REFUSED ?
	       parts[part].count : 0;
}

enum lxfw_reason lxfw_reason_at(enum lxfw_reason_part part, int index)
{
	return (enum lxfw_reason)(parts[part].first + index);
}

const char *lxfw_limited_name(enum lxfw_limited limited)
{
	static const char *const names[LXFW_LIMITEDS] = {
		"unknown", "jobs", "processors", "memory", "hosts", "gpus", "licenses", "time",
		"other",
	};

	return names[limited];
}
