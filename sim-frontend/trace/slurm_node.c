/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/slurm_node.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/slurm_lines.h"
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
	if (count > 0 && lxfw_gres_add(&cluster->gres, &node->gres, item, length, count))
		return lxfw_error_format(wrong, "out of memory");
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

	node->gres = (struct lxfw_gres_range) { 0, 0 };
	while (at < end) {
		const char *stop = item_end(at, end);

		if (take_gres_item(node, cluster, at, (size_t)(stop - at),
				   wrong))
			return -1;
		at = stop < end ? stop + 1 : end;
	}
	return 0;
}

bool lxfw_slurm_node_is_down(struct lxfw_slice state)
{
	static const char *const words[] = { "DOWN", "DRAIN", "FAIL", "FAILING" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (lxfw_slurm_is(state, words[i]))
			return true;
	}
	return false;
}

/* --- processors ----------------------------------------------------------------- */

static int64_t or_one(int64_t number)
{
	return number > 0 ? number : 1;
}

/* The sockets of all boards. They follow from CPUs if nothing is said. */
static int64_t sockets_of(const struct lxfw_slurm_node *node, int64_t cpus)
{
	int64_t per_socket = or_one(node->cores) * or_one(node->threads);

	if (node->sockets_per_board > 0)
		return or_one(node->boards) * node->sockets_per_board;
	if (node->sockets > 0)
		return node->sockets;
	if (cpus >= per_socket && cpus % per_socket == 0)
		return cpus / per_socket;
	return or_one(node->boards);
}

/* Sets *PROCS to the processors of the node, and *THREADS to those of a core. Returns -1 if
   there are too many. */
static int find_procs(const struct lxfw_slurm_node *node, int64_t *procs, int64_t *cores,
		      int64_t *threads)
{
	int64_t cpus = node->cpus ? node->cpus : node->procs;
	int64_t sockets, all;

	if (or_one(node->cores) * or_one(node->threads) > INT32_MAX)
		return -1;
	sockets = sockets_of(node, cpus);
	if (__builtin_mul_overflow(sockets, or_one(node->cores), cores) ||
	    __builtin_mul_overflow(*cores, or_one(node->threads), &all))
		return -1;
	*procs = cpus == sockets || cpus == *cores ? cpus : all;
	if (*procs == 0)
		*procs = all;
	*threads = *cores >= *procs ? 1 : or_one(node->threads);
	return *procs > INT32_MAX ? -1 : 0;
}

/* Returns the number of cores that have a processor of CPUSpecList, "0-1,16"; 0 if the list
   is invalid, since Slurm ignores such a list. */
static int64_t listed_cores(struct lxfw_slice list, int64_t procs, int64_t threads)
{
	unsigned char *reserved = calloc((size_t)procs, 1);
	const char *at = list.at, *end = list.at + list.length;
	int64_t count = 0, n[2];

	while (reserved && at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct lxfw_slice item = { at, (size_t)((comma ? comma : end) - at) };

		if (lxfw_slice_integer(item, 0, procs - 1, &n[0]))
			n[1] = n[0];
		else if (!lxfw_slice_numbers(item, "0-0", n) || n[1] >= procs || n[0] > n[1])
			break;
		for (int64_t i = n[0]; i <= n[1]; i++)
			reserved[i / threads] = 1;
		at += item.length + (comma != NULL);
	}
	for (int64_t i = 0; reserved && at == end && i < procs; i++)
		count += reserved[i];
	free(reserved);
	return count;
}

/* Sets what jobs can use of the node, and how many processors of it are kept for each GPU. */
static int total_of(const struct lxfw_slurm_node *node, struct lxfw_resources *total,
		    int32_t *gpu_procs, struct lxfw_error *wrong)
{
	int64_t procs, cores, threads, reserved = node->reserved_cores, memory_mb;

	if (find_procs(node, &procs, &cores, &threads))
		return lxfw_error_format(wrong,
			"node with more processors than expected, at most %d", INT32_MAX);
	/* slurmctld sets impossible values to these */
	if (reserved >= cores)
		reserved = 1;
	if (node->reserved_cpus.length > 0)
		reserved = listed_cores(node->reserved_cpus, procs, threads);
	memory_mb = node->memory_mb;
	if (node->reserved_mb < memory_mb)
		memory_mb -= node->reserved_mb;
	if (reserved * threads >= procs)
		return lxfw_error_format(wrong, "CoreSpecCount or CPUSpecList leaves no "
			"processor of %lld", (long long)procs);
	*total = (struct lxfw_resources) {
		.procs = (int32_t)(procs - reserved * threads),
		/* the default of RealMemory is 1, see slurm.conf(5) */
		.memory_mb = memory_mb > 1 ? memory_mb : 1,
	};
	*gpu_procs = node->gpu_cores < procs / threads ?
			     (int32_t)(node->gpu_cores * threads) : (int32_t)procs;
	return 0;
}

int lxfw_slurm_node_add(const struct lxfw_slurm_node *node, const char *name,
			struct lxfw_cluster *cluster, struct lxfw_error *wrong)
{
	struct lxfw_cluster_host *host;
	struct lxfw_resources total;
	int32_t gpu_procs = 0;
	int64_t sockets;

	if (total_of(node, &total, &gpu_procs, wrong) ||
	    lxfw_cluster_add(cluster, name, &total, wrong))
		return -1;
	host = &cluster->hosts[cluster->count - 1];
	host->weight = node->weight - LXFW_WEIGHT_USUAL;
	host->gres = node->gres;
	host->gpu_procs = gpu_procs;
	if (node->cores > 0 && node->cores <= INT32_MAX &&
	    (node->sockets > 0 || node->sockets_per_board > 0))
		host->socket_cores = (int32_t)node->cores;
	sockets = node->told_sockets > 0 ? node->told_sockets :
		  sockets_of(node, node->cpus ? node->cpus : node->procs);
	host->socket_count = sockets < total.procs ? (int32_t)sockets : total.procs;
	return 0;
}
