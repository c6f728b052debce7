/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/cluster.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/cluster_licenses.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/shipped.h"
#include "sim-frontend/util/text.h"

/* 1 EB: sums over a million hosts stay below 2^63. */
#define MEMORY_MAX_MB INT64_C(1000000000000)

void lxfw_cluster_clear(struct lxfw_cluster *cluster)
{
	int saved = errno;

	for (int32_t i = 0; i < cluster->set_count; i++) {
		free(cluster->sets[i].name);
		free(cluster->sets[i].hosts);
		free(cluster->sets[i].kinds.kinds);
	}
	for (int i = 0; i < cluster->extra_count; i++)
		free(cluster->extras[i]);
	for (size_t i = 0; i < cluster->block_count; i++) {
		free(cluster->blocks[i].name);
		free(cluster->blocks[i].shares);
	}
	for (size_t i = 0; i < cluster->note_count; i++)
		free(cluster->notes[i]);
	free(cluster->notes);
	lxfw_names_clear(&cluster->down);
	free(cluster->kinds.kinds);
	lxfw_gres_clear(&cluster->gres);
	free(cluster->blocks);
	free(cluster->changes);
	free(cluster->sets);
	free(cluster->hosts);
	lxfw_names_clear(&cluster->names);
	lxfw_cluster_clear_licenses(cluster);
	free(cluster->parameters);
	free(cluster->scheduler);
	free(cluster->priority_type);
	free(cluster->preempt_type);
	*cluster = (struct lxfw_cluster) { 0 };
	errno = saved;
}

bool lxfw_cluster_extra_event(const struct lxfw_cluster *cluster, int32_t *next,
			      struct lxfw_event *event)
{
	while (*next < cluster->extra_count) {
		int32_t index = (*next)++;
		const char *name = cluster->extras[index];

		if (!name || strchr(name, ' '))
			continue;
		*event = (struct lxfw_event) {
			.type = LXFW_EVENT_EXTRA, .time = event->time,
			.extra = { index, name },
		};
		return true;
	}
	return false;
}

void lxfw_cluster_host_event(const struct lxfw_cluster *cluster, int32_t host,
			     struct lxfw_event *event)
{
	if (host >= cluster->count) {
		lxfw_cluster_license_event(cluster, host - cluster->count, event);
		return;
	}
	event->host.index = host;
	event->host.up = true;
	event->host.total = cluster->hosts[host].total;
	if (!cluster->memory_bound)
		event->host.total.memory_mb = LXFW_MEMORY_UNLIMITED;
	event->host.name = lxfw_cluster_host_name(cluster, host);
	event->host.weight = cluster->hosts[host].weight;
	event->host.gpus = cluster->gpus;
	/* It is not known which type the GPUs of a socket have. */
	event->host.sockets = !cluster->gpus || lxfw_gres_gpus_differ(&cluster->gres,
				&cluster->hosts[host].gres) ? 0 : cluster->hosts[host].sockets;
}

void lxfw_cluster_change_event(const struct lxfw_cluster *cluster, size_t index,
			       struct lxfw_event *event)
{
	const struct lxfw_cluster_change *change = &cluster->changes[index];

	*event = (struct lxfw_event) {
		.type = LXFW_EVENT_HOST, .time = change->time,
	};
	lxfw_cluster_host_event(cluster, change->host, event);
	event->host.total.procs = change->procs;
}

const char *lxfw_cluster_host_name(const struct lxfw_cluster *cluster,
				   int32_t host)
{
	return cluster->names.names[host];
}

int32_t lxfw_cluster_find(const struct lxfw_cluster *cluster, const char *name)
{
	return lxfw_names_find(&cluster->names, name, strlen(name));
}

int32_t lxfw_cluster_find_set(const struct lxfw_cluster *cluster,
			      const char *name, size_t length)
{
	for (int32_t i = 0; i < cluster->set_count; i++) {
		if (!cluster->sets[i].is_part &&
		    strlen(cluster->sets[i].name) == length &&
		    memcmp(cluster->sets[i].name, name, length) == 0)
			return i;
	}
	return -1;
}

int lxfw_cluster_add(struct lxfw_cluster *cluster, const char *name,
		     const struct lxfw_resources *total,
		     struct lxfw_error *error)
{
	if (lxfw_cluster_find(cluster, name) >= 0)
		return lxfw_error_format(error,
			"host %.60s is a duplicate, expected each name once",
			name);
	if (cluster->count == LXFW_HOSTLIST_MAX)
		return lxfw_error_format(error, "more than %d hosts",
					 LXFW_HOSTLIST_MAX);
	if (cluster->procs + total->procs > INT32_MAX)
		return lxfw_error_format(error,
			"more than %d processors in all hosts", INT32_MAX);
	if (LXFW_GROW(cluster->hosts, cluster->size, (size_t)cluster->count + 1) ||
	    lxfw_names_add(&cluster->names, name, strlen(name)) < 0) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	cluster->hosts[cluster->count++] = (struct lxfw_cluster_host) {
		.total = *total,
	};
	cluster->procs += total->procs;
	return 0;
}

int lxfw_cluster_note(struct lxfw_cluster *cluster, const char *format, ...)
{
	va_list arguments;
	int length;

	if (LXFW_GROW(cluster->notes, cluster->notes_size, cluster->note_count + 1))
		return -1;
	va_start(arguments, format);
	length = vasprintf(&cluster->notes[cluster->note_count], format, arguments);
	va_end(arguments);
	if (length < 0)
		return -1;
	cluster->note_count++;
	return 0;
}

int lxfw_cluster_memory(const char *text, size_t length, int64_t *memory_mb)
{
	static const char units[] = "KMGT";
	static const int64_t kilobytes[] = { 1, 1 << 10, 1 << 20, 1 << 30 };
	const char *unit = length > 0 ? memchr(units, text[length - 1] & ~0x20,
					       4) : NULL;
	int64_t factor = unit ? kilobytes[unit - units] : 1 << 10;
	int64_t value;

	if (lxfw_text_integer(text, length - (unit != NULL), 0,
			      MEMORY_MAX_MB / factor * 1024, &value))
		return -1;
	*memory_mb = value * factor / 1024;
	return 0;
}

int lxfw_cluster_procs(struct lxfw_cluster *cluster, int32_t procs,
		       struct lxfw_error *error)
{
	struct lxfw_resources total = { .procs = procs };

	*cluster = (struct lxfw_cluster) { 0 };
	return lxfw_cluster_add(cluster, "h0", &total, error);
}
