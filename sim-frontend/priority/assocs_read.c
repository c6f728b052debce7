/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads associations from the output of sacctmgr and sshare. */
#include <string.h>

#include "sim-frontend/priority/assocs.h"
#include "sim-frontend/priority/dump.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* Maximum depth of the tree. */
#define DEPTH_MAX 64

enum {
	CLUSTER, ACCOUNT, USER, PARTITION, PARENT, SHARES, PRIORITY, USAGE, COLUMNS
};

static const struct lxfw_dump_column columns[COLUMNS] = {
	[CLUSTER] = { { "Cluster" } },
	[ACCOUNT] = { { "Account" }, true },
	[USER] = { { "User" }, true },
	[PARTITION] = { { "Partition" } },
	[PARENT] = { { "Par Name", "ParentName" } },
	[SHARES] = { { "Share", "RawShares" }, true },
	[PRIORITY] = { { "Priority" } },
	[USAGE] = { { "RawUsage" } },
};

#define WHAT "what `sacctmgr -P show assoc` or `sshare -P -a -l` prints"

struct reading {
	struct lxfw_assocs *assocs;
	const char *cluster;		/* the requested one; NULL: there must be only
					   one */
	char first_cluster[64];
	int32_t open[DEPTH_MAX];	/* the last account at each depth (sshare) */
};

static struct lxfw_slice or_empty(struct lxfw_slice slice)
{
	return slice.at ? slice : (struct lxfw_slice) { "", 0 };
}

/* Returns 1 if the row is of a cluster other than the requested one. */
static int other_cluster(struct reading *reading, struct lxfw_slice cluster,
			 struct lxfw_error *wrong)
{
	char quoted[64];

	if (!cluster.at || cluster.length == 0)
		return 0;
	if (reading->cluster)
		return !lxfw_slurm_is(cluster, reading->cluster);
	lxfw_text_quote(quoted, sizeof(quoted), cluster.at, cluster.length);
	if (!*reading->first_cluster)
		strcpy(reading->first_cluster, quoted);
	if (strcmp(reading->first_cluster, quoted) == 0)
		return 0;
	return lxfw_error_format(wrong, "cluster %s after %s, expected one cluster",
				 quoted, reading->first_cluster);
}

/* Returns the parent of an account, by its name or by the indentation of the account. */
static int32_t parent_of(struct reading *reading, const struct lxfw_slice *row,
			 struct lxfw_slice name, int depth, struct lxfw_error *wrong)
{
	struct lxfw_slice none = { "", 0 };
	char quoted[64];
	int32_t found;

	if (row[PARENT].at && row[PARENT].length > 0) {
		found = lxfw_assocs_find(reading->assocs, row[PARENT], none, none);
		if (found >= 0)
			return found;
		return lxfw_error_format(wrong,
			"parent %s of an account, expected an account before it",
			lxfw_text_quote(quoted, sizeof(quoted), row[PARENT].at,
					row[PARENT].length));
	}
	if (depth > 0 && depth < DEPTH_MAX && reading->open[depth - 1] >= 0)
		return reading->open[depth - 1];
	found = lxfw_assocs_find(reading->assocs, name, none, none);
	if (found > 0)
		return reading->assocs->items[found].parent;
	return lxfw_error_format(wrong,
		"account %s without a parent, expected the column ParentName or the blanks that sshare prints before names",
		lxfw_text_quote(quoted, sizeof(quoted), name.at, name.length));
}

static int take_shares(struct lxfw_slice text, uint32_t *shares, struct lxfw_error *wrong)
{
	char quoted[64];
	int64_t number;

	if (text.length == 0)		/* the root has none */
		return 0;
	if (lxfw_slurm_is(text, "parent")) {
		*shares = LXFW_SHARES_PARENT;
		return 0;
	}
	if (!lxfw_slice_integer(text, 0, UINT32_MAX - 2, &number))
		return lxfw_error_format(wrong,
			"shares '%s', expected a number from 0 to %u or 'parent'",
			lxfw_text_quote(quoted, sizeof(quoted), text.at, text.length),
			UINT32_MAX - 2);
	*shares = (uint32_t)number;
	return 0;
}

static int take_values(struct lxfw_assoc *item, const struct lxfw_slice *row,
		       struct lxfw_error *wrong)
{
	char quoted[64];
	int64_t number;

	if (take_shares(row[SHARES], &item->shares, wrong))
		return -1;
	if (row[PRIORITY].at && row[PRIORITY].length > 0) {
		if (!lxfw_slice_integer(row[PRIORITY], 0, UINT32_MAX - 1, &number))
			return lxfw_error_format(wrong,
				"priority '%s', expected a number from 0 to %u",
				lxfw_text_quote(quoted, sizeof(quoted),
						row[PRIORITY].at, row[PRIORITY].length),
				UINT32_MAX - 1);
		item->priority = (uint32_t)number;
	}
	if (row[USAGE].at && row[USAGE].length > 0) {
		if (!lxfw_slice_integer(row[USAGE], 0, INT64_MAX, &number))
			return lxfw_error_format(wrong,
				"usage '%s', expected a number of TRES-seconds",
				lxfw_text_quote(quoted, sizeof(quoted), row[USAGE].at,
						row[USAGE].length));
		item->usage = number;
	}
	return 0;
}

/* Returns whether an account is more than DEPTH_MAX levels below the root. */
static bool is_deep(const struct lxfw_assocs *assocs, int32_t account)
{
	int depth = 0;

	while (account > 0 && ++depth < DEPTH_MAX)
		account = assocs->items[account].parent;
	return account > 0;
}

/* Finds or adds the association of the row. Returns -1 with WRONG set. */
static int32_t place_row(struct reading *reading, const struct lxfw_slice *row,
			 struct lxfw_slice account, int depth, struct lxfw_error *wrong)
{
	struct lxfw_assocs *assocs = reading->assocs;
	struct lxfw_slice none = { "", 0 }, user = row[USER];
	char quoted[64];
	int32_t above = 0, found;

	if (user.length > 0) {
		above = lxfw_assocs_find(assocs, account, none, none);
		if (above < 0)
			return lxfw_error_format(wrong,
				"user of account %s, expected the account before its users",
				lxfw_text_quote(quoted, sizeof(quoted), account.at,
						account.length));
	} else if (!lxfw_slurm_is(account, "root")) {
		above = parent_of(reading, row, account, depth, wrong);
		if (above < 0)
			return -1;
	}
	if (is_deep(assocs, above))
		return lxfw_error_format(wrong,
			"account %s, expected at most %d accounts above one another",
			lxfw_text_quote(quoted, sizeof(quoted), account.at,
					account.length), DEPTH_MAX);
	found = lxfw_assocs_add(assocs, above, account, user,
				user.length > 0 ? or_empty(row[PARTITION]) : none);
	if (found < 0)
		return lxfw_error_format(wrong, "out of memory");
	if (found > 0 && assocs->items[found].parent != above)
		return lxfw_error_format(wrong, "account %s below another account before",
			lxfw_text_quote(quoted, sizeof(quoted), account.at,
					account.length));
	return found;
}

static int take_row(void *context, const struct lxfw_slice *row, struct lxfw_error *wrong)
{
	struct reading *reading = context;
	struct lxfw_slice account = row[ACCOUNT];
	int depth = 0, other = other_cluster(reading, row[CLUSTER], wrong);
	int32_t found;

	if (other)
		return other < 0 ? -1 : 0;
	while (account.length > 0 && *account.at == ' ') {
		account.at++;
		account.length--;
		depth++;
	}
	if (account.length == 0)
		return lxfw_error_format(wrong, "no account, expected %s", WHAT);
	found = place_row(reading, row, account, depth, wrong);
	if (found < 0)
		return -1;
	if (row[USER].length == 0 && depth < DEPTH_MAX) {
		reading->open[depth] = found;
		for (int i = depth + 1; i < DEPTH_MAX; i++)
			reading->open[i] = -1;
	}
	return take_values(&reading->assocs->items[found], row, wrong);
}

int lxfw_assocs_read(struct lxfw_assocs *assocs, const char *path, const char *cluster,
		     struct lxfw_error *error)
{
	struct reading reading = { .assocs = assocs, .cluster = cluster };

	for (int i = 0; i < DEPTH_MAX; i++)
		reading.open[i] = -1;
	return lxfw_dump_read(path, columns, COLUMNS, WHAT, take_row, &reading, error);
}
