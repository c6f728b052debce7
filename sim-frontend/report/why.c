/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/why.h"

#include <stdlib.h>

#include "common/util/grow.h"

int lxfw_why_add(struct lxfw_why *why, const struct lxfw_why_entry *entry)
{
	if (LXFW_GROW(why->entries, why->size, why->count + 1))
		return -1;
	why->entries[why->count++] = *entry;
	return 0;
}

void lxfw_why_clear(struct lxfw_why *why)
{
	free(why->entries);
	why->entries = NULL;
}

const char *lxfw_why_kind_name(enum lxfw_why_kind kind)
{
	static const char *const names[LXFW_WHY_KINDS] = {
		"submitted", "changed", "reserved", "unreserved", "refused", "started",
		"suspended", "resumed", "requeued", "resized", "ended", "kept", "eligible",
		"withdrawn",
	};

	return names[kind];
}

const char *lxfw_why_label_name(enum lxfw_why_label label)
{
	static const char *const names[LXFW_WHY_LABELS] = {
		"at_once", "in_order", "reservation", "backfilled", "served", "by_hand",
		"left",
	};

	return names[label];
}
