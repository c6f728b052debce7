/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/cluster_licenses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

#define HOST_PREFIX "license:"

static const char *name_of(const struct lxfw_cluster_license *license)
{
	return license->host + strlen(HOST_PREFIX);
}

void lxfw_cluster_clear_licenses(struct lxfw_cluster *cluster)
{
	for (int32_t i = 0; i < cluster->license_count; i++)
		free(cluster->licenses[i].host);
	free(cluster->licenses);
	cluster->licenses = NULL;
	cluster->license_count = 0;
	cluster->licenses_size = 0;
}

int32_t lxfw_cluster_find_license(const struct lxfw_cluster *cluster, struct lxfw_slice name)
{
	for (int32_t i = 0; i < cluster->license_count; i++) {
		const char *known = name_of(&cluster->licenses[i]);

		if (strlen(known) == name.length &&
		    strncasecmp(known, name.at, name.length) == 0)
			return i;
	}
	return -1;
}

/* Slurm sums up the counts of a name. */
static int add(struct lxfw_cluster *cluster, struct lxfw_slice name, int64_t count)
{
	int32_t at = lxfw_cluster_find_license(cluster, name);
	char *host;

	if (at >= 0) {
		int64_t sum = cluster->licenses[at].total + count;

		cluster->licenses[at].total = sum < INT32_MAX ? (int32_t)sum : INT32_MAX;
		return 0;
	}
	host = malloc(strlen(HOST_PREFIX) + name.length + 1);
	if (!host || LXFW_GROW(cluster->licenses, cluster->licenses_size,
			       (size_t)cluster->license_count + 1)) {
		free(host);
		errno = ENOMEM;
		return -1;
	}
	memcpy(host, HOST_PREFIX, strlen(HOST_PREFIX));
	memcpy(host + strlen(HOST_PREFIX), name.at, name.length);
	host[strlen(HOST_PREFIX) + name.length] = '\0';
	cluster->licenses[cluster->license_count++] = (struct lxfw_cluster_license) {
		.host = host, .total = (int32_t)count,
	};
	return 0;
}

/* Takes "NAME", "NAME:COUNT" or, since 26.05, "NAME=COUNT". */
static int take_one(struct lxfw_cluster *cluster, struct lxfw_slice item)
{
	struct lxfw_slice name = { item.at, 0 }, value;
	int64_t count = 1;

	while (name.length < item.length && item.at[name.length] != ':' &&
	       item.at[name.length] != '=' && item.at[name.length] != '(')
		name.length++;
	if (name.length == 0)
		return 0;
	if (name.length < item.length) {
		value = (struct lxfw_slice) { item.at + name.length + 1,
					      item.length - name.length - 1 };
		if (item.at[name.length] == '(' ||
		    !lxfw_slice_integer(value, 0, INT32_MAX, &count))
			return 0;
	}
	return add(cluster, name, count);
}

int lxfw_cluster_take_licenses(struct lxfw_cluster *cluster, struct lxfw_slice value)
{
	lxfw_cluster_clear_licenses(cluster);
	while (value.length > 0) {
		struct lxfw_slice item = { value.at, 0 };

		while (item.length < value.length && item.at[item.length] != ',' &&
		       item.at[item.length] != ';')
			item.length++;
		if (take_one(cluster, item))
			return -1;
		value.at += item.length;
		value.length -= item.length;
		if (value.length > 0)
			value.at++, value.length--;
	}
	return 0;
}

void lxfw_cluster_license_event(const struct lxfw_cluster *cluster, int32_t index,
				struct lxfw_event *event)
{
	const struct lxfw_cluster_license *license = &cluster->licenses[index];

	event->host.index = cluster->count + index;
	event->host.up = true;
	event->host.total = (struct lxfw_resources) { .extras = { license->total } };
	event->host.name = license->host;
	event->host.weight = 0;
	event->host.gpus = 0;
	event->host.sockets = 0;
}
