/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/slurm_node.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/util/text.h"

/* Parses one item of Gres=: NAME[:TYPE][:no_consume]:COUNT[K|M|G](...). The default of
   COUNT is 1. An item with a type is also counted under its kind. */
static int take_gres_item(struct lxfw_slurm_node *node,
			  struct lxfw_cluster *cluster, const char *item,
			  size_t length, struct lxfw_error *wrong)
{
	static const char units[] = "KMGTP";
	const char *paren = memchr(item, '(', length), *colon = NULL, *unit;
	int64_t count = 1;
	int shift = 0;

	if (paren)
		length = (size_t)(paren - item);
	/* jobs do not consume the resource and never wait for it */
	if (length == 0 || memmem(item, length, ":no_consume", 11))
		return 0;
	for (const char *c = item; c < item + length; c++)
		colon = *c == ':' ? c : colon;
	if (colon && colon[1] >= '0' && colon[1] <= '9') {
		size_t digits = length - (size_t)(colon + 1 - item);

		unit = memchr(units, item[length - 1] & ~0x20, 5);
		if (unit) {
			shift = 10 * (int)(unit - units + 1);
			digits--;
		}
		if (lxfw_text_integer(colon + 1, digits, 0, INT32_MAX, &count)) {
			/* a type that begins with a digit: "gpu:1080ti" */
			count = 1;
			shift = 0;
		} else {
			length = (size_t)(colon - item);
		}
	}
	count = shift > 20 || count > (INT32_MAX >> shift) ? INT32_MAX :
							     count << shift;
	if (lxfw_cluster_add_extra(cluster, item, length, (int32_t)count,
				   node->extras) == 0)
		return 0;
	if (errno != ENOSPC)
		return lxfw_error_format(wrong, "out of memory");
	cluster->extras_left_out++;
	return 0;
}

/* Returns the comma that ends an item, or END. Commas in "(S:0,2)" do not count. */
static const char *item_end(const char *at, const char *end)
{
	bool inside = false;

	for (; at < end && (inside || *at != ','); at++)
		inside = *at == '(' || (inside && *at != ')');
	return at;
}

int lxfw_slurm_node_gres(struct lxfw_slurm_node *node,
			 struct lxfw_cluster *cluster, struct lxfw_slice text,
			 struct lxfw_error *wrong)
{
	const char *at = text.at, *end = at + text.length;

	memset(node->extras, 0, sizeof(node->extras));
	while (at < end) {
		const char *stop = item_end(at, end);

		if (take_gres_item(node, cluster, at, (size_t)(stop - at),
				   wrong))
			return -1;
		at = stop < end ? stop + 1 : end;
	}
	return 0;
}

static int64_t or_one(int64_t number)
{
	return number > 0 ? number : 1;
}

static int total_of(const struct lxfw_slurm_node *node, struct lxfw_resources *total,
		    struct lxfw_error *wrong)
{
	int64_t sockets = node->sockets ? node->sockets :
		or_one(node->boards) * or_one(node->sockets_per_board);
	int64_t procs = node->cpus, reserved;

	if (!procs && (__builtin_mul_overflow(sockets, or_one(node->cores),
					      &procs) ||
		       __builtin_mul_overflow(procs, or_one(node->threads),
					      &procs)))
		procs = INT64_MAX;
	reserved = node->reserved_cores * or_one(node->threads);
	if (procs > INT32_MAX)
		return lxfw_error_format(wrong,
			"node with %lld processors, expected at most %d",
			(long long)procs, INT32_MAX);
	if (reserved >= procs)
		return lxfw_error_format(wrong,
			"CoreSpecCount leaves no processor of %lld",
			(long long)procs);
	*total = (struct lxfw_resources) {
		.procs = (int32_t)(procs - reserved),
		/* the default of RealMemory is 1, see slurm.conf(5) */
		.memory_mb = node->memory_mb - node->reserved_mb > 1 ?
			     node->memory_mb - node->reserved_mb : 1,
	};
	memcpy(total->extras, node->extras, sizeof(total->extras));
	return 0;
}

int lxfw_slurm_node_add(const struct lxfw_slurm_node *node, const char *name,
			struct lxfw_cluster *cluster, struct lxfw_error *wrong)
{
	struct lxfw_resources total;

	if (total_of(node, &total, wrong) ||
	    lxfw_cluster_add(cluster, name, &total, wrong))
		return -1;
	cluster->hosts[cluster->count - 1].weight = node->weight -
						    LXFW_WEIGHT_USUAL;
	return 0;
}
