/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine of OpenPBS, from the commands that `qmgr -c 'print node @default'` and
 * `print server` write: each vnode with processors is a host, and each execution queue is a
 * partition. Hosts are vnodes, since accounting logs name those.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/pbs_folder.h"
#include "sim-frontend/trace/qmgr.h"
#include "sim-frontend/util/text.h"

struct vnode {
	char *name, *queue, *partition;	/* NULL: none */
	char *host, *mom;		/* NULL: not stated */
	int64_t procs, memory_kb, gpus;	/* memory: -1 = not stated */
};

struct queue {
	char *name, *partition;
	bool execution;
	int64_t priority, max_time, default_time;
};

struct site {
	struct vnode *vnodes;
	size_t vnode_count, vnode_size;
	struct lxfw_names vnode_names;
	struct queue *queues;
	size_t queue_count, queue_size;
	size_t lent;		/* vnodes without processors whose GPUs others have */
	const char *lender;	/* the first of them */
	int64_t max_time, default_time;	/* of the server; 0: none */
	int64_t depth;		/* backfill_depth of the server */
};

static void clear(struct site *site)
{
	int saved = errno;

	for (size_t i = 0; i < site->vnode_count; i++) {
		free(site->vnodes[i].name);
		free(site->vnodes[i].queue);
		free(site->vnodes[i].partition);
		free(site->vnodes[i].host);
		free(site->vnodes[i].mom);
	}
	for (size_t i = 0; i < site->queue_count; i++) {
		free(site->queues[i].name);
		free(site->queues[i].partition);
	}
	free(site->vnodes);
	free(site->queues);
	lxfw_names_clear(&site->vnode_names);
	errno = saved;
}

/* --- settings ----------------------------------------------------------------------- */

/* Returns the vnode NAME, which is added if it is new, or NULL. */
static struct vnode *vnode_of(struct site *site, const char *name)
{
	size_t known = site->vnode_names.count;
	int32_t at = lxfw_names_add(&site->vnode_names, name, strlen(name));

	if (at < 0)
		return NULL;
	if ((size_t)at < known)
		return &site->vnodes[at];
	if (LXFW_GROW(site->vnodes, site->vnode_size, site->vnode_count + 1))
		return NULL;
	site->vnodes[site->vnode_count] = (struct vnode) {
		.name = strdup(name), .memory_kb = -1,
	};
	return site->vnodes[site->vnode_count++].name ? &site->vnodes[at] : NULL;
}

static struct queue *queue_of(struct site *site, const char *name)
{
	for (size_t i = 0; i < site->queue_count; i++) {
		if (strcmp(site->queues[i].name, name) == 0)
			return &site->queues[i];
	}
	if (LXFW_GROW(site->queues, site->queue_size, site->queue_count + 1))
		return NULL;
	site->queues[site->queue_count] = (struct queue) { .name = strdup(name) };
	return site->queues[site->queue_count].name ? &site->queues[site->queue_count++] :
						      NULL;
}

static struct lxfw_slice slice_of(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static int fail_value(struct lxfw_error *wrong, const struct lxfw_qmgr_setting *from,
		      const char *expected)
{
	char quoted[60];

	return lxfw_error_format(wrong, "%s = '%s', expected %s", from->attribute,
				 lxfw_text_quote(quoted, sizeof(quoted), from->value,
						 strlen(from->value)), expected);
}

static int take_number(const struct lxfw_qmgr_setting *from, int64_t min, int64_t *to,
		       struct lxfw_error *wrong)
{
	if (lxfw_slice_integer(slice_of(from->value), min, INT32_MAX, to))
		return 0;
	return fail_value(wrong, from, "a number");
}

/* Seconds, or HH:MM:SS. */
static int take_time(const struct lxfw_qmgr_setting *from, int64_t *to,
		     struct lxfw_error *wrong)
{
	if (!lxfw_slice_span(slice_of(from->value), to) &&
	    !lxfw_slice_integer(slice_of(from->value), 0, LXFW_ACCOUNT_TIME_MAX, to))
		return fail_value(wrong, from, "a time such as 24:00:00");
	if (*to > LXFW_PARTITION_TIME_MAX)
		*to = LXFW_PARTITION_TIME_MAX;
	return 0;
}

static int take_text(const struct lxfw_qmgr_setting *from, char **to,
		     struct lxfw_error *wrong)
{
	free(*to);
	*to = strdup(from->value);
	return *to ? 0 : lxfw_error_format(wrong, "out of memory");
}

static bool is(const struct lxfw_qmgr_setting *from, const char *attribute)
{
	return strcasecmp(from->attribute, attribute) == 0;
}

static int take_vnode(struct vnode *vnode, const struct lxfw_qmgr_setting *from,
		      struct lxfw_error *wrong)
{
	if (is(from, "resources_available.ncpus"))
		return take_number(from, 0, &vnode->procs, wrong);
	if (is(from, "resources_available.ngpus"))
		return take_number(from, 0, &vnode->gpus, wrong);
	if (is(from, "queue"))
		return take_text(from, &vnode->queue, wrong);
	if (is(from, "partition"))
		return take_text(from, &vnode->partition, wrong);
	if (is(from, "resources_available.host"))
		return take_text(from, &vnode->host, wrong);
	if (is(from, "Mom"))
		return take_text(from, &vnode->mom, wrong);
	if (is(from, "resources_available.mem") &&
	    !lxfw_slice_size(slice_of(from->value), 1, &vnode->memory_kb))
		return fail_value(wrong, from, "a size such as 64gb");
	return 0;
}

static int take_queue(struct queue *queue, const struct lxfw_qmgr_setting *from,
		      struct lxfw_error *wrong)
{
	if (is(from, "queue_type"))
		queue->execution = strncasecmp(from->value, "e", 1) == 0;
	if (is(from, "Priority"))
		return take_number(from, INT16_MIN, &queue->priority, wrong);
	if (is(from, "resources_max.walltime"))
		return take_time(from, &queue->max_time, wrong);
	if (is(from, "resources_default.walltime"))
		return take_time(from, &queue->default_time, wrong);
	if (is(from, "partition"))
		return take_text(from, &queue->partition, wrong);
	return 0;
}

static int take_setting(void *context, const struct lxfw_qmgr_setting *from,
			struct lxfw_error *wrong)
{
	struct site *site = context;

	if (from->verb == LXFW_QMGR_UNSET || from->verb == LXFW_QMGR_OTHER ||
	    *from->name == '@')
		return 0;
	if (from->object == LXFW_QMGR_NODE) {
		struct vnode *vnode = vnode_of(site, from->name);

		if (!vnode)
			return lxfw_error_format(wrong, "out of memory");
		return from->attribute ? take_vnode(vnode, from, wrong) : 0;
	}
	if (from->object == LXFW_QMGR_QUEUE) {
		struct queue *queue = queue_of(site, from->name);

		if (!queue)
			return lxfw_error_format(wrong, "out of memory");
		return from->attribute ? take_queue(queue, from, wrong) : 0;
	}
	if (from->object == LXFW_QMGR_SERVER && from->attribute &&
	    is(from, "resources_max.walltime"))
		return take_time(from, &site->max_time, wrong);
	if (from->object == LXFW_QMGR_SERVER && from->attribute &&
	    is(from, "resources_default.walltime"))
		return take_time(from, &site->default_time, wrong);
	if (from->object == LXFW_QMGR_SERVER && from->attribute && is(from, "backfill_depth"))
		return take_number(from, 0, &site->depth, wrong);
	return 0;
}

/* --- the cluster ------------------------------------------------------------------------ */

/* Returns the name of the vnode's host: as stated, or by the vnode's name, "h" of "h[0]". */
static struct lxfw_slice host_of(const struct vnode *vnode)
{
	const char *name = vnode->host ? vnode->host : vnode->mom ? vnode->mom : vnode->name;

	return (struct lxfw_slice) { name, vnode->host || vnode->mom ? strlen(name) :
						strcspn(name, "[") };
}

/* How the GPUs of vnodes without processors are given to others. */
struct loans {
	int32_t *hosts;		/* by vnode: the number of its host */
	int32_t *next;		/* by vnode: the one with processors after it on its host, in a
				   circle */
	int32_t *turn;		/* by host: the last one that was given to; -1: none */
};

static int list_loans(const struct site *site, struct loans *loans)
{
	struct lxfw_names names = { 0 };
	size_t count = site->vnode_count;
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++) {
		struct lxfw_slice host = host_of(&site->vnodes[i]);

		loans->turn[i] = -1;
		loans->hosts[i] = lxfw_names_add(&names, host.at, host.length);
		failed = loans->hosts[i] < 0 ? -1 : 0;
	}
	for (size_t i = 0; i < count && !failed; i++) {
		int32_t *last = &loans->turn[loans->hosts[i]];

		if (site->vnodes[i].procs == 0)
			continue;
		loans->next[i] = *last < 0 ? (int32_t)i : loans->next[*last];
		if (*last >= 0)
			loans->next[*last] = (int32_t)i;
		*last = (int32_t)i;
	}
	lxfw_names_clear(&names);
	return failed;
}

static void lend(struct site *site, const struct vnode *from, struct vnode *to)
{
	to->gpus += from->gpus;
	if (site->lent++ == 0)
		site->lender = from->name;
}

/*
 * Vnodes without processors are those of a mom whose vnodes are listed besides, or have GPUs,
 * which a chunk of a job may use with the processors of other vnodes of the host. Those have the
 * GPUs by turns. The memory of such vnodes is often that of the whole host, which the others
 * have already.
 */
static int lend_gpus(struct site *site)
{
	size_t size = (site->vnode_count + 1) * sizeof(int32_t);
	struct loans loans = {
		.hosts = malloc(size), .next = malloc(size), .turn = malloc(size),
	};
	int failed = !loans.hosts || !loans.next || !loans.turn || list_loans(site, &loans);

	for (size_t i = 0; i < site->vnode_count && !failed; i++) {
		const struct vnode *vnode = &site->vnodes[i];
		int32_t *turn = &loans.turn[loans.hosts[i]];

		if (vnode->procs > 0 || vnode->gpus == 0 || *turn < 0)
			continue;
		*turn = loans.next[*turn];
		lend(site, vnode, &site->vnodes[*turn]);
	}
	free(loans.hosts);
	free(loans.next);
	free(loans.turn);
	return failed ? -1 : 0;
}

static int add_hosts(struct lxfw_cluster *cluster, const struct site *site,
		     struct lxfw_error *error)
{
	cluster->memory_bound = true;
	for (size_t i = 0; i < site->vnode_count; i++) {
		const struct vnode *vnode = &site->vnodes[i];
		struct lxfw_resources total = { .procs = (int32_t)vnode->procs };

		if (vnode->procs == 0)
			continue;
		cluster->memory_bound &= vnode->memory_kb >= 0;
		total.memory_mb = vnode->memory_kb > 0 ? vnode->memory_kb / 1024 : 0;
		if (lxfw_cluster_add(cluster, vnode->name, &total, error))
			return -1;
		if (vnode->gpus > 0 &&
		    lxfw_gres_add(&cluster->gres, &cluster->hosts[cluster->count - 1].gres,
				  "gpu", 3, vnode->gpus)) {
			lxfw_error_set(error, "out of memory");
			return -1;
		}
	}
	return 0;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* A queue with vnodes of its own uses only these, another one those of no queue. */
static bool may_use(const struct queue *queue, bool owns, const struct vnode *vnode)
{
	return vnode->procs > 0 && same(vnode->partition, queue->partition) &&
	       same(vnode->queue, owns ? queue->name : NULL);
}

static int64_t first_of(int64_t a, int64_t b)
{
	return a > 0 ? a : b;
}

static int add_set(struct lxfw_cluster *cluster, const struct site *site,
		   const struct queue *queue, int64_t lowest)
{
	struct lxfw_cluster_set *set;
	int32_t host = 0;
	bool owns = false;

	for (size_t i = 0; i < site->vnode_count && !owns; i++)
		owns = same(site->vnodes[i].queue, queue->name);
	if (LXFW_GROW(cluster->sets, cluster->sets_size, (size_t)cluster->set_count + 1))
		return -1;
	set = &cluster->sets[cluster->set_count];
	*set = (struct lxfw_cluster_set) {
		.name = strdup(queue->name),
		.hosts = malloc(((size_t)cluster->count + 1) * sizeof(*set->hosts)),
		.rules = LXFW_PARTITION_USUAL,
	};
	cluster->set_count++;
	if (!set->name || !set->hosts)
		return -1;
	set->rules.tier = (int32_t)(queue->priority - lowest);
	set->rules.max_time = first_of(queue->max_time, site->max_time);
	set->rules.default_time = first_of(first_of(queue->default_time, site->default_time),
					   set->rules.max_time);
	for (size_t i = 0; i < site->vnode_count; i++) {
		if (site->vnodes[i].procs == 0)
			continue;
		if (may_use(queue, owns, &site->vnodes[i]))
			set->hosts[set->count++] = host;
		host++;
	}
	return 0;
}

/* Tiers are 0 or more, in the order of the priorities. */
static int add_sets(struct lxfw_cluster *cluster, const struct site *site)
{
	int64_t lowest = 0;

	for (size_t i = 0; i < site->queue_count; i++) {
		if (site->queues[i].priority < lowest)
			lowest = site->queues[i].priority;
	}
	for (size_t i = 0; i < site->queue_count; i++) {
		if (site->queues[i].execution &&
		    add_set(cluster, site, &site->queues[i], lowest))
			return -1;
	}
	return 0;
}

static int make_cluster(struct lxfw_cluster *cluster, struct site *site,
			const char *path, struct lxfw_error *error)
{
	struct lxfw_error wrong;

	if (lend_gpus(site))
		return lxfw_error_system(error, path);
	if (add_hosts(cluster, site, &wrong))
		return lxfw_error_at(error, path, 0, "%s", wrong.text);
	if (cluster->count == 0)
		return lxfw_error_at(error, path, 0, "no vnode with processors, expected the "
				     "output of qmgr -c 'print node @default'");
	if (add_sets(cluster, site) ||
	    (site->lent > 0 &&
	     lxfw_cluster_note(cluster, "%zu vnode%s without processors, such as %s: the GPUs count "
			       "with a vnode of the host that has processors",
			       site->lent, site->lent == 1 ? "" : "s", site->lender)))
		return lxfw_error_system(error, path);
	return 0;
}

/* Sets *STRICT to strict_ordering of FOLDER/sched_priv/sched_config, in prime or other time.
   Returns 1, 0 if there is no such file, or -1. */
static int read_strict(const char *folder, bool *strict, struct lxfw_error *error)
{
	static const char key[] = "strict_ordering:";
	struct lxfw_input *input;
	char *path, *line;
	size_t length;
	int got;

	*strict = false;
	if (asprintf(&path, "%s/sched_priv/sched_config", folder) < 0)
		return lxfw_error_system(error, folder);
	input = access(path, F_OK) ? NULL : lxfw_input_open(path, error);
	got = input ? 1 : access(path, F_OK) ? 0 : -1;
	free(path);
	if (!input)
		return got;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		const char *value = line + sizeof(key) - 1;

		if (length < sizeof(key) || memcmp(line, key, sizeof(key) - 1) != 0)
			continue;
		value += strspn(value, " \t");
		*strict |= strncasecmp(value, "true", 4) == 0 || *value == '1';
	}
	lxfw_input_close(input);
	return got < 0 ? -1 : 1;
}

/* Without strict_ordering, pbs_sched starts every job that fits. */
static int find_closest(struct lxfw_cluster *cluster, const struct site *site,
			const char *folder, struct lxfw_error *error)
{
	bool strict;
	int got = read_strict(folder, &strict, error);

	if (got <= 0)
		return got;
	cluster->closest = !strict ? "list" : site->depth == 0 ? "fcfs" : "easy";
	cluster->closest_to = strict ? "pbs_sched with strict_ordering" :
				       "pbs_sched without strict_ordering";
	return 0;
}

/* Reads FOLDER/NAME. */
static int read_part(struct site *site, const char *folder, const char *name,
		     struct lxfw_error *error)
{
	char *path;
	int failed;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return lxfw_error_system(error, folder);
	failed = lxfw_qmgr_read(path, take_setting, site, error);
	free(path);
	return failed;
}

int lxfw_cluster_read_pbs(struct lxfw_cluster *cluster, const char *path,
			  struct lxfw_error *error)
{
	struct site site = { .depth = 1 };
	int failed;

	if (!lxfw_pbs_folder_is(path))
		failed = lxfw_qmgr_read(path, take_setting, &site, error);
	else if (!lxfw_pbs_folder_has_machine(path))
		failed = lxfw_error_at(error, path, 0, "no node/qmgr_pn_default.out with the "
			"vnodes, expected the directory of a pbs_snapshot that was made on the "
			"host of the server, or --cluster with the output of "
			"qmgr -c 'print node @default'");
	else
		failed = read_part(&site, path, "node/qmgr_pn_default.out", error) ||
			 read_part(&site, path, "server/qmgr_ps.out", error) ||
			 find_closest(cluster, &site, path, error);
	if (!failed)
		failed = make_cluster(cluster, &site, path, error);
	clear(&site);
	return failed ? -1 : 0;
}
