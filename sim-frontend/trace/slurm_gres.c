/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads on which sockets GPUs are from a gres.conf (gres.conf(5)). The cores of a node are
 * numbered from 0, those of socket 0 first.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/model/sockets.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* The GPUs of a host in the lines up to now. */
struct found {
	uint32_t sockets;
	bool lost;		/* some of them are on no socket that is known */
	bool typed;		/* there was a line */
	char type[64];
};

struct gres_conf {
	struct lxfw_cluster *cluster;
	struct found *found;	/* by host */
	struct lxfw_error *wrong;
	/* of the present line */
	struct lxfw_slice type, cores;
	int64_t count;
};

/* --- values ----------------------------------------------------------------------- */

/* Counts the names of a list such as /dev/nvidia[0-3],/dev/nvidia7. */
static int64_t files_in(struct lxfw_slice list)
{
	const char *at = list.at, *end = list.at + list.length;
	int64_t files = 0;

	while (at < end) {
		size_t length = lxfw_hostlist_item(at, (size_t)(end - at));
		const char *open = memchr(at, '[', length), *close = at + length;
		int64_t in_brackets = 0;

		for (const char *part = open ? open + 1 : close; part < close; part++) {
			struct lxfw_slice range = { part, (size_t)(close - part) };
			int64_t n[2];

			range.length = lxfw_slice_until(range, ']');
			range.length = lxfw_slice_until(range, ',');

			in_brackets += lxfw_slice_numbers(range, "0-0", n) && n[1] >= n[0] ?
				       n[1] - n[0] + 1 : 1;
			part += range.length;
		}
		files += open ? in_brackets : 1;
		at += length + 1;
	}
	return files;
}

/* Finds the socket of all cores in a list such as 0-7,16. Returns it; -1: they are of
   several; -2: the list is not one. */
static int64_t socket_of(struct lxfw_slice list, int64_t cores)
{
	const char *at = list.at, *end = list.at + list.length;
	int64_t socket = -1;
	bool first = true, several = false;

	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct lxfw_slice item = { at, (size_t)((comma ? comma : end) - at) };
		int64_t n[2];

		if (lxfw_slice_integer(item, 0, INT32_MAX, &n[0]))
			n[1] = n[0];
		else if (!lxfw_slice_numbers(item, "0-0", n) || n[0] > n[1])
			return -2;
		several |= n[0] / cores != n[1] / cores || (!first && n[0] / cores != socket);
		socket = n[0] / cores;
		first = false;
		at += item.length + (comma != NULL);
	}
	return first ? -2 : several ? -1 : socket;
}

/* --- lines ------------------------------------------------------------------------ */

static void add_gpus(const struct gres_conf *conf, struct found *found, int64_t socket)
{
	int64_t count = conf->count;

	if (socket < 0 || socket >= LXFW_SOCKETS_MAX ||
	    count > LXFW_SOCKET_GPUS_MAX - lxfw_sockets_at(found->sockets, (int)socket)) {
		found->lost = true;
		return;
	}
	found->sockets += lxfw_sockets_of((int32_t)count, (int)socket);
}

static int take_gpus(const struct gres_conf *conf, int32_t host)
{
	struct found *found = &conf->found[host];
	int64_t cores = conf->cluster->hosts[host].socket_cores;
	size_t length = conf->type.length;
	char quoted[60];

	if (length >= sizeof(found->type))
		length = sizeof(found->type) - 1;
	/* Slurm gives a job of one type those of this type: they are counted apart. */
	if (found->typed && (strlen(found->type) != length ||
			     strncasecmp(found->type, conf->type.at, length) != 0))
		found->lost = true;
	if (!found->typed && length > 0)
		memcpy(found->type, conf->type.at, length);
	found->typed = true;
	if (conf->cores.length == 0 || cores == 0) {
		found->lost = true;
	} else {
		int64_t socket = socket_of(conf->cores, cores);

		if (socket == -2)
			return lxfw_error_format(conf->wrong, "Cores=%s, expected numbers of "
				"cores such as 0-7,16", lxfw_text_quote(quoted, sizeof(quoted),
				conf->cores.at, conf->cores.length));
		add_gpus(conf, found, socket);
	}
	return 0;
}

static int take_node(void *context, const char *name)
{
	const struct gres_conf *conf = context;
	int32_t host = lxfw_cluster_find(conf->cluster, name);

	return host < 0 ? 0 : take_gpus(conf, host);
}

static int take_gres_line(void *context, const struct lxfw_slurm_line *line,
			  struct lxfw_error *wrong)
{
	struct gres_conf *conf = context;
	struct lxfw_slice nodes = { "", 0 }, name = nodes, files = nodes, parts = nodes;
	struct lxfw_slice number = nodes;
	struct {
		const char *key;
		struct lxfw_slice *value;
	} keys[] = {
		{ "NodeName", &nodes }, { "Name", &name }, { "File", &files },
		{ "MultipleFiles", &parts }, { "Count", &number }, { "Type", &conf->type },
		{ "Cores", &conf->cores }, { "CPUs", &conf->cores },
	};

	conf->wrong = wrong;
	conf->type = conf->cores = nodes;
	for (int i = 0; i < line->count; i++) {
		for (size_t j = 0; j < sizeof(keys) / sizeof(*keys); j++) {
			if (lxfw_slurm_is(line->pairs[i].key, keys[j].key))
				*keys[j].value = line->pairs[i].value;
		}
	}
	if (!lxfw_slurm_is(name, "gpu"))
		return 0;
	conf->count = 1;
	if (number.length > 0 && !lxfw_slice_integer(number, 0, INT32_MAX, &conf->count))
		conf->count = INT32_MAX;	/* as 1K: too many to be on a socket */
	if (files.length > 0)
		conf->count = files_in(files);
	if (parts.length > 0)	/* of one GPU */
		conf->count = 1;
	if (nodes.length > 0)
		return lxfw_hostlist_expand(nodes.at, nodes.length, take_node, conf, wrong);
	for (int32_t i = 0; i < conf->cluster->count; i++) {
		if (lxfw_gres_gpus(&conf->cluster->gres, &conf->cluster->hosts[i].gres) > 0 &&
		    take_gpus(conf, i))
			return -1;
	}
	return 0;
}

/* --- the file --------------------------------------------------------------------- */

/* Sets the sockets of the hosts that have all their GPUs on two sockets or more. */
static void set_sockets(const struct gres_conf *conf)
{
	struct lxfw_cluster *cluster = conf->cluster;

	for (int32_t i = 0; i < cluster->count; i++) {
		const struct found *found = &conf->found[i];
		struct lxfw_cluster_host *host = &cluster->hosts[i];
		int32_t gpus = lxfw_sockets_sum(found->sockets);

		if (found->lost || gpus != lxfw_gres_gpus(&cluster->gres, &host->gres) ||
		    lxfw_sockets_at(lxfw_sockets_sorted(found->sockets), 0) == gpus)
			continue;
		host->sockets = found->sockets;
	}
}

/* The name of the gres.conf in the folder of the slurm.conf PATH; NULL with errno ENOMEM. */
static char *path_beside(const char *path)
{
	static const char name[] = "gres.conf";
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	char *beside = malloc(length + sizeof(name));

	if (beside) {
		memcpy(beside, path, length);
		memcpy(beside + length, name, sizeof(name));
	}
	return beside;
}

int lxfw_cluster_read_gres(struct lxfw_cluster *cluster, const char *path,
			   struct lxfw_error *error)
{
	struct gres_conf conf = { .cluster = cluster };
	int result;

	conf.found = calloc((size_t)cluster->count + 1, sizeof(*conf.found));
	if (!conf.found)
		return lxfw_error_system(error, path);
	result = lxfw_slurm_lines(path, take_gres_line, &conf, error);
	if (result == 0)
		set_sockets(&conf);
	free(conf.found);
	return result;
}

int lxfw_cluster_read_gres_beside(struct lxfw_cluster *cluster, const char *path,
				  struct lxfw_error *error)
{
	char *beside = path_beside(path);
	int result = 0;

	if (!beside)
		return lxfw_error_system(error, path);
	if (access(beside, F_OK) == 0)
		result = lxfw_cluster_read_gres(cluster, beside, error);
	free(beside);
	return result;
}
